"""What results say of themselves: as text, in a notebook, as data frames, and added up."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import foogo
from foogo.errors import ArgumentError, MissingPackageError
from foogo.stats import estimates
from foogo.study.store.store import Store
from foogo.study.summary import RunSummary, Summary


@cache
def playouts() -> foogo.Playouts:
    return foogo.simulate(5, 2000, seed=1)


@cache
def study() -> foogo.FirstMove:
    return foogo.first_move(3, 500, seed=1, by_point=True)


@cache
def games() -> foogo.Games:
    return foogo.play_games([foogo.Board(5)], 20, seed=1)


@cache
def search() -> foogo.SearchResult:
    return foogo.Search(foogo.Game(5), seed=1, threads=1).run(simulations=500)


@cache
def solution() -> foogo.Solution:
    return foogo.solve(2, 2)


def test_playouts_say_what_they_found() -> None:
    run = playouts()
    lines = str(run).splitlines()
    assert lines[0] == "2,000 playouts on 5x5, uniform, seed 1"
    assert re.fullmatch(r"Black's mean score: -?\d+\.\d\d ±\d+\.\d\d points", lines[1])
    assert re.fullmatch(r"Black wins: +\d+\.\d\d \[\d+\.\d\d, \d+\.\d\d\] % at komi 0", lines[2])
    assert re.fullmatch(r"fair komi: +-?\d+\.\d\d \[.*\] points", lines[3])
    assert lines[4] == f"moves per playout:  {run.mean_moves:.1f}"
    assert len(lines) == 5
    assert str(foogo.simulate(5, 0)) == "0 playouts on 5x5, uniform, seed 0"
    assert str(foogo.simulate(5, 1)).startswith("1 playout on")


def test_playouts_have_intervals() -> None:
    run = playouts()
    share = run.win_interval(2.5)
    assert share == estimates.win_share(run.scores, 2.5)
    assert share.low < run.win_share(2.5) == share.value < share.high
    assert run.fair_komi() == estimates.fair_komi(run.scores)
    for estimate in (foogo.simulate(5, 0).win_interval, foogo.simulate(5, 0).fair_komi):
        with pytest.raises(ArgumentError, match="no estimate from 0 games"):
            estimate()
    for komi in ("7", None, float("nan"), True):
        with pytest.raises(ArgumentError, match=r"komi .* is not possible: give a finite number of points"):
            run.win_interval(komi)  # type: ignore[arg-type]


def test_parts_add_up() -> None:
    parts = [foogo.simulate(5, 500, seed=1, first=500 * i) for i in range(4)]
    assert sum(parts) == playouts()
    with pytest.raises(TypeError):
        _ = 1 + parts[0]


def test_a_study_says_what_it_found() -> None:
    lines = str(study()).splitlines()
    assert lines[0] == "3x3, uniform players, suicide allowed, seed 1"
    assert re.fullmatch(r"any first move: .* points for Black, fair komi .*", lines[1])
    assert re.fullmatch(r"best first move: B2, .* points", lines[2])
    assert re.fullmatch(r"worst first move: A1, .* points", lines[3])
    assert len(str(foogo.first_move(3, 10)).splitlines()) == 2


def test_a_solution_says_its_value() -> None:
    assert str(solution()).splitlines() == [
        "2x2, migos: 0",
        "best moves: A1 B1 A2 B2 pass",
        f"best play: {' '.join(solution().pv)}",
    ]
    assert str(foogo.solve(3, 3, moves=["A1"])).startswith("3x3 after A1, migos: W+9\n")
    assert str(foogo.solve(2, 2, openings=True)).splitlines()[-1].startswith("values for Black: A1 ")


def test_games_say_how_many_they_are() -> None:
    lines = str(games()).splitlines()
    assert lines[0] == "games: 20"
    assert lines[1] == f"Black's mean score: {games().scores.mean():.2f} points"
    assert str(foogo.play_games([foogo.Board(5)], 0)) == "games: 0"


def test_games_are_equal_if_all_arrays_are() -> None:
    same, other = (foogo.play_games([foogo.Board(5)], 20, seed=seed) for seed in (1, 2))
    with_sets, again = (foogo.play_games([foogo.Board(5)], 20, seed=1, sets=True) for _ in range(2))
    assert (games() == same) is True
    assert (games() != same) is False
    assert with_sets == again
    for different in (other, with_sets, foogo.play_games(5, 19, seed=1), tuple(games()), None):
        assert (games() == different) is False
        assert (games() != different) is True
    changed = again._replace(owners=again.owners[::-1])
    assert changed != with_sets
    with pytest.raises(TypeError, match="unhashable type: 'Games'"):
        hash(games())


def test_a_search_shows_the_bound_that_orders_its_moves() -> None:
    result = search()
    assert result.best_vertex == foogo.vertex(result.best, 5)
    bounds = result.lower_bounds
    assert bounds.shape == result.moves.shape
    assert (bounds <= np.nan_to_num(result.moves["win_share"]) + 1e-12).all()
    lines = str(result).splitlines()
    assert lines[1] == "move   visits  win %  lower  score  prior   rave  variation"
    shown = [float(line.split()[3]) for line in lines[3:]]
    assert shown == sorted(shown, reverse=True)
    assert lines[2].split()[0] == result.best_vertex
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("result", [playouts, study, games, solution])
def test_a_notebook_shows_a_table(result: Callable[[], Any]) -> None:
    text = result()._repr_html_()
    assert text.startswith("<table>")
    assert text.count("<tr>") == text.count("</tr>") >= 3
    assert len(text) < 4000


def test_results_become_data_frames() -> None:
    pytest.importorskip("pandas")
    frame = playouts().to_frame()
    assert list(frame.columns) == ["score", "playouts"]
    assert (frame["score"] * frame["playouts"]).sum() / frame["playouts"].sum() == pytest.approx(playouts().mean_score)
    assert games().to_frame()["moves"].tolist() == games().moves.tolist()
    moves = search().to_frame()
    assert moves["vertex"][0] == search().best_vertex
    assert moves["variation"][0].split()[0] == search().best_vertex
    assert moves["lower_bound"].tolist() == search().lower_bounds.tolist()
    assert solution().to_frame()["vertex"].tolist() == list(solution().best_moves)
    openings = foogo.solve(1, 3, openings=True)
    values = openings.to_frame()
    assert dict(zip(values["vertex"], values["value"], strict=True)) == openings.opening_values
    assert values["vertex"][values["best"]].tolist() == list(openings.best_moves)


def test_studies_become_data_frames(tmp_path) -> None:
    pytest.importorskip("pandas")
    frame = study().to_frame(komis=[0.0, 6.5])
    assert frame["first_move"].tolist() == ["any", "A1", "B1", "B2"]
    assert frame["points"].tolist() == [0, 4, 4, 1]
    assert frame["mean_score"][3] == study().openings[2].playouts.mean_score
    assert frame["win_share_6.5"][0] == study().playouts.win_share(6.5)
    assert (frame["fair_komi_low"] < frame["fair_komi"]).all()
    with Store(tmp_path / "a.sqlite", create=True) as store:
        foogo.first_move(3, 100, seed=1, store=store)
        assert RunSummary.of(store, store.runs()[0]).to_frame()["playouts"].tolist() == [100]
        assert issubclass(RunSummary, Summary)


def test_pandas_is_optional(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingPackageError, match=r"needs pandas, .*: pip install 'foogo\[frame\]'"):
        playouts().to_frame()


def test_sets_of_games_are_unpacked_on_request() -> None:
    for size in (5, 9, 19):
        found = foogo.play_games([foogo.Board(size)], 6, seed=1, sets=True)
        masks = found.owner_masks(size)
        assert masks.shape == (6, 2, size, size)
        assert masks.dtype == np.bool_
        lead = masks[:, 0].sum(axis=(1, 2)) - masks[:, 1].sum(axis=(1, 2))
        assert lead.tolist() == found.scores.tolist()
        firsts = found.first_player_masks(size)
        assert not (firsts[:, 0] & firsts[:, 1]).any()
        point = np.argwhere(masks[0, 0])[0]
        flat = int(point[0] * size + point[1])
        assert found.owners[0, 0, flat // 64] >> np.uint64(flat % 64) & np.uint64(1)


def test_sets_of_another_size() -> None:
    found = foogo.play_games([foogo.Board(9)], 6, seed=1, sets=True)
    with pytest.raises(ArgumentError, match="size is 5: these games were played on a larger board"):
        found.owner_masks(5)
    larger = foogo.play_games([foogo.Board(11)], 6, seed=1, sets=True)
    with pytest.raises(ArgumentError, match="size is 10: these games were played on a larger board"):
        larger.owner_masks(10)
    for sets in (found.owner_masks, found.first_player_masks):
        for size in (10, 19):  # the sets of 10x10 have as many words
            with pytest.raises(ArgumentError, match=f"size is {size}: these games were played on a smaller board"):
                sets(size)
    nothing = foogo.play_games(9, 0, sets=True)
    assert nothing.owner_masks(9).shape == (0, 2, 9, 9)
    assert foogo.play_games([foogo.Board(9)], 1).owners is None


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("uniform", "uniform"),
        ("random", "uniform"),
        (None, "uniform"),
        ("patterns", "patterns"),
        (foogo.Policy(), "knowledge"),
    ],
)
def test_playouts_name_their_policy(given: Any, named: str) -> None:
    run = foogo.simulate(5, 10, policy=given)
    assert run.policy == named
    assert foogo.simulate(5, 10, policy=run.policy) == run
    other = foogo.Policy(urgent=256, near=0)
    assert foogo.simulate(5, 10, policy=other).policy == other


def test_one_vocabulary_of_policies() -> None:
    assert foogo.first_move(3, 20, policy="uniform").as_dict() == foogo.first_move(3, 20, policy="random").as_dict()
    assert foogo.first_move(3, 20, policy="uniform").playouts.policy == "uniform"
    assert foogo.simulate(3, 20, policy="random") == foogo.simulate(3, 20)
    assert foogo.Search(foogo.Game(3), policy="random", threads=1, seed=1).run(simulations=20).simulations == 20
    with pytest.raises(ArgumentError, match="policy 'search:100' is for studies of games by search: here use uniform,"):
        foogo.simulate(3, 20, policy="search:100")
    with pytest.raises(
        ArgumentError, match="policy 'wild' is unknown: use uniform, knowledge, patterns.* FILE.py:NAME in a"
    ):
        foogo.simulate(3, 20, policy="wild")


def test_a_game_can_be_simulated() -> None:
    game = foogo.Game(5, "chinese")
    game.play("C3")
    run = foogo.simulate(game, 100, seed=1)
    assert run == foogo.simulate(game.board, 100, seed=1, suicide=False)
    assert foogo.simulate(game, 100, seed=1, suicide=True) == foogo.simulate(game.board, 100, seed=1)
    assert foogo.simulate(foogo.Game(5), 100, seed=1) == foogo.simulate(5, 100, seed=1)
