"""Pointers into arrays. Numba counts references to an array each time a hot loop looks at it; a pointer costs nothing.

A pointer is indexed like an array, but not from the end. It does not keep the array alive: take pointers only of
arguments, whose arrays the caller keeps alive.
"""

from __future__ import annotations

from llvmlite import ir
from numba.core import cgutils, types
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
def reals(typingctx, array):
    """The contiguous `array` as float32 numbers."""
    return types.CPointer(types.float32)(array), _pointer


def _prefetch(is_write):
    def codegen(context, builder, signature, args):
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        where = builder.bitcast(builder.gep(args[0], [args[1]]), byte)
        function_type = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0i8")
        builder.call(function, [where, number(is_write), number(3), number(1)])
        return context.get_dummy_value()

    return codegen


@intrinsic
def prefetch(typingctx, pointer, index):
    """Prefetch the cache line of ``pointer[index]``."""
    return types.none(pointer, types.int64), _prefetch(0)


@intrinsic
def prefetch_to_write(typingctx, pointer, index):
    """Prefetch a line that will be written: other cores drop their copies."""
    return types.none(pointer, types.int64), _prefetch(1)
