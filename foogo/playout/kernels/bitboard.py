"""Sets of points in every lane: in memory, the board's geometry, counting, the k-th point.

The words of a set are values in LLVM, which stay in registers while there are enough: each operation here is
unrolled over them. `foogo.playout.kernels.floods` grows sets to whole strings.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from foogo.core.bits import isolate_nth
from foogo.core.simd import (
    IntsType,
    MaskType,
    call_intrinsic,
    or_tree,
    pointer_to,
    population,
    repack,
    splat,
    unpack,
    word_of,
)
from foogo.playout.kernels.layout import CountsType, Layout, bits_of

# --- memory ----------------------------------------------------------------------------------------


@intrinsic
def load_bits(typingctx, layout, array, offset):
    """A set from ``array[offset:]``, stored word by word, lanes side by side."""

    def codegen(context, builder, sig, args):
        where, element = layout.layout, array.dtype.bitwidth // 8
        word = word_of(where.bits, where.lanes)
        values = []
        for w in range(where.words):
            index = builder.add(args[2], ir.Constant(ir.IntType(64), w * where.lanes))
            pointer = pointer_to(context, builder, array, args[1], index, word)
            values.append(builder.load(pointer, align=element))
        return repack(builder, values)

    return bits_of(layout.layout)(layout, array, types.int64), codegen


@intrinsic
def store_bits(typingctx, array, offset, value):
    """Write a set to ``array[offset:]``, word by word, lanes side by side."""

    def codegen(context, builder, sig, args):
        where, element = value, array.dtype.bitwidth // 8
        word = word_of(where.bits, where.lanes)
        for w, bits in enumerate(unpack(builder, args[2], where.words)):
            index = builder.add(args[1], ir.Constant(ir.IntType(64), w * where.lanes))
            builder.store(bits, pointer_to(context, builder, array, args[0], index, word), align=element)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), codegen


# --- constants --------------------------------------------------------------------------------------


def _set_constant(layout: Layout, words: list[int]):
    word = word_of(layout.bits, layout.lanes)
    return ir.Constant.literal_struct([splat(word, value) for value in words])


@intrinsic
def full(typingctx, layout):
    """The whole board, in every lane."""

    def codegen(context, builder, sig, args):
        return _set_constant(layout.layout, layout.layout.full)

    return bits_of(layout.layout)(layout), codegen


@intrinsic
def border(typingctx, layout):
    """The edge and the corners, in every lane."""

    def codegen(context, builder, sig, args):
        return _set_constant(layout.layout, layout.layout.border)

    return bits_of(layout.layout)(layout), codegen


@intrinsic
def checkered(typingctx, layout):
    """The points whose row + column is odd, in every lane: those with neighbours of even parity."""

    def codegen(context, builder, sig, args):
        where = layout.layout
        n = where.size
        return _set_constant(where, where.pack(p for p in range(n * n) if (p // n + p % n) % 2))

    return bits_of(layout.layout)(layout), codegen


@intrinsic
def nothing(typingctx, layout):
    """The empty set, in every lane."""

    def codegen(context, builder, sig, args):
        return _set_constant(layout.layout, [0] * layout.layout.words)

    return bits_of(layout.layout)(layout), codegen


# --- geometry ---------------------------------------------------------------------------------


def rows_north(builder, layout: Layout, words: list) -> list:
    """The words of a set with every point moved one row up; guard and spare bits may be dirty."""
    return [_next_band(builder, layout, words[-1], "shl"), *words[:-1]]


def rows_south(builder, layout: Layout, words: list) -> list:
    """The words of a set with every point moved one row down; guard and spare bits may be dirty."""
    return [*words[1:], _next_band(builder, layout, words[0], "lshr")]


def _next_band(builder, layout: Layout, word, shift: str):
    """The rows of a word moved to the next band, up (`shl`) or down (`lshr`); nothing with one row a word."""
    if layout.rows == 1:
        return splat(word.type, 0)
    return getattr(builder, shift)(word, splat(word.type, layout.stride))


def _east(builder, words: list) -> list:
    return [builder.shl(w, splat(w.type, 1)) for w in words]


def _west(builder, words: list) -> list:
    return [builder.lshr(w, splat(w.type, 1)) for w in words]


def _shifted(which):
    @intrinsic
    def move(typingctx, bits):
        def codegen(context, builder, sig, args):
            words = unpack(builder, args[0], bits.layout.words)
            if which in (rows_north, rows_south):
                return repack(builder, which(builder, bits.layout, words))
            return repack(builder, which(builder, words))

        return bits(bits), codegen

    return move


north = _shifted(rows_north)
south = _shifted(rows_south)
east = _shifted(_east)
west = _shifted(_west)


@intrinsic
def beside(typingctx, bits):
    """The points next to the set; bits outside the board may be dirty."""

    def codegen(context, builder, sig, args):
        words = unpack(builder, args[0], bits.layout.words)
        sides = zip(
            _east(builder, words),
            _west(builder, words),
            rows_north(builder, bits.layout, words),
            rows_south(builder, bits.layout, words),
            strict=True,
        )
        return repack(builder, [or_tree(builder, list(four)) for four in sides])

    return bits(bits), codegen


@intrinsic
def any_point(typingctx, bits):
    """The lanes whose set is not empty."""

    def codegen(context, builder, sig, args):
        union = or_tree(builder, unpack(builder, args[0], bits.layout.words))
        return builder.icmp_unsigned("!=", union, splat(union.type, 0))

    return MaskType(bits.layout.lanes)(bits), codegen


@intrinsic
def one_point(typingctx, bits):
    """The lanes whose set has exactly one point."""

    def codegen(context, builder, sig, args):
        words = unpack(builder, args[0], bits.layout.words)
        # More than one point: two words have the same bit, or the union has two bits. `x & (x - 1)` clears the lowest.
        seen, twice = words[0], splat(words[0].type, 0)
        for word in words[1:]:
            twice = builder.or_(twice, builder.and_(seen, word))
            seen = builder.or_(seen, word)
        one, zero = splat(seen.type, 1), splat(seen.type, 0)
        twice = builder.or_(twice, builder.and_(seen, builder.sub(seen, one)))
        return builder.and_(builder.icmp_unsigned("==", twice, zero), builder.icmp_unsigned("!=", seen, zero))

    return MaskType(bits.layout.lanes)(bits), codegen


# --- counting and the k-th point ---------------------------------------------------------------


def _totals(builder, words: list):
    """The words whose bit counts, times 1, 2, 4 and so on, add up to those of `words`: carry-save adders.

    An adder turns three words of one weight into one, and a carry word of twice the weight, in five logic operations.
    This leaves few words for the more expensive bit counts.
    """
    planes = [list(words)]
    for plane in planes:
        carries = []
        while len(plane) > 1:
            a, b = plane.pop(0), plane.pop(0)
            c = plane.pop(0) if plane else splat(a.type, 0)
            carries.append(builder.or_(builder.and_(a, b), builder.and_(builder.or_(a, b), c)))
            plane.append(builder.xor(builder.xor(a, b), c))
        if carries:
            planes.append(carries)
    return [plane[0] for plane in planes]


def _weighted(builder, planes: list):
    """The sum of the bit counts of `_totals`."""
    total = population(builder, planes[0])
    for weight, plane in enumerate(planes[1:], 1):
        total = builder.add(total, builder.shl(population(builder, plane), splat(plane.type, weight)))
    return total


def _running(builder, words: list) -> list:
    """For each word, the set bits of it and all lower words."""
    counts = [population(builder, w) for w in words]
    for w in range(1, len(counts)):
        counts[w] = builder.add(counts[w], counts[w - 1])
    return counts


@intrinsic
def running_counts(typingctx, bits):
    """The number of points up to the end of each word, or of each band where words have several rows.

    The last is the number of all points.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        words = unpack(builder, args[0], layout.words)
        if layout.rows == 1:
            return repack(builder, _running(builder, words))
        planes = _totals(builder, words)
        ends = [layout.stride * (band + 1) for band in range(layout.rows - 1)]
        below = [splat(words[0].type, (1 << end) - 1) for end in ends]
        counts = [_weighted(builder, [builder.and_(plane, mask) for plane in planes]) for mask in below]
        return repack(builder, [*counts, _weighted(builder, planes)])

    return CountsType(bits.layout)(bits), codegen


