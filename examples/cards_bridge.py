"""How often does a contract make? Random deals opposite one hand, solved double dummy, with 95 % intervals.

    python examples/cards_bridge.py
    python examples/cards_bridge.py --deals 1000 --hand 'AQ943.K2.AJ4.Q53'

South holds the hand, north a spade raise with 10 to 12 points. West leads.
"""

from __future__ import annotations

import argparse

from foogo.cards.bridge import tricks
from foogo.cards.deal import Dealer, hcp, suit
from foogo.stats.estimates import wilson

HAND = "AQ943.K2.AJ4.Q53"


def main() -> None:
    """Deal, solve, and print how often spades take 10 tricks, and the distribution of the tricks."""
    parser = argparse.ArgumentParser(description="How often does 4S make?")
    parser.add_argument("--hand", default=HAND, help="south, in PBN")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    raise_of_spades = (suit("S").length == 3) & hcp(10, 12)
    deals = Dealer(north=raise_of_spades, predeal={"south": options.hand}, seed=options.seed).deals(options.deals)
    won = 13 - tricks(deals, "S", "W")
    for level in (4, 3, 5, 6):
        share = wilson(int((won >= 6 + level).sum()), len(won))
        print(f"{level}S makes {share.value:.1%}  [{share.low:.1%}, {share.high:.1%}]")
    print("tricks    " + ", ".join(f"{n}: {int((won == n).sum())}" for n in range(int(won.min()), int(won.max()) + 1)))


if __name__ == "__main__":
    main()
