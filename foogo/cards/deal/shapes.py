"""Shapes: the numbers of cards in the four suits of a hand, and sets of shapes from patterns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.cards.card import SUITS, suit_letters
from foogo.cards.deal.constraints import Constraint, Leaf, Truth
from foogo.cards.deal.evaluators import HOLDINGS, LENGTHS
from foogo.cards.deal.pbn import masks_of
from foogo.errors import ArgumentError

SHAPES = np.array([lengths for lengths in product(range(14), repeat=4) if sum(lengths) == 13], np.int64)
"""All 560 shapes, (560, 4): clubs, diamonds, hearts, spades."""

PATTERN_ORDER = (3, 2, 1, 0)
"""The suits of a pattern without letters: spades, hearts, diamonds, clubs."""

_SUITS_OF = {"M": (3, 2), "m": (1, 0)} | {
    form(letter): (n,) for n, letter in enumerate(SUITS) for form in (str, str.upper)
}
_ENTRY = re.compile(r"(?P<count>1[0-3](?=[+-]?[CDHScdhsMm])|\d|x|\[\d+-\d+\])(?P<more>[+-]?)(?P<suit>[CDHScdhsMm]?)")


def packed(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Shapes as indices of a table: clubs, diamonds and hearts in four bits each, which leave the spades."""
    return lengths[..., 0] | lengths[..., 1] << 4 | lengths[..., 2] << 8


class ShapeSet(Leaf):
    """A hand of 13 cards with one of some shapes.

    Attributes
    ----------
    table
        1 for each shape of the set by its index (`packed`), (8192,) int16.
    """

    def __init__(self, members: Truth, name: str) -> None:
        self.name, self.table = name, np.zeros(HOLDINGS, np.int16)
        self.table[packed(SHAPES[members])] = 1

    @property
    def members(self) -> Truth:
        """Whether each of `SHAPES` is in the set."""
        return self._has(SHAPES)

    def of_hands(self, masks: NDArray[np.uint64]) -> Truth:
        """Whether each hand has 13 cards and a shape in the set."""
        lengths = lengths_of(masks)
        truth: Truth = self._has(lengths) & (lengths.sum(axis=-1) == 13)
        return truth

    def _has(self, lengths: NDArray[np.int64]) -> Truth:
        truth: Truth = self.table[packed(lengths)] == 1
        return truth

    def __repr__(self) -> str:
        return self.name


def lengths_of(hands: ArrayLike) -> NDArray[np.int64]:
    """The numbers of clubs, diamonds, hearts and spades of hands, shape (..., 4).

    Raises
    ------
    DealError
        If a number is not a mask.

    Examples
    --------
    >>> from foogo.cards.deal import parse_hand
    >>> lengths_of(parse_hand("AK2.QJ3.K432.Q32")).tolist()
    [3, 4, 3, 3]
    """
    masks = masks_of(hands)[..., np.newaxis]
    holdings = (masks >> np.arange(0, 52, 13, dtype=np.uint64)) & np.uint64(HOLDINGS - 1)
    lengths: NDArray[np.int64] = LENGTHS[holdings].astype(np.int64)
    return lengths


class _Entry(NamedTuple):
    """One suit of a pattern: the lengths it allows, the suits that its letter allows, and the group in parentheses."""

    low: int
    high: int
    suits: tuple[int, ...]
    group: int


_ANY = _Entry(0, 13, (), 0)


def shape(pattern: str) -> Constraint:
    """A hand of 13 cards with a shape that matches the pattern.

    Parameters
    ----------
    pattern
        Four lengths in the order spades, hearts, diamonds, clubs: a digit, ``x`` for any, ``5+`` and ``2-`` for at
        least and at most, ``[3-5]`` for a range. Lengths in parentheses may be in any order. A letter or a symbol after
        a length names its suit: ``S H D C``, ``M`` for a major, ``m`` for a minor; the other lengths are for the other
        suits. Behind a length with a letter, lengths may be omitted. ``10-2-1-0`` is one shape with a length above 9.

    Raises
    ------
    ArgumentError
        If the pattern is not of this form, or if no hand matches it.

    References
    ----------
    The patterns of F. Dellacherie's preprocessor for H. van Staveren's program "dealer".

    Examples
    --------
    >>> from foogo.cards.deal import parse_hand
    >>> two_suits = shape("5+S5+m(xx)") | shape("5+H5+m(xx)")
    >>> two_suits.holds(parse_hand("AK982.3.Q.KJ8432")), shape("(4432)").holds(parse_hand("AK2.QJ3.K432.Q32"))
    (True, False)
    """
    entries = list(_entries(pattern))
    if len(entries) > 4 or (len(entries) < 4 and not any(entry.suits for entry in entries)):
        raise ArgumentError(f"shape {pattern!r} has {len(entries)} lengths: a hand has 4 suits")
    entries += [_ANY] * (4 - len(entries))
    members = np.zeros(len(SHAPES), np.bool_)
    for order in _orders(entries):
        bounds = zip(entries, order, strict=True)
        fits = [(entry.low <= SHAPES[:, suit]) & (SHAPES[:, suit] <= entry.high) for entry, suit in bounds]
        members |= np.logical_and.reduce(fits)
    if not members.any():
        rule = "the lengths must add up to 13, and each suit occurs once"
        raise ArgumentError(f"shape {pattern!r} matches no hand: {rule}")
    return ShapeSet(members, f"shape({pattern!r})")


def _entries(pattern: str) -> Iterator[_Entry]:
    if not isinstance(pattern, str):
        raise ArgumentError(f"shape {pattern!r} is not a text such as '5+332' or '(4432)'")
    pattern = suit_letters(pattern)
    if re.fullmatch(r"\d+(-\d+){3}", pattern):
        yield from (_Entry(int(count), int(count), (), 0) for count in pattern.split("-"))
        return
    place, group, inside = 0, 0, False
    while place < len(pattern):
        found = _ENTRY.match(pattern, place)
        if found:
            low, high = _bounds(found["count"], found["more"])
            yield _Entry(low, high, _SUITS_OF.get(found["suit"], ()), group if inside else 0)
            place = found.end()
        elif pattern[place] == "()"[inside]:
            group, inside, place = group + 1, not inside, place + 1
        else:
            break
    if place < len(pattern) or inside:
        raise ArgumentError(
            f"shape {pattern!r} cannot be read at {pattern[place:]!r}: examples are 5332, (4432), 5+Sxx"
        )


def _bounds(count: str, more: str) -> tuple[int, int]:
    low, high = (0, 13) if count == "x" else [int(end) for end in (re.findall(r"\d+", count) * 2)[:2]]
    return (low, 13) if more == "+" else (0, high) if more == "-" else (low, high)


def _orders(entries: list[_Entry]) -> Iterator[list[int]]:
    """The suits that the entries can stand for, in each possible way."""
    for named in product(*(entry.suits or (None,) for entry in entries)):
        taken = [suit for suit in named if suit is not None]
        if len(set(taken)) < len(taken):
            continue
        free = [suit for suit in PATTERN_ORDER if suit not in taken]
        groups = [entry.group for entry in entries if not entry.suits]
        for order in permutations(range(len(free))):
            if all(i == j or groups[i] and groups[i] == groups[j] for i, j in enumerate(order)):
                suits = iter([free[i] for i in order])
                yield [next(suits) if suit is None else suit for suit in named]


balanced = ShapeSet(
    np.isin(np.sort(SHAPES, axis=1) @ [1000, 100, 10, 1], [3334, 2344, 2335]),
    "balanced",
)
"""A hand of 13 cards of shape 4333, 4432 or 5332, in any order."""
