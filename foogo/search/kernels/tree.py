"""Operations on the search tree: growing it, keeping a subtree, reading it. `foogo.search.kernels.tiles` is its layout.

Threads share the tree without a lock. VISITS, WINS, LEAD and `SHARED` are added to atomically, so totals are exact.
RAVE counts are not: a thread loads, adds to and stores sixteen of them at once, and an addition by another thread in
between is lost. Children are published by one atomic store of FIRST.

References
----------
M. Enzenberger, M. Mueller, "A Lock-Free Multithreaded Monte-Carlo Tree Search Algorithm", 2009.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import add32, add64, exchange32, load32, load64, try_replace32, try_replace64
from foogo.core.jit import kernel
from foogo.core.pointers import numbers, prefetch, prefetch_to_write
from foogo.core.vectors import alternate_lanes, alternate_pairs, everywhere, load, store
from foogo.game.geometry import PASS
from foogo.search.kernels.tiles import (
    CONSTANT_FIELDS,
    COUNT,
    COUNT_MASK,
    EXTENDED,
    FIRST,
    HISTORY,
    LEAD,
    LINES,
    MOVE,
    NO_KEY,
    PRIOR_VISITS,
    PRIOR_WINS,
    RAVE_VISITS,
    RAVE_WINS,
    RESULT,
    SHARES,
    SUPERKO,
    TILE,
    TILE_BITS,
    TILE_NUMBERS,
    UNPROVEN,
    VISITS,
    WANTED,
    WINS,
    TreeArrays,
    at,
    children_of,
    lead_at,
    line_at,
    open_tree,
    read,
    tiles_of,
)

LEAF, GROWING = 0, -1
"""FIRST of an entry without children."""

ROOT = 0

USED, FULL, MOVES, CAPACITY, MOST_USED, REPLACED, TRANSPOSITIONS, EXCESS, ISSUED, STOP = 0, 1, 2, 3, 4, 5, 6, 7, 16, 17
"""What threads share (int64). Entries in use; whether growth was refused; moves in the tree; room for entries; most
entries in use before a subtree was kept; the children that the root had first, if they were replaced, as their number
and the first of them; entries that took the children of another; by how much the visits or AMAF visits of an entry
below the root exceed the root's visits; simulations issued in this run; set to stop. Growth writes all but the last
two, which each leaf reads. So these are 128 bytes apart, and they do not slow each other down.
"""
SHARED = 18

PADDING_VISITS, HOPELESS = 1 << 7, -(1 << 17)
"""VISITS and WINS of padding: its value is below every child's, even after selection has added to the wins. At most it
adds half wins for all priors' visits, and `foogo.search.kernels.selection.MOST_SPREAD`."""


class Children(NamedTuple):
    """New children of an entry, int32 each, as arrays or as pointers. There is room for whole tiles."""

    cells: Any
    moves: Any
    """Points, or PASS."""
    visits: Any
    wins: Any
    """Visits and half wins of the prior."""


