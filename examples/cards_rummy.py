"""How good is a dealt hand of gin rummy? Its deadwood, and the chance to knock at once, with 95 % intervals.

    python examples/cards_rummy.py
    python examples/cards_rummy.py --cards 13 --hands 200000

All hands are melded in one call.
"""

from __future__ import annotations

import argparse

from foogo.cards.poker import shuffled_decks
from foogo.cards.rummy import best_meldings, grid
from foogo.stats.estimates import wilson

KNOCK = 10
"""The most deadwood with which a player may knock."""


def main() -> None:
    """Deal, meld, and print the shares and the best hand."""
    parser = argparse.ArgumentParser(description="Deadwood of dealt hands of gin rummy.")
    parser.add_argument("--cards", type=int, default=10)
    parser.add_argument("--hands", type=int, default=2_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    run = best_meldings(grid(shuffled_decks(options.hands, cards=options.cards, seed=options.seed)))
    mean, error = run.deadwood.mean(), run.deadwood.std() / options.hands**0.5
    print(f"mean deadwood {mean:.2f} ±{1.96 * error:.2f}")
    for label, limit in (("gin", 0), ("can knock", KNOCK)):
        share = wilson(int((run.deadwood <= limit).sum()), options.hands)
        print(f"{label:9} {share.value:.4%}  [{share.low:.4%}, {share.high:.4%}]")
    print(f"best hand {run[int(run.deadwood.argmin())]}")


if __name__ == "__main__":
    main()
