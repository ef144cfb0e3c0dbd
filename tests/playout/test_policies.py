"""Playouts that look before they draw, against the oracle to the bit."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

import foogo
from foogo import WHITE, Board
from foogo.playout.games import Starts, play_games
from foogo.playout.kernels import batch
from foogo.playout.kernels.layout import scalar_layout, simd_layout
from foogo.playout.policies import POLICIES, Policy, policy_of
from foogo.playout.simulate import simulate
from tests import oracle, oracle_playouts
from tests.marks import slow
from tests.playout.test_simulate import board_of, colors_of, start_positions

GAMES = {2: 40, 3: 40, 5: 40, 9: 16, 13: 4}
KNOWLEDGE, PATTERNED = Policy(), POLICIES["patterns"]
INSISTENT = Policy(urgent=100, near=128, pattern=256, nakade=256)
LOOKING = list(product(GAMES, (simd_layout, scalar_layout), (KNOWLEDGE, PATTERNED)))
CASES = [
    *(slow(*case) if case[0] == 3 else case for case in LOOKING),
    *((size, simd_layout, INSISTENT) for size in (5, 9)),
    (5, simd_layout, Policy(urgent=0, near=20, pattern=200)),
    (5, scalar_layout, Policy(urgent=30, near=0, nakade=200)),
]


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize(("size", "layout_of", "policy"), CASES)
def test_each_game_is_the_oracles(size, layout_of, policy, suicide):
    if layout_of is scalar_layout and size > 9:
        pytest.skip("one size too many to compile; the source is the same")
    starts = start_positions(size)
    repeats = max(1, GAMES[size] // len(starts))
    batch = Starts([board_of(p) for p in starts], layout_of(size))
    games = play_games(batch, repeats * len(starts), seed=5, first=9, suicide=suicide, sets=True, policy=policy)
    assert games.owners is not None
    assert games.first_players is not None
    for j in range(len(games.scores)):
        record = record_of(starts[j // repeats], 9 + j, suicide, policy)
        assert (games.scores[j], games.moves[j]) == (record.score, record.move_count), j
        assert colors_of(games.owners[j], size * size) == record.ownership, j
        assert colors_of(games.first_players[j], size * size) == record.first_player, j


def test_games_in_several_calls_are_the_same() -> None:
    """A search queues games from call to call. Lanes whose games end together begin their next games together."""
    size, most, n = 5, 64, 3000
    layout = simd_layout(size)
    starts, memory = Starts.empty(layout), batch.new_memory(layout)
    rules = batch.PlayoutRules(size, layout.words, layout.lanes, starts.move_limit, True)
    games = batch.Batch(starts.rows, starts.turns, np.uint64(1), np.uint64(0))
    results = batch.Results(np.empty(most, np.int16), np.empty(most, np.int16), np.empty(most, np.bool_))
    flow = batch.Flow(np.empty(most, np.int64), np.empty(most, np.int64), np.zeros(batch.FLOW_FIELDS, np.int64))
    flow.progress[batch.POOLED] = layout.lanes
    free, number_of, queued, scores = list(range(most)), np.empty(most, np.int64), 0, np.full(n, -999)
    while queued < n or flow.progress[batch.LEFT]:
        count = min(len(free), n - queued)
        for place in range(count):
            flow.queue[place] = game = free.pop()
            number_of[game] = queued + place
        queued += count
        flow.progress[[batch.GIVEN, batch.QUEUED, batch.FINISHED]] = 0, count, 0
        flow.progress[batch.LEFT] += count
        flow.progress[batch.DRAIN] = queued == n
        batch.run(layout, rules, KNOWLEDGE.for_kernels(), games, results, None, memory, flow)
        for game in flow.finished[: flow.progress[batch.FINISHED]].tolist():
            scores[number_of[game]] = results.scores[game]
            free.append(game)
    assert scores.tolist() == play_games(5, n, seed=1, policy=KNOWLEDGE).scores.tolist()


@cache
def record_of(start: oracle.Position, number: int, suicide: bool, policy: Policy) -> oracle_playouts.Record:
    return oracle_playouts.playout(
        start.black, start.white, start.size, start.to_play, start.ko, 5, number, suicide, policy.shares
    )


def test_the_first_move_may_be_near_the_last_one():
    board = Board(9)
    board.play("C3")
    position = replace(start_positions(9)[0], black=frozenset([20]), to_play=WHITE)
    games = play_games([board], 12, seed=5, sets=True, policy=Policy(urgent=0, near=256))
    alone = play_games([board_of(position)], 12, seed=5, sets=True, policy=Policy(urgent=0, near=256))
    for played, last in ((games, 20), (alone, None)):
        for j in range(12):
            start = position.black, position.white, 9, WHITE, None
            record = oracle_playouts.playout(*start, 5, j, policy=(0, 256), last=last)
            assert (played.scores[j], played.moves[j]) == (record.score, record.move_count), j
    assert (games.scores != alone.scores).any()


def test_captures_are_made_when_insisted_on():
    """The last liberty of three white stones is E5: with the full share it is always played first."""
    board = Board.from_diagram(
        """
        . . . . . . .
        . . X X X . .
        . X O O O . .
        . . X X X . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        """
    )
    point = 4 * 7 + 5  # F5, the open end
    games = play_games([board], 200, seed=1, sets=True, policy=Policy(urgent=256, near=0))
    uniform = play_games([board], 200, seed=1, sets=True)
    assert games.first_players is not None
    assert uniform.first_players is not None
    black_first = (games.first_players[:, 0, point // 64] >> (point % 64)) & 1
    assert black_first.all()
    assert ((uniform.first_players[:, 0, point // 64] >> (point % 64)) & 1).mean() < 0.9


def first_moves(board: Board, policy: Policy, games: int = 60) -> set[str]:
    """What the player to move plays first, as vertices, in games cut after one move."""
    starts = Starts([board])
    starts.move_limit = 1
    played = play_games(starts, games, seed=1, sets=True, policy=policy)
    assert played.first_players is not None
    sets = played.first_players[:, 0] | played.first_players[:, 1]
    points = {sum(word << 64 * i for i, word in enumerate(words)).bit_length() - 1 for words in sets.tolist()}
    return {vertex(point) for point in points}


def vertex(point: int) -> str:
    """Of 9x9."""
    return "ABCDEFGHJ"[point % 9] + str(point // 9 + 1)


VITAL = [
    (
        "three in a row, three round a corner, and three that both colours border",
        {"B7", "H7"},
        """
        X X X X . . . . .
        X X X X . X X X X
        . . . X . X . . X
        X X X X . X X . X
        . . . . . X X X X
        . . . . . . . . .
        O O O O . . . . .
        . . . X O . . . .
        O O O O . . . . .
        """,
    ),
    (
        "the pyramid of four and the cross of five, in the other player's eye space",
        {"B7", "G7"},
        """
        O O O O O O O O O
        O . O O O O . O O
        . . . O O . . . O
        O O O O O O . O O
        . . . . O O O O O
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """,
    ),
    (
        "neither four in a row, nor the square, nor two points",
        set(),
        """
        . . . . X O O . .
        X X X X X O O O O
        O O O O X X X X X
        O . . O X X X X X
        O . . O X X X X X
        O O O O X X X X X
        X X X X O O O O O
        X X X X O O O O O
        X X X X O O O O O
        """,
    ),
]


@pytest.mark.parametrize(("what", "vital", "diagram"), VITAL, ids=[case[0] for case in VITAL])
def test_vital_points(what, vital, diagram):
    position = oracle.from_diagram(diagram)
    assert {vertex(p) for p in position.empty if oracle_playouts.is_vital(position, p)} == vital
    if vital:
        assert first_moves(board_of(position), Policy(urgent=0, near=0, pattern=1, nakade=256)) == vital


def test_a_shape_is_answered():
    """Black's hane at D3 is cut or met by a hane, and nothing else is played there."""
    board = Board.from_diagram(
        """
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . X O . . . . .
        . . X O . . . . .
        . . X O . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """
    )
    board.play("D3")
    position = oracle.Position(9, board_points(board, foogo.BLACK), board_points(board, WHITE), WHITE)
    shaped = {
        vertex(p)
        for p in oracle.neighbors(9, 21) | oracle.diagonals(9, 21)
        if p in position.empty and oracle_playouts.fits_a_pattern(position, p)
    }
    assert shaped == {"C3", "E3"}
    assert first_moves(board, Policy(urgent=0, near=0, pattern=256, nakade=1)) == shaped


