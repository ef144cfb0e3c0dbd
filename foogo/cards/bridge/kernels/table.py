"""The table of bounds: what the search has proved about positions between two tricks.

A slot belongs to a shape and its leader, and has a list of blocks of sixteen entries. An entry has the leading parts of
the four patterns that its bounds depend on, and bounds of the tricks that north and south still win. So an entry
answers for every position with the same top cards. A popular shape has hundreds of entries: the compiler compares all
entries of a block at a time, with vector instructions.

The table forgets everything when a search begins, by counting its generation up, and when its entries are used up.
"""

from __future__ import annotations

import numpy as np

from foogo.cards.bridge.kernels.layout import (
    GENERATION,
    PATTERN_BITS,
    RESETS,
    SLOT_BITS,
    USED,
)
from foogo.core.bits import highest
from foogo.core.jit import kernel
from foogo.core.pointers import prefetch

PROBES = 8
"""Slots that a shape may be in."""

FACTOR = -7046029254386353131
"""An odd number whose product mixes the bits: 2**64 divided by the golden ratio."""

HINT_SHIFT, GENERATION_SHIFT = 32, 39
MOST_GENERATIONS = 1 << 24
LINK = (1 << 32) - 1
"""The part of a slot or of a block's last word that has the number of the next block; 0 ends the list."""

PER_BLOCK = 16
LOW, HIGH, ENTRIES = PER_BLOCK, 2 * PER_BLOCK, 3 * PER_BLOCK
BLOCK_WORDS = ENTRIES + 1
"""A block has the tops and bounds of its entries, from `LOW` on their patterns of clubs and diamonds, from `HIGH` on
those of hearts and spades, and in the word `ENTRIES` their number and the next block."""

COUNT_SHIFT = 32
LOWER_SHIFT, UPPER_SHIFT = 16, 20
NO_ENTRY = 15 << UPPER_SHIFT
"""The bounds of an entry that decides nothing."""


@kernel(inline=True)
def forget(memory):
    """Empty the table."""
    memory.state[GENERATION] += 1
    if memory.state[GENERATION] == MOST_GENERATIONS:
        for word in range(memory.slot_words):
            memory.slots[word] = 0
        memory.state[GENERATION] = 1
    memory.state[USED] = 1


@kernel(inline=True)
def key_of(shape, leader):
    """A shape and a leader as one word: the last length follows from the rest."""
    return shape & (1 << 60) - 1 | (leader - 2) << 60


@kernel(inline=True)
def mask_of(first, second):
    """The bits of two patterns that hold their first cards, `first` and `second` in number."""
    low = (1 << PATTERN_BITS) - (1 << PATTERN_BITS - 2 * first)
    return low | (1 << PATTERN_BITS) - (1 << PATTERN_BITS - 2 * second) << PATTERN_BITS


@kernel(inline=True)
def find_slot(memory, key):
    """The slot that holds a key, or else the slot where it belongs."""
    bits = memory.state[SLOT_BITS]
    start, mask = key * FACTOR >> 64 - bits, (1 << bits) - 1
    for probe in range(PROBES):
        slot = 2 * (start + probe & mask)
        if memory.slots[slot + 1] >> GENERATION_SHIFT != memory.state[GENERATION]:
            return slot, False
        if memory.slots[slot] == key:
            return slot, True
    return 2 * (start & mask), False


@kernel(inline=True)
def fetch(memory, key):
    """Prefetch the slot where a key probably is."""
    bits = memory.state[SLOT_BITS]
    prefetch(memory.slots, 2 * (key * FACTOR >> 64 - bits & (1 << bits) - 1))


@kernel(inline=True)
def look_up(memory, slot, low, high, needed):
    """1 or 0 if an entry decides whether north and south win `needed` tricks, else -1; and its top cards."""
    first = BLOCK_WORDS * (memory.slots[slot + 1] & LINK)
    place = first
    while place:
        found = 0
        for i in range(PER_BLOCK):
            about = memory.entries[place + i]
            differs = (memory.entries[place + LOW + i] ^ low) & mask_of(about & 15, about >> 4 & 15)
            differs |= (memory.entries[place + HIGH + i] ^ high) & mask_of(about >> 8 & 15, about >> 12 & 15)
            decides = about >> LOWER_SHIFT & 15 >= needed or about >> UPPER_SHIFT & 15 < needed
            found |= 1 << i if differs == 0 and decides else 0
        if found:
            newest = place + highest(np.uint64(found))
            about = memory.entries[newest]
            if place != first:  # exchange it with an entry of the first block: it may soon decide again
                for word in range(0, ENTRIES, PER_BLOCK):
                    kept = memory.entries[first + word]
                    memory.entries[first + word] = memory.entries[newest + word]
                    memory.entries[newest + word] = kept
            return (1 if about >> LOWER_SHIFT & 15 >= needed else 0), about & 0xFFFF
        place = BLOCK_WORDS * (memory.entries[place + ENTRIES] & LINK)
    return -1, 0


@kernel(inline=True)
def _new_block(memory, after):
    """The number of a new block in front of another one."""
    block = memory.state[USED]
    memory.state[USED] += 1
    for i in range(PER_BLOCK):
        memory.entries[BLOCK_WORDS * block + i] = NO_ENTRY
    memory.entries[BLOCK_WORDS * block + ENTRIES] = after
    return block


@kernel(inline=True)
def store(memory, key, low, high, about, hint):
    """Note bounds of the positions with these top cards, and the lead that decided (0 if none did).

    `about` has the number of top cards and the bounds.
    """
    slot, found = find_slot(memory, key)
    block = memory.slots[slot + 1] & LINK if found else 0
    if found and hint == 0:
        hint = memory.slots[slot + 1] >> HINT_SHIFT & 127
    if block == 0 or memory.entries[BLOCK_WORDS * block + ENTRIES] >> COUNT_SHIFT == PER_BLOCK:
        if BLOCK_WORDS * (memory.state[USED] + 1) > memory.entry_words:
            forget(memory)
            memory.state[RESETS] += 1
            slot, found = find_slot(memory, key)
            block = 0
        block = _new_block(memory, block)
    last = BLOCK_WORDS * block + ENTRIES
    place = BLOCK_WORDS * block + (memory.entries[last] >> COUNT_SHIFT)
    memory.entries[last] += 1 << COUNT_SHIFT
    memory.entries[place] = about
    memory.entries[place + LOW] = low & mask_of(about & 15, about >> 4 & 15)
    memory.entries[place + HIGH] = high & mask_of(about >> 8 & 15, about >> 12 & 15)
    memory.slots[slot] = key
    memory.slots[slot + 1] = memory.state[GENERATION] << GENERATION_SHIFT | hint << HINT_SHIFT | block
