"""The games of a study: a range of game numbers from one start, by a playout policy or by search.

A game is a pure function of the configuration, the start and its number, so any process may play it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from foogo.errors import ClusterError
from foogo.game.board import Board
from foogo.playout.simulate import simulate
from foogo.playout.totals import Tally
from foogo.study.config import ANY, PLAYOUT_POLICIES, Config

SIGNATURE_SEED = 1
SIGNATURE_PLAYOUTS = 2000
"""The fixed run behind the signature of a playout policy."""

Stop = Callable[[], bool]


class Abandoned(Exception):
    """The games were given up half-way: their totals are no longer wanted, or Ctrl-C cut a search short."""


@dataclass(frozen=True)
class Task:
    """Games number `first` to ``first + count - 1`` of a start, for any process to play.

    Attributes
    ----------
    config, start
        The run and the start.
    signature
        What the playing process must have: its games would be others else.
    """

    config: Config
    start: int
    first: int
    count: int
    signature: str


def play(task: Task, stop: Stop | None = None, backend: str = "auto") -> tuple[Tally, float]:
    """The totals of a task, and the seconds it took, compilation apart.

    `backend` is that of the playouts, on one thread of the processor unless it is "cuda".

    Raises
    ------
    ClusterError
        If the games of this process are not those of the task's signature.
    Abandoned
        If `stop` says so between two moves of a search, or Ctrl-C cut one short.
    """
    own = signature(task.config)
    if own != task.signature:
        raise ClusterError(
            f"a worker plays other games (signature {own}) than this process ({task.signature}): "
            "install the same version of foogo on both"
        )
    began = time.perf_counter()
    if task.config.simulations == 0:
        tally = _playouts(task, backend)
    else:
        from foogo.study.run import self_play  # the search takes a while to import

        first = task.config.first_number(task.start) + task.first
        tally = self_play.games(task.config, task.start, first, task.count, stop)
    return tally, time.perf_counter() - began


def signature(config: Config) -> str:
    """Sixteen hexadecimal digits that change when the games of a configuration change, and only then.

    For a playout policy it is the hash of the totals of a fixed run on the same board size by the same suicide
    rule: of random players the one that `foogo bench` prints, which every machine and backend has. For search
    it is that of `foogo.study.run.self_play.signature`.
    """
    if config.simulations == 0:
        return _playout_signature(config.size, config.suicide, PLAYOUT_POLICIES[config.policy])
    from foogo.study.run import self_play

    return self_play.signature(config.size, config.suicide, config.simulations)


@cache
def _playout_signature(size: int, suicide: bool, policy: str) -> str:
    totals = simulate(size, SIGNATURE_PLAYOUTS, seed=SIGNATURE_SEED, suicide=suicide, threads=1, policy=policy)
    numbers = [size, totals.n, totals.cut, totals.moves, *totals.scores.tolist()]
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:16]


def _playouts(task: Task, backend: str) -> Tally:
    config = task.config
    plain = task.start == ANY and config.is_empty
    start: Board | int = config.size if plain else config.board(task.start)
    first = config.first_number(task.start) + task.first
    totals = simulate(
        start,
        task.count,
        seed=config.seed,
        first=first,
        suicide=config.suicide,
        threads=1,
        backend=backend,
        policy=PLAYOUT_POLICIES[config.policy],
    )
    return Tally.of(totals)
