"""Ranges and equity: against plain enumeration, published values, and samples against exact results."""

from __future__ import annotations

import importlib
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import FoogoError
from foogo.cards.card import cards_in, format_cards, parse_cards
from foogo.cards.poker import Equity, equity, parse_range, rank
from foogo.cards.poker.situation import situation_of

equities = importlib.import_module("foogo.cards.poker.equity")  # `foogo.cards.poker.equity` is the function


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("TT+", "TT, JJ, QQ, KK, AA"),
        ("ATs+", "ATs, AJs, AQs, AKs"),
        ("AK", "AKs, AKo"),
        ("22-44", "22, 33, 44"),
        ("A2s-A4s", "A2s, A3s, A4s"),
        ("76s-54s", "54s, 65s, 76s"),
        ("kjo", "KJo"),
        ("JKo, AsKd", "AsKd, KJo, KdAs"),
    ],
)
def test_ranges(text: str, terms: str) -> None:
    assert parse_range(text) == sorted({holding for term in terms.split(",") for holding in parse_range(term)})


@pytest.mark.parametrize(("text", "size"), [("AA", 6), ("AKs", 4), ("AKo", 12), ("AK", 16), ("random", 1326)])
def test_sizes_of_ranges(text: str, size: int) -> None:
    assert len(parse_range(text)) == size


