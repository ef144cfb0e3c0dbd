"""Studies whose processes are killed while they work."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from foogo.playout.totals import Totals
from foogo.study.config import ANY, Config
from foogo.study.run import runner
from foogo.study.run.runner import run_study
from foogo.study.run.workers import Cluster
from foogo.study.store.store import Store

KILLS = int(os.environ.get("FOOGO_KILLS", "10"))
"""How often a run is killed; a release is tested with 100."""


def killed_and_resumed(
    path: Path, config: Config, n: int, chunk_seconds: float, rng: random.Random
) -> tuple[Totals, int]:
    """Kill a run with one thread `KILLS` times at random moments, and let it end: its totals and how many games it has.

    `n` games are asked for, and as many again whenever a process got to its end. After each death the store has just
    the games of the ranges it says.
    """
    kills = 0
    with Store(path, create=True) as store:
        store.ask(config, n=n)
    while kills < KILLS:
        child = os.fork()
        if child == 0:
            with Store(path) as store:
                runner.CHUNK_SECONDS = chunk_seconds  # many commits, so that many kills fall on one
                run_study(store, store.runs()[0], threads=1)
            os._exit(0)
        time.sleep(rng.uniform(0, 0.4))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        kills += os.WIFSIGNALED(status)
        with Store(path) as store:
            run = store.runs()[0]
            totals, ranges = store.totals(run, ANY)
            assert totals.n == sum(end - first for first, end in ranges)
            if store.missing(run) == 0:
                store.ask(config, n=run.asked[0][1] + n)
    with Store(path) as store:
        run = run_study(store, store.runs()[0])
        return store.totals(run, ANY)[0], run.asked[0][1]


@contextmanager
def one_worker_killed(cluster: Cluster) -> Iterator[Callable[[int, int], None]]:
    """A `progress` for a run on the cluster that kills one of its workers after a quarter of the games.

    At the end the worker must have been killed, and be replaced.
    """
    pids = list(cluster.client.run(os.getpid).values())
    killed: list[int] = []

    def kill_one(done: int, asked: int) -> None:
        if not killed and done > asked // 4:
            os.kill(pids[0], signal.SIGKILL)
            killed.append(done)

    yield kill_one
    assert killed
    assert pids[0] not in cluster.client.run(os.getpid).values()
