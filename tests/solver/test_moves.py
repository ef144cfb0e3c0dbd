"""Positions after moves: their values against a slow solver, their proofs, and moves that cannot be."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from foogo.cli import run
from foogo.errors import ArgumentError, IllegalMoveError, VertexError
from foogo.solver.proof import save, verify
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import vertex_of
from foogo.solver.solution import Unsolved, solve
from foogo.solver.solver import OutOfNodes
from tests import brute_solver as brute


def random_line(rows: int, cols: int, rng: random.Random, superko: bool) -> tuple[list[brute.Position], list[str]]:
    """The positions and moves of the beginning of a random game that nobody has ended."""
    path, vertices = [brute.Position("." * rows * cols)], list[str]()
    for _ in range(rng.randrange(1, 7)):
        found = brute.moves(rows, cols, path[-1])
        if superko:  # which looks at what a ko forbids for itself
            found = brute.moves(rows, cols, path[-1]._replace(ko=None))
            boards = {at.board for at in path}
            found = {point: one for point, one in found.items() if point is None or one.board not in boards}
        if not found:
            break
        point = rng.choice(list(found))
        path.append(found[point])
        vertices.append("pass" if point is None else vertex_of(cols, point))
    return path, vertices


def worth(rows: int, cols: int, values: dict[brute.Position, int], at: brute.Position) -> tuple[int, tuple[str, ...]]:
    """Value and best moves of a position by the slow solver."""
    found = {point: values[after] for point, after in brute.moves(rows, cols, at).items()}
    if at.passed:
        found[None] = brute.score(rows, cols, at.board)
    order = [*range(rows * cols), None]
    best = sorted((point for point in found if found[point] == values[at]), key=order.index)
    return values[at], tuple("pass" if point is None else vertex_of(cols, point) for point in best)


@pytest.mark.parametrize("method", ["enumerate", "force"])
def test_positions_have_the_value_and_best_moves_of_the_slow_solver(method: str) -> None:
    values = brute.cycle_values(2, 3)
    rng = random.Random(5)
    for _ in range(25):
        path, moves = random_line(2, 3, rng, superko=False)
        solution = solve(2, 3, moves=moves, rules="draw", method=method, table_mb=1, all_best=True)
        assert (solution.value, solution.best_moves) == worth(2, 3, values, path[-1]), moves
        assert solution.moves == tuple(moves)


@pytest.mark.parametrize(("cols", "rules", "suicide"), [(5, "positional", False), (4, "situational", True)])
def test_superko_looks_at_the_moves_before(cols: int, rules: str, suicide: bool) -> None:
    rng, situational = random.Random(6), rules == "situational"
    for _ in range(25):
        path, moves = random_line(1, cols, rng, superko=True)
        seen = frozenset(brute.mark(at, situational) for at in path)
        at = path[-1]._replace(ko=None)
        slow = brute.superko_value(1, cols, at, history=seen, situational=situational, suicide=suicide)
        fast = solve(1, cols, moves=moves, rules=rules, suicide=suicide, table_mb=1, all_best=False)
        assert fast.value == slow, moves


def test_values_of_moves_are_blacks() -> None:
    solution = solve(3, 3, moves=["A1"], openings=True)
    assert (solution.value, solution.best_moves) == (-9, ("B2",))
    assert solution.opening_values == {
        vertex: solve(3, 3, moves=["A1", vertex]).value for vertex in solution.opening_values
    }
    assert "A1" not in solution.opening_values


@pytest.mark.parametrize(("moves", "bounds"), [([], (-3, 5)), (["C2"], (-5, 3)), (["C2", "pass"], (-3, 5))])
def test_bounds_of_a_stopped_solver_are_blacks(
    monkeypatch: pytest.MonkeyPatch, moves: list[str], bounds: tuple[int, int]
) -> None:
    def stop(self: ProofNumberSearch, path: object) -> int:
        self.lower, self.upper = -3, 5
        raise OutOfNodes(-3, 5)

    monkeypatch.setattr(ProofNumberSearch, "value", stop)
    with pytest.raises(Unsolved) as stopped:
        solve(3, 6, moves=moves, method="force", table_mb=1)
    assert (stopped.value.lower, stopped.value.upper) == bounds


@pytest.mark.parametrize("method", ["force", "enumerate"])
def test_moves_that_went_round_make_no_difference_without_superko(method: str) -> None:
    """After B1 these four moves lead back to it. Only positions of the line of best play itself end it."""
    round_and_round = ["D1", "A1", "C1", "B1"]
    plain = solve(1, 4, moves=["B1"], rules="draw", method=method, table_mb=1)
    for times in (1, 1500):
        solution = solve(1, 4, moves=["B1", *times * round_and_round], rules="draw", method=method, table_mb=1)
        assert (solution.value, solution.pv) == (plain.value, plain.pv)
        assert solution.depth == plain.depth
    with pytest.raises(ArgumentError, match="6001 moves"):
        solve(1, 4, moves=["B1", *1500 * round_and_round], rules="positional")


@pytest.mark.parametrize(
    ("board", "moves", "rules", "method"),
    [
        ((3, 3), "A1", "migos", "enumerate"),
        ((3, 3), "B2 pass", "draw", "enumerate"),
        ((2, 4), "B1 C1", "migos", "force"),
        ((2, 4), "B1", "draw", "force"),
        ((2, 3), "A1 B1", "draw", "force"),
        ((1, 4), "B1 C1 pass", "positional", "enumerate"),
        ((1, 5), "B1 D1 C1", "positional", "enumerate"),
        ((2, 3), "A1 B1 pass", "situational", "enumerate"),
    ],
)
def test_proofs_begin_after_the_moves(
    tmp_path: Path, board: tuple[int, int], moves: str, rules: str, method: str
) -> None:
    file = tmp_path / "proof.json"
    solution = solve(*board, moves=moves.split(), rules=rules, method=method, table_mb=1)
    save(solution, file, table_mb=1)
    proven = verify(file)
    assert proven["value"] == solution.value
    assert [vertex_of(board[1], 30 if move == -1 else move) for move in proven["moves"]] == moves.split()
    document = json.loads(file.read_text())
    for change in (1, -1):
        if abs(solution.value + change) <= board[0] * board[1]:
            file.write_text(json.dumps({**document, "value": solution.value + change}))
            with pytest.raises(ArgumentError):
                verify(file)
    file.write_text(json.dumps({**document, "moves": [*document["moves"], *document["moves"]]}))
    with pytest.raises(ArgumentError, match="no position"):
        verify(file)


@pytest.mark.parametrize(
    ("moves", "error", "message"),
    [
        (["D1"], VertexError, "'D1' is not a point of 3x3: points are A1 to C3"),
        ([4], VertexError, "4 is not a point"),
        (["B2", "b2"], IllegalMoveError, "move 2, b2, is illegal"),
        (["pass", "B2", "pass", "pass"], IllegalMoveError, "move 4, a pass after a pass, ends the game"),
        ("B2", ArgumentError, "give \\['B2'\\]"),
    ],
)
def test_moves_that_cannot_be(moves: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        solve(3, 3, moves=moves)


def test_the_command_takes_moves(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "solved.json"
    assert run(["solve", "3x3", "--moves", "b2, pass", "--save", str(file)]) == 0
    printed = capfd.readouterr().out
    assert printed.startswith("3x3 after B2 pass, migos: B+9\nbest moves: ")
    assert run(["solve", "--verify", str(file)]) == 0
    assert capfd.readouterr().out.startswith("3x3 after B2 pass, migos: B+9 is proven, ")
    assert run(["solve", "--verify", str(file), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["moves"] == ["B2", "pass"]
    assert run(["solve", "3x3", "--moves", "B2 B2"]) == 2
    assert capfd.readouterr().err == "foogo: error: move 2, B2, is illegal\n"
