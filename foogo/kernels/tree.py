"""The search tree in one flat int32 array: entries, growing, and keeping a subtree.

An *entry* is a move in the tree, numbered from 0; entry 0 is the root. The children of an entry lie side by side, so
that selection and the AMAF update run over them as vectors. With `capacity` entries, field f of entry e is
``tree[f * capacity + e]``:

===============  ==============================================================================
field            what it holds
===============  ==============================================================================
`LEAD`           two fields, one int64: the sum of Black's leads in the playouts below, before komi
`VISITS`         playouts below, those on their way included, and the visits that the prior is worth
`WINS`           half wins of them for the player of the move; a draw is one
`RAVE_VISITS`    playouts through the parent in which that player was the first to play the point
`RAVE_WINS`      half wins of them for that player
`MOVE`           the point, or `PASS`
`FIRST`          the first child; `LEAF`, or `GROWING` while a thread is making them
`COUNT`          how many children
`PRIOR_VISITS`   what of VISITS is the prior's
`PRIOR_WINS`     what of WINS is the prior's
===============  ==============================================================================

Threads share the tree without a lock. VISITS, WINS, LEAD and the header of a run are added to atomically, so totals
add up. RAVE counts are not: an addition lost between two threads costs one AMAF sample. Children are published by
one atomic store of FIRST.

References
----------
M. Enzenberger, M. Mueller, "A Lock-Free Multithreaded Monte-Carlo Tree Search Algorithm", 2009.
"""

from __future__ import annotations

import numpy as np

from foogo.kernels.atomics import add64, exchange32, try_replace32
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import as_longs, longs, numbers, prefetch

LEAD, _, VISITS, WINS, RAVE_VISITS, RAVE_WINS, MOVE, FIRST, COUNT, PRIOR_VISITS, PRIOR_WINS = range(11)
FIELDS = 11

ENTRY_BYTES = 4 * FIELDS

LEAF, GROWING = 0, -1
"""FIRST of an entry without children."""

ROOT = 0

NUMBERS_OF_LINE = 16
"""Fields of neighbouring entries in a line of the cache."""

USED, FULL, ISSUED, STOP = 0, 1, 16, 17
"""What threads share (int64): entries in use; whether one was refused; simulations given out in this run; set to stop.
Those of growth and those of every leaf are 128 bytes apart, so that one does not slow the other down."""
SHARED = 18

DONE, PLAYOUTS, SELECTION_TIME, PLAYOUT_TIME, BACKUP_TIME = range(5)
"""What a thread counts for itself in a run (int64): simulations finished; those that were playouts; time stamps spent
in each part. Rows are as far apart."""
TALLY = 16

UNUSED = -(1 << 62)


@kernel
def plant(memory, capacity):
    """Make the tree a root without children."""
    tree, leads = numbers(memory), longs(memory)
    leads[ROOT] = 0
    for field in range(VISITS, FIELDS):
        tree[field * capacity + ROOT] = 0
    tree[MOVE * capacity + ROOT] = -1
    tree[FIRST * capacity + ROOT] = LEAF


@kernel(inline=True)
def leads_of(tree):
    """The field LEAD."""
    return as_longs(tree)


@kernel(inline=True)
def begin_growing(tree, capacity, entry):
    """Whether this thread is the one to give the leaf its children."""
    return try_replace32(tree, FIRST * capacity + entry, LEAF, GROWING)


@kernel(inline=True)
def allocate(tree, capacity, shared, entry, count):
    """The first of `count` new entries, or `LEAF` if the tree is full: it then stays as large as it is."""
    first = add64(shared, USED, count)
    if first + count > capacity:
        add64(shared, USED, -count)
        shared[FULL] = 1
        exchange32(tree, FIRST * capacity + entry, LEAF)
        return LEAF
    return first


@kernel(inline=True)
def set_prior(tree, capacity, entry, visits, wins):
    """Give a new entry its prior, and nothing else."""
    weight, half_wins = np.int32(np.rint(visits)), np.int32(np.rint(2.0 * wins))
    tree[VISITS * capacity + entry] = weight
    tree[WINS * capacity + entry] = half_wins
    tree[PRIOR_VISITS * capacity + entry] = weight
    tree[PRIOR_WINS * capacity + entry] = half_wins


@kernel(inline=True)
def publish(tree, capacity, entry, first, count):
    """Show the children, complete, to the other threads."""
    tree[COUNT * capacity + entry] = np.int32(count)
    exchange32(tree, FIRST * capacity + entry, first)


