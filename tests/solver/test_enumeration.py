"""Values where play that goes round is won by the side that captures more in it, against a slow solver."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import foogo
from foogo.errors import ArgumentError
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.proof import save, verify
from foogo.solver.proof_checker import cycle_without_gain
from foogo.solver.small_board import Position
from foogo.solver.solution import Unsolved, solve
from tests import brute_solver as brute


def slow_values(rows: int, cols: int) -> dict[brute.Position, int]:
    """The value for X of every position: for each side and amount, who can get how many captures ahead.

    ``ahead`` is how far ahead the attacker can get if the other keeps it as small as possible, by Jacobi iteration
    from 0; more than any path without a repetition can bring, and he gets further ahead for ever.
    """
    positions = sorted(brute.cycle_values(rows, cols), key=str)
    number = {at: i for i, at in enumerate(positions)}
    edges = [
        [(number[after], captures(at, after)) for after in brute.moves(rows, cols, at).values()] for at in positions
    ]
    widest = max(map(len, edges)) + 1  # and the pass that ends the game
    values = np.zeros(len(positions), dtype=int)
    scores = np.array([brute.score(rows, cols, at.board) for at in positions])
    passed = np.array([at.passed for at in positions])
    for attacker, sign in (("X", 1), ("O", -1)):
        attacks = np.array([at.player == attacker for at in positions])
        for asked in range(1, rows * cols + 1):
            good = passed & (sign * scores >= asked)
            # Places that a position has no move for repeat its first; the last one is the end of the game.
            to = np.array([[*(edge[0] for edge in row), *[row[0][0]] * (widest - len(row))] if row else [i] * widest
                           for i, row in enumerate(edges)])  # fmt: skip
            gain = np.array([[*(edge[1] for edge in row), *[row[0][1]] * (widest - len(row))] if row else [0] * widest
                             for row in edges])  # fmt: skip
            gain = np.where(attacks[:, None], gain, -gain)
            only_end = np.array([not row for row in edges])
            most = np.maximum(gain.max(axis=1), 0).sum() + 1
            ahead = np.zeros(len(positions))
            while True:
                worth = np.maximum(0, ahead[to] + gain)
                worth[passed, -1] = np.where(good[passed], np.inf, 0)
                worth[only_end] = np.where(good, np.inf, 0)[only_end, None]
                following = np.where(attacks, worth.max(axis=1), worth.min(axis=1))
                following[following > most] = np.inf
                following[passed & attacks & good] = np.inf
                if (following == ahead).all():
                    break
                ahead = following
            values[np.isinf(ahead)] = sign * asked
    return {at: int(values[i]) for i, at in enumerate(positions)}


def captures(before: brute.Position, after: brute.Position) -> int:
    """Stones that the mover takes."""
    other = brute.enemy(before.player)
    return before.board.count(other) - after.board.count(other)


def as_position(at: brute.Position) -> Position:
    own, other = (sum(1 << i for i, sign in enumerate(at.board) if sign == player) for player in
                  (at.player, brute.enemy(at.player)))  # fmt: skip
    return Position(own, other, 0 if at.ko is None else 1 << at.ko, int(at.passed))


@pytest.mark.parametrize("size", [(1, 3), (1, 5), (1, 6), (2, 2), (2, 3)])
def test_every_position_has_the_value_of_the_slow_solver(size: tuple[int, int]) -> None:
    slow, enumeration = slow_values(*size), Enumeration(*size)
    for at, value in slow.items():
        assert enumeration.value([as_position(at)]) == (value if at.player == "X" else -value), at


@pytest.mark.parametrize("size", [(1, 4), (1, 6), (2, 3)])
def test_every_position_has_the_slow_value_where_endless_play_is_worth_nothing(size: tuple[int, int]) -> None:
    slow, enumeration = brute.cycle_values(*size), Enumeration(*size, "draw")
    wrong = [
        at
        for at, value in slow.items()
        if enumeration.value([as_position(at)]) != (value if at.player == "X" else -value)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("rows", "cols", "value"),
    [
        (1, 1, 0), (1, 2, 0), (1, 3, 3), (1, 4, 4), (1, 5, 0), (1, 6, 1),
        (2, 2, 0), (2, 3, 0), (2, 4, 8), (2, 5, 10), (3, 3, 9), (3, 4, 4), (4, 3, 4),
    ],
)  # fmt: skip
def test_published_values(rows: int, cols: int, value: int) -> None:
    solution = solve(rows, cols)
    assert (solution.value, solution.method) == (value, "enumerate")


def test_who_captures_more_in_a_cycle_wins_1x6() -> None:
    """White could go round for ever on 1x6, but he would lose more stones each time."""
    assert solve(1, 6, rules="draw").value == 0
    assert solve(1, 6, rules="migos").value == 1


@pytest.mark.slow
def test_4x4_is_worth_2_and_not_1() -> None:
    """Also what a side and a corner give, and a line of best play that can be replayed to its end."""
    solution = solve(4, 4, openings=True)
    assert (solution.value, solution.best_moves) == (2, ("B2", "C2", "B3", "C3"))
    game = foogo.Game(4, "superko=simple suicide=no", komi=0)
    for vertex in solution.pv:
        game.play(vertex)
    assert game.result() == "B+2"


def test_positions_that_a_ko_sets_apart() -> None:
    """With and without the ban on the recapture."""
    enumeration, slow = Enumeration(2, 3), slow_values(2, 3)
    barred = [at for at in slow if at.ko is not None]
    assert barred
    differ = 0
    for at in barred:
        free = enumeration.value([as_position(at._replace(ko=None))])
        differ += enumeration.value([as_position(at)]) != free
        assert enumeration.value([as_position(at)]) <= free
    assert differ


@pytest.mark.parametrize(
    ("edges", "loose", "strict"),
    [
        ([[]], False, False),
        ([[(1, -5)], []], False, False),
        ([[(0, 0)]], False, True),
        ([[(0, 1)]], False, False),
        ([[(0, -1)]], True, True),
        ([[(1, 3)], [(2, -1)], [(0, -2)]], False, True),
        ([[(1, 3)], [(2, -1)], [(0, -1)]], False, False),
        ([[(1, 3)], [(2, -2)], [(0, -2)]], True, True),
        ([[(1, 0), (2, 0)], [(0, 1)], [(0, 0)]], False, True),
        ([[(1, -9)], [(1, 1)]], False, False),
    ],
)
def test_cycles_without_a_gain_are_found(edges: list[list[tuple[int, int]]], loose: bool, strict: bool) -> None:
    assert (cycle_without_gain(edges, strict=False) is not None) == loose
    assert (cycle_without_gain(edges, strict=True) is not None) == strict


def test_a_proof_that_rests_on_cycles_holds_only_where_they_are_won(tmp_path: Path) -> None:
    path = tmp_path / "1x6.json"
    save(solve(1, 6), path)
    assert verify(path)["value"] == 1
    path.write_text(path.read_text().replace('"migos"', '"draw"'))
    with pytest.raises(ArgumentError, match="play goes round at"):
        verify(path)


def test_replies_that_lose_a_cycle_are_found_out(tmp_path: Path) -> None:
    """White, who holds 2x2 at 0, answers every move with a pass until he is left without a stone."""
    path = tmp_path / "2x2.json"
    save(solve(2, 2), path)
    document = json.loads(path.read_text())
    document["white"] = dict.fromkeys(document["white"], -1)
    path.write_text(json.dumps(document))
    with pytest.raises(ArgumentError):
        verify(path)


def test_force_does_not_claim_what_rests_on_a_cycle() -> None:
    with pytest.raises(Unsolved) as stopped:
        solve(2, 2, method="force", table_mb=1)
    assert stopped.value.lower <= 0 <= stopped.value.upper
    assert stopped.value.lower < stopped.value.upper
    assert solve(1, 3, method="force", table_mb=1).value == 3


def test_replies_lead_to_what_they_promise() -> None:
    """Both play the replies of 1x6 from every position where one is ahead by as much as the empty board."""
    enumeration = Enumeration(1, 6)
    path = [Position()]
    value = enumeration.value(path)
    assert value == 1
    while True:
        move = enumeration.reply(path, value)
        if move == PASS_MOVE and path[-1].passed:
            break
        following = enumeration.play(path[-1], move)
        assert following is not None
        path.append(following)
        value = -value
        assert enumeration.value(path) == value
        assert len(path) < 30
    assert enumeration.score(path[-1]) == value
