"""Strings, eyes and areas in pure Python, from the colour of each point.

`colors` is a sequence of EMPTY, BLACK and WHITE, index = point.
"""

from __future__ import annotations

from collections.abc import Sequence

from foogo.errors import PositionError
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, geometry, opponent

_BOTH = BLACK | WHITE


def string_and_liberties(size: int, colors: Sequence[int], point: int) -> tuple[set[int], set[int]]:
    """The string of the stone on `point`, and the empty points next to it.

    Examples
    --------
    >>> string_and_liberties(2, [BLACK, WHITE, BLACK, EMPTY], 0)
    ({0, 2}, {3})
    """
    neighbors, color = geometry(size).neighbors, colors[point]
    string, liberties, todo = {point}, set(), [point]
    while todo:
        for other in neighbors[todo.pop()]:
            if colors[other] == EMPTY:
                liberties.add(other)
            elif colors[other] == color and other not in string:
                string.add(other)
                todo.append(other)
    return string, liberties


def check_liberties(size: int, colors: Sequence[int]) -> None:
    """Validate that every string has a liberty.

    Raises
    ------
    PositionError
        If a string has none; the message names the first one in point order.

    Examples
    --------
    >>> check_liberties(2, [BLACK, WHITE, WHITE, EMPTY])
    Traceback (most recent call last):
    foogo.errors.PositionError: the black string at A1 has no liberty: leave it one
    """
    alive: set[int] = set()
    for point, color in enumerate(colors):
        if color != EMPTY and point not in alive:
            string, liberties = string_and_liberties(size, colors, point)
            if not liberties:
                where = f"the {COLOR_NAMES[color]} string at {geometry(size).vertex(point)}"
                raise PositionError(f"{where} has no liberty: leave it one")
            alive |= string


def check_ko(size: int, colors: Sequence[int], point: int, color: int) -> None:
    """Validate that `color` may just have lost a single stone on `point`, in a ko.

    Raises
    ------
    PositionError
        If it cannot have.
    """
    neighbors = geometry(size).neighbors[point]
    surrounded = colors[point] == EMPTY and all(colors[near] == opponent(color) for near in neighbors)
    if not surrounded or not any(
        len(string) == len(liberties) == 1
        for string, liberties in (string_and_liberties(size, colors, near) for near in neighbors)
    ):
        vertex, enemy = geometry(size).vertex(point), COLOR_NAMES[opponent(color)]
        raise PositionError(
            f"ko at {vertex} is not possible for {COLOR_NAMES[color]}: ko needs an empty point between "
            f"{enemy} stones, one of them alone and in atari"
        )


def is_eye(size: int, colors: Sequence[int], point: int, color: int) -> bool:
    """Whether a point is an eye of `color`, as docs/reference/rules.md defines it.

    Examples
    --------
    >>> is_eye(2, [EMPTY, BLACK, BLACK, EMPTY], 0, BLACK)
    True
    """
    board = geometry(size)
    if colors[point] != EMPTY or any(colors[other] != color for other in board.neighbors[point]):
        return False
    diagonals = board.diagonals[point]
    enemies = sum(colors[other] == opponent(color) for other in diagonals)
    return enemies <= (1 if len(diagonals) == 4 else 0)


def area_owners(size: int, colors: Sequence[int]) -> list[int]:
    """The colour whose area each point is: its stone's, or the only colour that its empty region touches.

    Returns
    -------
    list of int
        BLACK, WHITE, or EMPTY for neither; index = point.

    References
    ----------
    Tromp-Taylor rules, 9 and 10.

    Examples
    --------
    >>> area_owners(2, [BLACK, EMPTY, EMPTY, EMPTY])
    [1, 1, 1, 1]
    """
    owners, neighbors = list(colors), geometry(size).neighbors
    seen: set[int] = set()
    for start, color in enumerate(colors):
        if color != EMPTY or start in seen:
            continue
        region, todo, touched = {start}, [start], EMPTY
        while todo:
            for other in neighbors[todo.pop()]:
                touched |= colors[other]
                if colors[other] == EMPTY and other not in region:
                    region.add(other)
                    todo.append(other)
        seen |= region
        for point in region:
            owners[point] = EMPTY if touched == _BOTH else touched
    return owners
