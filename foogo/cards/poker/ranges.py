"""Ranges of hold'em holdings as text: "AKs, TT+"."""

from __future__ import annotations

import re
from itertools import combinations

from foogo.cards.card import CARDS, RANKS, mask_of, parse_cards
from foogo.errors import CardError

_KIND = re.compile("([2-9TJQKAtjqka])([2-9TJQKAtjqka])([SOso]?)")

Kind = tuple[int, int, str]
"""The higher and the lower rank, and "s" (suited), "o" (offsuit) or "" (both)."""


def parse_range(text: str) -> list[int]:
    """The holdings of a range.

    Parameters
    ----------
    text
        Terms separated by commas:

        - two cards: ``AsKd``;
        - two ranks: ``TT``, ``AKs`` (suited), ``AKo`` (offsuit), ``AK`` (both);
        - with ``+``, also those with a higher second card: ``ATs+`` is ATs, AJs, AQs, AKs. A pair stands for all
          higher pairs too: ``TT+``;
        - from one to another: ``22-66``, ``A2s-A5s``, ``54s-87s``;
        - ``random``: any two cards.

    Returns
    -------
    list of int
        The masks of the holdings, each once, in ascending order.

    Raises
    ------
    CardError
        If a term is of another form.

    Examples
    --------
    >>> len(parse_range("AKs, TT+")), len(parse_range("random")), len(parse_range("A2s-A5s, AsKd"))
    (34, 1326, 17)
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not a text of holdings, such as 'AKs, TT+'")
    terms = [term.strip() for term in text.split(",") if term.strip()]
    if not terms:
        raise CardError(f"range {text!r} is empty: write holdings such as 'AKs, TT+'")
    return sorted({holding for term in terms for holding in _holdings(term)})


def _holdings(term: str) -> list[int]:
    if term.lower() == "random":
        return [mask_of(pair) for pair in combinations(range(CARDS), 2)]
    ends = [_KIND.fullmatch(end.strip()) for end in term.removesuffix("+").split("-")]
    if not all(ends) or len(ends) > 2 or (len(ends) == 2 and term.endswith("+")):
        return [_two_cards(term)]
    kinds = [_kind(*found.groups()) for found in ends if found]
    if len(kinds) == 2:
        kinds = _between(term, *kinds)
    elif term.endswith("+"):
        high, low, suits = kinds[0]
        kinds = [(high + k, high + k, "") for k in range(13 - high)] if high == low else [
            (high, second, suits) for second in range(low, high)
        ]  # fmt: skip
    return [holding for kind in kinds for holding in _of_kind(term, *kind)]


def _two_cards(term: str) -> int:
    try:
        cards = parse_cards(term)
    except CardError as error:
        raise CardError(
            f"{term!r} is not a term of a range, such as AsKd, AKs, TT+, 22-66 or random: {error}"
        ) from None
    if len(cards) != 2:
        raise CardError(f"{term!r} has {len(cards)} card{'s' * (len(cards) != 1)}: a holding has 2")
    return mask_of(cards)


def _kind(first: str, second: str, suits: str) -> Kind:
    ranks = sorted((RANKS.index(first.upper()), RANKS.index(second.upper())))
    return ranks[1], ranks[0], suits.lower()


def _between(term: str, one: Kind, other: Kind) -> list[Kind]:
    (low_high, low_low, suits), (high_high, high_low, other_suits) = sorted((one, other))
    if suits == other_suits and low_high == high_high != high_low:
        return [(low_high, second, suits) for second in range(low_low, high_low + 1)]
    if suits == other_suits and low_high - low_low == high_high - high_low:
        return [(low_high + k, low_low + k, suits) for k in range(high_high - low_high + 1)]
    raise CardError(f"{term!r} has ends of different kinds: write 22-66, A2s-A5s or 54s-87s")


def _of_kind(term: str, high: int, low: int, suits: str) -> list[int]:
    if high == low:
        if suits:
            raise CardError(f"{term!r} is impossible: a pair is neither suited nor offsuit")
        return [mask_of((13 * first + high, 13 * second + high)) for first, second in combinations(range(4), 2)]
    return [
        mask_of((13 * first + high, 13 * second + low))
        for first in range(4)
        for second in range(4)
        if not suits or (first == second) == (suits == "s")
    ]
