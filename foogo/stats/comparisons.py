"""Differences between openings with intervals that hold for all of them at once, and pooling by symmetry.

Two starts use disjoint random streams, so their games are independent, and the variance of a difference is the
sum of the variances: errors are pooled, nothing is gained by pairing games of equal number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import hypot, sqrt

import numpy as np
from numpy.typing import NDArray

from foogo.errors import ArgumentError
from foogo.playout.totals import Tally
from foogo.stats.estimates import Estimate, mean_score, win_share

LEVEL = 0.95


@dataclass(frozen=True)
class Difference:
    """How much better the first of two openings is for Black, in points or as a share of wins.

    Attributes
    ----------
    better, worse
        The starts compared: the one of larger value first.
    value, error
        The difference, at least 0, and its standard error.
    low, high
        The simultaneous 95 % interval: with probability 95 % all differences of the family lie in theirs.
    p
        The probability of so large a difference somewhere in the family, were all openings equal.
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


def differences(tallies: Mapping[int, Tally], komi: float | None = None, *, level: float = LEVEL) -> list[Difference]:
    """The best opening against every other, the closest first.

    Parameters
    ----------
    tallies
        The totals of each opening, by its start; at least two games each.
    komi
        Compare Black's win share at this komi; mean scores if None.
    level
        Of the simultaneous intervals.

    Returns
    -------
    list
        Which opening is best is read off the same totals, so the family is all pairs, not only those returned.

    Raises
    ------
    ArgumentError
        If there are fewer than two openings, or an opening has too few games.

    References
    ----------
    J. W. Tukey (1953) and C. Y. Kramer, Biometrics 12 (1956), for the limits: quantiles of the studentized range;
    P. A. Games and J. F. Howell, J. Educ. Statist. 1 (1976), for unequal variances.

    Examples
    --------
    >>> scores = np.zeros((2, 9), np.int64)  # a 2x2 board: scores -4 to 4
    >>> scores[0, [5, 7]] = scores[1, [4, 6]] = 5000
    >>> first, = differences({0: Tally(0, 0, scores[0]), 1: Tally(0, 0, scores[1])})
    >>> first.better, first.value, first.is_clear
    (0, 1.0, True)
    """
    if len(tallies) < 2:
        raise ArgumentError(f"{len(tallies)} openings to compare: at least 2 are needed")
    values = {start: _value(tally, komi) for start, tally in tallies.items()}
    best = max(values, key=lambda start: values[start][0])
    limit = range_limit(len(tallies), level)
    out = []
    for start, (value, error) in values.items():
        if start != best:
            difference, pooled = values[best][0] - value, hypot(values[best][1], error)
            half = limit * pooled
            p = _range_p(len(tallies), difference / pooled if pooled else float("inf") if difference else 0.0)
            out.append(Difference(best, start, difference, pooled, difference - half, difference + half, p))
    return sorted(out, key=lambda one: one.value)


@lru_cache(maxsize=64)
def range_limit(count: int, level: float = LEVEL) -> float:
    """How many standard errors of a difference the largest of all differences of `count` equal values stays below.

    Examples
    --------
    >>> round(range_limit(2), 2), round(range_limit(15), 2)
    (1.96, 3.39)
    """
    from scipy.stats import studentized_range

    return float(studentized_range.ppf(level, count, np.inf)) / sqrt(2)


def _range_p(count: int, errors: float) -> float:
    from scipy.stats import studentized_range

    if not np.isfinite(errors):
        return 0.0
    return float(np.clip(studentized_range.sf(errors * sqrt(2), count, np.inf), 0.0, 1.0))


def _value(tally: Tally, komi: float | None) -> tuple[float, float]:
    """A value and its standard error."""
    n = tally.n
    if n < 2:
        raise ArgumentError(f"an opening has {n} games: a difference needs at least 2")
    if komi is None:
        estimate = mean_score(tally.scores, z=1)
        return estimate.value, estimate.half_width
    share = win_share(tally.scores, komi).value
    area = len(tally.scores) // 2
    outcomes = (np.sign(np.arange(-area, area + 1) - komi) + 1) / 2
    variance = float(tally.scores @ (outcomes - share) ** 2) / (n - 1)
    return share, sqrt(variance / n)


def pooled(tallies: Mapping[int, Tally], classes: Sequence[Sequence[int]]) -> dict[int, Tally]:
    """The totals of each class of symmetric first moves, under the class's first point.

    Parameters
    ----------
    tallies
        The totals by the point of the first move; points without any may be left out.
    classes
        Points that are the same opening, as `Config.classes` has them.

    Examples
    --------
    >>> one = Tally(0, 4, np.array([0, 0, 0, 0, 1, 0, 0, 0, 0]))
    >>> {start: tally.n for start, tally in pooled({0: one, 3: one}, ((0, 1, 2, 3),)).items()}
    {0: 2}
    """
    out: dict[int, Tally] = {}
    for group in classes:
        parts = [tallies[point] for point in group if point in tallies]
        if parts:
            out[group[0]] = sum(parts[1:], parts[0])
    return out


def asymmetry(tallies: Mapping[int, Tally], classes: Sequence[Sequence[int]]) -> Estimate | None:
    """A test that symmetric first moves have equal mean scores, as they must if the games are right.

    Returns
    -------
    Estimate or None
        `value` is the probability of means as far apart as these, were they equal (chi-square); `low` and `high`
        are the statistic and its degrees of freedom. None if no class has two points with games.
    """
    from scipy.stats import chi2

    statistic, freedom = 0.0, 0
    for group in classes:
        values = [_value(tallies[point], None) for point in group if point in tallies and tallies[point].n > 1]
        means, errors = np.array([v for v, _ in values]), np.array([e for _, e in values])
        if len(values) < 2 or not errors.all():
            continue
        weights = errors**-2.0
        center = float(weights @ means / weights.sum())
        statistic += float(weights @ (means - center) ** 2)
        freedom += len(values) - 1
    return Estimate(float(chi2.sf(statistic, freedom)), statistic, float(freedom)) if freedom else None


def on_board(values: Mapping[int, float], classes: Sequence[Sequence[int]], size: int) -> NDArray[np.float64]:
    """A value for each point, shape (size, size), row 0 at the bottom: that of its class; NaN where there is none."""
    board = np.full(size * size, np.nan)
    for group in classes:
        if group[0] in values:
            board[list(group)] = values[group[0]]
    return board.reshape(size, size)
