"""The scalar board: incremental strings, pseudo-liberties, ko and candidate sets, one game at a time.

The state of a board is one flat uint64 array, so a copy is one memory copy. It is laid out in sections:

=============  ========  ======================================================================
section        unit      what it holds
=============  ========  ======================================================================
fields         uint16    `FIELDS` numbers for each cell: ``cells[FIELD * span + cell]``
candidates     uint64    two sets of points, Black's and White's: empty and no eye of that colour
stuck          uint64    two sets: where Black (White) would commit suicide with a single stone
changed        uint64    one set, scratch of `positions.play`: the points to look at again
header         uint64    `KO` ... `HASH`
=============  ========  ======================================================================

The first two sections are all that a playout needs and all that it copies.

A *cell* is a point of the board with a border around it: ``(row + 1) * stride + col + 1`` with
``stride = size + 1``; one guard column serves both sides. A set keeps cell c in bit ``c - stride - 1``, so
bits are in point order and 9x9 takes two words, 19x19 six. Cell 0 and cell 1 are border and stand for
"no point" and "pass".

A string is named by the cell of one of its stones, its *head*. An empty or border cell is its own head,
so that liberties can be taken from and given to any neighbour without asking what is there. A pseudo-liberty
is a pair of a stone and an empty neighbour; a string is captured when it has none.

Functions here take `state` as a pointer to its words and `cells` as a pointer to its halfwords
(`foogo.core.pointers`); those of `foogo.game.kernels.positions` take the array.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels.neighbors import EMPTIES, ORTHOGONAL, count_placed, count_removed, enemy_eye, own_eye

# --- layout ------------------------------------------------------------------------------------------

COLOR, HEAD, NEXT, STONES, LIBERTIES, AROUND = range(6)
"""Fields of a cell. COLOR: EMPTY, BLACK, WHITE or `BORDER`. HEAD: its string. NEXT: the following stone of the
string, in a circle. STONES, LIBERTIES: of the string whose head this is, its stones and pseudo-liberties.
AROUND: its eight neighbours, counted; see `foogo.game.kernels.neighbors`."""
FIELDS = 6

BORDER = 3
"""The COLOR of a cell beyond the edge."""

MANY = 0x4000
"""The LIBERTIES of a cell that is no string: never zero, whatever its neighbours do."""

KO, KO_COLOR, TO_PLAY, LAST, MOVES, HASH = range(6)
"""The header. KO: the cell that simple ko forbids to KO_COLOR, or `NOWHERE`. LAST: the last move's cell,
`PASSED` or `NOWHERE`. MOVES: stones played and passes. HASH: Zobrist hash of the stones."""
HEADER = 6

NOWHERE, PASSED = 0, 1
REFUSED = -1
"""What `place` answers when the move is a suicide that is not allowed."""


@kernel(inline=True)
def span_of(size):
    """Cells of a board with its border, rounded up to a whole number of words."""
    return ((size + 2) * (size + 1) + 4) & ~3


@kernel(inline=True)
def words_of(size):
    """Words of a set."""
    return (size * (size + 1) + 62) >> 6


@kernel(inline=True)
def candidates_at(size, color):
    """Where the candidates of `color` begin, in words."""
    return FIELDS * (span_of(size) >> 2) + (color - 1) * words_of(size)


@kernel(inline=True)
def core_words(size):
    """Words of the part that a playout needs."""
    return candidates_at(size, 3)


@kernel(inline=True)
def stuck_at(size, color):
    """Where the single-stone suicides of `color` begin, in words."""
    return candidates_at(size, color + 2)


@kernel(inline=True)
def changed_at(size):
    """Where the scratch set begins, in words."""
    return candidates_at(size, 5)


@kernel(inline=True)
def header_at(size):
    """Where the header begins, in words."""
    return candidates_at(size, 6)


@kernel
def state_words(size):
    """Words of a whole state."""
    return header_at(size) + HEADER


@kernel(inline=True)
def cell_of(size, point):
    """The cell of a point."""
    return point + point // size + size + 2


@kernel(inline=True)
def point_of(size, cell):
    """The point of a cell of the board."""
    place = cell - size - 2
    return place - place // (size + 1)


@kernel(inline=True)
def neighbor(cell, stride, i):
    """The i-th of the four neighbours of a cell."""
    return cell - stride if i == 0 else cell - 1 if i == 1 else cell + 1 if i == 2 else cell + stride


@kernel(inline=True)
def include(state, first_word, size, cell):
    """Add `cell` to the set that begins at `first_word`."""
    place = cell - (size + 2)
    state[first_word + (place >> 6)] |= np.uint64(1) << np.uint64(place & 63)


@kernel(inline=True)
def exclude(state, first_word, size, cell):
    """Take `cell` out of the set that begins at `first_word`."""
    place = cell - (size + 2)
    state[first_word + (place >> 6)] &= ~(np.uint64(1) << np.uint64(place & 63))


@kernel(inline=True)
def beside(state, first_word, size, w):
    """The w-th word of the cells next to the set that begins at `first_word`, of those beyond the edge too."""
    one, stride, bits = np.uint64(1), np.uint64(size + 1), np.uint64(64)
    here = state[first_word + w]
    found = here << one | here >> one | here << stride | here >> stride
    if w:
        lower = state[first_word + w - 1]
        found |= lower >> (bits - one) | lower >> (bits - stride)
    if w + 1 < words_of(size):
        upper = state[first_word + w + 1]
        found |= upper << (bits - one) | upper << (bits - stride)
    return found


@kernel(inline=True)
def is_eye(around, color):
    """Whether an empty point with these AROUND counts is an eye of `color`."""
    mask, value = own_eye(color, 4)
    return (around & mask) == value


# --- placing and removing stones ----------------------------------------------------------------------


@kernel(inline=True)
def _lower(cells, span, cell, color):
    """Take one pseudo-liberty from the string on `cell`; its head if it has that colour, else 0."""
    head = np.int64(cells[HEAD * span + cell])
    cells[LIBERTIES * span + head] -= np.uint16(1)
    return head & -np.int64(cells[COLOR * span + cell] == color)


@kernel(inline=True)
def _may_starve(cells, span, cell):
    """Whether the string on `cell` has so few pseudo-liberties that they may all be one point."""
    return cells[LIBERTIES * span + cells[HEAD * span + cell]] <= 4


@kernel(inline=True)
def _starved(cells, span, cell):
    """Whether `cell` holds a stone whose string has no liberty."""
    return cells[LIBERTIES * span + cells[HEAD * span + cell]] == 0


@kernel(inline=True)
def _raise(cells, span, cell):
    """Give one pseudo-liberty to the string on `cell`."""
    cells[LIBERTIES * span + cells[HEAD * span + cell]] += np.uint16(1)


@kernel(inline=True)
def _starved_of(cells, span, cell, color):
    """Whether `cell` holds a stone of `color` whose string has no liberty."""
    return (cells[COLOR * span + cell] == color) & (cells[LIBERTIES * span + cells[HEAD * span + cell]] == 0)


@kernel(inline=True)
def _breathes(cells, span, cell, color):
    """Whether `cell` holds a stone of `color` whose string has a liberty."""
    return (cells[COLOR * span + cell] == color) & (cells[LIBERTIES * span + cells[HEAD * span + cell]] != 0)


@kernel(inline=True)
def _matches(cells, span, cell, pattern):
    return (cells[AROUND * span + cell] & pattern[0]) == pattern[1]


@kernel
def _see_placed(state, cells, size, color, cell):
    """Take new eyes next to the `color` stone on `cell` from the candidates; give back the eyes it broke."""
    span, stride = span_of(size), size + 1
    new, broken = own_eye(color, 4), enemy_eye(color, 2)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if _matches(cells, span, near, new):
            exclude(state, candidates_at(size, color), size, near)
        far = cell + (stride if i < 2 else -stride) + (1 if i & 1 else -1)
        if _matches(cells, span, far, broken):
            include(state, candidates_at(size, 3 - color), size, far)


@kernel
def _see_removed(state, cells, size, color, cell):
    """Give back the eyes that needed the `color` stone from `cell`; take what it kept from being an eye."""
    span, stride = span_of(size), size + 1
    broken, new = own_eye(color, 3), enemy_eye(color, 1)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if _matches(cells, span, near, broken):
            include(state, candidates_at(size, color), size, near)
        far = cell + (stride if i < 2 else -stride) + (1 if i & 1 else -1)
        if _matches(cells, span, far, new):
            exclude(state, candidates_at(size, 3 - color), size, far)


@kernel
def remove_string(state, cells, size, color, head):
    """Take the string of `color` with that head off the board; its number of stones."""
    span, stride = span_of(size), size + 1
    stones = np.int64(cells[STONES * span + head])
    stone = np.int64(head)
    for _ in range(stones):
        following = np.int64(cells[NEXT * span + stone])
        _remove_stone(state, cells, size, span, stride, color, stone)
        stone = following
    return stones


@kernel(inline=True)
def _remove_stone(state, cells, size, span, stride, color, cell):
    east, west, north, south = cell + 1, cell - 1, cell + stride, cell - stride
    cells[COLOR * span + cell] = EMPTY
    _raise(cells, span, east)
    _raise(cells, span, west)
    _raise(cells, span, north)
    _raise(cells, span, south)
    cells[HEAD * span + cell] = cell
    cells[NEXT * span + cell] = cell
    cells[STONES * span + cell] = 0
    cells[LIBERTIES * span + cell] = MANY
    if count_removed(cells, AROUND * span + cell, stride, color):
        _see_removed(state, cells, size, color, cell)
    around = np.int64(cells[AROUND * span + cell])
    if not is_eye(around, BLACK):
        include(state, candidates_at(size, BLACK), size, cell)
    if not is_eye(around, WHITE):
        include(state, candidates_at(size, WHITE), size, cell)


@kernel(inline=True)
def _merge(cells, span, head, other):
    """Make the strings with these heads one; its head."""
    if cells[STONES * span + head] < cells[STONES * span + other]:
        head, other = other, head
    stone = other
    for _ in range(cells[STONES * span + other]):
        cells[HEAD * span + stone] = head
        stone = np.int64(cells[NEXT * span + stone])
    after = cells[NEXT * span + head]
    cells[NEXT * span + head] = cells[NEXT * span + other]
    cells[NEXT * span + other] = after
    cells[STONES * span + head] += cells[STONES * span + other]
    cells[LIBERTIES * span + head] += cells[LIBERTIES * span + other]
    return head


@kernel(inline=True)
def place(state, cells, size, color, cell, suicide):
    """Play `color` on the empty `cell`; the cell that simple ko now forbids, `NOWHERE`, or `REFUSED`.

    Only suicide is looked for: of one stone always refused, of more stones refused unless `suicide`. A
    refused move changes nothing.
    """
    span, stride, enemy = span_of(size), size + 1, 3 - color
    east, west, north, south = cell + 1, cell - 1, cell + stride, cell - stride
    around = np.int64(cells[AROUND * span + cell])
    empties = around >> EMPTIES
    # Most refused moves are found here, before anything is written.
    surrounded = ((around >> ORTHOGONAL + 3 * (enemy - 1)) & 7) == 4
    if surrounded and not (
        _may_starve(cells, span, east)
        | _may_starve(cells, span, west)
        | _may_starve(cells, span, north)
        | _may_starve(cells, span, south)
    ):
        return REFUSED
    own_east = _lower(cells, span, east, color)
    own_west = _lower(cells, span, west, color)
    own_north = _lower(cells, span, north, color)
    own_south = _lower(cells, span, south, color)
    head = max(max(own_east, own_west), max(own_north, own_south))
    starved = (
        _starved(cells, span, east)
        | _starved(cells, span, west)
        | _starved(cells, span, north)
        | _starved(cells, span, south)
    )
    captures, suicidal = False, False
    if starved:
        captures = (
            _starved_of(cells, span, east, enemy)
            | _starved_of(cells, span, west, enemy)
            | _starved_of(cells, span, north, enemy)
            | _starved_of(cells, span, south, enemy)
        )
    if empties == 0 and not captures:
        suicidal = not (
            _breathes(cells, span, east, color)
            | _breathes(cells, span, west, color)
            | _breathes(cells, span, north, color)
            | _breathes(cells, span, south, color)
        )
        if suicidal and (head == 0 or not suicide):
            _raise(cells, span, east)
            _raise(cells, span, west)
            _raise(cells, span, north)
            _raise(cells, span, south)
            return REFUSED
    # The stone joins the string `head`, or becomes one.
    cells[COLOR * span + cell] = color
    liberties = np.int64(cells[LIBERTIES * span + head]) & -np.int64(head != 0)
    head = head if head != 0 else cell
    cells[HEAD * span + cell] = head
    following = cells[NEXT * span + head]
    cells[NEXT * span + head] = cell
    cells[NEXT * span + cell] = following
    cells[STONES * span + head] += np.uint16(1)
    cells[LIBERTIES * span + head] = liberties + empties
    if (
        ((own_east != 0) & (own_east != head))
        | ((own_west != 0) & (own_west != head))
        | ((own_north != 0) & (own_north != head))
        | ((own_south != 0) & (own_south != head))
    ):
        head = _merge_all(cells, span, stride, color, cell, head)
    exclude(state, candidates_at(size, BLACK), size, cell)
    exclude(state, candidates_at(size, WHITE), size, cell)
    if count_placed(cells, AROUND * span + cell, stride, color):
        _see_placed(state, cells, size, color, cell)
    ko = NOWHERE
    if captures:
        captured, last = 0, 0
        for i in range(4):
            near = neighbor(cell, stride, i)
            if _starved_of(cells, span, near, enemy):
                captured += remove_string(state, cells, size, enemy, np.int64(cells[HEAD * span + near]))
                last = near
        if surrounded and captured == 1:
            ko = last
    elif suicidal:
        remove_string(state, cells, size, color, head)
    return ko


@kernel(inline=True)
def _merge_all(cells, span, stride, color, cell, head):
    """Merge the string `head` with those of `color` next to `cell`; the head of the whole."""
    for i in range(4):
        near = neighbor(cell, stride, i)
        other = np.int64(cells[HEAD * span + near])
        if cells[COLOR * span + near] == color and other != head:
            head = _merge(cells, span, head, other)
    return head
