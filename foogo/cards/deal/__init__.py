"""Random bridge deals that satisfy constraints.

Reading guide. A `Constraint` (`constraints`) is composed of ranges of evaluators (`evaluators`) and sets of shapes
(`shapes`). `Stack` (`stack`) numbers all hands that satisfy one. `program` turns the constraints of the four seats into
tests, which `kernels.dealing` runs; `tries` runs it in parallel blocks. `dealer` puts them together. `pbn` and
`pictures` read and write deals. docs/cards/deal.md is the tutorial.
"""

from foogo.cards.deal.constraints import Constraint, any_of
from foogo.cards.deal.dealer import Dealer, NotFound, Sample
from foogo.cards.deal.evaluators import Evaluator, controls, evaluator, hcp, losers, quick_tricks, suit
from foogo.cards.deal.hand import Hand, cards_of
from foogo.cards.deal.pbn import format_hand, from_pbn, parse_hand, to_pbn
from foogo.cards.deal.pictures import picture, svg
from foogo.cards.deal.shapes import balanced, lengths_of, shape
from foogo.cards.deal.stack import Stack

__all__ = [
    "Constraint",
    "Dealer",
    "Evaluator",
    "Hand",
    "NotFound",
    "Sample",
    "Stack",
    "any_of",
    "balanced",
    "cards_of",
    "controls",
    "evaluator",
    "format_hand",
    "from_pbn",
    "hcp",
    "lengths_of",
    "losers",
    "parse_hand",
    "picture",
    "quick_tricks",
    "shape",
    "suit",
    "svg",
    "to_pbn",
]
