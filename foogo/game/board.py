"""`Board`: a position on compiled kernels, `foogo.game.kernels.positions`, that can be set up and played on.

A board knows nothing of its history; `foogo.game.game.Game` adds that.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, SupportsIndex

import numpy as np
from bitarray import bitarray
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import array_of, truth, whole_number
from foogo.errors import IllegalMoveError, PositionError, SizeError
from foogo.game.diagrams import read_text
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, board_of, check_color, check_size, geometry
from foogo.game.kernels import positions, strings
from foogo.game.one_line import read_line
from foogo.game.point_set import listed
from foogo.game.position import Position, cell_of
from foogo.game.regions import check_ko, check_liberties
from foogo.game.sized import SizedType

_WHY_ILLEGAL = {
    positions.OCCUPIED: "the point is occupied; play on an empty one",
    positions.KO_FORBIDS: "it retakes a ko at once; play elsewhere first",
    positions.STONE_SUICIDE: "a single stone without a liberty is suicide; it needs a liberty or a capture",
    positions.STRING_SUICIDE: "it is suicide, which suicide=False forbids; it needs a liberty or a capture",
}


class Board(Position, metaclass=SizedType):
    """A position: stones, the player to move, and the point that simple ko forbids.

    ``Board[9]`` is the class of 9x9 boards; ``Board(9)`` and ``Board[9]()`` make an empty one. Any legal move may be
    played, even one that fills an eye. Suicide of one stone is illegal. Suicide of several stones is legal unless
    ``suicide=False`` is given. Two boards are equal if stones, player to move and ko are.

    A set of points is a `frozenbitarray`: one bit per point, index = point. NumPy sees it as a mask. Methods take a
    point as an index or as a vertex ("E5") and raise `VertexError` if it is not on the board; they raise
    `ArgumentError` if a colour is neither BLACK nor WHITE, or `suicide` neither True nor False. The unchecked hot form
    of `play` is `foogo.game.kernels.positions.play` on a board's `state`.

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

    __slots__ = ()
    __hash__ = None  # type: ignore[assignment]

    def __new__(cls, size: SupportsIndex | None = None) -> Board:
        """An instance of the class of that size."""
        if size is None and not hasattr(cls, "size"):
            raise SizeError("Board needs a size: Board(9) or Board[9]() makes a 9x9 board")
        return object.__new__(cls if size is None else cls[size])

    def __init__(self, size: SupportsIndex | None = None) -> None:
        self.state = _empty_state(self.size).copy()

    @classmethod
    def from_diagram(cls, text: str, to_play: SupportsIndex = BLACK, ko: str | SupportsIndex | None = None) -> Board:
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
        cls,
        size: SupportsIndex,
        colors: Sequence[int],
        to_play: SupportsIndex = BLACK,
        *,
        ko: str | SupportsIndex | None = None,
        last_move: str | SupportsIndex | None = None,
    ) -> Board:
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
        >>> print(Board.from_colors(2, [BLACK, EMPTY, EMPTY, WHITE]))
           A B
         2 . O  2
         1 X .  1
           A B
        """
        board, color = cls(size), check_color(to_play)
        given = list(colors) if isinstance(colors, Iterable) else []
        colors = [number for number in map(whole_number, given) if number is not None and EMPTY <= number <= WHITE]
        if not len(colors) == len(given) == board.size**2:
            raise PositionError(f"{board_of(board.size)} needs {board.size**2} colors: 0, 1 or 2 each")
        check_liberties(board.size, colors)
        ko_point = None if ko is None else geometry(board.size).check_vertex(ko)
        if ko_point is not None:
            check_ko(board.size, colors, ko_point, color)
        last = None if last_move is None else geometry(board.size).check_move(last_move)
        for point, stone in enumerate(colors):
            if stone:
                positions.play(board.state, board.size, stone, cell_of(board.size, point))
        header = board.state[-strings.HEADER :]
        header[strings.TO_PLAY], header[strings.MOVES] = color, 0
        header[strings.LAST] = cell_of(board.size, last)
        header[strings.KO], header[strings.KO_COLOR] = cell_of(board.size, ko_point), color
        return board

    @classmethod
    def from_array(
        cls,
        array: ArrayLike,
        to_play: SupportsIndex = BLACK,
        *,
        ko: str | SupportsIndex | None = None,
        last_move: str | SupportsIndex | None = None,
    ) -> Board:
        """The board that an array shows, such as `to_array` returns, and no move played.

        Parameters
        ----------
        array
            (size, size) integers: EMPTY, BLACK or WHITE at ``[row, column]``; row 0 is at the bottom.
        to_play, ko, last_move
            As for `from_colors`.

        Raises
        ------
        PositionError
            If the array is not square and of integers 0, 1 and 2, a string has no liberty, or no ko is possible there.
        SizeError
            If there is no board of that size, or this is the class of another size.

        Examples
        --------
        >>> board = Board.from_array([[0, 1], [0, 0]])
        >>> board.color_at("B1"), board == Board.from_array(board.to_array())
        (1, True)
        """
        colors = array_of(array, PositionError, "the rows of the array differ in length: a board is square")
        if colors.ndim != 2 or colors.shape[0] != colors.shape[1] or colors.dtype.kind not in "iu":
            raise PositionError(f"the array is {colors.dtype} of shape {colors.shape}: give integers, (size, size)")
        wrong = colors[(colors < EMPTY) | (colors > WHITE)]
        if wrong.size:
            raise PositionError(f"color {wrong[0]} in the array: colors are EMPTY (0), BLACK (1) and WHITE (2)")
        return cls.from_colors(len(colors), colors.ravel().tolist(), to_play, ko=ko, last_move=last_move)

    @classmethod
    def from_text(cls, text: str) -> Board:
        """The board that a line of `to_text` describes; words left out at its end are "b", "-" and "-".

        Raises
        ------
        PositionError
            If the text is not such a line, a string has no liberty, or no ko is possible there.
        SizeError
            If this is the class of another size.

        Examples
        --------
        >>> print(Board.from_text("3/1X1/2O w"))
           A B C
         3 . . .  3
         2 . X .  2
         1 . . O  1
           A B C
        """
        size, colors, to_play, ko, last_move = read_line(text)
        return cls.from_colors(size, colors, to_play, ko=ko, last_move=last_move)

    @classmethod
    def from_position(cls, position: Position) -> Board:
        """A board with the same position, such as that of a `foogo.game.position.FrozenPosition`.

        A SizeError is raised if this is the class of another size.
        """
        board = cls(position.size)
        board.state[:] = position.state
        return board

    @classmethod
    def from_stones(
        cls,
        size: SupportsIndex,
        black: Iterable[str | SupportsIndex],
        white: Iterable[str | SupportsIndex],
        to_play: SupportsIndex = BLACK,
    ) -> Board:
        """A board with stones on the given points or vertices, before any move.

        `black` and `white` may be sets of points, such as `stones` returns.

        Raises
        ------
        PositionError
            If a point is given twice, a string has no liberty, a set of points is of another size, or `black` or
            `white` is no iterable of points.
        VertexError
            If a point is not on the board.

        Examples
        --------
        >>> print(Board.from_stones(2, [0], [3]))
           A B
         2 . O  2
         1 X .  1
           A B
        """
        on_board = geometry(check_size(size))
        colors = [EMPTY] * on_board.area
        for color, points in ((BLACK, black), (WHITE, white)):
            if isinstance(points, str) or not isinstance(points, Iterable):
                raise PositionError(f"the {COLOR_NAMES[color]} stones are {points!r}: give points, such as ['E5', 40]")
            if isinstance(points, bitarray) and len(points) != on_board.area:
                raise PositionError(f"a set of {len(points)} points is not of {board_of(on_board.size)}")
            for point in map(on_board.check_vertex, listed(points)):
                if colors[point] != EMPTY:
                    raise PositionError(f"point {on_board.vertex(point)} is given twice: one stone fits on it")
                colors[point] = color
        return cls.from_colors(size, colors, to_play)

    @property
    def to_play(self) -> int:
        """The colour to play, initially BLACK. Setting it does not change which colour the ko binds."""
        return int(self._header[strings.TO_PLAY])

    @to_play.setter
    def to_play(self, color: SupportsIndex) -> None:
        self._header[strings.TO_PLAY] = check_color(color)

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
        >>> board = Board(9)
        >>> board.play("E5")
        >>> board.play("E5")
        Traceback (most recent call last):
        foogo.errors.IllegalMoveError: white cannot play E5: the point is occupied; play on an empty one
        """
        point, mover, allowed = geometry(self.size).check_move(move), self._mover(color), truth("suicide", suicide)
        answer = int(positions.try_play(self.state, self.size, mover, cell_of(self.size, point), allowed))
        if answer != positions.LEGAL:
            vertex = geometry(self.size).vertex(point)
            raise IllegalMoveError(f"{COLOR_NAMES[mover]} cannot play {vertex}: {_WHY_ILLEGAL[answer]}")

    def copy(self) -> Board:
        """An independent board with the same position: one copy of `state`."""
        copied = object.__new__(type(self))
        copied.state = self.state.copy()
        return copied

    def __copy__(self) -> Board:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[type[Board], bytes]]:
        return _from_state, (type(self), self.state.tobytes())


@cache
def _empty_state(size: int) -> NDArray[np.uint64]:
    return positions.empty_board(size)


def _from_state(board_class: type[Board], state: bytes) -> Board:
    board = object.__new__(board_class)
    board.state = np.frombuffer(state, np.uint64).copy()
    return board
