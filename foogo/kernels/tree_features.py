"""What a move looks like: the features that its prior is learnt from, each a place in one table of weights.

A move has one feature of each of the groups below, but eight of `KNIGHT`; a pass has `PASSING` and no other. Bodies of
stones are counted as one, two or three and more.

==============  ====================================================================================================
group           what its features tell apart
==============  ====================================================================================================
`PLACE`         the lines from two edges, up to the fifth, whichever is nearer first; whether a stone is within
                three steps
`LAST`          the gridcular distance to the last move, up to 17; or that there is none
`BEFORE`        the same of the move before it, one of the mover's
`CAPTURE`       how many stones it captures; the last move among them; whether that brings a string out of atari
`ESCAPE`        the stones of the largest own string that it joins in atari; the liberties it has then, up to 3
`LIBERTIES`     the liberties of the string it makes, up to 4, points beside the move that it captures among them;
                with one also how many stones, up to 6; with or without a capture
`ATARI`         the stones of the largest string that it puts in atari; the last move among those; whether its own
                string has two liberties then
`CHASE`         the stones of the largest string that it leaves two liberties; the last move among those
`THREATENED`    the stones of the largest own string with two liberties that it joins; the liberties then, up to 4;
                whether the last move is next to one
`CROSS`         its four neighbours: empty, edge, or a stone of either player with 1, 2, or more liberties
`KNIGHT`        at each of the eight knight's moves, south, west, east, north, in each the lower side first: that point
                and the three between, as a square, row by row from the south-west
`SHAPE`         its eight neighbours
`PASSING`       that it is a pass
==============  ====================================================================================================

Colours are the mover's and the other's. `foogo.search.learnt` knows which places of `CROSS`, `SHAPE` and `KNIGHT` are
one feature, turned or mirrored, and has the weights.

References
----------
R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007, for the kinds of features.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from foogo.geometry import EMPTY
from foogo.kernels import strings as s
from foogo.kernels.bits import lowest, population
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import halfwords, longs, words
from foogo.kernels.positions import suicide_kind
from foogo.kernels.tree_moves import is_open
from foogo.kernels.tree_survey import is_lonely, liberties_at, made_at, survey, window

PLACE, LAST, BEFORE, CAPTURE, ESCAPE, LIBERTIES, ATARI, CHASE, THREATENED, CROSS, SHAPE, KNIGHT, PASSING = range(13)
KNIGHTS, BLOCK = 8, 1 << 8
"""Knight's moves from a point, and contents of four points."""

PLACES = (30, 17, 17, 13, 10, 18, 13, 7, 19, 1 << 12, 1 << 16, KNIGHTS * BLOCK, 1)
"""Places of each group in the table."""

AT = (0, *accumulate(PLACES))
"""Where each group begins; at the end, how long the table is."""

FEATURES = KNIGHT + KNIGHTS
"""Features of a move."""

LINES, FURTHEST = 5, 16
ABSENT = -9
"""Row and column of no move."""

NEXT_TO = 0x1144
"""The lower bits of the four neighbours among the eight."""


@kernel(inline=True)
def place_of(size, cell):
    """Row and column of a cell; (`ABSENT`, `ABSENT`) of none."""
    if cell <= s.PASSED:
        return ABSENT, ABSENT
    row = cell // (size + 1)
    return row - 1, cell - row * (size + 1) - 1


@kernel
def describe(cells, size, color, cell, place, last, last_place, before_place, notes, found):
    """Write the `FEATURES` of a legal move of `color` to ``found``, as places in the table.

    Parameters
    ----------
    cells
        Of the board (`foogo.kernels.strings`), which `notes` is a `foogo.kernels.tree_survey.survey` of.
    cell, place
        The move, as a cell and as its row and column.
    last
        The cell of the last move, or `strings.NOWHERE` or `PASSED`.
    last_place, before_place
        `place_of` the last move and the one before.
    found
        A pointer to `FEATURES` int64.
    """
    row, column = place
    around = _tell_surroundings(size, row, column, notes, found)
    found[PLACE] = AT[PLACE] + 2 * _lines(size, row, column) + is_lonely(size, notes, row, column)
    found[LAST] = AT[LAST] + _distance(row, column, last_place)
    found[BEFORE] = AT[BEFORE] + _distance(row, column, before_place)
    if (around ^ (around >> 1)) & NEXT_TO:
        _tell_strings(cells, size, color, cell, last, notes, found)
    else:
        _tell_no_strings(around, found)


