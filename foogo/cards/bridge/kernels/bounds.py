"""Tricks that need no search: quick tricks of the side on lead, and tricks that its opponents are sure to win later."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.cards.bridge.kernels.layout import NOTRUMP, PATTERN, PATTERN_BITS, SEATS, SUITS, length
from foogo.core.bits import highest
from foogo.core.jit import kernel

EVERY_CARD = PATTERN // 3
"""The pattern 01 01 01 …: times a seat, the pattern of a suit that this seat holds alone."""


@kernel(inline=True)
def _run(pattern, seat):
    """How many of the first cards of a pattern a seat holds; bits after the pattern count as cards of seat 0."""
    different = (pattern ^ seat * EVERY_CARD) & PATTERN
    return (PATTERN_BITS - 1 - highest(np.uint64(different | 1))) >> 1


MOST_SINGLE = 9
"""Cards of the longest suit that is analysed alone."""


class Level(NamedTuple):
    """A position between two tricks, without the ranks that decide nothing."""

    leader: int
    shape: int
    low: int
    """The patterns of clubs and diamonds."""
    high: int
    """The patterns of hearts and spades."""


@kernel(inline=True)
def _pattern(level, suit):
    return (level.low if suit < 2 else level.high) >> PATTERN_BITS * (suit & 1) & PATTERN


@kernel(inline=True)
def quick_tricks(level, trump, tricks, goal):
    """Tricks that the side on lead can win at once, and the top cards that this needs (a nibble per suit).

    The leader cashes winners, the trumps first. Then it may cross to its partner, who cashes as well. A trick counts
    only if each opponent follows suit or has no trumps. Neither hand of the side has to discard a winner: each has as
    many cards as there are tricks. But it may have to ruff if it has too many trumps, so these limit the result.
    """
    leader, shape = level.leader, level.shape
    left, partner, right = leader + 1 & 3, leader ^ 2, leader + 3 & 3
    own, both, own_tops, tops = 0, 0, 0, 0
    crosses = False
    left_trumps, right_trumps, spare, both_spare = 0, 0, 0, 0
    if trump != NOTRUMP:
        left_trumps, right_trumps = length(shape, left, trump), length(shape, right, trump)
    for turn in range(SUITS):
        suit = turn
        if trump != NOTRUMP:
            suit = trump if turn == 0 else turn - 1 if turn <= trump else turn
        pattern = _pattern(level, suit)
        mine, hers = length(shape, leader, suit), length(shape, partner, suit)
        theirs = max(length(shape, left, suit), length(shape, right, suit))
        most = 13
        if suit != trump:
            if left_trumps > 0:
                most = length(shape, left, suit)
            if right_trumps > 0:
                most = min(most, length(shape, right, suit))
        run = min(_run(pattern, leader), mine)
        cashed = mine if run >= theirs and run >= hers else run
        cashed = min(cashed, most)
        if suit != trump and own + cashed >= goal and tricks - spare >= goal:
            needed = min(min(run, goal - own), max(theirs, hers))
            return goal, own_tops | needed << 4 * suit
        needed = min(min(run, cashed), max(theirs, hers))
        own += cashed
        own_tops |= needed << 4 * suit
        rest, against, last = max(0, hers - cashed), max(0, theirs - cashed), mine - cashed
        answered = 0
        if run <= cashed:
            more = min(_run(pattern << 2 * run, partner), rest)
            answered = rest if more >= against and more >= last else more
            answered = min(answered, most - cashed)
            if answered > 0:
                crosses |= more > 0 and last > 0
                both += answered
                decisive = min(min(more, answered), max(against, last))
                if decisive > 0:
                    needed = run + decisive
        tops |= needed << 4 * suit
        if suit == trump:
            left_trumps = max(0, left_trumps - cashed)
            right_trumps = max(0, right_trumps - cashed)
            spare = rest
            both_spare = max(rest - answered, last - answered)
        if crosses and own + both >= goal and tricks - both_spare >= goal:
            return goal, tops
    if crosses:
        return max(0, min(own + both, tricks - both_spare)), tops
    return max(0, min(own, tricks - spare)), own_tops


@kernel(inline=True)
def _single_suit(memory, level, suit):
    """Tricks in one suit of up to `MOST_SINGLE` cards, four numbers of four bits; 0 for longer suits.

    The tricks that the leader's side wins in a row if it only leads this suit, and how many of the highest cards of the
    suit this depends on; the same if the leader must then be on lead.
    """
    leader, shape, number = level.leader, level.shape, 0
    for seat in range(SEATS):
        number += length(shape, seat, suit)
    if number > MOST_SINGLE:
        return 0
    # owners counted from the leader on: two bits each are added, without a carry into the next owner
    pattern, turn = _pattern(level, suit), (4 - leader & 3) * EVERY_CARD
    owners = (pattern & EVERY_CARD) + (turn & EVERY_CARD) ^ (pattern ^ turn) & EVERY_CARD << 1
    return np.int64(memory.single_suits[1 << 2 * number | (owners & PATTERN) >> PATTERN_BITS - 2 * number])


@kernel(inline=True)
def single_suit_tricks(memory, level, tricks, goal):
    """Without trumps: `goal` and the top cards that it needs if one suit and other winners of the leader suffice, or 0.

    If the one suit leaves the lead with the partner, it comes last: then the partner needs enough other cards to
    discard before. Opponents gain nothing by discarding cards of the suit.
    """
    leader, shape = level.leader, level.shape
    left, partner, right = leader + 1 & 3, leader ^ 2, leader + 3 & 3
    own, own_tops, each = 0, 0, 0
    for suit in range(SUITS):
        mine, hers = length(shape, leader, suit), length(shape, partner, suit)
        theirs = max(length(shape, left, suit), length(shape, right, suit))
        run = min(_run(_pattern(level, suit), leader), mine)
        cashed = mine if run >= theirs and run >= hers else run
        own += cashed
        own_tops |= min(run, max(theirs, hers)) << 4 * suit
        each |= cashed << 4 * suit
    for suit in range(SUITS):
        mine, hers, rest = length(shape, leader, suit), length(shape, partner, suit), own - (each >> 4 * suit & 15)
        if mine == 0 or hers == 0 or rest + max(mine, hers) < goal:
            continue
        about = _single_suit(memory, level, suit)
        sure, kept, tops = about & 15, about >> 8 & 15, own_tops & ~(15 << 4 * suit)
        if kept + rest >= goal and kept + rest <= tricks:
            return goal, tops | about >> 12 << 4 * suit
        if sure + rest >= goal and rest <= tricks - hers:
            return goal, tops | (about >> 4 & 15) << 4 * suit
    return 0, 0


@kernel(inline=True)
def _later_without_trumps(level, tricks):
    """One trick if the leader's side cannot win all: it has too few tricks in the suits whose highest card it holds.

    Then it has to lead another suit, whose highest card an opponent holds. An opponent with only one such card keeps it
    and wins the trick. An opponent with two could be squeezed, unless the next lead already is of such a suit.
    """
    leader, shape = level.leader, level.shape
    most, tops, held, at_once, squeezed = 0, 0, 0, True, False
    for suit in range(SUITS):
        first = _pattern(level, suit) >> PATTERN_BITS - 2
        mine, hers = length(shape, leader, suit), length(shape, leader ^ 2, suit)
        theirs = length(shape, leader + 1 & 3, suit) + length(shape, leader + 3 & 3, suit)
        if theirs == 0 or (first ^ leader) & 1 == 0:
            most += max(mine, hers)
            at_once &= mine == 0
        elif mine + hers > 0:
            tops |= 1 << 4 * suit
            squeezed |= held >> first & 1 == 1
            held |= 1 << first
    if at_once or (most < tricks and not squeezed):
        return 1, tops
    return 0, 0


@kernel(inline=True)
def later_tricks(level, trump, tricks):
    """Tricks that the opponents of the leader are sure to win in the end, and the top cards that this needs.

    With trumps, these are the highest trumps, or the second highest behind the highest with another trump.
    """
    leader, shape = level.leader, level.shape
    ours, theirs, longest = 0, 0, 0
    if trump != NOTRUMP:
        left, right = length(shape, leader + 1 & 3, trump), length(shape, leader + 3 & 3, trump)
        ours, theirs = length(shape, leader, trump) + length(shape, leader ^ 2, trump), left + right
        longest = max(left, right)
    if ours + theirs == 0:
        return _later_without_trumps(level, tricks)
    if theirs == 0:
        return 0, 0
    if ours == 0:
        return longest, 0
    pattern = _pattern(level, trump)
    # bit 0 of a seat is its side
    different = (pattern ^ (leader + 1 & 1) * EVERY_CARD) & EVERY_CARD
    run = min((PATTERN_BITS - 1 - highest(np.uint64(different << 1 | 1))) >> 1, theirs)
    if run > 0:
        sure = min(run, longest)
        return sure, sure << 4 * trump
    first, second = pattern >> PATTERN_BITS - 2, pattern >> PATTERN_BITS - 4 & 3
    if second == (first + 1 & 3) and length(shape, second, trump) >= 2:
        return 1, 2 << 4 * trump
    return 0, 0
