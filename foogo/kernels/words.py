"""The abstract word: board sets, integers and masks of many games at once, as Numba types.

The lockstep kernel is board algebra over three types, each holding one value per *lane* (a game):

============  ==========================================================  =======================
type          value of one lane                                           operations
============  ==========================================================  =======================
`Bits`        a set of points, in ``layout.words`` machine words          ``& | ^ ~``, `spread`...
`Ints`        an unsigned integer of 16, 32 or 64 bits                    ``+ - & | ^ << >>``, ``<``
`Mask`        true or false                                               ``& | ~``, `any_lane`
============  ==========================================================  =======================

With ``lanes > 1`` each machine word is an LLVM vector, with ``lanes == 1`` a plain integer; the kernel's
source is the same. The `Layout` is an argument whose *type* carries every constant, as a C++ template
parameter would, so Numba's disk cache keys on it.

Layout of a set: row y occupies ``layout.stride`` bits of word ``y // layout.rows``, from bit
``(y % layout.rows) * stride``; column x is bit x of the row. With one row a word a step north or south is
another word and costs nothing. With several rows a word each row has one guard bit, always zero, at its top.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass
from functools import cached_property

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import AbstractTemplate, signature
from numba.extending import intrinsic, lower_builtin, register_model, type_callable, typeof_impl
from numba.core.typing.templates import infer_global

# --- the layout and the types -----------------------------------------------------------------------


@dataclass(frozen=True)
class Layout:
    """How one board size is laid out in machine words.

    Attributes
    ----------
    size
        Points along a side.
    bits
        Bits of a machine word: 16, 32 or 64.
    rows
        Rows of the board in one word.
    lanes
        Games side by side.
    """

    size: int
    bits: int
    rows: int
    lanes: int

    @property
    def stride(self) -> int:
        """Bits from a point to the point north of it, inside a word."""
        return self.size if self.rows == 1 else self.size + 1

    @property
    def words(self) -> int:
        """Machine words of a set."""
        return -(-self.size // self.rows)

    def bit(self, point: int) -> tuple[int, int]:
        """The word and the bit in it of a point."""
        row, column = divmod(point, self.size)
        word, row = divmod(row, self.rows)
        return word, row * self.stride + column

    def pack(self, points: object) -> list[int]:
        """The words of a set given as an iterable of points."""
        words = [0] * self.words
        for point in points:  # type: ignore[attr-defined]
            word, bit = self.bit(point)
            words[word] |= 1 << bit
        return words

    @cached_property
    def full(self) -> list[int]:
        """The words of the whole board."""
        return self.pack(range(self.size * self.size))

    @cached_property
    def border(self) -> list[int]:
        """The words of the edge and the corners."""
        n = self.size
        return self.pack(p for p in range(n * n) if p // n in (0, n - 1) or p % n in (0, n - 1))

    @cached_property
    def numba_type(self) -> LayoutType:
        return LayoutType(self.size, self.bits, self.rows, self.lanes)


class LayoutType(types.Type):
    def __init__(self, size: int, bits: int, rows: int, lanes: int) -> None:
        self.layout = Layout(size, bits, rows, lanes)
        super().__init__(name=f"Layout({size},{bits},{rows},{lanes})")


class BitsType(types.Type):
    def __init__(self, size: int, bits: int, rows: int, lanes: int) -> None:
        self.layout = Layout(size, bits, rows, lanes)
        super().__init__(name=f"Bits({size},{bits},{rows},{lanes})")


class IntsType(types.Type):
    def __init__(self, bits: int, lanes: int) -> None:
        self.bits, self.lanes = bits, lanes
        super().__init__(name=f"Ints({bits},{lanes})")


class MaskType(types.Type):
    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(name=f"Mask({lanes})")


def bits_of(layout: Layout) -> BitsType:
    return BitsType(layout.size, layout.bits, layout.rows, layout.lanes)


def word_of(bits: int, lanes: int) -> ir.Type:
    return ir.IntType(bits) if lanes == 1 else ir.VectorType(ir.IntType(bits), lanes)


@typeof_impl.register(Layout)
def _typeof_layout(value, _context):
    return value.numba_type


register_model(LayoutType)(models.OpaqueModel)


@register_model(BitsType)
class _BitsModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        layout = fe_type.layout
        word = word_of(layout.bits, layout.lanes)
        super().__init__(dmm, fe_type, ir.LiteralStructType([word] * layout.words))


@register_model(IntsType)
class _IntsModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, word_of(fe_type.bits, fe_type.lanes))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, word_of(1, fe_type.lanes))


from numba.extending import NativeValue, unbox  # noqa: E402


@unbox(LayoutType)
def _unbox_layout(_typ, _obj, c):
    return NativeValue(c.context.get_dummy_value())


# --- building LLVM ---------------------------------------------------------------------------------


def splat(word: ir.Type, value: int) -> ir.Constant:
    """A constant word with `value` in every lane."""
    if isinstance(word, ir.VectorType):
        return ir.Constant(word, [ir.Constant(word.element, value)] * word.count)
    return ir.Constant(word, value)


def broadcast(builder, word: ir.Type, scalar):
    """A word with the run-time `scalar` in every lane."""
    if not isinstance(word, ir.VectorType):
        return scalar
    one = builder.insert_element(ir.Constant(word, ir.Undefined), scalar, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), word.count), [ir.Constant(ir.IntType(32), 0)] * word.count)
    return builder.shuffle_vector(one, ir.Constant(word, ir.Undefined), zeros)


def unpack(builder, value, words: int) -> list:
    return [builder.extract_value(value, w) for w in range(words)]


def repack(builder, word_values: list):
    value = ir.Constant(ir.LiteralStructType([w.type for w in word_values]), ir.Undefined)
    for w, word in enumerate(word_values):
        value = builder.insert_value(value, word, w)
    return value


def call_intrinsic(builder, name: str, *args):
    """A call of LLVM's intrinsic `name`, whose arguments and result all have one type."""
    word = args[0].type
    suffix = f"v{word.count}i{word.element.width}" if isinstance(word, ir.VectorType) else f"i{word.width}"
    function = cgutils.get_or_insert_function(
        builder.module, ir.FunctionType(word, [word] * len(args)), f"llvm.{name}.{suffix}"
    )
    return builder.call(function, args)


