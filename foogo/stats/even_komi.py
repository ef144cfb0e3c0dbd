"""The komi at which players who take the komi into account are even, from games at several komis.

A random player ignores the komi, so one run yields its win share at every komi. A search plays for its komi: games at
komi 5 do not determine the results at komi 9. So it plays at several komis. The komi at which Black's win share crosses
one half is estimated from all of them. The only assumption is that more komi never helps Black.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf, log

import numpy as np
from numpy.typing import NDArray

from foogo.errors import ArgumentError
from foogo.stats.estimates import LEVEL, Estimate, Histogram, win_share

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Wins:
    """Black's wins at one komi, ties half, and the number of games."""

    won: float
    games: int

    @classmethod
    def at(cls, scores: Histogram, komi: float) -> Wins:
        """The wins at a komi, from games by score."""
        games = int(scores.sum())
        return cls(win_share(scores, komi).value * games, games)

    @property
    def share(self) -> float:
        """Black's share of the wins."""
        return self.won / self.games


def even_komi(results: Mapping[float, Wins]) -> Estimate:
    """The komi at which Black's win share crosses one half, from games played for several komis.

    The fit is the decreasing curve of largest likelihood (isotonic regression by pooling adjacent violators). Between
    the komis played it is linear. If it is flat at one half, the result is the middle of the flat part. It is infinite
    if all komis played favour one side. For players who ignore the komi, games at half-integer komis yield
    `foogo.stats.estimates.fair_komi`.

    The interval holds the komis at which the likelihood-ratio test against all decreasing curves accepts a crossing.
    The test uses the chi-square limit with one degree of freedom. An end is infinite if no komi on that side is clearly
    uneven. Ties, counted as half a win, make the interval slightly too wide, never too narrow.

    References
    ----------
    M. Ayer, H. D. Brunk, G. M. Ewing, W. T. Reid and E. Silverman, Ann. Math. Statist. 26 (1955), for the fit;
    M. Banerjee and J. A. Wellner, "Likelihood ratio tests for monotone functions", Ann. Statist. 29 (2001), for
    intervals by inverting the test. For fixed komis and many games the limiting distribution is at most chi-square.

    Examples
    --------
    >>> print(even_komi({5: Wins(60, 100), 7: Wins(40, 100)}))
    6 [5.0454, 6.9546]
    """
    from scipy.stats import chi2

    curve, limit = _Curve(results), float(chi2.ppf(LEVEL, 1))
    value = curve.crossing()
    return Estimate(value, curve.bound(value, -1, limit), curve.bound(value, 1, limit))


def fitted_shares(results: Mapping[float, Wins]) -> dict[float, float]:
    """The decreasing win shares of largest likelihood, by komi in rising order."""
    curve = _Curve(results)
    return dict(zip(curve.komis.tolist(), curve.fit.tolist(), strict=True))


