"""Strings, eyes and areas in pure Python, from the colour of each point.

`colors` is a sequence of EMPTY, BLACK and WHITE, index = point.
"""

from __future__ import annotations

from collections.abc import Sequence

from foogo.errors import PositionError
from foogo.game.geometry import COLOR_NAMES, EMPTY, geometry, opponent


def string_and_liberties(size: int, colors: Sequence[int], point: int) -> tuple[set[int], set[int]]:
    """The string of the stone on `point`, and the empty points next to it."""
    string, border = _connected(size, colors, point)
    return string, {other for other in border if colors[other] == EMPTY}


def _connected(size: int, colors: Sequence[int], point: int) -> tuple[set[int], set[int]]:
    """The points of one colour that are connected with `point`, and the points next to them."""
    neighbors, region, border, todo = geometry(size).neighbors, {point}, set(), [point]
    while todo:
        for other in neighbors[todo.pop()]:
            if colors[other] != colors[point]:
                border.add(other)
            elif other not in region:
                region.add(other)
                todo.append(other)
    return region, border


def check_liberties(size: int, colors: Sequence[int]) -> None:
    """Raise a PositionError unless every string has a liberty."""
    alive: set[int] = set()
    for point, color in enumerate(colors):
        if color != EMPTY and point not in alive:
            string, liberties = string_and_liberties(size, colors, point)
            if not liberties:
                where = f"the {COLOR_NAMES[color]} string at {geometry(size).vertex(point)}"
                raise PositionError(f"{where} has no liberty: leave it one")
            alive |= string


def check_ko(size: int, colors: Sequence[int], point: int, color: int) -> None:
    """Raise a PositionError unless `color` may just have lost a single stone on `point`, in a ko."""
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


def area_owners(size: int, colors: Sequence[int]) -> list[int]:
    """The colour whose area each point is: its stone's, or the only colour that its empty region touches.

    EMPTY for neither; index = point (Tromp-Taylor rules, 9 and 10).
    """
    owners = list(colors)
    seen: set[int] = set()
    for start, color in enumerate(colors):
        if color == EMPTY and start not in seen:
            region, border = _connected(size, colors, start)
            seen |= region
            touched = {colors[point] for point in border}
            for point in region if len(touched) == 1 else ():
                owners[point] = min(touched)
    return owners
