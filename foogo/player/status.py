"""Which stones are dead and whose the points are, as the search's ownership has it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foogo.game.geometry import BLACK, EMPTY, WHITE, geometry
from foogo.game.interpreted import InterpretedBoard
from foogo.game.position import Position
from foogo.game.regions import area_owners

DEAD = -0.5
"""A string is dead if its own ownership is below this: the enemy has its points in three playouts of four."""


@dataclass(frozen=True)
class Status:
    """The strings and points of a position, judged.

    Points are in point order, strings in the order of their first point.

    Attributes
    ----------
    alive, seki, dead
        Strings, each with its colour and stones. A seki is a living string with liberties that are nobody's, on
        none of which either player could put a stone without being in atari.
    owners
        The colour that owns each point once the dead are taken off, EMPTY where nobody does.
    """

    size: int
    alive: tuple[tuple[int, tuple[int, ...]], ...]
    seki: tuple[tuple[int, tuple[int, ...]], ...]
    dead: tuple[tuple[int, tuple[int, ...]], ...]
    owners: tuple[int, ...]
    stones: tuple[int, ...]

    @property
    def score(self) -> int:
        """Black's area minus White's, in points, before komi, the dead taken off."""
        return self.owners.count(BLACK) - self.owners.count(WHITE)

    def territory(self, color: int) -> tuple[int, ...]:
        """The points of a colour's area without a living stone on them; of nobody's, if `color` is EMPTY."""
        dead = {point for _, string in self.dead for point in string}
        return tuple(
            point
            for point, owner in enumerate(self.owners)
            if owner == color and (self.stones[point] == EMPTY or point in dead)
        )

    def dead_of(self, color: int) -> tuple[tuple[int, ...], ...]:
        """The dead strings of a colour."""
        return tuple(string for owner, string in self.dead if owner == color)


def assess(board: Position, ownership: NDArray[np.float64] | None) -> Status:
    """Judge a position.

    Parameters
    ----------
    board
        The position.
    ownership
        (size, size): Black's ownership of each point, -1 to 1, as a `SearchResult` has it; None where every stone
        counts as alive.

    Examples
    --------
    >>> from foogo import Board
    >>> board = Board.from_diagram('''
    ...     . X .
    ...     X X O
    ...     . X .''')
    >>> assess(board, np.ones((3, 3))).score
    9
    """
    size, stones = board.size, board.to_array().ravel().tolist()
    strings = _strings(size, stones)
    black = np.zeros(size * size) if ownership is None else ownership.ravel()
    dead = [
        (color, string)
        for color, string in strings
        if ownership is not None and (1 if color == BLACK else -1) * float(black[list(string)].mean()) < DEAD
    ]
    left = list(stones)
    for _, string in dead:
        for point in string:
            left[point] = EMPTY
    owners = area_owners(size, left)
    living = [one for one in strings if one not in dead]
    seki = [one for one in living if _is_seki(left, owners, size, one[1])]
    alive = [one for one in living if one not in seki]
    return Status(size, tuple(alive), tuple(seki), tuple(dead), tuple(owners), tuple(stones))


def _strings(size: int, stones: list[int]) -> list[tuple[int, tuple[int, ...]]]:
    near, seen, strings = geometry(size).neighbors, set(), []
    for first, color in enumerate(stones):
        if color == EMPTY or first in seen:
            continue
        string, todo = {first}, [first]
        while todo:
            for other in near[todo.pop()]:
                if stones[other] == color and other not in string:
                    string.add(other)
                    todo.append(other)
        seen |= string
        strings.append((color, tuple(sorted(string))))
    return strings


def _is_seki(left: list[int], owners: list[int], size: int, string: tuple[int, ...]) -> bool:
    """Whether a living string has liberties that are nobody's, on none of which a player may venture."""
    near = geometry(size).neighbors
    shared = {other for point in string for other in near[point] if left[other] == owners[other] == EMPTY}
    if not shared:
        return False
    colors = {color: [point for point, stone in enumerate(left) if stone == color] for color in (BLACK, WHITE)}
    board = InterpretedBoard.from_stones(size, colors[BLACK], colors[WHITE])
    return not any(_is_safe(board, point, color) for point in shared for color in (BLACK, WHITE))


def _is_safe(board: InterpretedBoard, point: int, color: int) -> bool:
    """Whether a stone there is legal and leaves its string two liberties or more."""
    after = board.copy()
    if not after.is_legal(point, color):
        return False
    after.play(point, color)
    return after.color_at(point) != EMPTY and after.liberties_at(point).count() > 1
