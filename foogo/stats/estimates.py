"""Estimates with 95 % intervals from wins and from histograms of scores.

Every estimate is a closed-form function of counts, without resampling, so it is reproducible bit for bit. Scores are in
points, Black minus White, before komi; a komi is in points given to White. Intervals extend `z` standard errors to
either side. Without a game an estimate raises ArgumentError.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isqrt, sqrt
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import check_komi, is_number, quoted, whole_number
from foogo.errors import ArgumentError

Histogram = NDArray[np.int64]
"""Games by score, shape (2 * area + 1,), index = score + area, where area is the number of points of the board."""

LEVEL = 0.95
"""The confidence level of every interval."""

Z95 = 1.959963984540054
"""The 97.5 % quantile of the standard normal distribution."""

SMALLEST_ERROR = 1e-6
"""The smallest standard error that a study accepts as its goal: 2**40 games with a standard deviation of 1 reach it."""


@dataclass(frozen=True)
class Estimate:
    """A value and the 95 % interval around it, in the unit of the value."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:g} [{self.low:g}, {self.high:g}]"

    def __format__(self, spec: str) -> str:
        """The three numbers, each by the format."""
        return f"{self.value:{spec}} [{self.low:{spec}}, {self.high:{spec}}]" if spec else str(self)

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def plus_minus(self) -> str:
        """The value ± half its interval, or both ends if they are asymmetric; 2 to 6 decimals, by its length."""
        half, digits = self.half_width, self._digits
        if isfinite(half) and abs(self.value - (self.low + self.high) / 2) > 0.25 * half:
            return self.between()
        value = round(self.value, digits) + 0.0 if isfinite(self.value) else self.value  # not -0.0
        return f"{value:.{digits}f} ±{half:.{digits}f}" if 0 < half < float("inf") else f"{value:.2f}"

    def between(self) -> str:
        """The value and both ends of its interval, which may be asymmetric or infinite.

        Examples
        --------
        >>> Estimate(9, 8.5, 9.2).between()
        '9.00 [8.50, 9.20]'
        >>> Estimate(float("inf"), 7, float("inf")).between()
        'above 7'
        """
        if isfinite(self.value):
            digits = self._digits
            numbers = (round(end, digits) + 0.0 if isfinite(end) else end for end in (self.value, self.low, self.high))
            value, low, high = (f"{number:.{digits}f}" if isfinite(number) else "?" for number in numbers)
            return f"{value} [{low}, {high}]"
        end, side = (self.low, "above") if self.value > 0 else (self.high, "below")
        return f"{side} {end:g}" if isfinite(end) else "unknown"

    @property
    def _digits(self) -> int:
        half = self.half_width
        return next((d for d in range(2, 7) if half >= 10.0 ** (1 - d)), 6) if half > 0 else 2

    def in_percent(self) -> Estimate:
        """The same share in percent."""
        return Estimate(100 * self.value, 100 * self.low, 100 * self.high)

    def as_dict(self) -> dict[str, float | None]:
        """The three numbers by name, for JSON; None if not finite."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        return {name: number if isfinite(number) else None for name, number in numbers.items()}


def wilson(wins: float, n: SupportsIndex) -> Estimate:
    """A share of wins of `n` games with its Wilson score interval (E. B. Wilson, JASA 22, 1927).

    A tie counts as half a win. With ties the interval is slightly too wide, never too narrow.

    An ArgumentError is raised if `n` is not a whole number from 1, or `wins` not a number from 0 to `n`.

    Examples
    --------
    >>> print(wilson(5, 10))
    0.5 [0.236593, 0.763407]
    """
    games = whole_number(n)  # NumPy's small integers would overflow
    if games is None:
        raise ArgumentError(f"n is {n!r}: it must be a whole number of games")
    _check_games(games)
    if not is_number(wins) or not 0 <= wins <= games:
        raise ArgumentError(f"wins is {quoted(wins)} of {games} games: it must be from 0 to {games}")
    wins, n, z = float(wins), games, Z95
    share = wins / n
    shrink = 1 + z * z / n
    center = (share + z * z / (2 * n)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if wins == 0 else max(0.0, center - half)
    high = 1.0 if wins == n else min(1.0, center + half)
    return Estimate(share, low, high)


def points(scores: Histogram) -> NDArray[np.int64]:
    """The score of each bin of a histogram: -area to area."""
    if not isinstance(scores, np.ndarray):
        raise ArgumentError(f"scores are a {type(scores).__name__}: give an array, such as `Playouts.scores`")
    area = len(scores) // 2
    if scores.ndim != 1 or len(scores) % 2 == 0 or isqrt(area) ** 2 != area:
        raise ArgumentError(
            f"scores have the shape {scores.shape}: a histogram over -area to area, (2 * size * size + 1,), is needed"
        )
    return np.arange(-area, area + 1)


def standard_error(scores: Histogram, values: NDArray[Any] | None = None) -> float:
    """The standard error of the mean score, or of another quantity by bin; NaN for fewer than two games."""
    n = int(scores.sum())
    if n < 2:
        return float("nan")
    values = points(scores) if values is None else values
    mean = float(scores @ values) / n
    return sqrt(float(scores @ (values - mean) ** 2) / (n - 1) / n)


def mean_score(scores: Histogram, z: float = Z95) -> Estimate:
    """The mean score in points with its normal interval, which is infinite for a single game.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)  # a 2x2 board: scores -4 to 4
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> print(mean_score(scores))
    2 [1.80302, 2.19698]
    """
    values, n = points(scores), int(scores.sum())
    _check_games(n)
    mean = float(scores @ values) / n
    half = z * standard_error(scores) if n > 1 else float("inf")
    return Estimate(mean, mean - half, mean + half)


def win_share(scores: Histogram, komi: float) -> Estimate:
    """Black's share of wins at a komi, ties half, with its Wilson interval.

    An ArgumentError is raised if there are no games, or the komi is not a finite number.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> win_share(scores, 0.5).value, win_share(scores, 1).value, win_share(scores, 3.5).value
    (1.0, 0.75, 0.0)
    """
    check_komi(komi)
    values = points(scores)
    wins = int(scores[values > komi].sum()) + int(scores[values == komi].sum()) / 2
    return wilson(wins, int(scores.sum()))


def fair_komi(scores: Histogram) -> Estimate:
    """The komi at which Black's win share, ties half, crosses one half.

    Scores are whole points, so the win share is a staircase over komi. Its values at the half-integer komis are joined
    by straight lines, which also pass through the win shares at whole komis. If this curve is flat at one half, the
    result is the middle of the flat part. For a distribution that is symmetric about s, the result is s.

    The interval holds the komis whose win share is within `Z95` standard errors of one half. That error is sqrt(1 / (4
    n)) for any distribution. With fewer than 4 games the interval is infinite.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> fair_komi(scores).value
    2.0
    """
    values, n = points(scores), int(scores.sum())
    _check_games(n)
    half_width = Z95 * sqrt(1 / (4 * n))
    komis = np.arange(values[0] - 1, values[-1] + 1) + 0.5
    shares = (0.5, 0.5 + half_width, 0.5 - half_width)
    return Estimate(*(_komi_at(scores, komis, share) for share in shares))


def _komi_at(scores: Histogram, komis: NDArray[np.float64], share: float) -> float:
    """The komi at which the interpolated win share is `share`: the middle of the flat part if there is one."""
    n = int(scores.sum())
    target = share * n
    if target >= n:
        return float("-inf")
    if target <= 0:
        return float("inf")
    above = n - np.concatenate(([0], np.cumsum(scores)))  # games Black wins at each of `komis`: n down to 0
    down = int(np.argmax(above <= target))
    first = komis[down] - (target - above[down]) / (above[down - 1] - above[down])
    up = len(above) - 1 - int(np.argmax(above[::-1] >= target))
    last = komis[up] + (above[up] - target) / (above[up] - above[up + 1])
    return float(first + last) / 2


def _check_games(n: int) -> None:
    if n < 1:
        raise ArgumentError(f"no estimate from {n} games: at least 1 is needed")


def check_error(error: float) -> float:
    """`error`, the target standard error of a study in points, as a float; ArgumentError if out of reach."""
    if not is_number(error) or error < SMALLEST_ERROR:
        raise ArgumentError(
            f"a standard error of {error!r} points cannot be reached: give a finite number, at least {SMALLEST_ERROR:g}"
        )
    return float(error)
