"""The width of this processor's vectors."""

from __future__ import annotations

import os
from functools import cache

import llvmlite.binding as llvm
from numba.core import config


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


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS, Windows
