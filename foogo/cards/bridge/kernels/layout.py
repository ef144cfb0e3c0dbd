"""How the search lays out cards, hands and its memory.

A set of cards has a lane of 16 bits per suit: bit ``16 * suit + rank``. The ranks of a suit are renumbered for each
deal: 0 is its lowest card that is left. Bit 63 is never set, so sets are signed integers, and Numba needs no casts.

A *shape* has the 16 suit lengths in nibbles: that of `hand` and `suit` is nibble ``4 * hand + suit``.

A *pattern* tells who holds the cards of one suit, from its highest card on: two bits per card, the first of them in
bits 25 and 24. The shape and the first parts of the patterns decide most positions: small cards are all alike.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import highest, lowest, nth_set, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, longs, numbers

SEATS, SUITS, RANKS = 4, 4, 13
NOTRUMP = 4
LANE = (1 << RANKS) - 1
PATTERN_BITS = 2 * RANKS
PATTERN = (1 << PATTERN_BITS) - 1

MOST_MOVES = 16
"""Room for the cards of one hand."""

QUICK, LATER, RANKED, EQUALS, ORDER, SMALL, TABLE, SINGLE = (1 << bit for bit in range(8))
"""Techniques of the search: quick tricks, later tricks, only winning ranks in the table, equal cards, the order of
moves, small cards, the table, single suits (part of quick tricks)."""

ALL = 255
"""All techniques."""


class Memory(NamedTuple):
    """What one thread needs; level t is a position after t tricks, and node ``4 * t + i`` has i cards on the table."""

    slots: NDArray[np.int64]
    """The table's shapes: two words each."""
    entries: NDArray[np.int64]
    """The table's bounds, in blocks."""
    state: NDArray[np.int64]
    """See `GENERATION` and the other names below."""
    patterns: NDArray[np.int32]
    """The pattern of every set of cards of every suit: index ``8192 * suit + set``."""
    hands: NDArray[np.int64]
    """Hands by level: index ``4 * level + seat``."""
    levels: NDArray[np.int64]
    """Per level, the columns `CARDS`, `SHAPE`, `LEADER`, `NEEDED`, `LOW_PATTERN`, `HIGH_PATTERN`,
    `HINT`."""
    nodes: NDArray[np.int64]
    """Per node, the columns `COUNT`, `NEXT`, `WINNERS`, `SKIPPED`, `PLAYED`, `EQUAL`, `BEST`,
    `BY_RANK`."""
    moves: NDArray[np.int64]
    """Per node, its moves in order."""
    single_suits: NDArray[np.uint16]
    """Tricks in one suit: see `bounds._single_suit`."""


class Work(NamedTuple):
    """Pointers to the arrays of a `Memory`, for kernels, and two sizes.

    With the arrays themselves, most of the time goes to counting references to them.
    """

    slots: Any
    slot_words: int
    entries: Any
    entry_words: int
    state: Any
    patterns: Any
    hands: Any
    levels: Any
    nodes: Any
    moves: Any
    single_suits: Any


@kernel(inline=True)
def open_memory(memory):
    """The `Work` of a `Memory`."""
    return Work(
        longs(memory.slots), memory.slots.shape[0], longs(memory.entries), memory.entries.shape[0],
        longs(memory.state), numbers(memory.patterns), longs(memory.hands), longs(memory.levels), longs(memory.nodes),
        longs(memory.moves), halfwords(memory.single_suits),
    )  # fmt: skip


GENERATION, USED, SLOT_BITS, NODES, TRICK_NODES, RESETS = range(6)
"""Words of `Memory.state`: the table's generation, blocks in use, the logarithm of the slots in use, and counters."""

STATE_WORDS = 6

CARDS, SHAPE, LEADER, NEEDED, LOW_PATTERN, HIGH_PATTERN, HINT = range(7)
LEVEL_WORDS = 8

COUNT, NEXT, WINNERS, SKIPPED, PLAYED, EQUAL, BEST, BY_RANK = range(8)
NODE_WORDS = 8


@kernel(inline=True)
def count(cards):
    """The number of cards of a set."""
    return population(np.uint64(cards))


@kernel(inline=True)
def top(cards):
    """The highest bit of a set that is not empty, as its index."""
    return highest(np.uint64(cards))


@kernel(inline=True)
def bottom(cards):
    """The lowest bit of a set that is not empty, as its index."""
    return lowest(np.uint64(cards))


@kernel(inline=True)
def suit_of(cards, suit):
    """The ranks that a set has in a suit."""
    return cards >> 16 * suit & LANE


@kernel(inline=True)
def length(shape, seat, suit):
    """The number of cards of a seat in a suit."""
    return shape >> 16 * seat + 4 * suit & 15


@kernel(inline=True)
def tops_of(cards, winners):
    """How many of the highest cards of each suit reach down to the lowest winner: a nibble per suit."""
    tops = 0
    for suit in range(SUITS):
        ranks = suit_of(winners, suit)
        if ranks:
            tops |= count(suit_of(cards, suit) & -(ranks & -ranks)) << 4 * suit
    return tops


@kernel(inline=True)
def winners_of(cards, tops):
    """The lowest of the highest cards that `tops` (a nibble per suit) counts."""
    winners = 0
    for suit in range(SUITS):
        wanted = tops >> 4 * suit & 15
        if wanted:
            ranks = suit_of(cards, suit)
            winners |= 1 << 16 * suit + nth_set(np.uint64(ranks), count(ranks) - wanted)
    return winners


@kernel(inline=True)
def pattern_of(memory, cards, suit):
    """The pattern of the cards of a set in a suit."""
    return np.int64(memory.patterns[8192 * suit + suit_of(cards, suit)])
