"""Flood fills over sets of points in every lane: grow stones to whole strings.

A flood goes along *links*. ``links_east(own, opponent)`` has the stones whose neighbour to the east is a stone of the
same colour. So the strings of both colours are flooded at once. `flood_pass` is repeated until `is_open` says that no
link leads out of the set.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from foogo.core.simd import MaskType, or_tree, repack, splat, unpack, word_of
from foogo.playout.kernels.bitboard import rows_north, rows_south
from foogo.playout.kernels.layout import bits_of

SHORT_ROW = 11
"""On boards of this size and smaller, a pass goes two points west instead of three, which needs fewer registers."""


@intrinsic
def passes_before_test(typingctx, layout):
    """Flood passes before the first test whether more are needed.

    Side by side, nine games in ten need no more than three. Testing earlier costs more than it saves.
    """
    where = layout.layout
    count = 1 if where.lanes == 1 and where.rows > 1 else 3

    def codegen(context, builder, sig, args):
        return ir.Constant(ir.IntType(64), count)

    return types.int64(layout), codegen


@intrinsic
def links_east(typingctx, first, second):
    """The points of either set whose neighbour to the east is in the same set."""

    def codegen(context, builder, sig, args):
        words = first.layout.words
        out = []
        for a, b in zip(unpack(builder, args[0], words), unpack(builder, args[1], words), strict=True):
            one = splat(a.type, 1)
            out.append(builder.or_(builder.and_(a, builder.lshr(a, one)), builder.and_(b, builder.lshr(b, one))))
        return repack(builder, out)

    return first(first, second), codegen


@intrinsic
def links_north(typingctx, first, second):
    """The points of either set whose neighbour to the north is in the same set."""

    def codegen(context, builder, sig, args):
        layout = first.layout
        a, b = (unpack(builder, arg, layout.words) for arg in args)
        up_a, up_b = rows_south(builder, layout, a), rows_south(builder, layout, b)
        out = [builder.or_(builder.and_(a[w], up_a[w]), builder.and_(b[w], up_b[w])) for w in range(layout.words)]
        return repack(builder, out)

    return first(first, second), codegen


@intrinsic
def flood_pass(typingctx, bits, east_links, north_links):
    """The set grown along the links: north and south from word to word, then all the way east, and some points west."""

    def codegen(context, builder, sig, args):
        layout = bits.layout
        x, east_of, north_of = (unpack(builder, arg, layout.words) for arg in args)
        one = step = splat(x[0].type, 1)
        leaving = [builder.and_(a, b) for a, b in zip(x, north_of, strict=True)]
        up = [builder.or_(x[0], rows_north(builder, layout, leaving)[0])]
        for w in range(1, layout.words):
            up.append(builder.or_(x[w], builder.and_(up[-1], north_of[w - 1])))
        # South from there; with several rows a word from the same set, as two chains that do not wait for each other.
        below = up if layout.rows == 1 else x
        down, above = list(below), rows_south(builder, layout, below)[-1]
        for w in range(layout.words - 1, -1, -1):
            above = down[w] = builder.or_(below[w], builder.and_(above, north_of[w]))
        for w in range(layout.words):
            # All the way east by one addition. A bit added to a run of links carries through the run: it flips the
            # links from there on, and the bit behind the last one, which is the last point of the run. That bit is no
            # link, so the carry ends there. `^ link` leaves the flipped bits: the points reached.
            link, grown = east_of[w], builder.or_(up[w], down[w])
            carried = builder.xor(builder.add(link, builder.and_(grown, link)), link)
            x[w] = builder.or_(grown, carried)
            x[w] = builder.or_(x[w], builder.and_(builder.lshr(x[w], one), link))
            if layout.size > SHORT_ROW:
                link, step = builder.and_(link, builder.lshr(link, one)), splat(one.type, 2)
            x[w] = builder.or_(x[w], builder.and_(builder.lshr(x[w], step), link))
        return repack(builder, x)

    return bits(bits, east_links, north_links), codegen


@intrinsic
def is_open(typingctx, bits, east_links, north_links):
    """The lanes where a link leads out of the set, so that the flood must continue."""

    def codegen(context, builder, sig, args):
        layout = bits.layout
        x, h, v = (unpack(builder, arg, layout.words) for arg in args)
        above = rows_south(builder, layout, x)
        differences = []
        for here, beyond, across, upward in zip(x, above, h, v, strict=True):
            eastern = builder.lshr(here, splat(here.type, 1))
            differences.append(builder.and_(builder.xor(here, eastern), across))
            differences.append(builder.and_(builder.xor(here, beyond), upward))
        union = or_tree(builder, differences)
        return builder.icmp_unsigned("!=", union, splat(union.type, 0))

    return MaskType(bits.layout.lanes)(bits, east_links, north_links), codegen


# --- numbers of points, by digits ---------------------------------------------------------------------


@intrinsic
def digits(typingctx, layout):
    """The number of binary digits that tell the points apart."""

    def codegen(context, builder, sig, args):
        return ir.Constant(ir.IntType(64), layout.layout.digits)

    return types.int64(layout), codegen


@intrinsic
def with_digit(typingctx, layout, digit):
    """The points whose number (row * size + column) has the binary digit 1, in every lane."""

    def codegen(context, builder, sig, args):
        where = layout.layout
        word = word_of(where.bits, where.lanes)
        chosen = [splat(word, 0)] * where.words
        for place, plane in enumerate(where.digit_planes):
            here = builder.icmp_unsigned("==", args[1], ir.Constant(ir.IntType(64), place))
            chosen = [builder.select(here, splat(word, value), x) for value, x in zip(plane, chosen, strict=True)]
        return repack(builder, chosen)

    return bits_of(layout.layout)(layout, types.int64), codegen
