"""The value of a position of a board of at most 12 points by superko: a search of histories.

After each history `foogo.solver.kernels.superko` says what either side can force whatever comes back, of all positions
at once. docs/explanation/solve.md says why that holds by superko too. What neither can force is searched, move by move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.solver.board import Board, OutOfNodes, Position
from foogo.solver.kernels import superko as kernels
from foogo.solver.kernels.superko import MAX_POINTS
from foogo.solver.kernels.table import PASS_MOVE

__all__ = ["MAX_POINTS", "Histories"]

ENTRY_BYTES = 1500
"""About what the bounds of one history take."""


class Node(NamedTuple):
    """A position with its history: what decides everything that can follow."""

    position: int
    """The class of the stones, as the mover sees them."""
    mover: int
    """0 if the player of the first position is to move, else 1."""
    passed: int
    past: frozenset[int]
    """`Histories._mark` of all positions so far, this one included."""


class _Question(NamedTuple):
    """A node on the way of the search: does its mover get so much? Yes, if at one of these the other does not."""

    node: Node
    asked: int
    following: Iterator[Node]


@dataclass
class Histories(Board):
    """All positions of a board, with ``"positional"`` or ``"situational"`` for `rule`.

    Parameters
    ----------
    table_mb
        Memory for the bounds that were found, about. When it is full they are forgotten.
    """

    table_mb: int = 64
    max_nodes: int | None = None
    _known: dict[Node, tuple[int, int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.lower, self.upper = -self.points, self.points
        self._asked = False
        self._positions = kernels.find_positions(self.shape, self.suicide)
        classes = len(self._positions.area)
        self._left, self._barred = np.zeros(classes, np.int32), np.zeros(classes, np.int32)
        self._queue = np.zeros(4 * classes, np.int32)
        self._levels = np.zeros((2, classes, 4), np.uint16)
        self._swap, self._area = self._positions.swap.tolist(), self._positions.area.tolist()

    def value(self, path: Sequence[Position]) -> int:
        """The value of the last position of `path` for its mover, after that path."""
        node, at_first = self._node(path), not self._asked
        self._asked = True
        low, high = self._forced(node)
        while True:
            if at_first:
                self.lower, self.upper = low, high
            if low == high:
                return low
            asked = (low + high + 1) // 2
            if self._decide(node, asked):
                low = asked
            else:
                high = asked - 1

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether that value is `asked` or more."""
        if not -self.points < asked <= self.points:
            return asked <= -self.points
        return self._decide(self._node(path), asked)

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves with which the mover has at least `asked`, likely ones first; a pass that ends the game is none."""
        for move, after in sorted(self._moves(self._node(path)), key=lambda found: self._rank(found[1])):
            if not self._decide(after, 1 - asked):
                yield move

    def plan(self, path: Sequence[Position], asked: int, by_mover: bool) -> dict[Position, int] | None:
        """Moves with which a player gets `asked` or more from the last position of `path` on, whatever comes back.

        By position, without ko: for each that he may come to with these moves. None if he cannot force it so.
        """
        start = self._node(path)
        player = start.mover if by_mover else 1 - start.mover
        levels = self._force(start, asked, by_mover)
        if not self._level(levels, start, by_mover):
            return None
        found: dict[Position, int] = {}
        todo, seen = [(path[-1]._replace(ko=0), start)], {start}
        while todo:
            at, node = todo.pop()
            moves = list(self._moves(node))
            if node.mover == player:
                if at.passed and self.score(at) >= asked:
                    found[at] = PASS_MOVE
                    continue
                levelled = [(self._level(levels, after, False), move, after) for move, after in moves]
                _, move, after = min(one for one in levelled if one[0] > 0)
                found[at], moves = move, [(move, after)]
            for move, after in moves:
                after = after._replace(past=start.past)
                following = self.play(at, move)
                if after not in seen and following is not None:
                    seen.add(after)
                    todo.append((following._replace(ko=0), after))
        return found

    def _decide(self, node: Node, asked: int) -> bool:
        """Whether the mover gets `asked` or more: depth first, without recursion, as histories may be long."""
        above: list[_Question] = []
        answer = self._ask(node, asked, above)
        while above:
            question = above[-1]
            if answer is not False:
                following = next(question.following, None)
                if following is not None:
                    answer = self._ask(following, 1 - question.asked, above)
                    continue
            answer = not answer
            above.pop()
            self._learn(question.node, question.asked, answer)
        assert answer is not None
        return answer

    def _ask(self, node: Node, asked: int, above: list[_Question]) -> bool | None:
        """The answer if it is known or can be forced; else None, and the question is put on top of those above."""
        if node.passed and self._area[node.position] >= asked:
            return True
        low, high = self._known.get(node, (-self.points, self.points))
        if low >= asked or high < asked:
            return low >= asked
        self.deepest = max(self.deepest, len(above))
        self._count(asked)
        if self._level(self._force(node, asked, by_mover=True), node, True):
            answer = True
        else:
            theirs = self._force(node, 1 - asked, by_mover=False)
            if not self._level(theirs, node, False):
                undecided = [after for _, after in self._moves(node) if not self._level(theirs, after, True)]
                above.append(_Question(node, asked, iter(sorted(undecided, key=self._rank))))
                return None
            answer = False
        self._learn(node, asked, answer)
        return answer

    def _rank(self, after: Node) -> tuple[int, int]:
        """The lower, the better the move that led there seems."""
        return after.passed, int(self._positions.rank[after.position])

    def _learn(self, node: Node, asked: int, answer: bool) -> None:
        low, high = self._known.get(node, (-self.points, self.points))
        if len(self._known) * ENTRY_BYTES > self.table_mb << 20:
            self._known.clear()
        self._known[node] = (max(low, asked), high) if answer else (low, min(high, asked - 1))

    def _forced(self, node: Node) -> tuple[int, int]:
        """Between what values either side can force it, whatever comes back."""
        bounds = []
        for by_mover in (True, False):
            low, high = -self.points, self.points
            while low < high:
                asked = (low + high + 1) // 2
                if self._level(self._force(node, asked, by_mover), node, by_mover):
                    low = asked
                else:
                    high = asked - 1
            bounds.append(low)
        return bounds[0], -bounds[1]

    def _force(self, node: Node, asked: int, by_mover: bool) -> NDArray[np.uint16]:
        """The levels of what the mover, or the other, can force by asking for so much."""
        mine, theirs = self._barred_classes(node)
        barred = (mine, theirs) if by_mover else (theirs, mine)
        levels: NDArray[np.uint16] = self._levels[0 if by_mover else 1]
        kernels.force(self._positions, asked, *barred, levels, self._left, self._barred, self._queue)
        return levels

    @staticmethod
    def _level(levels: NDArray[np.uint16], node: Node, by_mover: bool) -> int:
        """The level of a node, where the mover is the attacker or not."""
        return int(levels[node.position, node.passed + (kernels.ATTACK if by_mover else kernels.DEFEND)])

    def _barred_classes(self, node: Node) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The classes, as the next player sees them, that the mover and that the other may not create."""
        lists: tuple[list[int], list[int]] = ([], [])
        for mark in node.past:
            stones, creator = divmod(mark, 3)
            for player in (0, 1):
                if creator in (player, 2):
                    # the next player is the first one, who sees the stones as they are kept, or not
                    lists[player != node.mover].append(stones if player == 1 else self._swap[stones])
        return np.array(lists[0], dtype=np.int64), np.array(lists[1], dtype=np.int64)

    def _mark(self, position: int, mover: int) -> int:
        """For the history: stones as player 0 sees them, and who may not create them again: 0, 1, or 2 for both."""
        stones = position if mover == 0 else self._swap[position]
        return 3 * stones + (2 if self.rule == "positional" else 1 - mover)

    def _node(self, path: Sequence[Position]) -> Node:
        """The last position of a path, with its history."""
        movers = [number % 2 for number in range(len(path))]
        classes = [self._class(position) for position in path]
        past = frozenset(map(self._mark, classes, movers))
        return Node(classes[-1], movers[-1], path[-1].passed, past)

    def _class(self, position: Position) -> int:
        positions = self._positions
        return int(positions.index[positions.weights[position.own] + 2 * positions.weights[position.other]])

    def _moves(self, node: Node) -> Iterator[tuple[int, Node]]:
        """The legal moves but for a pass that ends the game, and what they lead to."""
        mover = 1 - node.mover
        for move, after in enumerate(self._positions.target[node.position].tolist()):
            if after != kernels.ILLEGAL:
                mark = self._mark(after, mover)
                if mark not in node.past:
                    yield move, Node(after, mover, 0, node.past | {mark})
        if not node.passed:
            after = self._swap[node.position]
            yield PASS_MOVE, Node(after, mover, 1, node.past | {self._mark(after, mover)})

    def _count(self, asked: int) -> None:
        self.nodes += 1
        if self.nodes % 64 == 0:
            load = len(self._known) * ENTRY_BYTES / (self.table_mb << 20)
            self.tell("histories", self.lower, self.upper, asked, load)
        if self.max_nodes is not None and self.nodes > self.max_nodes:
            raise OutOfNodes(self.lower, self.upper)
