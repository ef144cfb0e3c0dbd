"""The geometry of a board size: points, vertices, neighbours and the eight symmetries.

A point is a flat index, ``row * size + col``, with A1 = 0 and row 0 at the bottom. A vertex is the text
that people and GTP use for it ("E5", "pass"); vertices stay at the edges of the program.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

from foogo.arguments import quoted, whole_number
from foogo.errors import ArgumentError, SizeError, VertexError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMPTY = 0
BLACK = 1
WHITE = 2
PASS = -1

MIN_SIZE = 2
MAX_SIZE = 19

COLUMN_LETTERS = "ABCDEFGHJKLMNOPQRST"
"""The letter of each column; "I" is skipped, as on every Go board."""

COLOR_NAMES = ("empty", "black", "white")


class Geometry:
    """Everything that depends only on the size of a board, 2 to 19. `geometry` returns the shared instance.

    Attributes
    ----------
    size : int
        Points on a side.
    area : int
        Points on the board, ``size * size``.

    Examples
    --------
    >>> nine = geometry(9)
    >>> nine.point("E5"), nine.vertex(40)
    (40, 'E5')
    >>> [nine.vertex(p) for p in nine.neighbors[0]]
    ['B1', 'A2']
    """

    def __init__(self, size: int) -> None:
        self.size = check_size(size)
        self.area = self.size * self.size

    def __repr__(self) -> str:
        return f"geometry({self.size})"

    def __reduce__(self) -> tuple[Any, tuple[int]]:
        return geometry, (self.size,)

    @cached_property
    def neighbors(self) -> tuple[tuple[int, ...], ...]:
        """The two to four neighbours of each point along the lines, in point order."""
        return self._at_steps(((-1, 0), (0, -1), (0, 1), (1, 0)))

    @cached_property
    def diagonals(self) -> tuple[tuple[int, ...], ...]:
        """The one, two or four diagonal neighbours of each point, in point order."""
        return self._at_steps(((-1, -1), (-1, 1), (1, -1), (1, 1)))

    def _at_steps(self, steps: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
        size = self.size
        return tuple(
            tuple(
                (row + up) * size + col + right
                for up, right in steps
                if 0 <= row + up < size and 0 <= col + right < size
            )
            for row in range(size)
            for col in range(size)
        )

    @cached_property
    def symmetries(self) -> NDArray[np.int64]:
        """The eight ways a square maps onto itself.

        Returns
        -------
        ndarray, shape (8, area), int64
            ``symmetries[s, p]`` is the image of point `p` under symmetry `s`. Bit 0 of `s` mirrors the
            columns, bit 1 mirrors the rows, bit 2 then swaps rows and columns. Symmetry 0 is the identity.
            Read-only.
        """
        import numpy as np

        points = np.arange(self.area, dtype=np.int64).reshape(self.size, self.size)
        images = np.empty((8, self.area), dtype=np.int64)
        for s in range(8):
            swapped = points.T if s & 4 else points
            images[s] = swapped[:: -1 if s & 2 else 1, :: -1 if s & 1 else 1].ravel()
        images.flags.writeable = False
        return images

    @cached_property
    def orbits(self) -> tuple[tuple[int, ...], ...]:
        """The points grouped by symmetry, in point order. The points of a group are the same opening.

        Examples
        --------
        >>> geometry(3).orbits
        ((0, 2, 6, 8), (1, 3, 5, 7), (4,))
        """
        groups = {tuple(sorted(set(column))) for column in self.symmetries.T.tolist()}
        return tuple(sorted(groups))

    @cached_property
    def star_points(self) -> tuple[int, ...]:
        """The points that a wooden board marks with a dot, in point order; none below 5x5."""
        size, near = self.size, 3 if self.size >= 13 else 2
        corners, middle = (near, size - 1 - near), size // 2
        stars = set()
        if size >= 8:
            stars |= {row * size + col for row in corners for col in corners}
        if size >= 5 and size % 2:
            stars.add(middle * size + middle)
        if size >= 15 and size % 2:
            stars |= {line * size + middle for line in corners} | {middle * size + line for line in corners}
        return tuple(sorted(stars))

    @property
    def letters(self) -> str:
        """The letters of the columns, from left to right."""
        return COLUMN_LETTERS[: self.size]

    def vertex(self, point: SupportsIndex) -> str:
        """The text of a point ("E5") or of `PASS` ("pass"); a VertexError if `point` is neither."""
        index = self.check_move(point)
        if index == PASS:
            return "pass"
        row, col = divmod(index, self.size)
        return f"{COLUMN_LETTERS[col]}{row + 1}"

    def point(self, vertex: str) -> int:
        """The point that a vertex names, or `PASS`; case does not matter.

        Examples
        --------
        >>> geometry(9).point("a1"), geometry(9).point("pass")
        (0, -1)
        >>> geometry(9).point("I5")
        Traceback (most recent call last):
        foogo.errors.VertexError: vertex 'I5' is not on a 9x9 board: columns are A-H and J, rows 1-9
        """
        text = vertex.strip().upper() if isinstance(vertex, str) else ""
        if text == "PASS":
            return PASS
        col = self.letters.find(text[:1]) if text else -1
        digits = text[1:]
        row = int(digits) - 1 if digits.isascii() and digits.isdigit() and len(digits) <= 2 else -1
        if col >= 0 and 0 <= row < self.size:
            return row * self.size + col
        last = self.letters[-1]
        columns = f"A-{last}" if self.size <= 8 else "A-H and J" if self.size == 9 else f"A-H and J-{last}"
        raise VertexError(
            f"vertex {vertex!r} is not on {board_of(self.size)}: columns are {columns}, rows 1-{self.size}"
        )

    def check_move(self, move: str | SupportsIndex) -> int:
        """`move` (a vertex, a point or `PASS`) as a point or `PASS`; a VertexError if it is neither."""
        if isinstance(move, str):
            return self.point(move)
        index = whole_number(move)
        if index is None or not PASS <= index < self.area:
            size, last = self.size, self.area - 1
            raise VertexError(f"point {quoted(move)} is not on {board_of(size)}: points are 0-{last}")
        return index

    def check_vertex(self, vertex: str | SupportsIndex) -> int:
        """`vertex` (text or a point, no pass) as a point; a VertexError if it is not on the board.

        Examples
        --------
        >>> geometry(9).check_vertex("pass")
        Traceback (most recent call last):
        foogo.errors.VertexError: 'pass' is not a point of the board: a pass is nowhere
        """
        index = self.check_move(vertex)
        if index == PASS:
            raise VertexError(f"{vertex!r} is not a point of the board: a pass is nowhere")
        return index


def geometry(size: int) -> Geometry:
    """The shared `Geometry` of a board size; a SizeError if that is not a whole number from 2 to 19.

    Examples
    --------
    >>> geometry(9) is geometry(9)
    True
    >>> geometry(20)
    Traceback (most recent call last):
    foogo.errors.SizeError: board size 20 is not possible: sizes are whole numbers from 2 to 19
    """
    return _shared(check_size(size))


_shared = cache(Geometry)


def vertex(point: SupportsIndex, size: SupportsIndex) -> str:
    """The text of a point ("E5"), or of `PASS` ("pass"), on a board of a size.

    Raises
    ------
    VertexError, SizeError
        If the point is not on such a board, or there is no such board.

    Examples
    --------
    >>> vertex(40, 9), vertex(PASS, 9)
    ('E5', 'pass')
    """
    return geometry(check_size(size)).vertex(point)


def point(text: str, size: SupportsIndex) -> int:
    """The point that a vertex names on a board of a size, or `PASS`; case does not matter.

    Raises
    ------
    VertexError, SizeError
        If the vertex is not on such a board, or there is no such board.

    Examples
    --------
    >>> point("e5", 9), point("pass", 9)
    (40, -1)
    """
    return geometry(check_size(size)).point(text)


def board_of(size: int) -> str:
    """A board of that size, in words.

    Examples
    --------
    >>> board_of(9), board_of(8)
    ('a 9x9 board', 'an 8x8 board')
    """
    return f"{'an' if size in (8, 11, 18) else 'a'} {size}x{size} board"


def check_size(size: SupportsIndex) -> int:
    """`size` as an int; a SizeError if it is not a whole number from 2 to 19."""
    index = whole_number(size)
    if index is None or not MIN_SIZE <= index <= MAX_SIZE:
        low, high = MIN_SIZE, MAX_SIZE
        raise SizeError(f"board size {quoted(size)} is not possible: sizes are whole numbers from {low} to {high}")
    return index


def check_color(color: SupportsIndex) -> int:
    """`color` as an int; an ArgumentError if it is neither `BLACK` nor `WHITE`."""
    index = whole_number(color)
    if index != BLACK and index != WHITE:
        raise ArgumentError(f"color {quoted(color)} cannot move: colors are BLACK (1) and WHITE (2)")
    return index


def opponent(color: int) -> int:
    """The other colour."""
    return BLACK + WHITE - color
