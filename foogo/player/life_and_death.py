"""Which stones are dead and who owns each point, judged by the ownership of a search."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foogo.game.board import Board
from foogo.game.geometry import BLACK, EMPTY, WHITE, geometry
from foogo.game.plain import PlainBoard, area_of

DEAD = -0.5
"""A string is dead if its owner's mean ownership of its points is below this: the enemy has them in 3 of 4 playouts."""


String = tuple[int, tuple[int, ...]]
"""The colour of a string, and its points in point order."""


@dataclass(frozen=True)
class BoardStatus:
    """Every string judged alive, in seki or dead, and the owner of every point.

    Points are in point order, strings in the order of their first point.

    Attributes
    ----------
    alive, seki, dead
        Strings, each with its colour and stones. A string in seki is not dead, and has liberties that nobody owns. On
        none of these could either player place a stone without being in atari.
    owners
        The colour that owns each point after dead stones are removed; EMPTY if nobody does.
    stones
        The colour of each point before dead stones are removed.
    """

    alive: tuple[String, ...]
    seki: tuple[String, ...]
    dead: tuple[String, ...]
    owners: tuple[int, ...]
    stones: tuple[int, ...]

    @property
    def score(self) -> int:
        """Black's area minus White's, in points, before komi, after dead stones are removed."""
        return self.owners.count(BLACK) - self.owners.count(WHITE)

    def territory(self, color: int) -> tuple[int, ...]:
        """The points that a colour owns without a living stone on them; for EMPTY, the points that nobody owns."""
        dead = {point for _, string in self.dead for point in string}
        return tuple(
            point
            for point, owner in enumerate(self.owners)
            if owner == color and (self.stones[point] == EMPTY or point in dead)
        )

    def dead_of(self, color: int) -> tuple[tuple[int, ...], ...]:
        """The dead strings of a colour."""
        return tuple(string for owner, string in self.dead if owner == color)


def assess(board: Board, ownership: NDArray[np.float64] | None) -> BoardStatus:
    """The status of every string and point.

    Parameters
    ----------
    board
        The position.
    ownership
        Black's ownership of each point, (size, size), -1 to 1, row 0 at the bottom, as in a `SearchResult`. None if
        every stone counts as alive.

    Examples
    --------
    >>> board = Board.from_diagram('''
    ...     . X .
    ...     X X O
    ...     . X .''')
    >>> assess(board, np.ones((3, 3))).score
    9
    """
    size, stones = board.size, board.to_array().ravel().tolist()
    strings = strings_of(board)
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
    owners = area_of(size, left)
    living = [one for one in strings if one not in dead]
    seki = [one for one in living if _is_seki(left, owners, size, one[1])]
    alive = [one for one in living if one not in seki]
    return BoardStatus(tuple(alive), tuple(seki), tuple(dead), tuple(owners), tuple(stones))


def strings_of(board: Board) -> list[String]:
    r"""All strings, in the order of their first point.

    Examples
    --------
    >>> strings_of(Board.from_diagram("X X\nO ."))
    [(2, (0,)), (1, (2, 3))]
    """
    seen, strings = set[int](), list[String]()
    for point, color in enumerate(board.to_array().ravel().tolist()):
        if color != EMPTY and point not in seen:
            string = tuple(board.string_at(point).search(1))
            seen.update(string)
            strings.append((color, string))
    return strings


def _is_seki(left: list[int], owners: list[int], size: int, string: tuple[int, ...]) -> bool:
    """Whether a living string has liberties that nobody owns, and a stone on any of them would be in atari."""
    near = geometry(size).neighbors
    shared = {other for point in string for other in near[point] if left[other] == owners[other] == EMPTY}
    if not shared:
        return False
    colors = {color: [point for point, stone in enumerate(left) if stone == color] for color in (BLACK, WHITE)}
    board = PlainBoard.from_stones(size, colors[BLACK], colors[WHITE])
    return not any(_is_safe(board, point, color) for point in shared for color in (BLACK, WHITE))


def _is_safe(board: PlainBoard, point: int, color: int) -> bool:
    """Whether a stone there is legal and its string has at least two liberties."""
    after = board.copy()
    if not after.is_legal(point, color):
        return False
    after.play(point, color)
    return after.color_at(point) != EMPTY and after.liberties_at(point).count() > 1
