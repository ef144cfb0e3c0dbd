"""Solving: from cards to the search's memory, and from its yes and no to numbers of tricks."""

from __future__ import annotations

import numpy as np

from foogo.cards.bridge.kernels.layout import (
    LANE,
    LEADER,
    LEVEL_WORDS,
    PATTERN_BITS,
    RANKS,
    SEATS,
    SHAPE,
    SLOT_BITS,
    SUITS,
    bottom,
    count,
)
from foogo.cards.bridge.kernels.search import can_take, set_shape
from foogo.cards.bridge.kernels.table import forget
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel


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
def search_tricks(memory, trump, tricks, lower, upper, guess, techniques):
    """How many tricks north and south win, from `lower` to `upper`, by searches with an empty window."""
    while lower < upper:
        needed = min(max(guess, lower + 1), upper)
        if can_take(memory, trump, tricks, needed, techniques):
            lower, guess = needed, needed + 1
        else:
            upper, guess = needed - 1, needed - 1
    return lower


@kernel(announce=Compilation("the double-dummy search", 8, 10))
def solve_all(memory, deals, trumps, leaders, techniques, results):
    """Solve deals: `trumps` and `leaders` list what to solve for each; ``results[i, j, k]`` are the leader's tricks."""
    for i in range(deals.shape[0]):
        lay_out(memory, deals[i])
        tricks = count(memory.hands[0])
        memory.state[SLOT_BITS] = 18 if tricks > 10 else 15 if tricks > 8 else 12 if tricks > 5 else 10
        for j in range(trumps.shape[0]):
            forget(memory)
            guess = (tricks + 1) // 2
            for k in range(leaders.shape[0]):
                memory.levels[LEADER] = leaders[k]
                ours = search_tricks(memory, trumps[j], tricks, 0, tricks, guess, techniques)
                guess = ours
                results[i, j, k] = tricks - ours if leaders[k] & 1 else ours
