"""The random stream of a playout: sfc32, keyed by (playout number, seed), one game at a time.

The lockstep kernel computes the same stream for all its lanes (`lockstep.next_random`);
docs/reference/playout.md states it for other implementers.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel

WARM_UP_ROUNDS = 15
"""Numbers discarded after keying, as in PractRand's sfc32."""

A, B, C, COUNTER = range(4)
STATE_WORDS = 4


@kernel(inline=True)
def next_random(state):
    """The next 32-bit number of the stream; advances `state` (uint32[4])."""
    a, b, c, counter = state[A], state[B], state[C], state[COUNTER]
    result = np.uint32(np.uint32(a + b) + counter)
    state[A] = np.uint32(b ^ (b >> np.uint32(9)))
    state[B] = np.uint32(c + np.uint32(c << np.uint32(3)))
    state[C] = np.uint32(np.uint32((c << np.uint32(21)) | (c >> np.uint32(11))) + result)
    state[COUNTER] = np.uint32(counter + np.uint32(1))
    return result


@kernel(inline=True)
def start(state, seed, number):
    """Set `state` to the beginning of the stream of playout `number` (uint64) under `seed` (uint64)."""
    state[A] = np.uint32(number & np.uint64(0xFFFFFFFF))
    state[B] = np.uint32(number >> np.uint64(32))
    state[C] = np.uint32(seed & np.uint64(0xFFFFFFFF))
    state[COUNTER] = np.uint32(seed >> np.uint64(32))
    for _ in range(WARM_UP_ROUNDS):
        next_random(state)


@kernel(inline=True)
def below(number, count):
    """`number` (uint32, uniform) mapped to 0 .. count-1 by multiply and shift."""
    return np.int64((np.uint64(number) * np.uint64(count)) >> np.uint64(32))
