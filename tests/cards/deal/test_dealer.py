"""Dealers: constraints, functions, predealt cards, tries, estimates and errors."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from functools import partial
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from foogo import DealError, FoogoError
from foogo.cards.deal import (
    Constraint,
    Dealer,
    Hand,
    NotFound,
    Stack,
    balanced,
    cards_of,
    from_pbn,
    hcp,
    lengths_of,
    losers,
    parse_hand,
    shape,
    suit,
    to_pbn,
)
from foogo.cards.deal.tries import Run
from tests.cards.deal import oracle
from tests.cards.deal.test_constraints import constraints

DECK = (1 << 52) - 1

TOO_MANY = 20_000 if sys.version_info < (3, 14) else 200_000
"""Operands of an expression. Before Python 3.14 its depth is limited by a number, since then by the stack's size."""


@settings(max_examples=25, deadline=None)
@given(constraints, constraints, st.sampled_from(["auto", "north", "south", "west", None]), st.integers(0, 2**64 - 1))
def test_every_deal_satisfies_what_was_asked(one: Constraint, two: Constraint, stack: str | None, seed: int) -> None:
    """Whole decks, whatever the constraints and the stacked seat; impossible ones and rare ones are said."""
    try:
        deals = Dealer(south=one, west=two, stack=stack, seed=seed).deals(50, max_tries=100_000)
    except DealError:
        return
    assert (np.bitwise_or.reduce(deals, axis=1) == DECK).all()
    assert deals.sum(axis=1).tolist() == [DECK] * 50
    assert one.holds(deals[:, 2]).all()
    assert two.holds(deals[:, 3]).all()


def test_the_cards_of_random_deals_are_uniform() -> None:
    deals = Dealer(seed=1).deals(20_000)
    places = np.array([np.bincount(cards_of(deals[:, seat]).ravel(), minlength=52) for seat in range(4)])
    assert (places.sum(axis=0) == 20_000).all()
    assert abs(places - 5_000).max() < 5 * np.sqrt(20_000 * 3 / 16)


def test_a_dealer_repeats_itself_with_any_number_of_threads() -> None:
    dealer = Dealer(south=balanced & hcp(15, 17), west="losers <= 6", where=lambda north: north.hcp < 9, seed=7)
    one = dealer.sample(3_000, threads=1)
    for threads in (2, 3):
        other = dealer.sample(3_000, threads=threads)
        assert (one.deals == other.deals).all()
        assert (one.tries, one.drawn) == (other.tries, other.drawn)
    assert (dealer.deals(100) == one.deals[:100]).all()
    assert (Dealer(seed=1).deals(10) != Dealer(seed=2).deals(10)).any()


@njit  # type: ignore[untyped-decorator]
def few_spades(north: Any, south: Any) -> bool:
    """The spades of two hands, as compiled code sees them."""
    spades, count = (north | south) >> np.uint64(39), 0
    while spades:
        spades &= spades - np.uint64(1)
        count += 1
    return count <= 4


def test_functions_of_hands() -> None:
    seen: list[Hand] = []

    def strong(north: Hand, south: Hand) -> bool:
        seen.append(north)
        return north.hcp + south.hcp >= 25

    deals = Dealer(south=balanced, where=[strong, few_spades, "east.length('H') > 2"], seed=2).deals(40)
    assert all(oracle.hcp(int(north)) + oracle.hcp(int(south)) >= 25 for north, _, south, _ in deals)
    assert (suit("S").length.of(deals[:, 0]) + suit("S").length.of(deals[:, 2]) <= 4).all()
    assert (suit("H").length.of(deals[:, 1]) > 2).all()
    assert all(suit("S").length.of(hand) <= 4 for hand in seen), "the compiled function comes first"


