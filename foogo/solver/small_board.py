"""Positions and moves of a small board by its rules, for every solver, and moves as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from foogo.errors import VertexError
from foogo.game.geometry import COLUMN_LETTERS
from foogo.solver.kernels.positions import PASS_MOVE, area_of, play_point, shape_of
from foogo.solver.kernels.symmetries import least_image, point_maps, symmetry_tables

RULES = ("migos", "draw", "positional", "situational")
"""The treatment of repetition."""

SUPERKO = ("positional", "situational")


class Position(NamedTuple):
    """A position as its mover sees it: bitboards of stones, the ko bit, whether the last move was a pass."""

    own: int = 0
    other: int = 0
    ko: int = 0
    passed: int = 0


@dataclass
class SmallBoard:
    """A board of at most 30 points with one of the `RULES`; suicide of two or more stones with superko only."""

    rows: int
    cols: int
    rule: str = "migos"
    suicide: bool = False

    def __post_init__(self) -> None:
        self.shape = shape_of(self.rows, self.cols)
        self.points = self.rows * self.cols
        self.maps = point_maps(self.rows, self.cols)
        self.superko = self.rule in SUPERKO

    @cached_property
    def images(self) -> np.ndarray:
        """The images of bitboards, `foogo.solver.kernels.symmetries.symmetry_tables`."""
        return symmetry_tables(self.maps)

    @property
    def moves(self) -> list[int]:
        """Every point, and the pass."""
        return [*range(self.points), PASS_MOVE]

    def rank(self, move: int) -> int:
        """A rank that is higher for points nearer to the centre; a pass comes last."""
        if move == PASS_MOVE:
            return -1000
        row, col = divmod(move, self.cols)
        return 1000 - 100 * (abs(2 * row - self.rows + 1) + abs(2 * col - self.cols + 1))

    def play(self, position: Position, move: int) -> Position | None:
        """The position after a move, or None if the move is illegal; superko is ignored."""
        if move == PASS_MOVE:
            return Position(position.other, position.own, 0, 1)
        stone = 1 << move
        if (position.own | position.other | position.ko) & stone:
            return None
        own, other, ko, legal = play_point(self.shape, position.own, position.other, move, self.suicide)
        return Position(int(other), int(own), int(ko), 0) if legal else None

    def follow(self, path: Sequence[Position], move: int) -> Position | None:
        """The position after a move from the end of `path`, or None; superko considers the whole path."""
        after = self.play(path[-1], move)
        if after is None or move == PASS_MOVE or not self.superko:
            return after
        for distance, earlier in enumerate(reversed(path), 1):
            same_turn = distance % 2 == 0
            stones = (earlier.own, earlier.other) if same_turn else (earlier.other, earlier.own)
            if stones == (after.own, after.other) and (same_turn or self.rule == "positional"):
                return None
        return after

    def least(self, position: Position, black: bool) -> Position:
        """The least image of a position, whose mover is Black or not, by Black's stones, then White's."""
        own, other, ko, passed = position
        stones = (own, other) if black else (other, own)
        first, second, ko = (int(part) for part in least_image(self.images, *stones, ko))
        return Position(*((first, second) if black else (second, first)), ko, passed)

    def score(self, position: Position) -> int:
        """The area score as it stands, for the mover."""
        return int(area_of(self.shape, position.own, position.other))


def vertex_of(cols: int, move: int) -> str:
    """The text for a point or PASS_MOVE; column letters skip I and continue with AA after Z.

    Examples
    --------
    >>> vertex_of(3, 4), vertex_of(30, 27), vertex_of(3, PASS_MOVE)
    ('B2', 'CC1', 'pass')
    """
    if move == PASS_MOVE:
        return "pass"
    row, col = divmod(move, cols)
    letters = COLUMN_LETTERS + "UVWXYZ"
    column = letters[col] if col < len(letters) else 2 * letters[col - len(letters)]
    return f"{column}{row + 1}"


def move_of(rows: int, cols: int, vertex: str) -> int:
    """The point or PASS_MOVE of a text, in upper or lower case: the inverse of `vertex_of`."""
    if isinstance(vertex, str):
        if vertex.lower() == "pass":
            return PASS_MOVE
        moves = {vertex_of(cols, point): point for point in range(rows * cols)}
        if vertex.upper() in moves:
            return moves[vertex.upper()]
    last = vertex_of(cols, rows * cols - 1)
    raise VertexError(f"move {vertex!r} is not a point of {rows}x{cols}: points are A1 to {last}; or write pass")
