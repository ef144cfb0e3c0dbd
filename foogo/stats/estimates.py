"""Estimates with 95 % intervals from the integer totals of a run.

Everything here is a closed form of counts: nothing is resampled, so an estimate is reproducible to the bit.
Scores are in points, Black minus White, before komi; a komi is in points given to White.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, isqrt, sqrt

import numpy as np
from numpy.typing import NDArray

from foogo.errors import ArgumentError

Z95 = 1.959963984540054
"""The standard normal deviate that 97.5 % lie below."""

SMALLEST_ERROR = 1e-6
"""The smallest standard error that can be asked for, in points: 2**40 games with a deviation of one point."""


@dataclass(frozen=True)
class Estimate:
    """A value and the 95 % interval around it, in the unit of the value.

    Examples
    --------
    >>> print(Estimate(2.5, 2.3, 2.7))
    2.5 [2.3, 2.7]
    """

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:g} [{self.low:g}, {self.high:g}]"

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    def plus_minus(self) -> str:
        """The value and half its interval, with as many digits as the interval deserves, two or more.

        Examples
        --------
        >>> Estimate(2, 1.95, 2.05).plus_minus(), Estimate(2, 1, 2.05).plus_minus()
        ('2.000 ±0.050', '2.00 [1.00, 2.05]')
        """
        half, digits = self.half_width, self._digits
        if isfinite(half) and abs(self.value - (self.low + self.high) / 2) > 0.25 * half:
            return self.between()
        return f"{self.value:.{digits}f} ±{half:.{digits}f}" if 0 < half < float("inf") else f"{self.value:.2f}"

    def between(self) -> str:
        """The value and its interval, for one that need not be symmetric or finite.

        Examples
        --------
        >>> Estimate(9, 8.5, 9.2).between()
        '9.00 [8.50, 9.20]'
        >>> Estimate(float("inf"), 7, float("inf")).between()
        'above 7'
        """
        if isfinite(self.value):
            low, high = (f"{end:.{self._digits}f}" if isfinite(end) else "?" for end in (self.low, self.high))
            return f"{self.value:.{self._digits}f} [{low}, {high}]"
        end, side = (self.low, "above") if self.value > 0 else (self.high, "below")
        return f"{side} {end:g}" if isfinite(end) else "unknown"

    @property
    def _digits(self) -> int:
        half = self.half_width
        return next((d for d in range(2, 7) if half >= 10.0 ** (1 - d)), 6) if half > 0 else 2

    def as_dict(self) -> dict[str, float | None]:
        """The three numbers by name, for JSON: an infinite one, which JSON does not have, is None."""
        numbers = {"value": self.value, "low": self.low, "high": self.high}
        return {name: number if isfinite(number) else None for name, number in numbers.items()}


def wilson(wins: float, n: int, z: float = Z95) -> Estimate:
    """A share of wins with its Wilson score interval.

    Ties may be counted as half a win each; the interval is then slightly too wide, never too narrow.

    Parameters
    ----------
    wins
        Games won, 0 to n.
    n
        Games, at least 1.
    z
        Standard normal deviates on each side: the default is a 95 % interval.

    Returns
    -------
    Estimate
        `value` is wins / n. The interval stays inside 0 to 1, also for 0 or n wins.

    Raises
    ------
    ArgumentError
        If `n` is below 1, or `wins` is not within 0 to n.

    References
    ----------
    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).

    Examples
    --------
    >>> print(wilson(5, 10))
    0.5 [0.236593, 0.763407]
    """
    _check_games(n)
    if not 0 <= wins <= n:
        raise ArgumentError(f"wins {wins!r} of {n} games: a number from 0 to {n} is needed")
    share = wins / n
    shrink = 1 + z * z / n
    center = (share + z * z / (2 * n)) / shrink
    half = z / shrink * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if wins == 0 else max(0.0, center - half)
    high = 1.0 if wins == n else min(1.0, center + half)
    return Estimate(share, low, high)


def mean_score(scores: NDArray[np.int64], z: float = Z95) -> Estimate:
    """The mean score in points with its normal interval.

    Parameters
    ----------
    scores
        Games by score: index = score + size * size, shape (2 * size * size + 1,).
    z
        Standard normal deviates on each side: the default is a 95 % interval.

    Returns
    -------
    Estimate
        Positive if Black is ahead. With a single game the interval is infinite.

    Raises
    ------
    ArgumentError
        If there is no game, or the shape is not that of a histogram of scores.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)  # a 2x2 board: scores -4 to 4
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> print(mean_score(scores))
    2 [1.80302, 2.19698]
    """
    area = _area(scores)
    n = int(scores.sum())
    _check_games(n)
    values = np.arange(-area, area + 1)
    mean = float(scores @ values) / n
    if n == 1:
        return Estimate(mean, float("-inf"), float("inf"))
    variance = float(scores @ (values - mean) ** 2) / (n - 1)
    half = z * sqrt(variance / n)
    return Estimate(mean, mean - half, mean + half)


def win_share(scores: NDArray[np.int64], komi: float, z: float = Z95) -> Estimate:
    """Black's share of wins at a komi, ties half, with its Wilson interval.

    Parameters
    ----------
    scores
        Games by score: index = score + size * size.
    komi
        Points given to White.
    z
        Standard normal deviates on each side: the default is a 95 % interval.

    Raises
    ------
    ArgumentError
        If there is no game, or the shape is not that of a histogram of scores.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> win_share(scores, 0.5).value, win_share(scores, 1).value, win_share(scores, 3.5).value
    (1.0, 0.75, 0.0)
    """
    area = _area(scores)
    values = np.arange(-area, area + 1)
    wins = int(scores[values > komi].sum()) + int(scores[values == komi].sum()) / 2
    return wilson(wins, int(scores.sum()), z)


def fair_komi(scores: NDArray[np.int64], z: float = Z95) -> Estimate:
    """The komi at which Black's win share, ties half, crosses one half.

    Scores are whole points, so the win share is a staircase over komi. It is read here at the half-integer
    komis and joined by straight lines between them; these lines also pass through the win shares at whole
    komis. Where the joined curve is level at one half, the middle of the level stretch is taken. For a
    distribution that is symmetric about s the result is s.

    Parameters
    ----------
    scores
        Games by score: index = score + size * size.
    z
        Standard normal deviates on each side: the default is a 95 % interval.

    Returns
    -------
    Estimate
        In points. The interval holds the komis whose win share is within `z` standard errors,
        sqrt(1 / (4 n)), of one half: it assumes nothing about the distribution. Below 4 games it is infinite.

    Raises
    ------
    ArgumentError
        If there is no game, or the shape is not that of a histogram of scores.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> fair_komi(scores).value
    2.0
    """
    area = _area(scores)
    n = int(scores.sum())
    _check_games(n)
    half_width = z * sqrt(1 / (4 * n))
    return Estimate(
        _komi_at(scores, area, 0.5),
        _komi_at(scores, area, 0.5 + half_width),
        _komi_at(scores, area, 0.5 - half_width),
    )


def _komi_at(scores: NDArray[np.int64], area: int, share: float) -> float:
    """The komi at which the joined win share is `share`: the middle one if it is so on a stretch."""
    n = int(scores.sum())
    target = share * n
    if target >= n:
        return float("-inf")
    if target <= 0:
        return float("inf")
    komis = np.arange(-area - 1, area + 1) + 0.5
    above = n - np.concatenate(([0], np.cumsum(scores)))  # games Black wins at each of `komis`: n down to 0
    down = int(np.argmax(above <= target))
    first = komis[down] - (target - above[down]) / (above[down - 1] - above[down])
    up = len(above) - 1 - int(np.argmax(above[::-1] >= target))
    last = komis[up] + (above[up] - target) / (above[up] - above[up + 1])
    return float(first + last) / 2


def _area(scores: NDArray[np.int64]) -> int:
    area = len(scores) // 2
    if scores.ndim != 1 or len(scores) % 2 == 0 or isqrt(area) ** 2 != area:
        raise ArgumentError(
            f"scores have the shape {scores.shape}: a histogram over -area to area, (2 * size * size + 1,), is needed"
        )
    return area


def _check_games(n: int) -> None:
    if n < 1:
        raise ArgumentError(f"an estimate from {n} games: at least 1 is needed")


def check_error(error: float) -> float:
    """A standard error that can be asked for.

    Raises
    ------
    ArgumentError
        If it is not a number above 0, or below what all games together could reach.
    """
    if isinstance(error, bool) or not isinstance(error, (int, float)) or not SMALLEST_ERROR <= error < float("inf"):
        raise ArgumentError(
            f"a standard error of {error!r} points cannot be reached: ask for a number from {SMALLEST_ERROR:g} on"
        )
    return float(error)
