"""The memory layout of the search tree.

An *entry* is a move in the tree, numbered from 0; entry 0 is the root. The children of an entry form a contiguous
block that starts a *tile*: `TILE` entries whose fields are next to each other in memory. Selection and the AMAF update
therefore work on vectors, and one descent touches few cache lines. That also helps threads, which compete for those
lines. The unused entries of a block's last tile are *padding*: selection never chooses them.

A tile has one cache line of 64 bytes, sixteen int32 numbers, for each of

===============  ==============================================================================
field            what it holds
===============  ==============================================================================
`VISITS`         playouts below, those in flight included, plus the visits of the prior
`WINS`           their half wins for the player of the move; a draw is one half win
`RAVE_VISITS`    playouts through the parent in which that player was the first to play the point
`RAVE_WINS`      their half wins for that player
`MOVE`           the point, or `PASS`
`LEAD`           two lines of int64: the sum of Black's leads in the playouts below, before komi
===============  ==============================================================================

The first two lines are interleaved: VISITS and WINS of an entry make one int64, so one atomic addition counts both.
Then come four numbers per entry, side by side, which are constant once the entry has children:

===============  ==============================================================================
`FIRST`          the first child; `LEAF`, or `GROWING` while a thread adds the children
`COUNT`          the number of children, and above it what is proven, see `foogo.search.kernels.proofs`
`PRIOR_VISITS`   the prior's part of VISITS
`PRIOR_WINS`     the prior's part of WINS
===============  ==============================================================================
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers, words

TILE_BITS = 4
TILE = 1 << TILE_BITS

VISITS, WINS, RAVE_VISITS, RAVE_WINS, MOVE, LEAD = range(6)
LINES = 7
"""Cache lines of a tile for the fields above."""
FIRST, COUNT, PRIOR_VISITS, PRIOR_WINS = range(LINES, LINES + 4)
CONSTANT_FIELDS = 4

COUNT_MASK = 0x1FF
"""The part of COUNT that is the number of children."""
RESULT = 0xF << 16
"""The part of COUNT that is the bounds of the result."""
SHARES = 1 << 9
"""In COUNT: another entry has the same children, see `foogo.search.kernels.transpositions`."""
HISTORY = 1 << 10
"""In COUNT: the move may repeat a situation, or superko is part of the proof. After other moves this might differ."""
SUPERKO = 1 << 11
"""In COUNT: superko forbids a move here."""
WANTED = 1 << 22
"""In COUNT: moves without an entry would decide, see `foogo.search.kernels.proofs`."""
EXTENDED = 1 << 23
"""In COUNT: the children are moves that had no entry before, see `foogo.search.kernels.proofs`."""
LOST_MOVE = 1 << 30
"""In COUNT: it is proven that the player of the move loses."""

UNPROVEN = ~(RESULT | LOST_MOVE | 1 << 31)
"""In COUNT: all but what is proven."""

TILE_NUMBERS = TILE * (LINES + CONSTANT_FIELDS)
ENTRY_BYTES = 4 * (LINES + CONSTANT_FIELDS)

NO_KEY = np.uint64(0)
"""In `TreeArrays.keys`: nobody else has these children."""

TILE_BYTES = TILE * ENTRY_BYTES + 12
"""With a number in `TreeArrays.keys` and at most one in `TreeArrays.table`."""

HALF_WIN = 1 << 32
"""A half win in the int64 of VISITS and WINS; a visit is 1."""

MOST_VISITS = (1 << 30) - (1 << 16)
"""The most visits of a tree. Twice as many half wins still fit in WINS."""

_TILE = np.dtype(
    [
        ("visits_and_wins", np.int32, (TILE, 2)), ("rave_visits", np.int32, TILE), ("rave_wins", np.int32, TILE),
        ("move", np.int32, TILE), ("lead", np.int64, TILE), ("constants", np.int32, (TILE, CONSTANT_FIELDS)),
    ]
)  # fmt: skip

_NAMES = "visits", "wins", "rave_visits", "rave_wins", "move", "first", "count", "prior_visits", "prior_wins"
ENTRY = np.dtype([*((name, np.int32) for name in _NAMES), ("lead", np.int64), ("proof", np.int32)])
"""An entry as `read` returns it; `proof` is COUNT without the number of children."""


class TreeArrays(NamedTuple):
    """The memory of a tree, for Python."""

    memory: NDArray[np.int64]
    """The entries, see `new_memory`."""
    shared: NDArray[np.int64]
    """What threads share, see `foogo.search.kernels.tree.SHARED`."""
    keys: NDArray[np.uint64]
    """(tiles,): see `foogo.search.kernels.transpositions`."""
    table: NDArray[np.int32]
    """(a power of two,): likewise."""


class Tree(NamedTuple):
    """Pointers to the memory of a tree, for kernels."""

    entries: Any
    """int32, indexed by `at`."""
    longs: Any
    """The same memory as int64, indexed by `visits_and_wins_at` and `lead_at`."""
    shared: Any
    keys: Any
    table: Any
    last_slot: int
    """The last index of the table."""


@kernel(inline=True)
def open_tree(arrays):
    """The `Tree` of `TreeArrays`. Pointers spare a descent the reference counts of arrays."""
    memory, table = arrays.memory, arrays.table
    return Tree(
        numbers(memory), longs(memory), longs(arrays.shared), words(arrays.keys), numbers(table), len(table) - 1
    )


def new_memory(capacity: int) -> NDArray[np.int64]:
    """Memory for `capacity` entries, rounded down to whole tiles. Pages that the tree never reaches cost nothing."""
    size = capacity // TILE * TILE_NUMBERS // 2
    memory = np.empty(size + 7, np.int64)
    first = -memory.ctypes.data // 8 % 8  # on the border of a cache line
    return memory[first : first + size]


def read(memory: NDArray[np.int64], first: int, count: int) -> NDArray[np.void]:
    """A copy of `count` entries from `first` on, which starts a tile or is a single entry: (count,) of `ENTRY`."""
    tiles = memory.view(_TILE)[first // TILE : (first + count - 1) // TILE + 1]
    entries = np.empty(len(tiles) * TILE, ENTRY)
    entries["visits"], entries["wins"] = tiles["visits_and_wins"].reshape(-1, 2).T
    for name, column in zip(_NAMES[5:], tiles["constants"].reshape(-1, CONSTANT_FIELDS).T, strict=True):
        entries[name] = column
    entries["proof"], entries["count"] = entries["count"] & ~COUNT_MASK, entries["count"] & COUNT_MASK
    for name in ("rave_visits", "rave_wins", "move", "lead"):
        entries[name] = tiles[name].ravel()
    return entries[first % TILE : first % TILE + count]


@kernel(inline=True)
def at(field, entry):
    """The index of a field of an entry among int32 numbers."""
    tile, place = (entry >> TILE_BITS) * TILE_NUMBERS, entry & (TILE - 1)
    if field <= WINS:
        return tile + 2 * place + field
    if field < LINES:
        return tile + field * TILE + place
    return tile + TILE * LINES + place * CONSTANT_FIELDS + field - LINES


@kernel(inline=True)
def line_at(start, tile, field):
    """The index of a field's line in the `tile`-th tile after the one at index `start`, among int32 numbers."""
    return start + tile * TILE_NUMBERS + field * TILE


@kernel(inline=True)
def visits_and_wins_at(entry):
    """The index of the visits and wins of an entry, as one, among int64 numbers."""
    return (entry >> TILE_BITS) * (TILE_NUMBERS // 2) + (entry & (TILE - 1))


@kernel(inline=True)
def lead_at(entry):
    """The index of the lead of an entry among int64 numbers."""
    return (entry >> TILE_BITS) * (TILE_NUMBERS // 2) + LEAD * (TILE // 2) + (entry & (TILE - 1))


@kernel(inline=True)
def children_of(entries, entry):
    """The number of children of an entry, once it has any."""
    return np.int64(entries[at(COUNT, entry)]) & COUNT_MASK


@kernel(inline=True)
def tiles_of(count):
    """The number of tiles for `count` children."""
    return (count + TILE - 1) >> TILE_BITS