def population(builder, word):
    """Set bits of each lane."""
    return call_intrinsic(builder, "ctpop", word)


def or_tree(builder, words: list):
    while len(words) > 1:
        pairs = [builder.or_(a, b) for a, b in zip(words[::2], words[1::2], strict=False)]
        words = pairs + ([words[-1]] if len(words) % 2 else [])
    return words[0]


# --- operators --------------------------------------------------------------------------------------

_LOGIC = {
    operator.and_: ir.IRBuilder.and_,
    operator.or_: ir.IRBuilder.or_,
    operator.xor: ir.IRBuilder.xor,
    operator.iand: ir.IRBuilder.and_,
    operator.ior: ir.IRBuilder.or_,
    operator.ixor: ir.IRBuilder.xor,
}
_ARITHMETIC = {
    operator.add: ir.IRBuilder.add,
    operator.sub: ir.IRBuilder.sub,
    operator.iadd: ir.IRBuilder.add,
    operator.isub: ir.IRBuilder.sub,
    operator.mul: ir.IRBuilder.mul,
}
_COMPARE = {
    operator.eq: "==",
    operator.ne: "!=",
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
}


def _same_type_operator(op, result_of, accepted):
    @infer_global(op)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and args[0] == args[1] and isinstance(args[0], accepted):
                return signature(result_of(args[0]), *args)
            return None


def _lower_bits(op, build):
    @lower_builtin(op, BitsType, BitsType)
    def _lower(context, builder, sig, args):
        words = sig.return_type.layout.words
        a, b = (unpack(builder, arg, words) for arg in args)
        return repack(builder, [build(builder, x, y) for x, y in zip(a, b, strict=True)])


def _lower_plain(op, type_class, build):
    @lower_builtin(op, type_class, type_class)
    def _lower(context, builder, sig, args):
        return build(builder, *args)


for _op, _build in _LOGIC.items():
    _same_type_operator(_op, lambda t: t, (BitsType, IntsType, MaskType))
    _lower_bits(_op, _build)
    _lower_plain(_op, IntsType, _build)
    _lower_plain(_op, MaskType, _build)
for _op, _build in _ARITHMETIC.items():
    _same_type_operator(_op, lambda t: t, IntsType)
    _lower_plain(_op, IntsType, _build)


def _lower_compare(op, symbol):
    @lower_builtin(op, IntsType, IntsType)
    def _lower(context, builder, sig, args):
        return builder.icmp_unsigned(symbol, *args)


for _op, _symbol in _COMPARE.items():
    _same_type_operator(_op, lambda t: MaskType(t.lanes), IntsType)
    _lower_compare(_op, _symbol)


@infer_global(operator.invert)
class _Invert(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], BitsType | IntsType | MaskType):
            return signature(args[0], args[0])
        return None


@lower_builtin(operator.invert, BitsType)
def _invert_bits(context, builder, sig, args):
    return repack(builder, [builder.not_(w) for w in unpack(builder, args[0], sig.return_type.layout.words)])


@lower_builtin(operator.invert, IntsType)
@lower_builtin(operator.invert, MaskType)
def _invert_plain(context, builder, sig, args):
    return builder.not_(args[0])


