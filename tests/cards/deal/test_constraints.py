"""Evaluators, shapes and constraints, on single hands."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import DealError, FoogoError
from foogo.cards import deal
from foogo.cards.deal import (
    Constraint,
    Evaluator,
    Hand,
    any_of,
    balanced,
    controls,
    evaluator,
    hcp,
    lengths_of,
    losers,
    quick_tricks,
    shape,
    suit,
)
from foogo.cards.deal.shapes import SHAPES, ShapeSet
from tests.cards.deal import oracle

hands = st.integers(0, 10**6).map(lambda seed: sum(1 << card for card in random.Random(seed).sample(range(52), 13)))


@given(hands)
def test_values_are_the_oracles(mask: int) -> None:
    hand = Hand(mask)
    assert (hand.hcp, hand.controls, hand.losers) == (oracle.hcp(mask), oracle.controls(mask), oracle.losers(mask))
    assert (hand.quick_tricks, hand.shape) == (oracle.quick_tricks(mask), oracle.shape(mask))
    assert hcp.of(np.uint64(mask)) == oracle.hcp(mask)
    assert [type(one.of(np.uint64(mask))) for one in (hcp, quick_tricks)] == [int, float]  # as for a mask of Python
    assert lengths_of(mask).tolist()[::-1] == list(oracle.shape(mask))
    assert balanced.holds(mask) == oracle.is_balanced(mask)
    assert suit("SH").hcp.of(mask) == suit("♠♥").hcp.of(mask) == oracle.hcp(mask >> 26 << 26)
    assert hand.length("♠️") == hand.length("Spades") == hand.length("S")


def test_holdings() -> None:
    assert len(hcp.holdings(3, 7)) == 10
    assert len(quick_tricks.holdings(2, 1.5)) == 1


def test_shapes() -> None:
    assert len(SHAPES) == 560
    assert members(shape("5xxx")).sum() == 45


@pytest.mark.parametrize("hand", [".AKQ.AKQ.AKQ", "AKQ2.AKQ.AKQ.AKQ2", "..."])
@pytest.mark.parametrize("constraint", [balanced, shape("4xxx"), shape("xxxx")])
def test_only_hands_of_13_cards_have_a_shape(constraint: Constraint, hand: str) -> None:
    whole = deal.parse_hand("AKQ2.AKQ.AKQ.AKQ")
    assert constraint.holds([deal.parse_hand(hand), whole]).tolist() == [False, True]


def members(constraint: Constraint) -> np.ndarray:
    assert isinstance(constraint, ShapeSet)
    return constraint.members


@pytest.mark.parametrize(
    ("pattern", "holds"),
    [
        ("5332", lambda s, h, d, c: (s, h, d, c) == (5, 3, 3, 2)),
        ("(5332)", lambda s, h, d, c: sorted((s, h, d, c)) == [2, 3, 3, 5]),
        ("4(333)", lambda s, h, d, c: s == 4 and h == d == c == 3),
        ("5(431)", lambda s, h, d, c: s == 5 and sorted((h, d, c)) == [1, 3, 4]),
        ("(31)(54)", lambda s, h, d, c: {s, h} == {3, 1} and {d, c} == {5, 4}),
        ("5+Sxx", lambda s, h, d, c: s >= 5),
        ("5+xx2-", lambda s, h, d, c: s >= 5 and c <= 2),
        ("x[3-5]xx", lambda s, h, d, c: 3 <= h <= 5),
        ("4+c3+d(2+2+)", lambda s, h, d, c: c >= 4 and d >= 3 and s >= 2 and h >= 2),
        ("5M(332)", lambda s, h, d, c: sorted((s, h, d, c)) == [2, 3, 3, 5] and 5 in (s, h)),
        ("5+M3+c(31)", lambda s, h, d, c: c >= 3 and ((s >= 5 and {h, d} == {3, 1}) or (h >= 5 and {s, d} == {3, 1}))),
        ("5M5m", lambda s, h, d, c: 5 in (s, h) and 5 in (d, c)),
        ("4D432", lambda s, h, d, c: (s, h, d, c) == (4, 3, 4, 2)),
        ("10-3-0-0", lambda s, h, d, c: (s, h, d, c) == (10, 3, 0, 0)),
        ("10+S", lambda s, h, d, c: s >= 10),
        ("5+♠xx2-♣", lambda s, h, d, c: s >= 5 and c <= 2),
    ],
)
def test_patterns(pattern: str, holds: object) -> None:
    assert callable(holds)
    expected = [bool(holds(*lengths[::-1])) for lengths in SHAPES.tolist()]
    assert members(shape(pattern)).tolist() == expected


OWN = evaluator("tens", [(holding >> 8 & 1) / 4 for holding in range(8192)])

leaves = st.sampled_from(
    [
        balanced,
        hcp(10, 12),
        hcp >= 15,
        suit("S").length >= 5,
        suit("HD").hcp < 7,
        losers <= 6,
        controls > 3,
        OWN(0.25, 0.5),
    ]
)
constraints = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.builds(lambda a, b: a & b, inner, inner),
        st.builds(lambda a, b: a | b, inner, inner),
        inner.map(lambda a: ~a),
    ),
    max_leaves=6,
)


@settings(deadline=None, max_examples=50)
@given(constraints, constraints, st.lists(hands, min_size=1, max_size=5))
def test_composition_is_that_of_truth_values(one: Constraint, two: Constraint, masks: list[int]) -> None:
    a, b = one.holds(masks), two.holds(masks)
    assert ((one & two).holds(masks) == (a & b)).all()
    assert ((one | two).holds(masks) == (a | b)).all()
    assert (any_of(one, two).holds(masks) == (a | b)).all()
    assert ((~one).holds(masks) == ~a).all()


@pytest.mark.parametrize("measure", [hcp, losers, quick_tricks, suit("S").length])
def test_comparisons(measure: Evaluator) -> None:
    rng = random.Random(1)
    masks = [sum(1 << card for card in rng.sample(range(52), 13)) for _ in range(300)]
    values = measure.of(np.array(masks, np.uint64))
    for number in (2.5, 4, 10):
        for made, expected in (
            (measure >= number, values >= number),
            (measure <= number, values <= number),
            (measure > number, values > number),
            (measure < number, values < number),
            (measure == number, values == number),
            (measure != number, values != number),
            (measure(number, 11), (number <= values) & (values <= 11)),
        ):
            assert (made.holds(masks) == expected).all()


@pytest.mark.parametrize("hand", [-1, 1 << 52, 1 << 70])
def test_a_number_that_is_no_mask_has_no_value(hand: int) -> None:
    for find in (hcp.of, quick_tricks.of, lambda one: Hand(one).losers):
        with pytest.raises(DealError, match=r"hands are masks here: whole numbers from 0 to 2\*\*52 - 1"):
            find(hand)


def test_an_evaluator_of_any_table_adds_up_over_the_suits() -> None:
    points = evaluator("own", [holding % 7 / 20 for holding in range(8192)])
    masks = [0x1FFF << 13 * number for number in range(4)]
    assert points.of(masks) == pytest.approx([(8191 % 7) / 20] * 4)


def test_a_range_includes_its_ends_with_steps_of_a_hundredth() -> None:
    points = evaluator("hundredths", [holding % 101 / 100 for holding in range(8192)])
    for holding in range(1, 101):  # 0.07 * 100 is above 7, 0.29 * 100 below 29
        value = holding / 100
        fits = [c.holds(holding) for c in (points(value), points >= value, points <= value, points(0, value))]
        assert all(fits), value
        assert not any(c.holds(holding) for c in (points > value, points < value, points != value)), value
        assert holding in points.holdings(holding.bit_count(), value)
    assert points(np.int8(1), np.int8(2)).holds(100)
    assert not points(np.int8(2)).holds(100)


def test_a_range_beyond_all_hands_holds_none() -> None:
    points = evaluator("large", [1000] * 8192)
    assert points(4000).holds(100)
    assert not any(beyond.holds(100) for beyond in (points >= 4001, points(5000), points <= -4001, points < -9e9))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hcp(12, 10), r"hcp\(12, 10\) is an empty range"),
        (lambda: hcp("A"), "two numbers are needed"),  # type: ignore[arg-type]
        (lambda: hcp(float("nan"), 3), "two numbers are needed"),
        (lambda: shape("5331"), "matches no hand"),
        (lambda: shape("533"), "has 3 lengths"),
        (lambda: shape("5+M(3+3+xx)"), "has 5 lengths"),
        (lambda: shape("5 332"), "cannot be read at ' 332'"),
        (lambda: shape("(4432"), "cannot be read"),
        (lambda: shape(4432), "is not a text"),  # type: ignore[arg-type]
        (lambda: suit("X"), "suits 'X' do not exist"),
        (lambda: suit("SS"), "suits 'SS' do not exist"),
        (lambda: suit(""), "suits '' do not exist"),
        (lambda: evaluator("short", [1, 2]), "8192 finite numbers"),
        (lambda: evaluator("thirds", np.arange(8192) / 3), "not multiples of 1/100"),
        (lambda: evaluator("large", np.arange(8192)), "at most 1000"),
        (lambda: balanced & 3, "3 is not a constraint"),  # type: ignore[operator]
        (lambda: hcp >= 10 & balanced, "10 is not a constraint.* with the parentheses"),  # type: ignore[operator]
        (lambda: hcp >= 10 | (losers <= 3), "10 is not a constraint"),  # type: ignore[operator]
        (lambda: hcp & balanced, "hcp is not a constraint"),  # type: ignore[operator]
        (lambda: hcp >= 10 & losers <= 3, "losers is not a constraint"),  # type: ignore[operator]
        (lambda: hcp | (losers <= 3), "hcp is not a constraint"),  # type: ignore[arg-type]
        (lambda: any_of(), "has no constraint"),
        (lambda: bool(balanced), "neither true nor false"),
        (lambda: balanced and hcp(3), "neither true nor false"),
        (lambda: Hand(0).has("1x"), "is not a card"),
    ],
)
def test_what_is_wrong_is_said(make: object, message: str) -> None:
    assert callable(make)
    with pytest.raises(FoogoError, match=message):
        make()


def test_every_shape_has_its_pattern() -> None:
    for lengths in product(range(4, 1, -1), repeat=4):
        if sum(lengths) == 13:
            assert members(shape("".join(map(str, lengths)))).sum() == 1


@pytest.mark.parametrize(
    "hand", ["AK2.QJ3.K432.Q32", np.arange(4, dtype=np.uint64), deal.parse_hand("AK2.QJ3.K432.Q32"), deal.Hand(8191)]
)
def test_an_evaluator_called_with_a_hand_names_its_method(hand):
    with pytest.raises(FoogoError, match=r"hcp\.of"):
        hcp(hand)
