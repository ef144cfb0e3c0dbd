"""Elo, its interval, and the sequential test."""

from __future__ import annotations

import dataclasses
import json
import math
from collections import Counter

import numpy as np
import pytest

from foogo.errors import ArgumentError
from foogo.match.results_file import GameResult
from foogo.match.summary import Summary
from foogo.stats.elo import Sprt, elo, elo_estimate, expected_share, pair_counts


def test_elo_and_the_expected_share_are_inverse() -> None:
    for difference in (-400, -3.5, 0, 10, 800):
        assert elo(expected_share(difference)) == pytest.approx(difference)
    assert (elo(0.0), elo(1.0)) == (-math.inf, math.inf)
    assert elo(10 / 11) == pytest.approx(400)


def test_the_interval_of_a_match() -> None:
    found = elo_estimate(0, 0, 10)
    assert (found.value, found.low) == (-math.inf, -math.inf)
    assert found.high == pytest.approx(elo(0.2775328), abs=0.01)  # Wilson's upper bound of 0 of 10
    even = elo_estimate(30, 40, 30)
    assert even.value == 0
    assert even.low == pytest.approx(-even.high)
    with pytest.raises(ArgumentError, match="0 games"):
        elo_estimate(0, 0, 0)
    assert elo_estimate(*np.array([10, 200, 200], np.uint8)) == elo_estimate(10, 200, 200)
    with pytest.raises(ArgumentError, match="draws is -2"):
        elo_estimate(5, -2, 10)


def test_shares_are_from_0_to_1() -> None:
    for wrong in (-0.1, 1.5, math.nan, "half", None):
        with pytest.raises(ArgumentError, match="it must be a number from 0 to 1"):
            elo(wrong)  # type: ignore[arg-type]
    assert [expected_share(difference) for difference in (-math.inf, -1e6, 0, 1e6, math.inf)] == [0, 0, 0.5, 1, 1]


def test_the_interval_holds_the_truth_often_enough() -> None:
    rng = np.random.default_rng(5)
    held, runs = 0, 1000
    for _ in range(runs):
        wins, draws, losses = rng.multinomial(60, [0.45, 0.15, 0.40])
        found = elo_estimate(int(wins), int(draws), int(losses))
        held += found.low <= elo(0.525) <= found.high
    assert held / runs >= 0.95


BAD = [
    ({"elo0": 10.0, "elo1": 10.0}, "elo0 must be the smaller"),
    ({"elo0": 10.0, "elo1": 0.0}, "elo0 must be the smaller"),
    ({"elo1": math.inf}, "elo0 must be the smaller"),
    ({"elo0": math.nan}, "elo0 must be the smaller"),
    ({"elo1": 6500.0}, "elo0 is 0 and elo1 is 6500: they must be from -4000 to 4000"),
    ({"elo0": -1e6}, "elo0 is -1e.06 and elo1 is 20: they must be from -4000 to 4000"),
    ({"alpha": 0.0}, "alpha is 0"),
    ({"beta": 0.5}, "beta is 0.5"),
    ({"elo0": "10"}, "elo0 is '10': it must be a number"),
    ({"alpha": None}, "alpha is None: it must be a number"),
    ({"elo1": 10**400}, "elo1 is 1000"),
    ({"elo1": float("inf")}, "elo0 is 0 and elo1 is inf"),
]