# --- constants, memory, choice ----------------------------------------------------------------------


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
def nothing(typingctx, layout):
    """The empty set, in every lane."""

    def codegen(context, builder, sig, args):
        return _set_constant(layout.layout, [0] * layout.layout.words)

    return bits_of(layout.layout)(layout), codegen


def _pointer(context, builder, array_type, array, index, word):
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), word.as_pointer())


@intrinsic
def load_bits(typingctx, layout, array, offset):
    """A set from ``array[offset:]``, stored word by word, lanes side by side."""

    def codegen(context, builder, sig, args):
        where, element = layout.layout, array.dtype.bitwidth // 8
        word = word_of(where.bits, where.lanes)
        values = []
        for w in range(where.words):
            index = builder.add(args[2], ir.Constant(ir.IntType(64), w * where.lanes))
            pointer = _pointer(context, builder, array, args[1], index, word)
            values.append(builder.load(pointer, align=element))
        return repack(builder, values)

    return bits_of(layout.layout)(layout, array, types.int64), codegen


@intrinsic
def store_bits(typingctx, array, offset, value):
    """Write a set to ``array[offset:]``, word by word, lanes side by side."""

    def codegen(context, builder, sig, args):
        where, element = value.layout, array.dtype.bitwidth // 8
        word = word_of(where.bits, where.lanes)
        for w, bits in enumerate(unpack(builder, args[2], where.words)):
            index = builder.add(args[1], ir.Constant(ir.IntType(64), w * where.lanes))
            builder.store(bits, _pointer(context, builder, array, args[0], index, word), align=element)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), codegen


