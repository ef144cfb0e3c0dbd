"""Melds, and hands laid out in melds: all maximal ways, and all melds of a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice
from typing import NamedTuple, SupportsIndex

from numpy.typing import ArrayLike

from foogo.cards.rummy.hands import JOKER, Hand, hand_of, name_of
from foogo.cards.rummy.kernels.deadwood import SET, SUITS, Rules
from foogo.cards.rummy.kernels.runs import RANKS, VALUE_OF_JOKER
from foogo.cards.rummy.rules import check_ace, rules_of, runs_of
from foogo.errors import ArgumentError

MOST_MELDINGS = 250_000
"""The most maximal meldings that are listed."""


class Meld(NamedTuple):
    """A run or a set of three or more cards.

    Examples
    --------
    >>> print(Meld("run", (26, 27, 52)))
    2h 3h JK
    """

    kind: str
    """"run" or "set"."""
    cards: tuple[int, ...]
    """In the order of the run, or by suit; `JOKER` (52) stands for a joker."""

    def __str__(self) -> str:
        return " ".join(map(name_of, self.cards))


@dataclass(frozen=True)
class Melding:
    """A hand laid out in melds.

    Attributes
    ----------
    melds
        The melds, by their first card.
    left
        The cards in no meld, in ascending order.
    deadwood
        Their value.
    """

    melds: tuple[Meld, ...]
    left: tuple[int, ...]
    deadwood: int

    def __str__(self) -> str:
        melds = " | ".join(map(str, self.melds)) or "no melds"
        return f"{melds} | deadwood {self.deadwood}" + "".join(f" {name_of(card)}" for card in self.left)


def melding_of(hand: Hand, melds: Sequence[Meld], rules: Rules) -> Melding:
    """The melding of `hand` with the given melds."""
    rest = Counter(hand.cards)
    rest.subtract(card for meld in melds for card in meld.cards)
    left = tuple(sorted(rest.elements()))
    ordered = tuple(sorted(melds, key=lambda meld: (min(meld.cards), meld)))
    return Melding(ordered, left, sum(_value(card, rules) for card in left))


def _value(card: int, rules: Rules) -> int:
    suit, rank = (0, VALUE_OF_JOKER) if card == JOKER else divmod(card, RANKS)
    return int(rules.values[suit, rank])


def melds(
    hand: str | ArrayLike, decks: SupportsIndex = 1, *, ace: str = "low", jokers: SupportsIndex = 0
) -> list[Meld]:
    """All melds that can be laid out from a hand, one at a time.

    Two melds are different if their cards are. A meld has at least one natural card; a joker takes the place of any
    other card of a run or of a suit of a set.

    Parameters
    ----------
    hand, decks, ace, jokers
        As in `best_melds`.

    Returns
    -------
    list
        Sets and runs, by the lowest card.

    Examples
    --------
    >>> [str(meld) for meld in melds("2H 3H 4H 5H 3C 3D")]
    ['3c 3d 3h', '2h 3h 4h', '2h 3h 4h 5h', '3h 4h 5h']
    """
    return _melds_of(hand_of(hand, decks, jokers), ace)


def _melds_of(hand: Hand, ace: str) -> list[Meld]:
    counts = hand.counts
    found = [Meld("set", cards) for rank in range(RANKS) for cards in _sets(counts, rank)]
    for suit in range(SUITS):
        for ranks in runs_of(check_ace(ace)):
            found += [Meld("run", cards) for cards in _with_jokers([RANKS * suit + rank for rank in ranks], counts)]
    return sorted(found, key=lambda meld: (min(meld.cards), meld))


def _sets(counts: Sequence[int], rank: int) -> Iterator[tuple[int, ...]]:
    natural = [card for card in range(rank, JOKER, RANKS) if counts[card]]
    for size in range(1, SUITS + 1):
        for cards in combinations(natural, size):
            for jokers in range(max(0, SET - size), min(counts[JOKER], SUITS - size) + 1):
                yield cards + (JOKER,) * jokers


def _with_jokers(cards: Sequence[int], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The cards of a run, with jokers for what is missing, and for every choice of the other cards."""
    held = [place for place, card in enumerate(cards) if counts[card]]
    missing = len(cards) - len(held)
    for jokers in range(missing, min(counts[JOKER], len(cards) - 1) + 1):
        for replaced in combinations(held, jokers - missing):
            yield tuple(JOKER if place in replaced or not counts[card] else card for place, card in enumerate(cards))