class _Curve:
    """The results by rising komi, their decreasing fit, and the likelihood of a crossing at a given komi."""

    def __init__(self, results: Mapping[float, Wins]) -> None:
        if not results or any(not (0 <= one.won <= one.games and one.games > 0) for one in results.values()):
            raise ArgumentError(
                f"an even komi from {dict(results)}: every komi needs at least one game, and 0 to all of them won"
            )
        ordered = sorted(results.items())
        self.komis: Floats = np.array([komi for komi, _ in ordered], np.float64)
        self.won: Floats = np.array([one.won for _, one in ordered], np.float64)
        self.games: Floats = np.array([one.games for _, one in ordered], np.float64)

    @cached_property
    def fit(self) -> Floats:
        """The decreasing shares of largest likelihood."""
        return _pooled(self.won, self.games)

    def crossing(self) -> float:
        """The komi at which the fit crosses one half."""
        level = self.komis[self.fit == 0.5]
        if len(level):
            return float(level[0] + level[-1]) / 2
        if self.fit[-1] > 0.5:
            return inf
        if self.fit[0] < 0.5:
            return -inf
        i = int(np.flatnonzero(self.fit > 0.5)[-1])
        part = (self.fit[i] - 0.5) / (self.fit[i] - self.fit[i + 1])
        return float(self.komis[i] + part * (self.komis[i + 1] - self.komis[i]))

    def bound(self, value: float, side: int, limit: float) -> float:
        """The farthest komi on one side of the crossing at which the test still accepts a crossing."""
        from scipy.optimize import brentq

        if self.ratio(side * inf) <= limit:
            return side * inf
        komis = self.komis if side > 0 else self.komis[::-1]
        inner = value
        for komi in komis.tolist():
            if side * komi <= side * value:
                continue
            if self.ratio(komi) > limit:
                if inner in (-inf, inf):  # all komis played favour the same side
                    return float(komi)
                return float(brentq(lambda k: self.ratio(k) - limit, inner, komi, xtol=1e-9))
            inner = komi
        return float(inner)

    def ratio(self, komi: float) -> float:
        """Twice the log-likelihood ratio of the best decreasing curve to the best one that crosses at this komi."""
        return max(0.0, 2 * (self._largest - self._crossing_at(komi)))

    @cached_property
    def _largest(self) -> float:
        """The log-likelihood of the fit."""
        return _likelihood(self.fit.tolist(), self.won.tolist(), self.games.tolist())

    def _crossing_at(self, komi: float) -> float:
        """The largest log-likelihood of a decreasing curve that crosses one half at this komi."""
        from scipy.optimize import minimize_scalar

        right = int(np.searchsorted(self.komis, komi, side="left"))
        if right < len(self.komis) and self.komis[right] == komi:
            return self._split(right, right + 1)(0.5, 0.5)
        if right in (0, len(self.komis)):
            return self._split(right, right)(0.5, 0.5)
        left = right - 1
        part = (komi - self.komis[left]) / (self.komis[right] - self.komis[left])
        # The line that crosses falls by `fall`, from 1/2 + part * fall to 1/2 - (1 - part) * fall: both within 0 to 1.
        most = 0.5 / max(part, 1 - part)
        likelihood = self._split(left, right + 1)

        def loss(fall: float) -> float:
            return -likelihood(0.5 + part * fall, 0.5 - (1 - part) * fall)

        found = minimize_scalar(loss, bounds=(0.0, most), method="bounded", options={"xatol": 1e-10})
        return -min(float(found.fun), loss(0.0), loss(most))

    def _split(self, left: int, right: int) -> Callable[[float, float], float]:
        """The largest log-likelihood if shares before `left` are at least `high`, and from `right` on at most `low`.

        It is a function of `high` and `low`. Between them is the line that crosses, from `high` to `low`.
        """
        before = _pooled(self.won[:left], self.games[:left]).tolist()
        after = _pooled(self.won[right:], self.games[right:]).tolist()
        won, games = self.won.tolist(), self.games.tolist()

        def likelihood(high: float, low: float) -> float:
            between = [high, low][: right - left]
            return _likelihood([*(max(s, high) for s in before), *between, *(min(s, low) for s in after)], won, games)

        return likelihood


def _pooled(won: Floats, games: Floats) -> Floats:
    """The decreasing shares of largest likelihood, by pooling adjacent violators."""
    from scipy.optimize import isotonic_regression

    if not len(won):
        return np.zeros(0)
    return np.asarray(isotonic_regression(won / games, weights=games, increasing=False).x, np.float64)


def _likelihood(shares: list[float], won: list[float], games: list[float]) -> float:
    """The log-likelihood of the wins. Without arrays, which are slow for so few numbers."""
    return sum(
        _times_log(wins, share) + _times_log(all_games - wins, 1 - share)
        for share, wins, all_games in zip(shares, won, games, strict=True)
    )


def _times_log(factor: float, x: float) -> float:
    """The product of a factor and a logarithm, where 0 times anything is 0."""
    if factor == 0:
        return 0.0
    return factor * log(x) if x > 0 else -inf
