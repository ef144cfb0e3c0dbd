"""The speed of this machine's GPUs, compared with one CPU core and with the GPUs' peak arithmetic rate."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median
from typing import Any

from foogo.benchmark.playouts import alternate
from foogo.benchmark.timing import Progress, check_effort
from foogo.game.geometry import check_size
from foogo.playout.backends import GPU
from foogo.playout.gpu import Gpu, gpus
from foogo.playout.simulate import Playouts
from foogo.stats.estimates import Estimate, mean_score

INSTRUCTIONS = {5: 10_100, 9: 65_000, 13: 257_000, 19: 1_121_000}
"""Instructions of the integer pipe for one uniform playout from the empty board, counted by a GPU of compute capability
9.0 (bench/gpu.py): a warp's for 32 playouts, one in each thread. A thread that waits for another counts like one that
works."""


@dataclass(frozen=True)
class GpuMeasurement:
    """The measurement of one board size."""

    size: int
    suicide: bool
    policy: str
    gpus: tuple[Gpu, ...]
    rates: tuple[float, ...]  # playouts per second of all GPUs in each repeat, of wall time, copies and all
    core_rates: tuple[float, ...]  # of one core with backend simd
    peak: float | None  # the GPUs' integer instructions per second; None on a simulated GPU
    playouts: Playouts  # the totals of all playouts on the GPUs

    @property
    def rate(self) -> float:
        """Playouts per second, the median over the repeats."""
        return median(self.rates)

    @property
    def over_core(self) -> float:
        """The speedup over one core."""
        return self.rate / median(self.core_rates)

    @property
    def share_of_peak(self) -> float | None:
        """The share of `peak` that the playouts use; None if their instructions were not counted.

        The count is that of compute capability 9.0.
        """
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
            "gpus": [gpu.name for gpu in self.gpus],
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


def measure_gpus(
    size: int, *, seconds: float = 2.0, suicide: bool = True, policy: str = "uniform", progress: Progress | None = None
) -> GpuMeasurement:
    """The speed of all GPUs together over `seconds`, in alternation with that of one core for the same time.

    `progress` is called with (repeats done, `REPEATS`). Raises BackendError if there is no GPU that can play.
    """
    size, found = check_size(size), gpus()
    check_effort(1, seconds)
    kinds = [(GPU, policy), ("simd", policy)]
    rates, playouts = alternate(size, kinds, threads=1, seconds=seconds, suicide=suicide, progress=progress)
    return GpuMeasurement(size, suicide, policy, found, rates[0], rates[1], _peak(found), playouts)


def _peak(found: tuple[Gpu, ...]) -> float | None:
    """Integer instructions per second of all GPUs; None if there is only numba-cuda's simulator."""
    if found[0].simulated:
        return None
    from foogo.benchmark.gpu_peak import integer_peak

    return sum(integer_peak(gpu) for gpu in found)