@kernel(inline=True)
def _tell_surroundings(size, row, column, notes, found):
    """The features of `SHAPE` and `KNIGHT`; the shape."""
    lowest_row, low = window(size, notes, row, column, -2), window(size, notes, row, column, -1)
    here, high = window(size, notes, row, column, 0), window(size, notes, row, column, 1)
    highest = window(size, notes, row, column, 2)
    around = (low >> 2 & 63) | (here >> 2 & 3) << 6 | (here >> 6 & 3) << 8 | (high >> 2 & 63) << 10
    found[SHAPE] = AT[SHAPE] + around
    found[KNIGHT] = AT[KNIGHT] + _block(lowest_row, low, 2)
    found[KNIGHT + 1] = AT[KNIGHT] + (1 * BLOCK + _block(lowest_row, low, 4))
    found[KNIGHT + 2] = AT[KNIGHT] + (2 * BLOCK + _block(low, here, 0))
    found[KNIGHT + 3] = AT[KNIGHT] + (3 * BLOCK + _block(here, high, 0))
    found[KNIGHT + 4] = AT[KNIGHT] + (4 * BLOCK + _block(low, here, 6))
    found[KNIGHT + 5] = AT[KNIGHT] + (5 * BLOCK + _block(here, high, 6))
    found[KNIGHT + 6] = AT[KNIGHT] + (6 * BLOCK + _block(high, highest, 2))
    found[KNIGHT + 7] = AT[KNIGHT] + (7 * BLOCK + _block(high, highest, 4))
    return around


@kernel(inline=True)
def _block(low, high, shift):
    """Two points of each of two windows, the lower left one first: two bits each."""
    return (low >> shift & 15) | (high >> shift & 15) << 4


@kernel(inline=True)
def _tell_no_strings(around, found):
    """The features that `_tell_strings` would find of a move without a stone next to it."""
    south, west, east, north = around >> 2 & 1, around >> 6 & 1, around >> 8 & 1, around >> 12 & 1
    freedom = 4 - south - west - east - north
    found[CAPTURE], found[ESCAPE], found[ATARI] = AT[CAPTURE], AT[ESCAPE], AT[ATARI]
    found[CHASE], found[THREATENED] = AT[CHASE], AT[THREATENED]
    found[LIBERTIES] = AT[LIBERTIES] + (4 + freedom if freedom > 1 else 0)
    found[CROSS] = AT[CROSS] + (south | west << 3 | north << 6 | east << 9)


@kernel(inline=True)
def _lines(size, row, column):
    """A number for the lines from the two nearest edges, the same for points that are one turned or mirrored."""
    one = min(row, size - 1 - row, LINES - 1)
    other = min(column, size - 1 - column, LINES - 1)
    return max(one, other) * (max(one, other) + 1) // 2 + min(one, other)


@kernel(inline=True)
def _distance(row, column, place):
    """0 if there is no other place, else the gridcular distance less one, up to `FURTHEST`."""
    if place[0] == ABSENT:
        return 0
    across, along = abs(row - place[0]), abs(column - place[1])
    return min(across + along + max(across, along) - 1, FURTHEST)


@kernel(inline=True)
def _body(stones):
    """0, 1 or 2: one stone, two, more."""
    return min(stones, 3) - 1


