"""`Position`: what a board shows; its stones, sets of points, score, text and picture."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from bitarray import frozenbitarray
from numpy.typing import NDArray

from foogo.errors import VertexError
from foogo.game.diagrams import draw_svg, draw_text
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, check_color, geometry
from foogo.game.kernels import positions, strings


class Position:
    """The part of `foogo.game.board.Board` that plays no move."""

    __slots__ = ("state",)
    __hash__ = None  # type: ignore[assignment]

    size: int
    state: NDArray[np.uint64]

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
        >>> from foogo import Board
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
        return self._string(point)[0]

    def liberties_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The empty points next to the string on a point; a VertexError if it has no stone."""
        return self._string(point)[1]

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
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_playable(self.state, self.size, self._mover(color), points)
        return _pack(points)

    def legal(self, color: SupportsIndex | None = None, *, suicide: bool = True) -> frozenbitarray:
        """The points that `play` would accept from `color` (by default the colour to play)."""
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_legal(self.state, self.size, self._mover(color), suicide, points)
        return _pack(points)

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> bool:
        """Whether `play` would accept the move."""
        cell = cell_of(self.size, geometry(self.size).check_move(move))
        return bool(positions.legality(self.state, self.size, self._mover(color), cell, suicide) == positions.LEGAL)

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
        return int(positions.area_score(self.state, self.size, positions.new_area_scratch(self.size)))

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

    def __repr__(self) -> str:
        black, white = (self.stones(color).count() for color in (BLACK, WHITE))
        return f"<Board[{self.size}]: {black} black, {white} white, {COLOR_NAMES[self.to_play]} to play>"

    def __str__(self) -> str:
        return draw_text(self.size, self._colors().tolist(), self.last_move)

    def _repr_svg_(self) -> str:
        return draw_svg(self.size, self._colors().tolist(), self.last_move)

    @property
    def _header(self) -> NDArray[np.uint64]:
        return self.state[-strings.HEADER :]

    def _mover(self, color: SupportsIndex | None) -> int:
        return self.to_play if color is None else check_color(color)

    def _colors(self) -> NDArray[np.int8]:
        colors = np.empty(self.size * self.size, np.int8)
        positions.copy_colors(self.state, self.size, colors)
        return colors

    def _string(self, point: str | SupportsIndex) -> tuple[frozenbitarray, frozenbitarray]:
        index = geometry(self.size).check_vertex(point)
        if self.color_at(index) == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        stones, liberties = np.zeros((2, self.size * self.size), np.uint8)
        positions.mark_string(self.state, self.size, cell_of(self.size, index), stones, liberties)
        return _pack(stones), _pack(liberties)


def cell_of(size: int, move: int | None) -> int:
    """The cell of a point, a pass, or no move in `foogo.game.kernels.strings`."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2


def _point_of(size: int, cell: int) -> int:
    place = cell - size - 2
    return place - place // (size + 1)


def _pack(flags: NDArray[Any]) -> frozenbitarray:
    """One bit per entry of an array, set if the entry is not zero."""
    return frozenbitarray(flags.astype(np.bool_).tolist())
