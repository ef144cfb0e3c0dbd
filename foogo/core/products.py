"""Products of integers in every lane, in the width that each needs."""

from __future__ import annotations

from llvmlite import ir
from numba.extending import intrinsic

from foogo.core.simd import IntsType, splat, word_of


@intrinsic
def widened(typingctx, ints):
    """The integers in 32 bits: filled with zeros, or without their upper half."""
    result = IntsType(32, ints.lanes)

    def codegen(context, builder, sig, args):
        return _resize(builder, args[0], word_of(32, ints.lanes))

    return result(ints), codegen


@intrinsic
def low_product(typingctx, a, b):
    """The product modulo 2**32, of two integers of 32 bits."""

    def codegen(context, builder, sig, args):
        return builder.mul(*args)

    return a(a, b), codegen


@intrinsic
def high_product(typingctx, a, b):
    """``a * b >> 32``, exactly, of two integers of 32 bits."""

    def codegen(context, builder, sig, args):
        wide = word_of(64, a.lanes)
        product = builder.mul(*(builder.zext(arg, wide) for arg in args))
        return builder.trunc(builder.lshr(product, splat(wide, 32)), args[0].type)

    return a(a, b), codegen


@intrinsic
def scale(typingctx, number, count):
    """``number * count >> 32``, exactly, for a 32-bit `number` and a `count` below 2**15, in the width of `count`.

    The product is built from 16-bit halves of `number`, so no lane needs 64 bits.
    """

    def codegen(context, builder, sig, args):
        if count.bits == 16 and count.lanes > 1:
            return _scale_halves(builder, *args)
        if count.bits == 64:
            return builder.lshr(builder.mul(_resize(builder, args[0], args[1].type), args[1]), splat(args[1].type, 32))
        number_word = args[0].type
        n = _resize(builder, args[1], number_word)
        sixteen = splat(number_word, 16)
        low = builder.mul(builder.and_(args[0], splat(number_word, 0xFFFF)), n)
        high = builder.mul(builder.lshr(args[0], sixteen), n)
        k = builder.lshr(builder.add(high, builder.lshr(low, sixteen)), sixteen)
        return _resize(builder, k, args[1].type)

    return count(number, count), codegen


def _resize(builder, value, word: ir.Type):
    """Each lane of `value` in the width of `word`, truncated or filled with zeros."""
    have, want = (t.element.width if isinstance(t, ir.VectorType) else t.width for t in (value.type, word))
    return value if have == want else builder.trunc(value, word) if have > want else builder.zext(value, word)


def _scale_halves(builder, number, count):
    """`scale` for lanes of 16 bits, which vector units multiply fastest.

    With number = high * 2**16 + low, the result is the upper half of ``high * count + (low * count >> 16)``. The carry
    of that addition goes into the upper half.
    """
    word = count.type
    wide = number.type
    halves = builder.bitcast(number, ir.VectorType(word.element, 2 * word.count))
    unused = ir.Constant(halves.type, ir.Undefined)
    places = ir.VectorType(ir.IntType(32), word.count)
    low, high = (
        builder.shuffle_vector(halves, unused, ir.Constant(places, [2 * i + half for i in range(word.count)]))
        for half in range(2)
    )

    def upper(a, b):
        product = builder.mul(builder.zext(a, wide), builder.zext(b, wide))
        return builder.trunc(builder.lshr(product, splat(wide, 16)), word)

    middle = builder.mul(high, count)
    total = builder.add(upper(low, count), middle)
    carry = builder.zext(builder.icmp_unsigned("<", total, middle), word)
    return builder.add(upper(high, count), carry)
