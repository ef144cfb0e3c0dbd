"""What the table of proof-number search holds of a position and a question, in buckets of four entries.

An entry is two words: the key of the position with who is to move, and its contents. These are the two numbers of
`foogo.kernels.solver_forcing`, what is asked, the binary logarithm of the nodes below, and whether a refutation relied
on this position's.
"""

from __future__ import annotations

from foogo.kernels.jit import kernel
from foogo.kernels.solver_table import BUCKET, MOST_WORK, OFFSET, bucket_of, field, logarithm

NUMBER_BITS = 25

INFINITE = (1 << NUMBER_BITS) - 1
"""The proof number of what is refuted, and the disproof number of what is proven."""

PROOF, DISPROOF, ASKED, WORK, RELIED = 0, 25, 50, 56, 62
"""Lowest bits of the fields of the second word."""


@kernel(inline=True)
def entry_of(table, key, asked):
    """The entry of that position and question, or -1."""
    start = bucket_of(table, key)
    for i in range(start, start + BUCKET):
        if table[i, 0] == key and field(table[i, 1], ASKED, 6) == asked + OFFSET:
            return i
    return -1


@kernel(inline=True)
def numbers_in(data):
    """Proof and disproof number of an entry of these contents."""
    return field(data, PROOF, NUMBER_BITS), field(data, DISPROOF, NUMBER_BITS)


@kernel
def work_at(table, key, asked):
    """The binary logarithm of the nodes that the proof of that position took, or -1 if it is not known to be proven."""
    entry = entry_of(table, key, asked)
    return field(table[entry, 1], WORK, 6) if entry >= 0 and numbers_in(table[entry, 1])[0] == 0 else -1


@kernel
def store(table, key, asked, proof, disproof, nodes, relied):
    """Write what is known of a position over its own entry, a free one, or that which took the fewest nodes.

    Returns
    -------
    tuple of bool
        Whether the entry was free, and whether refutations may be wrong now: the position was relied on to be refuted
        and is proven, or a note that one was relied on is lost.
    """
    start = bucket_of(table, key)
    place, least = start, MOST_WORK + 1
    own = entry_of(table, key, asked)
    work = min(MOST_WORK, logarithm(nodes))
    if own >= 0:
        place = own
        work = max(work, field(table[own, 1], WORK, 6))
        relied |= field(table[own, 1], RELIED, 1)
    else:
        for i in range(start, start + BUCKET):
            if table[i, 0] == -1:
                place = i
                break
            if field(table[i, 1], WORK, 6) < least:
                place, least = i, field(table[i, 1], WORK, 6)
    is_free = table[place, 0] == -1
    is_lost = own < 0 and not is_free and field(table[place, 1], RELIED, 1)
    table[place, 0] = key
    table[place, 1] = _packed(proof, disproof, asked, work, relied)
    return is_free, is_lost or (proof == 0 and relied)


@kernel(inline=True)
def _packed(proof, disproof, asked, work, relied):
    return proof << PROOF | disproof << DISPROOF | (asked + OFFSET) << ASKED | work << WORK | relied << RELIED


@kernel
def next_open(table, asked, start):
    """The first entry from `start` on of a position that a refutation relied on and that is not refuted, or -1."""
    for i in range(start, len(table)):
        data = table[i, 1]
        if table[i, 0] != -1 and field(data, ASKED, 6) == asked + OFFSET and field(data, RELIED, 1):
            if numbers_in(data)[0] != INFINITE:
                return i
    return -1


@kernel
def forget_refutations(table, asked):
    """Make the positions that were refuted for this question undecided again, and forget what relied on them."""
    for i in range(len(table)):
        data = table[i, 1]
        if table[i, 0] == -1 or field(data, ASKED, 6) != asked + OFFSET:
            continue
        if numbers_in(data)[0] == INFINITE:
            data = _packed(1, 1, asked, field(data, WORK, 6), 0)
        table[i, 1] = data & ~(1 << RELIED)


@kernel
def keep_proofs(table, asked):
    """Forget everything about this question but what is proven; how many entries are left free."""
    freed = 0
    for i in range(len(table)):
        if table[i, 0] == -1 or field(table[i, 1], ASKED, 6) != asked + OFFSET:
            continue
        if numbers_in(table[i, 1])[0] == 0:
            table[i, 1] &= ~(1 << RELIED)
        else:
            table[i, 0] = -1
            freed += 1
    return freed
