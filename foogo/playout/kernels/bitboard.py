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
            odd = builder.xor(a, b)
            carries.append(builder.or_(builder.and_(a, b), builder.and_(odd, c)))
            plane.append(builder.xor(odd, c))
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


def _nth_bit_by_bytes(builder, word, k):
    """`_nth_bit` for words of 64 bits: byte counts find the byte, and the same again finds the bit in the byte."""
    byte = ir.VectorType(ir.IntType(8), 8 * word.type.count)

    def repeated(value):
        """The lowest byte of each lane in all its bytes."""
        places = ir.Constant(ir.VectorType(ir.IntType(32), byte.count), [i // 8 * 8 for i in range(byte.count)])
        return builder.shuffle_vector(builder.bitcast(value, byte), ir.Constant(byte, ir.Undefined), places)

    def running(counts):
        """In each byte, the sum of the bytes up to it."""
        for shift in (8, 16, 32):
            counts = builder.add(counts, builder.shl(counts, splat(counts.type, shift)))
        return counts

    def reached(sums, number):
        """Eight times the number of bytes that are not above `number`: the first bit of the first byte above it."""
        below = builder.icmp_unsigned("<=", builder.bitcast(sums, byte), repeated(number))
        return population(builder, builder.bitcast(builder.sext(below, byte), word.type))

    sums = running(builder.bitcast(population(builder, builder.bitcast(word, byte)), word.type))
    at = builder.and_(reached(sums, k), splat(word.type, 56))  # no shift by 64, where the word is empty
    low_byte = splat(word.type, 255)
    k = builder.sub(k, builder.and_(builder.lshr(builder.shl(sums, splat(word.type, 8)), at), low_byte))
    ones = splat(word.type, sum(1 << 9 * i for i in range(8)))  # bit i of byte i
    spread = builder.and_(builder.bitcast(repeated(builder.lshr(word, at)), word.type), ones)
    is_set = builder.icmp_unsigned("!=", builder.bitcast(spread, byte), splat(byte, 0))
    within = reached(running(builder.bitcast(builder.zext(is_set, byte), word.type)), k)
    place = builder.add(at, builder.and_(builder.lshr(within, splat(word.type, 3)), splat(word.type, 7)))
    return builder.and_(builder.shl(splat(word.type, 1), place), word)


def _where(builder, mask, value, other):
    return value if mask is None else builder.select(mask, value, other)


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
            # Only the band that the point is in stays. There, rows follow one another from word to word.
            band = splat(k.type, (1 << layout.stride) - 1)
            first = k
            for place, count in enumerate(counts[:-1], 1):
                beyond = builder.icmp_unsigned(">=", first, count)
                band = builder.select(beyond, splat(k.type, ((1 << layout.stride) - 1) << place * layout.stride), band)
                k = builder.select(beyond, builder.sub(first, count), k)
            words = [builder.and_(word, band) for word in words]
            counts = _running(builder, words)
        # The counts grow from word to word. The point is in the first word whose count k does not reach.
        beyond = [builder.icmp_unsigned(">=", k, count) for count in counts[:-1]]
        here = [None] * layout.words
        for w, mask in enumerate(beyond):
            inside = builder.not_(mask)
            here[w] = inside if w == 0 else builder.and_(beyond[w - 1], inside)
        here[-1] = beyond[-1] if beyond else None
        chosen = or_tree(builder, [_where(builder, mask, x, zero) for mask, x in zip(here, words, strict=True)])
        # Within that word the point is number k minus the count of the words below it, the largest that k reaches. That
        # is the smallest of the differences: k minus a count that it does not reach wraps round to a large number.
        # A tree of minima finds it in log2(words) steps.
        rest = [k, *(builder.sub(k, count) for count in counts[:-1])]
        while len(rest) > 1:
            pairs = [call_intrinsic(builder, "umin", *rest[i : i + 2]) for i in range(0, len(rest) - 1, 2)]
            rest = pairs + rest[2 * len(pairs) :]
        if layout.lanes == 1 and layout.bits == 64:
            bit = isolate_nth(context, builder, chosen, rest[0])
        elif layout.bits == 64:
            bit = _nth_bit_by_bytes(builder, chosen, rest[0])
        else:
            bit = _nth_bit(builder, chosen, rest[0], layout.rows * layout.stride)
        return repack(builder, [_where(builder, mask, bit, zero) for mask in here])

    return bits(bits, running, k), codegen