def new_children(size: int) -> Children:
    """Arrays for the children of an entry on a board of that size."""
    room = -(-(size * size + 1) // TILE) * TILE
    return Children(*np.empty((4, room), np.int32))


@kernel(inline=True)
def pointers_to(children):
    """The same children as pointers."""
    return Children(numbers(children.cells), numbers(children.moves), numbers(children.visits), numbers(children.wins))


def new_arrays(memory: NDArray[np.int64]) -> TreeArrays:
    """A tree in that memory, still to be planted. Here too, pages that it never reaches cost nothing."""
    tiles = 2 * len(memory) // TILE_NUMBERS
    table = np.zeros(1 << max(tiles.bit_length() - 1, 0), np.int32)
    return TreeArrays(memory, np.zeros(SHARED, np.int64), np.empty(tiles, np.uint64), table)


def plant(arrays: TreeArrays) -> None:
    """Make the tree a root without children and without a prior, and padding beside it."""
    root = arrays.memory.view(np.int32)[:TILE_NUMBERS]
    root[:] = 0
    visits_and_wins, move = root[: 2 * TILE].reshape(TILE, 2), root[MOVE * TILE : (MOVE + 1) * TILE]
    constants = root[LINES * TILE :].reshape(TILE, CONSTANT_FIELDS)
    move[:] = PASS
    visits_and_wins[1:] = constants[1:, PRIOR_VISITS - LINES :] = PADDING_VISITS, HOPELESS
    if arrays.shared[MOVES]:
        arrays.table[:] = 0
    arrays.shared[USED], arrays.shared[FULL], arrays.shared[MOVES], arrays.shared[REPLACED] = TILE, 0, 1, 0
    arrays.shared[TRANSPOSITIONS], arrays.shared[EXCESS] = 0, 0
    arrays.shared[CAPACITY] = len(arrays.memory) // (TILE_NUMBERS // 2) * TILE


# --- growth -----------------------------------------------------------------------------------------


@kernel(inline=True)
def begin_growing(entries, entry):
    """Whether this thread has claimed the leaf: it alone then adds the children."""
    return try_replace32(entries, at(FIRST, entry), LEAF, GROWING)


@kernel(inline=True)
def allocate(tree, entry, count):
    """The first of `count` new entries, or `LEAF` if the tree is full: it then stops growing."""
    first = reserve(tree, tiles_of(count))
    if first == LEAF:
        exchange32(tree.entries, at(FIRST, entry), LEAF)
    return first


@kernel(inline=True)
def reserve(tree, tiles):
    """The first entry of new tiles, or `LEAF` if the tree is full: it then stops growing."""
    room, first = TILE * tiles, load64(tree.shared, USED)
    while first + room <= tree.shared[CAPACITY]:
        if try_replace64(tree.shared, USED, first, first + room):
            return first
        first = load64(tree.shared, USED)
    tree.shared[FULL] = 1
    return np.int64(LEAF)


@kernel(inline=True)
def prefetch_new(entries, first, count):
    """Prefetch the memory that `publish` will write, while the children are computed."""
    start = at(VISITS, first)
    for line in range(tiles_of(count) * (TILE_NUMBERS // TILE)):
        prefetch_to_write(entries, start + line * TILE)


@kernel(inline=True)
def publish(tree, entry, first, count, key):
    """Make the children that `write_block` wrote for `entry` visible to other threads; `key` is its position's."""
    tree.keys[first >> TILE_BITS] = key
    add64(tree.shared, MOVES, count)
    add32(tree.entries, at(COUNT, entry), count)
    exchange32(tree.entries, at(FIRST, entry), first)
    note(tree, key, entry)


@kernel(inline=True)
def first_and_count(entries, entry):
    """FIRST and COUNT of an entry. If it has children, the block at FIRST has at least as many tiles as COUNT says.

    Other threads may publish children meanwhile, which are counted before, or replace them by at least as many tiles,
    which are counted after.
    """
    first = load32(entries, at(FIRST, entry))
    word = load32(entries, at(COUNT, entry))
    if word & EXTENDED:
        first = load32(entries, at(FIRST, entry))
    return first, word


@kernel(inline=True)
def note(tree, key, entry):
    """Note an entry that has children, for the key of its position; see `foogo.search.kernels.transpositions`."""
    if key != NO_KEY:
        tree.table[np.int64(key & np.uint64(tree.last_slot))] = entry


@kernel(inline=True)
def replace(tree, entry, first, count):
    """Publish other children for an entry, which `write_block` wrote; not their number.

    The old children stay where they are, for threads that are below them, for other entries, and for `first_children`.
    """
    if entry == ROOT:
        tree.shared[REPLACED] = np.int64(tree.entries[at(FIRST, ROOT)]) << 16 | children_of(tree.entries, ROOT)
    tree.keys[first >> TILE_BITS] = NO_KEY
    word = np.int64(tree.entries[at(COUNT, entry)])
    add64(tree.shared, MOVES, count if word & SHARES else count - (word & COUNT_MASK))
    exchange32(tree.entries, at(FIRST, entry), first)


@kernel
def write_block(entries, first, count, tiles, children):
    """Write the first `count` of `children`, which are pointers, from entry `first` on, and padding up to `tiles`."""
    for i in range(count, TILE * tiles):
        children.moves[i], children.visits[i], children.wins[i] = PASS, PADDING_VISITS, HOPELESS
    write_tiles(entries, at(VISITS, first), tiles, children)


@kernel(inline=True)
def write_tiles(entries, start, tiles, children):
    """Write whole tiles of new entries from the index `start` on: their moves and priors, and zeros."""
    nothing = everywhere(np.int32(0))
    for tile in range(tiles):
        moves, visits = load(children.moves, tile * TILE), load(children.visits, tile * TILE)
        wins = load(children.wins, tile * TILE)
        # VISITS and WINS are interleaved: v0 w0 v1 w1 ...
        lower, upper = alternate_lanes(visits, wins)
        store(entries, line_at(start, tile, VISITS), lower)
        store(entries, line_at(start, tile, WINS), upper)
        store(entries, line_at(start, tile, RAVE_VISITS), nothing)
        store(entries, line_at(start, tile, RAVE_WINS), nothing)
        store(entries, line_at(start, tile, MOVE), moves)
        store(entries, line_at(start, tile, LEAD), nothing)
        store(entries, line_at(start, tile, LEAD + 1), nothing)
        # FIRST and COUNT are 0, PRIOR_VISITS and PRIOR_WINS those of now: 0 0 v0 w0 0 0 v1 w1 ..., four entries a line
        entries_0, entries_4 = alternate_pairs(nothing, lower)
        entries_8, entries_12 = alternate_pairs(nothing, upper)
        store(entries, line_at(start, tile, LINES), entries_0)
        store(entries, line_at(start, tile, LINES + 1), entries_4)
        store(entries, line_at(start, tile, LINES + 2), entries_8)
        store(entries, line_at(start, tile, LINES + 3), entries_12)


# --- reading and keeping ----------------------------------------------------------------------------


@kernel(inline=True)
def prefetch_children(entries, entry):
    """Prefetch the lines of an entry's children that selection reads, while a stone is played."""
    first = np.int64(entries[at(FIRST, entry)])
    if first > LEAF:
        for tile in range(tiles_of(children_of(entries, entry))):
            for line in range(MOVE):
                prefetch(entries, at(VISITS, first + tile * TILE) + line * TILE)


def first_children(arrays: TreeArrays) -> tuple[int, int]:
    """The first of the children that the root had first, and their number."""
    if replaced := int(arrays.shared[REPLACED]):
        return replaced >> 16, replaced & COUNT_MASK
    root = read(arrays.memory, ROOT, 1)[0]
    return int(root["first"]), int(root["count"])


@kernel(inline=True)
def mean_lead(tree, entry, other):
    """Black's mean lead in the playouts of an entry, rounded down; `other` without any."""
    count = playouts_of(tree.entries, entry)
    return tree.longs[lead_at(entry)] // count if count > 0 else other


@kernel(inline=True)
def playouts_of(entries, entry):
    """The playouts of an entry: its visits without those that its prior stands for."""
    return np.int64(entries[at(VISITS, entry)]) - entries[at(PRIOR_VISITS, entry)]


@kernel
def child_of(arrays, entry, move):
    """The child of `entry` by that move, or `LEAF`."""
    entries = open_tree(arrays).entries
    first, word = first_and_count(entries, entry)
    if first > LEAF:
        for child in range(first, first + (word & COUNT_MASK)):
            if entries[at(MOVE, child)] == move:
                return child
    return np.int64(LEAF)


def keep(arrays: TreeArrays, entry: int) -> None:
    """Make `entry` the root and move its subtree together, in place.

    Where entries share children, those for which another history might matter lose theirs.
    """
    tiles = int(arrays.shared[USED]) // TILE
    _keep(arrays, entry, np.zeros(tiles, np.bool_), np.empty(tiles, np.int64))


@kernel
def _has_child_with_result(entries):
    """Whether the root, whose result is proven, has children and one of them has the same result."""
    first, word = np.int64(entries[at(FIRST, ROOT)]), np.int64(entries[at(COUNT, ROOT)])
    if first > LEAF:
        for child in range(first, first + (word & COUNT_MASK)):
            answer = np.int64(entries[at(COUNT, child)])
            if answer < 0 and (word ^ answer) & RESULT == 0:
                return True
    return False


@kernel
def _keep(arrays, entry, live, place):
    """`keep` with memory of one number per tile: whether it is kept, all False, and where it moves."""
    tree, shared = open_tree(arrays), arrays.shared
    entries = tree.entries
    tiles = shared[USED] // TILE
    tree.longs[lead_at(ROOT)] = tree.longs[lead_at(entry)]
    for field in (VISITS, WINS, RAVE_VISITS, RAVE_WINS, MOVE, FIRST, COUNT, PRIOR_VISITS, PRIOR_WINS):
        entries[at(field, ROOT)] = entries[at(field, entry)]
    entries[at(COUNT, ROOT)] &= ~SHARES  # no other entry leads to this position now
    # `place` is at first the stack of tiles to look at.
    has_transpositions, most = shared[TRANSPOSITIONS] != 0, 0
    live[0], place[0], waiting, moves = True, 0, 1, 1
    while waiting:
        waiting -= 1
        tile = place[waiting]
        for parent in range(tile * TILE, (tile + 1) * TILE):
            word = np.int64(entries[at(COUNT, parent)])
            if has_transpositions and (word & SUPERKO or (word & HISTORY and word & (RESULT | WANTED | EXTENDED))):
                # It may hold for another history only. What follows is found anew.
                entries[at(FIRST, parent)], entries[at(COUNT, parent)] = LEAF, HISTORY
            most = max(most, np.int64(entries[at(VISITS, parent)]))
            if parent != ROOT:
                # AMAF has the playouts of all that shared the entry, even if they are no longer in the tree.
                most = max(most, np.int64(entries[at(RAVE_VISITS, parent)]))
            first = np.int64(entries[at(FIRST, parent)])
            if first > LEAF and not live[first // TILE]:
                count = children_of(entries, parent)
                moves += count
                for kept in range(first // TILE, first // TILE + tiles_of(count)):
                    live[kept], place[waiting] = True, kept
                    waiting += 1
    shared[EXCESS] = most - entries[at(VISITS, ROOT)]
    if has_transpositions and entries[at(COUNT, ROOT)] < 0 and not _has_child_with_result(entries):
        # The child with the result has just lost its proof.
        entries[at(COUNT, ROOT)] &= UNPROVEN
    used = 0
    for tile in range(tiles):
        if live[tile]:
            place[tile] = used
            used += 1
    arrays.table[:] = 0
    # Tiles move downwards in order, so none is overwritten before it has moved.
    for tile in range(tiles):
        if live[tile]:
            old, new = tile * TILE_NUMBERS, place[tile] * TILE_NUMBERS
            for i in range(TILE_NUMBERS):
                entries[new + i] = entries[old + i]
            arrays.keys[place[tile]] = arrays.keys[tile]
            for parent in range(place[tile] * TILE, (place[tile] + 1) * TILE):
                first = np.int64(entries[at(FIRST, parent)])
                if first > LEAF:
                    entries[at(FIRST, parent)] = np.int32(place[first // TILE] * TILE)
    for parent in range(used * TILE):
        first = np.int64(entries[at(FIRST, parent)])
        if first > LEAF:
            note(tree, arrays.keys[first // TILE], parent)
    shared[USED], shared[FULL], shared[MOVES], shared[REPLACED] = used * TILE, 0, moves, 0