def test_suited_holdings() -> None:
    assert [format_cards(cards_in(holding)) for holding in parse_range("32s")] == ["2c 3c", "2d 3d", "2h 3h", "2s 3s"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("AAs", "impossible: a pair"),
        ("AKx", "is not a term"),
        ("AK\u017f", "is not a term"),
        ("As", "has 1 card:"),
        ("AsAs", "occurs 2 times"),
        ("22-AKs", "ends of different kinds"),
        ("A2-AA", "ends of different kinds"),
        ("22-44+", "is not a term"),
    ],
)
def test_wrong_ranges(text: str, message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        parse_range(text)


def pots(hands: list[list[int]]) -> list[float]:
    """The share of each hand at one showdown."""
    ranks = [rank(hand) for hand in hands]
    return [(one == min(ranks)) / ranks.count(min(ranks)) for one in ranks]


def by_plain_enumeration(ranges: list[str], board: str, dead: str) -> tuple[list[float], int]:
    """The shares and the number of deals when the board misses one card at most."""
    known, out = parse_cards(board), parse_cards(dead)
    results = []

    def deal(holdings: list[list[int]], rest: list[list[int]], used: set[int]) -> None:
        if rest:
            for mask in parse_range(ranges[len(holdings)]):
                holding = list(cards_in(mask))
                if not used & {*holding}:
                    deal([*holdings, holding], rest[1:], used | {*holding})
            return
        for last in combinations([card for card in range(52) if card not in used], 5 - len(known)):
            results.append(pots([[*holding, *known, *last] for holding in holdings]))

    deal([], [[]] * len(ranges), {*known, *out})
    return np.mean(results, axis=0).tolist(), len(results)


@pytest.mark.parametrize(
    ("ranges", "board", "dead"),
    [
        (["AKs", "TT"], "Td Th 2s 3s", ""),
        (["AKs, QQ", "AKo", "KhQh"], "Ah 7c 7d 9s Jd", "As"),
        (["AhKh", "2c2d", "9s8s"], "Th Jh Qc 2h", "Ac Ad"),
    ],
)
def test_exact_equity_is_that_of_all_deals(ranges: list[str], board: str, dead: str) -> None:
    result = equity(ranges, board=board, dead=dead)
    shares, deals = by_plain_enumeration(ranges, board, dead)
    assert result.exact
    assert result.deals == deals
    assert [share.value for share in result.shares] == pytest.approx(shares, abs=1e-12)
    assert all(share.low == share.value == share.high for share in result.shares)


def test_published_values() -> None:
    result = equity(["AsAh", "KdKc"])
    assert result.deals == 1_712_304
    assert result.wins == pytest.approx((0.8106, 0.1855), abs=5e-5)
    assert result.ties == pytest.approx((0.0038, 0.0038), abs=5e-5)
    pair, connected = equity(["2d2h", "JsTs"]).shares
    assert (pair.value, connected.value) == pytest.approx((0.4600, 0.5400), abs=1e-3)


def test_a_result_says_what_each_hand_wins() -> None:
    result = equity(np.array(["AsAh", "KdKc"]), board="2s 3s 4d")  # type: ignore[arg-type]
    assert str(result).splitlines() == [
        "AsAh: 91.97 % of the pot; alone 90.81 %, tied 2.32 %",
        "KdKc: 8.03 % of the pot; alone 6.87 %, tied 2.32 %",
        "all 990 deals",
    ]
    assert [type(hand) for hand in result.hands] == [str, str]
    sampled = str(equity(["AKs", "random"], error=0.01, exact=False)).splitlines()
    assert "±" in sampled[0]
    assert sampled[2].startswith("a sample of ")


def test_cards_may_be_lists() -> None:
    as_text = equity(["As Ah", "Kh Kc"], board="2s 3s 4d", dead="9c")
    assert equity([[51, 38], ["Kh", 11]], board=[39, "3s", 15], dead=[7]) == as_text
    assert equity(np.array([[51, 38], [37, 11]]), board=(39, 40, 15), dead="9c") == as_text  # type: ignore[arg-type]


def test_draw_is_that_of_all_draws() -> None:
    hands, out = ["Ks Kh Kd 2c 3d", "2h 4c 5c 6c"], "9h"
    used = parse_cards(" ".join([*hands, out]))
    kept = [parse_cards(hand) for hand in hands]
    results = [pots([kept[0], [*kept[1], card]]) for card in range(52) if card not in used]
    result = equity(hands, game="draw", dead=out)
    assert (result.exact, result.deals) == (True, 42)
    assert [share.value for share in result.shares] == pytest.approx(np.mean(results, axis=0).tolist())


def test_draws_of_both_players_do_not_depend_on_their_order() -> None:
    one = equity(["Ks Kh", "2c 3c 4c"], game="draw", dead="Qd", exact=True)
    other = equity(["2c 3c 4c", "Ks Kh"], game="draw", dead="Qd", exact=True)
    assert one.deals == other.deals == 46 * 45 // 2 * (44 * 43 * 42 // 6)
    assert one.shares == other.shares[::-1]


def test_pat_hands() -> None:
    result = equity(["As Ks Qs Js Ts", "2c 3c 4c 5c 6c"], game="draw")
    assert (result.wins, result.deals) == ((1.0, 0.0), 1)


def test_a_board_that_plays_is_shared() -> None:
    result = equity(["2c2d", "3c3d", "4c4d"], board="As Ks Qs Js Ts")
    assert [share.value for share in result.shares] == pytest.approx([1 / 3] * 3)
    assert result.ties == (1.0, 1.0, 1.0)


FULL_TABLE = ("KsJs", "QdQc", "TdTh", "8c7c", "6h5h", "2s2h", "9d8d")
"""Seven players; with three more, a sample deals the random holdings last."""


@pytest.mark.parametrize(
    "arguments",
    [
        {"hands": ["AKs", "TT+"]},
        {"hands": ["AhKh", "99+, AJ", "8s7s"], "board": "6s 5d Kd"},
        {"hands": ["Ks Kh", "2c 3c 4c 5c"], "game": "draw"},
        {"hands": [*FULL_TABLE, "random", "random", "5s5c"], "board": "3s 4d 9c Ah Jc"},
        {"hands": [*FULL_TABLE, "KQ, A7s", "random", "AQ"], "board": "3s 4d 9c Jd", "dead": "7d 7h"},
    ],
)
def test_a_sample_agrees_with_the_exact_result(arguments: dict[str, Any]) -> None:
    exact, sample = equity(**arguments, exact=True), equity(**arguments, exact=False, seed=1, error=0.001)
    assert exact.exact
    assert not sample.exact
    for one, other in zip(exact.shares, sample.shares, strict=True):
        assert abs(one.value - other.value) < 4 * 0.001
        assert other.half_width < 1.97 * 0.001


def test_a_sample_depends_on_the_seed_and_not_on_the_threads() -> None:
    def run(seed: int, threads: int) -> Equity:
        return equity(["random", "random", "22+"], seed=seed, threads=threads, error=0.002)

    assert run(1, 1) == run(1, 3)
    assert run(1, 1) != run(2, 1)


@pytest.mark.parametrize("players", [18, 23])
def test_random_hands_at_a_full_table(players: int) -> None:
    result = equity(["random"] * players, seed=1, error=0.001)
    assert result.deals > 2**15
    assert all(abs(share.value - 1 / players) < 4 * 0.001 for share in result.shares)


def test_a_sample_of_few_possible_deals_does_not_stop_early() -> None:
    result = equity(["JJ+"] * 8, seed=1, error=0.05)
    assert result.deals >= 40
    assert all(abs(share.value - 1 / 8) < 4 * 0.05 for share in result.shares)


@pytest.mark.parametrize(
    ("hands", "can_be_dealt"),
    [
        (["JJ+"] * 8, True),
        (["JJ+"] * 9, False),
        (["A2+"] * 4 + ["KQs", "22+"], True),
        (["A2+"] * 5 + ["KQs", "22+"], False),
        (["2c2d, 2h2s", "2c2d, 2c2h"], True),  # only if the first player does not hold 2c2d
        (["AK", "AQ", "AJ", "AA"], False),
    ],
)
def test_which_hands_one_deck_can_deal(hands: list[str], can_be_dealt: bool) -> None:
    if can_be_dealt:
        situation_of(hands, "", "", "holdem")
    else:
        with pytest.raises(FoogoError, match="one deck cannot deal"):
            situation_of(hands, "", "", "holdem")


def test_a_seeded_sample_stays_the_same() -> None:
    result = equity(["AKs", "QQ"], exact=False, seed=1, error=0.002)
    assert (result.deals, round(result.wins[0] * result.deals)) == (65536, 29952)


@given(st.permutations(range(4)), st.lists(st.integers(0, 51), min_size=8, max_size=8, unique=True))
@settings(max_examples=20, deadline=None)
def test_names_of_suits_do_not_matter(suits: list[int], cards: list[int]) -> None:
    def shares(deck: list[int]) -> Equity:
        return equity([format_cards(deck[:2]), format_cards(deck[2:4])], board=format_cards(deck[4:]))

    one, other = shares(cards), shares([13 * suits[card // 13] + card % 13 for card in cards])
    assert (one.wins, one.ties, one.deals) == (other.wins, other.ties, other.deals)


@pytest.mark.parametrize("exact", [True, False])
def test_progress_rises_to_the_total(exact: bool) -> None:
    calls: list[tuple[int, int]] = []
    result = equity(["AKs", "99+"], exact=exact, progress=lambda done, total: calls.append((done, total)))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert calls[-1][0] == calls[-1][1] <= result.deals


def test_a_sample_takes_few_rounds_of_many_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []
    run = equities._in_threads

    def counted(task: Any, parts: Any, workers: int) -> Any:
        rounds.append(len(parts))
        return run(task, parts, workers)

    monkeypatch.setattr(equities, "_in_threads", counted)
    result = equity(["AKs", "QQ"], exact=False, seed=1)
    assert result.shares[0].half_width == pytest.approx(1.96 * 0.0005, rel=0.02)
    assert len(rounds) < 12
    assert max(rounds) > 4


def test_any_error_is_one_goal() -> None:
    assert equity(["AKs", "QQ"], exact=False, error=1e200).deals == 65536


def test_as_dict() -> None:
    document = equity(["AsAh", "KdKc"], board="2s 3s 4d 9h").as_dict()
    assert (document["deals"], document["exact"]) == (44, True)
    assert document["hands"][0] == {
        "hand": "AsAh",
        "equity": {"value": 42 / 44, "low": 42 / 44, "high": 42 / 44},
        "win": 42 / 44,
        "tie": 0.0,
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hands": ["AsAh", "AsKd"]}, "As of 'AsKd' is in another hand too"),
        ({"hands": ["AA", "AA", "AA"]}, "one deck cannot deal"),
        ({"hands": ["AA"]}, "2 to 23 texts are needed"),
        ({"hands": [["As", "Ax"], "KK"]}, "'Ax' is not a card"),
        ({"hands": [51, 38]}, "2 to 23 texts are needed"),
        ({"hands": "AA"}, "2 to 23 texts are needed"),
        ({"hands": ["random"] * 24}, "2 to 23 texts are needed"),
        ({"hands": ["AA", "KK"], "board": "As Ad Ah"}, "range 'AA' is empty"),
        ({"hands": ["AA", "KK"], "board": "2c 3c 4c 5c 6c 7c"}, "at most 5"),
        ({"hands": ["AA", "KK"], "board": "2c 3c", "dead": "3c"}, "3c occurs 2 times"),
        ({"hands": ["AA", "KK"], "game": "stud"}, "game is 'stud'"),
        ({"hands": ["AA", "KK"], "error": 0}, "error is 0"),
        ({"hands": ["AA", "KK"], "error": 1e-160}, "error is 1e-160: it must be at least 1e-06"),
        ({"hands": ["AA", "KK"], "error": 1e-200}, "error is 1e-200"),
        ({"hands": "AA KK QQ JJ TT 99 88 77 66 55".split() * 2}, "random deals of the ranges have no"),
        ({"hands": ["AA", "KK"], "seed": -1}, "seed is -1"),
        ({"hands": ["AA", "KK"], "threads": 0}, "threads is 0"),
        ({"hands": ["AA", "KK"], "progress": 3}, "progress is 3"),
        ({"hands": 5}, "hands is 5: 2 to 23 texts are needed"),
        ({"hands": ["random", "random", "random"], "exact": True}, "sample them instead"),
        ({"hands": ["2c 3c", "2c 4d"], "game": "draw"}, "2c occurs 2 times"),
        ({"hands": ["2c 3c", "4d"], "game": "draw", "board": "5c"}, "draw has none"),
        ({"hands": ["2c 3c 4c 5c 6c 7c", "4d"], "game": "draw"}, "at most 5 can be kept"),
        ({"hands": [""] * 11, "game": "draw"}, "cannot deal 11 hands"),
        ({"hands": ["2c3x", "AA"]}, "is not a term"),
        ({"hands": ["AA", "KK"], "board": ["2c", 0]}, "2c occurs 2 times"),
        ({"hands": ["AA", "KK"], "dead": 5}, "dead is 5: it must be a text or a list of cards"),
        ({"hands": ["AA", "KK"], "exact": 1}, "exact is 1: it must be True, False or None"),
        ({"hands": ["AA", "KK"], "exact": "no"}, "exact is 'no'"),
    ],
)
def test_wrong_arguments(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(FoogoError, match=message):
        equity(**arguments)
