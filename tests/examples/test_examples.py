"""The programs and notebooks of examples/, each run as a user would, with small numbers."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import foogo
from tests.marks import posix

EXAMPLES = Path(__file__).parents[2] / "examples"

Program = Callable[..., str]


@pytest.fixture
def program(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    """Runs a program of examples/ with these arguments; its output."""

    def run(name: str, *arguments: str) -> str:
        monkeypatch.setattr(sys, "argv", [name, *arguments])
        runpy.run_path(str(EXAMPLES / name), run_name="__main__")
        return capfd.readouterr().out

    return run


def test_throughput_table_has_a_row_per_size(program: Program) -> None:
    _, *rows = program("throughput_table.py", "--sizes", "3", "5", "--seconds", "0.01").splitlines()
    cells = [row.split() for row in rows]
    assert [row[0] for row in cells] == ["3x3", "5x5"]
    assert all(int(rate.replace(",", "")) > 0 for row in cells for rate in row[1:3])
    assert cells[1][3] == f"{foogo.simulate(5, 1000, seed=1).mean_moves:.1f}"


def test_policies_play_their_games(program: Program) -> None:
    _, *rows = program("policies.py", "--size", "5", "--playouts", "300").splitlines()
    moves = {name: float(count) for name, count, *_ in map(str.split, rows)}
    assert list(moves) == ["uniform", "captures_first", "classes", "knowledge"]
    assert moves["knowledge"] == round(foogo.simulate(5, 300, seed=1, policy="knowledge").mean_moves, 1)


@pytest.mark.slow
def test_selection_formulas_play_the_default(program: Program) -> None:
    rows = program("selection_formulas.py", "--size", "5", "--games", "2", "--simulations", "40").splitlines()
    labels, shares = zip(*(row.split() for row in rows), strict=True)
    assert [label.split("@")[0] for label in labels[:2]] == ["rave", "rave(equivalence=30)"]
    assert labels[-1].startswith("puct@")
    assert shares[0] == "50.0%"  # the same formula, so the two games are one, with colours swapped
    assert len(rows) == 7


def test_a_network_learns_and_evaluates(program: Program) -> None:
    options = "--size 5 --games 40 --simulations 40 --steps 300 --hidden 8 --matches 2"
    first, *rows = program("train_evaluator.py", *options.split()).splitlines()
    assert first.endswith(" held out")
    losses = [[float(number) for number in re.findall(r"\d\.\d+", row)] for row in rows if row.startswith("step")]
    assert losses[-1][0] < losses[0][0] - 0.1
    assert losses[-1][1] < losses[0][1] - 0.1
    assert [row.split(":")[0] for row in rows[-2:]] == ["values", "priors and values"]


def test_a_network_needs_a_game_besides_the_one_held_out(program: Program) -> None:
    with pytest.raises(SystemExit):
        program("train_evaluator.py", "--games", "1")


def test_weights_fit_recorded_games(program: Program) -> None:
    rows = program("fit_policy.py", *"--size 5 --games 10 --simulations 40 --matches 0".split()).splitlines()
    weights = {name: float(weight) for name, weight in (row.split() for row in rows[1:19])}
    assert len(weights) == 18
    assert weights["takes"] > weights["line_1"]
    for row in rows[19:21]:
        found, even = map(float, re.findall(r"\d\.\d+", row))
        assert found < even - 0.1


def test_weights_fit_games_of_files(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    program("self_play_to_sgf.py", "--size", "5", "--simulations", "50", "--output", str(file))
    assert program("fit_policy.py", str(file), str(file), "--matches", "0").startswith("2 games, ")
    first, *rows = program("fit_policy.py", str(file), "--matches", "0").splitlines()
    assert first.startswith("1 games, ")
    assert not any(row.startswith("held out") for row in rows)


def test_weights_fit_moves_out_of_turn_and_games_that_were_resumed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    fitted = importlib.import_module("fit_policy")
    game = foogo.Game(5)
    for vertex in ("C3", "B3", "D3"):
        game.play(vertex, foogo.BLACK)
    game.play("B2", foogo.WHITE)  # touches a black stone, and joins no white one
    game.play("pass")
    game.play("pass")
    game.resume()
    game.play("B4")
    chosen, counts = fitted.counts_of([game])
    assert chosen.shape == counts.shape == (5, 18)
    names = [{name for name, is_in in zip(fitted.NAMES, row, strict=True) if is_in} for row in chosen]
    assert "joins" in names[1]
    assert "touches" not in names[1]
    assert "touches" in names[3]
    assert "joins" not in names[3]


def test_weights_need_games_with_moves(program: Program, tmp_path: Path) -> None:
    (tmp_path / "empty.sgf").write_text("(;GM[1]SZ[5]KM[7])", encoding="utf-8")
    with pytest.raises(SystemExit):
        program("fit_policy.py", str(tmp_path / "empty.sgf"))


def test_balanced_weights_are_printed_with_their_errors(program: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    options = "--size 5 --positions 5 --simulations 400 --rounds 2 --batch 5 --playouts 10 --matches 0"
    rows = program("balance_policy.py", *options.split()).splitlines()
    errors = {name: float(error) for name, error in (row.split() for row in rows[19:23])}
    assert list(errors) == ["uniform", "patterns", "before", "balanced"]
    assert all(0 <= error < 1 for error in errors.values())
    assert len(rows[23].split(",")) == 18


def test_balancing_makes_playouts_truer_where_it_learns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    balanced = importlib.import_module("balance_policy")
    random, boards = np.random.default_rng(2), list[foogo.Board]()
    while len(boards) < 20:
        board = foogo.Board[5]()
        while board.playable().any() and not in_atari(board, 3):
            board.play(int(random.choice(list(board.playable().search(1)))))
        if in_atari(board, 3):
            boards.append(board)
    # the truth is what playouts with other weights say, so that it is the same on every machine
    good = np.log(balanced.FITTED)
    truth = balanced.black_wins(boards, balanced.policy_of(good), 400, 99)
    start = np.where(np.arange(len(good)) < 8, -good, good)
    options = argparse.Namespace(rounds=30, batch=20, playouts=40, rate=60, seed=2)
    found = balanced.balance(boards, truth, start, options)
    before, after = (
        balanced.squared_error(boards, truth, balanced.policy_of(weights), 400, 10**6) for weights in (start, found)
    )
    assert before > 0.01
    assert after < before / 2


def in_atari(board: foogo.Board, stones: int) -> bool:
    """Whether a string of so many stones or more has one liberty."""
    taken = (board.stones(foogo.BLACK) | board.stones(foogo.WHITE)).search(1)
    return any(board.string_at(at).count(1) >= stones and board.liberties_at(at).count(1) == 1 for at in taken)


def test_holdem_odds_rank_the_starting_hands(program: Program) -> None:
    rows = [line.split() for line in program("cards_holdem_odds.py", "--deals", "20000", "--rows", "40").splitlines()]
    assert len(rows) == 80
    assert [row[0] for row in rows[:40]].index("AA") < 5
    assert all(float(row[1]) < 40 for row in rows[-10:])


def test_first_move_map_draws_the_values_of_first_move(program: Program) -> None:
    printed = program("first_move_map.py", "--size", "3", "--playouts", "500", "--seed", "2")
    values = foogo.first_move(3, 500, seed=2, by_point=True).mean_scores()
    rows = [[float(value) for value in line.split()[1:]] for line in printed.splitlines()[1:4]]
    assert rows == [pytest.approx(row, abs=0.005) for row in values[::-1].tolist()]
    assert "best first move: B2, Black leads by" in printed


def test_first_move_map_saves_a_heat_map(program: Program, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    program("first_move_map.py", "--size", "3", "--playouts", "50", "--plot", str(tmp_path / "heat.svg"))
    assert "<svg" in (tmp_path / "heat.svg").read_text(encoding="utf-8")


def test_ownership_tells_the_two_sides_apart(program: Program, tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text(". X O . .\n" * 5, encoding="utf-8")
    printed = program("ownership.py", "--diagram", str(tmp_path / "position.txt"), "--playouts", "200")
    shares = [[int(share) for share in line.split()] for line in printed.splitlines()[-7:-2]]
    assert len(shares) == 5
    assert all(row[1] > 50 and row[2] < -20 for row in shares)
    start = foogo.Board.from_diagram(". X O . .\n" * 5)
    mean = foogo.play_games([start], 200, seed=1).scores.mean()
    assert f"{mean:+.1f} points" in printed.splitlines()[-1]


def test_ownership_has_a_position_of_its_own(program: Program) -> None:
    assert "9 . . . X O" in program("ownership.py", "--playouts", "20")


def test_self_play_saves_a_game_that_can_be_read(program: Program, tmp_path: Path) -> None:
    from foogo.sgf import read_game

    file = tmp_path / "game.sgf"
    printed = program("self_play_to_sgf.py", "--size", "5", "--simulations", "100", "--output", str(file))
    game = read_game(file.read_bytes())
    assert game.is_over
    assert game.size == 5
    assert f"over, {game.result()}" in printed
    assert file.read_text(encoding="utf-8").count("expects to win") == len(game.moves)


@posix
def test_match_reports_the_score(program: Program, tmp_path: Path) -> None:
    folder = tmp_path / "match"
    printed = program(
        "match_against_engine.py", "--games", "2", "--size", "5", "--simulations", "50", "--folder", str(folder)
    )
    assert f"foogo against foogo {foogo.__version__}, 2 games" in printed
    counts = re.search(r"won (\d), drew (\d), lost (\d)", printed)
    assert counts is not None
    assert sum(map(int, counts.groups())) == 2
    assert "95 % interval" in printed
    assert len(list((folder / "games").glob("*.sgf"))) == 2


@posix
def test_match_ends_with_the_exit_code_of_the_referee(program: Program, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        program("match_against_engine.py", "no-such-engine", "--games", "1", "--folder", str(tmp_path))
    assert ended.value.code == 2


EXECUTE = (
    "import sys, nbformat\n"
    "from nbclient import NotebookClient\n"
    "notebook = nbformat.read(sys.argv[1], as_version=4)\n"
    "NotebookClient(notebook, timeout=600).execute()\n"
    "nbformat.write(notebook, sys.argv[2])"
)


def printed(notebook: Path) -> list[str]:
    """What the cells of a notebook have printed."""
    cells = json.loads(notebook.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", ())]
    return ["".join(output["text"]) for output in outputs if output.get("name") == "stdout"]


@pytest.mark.parametrize("notebook", sorted(path.name for path in EXAMPLES.glob("*.ipynb")))
def test_notebook_runs_and_playouts_print_what_is_saved(notebook: str, tmp_path: Path) -> None:
    """In a process of its own, where the warnings of Jupyter's packages are not errors."""
    for package in ("nbclient", "ipykernel", "matplotlib"):
        pytest.importorskip(package)
    environment = os.environ | {"IPYTHONDIR": str(tmp_path), "JUPYTER_PLATFORM_DIRS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, str(EXAMPLES / notebook), str(tmp_path / notebook)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    if notebook != "search.ipynb":  # what a search finds depends on how many games a processor's vector holds
        assert printed(EXAMPLES / notebook) == printed(tmp_path / notebook)


def test_there_are_two_notebooks() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.ipynb")) == ["playouts_and_first_move", "search"]
