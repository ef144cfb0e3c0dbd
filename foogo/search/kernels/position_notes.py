"""Facts about a position that the features of its moves share: strings, their liberties, rows and lonely points.

Each fact is computed once per position. The notes are words (uint64) in this
order, where `span` is the number of cells of the board and W the number of words of a set:

=============  ==============  ======================================================================================
where          words           what
=============  ==============  ======================================================================================
0              span            at the head of a string its marks, see below; at an empty cell 0, at the border `EDGE`
`reach_at`     W * span        per word of a set, per cell: at the head of a string of the player to move, the
                               string's liberties; at an empty cell, that cell; elsewhere nothing
`empties_at`   W               the empty points
`string_at`    W               scratch: a string
`heads_at`     span            scratch: the heads of all strings
`rows_at`      size + 4        each row and two beyond either edge, as the player to move sees them: two bits per
                               point, two points beyond either edge; 0 empty, 1 own, 2 the other's, 3 beyond the edge
`lonely_at`    size            per row: 1 at the points without a stone within three steps
=============  ==============  ======================================================================================

A string's marks determine the features of a move next to it. The marks of all neighbours of a move are combined by
``|``. The lowest bits, `SIDE`, are a neighbour's part of the feature `CROSS` (`foogo.search.kernels.features`). The
marks above them are, for the player's own strings,

=============  ========================================================================================================
`ESCAPING`     in atari: three bits, one set for each stone up to three
`SHORT`        with two liberties: three bits for its stones
`PRESSED`      with two liberties, and the last move is next to it
=============  ========================================================================================================

and for the other player's strings,

=============  ========================================================================================================
`TAKEN`        in atari
`TAKEN_LAST`   in atari, and the last move is one of its stones
`RESCUES`      in atari, and next to a string of the player's in atari
`TRIED`        with two liberties: three bits for its stones
`TRIED_LAST`   with two liberties, and the last move is one of its stones
`CHASED`       with three liberties: three bits for its stones
`CHASED_LAST`  with three liberties, and the last move is one of its stones
=============  ========================================================================================================

From bit `KIND` on, any string, empty cell or border has its kind: one of `KINDS` numbers, see `kind_of_string`.
"""

from __future__ import annotations

import numpy as np

from foogo.core.bits import population
from foogo.core.jit import kernel
from foogo.game.geometry import BLACK, EMPTY
from foogo.game.kernels import strings as s

STEPS_AROUND = 3
"""A point is lonely if it has no stone within this distance."""

MARGIN = 2
"""Rows and columns beyond an edge."""

LOW_BITS = np.uint64(0x5555555555555555)

EDGE, OWN_STRING, OTHER_STRING = 1, 2, 5
"""The lowest bits of marks: of the border, and of strings in atari. Add 1 for two liberties, 2 for more."""
SIDE = 7
"""A mask of the lowest bits."""
ESCAPING, SHORT, PRESSED, TAKEN, TAKEN_LAST, RESCUES, TRIED, TRIED_LAST, CHASED, CHASED_LAST = (
    3, 6, 9, 10, 11, 12, 13, 16, 17, 20,
)  # fmt: skip
"""The bit of each mark; for a mark of three bits, the lowest one."""

KIND, KINDS, EDGE_KIND = 24, 32, 1
"""The bit at which a kind begins; the number of kinds; the kind of the border. Empty cells are of kind 0."""
MOST_FREE, MOST_STONES = 5, 3
"""Liberties and stones from which on strings are of the same kind."""


@kernel(inline=True)
def reach_at(size, w):
    """The index of the w-th words of the cells' reach."""
    return s.span_of(size) * (1 + w)


@kernel(inline=True)
def empties_at(size):
    """The index of the set of empty points."""
    return reach_at(size, s.words_of(size))


@kernel(inline=True)
def string_at(size):
    """The index of the scratch set."""
    return empties_at(size) + s.words_of(size)


