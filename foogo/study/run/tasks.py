"""Tasks: ranges of game numbers from one start, played by a playout policy or by search.

A game is a pure function of the configuration, the start and its number, so any process may play it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import SupportsIndex

from foogo.core.compiling import working_clock
from foogo.errors import ClusterError
from foogo.playout.simulate import Playouts, Progress, simulate
from foogo.playout.totals import Totals
from foogo.study.config import Config

SIGNATURE_SEED = 1
SIGNATURE_PLAYOUTS = 2000
"""The run whose totals are the signature of a playout policy."""

Stop = Callable[[], bool]


class Abandoned(Exception):
    """The games were abandoned: their totals are no longer wanted, or Ctrl-C cut a search short."""


@dataclass(frozen=True)
class Task:
    """Games number `first` to ``first + count - 1`` of a start, for any process with that signature to play."""

    config: Config
    start: int
    first: int
    count: int
    signature: str


def play(task: Task, stop: Stop | None = None, backend: str = "auto") -> tuple[Totals, float]:
    """The totals of a task, and the seconds it took without compilation.

    Playouts run on one thread of the processor, or on the GPU if `backend` is "cuda". ClusterError if this process
    plays other games than the task's signature says. Abandoned if `stop` returns true between two moves of a search, or
    Ctrl-C interrupts one.
    """
    own = signature(task.config)
    if own != task.signature:
        raise ClusterError(
            f"a worker plays other games (signature {own}) than this process ({task.signature}): "
            "install the same version of foogo on both"
        )
    began = working_clock()
    if task.config.simulations == 0:
        totals = playouts(task.config, task.start, task.first, task.count, threads=1, backend=backend).totals
    else:
        from foogo.study.run import self_play  # the search takes a while to import

        first = task.config.first_number(task.start) + task.first
        totals = self_play.games(task.config, task.start, first, task.count, stop)
    return totals, working_clock() - began


def playouts(
    config: Config,
    start: int,
    first: int,
    count: int,
    *,
    threads: SupportsIndex | None,
    backend: str = "auto",
    progress: Progress | None = None,
) -> Playouts:
    """The games number `first` to ``first + count - 1`` of a start of a playout policy, played by `foogo.simulate`."""
    return simulate(
        config.playout_start(start), count, seed=config.seed, first=config.first_number(start) + first,
        suicide=config.suicide, threads=threads, backend=backend, policy=config.policy,
        progress=progress,
    )  # fmt: skip


def signature(config: Config) -> str:
    """Sixteen hexadecimal digits that change when the games of a configuration change, and only then.

    For a playout policy it is the hash of the totals of a fixed run with the same board size and suicide rule: the same
    on every machine and backend. `foogo bench` prints that of random players. For search it is
    `foogo.study.run.self_play.signature`.
    """
    if config.simulations == 0:
        return _playout_signature(config.size, config.suicide, config.policy)
    from foogo.study.run import self_play

    return self_play.signature(config.size, config.suicide, config.simulations)


@cache
def _playout_signature(size: int, suicide: bool, policy: str) -> str:
    totals = simulate(size, SIGNATURE_PLAYOUTS, seed=SIGNATURE_SEED, suicide=suicide, threads=1, policy=policy)
    numbers = [size, totals.n, totals.cut, totals.moves, *totals.scores.tolist()]
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:16]