@pytest.mark.parametrize(("values", "message"), BAD)
def test_tests_that_cannot_be(values: dict[str, float], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Sprt(**values)


def test_a_test_has_numbers_of_python() -> None:
    test = Sprt(np.float32(0), np.int8(20))
    assert test == Sprt()
    assert repr(test) == repr(Sprt())
    assert json.loads(json.dumps(dataclasses.asdict(test)))["elo1"] == 20


def test_the_widest_test_has_a_ratio() -> None:
    test = Sprt(-4000, 4000)
    assert test.verdict(test.ratio({1.0: 3})) == "H1"
    assert test.verdict(test.ratio({0.0: 3})) == "H0"


def test_the_ratio_of_games_without_draws_is_that_of_coins() -> None:
    """Without draws the distribution is fixed by its mean, so the ratio is the likelihood ratio of two coins."""
    test, wins, losses = Sprt(0, 50), 130, 110
    p0, p1 = expected_share(0), expected_share(50)
    exact = wins * math.log(p1 / p0) + losses * math.log((1 - p1) / (1 - p0))
    assert test.ratio({1.0: wins, 0.0: losses}) == pytest.approx(exact, abs=0.002)


@pytest.mark.parametrize(
    "counts",
    [
        {1.0: 600, 0.5: 100, 0.0: 500},
        {1.0: 3000, 0.5: 4000, 0.0: 2950},
        {0.0: 70, 0.25: 130, 0.5: 420, 0.75: 140, 1.0: 90},
    ],
)
def test_the_ratio_is_near_that_of_a_normal_distribution(counts: dict[float, int]) -> None:
    """Van den Bergh's approximation: N (s1 - s0) (2 s - s0 - s1) / (2 var)."""
    test, games = Sprt(0, 10), sum(counts.values())
    mean = sum(value * n for value, n in counts.items()) / games
    variance = sum(n * (value - mean) ** 2 for value, n in counts.items()) / games
    s0, s1 = expected_share(0), expected_share(10)
    near = games * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert test.ratio(counts) == pytest.approx(near, rel=0.02)


def test_counts_are_by_points() -> None:
    with pytest.raises(ArgumentError, match="give the number of games by points"):
        Sprt().ratio((5, 3, 2))  # type: ignore[arg-type]


@pytest.mark.parametrize("counts", [{2.0: 3}, {-0.5: 1}, {1.0: -1}, {1.0: 1.5}, {float("nan"): 1}])
def test_counts_that_cannot_be(counts: dict[float, int]) -> None:
    with pytest.raises(ArgumentError, match=r"^(points are|count is)"):
        Sprt().ratio(counts)


def test_the_ratio_of_few_games() -> None:
    test = Sprt(0, 10)
    assert test.ratio({}) == test.ratio({1.0: 0}) == 0
    assert 0 < test.ratio({1.0: 2}) < 0.5
    assert test.ratio({0.5: 1}) < 0


@pytest.mark.parametrize(("true", "accepted"), [(0, "H0"), (60, "H1")])
def test_the_risks_are_kept(true: float, accepted: str) -> None:
    """200 tests of 60 Elo against 0, with 10 % draws, at a risk of 5 %: at most 20 wrong (4.2 standard errors)."""
    rng, test = np.random.default_rng(int(true)), Sprt(0, 60)
    share = expected_share(true)
    verdicts: Counter[str] = Counter()
    for _ in range(200):
        counts: Counter[float] = Counter()
        verdict = ""
        while not verdict:
            for value in rng.choice([1.0, 0.5, 0.0], p=[share - 0.05, 0.1, 0.95 - share], size=10):
                counts[float(value)] += 1
            verdict = test.verdict(test.ratio(counts))
        verdicts[verdict] += 1
    assert verdicts[accepted] >= 180


def test_pairs() -> None:
    assert pair_counts([(1, 1), (0, 1), (1, 0), (0.5, 0), (0, 0)]) == {1.0: 1, 0.5: 2, 0.25: 1, 0.0: 1}


# --- what is said of a match --------------------------------------------------------------------------------


def game(number: int, winner: str | None, **changes: object) -> GameResult:
    values = {
        "number": number, "opening": number // 2, "size": 9, "black": "AB"[number % 2], "winner": winner,
        "result": "", "reason": "area", "moves": (str(number),), "seconds": {"A": 1.0, "B": 2.0},
        "longest": {"A": 0.5, "B": 1.0},
    }  # fmt: skip
    return GameResult(**{**values, **changes})  # type: ignore[arg-type]


def summary(games: list[GameResult], sprt: Sprt | None = None, opening: int = 4) -> Summary:
    return Summary({one.number: one for one in games}, {"A": "a", "B": "b"}, sprt, opening)


def test_a_summary_counts() -> None:
    games = [
        game(0, "A"),
        game(1, "A"),
        game(2, "B"),
        game(3, "draw"),
        game(4, None),
        game(5, "B", reason="time", size=13),
    ]
    document = summary(games).as_dict()
    assert (document["wins"], document["draws"], document["losses"], document["void"]) == (2, 1, 2, 1)
    assert document["share"]["value"] == 0.5
    assert document["colors"] == {
        "black": {"wins": 1, "draws": 0, "losses": 1},
        "white": {"wins": 1, "draws": 1, "losses": 1},
    }
    assert document["sizes"]["13"] == {"wins": 0, "draws": 0, "losses": 1}
    assert document["forfeits"] == {"A": {"time": 1}, "B": {}}
    assert document["reasons"] == {"area": 5, "time": 1}
    assert document["seconds"] == {"A": 6.0, "B": 12.0}


def test_an_empty_summary() -> None:
    document = summary([]).as_dict()
    assert document["share"] is None
    assert document["elo"] is None


def test_an_infinite_elo_is_null() -> None:
    assert summary([game(0, "A")]).as_dict()["elo"]["value"] is None


def test_duplicates() -> None:
    moves = ("E5", "pass", "pass")
    games = [
        game(0, "A", moves=moves),
        game(1, "A", moves=moves, size=13),
        game(2, "A", moves=moves),
        game(3, "A", moves=moves),
        game(4, "A", moves=moves[:1], reason="crash"),
        game(5, "A", moves=moves[:1], reason="crash"),
    ]
    assert summary(games).duplicates == [[0, 2, 3]]
    assert summary(games).repeated == 2
    assert summary(games).as_dict()["duplicates"] == [[1, 3, 4]]


def test_disagreements_over_the_score() -> None:
    scores = [
        {"A": "B+1", "B": "B+1.0", "referee": "B+1"},
        {"A": "B+1", "B": "B+1", "referee": "W+5"},
        {"A": "B+1", "B": "W+1", "referee": "B+1"},
        {"A": "B+1", "referee": "B+1"},
    ]
    games = [game(number, "A", scores=said) for number, said in enumerate(scores)]
    assert summary(games).disagreements == {"scored": 3, "engines": 1, "referee": 2}


def test_the_test_takes_pairs_of_games_from_one_opening() -> None:
    games = [game(0, "A"), game(1, "B"), game(2, "A"), game(3, "A"), game(4, "A"), game(5, None)]
    test = Sprt(0, 100)
    assert summary(games, test).ratio == test.ratio({0.5: 1, 1.0: 1})
    assert summary(games, test, opening=0).ratio == test.ratio({1.0: 4, 0.0: 1})
    assert summary(games, test).as_dict()["sprt"]["unit"] == "pair"
    assert summary(games, test).verdict == ""
    assert summary([game(number, "B") for number in range(60)], test).verdict == "H0"