@intrinsic
def load_ints(typingctx, layout, array, offset):
    """Integers of the array's width from ``array[offset:]``, one a lane."""
    ints = IntsType(array.dtype.bitwidth, layout.layout.lanes)

    def codegen(context, builder, sig, args):
        word = word_of(ints.bits, ints.lanes)
        pointer = _pointer(context, builder, array, args[1], args[2], word)
        return builder.load(pointer, align=ints.bits // 8)

    return ints(layout, array, types.int64), codegen


@intrinsic
def store_ints(typingctx, array, offset, value):
    """Write one integer a lane to ``array[offset:]``."""

    def codegen(context, builder, sig, args):
        pointer = _pointer(context, builder, array, args[0], args[1], args[2].type)
        builder.store(args[2], pointer, align=value.bits // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), codegen


@intrinsic
def counters(typingctx, layout, value):
    """The scalar `value` in every lane, as wide as a word of the layout."""
    ints = IntsType(layout.layout.bits, layout.layout.lanes)

    def codegen(context, builder, sig, args):
        word = word_of(ints.bits, ints.lanes)
        element = ir.IntType(ints.bits)
        scalar = builder.trunc(args[1], element) if ints.bits < 64 else args[1]
        return broadcast(builder, word, scalar)

    return ints(layout, types.int64), codegen


@intrinsic
def ints32(typingctx, layout, value):
    """The scalar `value` in every lane, 32 bits wide."""
    ints = IntsType(32, layout.layout.lanes)

    def codegen(context, builder, sig, args):
        return broadcast(builder, word_of(32, ints.lanes), builder.trunc(args[1], ir.IntType(32)))

    return ints(layout, types.int64), codegen


@intrinsic
def choose(typingctx, mask, yes, no):
    """Lane by lane `yes` where `mask` is true, else `no`."""

    def codegen(context, builder, sig, args):
        if isinstance(yes, BitsType):
            words = yes.layout.words
            pairs = zip(unpack(builder, args[1], words), unpack(builder, args[2], words), strict=True)
            return repack(builder, [builder.select(args[0], a, b) for a, b in pairs])
        return builder.select(args[0], args[1], args[2])

    return yes(mask, yes, no), codegen


@intrinsic
def lanes_of(typingctx, mask):
    """The mask as an integer (uint64), bit = lane."""

    def codegen(context, builder, sig, args):
        integer = args[0] if mask.lanes == 1 else builder.bitcast(args[0], ir.IntType(mask.lanes))
        return builder.zext(integer, ir.IntType(64)) if mask.lanes < 64 else integer

    return types.uint64(mask), codegen


@intrinsic
def is_true(typingctx, ints):
    """The lanes whose integer is not zero."""

    def codegen(context, builder, sig, args):
        return builder.icmp_unsigned("!=", args[0], splat(args[0].type, 0))

    return MaskType(ints.lanes)(ints), codegen


@intrinsic
def one_where(typingctx, layout, mask):
    """The integer 1 where `mask` is true, else 0, as wide as a word of the layout."""
    ints = IntsType(layout.layout.bits, mask.lanes)

    def codegen(context, builder, sig, args):
        return builder.zext(args[1], word_of(ints.bits, ints.lanes))

    return ints(layout, mask), codegen


# --- shifts of integers (by constants) --------------------------------------------------------------


@intrinsic(prefer_literal=True)
def shift_left(typingctx, ints, amount):
    """Each lane shifted left by the literal `amount`."""
    value = amount.literal_value

    def codegen(context, builder, sig, args):
        return builder.shl(args[0], splat(args[0].type, value))

    return ints(ints, amount), codegen


@intrinsic(prefer_literal=True)
def shift_right(typingctx, ints, amount):
    """Each lane shifted right by the literal `amount`, zeros coming in."""
    value = amount.literal_value

    def codegen(context, builder, sig, args):
        return builder.lshr(args[0], splat(args[0].type, value))

    return ints(ints, amount), codegen


@intrinsic(prefer_literal=True)
def rotate_left(typingctx, ints, amount):
    """Each lane rotated left by the literal `amount`."""
    value = amount.literal_value

    def codegen(context, builder, sig, args):
        return call_intrinsic(builder, "fshl", args[0], args[0], splat(args[0].type, value))

    return ints(ints, amount), codegen


@intrinsic
def scale(typingctx, layout, number, count):
    """``number * count >> 32`` for 32-bit `number` and `count` below 2**15, as wide as `count`.

    In two 16-bit halves, so that no lane needs 64 bits: exact.
    """

    def codegen(context, builder, sig, args):
        r, n = args[1], args[2]
        wide = r.type
        if count.bits > 32:
            n32 = builder.trunc(n, wide)
        elif count.bits < 32:
            n32 = builder.zext(n, wide)
        else:
            n32 = n
        sixteen = splat(wide, 16)
        low = builder.mul(builder.and_(r, splat(wide, 0xFFFF)), n32)
        high = builder.mul(builder.lshr(r, sixteen), n32)
        k = builder.lshr(builder.add(high, builder.lshr(low, sixteen)), sixteen)
        if count.bits > 32:
            return builder.zext(k, n.type)
        if count.bits < 32:
            return builder.trunc(k, n.type)
        return k

    return count(layout, number, count), codegen


@intrinsic
def trailing_zeros(typingctx, number):
    """The index of the lowest set bit of a uint64 that is not zero."""

    def codegen(context, builder, sig, args):
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), codegen


# --- sets: geometry ---------------------------------------------------------------------------------


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


# --- sets: counting and the k-th point ---------------------------------------------------------------


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


def _nth_bit(builder, word, k, bits: int, used: int):
    """The k-th set bit (from 0) of each lane alone, by clearing the bits below it; nothing if there are too few."""
    t = word.type
    one = splat(t, 1)
    for i in range(used - 1):
        fewer = builder.and_(word, builder.sub(word, one))
        word = builder.select(builder.icmp_unsigned(">", k, splat(t, i)), fewer, word)
    return builder.and_(word, builder.sub(splat(t, 0), word))


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
        beyond = [builder.icmp_unsigned(">=", k, count) for count in counts[:-1]]
        chosen, rest = words[0], k
        for w in range(1, layout.words):
            chosen = builder.select(beyond[w - 1], words[w], chosen)
            rest = builder.select(beyond[w - 1], builder.sub(k, counts[w - 1]), rest)
        bit = _nth_bit(builder, chosen, rest, layout.bits, layout.rows * layout.stride)
        bit = builder.and_(bit, chosen)
        zero = splat(bit.type, 0)
        out = []
        for w in range(layout.words):
            value = bit
            if w:
                value = builder.select(beyond[w - 1], value, zero)
            if w < layout.words - 1:
                value = builder.select(beyond[w], zero, value)
            out.append(value)
        return repack(builder, out)

    return bits(bits, running, k), codegen


# --- sets: flooding -----------------------------------------------------------------------------------


@intrinsic
def links_east(typingctx, first, second):
    """The points of either set whose neighbour to the east is in the same set."""

    def codegen(context, builder, sig, args):
        words = first.layout.words
        out = []
        for a, b in zip(unpack(builder, args[0], words), unpack(builder, args[1], words), strict=True):
            one = splat(a.type, 1)
            out.append(
                builder.or_(builder.and_(a, builder.lshr(a, one)), builder.and_(b, builder.lshr(b, one)))
            )
        return repack(builder, out)

    return first(first, second), codegen


@intrinsic
def links_north(typingctx, first, second):
    """The points of either set whose neighbour to the north is in the same set."""

    def codegen(context, builder, sig, args):
        layout = first.layout
        a, b = (unpack(builder, arg, layout.words) for arg in args)
        up_a, up_b = _south(builder, layout, a), _south(builder, layout, b)
        out = [
            builder.or_(builder.and_(a[w], up_a[w]), builder.and_(b[w], up_b[w])) for w in range(layout.words)
        ]
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
