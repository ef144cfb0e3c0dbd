"""How fast the playouts are on this machine, and whether they are the right ones.

A measurement alternates the playouts asked for with others, so that their ratio holds on a noisy machine: uniform
ones with those of the scalar string board, those of another policy with uniform ones. Rates are medians over the
repeats. The signature is a hash of the integer totals of a fixed seeded run: every backend, thread count and machine
must give the same one.
"""

from __future__ import annotations

import hashlib
import platform
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from statistics import median
from typing import Any

from foogo.errors import ArgumentError
from foogo.game.geometry import check_size
from foogo.playout.backends import cores, describe_backend
from foogo.playout.simulate import Playouts, simulate
from foogo.stats.estimates import Estimate, mean_score

FOOGO_RATES = {9: 10_000 / 2.3, 19: 10_000 / 28}
"""Playouts per second of FooGo, the C++ program this one descends from: 10,000 games took 2.3 s and 28 s."""

REPEATS = 5
SIGNATURE_SEED = 1
SIGNATURE_PLAYOUTS = 2000

EXPECTED_SIGNATURES: dict[tuple[str, int, bool], str] = {
    ("uniform", 5, True): "08d64c9d7f74c8bd",
    ("uniform", 5, False): "edadbbca57dff1e7",
    ("uniform", 9, True): "111ec34bb90ac2e4",
    ("uniform", 9, False): "2c6c13b16f50af78",
    ("uniform", 13, True): "6108cf3d1361d218",
    ("uniform", 13, False): "078c3ee66ed597ac",
    ("uniform", 19, True): "f98748049530e199",
    ("uniform", 19, False): "d5ba703235ada0ec",
    ("knowledge", 5, True): "829c2bea2e6097a8",
    ("knowledge", 5, False): "064135cf1c171c44",
    ("knowledge", 9, True): "3e9a09879a3a06c7",
    ("knowledge", 9, False): "520d932fab0c4577",
    ("knowledge", 13, True): "71ce3ebcaf100915",
    ("knowledge", 13, False): "ef7d7033db2ff5e5",
    ("knowledge", 19, True): "645bc4c1ad7dc6fa",
    ("knowledge", 19, False): "0760e69720f690d1",
    ("patterns", 5, True): "d235431168948c40",
    ("patterns", 5, False): "606e10a2e7b24653",
    ("patterns", 9, True): "fa405ba5f0fde856",
    ("patterns", 9, False): "83558d9ed3619650",
    ("patterns", 13, True): "4cad49879d306cce",
    ("patterns", 13, False): "ccd44e35a38d8c64",
    ("patterns", 19, True): "6c33d0113e0ad43f",
    ("patterns", 19, False): "83cf4d59efeebf3e",
}
"""The signature of each (policy, size, suicide allowed) on record; a change of one is a change of the playout."""

SCALAR_BOARD = "strings"
UNIFORM = "uniform"

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Measurement:
    """What was measured for one board size, thread count and policy.

    Attributes
    ----------
    size, threads, backend, suicide, policy
        What ran; `backend` as asked for.
    description
        What the backend is on this machine, lanes and vector width included.
    rates
        Playouts per second of each repeat.
    other_rates
        The same for what was measured in alternation with as many threads: with uniform playouts the scalar string
        board, with those of another policy the uniform ones.
    playouts
        The merged totals of all timed playouts of the backend.
    """

    size: int
    threads: int
    backend: str
    suicide: bool
    description: str
    rates: tuple[float, ...]
    other_rates: tuple[float, ...]
    playouts: Playouts
    policy: str = UNIFORM

    @property
    def rate(self) -> float:
        """Playouts per second of wall time, the median over the repeats."""
        return median(self.rates)

    @property
    def spread(self) -> float:
        """Half the range of the rates as a share of their median."""
        return (max(self.rates) - min(self.rates)) / 2 / self.rate

    @property
    def ns_per_move(self) -> float:
        """Nanoseconds of one thread for one stone placed."""
        return 1e9 * self.threads / (self.rate * self.moves_per_playout)

    @property
    def moves_per_playout(self) -> float:
        """Stones placed in a playout, on average; passes are not counted."""
        return self.playouts.moves / self.playouts.n

    @property
    def mean_score(self) -> Estimate:
        """Black's mean score in points, with its 95 % interval."""
        return mean_score(self.playouts.scores)

    @property
    def over_scalar_board(self) -> float | None:
        """The rate over that of the scalar string board on as many threads, None where they were not measured."""
        return self._ratio if self.policy == UNIFORM else None

    @property
    def over_uniform(self) -> float:
        """The rate over that of uniform playouts on as many threads."""
        return 1.0 if self.policy == UNIFORM else self._ratio

    @property
    def _ratio(self) -> float:
        return self.rate / median(self.other_rates)

    @property
    def over_foogo(self) -> float | None:
        """The rate over that of FooGo, None for a size whose rate is not known and for playouts other than uniform."""
        known = self.size in FOOGO_RATES and self.policy == UNIFORM
        return self.rate / FOOGO_RATES[self.size] if known else None

    def as_dict(self) -> dict[str, Any]:
        """Everything measured, for JSON. Rates are playouts per second."""
        return {
            "size": self.size,
            "threads": self.threads,
            "policy": self.policy,
            "backend": self.backend,
            "description": self.description,
            "suicide": self.suicide,
            "playouts_per_second": self.rate,
            "spread": self.spread,
            "rates": list(self.rates),
            "ns_per_move": self.ns_per_move,
            "moves_per_playout": self.moves_per_playout,
            "mean_score": self.mean_score.as_dict(),
            "playouts": self.playouts.n,
            "scalar_board_playouts_per_second": median(self.other_rates) if self.policy == UNIFORM else None,
            "over_scalar_board": self.over_scalar_board,
            "over_uniform": self.over_uniform,
            "foogo_playouts_per_second": FOOGO_RATES.get(self.size),
            "over_foogo": self.over_foogo,
        }


