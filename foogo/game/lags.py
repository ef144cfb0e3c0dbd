"""How late answers arrive, by the times that a controller reports."""

from __future__ import annotations

import math


class Lags:
    """The mean lag of an answer: the time that a controller's clock lost beyond the time spent."""

    def __init__(self) -> None:
        self.mean = 0.0
        self.begin(math.nan, 0)

    def begin(self, seconds: float, count: int) -> None:
        """Measure from this report on."""
        self._first, self._count = seconds, count
        self._spent, self._moves, self._is_whole = 0.0, 0, seconds.is_integer()

    def spend(self, seconds: float) -> None:
        """Note the time spent on a move."""
        self._spent += seconds
        self._moves += 1

    def report(self, seconds: float, count: int, japanese: float, margin: float) -> None:
        """Compare with the controller's clock, which runs on in main time and within a Canadian period.

        Each move begins a new Japanese period, of `japanese` seconds; 0 if there are none. If the controller's clock
        lost periods, the lag is at least the rest of them, and `margin` more is assumed.
        """
        periods = self._count - count
        if japanese and count and self._count:
            if self._moves == 1 and periods >= 0:
                lost = periods * japanese - self._spent
                self._lies_between(lost + (margin if periods else 0.0), lost + japanese)
        elif not math.isnan(self._first) and (self._moves if count else 0) == periods:
            self._is_whole &= seconds.is_integer()
            if self._moves:
                # The controller may round to whole seconds.
                lost, rounding = self._first - seconds - self._spent, float(self._is_whole)
                self._lies_between((lost - rounding) / self._moves, (lost + rounding) / self._moves)
            return
        self.begin(seconds, count)

    def _lies_between(self, low: float, high: float) -> None:
        """Correct the mean, which is now known to lie between these seconds."""
        self.mean = max(0.0, low, min(self.mean, high))
