"""The value of a position on a board of at most 12 points under superko: a search of histories.

After each history, `foogo.solver.kernels.superko_bounds` computes what either side can force regardless of repetition,
for all positions at once. docs/explanation/solve.md proves that this also holds under superko. Amounts that neither
side can force are searched move by move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.solver.kernels import superko_bounds
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.kernels.superko_bounds import MAX_POINTS, BoundsMemory
from foogo.solver.small_board import Position
from foogo.solver.solver import OutOfNodes, Solver

__all__ = ["MAX_POINTS", "SuperkoSearch"]

ENTRY_BYTES = 1500
"""Approximate size of the bounds of one history."""


class History(NamedTuple):
    """A position with its history, which together determine all possible continuations."""

    position: int
    """The class of the stones, as the mover sees them."""
    mover: int
    """0 if the player of the first position is to move, else 1."""
    passed: int
    past: frozenset[int]
    """`SuperkoSearch._mark` of all positions so far, including this one."""


class _Question(NamedTuple):
    """A question on the path of the search.

    Can the mover get `asked`? Yes, if after one of the moves the other side does not get ``1 - asked``.
    """

    history: History
    asked: int
    following: Iterator[History]


@dataclass
class SuperkoSearch(Solver):
    """A search of histories, by ``"positional"`` or ``"situational"``."""

    method = "enumerate"

    table_mb: int = 64
    """Approximate memory for the bounds found, MiB. When it is full they are forgotten."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._is_first = True
        self._known: dict[History, tuple[int, int]] = {}
        self._positions = superko_bounds.find_positions(self.shape, self.suicide)
        classes = len(self._positions.area)
        left, barred = np.zeros(classes, np.int32), np.zeros(classes, np.int32)
        queue = np.zeros(4 * classes, np.int32)
        self._memories = [BoundsMemory(np.zeros((classes, 4), np.uint16), left, barred, queue) for _ in range(2)]
        """By whether the mover is the attacker; only the levels are separate."""
        self._swap, self._area = self._positions.swap.tolist(), self._positions.area.tolist()

    def value(self, path: Sequence[Position]) -> int:
        """As in `Solver`."""
        history, is_first = self._history(path), self._is_first
        self._is_first = False
        low, high = self._forced(history)
        while True:
            if is_first:
                self.lower, self.upper = low, high
            if low == high:
                return low
            asked = (low + high + 1) // 2
            if self._decide(history, asked):
                low = asked
            else:
                high = asked - 1

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """As in `Solver`."""
        if not -self.points < asked <= self.points:
            return asked <= -self.points
        return self._decide(self._history(path), asked)

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """As in `Solver`."""
        for move, after in sorted(self._moves(self._history(path)), key=lambda found: self._order(found[1])):
            if not self._decide(after, 1 - asked):
                yield move

    def plan(self, path: Sequence[Position], asked: int, by_mover: bool) -> dict[Position, int] | None:
        """As in `Solver`; the positions are those that the player may reach with these moves, without ko."""
        start = self._history(path)
        player = start.mover if by_mover else 1 - start.mover
        levels = self._force(start, asked, by_mover)
        if not self._level(levels, start, by_mover):
            return None
        found: dict[Position, int] = {}
        todo, seen = [(path[-1]._replace(ko=0), start)], {start}
        while todo:
            at, history = todo.pop()
            moves = list(self._moves(history))
            if history.mover == player:
                if at.passed and self.score(at) >= asked:
                    found[at] = PASS_MOVE
                    continue
                levelled = [(self._level(levels, after, False), move, after) for move, after in moves]
                _, move, after = min(one for one in levelled if one[0] > 0)
                found[at], moves = move, [(move, after)]
            for move, after in moves:
                after = History(after.position, after.mover, after.passed, start.past)
                following = self.play(at, move)
                if after not in seen and following is not None:
                    seen.add(after)
                    todo.append((following._replace(ko=0), after))
        return found

    def _decide(self, history: History, asked: int) -> bool:
        """Whether the mover gets `asked`: depth first, without recursion, as histories may be long."""
        above: list[_Question] = []
        answer = self._ask(history, asked, above)
        while above:
            question = above[-1]
            if answer is not False:
                following = next(question.following, None)
                if following is not None:
                    answer = self._ask(following, 1 - question.asked, above)
                    continue
            answer = not answer
            above.pop()
            self._learn(question.history, question.asked, answer)
        assert answer is not None
        return answer

    def _ask(self, history: History, asked: int, above: list[_Question]) -> bool | None:
        """The answer if it is known or can be forced; else None, and the question is put on top of those above."""
        if history.passed and self._area[history.position] >= asked:
            return True
        low, high = self._known.get(history, (-self.points, self.points))
        if low >= asked or high < asked:
            return low >= asked
        self.deepest = max(self.deepest, len(above))
        self._count(asked)
        if self._level(self._force(history, asked, by_mover=True), history, True):
            answer = True
        else:
            theirs = self._force(history, 1 - asked, by_mover=False)
            if not self._level(theirs, history, False):
                undecided = [after for _, after in self._moves(history) if not self._level(theirs, after, True)]
                above.append(_Question(history, asked, iter(sorted(undecided, key=self._order))))
                return None
            answer = False
        self._learn(history, asked, answer)
        return answer

    def _order(self, after: History) -> tuple[int, int]:
        """A sort key: lower if the move that led there seems better."""
        return after.passed, int(self._positions.rank[after.position])

    def _learn(self, history: History, asked: int, answer: bool) -> None:
        """Narrow the known bounds."""
        low, high = self._known.get(history, (-self.points, self.points))
        if len(self._known) * ENTRY_BYTES > self.table_mb << 20:
            self._known.clear()
        self._known[history] = (max(low, asked), high) if answer else (low, min(high, asked - 1))

    def _forced(self, history: History) -> tuple[int, int]:
        """The bounds of the value that either side can force, whatever is repeated."""
        bounds = []
        for by_mover in (True, False):
            low, high = -self.points, self.points
            while low < high:
                asked = (low + high + 1) // 2
                if self._level(self._force(history, asked, by_mover), history, by_mover):
                    low = asked
                else:
                    high = asked - 1
            bounds.append(low)
        return bounds[0], -bounds[1]

    def _force(self, history: History, asked: int, by_mover: bool) -> NDArray[np.uint16]:
        """The levels of what the mover, or the other player, can force by asking for `asked`."""
        mine, theirs = self._barred_classes(history)
        memory = self._memories[by_mover]
        superko_bounds.force(self._positions, asked, *((mine, theirs) if by_mover else (theirs, mine)), memory)
        levels: NDArray[np.uint16] = memory.levels
        return levels

    @staticmethod
    def _level(levels: NDArray[np.uint16], history: History, by_mover: bool) -> int:
        """The level of a position, whose mover is the attacker or not."""
        column = superko_bounds.ATTACK if by_mover else superko_bounds.DEFEND
        return int(levels[history.position, history.passed + column])

    def _barred_classes(self, history: History) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The classes, as the next player sees them, that the mover and the other player may not create."""
        lists: tuple[list[int], list[int]] = ([], [])
        for mark in history.past:
            stones, creator = divmod(mark, 3)
            for player in (0, 1):
                if creator in (player, 2):
                    # marks show the stones to player 0, so they are swapped if player 1 moves next
                    lists[player != history.mover].append(stones if player == 1 else self._swap[stones])
        return np.array(lists[0], dtype=np.int64), np.array(lists[1], dtype=np.int64)

    def _mark(self, position: int, mover: int) -> int:
        """The entry of the history: the stones as player 0 sees them, and who may not create them again.

        That is player 0, player 1, or 2 for both.
        """
        stones = position if mover == 0 else self._swap[position]
        return 3 * stones + (2 if self.rule == "positional" else 1 - mover)

    def _history(self, path: Sequence[Position]) -> History:
        """The last position of a path, with its history."""
        movers = [number % 2 for number in range(len(path))]
        weights, class_of = self._positions.weights, self._positions.class_of
        classes = [int(class_of[weights[one.own] + 2 * weights[one.other]]) for one in path]
        past = frozenset(map(self._mark, classes, movers))
        return History(classes[-1], movers[-1], path[-1].passed, past)

    def _moves(self, history: History) -> Iterator[tuple[int, History]]:
        """The legal moves except a pass that ends the game, and what they lead to."""
        mover = 1 - history.mover
        for move, after in enumerate(self._positions.target[history.position].tolist()):
            if after != superko_bounds.ILLEGAL:
                mark = self._mark(after, mover)
                if mark not in history.past:
                    yield move, History(after, mover, 0, history.past | {mark})
        if not history.passed:
            after = self._swap[history.position]
            yield PASS_MOVE, History(after, mover, 1, history.past | {self._mark(after, mover)})

    def _count(self, asked: int) -> None:
        """Count and report a history."""
        self.nodes += 1
        if self.nodes % 64 == 0:
            load = len(self._known) * ENTRY_BYTES / (self.table_mb << 20)
            self.tell("histories", (self.lower, self.upper), asked, load)
        if self.max_nodes is not None and self.nodes > self.max_nodes:
            raise OutOfNodes
