"""Cactus Kev's integers, tables and ranks, against the text and against `rank`."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from foogo import FoogoError
from foogo.cards.card import parse_cards
from foogo.cards.poker import cactus_rank, from_cactus, rank, to_cactus
from foogo.cards.poker.cactus import cactus_tables
from tests.cards.poker.all_hands import combinations_of

PRIMES = dict(zip("23456789TJQKA", (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41), strict=True))
SUITS = {"c": 0x8000, "d": 0x4000, "h": 0x2000, "s": 0x1000}


def test_all_52_integers() -> None:
    deck = [rank + suit for suit in SUITS for rank in PRIMES]
    integers = [
        PRIMES[rank] | number << 8 | bits | 1 << (16 + number)
        for bits in SUITS.values()
        for number, rank in enumerate(PRIMES)
    ]
    assert to_cactus(parse_cards(" ".join(deck))).tolist() == integers
    assert from_cactus(integers).tolist() == list(range(52))
    assert (integers[0], integers[51]) == (98306, 268442665)


def test_the_hand_of_the_text() -> None:
    hand = to_cactus(parse_cards("9c Tc 6c 9d 5d"))
    assert cactus_rank(hand) == rank(hand) == 4601
    assert rank(np.array(["9c Tc 6c 9d 5d"], object)).tolist() == [4601]


def test_tables_have_the_sizes_of_the_text_and_no_collision() -> None:
    tables = cactus_tables()
    assert [len(table) for table in tables] == [7937, 7937, 8192, 512]
    assert tables.adjust.max() < 8192
    assert [int((table > 0).sum()) for table in tables[:3]] == [1287, 1287, 4888]


def test_all_five_card_hands_have_the_same_rank() -> None:
    hands = combinations_of(5)
    assert (cactus_rank(to_cactus(hands)) == rank(hands)).all()


def test_rank_takes_cactus_integers_of_larger_hands() -> None:
    hands = np.array([[0, 1, 2, 3, 18, 50, 51], [13, 14, 15, 16, 17, 0, 1]])
    assert (rank(to_cactus(hands)) == rank(hands)).all()


@pytest.mark.parametrize("wrong", [[98306, 98307, 1, 2, 3], [98306, 5, 6, 7, 8], [52, 1, 2, 3, 4], [-1, 1, 2, 3, 4]])
def test_wrong_integers(wrong: list[int]) -> None:
    with pytest.raises(FoogoError, match=r"(98307|52|-1) is neither a card|5 is not the Cactus integer"):
        rank(wrong)


@pytest.mark.parametrize("wrong", [[52], [-1], [0.5]])
def test_wrong_cards(wrong: list[int]) -> None:
    with pytest.raises(FoogoError, match="from 0 .2c. to 51"):
        to_cactus(wrong)


@pytest.mark.parametrize("function", [to_cactus, from_cactus])
def test_rows_are_equally_long(function: Callable[[object], object]) -> None:
    with pytest.raises(FoogoError, match="the rows of an array of cards need the same length"):
        function([[1], [2, 3]])


def test_texts_are_no_integers() -> None:
    with pytest.raises(FoogoError, match="Cactus integers are whole numbers"):
        from_cactus(["As"])


def test_a_cactus_card_twice() -> None:
    with pytest.raises(FoogoError, match="2c occurs 2 times in '2c 2c 3c 4c 5c'"):
        rank(to_cactus([0, 0, 1, 2, 3]))
