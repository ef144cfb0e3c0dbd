"""The speed of the playouts on this machine, and a check that they are the right ones.

A measurement alternates between two kinds of playouts, so that their ratio holds on a noisy machine. Uniform playouts
alternate with those of the scalar string board, playouts of another policy with uniform ones. Rates are medians over
the repeats. The signature is a hash of the integer totals of a fixed seeded run. It is the same for every backend,
number of threads and machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from foogo.benchmark.timing import REPEATS, Progress, TimedRuns, check_effort, in_turns
from foogo.game.geometry import check_size
from foogo.playout.backends import describe_backend
from foogo.playout.simulate import Playouts, simulate
from foogo.stats.estimates import Estimate, mean_score

SIGNATURE_SEED = 1
SIGNATURE_PLAYOUTS = 2000

EXPECTED_SIGNATURES: dict[tuple[str, int, bool], str] = {
    ("uniform", 5, True): "9aa50ac0c1df5afa",
    ("uniform", 5, False): "4e7eb171f7aaceb4",
    ("uniform", 9, True): "0df99ec40c3069e0",
    ("uniform", 9, False): "a63e25e4c646cd46",
    ("uniform", 13, True): "ca891eb180d55ae1",
    ("uniform", 13, False): "76290dbcfa5e6940",
    ("uniform", 19, True): "a44c60edfbb17a95",
    ("uniform", 19, False): "4db5a7729c34c10e",
    ("knowledge", 5, True): "3571704db9441850",
    ("knowledge", 5, False): "b78fe764ce9ed3f2",
    ("knowledge", 9, True): "42def2246f446628",
    ("knowledge", 9, False): "7c620887f24cb085",
    ("knowledge", 13, True): "f52799643c96202d",
    ("knowledge", 13, False): "8c3adb331a5e599d",
    ("knowledge", 19, True): "4edd767d37115a00",
    ("knowledge", 19, False): "9f0ccbe8edbd082a",
    ("patterns", 5, True): "fa2e844d9092f625",
    ("patterns", 5, False): "d5777a7bede99779",
    ("patterns", 9, True): "ca5fbf9bc5f923f2",
    ("patterns", 9, False): "6f8e252b11b35697",
    ("patterns", 13, True): "6f141253ddb8787b",
    ("patterns", 13, False): "46b0e4303a6d8865",
    ("patterns", 19, True): "9173ad01f860fc25",
    ("patterns", 19, False): "10b8f2967557061c",
}
"""The signature of each (policy, size, suicide allowed). If one changes, the playout has changed."""

SCALAR_BOARD = "strings"
UNIFORM = "uniform"


@dataclass(frozen=True)
class Measurement:
    """The measurement of one board size, thread count and policy."""

    size: int
    threads: int
    backend: str  # the name given by the caller
    suicide: bool
    description: str  # the backend on this machine, with its lanes and vector width
    rates: tuple[float, ...]  # playouts per second of each repeat
    other_rates: tuple[float, ...]  # of what it is compared with, on the same number of threads
    playouts: Playouts  # the totals of all timed playouts of the backend
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
        """Nanoseconds per stone placed, on one thread; passes are not counted."""
        return 1e9 * self.threads / (self.rate * self.playouts.mean_moves)

    @property
    def mean_score(self) -> Estimate:
        """Black's mean score in points, with its 95 % interval."""
        return mean_score(self.playouts.scores)

    @property
    def over_scalar_board(self) -> float | None:
        """The speedup over the scalar string board; None if that was not measured."""
        return self._ratio if self.policy == UNIFORM else None

    @property
    def over_uniform(self) -> float:
        """The rate relative to uniform playouts."""
        return 1.0 if self.policy == UNIFORM else self._ratio

    @property
    def _ratio(self) -> float:
        return self.rate / median(self.other_rates)

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
            "moves_per_playout": self.playouts.mean_moves,
            "mean_score": self.mean_score.as_dict(),
            "playouts": self.playouts.n,
            "scalar_board_playouts_per_second": median(self.other_rates) if self.policy == UNIFORM else None,
            "over_scalar_board": self.over_scalar_board,
            "over_uniform": self.over_uniform,
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
    """The speed of a backend or a policy, in alternation with the playouts that it is compared with.

    Each of the two is measured for `seconds`; compilation and warm-up are extra. `progress` is called with (repeats
    done, `REPEATS`).
    """
    size = check_size(size)
    check_effort(threads, seconds)
    compared_with = (SCALAR_BOARD, UNIFORM) if policy == UNIFORM else (backend, UNIFORM)
    kinds = list(dict.fromkeys([(backend, policy), compared_with]))
    rates, playouts = alternate(size, kinds, threads=threads, seconds=seconds, suicide=suicide, progress=progress)
    description = describe_backend(backend, size)
    return Measurement(size, threads, backend, suicide, description, rates[0], rates[-1], playouts, policy)


def alternate(
    size: int,
    kinds: Sequence[tuple[str, str]],
    *,
    threads: int,
    seconds: float,
    suicide: bool,
    progress: Progress | None,
) -> tuple[list[tuple[float, ...]], Playouts]:
    """The rates of playouts by backend and policy, measured in alternation, and the totals of the first of them."""

    def timed(backend: str, policy: str) -> TimedRuns[Playouts]:
        def play(first: int, n: int) -> Playouts:
            return simulate(size, n, first=first, suicide=suicide, threads=threads, backend=backend, policy=policy)

        return TimedRuns(play, seconds / REPEATS)

    runs = [timed(*kind) for kind in kinds]
    rates = in_turns([run.rate for run in runs], progress=progress)
    assert runs[0].total is not None
    return rates, runs[0].total


@dataclass(frozen=True)
class Signature:
    """The signature of a policy on a board size under a suicide rule, and the signature on record."""

    size: int
    suicide: bool
    value: str  # the first 16 hexadecimal digits of the hash
    expected: str | None  # what every correct build gives; None if nothing is on record
    policy: str = UNIFORM

    @property
    def is_wrong(self) -> bool:
        """Whether the value differs from the one on record."""
        return self.expected is not None and self.value != self.expected

    @property
    def verdict(self) -> str:
        """Whether the value is right: ok, WRONG, or no record."""
        return "no record" if self.expected is None else "WRONG" if self.is_wrong else "ok"

    def __str__(self) -> str:
        return f"{self.size}x{self.size} {self.policy} {self.value} {self.verdict}"

    @property
    def error(self) -> str:
        """A one-line error message."""
        return f"the {self.size}x{self.size} {self.policy} playouts have signature {self.value}, not {self.expected}"

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
    size: int, *, suicide: bool = True, backend: str = "auto", policy: str = UNIFORM, threads: int | None = None
) -> Signature:
    """The hash of the totals of `SIGNATURE_PLAYOUTS` playouts from the empty board."""
    rules: dict[str, Any] = {"suicide": suicide, "backend": backend, "policy": policy}
    run = simulate(size, SIGNATURE_PLAYOUTS, seed=SIGNATURE_SEED, threads=threads, **rules)
    return Signature(size, suicide, digest(run), EXPECTED_SIGNATURES.get((policy, size, suicide)), policy)


def digest(playouts: Playouts) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of the totals, written out in decimal."""
    numbers = [playouts.size, playouts.n, playouts.cut, playouts.moves, *playouts.scores.tolist()]
    return hashlib.sha256(" ".join(str(int(number)) for number in numbers).encode()).hexdigest()[:16]
