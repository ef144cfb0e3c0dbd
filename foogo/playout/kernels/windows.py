"""Windows: the points around one point of each lane, cut out of whole-board sets, so that a formula costs one word.

A window is an integer of three rows of five points. Let (x, y) be the lane's one point of `last`. Bit ``5 * j + i`` of
the window ``rows`` is the point ``(x - 2 + i, y + rows - 1 + j)``. Points beyond the edge are never set, but those two
columns beyond it may be: no point of the board is beside them.

In the window 0 the bits of the middle three columns are the nine points around (x, y). The same bits of the windows -1
and 1 are their neighbours to the south and to the north. One bit to the side are the neighbours to the west and east.
"""

from __future__ import annotations

from numba.extending import intrinsic

from foogo.core.simd import IntsType, call_intrinsic, or_tree, population, repack, splat, unpack
from foogo.playout.kernels.layout import Layout

ACROSS = 5
"""Points of a window's row."""

ROWS = 3
FIRST, SECOND, THIRD = (((1 << ACROSS) - 1) << ACROSS * row for row in range(ROWS))
"""The bits of each row of a window."""

MIDDLE = 0b01110
"""The columns of a row that are beside the lane's point, and its own."""


@intrinsic(prefer_literal=True)
def window(typingctx, last, bits, rows):
    """The window `rows` (-1, 0 or 1) of a set around the one point of `last`; anything where `last` is empty."""
    where, which = bits.layout, rows.literal_value
    result = IntsType(where.bits, where.lanes)

    def codegen(context, builder, sig, args):
        points, board = (unpack(builder, arg, where.words) for arg in args[:2])
        column, turns = _place(builder, points)
        five = _five_rows(builder, _with_bands_beyond(builder, where, board), _digits(builder, points))
        if where.size == where.bits:  # bits rotated out at one side would come in again at the other
            near = _spread(builder, column, 2)
            five = [builder.and_(row, near) for row in five]
        return _stack(builder, five, turns)[which + 1]

    return result(last, bits, rows), codegen


@intrinsic
def from_window(typingctx, last, window):
    """The set of the nine middle points of a window 0; rows three apart get the same bits, for the caller to clear."""
    where = last.layout

    def codegen(context, builder, sig, args):
        points = unpack(builder, args[0], where.words)
        _, turns = _place(builder, points)
        south, level, north = (
            _rotated(builder, "fshl", builder.and_(args[1], splat(args[1].type, MIDDLE << ACROSS * row)), turns[row])
            for row in range(ROWS)
        )
        # One of three rows goes into each word of the board, by the residue of its number modulo 3: that takes three
        # selections for the whole board instead of three for each word. Only one of the words that get it is right.
        below, here, above = ({} for _ in range(3))
        for residue in range(min(ROWS, where.words)):
            found = _any(builder, points[residue::ROWS])
            here[residue] = found
            below[(residue - 1) % ROWS] = found
            above[(residue + 1) % ROWS] = found

        def row_of(residue: int):
            value = splat(south.type, 0)
            for cases, row in ((above, north), (below, south), (here, level)):
                if residue in cases:
                    value = builder.select(cases[residue], row, value)
            return value

        by_residue = [row_of(residue) for residue in range(ROWS)]
        words = [by_residue[w % ROWS] for w in range(where.words)]
        if where.rows > 1:  # The rows beside a point of the first or the last word may be in the next band.
            stride = splat(south.type, where.stride)
            for word, beyond, row in ((0, -1, builder.shl(north, stride)), (-1, 0, builder.lshr(south, stride))):
                row = builder.or_(words[word], row) if where.words < ROWS else row
                words[word] = builder.select(_any(builder, [points[beyond]]), row, words[word])
        return repack(builder, words)

    return last(last, window), codegen


def _with_bands_beyond(builder, layout: Layout, words: list) -> list:
    """The words with two more at each end: the rows that follow there, moved to the band of a point in these words."""
    if layout.rows == 1:
        beyond = [splat(words[0].type, 0)] * 2
        return beyond + words + beyond

    def word(place: int):
        band, w = divmod(place, layout.words)
        if band == 0:
            return words[w]
        shift = builder.lshr if band > 0 else builder.shl
        return shift(words[w], splat(words[w].type, layout.stride * abs(band)))

    return [word(place) for place in range(-2, layout.words + 2)]


def _any(builder, rows: list):
    """The lanes where one of the rows has a point."""
    union = or_tree(builder, rows)
    return builder.icmp_unsigned("!=", union, splat(union.type, 0))


def _rotated(builder, way: str, word, amount):
    """The word rotated by a number of bits that each lane has for itself: `way` is "fshl" (left) or "fshr" (right)."""
    return call_intrinsic(builder, way, word, word, amount)


def _place(builder, points: list) -> tuple:
    """The lane's point as a bit of a row, and how far right a row is rotated to be row 0, 1 and 2 of a window."""
    column = or_tree(builder, points)
    x = population(builder, builder.sub(column, splat(column.type, 1)))
    return column, [builder.sub(x, splat(x.type, 2 + ACROSS * row)) for row in range(ROWS)]


def _spread(builder, word, distance: int):
    """The bits up to `distance` from those of a word."""
    steps = [splat(word.type, step) for step in range(1, distance + 1)]
    moved = [shift(word, step) for shift in (builder.shl, builder.lshr) for step in steps]
    return or_tree(builder, [word, *moved])


def _digits(builder, points: list) -> list:
    """The binary digits, from the lowest, of the number of the word that has a point, as masks."""
    digits = range((len(points) - 1).bit_length())
    return [_any(builder, [word for w, word in enumerate(points) if w >> digit & 1]) for digit in digits]


def _five_rows(builder, words: list, digits: list) -> list:
    """Five words that follow one another, the first of them the one whose number has these digits.

    Each lane moves the list of words by a number of its own: each binary digit moves it by a power of two, or not.
    """
    for digit in range(len(digits) - 1, -1, -1):
        step = 1 << digit
        reach = ACROSS + step - 1  # the digits still to come move by less than `step`
        words = [
            builder.select(digits[digit], words[i + step], word) if i + step < len(words) else word
            for i, word in enumerate(words[:reach])
        ]
    return words


def _stack(builder, five: list, turns: list) -> list:
    """The windows -1, 0 and 1 of five rows."""
    a, b, c, d, e = (_rotated(builder, "fshr", row, turns[min(i, 2)]) for i, row in enumerate(five))
    down = splat(a.type, ACROSS)
    south = _pick(builder, [(FIRST, a), (SECOND, b), (THIRD, c)])
    level = _pick(builder, [(FIRST | SECOND, builder.lshr(south, down)), (THIRD, d)])
    north = _pick(builder, [(FIRST | SECOND, builder.lshr(level, down)), (THIRD, e)])
    return [south, level, north]


def _pick(builder, parts: list):
    """The bits of each word under its constant mask."""
    return or_tree(builder, [builder.and_(word, splat(word.type, mask)) for mask, word in parts])
