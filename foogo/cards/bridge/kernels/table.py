"""The table of bounds: what the search has proved about positions between two tricks.

A slot belongs to a shape and its leader, and has a list of entries. An entry has the leading parts of the four patterns
that its bounds depend on, and bounds of the tricks that north and south still win. So an entry answers for every
position with the same top cards.

The table forgets everything when a search begins, by counting its generation up, and when its entries are used up.
"""

from __future__ import annotations

from foogo.cards.bridge.kernels.layout import (
    GENERATION,
    PATTERN_BITS,
    RESETS,
    SLOT_BITS,
    USED,
)
from foogo.core.jit import kernel

PROBES = 8
"""Slots that a shape may be in."""

FACTOR = -7046029254386353131
"""An odd number whose product mixes the bits: 2**64 divided by the golden ratio."""

ENTRY_WORDS = 3
LINK = (1 << 32) - 1
HINT_SHIFT, GENERATION_SHIFT = 32, 39
MOST_GENERATIONS = 1 << 24
TOPS_SHIFT, LOWER_SHIFT, UPPER_SHIFT = 32, 48, 52


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
def look_up(memory, slot, low, high, needed):
    """1 or 0 if an entry decides whether north and south win `needed` tricks, else -1; and its top cards."""
    entry = memory.slots[slot + 1] & LINK
    while entry:
        place = ENTRY_WORDS * entry
        about = memory.entries[place + 2]
        is_lower, is_upper = (about >> LOWER_SHIFT & 15) >= needed, (about >> UPPER_SHIFT & 15) < needed
        if is_lower or is_upper:
            tops = about >> TOPS_SHIFT & 0xFFFF
            if (memory.entries[place] ^ low) & mask_of(tops & 15, tops >> 4 & 15) == 0:
                if (memory.entries[place + 1] ^ high) & mask_of(tops >> 8 & 15, tops >> 12) == 0:
                    return (1 if is_lower else 0), tops
        entry = about & LINK
    return -1, 0


@kernel(inline=True)
def store(memory, key, low, high, about, hint):
    """Note bounds of the positions with these top cards, and the lead that decided (0 if none did).

    `about` has the number of top cards and the bounds.
    """
    tops = about >> TOPS_SHIFT & 0xFFFF
    slot, found = find_slot(memory, key)
    low &= mask_of(tops & 15, tops >> 4 & 15)
    high &= mask_of(tops >> 8 & 15, tops >> 12)
    head = memory.slots[slot + 1] & LINK if found else 0
    if found and hint == 0:
        hint = memory.slots[slot + 1] >> HINT_SHIFT & 127
    if ENTRY_WORDS * (memory.state[USED] + 1) > memory.entry_words:
        forget(memory)
        memory.state[RESETS] += 1
        slot, found = find_slot(memory, key)
        head = 0
    entry = memory.state[USED]
    memory.state[USED] += 1
    place = ENTRY_WORDS * entry
    memory.entries[place], memory.entries[place + 1] = low, high
    memory.entries[place + 2] = about | head
    memory.slots[slot] = key
    memory.slots[slot + 1] = memory.state[GENERATION] << GENERATION_SHIFT | hint << HINT_SHIFT | entry
