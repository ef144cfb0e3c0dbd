"""`Dealer`: random deals that satisfy constraints, and estimates from them.

Try number i under a seed is the same deal on every machine and with any number of threads. A try draws the cards of a
seat only when a constraint looks at it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, SupportsIndex

import numpy as np

from foogo.arguments import check_progress, quoted, whole
from foogo.cards.card import cards_in, format_cards
from foogo.cards.deal.constraints import Constraint, checked, conjuncts
from foogo.cards.deal.expressions import constraint_of, function_of
from foogo.cards.deal.functions import HandFunction
from foogo.cards.deal.pbn import SEAT_NAMES, Deals, seat_number
from foogo.cards.deal.predeal import Predeal, masks_of_predeal
from foogo.cards.deal.program import TRIALS, Condition, plan_of, share_of
from foogo.cards.deal.stack import Stack
from foogo.cards.deal.tries import Run
from foogo.core.cpu import worker_count
from foogo.errors import ArgumentError, DealError, WithResults
from foogo.stats.estimates import Z95, Estimate, wilson

Progress = Callable[[int, int], object]
"""Called with what is done so far and the total."""

MOST_TRIES = 2**62
"""The largest number of tries."""

MOST_WITHOUT_DEAL = 10**9
"""Tries without any deal after which a run without a limit ends: constraints of two seats may exclude each other."""

ALL_SEATS = 15
"""The set of all seats."""

_Where = Callable[..., Any] | str


@dataclass(frozen=True, eq=False)
class Sample:
    """Deals with the tries that they took.

    Attributes
    ----------
    deals
        Masks, (n, 4): north, east, south, west; bit ``13 * suit + rank``.
    tries
        Tries made until the last deal was found. A try starts with the stacked hand, if a seat is stacked.
    drawn
        Cards drawn in these tries until each was decided.
    probability
        The probability of the constraints; exact (an interval of no length) if the stack covers them all.
    """

    deals: Deals
    tries: int
    drawn: int
    probability: Estimate

    @property
    def acceptance(self) -> float:
        """The share of accepted tries; NaN if there are no tries."""
        return len(self.deals) / self.tries if self.tries else float("nan")


class NotFound(WithResults, DealError):
    """The tries allowed were too few.

    Attributes
    ----------
    found, tries, drawn
        Deals found, tries made, cards drawn in them until each was decided.
    """

    def __init__(self, found: int, wanted: int, tries: int, drawn: int) -> None:
        made = f"{tries:,} {'try' if tries == 1 else 'tries'} ({drawn / tries:.1f} cards drawn per try)"
        super().__init__(f"{found:,} of {wanted:,} deals found in {made}: allow more tries or relax the constraints")
        self.found, self.tries, self.drawn = found, tries, drawn


class _Accepted(NamedTuple):
    """New deals, and the totals of the run so far."""

    deals: Deals
    found: int
    tries: int
    drawn: int


class Dealer:
    """Random deals that satisfy constraints.

    Parameters
    ----------
    north, east, south, west
        What a hand must satisfy: a `Constraint`, or its text; None for nothing.
    where
        A function of hands, its text, or several: what a whole deal must satisfy (see `HandFunction`). They are called
        after the constraints, compiled functions first.
    predeal
        Cards of seats: ``{"north": "AS KS"}`` with text, a list of cards, a hand in PBN, or a mask; or a deal with
        unknown hands, in PBN or as masks. A seat is a name or a letter in either case, or 0 (north) to 3 (west).
    stack
        The seat whose hands are drawn from those that satisfy its constraint: a seat as in `predeal`, None for no
        seat, or "auto" for the seat whose constraint is hardest to satisfy.
    seed
        0 to 2**64 - 1.

    Attributes
    ----------
    stacked
        The name of the stacked seat, or None.

    Raises
    ------
    ArgumentError, CardError
        If an argument is wrong.
    DealError
        If a card is in two hands, a seat has more than 13 cards, or no hand of a seat satisfies its constraint, as far
        as a `Stack` counts hands.

    Examples
    --------
    >>> from foogo.cards.deal import balanced, hcp, suit
    >>> dealer = Dealer(south=balanced & hcp(15, 17), north=suit("H").length >= 5, seed=1)
    >>> deals = dealer.deals(1000)
    >>> deals.shape, bool((hcp.of(deals[:, 2]) >= 15).all())
    ((1000, 4), True)
    """

    def __init__(
        self,
        *,
        north: Constraint | str | None = None,
        east: Constraint | str | None = None,
        south: Constraint | str | None = None,
        west: Constraint | str | None = None,
        where: _Where | Sequence[_Where] | None = None,
        predeal: Predeal = None,
        stack: str | SupportsIndex | None = "auto",
        seed: SupportsIndex = 0,
    ) -> None:
        self._seed = whole("seed", seed, 0, 2**64 - 1)
        self._held = masks_of_predeal(predeal)
        given = {seat: text for seat, text in enumerate((north, east, south, west)) if text is not None}
        wanted = {seat: constraint_of(one) if isinstance(one, str) else checked(one) for seat, one in given.items()}
        self._wanted = wanted
        several = () if where is None else where
        every = tuple(several) if isinstance(several, Sequence) and not isinstance(several, str) else (several,)
        functions = [_function(one) for one in every]
        self._functions = sorted(functions, key=lambda one: (not one.is_compiled, len(one.seats)))

        shares = {seat: share_of(self._held, (seat, constraint)) for seat, constraint in wanted.items()}
        stacks = {one: self._stack_of(one, wanted[one]) for one in wanted if not shares[one]}
        # Of seats that no trial satisfied, their stacks say which is the hardest.
        shares |= {one: min(rare.probability, 0.5 / TRIALS) for one, rare in stacks.items()}
        order = sorted(wanted, key=lambda seat: shares[seat])
        seat = self._seat_of(stack, order)
        if seat in wanted and seat not in stacks:
            stacks[seat] = self._stack_of(seat, wanted[seat])
        for one, possible in stacks.items():
            if not possible.hands:
                raise DealError(f"no hand of {SEAT_NAMES[one]} satisfies its constraint with the cards that are left")
        self._stack = None if seat is None else stacks.get(seat) or self._stack_of(seat, None)
        self.stacked = None if seat is None else SEAT_NAMES[seat]
        conditions: list[Condition] = []
        for one in sorted(order, key=lambda one: one != seat):
            parts = self._stack.rest if self._stack and one == seat else conjuncts(wanted[one])
            conditions += sorted(((one, part) for part in parts), key=lambda part: share_of(self._held, part))
        rows = (seat, self._stack.rows()) if self._stack else ()
        self._plan = plan_of(self._held, conditions, *rows)
        self._is_exact = not conditions and not functions

    def __repr__(self) -> str:
        parts = [f"{SEAT_NAMES[seat]}: {constraint!r}" for seat, constraint in self._wanted.items()]
        parts += [f"where {function!r}" for function in self._functions]
        held = {name: format_cards(cards_in(int(mask))) for name, mask in zip(SEAT_NAMES, self._held, strict=True)}
        parts += [f"{name} holds {cards}" for name, cards in held.items() if cards]
        return f"<Dealer, {', '.join([*parts, f'seed {self._seed}'])}>"

    def _seat_of(self, stack: str | SupportsIndex | None, order: list[int]) -> int | None:
        if stack is None:
            return None
        if isinstance(stack, str) and stack == "auto":
            return order[0] if order else None
        seat = seat_number(stack)
        if seat is None:
            raise ArgumentError(f"stack is {quoted(stack)}: it must be north, east, south, west, 'auto' or None")
        return seat

    def _stack_of(self, seat: int, constraint: Constraint | None) -> Stack:
        masks = [int(mask) for mask in self._held]
        return Stack(constraint, masks[seat], sum(masks) - masks[seat])

    def deals(
        self,
        n: SupportsIndex,
        *,
        max_tries: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Progress | None = None,
    ) -> Deals:
        """Random deals: the first `n` accepted ones, as masks of shape (n, 4).

        Parameters
        ----------
        n
            The number of deals, 0 or more.
        max_tries
            The number of tries to make at most. If None, a run ends only if a billion tries have not found one deal.
        threads
            Cores to use; all that the process may use if None.
        progress
            Called from time to time with (deals found, n).

        Returns
        -------
        array
            uint64, in the order north, east, south, west; bit ``13 * suit + rank``.

        Raises
        ------
        ArgumentError
            If an argument is out of range.
        NotFound
            If the tries are not enough.
        """
        return self.sample(n, max_tries=max_tries, threads=threads, progress=progress).deals

    def sample(
        self,
        n: SupportsIndex,
        *,
        max_tries: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Progress | None = None,
    ) -> Sample:
        """The same deals with the number of tries, the cards drawn and the probability of the constraints.

        Examples
        --------
        >>> from foogo.cards.deal import balanced, hcp
        >>> Dealer(south=balanced & hcp(20, 21)).sample(10).probability.value == 3393199716 / 635013559600
        True
        """
        none = np.empty((0, 4), np.uint64)
        parts = list(self._accepted(whole("n", n, 0, 2**40), ALL_SEATS, max_tries, threads, progress))
        _, found, tries, drawn = parts[-1] if parts else _Accepted(none, 0, 0, 0)
        deals = np.concatenate([none, *(part.deals for part in parts)])
        return Sample(deals, tries, drawn, self._probability(found, tries))

    def estimate(
        self,
        function: _Where,
        n: SupportsIndex = 10_000,
        *,
        max_tries: SupportsIndex | None = None,
        threads: SupportsIndex | None = None,
        progress: Progress | None = None,
    ) -> Estimate:
        """The mean of a function of hands over `n` random deals; for a condition, its probability.

        Parameters
        ----------
        function
            A function of hands or its text (see `HandFunction`). It returns a truth value or a number. Only the seats
            that it looks at are dealt.
        n
            The number of deals, at least 2.
        max_tries, threads, progress
            As in `deals`.

        Returns
        -------
        Estimate
            With the Wilson interval for truth values, and the normal interval for numbers.

        Raises
        ------
        ArgumentError
            If an argument is out of range.
        NotFound
            If the tries are not enough.

        Examples
        --------
        >>> from foogo.cards.deal import balanced, hcp
        >>> dealer = Dealer(south=balanced & hcp(20, 21), seed=1)
        >>> share = dealer.estimate(lambda south, north: south.hcp + north.hcp >= 25)
        >>> 0.7 < share.low < share.value < share.high < 0.8
        True
        """
        count, judge = whole("n", n, 2, 2**40), _function(function)
        seats = sum(1 << seat for seat in judge.seats)
        total, squares, is_truth, origin = 0.0, 0.0, True, 0.0
        for deals, found, *_ in self._accepted(count, seats, max_tries, threads, progress):
            values = judge.values(deals)
            is_truth &= values.dtype == np.bool_
            numbers = values.astype(np.float64)
            if found == len(deals):  # the first part: its first number keeps the squares of large numbers small
                origin = float(numbers[0])
            total, squares = total + float(numbers.sum()), squares + float(((numbers - origin) ** 2).sum())
        if is_truth:
            return wilson(total, count)
        mean = total / count
        half = Z95 * math.sqrt(max(0.0, squares / count - (mean - origin) ** 2) / (count - 1))
        return Estimate(mean, mean - half, mean + half)

    def _accepted(
        self,
        count: int,
        seats: int,
        max_tries: SupportsIndex | None,
        threads: SupportsIndex | None,
        progress: Progress | None,
    ) -> Iterator[_Accepted]:
        """The first `count` accepted deals in parts, with `seats` (a set of bits) dealt."""
        workers = worker_count(threads)
        check_progress(progress)
        most = MOST_TRIES if max_tries is None else whole("max_tries", max_tries, 1, MOST_TRIES)
        found = tries = drawn = 0
        for block in Run(self._plan, self._functions, seats, self._seed).blocks(most if count else 0, workers):
            if len(block.deals) >= count - found:
                block = block.cut(count - found)
            found, tries, drawn = found + len(block.deals), tries + block.all_tries, drawn + block.all_drawn
            if progress is not None:
                progress(found, count)
            if len(block.deals):
                yield _Accepted(block.deals, found, tries, drawn)
            if found == count:
                return
            if max_tries is None and not found and tries >= MOST_WITHOUT_DEAL:
                break
        if count:
            raise NotFound(found, count, tries, drawn)

    def _probability(self, found: int, tries: int) -> Estimate:
        """The probability of the constraints: of the stack, times the share of its hands that were accepted."""
        share = self._stack.probability if self._stack else 1.0
        if self._is_exact:
            return Estimate(share, share, share)
        if not tries:
            return Estimate(float("nan"), 0.0, 1.0)
        accepted = wilson(found, tries)
        # The run ended with an accepted try, which is no evidence: the lower end leaves it out.
        low = wilson(found - 1, tries - 1).low if tries > 1 else 0.0
        return Estimate(share * accepted.value, share * low, share * accepted.high)


def _function(function: _Where) -> HandFunction:
    return HandFunction(function_of(function) if isinstance(function, str) else function)
