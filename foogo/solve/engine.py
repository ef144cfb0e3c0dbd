"""The search of one position in Python's hands: its memory, deepening, bisection of the value, interruption."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from foogo.kernels import solver as kernels
from foogo.kernels import solver_board as words
from foogo.kernels.solver_table import MAX_DEPTH, MAX_PASSES, NO_MOVE, PASS_MOVE, settle

RULES = ("migos", "positional", "situational")
"""What becomes of a repetition, in the order of the numbers that the kernel knows them by."""

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


class Position(NamedTuple):
    """A position as its mover sees it: words of stones, the ko bit, whether a pass came last."""

    own: int = 0
    other: int = 0
    ko: int = 0
    passed: int = 0


class Progress(NamedTuple):
    """How far a search is."""

    nodes: int
    seconds: float
    depth: int
    lower: int
    """The proven bounds of the value, for the player to move."""
    upper: int
    asked: int
    table_load: float


Report = Callable[[Progress], None]


@dataclass
class Engine:
    """The memory of a solver: it may be asked about any number of positions of its board.

    Parameters
    ----------
    rows, cols
        Sides of the board, at most 30 points together.
    rule
        One of `RULES`.
    suicide
        Whether strings of two and more stones may take their own last liberty; not with ``"migos"``.
    table_mb
        Memory of the table, rounded down to a power of two.
    without
        Names of `TECHNIQUES` to switch off.
    report
        Called between two parts of a search, a few times a second.
    """

    rows: int
    cols: int
    rule: str = "migos"
    suicide: bool = False
    table_mb: int = 64
    without: Sequence[str] = ()
    report: Report | None = None
    max_nodes: int | None = None
    nodes: int = 0
    deepest: int = 0
    lower: int = 0
    """The proven bounds of the first value that was asked for."""
    upper: int = 0
    _pass: int = 0
    _asked: bool = False
    _started: float = field(default_factory=time.perf_counter)

    def __post_init__(self) -> None:
        self.shape = words.shape_of(self.rows, self.cols)
        self.points = self.rows * self.cols
        self.maps = words.point_maps(self.rows, self.cols)
        self._inverses = np.argsort(self.maps, axis=1).astype(np.int64)
        self._tables = words.symmetry_tables(self.maps)
        entries = 1 << max(8, (self.table_mb * 2**20 // 16).bit_length() - 1)
        self.table = np.full((entries, 2), -1, dtype=np.int64)
        self.control = np.zeros(kernels.CONTROL_WORDS, dtype=np.int64)
        self.control[kernels.RULE] = RULES.index(self.rule)
        self.control[kernels.SUICIDE] = self.suicide
        self.control[kernels.FEATURES] = sum(bit for name, bit in TECHNIQUES.items() if name not in self.without)
        self.frames = np.zeros((kernels.MAX_PLIES, kernels.FRAME_WORDS), dtype=np.int64)
        self._moves = np.zeros((kernels.MAX_PLIES, 32), dtype=np.int64)
        self._killers = np.full((kernels.MAX_PLIES, 2), NO_MOVE, dtype=np.int64)
        self._history = np.zeros((2, 32), dtype=np.int64)
        self._scratch = np.zeros((2, words.MAX_STRINGS), dtype=np.int64)
        self._centre = _centre(self.rows, self.cols)

    def value(self, path: Sequence[Position], lower: int | None = None, upper: int | None = None) -> int:
        """The value of the last position of `path` for its mover, exact, if it lies in the bounds given.

        Superko looks at the whole path, `migos` only at its end.
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
        if self.rule != "migos" or "table" in self.without:
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
                    self.shape, self._tables, self.maps, self._inverses, self._centre, self.table, self.frames,
                    self._moves, self._killers, self._history, self.control, self._scratch, NODES_PER_CALL,
                )
            )  # fmt: skip
            now = int(self.control[kernels.NODES])
            self.nodes += now - before
            before = now
            self.deepest = max(self.deepest, int(self.control[kernels.DEEPEST]))
            if self.report is not None:
                self.report(self.progress(depth, low, high, asked))
            if not done and self.max_nodes is not None and self.nodes >= self.max_nodes:
                raise OutOfNodes(low, high)
            if allowed is not None and now - first >= allowed:
                break
        return done

    def best_move(self) -> int:
        """The move that gave the last answer, if that was yes: a point, PASS_MOVE or NO_MOVE."""
        return int(self.frames[self.control[kernels.BASE], kernels.BEST])

    def rank(self, move: int) -> int:
        """The higher the nearer a point is to the centre; a pass is last."""
        return -1000 if move == PASS_MOVE else int(self._centre[move])

    def progress(self, depth: int, low: int, high: int, asked: int) -> Progress:
        """How far the search is."""
        load = int(self.control[kernels.USED]) / len(self.table)
        return Progress(self.nodes, time.perf_counter() - self._started, depth, low, high, asked, load)

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
        if after is None or move == PASS_MOVE or self.rule == "migos":
            return after
        for distance, earlier in enumerate(reversed(path), 1):
            same_turn = distance % 2 == 0
            stones = (earlier.own, earlier.other) if same_turn else (earlier.other, earlier.own)
            if stones == (after.own, after.other) and (same_turn or self.rule == "positional"):
                return None
        return after

    def score(self, position: Position) -> int:
        """The area score as it stands, for the mover."""
        return int(words.area_of(self.shape, position.own, position.other))

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
            raise RuntimeError("the search is as deep as it can be and not at its end")
        return depth + 1

    def _set_root(self, path: Sequence[Position], asked: int, depth: int, passing: int) -> None:
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


class OutOfNodes(Exception):
    """The search has used the nodes it was given."""

    def __init__(self, lower: int, upper: int) -> None:
        super().__init__(lower, upper)
        self.lower, self.upper = lower, upper


def _centre(rows: int, cols: int) -> np.ndarray:
    """A rank for each point, the higher the nearer to the centre."""
    ranks = [
        1000 - 100 * (abs(2 * row - rows + 1) + abs(2 * col - cols + 1)) for row in range(rows) for col in range(cols)
    ]
    return np.array(ranks, dtype=np.int64)
