"""`Position`: what a board shows; its stones, sets of points, score, text and picture."""

from __future__ import annotations

from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import truth
from foogo.errors import VertexError
from foogo.game.diagrams import draw_svg, draw_text
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, PASS, WHITE, check_color, geometry
from foogo.game.kernels import ladders, life, positions, strings, superko
from foogo.game.kernels.planes import PLANES, copy_planes
from foogo.game.one_line import OneLine, write_line
from foogo.game.point_set import PointSet


class Position:
    """The part of `foogo.game.board.Board` that plays no move."""

    __slots__ = ("state",)

    size: int
    state: NDArray[np.uint64]

    _kind = "Board"
    """What `repr` calls the position."""

    @property
    def to_play(self) -> int:
        """The colour to play."""
        return int(self._header[strings.TO_PLAY])

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
    def empty(self) -> PointSet:
        """The points without a stone."""
        return PointSet.of_flags(self._colors() == EMPTY)

    def stones(self, color: SupportsIndex) -> PointSet:
        """The points with a stone of `color`.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(3)
        >>> board.play("B2")
        >>> board.stones(BLACK)
        frozenbitarray('000010000')
        """
        return PointSet.of_flags(self._colors() == check_color(color))

    def color_at(self, point: str | SupportsIndex) -> int:
        """The content of a point: BLACK, WHITE or EMPTY."""
        return int(self._colors()[geometry(self.size).check_vertex(point)])

    def string_at(self, point: str | SupportsIndex) -> PointSet:
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

    def liberties_at(self, point: str | SupportsIndex) -> PointSet:
        """The empty points next to the string on a point; a VertexError if it has no stone."""
        return self._string(point)[1]

    def is_in_ladder(self, point: str | SupportsIndex, color: SupportsIndex | None = None) -> bool:
        """Whether the string on a point is captured in a ladder if `color` (by default the colour to play) moves first.

        Each move of the attacker leaves it one liberty, see `foogo.game.kernels.ladders`. A VertexError if the point
        has no stone.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . . . . .
        ...     . . . . .
        ...     . . . . .
        ...     X O . . .
        ...     . X X . .''')
        >>> board.is_in_ladder("B2", BLACK), board.is_in_ladder("B2", WHITE)
        (True, False)
        >>> board.play("D4", WHITE)
        >>> board.is_in_ladder("B2", BLACK)
        False
        """
        mover = self._mover(color)
        self._string(point)
        cell = cell_of(self.size, geometry(self.size).check_vertex(point))
        ko, scratch = positions.ko_cell(self.state, self.size, mover), ladders.new_ladder_scratch(self.size)
        return bool(ladders.is_caught(self.state, self.size, cell, mover, ko, scratch))

    def playable(self, color: SupportsIndex | None = None) -> PointSet:
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
        return PointSet.of_flags(points)

    def legal(self, color: SupportsIndex | None = None, *, suicide: bool = True) -> PointSet:
        """The points that `play` would accept from `color` (by default the colour to play)."""
        return PointSet.of_flags(legal_flags(self, color, truth("suicide", suicide)))

    def is_legal(self, move: str | SupportsIndex, color: SupportsIndex | None = None, *, suicide: bool = True) -> bool:
        """Whether `play` would accept the move."""
        cell, allowed = cell_of(self.size, geometry(self.size).check_move(move)), truth("suicide", suicide)
        return bool(positions.legality(self.state, self.size, self._mover(color), cell, allowed) == positions.LEGAL)

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

    def certain_area(self, color: SupportsIndex) -> PointSet:
        """The points that `color` owns at the end whatever the other colour plays; without a point if none is certain.

        They are strings with two eyes, and the regions around which only such strings stand (Benson 1976).
        `foogo.game.kernels.life` has the exact conditions; `color` captures whatever is played in these regions.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board.from_diagram('''
        ...     . X O
        ...     X X O
        ...     . X .''')
        >>> board.certain_area(BLACK).count()
        9
        """
        scratch = life.new_life_scratch(self.size)
        points = np.zeros(self.size * self.size, np.uint8)
        life.mark_certain(self.state, self.size, check_color(color), scratch, points)
        return PointSet.of_flags(points)

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

    def planes(self) -> NDArray[np.bool_]:
        """The position as feature planes, from the point of view of the player to move.

        Returns
        -------
        ndarray, shape (4, size, size), bool
            Index [plane, row, column], row 0 at the bottom. Plane 0: own stones. 1: the opponent's stones. 2: the
            point that simple ko forbids. 3: all True if Black is to move.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(3)
        >>> board.play("B1")
        >>> board.planes().sum(axis=(1, 2)).tolist(), board.planes()[1, 0].tolist()
        ([0, 1, 0, 0], [False, True, False])
        """
        planes = np.empty((PLANES, self.size**2), np.bool_)
        copy_planes(self.state, self.size, planes)
        return planes.reshape(PLANES, self.size, self.size)

    def to_text(self) -> str:
        """The position on one line, which `foogo.Board.from_text` reads.

        The line is four words: the rows, top row first, joined by "/"; the player to move, "b" or "w"; the vertex that
        simple ko forbids, or "-"; the last move, or "-". In a row, a number stands for that many empty points, X for
        a black stone and O for a white one.

        Examples
        --------
        >>> from foogo import Board
        >>> board = Board(5)
        >>> board.play("C3")
        >>> board.to_text()
        '5/5/2X2/5/5 w - C3'
        """
        return write_line(OneLine(self.size, self._colors().tolist(), self.to_play, self.ko, self.last_move))

    def freeze(self) -> FrozenPosition:
        """A copy that cannot be played on, which can be hashed: a key of a dict or a member of a set.

        Examples
        --------
        >>> from foogo import Board
        >>> seen = {Board(9).freeze()}
        >>> Board(9).freeze() in seen, Board(9).freeze() == Board(9)
        (True, True)
        """
        return FrozenPosition(self)

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
        return f"<{self._kind}[{self.size}]: {black} black, {white} white, {COLOR_NAMES[self.to_play]} to play>"

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

    def _string(self, point: str | SupportsIndex) -> tuple[PointSet, PointSet]:
        index = geometry(self.size).check_vertex(point)
        if self.color_at(index) == EMPTY:
            vertex = geometry(self.size).vertex(index)
            raise VertexError(f"point {vertex} is empty: strings and liberties belong to a stone")
        stones, liberties = np.zeros((2, self.size * self.size), np.uint8)
        positions.mark_string(self.state, self.size, cell_of(self.size, index), stones, liberties)
        return PointSet.of_flags(stones), PointSet.of_flags(liberties)


