"""Positions for tests of the solvers."""

from __future__ import annotations

import random

from foogo.solver.board import Board, Position


def random_position(board: Board, moves: int, chance: random.Random) -> Position:
    """After so many random moves on the empty board; who has none begins anew."""
    at = Position()
    for _ in range(moves):
        following = [board.play(at, move) for move in range(board.points)]
        at = chance.choice([one for one in following if one is not None] or [Position()])
    return at
