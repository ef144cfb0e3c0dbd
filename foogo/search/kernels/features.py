"""The features of a move, whose weights make its prior. Each feature is an index into one table of weights.

A move has one feature of each group below, except that it has eight of `KNIGHT`; a pass has only `PASSING`. String
sizes are distinguished as one stone, two, and three or more.

==============  ====================================================================================================
group           what its features tell apart
==============  ====================================================================================================
`PLACE`         the lines from the two nearest edges, up to the fifth line; whether a stone is within three steps
`LAST`          the gridcular distance to the last move, up to 17, or that no move was played. The point of the last
                move itself, if its stone is gone, counts as next to it
`BEFORE`        the same of the move before the last, the player's own
`CAPTURE`       how many stones it captures; whether the last move is among them; whether the capture saves a string
                from atari
`ESCAPE`        the size of the largest own string in atari that it joins; the liberties afterwards, up to 3
`LIBERTIES`     the liberties of the string that it makes, up to 4, with captured points next to the move; with at most
                one liberty, also the string's stones, up to 6; whether it captures
`ATARI`         the size of the largest string that it puts in atari; whether the last move is among those stones;
                whether its own string then has two liberties
`CHASE`         the size of the largest string that it leaves with two liberties; whether the last move is among those
                stones
`THREATENED`    the size of the largest own string with two liberties that it joins; the liberties afterwards, up to 4;
                whether the last move is next to such a string
`CROSS`         its four neighbours: empty, edge, or a stone of either player with 1, 2, or more liberties
`KNIGHT`        for each of the eight knight's moves, the square of that point and the three points between, row by row
                from the south-west; the order is south, west, east, north, each with its lower side first
`SHAPE`         its eight neighbours
`PASSING`       that it is a pass
==============  ====================================================================================================

Stones are the player's or the opponent's. The gridcular distance is dx + dy + max(dx, dy). `foogo.search.learned_prior`
has the weights; features of `CROSS`, `SHAPE` and `KNIGHT` that are the same when turned or mirrored have the same.

References
----------
R. Coulom, "Computing Elo Ratings of Move Patterns in the Game of Go", 2007, for the kinds of features.
"""

from __future__ import annotations

from itertools import accumulate

import numpy as np

from foogo.core.bits import population
from foogo.core.jit import kernel
from foogo.game.geometry import MAX_SIZE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import is_repeated_string
from foogo.search.kernels import position_notes as n

PLACE, LAST, BEFORE, CAPTURE, ESCAPE, LIBERTIES, ATARI, CHASE, THREATENED, CROSS, SHAPE, KNIGHT, PASSING = range(13)
KNIGHTS, BLOCK = 8, 1 << 8
"""Knight's moves from a point; what four points can hold, two bits each."""

GROUP_SIZES = (30, 17, 17, 13, 10, 18, 13, 7, 19, 1 << 12, 1 << 16, KNIGHTS * BLOCK, 1)

START = (0, *accumulate(GROUP_SIZES))
"""The first feature of each group; at the end, the length of the table."""

FEATURES = KNIGHT + KNIGHTS
"""The number of features of a move."""

LINES, FURTHEST = 5, 16
"""The last line and the largest distance, less one, that are distinguished."""

ABSENT = 1000
"""The distance in rows to a move that does not exist."""

LANES, COLUMNS = 16, 12
"""Points of a row that are described at once, and how many of them are described in full by 32 bits of each row."""

STRIDE = MAX_SIZE * (MAX_SIZE + 1) + 2 * LANES
"""Numbers from the features of one group, for all points, to those of the next group."""

NEXT_TO = 0x1144
"""The lower bits of the four direct neighbours in a SHAPE."""


@kernel(inline=True)
def index_of(size, cell):
    """The index of a cell among the features of one group."""
    return cell - (size + 2)


@kernel
def describe(cells, size, moves, count, context, notes, found):
    """Write the `FEATURES` of `count` legal moves to ``found``, as indices into the table.

    `moves` has the cells of the moves (int32), `notes` the notes of this position. `found` is ``FEATURES * STRIDE``
    int32: a feature of a move is at ``feature * STRIDE + index_of(size, cell)``; other cells have meaningless numbers.
    """
    for row in range(size):
        for column in range(0, size, COLUMNS):
            _describe_points(size, row, column, context, notes, found)
    for i in range(count):
        cell = np.int64(moves[i])
        shape = found[SHAPE * STRIDE + index_of(size, cell)] - START[SHAPE]
        if (shape ^ (shape >> 1)) & NEXT_TO:
            _describe_strings(cells, size, cell, notes, found)


