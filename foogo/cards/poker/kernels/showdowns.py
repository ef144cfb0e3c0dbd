"""Showdowns of many deals: all of them, or a sample.

Totals are int64[players, players]: ``totals[p, k]`` counts the deals in which player `p` has the best hand together
with `k` others. The key of a hand is the sum of the keys of its cards, as in `ranks`, so a hand and a board are one
addition.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.cards.poker.kernels.ranks import START, pointers_to, rank_of
from foogo.core.bits import lowest
from foogo.core.jit import kernel
from foogo.core.stream import STATE_WORDS, below, next_random, start

TRIALS = 4096
"""The trials of a sample that share one random stream."""


class Situation(NamedTuple):
    """What a sample draws from."""

    holdings: np.ndarray
    """The masks of all holdings of all players, uint64."""
    first: np.ndarray
    """Where the holdings of each player begin, and the end, int64[players + 1]."""
    draws: np.ndarray
    """The cards that each player draws, int64[players]."""
    board: np.uint64
    """The known cards of the board."""
    dead: np.uint64
    """The cards that nobody can get."""
    missing: int
    """The unknown cards of the board."""


@kernel(inline=True)
def _key_of(pointers, mask):
    key, rest = np.uint64(0), mask
    while rest != 0:
        key += pointers.keys[lowest(rest)]
        rest &= rest - np.uint64(1)
    return key


@kernel(inline=True)
def _settle(ranks, weight, totals):
    """Add a showdown to the totals: the lowest rank wins."""
    players = len(ranks)
    best, winners = ranks[0], 0
    for player in range(1, players):
        best = min(best, ranks[player])
    for player in range(players):
        winners += ranks[player] == best
    for player in range(players):
        totals[player, winners - 1] += weight * (ranks[player] == best)


@kernel(allocates=True)
def enumerate_deals(tables, hands, weights, receives, missing, dead, totals):
    """Play every showdown of some starts: all combinations of `missing` cards from the rest of the deck.

    The start `i` gives each player the cards ``hands[i]`` (masks) and counts `weights[i]` times. The combination goes
    to every player whom `receives` marks with 1.
    """
    pointers = pointers_to(tables)
    players = hands.shape[1]
    ranks = np.empty(players, np.int64)
    hand_keys = np.empty(players, np.uint64)
    bits, keys = np.empty(52, np.uint64), np.empty(52, np.uint64)
    masks, sums = np.zeros(missing + 1, np.uint64), np.zeros(missing + 1, np.uint64)
    places = np.zeros(missing + 1, np.int64)
    for row in range(len(hands)):
        used = dead
        for player in range(players):
            used |= hands[row, player]
            hand_keys[player] = START + _key_of(pointers, hands[row, player])
        size = 0
        for card in range(52):
            bit = np.uint64(1) << np.uint64(card)
            if used & bit == 0:
                bits[size], keys[size] = bit, pointers.keys[card]
                size += 1
        depth = 0  # cards chosen so far; places[depth] is the next one to choose
        places[0] = 0
        while depth >= 0:
            if depth == missing:
                for player in range(players):
                    key = hand_keys[player] + sums[depth] * receives[player]
                    mask = hands[row, player] | masks[depth] * receives[player]
                    ranks[player] = rank_of(pointers, key, mask)
                _settle(ranks, weights[row], totals)
                depth -= 1
            elif places[depth] > size - (missing - depth):
                depth -= 1
            else:
                place = places[depth]
                places[depth] = place + 1
                masks[depth + 1] = masks[depth] | bits[place]
                sums[depth + 1] = sums[depth] + keys[place]
                places[depth + 1] = place + 1
                depth += 1


@kernel(allocates=True)
def sample_deals(tables, situation, seed, number, totals):
    """Play the showdowns of `TRIALS` random deals with the stream `number` of `seed`; the number of those that count.

    Holdings are drawn independently. A deal in which they share a card does not count, so all possible deals are
    equally likely.
    """
    pointers = pointers_to(tables)
    holdings, first, draws = situation.holdings, situation.first, situation.draws
    players = len(draws)
    ranks, hands = np.empty(players, np.int64), np.empty(players, np.uint64)
    state = np.empty(STATE_WORDS, np.uint32)
    start(state, seed, number)
    counted = 0
    for _ in range(TRIALS):
        used = situation.board | situation.dead
        player = 0
        while player < players:
            size = first[player + 1] - first[player]
            holding = holdings[first[player] + below(next_random(state), size)]
            if holding & used != 0:
                break
            used |= holding
            hands[player] = holding
            player += 1
        if player < players:
            continue
        counted += 1
        rest = used
        board, used = situation.board, _draw(state, used, situation.missing)
        board |= used ^ rest
        for player in range(players):
            rest = used
            used = _draw(state, used, draws[player])
            mask = hands[player] | board | (used ^ rest)
            ranks[player] = rank_of(pointers, START + _key_of(pointers, mask), mask)
        _settle(ranks, 1, totals)
    return counted


@kernel(inline=True)
def _draw(state, used, count):
    """The used cards and `count` random others."""
    for _ in range(count):
        bit = np.uint64(1) << np.uint64(below(next_random(state), 52))
        while used & bit != 0:
            bit = np.uint64(1) << np.uint64(below(next_random(state), 52))
        used |= bit
    return used
