"""What the table of proof-number search holds of a position and a question, in buckets of four entries.

An entry is two words: the key of the position with who is to move, and its contents. These are what is asked, the
binary logarithm of the nodes below, whether a refutation relied on this position's, and either the two numbers of
`foogo.kernels.solver_forcing`, or, once the position is proven, the zone of the proof (`foogo.kernels.solver_zones`).
"""

from __future__ import annotations

from foogo.kernels.jit import kernel
from foogo.kernels.solver_table import BUCKET, MOST_WORK, OFFSET, bucket_of, field, logarithm

NUMBER_BITS = 24

INFINITE = (1 << NUMBER_BITS) - 1
"""The proof number of what is refuted, and the disproof number of what is proven."""

PROVEN, ASKED, WORK, RELIED = 48, 49, 55, 61
"""Lowest bits of the fields of the second word. Below them are the numbers, or the zone of what is proven."""


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
    if data >> PROVEN & 1:
        return 0, INFINITE
    return field(data, 0, NUMBER_BITS), field(data, NUMBER_BITS, NUMBER_BITS)


@kernel(inline=True)
def zone_in(shape, data):
    """The zone of the proof in an entry of these contents; the whole board if it is not proven."""
    return data & shape.full if data >> PROVEN & 1 else shape.full


@kernel
def work_at(table, key, asked):
    """The binary logarithm of the nodes that the proof of that position took, or -1 if it is not known to be proven."""
    entry = entry_of(table, key, asked)
    return field(table[entry, 1], WORK, 6) if entry >= 0 and table[entry, 1] >> PROVEN & 1 else -1


@kernel
def store(table, key, asked, proof, disproof, zone, nodes, relied):
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
    if proof == 0:
        table[place, 1] = 1 << PROVEN | zone | _rest(asked, work, relied)
    else:
        table[place, 1] = proof | disproof << NUMBER_BITS | _rest(asked, work, relied)
    return is_free, is_lost or (proof == 0 and relied)


@kernel(inline=True)
def _rest(asked, work, relied):
    """The fields above what is known."""
    return (asked + OFFSET) << ASKED | work << WORK | relied << RELIED


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
            data = 1 | 1 << NUMBER_BITS | _rest(asked, field(data, WORK, 6), 0)
        table[i, 1] = data & ~(1 << RELIED)


@kernel
def keep_proofs(table, asked):
    """Forget everything about this question but what is proven; how many entries are left free."""
    freed = 0
    for i in range(len(table)):
        if table[i, 0] == -1 or field(table[i, 1], ASKED, 6) != asked + OFFSET:
            continue
        if table[i, 1] >> PROVEN & 1:
            table[i, 1] &= ~(1 << RELIED)
        else:
            table[i, 0] = -1
            freed += 1
    return freed
