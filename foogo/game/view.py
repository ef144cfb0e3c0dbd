"""`PositionView`: a position as sets of points, as an array, as text and as a picture."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, SupportsIndex

import numpy as np
from bitarray import bitarray, frozenbitarray
from numpy.typing import NDArray

from foogo.errors import VertexError
from foogo.game.diagrams import draw_svg, draw_text
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, check_color, geometry


class PositionView(ABC):
    """Stones, the player to move, and the point that simple ko forbids.

    Two positions are equal if these three are.

    Attributes
    ----------
    size : int
        Points on a side.
    """

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    size: int

    @property
    @abstractmethod
    def to_play(self) -> int:
        """The colour to play, initially BLACK. Setting it does not change which colour the ko binds."""

    @to_play.setter
    @abstractmethod
    def to_play(self, color: SupportsIndex) -> None:
        """Set the turn."""

    @property
    @abstractmethod
    def ko(self) -> int | None:
        """The point that simple ko forbids to the colour to play, or None.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . X O .
        ...     X . X O
        ...     . X O .
        ...     . . . .''', to_play=WHITE)
        >>> board.play("B3")
        >>> geometry(4).vertex(board.ko)
        'C3'
        """

    @property
    @abstractmethod
    def last_move(self) -> int | None:
        """The point last played, PASS, or None before the first move."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of moves played on this board, passes included."""

    @property
    @abstractmethod
    def hash(self) -> int:
        """The 64-bit Zobrist hash of the stones; player to move and ko are not in it.

        References
        ----------
        A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.
        """

    @property
    def empty(self) -> frozenbitarray:
        """The points without a stone; one bit per point, index = point."""
        return pack_points(self._colors() == EMPTY)

    def stones(self, color: SupportsIndex) -> frozenbitarray:
        """The points with a stone of `color`; one bit per point, index = point.

        Raises
        ------
        ArgumentError
            If `color` is neither BLACK nor WHITE.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(3)
        >>> board.play("B2")
        >>> board.stones(BLACK)
        frozenbitarray('000010000')
        """
        return pack_points(self._colors() == check_color(color))

    def color_at(self, point: str | SupportsIndex) -> int:
        """The content of a point (or vertex): BLACK, WHITE or EMPTY.

        Raises
        ------
        VertexError
            If it is not on the board.
        """
        return int(self._colors()[geometry(self.size).check_vertex(point)])

    def string_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The stones of the string on a point (or vertex); one bit per point, index = point.

        Raises
        ------
        VertexError
            If it is not on the board, or has no stone.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . . .
        ...     X X .
        ...     O . X''')
        >>> board.string_at("A2")
        frozenbitarray('000110000')
        >>> board.liberties_at("A2").count()
        4
        """
        return pack_points(self._string(self._check_stone(point))[0])

    def liberties_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The empty points next to the string on a point (or vertex); one bit per point, index = point.

        Raises
        ------
        VertexError
            If it is not on the board, or has no stone.
        """
        return pack_points(self._string(self._check_stone(point))[1])

    def to_array(self) -> NDArray[np.int8]:
        """The colour of each point.

        Returns
        -------
        ndarray, shape (size, size), int8
            EMPTY, BLACK or WHITE at ``[row, column]``; row 0 is at the bottom. A copy.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(2)
        >>> board.play("B1")
        >>> board.to_array().tolist()
        [[0, 1], [0, 0]]
        """
        return self._colors().reshape(self.size, self.size)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a Board has no array to share: np.asarray(board) makes one")
        return self.to_array() if dtype is None else self.to_array().astype(dtype)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PositionView):
            return NotImplemented
        return (
            self.size == other.size
            and self.to_play == other.to_play
            and self.ko == other.ko
            and bool(np.array_equal(self.to_array(), other.to_array()))
        )

    def __repr__(self) -> str:
        black, white = (self.stones(color).count() for color in (BLACK, WHITE))
        return f"<Board[{self.size}]: {black} black, {white} white, {COLOR_NAMES[self.to_play]} to play>"

    def __str__(self) -> str:
        return draw_text(self.size, self._colors().tolist(), self.last_move)

    def _repr_svg_(self) -> str:
        return draw_svg(self.size, self._colors().tolist(), self.last_move)

    @abstractmethod
    def _colors(self) -> NDArray[np.int8]:
        """The colour of each point, index = point: a copy."""

    @abstractmethod
    def _string(self, point: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The string of the stone on `point` and its liberties: a 1 per point of each."""

    def _check_stone(self, point: str | SupportsIndex) -> int:
        """The index of a point or vertex, which must have a stone."""
        index = geometry(self.size).check_vertex(point)
        if self.color_at(index) == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        return index


def pack_points(flags: NDArray[Any]) -> frozenbitarray:
    """One bit per entry of an array, set if the entry is not zero.

    Examples
    --------
    >>> pack_points(np.array([0, 1, 1]))
    frozenbitarray('011')
    """
    bits = bitarray()
    bits.frombytes(np.packbits(flags).tobytes())
    del bits[len(flags) :]
    return frozenbitarray(bits)