@kernel
def _describe_points(size, row, column, context, notes, found):
    """The features of `COLUMNS` points of a row from `column` on, as if no stone were next to them.

    The loop has no branches and only 32-bit numbers, so it becomes vectors of `LANES` points. The points beyond
    `COLUMNS` are wrong; they are described again with their own columns, or lie beyond the board.
    """
    place = index_of(size, s.cell_of(size, row * size)) + column
    lonely, line = n.lonely_from(size, notes, row, column), np.int32(min(row, size - 1 - row, LINES - 1))
    rows = (
        n.row_from(size, notes, row - 2, column), n.row_from(size, notes, row - 1, column),
        n.row_from(size, notes, row, column), n.row_from(size, notes, row + 1, column),
        n.row_from(size, notes, row + 2, column),
    )  # fmt: skip
    across, last_column = _seen_from(size, row, context.last)
    across_before, before_column = _seen_from(size, row, context.before_last)
    for i in range(LANES):
        at, here, shift = place + i, np.int32(column + i), np.uint64(2 * i & 31)
        other = min(here, np.int32(size - 1 - here), np.int32(LINES - 1))
        most, least = max(line, other), min(line, other)  # symmetric points share a number
        found[at + PLACE * STRIDE] = START[PLACE] + most * (most + 1) + 2 * least + _bits(lonely, shift, 1)
        found[at + LAST * STRIDE] = START[LAST] + _distance(across, np.int32(here - last_column))
        found[at + BEFORE * STRIDE] = START[BEFORE] + _distance(across_before, np.int32(here - before_column))
        lowest_row, low = _bits(rows[0], shift, 0x3FF), _bits(rows[1], shift, 0x3FF)
        middle, high = _bits(rows[2], shift, 0x3FF), _bits(rows[3], shift, 0x3FF)
        highest = _bits(rows[4], shift, 0x3FF)
        south, west, east, north = low >> 4 & 1, middle >> 2 & 1, middle >> 6 & 1, high >> 4 & 1
        freedom = 4 - south - west - east - north
        found[at + CAPTURE * STRIDE], found[at + ESCAPE * STRIDE] = START[CAPTURE], START[ESCAPE]
        found[at + LIBERTIES * STRIDE] = START[LIBERTIES] + (4 + freedom if freedom > 1 else 0)
        found[at + ATARI * STRIDE], found[at + CHASE * STRIDE] = START[ATARI], START[CHASE]
        found[at + THREATENED * STRIDE] = START[THREATENED]
        found[at + CROSS * STRIDE] = START[CROSS] + (south | west << 3 | north << 6 | east << 9)
        around = (low >> 2 & 63) | (middle >> 2 & 3) << 6 | (middle >> 6 & 3) << 8 | (high >> 2 & 63) << 10
        found[at + SHAPE * STRIDE] = START[SHAPE] + around
        knight = at + KNIGHT * STRIDE
        found[knight] = START[KNIGHT] + _block(lowest_row, low, 2)
        found[knight + 1 * STRIDE] = START[KNIGHT] + 1 * BLOCK + _block(lowest_row, low, 4)
        found[knight + 2 * STRIDE] = START[KNIGHT] + 2 * BLOCK + _block(low, middle, 0)
        found[knight + 3 * STRIDE] = START[KNIGHT] + 3 * BLOCK + _block(middle, high, 0)
        found[knight + 4 * STRIDE] = START[KNIGHT] + 4 * BLOCK + _block(low, middle, 6)
        found[knight + 5 * STRIDE] = START[KNIGHT] + 5 * BLOCK + _block(middle, high, 6)
        found[knight + 6 * STRIDE] = START[KNIGHT] + 6 * BLOCK + _block(high, highest, 2)
        found[knight + 7 * STRIDE] = START[KNIGHT] + 7 * BLOCK + _block(high, highest, 4)


@kernel(inline=True)
def _seen_from(size, row, cell):
    """How many rows a move's cell is from `row`, and its column; `ABSENT` rows if there is no move."""
    if cell <= s.PASSED:
        return np.int32(ABSENT), np.int32(0)
    other = cell // (size + 1)
    return np.int32(abs(row - other + 1)), np.int32(cell - other * (size + 1) - 1)


@kernel(inline=True)
def _distance(across, along):
    """The gridcular distance less one, 1 to `FURTHEST`; 0 if the move is `ABSENT`."""
    along = abs(along)
    distance = min(max(np.int32(across + along + max(across, along) - 1), np.int32(1)), np.int32(FURTHEST))
    return distance if across != ABSENT else np.int32(0)


