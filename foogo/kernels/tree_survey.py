"""What is noted of a position before its moves are looked at: liberties of strings, rows of colours, lonely points.

The notes are words (uint64) in this order, with `span` the cells of the board and W the words of a set:

=============  ==============  ======================================================================================
where          words           what
=============  ==============  ======================================================================================
0              span            at the head of a string: how many liberties it has
`span`         span * W        at the head of a string: the set of its liberties
`made_at`      W               scratch: the liberties of the string that a move makes
`rows_at`      size + 4        each row, and two beyond either edge, as the player to move sees it: two bits a point,
                               two points beyond either edge; 0 empty, 1 own, 2 the other's, 3 beyond the edge
`lonely_at`    size            each row: 1 at the points that have no stone within three steps
=============  ==============  ======================================================================================
"""

from __future__ import annotations

import numpy as np

from foogo.geometry import BLACK, EMPTY
from foogo.kernels import strings as s
from foogo.kernels.bits import population
from foogo.kernels.jit import kernel

STEPS_AROUND = 3
"""How far from a move its surroundings must be empty for it to be lonely."""

MARGIN = 2
"""Rows and columns beyond an edge."""

LOW_BITS = np.uint64(0x5555555555555555)


@kernel(inline=True)
def liberties_at(size, head):
    """Where the liberties of a string are."""
    return s.span_of(size) + head * s.words_of(size)


@kernel(inline=True)
def made_at(size):
    """Where there is room for one set."""
    return s.span_of(size) * (1 + s.words_of(size))


@kernel(inline=True)
def rows_at(size):
    """Where the row two below the lowest is."""
    return made_at(size) + s.words_of(size)


@kernel(inline=True)
def lonely_at(size):
    """Where the lonely points of the lowest row are."""
    return rows_at(size) + size + 2 * MARGIN


@kernel(inline=True)
def note_words(size):
    """Words that the notes take."""
    return lonely_at(size) + size


@kernel
def survey(cells, size, color, notes):
    """Take the notes of a position in which `color` is to move; `notes` is a pointer to `note_words` words."""
    _count_liberties(cells, size, notes)
    _write_rows(cells, size, color, notes)
    _find_lonely(size, notes)


@kernel(inline=True)
def _count_liberties(cells, size, notes):
    span, stride, set_words = s.span_of(size), size + 1, s.words_of(size)
    for cell in range(size + 2, size + 2 + size * stride):
        color = cells[s.COLOR * span + cell]
        if color == EMPTY or color == s.BORDER or cells[s.HEAD * span + cell] != cell:
            continue
        at = liberties_at(size, cell)
        for w in range(set_words):
            notes[at + w] = np.uint64(0)
        stone = np.int64(cell)
        for _ in range(cells[s.STONES * span + cell]):
            for i in range(4):
                near = s.neighbor(stone, stride, i)
                if cells[s.COLOR * span + near] == EMPTY:
                    s.include(notes, at, size, near)
            stone = np.int64(cells[s.NEXT * span + stone])
        count = 0
        for w in range(set_words):
            count += population(notes[at + w])
        notes[cell] = np.uint64(count)


@kernel(inline=True)
def _write_rows(cells, size, color, notes):
    at, beyond = rows_at(size), np.uint64((1 << 2 * (size + 2 * MARGIN)) - 1)
    edges = np.uint64(15) | np.uint64(15) << np.uint64(2 * (size + MARGIN))
    notes[at] = notes[at + 1] = notes[at + MARGIN + size] = notes[at + MARGIN + size + 1] = beyond
    for row in range(size):
        first, contents = s.COLOR * s.span_of(size) + s.cell_of(size, row * size), np.uint64(0)
        for column in range(size):
            contents |= np.uint64(cells[first + column]) << np.uint64(2 * column)
        if color != BLACK:
            contents = ((contents >> np.uint64(1)) & LOW_BITS) | ((contents & LOW_BITS) << np.uint64(1))
        notes[at + MARGIN + row] = edges | contents << np.uint64(2 * MARGIN)


@kernel(inline=True)
def _find_lonely(size, notes):
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
def window(size, notes, row, column, up):
    """Five points of a row, two bits each: from two left of `column` on, in the row that is `up` rows above `row`."""
    return np.int64(notes[rows_at(size) + MARGIN + row + up] >> np.uint64(2 * column)) & 0x3FF


@kernel(inline=True)
def is_lonely(size, notes, row, column):
    """Whether no stone is within `STEPS_AROUND` steps of a point."""
    return np.int64(notes[lonely_at(size) + row] >> np.uint64(2 * (column + MARGIN))) & 1
