"""Comparisons of openings against closed forms, and how often simultaneous intervals hold."""

from __future__ import annotations

from math import hypot, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm, studentized_range, ttest_ind_from_stats

from foogo.errors import ArgumentError
from foogo.playout.simulate import simulate
from foogo.stats.comparisons import asymmetry, differences
from foogo.stats.estimates import mean_score, wilson
from foogo.stats.studentized_range import range_limit, range_tail


def histogram(*counts: int) -> NDArray[np.int64]:
    return np.array(counts, np.int64)


def test_the_limit_of_two_is_the_normal_one_and_of_many_is_published() -> None:
    assert range_limit(0.95, 2) == pytest.approx(norm.ppf(0.975), rel=1e-6)
    # Studentized range, 5 %, infinite degrees of freedom: 3.31 for 3 means, 4.47 for 10, 5.01 for 20 (Harter 1960)
    for count, quantile in ((3, 3.314), (10, 4.474), (20, 5.012)):
        assert range_limit(0.95, count) * sqrt(2) == pytest.approx(quantile, abs=6e-4)


@pytest.mark.parametrize(("count", "freedom"), [(2, 1), (3, 4), (15, 1.5), (15, 38), (81, 19), (361, 30), (3, 50_000)])
def test_the_studentized_range_is_that_of_scipy(count: int, freedom: float) -> None:
    for errors in (0.5, 2.0, 4.0, 8.0):
        tail = studentized_range.sf(sqrt(2) * errors, count, freedom)
        assert range_tail(errors, count, freedom) == pytest.approx(tail, abs=1e-5)
    limit = range_limit(0.95, count, freedom)
    assert studentized_range.sf(sqrt(2) * limit, count, freedom) == pytest.approx(0.05, abs=1e-5)


@pytest.mark.parametrize(("games", "is_clear"), [(2, False), (10, True)])
def test_games_that_all_ended_alike_are_not_certain(games: int, is_clear: bool) -> None:
    won, lost = histogram(*[0] * 8, games), histogram(games, *[0] * 8)
    (found,) = differences({0: won, 1: lost}, komi=0.5)
    assert (found.value, found.is_clear) == (1.0, is_clear)
    assert 0 < found.p < 1
    near = (games + 1) / (games + 2)
    assert found.error == pytest.approx(sqrt(2 * near * (1 - near) / (games + 2)))  # Agresti and Caffo


@pytest.mark.parametrize("games", [1, 4])
def test_a_difference_of_two_is_that_of_welchs_test(games: int) -> None:
    one, two = histogram(0, 0, 2, 6, 4, 10, 0, 1, 1) * games, histogram(1, 1, 2, 4, 8, 6, 1, 0, 1)
    (found,) = differences({0: one, 1: two})
    estimates = [mean_score(part, z=1) for part in (one, two)]
    means, errors = [e.value for e in estimates], [e.half_width for e in estimates]
    assert found.better == 0
    assert found.value == pytest.approx(means[0] - means[1])
    assert found.error == pytest.approx(hypot(*errors))
    stated = [
        part
        for mean, error, scores in zip(means, errors, (one, two), strict=True)
        for part in (mean, error * sqrt(scores.sum()), scores.sum())
    ]
    assert found.p == pytest.approx(ttest_ind_from_stats(*stated, equal_var=False).pvalue, abs=1e-5)
    assert found.is_clear == (found.p < 0.05)


def test_a_difference_of_shares_is_that_of_two_binomials() -> None:
    one, two = histogram(40, 0, 0, 0, 0, 0, 0, 0, 60), histogram(50, 0, 0, 0, 0, 0, 0, 0, 50)
    (found,) = differences({0: one, 1: two}, komi=0.5)
    assert found.value == pytest.approx(0.1)
    assert found.error == pytest.approx(sqrt(0.24 / 99 + 0.25 / 99))


def test_simultaneous_intervals_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(5)
    shares, runs, openings = np.array([3, 5, 9, 14, 20, 15, 9, 6, 4]) / 85, 1500, 6
    wrong = 0
    for _ in range(runs):
        wrong += differences_are_wrong({i: histogram(*rng.multinomial(500, shares)) for i in range(openings)})
    assert abs(wrong / runs - 0.05) < 4 * sqrt(0.05 * 0.95 / runs)


def differences_are_wrong(openings: dict[int, NDArray[np.int64]]) -> bool:
    """Whether an interval of the best against another leaves out 0, which is the truth for equal openings."""
    values = [mean_score(one, z=1) for one in openings.values()]
    best = max(values, key=lambda one: one.value)
    limit = range_limit(0.95, len(values))
    return any(best.value - other.value > limit * hypot(best.half_width, other.half_width) for other in values)


def test_wilson_intervals_hold_as_often_as_they_say() -> None:
    rng = np.random.default_rng(6)
    for share in (0.02, 0.3, 0.5):
        wins = rng.binomial(300, share, size=4000)
        hits = sum(wilson(int(w), 300).low <= share <= wilson(int(w), 300).high for w in wins)
        assert 0.93 < hits / 4000 < 0.975


def test_symmetric_openings_pass_and_others_fail_the_test_of_symmetry() -> None:
    rng = np.random.default_rng(8)
    shares = np.array([3, 5, 9, 14, 20, 15, 9, 6, 4]) / 85
    openings = {point: histogram(*rng.multinomial(5000, shares)) for point in range(4)}
    same = asymmetry(openings, ((0, 1, 2, 3),))
    assert same is not None
    assert same.p > 0.001
    assert same.freedom == 3
    openings[2] = histogram(*rng.multinomial(5000, shares[::-1]))
    different = asymmetry(openings, ((0, 1, 2, 3),))
    assert different is not None
    assert different.p < 1e-6
    assert asymmetry({0: openings[0]}, ((0, 1),)) is None


def test_too_little_to_compare_is_refused() -> None:
    with pytest.raises(ArgumentError, match="at least 2"):
        differences({0: histogram(0, 0, 0, 0, 5, 0, 0, 0, 0)})
    with pytest.raises(ArgumentError, match="1 games"):
        differences({0: histogram(0, 0, 0, 0, 5, 0, 0, 0, 0), 1: histogram(0, 0, 0, 0, 1, 0, 0, 0, 0)})


def test_published_values_of_random_play_without_suicide() -> None:
    """computer-go, 2008: Black's win share on 9x9 from a million games each, at komi 0 and 6.5."""
    n = 400_000
    run = simulate(9, n, seed=12, suicide=False)
    for komi, published in ((0.0, 0.524478), (6.5, 0.447138)):
        error = sqrt(published * (1 - published) * (1 / n + 1 / 1_000_000))
        assert abs(run.win_share(komi) - published) < 4 * error
