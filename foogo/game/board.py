"""A position of Go with incremental strings: the Python face of `foogo.game.kernels.positions`.

`Board` knows a position and nothing of its history; `foogo.game.game.Game` adds that.
"""

from __future__ import annotations

import copyreg
from typing import Any, SupportsIndex, cast

import numpy as np
from bitarray import bitarray, frozenbitarray
from numpy.typing import NDArray

from foogo.errors import IllegalMoveError, PositionError, SizeError, VertexError
from foogo.game import diagrams
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, check_color, check_size, geometry, opponent
from foogo.game.kernels import positions, strings

_WHY_ILLEGAL = {
    positions.OCCUPIED: "the point is occupied; play on an empty one",
    positions.KO_FORBIDS: "it retakes a ko at once; play elsewhere first",
    positions.STONE_SUICIDE: "a single stone without a liberty is suicide; it needs a liberty or a capture",
    positions.STRING_SUICIDE: "it is suicide, which suicide=False forbids; it needs a liberty or a capture",
}


class _BoardType(type):
    """The type of `Board`, so that ``Board[9]`` is the class of 9x9 boards."""

    _classes: dict[int, type[Board]] = {}

    def __getitem__(cls, size: SupportsIndex) -> type[Board]:
        number, own = check_size(size), getattr(cls, "size", None)
        if own not in (None, number):
            wanted = f"use Board[{number}] for {number}x{number}"
            raise SizeError(f"{cls.__name__} is the class of {own}x{own} boards: {wanted}")
        if number not in _BoardType._classes:
            members = {"size": number, "__slots__": (), "__module__": __name__, "__doc__": Board.__doc__}
            made = _BoardType(f"Board[{number}]", (Board,), members)
            _BoardType._classes[number] = cast("type[Board]", made)
        return _BoardType._classes[number]


def _class_of_size(size: int) -> type[Board]:
    return Board if size == 0 else Board[size]


def _reduce_class(cls: type[Board]) -> tuple[Any, tuple[int]]:
    return _class_of_size, (getattr(cls, "size", 0),)


copyreg.pickle(_BoardType, _reduce_class)  # type: ignore[arg-type]


