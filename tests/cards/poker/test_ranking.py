"""Ranks of hands: against the rules in plain Python, published frequencies and phevaluator."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import FoogoError
from foogo.cards.card import format_cards
from foogo.cards.poker import best_five, category, rank, ranking, shuffled_decks
from tests.cards.poker.all_hands import hands_of, strength

cards = st.integers(0, 51)
hands = st.integers(5, 7).flatmap(lambda size: st.lists(cards, min_size=size, max_size=size, unique=True))


@given(hands, hands)
@settings(deadline=None)
def test_the_better_hand_has_the_lower_rank(one: list[int], other: list[int]) -> None:
    best = [max(strength(five) for five in combinations(hand, 5)) for hand in (one, other)]
    ranks = [rank(hand) for hand in (one, other)]
    assert (best[0] > best[1]) == (ranks[0] < ranks[1])
    assert (best[0] == best[1]) == (ranks[0] == ranks[1])


@given(hands, st.permutations(range(4)))
@settings(deadline=None)
def test_order_and_names_of_suits_do_not_matter(hand: list[int], suits: list[int]) -> None:
    exchanged = [13 * suits[card // 13] + card % 13 for card in hand]
    assert rank(exchanged[::-1]) == rank(hand) == rank(format_cards(hand))


@given(hands)
@settings(deadline=None)
def test_the_best_five_have_the_rank_of_the_hand(hand: list[int]) -> None:
    five = best_five(hand).tolist()
    assert len(five) == 5
    assert [card for card in hand if card in five] == five
    assert rank(five) == rank(hand)


@pytest.mark.parametrize(
    ("size", "frequencies"),
    [
        (6, [1_844, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900]),
        (7, [41_584, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460]),
    ],
)
def test_frequencies_of_the_categories_of_all_hands(size: int, frequencies: list[int]) -> None:
    counts = np.zeros(10, np.int64)
    for part in hands_of(size):
        ranks = np.bincount(rank(part), minlength=7463)
        counts += np.bincount(category(np.arange(1, 7463)), weights=ranks[1:], minlength=10).astype(np.int64)
    assert counts[1:].tolist() == frequencies


@pytest.mark.parametrize("size", [5, 6, 7])
def test_phevaluator_agrees(size: int) -> None:
    phevaluator: Any = pytest.importorskip("phevaluator", reason="pip install phevaluator to compare with it")
    dealt = shuffled_decks(1_000_000, cards=size, seed=size)
    others = (dealt % 13 * 4 + dealt // 13).tolist()  # its cards are 4 * rank + suit
    expected = [phevaluator.evaluate_cards(*hand) for hand in others]
    assert (rank(dealt) == expected).all()


def test_shapes_and_types() -> None:
    dealt = shuffled_decks(24, cards=7, seed=1)
    ranks = rank(dealt)
    assert (rank(dealt.reshape(2, 3, 4, 7)) == ranks.reshape(2, 3, 4)).all()
    for kind in (np.int8, np.int32, np.uint64):
        assert (rank(dealt.astype(kind)) == ranks).all()
    assert (rank(dealt[:, ::-1][::2]) == ranks[::2]).all()
    texts = [format_cards(hand) for hand in dealt.tolist()]
    assert (rank(texts) == ranks).all()
    assert (rank(np.array([text.split() for text in texts])) == ranks).all()
    assert rank(np.zeros((0, 5), np.uint8)).shape == rank(np.array([], "U5")).shape == (0,)
    assert best_five(np.array([], "U5")).shape == (0, 5)
    assert best_five(dealt.reshape(4, 6, 7)).shape == (4, 6, 5)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (list(range(13)), "a hand has 13 cards"),
        ([1, 2, 3, 4], "a hand has 4 cards"),
        (7, "a hand has 1 card:"),
        ("", "a hand has 0 cards"),
        ([], "a hand has 0 cards: 5, 6 or 7 are needed"),
        (np.array([2**63 + 1, 1, 2, 3, 4], np.uint64), "9223372036854775809 is neither a card"),
        ("2c 2c 3c 4c 5c", "2c occurs 2 times"),
        ([[1, 2, 3, 4, 5], [7, 8, 7, 9, 10]], "9c occurs 2 times in '9c Tc 9c Jc Qc'"),
        ([1, 2, 3, 4, 52], "52 is neither a card"),
        ([0.0, 1.0, 2.0, 3.0, 4.0], "neither whole numbers nor text"),
        ([True, False, True, True, True], "neither whole numbers nor text"),
        (["2c 3c 4c 5c 6c", "2c 3c 4c 5c 6c 7c"], "the same number of cards, not .5, 6."),
        ([[1, 2, 3, 4, 5], [1, 2, 3]], "the same number of cards"),
        ("2c 3c 4c 5c 6x", "'6x' is not a card"),
    ],
)
def test_wrong_hands(wrong: Any, message: str) -> None:
    for function in (rank, best_five):
        with pytest.raises(FoogoError, match=message):
            function(wrong)


def test_decks_are_permutations_that_depend_on_seed_and_number() -> None:
    decks = shuffled_decks(500, seed=7)
    assert (np.sort(decks, axis=1) == np.arange(52)).all()
    assert (shuffled_decks(100, cards=9, seed=7, first=400) == decks[400:, :9]).all()
    assert (shuffled_decks(500, seed=8) != decks).any()
    assert shuffled_decks(0).shape == (0, 52)


def test_seeded_decks_stay_the_same() -> None:
    dealt = shuffled_decks(2, cards=7, seed=1).tolist()
    assert [format_cards(hand) for hand in dealt] == ["4c 9s Th 7s 7c 9d Jc", "7h 9s 6d 3d 9c 7c 6h"]


def test_every_card_is_as_likely_at_every_place() -> None:
    decks = shuffled_decks(52_000, seed=1)
    counts = np.stack([np.bincount(column, minlength=52) for column in decks.T])
    chi_square = ((counts - 1000) ** 2 / 1000).sum()
    assert abs(chi_square - 51 * 51) < 5 * (2 * 51 * 51) ** 0.5


def test_more_decks_than_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def allocate(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(ranking, "np", SimpleNamespace(empty=allocate, uint8=np.uint8))
    with pytest.raises(FoogoError, match="n is 1000: this machine does not have that much memory"):
        shuffled_decks(1000)


@pytest.mark.parametrize("options", [{"n": -1}, {"cards": 53}, {"seed": -1}, {"first": 2.0}])
def test_wrong_decks(options: dict[str, Any]) -> None:
    with pytest.raises(FoogoError, match="must be a whole number"):
        shuffled_decks(**{"n": 1, **options})
