"""Poker: ranks of hands, shuffled decks, and equity.

A hand's rank counts the classes of five-card hands from 1, the royal flush, to 7462. docs/cards/poker.md has a
tutorial and explains the tables.

Examples
--------
>>> from foogo.cards import poker
>>> poker.rank("9c Tc 6c 9d 5d")
4601
>>> poker.describe(4601)
'pair of nines'
"""

from foogo.cards.poker.cactus import cactus_rank, from_cactus, to_cactus
from foogo.cards.poker.classes import Category, category, describe
from foogo.cards.poker.equity import Equity, equity
from foogo.cards.poker.ranges import parse_range
from foogo.cards.poker.ranking import best_five, rank, shuffled_decks

__all__ = [
    "Category",
    "Equity",
    "best_five",
    "cactus_rank",
    "category",
    "describe",
    "equity",
    "from_cactus",
    "parse_range",
    "rank",
    "shuffled_decks",
    "to_cactus",
]