def combos(
    hand: str | ArrayLike,
    decks: SupportsIndex = 1,
    *,
    values: str | ArrayLike = "points",
    ace: str = "low",
    jokers: SupportsIndex = 0,
    joker_value: SupportsIndex = 15,
) -> list[Melding]:
    """All maximal meldings: those whose cards left over contain no further meld.

    The time grows with their number, which can be exponential. At most 250,000 are listed: `best_melds` finds the
    best without listing them.

    Parameters
    ----------
    hand, decks, values, ace, jokers, joker_value
        As in `best_melds`.

    Returns
    -------
    list
        The meldings, the least deadwood first.

    Raises
    ------
    ArgumentError
        If an argument is out of range, or there are too many meldings.
    CardError
        As by `best_melds`.

    Examples
    --------
    >>> for melding in combos("2H 3H 4H 5H 3C 3D"):
    ...     print(melding)
    2h 3h 4h 5h | deadwood 6 3c 3d
    3h 4h 5h | deadwood 8 3c 3d 2h
    2h 3h 4h | deadwood 11 3c 3d 5h
    3c 3d 3h | deadwood 11 2h 4h 5h
    """
    rules, held = rules_of(decks, ace, values, joker_value), hand_of(hand, decks, jokers)
    search = _Combos(held, _melds_of(held, ace))
    every = list(islice(search.from_card(0, 0), MOST_MELDINGS + 1))
    if len(every) > MOST_MELDINGS:
        raise ArgumentError(f"the hand has more than {MOST_MELDINGS:,} maximal meldings: best_melds finds the best")
    found = [melding_of(held, chosen, rules) for chosen in every]
    return sorted(found, key=lambda melding: (melding.deadwood, melding.left, melding.melds))


class _Combos:
    """Decides about the cards in ascending order: a card begins a meld, as its lowest card, or is left over."""

    def __init__(self, hand: Hand, melds: Sequence[Meld]) -> None:
        self._free, self._left = hand.counts, [0] * (JOKER + 1)
        self._chosen: list[Meld] = []
        self._needs = {meld: tuple(Counter(meld.cards).items()) for meld in melds}
        self._by_lowest: dict[int, list[Meld]] = {}
        self._by_highest: dict[int, list[Meld]] = {}
        for meld in melds:
            self._by_lowest.setdefault(min(meld.cards), []).append(meld)
            self._by_highest.setdefault(max(meld.cards), []).append(meld)

    def from_card(self, card: int, first: int) -> Iterator[list[Meld]]:
        """The maximal meldings of the free cards, from `card` on and with its `first`-th meld or later ones."""
        while card < JOKER and not self._free[card]:
            card, first = card + 1, 0
        if card == JOKER:
            self._left[JOKER] = self._free[JOKER]
            if not self._left_a_meld(JOKER):
                yield list(self._chosen)
            self._left[JOKER] = 0
            return
        for i, meld in enumerate(self._by_lowest.get(card, ())):
            if i >= first and self._fits(meld, self._free):
                self._take(meld, 1)
                yield from self.from_card(card, i)
                self._take(meld, -1)
        self._left[card], self._free[card] = self._free[card], 0
        if not self._left_a_meld(card):
            yield from self.from_card(card + 1, 0)
        self._left[card], self._free[card] = 0, self._left[card]

    def _left_a_meld(self, card: int) -> bool:
        """Whether `card` completes a meld of the cards left over. No lower card did."""
        return any(self._fits(meld, self._left) for meld in self._by_highest.get(card, ()))

    def _fits(self, meld: Meld, counts: Sequence[int]) -> bool:
        return all(counts[card] >= n for card, n in self._needs[meld])

    def _take(self, meld: Meld, sign: int) -> None:
        for card, n in self._needs[meld]:
            self._free[card] -= sign * n
        if sign > 0:
            self._chosen.append(meld)
        else:
            self._chosen.pop()