def measure(
    size: int,
    *,
    threads: int = 1,
    seconds: float = 2.0,
    suicide: bool = True,
    backend: str = "auto",
    policy: str = UNIFORM,
    progress: Progress | None = None,
) -> Measurement:
    """The speed of a backend in alternation with the scalar string board, or of a policy with uniform playouts.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    threads
        Threads to use.
    seconds
        Time to measure for, of each of the two; compiling and warming up come on top.
    suicide
        Whether strings of two and more stones may take their own last liberty.
    backend
        The backend to measure.
    policy
        A name of `foogo.playout.policies.POLICIES`.
    progress
        Called with (repeats done, `REPEATS`).

    Raises
    ------
    ArgumentError
        If a number is out of range; `SizeError` and `BackendError` likewise.
    """
    size = check_size(size)
    check_effort(threads, seconds)
    run_seconds = seconds / REPEATS
    ours = _Clock(size, backend, threads, suicide, policy, run_seconds)
    if policy == UNIFORM and backend == SCALAR_BOARD:
        other = ours
    else:
        other = _Clock(size, SCALAR_BOARD if policy == UNIFORM else backend, threads, suicide, UNIFORM, run_seconds)
    rates, other_rates = [], []
    for repeat in range(REPEATS):
        rates.append(ours.rate())
        other_rates.append(rates[-1] if other is ours else other.rate())
        if progress is not None:
            progress(repeat + 1, REPEATS)
    assert ours.playouts is not None
    description = describe_backend(backend, size)
    timed = tuple(rates), tuple(other_rates), ours.playouts
    return Measurement(size, threads, backend, suicide, description, *timed, policy)


def check_effort(threads: int, seconds: float) -> None:
    """Refuse what `measure` cannot do.

    Raises
    ------
    ArgumentError
        If `threads` is below 1, or `seconds` is not a number above 0.
    """
    if threads < 1:
        raise ArgumentError(f"{threads!r} threads to measure with: a whole number from 1 on is needed")
    if not 0 < seconds < float("inf"):
        raise ArgumentError(f"{seconds!r} seconds to measure: a number above 0 is needed")


class _Clock:
    """Times runs of one backend and policy, each of about `seconds`, over consecutive playout numbers."""

    def __init__(self, size: int, backend: str, threads: int, suicide: bool, policy: str, seconds: float) -> None:
        self.playouts: Playouts | None = None
        self._next = 0

        def run(n: int) -> Playouts:
            return simulate(size, n, first=self._next, suicide=suicide, threads=threads, backend=backend, policy=policy)

        self._run = run
        self._timed(64 * threads)  # compiles
        n, elapsed = 256 * threads, 0.0
        while elapsed < min(0.05, seconds / 2):
            n *= 2
            elapsed = self._timed(n)
        self._n = max(1, round(n * seconds / elapsed))
        self.playouts = None

    def rate(self) -> float:
        """Playouts per second of one more run."""
        return self._n / self._timed(self._n)

    def _timed(self, n: int) -> float:
        started = time.perf_counter()
        playouts = self._run(n)
        elapsed = time.perf_counter() - started
        self._next += n
        self.playouts = playouts if self.playouts is None else self.playouts + playouts
        return elapsed


@dataclass(frozen=True)
class Signature:
    """The signature of a policy on a board size under a suicide rule, and what it should be.

    Attributes
    ----------
    size, suicide, policy
        What was signed.
    value
        The first 16 hexadecimal digits of the hash.
    expected
        What every correct build gives, None where no value is on record.
    """

    size: int
    suicide: bool
    value: str
    expected: str | None
    policy: str = UNIFORM

    @property
    def is_wrong(self) -> bool:
        """Whether there is an expected value and this is another one."""
        return self.expected is not None and self.value != self.expected

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "size": self.size,
            "suicide": self.suicide,
            "policy": self.policy,
            "value": self.value,
            "expected": self.expected,
            "ok": None if self.expected is None else not self.is_wrong,
        }


def signature(
    size: int,
    *,
    suicide: bool = True,
    backend: str = "auto",
    policy: str = UNIFORM,
    threads: int | None = None,
) -> Signature:
    """The hash of the totals of `SIGNATURE_PLAYOUTS` playouts from the empty board.

    Examples
    --------
    >>> signature(9).is_wrong
    False
    """
    run = simulate(
        size,
        SIGNATURE_PLAYOUTS,
        seed=SIGNATURE_SEED,
        suicide=suicide,
        backend=backend,
        policy=policy,
        threads=threads,
    )
    return Signature(size, suicide, digest(run), EXPECTED_SIGNATURES.get((policy, size, suicide)), policy)


def digest(playouts: Playouts) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the totals, written out in decimal."""
    numbers = [playouts.size, playouts.n, playouts.cut, playouts.moves, *playouts.scores.tolist()]
    return hashlib.sha256(" ".join(str(int(number)) for number in numbers).encode()).hexdigest()[:16]


def machine() -> dict[str, Any]:
    """The machine, the versions and the date of a measurement, for JSON."""
    import numba
    import numpy as np

    from foogo import __version__

    return {
        "cpu": cpu_name(),
        "cores": cores(),
        "os": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "numba": numba.__version__,
        "foogo": __version__,
        "date": datetime.now(timezone.utc).date().isoformat(),
    }


def cpu_name() -> str:
    """The processor model as the operating system names it."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def peak_memory() -> int | None:
    """The most memory this process has held so far, in bytes; None where the system does not tell."""
    try:
        import resource
    except ImportError:
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