@kernel
def _tell_strings(cells, size, color, cell, last, notes, found):
    """The features that strings and their liberties decide, from `CAPTURE` to `CROSS`."""
    span, stride, set_words = s.span_of(size), size + 1, s.words_of(size)
    made = made_at(size)
    for w in range(set_words):
        notes[made + w] = np.uint64(0)
    last_head = np.int64(cells[s.HEAD * span + last]) if last > s.PASSED else -1
    stones, captured, escaping, threatened, tried, chased = 1, 0, 0, 0, 0, 0
    takes_last = tries_last = chases_last = rescues = is_pressed = False
    cross = 0
    for i in range(4):
        near = s.neighbor(cell, stride, i)
        content = cells[s.COLOR * span + near]
        turn = 3 * (i ^ (i >> 1))  # south, west, north, east
        if content == EMPTY:
            s.include(notes, made, size, near)
            continue
        if content == s.BORDER:
            cross |= 1 << turn
            continue
        head = np.int64(cells[s.HEAD * span + near])
        body, free = np.int64(cells[s.STONES * span + head]), np.int64(notes[head])
        cross |= ((2 if content == color else 5) + min(free, 3) - 1) << turn
        if content != color and free == 1:
            s.include(notes, made, size, near)
        is_seen = False
        for j in range(i):
            is_seen |= cells[s.HEAD * span + s.neighbor(cell, stride, j)] == head
        if is_seen:
            continue
        if content == color:
            stones += body
            for w in range(set_words):
                notes[made + w] |= notes[liberties_at(size, head) + w]
            if free == 1:
                escaping = max(escaping, body)
            elif free == 2:
                threatened = max(threatened, body)
                is_pressed |= last_head >= 0 and _touches(cells, size, last, head)
        elif free == 1:
            captured += body
            takes_last |= head == last_head
            rescues |= _holds(cells, size, color, near, notes)
        elif free == 2:
            tried = max(tried, body)
            tries_last |= head == last_head
        elif free == 3:
            chased = max(chased, body)
            chases_last |= head == last_head
    s.exclude(notes, made, size, cell)
    freedom = 0
    for w in range(set_words):
        freedom += population(notes[made + w])
    found[CAPTURE] = AT[CAPTURE] + (1 + 4 * _body(captured) + 2 * takes_last + rescues if captured else 0)
    found[ESCAPE] = AT[ESCAPE] + (1 + 3 * _body(escaping) + min(max(freedom, 1), 3) - 1 if escaping else 0)
    width = min(stones, 6) - 1 if freedom <= 1 else 4 + min(freedom, 4)
    found[LIBERTIES] = AT[LIBERTIES] + 9 * (captured > 0) + width
    found[ATARI] = AT[ATARI] + (1 + 4 * _body(tried) + 2 * tries_last + (freedom > 1) if tried else 0)
    found[CHASE] = AT[CHASE] + (1 + 2 * _body(chased) + chases_last if chased else 0)
    grown = min(max(freedom, 2), 4) - 2
    found[THREATENED] = AT[THREATENED] + (1 + 6 * _body(threatened) + 2 * grown + is_pressed if threatened else 0)
    found[CROSS] = AT[CROSS] + cross


@kernel(inline=True)
def _touches(cells, size, cell, head):
    """Whether a neighbour of a cell belongs to the string."""
    found = False
    for i in range(4):
        found |= cells[s.HEAD * s.span_of(size) + s.neighbor(cell, size + 1, i)] == head
    return found


@kernel
def _holds(cells, size, color, cell, notes):
    """Whether the string on `cell` is next to one of `color` in atari."""
    span, stride, stone, found = s.span_of(size), size + 1, np.int64(cell), False
    for _ in range(cells[s.STONES * span + cells[s.HEAD * span + cell]]):
        for i in range(4):
            near = s.neighbor(stone, stride, i)
            if cells[s.COLOR * span + near] == color:
                found |= notes[np.int64(cells[s.HEAD * span + near])] == 1
        stone = np.int64(cells[s.NEXT * span + stone])
    return found


@kernel
def features(state, size, color, ko, last, before, scratch, points, found):
    """The features of every move that a search would look at, suicide and superko aside; how many those are.

    Parameters
    ----------
    state
        Of the board.
    scratch
        `foogo.kernels.tree_survey.note_words` uint64.
    points, found
        Filled: int64 (points,), the moves; int64 (points, `FEATURES`).
    """
    board, cells = words(state), halfwords(state)
    last_place, before_place = place_of(size, last), place_of(size, before)
    notes = words(scratch)
    survey(cells, size, color, notes)
    count = 0
    for w in range(s.words_of(size)):
        word = board[s.candidates_at(size, color) + w]
        while word:
            cell = 64 * w + lowest(word) + size + 2
            word &= word - np.uint64(1)
            if cell != ko and is_open(suicide_kind(cells, size, color, cell), False):
                points[count] = s.point_of(size, cell)
                describe(
                    cells, size, color, cell, place_of(size, cell), last, last_place, before_place, notes,
                    longs(found[count]),
                )  # fmt: skip
                count += 1
    return count
