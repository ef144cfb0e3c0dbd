"""`Board`: a position on compiled kernels, `foogo.game.kernels.positions`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PositionError, SizeError
from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, check_color, geometry
from foogo.game.kernels import positions, strings
from foogo.game.position import Position
from foogo.game.sized import SizedType


class Board(Position, metaclass=SizedType):
    """A position: stones, the player to move, and the point that simple ko forbids.

    ``Board[9]`` is the class of 9x9 boards; ``Board(9)`` and ``Board[9]()`` make an empty one. Any legal move may be
    played, even one that fills an eye. Suicide of one stone is illegal. Suicide of several stones is legal unless
    ``suicide=False`` is given. Two boards are equal if stones, player to move and ko are.

    A set of points is a `frozenbitarray`: one bit per point, index = point. Methods take a point as an index or as a
    vertex ("E5") and raise `VertexError` if it is not on the board; they raise `ArgumentError` if a colour is neither
    BLACK nor WHITE. The unchecked hot form of `play` is `foogo.game.kernels.positions.play` on a board's `state`.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.

    Attributes
    ----------
    size : int
        Points on a side.
    state : ndarray of uint64
        The whole position, in the layout of `foogo.game.kernels.strings`. Kernels may write to it; no method
        validates what they write.

    Raises
    ------
    SizeError
        If `size` is not a whole number from 2 to 19.

    Examples
    --------
    >>> board = Board(9)
    >>> isinstance(board, Board[9])
    True
    >>> board = Board(5)
    >>> board.play("C3")
    >>> board.play("B2")
    >>> print(board)
       A B C D E
     5 . . . . .  5
     4 . . . . .  4
     3 . . X . .  3
     2 .(O). . .  2
     1 . . . . .  1
       A B C D E
    """

    __slots__ = ("state",)

    state: NDArray[np.uint64]

    def __new__(cls, size: SupportsIndex | None = None) -> Board:
        """An instance of the class of that size."""
        if size is None and not hasattr(cls, "size"):
            raise SizeError("Board needs a size: Board(9) or Board[9]() makes a 9x9 board")
        return object.__new__(cls if size is None else cls[size])

    def __init__(self, size: SupportsIndex | None = None) -> None:
        self.state = _empty_state(self.size).copy()

    @classmethod
    def from_stones(cls, size: int, black: Iterable[int], white: Iterable[int], to_play: int = BLACK) -> Board:
        """A board with the given stones, before any move.

        Raises
        ------
        PositionError
            If a point is given twice, or a string has no liberty.

        Examples
        --------
        >>> print(Board.from_stones(2, [0], [3]))
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

    @property
    def to_play(self) -> int:
        """The colour to play, initially BLACK. Setting it does not change which colour the ko binds."""
        return int(self._header[strings.TO_PLAY])

    @to_play.setter
    def to_play(self, color: SupportsIndex) -> None:
        self._header[strings.TO_PLAY] = check_color(color)

    @property
    def ko(self) -> int | None:
        """The point that simple ko forbids to the colour to play, or None.

        Examples
        --------
        >>> board = Board.from_diagram('''
        ...     . X O .
        ...     X . X O
        ...     . X O .
        ...     . . . .''', to_play=2)
        >>> board.play("B3")
        >>> board.ko
        10
        """
        header = self._header
        if header[strings.KO] == strings.NOWHERE or header[strings.KO_COLOR] != header[strings.TO_PLAY]:
            return None
        return _point_of(self.size, int(header[strings.KO]))

    @property
    def last_move(self) -> int | None:
        """The point last played, PASS, or None before the first move."""
        cell = int(self._header[strings.LAST])
        return None if cell == strings.NOWHERE else PASS if cell == strings.PASSED else _point_of(self.size, cell)

    @property
    def move_count(self) -> int:
        """The number of moves played on this board, passes included."""
        return int(self._header[strings.MOVES])

    @property
    def hash(self) -> int:
        """The 64-bit Zobrist hash (1970) of the stones; player to move and ko are not in it."""
        return int(self._header[strings.HASH])

    def copy(self) -> Board:
        """An independent board with the same position: one copy of `state`."""
        copied = object.__new__(type(self))
        copied.state = self.state.copy()
        return copied

    def __reduce__(self) -> tuple[Any, tuple[type[Board], bytes]]:
        return _from_state, (type(self), self.state.tobytes())

    @property
    def _header(self) -> NDArray[np.uint64]:
        return self.state[-strings.HEADER :]

    def _set_up(self, colors: Sequence[int], to_play: int, ko: int | None, last_move: int | None) -> None:
        for point, stone in enumerate(colors):
            if stone:
                positions.play(self.state, self.size, stone, cell_of(self.size, point))
        header = self._header
        header[strings.TO_PLAY] = to_play
        header[strings.MOVES] = 0
        header[strings.LAST] = cell_of(self.size, last_move)
        header[strings.KO] = cell_of(self.size, ko)
        header[strings.KO_COLOR] = to_play

    def _colors(self) -> NDArray[np.int8]:
        colors = np.empty(self.size * self.size, np.int8)
        positions.copy_colors(self.state, self.size, colors)
        return colors

    def _string(self, point: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        stones, liberties = np.zeros((2, self.size * self.size), np.uint8)
        positions.mark_string(self.state, self.size, cell_of(self.size, point), stones, liberties)
        return stones, liberties

    def _playable(self, color: int) -> NDArray[np.uint8]:
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_playable(self.state, self.size, color, points)
        return points

    def _legal(self, color: int, suicide: bool) -> NDArray[np.uint8]:
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_legal(self.state, self.size, color, suicide, points)
        return points

    def _legality(self, move: int, color: int, suicide: bool) -> int:
        return int(positions.legality(self.state, self.size, color, cell_of(self.size, move), suicide))

    def _try_play(self, move: int, color: int, suicide: bool) -> int:
        return int(positions.try_play(self.state, self.size, color, cell_of(self.size, move), suicide))

    def _area_score(self) -> int:
        return int(positions.area_score(self.state, self.size, positions.new_area_scratch(self.size)))


def cell_of(size: int, move: int | None) -> int:
    """The cell of a point, a pass, or no move in `foogo.game.kernels.strings`."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2


def _point_of(size: int, cell: int) -> int:
    place = cell - size - 2
    return place - place // (size + 1)


@cache
def _empty_state(size: int) -> NDArray[np.uint64]:
    return positions.empty_board(size)


def _from_state(board_class: type[Board], state: bytes) -> Board:
    board = object.__new__(board_class)
    board.state = np.frombuffer(state, np.uint64).copy()
    return board
