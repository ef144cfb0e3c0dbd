"""Which stones are dead and who owns each point, judged by the ownership of a search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.game.board import Board
from foogo.game.geometry import BLACK, EMPTY, WHITE, geometry
from foogo.game.regions import area_owners

DEAD = -0.5
"""A string is dead if its owner's mean ownership of its points is below this: the enemy has them in 3 of 4 playouts."""


class String(NamedTuple):
    """The colour of a string, and its points in point order."""

    color: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class BoardStatus:
    """Every string judged alive, in seki or dead, and the owner of every point.

    Points are in point order, strings in the order of their first point. A string in seki is not dead, and has
    liberties that nobody owns. On none of these could either player place a stone without being in atari.
    """

    alive: tuple[String, ...]
    seki: tuple[String, ...]
    dead: tuple[String, ...]
    owners: tuple[int, ...]  # the colour that owns each point after dead stones are removed, or EMPTY
    stones: tuple[int, ...]  # the colour of each point before

    @property
    def score(self) -> int:
        """Black's area minus White's, in points, before komi, after dead stones are removed."""
        return self.owners.count(BLACK) - self.owners.count(WHITE)

    def territory(self, color: int) -> tuple[int, ...]:
        """The points that a colour owns without a living stone on them; for EMPTY, the points that nobody owns."""
        dead = {point for string in self.dead for point in string.points}
        return tuple(
            point
            for point, owner in enumerate(self.owners)
            if owner == color and (self.stones[point] == EMPTY or point in dead)
        )

    def dead_of(self, color: int) -> tuple[tuple[int, ...], ...]:
        """The points of each dead string of a colour."""
        return tuple(string.points for string in self.dead if string.color == color)


def assess(board: Board, ownership: NDArray[np.float64] | None) -> BoardStatus:
    """The status of every string and point, by Black's ownership of each point, as in a `SearchResult`.

    Without `ownership`, every stone counts as alive.
    """
    size, stones = board.size, board.to_array().ravel().tolist()
    strings = strings_of(board)
    black = np.zeros(size * size) if ownership is None else ownership.ravel()
    dead = [
        string
        for string in strings
        if ownership is not None
        and (1 if string.color == BLACK else -1) * float(black[list(string.points)].mean()) < DEAD
    ]
    removed = {point for string in dead for point in string.points}
    left = [EMPTY if point in removed else color for point, color in enumerate(stones)]
    owners = area_owners(size, left)
    living, kept = [string for string in strings if string not in dead], Board.from_colors(size, left)
    seki = [string for string in living if _is_seki(kept, left, owners, string.points)]
    alive = [string for string in living if string not in seki]
    return BoardStatus(tuple(alive), tuple(seki), tuple(dead), tuple(owners), tuple(stones))


def strings_of(board: Board) -> list[String]:
    """All strings, in the order of their first point."""
    seen, strings = set[int](), list[String]()
    for point, color in enumerate(board.to_array().ravel().tolist()):
        if color != EMPTY and point not in seen:
            strings.append(String(color, tuple(board.string_at(point).search(1))))
            seen.update(strings[-1].points)
    return strings


def _is_seki(board: Board, left: list[int], owners: list[int], points: tuple[int, ...]) -> bool:
    """Whether a living string has liberties that nobody owns, and a stone on any of them would be in atari."""
    near = geometry(board.size).neighbors
    shared = {other for point in points for other in near[point] if left[other] == owners[other] == EMPTY}
    return bool(shared) and not any(_is_safe(board, point, color) for point in shared for color in (BLACK, WHITE))


def _is_safe(board: Board, point: int, color: int) -> bool:
    """Whether a stone there is legal and its string has at least two liberties."""
    after = board.copy()
    if not after.is_legal(point, color):
        return False
    after.play(point, color)
    return after.color_at(point) != EMPTY and int(after.liberties_at(point).count()) > 1
