"""Holding evaluators: a number per suit holding, added up over the suits of a hand.

A holding is 13 bits, deuce to ace. An evaluator is a table of 8,192 numbers, stored as whole numbers of its step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import is_number
from foogo.cards.card import FULL_DECK, SUITS, suit_letters
from foogo.cards.deal.constraints import Constraint, Leaf, Truth, checked
from foogo.cards.deal.pbn import masks_of
from foogo.errors import ArgumentError

HOLDINGS = 1 << 13
"""The number of holdings of a suit."""

ALL_SUITS = 15
"""The set of all suits: bit 0 is clubs."""

STEPS = (1, 2, 4, 5, 10, 20, 100)
"""A table's numbers are whole multiples of 1 over one of these."""

LARGEST = 1000
"""The largest number of steps that a holding may be worth."""

ROUNDING = 1e-6
"""How far from a whole number of steps a number may be and count as one: 0.07 * 100 is above 7."""

LENGTHS = np.array([holding.bit_count() for holding in range(HOLDINGS)], np.int16)
"""The number of cards in each holding."""


class Evaluator:
    """A sum over suit holdings. Call or compare it to make a constraint.

    Attributes
    ----------
    name
        For messages.
    table
        Steps per holding, (8192,) int16.
    steps
        The number of steps that make 1.
    suits
        The suits that are added up, as a set of bits.

    Examples
    --------
    >>> hcp(20, 21), hcp(10), hcp >= 12
    (hcp(20, 21), hcp(10, 10), hcp(12, inf))
    """

    def __init__(self, name: str, table: NDArray[np.int16], steps: int = 1, suits: int = ALL_SUITS) -> None:
        self.name, self.table, self.steps, self.suits = name, table, steps, suits
        self._values: list[int] = table.tolist()

    def within(self, suits: str) -> Evaluator:
        """The same evaluator, added up over some suits only.

        Parameters
        ----------
        suits
            Letters of C, D, H, S, their symbols, or the name of a suit.

        Examples
        --------
        >>> hcp.within("HS") >= 10
        hcp.within('HS')(10, inf)
        """
        return Evaluator(self.name, self.table, self.steps, suits_of(suits))

    def of(self, hands: ArrayLike) -> Any:
        """The value of a hand, or an array of the values of many.

        Parameters
        ----------
        hands
            Masks, of any shape.

        Raises
        ------
        DealError
            If a number is not a mask.

        Examples
        --------
        >>> from foogo.cards.deal import parse_hand
        >>> hcp.of(parse_hand("AK2.QJ3.K432.Q32")), quick_tricks.of(parse_hand("AK2.QJ3.K432.Q32"))
        (15, 2.5)
        """
        chosen = [suit for suit in range(4) if self.suits >> suit & 1]
        if isinstance(hands, int) and 0 <= hands <= FULL_DECK:
            steps = sum(self._values[hands >> 13 * suit & HOLDINGS - 1] for suit in chosen)
        else:
            found = self.steps_of(masks_of(hands))
            steps = found if found.ndim else int(found)
        return steps if self.steps == 1 else steps / self.steps

    def steps_of(self, masks: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The values of hands, in steps."""
        chosen = [suit for suit in range(4) if self.suits >> suit & 1]
        holdings = [(masks >> np.uint64(13 * suit)) & np.uint64(HOLDINGS - 1) for suit in chosen]
        return sum((self.table[holding].astype(np.int64) for holding in holdings), np.zeros(masks.shape, np.int64))

    def holdings(self, length: int, value: float) -> NDArray[np.int64]:
        """The holdings of one suit with a length and a value.

        Examples
        --------
        >>> len(hcp.holdings(3, 7))   # ace, king and a small card, or ace, queen and jack
        10
        """
        return np.flatnonzero((length == LENGTHS) & (np.abs(self.table - value * self.steps) < ROUNDING))

    def __call__(self, low: float, high: float | None = None) -> Constraint:
        """A value from `low` to `high`, both included; exactly `low` if `high` is omitted.

        Raises
        ------
        ArgumentError
            If they are not numbers, or the range is empty.
        """
        if high is None and is_number(low) and low >= HOLDINGS - 1:  # the least mask of 13 cards
            raise ArgumentError(f"{self.name}({low!r}) is not a range: {self.name}.of(hand) is the value of a hand")
        high = low if high is None else high
        for end in (low, high):
            if not is_number(end) and not (isinstance(end, Real) and abs(end) == float("inf")):
                raise ArgumentError(
                    f"{self.name}({low!r}, {high!r}) is not a range: two numbers are needed; "
                    f"{self.name}.of(hand) is the value of a hand"
                )
        if low > high:
            raise ArgumentError(f"{self.name}({low!r}, {high!r}) is an empty range: {low!r} is above {high!r}")
        return Range(self, float(low), float(high))  # small integers of NumPy would overflow

    def __ge__(self, other: float) -> Constraint:
        return self(other, float("inf"))

    def __le__(self, other: float) -> Constraint:
        return self(float("-inf"), other)

    def __gt__(self, other: float) -> Constraint:
        return ~(self <= other)

    def __lt__(self, other: float) -> Constraint:
        return ~(self >= other)

    def __eq__(self, other: float) -> Constraint:  # type: ignore[override]
        return self(other)

    def __ne__(self, other: float) -> Constraint:  # type: ignore[override]
        return ~self(other)

    def __and__(self, other: NoReturn) -> Constraint:
        return checked(self)  # an error: the value must be compared first

    __rand__ = __or__ = __ror__ = __and__

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        letters = "".join(letter.upper() for suit, letter in enumerate(SUITS) if self.suits >> suit & 1)
        return self.name if self.suits == ALL_SUITS else f"{self.name}.within({letters!r})"


class Range(Leaf):
    """A hand that an evaluator values at `low` to `high`.

    Attributes
    ----------
    first, last
        The range in steps.
    """

    def __init__(self, evaluator: Evaluator, low: float, high: float) -> None:
        self.evaluator, self.low, self.high = evaluator, low, high
        most, steps = 4 * LARGEST + 1, evaluator.steps  # more than any hand
        first, last = np.ceil(low * steps - ROUNDING), np.floor(high * steps + ROUNDING)
        self.first, self.last = (int(end) for end in np.clip((first, last), -most, most))

    def contains(self, steps: NDArray[Any]) -> Truth:
        """Whether each number of steps is within the range."""
        return (self.first <= steps) & (steps <= self.last)

    def of_hands(self, masks: NDArray[np.uint64]) -> Truth:
        """Whether the value of each hand is within the range."""
        return self.contains(self.evaluator.steps_of(masks))

    def __repr__(self) -> str:
        return f"{self.evaluator!r}({self.low:g}, {self.high:g})"


def evaluator(name: str, table: ArrayLike) -> Evaluator:
    """An evaluator from a table.

    Parameters
    ----------
    name
        For messages.
    table
        A number for each of the 8,192 holdings of a suit; bit 0 of the index is the deuce, bit 12 the ace.

    Raises
    ------
    ArgumentError
        If the table has another shape, or numbers that are not multiples of 1, 1/2, 1/4, 1/5, 1/10, 1/20 or 1/100.

    Examples
    --------
    >>> aces = evaluator("aces", [holding >> 12 for holding in range(8192)])
    >>> aces(4)
    aces(4, 4)
    """
    try:
        numbers = np.asarray(table, np.float64)
    except (TypeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (HOLDINGS,) or not np.isfinite(numbers).all():
        raise ArgumentError(f"the table of {name!r} must be {HOLDINGS} finite numbers, one per holding of a suit")
    for steps in STEPS:
        scaled = np.round(numbers * steps)
        if np.abs(scaled - numbers * steps).max() < ROUNDING:
            if np.abs(scaled).max() > LARGEST:
                raise ArgumentError(
                    f"the table of {name!r} has {np.abs(numbers).max():g}: at most {LARGEST / steps:g} is possible "
                    f"with steps of 1/{steps}"
                )
            return Evaluator(name, scaled.astype(np.int16), steps)
    raise ArgumentError(f"the table of {name!r} has numbers that are not multiples of 1/100 or a wider step")


def _tabled(name: str, value: Callable[[bool, bool, bool, bool, int], float]) -> Evaluator:
    """An evaluator of ace, king, queen, jack and length."""
    numbers = []
    for holding in range(HOLDINGS):
        ace, king, queen, jack = (bool(holding >> rank & 1) for rank in (12, 11, 10, 9))
        numbers.append(value(ace, king, queen, jack, holding.bit_count()))
    return evaluator(name, numbers)


def _quick_tricks(ace: bool, king: bool, queen: bool, jack: bool, length: int) -> float:
    if ace:
        return 2 if king else 1.5 if queen else 1
    return 1 if king and queen else 0.5 if king and length > 1 else 0


hcp = _tabled("hcp", lambda ace, king, queen, jack, length: 4 * ace + 3 * king + 2 * queen + jack)
"""High-card points: 4, 3, 2, 1 for ace, king, queen, jack."""

controls = _tabled("controls", lambda ace, king, queen, jack, length: 2 * ace + king)
"""Controls: 2 for an ace, 1 for a king."""

losers = _tabled("losers", lambda ace, king, queen, jack, length: min(length, 3) - sum((ace, king, queen)[:length]))
"""Losing tricks: of the first three cards of a suit, those below ace, king and queen in turn."""

quick_tricks = _tabled("quick_tricks", _quick_tricks)
"""Quick tricks: AK 2, AQ 1 1/2, A 1, KQ 1, Kx 1/2."""

length = Evaluator("length", LENGTHS)
"""The number of cards; of use within suits."""


@dataclass(frozen=True)
class Suit:
    """The evaluators within one suit or several."""

    length: Evaluator
    hcp: Evaluator
    controls: Evaluator
    losers: Evaluator
    quick_tricks: Evaluator


def suit(suits: str) -> Suit:
    """The evaluators, added up within some suits.

    Parameters
    ----------
    suits
        Letters of C, D, H, S, their symbols, or the name of a suit.

    Raises
    ------
    ArgumentError
        If there are other letters, or none.

    Examples
    --------
    >>> suit("S").length >= 5
    length.within('S')(5, inf)
    """
    return Suit(*(each.within(suits) for each in (length, hcp, controls, losers, quick_tricks)))


def suits_of(letters: str) -> int:
    """The set of suits that letters, symbols or a name stand for.

    Raises
    ------
    ArgumentError
        If there are other letters, the same one twice, or none.
    """
    numbers = [SUITS.find(suit) for suit in suit_letters(letters).lower()] if isinstance(letters, str) else [-1]
    if not numbers or -1 in numbers or len(set(numbers)) < len(numbers):
        raise ArgumentError(f"suits {letters!r} do not exist: write letters of C, D, H, S, each once")
    return sum(1 << number for number in numbers)
