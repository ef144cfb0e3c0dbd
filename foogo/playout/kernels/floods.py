"""Flood fills over sets of points in every lane: grow stones to whole strings.

A flood goes along *links*. ``links_east(own, opponent)`` has the stones whose neighbour to the east is a stone of the
same colour. So the strings of both colours are flooded at once. `flood_pass` is repeated until `is_open` says that no
link leads out of the set.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from foogo.core.simd import MaskType, or_tree, repack, splat, unpack
from foogo.playout.kernels.bitboard import rows_south, vertical_steps


@intrinsic
def passes_before_test(typingctx, layout):
    """Flood passes before the first test whether more are needed.

    Three with one row a word: nine games in ten need no more, and testing earlier costs more than it saves.
    """
    count = 3 if layout.layout.rows == 1 else 1

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
    """The set grown along the links: north, then south, then all the way east, and two points west.

    North and south it goes from word to word, and one row on inside a word.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        x, east_of, north_of = (unpack(builder, arg, layout.words) for arg in args)
        last = layout.words - 1
        step, back = vertical_steps(layout, x[0].type)
        one = splat(x[0].type, 1)
        for w in range(last + 1):
            if w:
                arriving = builder.and_(x[w - 1], north_of[w - 1])
                x[w] = builder.or_(x[w], arriving if layout.rows == 1 else builder.lshr(arriving, back))
            if layout.rows > 1:
                x[w] = builder.or_(x[w], builder.shl(builder.and_(x[w], north_of[w]), step))
        for w in range(last, -1, -1):
            if w < last:
                above = x[w + 1] if layout.rows == 1 else builder.shl(x[w + 1], back)
                x[w] = builder.or_(x[w], builder.and_(above, north_of[w]))
            if layout.rows > 1:
                x[w] = builder.or_(x[w], builder.and_(builder.lshr(x[w], step), north_of[w]))
        for w in range(last + 1):
            # All the way east by one addition. A bit added to a run of links carries through the run: it flips the
            # links from there on, and the bit behind the last one, which is the last point of the run. That bit is no
            # link, so the carry ends there. `^ link` leaves the flipped bits: the points reached.
            link = east_of[w]
            carried = builder.xor(builder.add(link, builder.and_(x[w], link)), link)
            x[w] = builder.or_(x[w], carried)
            for _ in range(2):
                x[w] = builder.or_(x[w], builder.and_(builder.lshr(x[w], one), link))
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
