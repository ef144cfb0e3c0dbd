"""The best melds, against brute force."""

from __future__ import annotations

from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import FoogoError
from foogo.cards.card import CARDS
from foogo.cards.rummy import JOKER, best_meldings, best_melds, combos, grid
from foogo.cards.rummy.rules import ACES
from tests.cards.rummy import oracle
from tests.marks import slow

SMALL_DECK = [13 * suit + rank for suit in range(4) for rank in (11, 12, 0, 1)]
"""King to three: the place of the ace matters."""

DOUBLE_DECK = [13 * suit + rank for suit in range(3) for rank in (12, 0, 1)]
"""Ace to three of three suits, each card twice."""


def deal(n: int, size: int, decks: int, seed: int) -> Any:
    """Random hands as cards, shape (n, size)."""
    shuffled = np.random.default_rng(seed).random((n, decks * CARDS)).argpartition(size, axis=1)
    return shuffled[:, :size] % CARDS


@pytest.mark.parametrize("ace", [slow(ace) if ace == "low" else ace for ace in ACES])
def test_every_hand_of_a_small_deck(ace: str) -> None:
    for size in range(1, 9 if ace in ("low", "corner") else 7):
        hands = list(map(list, combinations(SMALL_DECK, size)))
        best = best_meldings(grid(hands), ace=ace)
        assert best.deadwood.tolist() == [oracle.least_deadwood(hand, ace) for hand in hands]


@pytest.mark.parametrize("ace", ["low", "corner"])
def test_every_hand_of_a_small_double_deck(ace: str) -> None:
    counts = np.array([hand for hand in product(range(3), repeat=len(DOUBLE_DECK)) if 0 < sum(hand) <= 8])
    grids = np.zeros((len(counts), CARDS), np.uint8)
    grids[:, DOUBLE_DECK] = counts
    best = best_meldings(grids.reshape(-1, 4, 13), 2, ace=ace)
    for hand, deadwood in zip(counts, best.deadwood, strict=True):
        assert deadwood == oracle.least_deadwood(np.repeat(DOUBLE_DECK, hand).tolist(), ace)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("size", [10, 13, 16, *map(slow, (11, 12, 14, 15))])
def test_random_hands(size: int, decks: int) -> None:
    """100,000 hands, together with the other cases, the slow ones too."""
    hands = deal(7143, size, decks, seed=size)
    ace = ACES[size % 4]
    best = best_meldings(grid(hands), decks, ace=ace)
    assert best.deadwood.tolist() == [oracle.least_deadwood(hand, ace) for hand in hands.tolist()]


@st.composite
def hands_with_rules(draw: st.DrawFn) -> tuple[list[int], dict[str, Any], list[int]]:
    """Cards, options of `best_melds` without jokers, and the values of all 53 cards."""
    decks, ace = draw(st.integers(1, 2)), draw(st.sampled_from(ACES))
    joker_value = draw(st.integers(0, 20))
    close = st.builds(lambda suit, rank: 13 * suit + rank, st.integers(0, 3), st.sampled_from([10, 11, 12, 0, 1, 2]))
    cards = draw(st.lists(close | st.integers(0, 51), min_size=1, max_size=11))
    cards = [card for i, card in enumerate(cards) if cards[:i].count(card) < decks]
    values = draw(st.lists(st.integers(0, 20), min_size=CARDS, max_size=CARDS))
    options = {"decks": decks, "ace": ace, "values": np.reshape(values, (4, 13)), "joker_value": joker_value}
    return cards, options, [*values, joker_value]


@settings(max_examples=200, deadline=None)
@given(hands_with_rules(), st.integers(0, 2))
def test_any_rules(drawn: tuple[list[int], dict[str, Any], list[int]], jokers: int) -> None:
    cards, options, values = drawn
    cards = cards[: (11, 8, 6)[jokers]]
    found = best_melds(cards, jokers=jokers, **options)
    everything = [*cards, *[JOKER] * jokers]
    assert found.deadwood == oracle.least_deadwood(everything, options["ace"], values)
    assert found.deadwood == sum(values[card] for card in found.left)
    assert sorted([*found.left, *(card for meld in found.melds for card in meld.cards)]) == sorted(everything)
    possible = oracle.all_melds([everything.count(card) for card in range(53)], options["ace"])
    for meld in found.melds:
        assert tuple((card, meld.cards.count(card)) for card in sorted(set(meld.cards))) in possible
    together = best_meldings(grid([cards]), jokers=np.array([jokers]), **options)
    assert together.deadwood[0] == found.deadwood
    assert together[0] == found


