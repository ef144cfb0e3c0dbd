"""The random streams of the lanes in memory: 4 times L uint32 integers, the four parts of sfc32 one after the other."""

from __future__ import annotations

import numpy as np

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.core.stream import COUNTER, WARM_UP_ROUNDS, A, B, C
from foogo.playout.kernels.lockstep import Stream, next_random

_LOW_HALF = np.uint64(0xFFFFFFFF)


@kernel(inline=True)
def load(layout, keys, at, lanes):
    """The lanes' streams from ``keys[at:]``."""
    return Stream(
        simd.load_ints(layout, keys, at + A * lanes),
        simd.load_ints(layout, keys, at + B * lanes),
        simd.load_ints(layout, keys, at + C * lanes),
        simd.load_ints(layout, keys, at + COUNTER * lanes),
    )


@kernel(inline=True)
def store(keys, at, lanes, stream):
    """Write the lanes' streams to ``keys[at:]``."""
    simd.store_ints(keys, at + A * lanes, stream.a)
    simd.store_ints(keys, at + B * lanes, stream.b)
    simd.store_ints(keys, at + C * lanes, stream.c)
    simd.store_ints(keys, at + COUNTER * lanes, stream.counter)


@kernel(inline=True)
def key(layout, keys, at, lanes, seed, number):
    """Key the streams of consecutive playout numbers, one a lane, into ``keys[at:]``."""
    for lane in range(lanes):
        keys[at + A * lanes + lane] = np.uint32((number + np.uint64(lane)) & _LOW_HALF)
        keys[at + B * lanes + lane] = np.uint32((number + np.uint64(lane)) >> np.uint64(32))
        keys[at + C * lanes + lane] = np.uint32(seed & _LOW_HALF)
        keys[at + COUNTER * lanes + lane] = np.uint32(seed >> np.uint64(32))
    a, b = simd.load_ints(layout, keys, at + A * lanes), simd.load_ints(layout, keys, at + B * lanes)
    c, counter = simd.load_ints(layout, keys, at + C * lanes), simd.load_ints(layout, keys, at + COUNTER * lanes)
    stream = Stream(a, b, c, counter)
    for _ in range(WARM_UP_ROUNDS):
        _number, stream = next_random(layout, stream)
    simd.store_ints(keys, at + A * lanes, stream.a)
    simd.store_ints(keys, at + B * lanes, stream.b)
    simd.store_ints(keys, at + C * lanes, stream.c)
    simd.store_ints(keys, at + COUNTER * lanes, stream.counter)
