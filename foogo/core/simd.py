"""Values of many games at once, one per lane: integers, masks and groups of machine words, with operators in LLVM.

Everything here works lane by lane. `foogo.playout.kernels.bitboard` adds what depends on the board's geometry.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

CACHE_LINE = 64
"""Bytes."""

# --- types -----------------------------------------------------------------------------------------


class WordsType(types.Type):
    """`words` machine words of `bits` bits in every lane, for example a set of points."""

    def __init__(self, name: str, bits: int, lanes: int, words: int) -> None:
        self.bits, self.lanes, self.words = bits, lanes, words
        super().__init__(name=name)


class IntsType(types.Type):
    """An unsigned integer in every lane."""

    def __init__(self, bits: int, lanes: int) -> None:
        self.bits, self.lanes = bits, lanes
        super().__init__(name=f"Ints({bits},{lanes})")


class MaskType(types.Type):
    """True or false in every lane."""

    def __init__(self, lanes: int) -> None:
        self.lanes = lanes
        super().__init__(name=f"Mask({lanes})")


def word_of(bits: int, lanes: int) -> ir.Type:
    """The LLVM type of one machine word: `bits` bits per lane."""
    return ir.IntType(bits) if lanes == 1 else ir.VectorType(ir.IntType(bits), lanes)


class WordsModel(models.PrimitiveModel):
    """A `WordsType` in LLVM: a structure of its words."""

    def __init__(self, dmm, fe_type):
        word = word_of(fe_type.bits, fe_type.lanes)
        super().__init__(dmm, fe_type, ir.LiteralStructType([word] * fe_type.words))


@register_model(IntsType)
class _IntsModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, word_of(fe_type.bits, fe_type.lanes))


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, word_of(1, fe_type.lanes))


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
    """The machine words of a value."""
    return [builder.extract_value(value, w) for w in range(words)]


def repack(builder, word_values: list):
    """The value made of these machine words."""
    value = ir.Constant(ir.LiteralStructType([w.type for w in word_values]), ir.Undefined)
    for w, word in enumerate(word_values):
        value = builder.insert_value(value, word, w)
    return value


def call_intrinsic(builder, name: str, *args):
    """A call of an LLVM intrinsic whose arguments and result all have one type."""
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
    """The union of the words, by pairs: a chain would wait for each result before the next step."""
    while len(words) > 1:
        pairs = [builder.or_(a, b) for a, b in zip(words[::2], words[1::2], strict=False)]
        words = pairs + ([words[-1]] if len(words) % 2 else [])
    return words[0]


# --- operators --------------------------------------------------------------------------------------

_LOGIC = {
    operator.and_: ir.IRBuilder.and_,
    operator.or_: ir.IRBuilder.or_,
    operator.xor: ir.IRBuilder.xor,
}
_ARITHMETIC = {operator.add: ir.IRBuilder.add, operator.sub: ir.IRBuilder.sub}
_COMPARE = {operator.eq: "==", operator.lt: "<", operator.ge: ">="}


def infer_same_type(op, result_of, accepted):
    """Let Numba type `op` of two values of one `accepted` type: the result has ``result_of(type)``, if not None."""

    @infer_global(op)
    class _Template(AbstractTemplate):
        def generic(self, args, kws):
            if len(args) == 2 and args[0] == args[1] and isinstance(args[0], accepted) and result_of(args[0]):
                return signature(result_of(args[0]), *args)
            return None


def _lower_bits(op, build):
    @lower_builtin(op, WordsType, WordsType)
    def _lower(context, builder, sig, args):
        words = sig.return_type.words
        a, b = (unpack(builder, arg, words) for arg in args)
        return repack(builder, [build(builder, x, y) for x, y in zip(a, b, strict=True)])


def _lower_plain(op, type_class, build):
    @lower_builtin(op, type_class, type_class)
    def _lower(context, builder, sig, args):
        return build(builder, *args)


for _op, _build in _LOGIC.items():
    infer_same_type(_op, lambda t: t, (WordsType, IntsType, MaskType))
    _lower_bits(_op, _build)
    _lower_plain(_op, IntsType, _build)
    _lower_plain(_op, MaskType, _build)
for _op, _build in _ARITHMETIC.items():
    infer_same_type(_op, lambda t: t, IntsType)
    _lower_plain(_op, IntsType, _build)


def _lower_compare(op, symbol):
    @lower_builtin(op, IntsType, IntsType)
    def _lower(context, builder, sig, args):
        return builder.icmp_unsigned(symbol, *args)


for _op, _symbol in _COMPARE.items():
    infer_same_type(_op, lambda t: MaskType(t.lanes), IntsType)
    _lower_compare(_op, _symbol)


@infer_global(operator.invert)
class _Invert(AbstractTemplate):
    def generic(self, args, kws):
        if isinstance(args[0], WordsType | IntsType | MaskType):
            return signature(args[0], args[0])
        return None


@lower_builtin(operator.invert, WordsType)
def _invert_bits(context, builder, sig, args):
    return repack(builder, [builder.not_(w) for w in unpack(builder, args[0], sig.return_type.words)])


@lower_builtin(operator.invert, IntsType)
@lower_builtin(operator.invert, MaskType)
def _invert_plain(context, builder, sig, args):
    return builder.not_(args[0])


# --- constants, memory, choice ----------------------------------------------------------------------


@intrinsic
def align_stack(typingctx, layout):
    """Align the calling function's stack to a cache line, because vectors are spilled there.

    LLVM allocates registers after it has fixed the alignment. Without this, three spills in four straddle two lines.
    """

    def codegen(context, builder, sig, args):
        attributes = builder.function.attributes
        attributes.add("nounwind")  # llvmlite prints the alignment only beside another attribute
        attributes.alignstack = CACHE_LINE
        return context.get_dummy_value()

    return types.void(layout), codegen


def pointer_to(context, builder, array_type, array, index, word):
    """A pointer to `word` at an index of an array."""
    data = context.make_array(array_type)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), word.as_pointer())


@intrinsic
def load_ints(typingctx, layout, array, offset):
    """Integers of the array's width from ``array[offset:]``, one per lane."""
    ints = IntsType(array.dtype.bitwidth, layout.layout.lanes)

    def codegen(context, builder, sig, args):
        word = word_of(ints.bits, ints.lanes)
        pointer = pointer_to(context, builder, array, args[1], args[2], word)
        return builder.load(pointer, align=ints.bits // 8)

    return ints(layout, array, types.int64), codegen


@intrinsic
def store_ints(typingctx, array, offset, value):
    """Write one integer per lane to ``array[offset:]``."""

    def codegen(context, builder, sig, args):
        pointer = pointer_to(context, builder, array, args[0], args[1], args[2].type)
        builder.store(args[2], pointer, align=value.bits // 8)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), codegen


@intrinsic
def counters(typingctx, layout, value):
    """The scalar `value` in every lane, in the width of the layout's words."""
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
        if isinstance(yes, WordsType):
            words = yes.words
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
    """1 in the lanes where `mask` is true, else 0, in the width of the layout's words."""
    ints = IntsType(layout.layout.bits, mask.lanes)

    def codegen(context, builder, sig, args):
        return builder.zext(args[1], word_of(ints.bits, ints.lanes))

    return ints(layout, mask), codegen


# --- shifts of integers (by constants) --------------------------------------------------------------


def _by_constant(build):
    """An intrinsic that shifts the integers of all lanes by a literal amount."""

    @intrinsic(prefer_literal=True)
    def by_constant(typingctx, ints, amount):
        value = amount.literal_value

        def codegen(context, builder, sig, args):
            return build(builder, args[0], splat(args[0].type, value))

        return ints(ints, amount), codegen

    return by_constant


shift_left = _by_constant(lambda builder, word, amount: builder.shl(word, amount))
shift_right = _by_constant(lambda builder, word, amount: builder.lshr(word, amount))
rotate_left = _by_constant(lambda builder, word, amount: call_intrinsic(builder, "fshl", word, word, amount))