@settings(max_examples=200, deadline=None)
@given(hands_with_rules())
def test_the_first_of_all_meldings_is_a_best_one(drawn: tuple[list[int], dict[str, Any], list[int]]) -> None:
    cards, options, _ = drawn
    assert combos(cards, **options)[0].deadwood == best_melds(cards, **options).deadwood


@pytest.mark.parametrize("jokers", [0, 1, 2, 3])
@pytest.mark.parametrize("others", [[], [10], [9, 10], [9, 22], [12, 25]])
def test_all_eight_cards_of_a_rank(jokers: int, others: list[int]) -> None:
    hand = [13 * suit + 11 for suit in range(4)] * 2 + others
    deadwood = best_melds(hand, 2, jokers=jokers).deadwood
    assert deadwood == best_meldings(grid([hand]), 2, jokers=jokers).deadwood[0]
    assert deadwood == oracle.least_deadwood(hand + [JOKER] * jokers)


def test_three_sets_of_a_rank() -> None:
    assert str(best_melds("KC KC KD KD KH KH KS KS JK", 2)).count("|") == 3
    assert best_melds("KC KC KD KD KH KH KS KS JK", 2).deadwood == 0


def test_hands_with_many_jokers() -> None:
    hands = deal(40, 4, 1, seed=3).tolist()
    for hand in hands:
        assert best_melds(hand, jokers=4).deadwood == oracle.least_deadwood([*hand, *[JOKER] * 4])


def test_a_whole_pack() -> None:
    cards = [*range(CARDS)] * 2
    assert best_melds(cards, 2).deadwood == 0
    assert best_melds(cards[:-1], 2, jokers=4).deadwood == 0


def test_most_cards() -> None:
    hands = deal(300, 13, 2, seed=4)
    best = best_meldings(grid(hands), 2, values="cards", jokers=1)
    assert best.deadwood.tolist() == [oracle.least_deadwood([*hand, JOKER], "low", [1] * 53) for hand in hands.tolist()]


def test_greedy_sets_or_runs_first_miss_the_optimum() -> None:
    assert str(best_melds("3C 3D 3H 4H 5H 3S")) == "3c 3d 3s | 3h 4h 5h | deadwood 0"
    assert str(best_melds("3C 3D 3H 4H 5H")) == "3h 4h 5h | deadwood 6 3c 3d"


@pytest.mark.parametrize(
    ("ace", "melding"),
    [
        ("low", "no melds | deadwood 26 2c Qc Kc Ac 3d"),
        ("high", "Qc Kc Ac | deadwood 5 2c 3d"),
        ("both", "Qc Kc Ac | deadwood 5 2c 3d"),
        ("corner", "Qc Kc Ac 2c | deadwood 3 3d"),
    ],
)
def test_where_runs_have_the_ace(ace: str, melding: str) -> None:
    assert str(best_melds("QC KC AC 2C 3D", ace=ace)) == melding


def test_many_hands_in_pieces() -> None:
    hands, told = grid(deal(150_000, 10, 1, seed=1)), []
    run = best_meldings(hands, threads=2, progress=lambda done, n: told.append((done, n)))
    assert told[-1] == (150_000, 150_000)
    assert len(told) == 3
    assert len(run) == 150_000
    assert run[149_999].deadwood == run.deadwood[-1]
    assert (run[:10].deadwood == run.deadwood[:10]).all()
    assert best_meldings(hands.astype(np.int64), threads=1).deadwood.tolist() == run.deadwood.tolist()


def test_no_hands() -> None:
    assert len(best_meldings(np.zeros((0, 4, 13), np.uint8))) == 0


