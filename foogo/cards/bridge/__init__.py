"""Double dummy: how many tricks each side takes in bridge when everybody sees all cards.

Reading guide. `solving` has the entry points: `solve` a position, `tricks` and `tables` of many deals. `positions`
reads and checks deals, seats, strains and the cards played. `scoring` has scores and `par`, and `leads` averages over
random deals. `kernels.search` is the search itself. docs/cards/bridge.md is the tutorial.
"""

from foogo.cards.bridge.leads import Lead, leads
from foogo.cards.bridge.positions import STRAINS
from foogo.cards.bridge.scoring import Par, par, score
from foogo.cards.bridge.solving import Solution, solve, table, tables, tricks

__all__ = [
    "STRAINS",
    "Lead",
    "Par",
    "Solution",
    "leads",
    "par",
    "score",
    "solve",
    "table",
    "tables",
    "tricks",
]
