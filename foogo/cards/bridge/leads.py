"""The best lead when the other hands are hidden: the average over random deals that satisfy constraints."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole
from foogo.cards.bridge.positions import strain_of
from foogo.cards.bridge.solving import Progress, solve_each_card
from foogo.cards.card import cards_in, format_card
from foogo.cards.deal.dealer import Dealer
from foogo.cards.deal.pbn import SEAT_NAMES, seat_of
from foogo.errors import ArgumentError, DealError
from foogo.stats.estimates import Z95, Estimate, wilson


@dataclass(frozen=True, eq=False)
class Lead:
    """A lead, and what it is worth if everybody then plays double dummy.

    Attributes
    ----------
    card
        The card led.
    tricks
        The mean of the tricks of the leader's side, with its 95 % interval.
    each
        The tricks in each deal, shape (n,); every lead of a call has the same deals.
    """

    card: int
    tricks: Estimate
    each: NDArray[np.int64] = field(repr=False)

    def at_least(self, goal: SupportsIndex) -> Estimate:
        """The share of deals in which the leader's side wins `goal` tricks or more.

        Raises ArgumentError unless `goal` is a whole number from 0 to 13.
        """
        return wilson(int((self.each >= whole("goal", goal, 0, 13)).sum()), len(self.each))

    def __str__(self) -> str:
        return f"{format_card(self.card)} {self.tricks.plus_minus()}"


def leads(
    dealer: Dealer,
    trump: str | SupportsIndex,
    leader: str | SupportsIndex,
    n: SupportsIndex = 100,
    *,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> list[Lead]:
    """The expected tricks of each lead, the best first.

    All hands are random except the leader's. Everybody sees all cards after the lead, so the numbers do not show the
    value of concealment.

    Parameters
    ----------
    dealer
        Random deals in which the leader's hand is always the same: see the parameter `predeal` of `Dealer`.
    trump, leader
        As in `solve`.
    n
        The number of deals, at least 2.
    threads
        Threads to use; all usable cores if None.
    progress
        Called from time to time with (deals done, n).

    Raises
    ------
    ArgumentError
        If an argument is out of range.
    DealError
        If the leader's hand differs between deals, or too few deals were found.

    References
    ----------
    M. L. Ginsberg, GIB: Imperfect Information in a Computationally Challenging Game, JAIR 14 (2001).

    Examples
    --------
    >>> dealer = Dealer(predeal={"west": "KQJT9.432.432.32"}, seed=1)
    >>> best = leads(dealer, "NT", "W", n=20)[0]
    >>> best.card in range(46, 51)  # a high spade
    True
    """
    strain, seat = strain_of(trump), seat_of(leader)
    if not isinstance(dealer, Dealer):
        raise ArgumentError(
            f"leads need a Dealer, which deals the hidden hands, not {type(dealer).__name__}: give "
            "Dealer(predeal={'west': 'K94.QJT8.753.J62'}), or use solve for a deal that is known"
        )
    deals = dealer.deals(whole("n", n, 2, 2**30), threads=threads)
    hand = int(deals[0, seat])
    if (deals[:, seat] != deals[0, seat]).any():
        raise DealError(f"the hand of {SEAT_NAMES[seat]}, who leads, differs between deals: predeal all its 13 cards")
    cards = list(cards_in(hand))
    found = solve_each_card(deals, strain, seat, cards, threads, progress)
    estimates = [Lead(card, _mean(column), column) for card, column in zip(cards, found.T, strict=True)]
    return sorted(estimates, key=lambda lead: -lead.tricks.value)


def _mean(values: NDArray[np.int64]) -> Estimate:
    """The mean with its normal interval."""
    mean, half = float(values.mean()), Z95 * float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(mean, mean - half, mean + half)
