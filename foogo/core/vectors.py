"""Vectors of sixteen numbers and their operators, used by the search tree.

`int32x16`, `int64x16` and `float32x16` are Numba types of one number per lane. Two of the same type combine by
``+ - * & | >``, floats also by ``/``; `foogo.core.simd` has `choose` and the shifts. Sixteen 32-bit numbers fill a
cache line, so one load or store moves a whole line.

Every operation is one LLVM instruction without fast-math flags. Expressions are therefore evaluated exactly as
written, and give the same bits with vectors of any width.
"""

from __future__ import annotations

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel import models
from numba.extending import intrinsic, lower_builtin, register_model

from foogo.core.cpu import has_feature
from foogo.core.simd import MaskType, broadcast, infer_same_type, splat

LANES = 16

_LLVM = {types.int32: ir.IntType(32), types.int64: ir.IntType(64), types.float32: ir.FloatType()}


class VectorType(types.Type):
    """A number of the Numba type `element` in each of the sixteen lanes."""

    def __init__(self, element: types.Number) -> None:
        self.element = element
        super().__init__(name=f"{element}x{LANES}")

    @property
    def llvm(self) -> ir.VectorType:
        """The LLVM type."""
        return ir.VectorType(_LLVM[self.element], LANES)


int32x16, int64x16, float32x16 = VectorType(types.int32), VectorType(types.int64), VectorType(types.float32)


@register_model(VectorType)
class _VectorModel(models.PrimitiveModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, fe_type.llvm)


# --- operators --------------------------------------------------------------------------------------

_OPERATORS = {
    operator.add: (ir.IRBuilder.add, ir.IRBuilder.fadd),
    operator.sub: (ir.IRBuilder.sub, ir.IRBuilder.fsub),
    operator.mul: (ir.IRBuilder.mul, ir.IRBuilder.fmul),
    operator.truediv: (None, ir.IRBuilder.fdiv),
    operator.and_: (ir.IRBuilder.and_, None),
    operator.or_: (ir.IRBuilder.or_, None),
    operator.xor: (ir.IRBuilder.xor, None),
}
"""The instruction of each operator for integers and for floats; None if it has none."""


def _define(op, of_integers, of_floats):
    def result(vector):
        return vector if (of_floats if vector == float32x16 else of_integers) else None

    infer_same_type(op, result, VectorType)

    @lower_builtin(op, VectorType, VectorType)
    def _lower(context, builder, sig, args):
        return (of_floats if sig.return_type == float32x16 else of_integers)(builder, *args)


for _op, _instructions in _OPERATORS.items():
    _define(_op, *_instructions)

infer_same_type(operator.gt, lambda _vector: MaskType(LANES), VectorType)


@lower_builtin(operator.gt, VectorType, VectorType)
def _lower_greater(context, builder, sig, args):
    compare = builder.fcmp_ordered if sig.args[0] == float32x16 else builder.icmp_signed
    return compare(">", *args)


# --- constants and conversions ----------------------------------------------------------------------


@intrinsic
def everywhere(typingctx, number):
    """`number`, an int32, int64 or float32, in every lane."""
    vector = VectorType(number)

    def codegen(context, builder, signature, args):
        return broadcast(builder, vector.llvm, args[0])

    return vector(number), codegen


@intrinsic
def lane_numbers(typingctx):
    """0, 1, ... 15 as int64."""

    def codegen(context, builder, signature, args):
        return ir.Constant(int64x16.llvm, list(range(LANES)))

    return int64x16(), codegen


def _conversion(instruction, source, target, summary):
    def convert(typingctx, vector):
        def codegen(context, builder, signature, args):
            return instruction(builder, args[0], target.llvm)

        return (target(vector), codegen) if vector == source else None

    convert.__doc__ = summary
    return intrinsic(convert)


to_float32 = _conversion(ir.IRBuilder.sitofp, int32x16, float32x16, "The nearest float32 of each int32.")
to_int32 = _conversion(ir.IRBuilder.fptosi, float32x16, int32x16, "Each float32 rounded towards zero.")
to_int64 = _conversion(ir.IRBuilder.sext, int32x16, int64x16, "Each int32 as int64.")


