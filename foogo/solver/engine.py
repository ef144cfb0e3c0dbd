"""The search of one position in Python's hands: its memory, deepening, bisection of the value, interruption."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from foogo.solver.board import Board, OutOfNodes, Position
from foogo.solver.kernels import board as words
from foogo.solver.kernels import search as kernels
from foogo.solver.kernels.table import MAX_DEPTH, MAX_PASSES, NO_MOVE, PASS_MOVE, new_table, settle

KERNEL_RULES = {
    "migos": kernels.KO_ONLY,
    "draw": kernels.KO_ONLY,
    "positional": kernels.POSITIONAL,
    "situational": kernels.SITUATIONAL,
}

TECHNIQUES = {
    "table": kernels.TABLE,
    "symmetry": kernels.SYMMETRIC,
    "life": kernels.LIFE,
    "killers": kernels.KILLERS,
    "history": kernels.HISTORY,
    "captures": kernels.CAPTURES,
    "centre": kernels.CENTRE,
    "lookahead": kernels.AHEAD,
}
"""What can be switched off to see what it is worth."""

NODES_PER_CALL = 200_000
"""Nodes between two looks at Ctrl-C: about a third of a second."""


CLOSING_NODES, CLOSING_GROWTH = 2000, 1.5
"""Closing passes may use so many nodes, times the growth for each ply that a plain search is deep."""

MAX_CLOSING_DEPTH = kernels.MAX_PLIES - 10


@dataclass
class Engine(Board):
    """The memory of a search: it may be asked about any number of positions of its board.

    With ``"migos"`` it proves only what no repetition has a part in: the value may stay between two bounds, which
    it goes on to narrow until it is as deep as it can be.

    Parameters
    ----------
    rows, cols, rule, suicide, report
        As of `Board`.
    table_mb
        Memory of the table, rounded down to a power of two.
    without
        Names of `TECHNIQUES` to switch off.
    """

    table_mb: int = 64
    without: Sequence[str] = ()
    max_nodes: int | None = None
    _pass: int = 0
    _asked: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        self.table = new_table(self.table_mb)
        self.control = np.zeros(kernels.CONTROL_WORDS, dtype=np.int64)
        self.control[kernels.RULE] = KERNEL_RULES[self.rule]
        self.control[kernels.SUICIDE] = self.suicide
        self.control[kernels.FEATURES] = sum(bit for name, bit in TECHNIQUES.items() if name not in self.without)
        self.frames = np.zeros((kernels.MAX_PLIES, kernels.FRAME_WORDS), dtype=np.int64)
        self._moves = np.zeros((kernels.MAX_PLIES, 32), dtype=np.int64)
        self._killers = np.full((kernels.MAX_PLIES, 2), NO_MOVE, dtype=np.int64)
        self._history = np.zeros((2, 32), dtype=np.int64)
        self._scratch = np.zeros((2, words.MAX_STRINGS), dtype=np.int64)

    def value(self, path: Sequence[Position], lower: int | None = None, upper: int | None = None) -> int:
        """The value of the last position of `path` for its mover, exact, if it lies in the bounds given.

        Superko looks at the whole path, other rules only at its end.
        """
        low = -self.points if lower is None else lower
        high = self.points if upper is None else upper
        depth, guess, at_first = 1, 0, not self._asked
        self._asked = True
        if at_first:
            self.lower, self.upper = low, high
        while low < high:
            low, high, guess = self._at_depth(path, depth, low, high, guess)
            for asked in (guess, guess + 1):
                answer = self._close(path, asked, low, high, depth) if low < asked <= high else None
                low = asked if answer is True else low
                high = asked - 1 if answer is False else high
            if at_first:
                self.lower, self.upper = low, high
            depth = self._next_depth(depth)
        return low

    def at_least(self, path: Sequence[Position], asked: int) -> bool:
        """Whether the value of the last position of `path` for its mover is `asked` or more: a proof."""
        if asked <= -self.points:
            return True
        if asked > self.points:
            return False
        depth = 1
        while True:
            answer, proven = self.ask(path, asked, depth, asked - 1, asked)
            if proven:
                return answer
            closed = self._close(path, asked, asked - 1, asked, depth)
            if closed is not None:
                return closed
            depth = self._next_depth(depth)

    def ask(self, path: Sequence[Position], asked: int, depth: int, low: int, high: int) -> tuple[bool, bool]:
        """Search `depth` plies: the answer to "is the value at least `asked`?", and whether it is proven."""
        self._set_root(path, asked, depth, passing=0)
        self._run(depth, low, high, asked, None)
        return int(self.control[kernels.ANSWER]) > 0, int(self.control[kernels.ANSWER_TRUST]) == kernels.PROVEN

    def _close(self, path: Sequence[Position], asked: int, low: int, high: int, depth: int) -> bool | None:
        """Whether the value is at least `asked`, by closing passes; None if that takes too many nodes.

        How many it may take grows with the depth that plain searches came to without an answer.
        """
        if self.rule != "draw" or "table" in self.without:
            return None
        left = int(CLOSING_NODES * CLOSING_GROWTH**depth)
        while True:
            if left <= 0:
                return None
            if self._pass + 1 == MAX_PASSES:
                settle(self.table, 0, 0)
                self._pass = 0
            self._pass += 1
            self._set_root(path, asked, MAX_CLOSING_DEPTH, passing=self._pass)
            before = self.nodes
            done = self._run(0, low, high, asked, left)
            left -= self.nodes - before
            if not done:
                return None
            answer, trust = int(self.control[kernels.ANSWER]) > 0, int(self.control[kernels.ANSWER_TRUST])
            if trust == kernels.PROVEN:
                return answer
            if answer == (asked > 0):
                return None  # the attacker's, but too deep
            if not self.control[kernels.FAILED]:
                settle(self.table, self._pass, asked if asked > 0 else 1 - asked)
                return answer

    def _run(self, depth: int, low: int, high: int, asked: int, allowed: int | None) -> bool:
        """Search from the root that is set; whether it came to its end within the nodes allowed."""
        done = False
        first = before = int(self.control[kernels.NODES])
        while not done:
            done = bool(
                kernels.search(
                    self.shape, self.tables, self.maps, self.inverses, self.centre, self.table, self.frames,
                    self._moves, self._killers, self._history, self.control, self._scratch, NODES_PER_CALL,
                )
            )  # fmt: skip
            now = int(self.control[kernels.NODES])
            self.nodes += now - before
            before = now
            self.deepest = max(self.deepest, int(self.control[kernels.DEEPEST] - self.control[kernels.BASE]))
            load = int(self.control[kernels.USED]) / len(self.table)
            self.tell(f"depth {depth}" if depth else "closing", low, high, asked, load)
            if not done and self.max_nodes is not None and self.nodes >= self.max_nodes:
                raise OutOfNodes(low, high)
            if allowed is not None and now - first >= allowed:
                break
        return done

    def keeping(self, path: Sequence[Position], asked: int) -> Iterator[int]:
        """The moves with which the mover has at least `asked`, the one that the search chose first."""
        chosen = NO_MOVE
        if asked > -self.points and self.at_least(path, asked):  # else nothing is searched, and nothing chosen
            chosen = int(self.frames[self.control[kernels.BASE], kernels.BEST])
        if chosen != NO_MOVE and not (chosen == PASS_MOVE and path[-1].passed):
            yield chosen
        yield from (move for move in super().keeping(path, asked) if move != chosen)

    def _at_depth(self, path: Sequence[Position], depth: int, low: int, high: int, guess: int) -> tuple[int, int, int]:
        """Bisect what a search of `depth` plies believes, starting at the last belief: proven bounds, new belief."""
        guess_low, guess_high = low, high
        asked = min(max(guess, low + 1), high)
        while guess_low < guess_high:
            answer, proven = self.ask(path, asked, depth, low, high)
            if answer:
                guess_low = asked
                low = asked if proven else low
            else:
                guess_high = asked - 1
                high = asked - 1 if proven else high
            asked = (guess_low + guess_high + 1) // 2
        return low, high, guess_low

    def _next_depth(self, depth: int) -> int:
        if depth >= MAX_DEPTH:
            raise OutOfNodes(self.lower, self.upper)
        return depth + 1

    def _set_root(self, path: Sequence[Position], asked: int, depth: int, passing: int) -> None:
        path = path if self.superko else path[-1:]
        frames, base = self.frames, len(path) - 1
        for ply, position in enumerate(path):
            frames[ply, kernels.OWN], frames[ply, kernels.OTHER] = position.own, position.other
            frames[ply, kernels.KO], frames[ply, kernels.PASSED] = position.ko, position.passed
        frames[base, kernels.ASKED], frames[base, kernels.LEFT] = asked, depth
        frames[base, kernels.BEST] = NO_MOVE
        control = self.control
        control[kernels.PLY] = control[kernels.BASE] = base
        control[kernels.RETURNING] = control[kernels.DEEPEST] = control[kernels.FAILED] = 0
        control[kernels.PASSING] = passing
