"""Positions and moves of a small board, for whatever solves it: its rules in Python's hands, and progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import numpy as np

from foogo.solver.kernels import board as words
from foogo.solver.kernels.table import PASS_MOVE

RULES = ("migos", "draw", "positional", "situational")
"""What becomes of a repetition."""

SUPERKO = ("positional", "situational")


class Position(NamedTuple):
    """A position as its mover sees it: words of stones, the ko bit, whether a pass came last."""

    own: int = 0
    other: int = 0
    ko: int = 0
    passed: int = 0


class Progress(NamedTuple):
    """How far a solver is."""

    nodes: int
    seconds: float
    stage: str
    """The depth of a search, or what an enumeration is doing."""
    lower: int
    """The proven bounds of the value, for the player to move."""
    upper: int
    asked: int
    load: float
    """The part of the table that is in use; of an enumeration, the part of its stage that is done."""


Report = Callable[[Progress], None]


@dataclass
class Board:
    """A board with rules, for solving.

    Parameters
    ----------
    rows, cols
        Sides of the board, at most 30 points together.
    rule
        One of `RULES`.
    suicide
        Whether strings of two and more stones may take their own last liberty; with superko only.
    report
        Called between two parts of the work, a few times a second.
    """

    rows: int
    cols: int
    rule: str = "migos"
    suicide: bool = False
    report: Report | None = None
    nodes: int = 0
    deepest: int = 0
    lower: int = 0
    """The proven bounds of the first value that was asked for."""
    upper: int = 0
    _started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.shape = words.shape_of(self.rows, self.cols)
        self.points = self.rows * self.cols
        self.maps = words.point_maps(self.rows, self.cols)
        self.inverses = np.argsort(self.maps, axis=1).astype(np.int64)
        self.centre = _centre(self.rows, self.cols)
        self.superko = self.rule in SUPERKO

    @cached_property
    def tables(self) -> np.ndarray:
        """The images of sets of points, `foogo.solver.kernels.board.symmetry_tables`."""
        return words.symmetry_tables(self.maps)

    def value(self, path: Sequence[Position]) -> int:
        """The value of the last position of `path` for its mover. Superko looks at the whole path."""
        raise NotImplementedError

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether the value of the last position of `path` for its mover is `asked` or more: a proof."""
        raise NotImplementedError

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves with which the mover has at least `asked`, likely ones first; a pass that ends the game is none."""
        for move in sorted([*range(self.points), PASS_MOVE], key=self.rank, reverse=True):
            if move == PASS_MOVE and path[-1].passed:
                continue
            following = self.follow(path, move)
            if following is not None and not self.at_least([*path, following], 1 - asked):
                yield move

    def reply(self, path: Sequence[Position], asked: int) -> int:
        """A move with which the mover, whose value is at least `asked`, goes on to get it."""
        if path[-1].passed and self.score(path[-1]) >= asked:
            return PASS_MOVE
        return next(self.keeping(path, asked))

    def plan(self, path: Sequence[Position], asked: int, by_mover: bool) -> dict[Position, int] | None:
        """Moves by position with which a player gets `asked` or more from the end of `path` on, whatever comes back.

        None if there are none, or this solver does not look for them.
        """
        return None

    def rank(self, move: int) -> int:
        """The higher the nearer a point is to the centre; a pass is last."""
        return -1000 if move == PASS_MOVE else int(self.centre[move])

    def play(self, position: Position, move: int) -> Position | None:
        """The position after that move, None if the board forbids it; superko is not looked at."""
        if move == PASS_MOVE:
            return Position(position.other, position.own, 0, 1)
        stone = 1 << move
        if (position.own | position.other | position.ko) & stone:
            return None
        own, other, ko, legal = words.play_point(self.shape, position.own, position.other, move, self.suicide)
        return Position(int(other), int(own), int(ko), 0) if legal else None

    def follow(self, path: Sequence[Position], move: int) -> Position | None:
        """The same, superko included: `path` are all the positions so far."""
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
        """That of the positions which are this one turned or mirrored with the least stones: Black's, then White's.

        `black` says whether Black is to move.
        """
        own, other, ko, passed = position
        stones = (own, other) if black else (other, own)
        first, second, ko = (int(part) for part in words.least_image(self.tables, *stones, ko))
        return Position(*((first, second) if black else (second, first)), ko, passed)

    def score(self, position: Position) -> int:
        """The area score as it stands, for the mover."""
        return int(words.area_of(self.shape, position.own, position.other))

    def tell(self, stage: str, low: int, high: int, asked: int, load: float) -> None:
        """Report how far the work is, if somebody listens."""
        if self.report is not None:
            seconds = time.perf_counter() - self._started
            self.report(Progress(self.nodes, seconds, stage, low, high, asked, load))


class OutOfNodes(Exception):
    """The solver has used the nodes it was given."""

    def __init__(self, lower: int, upper: int) -> None:
        super().__init__(lower, upper)
        self.lower, self.upper = lower, upper


def _centre(rows: int, cols: int) -> np.ndarray:
    """A rank for each point, the higher the nearer to the centre."""
    ranks = [
        1000 - 100 * (abs(2 * row - rows + 1) + abs(2 * col - cols + 1)) for row in range(rows) for col in range(cols)
    ]
    return np.array(ranks, dtype=np.int64)
