"""What a move looks like: the features that its prior is learnt from, each a place in one table of weights.

A move has one feature of each of the groups below, but eight of `KNIGHT`; a pass has `PASSING` and no other. Bodies of
stones are counted as one, two or three and more.

==============  ====================================================================================================
group           what its features tell apart
==============  ====================================================================================================
`PLACE`         the lines from two edges, up to the fifth, whichever is nearer first; whether a stone is within
                three steps
`LAST`          the gridcular distance to the last move, up to 17, or that there is none; the place of the last move
                itself, whose stone is gone, counts as next to it
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

Colours are the mover's and the other's. `foogo.search.learned_prior` knows which places of `CROSS`, `SHAPE` and
`KNIGHT` are one feature, turned or mirrored, and has the weights.

References
----------
R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007, for the kinds of features.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers, words
from foogo.game.geometry import MAX_SIZE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import suicide_kind
from foogo.search.kernels.moves import is_open
from foogo.search.kernels.survey import (
    CHASED,
    CHASED_LAST,
    ESCAPING,
    OTHER,
    OWN,
    PRESSED,
    RESCUES,
    SHORT,
    SIDE,
    TAKEN,
    TAKEN_LAST,
    TRIED,
    TRIED_LAST,
    lonely_from,
    reach_at,
    row_from,
    survey,
)

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
ABSENT = 1000
"""How many rows no move is away."""

LANES, COLUMNS = 16, 12
"""Points that are described at once, and how many of them have all they are described by in half a word."""

KIND = MAX_SIZE * (MAX_SIZE + 1) + 2 * LANES
"""Numbers from where the features of one kind begin to where those of the next do."""

NEXT_TO = 0x1144
"""The lower bits of the four neighbours among the eight."""


@kernel(inline=True)
def place_of(size, cell):
    """Where the feature of a cell is among those of one kind."""
    return cell - (size + 2)


@kernel
def describe(cells, size, moves, count, last, before, notes, found):
    """Write the `FEATURES` of `count` legal moves to ``found``, as places in the table.

    Parameters
    ----------
    cells
        Of the board (`foogo.game.kernels.strings`), which `notes` is a `foogo.search.kernels.survey.survey` of, with
        `last`.
    moves
        The cells of the moves: a pointer to int32.
    last, before
        The cells of the last move and of the one before, or `strings.NOWHERE` or `PASSED`.
    found
        A pointer to ``FEATURES * KIND`` int32. That of a move is at ``feature * KIND + place_of(size, cell)``;
        what is at the places of other cells means nothing.
    """
    for row in range(size):
        for column in range(0, size, COLUMNS):
            _describe_points(size, row, column, last, before, notes, found)
    for i in range(count):
        cell = np.int64(moves[i])
        shape = found[SHAPE * KIND + place_of(size, cell)] - AT[SHAPE]
        if (shape ^ (shape >> 1)) & NEXT_TO:
            _tell_strings(cells, size, cell, notes, found)


@kernel
def _describe_points(size, row, column, last, before, notes, found):
    """The features of `COLUMNS` points of a row from `column` on, as if no stone were next to them.

    A loop without branches on small numbers, so that all of them are one vector; what it writes beyond is overwritten
    by the points that are described later, or beyond all of them.
    """
    place = place_of(size, s.cell_of(size, row * size)) + column
    lonely, line = lonely_from(size, notes, row, column), np.int32(min(row, size - 1 - row, LINES - 1))
    rows = (
        row_from(size, notes, row - 2, column), row_from(size, notes, row - 1, column),
        row_from(size, notes, row, column), row_from(size, notes, row + 1, column),
        row_from(size, notes, row + 2, column),
    )  # fmt: skip
    across, last_column = _seen_from(size, row, last)
    across_before, before_column = _seen_from(size, row, before)
    for i in range(LANES):
        at, here, shift = place + i, np.int32(column + i), np.uint64(2 * i & 31)
        other = min(here, np.int32(size - 1 - here), np.int32(LINES - 1))
        most, least = max(line, other), min(line, other)  # a number for both, the same for points that are turned
        found[at + PLACE * KIND] = AT[PLACE] + most * (most + 1) + 2 * least + _bits(lonely, shift, 1)
        found[at + LAST * KIND] = AT[LAST] + _distance(across, np.int32(here - last_column))
        found[at + BEFORE * KIND] = AT[BEFORE] + _distance(across_before, np.int32(here - before_column))
        lowest_row, low, middle = (
            _bits(rows[0], shift, 0x3FF),
            _bits(rows[1], shift, 0x3FF),
            _bits(rows[2], shift, 0x3FF),
        )
        high, highest = _bits(rows[3], shift, 0x3FF), _bits(rows[4], shift, 0x3FF)
        south, west, east, north = low >> 4 & 1, middle >> 2 & 1, middle >> 6 & 1, high >> 4 & 1
        freedom = 4 - south - west - east - north
        found[at + CAPTURE * KIND], found[at + ESCAPE * KIND] = AT[CAPTURE], AT[ESCAPE]
        found[at + LIBERTIES * KIND] = AT[LIBERTIES] + (4 + freedom if freedom > 1 else 0)
        found[at + ATARI * KIND], found[at + CHASE * KIND] = AT[ATARI], AT[CHASE]
        found[at + THREATENED * KIND] = AT[THREATENED]
        found[at + CROSS * KIND] = AT[CROSS] + (south | west << 3 | north << 6 | east << 9)
        around = (low >> 2 & 63) | (middle >> 2 & 3) << 6 | (middle >> 6 & 3) << 8 | (high >> 2 & 63) << 10
        found[at + SHAPE * KIND] = AT[SHAPE] + around
        knight = at + KNIGHT * KIND
        found[knight] = AT[KNIGHT] + _block(lowest_row, low, 2)
        found[knight + 1 * KIND] = AT[KNIGHT] + 1 * BLOCK + _block(lowest_row, low, 4)
        found[knight + 2 * KIND] = AT[KNIGHT] + 2 * BLOCK + _block(low, middle, 0)
        found[knight + 3 * KIND] = AT[KNIGHT] + 3 * BLOCK + _block(middle, high, 0)
        found[knight + 4 * KIND] = AT[KNIGHT] + 4 * BLOCK + _block(low, middle, 6)
        found[knight + 5 * KIND] = AT[KNIGHT] + 5 * BLOCK + _block(middle, high, 6)
        found[knight + 6 * KIND] = AT[KNIGHT] + 6 * BLOCK + _block(high, highest, 2)
        found[knight + 7 * KIND] = AT[KNIGHT] + 7 * BLOCK + _block(high, highest, 4)


@kernel(inline=True)
def _seen_from(size, row, cell):
    """How many rows another cell is from `row`, and its column; far away if there is none."""
    if cell <= s.PASSED:
        return np.int32(ABSENT), np.int32(0)
    other = cell // (size + 1)
    return np.int32(abs(row - other + 1)), np.int32(cell - other * (size + 1) - 1)


@kernel(inline=True)
def _distance(across, along):
    """The gridcular distance less one, 1 to `FURTHEST`; 0 of `ABSENT` rows."""
    along = abs(along)
    distance = min(max(np.int32(across + along + max(across, along) - 1), np.int32(1)), np.int32(FURTHEST))
    return distance if across != ABSENT else np.int32(0)


@kernel(inline=True)
def _bits(row, shift, mask):
    """Some bits of the lower half of a word."""
    return np.int32((np.uint64(np.uint32(row)) >> shift) & np.uint64(mask))


@kernel(inline=True)
def _block(low, high, shift):
    """Two points of each of two windows, the lower left one first: two bits each."""
    return (low >> shift & 15) | (high >> shift & 15) << 4


@kernel
def _tell_strings(cells, size, cell, notes, found):
    """The features that strings and their liberties decide, from `CAPTURE` to `CROSS`, of a point next to a stone."""
    stride, at = size + 1, place_of(size, cell)
    south, west = _head(cells, size, cell - stride), _head(cells, size, cell - 1)
    east, north = _head(cells, size, cell + 1), _head(cells, size, cell + stride)
    below, left, right, above = notes[south], notes[west], notes[east], notes[north]
    marks, freedom, captured, stones = np.int64(below | left | right | above), 0, 0, 1
    for w in range(s.words_of(size)):
        reach, place = reach_at(size, w), at - 64 * w
        free = notes[reach + south] | notes[reach + west] | notes[reach + east] | notes[reach + north]
        here = np.uint64((place >= 0) & (place < 64)) << np.uint64(place & 63)
        freedom += population(free & ~here)
    if marks >> TAKEN & 1:
        captured, points = _count_taken(cells, size, cell, notes)
        freedom += points
    if freedom <= 1:
        stones = _count_joined(cells, size, cell, notes)
    escaping, short, tried, chased = marks >> ESCAPING & 7, marks >> SHORT & 7, marks >> TRIED & 7, marks >> CHASED & 7
    takes_last, rescues, is_pressed = marks >> TAKEN_LAST & 1, marks >> RESCUES & 1, marks >> PRESSED & 1
    tries_last, chases_last = marks >> TRIED_LAST & 1, marks >> CHASED_LAST & 1
    capture = 1 + 4 * (min(captured, 3) - 1) + 2 * takes_last + rescues if captured else 0
    found[at + CAPTURE * KIND] = AT[CAPTURE] + capture
    found[at + ESCAPE * KIND] = AT[ESCAPE] + (3 * _body(escaping) + min(max(freedom, 1), 3) if escaping else 0)
    width = min(stones, 6) - 1 if freedom <= 1 else 4 + min(freedom, 4)
    found[at + LIBERTIES * KIND] = AT[LIBERTIES] + 9 * (captured > 0) + width
    found[at + ATARI * KIND] = AT[ATARI] + (1 + 4 * _body(tried) + 2 * tries_last + (freedom > 1) if tried else 0)
    found[at + CHASE * KIND] = AT[CHASE] + (1 + 2 * _body(chased) + chases_last if chased else 0)
    grown = min(max(freedom, 2), 4) - 2
    found[at + THREATENED * KIND] = AT[THREATENED] + (1 + 6 * _body(short) + 2 * grown + is_pressed if short else 0)
    sides = below & SIDE | (left & SIDE) << 3 | (above & SIDE) << 6 | (right & SIDE) << 9
    found[at + CROSS * KIND] = AT[CROSS] + np.int64(sides)


@kernel(inline=True)
def _head(cells, size, cell):
    """The head of the string on a cell; itself where there is none."""
    return np.int64(cells[s.HEAD * s.span_of(size) + cell])


@kernel(inline=True)
def _body(stones):
    """0, 1 or 2: one stone, two, more, of the three bits of a string's mark."""
    return (stones >> 1) - (stones >> 2)


