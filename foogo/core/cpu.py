"""The processor: its cores, the width of its vectors, and the families for which kernels are compiled ahead."""

from __future__ import annotations

import os
from functools import cache
from typing import Any, NamedTuple, SupportsIndex

import llvmlite.binding as llvm
from numba.core import config

from foogo.arguments import whole

MAX_WORKERS = 4096
"""The most threads or processes that play."""


class Family(NamedTuple):
    """Processors that can execute the same compiled kernels."""

    vector_bits: int
    needs: frozenset[str]
    """The features that a processor must have, in LLVM's names."""
    processor: str
    """LLVM's name for a processor for which the code is compiled, with these features."""


_V2 = frozenset({"cx16", "sahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"})
_V3 = _V2 | {"avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"}
_V4 = _V3 | {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}
_BITALG = _V4 | {"avx512bitalg", "avx512vbmi", "avx512vbmi2", "avx512vnni", "avx512vpopcntdq"}

FAMILIES = {
    "x86-64-v4-bitalg": Family(512, _BITALG, "x86-64-v4"),
    "x86-64-v4": Family(512, _V4, "x86-64-v4"),
    "x86-64-v3": Family(256, _V3, "x86-64-v3"),
    "x86-64-v2": Family(128, _V2, "x86-64-v2"),
    "generic": Family(128, frozenset(), "generic"),
}
"""The families by their names, the best first.

Ice Lake, Zen 4 and later processors count bits in all lanes at once (BITALG), with which playouts are 6 to 9 % faster.
`generic` is for 64-bit Arm.
"""

SLOW_DEPOSIT = ("znver1", "znver2")
"""Processors whose PDEP is slow, because it is microcode."""


def host_features() -> frozenset[str]:
    """What this processor can do, in LLVM's names; nothing if LLVM does not know the processor."""
    try:
        return frozenset(name for name, has_it in llvm.get_host_cpu_features().items() if has_it)
    except RuntimeError:
        return frozenset()


def has_feature(context: Any, name: str) -> bool:
    """Whether the processor that a target context of Numba compiles for has a feature, in LLVM's names."""
    return f"+{name}" in context.codegen()._tm_features


@cache
def vector_bits() -> int:
    """The widest integer vectors that Numba compiles for here: 512, 256 or 128 bits."""
    if config.CPU_NAME in FAMILIES:
        return FAMILIES[config.CPU_NAME].vector_bits
    features = host_features()
    return 512 if "avx512bw" in features else 256 if "avx2" in features else 128


def has_fast_deposit() -> bool:
    """Whether PDEP is fast on the processor that Numba compiles for, if it has one."""
    return (config.CPU_NAME or llvm.get_host_cpu_name()) not in SLOW_DEPOSIT


def host_family() -> str | None:
    """The family whose kernels are right for this processor: same vectors, and no instruction that it lacks."""
    for name, family in FAMILIES.items():
        if family.vector_bits == vector_bits() and family.needs <= host_features():
            return name if has_fast_deposit() or "bmi2" not in family.needs else None
    return None


def vector_name() -> str:
    """The instruction set behind `vector_bits`."""
    return {512: "AVX-512", 256: "AVX2"}.get(vector_bits(), "128-bit vectors")


def usable_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # macOS, Windows


def worker_count(given: SupportsIndex | None, name: str = "threads") -> int:
    """`given`, a whole number from 1 to `MAX_WORKERS`, or `usable_cores` if it is None.

    Raises an ArgumentError that names the argument.
    """
    return usable_cores() if given is None else whole(name, given, 1, MAX_WORKERS)
