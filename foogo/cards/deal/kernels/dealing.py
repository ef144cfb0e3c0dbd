"""Tries: each deals the cards that its tests look at, and stops at the first test that decides.

Try number i under a seed has its own random stream, so it is the same whatever block and thread it runs in. A seat has
its predealt cards until a test looks at it; then the rest of its 13 cards are drawn.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from foogo.core.bits import nth_set, population
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.stream import STATE_WORDS, below, next_random, start

SEATS, HAND, SUIT = 4, 13, 13
HOLDING = np.uint64((1 << SUIT) - 1)
DECK = np.uint64((1 << 52) - 1)

SEAT, TABLE, SUITS, LOW, HIGH, YES, NO = range(7)
"""The columns of `Plan.tests`."""

ACCEPT, REJECT = -1, -2
"""In the columns YES and NO, instead of the next test."""

OF_SHAPE = 0
"""In the column SUITS: look the shape up instead of adding up suits."""


class Rows(NamedTuple):
    """The hands of the stacked seat, numbered: a row has the hands with one group of holdings per suit.

    Row i has the numbers from ``ends[i - 1]`` to ``ends[i] - 1``, and the groups ``groups[i]``. Group g has `sizes[g]`
    holdings from ``holdings[starts[g]]`` on. `guide` has the first row that can contain a number with given high bits.
    """

    groups: Any
    ends: Any
    starts: Any
    sizes: Any
    holdings: Any
    guide: Any
    bits: int
    guide_shift: int


class Plan(NamedTuple):
    """What a try does: the stacked seat (-1 if none) is dealt first, then the tests run from `first_test` on.

    A test adds up the values of a hand's holdings in `SUITS` (a set of bits), from row `TABLE` of `tables`. The next
    test is in column `YES` if the sum is within `LOW` to `HIGH`, else in `NO`.
    """

    held: Any
    tests: Any
    tables: Any
    first_test: int
    stacked: int
    rows: Rows


class Found(NamedTuple):
    """The accepted tries: hands so far, random state, number, and cards drawn until then since the first try."""

    deals: Any
    states: Any
    numbers: Any
    drawn: Any


def found_arrays(count: int) -> Found:
    """Room for `count` accepted tries."""
    return Found(
        np.empty((count, SEATS), np.uint64),
        np.empty((count, STATE_WORDS), np.uint32),
        np.empty(count, np.int64),
        np.empty(count, np.int64),
    )


@kernel(inline=True)
def fill(hand, pool, state):
    """`hand` with 13 cards, the missing ones drawn from `pool`, which must have enough."""
    missing, left = HAND - population(hand), population(pool)
    if missing == left:
        return hand | pool
    for _ in range(missing):
        place = nth_set(pool, below(next_random(state), left))
        card = np.uint64(1) << np.uint64(place)
        hand |= card
        pool ^= card
        left -= 1
    return hand


@kernel(inline=True)
def draw_stacked(rows, state):
    """A uniformly random hand of `rows`: a number below their total, and the hand with this number."""
    number = rows.ends[-1]
    while number >= rows.ends[-1]:
        high, low = np.uint64(next_random(state)), np.uint64(next_random(state))
        number = np.int64(((high << np.uint64(32)) | low) >> np.uint64(64 - rows.bits))
    row = np.int64(rows.guide[number >> rows.guide_shift])
    while rows.ends[row] <= number:
        row += 1
    if row:
        number -= rows.ends[row - 1]
    hand = np.uint64(0)
    for suit in range(4):
        group = rows.groups[row, suit]
        rest = number // rows.sizes[group]
        holding = rows.holdings[rows.starts[group] + number - rest * rows.sizes[group]]
        hand |= np.uint64(holding) << np.uint64(SUIT * suit)
        number = rest
    return hand


@kernel(inline=True)
def value_of(plan, test, hand):
    """The value that a test compares."""
    table, suits = plan.tests[test, TABLE], plan.tests[test, SUITS]
    if suits == OF_SHAPE:
        lengths = 0
        for suit in range(3):
            lengths |= population((hand >> np.uint64(SUIT * suit)) & HOLDING) << 4 * suit
        return np.int64(plan.tables[table, lengths])
    total = np.int64(0)
    for suit in range(4):
        if suits >> suit & 1:
            total += plan.tables[table, np.int64((hand >> np.uint64(SUIT * suit)) & HOLDING)]
    return total


@kernel(allocates=True, announce=Compilation("deals", 8, 3))
def search(plan, seed, first, count, wanted, found):
    """Make tries number `first` to ``first + count - 1``; fill `found`, which must have room for all of them.

    Returns
    -------
    accepted, drawn
        Accepted tries, and cards drawn in all tries until they were decided. The seats in `wanted` (a set of bits)
        of an accepted try are then dealt too; their cards are not counted.
    """
    state, hands = np.empty(STATE_WORDS, np.uint32), np.empty(SEATS, np.uint64)
    accepted, drawn = 0, 0
    undealt = DECK
    for seat in range(SEATS):
        undealt &= ~plan.held[seat]
    for number in range(first, first + count):
        start(state, seed, np.uint64(number))
        for seat in range(SEATS):
            hands[seat] = plan.held[seat]
        pool = undealt
        if plan.stacked >= 0:
            hands[plan.stacked] = draw_stacked(plan.rows, state)
            drawn += population(hands[plan.stacked] & pool)
            pool &= ~hands[plan.stacked]
        test = plan.first_test
        while test >= 0:
            seat = plan.tests[test, SEAT]
            if population(hands[seat]) < HAND:
                drawn += HAND - population(hands[seat])
                hands[seat] = fill(hands[seat], pool, state)
                pool &= ~hands[seat]
            value = value_of(plan, test, hands[seat])
            passes = plan.tests[test, LOW] <= value <= plan.tests[test, HIGH]
            test = plan.tests[test, YES] if passes else plan.tests[test, NO]
        if test == ACCEPT:
            for seat in range(SEATS):
                if wanted >> seat & 1 and population(hands[seat]) < HAND:
                    hands[seat] = fill(hands[seat], pool, state)
                    pool &= ~hands[seat]
                found.deals[accepted, seat] = hands[seat]
            for word in range(STATE_WORDS):
                found.states[accepted, word] = state[word]
            found.numbers[accepted] = number
            found.drawn[accepted] = drawn
            accepted += 1
    return accepted, drawn


@kernel
def deal_seats(wanted, deals, states, drawn):
    """Deal the seats in `wanted` of accepted tries; `drawn` receives the number of cards drawn for each."""
    for i in range(len(deals)):
        pool = DECK
        for seat in range(SEATS):
            pool &= ~deals[i, seat]
        left = population(pool)
        for seat in range(SEATS):
            if wanted >> seat & 1 and population(deals[i, seat]) < HAND:
                deals[i, seat] = fill(deals[i, seat], pool, states[i])
                pool &= ~deals[i, seat]
        drawn[i] = left - population(pool)
