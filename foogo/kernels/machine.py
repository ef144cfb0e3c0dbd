"""Which layout a processor plays best."""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm
from numba.core import config

from foogo.kernels.layout import Layout


@cache
def vector_bits() -> int:
    """The widest integer vectors that Numba compiles for here: 512, 256 or 128 bits."""
    if config.CPU_NAME == "generic":
        return 128
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know this processor
        return 128
    if features.get("avx512bw"):
        return 512
    return 256 if features.get("avx2") else 128


def vector_name() -> str:
    """The instruction set behind `vector_bits`."""
    return {512: "AVX-512", 256: "AVX2"}.get(vector_bits(), "128-bit vectors")


def simd_layout(size: int) -> Layout:
    """One row a word, the narrowest word that holds a row, and a register full of lanes."""
    bits = 16 if size <= 16 else 32
    return Layout(size, bits, 1, vector_bits() // bits)


def scalar_layout(size: int) -> Layout:
    """One game in 64-bit words, each with as many rows as it holds."""
    return Layout(size, 64, min(size, 64 // (size + 1)), 1)
