"""The scalar board: incremental strings, pseudo-liberties, ko and candidate sets, one game at a time.

The state of a board is one flat uint64 array, so copying a board is a single memory copy. Its sections are:

=============  ========  ======================================================================
section        unit      what it holds
=============  ========  ======================================================================
fields         uint16    `FIELDS` numbers per cell: ``cells[FIELD * span + cell]``
candidates     uint64    two sets, for Black and White: empty points that are not its eyes
suicides       uint64    two sets: points where Black (White) would commit single-stone suicide
changed        uint64    one set, scratch of `positions.play`: points whose suicides may change
header         uint64    `KO` ... `HASH`
=============  ========  ======================================================================

A playout needs, and copies, only the first two sections.

A *cell* is a point of the board with a border around it: ``(row + 1) * stride + col + 1`` with
``stride = size + 1``. One guard column serves both sides. A set keeps cell c in bit ``c - first_cell(size)``, so
bits are in point order: 9x9 takes two words, 19x19 six. Cells 0 and 1 are border cells and stand for
"no point" and "pass".

A string is identified by the cell of one of its stones, its *head*. An empty or border cell is its own head, so
the code can add or remove a liberty of any neighbour without a branch. A pseudo-liberty is a pair of a stone
and an empty neighbour; a string without pseudo-liberties is captured.

Functions here take `state` as a pointer to its words and `cells` as a pointer to its halfwords
(`foogo.core.pointers`); functions of `foogo.game.kernels.positions` take the array.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import neighbor_counts

# --- layout ------------------------------------------------------------------------------------------

COLOR, HEAD, NEXT, STONES, PSEUDO_LIBERTIES, NEIGHBORS = range(6)
"""Fields of a cell. COLOR: EMPTY, BLACK, WHITE or `BORDER`. HEAD: the head of its string. NEXT: the next stone of
the string, in a circular list. STONES, PSEUDO_LIBERTIES: the string's counts, kept at its head only. NEIGHBORS: the
counts of `foogo.game.kernels.neighbor_counts`."""
FIELDS = 6

BORDER = 3
"""The COLOR of a cell beyond the edge."""

MANY_LIBERTIES = 0x4000
"""The PSEUDO_LIBERTIES of an empty or border cell, so large that the count never reaches zero."""

KO, KO_COLOR, TO_PLAY, LAST, MOVES, HASH = range(6)
"""The header. KO: the cell that simple ko forbids to KO_COLOR, or `NOWHERE`. LAST: the last move's cell,
`PASSED` or `NOWHERE`. MOVES: stones played and passes. HASH: Zobrist hash of the stones."""
HEADER = 6

NOWHERE, PASSED = 0, 1
REFUSED = -1
"""What `place` returns for a suicide that is not allowed."""


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
    """The word offset of the candidates of `color`."""
    return FIELDS * (span_of(size) >> 2) + (color - 1) * words_of(size)


@kernel(inline=True)
def playout_words(size):
    """The number of words that a playout needs."""
    return candidates_at(size, 3)


@kernel(inline=True)
def suicides_at(size, color):
    """The word offset of the single-stone suicides of `color`."""
    return candidates_at(size, color + 2)


@kernel(inline=True)
def changed_at(size):
    """The word offset of the scratch set."""
    return candidates_at(size, 5)


@kernel(inline=True)
def header_at(size):
    """The word offset of the header."""
    return candidates_at(size, 6)


@kernel(inline=True)
def first_cell(size):
    """The cell of point 0, which is bit 0 of a set."""
    return size + 2


@kernel(inline=True)
def cell_of(size, point):
    """The cell of a point."""
    return point + point // size + first_cell(size)


@kernel(inline=True)
def point_of(size, cell):
    """The point of a cell of the board."""
    bit = cell - first_cell(size)
    return bit - bit // (size + 1)


@kernel(inline=True)
def cell_of_bit(size, w, bit):
    """The cell that a bit of the w-th word of a set stands for."""
    return 64 * w + bit + first_cell(size)


@kernel(inline=True)
def neighbor(cell, stride, i):
    """The i-th of the four neighbours of a cell: south, west, east, north."""
    return cell - stride if i == 0 else cell - 1 if i == 1 else cell + 1 if i == 2 else cell + stride


@kernel(inline=True)
def include(state, first_word, size, cell):
    """Add `cell` to the set that begins at `first_word`."""
    bit = cell - first_cell(size)
    state[first_word + (bit >> 6)] |= np.uint64(1) << np.uint64(bit & 63)


@kernel(inline=True)
def exclude(state, first_word, size, cell):
    """Remove `cell` from the set that begins at `first_word`."""
    bit = cell - first_cell(size)
    state[first_word + (bit >> 6)] &= ~(np.uint64(1) << np.uint64(bit & 63))


@kernel(inline=True)
def beside(state, first_word, size, w):
    """The w-th word of the cells next to the set that begins at `first_word`, border cells included."""
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


# --- placing and removing stones ----------------------------------------------------------------------


@kernel(inline=True)
def _take_liberty(cells, span, cell, color):
    """Remove one pseudo-liberty from the string on `cell`; returns its head if it is of `color`, else 0."""
    head = np.int64(cells[HEAD * span + cell])
    cells[PSEUDO_LIBERTIES * span + head] -= np.uint16(1)
    return head & -np.int64(cells[COLOR * span + cell] == color)


@kernel(inline=True)
def _may_be_in_atari(cells, span, cell):
    """Whether the string on `cell` has at most four pseudo-liberties, the most that a single liberty gives."""
    return cells[PSEUDO_LIBERTIES * span + cells[HEAD * span + cell]] <= 4


@kernel(inline=True)
def _has_no_liberty(cells, span, cell):
    """Whether `cell` has a stone, of either colour, whose string has no liberty."""
    return cells[PSEUDO_LIBERTIES * span + cells[HEAD * span + cell]] == 0


@kernel(inline=True)
def _give_liberty(cells, span, cell):
    """Add one pseudo-liberty to the string on `cell`."""
    cells[PSEUDO_LIBERTIES * span + cells[HEAD * span + cell]] += np.uint16(1)


@kernel(inline=True)
def _is_captured(cells, span, cell, color):
    """Whether `cell` has a stone of `color` whose string has no liberty."""
    return (cells[COLOR * span + cell] == color) & (cells[PSEUDO_LIBERTIES * span + cells[HEAD * span + cell]] == 0)


@kernel(inline=True)
def _has_liberty(cells, span, cell, color):
    """Whether `cell` has a stone of `color` whose string has a liberty."""
    return (cells[COLOR * span + cell] == color) & (cells[PSEUDO_LIBERTIES * span + cells[HEAD * span + cell]] != 0)


@kernel(inline=True)
def _diagonal(cell, stride, i):
    """The i-th of the four diagonals of a cell."""
    return cell + (stride if i < 2 else -stride) + (1 if i & 1 else -1)


@kernel(inline=True)
def _matches(cells, span, cell, pattern):
    """Whether the NEIGHBORS counts of `cell` match `pattern`, a mask and a value."""
    return (cells[NEIGHBORS * span + cell] & pattern[0]) == pattern[1]


@kernel
def _update_eyes_placed(state, cells, size, color, cell):
    """Update the candidates after a `color` stone was placed on `cell`: remove new eyes, add broken eyes."""
    span, stride = span_of(size), size + 1
    new, broken = neighbor_counts.own_eye(color, 4), neighbor_counts.enemy_eye(color, 2)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if _matches(cells, span, near, new):
            exclude(state, candidates_at(size, color), size, near)
        far = _diagonal(cell, stride, i)
        if _matches(cells, span, far, broken):
            include(state, candidates_at(size, 3 - color), size, far)


@kernel
def _update_eyes_removed(state, cells, size, color, cell):
    """Update the candidates after a `color` stone was removed from `cell`: add broken eyes, remove new eyes."""
    span, stride = span_of(size), size + 1
    broken, new = neighbor_counts.own_eye(color, 3), neighbor_counts.enemy_eye(color, 1)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if _matches(cells, span, near, broken):
            include(state, candidates_at(size, color), size, near)
        far = _diagonal(cell, stride, i)
        if _matches(cells, span, far, new):
            exclude(state, candidates_at(size, 3 - color), size, far)


@kernel
def remove_string(state, cells, size, color, head):
    """Remove the string of `color` with this head; returns its number of stones."""
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
    _give_liberty(cells, span, east)
    _give_liberty(cells, span, west)
    _give_liberty(cells, span, north)
    _give_liberty(cells, span, south)
    cells[HEAD * span + cell] = cell
    cells[NEXT * span + cell] = cell
    cells[STONES * span + cell] = 0
    cells[PSEUDO_LIBERTIES * span + cell] = MANY_LIBERTIES
    if neighbor_counts.count_removed(cells, NEIGHBORS * span + cell, stride, color):
        _update_eyes_removed(state, cells, size, color, cell)
    counts = np.int64(cells[NEIGHBORS * span + cell])
    if not neighbor_counts.is_eye(counts, BLACK):
        include(state, candidates_at(size, BLACK), size, cell)
    if not neighbor_counts.is_eye(counts, WHITE):
        include(state, candidates_at(size, WHITE), size, cell)


@kernel(inline=True)
def _merge(cells, span, head, other):
    """Merge the strings with these heads; returns the head of the result."""
    if cells[STONES * span + head] < cells[STONES * span + other]:
        head, other = other, head
    stone = other
    # The smaller string takes the head of the larger one; swapping two links joins the circles.
    for _ in range(cells[STONES * span + other]):
        cells[HEAD * span + stone] = head
        stone = np.int64(cells[NEXT * span + stone])
    after = cells[NEXT * span + head]
    cells[NEXT * span + head] = cells[NEXT * span + other]
    cells[NEXT * span + other] = after
    cells[STONES * span + head] += cells[STONES * span + other]
    cells[PSEUDO_LIBERTIES * span + head] += cells[PSEUDO_LIBERTIES * span + other]
    return head


@kernel(inline=True)
def place(state, cells, size, color, cell, suicide):
    """Play `color` on the empty `cell`; returns the cell that simple ko now forbids, `NOWHERE`, or `REFUSED`.

    Only suicide is refused: of one stone always, of several stones unless `suicide`. A refused move changes nothing.
    """
    span, stride, enemy = span_of(size), size + 1, 3 - color
    east, west, north, south = cell + 1, cell - 1, cell + stride, cell - stride
    counts = np.int64(cells[NEIGHBORS * span + cell])
    empties = counts >> neighbor_counts.EMPTY_BIT
    # Most refused moves end here, before anything is written.
    surrounded = ((counts >> neighbor_counts.ORTHOGONAL_BIT + 3 * (enemy - 1)) & 7) == 4
    if surrounded and not (
        _may_be_in_atari(cells, span, east)
        | _may_be_in_atari(cells, span, west)
        | _may_be_in_atari(cells, span, north)
        | _may_be_in_atari(cells, span, south)
    ):
        return REFUSED
    own_east = _take_liberty(cells, span, east, color)
    own_west = _take_liberty(cells, span, west, color)
    own_north = _take_liberty(cells, span, north, color)
    own_south = _take_liberty(cells, span, south, color)
    head = max(max(own_east, own_west), max(own_north, own_south))
    starved = (
        _has_no_liberty(cells, span, east)
        | _has_no_liberty(cells, span, west)
        | _has_no_liberty(cells, span, north)
        | _has_no_liberty(cells, span, south)
    )
    captures, suicidal = False, False
    if starved:
        captures = (
            _is_captured(cells, span, east, enemy)
            | _is_captured(cells, span, west, enemy)
            | _is_captured(cells, span, north, enemy)
            | _is_captured(cells, span, south, enemy)
        )
    if empties == 0 and not captures:
        suicidal = not (
            _has_liberty(cells, span, east, color)
            | _has_liberty(cells, span, west, color)
            | _has_liberty(cells, span, north, color)
            | _has_liberty(cells, span, south, color)
        )
        if suicidal and (head == 0 or not suicide):
            _give_liberty(cells, span, east)
            _give_liberty(cells, span, west)
            _give_liberty(cells, span, north)
            _give_liberty(cells, span, south)
            return REFUSED
    # The stone joins the string `head`, or forms a new string.
    cells[COLOR * span + cell] = color
    liberties = np.int64(cells[PSEUDO_LIBERTIES * span + head]) & -np.int64(head != 0)
    head = head if head != 0 else cell
    cells[HEAD * span + cell] = head
    following = cells[NEXT * span + head]
    cells[NEXT * span + head] = cell
    cells[NEXT * span + cell] = following
    cells[STONES * span + head] += np.uint16(1)
    cells[PSEUDO_LIBERTIES * span + head] = liberties + empties
    if (
        ((own_east != 0) & (own_east != head))
        | ((own_west != 0) & (own_west != head))
        | ((own_north != 0) & (own_north != head))
        | ((own_south != 0) & (own_south != head))
    ):
        head = _merge_all(cells, span, stride, color, cell, head)
    exclude(state, candidates_at(size, BLACK), size, cell)
    exclude(state, candidates_at(size, WHITE), size, cell)
    if neighbor_counts.count_placed(cells, NEIGHBORS * span + cell, stride, color):
        _update_eyes_placed(state, cells, size, color, cell)
    ko = NOWHERE
    if captures:
        captured, last = 0, 0
        for i in range(4):
            near = neighbor(cell, stride, i)
            if _is_captured(cells, span, near, enemy):
                captured += remove_string(state, cells, size, enemy, np.int64(cells[HEAD * span + near]))
                last = near
        if surrounded and captured == 1:
            ko = last
    elif suicidal:
        remove_string(state, cells, size, color, head)
    return ko


@kernel(inline=True)
def _merge_all(cells, span, stride, color, cell, head):
    """Merge the string `head` with the strings of `color` next to `cell`; returns the head of the result."""
    for i in range(4):
        near = neighbor(cell, stride, i)
        other = np.int64(cells[HEAD * span + near])
        if cells[COLOR * span + near] == color and other != head:
            head = _merge(cells, span, head, other)
    return head