@kernel(inline=True)
def heads_at(size):
    """The index of the heads of all strings."""
    return string_at(size) + s.words_of(size)


@kernel(inline=True)
def rows_at(size):
    """The index of the row two below the lowest row of the board."""
    return heads_at(size) + s.span_of(size)


@kernel(inline=True)
def lonely_at(size):
    """The index of the lonely points of the lowest row."""
    return rows_at(size) + size + 2 * MARGIN


def note_words(size: int) -> int:
    """The number of words of the notes: see the table above."""
    span, set_words = s.span_of.py_func(size), s.words_of.py_func(size)
    return (2 + set_words) * span + 2 * set_words + (size + 2 * MARGIN) + size


@kernel
def take_notes(cells, size, color, last, notes):
    """Take the notes of a position with `color` to move.

    `last` is the cell of the last move (see `foogo.search.kernels.moves.MoveContext`); `notes` points to `note_words`
    words.
    """
    _note_cells(cells, size, notes)
    _note_strings(cells, size, color, last, notes)
    _write_rows(cells, size, color, notes)
    _find_lonely(size, notes)


@kernel(inline=True)
def _note_cells(cells, size, notes):
    """Note the marks and the reach of empty cells and of the border."""
    span, first = s.span_of(size), s.COLOR * s.span_of(size)
    for cell in range(span):
        notes[cell] = np.uint64(cells[first + cell] == s.BORDER) * np.uint64(EDGE | EDGE_KIND << KIND)
    for w in range(s.words_of(size)):
        at, empties = reach_at(size, w), np.uint64(0)
        for cell in range(span):
            place = cell - (size + 2) - 64 * w
            is_here = (cells[first + cell] == EMPTY) & (place >= 0) & (place < 64)
            bit = np.uint64(is_here) << np.uint64(place & 63)
            notes[at + cell] = bit
            empties |= bit
        notes[empties_at(size) + w] = empties


@kernel(inline=True)
def _note_strings(cells, size, color, last, notes):
    """Note the marks of strings, and the reach of those of `color`."""
    span, heads, count = s.span_of(size), heads_at(size), 0
    # Every cell is written, and counted only if it is a head: a branch here would often be mispredicted.
    for cell in range(size + 2, size + 2 + size * (size + 1)):
        notes[heads + count] = np.uint64(cell)
        is_stone = np.uint64(cells[s.COLOR * span + cell] - 1) < np.uint64(2)
        count += is_stone & (cells[s.HEAD * span + cell] == cell)
    last_head = np.int64(cells[s.HEAD * span + last]) if last > s.PASSED else s.NOWHERE
    has_own_atari = False
    for i in range(count):
        head = np.int64(notes[heads + i])
        is_own = cells[s.COLOR * span + head] == color
        free = _count_liberties(cells, size, head, is_own, notes)
        stones = min(np.int64(cells[s.STONES * span + head]), 3)
        marks, body, is_last = min(free, 3) - 1, (1 << stones) - 1, np.int64(head == last_head)
        if is_own:
            marks += OWN_STRING
            if free <= 2:
                marks |= body << (ESCAPING if free == 1 else SHORT)
                has_own_atari |= free == 1
        else:
            marks += OTHER_STRING
            if free == 1:
                marks |= 1 << TAKEN | is_last << TAKEN_LAST
            elif free <= 3:
                marks |= body << (TRIED if free == 2 else CHASED)
                marks |= is_last << (TRIED_LAST if free == 2 else CHASED_LAST)
        notes[head] = np.uint64(marks | kind_of_string(is_own, free, stones) << KIND)
    if last > s.PASSED:
        for i in range(4):
            head = np.int64(cells[s.HEAD * span + s.neighbor(last, size + 1, i)])
            marks = notes[head]
            notes[head] = marks | ((marks >> np.uint64(SHORT)) & np.uint64(1)) << np.uint64(PRESSED)
    if has_own_atari:
        for i in range(count):
            head = np.int64(notes[heads + i])
            if (notes[head] >> np.uint64(TAKEN)) & np.uint64(1) and _rescues(cells, size, head, notes):
                notes[head] |= np.uint64(1 << RESCUES)


