"""Estimates against closed forms and published values."""

from __future__ import annotations

from math import erf, inf, isclose, sqrt
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from foogo.errors import ArgumentError
from foogo.stats.estimates import Z95, Estimate, fair_komi, mean_score, wilson, win_share


def histogram(size: int, counts: dict[int, int]) -> NDArray[np.int64]:
    scores = np.zeros(2 * size * size + 1, np.int64)
    for score, count in counts.items():
        scores[score + size * size] = count
    return scores


def test_z95_is_the_normal_quantile() -> None:
    assert isclose((1 + erf(Z95 / sqrt(2))) / 2, 0.975, rel_tol=1e-14)


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3: the Wilson score interval
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(wins: float, n: int, low: float, high: float) -> None:
    estimate = wilson(wins, n)
    assert estimate.value == wins / n
    assert (round(estimate.low, 4), round(estimate.high, 4)) == (low, high)


@pytest.mark.parametrize(("kind", "wins", "n"), [(np.int8, 100, 120), (np.uint16, 7, 300), (np.int64, 2**33, 2**34)])
def test_wilson_takes_numpy_integers(kind: Any, wins: int, n: int) -> None:
    assert wilson(kind(wins), kind(n)) == wilson(wins, n)


@given(st.integers(1, 10**9).flatmap(lambda n: st.tuples(st.integers(0, 2 * n), st.just(n))))
def test_wilson_limits_solve_the_score_equation(case: tuple[int, int]) -> None:
    half_wins, n = case
    share = half_wins / 2 / n
    estimate = wilson(half_wins / 2, n)
    assert 0 <= estimate.low <= share <= estimate.high <= 1
    for limit in (estimate.low, estimate.high):
        distance = abs(limit - share)
        expected = Z95 * sqrt(limit * (1 - limit) / n)
        assert isclose(distance, expected, rel_tol=1e-5, abs_tol=1e-9)


IMPOSSIBLE = [(-1, 10), (11, 10), (0, 0), (1, -1), (float("nan"), 3), (2.3, 2.5), (1, float("nan")), ("1", 2), (1, "2")]


@pytest.mark.parametrize(("wins", "n"), IMPOSSIBLE)
def test_wilson_refuses_impossible_counts(wins: Any, n: Any) -> None:
    with pytest.raises(ArgumentError):
        wilson(wins, n)


def test_mean_score_of_two_values() -> None:
    # n games at a and n at b: mean (a+b)/2, sample variance n (a-b)^2 / 4 * 2 / (2n - 1)
    n, a, b = 50, 1, 3
    estimate = mean_score(histogram(2, {a: n, b: n}))
    half = Z95 * sqrt(2 * n * (a - b) ** 2 / 4 / (2 * n - 1) / (2 * n))
    assert estimate.value == 2.0
    assert isclose(estimate.high - 2.0, half)
    assert isclose(2.0 - estimate.low, half)


def test_mean_score_of_one_game_is_unbounded() -> None:
    assert mean_score(histogram(3, {-9: 1})) == Estimate(-9.0, -inf, inf)


def test_mean_score_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(20)
    n, runs, p = 400, 2000, 0.3  # scores: -1 or 3 on a 2x2 board
    truth = 3 * p - (1 - p)
    hits = 0
    for wins in rng.binomial(n, p, size=runs):
        estimate = mean_score(histogram(2, {3: int(wins), -1: int(n - wins)}))
        hits += estimate.low <= truth <= estimate.high
    assert abs(hits / runs - 0.95) < 4 * sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize(("komi", "share"), [(-1.5, 1.0), (-1, 0.9), (0, 0.8), (1, 0.6), (2.5, 0.4), (3, 0.2), (9, 0)])
