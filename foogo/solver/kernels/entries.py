"""What the table of proof-number search holds of a position and a question, in buckets of four entries.

An entry is two words: the key of the position with who is to move, mixed with the second, and its contents. These are
the two numbers of `foogo.solver.kernels.forcing`, what is asked, the binary logarithm of the nodes below, and whether a
refutation relied on this position's. An entry whose contents are negative is free.

Threads share the table. Who writes holds the lock of the bucket. Who reads takes no lock: from two words of different
writers the key does not come out, because the first word is the key mixed with the contents it belongs to.

References
----------
R. Hyatt and T. Mann, A lockless transposition table implementation for parallel search, ICGA Journal 25 (2002).
"""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import exchange32, try_replace32
from foogo.core.jit import kernel
from foogo.core.pointers import numbers
from foogo.solver.kernels.table import BUCKET, MOST_WORK, OFFSET, bucket_of, field, logarithm

NUMBER_BITS = 25

INFINITE = (1 << NUMBER_BITS) - 1
"""The proof number of what is refuted, and the disproof number of what is proven."""

PROOF, DISPROOF, ASKED, WORK, RELIED = 0, 25, 50, 56, 62
"""Lowest bits of the fields of the second word."""

FREE = -1

LOCKS = 4096

QUESTIONS = 2 * OFFSET + 1
"""Amounts that can be asked, from -OFFSET on."""


def new_locks() -> np.ndarray:
    """A lock for every so many buckets, all open: int32[LOCKS]."""
    return np.zeros(LOCKS, dtype=np.int32)


@kernel(inline=True)
def key_in(word, data):
    """The key of an entry of these two words; or the first word for a key and the contents."""
    return word ^ data * 0x2545F4914F6CDD1D


@kernel(inline=True)
def asked_in(data):
    """The amount that an entry of these contents is about."""
    return field(data, ASKED, 6) - OFFSET


@kernel(inline=True)
def contents_of(table, key, asked):
    """The contents of the entry of that position and question, or -1."""
    start = bucket_of(table, key)
    for i in range(start, start + BUCKET):
        data = table[i, 1]
        if key_in(table[i, 0], data) == key and data >= 0 and asked_in(data) == asked:
            return data
    return FREE


@kernel(inline=True)
def numbers_in(data):
    """Proof and disproof number of an entry of these contents."""
    return field(data, PROOF, NUMBER_BITS), field(data, DISPROOF, NUMBER_BITS)


@kernel(inline=True)
def is_decided(data):
    """Whether an entry of these contents is there and proven or refuted."""
    proof, disproof = numbers_in(data)
    return data >= 0 and (proof == 0 or disproof == 0)


@kernel
def work_at(table, key, asked):
    """The binary logarithm of the nodes that the proof of that position took, or -1 if it is not known to be proven."""
    data = contents_of(table, key, asked)
    return field(data, WORK, 6) if data >= 0 and numbers_in(data)[0] == 0 else -1


@kernel
def store(table, locks, is_shared, doubts, key, asked, proof, disproof, nodes, relied):
    """Write what is known of a position over its own entry, a free one, or that which took the fewest nodes.

    `is_shared` says that other threads may write too. What is decided stays so, and a proof goes before a refutation.
    `doubts`, int64[QUESTIONS], gets a 1 at ``asked + OFFSET`` of each question whose refutations may be wrong now: the
    position is proven, and was refuted or relied on to be, or a note that one was relied on is lost.

    Returns
    -------
    tuple of int
        Whether the entry was free, and the proof and disproof number that it has now.
    """
    start = bucket_of(table, key)
    lock, at = numbers(locks), start // BUCKET % LOCKS
    while is_shared and not try_replace32(lock, at, 0, 1):
        pass
    place, least = start, MOST_WORK + 1
    own = -1
    for i in range(start, start + BUCKET):
        data = table[i, 1]
        if key_in(table[i, 0], data) == key and data >= 0 and asked_in(data) == asked:
            own = i
    work = min(MOST_WORK, logarithm(nodes))
    if own >= 0:
        place, data = own, table[own, 1]
        work = max(work, field(data, WORK, 6))
        relied |= field(data, RELIED, 1)
        known_proof, known_disproof = numbers_in(data)
        if (known_disproof == 0 and proof == 0) or (known_proof == 0 and disproof == 0):
            doubts[asked + OFFSET] = 1
        if known_proof == 0 or (known_disproof == 0 and proof):
            proof, disproof = known_proof, known_disproof
    else:
        for i in range(start, start + BUCKET):
            if table[i, 1] < 0:
                place = i
                break
            if field(table[i, 1], WORK, 6) < least:
                place, least = i, field(table[i, 1], WORK, 6)
    is_free = table[place, 1] < 0
    if own < 0 and not is_free and field(table[place, 1], RELIED, 1):
        doubts[field(table[place, 1], ASKED, 6)] = 1
    if proof == 0 and relied:
        doubts[asked + OFFSET] = 1
    _write(table, place, key, _packed(proof, disproof, asked, work, relied))
    if is_shared:
        exchange32(lock, at, 0)
    return is_free, proof, disproof


@kernel(inline=True)
def _packed(proof, disproof, asked, work, relied):
    return proof << PROOF | disproof << DISPROOF | (asked + OFFSET) << ASKED | work << WORK | relied << RELIED


@kernel(inline=True)
def _write(table, place, key, data):
    table[place, 0], table[place, 1] = key_in(key, data), data


@kernel
def next_open(table, asked, start):
    """The first entry from `start` on of a position that a refutation relied on and that is not refuted, or -1."""
    for i in range(start, len(table)):
        data = table[i, 1]
        if data >= 0 and asked_in(data) == asked and field(data, RELIED, 1):
            if numbers_in(data)[0] != INFINITE:
                return i
    return -1


@kernel
def forget_refutations(table, asked):
    """Make the positions that were refuted for this question undecided again, and forget what relied on them."""
    for i in range(len(table)):
        data = table[i, 1]
        if data < 0 or asked_in(data) != asked:
            continue
        key = key_in(table[i, 0], data)
        if numbers_in(data)[0] == INFINITE:
            data = _packed(1, 1, asked, field(data, WORK, 6), 0)
        _write(table, i, key, data & ~(1 << RELIED))


@kernel
def keep_proofs(table, asked):
    """Forget everything about this question but what is proven; how many entries are left free."""
    freed = 0
    for i in range(len(table)):
        data = table[i, 1]
        if data < 0 or asked_in(data) != asked:
            continue
        if numbers_in(data)[0] == 0:
            _write(table, i, key_in(table[i, 0], data), data & ~(1 << RELIED))
        else:
            table[i, 1] = FREE
            freed += 1
    return freed
