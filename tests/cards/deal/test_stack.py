"""Smart stacking: the numbers of rows and hands, and that all hands of a stack are drawn alike."""

from __future__ import annotations

import pickle
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from foogo.cards.deal import Constraint, Dealer, Stack, balanced, controls, hcp, losers, parse_hand, shape, suit
from foogo.errors import ArgumentError
from tests.cards.deal import oracle

FIVE_CARD_MAJOR = (suit("S").length >= 5) | (suit("H").length >= 5)


@pytest.mark.parametrize(
    ("constraint", "rows", "hands"),
    [
        (balanced & hcp(20, 21), 32_224, 3_393_199_716),
        (balanced & ~FIVE_CARD_MAJOR & hcp(20, 21), 25_894, 2_858_581_482),
        (hcp(37), None, 4),
        (hcp(10), None, round(0.0940511488504599 * comb(52, 13))),
        (hcp(38), 0, 0),
        (shape("5xxx") & hcp(0, 40), None, comb(13, 5) * comb(39, 8)),
        ((balanced & hcp(20, 21)) | (shape("(7321)") & hcp(3)), None, None),
        (suit("S").hcp(10) & (suit("S").length == 4), None, comb(39, 9)),
    ],
)
def test_rows_and_hands(constraint: Constraint, rows: int | None, hands: int | None) -> None:
    stack = Stack(constraint)
    assert not stack.rest
    assert rows is None or len(stack.weights) == rows
    assert hands is None or stack.hands == hands
    assert stack.weights.sum() == stack.hands


def test_probability() -> None:
    assert round(Stack(hcp(10)).probability, 7) == 0.0940511
    assert Stack(hcp(0, 9)).hands + Stack(hcp(10)).hands + Stack(hcp >= 11).hands == comb(52, 13)


def test_the_weight_of_a_row() -> None:
    stack = Stack(hcp(13))
    row = (stack.lengths == [0, 4, 4, 5]).all(axis=1) & (stack.values == [0, 0, 3, 10]).all(axis=1)
    assert stack.weights[row].tolist() == [136_080]


def test_the_rest_is_left_to_tests() -> None:
    stack = Stack(balanced & hcp(20, 21) & (losers <= 4) & (suit("SH").hcp >= 10))
    assert stack.hands <= 3_393_199_716
    assert len(stack.rest) == 2
    assert Stack(balanced & controls(12)).rest == []
    assert repr(Stack(balanced & hcp(20, 21))) == "<Stack of 3,393,199,716 hands>"


@pytest.mark.parametrize("constraint", [suit("SH").length >= 8, hcp(10, 12) & (suit("HD").length <= 5)])
def test_a_constraint_from_another_process_has_the_same_stack(constraint: Constraint) -> None:
    copied = pickle.loads(pickle.dumps(constraint))
    one, two = (Dealer(south=each, seed=1).sample(20) for each in (constraint, copied))
    assert one.probability == two.probability
    assert (one.deals == two.deals).all()
    both = Stack(pickle.loads(pickle.dumps(hcp >= 10)) & constraint)
    assert both.rest == []
    assert both.hands == Stack((hcp >= 10) & constraint).hands


def test_points_of_balanced_hands() -> None:
    """20 points are 62.40 % of balanced hands with 20 or 21."""
    deals = Dealer(south=balanced & hcp(20, 21), seed=3).deals(200_000)
    points = hcp.of(deals[:, 2])
    exact = Stack(balanced & hcp(20)).hands / Stack(balanced & hcp(20, 21)).hands
    assert round(100 * exact, 2) == 62.40
    observed = [(points == 20).sum(), (points == 21).sum()]
    assert sum(observed) == 200_000
    assert chisquare(observed, [200_000 * exact, 200_000 * (1 - exact)]).pvalue > 0.001


def test_every_hand_of_a_small_stack_is_drawn_alike() -> None:
    """The hands of 33 points or more with a 4333 shape and the 13 cards known but three."""
    held = parse_hand("AKQ.AKQ.AKQ.A")
    stack = Stack(hcp >= 32, held)
    rest = [card for card in range(52) if not held >> card & 1]
    all_hands = {held | sum(1 << card for card in three) for three in combinations(rest, 3)}
    expected = {hand for hand in all_hands if oracle.hcp(hand) >= 32}
    assert stack.hands == len(expected)
    dealer = Dealer(north=hcp >= 32, predeal={"north": held}, seed=5)
    drawn, counts = np.unique(dealer.deals(40 * len(expected))[:, 0], return_counts=True)
    assert set(drawn.tolist()) == expected
    assert chisquare(counts).pvalue > 0.001


PREDEALS = [
    {},
    {"south": "AS 2S", "north": "KS QS JS", "west": "AH"},
    {"south": "3H 4H", "east": "...T98765432"},
]


@pytest.mark.parametrize("predeal", PREDEALS)
@pytest.mark.parametrize(
    "constraint", [hcp(12, 14) & balanced, shape("5+Hxxx") & hcp(8, 15), suit("H").hcp(3, 6) & hcp(6, 9)]
)
def test_stacked_and_rejected_samples_have_one_distribution(constraint: Constraint, predeal: dict[str, str]) -> None:
    """Points, lengths and an opponent's points: the two samples' histograms differ by chance only."""
    samples = [
        Dealer(south=constraint, predeal=predeal, stack=stack, seed=seed).deals(20_000)
        for stack, seed in (("south", 1), (None, 2))
    ]
    for view in (
        lambda deals: hcp.of(deals[:, 2]),
        lambda deals: suit("S").length.of(deals[:, 2]),
        lambda deals: suit("H").length.of(deals[:, 2]),
        lambda deals: hcp.of(deals[:, 3]),
        lambda deals: suit("C").length.of(deals[:, 0]),
    ):
        one, two = (np.bincount(np.asarray(view(deals)), minlength=41) for deals in samples)
        kept = one + two > 20
        statistic = ((one - two)[kept] ** 2 / (one + two)[kept]).sum()
        assert statistic < kept.sum() + 5 * np.sqrt(2 * kept.sum())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 2**52 - 1), st.integers(0, 20), st.integers(0, 6))
def test_the_number_of_hands_is_that_of_an_enumeration(bits: int, points: int, hearts: int) -> None:
    """Hands of which ten cards are known, with 16 cards elsewhere at most: every one is looked at."""
    rng = np.random.default_rng(bits)
    deck = rng.permutation(52)
    held, elsewhere = (sum(1 << int(card) for card in cards) for cards in (deck[:10], deck[10:36]))
    constraint = (hcp(points, points + 3) & (suit("H").length >= hearts)) | balanced
    rest = [int(card) for card in deck[36:]]
    all_hands = [held | sum(1 << card for card in three) for three in combinations(rest, 3)]
    stack = Stack(constraint, held, elsewhere)
    assert not stack.rest
    expected = sum(
        (points <= oracle.hcp(hand) <= points + 3 and oracle.shape(hand)[1] >= hearts) or oracle.is_balanced(hand)
        for hand in all_hands
    )
    assert stack.hands == expected
    assert stack.probability == pytest.approx(expected / len(all_hands))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("hcp(10)",), "'hcp\\(10\\)' is not a constraint"),
        ((lambda south: True,), "is a function, not a constraint"),
        ((None, -1), "held is -1"),
        ((None, 0, 1 << 52), "elsewhere is"),
        ((None, (1 << 14) - 1), "no hand is possible"),
        ((None, 0, (1 << 40) - 1), "no hand is possible"),
    ],
)
def test_wrong_arguments_of_a_stack(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Stack(*arguments)