@kernel(inline=True)
def _bits(row, shift, mask):
    """Bits of the lower half of a word."""
    return np.int32((np.uint64(np.uint32(row)) >> shift) & np.uint64(mask))


@kernel(inline=True)
def _block(low, high, shift):
    """The four points of a square, two bits each, the lower left one first, from windows of two rows."""
    return (low >> shift & 15) | (high >> shift & 15) << 4


@kernel
def _describe_strings(cells, size, cell, notes, found):
    """Write the features that depend on strings, from `CAPTURE` to `CROSS`, of a point next to a stone."""
    stride, at = size + 1, index_of(size, cell)
    south, west = _head(cells, size, cell - stride), _head(cells, size, cell - 1)
    east, north = _head(cells, size, cell + 1), _head(cells, size, cell + stride)
    below, left, right, above = notes[south], notes[west], notes[east], notes[north]
    marks, freedom, captured, stones = np.int64(below | left | right | above), 0, 0, 1
    for w in range(s.words_of(size)):
        reach, place = n.reach_at(size, w), at - 64 * w
        free = notes[reach + south] | notes[reach + west] | notes[reach + east] | notes[reach + north]
        here = np.uint64((place >= 0) & (place < 64)) << np.uint64(place & 63)
        freedom += population(free & ~here)
    if marks >> n.TAKEN & 1:
        captured, points = _count_taken(cells, size, cell, notes)
        freedom += points
    if freedom <= 1:
        stones = _count_joined(cells, size, cell, notes)
    escaping, short = marks >> n.ESCAPING & 7, marks >> n.SHORT & 7
    tried, chased = marks >> n.TRIED & 7, marks >> n.CHASED & 7
    takes_last, rescues, is_pressed = marks >> n.TAKEN_LAST & 1, marks >> n.RESCUES & 1, marks >> n.PRESSED & 1
    tries_last, chases_last = marks >> n.TRIED_LAST & 1, marks >> n.CHASED_LAST & 1
    capture = 1 + 4 * (min(captured, 3) - 1) + 2 * takes_last + rescues if captured else 0
    found[at + CAPTURE * STRIDE] = START[CAPTURE] + capture
    found[at + ESCAPE * STRIDE] = START[ESCAPE] + (3 * _body(escaping) + min(max(freedom, 1), 3) if escaping else 0)
    width = min(stones, 6) - 1 if freedom <= 1 else 4 + min(freedom, 4)
    found[at + LIBERTIES * STRIDE] = START[LIBERTIES] + 9 * (captured > 0) + width
    found[at + ATARI * STRIDE] = START[ATARI] + (1 + 4 * _body(tried) + 2 * tries_last + (freedom > 1) if tried else 0)
    found[at + CHASE * STRIDE] = START[CHASE] + (1 + 2 * _body(chased) + chases_last if chased else 0)
    grown = min(max(freedom, 2), 4) - 2
    threatened = 1 + 6 * _body(short) + 2 * grown + is_pressed if short else 0
    found[at + THREATENED * STRIDE] = START[THREATENED] + threatened
    sides = below & n.SIDE | (left & n.SIDE) << 3 | (above & n.SIDE) << 6 | (right & n.SIDE) << 9
    found[at + CROSS * STRIDE] = START[CROSS] + np.int64(sides)


@kernel(inline=True)
def _head(cells, size, cell):
    """The head of the string on a cell; the cell itself if it holds no stone."""
    return np.int64(cells[s.HEAD * s.span_of(size) + cell])


@kernel(inline=True)
def _body(stones):
    """0, 1 or 2 for one stone, two, or more, from the three bits of a string's mark."""
    return (stones >> 1) - (stones >> 2)


@kernel
def _count_taken(cells, size, cell, notes):
    """The number of stones that a move captures, and how many of them are next to it."""
    stones = points = 0
    for i in range(4):
        head = _head(cells, size, s.neighbor(cell, size + 1, i))
        if (notes[head] >> np.uint64(n.TAKEN)) & np.uint64(1):
            points += 1
            if not is_repeated_string(cells, size, cell, i):
                stones += np.int64(cells[s.STONES * s.span_of(size) + head])
    return stones, points


@kernel
def _count_joined(cells, size, cell, notes):
    """The number of stones in the string that a move makes."""
    stones = 1
    for i in range(4):
        head = _head(cells, size, s.neighbor(cell, size + 1, i))
        side = np.int64(notes[head]) & n.SIDE
        if n.OWN_STRING <= side < n.OTHER_STRING and not is_repeated_string(cells, size, cell, i):
            stones += np.int64(cells[s.STONES * s.span_of(size) + head])
    return stones