@pytest.mark.parametrize(
    ("asked", "drawn"),
    [
        ({"north": hcp >= 33}, 13),
        ({"north": hcp >= 33, "south": balanced, "east": losers <= 9}, 13),
        ({"where": lambda west: False}, 13),
        ({"where": [lambda west: False, lambda north, south: True]}, 13),
        ({"where": lambda north, west: False}, 26),
        ({"where": lambda north, east, south, west: False}, 52),
        ({"north": hcp >= 28, "predeal": {"north": "2C 3C 4C"}}, 10),
    ],
)
def test_cards_drawn_on_a_rejection(asked: dict[str, Any], drawn: int) -> None:
    """A seat is dealt when a constraint looks at it: a failure at the first seat draws 13 cards."""
    with pytest.raises(NotFound) as raised:
        Dealer(**asked, stack=None).deals(1, max_tries=5_000)
    assert raised.value.drawn == drawn * 5_000


def test_the_seat_that_fails_most_is_looked_at_first() -> None:
    with pytest.raises(NotFound) as raised:
        Dealer(north=balanced, east=hcp <= 20, south=hcp >= 33, stack=None).deals(1, max_tries=5_000)
    assert raised.value.drawn == 13 * 5_000


def test_the_hardest_seat_is_stacked() -> None:
    dealer = Dealer(north=balanced, south=shape("7+Sxxx") & hcp(5, 10))
    assert dealer.stacked == "south"
    assert Dealer().stacked is None
    assert [Dealer(stack=seat).stacked for seat in ("S", "South", 2)] == ["south"] * 3
    sample = dealer.sample(1000)
    assert sample.acceptance == 1000 / sample.tries
    assert 0.3 < sample.acceptance < 0.7


def test_probability() -> None:
    exact = Dealer(south=balanced & hcp(20, 21)).sample(10)
    assert exact.probability.value == exact.probability.low == 3_393_199_716 / comb(52, 13)
    assert (exact.tries, exact.acceptance) == (10, 1.0)
    tested = Dealer(south=balanced & hcp(20, 21), stack=None).sample(300).probability
    assert tested.low < exact.probability.value < tested.high
    both = Dealer(south=balanced & hcp(20, 21), north=hcp >= 5).sample(2_000)
    apart = Dealer(south=balanced & hcp(20, 21), north=hcp >= 5, stack=None, seed=1).sample(300)
    assert both.probability.low < apart.probability.high
    assert apart.probability.low < both.probability.high


def test_predealt_cards() -> None:
    dealer = Dealer(predeal={"north": "AS KS", "east": parse_hand("...AKQ")}, south=suit("S").length >= 6, seed=1)
    deals = dealer.deals(200)
    assert (deals[:, 0] & np.uint64(3 << 50) == 3 << 50).all()
    assert (deals[:, 1] & np.uint64(7 << 10) == 7 << 10).all()
    assert (suit("S").length.of(deals[:, 2]) >= 6).all()
    whole = from_pbn("N:AKQJT98765432... .AKQJT98765432.. - -")
    assert (Dealer(predeal=whole).deals(5)[:, :2] == whole[:2]).all()
    for seat, cards in (("N", ["AS", "ks"]), ("nORTH", "AS KS"), (0, [51, 50]), (np.int8(0), 3 << 50)):
        assert (Dealer(predeal={seat: cards}, seed=1).deals(3) >> np.uint64(50) == [3, 0, 0, 0]).all()
    for text in ("N:AKQJT98765432... - - -", '[Deal "N:AKQJT98765432... - - -"]'):
        assert (Dealer(predeal=text).deals(5)[:, 0] == whole[0]).all()


def test_estimates() -> None:
    dealer, told = Dealer(south=balanced & hcp(20, 21), seed=1), []
    share = dealer.estimate(lambda south: south.hcp == 20, 20_000, progress=lambda *now: told.append(now))
    assert share.low < 0.6240 < share.high
    assert told[-1] == (20_000, 20_000)
    assert told == sorted(told)
    points = dealer.estimate("north.hcp", 5_000)
    assert points.low < (40 - 20.376) / 3 < points.high
    assert points.half_width < 0.15
    compiled = dealer.estimate(few_spades, 5_000)
    assert 0 < compiled.low < compiled.value < compiled.high < 1


