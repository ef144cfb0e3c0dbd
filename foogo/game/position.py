"""`Position`: what every kind of board can do; stones, sets of points, pictures, and the rules of a single move.

A position knows nothing of its history; `foogo.game.game.Game` adds that. `foogo.game.board.Board` plays on compiled
kernels.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from bitarray import frozenbitarray
from numpy.typing import NDArray

from foogo.errors import IllegalMoveError, PositionError, VertexError
from foogo.game.diagrams import draw_svg, draw_text, read_text
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, check_color, geometry
from foogo.game.kernels import positions
from foogo.game.regions import check_ko, check_liberties

P = TypeVar("P", bound="Position")

_WHY_ILLEGAL = {
    positions.OCCUPIED: "the point is occupied; play on an empty one",
    positions.KO_FORBIDS: "it retakes a ko at once; play elsewhere first",
    positions.STONE_SUICIDE: "a single stone without a liberty is suicide; it needs a liberty or a capture",
    positions.STRING_SUICIDE: "it is suicide, which suicide=False forbids; it needs a liberty or a capture",
}


class Position(ABC):
    """The base class of boards; `foogo.game.board.Board` documents it."""

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    size: int

    @abstractmethod
    def __init__(self, size: SupportsIndex) -> None: ...

    @classmethod
    def from_diagram(
        cls: type[P], text: str, to_play: SupportsIndex = BLACK, ko: str | SupportsIndex | None = None
    ) -> P:
        """The board that a diagram shows, such as `print` writes; its size is the diagram's.

        Parameters
        ----------
        text
            One line per row, the top row first. An empty point is ``.`` or ``+``, a black one ``X``, ``x`` or ``#``,
            a white one ``O`` or ``o``. Blanks do not matter and coordinates are allowed. The point in brackets is
            the last move.
        to_play
            BLACK or WHITE.
        ko
            The vertex or point that simple ko forbids to `to_play`.

        Raises
        ------
        PositionError
            If the text is not a diagram, a string has no liberty, or no ko is possible on that point.
        SizeError
            If this is the class of another size.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . X O .
        ...     X O . O
        ...     . X O .
        ...     . . . .''', ko="C3")
        >>> board.is_legal("C3"), board.is_legal("C3", WHITE)
        (False, True)
        """
        color = check_color(to_play)
        size, colors, last_move = read_text(text)
        return cls.from_colors(size, colors, color, ko=ko, last_move=last_move)

    @classmethod
    def from_colors(
        cls: type[P],
        size: SupportsIndex,
        colors: Sequence[int],
        to_play: SupportsIndex = BLACK,
        *,
        ko: str | SupportsIndex | None = None,
        last_move: str | SupportsIndex | None = None,
    ) -> P:
        """The board with the given colour on each point, and no move played.

        Parameters
        ----------
        size
            Points on a side, 2 to 19.
        colors
            EMPTY, BLACK or WHITE for each point, index = point.
        to_play, ko
            As for `from_diagram`.
        last_move
            The vertex, point or PASS last played, or None.

        Raises
        ------
        PositionError
            If there is not one colour per point, a string has no liberty, or no ko is possible there.
        SizeError
            If there is no board of that size, or this is the class of another size.

        Examples
        --------
        >>> from foogo import Board
        >>> print(Board.from_colors(2, [BLACK, EMPTY, EMPTY, WHITE]))
           A B
         2 . O  2
         1 X .  1
           A B
        """
        board, color = cls(size), check_color(to_play)
        if len(colors) != board.size**2 or not {*colors} <= {EMPTY, BLACK, WHITE}:
            raise PositionError(f"a {board.size}x{board.size} board needs {board.size**2} colors: 0, 1 or 2 each")
        check_liberties(board.size, colors)
        ko_point = None if ko is None else geometry(board.size).check_vertex(ko)
        if ko_point is not None:
            check_ko(board.size, colors, ko_point, color)
        last = None if last_move is None else geometry(board.size).check_move(last_move)
        board._set_up(colors, color, ko_point, last)
        return board

    @property
    def empty(self) -> frozenbitarray:
        """The points without a stone."""
        return _pack(self._colors() == EMPTY)

    def stones(self, color: SupportsIndex) -> frozenbitarray:
        """The points with a stone of `color`.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(3)
        >>> board.play("B2")
        >>> board.stones(BLACK)
        frozenbitarray('000010000')
        """
        return _pack(self._colors() == check_color(color))

    def color_at(self, point: str | SupportsIndex) -> int:
        """The content of a point: BLACK, WHITE or EMPTY."""
        return int(self._colors()[geometry(self.size).check_vertex(point)])

    def string_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The stones of the string on a point; a VertexError if it has no stone.

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
        return _pack(self._string(self._check_stone(point))[0])

    def liberties_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The empty points next to the string on a point; a VertexError if it has no stone."""
        return _pack(self._string(self._check_stone(point))[1])

    def playable(self, color: SupportsIndex | None = None) -> frozenbitarray:
        """The points that a playout of `color` (by default the colour to play) may play.

        They are the empty points without the eyes of `color`, the ko point, and suicides of a single stone. An eye
        has only own neighbours and at most one enemy diagonal, none at the edge.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . X .
        ...     X X X
        ...     . X .''')
        >>> board.playable(BLACK).count(), board.legal(BLACK).count(), board.legal(WHITE).count()
        (0, 4, 0)
        """
        return _pack(self._playable(self._mover(color)))

    def legal(self, color: SupportsIndex | None = None, *, suicide: bool = True) -> frozenbitarray:
        """The points that `play` would accept from `color` (by default the colour to play)."""
        return _pack(self._legal(self._mover(color), suicide))

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> bool:
        """Whether `play` would accept the move."""
        point = geometry(self.size).check_move(move)
        return self._legality(point, self._mover(color), suicide) == positions.LEGAL

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> None:
        """Play a move, or raise and leave the board as it was. It is then the opponent's turn.

        Parameters
        ----------
        move
            A vertex ("E5", "pass"), a point or PASS. A pass lifts ko.
        color
            BLACK or WHITE, by default the colour to play. Ko binds only the colour that lost the stone.
        suicide
            Whether a string of several stones may take its own last liberty.

        Raises
        ------
        IllegalMoveError
            If the point is occupied, ko forbids it, or it is a suicide that is not allowed.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(9)
        >>> board.play("E5")
        >>> board.play("E5")
        Traceback (most recent call last):
        foogo.errors.IllegalMoveError: white cannot play E5: the point is occupied; play on an empty one
        """
        point, mover = geometry(self.size).check_move(move), self._mover(color)
        answer = self._try_play(point, mover, suicide)
        if answer != positions.LEGAL:
            vertex = geometry(self.size).vertex(point)
            raise IllegalMoveError(f"{COLOR_NAMES[mover]} cannot play {vertex}: {_WHY_ILLEGAL[answer]}")

    def area_score(self) -> int:
        """Black's area minus White's, in points, before komi: positive if Black is ahead.

        Every stone counts as alive. An empty region counts for a colour if it touches only that one (Tromp-Taylor
        rules, 9 and 10).

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(9)
        >>> board.play("E5")
        >>> board.area_score()
        81
        """
        return self._area_score()

    def to_array(self) -> NDArray[np.int8]:
        """The colour of each point, as a copy.

        Returns
        -------
        ndarray, shape (size, size), int8
            EMPTY, BLACK or WHITE at ``[row, column]``; row 0 is at the bottom.

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
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.size == other.size
            and self.to_play == other.to_play
            and self.ko == other.ko
            and bool(np.array_equal(self.to_array(), other.to_array()))
        )

    def __copy__(self: P) -> P:
        return self.copy()

    def __deepcopy__(self: P, memo: object) -> P:
        return self.copy()

    def __repr__(self) -> str:
        black, white = (self.stones(color).count() for color in (BLACK, WHITE))
        return f"<Board[{self.size}]: {black} black, {white} white, {COLOR_NAMES[self.to_play]} to play>"

    def __str__(self) -> str:
        return draw_text(self.size, self._colors().tolist(), self.last_move)

    def _repr_svg_(self) -> str:
        return draw_svg(self.size, self._colors().tolist(), self.last_move)

    def _mover(self, color: SupportsIndex | None) -> int:
        return self.to_play if color is None else check_color(color)

    def _check_stone(self, point: str | SupportsIndex) -> int:
        index = geometry(self.size).check_vertex(point)
        if self.color_at(index) == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        return index

    # What a subclass implements. Arguments are valid: points are on the board, colours are BLACK or WHITE.

    @property
    @abstractmethod
    def state(self) -> NDArray[np.uint64]:
        """The position in the layout of `foogo.game.kernels.strings`."""

    @property
    @abstractmethod
    def to_play(self) -> int:
        """The colour to play."""

    @to_play.setter
    @abstractmethod
    def to_play(self, color: SupportsIndex) -> None: ...

    @property
    @abstractmethod
    def ko(self) -> int | None:
        """The point that simple ko forbids to the colour to play, or None."""

    @property
    @abstractmethod
    def last_move(self) -> int | None:
        """The point last played, PASS or None."""

    @property
    @abstractmethod
    def move_count(self) -> int:
        """The number of moves played on this board."""

    @property
    @abstractmethod
    def hash(self) -> int:
        """The Zobrist hash of the stones."""

    @abstractmethod
    def copy(self: P) -> P:
        """An independent board with the same position."""

    @abstractmethod
    def _set_up(self, colors: Sequence[int], to_play: int, ko: int | None, last_move: int | None) -> None:
        """Put those stones on this empty board; `ko` binds `to_play`."""

    @abstractmethod
    def _colors(self) -> NDArray[np.int8]:
        """The colour of each point, index = point: a copy."""

    @abstractmethod
    def _string(self, point: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
        """The string of the stone on `point` and its liberties: a 1 per point of each."""

    @abstractmethod
    def _playable(self, color: int) -> NDArray[np.uint8]:
        """The points of `playable`, as a 1 per point."""

    @abstractmethod
    def _legal(self, color: int, suicide: bool) -> NDArray[np.uint8]:
        """The points of `legal`, as a 1 per point."""

    @abstractmethod
    def _legality(self, move: int, color: int, suicide: bool) -> int:
        """`positions.LEGAL`, or the reason against the move."""

    @abstractmethod
    def _try_play(self, move: int, color: int, suicide: bool) -> int:
        """Play the move if it is legal; returns its `_legality`."""

    @abstractmethod
    def _area_score(self) -> int: ...


def _pack(flags: NDArray[Any]) -> frozenbitarray:
    """One bit per entry of an array, set if the entry is not zero."""
    return frozenbitarray(flags.astype(np.bool_).tolist())
