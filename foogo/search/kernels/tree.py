"""The search tree in one array: entries in tiles, growing, and keeping a subtree.

Its entries lie as `foogo.search.kernels.tiles` has it.

Threads share the tree without a lock. VISITS, WINS, LEAD and the header of a run are added to atomically, so totals
add up. RAVE counts are not: a tile's visits, or its wins, are read, added to and written in one, so that what another
thread adds to one of the sixteen meanwhile is lost. Children are published by one atomic store of FIRST.

References
----------
M. Enzenberger, M. Mueller, "A Lock-Free Multithreaded Monte-Carlo Tree Search Algorithm", 2009.
"""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add64, exchange32, load64, try_replace32, try_replace64
from foogo.core.jit import kernel
from foogo.core.pointers import as_longs, numbers, prefetch, prefetch_to_write
from foogo.game.geometry import PASS
from foogo.search.kernels.tiles import (
    COUNT,
    FIRST,
    MOVE,
    PRIOR_VISITS,
    PRIOR_WINS,
    RAVE_VISITS,
    RAVE_WINS,
    TILE,
    TILE_NUMBERS,
    VISITS,
    WINS,
    at,
    best_exploring,
    best_of,
    lay,
    lead_at,
    tiles_of,
)

LEAF, GROWING = 0, -1
"""FIRST of an entry without children."""

ROOT = 0

USED, FULL, MOVES, CAPACITY, MOST, ISSUED, STOP = 0, 1, 2, 3, 4, 16, 17
"""What threads share (int64): entries in use, whether one was refused, moves in the tree, entries that there is room
for, most entries in use before some were given up; simulations given out in this run; set to stop. Those of growth and
those of every leaf are 128 bytes apart, so that one does not slow the other down."""
SHARED = 18

DONE, PLAYOUTS, SELECTION_TIME, PLAYOUT_TIME, BACKUP_TIME = range(5)
"""What a thread counts for itself in a run (int64): simulations finished; those that were playouts; time stamps spent
in each part. Rows are as far apart."""
TALLY = 16

MOST_SPREAD, HOPELESS = 500.0, -1024
"""The most that is added to the value of a child of one visit; WINS of padding, of one visit: so it is below zero."""


@kernel
def plant(memory, shared):
    """Make the tree a root without children."""
    _write_root(memory, np.full(TILE, PASS, np.int32), np.zeros(TILE, np.int32), np.zeros(TILE, np.int32))
    shared[USED], shared[FULL], shared[MOVES] = TILE, 0, 1
    shared[CAPACITY] = len(memory) // (TILE_NUMBERS // 2) * TILE


@kernel
def _write_root(memory, moves, visits, wins):
    """A root without a prior; the arrays are arguments so that pointers to them may be taken."""
    _write(numbers(memory), ROOT, 1, (numbers(moves), numbers(visits), numbers(wins)))


@kernel(inline=True)
def _write(tree, first, count, block):
    """New entries from the beginning of a tile on, its rest padding: see `publish`."""
    moves, visits, wins = block
    for i in range(count, TILE * tiles_of(count)):
        moves[i], visits[i], wins[i] = PASS, 1, HOPELESS
    lay(tree, at(VISITS, first), tiles_of(count), moves, visits, wins)


@kernel(inline=True)
def begin_growing(tree, entry):
    """Whether this thread is the one to give the leaf its children."""
    return try_replace32(tree, at(FIRST, entry), LEAF, GROWING)


@kernel(inline=True)
def allocate(tree, shared, entry, count):
    """The first of `count` new entries, or `LEAF` if the tree is full: it then stays as large as it is."""
    room = TILE * tiles_of(count)
    first = load64(shared, USED)
    while first + room <= shared[CAPACITY]:
        if try_replace64(shared, USED, first, first + room):
            return first
        first = load64(shared, USED)
    shared[FULL] = 1
    exchange32(tree, at(FIRST, entry), LEAF)
    return np.int64(LEAF)


@kernel(inline=True)
def rounded(visits, wins):
    """A prior as an entry has it: visits and half wins."""
    weight = np.int32(np.rint(visits))
    return weight, np.int32(min(np.rint(2.0 * wins), 2.0 * weight))


