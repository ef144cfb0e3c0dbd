"""The timing of every benchmark: alternating runs of about equal length, so that a slow minute affects all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from foogo.arguments import is_number, quoted, whole
from foogo.core.cpu import MAX_WORKERS
from foogo.errors import ArgumentError

REPEATS = 5  # turns of a measurement; rates are medians over them
FIRST_RUN = 64  # playouts of the first run, which compiles
LEAST_SECONDS = 1e-6  # of a measurement
CALIBRATION_SECONDS = 0.1  # how long a run must take for the length of the others to be derived from it

Progress = Callable[[int, int], None]
"""Called with (turns done, turns in all)."""

T = TypeVar("T")


class Summable(Protocol):
    """Totals of two runs that add up."""

    def __add__(self: Total, other: Total) -> Total:
        """The totals of both."""


Total = TypeVar("Total", bound=Summable)


class TimedRuns(Generic[Total]):
    """Runs of one kind of playout, each of about `seconds`, over consecutive playout numbers.

    ``play(first, n)`` plays `n` playouts from number `first` on and returns their totals. Making a `TimedRuns`
    compiles, warms up and finds how many playouts a run has.
    """

    def __init__(self, play: Callable[[int, int], Total], seconds: float) -> None:
        self.total: Total | None = None  # of all timed runs; None before the first
        self._play, self._next, self._n = play, 0, FIRST_RUN
        self._timed()
        elapsed = 0.0
        while elapsed < min(CALIBRATION_SECONDS, seconds / 2):
            self._n *= 2
            elapsed = self._timed()
        self._n = max(1, round(self._n * seconds / elapsed))
        self.total = None

    def rate(self) -> float:
        """Playouts per second of wall time in one more run."""
        return self._n / self._timed()

    def _timed(self) -> float:
        began = time.perf_counter()
        total = self._play(self._next, self._n)
        elapsed = time.perf_counter() - began
        self._next += self._n
        self.total = total if self.total is None else self.total + total
        return elapsed


def in_turns(
    runs: Sequence[Callable[[], T]], repeats: int = REPEATS, progress: Progress | None = None
) -> list[tuple[T, ...]]:
    """What each run returned in each turn: the first of all, the second of all, and so on, `repeats` times."""
    found: list[list[T]] = [[] for _ in runs]
    for repeat in range(repeats):
        for run, results in zip(runs, found, strict=True):
            results.append(run())
        if progress is not None:
            progress(repeat + 1, repeats)
    return [tuple(results) for results in found]


def check_effort(threads: int, seconds: float, most: int = MAX_WORKERS) -> None:
    """Validate `threads`, at most `most`, and `seconds` of a measurement."""
    whole("threads", threads, 1, most)
    if not is_number(seconds) or seconds < LEAST_SECONDS:
        raise ArgumentError(
            f"seconds is {quoted(seconds)}: it must be a number above 0, at least {LEAST_SECONDS:g}, and finite"
        )
