"""Deals opposite a strong notrump: how often the two hands have the points for a game.

python examples/cards_deal.py
python examples/cards_deal.py --deals 100000 --points 24 --pbn game.pbn
"""

from __future__ import annotations

import argparse
from pathlib import Path

from foogo.cards.deal import Dealer, balanced, hcp, picture, suit, to_pbn


def main() -> None:
    """Print the chance of a game by North's points, then one deal."""
    parser = argparse.ArgumentParser(description="Deals opposite a notrump opening of 15 to 17 points.")
    parser.add_argument("--deals", type=int, default=20_000, help="deals to look at")
    parser.add_argument("--points", type=int, default=25, help="points of both hands that make a game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pbn", type=Path, help="write ten deals with a game to this file")
    options = parser.parse_args()

    no_major = (suit("S").length <= 4) & (suit("H").length <= 4)
    notrump = balanced & hcp(15, 17) & no_major
    dealer = Dealer(south=notrump, seed=options.seed)
    print(f"South opens 1NT with {100 * dealer.sample(0).probability.value:.2f} % of all hands.")

    deals = dealer.deals(options.deals)
    total = hcp.of(deals[:, 0]) + hcp.of(deals[:, 2])
    share = 100 * (total >= options.points).mean()
    print(f"North and South have {options.points} points or more in {share:.1f} % of them.")

    where = f"north.hcp + south.hcp >= {options.points}"
    game = Dealer(south=notrump, north=suit("S").length >= 5, where=where, seed=options.seed)
    print("One with five spades in North:\n")
    print(picture(game.deals(1)[0]))
    if options.pbn:
        options.pbn.write_text(to_pbn(game.deals(10)), encoding="utf-8")


if __name__ == "__main__":
    main()
