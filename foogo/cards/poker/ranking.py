"""Ranks of hands of five to seven cards: numbers, Cactus integers or text, one hand or arrays of them."""

from __future__ import annotations

from itertools import combinations
from typing import Any, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import are_texts, enough_memory, whole
from foogo.cards.card import CARDS, format_card, format_cards, parse_cards
from foogo.cards.poker.cactus import from_cactus
from foogo.cards.poker.kernels.decks import shuffle
from foogo.cards.poker.kernels.ranks import rank_hands
from foogo.cards.poker.tables import rank_tables
from foogo.errors import CardError

Hands = ArrayLike
"""A hand as text, or cards with the cards of a hand on the last axis, or an array of texts."""

SIZES = (5, 6, 7)
"""The cards that a hand may have."""


@overload
def rank(hands: str) -> int: ...
@overload
def rank(hands: ArrayLike) -> Any: ...
def rank(hands: Hands) -> Any:
    """The rank of a hand of five to seven cards, or of each hand of an array: that of its best five cards.

    Parameters
    ----------
    hands
        Text such as ``"9c Tc 6c 9d 5d"``, or integers of shape (..., 5), (..., 6) or (..., 7): cards 0 to 51 or Cactus
        integers. An array may also hold texts: of whole hands, shape (...), or of single cards, shape (..., 5).

    Returns
    -------
    int or array
        1 (royal flush) to 7462 (seven high); for several hands int16, shape (...).

    Raises
    ------
    CardError
        If a hand does not have five to seven cards, a card occurs twice, or a number or text is not a card.

    Examples
    --------
    >>> rank("9c Tc 6c 9d 5d")
    4601
    >>> rank([[7, 8, 4, 20, 16], [8, 9, 10, 11, 12]])
    array([4601,    1], dtype=int16)
    >>> rank(["2c 3c 4c 5c 7d Kh As", "2c 3c 4c 5c 6c Kh As"])
    array([1609,    9], dtype=int16)
    """
    cards = cards_of(hands)
    flat = np.ascontiguousarray(cards).reshape(-1, cards.shape[-1])
    ranks = np.empty(len(flat), np.int16)
    row = rank_hands(rank_tables(flat.shape[1]), flat, ranks)
    if row < len(flat):
        if (flat[row] < CARDS).all() and (flat[row] >= 0).all():
            raise _twice(flat[row])
        return rank(from_cactus(cards))
    return ranks.reshape(cards.shape[:-1]) if cards.ndim > 1 else int(ranks[0])


def cards_of(hands: Hands) -> NDArray[Any]:
    """The hands as integers, shape (..., cards of a hand), uint8 or int64.

    Raises
    ------
    CardError
        If they do not have five to seven cards each, or if a text is not a hand.
    """
    try:
        array = np.asarray(hands)
    except ValueError:
        raise CardError("all hands of an array need the same number of cards") from None
    if are_texts(array):
        parsed = [parse_cards(text) for text in array.ravel().tolist()]
        sizes = {len(cards) for cards in parsed} or {SIZES[0]}
        if len(sizes) > 1:
            raise CardError(f"all hands of an array need the same number of cards, not {sorted(sizes)}")
        numbers = np.array(parsed, np.uint8)
        array = numbers.reshape(array.shape if sizes == {1} else (*array.shape, *sizes))
    if not array.ndim or array.shape[-1] not in SIZES:
        size = array.shape[-1] if array.ndim else 1
        raise CardError(f"a hand has {size} card{'s' * (size != 1)}: 5, 6 or 7 are needed")
    if array.dtype.kind not in "iu":
        raise CardError(f"hands of {array.dtype} are neither whole numbers nor text")
    if array.dtype == np.uint64 and (array >= 2**63).any():
        from_cactus(array)  # raises an error; as int64, they would be other numbers
    return array if array.dtype == np.uint8 else array.astype(np.int64, copy=False)


def _twice(hand: NDArray[Any]) -> CardError:
    cards = hand.tolist()
    card = next(card for card in cards if cards.count(card) > 1)
    return CardError(f"{format_card(card)} occurs {cards.count(card)} times in {format_cards(cards)!r}")


@overload
def best_five(hands: str) -> str: ...
@overload
def best_five(hands: ArrayLike) -> Any: ...
def best_five(hands: Hands) -> Any:
    """The five cards of a hand that give it its rank, in the order of the hand; the first such five if there are more.

    Parameters
    ----------
    hands
        As in `rank`.

    Returns
    -------
    str or array
        Text for one text, else cards 0 to 51 (uint8), shape (..., 5).

    Raises
    ------
    CardError
        As in `rank`.

    Examples
    --------
    >>> best_five("2c 3c 4c 5c 7d Kh As")
    '2c 3c 4c 5c As'
    """
    cards = cards_of(hands)
    rank(cards)
    if cards.size and cards.max() >= CARDS:
        cards = from_cactus(cards)
    choices = np.array(list(combinations(range(cards.shape[-1]), 5)))
    best = rank(cards[..., choices]).argmin(axis=-1)
    found = np.take_along_axis(cards, choices[best], axis=-1).astype(np.uint8)
    return format_cards(found.tolist()) if isinstance(hands, str) else found


def shuffled_decks(
    n: SupportsIndex, *, cards: SupportsIndex = CARDS, seed: SupportsIndex = 0, first: SupportsIndex = 0
) -> NDArray[np.uint8]:
    """Decks in random order, or the first cards of each.

    A deck depends only on the seed and its number, so any part of a run can be drawn alone.

    Parameters
    ----------
    n
        The number of decks.
    cards
        The cards of each deck that are wanted, 0 to 52.
    seed
        0 to 2**64 - 1.
    first
        The number of the first deck.

    Returns
    -------
    array
        Shape (n, cards), uint8, cards 0 to 51.

    Raises
    ------
    ArgumentError
        If an argument is out of range, or the decks do not fit into memory.

    Examples
    --------
    >>> deals = shuffled_decks(3, cards=7, seed=1)
    >>> deals.shape, rank(deals).shape
    ((3, 7), (3,))
    >>> bool((deals[1:] == shuffled_decks(2, cards=7, seed=1, first=1)).all())
    True
    """
    count, size = whole("n", n, 0, 2**40), whole("cards", cards, 0, CARDS)
    with enough_memory("n", count):
        decks = np.empty((count, size), np.uint8)
    key, number = whole("seed", seed, 0, 2**64 - 1), whole("first", first, 0, 2**63)
    shuffle(np.uint64(key), np.uint64(number), decks)
    return decks