@kernel(inline=True)
def kind_of_string(is_own, free, stones):
    """The kind of a string: whose it is, its liberties up to `MOST_FREE`, and its stones up to `MOST_STONES`."""
    owner = 0 if is_own else 1
    return 2 + (owner * MOST_FREE + min(free, MOST_FREE) - 1) * MOST_STONES + min(stones, MOST_STONES) - 1


@kernel(inline=True)
def _count_liberties(cells, size, head, is_own, notes):
    """Count the liberties of a string, and note them as its reach if it is the player's."""
    span, set_words, string = s.span_of(size), s.words_of(size), string_at(size)
    for w in range(set_words):
        notes[string + w] = np.uint64(0)
    stone = head
    for _ in range(cells[s.STONES * span + head]):
        s.include(notes, string, size, stone)
        stone = np.int64(cells[s.NEXT * span + stone])
    free = 0
    for w in range(set_words):
        liberties = s.beside(notes, string, size, w) & notes[empties_at(size) + w]
        free += population(liberties)
        notes[reach_at(size, w) + head] = liberties if is_own else np.uint64(0)
    return free


@kernel
def _rescues(cells, size, head, notes):
    """Whether the string with that head is next to a string of the player to move that is in atari."""
    span, stone, found = s.span_of(size), np.int64(head), np.uint64(0)
    for _ in range(cells[s.STONES * span + head]):
        for i in range(4):
            found |= notes[np.int64(cells[s.HEAD * span + s.neighbor(stone, size + 1, i)])]
        stone = np.int64(cells[s.NEXT * span + stone])
    return (found >> np.uint64(ESCAPING)) & np.uint64(1)


@kernel(inline=True)
def _write_rows(cells, size, color, notes):
    """Note the rows as the player to move sees them."""
    at, beyond = rows_at(size), np.uint64((1 << 2 * (size + 2 * MARGIN)) - 1)
    edges = np.uint64(15) | np.uint64(15) << np.uint64(2 * (size + MARGIN))
    notes[at] = notes[at + 1] = notes[at + MARGIN + size] = notes[at + MARGIN + size + 1] = beyond
    for row in range(size):
        first, contents = s.COLOR * s.span_of(size) + s.cell_of(size, row * size), np.uint64(0)
        for column in range(size):
            contents |= np.uint64(cells[first + column]) << np.uint64(2 * column)
        if color != BLACK:  # exchange the two bits of each point
            contents = ((contents >> np.uint64(1)) & LOW_BITS) | ((contents & LOW_BITS) << np.uint64(1))
        notes[at + MARGIN + row] = edges | contents << np.uint64(2 * MARGIN)


@kernel(inline=True)
def _find_lonely(size, notes):
    """Note the lonely points: stones are spread over the row by the steps that are left after those up or down."""
    rows, at = rows_at(size) + MARGIN, lonely_at(size)
    for row in range(size):
        near = np.uint64(0)
        for up in range(-STEPS_AROUND, STEPS_AROUND + 1):
            if not 0 <= row + up < size:
                continue
            contents = notes[rows + row + up]
            stones = (contents ^ (contents >> np.uint64(1))) & LOW_BITS
            for _ in range(STEPS_AROUND - abs(up)):
                stones |= stones << np.uint64(2) | stones >> np.uint64(2)
            near |= stones
        notes[at + row] = ~near & LOW_BITS


@kernel(inline=True)
def row_from(size, notes, row, column):
    """A row, two bits per point, from two points left of `column` on."""
    return notes[rows_at(size) + MARGIN + row] >> np.uint64(2 * column)


@kernel(inline=True)
def lonely_from(size, notes, row, column):
    """The lonely points of a row from `column` on, two bits per point."""
    return notes[lonely_at(size) + row] >> np.uint64(2 * (column + MARGIN))
