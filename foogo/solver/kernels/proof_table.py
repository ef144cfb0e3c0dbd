"""The table of proof-number search: what is known about positions, per question, in buckets of four entries.

An entry is two int64: the key of the position, mixed with the contents, and the contents. `FIELDS` below is the
layout of the contents. A free entry has negative contents.

Threads share the table. A writer holds the lock of the bucket. A reader takes no lock: the first number is the key
mixed with the contents that were written with it, so two halves by different writers do not yield the key.

References
----------
R. Hyatt and T. Mann, A lockless transposition table implementation for parallel search, ICGA Journal 25 (2002).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.atomics import exchange32, try_replace32
from foogo.core.jit import kernel
from foogo.core.pointers import numbers
from foogo.solver.kernels.positions import MAX_POINTS, count
from foogo.solver.kernels.symmetries import key_of, position_in

BUCKET = 4
"""Entries of a bucket: one cache line of 64 bytes."""

OFFSET = MAX_POINTS + 1
"""Added to an amount to store it."""

QUESTIONS = 2 * OFFSET + 1
"""The number of amounts that can be asked for, from -OFFSET on."""

NUMBER_BITS, ASKED_BITS, WORK_BITS = 25, 6, 6

PROOF = 0
DISPROOF = PROOF + NUMBER_BITS
ASKED = DISPROOF + NUMBER_BITS
WORK = ASKED + ASKED_BITS
RELIED = WORK + WORK_BITS
"""The lowest bit of each field of the contents; bit 63 is the sign.