def test_win_share_counts_ties_half(komi: float, share: float) -> None:
    scores = histogram(2, {-1: 20, 1: 40, 3: 40})
    assert win_share(scores, komi).value == pytest.approx(share, abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "komi"),
    [
        ({3: 10}, 3.0),  # a certain score is its own fair komi
        ({-1: 7, 1: 7}, 0.0),  # level at one half from -1/2 to 1/2: the middle
        ({-4: 1, 4: 1}, 0.0),
        ({0: 1, 1: 2, 2: 1}, 1.0),
        ({1: 25, 2: 75}, 2 - 1 / 6),  # from 75 % at 1.5 to 0 at 2.5: 50 % after a third of the way
        ({-3: 60, 3: 40}, -3.5 + 50 / 60),
    ],
)
def test_fair_komi_of_small_distributions(counts: dict[int, int], komi: float) -> None:
    assert fair_komi(histogram(2, counts)).value == pytest.approx(komi, abs=1e-12)


@given(st.lists(st.integers(0, 50), min_size=19, max_size=19).filter(any))
def test_fair_komi_is_odd_under_exchange_of_colors(counts: list[int]) -> None:
    scores = np.array(counts)
    one, other = fair_komi(scores), fair_komi(scores[::-1])
    assert one.value == pytest.approx(-other.value, abs=1e-9)
    assert one.low == pytest.approx(-other.high, abs=1e-9)
    assert one.low <= one.value <= one.high


@given(st.lists(st.integers(0, 50), min_size=19, max_size=19).filter(any))
def test_win_share_crosses_one_half_at_the_fair_komi(counts: list[int]) -> None:
    scores = np.array(counts)
    komi = fair_komi(scores).value
    assert win_share(scores, np.floor(komi - 0.5) + 0.0).value >= 0.5
    assert win_share(scores, np.ceil(komi + 0.5) + 0.0).value <= 0.5


def test_fair_komi_of_a_binomial_score() -> None:
    # score = heads - tails of 9 tosses of a coin: symmetric about 0, and shifted by 2
    from math import comb

    counts = {2 * k - 9 + 2: comb(9, k) for k in range(10)}
    estimate = fair_komi(histogram(4, counts))
    assert estimate.value == pytest.approx(2.0, abs=1e-12)
    assert estimate.high - 2 == pytest.approx(2 - estimate.low, abs=1e-9)


def test_fair_komi_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(21)
    truth_scores = np.array([1, 4, 9, 16, 20, 18, 14, 10, 8], np.float64)
    truth = fair_komi((truth_scores * 1000).astype(np.int64)).value
    runs, n, hits = 2000, 1000, 0
    for scores in rng.multinomial(n, truth_scores / truth_scores.sum(), size=runs):
        estimate = fair_komi(scores)
        hits += estimate.low <= truth <= estimate.high
    # The win share between whole and half komis varies a little less than a coin: the interval may be wide.
    assert 0.95 - 4 * sqrt(0.95 * 0.05 / runs) < hits / runs < 0.985


def test_fair_komi_of_few_games_has_no_limits() -> None:
    estimate = fair_komi(histogram(2, {1: 3}))
    assert (estimate.low, estimate.high) == (-inf, inf)
    assert estimate.as_dict() == {"value": 1.0, "low": None, "high": None}


@pytest.mark.parametrize("shape", [(8,), (7,), (3, 3), (0,)])
def test_what_is_not_a_histogram_is_refused(shape: tuple[int, ...]) -> None:
    scores = np.ones(shape, np.int64)
    for estimate in (mean_score, fair_komi):
        with pytest.raises(ArgumentError):
            estimate(scores)
    with pytest.raises(ArgumentError):
        win_share(scores, 0)


def test_no_games_is_refused() -> None:
    with pytest.raises(ArgumentError, match="at least 1"):
        mean_score(np.zeros(9, np.int64))
    with pytest.raises(ArgumentError, match="at least 1"):
        fair_komi(np.zeros(9, np.int64))


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert Estimate(-0.0001, -0.0201, 0.0199).plus_minus() == "0.000 ±0.020"
    assert Estimate(-0.001, -0.002, 0.5).between() == "0.00 [0.00, 0.50]"
    assert f"{Estimate(9, 8.5, 9.2):.1f}" == "9.0 [8.5, 9.2]"


def test_scores_are_an_array() -> None:
    with pytest.raises(ArgumentError, match=r"scores are a list: give an array"):
        mean_score([0] * 19)  # type: ignore[arg-type]
