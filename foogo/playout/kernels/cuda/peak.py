"""A kernel that does nothing but integer instructions, to learn how many a card does in a second."""

from __future__ import annotations

from functools import cache
from typing import Any

from llvmlite import ir
from numba import cuda
from numba.cuda import types
from numba.cuda.extending import intrinsic

CHAINS = 4
"""Chains of instructions in each thread, none of which waits for another."""

LINKS = 64
"""Instructions of each chain in one round."""

_LOGIC = ("0x96", "0xe8")
"""Exclusive or, and majority, of three words: together nothing that a compiler could shorten."""


@intrinsic
def _round(_context, seed):
    """A word made of another by `CHAINS` times `LINKS` instructions."""

    def generate(_target, builder, _signature, arguments):
        word = ir.IntType(32)
        names = [f"c{i}" for i in range(CHAINS)]
        lines = [f".reg .b32 {', '.join(names)};"]
        lines += [f"add.u32 {name}, $1, {7 * i + 1};" for i, name in enumerate(names)]
        for link in range(LINKS):
            for i, name in enumerate(names):
                lines.append(f"lop3.b32 {name}, {name}, {names[i - 1]}, $1, {_LOGIC[link % 2]};")
        total = names[0]
        for name in names[1:]:
            lines.append(f"xor.b32 {total}, {total}, {name};")
        code = "{ " + " ".join(lines) + f" mov.b32 $0, {total}; }}"
        return builder.call(ir.InlineAsm(ir.FunctionType(word, [word]), code, "=&r,r"), arguments)

    return types.uint32(types.uint32), generate


def _many_rounds(rounds, out):
    value = types.uint32(cuda.grid(1))
    for _ in range(rounds):
        value = _round(value)
    if value == 12345:  # hardly ever, but no compiler knows
        out[0] = value


@cache
def kernel() -> Any:
    """``kernel()[blocks, threads](rounds, out)``, which does `CHAINS` times `LINKS` instructions a round and thread."""
    return cuda.jit(_many_rounds, lto=False)
