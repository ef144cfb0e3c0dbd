"""The double-dummy search: against plain minimax, against DDS, against itself."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from foogo.cards.bridge import STRAINS, solve, table, tables, tricks
from foogo.cards.bridge.kernels.layout import ALL, LATER, QUICK, RESETS, SINGLE, Memory
from foogo.cards.bridge.kernels.solving import solve_all
from foogo.cards.bridge.positions import deal_of, play
from foogo.cards.bridge.solving import new_memory
from foogo.cards.card import cards_in
from foogo.cards.deal import Dealer, to_pbn

SPEC = importlib.util.spec_from_file_location("bridge_oracle", Path(__file__).with_name("oracle.py"))
assert SPEC is not None
assert SPEC.loader is not None
oracle = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(oracle)

Masks = NDArray[np.uint64]


def endings(n: int, cards: int, seed: int) -> Masks:
    """What is left of random deals when each hand has some cards."""
    rng = np.random.default_rng(seed)
    deals = np.zeros((n, 4), np.uint64)
    for deal in deals:
        left = rng.permutation(52)[: 4 * cards].reshape(4, cards)
        deal[:] = [sum(1 << int(card) for card in hand) for hand in left]
    return deals


def by_minimax(deal: Masks, trump: int, leader: int) -> int:
    """The tricks of the leader's side."""
    return int(oracle.leaders_tricks([[divmod(card, 13) for card in cards_in(hand)] for hand in deal], trump, leader))


def results(memory: Memory, deals: Masks, techniques: int = ALL) -> NDArray[np.int64]:
    """The tricks of the leader's side: deals by strains by leaders."""
    found = np.empty((len(deals), 5, 4), np.int64)
    solve_all(memory, deals, np.arange(5), np.arange(4), techniques, found)
    return found


