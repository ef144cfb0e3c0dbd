"""The value of every position of a board of at most 16 points, by enumeration: exact even if play may cycle.

docs/explanation/solve.md explains what the three fixpoints of `foogo.solver.kernels.retrograde` prove. Amounts are
settled from the whole board downwards. A win at one amount is a win at all smaller amounts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foogo.solver.kernels import position_graph, retrograde
from foogo.solver.kernels.position_graph import MAX_POINTS
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.kernels.retrograde import Findings, Work
from foogo.solver.small_board import Position
from foogo.solver.solver import OutOfNodes, Solver

__all__ = ["MAX_POINTS", "Enumeration"]

CODES_PER_CALL = 1 << 20
CLASSES_PER_CALL = 100_000
NODES_PER_CALL = 1_000_000
"""Work between two checks for Ctrl-C: a few tenths of a second."""

FIRST_BOUND = 30


@dataclass
class Enumeration(Solver):
    """All positions of a board, by ``"migos"`` or ``"draw"``; the first question solves them all.

    `reply` can keep an amount of 0 or less only if that is the value, for either side, of the position of the first
    question.
    """

    method = "enumerate"

    bound: int = FIRST_BOUND
    """The lead in passes up to which a side is followed; it grows if that decides too little."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._solved = False
        self._held_for = 0
        """The amount that `_held` is about: one more than the position of the first question is worth to a side."""

    def value(self, path: Sequence[Position]) -> int:
        """As in `Solver`."""
        self._solve(path[-1])
        node, _ = self._find(path[-1])
        return int(self._win[node, 0]) - int(self._win[node, 1])

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """As in `Solver`."""
        return self.value(path) >= asked

    def reply(self, path: Sequence[Position], asked: int) -> int:
        """A move with which the mover, who has at least `asked`, gets it if he continues with these moves."""
        return next(self.replies(path[-1], asked))

    def replies(self, position: Position, asked: int) -> Iterator[int]:
        """The moves that `reply` may choose from, its choice first.

        A claim of 0 or less is kept by staying where the other side can get no further ahead.
        """
        self._solve(position)
        if asked > 0:
            node, symmetry = self._find(position)
            move = int(self._reply[node])
            yield move if move == PASS_MOVE else int(self.maps[symmetry, move])
        elif position.passed and self.score(position) >= asked:
            yield PASS_MOVE
        else:
            moves = sorted(self.moves, key=self.rank, reverse=True)
            yield from (move for move in moves if self._holds(position, move, asked))

    def _holds(self, position: Position, move: int, asked: int) -> bool:
        """Whether the mover, who has at least `asked` <= 0, still holds it after the move."""
        following = self.play(position, move)
        if following is None or (move == PASS_MOVE and position.passed):
            return False
        if asked <= -self.points:
            return True
        assert 1 - asked == self._held_for
        before, after = self._find(position)[0], self._find(following)[0]
        return bool(int(self._held[after, 0]) - (move == PASS_MOVE) <= int(self._held[before, 1]) < retrograde.TOP)

    def _find(self, position: Position) -> tuple[int, int]:
        """The node of a position, and the symmetry that maps the node's stones to the position's."""
        graph = self._graph
        code = int(position_graph.code_of.py_func(self._index, position.own, position.other))  # or it would be compiled
        i, symmetry = int(self._index.classes[code]), int(self._index.symmetry[code])
        if position.ko:
            point = int(self._index.inverses[symmetry, position.ko.bit_length() - 1])
            before = int(graph.ko_points[i]) & ((1 << point) - 1)
            return 2 * graph.classes + int(graph.ko_start[i]) + before.bit_count(), symmetry
        return i + (graph.classes if position.passed else 0), symmetry

    def _solve(self, first: Position) -> None:
        """Settle all amounts, unless already done; `first` is the position of the first question."""
        if self._solved:
            return
        self._enumerate()
        classes = self._graph.classes
        nodes = 2 * classes + int(self._graph.ko_start[classes])
        findings = retrograde.new_findings(nodes, np.diff(self._graph.start))
        work = retrograde.new_work(nodes, classes)
        self._win, self._reply = findings.win, findings.reply
        root = self._find(first)[0]
        kept = None
        for asked in range(self.points, 0, -1):
            held = None if self._held_for else findings.held.copy()
            retrograde.stack_ends(self._graph, asked, findings, work)
            self._win_ends(asked, findings, work)
            if self.rule == "migos":
                self._settle_cycles(asked, findings, work)
            elif not self._held_for:
                findings.held[:] = np.where(findings.win >= asked, retrograde.TOP, 0)
            won = int(self._win[root, 0]) - int(self._win[root, 1])
            if won and not self._held_for:
                self._held_for, kept = asked + 1, held
                self.lower = self.upper = won
            elif not won:
                self.lower, self.upper = max(self.lower, 1 - asked), min(self.upper, asked - 1)
        self._held = findings.held if kept is None else kept
        self._held_for = self._held_for or 1
        self._solved = True

    def _settle_cycles(self, asked: int, findings: Findings, work: Work) -> None:
        """Decide the positions from which nobody can force an end: find who wins by cycling."""
        graph, every = self._graph, asked == self.points
        while True:
            retrograde.queue_won(graph, asked, every, findings, work)
            retrograde.queue_ends(graph, asked, work)
            self._settle(retrograde.HOLD, asked, findings, work)
            findings.need.fill(retrograde.TOP)
            while retrograde.queue_open(graph, asked, findings, work):
                self._settle(retrograde.ROUND, asked, findings, work)
                lost = _undecided(asked, findings) & (findings.need == retrograde.TOP)
                if not lost.any():
                    break
                findings.need[lost] = retrograde.DROPPED
            retrograde.take(asked, self.bound, findings, work)
            self._win_ends(asked, findings, work)
            undecided = _undecided(asked, findings)
            if not undecided.any():
                return
            if self.bound == retrograde.MAX_BOUND:
                raise RuntimeError("a side can get further ahead in passes than the solver follows")
            self.bound = min(4 * self.bound, retrograde.MAX_BOUND)
            findings.held[undecided] = 0
            every = True

    def _win_ends(self, asked: int, findings: Findings, work: Work) -> None:
        """Propagate wins backwards, with progress reports."""
        done = False
        while not done:
            before = int(work.progress["visits"][0])
            done = bool(retrograde.win_ends(self._graph, asked, findings, work, NODES_PER_CALL))
            self._count(int(work.progress["visits"][0]) - before, "ends", asked, 0.0)

    def _settle(self, stage: int, asked: int, findings: Findings, work: Work) -> None:
        """Compute a fixpoint, with progress reports."""
        name, done = "defence" if stage == retrograde.HOLD else "cycles", False
        while not done:
            before = int(work.progress["visits"][0])
            done = bool(retrograde.settle(self._graph, stage, asked, self.bound, findings, work, CLASSES_PER_CALL))
            left = int(work.progress["queued"][0]) / self._graph.classes
            self._count(int(work.progress["visits"][0]) - before, name, asked, 1 - left)

    def _enumerate(self) -> None:
        """Build the graph of all positions."""
        codes = 3**self.points
        weights = np.array([sum(3**bit for bit in range(8) if byte >> bit & 1) for byte in range(256)])
        images, inverses = position_graph.image_codes(self.maps), np.argsort(self.maps, axis=1).astype(np.int64)
        class_of, symmetry = np.full(codes, -1, dtype=np.int32), np.zeros(codes, dtype=np.uint8)
        index = self._index = position_graph.Index(images, inverses, weights, class_of, symmetry)
        count = 0
        for begin in range(0, codes, CODES_PER_CALL):
            end = min(codes, begin + CODES_PER_CALL)
            before, count = count, int(position_graph.find_classes(self.shape, index, begin, end, count))
            self._count(count - before, "positions", 0, end / codes)
        classes = position_graph.Classes(
            np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int32), np.zeros(count, dtype=np.int8),
            np.zeros(count, dtype=np.uint16),
        )  # fmt: skip
        for begin in range(0, codes, CODES_PER_CALL):
            end = min(codes, begin + CODES_PER_CALL)
            position_graph.describe(self.shape, index, begin, end, classes)
            self._count(0, "areas", 0, end / codes)
        kos = np.array([points.bit_count() for points in range(1 << self.points)], dtype=np.uint8)[classes.ko_points]
        ko_start = np.concatenate([[0], np.cumsum(kos)]).astype(np.int32)
        moves = self._find_moves(classes, ko_start)
        back_start = np.zeros(count + int(ko_start[-1]) + 1, dtype=np.int32)
        back = np.zeros(len(moves.target), dtype=np.int32)
        position_graph.find_sources(moves, back_start, back)
        class_of_ko = np.repeat(np.arange(count, dtype=np.int32), kos)
        self._graph = position_graph.Graph(
            count, *moves, classes.swap, classes.area, classes.ko_points, ko_start, class_of_ko, back_start, back
        )

    def _find_moves(self, classes: position_graph.Classes, ko_start: np.ndarray) -> position_graph.Moves:
        """The moves of all classes, in arrays that grow as they fill."""
        count, entry = len(classes.code), 0
        moves = position_graph.Moves(
            np.zeros(count + 1, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.uint8)
        )
        for begin in range(0, count, CLASSES_PER_CALL):
            end = min(count, begin + CLASSES_PER_CALL)
            most = entry + (end - begin) * self.points
            if most > len(moves.target):
                size = most + len(moves.target) // 2
                moves = position_graph.Moves(moves.start, np.resize(moves.target, size), np.resize(moves.move, size))
            entry = int(position_graph.find_moves(self.shape, self._index, classes, ko_start, moves, begin, end))
            self._count(0, "moves", 0, end / count)
        return position_graph.Moves(moves.start, moves.target[:entry].copy(), moves.move[:entry].copy())

    def _count(self, nodes: int, stage: str, asked: int, done: float) -> None:
        """Add and report nodes."""
        self.nodes += nodes
        self.tell(stage, (self.lower, self.upper), asked, done)
        if self.max_nodes is not None and self.nodes >= self.max_nodes:
            raise OutOfNodes


def _undecided(asked: int, findings: Findings) -> np.ndarray:
    """The nodes that are neither held nor won."""
    undecided: np.ndarray = (findings.held == retrograde.TOP) & (findings.win < asked)
    return undecided