@intrinsic
def count_points(typingctx, bits):
    """The number of points in each lane's set."""

    def codegen(context, builder, sig, args):
        return _weighted(builder, _totals(builder, unpack(builder, args[0], bits.layout.words)))

    return IntsType(bits.layout.bits, bits.layout.lanes)(bits), codegen


@intrinsic
def last_count(typingctx, counts):
    """The last of the running counts: the number of points."""

    def codegen(context, builder, sig, args):
        return builder.extract_value(args[0], counts.words - 1)

    return IntsType(counts.bits, counts.lanes)(counts), codegen


def _nth_bit(builder, word, k, used: int):
    """A word with only the k-th set bit (from 0) of each lane; 0 if there are too few bits.

    `used` is how many bits of a word can be set. Clears the lowest bit k times: lanes that are done keep their word.
    """
    one = splat(word.type, 1)
    for i in range(used - 1):
        cleared = builder.and_(word, builder.sub(word, one))
        word = builder.select(builder.icmp_unsigned(">", k, splat(k.type, i)), cleared, word)
    return builder.and_(word, builder.neg(word))


def _nth_place(builder, word, k, used: int):
    """The place of the k-th set bit of each lane, in its lowest `used` bits; anything if there are too few bits.

    That is the number of places up to which there are k set bits or fewer. All places are looked at side by side, eight
    of them in the bytes of a lane: clearing the lowest bit k times would wait for itself.
    """
    byte = ir.VectorType(ir.IntType(8), 8 * word.type.count)

    def repeated(value, which: int = 0):
        """One byte of each lane in all its bytes."""
        places = ir.Constant(ir.VectorType(ir.IntType(32), byte.count), [i // 8 * 8 + which for i in range(byte.count)])
        return builder.shuffle_vector(builder.bitcast(value, byte), ir.Constant(byte, ir.Undefined), places)

    up_to = ir.Constant(byte, [ir.Constant(byte.element, (2 << i % 8) - 1 & 255) for i in range(byte.count)])
    excess = builder.not_(repeated(k))  # -1 - k
    few = []
    for which in range(-(-used // 8)):
        octet = repeated(word, which)
        counts = builder.add(excess, population(builder, builder.and_(octet, up_to)))
        # The counts are small, so the highest bit says that the sum is negative.
        sign = builder.bitcast(builder.and_(counts, splat(byte, 128)), word.type)
        few.append(builder.lshr(sign, splat(word.type, which)))
        excess = builder.add(excess, population(builder, octet))
    return population(builder, or_tree(builder, few))


@intrinsic
def nth_point(typingctx, bits, running, k):
    """A set with only the k-th point (from 0, by rows) of each lane's set; empty where the set is empty.

    `running` is `running_counts` of the set, `k` below its size.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        words = unpack(builder, args[0], layout.words)
        counts = unpack(builder, args[1], running.words)
        k = args[2]
        zero = splat(k.type, 0)
        if layout.rows > 1:
            # Only the band that the point is in stays, as the lowest. There, rows follow one another from word to word.
            band, first = zero, k
            for place, count in enumerate(counts[:-1], 1):
                beyond = builder.icmp_unsigned(">=", first, count)
                band = builder.select(beyond, splat(k.type, place * layout.stride), band)
                k = builder.select(beyond, builder.sub(first, count), k)
            row = splat(k.type, (1 << layout.size) - 1)
            words = [builder.and_(builder.lshr(word, band), row) for word in words]
            counts = _running(builder, words)
        # The counts grow from word to word. The point is in the first word whose count k does not reach. In every bit,
        # `past` says that k reaches a word's count, so that `count - k - 1` is negative.
        excess = [builder.add(count, builder.not_(k)) for count in counts[:-1]]
        past = [builder.ashr(number, splat(number.type, layout.bits - 1)) for number in excess]
        edges = [splat(k.type, -1), *past, zero]
        here = [builder.and_(low, builder.not_(high)) for low, high in zip(edges, edges[1:], strict=False)]
        chosen = or_tree(builder, [builder.and_(mask, word) for mask, word in zip(here, words, strict=True)])
        # Within that word the point is number k minus the count of the words below it, the largest that k reaches. Of
        # the numbers `count - k - 1` that is the largest negative one, and without the sign the largest of all.
        # A tree of maxima finds it in log2(words) steps.
        rest = [builder.not_(k), *excess]
        while len(rest) > 1:
            pairs = [call_intrinsic(builder, "umax", *rest[i : i + 2]) for i in range(0, len(rest) - 1, 2)]
            rest = pairs + rest[2 * len(pairs) :]
        k = builder.not_(rest[0])
        if layout.lanes == 1 and layout.bits == 64:
            bit = isolate_nth(context, builder, chosen, k)
        elif layout.bits == 64:
            place = _nth_place(builder, chosen, k, layout.size)
            bit = builder.and_(builder.shl(splat(k.type, 1), place), chosen)
        else:
            bit = _nth_bit(builder, chosen, k, layout.size)
        if layout.rows > 1:
            bit = builder.shl(bit, band)
        return repack(builder, [builder.and_(mask, bit) for mask in here])

    return bits(bits, running, k), codegen
