"""The 7,462 classes of five-card hands, in order, from the rules of poker.

Two hands are in one class if neither beats the other. The rank of a class counts from 1, the royal flush, to 7462.
"""

from __future__ import annotations

from collections import Counter
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import array_of, quoted, whole
from foogo.errors import ArgumentError


class Category(IntEnum):
    """The categories of hands, best first."""

    STRAIGHT_FLUSH = 1
    FOUR_OF_A_KIND = 2
    FULL_HOUSE = 3
    FLUSH = 4
    STRAIGHT = 5
    THREE_OF_A_KIND = 6
    TWO_PAIR = 7
    PAIR = 8
    HIGH_CARD = 9

    @property
    def label(self) -> str:
        """The name in words.

        Examples
        --------
        >>> Category.TWO_PAIR.label
        'two pair'
        """
        return self.name.lower().replace("_", " ")


class HandClass(NamedTuple):
    """A class of hands."""

    category: Category
    ranks: tuple[int, ...]
    """The ranks of the five cards, 0 (deuce) to 12 (ace), in the order in which they are compared."""


CLASSES = 7462
"""The rank of the worst class, and so the number of classes."""

_BY_COUNTS = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
}

_WHEEL = (12, 3, 2, 1, 0)
"""The straight in which the ace is low."""


@cache
def hand_classes() -> tuple[HandClass, ...]:
    """All classes, best first: the class of rank r is at index r - 1.

    Examples
    --------
    >>> len(hand_classes())
    7462
    >>> hand_classes()[0].category.label, hand_classes()[0].ranks
    ('straight flush', (12, 11, 10, 9, 8))
    """
    unsuited = (
        _class(ranks, suited=False) for ranks in combinations_with_replacement(range(13), 5) if _deck_has(ranks)
    )
    suited = (_class(ranks, suited=True) for ranks in combinations(range(13), 5))
    return tuple(sorted((*unsuited, *suited), key=lambda one: (one.category, *(-rank for rank in one.ranks))))


def _deck_has(ranks: tuple[int, ...]) -> bool:
    return ranks[0] != ranks[-1]  # five of a rank; the ranks ascend


def _class(ascending: tuple[int, ...], *, suited: bool) -> HandClass:
    """The class of five ranks: larger groups are compared first, and higher ranks among equal groups."""
    groups = sorted(((count, rank) for rank, count in Counter(ascending).items()), reverse=True)
    category = _BY_COUNTS[tuple(count for count, _ in groups)]
    ranks = tuple(rank for count, rank in groups for _ in range(count))
    if category is Category.HIGH_CARD:
        is_straight = ranks == _WHEEL or ranks[0] - ranks[4] == 4
        if ranks == _WHEEL:
            ranks = (*_WHEEL[1:], _WHEEL[0])
        if is_straight:
            category = Category.STRAIGHT_FLUSH if suited else Category.STRAIGHT
        elif suited:
            category = Category.FLUSH
    return HandClass(category, ranks)


@cache
def _category_by_rank() -> NDArray[np.int8]:
    """The category of each rank; 0 at index 0."""
    return np.array([0, *(one.category for one in hand_classes())], np.int8)


@overload
def category(rank: int | np.integer[Any]) -> Category: ...
@overload
def category(rank: NDArray[np.integer]) -> NDArray[np.int8]: ...
def category(rank: ArrayLike) -> Category | NDArray[np.int8]:
    """The category of a rank, or of each rank of an array.

    Parameters
    ----------
    rank
        1 to 7462, an integer or an array of any shape.

    Returns
    -------
    Category or array
        A `Category` for an integer; for an array its numbers, 1 (straight flush) to 9 (high card), int8.

    Raises
    ------
    ArgumentError
        If a rank is not a whole number from 1 to 7462.

    Examples
    --------
    >>> category(4601)
    <Category.PAIR: 8>
    >>> category(np.array([1, 11, 7462]))
    array([1, 2, 9], dtype=int8)
    """
    ranks = array_of(rank, ArgumentError, "the rows of an array of ranks need the same length")
    if ranks.dtype.kind not in "iu" or (ranks.size and not (ranks.min() >= 1 and ranks.max() <= CLASSES)):
        raise ArgumentError(f"rank is {quoted(rank)}: ranks are whole numbers from 1 (royal flush) to {CLASSES}")
    found = _category_by_rank()[ranks]
    return found if ranks.ndim else Category(int(found))


_RANK_NAMES = "deuce three four five six seven eight nine ten jack queen king ace".split()
_PLURALS = [name + ("es" if name == "six" else "s") for name in _RANK_NAMES]

_PHRASES = {
    Category.STRAIGHT_FLUSH: "{high}-high straight flush",
    Category.FOUR_OF_A_KIND: "four {first}",
    Category.FULL_HOUSE: "{first} full of {last}",
    Category.FLUSH: "{high}-high flush",
    Category.STRAIGHT: "{high}-high straight",
    Category.THREE_OF_A_KIND: "three {first}",
    Category.TWO_PAIR: "two pair, {first} and {third}",
    Category.PAIR: "pair of {first}",
    Category.HIGH_CARD: "{high} high",
}


def describe(rank: SupportsIndex) -> str:
    """A rank in words.

    Parameters
    ----------
    rank
        1 to 7462.

    Raises
    ------
    ArgumentError
        If it is not a whole number from 1 to 7462.

    Examples
    --------
    >>> describe(4601), describe(1), describe(167)
    ('pair of nines', 'royal flush', 'aces full of kings')
    """
    number = whole("rank", rank, 1, CLASSES)
    if number == 1:
        return "royal flush"
    one = hand_classes()[number - 1]
    ranks = one.ranks
    return _PHRASES[one.category].format(
        high=_RANK_NAMES[ranks[0]], first=_PLURALS[ranks[0]], third=_PLURALS[ranks[2]], last=_PLURALS[ranks[4]]
    )
