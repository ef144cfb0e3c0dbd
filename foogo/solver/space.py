"""The value of every position of a board of at most 16 points, by enumeration: exact where play may go round.

docs/explanation/solve.md explains the proofs by the three fixpoints of `foogo.solver.kernels.cycles`. Amounts are
settled from the whole board downwards; what is won at an amount is won at all below it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foogo.solver.board import Board, OutOfNodes, Position
from foogo.solver.kernels import cycles as cycles
from foogo.solver.kernels import space as kernels
from foogo.solver.kernels.space import MAX_POINTS
from foogo.solver.kernels.table import PASS_MOVE

__all__ = ["MAX_POINTS", "Space"]

CODES_PER_CALL = 1 << 20
CLASSES_PER_CALL = 100_000
NODES_PER_CALL = 1_000_000
"""Work between two looks at Ctrl-C: some tenths of a second."""

FIRST_BOUND = 30
"""How far ahead in passes a side is looked at, at first."""


@dataclass
class Space(Board):
    """All positions of a board, with ``"migos"`` or ``"draw"`` for `rule`; the first question solves them all.

    `reply` knows how to keep 0 or less only where that is the value of the position of the first question, for either
    side.
    """

    max_nodes: int | None = None
    bound: int = FIRST_BOUND
    """How far ahead in passes a side is looked at; it grows if that decides too little."""
    _solved: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lower, self.upper = -self.points, self.points
        self.asked = 0
        """The amount that `held` is about: one more than the first position that was asked for is worth to a side."""

    def value(self, path: Sequence[Position]) -> int:
        """The value of the last position of `path` for its mover."""
        self._solve(path[-1])
        node, _ = self._find(path[-1])
        return int(self.win[node, 0]) - int(self.win[node, 1])

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether that value is `asked` or more."""
        return self.value(path) >= asked

    def reply(self, path: Sequence[Position], asked: int) -> int:
        """A move with which the mover, who has at least `asked`, gets it if he goes on to play these moves.

        For `asked` > 0 it may be the value of any position; else it is what the first one is worth to a side.
        A claim of 0 or less is kept by staying where the other side can get no further ahead.
        """
        return next(self.replies(path[-1], asked))

    def replies(self, position: Position, asked: int) -> Iterator[int]:
        """The moves that `reply` may choose from, its choice first."""
        self._solve(position)
        if asked > 0:
            node, symmetry = self._find(position)
            move = int(self._reply[node])
            yield move if move == PASS_MOVE else int(self.maps[symmetry, move])
        elif position.passed and self.score(position) >= asked:
            yield PASS_MOVE
        else:
            moves: list[int] = sorted([*range(self.points), PASS_MOVE], key=self.rank, reverse=True)
            yield from (move for move in moves if self._holds(position, move, asked))

    def _holds(self, position: Position, move: int, asked: int) -> bool:
        """Whether the mover, who has at least `asked` <= 0, still holds it after the move."""
        following = self.play(position, move)
        if following is None or (move == PASS_MOVE and position.passed):
            return False
        if asked <= -self.points:
            return True
        assert 1 - asked == self.asked
        before, after = self._find(position)[0], self._find(following)[0]
        return bool(int(self.held[after, 0]) - (move == PASS_MOVE) <= int(self.held[before, 1]) < cycles.TOP)

    def _find(self, position: Position) -> tuple[int, int]:
        """The node of a position, and the symmetry that takes the node's stones to the position's."""
        code = int(kernels.code_of(self._index, position.own, position.other))
        i, symmetry = int(self._index.classes[code]), int(self._index.symmetry[code])
        if position.ko:
            point = int(self.inverses[symmetry, position.ko.bit_length() - 1])
            before = int(self._graph.ko_points[i]) & ((1 << point) - 1)
            return 2 * self._graph.classes + int(self._graph.ko_start[i]) + before.bit_count(), symmetry
        return i + (self._graph.classes if position.passed else 0), symmetry

    def _solve(self, asked_for: Position) -> None:
        if self._solved:
            return
        self._enumerate()
        classes = self._graph.classes
        nodes = 2 * classes + int(self._graph.ko_start[classes])
        self.win = np.zeros((nodes, 2), dtype=np.int8)
        self.held = np.zeros((nodes, 2), dtype=np.int8)
        self._need = np.full((nodes, 2), cycles.TOP, dtype=np.int8)
        self._reply = np.full(nodes, PASS_MOVE, dtype=np.uint8)
        self._plan = np.full(nodes, PASS_MOVE, dtype=np.uint8)
        self._left = np.diff(self._graph.start).astype(np.uint8)
        self._stack = np.zeros(2 * nodes, dtype=np.int32)
        self._ring = np.zeros(classes, dtype=np.int32)
        self._waits = np.zeros(classes, dtype=np.uint8)
        self._control = np.zeros(4, dtype=np.int64)
        root = self._find(asked_for)[0]
        for asked in range(self.points, 0, -1):
            held = self.held if self.asked else self.held.copy()
            cycles.stack_ends(self._graph, asked, self.win, self._reply, self._left, self._stack, self._control)
            self._win_ends(asked)
            if self.rule == "migos":
                self._settle_cycles(asked)
            elif not self.asked:
                self.held[:] = np.where(self.win >= asked, cycles.TOP, 0)
            won = int(self.win[root, 0]) - int(self.win[root, 1])
            if won and not self.asked:
                self.asked, kept = asked + 1, held
                self.lower = self.upper = won
            elif not won:
                self.lower, self.upper = max(self.lower, 1 - asked), min(self.upper, asked - 1)
        if self.asked:
            self.held = kept
        else:
            self.asked = 1
        del self._need, self._plan, self._ring, self._waits, self._left, self._stack
        self._solved = True

    def _settle_cycles(self, asked: int) -> None:
        """Decide the positions from which nobody can force an end: who can go round so that it is won."""
        graph, every = self._graph, asked == self.points
        queue = self._ring, self._waits, self._control
        while True:
            cycles.queue_won(graph, self._class_of_ko, asked, every, self.win, self.held, *queue)
            cycles.queue_ends(graph, asked, *queue)
            self._settle(cycles.HOLD, "defence", asked)
            dropped = 1
            self._need.fill(cycles.TOP)
            while dropped:
                if not cycles.queue_open(graph, self._class_of_ko, asked, self.win, self.held, self._need, *queue):
                    break
                self._settle(cycles.ROUND, "cycles", asked)
                dropped = cycles.drop(asked, self.win, self.held, self._need)
            cycles.take(
                asked, self.bound, self.win, self.held, self._need, self._reply, self._plan, self._stack, self._control
            )
            self._win_ends(asked)
            undecided = (self.held == cycles.TOP) & (self.win < asked)
            if not undecided.any():
                return
            if self.bound == cycles.MAX_BOUND:
                raise RuntimeError("a side can get further ahead in passes than is looked at")
            self.bound = min(4 * self.bound, cycles.MAX_BOUND)
            self.held[undecided] = 0
            every = True

    def _win_ends(self, asked: int) -> None:
        done = False
        while not done:
            before = int(self._control[cycles.VISITS])
            done = bool(
                cycles.win_ends(
                    self._graph, asked, self.win, self._reply, self._left, self._stack, self._control, NODES_PER_CALL
                )
            )
            self._count(int(self._control[cycles.VISITS]) - before, "ends", asked, 0.0)

    def _settle(self, stage: int, name: str, asked: int) -> None:
        done = False
        while not done:
            before = int(self._control[cycles.VISITS])
            done = bool(
                cycles.settle(
                    self._graph, stage, asked, self.bound, self.win, self.held, self._need, self._plan,
                    self._ring, self._waits, self._control, CLASSES_PER_CALL,
                )
            )  # fmt: skip
            left = int(self._control[cycles.QUEUED]) / self._graph.classes
            self._count(int(self._control[cycles.VISITS]) - before, name, asked, 1 - left)

    def _enumerate(self) -> None:
        """Build the graph of all positions."""
        codes = 3**self.points
        weights = np.array([sum(3**bit for bit in range(8) if word >> bit & 1) for word in range(256)])
        index = self._index = kernels.Index(
            kernels.image_tables(self.maps),
            weights,
            np.full(codes, -1, dtype=np.int32),
            np.zeros(codes, dtype=np.uint8),
        )
        classes = 0
        for begin in range(0, codes, CODES_PER_CALL):
            end = min(codes, begin + CODES_PER_CALL)
            before, classes = classes, int(kernels.find_classes(self.shape, index, begin, end, classes))
            self._count(classes - before, "positions", 0, end / codes)
        stones, swap = np.zeros(classes, dtype=np.int32), np.zeros(classes, dtype=np.int32)
        area, ko_points = np.zeros(classes, dtype=np.int8), np.zeros(classes, dtype=np.uint16)
        for begin in range(0, codes, CODES_PER_CALL):
            end = min(codes, begin + CODES_PER_CALL)
            kernels.describe(self.shape, index, begin, end, stones, swap, area, ko_points)
            self._count(0, "areas", 0, end / codes)
        kos = np.array([word.bit_count() for word in range(1 << self.points)], dtype=np.uint8)[ko_points]
        ko_start = np.concatenate([[0], np.cumsum(kos)]).astype(np.int32)
        self._class_of_ko = np.repeat(np.arange(classes, dtype=np.int32), kos)
        start = np.zeros(classes + 1, dtype=np.int32)
        target, move = np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8)
        entry = 0
        for begin in range(0, classes, CLASSES_PER_CALL):
            end = min(classes, begin + CLASSES_PER_CALL)
            if entry + (end - begin) * self.points > len(target):
                grown = entry + (end - begin) * self.points + len(target) // 2
                target, move = np.resize(target, grown), np.resize(move, grown)
            entry = int(
                kernels.find_moves(
                    self.shape, index, self.inverses, stones, ko_start, ko_points, begin, end, entry,
                    start, target, move,
                )
            )  # fmt: skip
            self._count(0, "moves", 0, end / classes)
        target, move = target[:entry].copy(), move[:entry].copy()
        back_start = np.zeros(classes + int(ko_start[-1]) + 1, dtype=np.int32)
        back = np.zeros(entry, dtype=np.int32)
        kernels.find_sources(start, target, back_start, back)
        self._graph = kernels.Graph(classes, start, target, move, swap, area, ko_start, ko_points, back_start, back)

    def _count(self, nodes: int, stage: str, asked: int, done: float) -> None:
        self.nodes += nodes
        self.tell(stage, self.lower, self.upper, asked, done)
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise OutOfNodes(self.lower, self.upper)
