"""Sets of points in every lane: the board's geometry, counting, the k-th point, flooding."""

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
def passes_before_test(typingctx, layout):
    """Flood passes before the first look whether more are needed.

    Three with one row a word: nine games in ten need no more, and looking earlier costs more than it saves.
    """
    count = 3 if layout.layout.rows == 1 else 1

    def codegen(context, builder, sig, args):
        return ir.Constant(ir.IntType(64), count)

    return types.int64(layout), codegen


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


def _vertical_steps(layout: Layout, word: ir.Type):
    """Shift amounts: one row inside a word, and from a word's first row to its last."""
    return splat(word, layout.stride % layout.bits), splat(word, layout.stride * (layout.rows - 1))


def _north(builder, layout: Layout, words: list) -> list:
    """Every point moved one row up; guard and spare bits may be dirty."""
    zero = splat(words[0].type, 0)
    if layout.rows == 1:
        return [zero, *words[:-1]]
    step, back = _vertical_steps(layout, words[0].type)
    out = [builder.shl(w, step) for w in words]
    for w in range(1, len(words)):
        out[w] = builder.or_(out[w], builder.lshr(words[w - 1], back))
    return out


def _south(builder, layout: Layout, words: list) -> list:
    """Every point moved one row down; guard and spare bits may be dirty."""
    zero = splat(words[0].type, 0)
    if layout.rows == 1:
        return [*words[1:], zero]
    step, back = _vertical_steps(layout, words[0].type)
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
            if which in (_north, _south):
                return repack(builder, which(builder, bits.layout, words))
            return repack(builder, which(builder, words))

        return bits(bits), codegen

    return move


north = _shifted(_north)
south = _shifted(_south)
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
            _north(builder, bits.layout, words),
            _south(builder, bits.layout, words),
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
    """For each word the points in it and in all words below: integers in the words of a set."""

    def codegen(context, builder, sig, args):
        counts = [population(builder, w) for w in unpack(builder, args[0], bits.layout.words)]
        for w in range(1, len(counts)):
            counts[w] = builder.add(counts[w], counts[w - 1])
        return repack(builder, counts)

    return bits(bits), codegen


@intrinsic
def count_points(typingctx, bits):
    """The number of points in each lane's set, by carry-save adders over the words."""

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
    """The k-th set bit (from 0) of each lane alone, by clearing the bits below it; nothing if there are too few."""
    one = splat(word.type, 1)
    for i in range(used - 1):
        cleared = builder.and_(word, builder.sub(word, one))
        word = builder.select(builder.icmp_unsigned(">", k, splat(k.type, i)), cleared, word)
    return builder.and_(word, builder.neg(word))


def _where(builder, mask, value, other):
    return value if mask is None else builder.select(mask, value, other)


@intrinsic
def nth_point(typingctx, bits, running, k):
    """The k-th point (from 0) of each lane's set, alone; nothing where the set is empty.

    `running` is `running_counts` of the set, `k` below its size.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        words = unpack(builder, args[0], layout.words)
        counts = unpack(builder, args[1], layout.words)
        k = args[2]
        zero = splat(k.type, 0)
        # the word holds the point if k is beyond all words below it, and not beyond it
        beyond = [builder.icmp_unsigned(">=", k, count) for count in counts[:-1]]
        here = [None] * layout.words
        for w, mask in enumerate(beyond):
            inside = builder.not_(mask)
            here[w] = inside if w == 0 else builder.and_(beyond[w - 1], inside)
        here[-1] = beyond[-1] if beyond else None
        chosen = or_tree(builder, [_where(builder, mask, x, zero) for mask, x in zip(here, words, strict=True)])
        # k less the largest count it reaches: the others wrap round to large numbers
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


# --- flooding -----------------------------------------------------------------------------------


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
        up_a, up_b = _south(builder, layout, a), _south(builder, layout, b)
        out = [builder.or_(builder.and_(a[w], up_a[w]), builder.and_(b[w], up_b[w])) for w in range(layout.words)]
        return repack(builder, out)

    return first(first, second), codegen


@intrinsic
def flood_pass(typingctx, bits, east_links, north_links):
    """The set grown along the links: north, then south, then all the way east, and two points west.

    North and south it goes from word to word, and one row on inside a word. East is one addition a word: the
    carry runs along the links. A fixed point is the union of whole strings.
    """

    def codegen(context, builder, sig, args):
        layout = bits.layout
        x, east_of, north_of = (unpack(builder, arg, layout.words) for arg in args)
        last = layout.words - 1
        step, back = _vertical_steps(layout, x[0].type)
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
            link = east_of[w]
            carried = builder.xor(builder.add(link, builder.and_(x[w], link)), link)
            x[w] = builder.or_(x[w], carried)
            for _ in range(2):
                x[w] = builder.or_(x[w], builder.and_(builder.lshr(x[w], one), link))
        return repack(builder, x)

    return bits(bits, east_links, north_links), codegen


@intrinsic
def is_open(typingctx, bits, east_links, north_links):
    """The lanes where a link leads out of the set, so that a flood has further to go."""

    def codegen(context, builder, sig, args):
        layout = bits.layout
        x, h, v = (unpack(builder, arg, layout.words) for arg in args)
        above = _south(builder, layout, x)
        differences = []
        for here, beyond, across, upward in zip(x, above, h, v, strict=True):
            eastern = builder.lshr(here, splat(here.type, 1))
            differences.append(builder.and_(builder.xor(here, eastern), across))
            differences.append(builder.and_(builder.xor(here, beyond), upward))
        union = or_tree(builder, differences)
        return builder.icmp_unsigned("!=", union, splat(union.type, 0))

    return MaskType(bits.layout.lanes)(bits, east_links, north_links), codegen