def call_llvm(builder, name, result, *args):
    """A call of the LLVM intrinsic of that name, which returns a `result`."""
    kind = ir.FunctionType(result, [arg.type for arg in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), args)


@intrinsic
def square_root(typingctx, floats):
    """The square root of each lane, correctly rounded."""

    def codegen(context, builder, signature, args):
        return call_llvm(builder, "llvm.sqrt.v16f32", float32x16.llvm, *args)

    return float32x16(float32x16), codegen


@intrinsic
def largest(typingctx, longs):
    """The largest of sixteen int64."""

    def codegen(context, builder, signature, args):
        return call_llvm(builder, "llvm.vector.reduce.smax.v16i64", int64x16.llvm.element, *args)

    return types.int64(int64x16), codegen


@intrinsic
def total_of(typingctx, integers):
    """The sum of sixteen int32."""

    def codegen(context, builder, signature, args):
        return call_llvm(builder, "llvm.vector.reduce.add.v16i32", int32x16.llvm.element, *args)

    return types.int32(int32x16), codegen


# --- pairs of halves --------------------------------------------------------------------------------

_HALVES, _PRODUCTS = ir.VectorType(ir.IntType(16), 2 * LANES), ir.VectorType(ir.IntType(32), 2 * LANES)

_PAIR_PRODUCTS = {"avx512bw": ("avx512.pmaddw.d.512", 32), "avx2": ("avx2.pmadd.wd", 16), "ssse3": ("sse2.pmadd.wd", 8)}
"""LLVM's names of the x86 instruction that multiplies pairs of int16 and adds the two products, by the feature that a
processor needs, the best first; and the int16 that each of them takes."""


def _part(builder, vector, lanes):
    """Some lanes of a vector."""
    order = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes))
    return builder.shuffle_vector(vector, ir.Constant(vector.type, ir.Undefined), order)


def _sums_of_products(context, builder, first, second):
    """The products of two vectors of 32 int16, each two neighbours added: sixteen int32.

    LLVM recognizes the plain form too, but not if it has moved the conversion of an operand out of a loop.
    """
    for feature, (name, width) in _PAIR_PRODUCTS.items():
        if has_feature(context, feature):
            result, sums = ir.VectorType(ir.IntType(32), width // 2), []
            for start in range(0, 2 * LANES, width):
                parts = [_part(builder, vector, range(start, start + width)) for vector in (first, second)]
                sums.append(call_llvm(builder, f"llvm.x86.{name}", result, *parts))
            while len(sums) > 1:
                lanes = 2 * sums[0].type.count
                order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), list(range(lanes)))
                sums = [builder.shuffle_vector(a, b, order) for a, b in zip(sums[::2], sums[1::2], strict=True)]
            return sums[0]
    products = builder.mul(builder.sext(first, _PRODUCTS), builder.sext(second, _PRODUCTS))
    return builder.add(*(_part(builder, products, range(half, 2 * LANES, 2)) for half in (0, 1)))


@intrinsic
def multiply_pairs(typingctx, first, second, added):
    """The lower halves' product plus the upper halves' product plus `added`, an int32 in each lane.

    Each lane of `first` and `second` is a pair of int16.
    """

    def codegen(context, builder, signature, args):
        first, second = (builder.bitcast(pairs, _HALVES) for pairs in args[:2])
        return builder.add(args[2], _sums_of_products(context, builder, first, second))

    return int32x16(int32x16, int32x16, int32x16), codegen


@intrinsic
def add_pairs(typingctx, first, second):
    """The sums of the lower and of the upper halves of each lane, int16 that wrap around."""

    def codegen(context, builder, signature, args):
        total = builder.add(*(builder.bitcast(pairs, _HALVES) for pairs in args))
        return builder.bitcast(total, int32x16.llvm)

    return int32x16(int32x16, int32x16), codegen


@intrinsic(prefer_literal=True)
def clip_pairs(typingctx, pairs, most):
    """The halves of each lane, int16, cut to 0 to `most`, a literal."""
    value = most.literal_value

    def codegen(context, builder, signature, args):
        halves = builder.bitcast(args[0], _HALVES)
        halves = call_llvm(builder, "llvm.smax.v32i16", _HALVES, halves, splat(_HALVES, 0))
        halves = call_llvm(builder, "llvm.smin.v32i16", _HALVES, halves, splat(_HALVES, value))
        return builder.bitcast(halves, int32x16.llvm)

    return int32x16(int32x16, most), codegen


