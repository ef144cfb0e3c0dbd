"""The interface of every solver, and its progress reports."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from foogo.core.compiling import working_clock
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.small_board import Position, SmallBoard


class Progress(NamedTuple):
    """The progress of a solver."""

    nodes: int
    seconds: float
    stage: str
    lower: int
    """The proven bounds of the value, for the player to move."""
    upper: int
    asked: int
    load: float
    """The share of the table that is in use; in an enumeration, the share of its stage that is done."""


Report = Callable[[Progress], object]


class OutOfNodes(Exception):
    """The solver has used up its nodes, or can get no further."""


@dataclass
class Solver(SmallBoard, ABC):
    """A solver of one board, for any number of positions."""

    method: ClassVar[str]
    """Its name in `foogo.solver.solution.METHODS`."""

    report: Report | None = None
    """Called a few times a second."""
    max_nodes: int | None = None
    """Raise `OutOfNodes` after about that many positions."""
    nodes: int = field(default=0, init=False)
    deepest: int = field(default=0, init=False)
    """The deepest ply of a search."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lower, self.upper = -self.points, self.points
        """The proven bounds of the first value that was asked for."""
        self._started = working_clock()

    @abstractmethod
    def value(self, path: Sequence[Position]) -> int:
        """The value of the last position of `path` for its mover. Superko considers the whole path."""

    @abstractmethod
    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether the value of the last position of `path` for its mover is `asked` or more: a proof."""

    def keeps(self, path: Sequence[Position], move: int, asked: int) -> bool:
        """Whether the mover has at least `asked` after a move, which may be illegal or end the game."""
        if path[-1].passed and move == PASS_MOVE:
            return self.score(path[-1]) >= asked
        following = self.follow(path, move)
        return following is not None and not self.at_least([*path, following], 1 - asked)

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves after which the mover has at least `asked`, likely ones first; not a pass that ends the game."""
        for move in sorted(self.moves, key=self.rank, reverse=True):
            if not (move == PASS_MOVE and path[-1].passed) and self.keeps(path, move, asked):
                yield move

    def reply(self, path: Sequence[Position], asked: int) -> int:
        """A move that makes progress towards `asked`, for a mover whose value is at least that."""
        if path[-1].passed and self.score(path[-1]) >= asked:
            return PASS_MOVE
        return next(self.keeping(path, asked))

    def plan(self, path: Sequence[Position], asked: int, by_mover: bool) -> dict[Position, int] | None:
        """Moves by position with which a player gets `asked` from the end of `path` on, whatever is repeated.

        None if there are none, or if this solver does not look for them.
        """
        return None

    def tell(self, stage: str, bounds: tuple[int, int], asked: int, load: float) -> None:
        """Report progress to the callback, if there is one."""
        if self.report is not None:
            seconds = working_clock() - self._started
            self.report(Progress(self.nodes, seconds, stage, *bounds, asked, load))
