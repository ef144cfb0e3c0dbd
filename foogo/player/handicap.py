"""Handicap: how many stones a game has, and the points of fixed and free handicaps."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise, takewhile

from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, board_of

MOST_HANDICAP_MOVES = 9
"""The most moves of Black in a row, at the start of a game, that count as handicap."""

ALTERNATING = 8
"""The turns after a handicap in which the colours alternate; those that set up a position hardly do."""


def handicap_of(game: Game) -> int:
    """Handicap stones of a game: Black's in a start position without White's, or Black's first moves in a row.

    A single stone is not a handicap. Stones and moves that set up a position are not handicap either: ten or more moves
    in a row, or a player who moves twice within `ALTERNATING` turns after them. Sabaki sends a position as a free
    handicap and White's moves. KataGo also counts moves in a row, unless White moves twice after them
    (assumeMultipleStartingBlackMovesAreHandicap).
    """
    start = game.start
    if start.stones(WHITE).any():
        return 0
    stones = start.stones(BLACK).count()
    moves = 0 if stones else len(list(takewhile(lambda turn: turn.color == BLACK and turn.move != PASS, game.turns)))
    then = [turn.color for turn in game.turns[moves : moves + ALTERNATING]]
    if any(one == other for one, other in pairwise(then)) or moves > MOST_HANDICAP_MOVES:
        return 0
    return stones + moves if stones + moves >= 2 else 0


def largest_fixed_handicap(size: int) -> int:
    """The largest fixed handicap: 9 on odd boards from 9x9, 4 on even ones and 7x7 (GTP 2, draft 2, 4.1.1); 0 below."""
    return 0 if size < 7 else 9 if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> tuple[int, ...]:
    """The points of a fixed handicap, in the order of the Go Text Protocol."""
    most = largest_fixed_handicap(size)
    if not 2 <= stones <= most:
        allowed = f"2 to {most} stones" if most else "no fixed handicap"
        raise ArgumentError(f"invalid number of stones: {board_of(size)} has {allowed}")
    low = 3 if size >= 13 else 2
    lines = {"0": low, "1": size // 2, "2": size - 1 - low}
    order = ["00", "22", "20", "02", "10", "12", "01", "21"][: stones if stones in (2, 3, 4, 6, 8) else stones - 1]
    if stones in (5, 7, 9):
        order.append("11")
    return tuple(lines[place[0]] * size + lines[place[1]] for place in order)


def free_handicap(size: int, stones: int) -> tuple[int, ...]:
    """Handicap points of the player's own choice: star points first, then points far from all chosen ones.

    At most half of the board is filled, so that every stone keeps a liberty. The protocol allows returning fewer stones
    than requested.
    """
    area = size * size
    if not 2 <= stones < area:
        raise ArgumentError(f"invalid number of stones: give 2 to {area - 1}")
    largest = largest_fixed_handicap(size)
    chosen = list(fixed_handicap(size, min(stones, largest))) if largest else []
    while len(chosen) < min(stones, area // 2):
        chosen.append(max((p for p in range(area) if p not in chosen), key=lambda p: _isolation(size, chosen, p)))
    return tuple(chosen)


def _isolation(size: int, chosen: Iterable[int], point: int) -> tuple[int, int, int]:
    """Sort key: distance to the nearest chosen point, then to the edge, then earlier points first."""
    row, col = divmod(point, size)
    near = min((abs(row - other // size) + abs(col - other % size) for other in chosen), default=2 * size)
    return near, min(row, col, size - 1 - row, size - 1 - col, 3), -point
