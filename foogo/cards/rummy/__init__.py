"""Rummy: the best melds of a hand, all meldings, and why a hand is hard."""

from foogo.cards.rummy.best import Meldings, best_meldings, best_melds
from foogo.cards.rummy.explanations import FLAGS, ControlPoint, control_points, flags, islands
from foogo.cards.rummy.hands import JOKER, grid
from foogo.cards.rummy.meldings import Meld, Melding, combos, melds

__all__ = [
    "FLAGS",
    "JOKER",
    "ControlPoint",
    "Meld",
    "Melding",
    "Meldings",
    "best_meldings",
    "best_melds",
    "combos",
    "control_points",
    "flags",
    "grid",
    "islands",
    "melds",
]
