"""The programs of bench/: what each refuses, and what they compute at small sizes."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError
from pathlib import Path
from types import ModuleType

import pytest

from bench import (
    learn_network,
    learn_priors,
    problems,
    proven_endings,
    random_stream,
    search_match,
    shipped,
    solve,
    strength,
)
from tests.marks import posix


@pytest.mark.parametrize("seed", [0, 7, 2**64 - 1])
def test_random_streams_are_those_of_playouts(seed: int) -> None:
    random_stream.check(seed, 8)


def test_random_streams_that_differ_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_stream, "WARM_UP_ROUNDS", 14)
    with pytest.raises(SystemExit, match="playout 0 differs"):
        random_stream.check(0, 8)


@pytest.mark.parametrize("arguments", [["--seed", "-1"], ["--seed", str(2**64)], ["--numbers", "0"]])
def test_random_streams_of_impossible_seeds_are_refused(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, random_stream, *arguments)


@pytest.mark.parametrize("policy", ["", "genius", "300+0"])
def test_matches_between_searches_refuse_unknown_policies(policy: str) -> None:
    with pytest.raises(ArgumentTypeError, match="unknown|urgent is 300"):
        search_match.described(f"simulations=10,policy={policy}")


def test_ctrl_c_ends_the_processes_of_strength(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that only reported it would begin the next game, and the program would play on."""

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(strength, "match", stopped)
    monkeypatch.setattr("os._exit", sys.exit)
    row = strength.Row("stopped", "simulations=10", "simulations=10", 1, 3)
    with pytest.raises(SystemExit, match="130"):
        strength.play(row, 0, None)


def run(monkeypatch: pytest.MonkeyPatch, program: ModuleType, *arguments: str) -> None:
    """Run a program with these arguments."""
    monkeypatch.setattr(sys, "argv", [program.__name__, *arguments])
    program.main()


def test_shipped_kernels_are_those_of_the_folder_that_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    measured: list[str] = []

    def measure(environment: dict[str, str]) -> list[float]:
        measured.append(environment["PYTHONPATH"])
        return [1.0, 1.0, 0]

    monkeypatch.setattr(shipped, "_run", measure)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, shipped, "place")
    (tmp_path / "place" / "foogo" / "compiled").mkdir(parents=True)
    (tmp_path / "place" / "foogo" / "compiled" / "generic.bin").touch()
    run(monkeypatch, shipped, "place")
    assert set(measured) == {str(tmp_path / "place")}


@pytest.mark.parametrize("arguments", [["3"], ["3x4x5"], ["2x2", "--rules", "superko"]])
def test_solve_refuses_unknown_boards_and_rules(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, solve, *arguments)
    assert "3x4" in (error := capsys.readouterr().err) or "positional" in error


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["games", "--test", "network.npz"], "has 0 9x9 games"),
        (["games", "--epochs", "1", "--output", "no-folder/network.npz"], "a folder that exists"),
        (["games", "--epochs", "1", "--output", "network"], "ending in .npz"),
        (["games", "--epochs", "1", "--output", "network.npz", "--plot", "fit.bmp"], "end in .png, .svg or .pdf"),
    ],
)
def test_a_fit_that_cannot_end_well_does_not_begin(
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        run(monkeypatch, learn_network, *arguments)
    assert said in f"{ended.value}{capsys.readouterr().err}"


def test_priors_need_ten_games_and_a_place(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, learn_priors, "play", "no-folder/games.npz")
    run(monkeypatch, learn_priors, "play", "games.npz", "--size", "3", "--simulations", "10", "--seconds", "0")
    with pytest.raises(SystemExit, match="at least 10"):
        run(monkeypatch, learn_priors, "fit", "games.npz", "--output", "priors.npz")


def test_proven_endings_need_games(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="2"):
        run(monkeypatch, proven_endings, str(tmp_path))


@posix
def test_problems_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "empty.sgf").write_text("(;GM[1]FF[4]SZ[3]KM[0];B[bb])")
    (tmp_path / "some.tst").write_text(
        "# the first move on 3x3\nunknown_setting 3\nloadsgf empty.sgf 1\n10 reg_genmove b\n#? [B2|A1]\n"
        "20 reg_genmove b\n#? [!(B2|A2)]*\n30 unknown_value\n#? [1]\nloadsgf missing.sgf\n40 reg_genmove b\n#? [B2]\n"
    )
    run(monkeypatch, problems, str(tmp_path / "some.tst"), "--simulations", "200", "--seeds", "2", "--show")
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    assert found["problems"] == {"count": 1, "solved": 1.0}
    assert found["marked as failed"] == {"count": 1, "solved": 0.0}
    assert printed.err.count("some.tst 20: B2, not !B2|A2\n") == 2
    assert printed.err.count("missing.sgf") == 2
