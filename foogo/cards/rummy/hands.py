"""Hands of cards: a 4 x 13 grid of counts, and jokers.

A grid has a row per suit (clubs, diamonds, hearts, spades) and a column per rank (deuce to ace). So
``grid.reshape(52)`` has the count of each card, by the numbers of `foogo.cards.card`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import are_texts, array_of, whole
from foogo.cards.card import CARDS, format_card, parse_cards
from foogo.cards.rummy.kernels.deadwood import MOST_JOKERS, SUITS
from foogo.cards.rummy.kernels.runs import RANKS
from foogo.errors import CardError

JOKER = CARDS
"""The number of a joker, in melds and in lists of cards."""

MOST_CARDS = 255
"""The most cards of a hand in a grid, so that every count is a uint8."""

Grid: TypeAlias = NDArray[np.uint8]
_JOKER = re.compile(r"jk|joker", re.IGNORECASE)


class Hand(NamedTuple):
    """One hand."""

    grid: Grid
    """Counts, shape (4, 13)."""
    jokers: int

    @property
    def cards(self) -> list[int]:
        """All cards in ascending order, jokers last."""
        return [card for card, n in enumerate(self.counts) for _ in range(n)]

    @property
    def counts(self) -> list[int]:
        """The counts of the 52 cards and of jokers."""
        return [*self.grid.reshape(CARDS).tolist(), self.jokers]


def grid(hands: str | ArrayLike) -> Grid:
    """The counts of the cards of one or many hands, without jokers.

    Parameters
    ----------
    hands
        Text such as ``"2H 3H 11C"``, or cards as numbers from 0 to 51, shape (..., cards of a hand).

    Returns
    -------
    array
        Shape (..., 4, 13), uint8.

    Raises
    ------
    CardError
        If something is not a card, a hand has more than 255 cards, or hands have different numbers of cards.

    Examples
    --------
    >>> grid("2C 2C AC")[0].tolist()
    [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    >>> grid([[0, 1, 2], [13, 14, 15]]).shape
    (2, 4, 13)
    """
    cards = array_of_hands(parse_cards(hands, copies=MOST_CARDS) if isinstance(hands, str) else hands)
    if cards.dtype.kind == "S" or are_texts(cards):
        if any(len(str(one).split()) > 1 for one in cards.flat):
            raise CardError("the hands are texts: give np.stack([grid(text) for text in hands])")
        raise CardError(f"the cards are a list of texts: write them in one, {' '.join(cards.flat)[:80]!r}")
    if cards.size and (cards.dtype.kind not in "iu" or cards.min() < 0 or cards.max() >= CARDS):
        raise CardError("a number is not a card: cards are whole numbers from 0 (2c) to 51 (As)")
    if cards.ndim == 0:
        raise CardError("one card is not a hand: give a list of cards")
    if cards.shape[-1] > MOST_CARDS:
        raise CardError(f"a hand has {cards.shape[-1]} cards: at most {MOST_CARDS} are possible")
    columns = cards.reshape(math.prod(cards.shape[:-1]), cards.shape[-1]).T.astype(np.intp)
    counts = np.zeros((columns.shape[1], CARDS), np.uint8)
    for column in columns:
        counts[np.arange(len(counts)), column] += 1
    return counts.reshape(*cards.shape[:-1], SUITS, RANKS)


def hand_of(hand: str | Sequence[int] | ArrayLike, decks: SupportsIndex, jokers: SupportsIndex) -> Hand:
    """One hand from text, a list of cards or a grid.

    Raises
    ------
    CardError
        If the text is not a hand, if the hand is empty, or if it has a card more often than the decks.
    ArgumentError
        If there are too many jokers.
    """
    jokers = whole("jokers", jokers, 0, MOST_JOKERS)
    if isinstance(hand, str):
        text, found = _JOKER.subn(" ", hand)
        counts, jokers = grid(text), whole("jokers", jokers + found, 0, MOST_JOKERS)
    else:
        given = array_of_hands(hand)
        if given.ndim > 2:
            raise CardError(f"an array of shape {given.shape} is not one hand: one hand has the shape (4, 13)")
        cards = given.reshape(-1).astype(np.int64) if given.size == 0 else given
        if cards.ndim == 1 and cards.dtype.kind in "iu":
            jokers = whole("jokers", jokers + int((cards == JOKER).sum()), 0, MOST_JOKERS)
            cards = cards[cards != JOKER]
        counts = grid(cards) if cards.ndim == 1 else check_grids(cards)
    check_counts(counts, decks, jokers)
    return Hand(counts, jokers)


def array_of_hands(hands: ArrayLike) -> NDArray[Any]:
    """`hands` as an array.

    Raises
    ------
    CardError
        If they are lists of different lengths.
    """
    return array_of(hands, CardError, "all hands of an array need the same number of cards")


def check_grids(grids: NDArray[np.generic]) -> Grid:
    """`grids` as uint8, if they are counts in the shape (..., 4, 13).

    Raises
    ------
    CardError
        Otherwise.
    """
    if grids.ndim < 2 or grids.shape[-2:] != (SUITS, RANKS) or grids.dtype.kind not in "biu":
        raise CardError(
            f"an array of shape {grids.shape} and type {grids.dtype} is not a hand: "
            "hands are counts of shape (..., 4, 13); grid() makes them from cards"
        )
    if grids.dtype != np.uint8 and grids.size and (grids.min() < 0 or grids.max() > 2):
        raise CardError("a count is not 0, 1 or 2")
    return np.ascontiguousarray(grids, np.uint8)


def check_counts(counts: Grid, decks: SupportsIndex, jokers: int) -> None:
    """Check that one hand is not empty and has no card more often than the decks.

    Raises
    ------
    CardError
        Otherwise.
    """
    whole("decks", decks, 1, 2)
    if not counts.any() and not jokers:
        raise CardError("the hand is empty: give at least one card")
    card = int(counts.argmax())
    if counts.flat[card] > decks:
        held = f"{'1 deck holds it once, ' if decks == 1 else ''}2 decks hold it twice"
        raise CardError(f"{name_of(card)} occurs {counts.flat[card]} times in the hand: {held}")


def name_of(card: int) -> str:
    """The text of a card or a joker.

    Examples
    --------
    >>> name_of(0), name_of(JOKER)
    ('2c', 'JK')
    """
    return "JK" if card == JOKER else format_card(card)