@kernel
def _count_taken(cells, size, cell, notes):
    """How many stones a move captures, and how many of them are next to it."""
    stones = points = 0
    for i in range(4):
        head = _head(cells, size, s.neighbor(cell, size + 1, i))
        if (notes[head] >> np.uint64(TAKEN)) & np.uint64(1):
            points += 1
            if not _is_seen(cells, size, cell, i):
                stones += np.int64(cells[s.STONES * s.span_of(size) + head])
    return stones, points


@kernel
def _count_joined(cells, size, cell, notes):
    """How many stones the string of a move has."""
    stones = 1
    for i in range(4):
        head = _head(cells, size, s.neighbor(cell, size + 1, i))
        side = np.int64(notes[head]) & SIDE
        if OWN <= side < OTHER and not _is_seen(cells, size, cell, i):
            stones += np.int64(cells[s.STONES * s.span_of(size) + head])
    return stones


@kernel(inline=True)
def _is_seen(cells, size, cell, i):
    """Whether the i-th neighbour belongs to the string of one before."""
    found, head = False, _head(cells, size, s.neighbor(cell, size + 1, i))
    for j in range(i):
        found |= _head(cells, size, s.neighbor(cell, size + 1, j)) == head
    return found


@kernel
def features(state, size, color, ko, last, before, scratch, points, found):
    """The features of every move that a search would look at, suicide and superko aside; how many those are.

    Parameters
    ----------
    state
        Of the board.
    scratch
        `foogo.search.kernels.survey.note_words` uint64.
    points, found
        Filled: int64 (points,), the moves; int64 (points, `FEATURES`).
    """
    board, cells = words(state), halfwords(state)
    notes, moves, kinds = words(scratch), np.empty(size * size, np.int32), np.empty(FEATURES * KIND, np.int32)
    count = 0
    for w in range(s.words_of(size)):
        word = board[s.candidates_at(size, color) + w]
        while word:
            cell = 64 * w + lowest(word) + size + 2
            word &= word - np.uint64(1)
            if cell != ko and is_open(suicide_kind(cells, size, color, cell), False):
                moves[count], points[count] = cell, s.point_of(size, cell)
                count += 1
    survey(cells, size, color, last, notes)
    describe(cells, size, numbers(moves), count, last, before, notes, numbers(kinds))
    for i in range(count):
        for feature in range(FEATURES):
            found[i, feature] = kinds[feature * KIND + place_of(size, moves[i])]
    return count