@kernel(inline=True)
def fetch_children(tree, capacity, entry):
    """Begin to fetch what `select` reads of an entry's children, while a stone is played."""
    first = np.int64(tree[FIRST * capacity + entry])
    if first > LEAF:
        for child in range(first, first + tree[COUNT * capacity + entry] + NUMBERS_OF_LINE - 1, NUMBERS_OF_LINE):
            prefetch(tree, VISITS * capacity + child)
            prefetch(tree, WINS * capacity + child)
            prefetch(tree, RAVE_VISITS * capacity + child)
            prefetch(tree, RAVE_WINS * capacity + child)


@kernel
def select(tree, capacity, first, count, log_visits, exploration, urgency, equivalence, salt):
    """The child to descend to: the best upper bound, among equals by `salt` (0 to 511).

    The value of a child is its win share w / n mixed with the AMAF share rw / rn, (1 - beta) * w / n + beta * rw / rn,
    with beta = rn / (n + rn + n * rn / equivalence), and (1 - beta) * exploration * sqrt(log_visits / n) on top.
    Without the latter that is ((1 + rn / equivalence) * w + rw) / (n + rn + n * rn / equivalence): one division, not
    three.
    """
    spread, fresh = np.float32(exploration * np.sqrt(log_visits)), np.float32(urgency)
    bias = np.float32(0.0 if equivalence == 0.0 else 1.0 / equivalence)
    rave = np.float32(0.0 if equivalence == 0.0 else 1.0)
    zero, one, half, scale = np.float32(0.0), np.float32(1.0), np.float32(0.5), np.float32(1 << 20)
    best = np.int64(UNUSED)
    for i in range(count):
        visits = np.float32(tree[VISITS * capacity + first + i])
        wins = np.float32(tree[WINS * capacity + first + i])
        others = rave * np.float32(tree[RAVE_VISITS * capacity + first + i])
        gains = rave * np.float32(tree[RAVE_WINS * capacity + first + i])
        trust = one + others * bias
        if spread > zero:
            wins += np.float32(2.0) * spread * np.sqrt(visits)
        whole = visits * trust + others
        value = half * (wins * trust + gains) / whole if whole > zero else fresh
        best = max(best, (np.int64(value * scale) << 9) | (i ^ salt))
    return first + ((best & 511) ^ salt)


@kernel
def most_visited(memory, capacity, entry):
    """The child of `entry` with the most playouts, or `LEAF` if none has any."""
    tree = numbers(memory)
    first, best, most = np.int64(tree[FIRST * capacity + entry]), np.int64(LEAF), np.int64(0)
    if first <= LEAF:
        return best
    for child in range(first, first + tree[COUNT * capacity + entry]):
        visits = np.int64(tree[VISITS * capacity + child]) - tree[PRIOR_VISITS * capacity + child]
        if visits > most:
            best, most = child, visits
    return best


@kernel
def child_of(memory, capacity, entry, move):
    """The child of `entry` by that move, or `LEAF`."""
    tree = numbers(memory)
    first = np.int64(tree[FIRST * capacity + entry])
    if first > LEAF:
        for child in range(first, first + tree[COUNT * capacity + entry]):
            if tree[MOVE * capacity + child] == move:
                return child
    return np.int64(LEAF)


@kernel
def keep(memory, capacity, shared, entry):
    """Make `entry` the root and move its subtree together, in place; the entries it has."""
    tree, leads = numbers(memory), longs(memory)
    live = np.zeros(shared[USED], np.bool_)
    live[entry] = True
    # A block lies after its parent's, so one pass upwards marks the whole subtree.
    for parent in range(entry, shared[USED]):
        first = np.int64(tree[FIRST * capacity + parent])
        if live[parent] and first > LEAF:
            live[first : first + tree[COUNT * capacity + parent]] = True
    place, used = np.zeros(shared[USED], np.int32), 1
    for child in range(entry + 1, shared[USED]):
        if live[child]:
            place[child] = used
            used += 1
    for old in range(entry, shared[USED]):
        if live[old]:
            new = np.int64(place[old])
            leads[new] = leads[old]
            for field in range(VISITS, FIELDS):
                tree[field * capacity + new] = tree[field * capacity + old]
            first = np.int64(tree[FIRST * capacity + old])
            if first > LEAF:
                tree[FIRST * capacity + new] = place[first]
    shared[USED] = used
    shared[FULL] = 0
    return used