@kernel(inline=True)
def fetch_new(tree, first, count):
    """Begin to fetch what `publish` will write, while it is made up."""
    start = at(VISITS, first)
    for line in range(tiles_of(count) * (TILE_NUMBERS // TILE)):
        prefetch_to_write(tree, start + line * TILE)


@kernel
def publish(tree, shared, entry, first, count, block):
    """Write the children of an entry and show them, complete, to the other threads.

    Parameters
    ----------
    first, count
        Of `allocate`, and how many they are.
    block
        Pointers to int32 with room for whole tiles: the points, or PASS; visits and half wins of the priors. Behind
        them padding is written.
    """
    _write(tree, first, count, block)
    add64(shared, MOVES, count)
    tree[at(COUNT, entry)] = np.int32(count)
    exchange32(tree, at(FIRST, entry), first)


@kernel(inline=True)
def fetch_children(tree, entry):
    """Begin to fetch what `select` reads of an entry's children, while a stone is played."""
    first = np.int64(tree[at(FIRST, entry)])
    if first > LEAF:
        for tile in range(tiles_of(np.int64(tree[at(COUNT, entry)]))):
            for line in range(MOVE):
                prefetch(tree, at(VISITS, first + tile * TILE) + line * TILE)


@kernel
def select(tree, first, count, log_visits, exploration, urgency, equivalence, salt):
    """The child to descend to: the best upper bound, among equals by `salt` (0 to 511).

    The value of a child is its win share w / n mixed with the AMAF share rw / rn, (1 - beta) * w / n + beta * rw / rn,
    with beta = rn / (n + rn + n * rn / equivalence), and (1 - beta) * exploration * sqrt(log_visits / n) on top.
    Without the latter that is ((1 + rn / equivalence) * w + rw) / (n + rn + n * rn / equivalence): one division, not
    three.
    """
    bias, rave = np.float32(0.0 if equivalence == 0.0 else 1.0 / equivalence), np.float32(equivalence != 0.0)
    spread, fresh = np.float32(min(exploration * np.sqrt(log_visits), MOST_SPREAD)), np.float32(urgency)
    start, tiles = at(VISITS, first), tiles_of(count)
    if spread > np.float32(0.0):
        best = best_exploring(tree, start, tiles, bias, rave, fresh, salt, spread)
    else:
        best = best_of(tree, start, tiles, bias, rave, fresh, salt)
    return first + ((best & 511) ^ salt)


@kernel
def variation(memory, entry, line):
    """Write the move of `entry` and on, each the most visited answer, as (point, playouts) each; how many."""
    tree, depth = numbers(memory), 0
    while entry != LEAF and depth < len(line):
        line[depth, 0] = tree[at(MOVE, entry)]
        line[depth, 1] = _playouts(tree, entry)
        depth += 1
        first, best, most = np.int64(tree[at(FIRST, entry)]), np.int64(LEAF), np.int64(0)
        if first > LEAF:
            for child in range(first, first + tree[at(COUNT, entry)]):
                visits = _playouts(tree, child)
                if visits > most:
                    best, most = child, visits
        entry = best
    return depth


@kernel(inline=True)
def _playouts(tree, entry):
    return np.int64(tree[at(VISITS, entry)]) - tree[at(PRIOR_VISITS, entry)]


@kernel
def child_of(memory, entry, move):
    """The child of `entry` by that move, or `LEAF`."""
    tree = numbers(memory)
    first = np.int64(tree[at(FIRST, entry)])
    if first > LEAF:
        for child in range(first, first + tree[at(COUNT, entry)]):
            if tree[at(MOVE, child)] == move:
                return child
    return np.int64(LEAF)


@kernel
def keep(memory, shared, entry):
    """Make `entry` the root and move its subtree together, in place."""
    tree = numbers(memory)
    tiles = shared[USED] // TILE
    as_longs(tree)[lead_at(ROOT)] = as_longs(tree)[lead_at(entry)]
    for field in (VISITS, WINS, RAVE_VISITS, RAVE_WINS, MOVE, FIRST, COUNT, PRIOR_VISITS, PRIOR_WINS):
        tree[at(field, ROOT)] = tree[at(field, entry)]
    # A block lies after its parent's, so one pass upwards marks the whole subtree.
    live, moves = np.zeros(tiles, np.bool_), 1
    live[0] = True
    for tile in range(tiles):
        if live[tile]:
            for parent in range(tile * TILE, (tile + 1) * TILE):
                first, count = np.int64(tree[at(FIRST, parent)]), np.int64(tree[at(COUNT, parent)])
                if first > LEAF:
                    live[first // TILE : first // TILE + tiles_of(count)] = True
                    moves += count
    place, used = np.zeros(tiles, np.int64), 0
    for tile in range(tiles):
        if live[tile]:
            place[tile] = used
            used += 1
    for tile in range(tiles):
        if live[tile]:
            old, new = tile * TILE_NUMBERS, place[tile] * TILE_NUMBERS
            for i in range(TILE_NUMBERS):
                tree[new + i] = tree[old + i]
            for parent in range(place[tile] * TILE, (place[tile] + 1) * TILE):
                first = np.int64(tree[at(FIRST, parent)])
                if first > LEAF:
                    tree[at(FIRST, parent)] = np.int32(place[first // TILE] * TILE)
    shared[USED], shared[FULL], shared[MOVES] = used * TILE, 0, moves
