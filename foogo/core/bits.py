"""Bit counting on one 64-bit word: population, lowest set bit, k-th set bit."""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from foogo.core.cpu import has_fast_deposit, has_feature

WORD = ir.IntType(64)


def _call(builder, name, *args):
    function_type = ir.FunctionType(WORD, [argument.type for argument in args])
    return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), args)


def _population(builder, word):
    return _call(builder, "llvm.ctpop.i64", word)


def _lowest(builder, word):
    return _call(builder, "llvm.cttz.i64", word, ir.Constant(ir.IntType(1), 1))


@intrinsic
def population(typingctx, word):
    """The number of set bits of `word` (uint64)."""

    def codegen(context, builder, signature, args):
        return _population(builder, args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def float_of_bits(typingctx, number):
    """The float32 with the bits of an int32."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], ir.FloatType())

    return types.float32(types.int32), codegen


@intrinsic
def lowest(typingctx, word):
    """The index of the lowest set bit of `word` (uint64), which must not be zero."""

    def codegen(context, builder, signature, args):
        return _lowest(builder, args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def highest(typingctx, word):
    """The index of the highest set bit of `word` (uint64), which must not be zero."""

    def codegen(context, builder, signature, args):
        zeros = _call(builder, "llvm.ctlz.i64", args[0], ir.Constant(ir.IntType(1), 1))
        return builder.sub(ir.Constant(WORD, 63), zeros)

    return types.int64(types.uint64), codegen


@intrinsic
def nth_set(typingctx, word, k):
    """The index of the `k`-th set bit of `word` (uint64), counted from 0. More than `k` bits must be set."""

    def codegen(context, builder, signature, args):
        return _lowest(builder, isolate_nth(context, builder, *args))

    return types.int64(types.uint64, types.int64), codegen


@intrinsic
def nth_set_by_halves(typingctx, word, k):
    """`nth_set` for processors without PDEP."""

    def codegen(context, builder, signature, args):
        return _lowest(builder, _nth_by_halves(builder, *args))

    return types.int64(types.uint64, types.int64), codegen


def isolate_nth(context, builder, word, k):
    """LLVM for the `k`-th set bit of a 64-bit word alone, counted from 0. More than `k` bits or none must be set.

    PDEP deposits the bits of its first argument, here only bit `k`, at the set bits of its second. A processor without
    a fast PDEP searches by population counts of halves.
    """
    if has_feature(context, "bmi2") and has_fast_deposit():
        return _call(builder, "llvm.x86.bmi.pdep.64", builder.shl(ir.Constant(WORD, 1), k), word)
    return _nth_by_halves(builder, word, k)


def _nth_by_halves(builder, word, k):
    """If the lower half has at most k bits, skip it and subtract them from k; then go on with half the width."""
    place, rest = ir.Constant(WORD, 0), word
    for half in (32, 16, 8, 4, 2, 1):
        low = _population(builder, builder.and_(rest, ir.Constant(WORD, (1 << half) - 1)))
        above = builder.icmp_unsigned(">=", k, low)
        k = builder.select(above, builder.sub(k, low), k)
        place = builder.select(above, builder.add(place, ir.Constant(WORD, half)), place)
        rest = builder.select(above, builder.lshr(rest, ir.Constant(WORD, half)), rest)
    return builder.and_(builder.shl(ir.Constant(WORD, 1), place), word)
