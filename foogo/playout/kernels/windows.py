"""Windows: the points around one point of each lane, cut out of whole-board sets, so that a formula costs one word.

A window is an integer of three rows of five points. Let (x, y) be the lane's one point of `last`. Bit ``5 * j + i`` of
the window ``rows`` is the point ``(x - 2 + i, y + rows - 1 + j)``. Points beyond the edge are never set.

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
        points, board = (_split(builder, where, unpack(builder, arg, where.words)) for arg in args[:2])
        column, turns = _place(builder, points)
        five = _five_rows(builder, board, _digits(builder, points))
        if where.size + 2 > where.bits:  # bits rotated out at one side would come in again at the other
            near = _spread(builder, column, 2)
            five = [builder.and_(row, near) for row in five]
        return _stack(builder, five, turns)[which + 1]

    return result(last, bits, rows), codegen


@intrinsic
def from_window(typingctx, last, window):
    """The set of the nine middle points of a window 0; rows three apart get the same bits, for the caller to clear."""
    where = last.layout

    def codegen(context, builder, sig, args):
        points = _split(builder, where, unpack(builder, args[0], where.words))
        _, turns = _place(builder, points)
        south, level, north = (
            _rotated(builder, "fshl", builder.and_(args[1], splat(args[1].type, MIDDLE << ACROSS * row)), turns[row])
            for row in range(ROWS)
        )
        # One of three rows goes into each row of the board, by the residue of its number modulo 3: that takes three
        # selections for the whole board instead of three for each row. Only one of the rows that get it is right.
        below, here, above = ({} for _ in range(3))
        for residue in range(min(ROWS, where.size)):
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
        rows = [by_residue[y % ROWS] for y in range(where.size)]
        return repack(builder, _join(builder, where, rows))

    return last(last, window), codegen


def _split(builder, layout: Layout, words: list) -> list:
    """Each row of the board in a word of its own, from bit 0."""
    if layout.rows == 1:
        return words
    row = splat(words[0].type, (1 << layout.size) - 1)
    places = [layout.place(y) for y in range(layout.size)]
    return [builder.and_(builder.lshr(words[word], splat(row.type, first)), row) for word, first in places]


def _join(builder, layout: Layout, rows: list) -> list:
    """The inverse of `_split`."""
    if layout.rows == 1:
        return rows
    fields: list[list] = [[] for _ in range(layout.words)]
    for y, row in enumerate(rows):
        word, first = layout.place(y)
        fields[word].append(builder.shl(row, splat(row.type, first)))
    return [or_tree(builder, field) for field in fields]


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
    """The binary digits, from the lowest, of the number of the row that has a point, as masks."""
    digits = range((len(points) - 1).bit_length())
    return [_any(builder, [row for y, row in enumerate(points) if y >> digit & 1]) for digit in digits]


def _five_rows(builder, rows: list, digits: list) -> list:
    """The rows from two below to two above the row whose number has these digits, empty beyond the edge.

    Each lane moves the list of rows by a number of its own: each binary digit moves it by a power of two, or not.
    """
    beyond = [splat(rows[0].type, 0)] * 2
    rows = beyond + rows + beyond
    for digit in range(len(digits) - 1, -1, -1):
        step = 1 << digit
        reach = ACROSS + step - 1  # the digits still to come move by less than `step`
        rows = [
            builder.select(digits[digit], rows[i + step], row) if i + step < len(rows) else row
            for i, row in enumerate(rows[:reach])
        ]
    return rows


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