Proof and disproof number; the amount asked for, plus OFFSET; the binary logarithm of the nodes searched below; and
whether a refutation relied on the refutation of this position."""

INFINITE = (1 << NUMBER_BITS) - 1
"""The proof number of a refuted position, and the disproof number of a proven one."""

MOST_WORK = (1 << WORK_BITS) - 1

FREE = -1
"""The contents of a free entry."""

LOCKS = 4096

ATTACKS_BIT = 61
"""The bit of a key that says whether the attacker is to move; `foogo.solver.kernels.symmetries` has the other bits."""

SHARED_STONES = 8
"""Symmetric positions share an entry up to this many stones; later few of them meet."""


class ProofTable(NamedTuple):
    """A table and what guards it."""

    entries: np.ndarray
    """int64[a power of two, 2]: the entries."""
    locks: np.ndarray
    """int32[LOCKS]: buckets share locks; 0 is open."""
    doubts: np.ndarray
    """int64[QUESTIONS]: at ``asked + OFFSET`` not 0 if refutations of that question may be wrong."""


class Finding(NamedTuple):
    """The result of a search for one position."""

    proof: int
    disproof: int
    nodes: int
    relied: int
    """Whether a refutation relied on the refutation of this position."""


def new_table(megabytes: int) -> ProofTable:
    """An empty table with entries in that many MiB, rounded down to a power of two of entries."""
    entries = 1 << max(8, (megabytes * 2**20 // 16).bit_length() - 1)
    return ProofTable(
        np.full((entries, 2), FREE, dtype=np.int64), np.zeros(LOCKS, dtype=np.int32),
        np.zeros(QUESTIONS, dtype=np.int64),
    )  # fmt: skip


@kernel(inline=True)
def _field(data, low, bits):
    """The field of `bits` bits from bit `low` on."""
    return data >> low & ((1 << bits) - 1)


@kernel(inline=True)
def bucket_of(entries, key):
    """The first entry of the bucket for `key`.

    Keys of similar positions differ in few bits; the multiplications and the shift spread these over the bits used.
    """
    mixed = key * 0x1F83D9ABFB41BD6B
    mixed = (mixed ^ (mixed >> 29)) * 0x2545F4914F6CDD1D
    return (mixed >> 17) & (len(entries) - BUCKET)


@kernel
def key_for(images, own, other, ko, passed, attacks):
    """The key of a position, shared by symmetric positions with few stones."""
    key = key_of(images, own, other, ko, np.int64(passed), count(own | other) <= SHARED_STONES)
    return key | attacks << ATTACKS_BIT


@kernel
def position_of(key):
    """Own stones, other stones, ko bit, whether the last move was a pass, and whether the attacker is to move."""
    own, other, ko, passed = position_in(key)
    return own, other, ko, passed, key >> ATTACKS_BIT & 1


@kernel(inline=True)
def key_in(word, data):
    """The key of an entry with these contents. It is its own inverse: of a key, the number to store."""
    return word ^ data * 0x2545F4914F6CDD1D


@kernel(inline=True)
def asked_in(data):
    """The amount that an entry with these contents is about."""
    return _field(data, ASKED, ASKED_BITS) - OFFSET


@kernel(inline=True)
def numbers_in(data):
    """Proof and disproof number of an entry with these contents."""
    return _field(data, PROOF, NUMBER_BITS), _field(data, DISPROOF, NUMBER_BITS)


@kernel(inline=True)
def relied_in(data):
    """Whether a refutation relied on an entry with these contents."""
    return _field(data, RELIED, 1)


@kernel(inline=True)
def contents_of(entries, key, asked):
    """The contents of the entry for that position and question, or FREE."""
    start = bucket_of(entries, key)
    for i in range(start, start + BUCKET):
        data = entries[i, 1]
        if key_in(entries[i, 0], data) == key and data >= 0 and asked_in(data) == asked:
            return data
    return FREE


@kernel(inline=True)
def is_decided(data):
    """Whether contents are those of a position that is proven or refuted."""
    proof, disproof = numbers_in(data)
    return data >= 0 and (proof == 0 or disproof == 0)


@kernel
def work_at(entries, key, asked):
    """The binary logarithm of the nodes that the proof of a position took, -1 if it is not known to be proven."""
    data = contents_of(entries, key, asked)
    return _field(data, WORK, WORK_BITS) if data >= 0 and numbers_in(data)[0] == 0 else -1


@kernel
def store(table, key, asked, finding, is_shared):
    """Write a `Finding` over the position's own entry, a free one, or the one that took the fewest nodes.

    What is decided stays decided, and a proof takes precedence over a refutation. A question is marked in
    `ProofTable.doubts` if a position is proven that was refuted or relied on, or if a note of reliance is lost.

    Returns whether the entry was free, and the proof and disproof number that it has now. `is_shared` says whether
    other threads may write at the same time.
    """
    entries, doubts = table.entries, table.doubts
    proof, disproof, relied = finding.proof, finding.disproof, finding.relied
    start = bucket_of(entries, key)
    lock, at = numbers(table.locks), start // BUCKET % LOCKS
    while is_shared and not try_replace32(lock, at, 0, 1):
        pass
    place, least = start, MOST_WORK + 1
    own = -1
    for i in range(start, start + BUCKET):
        data = entries[i, 1]
        if key_in(entries[i, 0], data) == key and data >= 0 and asked_in(data) == asked:
            own = i
    work = min(MOST_WORK, _logarithm(finding.nodes))
    if own >= 0:
        place, data = own, entries[own, 1]
        work = max(work, _field(data, WORK, WORK_BITS))
        relied |= relied_in(data)
        known_proof, known_disproof = numbers_in(data)
        if (known_disproof == 0 and proof == 0) or (known_proof == 0 and disproof == 0):
            doubts[asked + OFFSET] = 1
        if known_proof == 0 or (known_disproof == 0 and proof):
            proof, disproof = known_proof, known_disproof
    else:
        for i in range(start, start + BUCKET):
            if entries[i, 1] < 0:
                place = i
                break
            if _field(entries[i, 1], WORK, WORK_BITS) < least:
                place, least = i, _field(entries[i, 1], WORK, WORK_BITS)
    is_free = entries[place, 1] < 0
    if own < 0 and not is_free and relied_in(entries[place, 1]):
        doubts[asked_in(entries[place, 1]) + OFFSET] = 1
    if proof == 0 and relied:
        doubts[asked + OFFSET] = 1
    _write(entries, place, key, _packed(proof, disproof, asked, work, relied))
    if is_shared:
        exchange32(lock, at, 0)
    return is_free, proof, disproof


@kernel(inline=True)
def _logarithm(number):
    """The binary logarithm of a number, rounded down; 0 below 2."""
    bits = 0
    while number > 1:
        number >>= 1
        bits += 1
    return bits


@kernel(inline=True)
def _packed(proof, disproof, asked, work, relied):
    """The contents of an entry."""
    return proof << PROOF | disproof << DISPROOF | (asked + OFFSET) << ASKED | work << WORK | relied << RELIED


@kernel(inline=True)
def _write(entries, place, key, data):
    """Write an entry."""
    entries[place, 0], entries[place, 1] = key_in(key, data), data


@kernel
def next_open(entries, asked, start):
    """The first entry, from `start` on, that a refutation relied on and that is not refuted, or -1."""
    for i in range(start, len(entries)):
        data = entries[i, 1]
        if data >= 0 and asked_in(data) == asked and relied_in(data):
            if numbers_in(data)[0] != INFINITE:
                return i
    return -1


@kernel
def forget_refutations(entries, asked):
    """Make refuted positions of this question undecided again, and forget all notes of reliance."""
    for i in range(len(entries)):
        data = entries[i, 1]
        if data < 0 or asked_in(data) != asked:
            continue
        key = key_in(entries[i, 0], data)
        if numbers_in(data)[0] == INFINITE:
            data = _packed(1, 1, asked, _field(data, WORK, WORK_BITS), 0)
        _write(entries, i, key, data & ~(1 << RELIED))


@kernel
def keep_proofs(entries, asked):
    """Forget everything about this question except proofs; returns how many entries become free."""
    freed = 0
    for i in range(len(entries)):
        data = entries[i, 1]
        if data < 0 or asked_in(data) != asked:
            continue
        if numbers_in(data)[0] == 0:
            _write(entries, i, key_in(entries[i, 0], data), data & ~(1 << RELIED))
        else:
            entries[i, 1] = FREE
            freed += 1
    return freed


@kernel
def open_positions(entries, asked, rows):
    """Fill `rows`, `GAME_POSITION` records, with undecided positions; returns their number.

    The place of an entry depends on its key alone and not on its value, so the first entries are as good as any.
    """
    total = 0
    for i in range(len(entries)):
        if total == len(rows):
            break
        data = entries[i, 1]
        if data < 0 or is_decided(data) or asked_in(data) != asked:
            continue
        own, other, ko, passed, attacks = position_of(key_in(entries[i, 0], data))
        row = rows[total]
        row.attacker, row.defender = (own, other) if attacks else (other, own)
        row.ko, row.passed, row.attacks = ko, passed, attacks
        total += 1
    return total
