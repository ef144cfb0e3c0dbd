"""Playouts that look before they draw, against the oracle to the bit."""

from __future__ import annotations

import pytest

import foogo
from foogo import Board
from foogo.batch import Starts, play_games
from foogo.kernels.machine import scalar_layout, simd_layout
from foogo.policies import POLICIES, Policy, policy_of
from tests import oracle
from tests.test_playouts import board_of, colors_of, start_positions

GAMES = {2: 40, 3: 40, 5: 40, 9: 16, 13: 4}


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("size", GAMES)
@pytest.mark.parametrize("layout_of", [simd_layout, scalar_layout])
def test_each_game_is_the_oracles(layout_of, size, suicide):
    if layout_of is scalar_layout and size > 9:
        pytest.skip("one size too many to compile; the source is the same")
    starts = start_positions(size)
    repeats = max(1, GAMES[size] // len(starts))
    policy = Policy(urgent=205, near=77)
    batch = Starts([board_of(p) for p in starts], layout_of(size))
    games = play_games(batch, repeats * len(starts), seed=5, first=9, suicide=suicide, sets=True, policy=policy)
    assert games.owners is not None
    assert games.first_players is not None
    for j in range(len(games.scores)):
        p = starts[j // repeats]
        record = oracle.playout(p.black, p.white, size, p.to_play, p.ko, 5, 9 + j, suicide, policy.shares)
        assert (games.scores[j], games.moves[j]) == (record.score, record.move_count), j
        assert colors_of(games.owners[j], size * size) == record.ownership, j
        assert colors_of(games.first_players[j], size * size) == record.first_player, j


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


def test_short_strings_include_every_string_in_atari():
    for size in (5, 9):
        for position in start_positions(size):
            short = oracle.short_stones(position)
            for stone in position.black | position.white:
                if len(position.liberties(stone)) == 1:
                    assert stone in short


def test_names_and_bad_policies():
    assert policy_of("uniform") is None
    assert policy_of("knowledge") == POLICIES["knowledge"] == Policy()
    with pytest.raises(foogo.ArgumentError, match="'clever' is unknown: use uniform, knowledge"):
        policy_of("clever")
    with pytest.raises(foogo.ArgumentError, match="urgent is 257: it must be a whole number from 0 to 256"):
        Policy(urgent=257)
