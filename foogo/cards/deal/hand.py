"""Hands as lists of cards, and the hand that a Python function receives: a mask with the values of a hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.cards.card import parse_card
from foogo.cards.deal.evaluators import controls, hcp, losers, quick_tricks, suits_of
from foogo.cards.deal.pbn import format_hand, masks_of
from foogo.errors import DealError


class Hand(int):
    """The mask of a hand, with its values.

    Examples
    --------
    >>> from foogo.cards.deal import parse_hand
    >>> hand = Hand(parse_hand("AK2.QJ3.K432.Q32"))
    >>> hand.hcp, hand.controls, hand.losers, hand.quick_tricks
    (15, 4, 7, 2.5)
    >>> hand.shape, hand.length("HS"), hand.has("Kd"), str(hand)
    ((3, 3, 4, 3), 6, True, 'AK2.QJ3.K432.Q32')
    """

    @property
    def hcp(self) -> int:
        """High-card points."""
        value: int = hcp.of(self)
        return value

    @property
    def controls(self) -> int:
        """2 for an ace, 1 for a king."""
        value: int = controls.of(self)
        return value

    @property
    def losers(self) -> int:
        """Losing tricks."""
        value: int = losers.of(self)
        return value

    @property
    def quick_tricks(self) -> float:
        """Quick tricks."""
        value: float = quick_tricks.of(self)
        return value

    @property
    def shape(self) -> tuple[int, int, int, int]:
        """The numbers of spades, hearts, diamonds and clubs."""
        return self.length("S"), self.length("H"), self.length("D"), self.length("C")

    def length(self, suits: str) -> int:
        """The number of cards in some suits, such as "S" or "HS"."""
        chosen = suits_of(suits)
        return sum((self >> 13 * suit & 0x1FFF).bit_count() for suit in range(4) if chosen >> suit & 1)

    def has(self, card: str) -> bool:
        """Whether a card, such as "As", is in the hand."""
        return bool(self >> parse_card(card) & 1)

    def __str__(self) -> str:
        return format_hand(self)

    def __repr__(self) -> str:
        return f"Hand({format_hand(self)})"


def cards_of(hands: ArrayLike) -> NDArray[np.uint8]:
    """The cards of hands in ascending order.

    Parameters
    ----------
    hands
        Masks of 13 cards, of any shape.

    Returns
    -------
    array
        Shape (..., 13): numbers ``13 * suit + rank``.

    Raises
    ------
    DealError
        If a number is not a mask, or a hand does not have 13 cards.

    Examples
    --------
    >>> cards_of([0x1FFF, 0x1FFF << 13])[:, :3].tolist()
    [[0, 1, 2], [13, 14, 15]]
    """
    masks = masks_of(hands)
    held = (masks[..., np.newaxis] >> np.arange(52, dtype=np.uint64) & np.uint64(1)).astype(np.bool_)
    if (held.sum(axis=-1) != 13).any():
        raise DealError("a hand has 13 cards: these have another number")
    return np.nonzero(held)[-1].astype(np.uint8).reshape(*masks.shape, 13)
