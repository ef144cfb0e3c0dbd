"""Handicap: how many stones a game has, and the points of fixed and free handicaps."""

from __future__ import annotations

from collections.abc import Iterable

from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE


def handicap_of(game: Game) -> int:
    """Handicap stones of a game: Black's at the start without White's, or Black's first moves in a row; 0 below two.

    References
    ----------
    KataGo counts them alike (assumeMultipleStartingBlackMovesAreHandicap).
    """
    start = game.start
    if start.stones(WHITE).any():
        return 0
    count = start.stones(BLACK).count()
    if not count:
        for turn in game.turns:
            if turn.color != BLACK or turn.move == PASS:
                break
            count += 1
    return count if count >= 2 else 0


def largest_fixed_handicap(size: int) -> int:
    """The largest fixed handicap: 9 on odd boards from 9x9 on, 4 on even ones and 7x7, none below.

    References
    ----------
    Farneback, Specification of the Go Text Protocol, version 2, draft 2, 4.1.1.
    """
    return 0 if size < 7 else 9 if size % 2 and size > 7 else 4


def fixed_handicap(size: int, stones: int) -> tuple[int, ...]:
    """The points of a fixed handicap, in the order of the Go Text Protocol.

    Raises
    ------
    ArgumentError
        If the board has no fixed handicap of that many stones.

    Examples
    --------
    >>> fixed_handicap(9, 3)
    (20, 60, 56)
    """
    most = largest_fixed_handicap(size)
    if not 2 <= stones <= most:
        allowed = f"2 to {most} stones" if most else "no fixed handicap"
        raise ArgumentError(f"invalid number of stones: a {size}x{size} board has {allowed}")
    low = 3 if size >= 13 else 2
    lines = {"0": low, "1": size // 2, "2": size - 1 - low}
    order = ["00", "22", "20", "02", "10", "12", "01", "21"][: stones if stones in (2, 3, 4, 6, 8) else stones - 1]
    if stones in (5, 7, 9):
        order.append("11")
    return tuple(lines[place[0]] * size + lines[place[1]] for place in order)


def free_handicap(size: int, stones: int) -> tuple[int, ...]:
    """Handicap points of the player's own choice: star points first, then points far from all chosen ones.

    At most half of the board is filled, so that every stone keeps a liberty. The protocol allows returning fewer
    stones than requested.

    Raises
    ------
    ArgumentError
        If `stones` is below 2, or not smaller than the number of points.

    Examples
    --------
    >>> len(free_handicap(9, 13))
    13
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
