"""Kernels for a use: which board, which policy, totals or each game by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba import cuda
from numba.cuda import types

from foogo.core.stream import WARM_UP_ROUNDS
from foogo.playout.kernels.cuda import source, thread
from foogo.playout.kernels.cuda.strip import Strip

ARGUMENTS = (
    (types.uint32, 1),  # starts
    (types.int64, 1),  # turns
    (types.int64, 0),  # repeats
    (types.int64, 0),  # skipped
    (types.uint64, 0),  # seed
    (types.uint64, 0),  # first
    (types.int64, 0),  # count
    (types.int64, 0),  # strict
    (types.int64, 0),  # limit
    (types.int64, 1),  # tally
    (types.int16, 1),  # scores
    (types.int16, 1),  # moves
    (types.uint8, 1),  # cut
    (types.uint32, 1),  # owners
    (types.uint32, 1),  # firsts
)
"""The arguments of `thread.play`: their types, and whether they are arrays."""


@dataclass(frozen=True)
class Use:
    """What a kernel is for; each use is compiled by itself.

    Attributes
    ----------
    layout
        The board, and how its floods go.
    policy
        None for uniform playouts, or the shares of a policy (see `foogo.playout.kernels.knowledge`).
    per_game
        Whether each game is wanted by itself, not the totals.
    sets
        Whether the points that each player owned and played first are wanted, of each game by itself.
    wait_for
        How many threads of a warp must have ended their games before they get new ones. More than 1 is slower
        until somebody measures otherwise.
    warm_up
        Numbers discarded at the start of a stream. Fewer make other games: it shows what the keying costs.
    registers
        At most so many for a thread, if given.
    link_time
        Whether the linker optimises once more.
    """

    layout: Strip
    policy: tuple[int | None, ...] | None = None
    per_game: bool = False
    sets: bool = False
    wait_for: int = 1
    warm_up: int = WARM_UP_ROUNDS
    registers: int | None = None
    link_time: bool = False


def pattern(use: Use) -> Callable[..., None]:
    """The kernel's source for a use, not compiled."""
    area = use.layout.size**2
    names = {
        "LAYOUT": use.layout,
        "POLICY": use.policy,
        "AREA": area,
        "BINS": 1 if use.per_game else 2 * area + 1,
        "SET_WORDS": use.layout.words,
        "DENSE_WORDS": use.layout.dense_words,
        "PER_GAME": use.per_game,
        "SETS": use.sets,
        "WAIT_FOR": use.wait_for,
        "WARM_UP_ROUNDS": use.warm_up,
    }
    return source.with_globals(thread.play, {**source.bound(), **names})


@cache
def kernel(use: Use) -> Any:
    """The kernel of a use: ``kernel(use)[blocks, threads](*arguments)``; compiled at its first launch."""
    options: dict[str, Any] = {} if source.is_simulated() else {"lto": use.link_time, "max_registers": use.registers}
    return cuda.jit(pattern(use), **options)


def signature() -> tuple[Any, ...]:
    """The argument types of every kernel."""
    return tuple(types.Array(dtype, 1, "C") if is_array else dtype for dtype, is_array in ARGUMENTS)
