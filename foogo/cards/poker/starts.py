"""The starts from which a kernel deals all that is still unknown, each kind of start once."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.cards.card import CARDS, FULL_DECK, cards_in, mask_of
from foogo.cards.poker.kernels.showdowns import Situation

Masks = NDArray[np.uint64]

MOST_STARTS = 2**18
"""The most starts that are listed unless all deals are demanded: a fraction of a second."""

SUIT_ORDERS = tuple(permutations(range(4)))


class Starts(NamedTuple):
    """Holdings of all players at once, and what is dealt to each of them."""

    hands: Masks
    """Shape (starts, players), masks, the board included."""
    weights: NDArray[np.int64]
    """How many deals of holdings each start stands for: they differ only in the names of the suits."""
    receives: NDArray[np.uint64]
    """1 for the players who get the missing cards, else 0."""
    missing: int


def count_starts(situation: Situation) -> int:
    """An upper bound of the starts, before any are listed."""
    sizes = np.diff(situation.first).tolist()
    draws = sorted(situation.draws.tolist())[:-1]
    return int(prod(sizes) * prod(comb(_unknown(situation), draw) for draw in draws))


def count_deals(situation: Situation) -> int:
    """The number of deals that follow each start: the combinations of the cards that are dealt last."""
    last = situation.missing or int(situation.draws.max())
    held = sum(int(situation.holdings[first]).bit_count() for first in situation.first[:-1])
    drawn = int(situation.draws.sum()) - int(situation.draws.max())
    return comb(CARDS - int(situation.board | situation.dead).bit_count() - held - drawn, last)


def starts_of(situation: Situation) -> Starts:
    """All starts. In draw, the player who draws most receives cards in the kernel, and the starts have all other draws.

    Suits have no order in poker. So starts that differ by an exchange of suits, which leaves the board and the dead
    cards as they are, have equal results: one of them is kept, with their number as its weight.
    """
    holdings = np.split(situation.holdings, situation.first[1:-1])
    receiver = int(situation.draws.argmax())
    deck = FULL_DECK & ~int(situation.dead | np.bitwise_or.reduce([masks[0] for masks in holdings]))
    for player, draw in enumerate(situation.draws.tolist()):
        if draw and player != receiver:
            drawn = [mask_of(cards) for cards in combinations(cards_in(deck), draw)]
            holdings[player] = holdings[player] | np.array(drawn, np.uint64)
    hands, weights = _up_to_suits(_joint(holdings), situation)
    everybody = np.full(len(holdings), situation.missing > 0)
    receives = everybody | (np.arange(len(holdings)) == receiver) & (situation.draws > 0)
    missing = situation.missing or int(situation.draws[receiver])
    return Starts(hands | situation.board, weights, receives.astype(np.uint64), missing)


def _unknown(situation: Situation) -> int:
    """The cards that a player may draw."""
    held = sum(int(situation.holdings[first]).bit_count() for first in situation.first[:-1])
    return CARDS - int(situation.dead).bit_count() - held


def _joint(holdings: list[Masks]) -> Masks:
    """All choices of a holding for each player without a common card, shape (n, players)."""
    chosen, used = np.zeros((1, 0), np.uint64), np.zeros(1, np.uint64)
    for masks in holdings:
        row, column = np.nonzero(used[:, None] & masks == 0)
        chosen = np.column_stack((chosen[row], masks[column]))
        used = used[row] | masks[column]
    return chosen


def _up_to_suits(hands: Masks, situation: Situation) -> tuple[Masks, NDArray[np.int64]]:
    """The first of each class of rows under exchanges of suits, and the sizes of the classes."""
    fixed = np.array([situation.board, situation.dead])
    first = hands
    for order in SUIT_ORDERS:
        if (_exchange(fixed, order) == fixed).all():
            other = _exchange(hands, order)
            where = np.arange(len(hands)), (other != first).argmax(axis=1)
            first = np.where((other[where] < first[where])[:, None], other, first)
    unique, counts = np.unique(first, axis=0, return_counts=True)
    return unique, counts


def _exchange(masks: Masks, order: tuple[int, ...]) -> Masks:
    """The masks with suit `s` renamed to ``order[s]``."""
    suits = [
        (masks >> np.uint64(13 * suit) & np.uint64(0x1FFF)) << np.uint64(13 * new) for suit, new in enumerate(order)
    ]
    exchanged: Masks = suits[0] | suits[1] | suits[2] | suits[3]
    return exchanged
