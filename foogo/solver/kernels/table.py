"""A table of positions already searched: fixed size, buckets of four entries, two-level replacement.

An entry is two words: the key of the position, which is unique, so that a collision cannot put one position's
value in another's place; and its contents. Values are seen by the mover.

- `LOWER`, `UPPER`: proven bounds of the value, true whatever came before (docs/explanation/solve.md says why).
- `GUESS_LOWER`, `GUESS_UPPER` with `DEPTH`: bounds that a search of so many plies found with estimates at its
  horizon. They order and cut the search, and prove nothing.
- `MOVE`: the best move found, as the stored image of the position has it.
- `MARK`: the last closing pass that assumed the position to be defended (docs/explanation/solve.md); `ROLES`: with the
  attacker (bit 0) or the defender (bit 1) to move; `RELIED`: in which role an answer was given on it.
- `WORK`: the binary logarithm of the nodes below, which decides what is replaced.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.board import MAX_POINTS

BUCKET = 4

OFFSET = MAX_POINTS + 1
"""Added to a value to store it."""

LOWER, UPPER, GUESS_LOWER, GUESS_UPPER, DEPTH, MOVE, WORK = 0, 6, 12, 18, 24, 32, 37
MARK, ROLES, RELIED = 43, 57, 59
"""The lowest bit of each field; values have 6 bits, the depth 8, the move 5, the work 6, the mark 14, roles 2."""

MAX_PASSES = 1 << 14

PASS_MOVE, NO_MOVE = 30, 31
"""The moves that are no point."""

MAX_DEPTH = 250

MOST_WORK = 63


def new_table(megabytes: int) -> np.ndarray:
    """An empty table in that many MiB, rounded down to a power of two of entries: int64[entries, 2], keys of -1."""
    entries = 1 << max(8, (megabytes * 2**20 // 16).bit_length() - 1)
    return np.full((entries, 2), -1, dtype=np.int64)


@kernel(inline=True)
def logarithm(number):
    """The binary logarithm of a number, rounded down; 0 below 2."""
    bits = 0
    while number > 1:
        number >>= 1
        bits += 1
    return bits


@kernel(inline=True)
def field(data, low, bits):
    """The field of `bits` bits from bit `low` on."""
    return data >> low & ((1 << bits) - 1)


@kernel(inline=True)
def packed(lower, upper, guess_lower, guess_upper, depth, move, work):
    """The contents of an entry, without a mark."""
    return (
        (lower + OFFSET) << LOWER
        | (upper + OFFSET) << UPPER
        | (guess_lower + OFFSET) << GUESS_LOWER
        | (guess_upper + OFFSET) << GUESS_UPPER
        | depth << DEPTH
        | move << MOVE
        | work << WORK
    )


@kernel(inline=True)
def bucket_of(table, key):
    """The first entry of the bucket for `key`; `table` has a power of two of entries."""
    mixed = key * 0x1F83D9ABFB41BD6B
    mixed = (mixed ^ (mixed >> 29)) * 0x2545F4914F6CDD1D
    return (mixed >> 17) & (len(table) - BUCKET)


@kernel(inline=True)
def find(table, key):
    """The entry with that key, or -1."""
    start = bucket_of(table, key)
    for i in range(start, start + BUCKET):
        if table[i, 0] == key:
            return i
    return -1


@kernel
def entry_for(table, key, work, passing):
    """Where to write `key`: its own entry, or one that it replaces; and what is there.

    The first three entries of a bucket keep what took most work, the last one what came last. An entry that
    the closing pass `passing` has marked is replaced only if there is no other.

    Returns
    -------
    tuple of int
        The entry, and 0 if it is the own one, 1 if it was empty, 2 if it is replaced, 3 if that loses a mark.
    """
    start = bucket_of(table, key)
    place, least = -1, 64
    for i in range(start, start + BUCKET):
        if table[i, 0] == key:
            return i, 0
        if table[i, 0] == -1:
            return i, 1
        if passing and field(table[i, 1], MARK, 14) == passing:
            continue
        its_work = field(table[i, 1], WORK, 6)
        if i == start + BUCKET - 1 and (place == -1 or work < least):
            place = i
        elif i < start + BUCKET - 1 and its_work < least:
            place, least = i, its_work
    if place == -1:
        return start + BUCKET - 1, 3
    return place, 2


@kernel
def settle(table, passing, asked):
    """Turn the marks of that pass into proven bounds (if it proved its answer), and forget all marks.

    `asked` is what the attacker asked for; 0 if nothing was proven.
    """
    for i in range(len(table)):
        data = table[i, 1]
        if table[i, 0] == -1 or data >> MARK == 0:
            continue
        if asked and field(data, MARK, 14) == passing:
            if data >> ROLES & 1:
                high = min(field(data, UPPER, 6), asked - 1 + OFFSET)
                data = (data & ~(63 << UPPER)) | high << UPPER
            if data >> ROLES & 2:
                low = max(field(data, LOWER, 6), 1 - asked + OFFSET)
                data = (data & ~(63 << LOWER)) | low << LOWER
        table[i, 1] = data & ((1 << MARK) - 1)


@kernel(inline=True)
def is_marked(data, passing, role):
    """Whether that pass assumes an entry of these contents to be defended, in that role."""
    return field(data, MARK, 14) == passing and data >> (ROLES + role) & 1 != 0


@kernel(inline=True)
def marked(data, passing, role):
    """The contents with that assumption added."""
    if field(data, MARK, 14) != passing:
        data = (data & ((1 << MARK) - 1)) | passing << MARK
    return data | 1 << (ROLES + role)


@kernel(inline=True)
def unmarked(data, role):
    """The contents without it."""
    return data & ~(1 << (ROLES + role)) & ~(1 << (RELIED + role))