class FrozenPosition(Position):
    """A position that is never changed, and can be hashed; equal to every position with its stones, player and ko.

    Like a `foogo.Board` it shows stones, legal moves, text and picture. `foogo.Board.from_position` makes a board.

    Parameters
    ----------
    position
        The position to copy.
    """

    __slots__ = ("size",)

    _kind = "FrozenPosition"

    def __init__(self, position: Position) -> None:
        self._fill(position.size, position.state.copy())

    def _fill(self, size: int, state: NDArray[np.uint64]) -> None:
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "state", state)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{name} of a frozen position cannot be set: Board.from_position makes a board of it")

    def __hash__(self) -> int:
        return hash((self.size, self.hash, self.to_play, self.ko))

    def __reduce__(self) -> tuple[Any, tuple[int, bytes]]:
        return _frozen_from_state, (self.size, self.state.tobytes())


def _frozen_from_state(size: int, state: bytes) -> FrozenPosition:
    position = FrozenPosition.__new__(FrozenPosition)
    position._fill(size, np.frombuffer(state, np.uint64).copy())
    return position


def legal_flags(position: Position, color: SupportsIndex | None, suicide: bool) -> NDArray[np.uint8]:
    """(points,): 1 where `color` (by default the player to move) may play, superko aside, and 0 elsewhere."""
    points = np.empty(position.size**2, np.uint8)
    mover = position.to_play if color is None else check_color(color)
    positions.mark_legal(position.state, position.size, mover, suicide, points)
    return points


def hashes_after(position: Position, color: int, legal: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """(points,): the hash of the stones after `color` plays each point that `legal` marks; undefined elsewhere."""
    hashes = np.empty(position.size**2, np.uint64)
    superko.copy_hashes_after(position.state, position.size, color, legal, hashes)
    return hashes


def cell_of(size: int, move: int | None) -> int:
    """The cell of a point, a pass, or no move in `foogo.game.kernels.strings`."""
    if move is None:
        return strings.NOWHERE
    return strings.PASSED if move == PASS else move + move // size + size + 2


def _point_of(size: int, cell: int) -> int:
    place = cell - size - 2
    return place - place // (size + 1)
