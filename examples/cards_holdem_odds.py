"""How often each starting hand of hold'em wins against random hands: the best and the worst, with 95 % intervals.

    python examples/cards_holdem_odds.py
    python examples/cards_holdem_odds.py --opponents 5 --deals 1000000

All hands come from the same random deals. Every step works on the arrays of all deals at once.
"""

from __future__ import annotations

import argparse

import numpy as np

from foogo.cards.card import RANKS
from foogo.cards.poker import rank, shuffled_decks
from foogo.stats.estimates import wilson


def main() -> None:
    """Deal, find the winners, and print a row for the best and the worst starting hands."""
    parser = argparse.ArgumentParser(description="Equity of starting hands against random hands.")
    parser.add_argument("--opponents", type=int, default=1)
    parser.add_argument("--deals", type=int, default=2_000_000)
    parser.add_argument("--rows", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    players = options.opponents + 1
    decks = shuffled_decks(options.deals, cards=5 + 2 * players, seed=options.seed)
    board, holdings = decks[:, :5], decks[:, 5:].reshape(-1, players, 2)
    hands = np.concatenate([np.broadcast_to(board[:, None], (len(decks), players, 5)), holdings], axis=2)
    ranks = rank(hands)
    winners = ranks == ranks.min(axis=1, keepdims=True)
    pots = winners / winners.sum(axis=1, keepdims=True)

    low, high = np.sort(holdings.astype(np.int64) % 13, axis=2).transpose(2, 0, 1)
    suited = holdings[..., 0] // 13 == holdings[..., 1] // 13
    kinds = (13 * high + low) * 2 + suited
    deals, won = (np.bincount(kinds.ravel(), weights, 338) for weights in (None, pots.ravel()))
    order = sorted((kind for kind in range(338) if deals[kind]), key=lambda kind: -won[kind] / deals[kind])
    for kind in order[: options.rows] + order[-options.rows :]:
        share = wilson(won[kind], int(deals[kind]))
        pair, is_suited = divmod(kind, 2)
        name = RANKS[pair // 13] + RANKS[pair % 13]
        suits = "" if name[0] == name[1] else "s" if is_suited else "o"
        print(f"{name + suits:4} {100 * share.value:5.1f} %  [{100 * share.low:.1f}, {100 * share.high:.1f}]")


if __name__ == "__main__":
    main()