@pytest.mark.parametrize(
    ("hand", "options", "message"),
    [
        ("3C 3C", {}, "3c occurs 2 times in the hand: 1 deck holds it once, 2 decks hold it twice"),
        ("3C 3C 3C", {"decks": 2}, "3c occurs 3 times in the hand: 2 decks hold it twice"),
        ("3C 14D", {}, "'14D' is not a card"),
        ("", {}, "the hand is empty"),
        ([], {}, "the hand is empty"),
        ([53], {}, "a number is not a card"),
        ([0, *[JOKER] * 4], {"jokers": 1}, "jokers is 5: it must be a whole number from 0 to 4"),
        ([0.5], {}, "a number is not a card"),
        ([0] * 300, {}, "a hand has 300 cards: at most 255 are possible"),
        (np.zeros((3, 13), np.uint8), {}, "is not a hand"),
        (np.full((4, 13), 3), {}, "a count is not 0, 1 or 2"),
        (np.ones((2, 4, 13), int), {}, r"shape \(2, 4, 13\) is not one hand: one hand has the shape \(4, 13\)"),
        (np.ones((1, 4, 13), int), {}, r"shape \(1, 4, 13\) is not one hand"),
        ([[0, 1], [2]], {}, "all hands of an array need the same number of cards"),
        ("3C JK JK JK", {"jokers": 2}, "jokers is 5: it must be a whole number from 0 to 4"),
        ("3C JK", {"jokers": -1}, "jokers is -1: it must be a whole number from 0 to 4"),
        ("3C", {"decks": 3}, "decks is 3"),
        ("3C", {"ace": "round"}, "ace is 'round': it must be one of low, high, both, corner"),
        ("3C", {"values": "most"}, "values is 'most'"),
        ("3C", {"values": [1, 2]}, "values has the wrong shape or numbers"),
        ("3C", {"values": [[1], [1, 2]]}, "values has the wrong shape or numbers"),
        ("3C", {"values": [1001] * 13}, "values has the wrong shape or numbers"),
        ("3C", {"joker_value": -1}, "joker_value is -1"),
    ],
)
def test_bad_hands(hand: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        best_melds(hand, **options)


@pytest.mark.parametrize(
    ("cell", "options", "message"),
    [
        (2, {}, "hand 70000: 2c occurs 2 times"),
        (0, {}, "hand 70000: the hand is empty"),
        (3, {"decks": 2}, "hand 70000: 2c occurs 3 times"),
        (200, {"decks": 2}, "hand 70000: 2c occurs 200 times"),
        (1, {"jokers": 5}, "jokers must be 0 to 4"),
        (1, {"jokers": np.zeros(3, int)}, "jokers must be 0 to 4"),
        (1, {"jokers": [[1], [1, 2]]}, "jokers must be 0 to 4"),
        (1, {"threads": 0}, "threads is 0"),
    ],
)
def test_bad_arrays(cell: int, options: dict[str, Any], message: str) -> None:
    hands = np.zeros((80_000, 4, 13), np.uint8)
    hands[:, 0, 0] = 1
    hands[70_000, 0, 0] = cell
    with pytest.raises(FoogoError, match=message):
        best_meldings(hands, **options)


def test_one_hand_is_no_array_of_hands() -> None:
    with pytest.raises(FoogoError, match=r"hands has shape \(4, 13\): it must be \(n, 4, 13\)"):
        best_meldings(grid("3C"))
    with pytest.raises(FoogoError, match="all hands of an array need the same number of cards"):
        grid([[0, 1], [2]])


def test_many_meldings_are_short_in_a_session() -> None:
    run = best_meldings(grid([[0, 1, 2, 13], [0, 13, 26, 51], [1, 2, 3, 4]]))
    assert repr(run) == "Meldings(deadwood=array([2, 1, 0]))"
    assert repr(run[1:]) == "Meldings(deadwood=array([1, 0]))"
    index: Any
    for index in (np.array([0, 1]), [0], "x", True):
        with pytest.raises(FoogoError, match="is not the number of a hand: give a whole number or a slice"):
            run[index]


def test_jokers_in_a_list_of_cards() -> None:
    best = best_melds([0, 1, JOKER])
    assert (str(best), best.melds[0].cards) == ("JK 2c 3c | deadwood 0", (JOKER, 0, 1))
    assert best_melds(np.array([JOKER], np.uint8), joker_value=7).deadwood == 7
    assert best_melds(best_melds("9c JK").left) == best_melds("9c JK")
    with pytest.raises(FoogoError, match="a number is not a card"):
        grid([0, 1, JOKER])


def test_a_list_of_texts_is_not_a_number_that_is_wrong() -> None:
    with pytest.raises(FoogoError, match="'2h 3h 4h'"):
        best_melds(["2h", "3h", "4h"])
    for hands in (["2H 3H 4H", "5H 5D 5C"], np.array(["2H 3H 4H", "5H 5D 5C"], object)):
        with pytest.raises(FoogoError, match=r"give np\.stack"):
            grid(hands)


@pytest.mark.filterwarnings("error")
def test_the_number_of_decks_may_be_a_small_integer() -> None:
    hands = grid([[0, 1, 2, 13]])
    assert best_meldings(hands, np.int8(2)).deadwood.tolist() == best_meldings(hands, 2).deadwood.tolist()
