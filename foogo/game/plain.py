"""`PlainBoard`: a `Board` in plain Python, which answers before anything is compiled.

On a machine where foogo never ran, the first `Board` waits some seconds for its kernels. A program that has to answer
at once starts a `Game` from a `PlainBoard` instead: it keeps the same rules, tens of times slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, SupportsIndex

import numpy as np
from bitarray import frozenbitarray
from numpy.typing import NDArray

from foogo.errors import IllegalMoveError, PositionError, VertexError
from foogo.game.board import Board
from foogo.game.diagrams import draw_text
from foogo.game.game import Game
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, check_color, check_size, geometry, opponent
from foogo.game.rules import Rules

_MASK = (1 << 64) - 1


class PlainBoard(Board):
    """A position, as `Board` has it, in plain Python.

    It is equal to the `Board` of the same position, and has its hash. `state` is a copy made by the kernels, for
    whoever hands the position to them.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.

    Raises
    ------
    SizeError
        If `size` is not a whole number from 2 to 19.

    Examples
    --------
    >>> board = PlainBoard(9)
    >>> board.play("E5")
    >>> board.area_score(), board.liberties_at("E5").count()
    (81, 4)
    """

    __slots__ = ("size", "_stones", "_turn", "_ko", "_last", "_count", "_hash")

    def __new__(cls, size: SupportsIndex | None = None) -> PlainBoard:
        """An empty board."""
        return object.__new__(cls)

    def __init__(self, size: SupportsIndex | None = None) -> None:
        self.size = check_size(0 if size is None else size)
        self._stones = [EMPTY] * (self.size * self.size)
        self._turn, self._count, self._hash = BLACK, 0, 0
        self._ko: tuple[int, int] | None = None
        self._last: int | None = None

    @classmethod
    def from_stones(cls, size: int, black: Iterable[int], white: Iterable[int], to_play: int = BLACK) -> PlainBoard:
        """The board with stones on those points and nothing played.

        Raises
        ------
        PositionError
            If a point is given twice, or a string has no liberty.
        """
        board = cls(size)
        for color, points in ((BLACK, black), (WHITE, white)):
            for point in points:
                if board._stones[point] != EMPTY:
                    raise PositionError(f"point {geometry(size).vertex(point)} is given twice: one stone fits on it")
                board._set(point, color)
        for point, color in enumerate(board._stones):
            if color != EMPTY and not board._find(point)[1]:
                vertex = geometry(size).vertex(point)
                raise PositionError(f"the {COLOR_NAMES[color]} string at {vertex} has no liberty: leave it one")
        board._turn = check_color(to_play)
        return board

    @classmethod
    def of(cls, board: Board) -> PlainBoard:
        """The same position; a `PlainBoard` is copied."""
        if isinstance(board, PlainBoard):
            return board.copy()
        plain = cls.from_stones(board.size, board.stones(BLACK).search(1), board.stones(WHITE).search(1))
        plain._turn, plain._last, plain._count = board.to_play, board.last_move, board.move_count
        plain._ko = None if board.ko is None else (board.ko, board.to_play)
        return plain

    def compiled(self) -> Board:
        """The same position as a `Board` that kernels play on; its moves are counted from 0."""
        text = draw_text(self.size, self._stones, None if self._last == PASS else self._last)
        board = Board.from_diagram(text, self._turn, self.ko)
        return board

    @property
    def state(self) -> NDArray[np.uint64]:  # type: ignore[override]
        """The position as kernels take it: a copy."""
        return self.compiled().state

    @property
    def to_play(self) -> int:
        """The colour to play; may be set."""
        return self._turn

    @to_play.setter
    def to_play(self, color: SupportsIndex) -> None:
        self._turn = check_color(color)

    @property
    def ko(self) -> int | None:
        """The point that simple ko forbids to the colour to play, or None."""
        return None if self._ko is None or self._ko[1] != self._turn else self._ko[0]

    @property
    def last_move(self) -> int | None:
        """The point last played, PASS, or None if nothing was played."""
        return self._last

    @property
    def move_count(self) -> int:
        """How many moves were played on this board, passes included."""
        return self._count

    @property
    def hash(self) -> int:
        """The hash of the stones, that of `Board`."""
        return self._hash

    def color_at(self, point: str | SupportsIndex) -> int:
        """BLACK, WHITE or EMPTY: what is on a point (or vertex)."""
        return self._stones[self._check_point(point)]

    def playable(self, color: SupportsIndex | None = None) -> frozenbitarray:
        """The points that a playout of `color` may play: see `Board.playable`."""
        mover = self._color(color)
        return self._points(
            point for point in self._legal(mover, True) if not is_eye(self.size, self._stones, point, mover)
        )

    def legal(self, color: SupportsIndex | None = None, *, suicide: bool = True) -> frozenbitarray:
        """The points that `color` may play under simple ko: see `Board.legal`."""
        return self._points(self._legal(self._color(color), suicide))

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> bool:
        """Whether `play` would take the move."""
        point, mover = geometry(self.size).check_move(move), self._color(color)
        return point == PASS or self._refusal(point, mover, suicide) is None

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> None:
        """Play a move, or raise and leave the board as it was: see `Board.play`."""
        point, mover = geometry(self.size).check_move(move), self._color(color)
        refusal = None if point == PASS else self._refusal(point, mover, suicide)
        if refusal is not None:
            raise IllegalMoveError(f"{COLOR_NAMES[mover]} cannot play {geometry(self.size).vertex(point)}: {refusal}")
        ko = None if point == PASS else self._place(point, mover)
        self._ko = None if ko is None else (ko, opponent(mover))
        self._turn, self._last = opponent(mover), point
        self._count += 1

    def area_score(self) -> int:
        """Black's area minus White's, in points, before komi: see `Board.area_score`."""
        return area_of(self.size, self._stones).count(BLACK) - area_of(self.size, self._stones).count(WHITE)

    def copy(self) -> PlainBoard:
        """An independent board with the same position."""
        copied = object.__new__(type(self))
        copied.size, copied._stones = self.size, self._stones.copy()
        copied._turn, copied._ko, copied._last = self._turn, self._ko, self._last
        copied._count, copied._hash = self._count, self._hash
        return copied

    __copy__ = copy

    def __reduce__(self) -> tuple[Any, ...]:
        state = self.size, self._stones, self._turn, self._ko, self._last, self._count, self._hash
        return _unpickle, state

    def _colors(self) -> NDArray[np.int8]:
        return np.array(self._stones, np.int8)

    def _string_at(self, point: str | SupportsIndex) -> tuple[frozenbitarray, frozenbitarray]:
        index = self._check_point(point)
        if self._stones[index] == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        stones, liberties = self._find(index)
        return self._points(stones), self._points(liberties)

    def _points(self, points: Iterable[int]) -> frozenbitarray:
        bits = bytearray(self.size * self.size)
        for point in points:
            bits[point] = 1
        return frozenbitarray(list(bits))

    def _set(self, point: int, color: int) -> None:
        self._hash ^= _stone_key(point, color or self._stones[point])
        self._stones[point] = color

    def _find(self, point: int) -> tuple[set[int], set[int]]:
        """The string on a point and its liberties."""
        stones, near = self._stones, geometry(self.size).neighbors
        color, found, liberties, todo = stones[point], {point}, set(), [point]
        while todo:
            for other in near[todo.pop()]:
                if stones[other] == EMPTY:
                    liberties.add(other)
                elif stones[other] == color and other not in found:
                    found.add(other)
                    todo.append(other)
        return found, liberties

    def _refusal(self, point: int, color: int, suicide: bool) -> str | None:
        """Why `color` may not play there, in the words of `Board`, or None."""
        stones, joins = self._stones, False
        if stones[point] != EMPTY:
            return "the point is occupied; play on an empty one"
        if self._ko == (point, color):
            return "it retakes a ko at once; play elsewhere first"
        for other in geometry(self.size).neighbors[point]:
            if stones[other] == EMPTY:
                return None
            dies = self._find(other)[1] == {point}
            if dies == (stones[other] != color):
                return None
            joins |= stones[other] == color
        if not joins:
            return "a single stone without a liberty is suicide; it needs a liberty or a capture"
        return None if suicide else "it is suicide, which suicide=False forbids; it needs a liberty or a capture"

    def _legal(self, color: int, suicide: bool) -> list[int]:
        return [point for point in range(len(self._stones)) if self._refusal(point, color, suicide) is None]

    def _place(self, point: int, color: int) -> int | None:
        """Put a stone down and take off what has no liberty; the point that ko forbids then."""
        self._set(point, color)
        removed: list[int] = []
        for other in geometry(self.size).neighbors[point]:
            if self._stones[other] == opponent(color):
                string, liberties = self._find(other)
                if not liberties:
                    removed += string
                    self._remove(string)
        own, liberties = self._find(point)
        if not liberties:
            self._remove(own)
        return removed[0] if len(removed) == len(own) == len(liberties) == 1 else None

    def _remove(self, string: set[int]) -> None:
        for point in string:
            self._set(point, EMPTY)


def plain_game(game: Game, rules: Rules | None = None) -> Game:
    """The same game on plain boards, with its turns, under its own or other rules.

    Raises
    ------
    IllegalMoveError
        If a turn is illegal under them.
    """
    return _replay(game, PlainBoard.of(game.start), game.rules if rules is None else rules)


def compiled_game(game: Game) -> Game:
    """The same game on boards that kernels play on, with its turns."""
    start = game.start
    return _replay(game, start.compiled() if isinstance(start, PlainBoard) else start, game.rules)


def area_of(size: int, stones: Sequence[int]) -> list[int]:
    """The colour that owns each point: its stone, or the only colour that the empty region around it touches."""
    owners, near = list(stones), geometry(size).neighbors
    for start, content in enumerate(stones):
        if content != EMPTY or owners[start] != EMPTY:
            continue
        region, todo, touched = {start}, [start], 0
        while todo:
            for other in near[todo.pop()]:
                touched |= stones[other]
                if stones[other] == EMPTY and other not in region:
                    region.add(other)
                    todo.append(other)
        for point in region:
            owners[point] = touched if touched in (BLACK, WHITE) else _NOBODY
    return [EMPTY if owner == _NOBODY else owner for owner in owners]


def is_eye(size: int, stones: Sequence[int], point: int, color: int) -> bool:
    """Whether a point is an eye of `color`, as docs/reference/rules.md has it."""
    if stones[point] != EMPTY or any(stones[other] != color for other in geometry(size).neighbors[point]):
        return False
    around = geometry(size).diagonals[point]
    enemies = sum(stones[other] == opponent(color) for other in around)
    return enemies <= (1 if len(around) == 4 else 0)


_NOBODY = 4


@cache
def _stone_key(point: int, color: int) -> int:
    """As `foogo.game.kernels.positions.stone_key`."""
    key = (2 * point + color) * 0x9E3779B97F4A7C15 & _MASK
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    key = (key ^ key >> 27) * 0x94D049BB133111EB & _MASK
    return key ^ key >> 31


def _unpickle(size: int, *state: Any) -> PlainBoard:
    board = PlainBoard(size)
    board._stones, board._turn, board._ko, board._last, board._count, board._hash = state
    return board


def _replay(game: Game, start: Board, rules: Rules) -> Game:
    replayed = Game(start, rules, game.komi)
    for turn in game.turns:
        if replayed.is_over:
            replayed.resume()
        replayed.play(turn.move, turn.color)
    if replayed.is_over and not game.is_over:
        replayed.resume()
    if game.to_play != replayed.to_play:
        replayed.to_play = game.to_play
    return replayed
