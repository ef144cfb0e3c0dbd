"""A playout in plain Python, one turn at a time, as docs/reference/playout.md defines it.

It shares no code with the compiled playouts, which `foogo.testing.check_policy` compares with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, geometry
from foogo.playout.written.interpreter import MASK, Points, View, liberties_of, string_at, strings_of

if TYPE_CHECKING:
    from foogo.game.board import Board

Narrow = Callable[[View], Points]
"""A policy: the points that it returns, whether they are candidates or not."""

WARM_UP_ROUNDS = 15


class SlowStream:
    """The numbers of a playout's random stream, sfc32."""

    def __init__(self, seed: int, number: int) -> None:
        self._state = number & MASK, number >> 32, seed & MASK, seed >> 32
        for _ in range(WARM_UP_ROUNDS):
            self.draw()

    def draw(self) -> int:
        """The next number, from 0 to 2**32 - 1."""
        a, b, c, counter = self._state
        number = a + b + counter & MASK
        rotated = (c << 21 | c >> 11) & MASK
        self._state = b ^ b >> 9, c + (c << 3) & MASK, rotated + number & MASK, counter + 1 & MASK
        return number


@dataclass
class SlowGame:
    """A game that a policy plays.

    Attributes
    ----------
    size
        Points on a side.
    own, opponent
        The stones of the player to move, and of the other player.
    color
        Who is to move.
    ko, last, before_last
        Points, or None.
    short
        The stones of short strings, as they were judged when the last turn ended.
    """

    size: int
    own: frozenset[int] = frozenset()
    opponent: frozenset[int] = frozenset()
    color: int = BLACK
    ko: int | None = None
    last: int | None = None
    before_last: int | None = None
    short: frozenset[int] = frozenset()

    @classmethod
    def of_board(cls, board: Board) -> SlowGame:
        """The game from a position on."""
        own, other = (BLACK, WHITE) if board.to_play == BLACK else (WHITE, BLACK)
        mine, theirs = (frozenset(int(point) for point in board.stones(color).search(1)) for color in (own, other))
        last = None if board.last_move in (None, PASS) else board.last_move
        game = cls(board.size, mine, theirs, board.to_play, board.ko, last)
        game.short = game.short_stones(game.own)
        return game

    @property
    def empty(self) -> frozenset[int]:
        """The points without a stone."""
        return frozenset(range(self.size**2)) - self.own - self.opponent

    def view(self, refused: frozenset[int], number: int) -> View:
        """What a policy sees, after points were refused in this turn."""
        forbidden = refused | ({self.ko} if self.ko is not None else set())
        candidates = frozenset(
            p for p in self.empty - forbidden if not (self._is_eye(p) or self._is_certain_suicide(p))
        )
        last, before = (frozenset(() if point is None else (point,)) for point in (self.last, self.before_last))
        sets = (self.own, self.opponent, candidates, forbidden, self.short, last, before)
        own, opponent, free, refusals, short, latest, earlier = (Points(self.size, points) for points in sets)
        return View(own, opponent, free, refusals, short, latest, earlier, number)

    def _is_eye(self, point: int) -> bool:
        where = geometry(self.size)
        if not self.own.issuperset(where.neighbors[point]):
            return False
        spoilt = len(self.opponent.intersection(where.diagonals[point]))
        return spoilt < (2 if len(where.diagonals[point]) == 4 else 1)

    def _is_certain_suicide(self, point: int) -> bool:
        return all(stone in self.opponent and self._is_secured(stone) for stone in geometry(self.size).neighbors[point])

    def _is_secured(self, stone: int) -> bool:
        neighbors, ends, empty = geometry(self.size).neighbors, frozenset([stone]), self.empty
        for liberties in (2, 1, 2, 1):
            if any(len(empty.intersection(neighbors[end])) >= liberties for end in ends):
                return True
            ends = self.opponent.intersection(chain.from_iterable(neighbors[end] for end in ends))
        return False

    def turn(self, policy: Narrow, stream: SlowStream, suicide: bool) -> tuple[SlowGame, int]:
        """The game after one turn, and the move: a point or PASS."""
        refused: frozenset[int] = frozenset()
        while True:
            view = self.view(refused, stream.draw())
            candidates = view.candidates.points
            if not candidates:
                return self._after(PASS, self.own, self.opponent, None, frozenset()), PASS
            points = sorted(policy(view).points & candidates or candidates)
            move = points[view.number * len(points) >> 32]
            following = self._placed(move, suicide)
            if following is not None:
                return following, move
            refused |= {move}

    def _placed(self, move: int, suicide: bool) -> SlowGame | None:
        """The game after a stone; None if the move is refused."""
        own, neighbors = self.own | {move}, geometry(self.size).neighbors[move]
        vacant = self.empty - {move}
        strings = {string_at(self.size, self.opponent, p) for p in self.opponent.intersection(neighbors)}
        taken = frozenset().union(*(one for one in strings if not liberties_of(self.size, one, vacant)))
        string = string_at(self.size, own, move)
        breathes, ko = liberties_of(self.size, string, vacant), None
        if not breathes and not taken:
            if len(string) == 1 or not suicide:
                return None
            return self._after(move, self.own | {move}, self.opponent, None, string)
        if len(taken) == 1 and len(string) == 1 and not breathes:
            (ko,) = taken
        return self._after(move, own, self.opponent, ko, taken)

    def _after(
        self, move: int, own: frozenset[int], opponent: frozenset[int], ko: int | None, removed: frozenset[int]
    ) -> SlowGame:
        other = WHITE if self.color == BLACK else BLACK
        return replace(
            self, own=opponent - removed, opponent=own - removed, color=other, ko=ko, short=self.short_stones(own),
            last=None if move == PASS else move, before_last=self.last,
        )  # fmt: skip

    def short_stones(self, own: frozenset[int]) -> frozenset[int]:
        """The stones of short strings, if the player to move has the stones `own`."""
        empty = frozenset(range(self.size**2)) - own - self.opponent
        neighbors = geometry(self.size).neighbors

        def is_short(string: frozenset[int]) -> bool:
            parities = {sum(divmod(p, self.size)) % 2 for p in liberties_of(self.size, string, empty)}
            return len(parities) == 1 and all(len(empty.intersection(neighbors[stone])) < 2 for stone in string)

        return frozenset().union(*(one for one in strings_of(self.size, own, self.opponent) if is_short(one)))

    def owners(self) -> list[int]:
        """The colour that owns each point, `EMPTY` for nobody."""
        other, neighbors = WHITE if self.color == BLACK else BLACK, geometry(self.size).neighbors
        owner = {point: self.color for point in self.own} | {point: other for point in self.opponent}
        for point in self.empty:
            beside = {color for color, stones in ((self.color, self.own), (other, self.opponent))
                      if stones.issuperset(neighbors[point])}  # fmt: skip
            owner[point] = beside.pop() if beside else EMPTY
        return [owner[point] for point in range(self.size**2)]
