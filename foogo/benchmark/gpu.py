"""How fast graphics cards play here, beside one core of the processor, and how much of a card's arithmetic that is."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

from foogo.benchmark.playouts import check_effort
from foogo.game.geometry import check_size
from foogo.playout.backends import GPU
from foogo.playout.gpu import Card, cards, integer_peak
from foogo.playout.simulate import Playouts, simulate
from foogo.stats.estimates import Estimate, mean_score

REPEATS = 5

INSTRUCTIONS = {5: 19_000, 9: 103_000, 13: 413_000, 19: 1_820_000}
"""Integer instructions of PTX for one uniform playout from the empty board, counted: 32 times those of a warp that
plays 32 at a time, so that a thread that waits for another counts like one that works."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class CardMeasurement:
    """What was measured on one board size.

    Attributes
    ----------
    size, suicide, policy
        What was played.
    cards
        The cards that played together.
    rates
        Playouts per second of all cards in each repeat, of wall time, copies and all.
    core_rates
        The same of one core with backend simd, in alternation.
    peak
        Integer instructions per second that the cards do at most, measured; None on a simulated card.
    playouts
        The totals of all that the cards played.
    """

    size: int
    suicide: bool
    policy: str
    cards: tuple[Card, ...]
    rates: tuple[float, ...]
    core_rates: tuple[float, ...]
    peak: float | None
    playouts: Playouts

    @property
    def rate(self) -> float:
        """Playouts per second, the median over the repeats."""
        return median(self.rates)

    @property
    def over_core(self) -> float:
        """The rate over that of one core."""
        return self.rate / median(self.core_rates)

    @property
    def share_of_peak(self) -> float | None:
        """The share of `peak` that the playouts take; None where their instructions were not counted."""
        if self.peak is None or self.size not in INSTRUCTIONS or self.policy != "uniform":
            return None
        return self.rate * INSTRUCTIONS[self.size] / self.peak

    @property
    def mean_score(self) -> Estimate:
        """Black's mean score in points, with its 95 % interval."""
        return mean_score(self.playouts.scores)

    def as_dict(self) -> dict[str, Any]:
        """Everything measured, for JSON. Rates are per second."""
        return {
            "size": self.size,
            "suicide": self.suicide,
            "policy": self.policy,
            "cards": [card.name for card in self.cards],
            "playouts_per_second": self.rate,
            "rates": list(self.rates),
            "core_playouts_per_second": median(self.core_rates),
            "core_rates": list(self.core_rates),
            "over_core": self.over_core,
            "integer_peak_per_second": self.peak,
            "share_of_integer_peak": self.share_of_peak,
            "playouts": self.playouts.n,
            "moves_per_playout": self.playouts.mean_moves,
            "mean_score": self.mean_score.as_dict(),
        }


def measure_cards(
    size: int, *, seconds: float = 2.0, suicide: bool = True, policy: str = "uniform", progress: Progress | None = None
) -> CardMeasurement:
    """The speed of all cards together, in alternation with that of one core.

    Parameters
    ----------
    size
        Points on a side.
    seconds
        Time to measure the cards for, and as long again for the core; compiling comes on top.
    suicide, policy
        As for `foogo.simulate`.
    progress
        Called with (repeats done, `REPEATS`).

    Raises
    ------
    BackendError
        If there is no card that can play.
    ArgumentError
        If a number is out of range.
    """
    size, found = check_size(size), cards()
    check_effort(1, seconds)
    clocks = [_Clock(size, seconds / REPEATS, suicide, policy, backend) for backend in (GPU, "simd")]
    rates: tuple[list[float], list[float]] = ([], [])
    for repeat in range(REPEATS):
        for clock, of_clock in zip(clocks, rates, strict=True):
            of_clock.append(clock.rate())
        if progress is not None:
            progress(repeat + 1, REPEATS)
    peak = None if found[0].simulated else sum(integer_peak(card) for card in found)
    of_cards, of_core = (tuple(some) for some in rates)
    return CardMeasurement(size, suicide, policy, found, of_cards, of_core, peak, clocks[0].playouts)


class _Clock:
    """Times runs of about `seconds` of one backend, over consecutive playout numbers."""

    def __init__(self, size: int, seconds: float, suicide: bool, policy: str, backend: str) -> None:
        def run(first: int, n: int) -> Playouts:
            return simulate(size, n, first=first, suicide=suicide, policy=policy, backend=backend, threads=1)

        self._run, self._n = run, 8
        self.playouts = run(0, self._n)  # compiles
        elapsed = 0.0
        while elapsed < min(0.1, seconds / 2):
            self._n *= 2
            elapsed = self._timed()
        self._n = max(1, round(self._n * seconds / elapsed))

    def rate(self) -> float:
        """Playouts per second of one more run."""
        return self._n / self._timed()

    def _timed(self) -> float:
        began = time.perf_counter()
        run = self._run(self.playouts.n, self._n)
        elapsed = time.perf_counter() - began
        self.playouts = self.playouts + run
        return elapsed
