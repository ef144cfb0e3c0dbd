"""The tables behind `rank`, generated from the classes of five-card hands on first use."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from foogo.cards.card import CARDS
from foogo.cards.poker.classes import CLASSES, Category, hand_classes
from foogo.cards.poker.kernels.ranks import HIGH_SHIFT, SUIT_SHIFT, RankTables

_LOW_RANKS = 7
_DIGITS = 5 ** np.concatenate([np.arange(_LOW_RANKS), np.arange(13 - _LOW_RANKS)])
"""What a card of each rank adds to its field."""

_SUITED = (Category.STRAIGHT_FLUSH, Category.FLUSH)


@cache
def rank_tables(size: int) -> RankTables:
    """The tables for hands of `size` cards, 5 to 7; 0.1 s on first use."""
    vectors, begin, place = _two_steps(size)
    ranks = np.full(len(vectors), CLASSES, np.uint16)
    where = begin[_low(vectors)] + place[_high(vectors)]
    if size == 5:
        ranks[where] = _unsuited_ranks(vectors)
    else:
        smaller = rank_tables(size - 1)
        for rank in range(13):  # the best of the hands with one card less
            has = vectors[:, rank] > 0
            less = vectors[has] - np.eye(13, dtype=np.int64)[rank]
            found = smaller.ranks[smaller.begin[_low(less)].astype(np.int64) + smaller.place[_high(less)]]
            ranks[where[has]] = np.minimum(ranks[where[has]], found)
    return RankTables(_keys(), begin.astype(np.uint16), place.astype(np.uint16), ranks, _flush_ranks())


def _low(vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    fields: NDArray[np.int64] = vectors[:, :_LOW_RANKS] @ _DIGITS[:_LOW_RANKS]
    return fields


def _high(vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    fields: NDArray[np.int64] = vectors[:, _LOW_RANKS:] @ _DIGITS[_LOW_RANKS:]
    return fields


def _two_steps(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """All multisets of `size` ranks as counts, shape (n, 13), and the two tables that number them without gaps."""
    combinations = np.array(list(combinations_with_replacement(range(13), size)))
    vectors = np.zeros((len(combinations), 13), np.int64)
    np.add.at(vectors, (np.arange(len(combinations))[:, None], combinations), 1)
    vectors = vectors[vectors.max(axis=1) <= 4]
    highs, first = np.unique(_high(vectors), return_index=True)
    cards = vectors[first, _LOW_RANKS:].sum(axis=1)
    place, blocks = np.zeros(5 ** (13 - _LOW_RANKS), np.int64), np.zeros(size + 1, np.int64)
    for high_cards in range(size + 1):
        block = highs[cards == high_cards]
        place[block], blocks[high_cards] = np.arange(len(block)), len(block)
    lows, first = np.unique(_low(vectors), return_index=True)
    lengths = blocks[size - vectors[first, :_LOW_RANKS].sum(axis=1)]
    begin = np.zeros(5**_LOW_RANKS, np.int64)
    begin[lows] = np.cumsum(lengths) - lengths
    return vectors, begin, place


def _unsuited_ranks(vectors: NDArray[np.int64]) -> NDArray[np.int64]:
    by_ranks = {
        tuple(sorted(one.ranks)): number
        for number, one in enumerate(hand_classes(), 1)
        if one.category not in _SUITED
    }  # fmt: skip
    return np.array([by_ranks[tuple(np.repeat(np.arange(13), vector).tolist())] for vector in vectors])


@cache
def _flush_ranks() -> NDArray[np.uint16]:
    """The best straight flush or flush of a mask of ranks; 0 where fewer than five or more than seven are set."""
    ranks, masks = np.zeros(2**13, np.uint16), np.arange(2**13)
    bits = (masks[:, None] >> np.arange(13)) & 1
    for number, one in enumerate(hand_classes(), 1):
        if one.category in _SUITED:
            ranks[sum(1 << rank for rank in one.ranks)] = number
    for size in (6, 7):
        larger = masks[bits.sum(axis=1) == size]
        less = np.where(bits[larger], larger[:, None] & ~(1 << np.arange(13)), -1)
        ranks[larger] = np.where(less < 0, CLASSES, ranks[less]).min(axis=1)
    return ranks


@cache
def _keys() -> NDArray[np.uint64]:
    suit, rank = np.divmod(np.arange(CARDS), 13)
    fields = np.where(rank < _LOW_RANKS, 0, HIGH_SHIFT)
    keys = np.zeros(64, np.uint64)
    keys[:CARDS] = (_DIGITS[rank] << fields) + (1 << (SUIT_SHIFT + 4 * suit))
    return keys