def check_by_minimax(n: int, cards: int, seed: int) -> None:
    deals = endings(n, cards, seed)
    found = results(new_memory(1), deals)
    for i, deal in enumerate(deals):
        # every strain and leader once in five deals of small endings, one of each deal of larger ones
        for trump, leader in [(k // 4, k % 4) for k in range(20)] if cards < 3 else [(i % 5, i // 5 % 4)]:
            assert found[i, trump, leader] == by_minimax(deal, trump, leader), (to_pbn(deal), trump, leader)


@pytest.mark.parametrize(("cards", "n"), [(1, 50), (2, 150), (3, 150), (4, 40)])
def test_endings_by_minimax(cards: int, n: int) -> None:
    check_by_minimax(n, cards, seed=cards)


@pytest.mark.slow
@pytest.mark.parametrize("cards", [1, 2, 3, 4])
def test_many_endings_by_minimax(cards: int) -> None:
    check_by_minimax(2000, cards, seed=10 + cards)


@pytest.mark.parametrize("cards", [5, 7])
def test_techniques_do_not_change_results(cards: int) -> None:
    deals, memory = endings(12, cards, 1), new_memory(8)
    expected = results(memory, deals)
    for technique in (1 << bit for bit in range(8)):
        assert (results(memory, deals, ALL & ~technique) == expected).all(), technique
    if cards == 5:
        assert (results(memory, deals[:4], 0) == expected[:4]).all()


@pytest.mark.slow
@pytest.mark.parametrize(("cards", "n"), [(4, 20_000), (6, 3000), (8, 200)])
def test_bounds_of_many_endings(cards: int, n: int) -> None:
    """Quick, single-suit and later tricks are rules that could be wrong in rare positions."""
    deals, memory = endings(n, cards, 2), new_memory(64)
    assert (results(memory, deals) == results(memory, deals, ALL & ~(QUICK | LATER | SINGLE))).all()


def test_table_size_and_threads_do_not_change_results() -> None:
    deals = endings(40, 10, 6)
    expected = tables(deals, threads=2)
    assert (tables(deals, table_mb=1, threads=1) == expected).all()
    assert (table(to_pbn(deals[0])) == expected[0]).all()
    assert (10 - tricks(deals, "NT", "W") == expected[:, 4, 2]).all()


def test_a_full_table_starts_anew() -> None:
    deals, memory = endings(3, 9, 8), new_memory(1)
    memory = memory._replace(entries=memory.entries[:300])
    assert (results(memory, deals) == results(new_memory(64), deals)).all()
    assert memory.state[RESETS] > 0


def test_rotated_seats() -> None:
    deals = endings(20, 8, 3)
    expected = tables(deals)
    assert (tables(np.roll(deals, 1, axis=1)) == np.roll(expected, 1, axis=2)).all()
    assert (expected[:, 4] <= 8).all()


def test_permuted_suits() -> None:
    deals = endings(20, 8, 4)
    expected, order = tables(deals), [2, 0, 3, 1]
    suits = [deals >> np.uint64(13 * suit) & np.uint64(0x1FFF) for suit in range(4)]
    permuted = sum(suits[old] << np.uint64(13 * new) for new, old in enumerate(order))
    assert (tables(np.asarray(permuted)) == expected[:, [*order, 4]]).all()


def test_the_best_card_leads_to_the_value() -> None:
    for deal in endings(10, 6, 5):
        best = solve(deal, "NT", "N")
        card = next(iter(best.cards))
        assert best.tricks + solve(deal, "NT", "N", played=[card]).tricks == 6


@pytest.mark.parametrize("strain", ["NT", "H"])
def test_cards_of_a_solution_are_the_values_after_them(strain: str) -> None:
    deal = endings(1, 6, 7)[0]
    played: list[int] = []
    trump = STRAINS.index(strain)
    for _ in range(20):
        solution = solve(deal, strain, "E", played=played)
        position = play(deal, trump, 1, played)
        assert sorted(solution.cards) == position.legal()
        assert solution.seat == position.seat
        for card, value in solution.cards.items():
            after = play(deal, trump, 1, [*played, card])
            rest = solve(deal, strain, "E", played=[*played, card])
            if len(position.on_table) == 3:
                left, is_ours = int(after.hands[0]).bit_count(), (rest.seat - position.seat) % 2 == 0
                assert value == (rest.tricks + 1 if is_ours else left - rest.tricks)
            else:
                assert value == int(position.hands[0]).bit_count() - rest.tricks
        played.append(next(iter(solution.cards)))


PUBLISHED = [
    (
        "N:QJ6.K652.J85.T98 873.J97.AT764.Q4 K5.T83.KQ9.A7652 AT942.AQ4.32.KJ3",
        [[7, 5, 7, 5], [5, 7, 5, 7], [6, 6, 6, 6], [5, 8, 5, 8], [6, 6, 6, 6]],
    ),
    (
        "E:QJT5432.T.6.QJ82 .J97543.K7532.94 87.A62.QJT4.AT75 AK96.KQ8.A98.K63",
        [[6, 7, 6, 7], [8, 3, 8, 3], [10, 2, 10, 2], [4, 9, 4, 9], [9, 3, 9, 3]],
    ),
    (
        "N:73.QJT.AQ54.T752 QT6.876.KJ9.AQ84 5.A95432.7632.K6 AKJ9842.K.T8.J93",
        [[3, 9, 3, 9], [8, 4, 8, 4], [9, 4, 9, 4], [3, 10, 3, 10], [4, 8, 4, 8]],
    ),
]
"""The deals of DDS's own examples (`hands.cpp`), with their tables."""


@pytest.mark.parametrize(("deal", "expected"), PUBLISHED)
def test_published_tables(deal: str, expected: list[list[int]]) -> None:
    assert table(deal).tolist() == expected


@pytest.mark.slow
def test_a_deal_that_is_hard_for_solvers() -> None:
    """T. Andrews' deal (bridge.thomasoandrews.com/deal/dds.html): a void in every suit, and no two cards are equal."""
    deal = "N:.Q853.AJ962.KT74 Q853.AJ962.KT74. AJ962.KT74..Q853 KT74..Q853.AJ962"
    assert tricks([deal_of(deal)], "S", "W").tolist() == [9]  # as DDS


def dds(deals: Masks) -> NDArray[np.int64]:
    """The tables of DDS, in foogo's order."""
    endplay: Any = pytest.importorskip("endplay.dds", reason="needs DDS: pip install endplay")
    types: Any = pytest.importorskip("endplay.types")
    denominations = [types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt]
    players = [types.Player.north, types.Player.east, types.Player.south, types.Player.west]
    found = []
    for first in range(0, len(deals), 8):
        parts = [types.Deal(to_pbn(deal)) for deal in deals[first : first + 8]]
        for one in endplay.calc_all_tables(parts):
            found.append([[one[strain, seat] for seat in players] for strain in denominations])
    return np.array(found, np.int64)


def test_deals_of_dds() -> None:
    deals = Dealer(seed=11).deals(4)
    assert (tables(deals) == dds(deals)).all()


@pytest.mark.slow
def test_two_thousand_deals_of_dds() -> None:
    for seed in range(10):
        deals = Dealer(seed=100 + seed).deals(200)
        assert (tables(deals) == dds(deals)).all()
