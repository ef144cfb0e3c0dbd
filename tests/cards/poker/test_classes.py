"""The classes of hands and their names, against the text."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import pytest

from foogo import ArgumentError
from foogo.cards.poker import Category, category, describe, rank
from foogo.cards.poker.classes import CLASSES, hand_classes
from tests.cards.poker.all_hands import combinations_of

CLASS_TABLE = {
    Category.STRAIGHT_FLUSH: (40, 10),
    Category.FOUR_OF_A_KIND: (624, 156),
    Category.FULL_HOUSE: (3744, 156),
    Category.FLUSH: (5108, 1277),
    Category.STRAIGHT: (10200, 10),
    Category.THREE_OF_A_KIND: (54912, 858),
    Category.TWO_PAIR: (123552, 858),
    Category.PAIR: (1098240, 2860),
    Category.HIGH_CARD: (1302540, 1277),
}
"""Hands and classes of each category."""

LAST_RANKS = [10, 166, 322, 1599, 1609, 2467, 3325, 6185, 7462]


def test_the_table_of_classes() -> None:
    hands = np.bincount(rank(combinations_of(5)), minlength=CLASSES + 1)
    assert len(hands) == CLASSES + 1
    assert hands[0] == 0
    assert (hands[1:] > 0).all()
    categories = category(np.arange(1, CLASSES + 1))
    for one, counts in CLASS_TABLE.items():
        assert (hands[1:][categories == one].sum(), (categories == one).sum()) == counts
    assert hands.sum() == 2_598_960


def test_the_last_rank_of_each_category() -> None:
    ends = [list(ranks)[-1] for _, ranks in groupby(range(1, CLASSES + 1), category)]
    assert ends == LAST_RANKS


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As Ks Qs Js Ts", "royal flush"),
        ("Ad 2d 3d 4d 5d", "five-high straight flush"),
        ("6c 6d 6h 6s 2c", "four sixes"),
        ("Ac Ad Ah Ks Kc", "aces full of kings"),
        ("Kh Jh 9h 4h 2h", "king-high flush"),
        ("9c Td Jh Qs Kc", "king-high straight"),
        ("7c 7d 7h 2s 9c", "three sevens"),
        ("Tc Td 2h 2s 9c", "two pair, tens and deuces"),
        ("9c Tc 6c 9d 5d", "pair of nines"),
        ("7c 5d 4h 3s 2c", "seven high"),
    ],
)
def test_descriptions(hand: str, words: str) -> None:
    assert describe(rank(hand)) == words


def test_classes_of_one_category_have_different_ranks() -> None:
    assert len(set(hand_classes())) == CLASSES


@pytest.mark.parametrize("wrong", [0, 7463, -1, 1.5, "pair", [1, 0], True])
def test_wrong_ranks(wrong: object) -> None:
    with pytest.raises(ArgumentError, match="ranks are whole numbers from 1"):
        category(wrong)  # type: ignore[call-overload]
    with pytest.raises(ArgumentError, match="whole number"):
        describe(wrong)  # type: ignore[arg-type]


def test_rows_of_ranks_are_equally_long() -> None:
    with pytest.raises(ArgumentError, match="the rows of an array of ranks need the same length"):
        category([[1], [2, 3]])  # type: ignore[call-overload]


def test_one_rank_at_a_time_has_words() -> None:
    with pytest.raises(ArgumentError, match="rank is array.*: it must be a whole number from 1 to 7462"):
        describe(np.array([3, 4]))
