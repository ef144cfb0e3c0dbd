"""Memory that threads share: atomic operations through `foogo.core.pointers`, and the processor's clock."""

from __future__ import annotations

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

ORDER = "seq_cst"

FIRST_ARM_CLOCK = 20
"""The LLVM, that of llvmlite 0.45, from which the time stamp of Arm is a register that programs may read."""


def _read_modify_write(operation, bits):
    def codegen(context, builder, signature, args):
        pointer, index, value = args
        value = value if bits == 64 else builder.trunc(value, ir.IntType(bits))
        old = builder.atomic_rmw(operation, builder.gep(pointer, [index]), value, ORDER)
        return old if bits == 64 else builder.sext(old, ir.IntType(64))

    return codegen


@intrinsic
def add32(typingctx, pointer, index, value):
    """Add to ``pointer[index]``, an int32; returns its old value."""
    result = types.int64(types.CPointer(types.int32), types.int64, types.int64)
    return result, _read_modify_write("add", 32)


@intrinsic
def add64(typingctx, pointer, index, value):
    """Add to ``pointer[index]``, an int64; returns its old value."""
    result = types.int64(types.CPointer(types.int64), types.int64, types.int64)
    return result, _read_modify_write("add", 64)


@intrinsic
def exchange32(typingctx, pointer, index, value):
    """Replace ``pointer[index]``, an int32, and return its old value.

    A thread that reads the new value also sees all earlier writes.
    """
    result = types.int64(types.CPointer(types.int32), types.int64, types.int64)
    return result, _read_modify_write("xchg", 32)


def _load(bits):
    def codegen(context, builder, signature, args):
        number = builder.load_atomic(builder.gep(args[0], [args[1]]), "acquire", bits // 8)
        return number if bits == 64 else builder.sext(number, ir.IntType(64))

    return codegen


@intrinsic
def load32(typingctx, pointer, index):
    """``pointer[index]``, an int32 that another thread may write. What follows is read after it."""
    return types.int64(types.CPointer(types.int32), types.int64), _load(32)


@intrinsic
def load64(typingctx, pointer, index):
    """``pointer[index]``, an int64 that another thread may write. What follows is read after it."""
    return types.int64(types.CPointer(types.int64), types.int64), _load(64)


def _compare_and_swap(bits):
    def codegen(context, builder, signature, args):
        pointer, index, old, new = args
        if bits != 64:
            old, new = (builder.trunc(number, ir.IntType(bits)) for number in (old, new))
        answer = builder.cmpxchg(builder.gep(pointer, [index]), old, new, ORDER, ORDER)
        return builder.extract_value(answer, 1)

    return codegen


@intrinsic
def try_replace32(typingctx, pointer, index, old, new):
    """Replace ``pointer[index]``, an int32, if it is `old`; returns whether it was."""
    result = types.boolean(types.CPointer(types.int32), types.int64, types.int64, types.int64)
    return result, _compare_and_swap(32)


@intrinsic
def try_replace64(typingctx, pointer, index, old, new):
    """Replace ``pointer[index]``, an int64, if it is `old`; returns whether it was."""
    result = types.boolean(types.CPointer(types.int64), types.int64, types.int64, types.int64)
    return result, _compare_and_swap(64)


@intrinsic
def time_stamp(typingctx):
    """The processor's time stamp: its differences are proportional to time. Always 0 on Arm with an older LLVM."""

    def codegen(context, builder, signature, args):
        if has_no_clock(llvm.get_process_triple(), llvm.llvm_version_info[0]):
            return ir.Constant(ir.IntType(64), 0)
        function_type = ir.FunctionType(ir.IntType(64), [])
        name = "llvm.readcyclecounter"
        return builder.call(cgutils.get_or_insert_function(builder.module, function_type, name), [])

    return types.int64(), codegen


def has_no_clock(triple: str, version: int) -> bool:
    """Whether this LLVM reads Arm's cycle counter, at which the operating system ends the process."""
    return triple.startswith(("aarch64", "arm64")) and version < FIRST_ARM_CLOCK
