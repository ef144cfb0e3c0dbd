"""The distribution of the studentized range, for many comparisons at once.

`scipy.stats.studentized_range` integrates it to more digits, but takes 0.2 s for a quantile.
"""

from __future__ import annotations

from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import NDArray

MANY = 100_000
"""Degrees of freedom from which on the normal distribution is used. That moves a limit by less than 0.01 %."""

WIDEST = 16.0
"""A range of normal values that even among 361 is exceeded with a probability below 1e-20."""


def range_tail(errors: float, count: int, freedom: float = np.inf) -> float:
    """The probability that the largest difference among `count` equal values is at least that many standard errors.

    The standard errors are those of differences, estimated with `freedom` degrees of freedom. The error is below 1e-5.
    """
    scales, weights = _scales(freedom)
    widths, tails = _normal_range(count)
    tail = weights @ np.interp(sqrt(2) * errors * scales, widths, tails)
    return float(np.clip(tail, 0.0, 1.0))


def range_limit(level: float, count: int, freedom: float = np.inf) -> float:
    """The standard errors that the largest difference among `count` equal values exceeds with ``1 - level``."""
    return _limit(level, count, min(freedom, MANY))


@lru_cache(maxsize=4096)
def _limit(level: float, count: int, freedom: float) -> float:
    from scipy.optimize import brentq

    high = 2.0
    while range_tail(high, count, freedom) > 1 - level:
        high *= 2
    return float(brentq(lambda errors: range_tail(errors, count, freedom) - (1 - level), 0.0, high, xtol=1e-6))


@lru_cache(maxsize=64)
def _normal_range(count: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Ranges of standard normal values, and the probability that the range of `count` of them is larger."""
    from scipy.special import ndtr

    widths, lowest = np.linspace(0.0, WIDEST, 6401), np.linspace(-9.0, 9.0, 361)
    density = np.exp(-(lowest**2) / 2) / sqrt(2 * np.pi)
    # The lowest value has any of the `count` places, and the others are less than a width above it.
    others = ndtr(lowest + widths[:, None]) - ndtr(lowest)
    inside = count * (density * others ** (count - 1)).sum(axis=1) * (lowest[1] - lowest[0])
    return widths, np.maximum(1 - inside, 0.0)


def _scales(freedom: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points and weights of the ratio between an estimated standard error and the true one."""
    from scipy.special import gammainccinv, gammaincinv, gammaln

    if freedom >= MANY:
        return np.ones(1), np.ones(1)
    half = freedom / 2
    low, high = np.sqrt(gammaincinv(half, 1e-12) / half), np.sqrt(gammainccinv(half, 1e-12) / half)
    points, weights = _legendre()
    scales = (low + high + (high - low) * points) / 2
    logs = (freedom - 1) * np.log(scales) - half * scales**2 + half * np.log(half) + np.log(2) - gammaln(half)
    return scales, weights * (high - low) / 2 * np.exp(logs)


@lru_cache(maxsize=1)
def _legendre() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    points, weights = np.polynomial.legendre.leggauss(256)
    return points, weights
