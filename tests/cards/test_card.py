"""Cards as numbers, text and masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foogo import CardError, FoogoError
from foogo.cards.card import (
    CARDS,
    FULL_DECK,
    cards_in,
    format_card,
    format_cards,
    mask_of,
    parse_card,
    parse_cards,
    read_cards,
)

hands = st.lists(st.integers(0, CARDS - 1), unique=True)


def test_suits_and_ranks() -> None:
    assert [format_card(card) for card in (0, 12, 13, 25, 26, 38, 39, 51)] == "2c Ac 2d Ad 2h Ah 2s As".split()
    assert mask_of(range(CARDS)) == FULL_DECK


@given(hands)
def test_text_and_masks_read_back(cards: list[int]) -> None:
    text = format_cards(cards)
    assert parse_cards(text) == parse_cards(text.replace(" ", "")) == parse_cards(text.upper()) == cards
    assert list(cards_in(mask_of(cards))) == sorted(cards)


@pytest.mark.parametrize(
    ("text", "card"),
    [
        ("10h", "Th"),
        ("11C", "Jc"),
        ("1s", "As"),
        ("13♦", "Kd"),
        (" qH ,", "Qh"),
        ("Qh,\u00a0\f", "Qh"),
        ("A♠\ufe0f", "As"),
    ],
)
def test_other_spellings(text: str, card: str) -> None:
    assert format_card(parse_card(text)) == card


def test_a_mask_is_no_list_of_cards() -> None:
    with pytest.raises(CardError, match="cards_in"):
        format_cards(7)  # type: ignore[arg-type]


def test_an_argument_may_be_a_list_of_cards() -> None:
    for cards in ("9c Ks", [7, 50], ["9c", "Ks"], np.array([7, 50]), (7, "K♠")):
        assert read_cards("board", cards) == [7, 50]
    with pytest.raises(CardError, match="9c occurs 2 times in '9c 9c'"):
        read_cards("board", ["9c", 7])
    with pytest.raises(CardError, match="board is 7: it must be a text or a list of cards, such as"):
        read_cards("board", 7)  # type: ignore[arg-type]


def test_two_decks() -> None:
    assert parse_cards("3C3C", copies=2) == [1, 1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9", "'9' is not a card"),
        ("9c 1x", "'1x' is not a card"),
        ("14c", "'14c' is not a card"),
        ("9c,9C", "9c occurs 2 times"),
        ("c9", "'c9' is not a card"),
        ("9c \u212as", "'\u212as' is not a card"),  # the sign of kelvin, a K to some
        ("9\u017f", "'9\u017f' is not a card"),  # a long s
        (["9c", "Th"], r"^\['9c', 'Th'\] is not a text of cards, such as '9c Th As'$"),
        (None, "None is not a text of cards"),
    ],
)
def test_wrong_text(text: Any, message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        parse_cards(text)


def test_wrong_numbers_and_counts() -> None:
    with pytest.raises(FoogoError, match="'9c 9d' is 2 cards"):
        parse_card("9c 9d")
    for wrong in (52, -1, 1.0, "9c", True):
        with pytest.raises(FoogoError, match="is not a card: cards are 0"):
            format_card(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [[60], [-1], ["9c"], [1.7], [10**11], [10**30], None, 5])
def test_masks_are_made_of_cards(wrong: Any) -> None:
    with pytest.raises(FoogoError, match="the cards of a mask are whole numbers from 0"):
        mask_of(wrong)


@pytest.mark.parametrize("wrong", [-1, 1 << 52, 1.0, "9c", None])
def test_only_masks_have_cards_in_them(wrong: Any) -> None:
    with pytest.raises(FoogoError, match="is not a mask of cards"):
        cards_in(wrong)
    assert list(cards_in(np.uint64(11))) == [0, 1, 3]
