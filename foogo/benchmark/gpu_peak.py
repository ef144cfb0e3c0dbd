"""The peak rate of a GPU in integer instructions per second, measured by a kernel that does nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import cuda
from numba.cuda import types
from numba.cuda.extending import intrinsic

from foogo.playout.gpu import BLOCK, Gpu, one_line_failures

ROUNDS = 5_000

CHAINS = 4  # chains of instructions in each thread, none of which waits for another
LINKS = 256  # instructions of each chain in one round

_LOGIC = ("0x96", "0xe8")
"""Exclusive or, and majority, of three words: a sequence that a compiler cannot shorten."""


def integer_peak(gpu: Gpu) -> float:
    """The measured peak rate of a GPU, in integer instructions per second over all threads."""
    blocks = gpu.blocks(BLOCK)
    rates: list[float] = []
    with one_line_failures(f"{gpu.name} could not be measured"), cuda.gpus[gpu.index]:
        kernel = cuda.jit(_many_rounds, lto=False)
        out = cuda.to_device(np.zeros(1, np.uint32))
        for rounds in (1, ROUNDS, ROUNDS, ROUNDS):  # the first launch compiles
            began, ended = cuda.event(), cuda.event()
            began.record()
            kernel[blocks, BLOCK](rounds, out)
            ended.record()
            ended.synchronize()
            seconds = began.elapsed_time(ended) / 1000
            rates.append(blocks * BLOCK * rounds * CHAINS * LINKS / seconds)
    return max(rates[1:])


@intrinsic  # type: ignore[untyped-decorator]
def _round(_context: Any, seed: Any) -> Any:
    """A word computed from another by `CHAINS` times `LINKS` instructions."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
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


def _many_rounds(rounds: Any, out: Any) -> None:
    value = types.uint32(cuda.grid(1))
    for _ in range(rounds):
        value = _round(value)
    if value == 12345:  # hardly ever, but no compiler knows
        out[0] = value
