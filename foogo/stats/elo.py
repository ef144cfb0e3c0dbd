"""The difference in strength of two engines: Elo with its interval, and a sequential test.

Points are those of the first engine: 1 for a win, 0.5 for a draw, 0 for a loss. A share s of the points is the
difference ``elo = -400 * log10(1 / s - 1)`` (A. E. Elo, The Rating of Chessplayers, Past and Present, 1978).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import SupportsIndex

from scipy.optimize import brentq

from foogo.arguments import is_number, quoted, whole
from foogo.errors import ArgumentError
from foogo.stats.estimates import Estimate, wilson

PRIOR = 1e-3
"""The count that the test assumes for a result that has not occurred, so that no result is impossible."""

MOST_ELO = 4000.0
"""The largest Elo difference of a hypothesis. At 6,500 a float cannot tell the expected points from all points."""


def elo(share: float) -> float:
    """The Elo difference at which a player expects this share of the points; infinite at 0 and 1.

    An ArgumentError is raised if the share is not a number from 0 to 1.

    Examples
    --------
    >>> round(elo(0.75), 1), elo(0.5), elo(1.0)
    (190.8, 0.0, inf)
    """
    if not is_number(share) or not 0 <= share <= 1:
        raise ArgumentError(f"share is {quoted(share)}: it must be a number from 0 to 1")
    if share in (0.0, 1.0):
        return math.inf if share else -math.inf
    return 400 * math.log10(share / (1 - share))


def expected_share(difference: float) -> float:
    """The expected share of the points of a player who is stronger by this Elo difference."""
    try:
        return 1 / (1 + 10 ** (-difference / 400))
    except OverflowError:  # below -120,000
        return 0.0


def elo_estimate(wins: SupportsIndex, draws: SupportsIndex, losses: SupportsIndex) -> Estimate:
    """The Elo difference of a match with its 95 % interval: that of `wilson` for the share of points.

    A draw is half a win and half a loss. The games are taken to be independent.

    An ArgumentError is raised if a count is not a whole number from 0, or there are no games.
    """
    named = {"wins": wins, "draws": draws, "losses": losses}
    wins, draws, losses = (whole(name, count, 0, 2**62) for name, count in named.items())
    share = wilson(wins + draws / 2, wins + draws + losses)
    return Estimate(elo(share.value), elo(share.low), elo(share.high))


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test between the Elo differences `elo0` of H0 and `elo1` of H1.

    `alpha` is the risk of accepting H1 when H0 is true, `beta` that of accepting H0 when H1 is true.

    References
    ----------
    A. Wald, Sequential Tests of Statistical Hypotheses (1945), for the bounds. M. Van den Bergh, The Generalized
    Sequential Probability Ratio Test for Normal Distributions, and Comments on the GSPRT for games (fishtest), for
    the ratio: X. Li, J. Liu, Z. Ying, Generalized sequential probability ratio test for separate families of
    hypotheses (2014).
    """

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            value, number = getattr(self, name), None
            with suppress(OverflowError):
                number = float(value) if isinstance(value, Real) else None
            if number is None:
                raise ArgumentError(f"{name} is {quoted(value)}: it must be a number")
            object.__setattr__(self, name, number)  # JSON has no numbers of NumPy
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ArgumentError(f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}: elo0 must be the smaller number")
        if max(-self.elo0, self.elo1) > MOST_ELO:
            raise ArgumentError(
                f"elo0 is {self.elo0:g} and elo1 is {self.elo1:g}: they must be from -{MOST_ELO:g} to {MOST_ELO:g}"
            )
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ArgumentError(f"{name} is {getattr(self, name):g}: it must be a number between 0 and 0.5")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, counts: Mapping[float, int]) -> float:
        """The logarithm of the generalised likelihood ratio of H1 to H0, from the number of games by points.

        Each hypothesis is represented by the most likely distribution with its expected points. Single games are
        trinomial. Pairs of games from one opening, with the mean of their points, are pentanomial. An ArgumentError is
        raised unless points are numbers from 0 to 1, and games are whole numbers from 0 on.
        """
        if not isinstance(counts, Mapping):
            raise ArgumentError(
                f"counts are {counts!r}: give the number of games by points, such as {{1.0: 9, 0.0: 7}}"
            )
        for points, count in counts.items():
            if not is_number(points) or not 0 <= points <= 1:
                raise ArgumentError(f"points are {points!r}: give the mean of a game or of a pair, from 0 to 1")
            whole("count", count, 0, 2**62)
        if not any(counts.values()):
            return 0.0
        values = sorted({0.0, 0.5, 1.0, *counts})
        smoothed = {value: max(counts.get(value, 0), PRIOR) for value in values}
        shares = expected_share(self.elo0), expected_share(self.elo1)
        low, high = (_log_likelihood(smoothed, share) for share in shares)
        return high - low

    def verdict(self, ratio: float) -> str:
        """The hypothesis that is accepted at this ratio, "H0" or "H1", or "" if neither is."""
        low, high = self.bounds
        return "H0" if ratio <= low else "H1" if ratio >= high else ""


def pair_counts(pairs: Sequence[tuple[float, float]]) -> dict[float, int]:
    """The number of pairs by the mean of their two games' points."""
    return dict(Counter((first + second) / 2 for first, second in pairs))


def _log_likelihood(counts: Mapping[float, float], mean: float) -> float:
    """The largest log-likelihood of the counts under a distribution with this mean.

    The maximum is at p = f / (1 + x * (value - mean)). Here f are the observed frequencies, and x solves the equation
    for the mean (A. B. Owen, Empirical Likelihood, 2001).
    """
    total = sum(counts.values())
    low, high = min(counts) - mean, max(counts) - mean

    def excess(x: float) -> float:
        return sum(n * (value - mean) / (1 + x * (value - mean)) for value, n in counts.items())

    inside = 1 - 1e-12
    x = brentq(excess, -inside / high, -inside / low, xtol=1e-14)
    return sum(n * math.log(n / total / (1 + x * (value - mean))) for value, n in counts.items())