def board_points(board: Board, color: int) -> frozenset[int]:
    return frozenset(board.stones(color).search(1))


def test_a_share_of_zero_leaves_the_games_as_they_were():
    plain, other, both = (
        simulate(5, 300, seed=4, policy=Policy(150, 60, *more)).scores for more in ([], [90, 90], [1, 1])
    )
    assert (simulate(5, 300, seed=4, policy=Policy(150, 60, pattern=0, nakade=0)).scores == plain).all()
    assert (other != plain).any()
    assert abs(both - plain).sum() < abs(other - plain).sum()


def test_short_strings_include_every_string_in_atari():
    for size in (5, 9):
        for position in start_positions(size):
            short = oracle_playouts.short_stones(position)
            for stone in position.black | position.white:
                if len(position.liberties(stone)) == 1:
                    assert stone in short


def test_names_and_bad_policies():
    assert policy_of("uniform") is None
    assert policy_of("knowledge") == POLICIES["knowledge"] == Policy()
    with pytest.raises(
        foogo.ArgumentError, match="'clever' is unknown: use uniform, knowledge.* FILE.py:NAME in a command"
    ):
        policy_of("clever")
    with pytest.raises(foogo.ArgumentError, match="urgent is 257: it must be a whole number from 0 to 256"):
        Policy(urgent=257)
    with pytest.raises(foogo.ArgumentError, match="nakade is -1: it must be a whole number from 0 to 256"):
        Policy(nakade=-1)
