"""First-move studies: pooled openings, reproducible totals, plots that are checked before the run."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest

from foogo.errors import ArgumentError, BackendError, PlotError, SizeError
from foogo.game.board import Board
from foogo.game.geometry import geometry
from foogo.playout.policies import Policy
from foogo.playout.simulate import Interrupted, Playouts, simulate
from foogo.study.config import OPENING_STRIDE
from foogo.study.first_move import FirstMove, StudyInterrupted, first_move
from foogo.study.report.heat_map import board_heat_map, plot_first_move
from foogo.study.report.style import check_plot_path
from foogo.study.run import tasks
from foogo.study.store.store import Store


@pytest.fixture(scope="module")
def study() -> FirstMove:
    return first_move(5, 3000, seed=3, threads=1, by_point=True)


def test_each_class_of_symmetric_points_is_played_once(study: FirstMove) -> None:
    assert [opening.vertex for opening in study.openings] == ["A1", "B1", "C1", "B2", "C2", "C3"]
    assert sorted(point for opening in study.openings for point in opening.points) == list(range(25))
    assert [len(opening.points) for opening in study.openings] == [4, 8, 4, 4, 4, 1]


def test_an_opening_is_a_run_of_simulate_from_the_position_after_it(study: FirstMove) -> None:
    board = Board(5)
    board.play("B2")
    first = (geometry(5).point("B2") + 1) * OPENING_STRIDE
    again = simulate(board, 3000, seed=3, first=first, threads=1)
    opening = next(opening for opening in study.openings if opening.vertex == "B2")
    assert opening.playouts == again


def test_without_openings_it_is_a_run_of_simulate() -> None:
    study = first_move(5, 500, seed=9, suicide=False)
    again = simulate(5, 500, seed=9, suicide=False)
    assert study.openings == ()
    assert study.playouts == again
    assert np.isnan(study.mean_scores()).all()


def test_symmetric_openings_agree(study: FirstMove) -> None:
    """Playing the mirrored point, with other random numbers, gives the same mean within its error."""
    for vertex, mirrored in (("A1", "E5"), ("B1", "A4"), ("C1", "C5"), ("B2", "D4"), ("C2", "B3")):
        opening = next(opening for opening in study.openings if opening.vertex == vertex)
        board = Board(5)
        board.play(mirrored)
        other = simulate(board, 3000, seed=4, threads=1)
        error = np.hypot(opening.playouts.se_score, other.se_score)
        assert abs(opening.playouts.mean_score - other.mean_score) < 4 * error


def test_a_random_first_move_is_the_average_over_openings(study: FirstMove) -> None:
    means = study.mean_scores()
    errors = [len(o.points) * o.playouts.se_score for o in study.openings]
    error = np.hypot(np.linalg.norm(errors) / 25, study.playouts.se_score)
    assert abs(means.mean() - study.playouts.mean_score) < 4 * error


def test_the_center_is_better_than_the_corner(study: FirstMove) -> None:
    means = study.mean_scores()
    assert means[2, 2] > means[0, 0] + 2
    assert np.array_equal(means, means.T)
    assert np.array_equal(means, means[::-1])


def test_totals_do_not_depend_on_threads_or_backend(study: FirstMove) -> None:
    again = first_move(5, 3000, seed=3, threads=2, backend="strings", by_point=True)
    assert study.playouts == again.playouts
    assert [opening.playouts for opening in study.openings] == [opening.playouts for opening in again.openings]


def test_progress_counts_all_starts_and_ends_at_the_total() -> None:
    seen: list[tuple[int, int]] = []
    first_move(3, 200, by_point=True, progress=lambda done, total: seen.append((done, total)))
    assert {total for _, total in seen} == {200 * 4}
    done = [count for count, _ in seen]
    assert done == sorted(done)
    assert done[-1] == 800


def test_as_dict_is_plain_json(study: FirstMove) -> None:
    document = json.loads(json.dumps(study.as_dict((0.5, 7)), allow_nan=False))
    for komis in iter((0.5, 7)), np.array([0.5, 7], np.float32):
        assert json.loads(json.dumps(study.as_dict(komis))) == document  # type: ignore[arg-type]
    for wrong, message in ((6.5, "komis are 6.5: give a sequence"), (["x"], "komi 'x' is not possible")):
        for shown in study.as_dict, study.to_frame:
            with pytest.raises(ArgumentError, match=message):
                shown(wrong)  # type: ignore[arg-type]
    assert document["size"] == 5
    assert document["playouts"] == 3000
    assert [share["komi"] for share in document["win_share"]] == [0.5, 7]
    low, high = document["win_share"][0]["low"], document["win_share"][0]["high"]
    assert low < study.playouts.win_share(0.5) < high
    assert document["mean_score"]["value"] == pytest.approx(study.playouts.mean_score)
    assert document["openings"][0]["symmetric"] == ["A1", "E1", "A5", "E5"]


@pytest.mark.parametrize("policy", ["knowledge", "patterns"])
def test_a_policy_plays_both_sides(policy: str, tmp_path: Path) -> None:
    study = first_move(3, 300, seed=2, by_point=True, policy=policy)
    assert study.playouts == simulate(3, 300, seed=2, policy=policy) != simulate(3, 300, seed=2)
    assert study.as_dict()["policy"] == policy
    with Store(tmp_path / "kept.sqlite", create=True) as store:
        assert first_move(3, 300, seed=2, by_point=True, policy=policy, store=store) == study


@pytest.mark.parametrize(("policy", "name"), [(None, "uniform"), (Policy(), "knowledge"), ("random", "uniform")])
def test_a_policy_that_has_a_name(policy: Policy | str | None, name: str) -> None:
    assert first_move(3, 300, policy=policy) == first_move(3, 300, policy=name)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ("search:8", "foogo study run"),
        ("wise", "uniform, knowledge, patterns, or a policy of yours"),
        (Policy(urgent=3), "use uniform, knowledge, patterns, or one of foogo.playout_policy"),
    ],
)
def test_a_policy_that_plays_no_playouts_is_refused(policy: Policy | str, said: str) -> None:
    with pytest.raises(ArgumentError, match=said):
        first_move(3, 10, policy=policy)


def test_a_store_takes_no_backend_that_it_would_not_use(tmp_path: Path) -> None:
    with Store(tmp_path / "kept.sqlite", create=True) as store:
        with pytest.raises(BackendError, match="'strings': use 'auto' or 'cuda' for a study"):
            first_move(3, 300, backend="strings", store=store)
        assert not store.runs()


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "many", 2**41])
def test_a_wrong_number_of_playouts_is_refused(n: int) -> None:
    with pytest.raises(ArgumentError, match="a whole number from 1"):
        first_move(5, n)


def test_other_wrong_arguments_are_refused() -> None:
    with pytest.raises(SizeError):
        first_move(20, 10)
    with pytest.raises((ArgumentError, BackendError)):
        first_move(5, 10, backend="abacus")
    with pytest.raises(ArgumentError):
        first_move(5, 10, threads=0)
    with pytest.raises(ArgumentError, match="store is 'a.sqlite': give a foogo.study.store.store.Store"):
        first_move(5, 10, store="a.sqlite")  # type: ignore[arg-type]


@pytest.mark.parametrize("runs_before", [0, 1, 3])
def test_an_interrupted_study_has_the_result_so_far(monkeypatch: pytest.MonkeyPatch, runs_before: int) -> None:
    runs = 0

    def stopped(start: Board | int, n: int, **options: object) -> Playouts:
        nonlocal runs
        runs += 1
        if runs > runs_before:
            raise Interrupted(simulate(start, n // 2), n)
        return simulate(start, n)

    monkeypatch.setattr(tasks, "simulate", stopped)
    with pytest.raises(StudyInterrupted) as caught:
        first_move(3, 100, by_point=True)
    result = caught.value.result
    assert isinstance(caught.value, KeyboardInterrupt)
    assert pickle.loads(pickle.dumps(caught.value)).result == result
    assert result.playouts.n == (100 if runs_before else 50)
    assert [opening.playouts.n for opening in result.openings] == [[], [50], [], [100, 100, 50]][runs_before]


@pytest.mark.parametrize("suffix", [".png", ".svg"])
def test_a_plot_is_written_in_the_format_of_its_suffix(study: FirstMove, tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / f"heat{suffix}"
    plot_first_move(study, path)
    start = path.read_bytes()[:200]
    assert start.startswith(b"\x89PNG") if suffix == ".png" else b"<svg" in path.read_bytes()[:2000]


def test_a_plot_is_a_board_with_every_value(study: FirstMove) -> None:
    pytest.importorskip("matplotlib")
    means = study.mean_scores()
    figure = board_heat_map(means, "points")
    axes = figure.axes[0]
    texts = {text.get_position(): text.get_text() for text in axes.texts}
    assert texts[(2, 2)] == f"{means[2, 2]:.1f}"
    assert len(texts) == 25
    discs = axes.collections[-1]
    assert len(discs.get_paths()) == 25
    assert discs.norm.vcenter == pytest.approx(means.mean())


def test_a_large_plot_skips_the_letter_i_and_leaves_values_out() -> None:
    pytest.importorskip("matplotlib")
    figure = board_heat_map(np.arange(361.0).reshape(19, 19), "points")
    axes = figure.axes[0]
    letters = [label.get_text() for label in axes.get_xticklabels()]
    assert "".join(letters) == 2 * "ABCDEFGHJKLMNOPQRST"  # below and above
    assert not axes.texts


def test_equal_values_can_be_plotted(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    board_heat_map(np.ones((3, 3)), "points").savefig(tmp_path / "flat.png")


@pytest.mark.parametrize("name", ["plot.gif", "plot", "nowhere/plot.png", "folder.png"])
def test_a_path_that_cannot_be_plotted_to_is_found_before_the_run(tmp_path: Path, name: str) -> None:
    pytest.importorskip("matplotlib")
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(PlotError, match=r"cannot (plot to|write) '.*'"):
        check_plot_path(tmp_path / name)


def test_checking_a_path_leaves_nothing_behind_and_nothing_changed(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    old = tmp_path / "old.svg"
    old.write_text("keep me")
    assert check_plot_path(tmp_path / "new.png") == tmp_path / "new.png"
    check_plot_path(old)
    assert [path.name for path in tmp_path.iterdir()] == ["old.svg"]
    assert old.read_text() == "keep me"


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(PlotError, match=r"pip install 'foogo\[plot\]'"):
        check_plot_path(tmp_path / "heat.png")


def test_a_study_without_openings_cannot_be_plotted(tmp_path: Path) -> None:
    with pytest.raises(PlotError, match="by_point=True"):
        plot_first_move(first_move(3, 10), tmp_path / "heat.png")
