"""Comparisons of several histograms of scores: simultaneous intervals, and a test that symmetric ones agree.

The histograms must be of independent games. The variance of a difference is then the sum of the variances, so pairing
games by number gains nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot, inf, sqrt
from typing import NamedTuple

import numpy as np

from foogo.errors import ArgumentError
from foogo.stats.estimates import LEVEL, Histogram, mean_score, points, standard_error, win_share
from foogo.stats.studentized_range import range_limit, range_tail


@dataclass(frozen=True)
class Difference:
    """How much better the first of two openings is for Black, in points or as a share of wins.

    `value` is at least 0, and `error` its standard error. With probability 95 % the simultaneous interval from `low` to
    `high` holds for every difference of the family at once. `p` is the probability of a difference this large anywhere
    in the family if all openings were equal.
    """

    better: int
    worse: int
    value: float
    error: float
    low: float
    high: float
    p: float

    @property
    def is_clear(self) -> bool:
        """Whether 0 is outside the interval."""
        return self.low > 0


@dataclass(frozen=True)
class TestResult:
    """Chi-square, its degrees of freedom, and the probability of at least this much if the hypothesis is true."""

    statistic: float
    freedom: int
    p: float


def differences(scores: Mapping[int, Histogram], komi: float | None = None) -> list[Difference]:
    """The best opening against every other, by mean score or by Black's win share at a komi, the closest first.

    Each opening needs two games. The same games select the best opening, so the family of the simultaneous intervals is
    all pairs, not only those returned.

    References
    ----------
    J. W. Tukey (1953) and C. Y. Kramer, Biometrics 12 (1956), for the limits: quantiles of the studentized range;
    P. A. Games and J. F. Howell, J. Educ. Statist. 1 (1976), for unequal variances and few games: B. L. Welch's degrees
    of freedom (Biometrika 34, 1947). A. Agresti and B. Caffo, The American Statistician 54 (2000), for the error of a
    share whose games all ended alike: one more is counted as won and one as lost.

    Examples
    --------
    >>> scores = np.zeros((2, 9), np.int64)  # a 2x2 board: scores -4 to 4
    >>> scores[0, [5, 7]] = scores[1, [4, 6]] = 5000
    >>> first, = differences({0: scores[0], 1: scores[1]})
    >>> first.better, first.value, first.is_clear
    (0, 1.0, True)
    """
    if len(scores) < 2:
        raise ArgumentError(f"{len(scores)} openings to compare: at least 2 are needed")
    values = {start: _mean(histogram, komi) for start, histogram in scores.items()}
    best = max(values, key=lambda start: values[start].value)
    out = []
    for start, mean in values.items():
        if start != best:
            difference, pooled = values[best].value - mean.value, hypot(values[best].error, mean.error)
            freedom = _freedom(values[best], mean)
            half = range_limit(LEVEL, len(scores), freedom) * pooled
            errors = difference / pooled if pooled else inf if difference else 0.0
            p = range_tail(errors, len(scores), freedom) if errors < inf else 0.0
            out.append(Difference(best, start, difference, pooled, difference - half, difference + half, p))
    return sorted(out, key=lambda one: one.value)


class _Mean(NamedTuple):
    """The mean score, or Black's win share at a komi, its standard error, and the games."""

    value: float
    error: float
    games: int


def _mean(scores: Histogram, komi: float | None) -> _Mean:
    n = int(scores.sum())
    if n < 2:
        raise ArgumentError(f"an opening has {n} games: a difference needs at least 2")
    if komi is None:
        estimate = mean_score(scores, z=1)
        return _Mean(estimate.value, estimate.half_width, n)
    outcomes = (np.sign(points(scores) - komi) + 1) / 2
    share, error = win_share(scores, komi).value, standard_error(scores, outcomes)
    if not error:  # all games ended alike, which does not make their share certain
        near = (n * share + 1) / (n + 2)
        error = sqrt(near * (1 - near) / (n + 2))
    return _Mean(share, error, n)


def _freedom(one: _Mean, other: _Mean) -> float:
    """Welch's degrees of freedom of a difference."""
    variance, rest = one.error**2 + other.error**2, 0.0
    for mean in (one, other):
        rest += mean.error**4 / (mean.games - 1)
    return variance**2 / rest if rest else inf


def asymmetry(scores: Mapping[int, Histogram], classes: Sequence[Sequence[int]]) -> TestResult | None:
    """A chi-square test that the openings of each class, which are symmetric, have equal mean scores.

    None if no class has two openings with games.
    """
    from scipy.stats import chi2

    statistic, freedom = 0.0, 0
    for group in classes:
        values = [_mean(scores[key], None) for key in group if key in scores and scores[key].sum() > 1]
        means, errors = np.array([one.value for one in values]), np.array([one.error for one in values])
        if len(values) < 2 or not errors.all():
            continue
        weights = errors**-2.0
        center = float(weights @ means / weights.sum())
        statistic += float(weights @ (means - center) ** 2)
        freedom += len(values) - 1
    return TestResult(statistic, freedom, float(chi2.sf(statistic, freedom))) if freedom else None
