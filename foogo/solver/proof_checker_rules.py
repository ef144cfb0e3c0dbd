"""A second implementation of the rules, for checking saved proofs: slow, simple, and not used by any solver."""

from __future__ import annotations

from typing import NamedTuple

PASS = -1


class State(NamedTuple):
    """A position: stones, the ko point as a set, whether Black is to move, whether the last move was a pass."""

    black: int = 0
    white: int = 0
    ko: int = 0
    black_to_move: bool = True
    passed: bool = False

    @property
    def stones(self) -> tuple[int, int]:
        """What superko forbids to repeat."""
        return self.black, self.white


EMPTY = State()

CHUNK = 10
"""Points that one table look-up maps."""


class SlowRules:
    """The rules on a board on which proofs are replayed; a set of points is an integer with a bit for each point."""

    def __init__(self, rows: int, cols: int, rules: str, suicide: bool) -> None:
        self.rows, self.cols, self.rules, self.suicide = rows, cols, rules, suicide
        self.points = rows * cols
        self.superko = rules in ("positional", "situational")
        self._full = (1 << self.points) - 1
        self._first = sum(1 << row * cols for row in range(rows))
        self._last = self._first << cols - 1
        self._images = [_table(image) for image in self.symmetries()]

    def after(self, state: State, move: int, history: list[State]) -> State | None:
        """The state after a move, or None if the move is illegal."""
        black, white, ko, black_to_move, _ = state
        if move == PASS:
            return State(black, white, 0, not black_to_move, True)
        stone = 1 << move if 0 <= move < self.points else self._full + 1
        if stone & (black | white | ko | self._full + 1):
            return None
        own, other = (black, white) if black_to_move else (white, black)
        own |= stone
        beside, captured = self._beside(stone), 0
        left = beside & other
        while left:
            string = self._connected(left & -left, other)
            left &= ~string
            if not self._beside(string) & ~(own | other):
                captured |= string
        other &= ~captured
        string = self._connected(stone, own)
        new_ko = 0
        if not self._beside(string) & ~(own | other):
            if string == stone or not self.suicide:
                return None
            own &= ~string
        elif not self.superko and captured and captured & captured - 1 == 0 and string == stone:
            new_ko = captured if beside & ~other == captured else 0
        following = State(*((own, other) if black_to_move else (other, own)), new_ko, not black_to_move, False)
        for earlier in history if self.superko else ():
            if earlier.stones == following.stones and (
                self.rules == "positional" or earlier.black_to_move != black_to_move
            ):
                return None
        return following

    def score(self, state: State) -> int:
        """Black's area minus White's."""
        total = state.black.bit_count() - state.white.bit_count()
        empty = left = self._full & ~(state.black | state.white)
        while left:
            region = self._connected(left & -left, empty)
            left &= ~region
            beside = self._beside(region)
            total += region.bit_count() * (bool(beside & state.black) - bool(beside & state.white))
        return total

    def least(self, state: State) -> State:
        """The least image of a state under all symmetries: by Black's stones, White's, the ko point."""
        best = state[:3]
        for table in self._images[1:]:
            black = _image(table, state.black)
            if black <= best[0]:
                found = black, _image(table, state.white), _image(table, state.ko)
                best = min(best, found)
        return State(*best, *state[3:])

    def symmetries(self) -> list[list[int]]:
        """The image of each point under each symmetry, the identity first."""
        rows = [list(range(first, first + self.cols)) for first in range(0, self.points, self.cols)]
        boards = [rows, [list(column) for column in zip(*rows, strict=True)]] if self.rows == self.cols else [rows]
        boards += [board[::-1] for board in boards]
        boards += [[row[::-1] for row in board] for board in boards]
        return [[point for row in board for point in row] for board in boards]

    def _beside(self, points: int) -> int:
        """The neighbours of a set, which may include points of it."""
        flat = (points & ~self._last) << 1 | (points & ~self._first) >> 1
        return (flat | points << self.cols | points >> self.cols) & self._full

    def _connected(self, start: int, inside: int) -> int:
        """The points of `inside` that are connected to `start`, a point of it."""
        found, grown = 0, start
        while grown != found:
            found, grown = grown, (grown | self._beside(grown)) & inside
        return found


def _table(image: list[int]) -> list[list[int]]:
    """The images of all sets within each `CHUNK` of points."""
    chunks = [image[first : first + CHUNK] for first in range(0, len(image), CHUNK)]
    return [
        [sum(1 << to for i, to in enumerate(chunk) if bits >> i & 1) for bits in range(1 << len(chunk))]
        for chunk in chunks
    ]


def _image(table: list[list[int]], points: int) -> int:
    """The image of a set."""
    found = 0
    for chunk in table:
        found |= chunk[points & (1 << CHUNK) - 1]
        points >>= CHUNK
    return found