# --- memory -----------------------------------------------------------------------------------------


def _line_at(builder, pointer, index, vector):
    return builder.bitcast(builder.gep(pointer, [index]), vector.llvm.as_pointer())


@intrinsic
def load(typingctx, pointer, index):
    """``pointer[index : index + 16]``."""
    vector = VectorType(pointer.dtype)

    def codegen(context, builder, signature, args):
        return builder.load(_line_at(builder, *args, vector), align=vector.element.bitwidth // 8)

    return vector(pointer, types.int64), codegen


@intrinsic
def store(typingctx, pointer, index, vector):
    """Write `vector` to ``pointer[index : index + 16]``."""

    def codegen(context, builder, signature, args):
        builder.store(args[2], _line_at(builder, *args[:2], vector), align=vector.element.bitwidth // 8)
        return context.get_dummy_value()

    return types.void(pointer, types.int64, vector), codegen


@intrinsic
def matching(typingctx, pointer, index, number):
    """A word whose bit i says whether ``pointer[index + i] == number``, of a uint16 pointer."""
    vector = ir.VectorType(ir.IntType(16), 64)

    def codegen(context, builder, signature, args):
        start = builder.bitcast(builder.gep(args[0], [args[1]]), vector.as_pointer())
        wanted = broadcast(builder, vector, builder.trunc(args[2], vector.element))
        return builder.bitcast(builder.icmp_unsigned("==", builder.load(start, align=2), wanted), ir.IntType(64))

    return types.uint64(types.CPointer(types.uint16), types.int64, types.int64), codegen


@intrinsic
def gather(typingctx, pointer, start, indices):
    """``pointer[start + indices[lane]]`` in each lane, of an int32 pointer and int64 indices."""

    def codegen(context, builder, signature, args):
        pointer, start, indices = args
        # Addresses are computed as integers, because llvmlite cannot type a gep with a vector of indices.
        first = builder.ptrtoint(builder.gep(pointer, [start]), int64x16.llvm.element)
        offsets = builder.shl(indices, splat(indices.type, 2))
        addresses = builder.add(broadcast(builder, indices.type, first), offsets)
        addresses = builder.inttoptr(addresses, ir.VectorType(int32x16.llvm.element.as_pointer(), LANES))
        align, everyone = ir.Constant(ir.IntType(32), 4), splat(ir.VectorType(ir.IntType(1), LANES), 1)
        unused = ir.Constant(int32x16.llvm, ir.Undefined)
        name = "llvm.masked.gather.v16i32.v16p0i32"
        return call_llvm(builder, name, int32x16.llvm, addresses, align, everyone, unused)

    return int32x16(pointer, types.int64, int64x16), codegen


# --- lanes in another order -------------------------------------------------------------------------


def _shuffle(orders, summary):
    """An intrinsic of two vectors that returns two: lane i of each is lane ``order[i]`` of both arguments in a row."""

    def shuffle(typingctx, first, second):
        def codegen(context, builder, signature, args):
            shuffled = [builder.shuffle_vector(*args, ir.Constant(int32x16.llvm, list(order))) for order in orders]
            return context.make_tuple(builder, signature.return_type, shuffled)

        return types.UniTuple(first, 2)(first, first), codegen

    shuffle.__doc__ = summary
    return intrinsic(shuffle)


def _alternating(width):
    """The orders that take `width` lanes from the first vector, as many from the second, and so on."""
    lanes = range(0, LANES, width)
    taken = [lane + part for start in lanes for lane in (start, LANES + start) for part in range(width)]
    return taken[:LANES], taken[LANES:]


alternate_lanes = _shuffle(_alternating(1), "a0 b0 a1 b1 ... of two vectors: the first sixteen, and the others.")
alternate_pairs = _shuffle(_alternating(2), "a0 a1 b0 b1 a2 a3 b2 b3 ...: the first sixteen, and the others.")
even_and_odd = _shuffle(
    (range(0, 2 * LANES, 2), range(1, 2 * LANES, 2)), "The even lanes and the odd lanes of two vectors in a row."
)
