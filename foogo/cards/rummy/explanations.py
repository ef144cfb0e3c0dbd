"""Why a hand is hard to meld: its islands, and the cards that have more uses than copies.

Jokers are ignored here.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.cards.card import CARDS
from foogo.cards.rummy.hands import Grid, hand_of, name_of
from foogo.cards.rummy.kernels.deadwood import SET, SUITS
from foogo.cards.rummy.kernels.runs import ACE, RANKS
from foogo.cards.rummy.rules import SHORTEST, check_ace, runs_of

FLAGS = ("run", "second run", "set", "second set")
"""The uses of a card, in the order of `flags`."""


class ControlPoint(NamedTuple):
    """A card with more uses than copies: the choice between them decides the melding.

    Examples
    --------
    >>> point = ControlPoint(29, 1, ("run", "set"))
    >>> print(point)
    5h once: run, set
    >>> point.placements
    [('run',), ('set',)]
    """

    card: int
    copies: int
    uses: tuple[str, ...]
    """Of `FLAGS`."""

    @property
    def placements(self) -> list[tuple[str, ...]]:
        """The ways to give each copy a different use."""
        return list(combinations(self.uses, self.copies))

    def __str__(self) -> str:
        return f"{name_of(self.card)} {('', 'once', 'twice')[self.copies]}: {', '.join(self.uses)}"


def islands(hand: str | ArrayLike, decks: SupportsIndex = 2, *, ace: str = "low") -> list[list[int]]:
    """The cards of a hand in groups that share no meld.

    Two cards are in one island if they have the same rank, or adjacent ranks in one suit.

    Parameters
    ----------
    hand, ace
        As in `best_melds`.
    decks
        1 or 2: how often a card may occur. It does not change the result.

    Returns
    -------
    list
        The cards of each island in ascending order; islands by their first card.

    Examples
    --------
    >>> from foogo.cards.card import format_cards
    >>> for island in islands("2H 3H 4H 9D 11C 11D"):
    ...     print(format_cards(island))
    Jc Jd
    9d
    2h 3h 4h
    """
    check_ace(ace)
    counts = hand_of(hand, decks, 0).grid.reshape(CARDS)
    free, found = {card for card in range(CARDS) if counts[card]}, []
    while free:
        reached = [min(free)]
        free.remove(reached[0])
        for card in reached:  # grows while it is read
            beside = {other for other in free if _adjacent(card, other, ace)}
            free -= beside
            reached += sorted(beside)
        found.append(sorted(card for card in reached for _ in range(counts[card])))
    return found


def _adjacent(card: int, other: int, ace: str) -> bool:
    (suit, rank), (other_suit, other_rank) = divmod(card, RANKS), divmod(other, RANKS)
    low, high = sorted((rank, other_rank))
    if suit != other_suit:
        return low == high
    if high == ACE:
        return (low == 0 and ace != "high") or (low == ACE - 1 and ace != "low")
    return high - low == 1


def flags(hand: str | ArrayLike, decks: SupportsIndex = 2, *, ace: str = "low") -> NDArray[np.bool_]:
    """The uses of each card: what the card may join.

    A second run or set means two runs or sets at once that both contain the card, so it needs two copies.

    Parameters
    ----------
    hand, ace
        As in `best_melds`.
    decks
        1 or 2: how often a card may occur. It does not change the result.

    Returns
    -------
    array
        Shape (4, 13, 4): suit, rank, and use in the order of `FLAGS`.

    Examples
    --------
    >>> flags("2H 3H 4H 3C 3D")[2, 1].tolist()
    [True, False, True, False]
    """
    return _flags(hand_of(hand, decks, 0).grid, ace)


def _flags(counts: Grid, ace: str) -> NDArray[np.bool_]:
    found = np.zeros((SUITS, RANKS, len(FLAGS)), np.bool_)
    runs = [run for run in runs_of(check_ace(ace)) if len(run) == SHORTEST]
    for suit, rank in zip(*np.nonzero(counts), strict=True):
        through = [np.bincount(run, minlength=RANKS) for run in runs if rank in run]
        others = np.delete(counts[:, rank], suit).astype(int)
        found[suit, rank] = (
            any((run <= counts[suit]).all() for run in through),
            any((run + other <= counts[suit]).all() for run, other in product(through, repeat=2)),
            np.count_nonzero(others) >= SET - 1,
            counts[suit, rank] == 2 and others.sum() >= 2 * (SET - 1),
        )
    return found


def control_points(hand: str | ArrayLike, decks: SupportsIndex = 2, *, ace: str = "low") -> list[ControlPoint]:
    """The cards with more uses than copies.

    A hand without control points has only one sensible melding. Otherwise its meldings follow from the choices of
    uses at the control points, although not every choice is possible together with every other.

    Parameters
    ----------
    hand, ace
        As in `best_melds`.
    decks
        1 or 2: how often a card may occur. It does not change the result.

    Returns
    -------
    list
        In ascending order of the cards.

    Examples
    --------
    >>> for point in control_points("2H3H4H5H4H5H6H3C3C3D3D4D"):
    ...     print(point)
    3h once: run, set
    """
    counts = hand_of(hand, decks, 0).grid
    uses_of, found = _flags(counts, ace), []
    for suit, rank in zip(*np.nonzero(counts), strict=True):
        uses = tuple(np.array(FLAGS)[uses_of[suit, rank]].tolist())
        if len(uses) > counts[suit, rank]:
            found.append(ControlPoint(int(RANKS * suit + rank), int(counts[suit, rank]), uses))
    return found
