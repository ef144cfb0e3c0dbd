"""Kernels: the source of `thread.play` with the constants of one board, policy and kind of result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba import cuda
from numba.cuda import types

from foogo.playout.kernels.cuda import source, thread
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.kernels.narrowing import Rule


@dataclass(frozen=True)
class KernelSpec:
    """The specification of a kernel; each spec is compiled separately.

    Attributes
    ----------
    layout
        The board, and how its floods go.
    policy
        None for uniform playouts, or the rule of a policy.
    constants
        The weights of the policy if they are part of the kernel; None if they are arguments.
    per_game
        Whether the kernel fills arrays with the result of each game, instead of adding up totals.
    sets
        With `per_game`: whether it also fills the points that each player owned and played first.
    """

    layout: Strip
    policy: Rule | None = None
    constants: tuple[float, ...] | None = None
    per_game: bool = False
    sets: bool = False


def python_kernel(spec: KernelSpec) -> Callable[..., None]:
    """The kernel's source for a spec, not compiled."""
    area = spec.layout.size**2
    names = {
        "LAYOUT": spec.layout,
        "POLICY": spec.constants,
        "LOOKS": spec.policy is not None,
        "WRITTEN": spec.policy is not None and spec.constants is None,
        "AREA": area,
        "BINS": 1 if spec.per_game else 2 * area + 1,
        "SET_WORDS": spec.layout.words,
        "DENSE_WORDS": spec.layout.dense_words,
        "PER_GAME": spec.per_game,
        "SETS": spec.sets,
    }
    return source.with_globals(thread.play, {**source.bound(spec.policy), **names})


@cache
def kernel(spec: KernelSpec) -> Any:
    """The kernel of a spec: ``kernel(spec)[blocks, threads](*arguments)``; compiled at its first launch."""
    options: dict[str, Any] = {} if source.is_simulated() else {"lto": False}
    return cuda.jit(python_kernel(spec), **options)


def signature() -> tuple[Any, ...]:
    """The Numba types of the arguments of `thread.play`, without weights."""
    words, longs, shorts, flags = (
        types.Array(dtype, 1, "C") for dtype in (types.uint32, types.int64, types.int16, types.uint8)
    )
    return (
        _named(thread.Positions, words, longs, types.int64, types.int64),
        _named(thread.Numbers, types.uint64, types.uint64, types.int64),
        _named(thread.GameRules, types.int64, types.int64, types.Tuple(())),
        longs,
        _named(thread.Results, shorts, shorts, flags, words, words),
    )


def _named(kind: type, *fields: Any) -> Any:
    """The type of a NamedTuple whose fields have these types."""
    return types.BaseTuple.from_types(fields, kind)
