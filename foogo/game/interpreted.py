"""`InterpretedBoard`: a position in pure Python, usable before any kernel is compiled.

On a machine where foogo has never run, the first `Board` waits several seconds for its kernels to compile. A program
that must respond immediately starts a `Game` from an `InterpretedBoard` instead. It follows the same rules, but is tens
of times slower.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PositionError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, check_color, check_size, geometry, opponent
from foogo.game.kernels import positions
from foogo.game.position import Position
from foogo.game.regions import area_owners, is_eye, string_and_liberties


class InterpretedBoard(Position):
    """A position in pure Python.

    It equals the `Board` of the same position and has the same hash.

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
    >>> board = InterpretedBoard(9)
    >>> board.play("E5")
    >>> board.area_score(), board.liberties_at("E5").count()
    (81, 4)
    """

    __slots__ = ("size", "_stones", "_to_play", "_ko", "_last_move", "_move_count", "_hash")

    def __init__(self, size: SupportsIndex) -> None:
        self.size = check_size(size)
        self._stones = [EMPTY] * (self.size * self.size)
        self._to_play, self._move_count, self._hash = BLACK, 0, 0
        self._ko: tuple[int, int] | None = None
        """The point that simple ko forbids, and the colour that may not play it."""
        self._last_move: int | None = None

    @classmethod
    def from_stones(
        cls, size: int, black: Iterable[int], white: Iterable[int], to_play: int = BLACK
    ) -> InterpretedBoard:
        """A board with the given stones, before any move.

        Raises
        ------
        PositionError
            If a point is given twice, or a string has no liberty.

        Examples
        --------
        >>> print(InterpretedBoard.from_stones(2, [0], [3]))
           A B
         2 . O  2
         1 X .  1
           A B
        """
        colors = [EMPTY] * (size * size)
        for color, points in ((BLACK, black), (WHITE, white)):
            for point in points:
                if colors[point] != EMPTY:
                    raise PositionError(f"point {geometry(size).vertex(point)} is given twice: one stone fits on it")
                colors[point] = color
        return cls.from_colors(size, colors, to_play)

    @classmethod
    def of(cls, position: Position) -> InterpretedBoard:
        """A copy of a position, with its last move and its number of moves."""
        if isinstance(position, InterpretedBoard):
            return position.copy()
        board = cls(position.size)
        board._set_up(position.to_array().ravel().tolist(), position.to_play, position.ko, position.last_move)
        board._move_count = position.move_count
        return board

    def compiled(self) -> Board:
        """The same position as a `Board`, with its move count reset to 0."""
        last_move = None if self._last_move == PASS else self._last_move
        return Board.from_colors(self.size, self._stones, self._to_play, ko=self.ko, last_move=last_move)

    @property
    def state(self) -> NDArray[np.uint64]:
        """A copy of the position in the kernels' format."""
        return self.compiled().state

    @property
    def to_play(self) -> int:
        """The colour to play, initially BLACK. Setting it does not change which colour the ko binds."""
        return self._to_play

    @to_play.setter
    def to_play(self, color: SupportsIndex) -> None:
        self._to_play = check_color(color)

    @property
    def ko(self) -> int | None:
        """The point that simple ko forbids to the colour to play, or None."""
        return None if self._ko is None or self._ko[1] != self._to_play else self._ko[0]

    @property
    def last_move(self) -> int | None:
        """The point last played, PASS, or None before the first move."""
        return self._last_move

    @property
    def move_count(self) -> int:
        """The number of moves played on this board, passes included."""
        return self._move_count

    @property
    def hash(self) -> int:
        """The 64-bit Zobrist hash of the stones, the same as `Board`'s."""
        return self._hash

    def copy(self) -> InterpretedBoard:
        """An independent board with the same position."""
        copied = object.__new__(type(self))
        copied.size, copied._stones = self.size, self._stones.copy()
        copied._to_play, copied._ko, copied._last_move = self._to_play, self._ko, self._last_move
        copied._move_count, copied._hash = self._move_count, self._hash
        return copied

    def _set_up(self, colors: Sequence[int], to_play: int, ko: int | None, last_move: int | None) -> None:
        for point, color in enumerate(colors):
            if color != EMPTY:
                self._set(point, color)
        self._to_play, self._last_move = to_play, last_move
        self._ko = None if ko is None else (ko, to_play)

    def _colors(self) -> NDArray[np.int8]:
        return np.array(self._stones, np.int8)

    def _string(self, point: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        string, liberties = string_and_liberties(self.size, self._stones, point)
        return self._flags(string), self._flags(liberties)

    def _playable(self, color: int) -> NDArray[np.uint8]:
        return self._legal(color, True) & ~self._flags(
            point for point in range(len(self._stones)) if is_eye(self.size, self._stones, point, color)
        )

    def _legal(self, color: int, suicide: bool) -> NDArray[np.uint8]:
        points = range(len(self._stones))
        return self._flags(p for p in points if self._legality(p, color, suicide) == positions.LEGAL)

    def _legality(self, move: int, color: int, suicide: bool) -> int:
        if move == PASS:
            return positions.LEGAL
        if self._stones[move] != EMPTY:
            return positions.OCCUPIED
        if self._ko == (move, color):
            return positions.KO_FORBIDS
        joins = False
        for other in geometry(self.size).neighbors[move]:
            if self._stones[other] == EMPTY:
                return positions.LEGAL
            is_own = self._stones[other] == color
            is_in_atari = len(string_and_liberties(self.size, self._stones, other)[1]) == 1
            if is_own != is_in_atari:
                return positions.LEGAL
            joins |= is_own
        if not joins:
            return positions.STONE_SUICIDE
        return positions.LEGAL if suicide else positions.STRING_SUICIDE

    def _try_play(self, move: int, color: int, suicide: bool) -> int:
        answer = self._legality(move, color, suicide)
        if answer == positions.LEGAL:
            ko = None if move == PASS else self._place(move, color)
            self._ko = None if ko is None else (ko, opponent(color))
            self._to_play, self._last_move = opponent(color), move
            self._move_count += 1
        return answer

    def _area_score(self) -> int:
        owners = area_owners(self.size, self._stones)
        return owners.count(BLACK) - owners.count(WHITE)

    def _place(self, point: int, color: int) -> int | None:
        """Place a stone and remove strings without liberties; returns the point that ko then forbids, or None."""
        self._set(point, color)
        removed: list[int] = []
        for other in geometry(self.size).neighbors[point]:
            if self._stones[other] == opponent(color):
                string, liberties = string_and_liberties(self.size, self._stones, other)
                if not liberties:
                    removed += string
                    self._remove(string)
        own, liberties = string_and_liberties(self.size, self._stones, point)
        if not liberties:
            self._remove(own)
        return removed[0] if len(removed) == len(own) == len(liberties) == 1 else None

    def _remove(self, string: set[int]) -> None:
        for point in string:
            self._set(point, EMPTY)

    def _set(self, point: int, color: int) -> None:
        """Place a stone on an empty point, or remove one, and update the hash."""
        self._hash ^= _stone_key(point, color or self._stones[point])
        self._stones[point] = color

    def _flags(self, points: Iterable[int]) -> NDArray[np.uint8]:
        flags = np.zeros(len(self._stones), np.uint8)
        flags[list(points)] = 1
        return flags


_MASK = (1 << 64) - 1


@cache
def _stone_key(point: int, color: int) -> int:
    """The same key as `foogo.game.kernels.positions.stone_key`."""
    key = (2 * point + color) * 0x9E3779B97F4A7C15 & _MASK
    key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9 & _MASK
    key = (key ^ key >> 27) * 0x94D049BB133111EB & _MASK
    return key ^ key >> 31
