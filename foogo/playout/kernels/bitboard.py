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
from foogo.playout.kernels.layout import Layout, bits_of

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


def vertical_steps(layout: Layout, word: ir.Type):
    """Shift amounts: one row inside a word, and from a word's first row to its last."""
    # With one row a word neither is used; `% bits` keeps the first one below the width of the word.
    return splat(word, layout.stride % layout.bits), splat(word, layout.stride * (layout.rows - 1))


def rows_north(builder, layout: Layout, words: list) -> list:
    """The words of a set with every point moved one row up; guard and spare bits may be dirty."""
    zero = splat(words[0].type, 0)
    if layout.rows == 1:
        return [zero, *words[:-1]]
    step, back = vertical_steps(layout, words[0].type)
    out = [builder.shl(w, step) for w in words]
    for w in range(1, len(words)):
        out[w] = builder.or_(out[w], builder.lshr(words[w - 1], back))
    return out


def rows_south(builder, layout: Layout, words: list) -> list:
    """The words of a set with every point moved one row down; guard and spare bits may be dirty."""
    zero = splat(words[0].type, 0)
    if layout.rows == 1:
        return [*words[1:], zero]
    step, back = vertical_steps(layout, words[0].type)
    out = [builder.lshr(w, step) for w in words]
    for w in range(len(words) - 1):
        out[w] = builder.or_(out[w], builder.shl(words[w + 1], back))
    return out


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


@intrinsic
def running_counts(typingctx, bits):
    """For each word, the number of points in it and all lower words, stored in the words of a set."""

    def codegen(context, builder, sig, args):
        counts = [population(builder, w) for w in unpack(builder, args[0], bits.layout.words)]
        for w in range(1, len(counts)):
            counts[w] = builder.add(counts[w], counts[w - 1])
        return repack(builder, counts)

    return bits(bits), codegen


@intrinsic
def count_points(typingctx, bits):
    """The number of points in each lane's set, by carry-save adders over the words.

    An adder turns three words of one weight into one, and a carry word of twice the weight, in five logic operations.
    This leaves few words for the more expensive bit counts.
    """

    def codegen(context, builder, sig, args):
        planes = {0: unpack(builder, args[0], bits.layout.words)}
        weight, total = 0, None
        while weight in planes:
            plane = planes[weight]
            while len(plane) > 1:
                a, b = plane.pop(0), plane.pop(0)
                c = plane.pop(0) if plane else splat(a.type, 0)
                odd = builder.xor(a, b)
                carry = builder.or_(builder.and_(a, b), builder.and_(odd, c))
                plane.append(builder.xor(odd, c))
                planes.setdefault(weight + 1, []).append(carry)
            count = builder.shl(population(builder, plane[0]), splat(plane[0].type, weight))
            total = count if total is None else builder.add(total, count)
            weight += 1
        return total

    return IntsType(bits.layout.bits, bits.layout.lanes)(bits), codegen


@intrinsic
def last_word(typingctx, bits):
    """The last word of a set, as integers; of `running_counts`, the number of points."""

    def codegen(context, builder, sig, args):
        return builder.extract_value(args[0], bits.layout.words - 1)

    return IntsType(bits.layout.bits, bits.layout.lanes)(bits), codegen


def _nth_bit(builder, word, k, used: int):
    """A word with only the k-th set bit (from 0) of each lane; 0 if there are too few bits.

    `used` is how many bits of a word can be set. Clears the lowest bit k times: lanes that are done keep their word.
    """
    one = splat(word.type, 1)
    for i in range(used - 1):
        cleared = builder.and_(word, builder.sub(word, one))
        word = builder.select(builder.icmp_unsigned(">", k, splat(k.type, i)), cleared, word)
    return builder.and_(word, builder.neg(word))


def _where(builder, mask, value, other):
    return value if mask is None else builder.select(mask, value, other)


@intrinsic
def nth_point(typingctx, bits, running, k):
    """A set with only the k-th point (from 0) of each lane's set; empty where the set is empty.

    `running` is `running_counts` of the set, `k` below its size.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        words = unpack(builder, args[0], layout.words)
        counts = unpack(builder, args[1], layout.words)
        k = args[2]
        zero = splat(k.type, 0)
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
        else:
            bit = _nth_bit(builder, chosen, rest[0], layout.rows * layout.stride)
        return repack(builder, [_where(builder, mask, bit, zero) for mask in here])

    return bits(bits, running, k), codegen
