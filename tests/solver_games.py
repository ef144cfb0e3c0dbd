"""Positions for tests of the solvers."""

from __future__ import annotations

import random

from foogo.solver.small_board import Position, SmallBoard


def random_position(board: SmallBoard, moves: int, chance: random.Random) -> Position:
    """A position after that many random moves on the empty board; a player without a move begins anew."""
    at = Position()
    for _ in range(moves):
        following = [board.play(at, move) for move in range(board.points)]
        at = chance.choice([one for one in following if one is not None] or [Position()])
    return at
