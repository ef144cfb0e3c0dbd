"""Shuffled decks."""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.core.stream import STATE_WORDS, below, next_random, start


@kernel(allocates=True)
def shuffle(seed, first, decks):
    """Fill each row of `decks` (uint8) with the first cards of a shuffled deck; row `i` takes stream ``first + i``."""
    count, cards = decks.shape
    state, deck = np.empty(STATE_WORDS, np.uint32), np.empty(52, np.uint8)
    for row in range(count):
        start(state, seed, first + np.uint64(row))
        for card in range(52):
            deck[card] = card
        for place in range(cards):
            other = place + below(next_random(state), 52 - place)
            card = deck[other]
            deck[other] = deck[place]
            decks[row, place] = card
