"""The rank of a hand from two numbers that are sums over its cards, and the batch form over arrays.

The key of a card has three fields, and the key of a hand is the sum of those of its cards.

    bits 0 to 16: how often each rank from deuce to eight occurs, in base 5
    bits 17 to 30: how often each rank from nine to ace occurs, in base 5
    bits 32 to 47: the cards of each suit, four bits a suit

The two rank fields name the multiset of ranks. It would take 5**13 entries to look up its rank at once, so this
takes two steps: the first field gives where a block begins, the second the place in the block. All multisets with the
same number of low cards have the same blocks, and the table of ranks has no gaps. No rank occurs five times, so no
digit carries into the next.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words

HIGH_SHIFT, SUIT_SHIFT = 17, 32
LOW_FIELD = np.uint64((1 << HIGH_SHIFT) - 1)
HIGH_FIELD = np.uint64((1 << 14) - 1)

START = np.uint64(0x3333 << SUIT_SHIFT)
"""The key of a hand without cards: three in each suit, so that the fifth card of a suit sets the field's top bit."""

FLUSH_BITS = np.uint64(0x8888 << SUIT_SHIFT)


class RankTables(NamedTuple):
    """The tables for hands of one size: arrays, and pointers to them in a kernel."""

    keys: np.ndarray
    """The key of each card, uint64[64]; 0 from 52 on."""
    begin: np.ndarray
    """Where the block of each low field begins in `ranks`, uint16[5**7]."""
    place: np.ndarray
    """The place of each high field in its block, uint16[5**6]."""
    ranks: np.ndarray
    """The rank of each multiset of ranks without a flush, uint16."""
    flushes: np.ndarray
    """The rank of five or more ranks of one suit, given as a mask, uint16[2**13]."""


@kernel(inline=True)
def pointers_to(tables):
    """The same tables as pointers: with arrays, Numba counts references in every `rank_of`, at thrice the time."""
    return RankTables(
        words(tables.keys),
        halfwords(tables.begin),
        halfwords(tables.place),
        halfwords(tables.ranks),
        halfwords(tables.flushes),
    )


@kernel(inline=True)
def rank_of(pointers, key, mask):
    """The rank of a hand by its key and its mask of cards.

    A hand of up to seven cards with five of a suit holds no four of a kind or full house: those need three cards
    outside the suit. So a flush decides alone.
    """
    flush = key & FLUSH_BITS
    if flush != 0:
        suit = np.uint64((lowest(flush) - SUIT_SHIFT) >> 2)
        return pointers.flushes[(mask >> (np.uint64(13) * suit)) & np.uint64(0x1FFF)]
    begin = pointers.begin[key & LOW_FIELD]
    place = pointers.place[(key >> np.uint64(HIGH_SHIFT)) & HIGH_FIELD]
    return pointers.ranks[np.uint64(begin) + np.uint64(place)]


@kernel
def rank_hands(tables, hands, ranks):
    """Write the rank of each row of `hands` (five to seven cards) into `ranks`, and return the number of rows.

    It stops at the first row that holds a number above 51 or a card twice, and returns the index of that row.
    """
    count, size = hands.shape
    pointers = pointers_to(tables)
    for row in range(count):
        key, mask, all_bits = START, np.uint64(0), np.uint64(0)
        for column in range(5):
            key, mask, all_bits = _add(pointers, np.uint64(hands[row, column]), key, mask, all_bits)
        if size > 5:
            key, mask, all_bits = _add(pointers, np.uint64(hands[row, 5]), key, mask, all_bits)
        if size > 6:
            key, mask, all_bits = _add(pointers, np.uint64(hands[row, 6]), key, mask, all_bits)
        if (all_bits >> np.uint64(6)) | (mask >> np.uint64(52)) != 0 or population(mask) != size:
            return row
        ranks[row] = rank_of(pointers, key, mask)
    return count


@kernel(inline=True)
def _add(pointers, card, key, mask, all_bits):
    bit = card & np.uint64(63)
    return key + pointers.keys[bit], mask | (np.uint64(1) << bit), all_bits | card
