"""Solving: from cards to the search's memory, and from its yes-or-no answers to numbers of tricks."""

from __future__ import annotations

import numpy as np

from foogo.cards.bridge.kernels.layout import (
    ALL,
    CARDS,
    LANE,
    LEADER,
    LEVEL_WORDS,
    NOTRUMP,
    PATTERN_BITS,
    RANKS,
    SEATS,
    SHAPE,
    SLOT_BITS,
    SUITS,
    count,
    length,
    open_memory,
    pattern_of,
    suit_of,
)
from foogo.cards.bridge.kernels.search import can_take, finish_trick, put_on_table, set_shape
from foogo.cards.bridge.kernels.table import forget
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel

HIGH_CARDS = 4
"""How many cards of a suit count for the first guess."""

MOST_SLOT_BITS = 18
"""The logarithm of the slots that a full deal uses."""


@kernel
def lay_out(memory, hands):
    """Put the hands of a deal on level 0, with ranks renumbered, and make the patterns of all their subsets."""
    for seat in range(SEATS):
        memory.hands[seat] = 0
    for suit in range(SUITS):
        cards = 0
        for seat in range(SEATS):
            cards |= np.int64(hands[seat]) >> RANKS * suit & LANE
        place, rank = 8192 * suit, 0
        memory.patterns[place] = 0
        while cards:
            bit = cards & -cards
            cards ^= bit
            owner = 0
            for seat in range(1, SEATS):
                if np.int64(hands[seat]) >> RANKS * suit & bit:
                    owner = seat
            memory.hands[owner] |= 1 << 16 * suit + rank
            # A new highest card goes in front of all sets of lower ones.
            for ranks in range(1 << rank):
                with_it = memory.patterns[place + ranks] >> 2 | owner << PATTERN_BITS - 2
                memory.patterns[place + (1 << rank | ranks)] = with_it
            rank += 1
    set_shape(memory, 0)


@kernel
def search_tricks(memory, trump, tricks, start, guess, techniques):
    """How many tricks north and south win from a node on: yes-or-no searches, the first at a guess."""
    lower, upper = 0, tricks - (start >> 2)
    while lower < upper:
        needed = min(max(guess, lower + 1), upper)
        if can_take(memory, trump, tricks, start, needed, techniques):
            lower, guess = needed, needed + 1
        else:
            upper, guess = needed - 1, needed - 1
    return lower


@kernel(inline=True)
def _guess(memory, trump, tricks):
    """Tricks of north and south, estimated by high cards and trumps; the numbers fit 60 random deals best."""
    place, points, trumps = 0, 0, 0
    for suit in range(SUITS):
        pattern = pattern_of(memory, memory.levels[place + CARDS], suit)
        cards = count(suit_of(memory.levels[place + CARDS], suit))
        for high in range(min(HIGH_CARDS, cards)):
            points += (HIGH_CARDS - high) * (1 - (pattern >> PATTERN_BITS - 2 - 2 * high & 1) * 2)
    if trump != NOTRUMP:
        for seat in range(SEATS):
            trumps += length(memory.levels[place + SHAPE], seat, trump) * (1 - (seat & 1) * 2)
    return int(tricks * (0.5 + 0.22 / 13 * points) + 0.53 * trumps + 0.5)


@kernel(inline=True)
def _begin(memory, hands):
    """Lay a deal out; returns its number of tricks. Few tricks use a small part of the table: it stays in the cache."""
    lay_out(memory, hands)
    tricks = count(memory.hands[0])
    bits = MOST_SLOT_BITS if tricks > 10 else 15 if tricks > 8 else 12 if tricks > 5 else 10
    while 2 << bits > memory.slot_words:
        bits -= 1
    memory.state[SLOT_BITS] = bits
    return tricks


@kernel(announce=Compilation("the double-dummy search", 8, 10))
def solve_all(arrays, deals, trumps, leaders, techniques, results):
    """Solve each deal for all trumps and leaders: ``results[i, j, k]`` are the tricks of the leader's side."""
    memory = open_memory(arrays)
    for i in range(deals.shape[0]):
        tricks = _begin(memory, deals[i])
        for j in range(trumps.shape[0]):
            forget(memory)
            guess = _guess(memory, trumps[j], tricks)
            for k in range(leaders.shape[0]):
                memory.levels[LEADER] = leaders[k]
                guess = search_tricks(memory, trumps[j], tricks, 0, guess, techniques)
                results[i, j, k] = tricks - guess if leaders[k] & 1 else guess


@kernel(inline=True)
def _renumbered(memory, deal, card):
    """A card, ``13 * suit + rank``, as the search numbers it: by how many lower cards of its suit are left."""
    suit, lower = card // RANKS, 0
    for seat in range(SEATS):
        lower += count(np.int64(deal[seat]) >> RANKS * suit & (1 << card - RANKS * suit) - 1)
    return suit << 4 | lower


@kernel(announce=Compilation("the double-dummy search", 8, 10))
def solve_cards(arrays, deals, trump, leader, cards, turn, results):
    """Solve each deal after each of some cards.

    The first `turn` of `cards` are on the table. ``results[i, j]`` are the tricks that a side wins from this trick on
    if it plays number j of the rest.
    """
    memory = open_memory(arrays)
    for i in range(deals.shape[0]):
        tricks = _begin(memory, deals[i])
        forget(memory)
        memory.levels[LEADER] = leader
        for j in range(turn):
            card = _renumbered(memory, deals[i], cards[j])
            put_on_table(memory, j, card, card, trump)
        guess = _guess(memory, trump, tricks)
        for j in range(turn, cards.shape[0]):
            card, won = _renumbered(memory, deals[i], cards[j]), 0
            put_on_table(memory, turn, card, card, trump)
            if turn == 3:
                finish_trick(memory, 0)
                won = 1 - (memory.levels[LEVEL_WORDS + LEADER] & 1)
            guess = won + search_tricks(memory, trump, tricks, turn + 1, guess - won, ALL)
            results[i, j - turn] = tricks - guess if leader + turn & 1 else guess