def test_estimates_of_large_numbers() -> None:
    dealer = Dealer(seed=1)
    small, large = dealer.estimate("north.hcp", 2_000), dealer.estimate("north.hcp + 1e9", 2_000)
    assert large.value - 1e9 == pytest.approx(small.value)
    assert large.half_width == pytest.approx(small.half_width, rel=1e-4)
    masks = dealer.estimate(njit(lambda north: north), 20_000)  # whose sum is above 2**64
    assert masks.low < ((1 << 52) - 1) / 4 < masks.high


def test_too_few_tries_say_how_far_they_came() -> None:
    with pytest.raises(
        NotFound, match=r"^\d of 100 deals found in 1,000 tries \(13\.0 cards drawn per try\): allow more tries or"
    ) as raised:
        Dealer(south=balanced & hcp(20, 21), stack=None).deals(100, max_tries=1_000)
    assert raised.value.tries == 1_000
    assert raised.value.found < 20
    copied = pickle.loads(pickle.dumps(raised.value))  # as a pool of processes does
    assert (str(copied), vars(copied)) == (str(raised.value), vars(raised.value))
    assert len(Dealer().deals(100, max_tries=100)) == 100
    assert Dealer().deals(0).shape == (0, 4)


def test_seats_that_exclude_each_other_end_without_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.cards.deal.dealer.MOST_WITHOUT_DEAL", 5_000)
    for seats in ({"stack": "auto"}, {"stack": None}):
        dealer = Dealer(north=hcp >= 25, south=hcp >= 20, **seats)
        with pytest.raises(NotFound, match=r"^0 of 1 deals found in 5,440 tries "):  # whole blocks: 64 + 256 + ...
            dealer.deals(1)
        with pytest.raises(NotFound, match=r"^0 of 1 deals found in 9,000 tries "):  # a limit of one's own holds
            dealer.deals(1, max_tries=9_000)
        with pytest.raises(NotFound):
            dealer.estimate("north.hcp", 2)
    assert len(Dealer(south=hcp >= 20, stack=None).deals(100)) == 100  # which takes more tries


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"north": hcp(38)}, "no hand of north satisfies its constraint"),
        ({"north": hcp(38), "stack": "south", "south": balanced}, "no hand of north"),
        ({"north": hcp >= 5, "south": balanced, "predeal": {"south": "AKQJT9..."}}, "no hand of south"),
        ({"south": hcp >= 37, "predeal": {"north": "AC"}}, "no hand of south"),
        ({"south": hcp}, "hcp is not a constraint"),
        ({"south": "hcp(12, 10)"}, "empty range"),
        ({"south": "hcp(20,"}, "is not an expression"),
        ({"south": "hcp(20)\0"}, "is not an expression"),
        ({"south": "\udcff"}, "is not an expression"),
        ({"where": "north.hcp > \udcff"}, "is not an expression"),
        ({"south": "~" * 20_000 + "balanced"}, "nested too deeply"),
        ({"where": " + ".join(["north.hcp"] * TOO_MANY)}, "nested too deeply"),
        ({"south": "points(3)"}, "unknown name 'points'"),
        ({"south": "hcp.__class__"}, "may not occur"),
        ({"where": "'{0.length.__class__}'.format(north) == ''"}, "may not occur"),
        ({"south": "hcp(1, 2, 3)"}, "constraint 'hcp\\(1, 2, 3\\)'"),
        ({"south": "hcp"}, "hcp is not a constraint"),
        ({"south": "balanced & hcp >= 20"}, "with the parentheses"),
        ({"south": lambda hand: True}, "<lambda> is a function, not a constraint: give it as where="),
        ({"south": njit(lambda south: True)}, "is a function, not a constraint: give it as where="),
        ({"where": 3}, "3 is not a function"),
        ({"where": balanced}, "is not a function: write a function of hands"),
        ({"where": lambda hand: True}, "has the parameters \\['hand'\\]"),
        ({"where": lambda *, south: True}, "a function of hands begins with positional parameters named after"),
        ({"where": lambda **south: True}, r"has the parameters \['\*\*south'\]"),
        ({"where": lambda *south: True}, r"has the parameters \['\*south'\]"),
        ({"where": lambda k=12, south=0: True}, r"has the parameters \['k=12', 'south=0'\]"),
        ({"where": njit(lambda south, k=12: True)}, r"has the parameters \['south', 'k=12'\]"),
        ({"where": "3 > 2"}, "looks at no hand"),
        ({"where": njit(lambda north: north.hcp > 3)}, "does not compile"),
        ({"where": njit(lambda north: 1j)}, "<lambda> returns complex128: it must be a truth value or a number"),
        ({"where": "north.hpc > 20"}, "has 'hpc', which a hand does not have: it has hcp, controls, losers"),
        ({"where": "9**north.hcp > 3"}, r"has '\*\*', which may not occur in an expression"),
        ({"where": "north.hcp % 2 == 0"}, "has '%', which may not occur"),
        ({"south": "hcp(10**400)"}, r"has '\*\*', which may not occur"),
        ({"where": "north.hcp > 9 & south.hcp > 9"}, r"compares '9 & south.hcp': put comparisons .* in parentheses"),
        ({"where": "(1 < 2) or (north.hcp > 15 | south.has('AS'))"}, r"compares .15 \| south\.has"),
        ({"south": "hcp >= 10 & balanced"}, "10 is not a constraint.* with the parentheses"),
        ({"predeal": {"north": "AS AS"}}, "As occurs 2 times"),
        ({"predeal": {"north": "AS", "east": "AS"}}, "cards As are in two hands, north and east"),
        ({"predeal": {"north": (1 << 14) - 1}}, "gives north 14 cards"),
        ({"predeal": {"up": "AS"}}, "has the seat 'up'"),
        ({"predeal": {"N": "AS", "north": "KS"}}, "predeal has north twice: write all its cards at once"),
        ({"predeal": {"north": -1}}, "predeal of north is -1: it must be a whole number from 0 to 4503599627370495"),
        ({"predeal": {"north": ["AS", "AS"]}}, "As occurs 2 times"),
        ({"predeal": {"north": "AA..."}}, "occurs twice"),
        ({"predeal": [1, 2]}, "four masks"),
        ({"predeal": [[1], [2, 3]]}, "four masks"),
        ({"predeal": to_pbn(Dealer().deals(4))}, "one deal in PBN"),
        ({"where": "~(north.hcp > 9)"}, r"has '~\(north.hcp > 9\)': write 'not' for the opposite of a condition"),
        ({"south": "hcp.table.tofile('written')"}, "has 'table', which may not occur|has 'tofile', which may not"),
        ({"south": "balanced.leaves().gi_frame.f_builtins"}, "which may not occur in an expression"),
        ({"stack": "up"}, "stack is 'up'"),
        ({"seed": -1}, "seed is -1"),
    ],
)
def test_what_is_wrong_is_said(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        Dealer(**asked)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("north.hcp > 2 * south.hcp / (west.hcp - west.hcp)", r"has no value for .*\..*: division by zero$"),
        ("max(north) > 3", r"^'max\(north\) > 3' has no value for .*: 'Hand' object is not iterable$"),
        ("north.length > 3", "not supported between instances"),
        ("north.has('1x')", "'1x' is not a card"),
        ("north.shape", r"^north.shape is \(\d, \d, \d, \d\) for a deal: it must be a truth value or a number$"),
        ("north.hcp < 0 or north.shape", "for a deal: it must be"),
        ("south", r"^south is Hand\(.*\) for a deal: it must be a truth value or a number$"),
        ("max(north, south)", r"is Hand\(.*\) for a deal: it must be"),
        (lambda north: north, r"<lambda> is Hand\(.*\) for a deal"),
        (lambda north: None, "<lambda> is None for a deal"),
        (lambda north: "yes", "<lambda> is 'yes' for a deal"),
        ("north.hcp * 1e999", r"is (inf|nan) for a deal: it must be a truth value or a finite number"),
        (njit(lambda north: np.log(0.0 * north)), "<lambda> is -inf for a deal"),
    ],
)
def test_values_of_functions_are_numbers(function: Any, message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        Dealer(where=function).deals(1)
    with pytest.raises(FoogoError, match=message):
        Dealer().estimate(function, 10)


def test_a_text_may_end_in_a_comment() -> None:
    assert (hcp.of(Dealer(north="hcp > 9  # opens", where=" north.hcp < 13 # weakly").deals(5)[:, 0]) < 13).all()


def test_further_parameters_have_defaults() -> None:
    def strong(south: Hand, least: int = 20) -> bool:
        return south.hcp >= least

    last = partial(lambda least, south: south.hcp >= least, 10)
    for function, least in ((strong, 20), (partial(strong, least=15), 15), (last, 10)):
        assert hcp.of(Dealer(where=function, seed=1).deals(20)[:, 2]).min() == least


def test_shapes_of_hands_are_compared_in_texts() -> None:
    deals = Dealer(where="south.shape == (5, 3, 3, 2)").deals(2)
    assert np.sort(lengths_of(deals[:, 2])).tolist() == [[2, 3, 3, 5]] * 2
    assert len(Dealer(where=None).deals(1)) == 1


def test_a_compiled_function_sees_only_whole_hands() -> None:
    @njit  # type: ignore[untyped-decorator]
    def needs_cards(south: Any) -> bool:
        if south == 0:
            raise ValueError("no cards")
        return True

    assert len(Dealer(where=needs_cards).deals(2)) == 2


def test_of_two_rare_seats_the_rarer_is_stacked() -> None:
    dealer = Dealer(north=shape("11+Sxxx"), east=hcp(37))
    assert dealer.stacked == "east"
    assert Dealer(north=hcp(37), east=shape("11+Sxxx")).stacked == "north"


def test_the_interval_of_one_deal_holds() -> None:
    exact = Stack(hcp(10)).probability
    found = [Dealer(south=hcp(10), stack=None, seed=seed).sample(1).probability for seed in range(300)]
    assert sum(one.low <= exact <= one.high for one in found) >= 285


def test_accepted_deals_do_not_keep_all_tries_in_memory() -> None:
    run = Run(Dealer(south=hcp >= 25, stack=None)._plan, (), 15, 0)
    for block in run.blocks(1 << 16, 1):
        assert block.deals.base is None or len(block.deals.base) == len(block.deals)


def test_a_dealer_says_what_it_deals() -> None:
    dealer = Dealer(
        south=balanced & (hcp >= 12), north=~shape("5+Sxxx") | balanced, where="east.hcp > 3", predeal={"west": "AS"}
    )
    for part in ("south: (balanced & hcp(12, ", "north: (~shape('5+Sxxx') | balanced)", "west holds As", "seed 0"):
        assert part in repr(dealer)


@pytest.mark.parametrize(
    "call",
    [
        lambda dealer: dealer.deals(-1),
        lambda dealer: dealer.deals(1.5),
        lambda dealer: dealer.deals(1, threads=0),
        lambda dealer: dealer.deals(1, max_tries=0),
        lambda dealer: dealer.deals(1, progress=3),
        lambda dealer: dealer.estimate(lambda north: True, 1),
        lambda dealer: dealer.estimate(3),
    ],
)
def test_wrong_arguments_of_methods(call: Callable[[Dealer], object]) -> None:
    with pytest.raises(FoogoError):
        call(Dealer())