class Board(metaclass=_BoardType):
    """A position: stones, the player to move, and the point that simple ko forbids.

    ``Board[9]`` is the class of 9x9 boards; ``Board(9)`` and ``Board[9]()`` make an empty one. Any legal move
    may be played, also one that fills an eye. Suicide of one stone is illegal; of several stones it is legal
    unless ``suicide=False`` is given. Two boards are equal if stones, player to move and ko are.

    `play` checks. The unchecked hot form is `foogo.game.kernels.positions.play` on a board's `state`.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.

    Attributes
    ----------
    size : int
        Points on a side.
    state : ndarray of uint64
        All of the position, laid out as `foogo.game.kernels.strings` says. For kernels: no method checks what
        others write into it.

    Raises
    ------
    SizeError
        If `size` is not a whole number from 2 to 19.

    Examples
    --------
    >>> board = Board(9)
    >>> board.play("E5")
    >>> board.play("D4")
    >>> print(board)
       A B C D E F G H J
     9 . . . . . . . . .  9
     8 . . . . . . . . .  8
     7 . . + . . . + . .  7
     6 . . . . . . . . .  6
     5 . . . . X . . . .  5
     4 . . .(O). . . . .  4
     3 . . + . . . + . .  3
     2 . . . . . . . . .  2
     1 . . . . . . . . .  1
       A B C D E F G H J
    >>> isinstance(board, Board[9])
    True
    """

    __slots__ = ("state",)
    __hash__ = None  # type: ignore[assignment]

    size: int
    state: NDArray[np.uint64]

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
            One line per row, the top row first: ``.`` or ``+`` empty, ``X``, ``x`` or ``#`` black, ``O`` or
            ``o`` white. Blanks do not matter, coordinates may be around it, and the point in brackets is the
            last move.
        to_play
            BLACK or WHITE.
        ko
            The vertex or point that simple ko forbids to `to_play`.

        Raises
        ------
        PositionError
            If the diagram is no board, a string has no liberty, or there cannot be a ko.
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
        size, colors, last_move = diagrams.read_text(text)
        board = cls(size)
        for point, stone in enumerate(colors):
            if stone != EMPTY:
                positions.play(board.state, size, stone, board._cell(point))
        if board._colors().tolist() != colors:
            string = _dead_string(size, colors)
            raise PositionError(f"the {string} has no liberty: capture it, or leave it one")
        header = board._header
        header[strings.TO_PLAY] = color
        header[strings.MOVES] = 0
        header[strings.LAST] = strings.NOWHERE if last_move is None else board._cell(last_move)
        header[strings.KO] = strings.NOWHERE if ko is None else board._cell(board._check_ko(ko, color))
        header[strings.KO_COLOR] = color
        return board

    @property
    def to_play(self) -> int:
        """The colour to play, BLACK at first; may be set, which leaves ko to the colour it was made against."""
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
        ...     . . . .''', to_play=WHITE)
        >>> board.play("B3")
        >>> geometry(4).vertex(board.ko)
        'C3'
        """
        header = self._header
        if header[strings.KO] == strings.NOWHERE or header[strings.KO_COLOR] != header[strings.TO_PLAY]:
            return None
        return self._point(int(header[strings.KO]))

    @property
    def last_move(self) -> int | None:
        """The point last played, PASS, or None if nothing was played."""
        cell = int(self._header[strings.LAST])
        return None if cell == strings.NOWHERE else PASS if cell == strings.PASSED else self._point(cell)

    @property
    def move_count(self) -> int:
        """How many moves were played on this board, passes included."""
        return int(self._header[strings.MOVES])

    @property
    def hash(self) -> int:
        """The 64-bit Zobrist hash of the stones; player to move and ko are not in it.

        References
        ----------
        A. L. Zobrist, "A New Hashing Method with Application for Game Playing", 1970.
        """
        return int(self._header[strings.HASH])

    @property
    def empty(self) -> frozenbitarray:
        """The points without a stone; one bit per point, index = point."""
        return _bits(self._colors() == EMPTY)

    def stones(self, color: SupportsIndex) -> frozenbitarray:
        """The points with a stone of `color`; one bit per point, index = point.

        Raises
        ------
        ArgumentError
            If `color` is neither BLACK nor WHITE.

        Examples
        --------
        >>> board = Board(3)
        >>> board.play("B2")
        >>> board.stones(BLACK)
        frozenbitarray('000010000')
        """
        return _bits(self._colors() == check_color(color))

    def color_at(self, point: str | SupportsIndex) -> int:
        """BLACK, WHITE or EMPTY: what is on a point (or vertex).

        Raises
        ------
        VertexError
            If it is not on the board.
        """
        return int(self._colors()[self._check_point(point)])

    def string_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The stones of the string on a point (or vertex); one bit per point, index = point.

        Raises
        ------
        VertexError
            If it is not on the board, or has no stone.

        Examples
        --------
        >>> board = Board.from_diagram('''
        ...     . . .
        ...     X X .
        ...     O . X''')
        >>> board.string_at("A2")
        frozenbitarray('000110000')
        >>> board.liberties_at("A2").count()
        4
        """
        return self._string_at(point)[0]

    def liberties_at(self, point: str | SupportsIndex) -> frozenbitarray:
        """The empty points next to the string on a point (or vertex); one bit per point, index = point.

        Raises
        ------
        VertexError
            If it is not on the board, or has no stone.
        """
        return self._string_at(point)[1]

    def _string_at(self, point: str | SupportsIndex) -> tuple[frozenbitarray, frozenbitarray]:
        index = self._check_point(point)
        if self.color_at(index) == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        stones, liberties = np.zeros((2, self.size * self.size), np.uint8)
        positions.mark_string(self.state, self.size, self._cell(index), stones, liberties)
        return _bits(stones), _bits(liberties)

    def playable(self, color: SupportsIndex | None = None) -> frozenbitarray:
        """The points that a playout of `color` (by default the colour to play) may play.

        They are empty, no eye of `color`, not forbidden by ko, and no suicide of a single stone. An eye has
        only own neighbours and at most one enemy diagonal, none at the edge.

        Returns
        -------
        frozenbitarray
            One bit per point, index = point.

        Raises
        ------
        ArgumentError
            If `color` is neither BLACK nor WHITE.

        Examples
        --------
        >>> board = Board.from_diagram('''
        ...     . X .
        ...     X X X
        ...     . X .''')
        >>> board.playable(BLACK).count(), board.legal(BLACK).count(), board.legal(WHITE).count()
        (0, 4, 0)
        """
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_playable(self.state, self.size, self._color(color), points)
        return _bits(points)

    def legal(self, color: SupportsIndex | None = None, *, suicide: bool = True) -> frozenbitarray:
        """The points that `color` (by default the colour to play) may play under simple ko.

        Parameters
        ----------
        color
            BLACK or WHITE. Ko forbids a point only to the colour it was made against.
        suicide
            Whether a string of several stones may take its own last liberty.

        Returns
        -------
        frozenbitarray
            One bit per point, index = point.

        Raises
        ------
        ArgumentError
            If `color` is neither BLACK nor WHITE.
        """
        points = np.zeros(self.size * self.size, np.uint8)
        positions.mark_legal(self.state, self.size, self._color(color), suicide, points)
        return _bits(points)

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> bool:
        """Whether `play` would take the move.

        Raises
        ------
        VertexError
            If `move` is not on the board.

        Examples
        --------
        >>> Board(9).is_legal("E5")
        True
        """
        cell = self._cell(geometry(self.size).check_move(move))
        answer = positions.legality(self.state, self.size, self._color(color), cell, suicide)
        return bool(answer == positions.LEGAL)

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> None:
        """Play a move, or raise and leave the board as it was. The opponent of its colour is then to play.

        Parameters
        ----------
        move
            A vertex ("E5", "pass"), a point or PASS. A pass lifts ko.
        color
            BLACK or WHITE, by default the colour to play. Out of turn, ko does not forbid the move: it was
            made against the other colour.
        suicide
            Whether a string of several stones may take its own last liberty.

        Raises
        ------
        IllegalMoveError
            If the point is occupied, ko forbids it, or it is suicide that is not allowed.
        VertexError
            If `move` is not on the board.
        ArgumentError
            If `color` is neither BLACK nor WHITE.

        Examples
        --------
        >>> board = Board(9)
        >>> board.play("E5")
        >>> board.play("E5")
        Traceback (most recent call last):
        foogo.errors.IllegalMoveError: white cannot play E5: the point is occupied; play on an empty one
        """
        point, mover = geometry(self.size).check_move(move), self._color(color)
        answer = positions.try_play(self.state, self.size, mover, self._cell(point), suicide)
        if answer != positions.LEGAL:
            vertex = geometry(self.size).vertex(point)
            raise IllegalMoveError(f"{COLOR_NAMES[mover]} cannot play {vertex}: {_WHY_ILLEGAL[answer]}")

    def area_score(self) -> int:
        """Black's area minus White's, in points, before komi.

        Every stone counts as alive. A region of empty points counts for a colour if it touches only that one.

        Returns
        -------
        int
            Positive if Black is ahead.

        References
        ----------
        Tromp-Taylor rules, 9 and 10.

        Examples
        --------
        >>> board = Board(9)
        >>> board.play("E5")
        >>> board.area_score()
        81
        """
        return int(positions.area_score(self.state, self.size))

    def copy(self) -> Board:
        """An independent board with the same position: one copy of `state`."""
        copied = object.__new__(type(self))
        copied.state = self.state.copy()
        return copied

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Board:
        return self.copy()

    def __reduce__(self) -> tuple[Any, tuple[type[Board], bytes]]:
        return _from_state, (type(self), self.state.tobytes())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self.size == other.size
            and self.to_play == other.to_play
            and self.ko == other.ko
            and bool(np.array_equal(self._colors(), other._colors()))
        )

    def to_array(self) -> NDArray[np.int8]:
        """The colour of each point.

        Returns
        -------
        ndarray, shape (size, size), int8
            EMPTY, BLACK or WHITE at ``[row, column]``; row 0 is at the bottom. A copy.

        Examples
        --------
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

    def __repr__(self) -> str:
        black, white = (self.stones(color).count() for color in (BLACK, WHITE))
        return f"<Board[{self.size}]: {black} black, {white} white, {COLOR_NAMES[self.to_play]} to play>"

    def __str__(self) -> str:
        return diagrams.draw_text(self.size, self._colors().tolist(), self.last_move)

    def _repr_svg_(self) -> str:
        return diagrams.draw_svg(self.size, self._colors().tolist(), self.last_move)

    @property
    def _header(self) -> NDArray[np.uint64]:
        return self.state[-strings.HEADER :]

    def _colors(self) -> NDArray[np.int8]:
        colors = np.empty(self.size * self.size, np.int8)
        positions.copy_colors(self.state, self.size, colors)
        return colors

    def _color(self, color: SupportsIndex | None) -> int:
        return self.to_play if color is None else check_color(color)

    def _cell(self, point: int) -> int:
        return strings.PASSED if point == PASS else point + point // self.size + self.size + 2

    def _point(self, cell: int) -> int:
        place = cell - self.size - 2
        return place - place // (self.size + 1)

    def _check_point(self, point: str | SupportsIndex) -> int:
        """The point that a vertex or a point is; a pass is none."""
        index = geometry(self.size).check_move(point)
        if index == PASS:
            raise VertexError(f"{point!r} is not a point of the board: a pass is nowhere")
        return index

    def _check_ko(self, ko: str | SupportsIndex, color: int) -> int:
        """The point `ko`, once it is known that `color` may have lost a single stone there just now."""
        point = self._check_point(ko)
        colors, neighbors = self._colors(), geometry(self.size).neighbors[point]
        surrounded = colors[point] == EMPTY and all(colors[near] == opponent(color) for near in neighbors)
        if not surrounded or not any(
            self.string_at(near).count() == self.liberties_at(near).count() == 1 for near in neighbors
        ):
            vertex, enemy = geometry(self.size).vertex(point), COLOR_NAMES[opponent(color)]
            raise PositionError(
                f"ko at {vertex} is not possible for {COLOR_NAMES[color]}: ko needs an empty point between "
                f"{enemy} stones, one of them alone and in atari"
            )
        return point


def _empty_state(size: int) -> NDArray[np.uint64]:
    if size not in _EMPTY_STATES:
        state = np.empty(strings.state_words(size), np.uint64)
        positions.reset(state, size)
        _EMPTY_STATES[size] = state
    return _EMPTY_STATES[size]


_EMPTY_STATES: dict[int, NDArray[np.uint64]] = {}


def _from_state(board_class: type[Board], state: bytes) -> Board:
    board = object.__new__(board_class)
    board.state = np.frombuffer(state, np.uint64).copy()
    return board


def _bits(points: NDArray[Any]) -> frozenbitarray:
    """One bit for each entry of an array, set where that is not zero."""
    bits = bitarray()
    bits.frombytes(np.packbits(points).tobytes())
    del bits[len(points) :]
    return frozenbitarray(bits)


def _dead_string(size: int, colors: list[int]) -> str:
    """The first string without a liberty, in words; there is one."""
    near = geometry(size).neighbors
    for first, color in enumerate(colors):
        string, todo = {first}, [first]
        while todo:
            fresh = {point for point in near[todo.pop()] if colors[point] == color} - string
            string |= fresh
            todo += fresh
        if color != EMPTY and not any(colors[point] == EMPTY for stone in string for point in near[stone]):
            return f"{COLOR_NAMES[color]} string at {geometry(size).vertex(first)}"
    raise AssertionError("every string has a liberty")
