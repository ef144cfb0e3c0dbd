"""Cactus Kev's cards and his ranking of five cards.

A card is a 32-bit integer: ``prime | rank << 8 | suit << 12 | 1 << (16 + rank)``. The ranks 0 to 12 have the primes 2
to 41; clubs, diamonds, hearts, spades are 8, 4, 2, 1. A flush shows in the `and` of the suits. The `or` of the rank
bits finds flushes and hands of five different ranks in a table each. All other hands are found by the product of their
primes, with a perfect hash.

References
----------
Kevin L. Suffecool, "Cactus Kev's poker hand evaluator"; Paul D. Senzee, "Some perfect hash".
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import array_of
from foogo.cards.card import CARDS
from foogo.cards.poker.classes import Category, hand_classes
from foogo.errors import CardError

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)
"""The prime of each rank."""

_SUITS = 0xF000
_VALUES, _ADJUST = 8192, 512


@cache
def _deck() -> NDArray[np.int64]:
    suit, rank = np.divmod(np.arange(CARDS), 13)
    deck: NDArray[np.int64] = np.array(PRIMES)[rank] | rank << 8 | (8 >> suit) << 12 | 1 << (16 + rank)
    return deck


def to_cactus(cards: ArrayLike) -> NDArray[np.int32]:
    """Cards as Cactus integers.

    Parameters
    ----------
    cards
        Cards 0 to 51, any shape.

    Returns
    -------
    array
        The same shape, int32.

    Raises
    ------
    CardError
        If a number is not a card.

    Examples
    --------
    >>> to_cactus([0, 51])
    array([    98306, 268442665], dtype=int32)
    """
    numbers = _numbers(cards)
    if numbers.dtype.kind not in "iu" or (numbers.size and not (numbers.min() >= 0 and numbers.max() < CARDS)):
        raise CardError("cards are whole numbers from 0 (2c) to 51 (As)")
    integers: NDArray[np.int32] = _deck()[numbers].astype(np.int32)
    return integers


def from_cactus(cactus: ArrayLike) -> NDArray[np.uint8]:
    """Cactus integers as cards 0 to 51.

    Raises
    ------
    CardError
        If a number is not the Cactus integer of a card.

    Examples
    --------
    >>> from_cactus([98306, 268442665])
    array([ 0, 51], dtype=uint8)
    """
    numbers = _numbers(cactus)
    if numbers.dtype.kind not in "biuf":
        raise CardError("Cactus integers are whole numbers, such as 98306 (2c): to_cactus makes them of cards")
    order = np.argsort(_deck())
    ascending = _deck()[order]
    found = np.minimum(np.searchsorted(ascending, numbers), CARDS - 1)
    wrong = ascending[found] != numbers
    if wrong.any():
        strange = numbers[wrong & ((numbers < 0) | (numbers >= CARDS))]
        if strange.size:
            raise CardError(f"{strange.flat[0]} is neither a card (0 to 51) nor the Cactus integer of a card")
        raise CardError(f"{numbers[wrong].flat[0]} is not the Cactus integer of a card, such as {ascending[0]}")
    return order[found].astype(np.uint8)


def _numbers(cards: ArrayLike) -> NDArray[Any]:
    return array_of(cards, CardError, "the rows of an array of cards need the same length")


class CactusTables(NamedTuple):
    """The tables of the text, generated."""

    flushes: NDArray[np.int16]
    """The rank of a flush by its rank bits; 0 elsewhere."""
    unique: NDArray[np.int16]
    """The rank of five different ranks by their bits; 0 elsewhere."""
    values: NDArray[np.int16]
    """The rank of all other hands by the perfect hash of their product; 0 where no hand leads."""
    adjust: NDArray[np.uint32]
    """The numbers that make the hash perfect."""


@cache
def cactus_tables() -> CactusTables:
    """The tables behind `cactus_rank`, fitted on first use in 0.3 s."""
    flushes, unique = np.zeros(0x1F01, np.int16), np.zeros(0x1F01, np.int16)
    products, ranks = [], []
    for number, one in enumerate(hand_classes(), 1):
        bits = sum(1 << rank for rank in set(one.ranks))
        if one.category in (Category.STRAIGHT_FLUSH, Category.FLUSH):
            flushes[bits] = number
        elif one.category in (Category.STRAIGHT, Category.HIGH_CARD):
            unique[bits] = number
        else:
            products.append(prod(PRIMES[rank] for rank in one.ranks))
            ranks.append(number)
    place, bucket = _scatter(np.array(products, np.uint32))
    adjust = _fit(place, bucket)
    values = np.zeros(_VALUES, np.int16)
    values[place ^ adjust[bucket]] = ranks
    return CactusTables(flushes, unique, values, adjust)


def _scatter(products: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """A 13-bit place of each product, and the 9-bit index of the number that adjusts it; 32-bit arithmetic."""
    mixed = products + np.uint32(0xE91AAA35)
    mixed ^= mixed >> np.uint32(16)
    mixed += mixed << np.uint32(8)
    mixed ^= mixed >> np.uint32(4)
    return (mixed + (mixed << np.uint32(2))) >> np.uint32(19), (mixed >> np.uint32(8)) & np.uint32(0x1FF)


def _fit(place: NDArray[np.uint32], bucket: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """For each bucket, the first number that moves its places to free ones; the largest buckets choose first."""
    free, adjust = np.ones(_VALUES, np.bool_), np.zeros(_ADJUST, np.uint32)
    numbers = np.arange(_VALUES, dtype=np.uint32)
    for chosen in np.argsort(-np.bincount(bucket, minlength=_ADJUST), kind="stable"):
        moved = place[bucket == chosen][:, None] ^ numbers
        adjust[chosen] = free[moved].all(axis=0).argmax()
        free[moved[:, adjust[chosen]]] = False
    return adjust


def cactus_rank(hands: ArrayLike) -> NDArray[np.int16]:
    """The ranks of five-card hands, computed as Cactus Kev does.

    `rank` gives the same numbers, faster, and checks the hands.

    Parameters
    ----------
    hands
        Cactus integers of distinct cards, shape (..., 5). They are not checked.

    Returns
    -------
    array
        Shape (...), int16: 1 to 7462.

    Examples
    --------
    >>> from foogo.cards.card import parse_cards
    >>> int(cactus_rank(to_cactus(parse_cards("9c Tc 6c 9d 5d"))))
    4601
    """
    numbers, tables = np.asarray(hands).astype(np.uint32), cactus_tables()
    bits = np.bitwise_or.reduce(numbers, axis=-1) >> np.uint32(16)
    is_flush = np.bitwise_and.reduce(numbers, axis=-1) & np.uint32(_SUITS) != 0
    place, bucket = _scatter(np.atleast_1d(np.multiply.reduce(numbers & np.uint32(0xFF), axis=-1, dtype=np.uint32)))
    paired = tables.values[place ^ tables.adjust[bucket]].reshape(bits.shape)
    unsuited = np.where(tables.unique[bits] > 0, tables.unique[bits], paired)
    ranks: NDArray[np.int16] = np.where(is_flush, tables.flushes[bits], unsuited)
    return ranks
