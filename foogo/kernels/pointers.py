"""Plain pointers into an array: Numba counts references to arrays, also where a hot loop only looks at one.

A pointer is indexed like an array, but never from the end. It does not keep the array alive: take one only of
an argument.
"""

from __future__ import annotations

from numba.core import types
from numba.extending import intrinsic


def _pointer(context, builder, signature, args):
    data = context.make_array(signature.args[0])(context, builder, args[0]).data
    return builder.bitcast(data, context.get_value_type(signature.return_type))


@intrinsic
def words(typingctx, array):
    """The contiguous `array` as 64-bit words."""
    return types.CPointer(types.uint64)(array), _pointer


@intrinsic
def halfwords(typingctx, array):
    """The contiguous `array` as 16-bit numbers."""
    return types.CPointer(types.uint16)(array), _pointer


@intrinsic
def numbers(typingctx, array):
    """The contiguous `array` as int32 numbers."""
    return types.CPointer(types.int32)(array), _pointer


@intrinsic
def longs(typingctx, array):
    """The contiguous `array` as int64 numbers."""
    return types.CPointer(types.int64)(array), _pointer


@intrinsic
def as_longs(typingctx, pointer):
    """A pointer to int32 numbers as one to int64 numbers."""

    def codegen(context, builder, signature, args):
        return builder.bitcast(args[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.int64)(pointer), codegen
