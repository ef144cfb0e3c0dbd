"""Plays the missing games of a run: submits tasks of about a second to workers, and commits their totals.

Only the process that calls `run_study` writes to the store. Any process may die at any time: committed games are kept,
and all other games are played again. The totals are bit-identical, because a game is a function of its number.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import suppress
from typing import SupportsIndex

from foogo.arguments import check_progress
from foogo.errors import ArgumentError, ClusterError, StoreError
from foogo.playout.totals import Totals
from foogo.stats.estimates import mean_score
from foogo.study.config import OPENING_STRIDE
from foogo.study.run.tasks import Abandoned, Task
from foogo.study.run.workers import ExecutorWorkers, Played, Threads, Workers
from foogo.study.store.claims import Claim, Participant
from foogo.study.store.runs import Run
from foogo.study.store.store import Store

CHUNK_SECONDS = 1.0
"""The time that a task should take: much longer than a commit, much shorter than a run."""

FIRST_CHUNK = 512
"""Playouts in the first task, from which the rate is measured; one game if the players search."""

PILOT, PILOT_OF_SEARCH = 10_000, 100
"""Games per start before `until_se` is evaluated for the first time, by playouts and by search."""

POLL_SECONDS = 0.5
BEAT_SECONDS = 20.0
"""The longest interval between two renewals of the lease."""

DEATHS_ALLOWED = 5
"""The number of workers that may die on the same games before the run fails."""

LOST = (CancelledError, BrokenExecutor, Abandoned)
LOST_ON_DASK = ("KilledWorker", "CommClosedError", "FutureCancelledError")
"""The errors of a task whose worker was lost: its games are submitted again."""

Progress = Callable[[int, int], object]


def run_study(
    store: Store,
    run: Run,
    *,
    threads: SupportsIndex | None = None,
    workers: Workers | None = None,
    executor: Executor | None = None,
    executor_workers: SupportsIndex = 1,
    progress: Progress | None = None,
) -> Run:
    """Play and commit the missing games of a run.

    Parameters
    ----------
    store, run
        The run, as the store returned it.
    threads
        Threads of this process; all cores if None. Ignored with `workers` or `executor`.
    workers
        Where to play instead.
    executor, executor_workers
        Any `concurrent.futures.Executor` to play on instead, and the number of tasks that it runs at a time.
    progress
        Called from time to time with (games committed, games requested), over all starts.

    Returns
    -------
    Run
        The run, with more games requested if it has an `until_se`.

    Raises
    ------
    ArgumentError
        If an argument is out of range or of another type, or if the run's `until_se` needs more games than a start
        has. The `until_se` is then removed from the run.
    StoreError
        If the store cannot be written, or the run has another signature.
    ClusterError
        If the workers are lost, or play other games.
    KeyboardInterrupt
        On Ctrl-C; finished games are committed.

    Examples
    --------
    >>> import tempfile
    >>> from foogo.study.config import ANY, Config
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
    ...     run = run_study(store, store.ask(Config(3, seed=1), n=1000))
    ...     store.totals(run, ANY)[0].n
    1000
    """
    check_progress(progress)
    for name, value, kind in ("store", store, Store), ("run", run, Run):
        if not isinstance(value, kind):
            raise ArgumentError(f"{name} is {value!r}: give a {kind.__name__}; `Store.ask` returns runs")
    store.check_signature(run)
    if workers is None:
        own = Threads(threads) if executor is None else ExecutorWorkers(executor, executor_workers)
        with own:
            return run_study(store, run, workers=own, progress=progress)
    while True:
        _Coordinator(store, run, workers, progress).work()
        if run.until_se is None:
            return run
        wanted = games_wanted(store, run)
        if count_from_zero(run) >= wanted:
            return run
        if wanted > OPENING_STRIDE:
            store.forget_until_se(run)  # or the run could never be finished
            lowest = 1.1 * run.until_se * math.sqrt(wanted / OPENING_STRIDE)
            raise ArgumentError(
                f"a standard error of {run.until_se:g} points needs about {wanted:.2g} games of a start, and "
                f"{OPENING_STRIDE:.2g} are all there are: ask for {lowest:.2g} or more"
            )
        run = store.ask(run.config, n=wanted, openings=run.openings)


def is_finished(store: Store, run: Run) -> bool:
    """Whether all games requested, and those that the run's `until_se` needs, are played."""
    return not store.missing(run) and (run.until_se is None or count_from_zero(run) >= games_wanted(store, run))


def count_from_zero(run: Run) -> int:
    """The length of the requested range of games that starts at 0 and has no gap."""
    return run.asked[0][1] if run.asked and run.asked[0][0] == 0 else 0


def games_wanted(store: Store, run: Run) -> int:
    """The games per start that the run's `until_se` needs, estimated from the totals so far.

    It depends only on the totals, so an interrupted run ends like an uninterrupted one.
    """
    assert run.until_se is not None
    pilot = PILOT if run.config.simulations == 0 else PILOT_OF_SEARCH
    asked = count_from_zero(run)
    if asked < pilot:
        return pilot
    wanted = 0
    for start in run.starts:
        totals, _ = store.totals(run, start)
        n = totals.n
        error = mean_score(totals.scores, z=1).half_width
        if error > run.until_se:
            # 1 % more than estimated, so that one round nearly always suffices
            wanted = max(wanted, n + 1, math.ceil(1.01 * n * (error / run.until_se) ** 2))
    return wanted


class _Coordinator:
    """The work of the current process on a run."""

    def __init__(self, store: Store, run: Run, workers: Workers, progress: Progress | None) -> None:
        self.participant = Participant(store, run)
        self.run, self.workers, self.progress = run, workers, progress
        self.out: dict[Future[Played], Claim] = {}
        self.deaths: dict[Claim, int] = {}
        self.size = FIRST_CHUNK if run.config.simulations == 0 else 1
        self.smallest = self.size

    def work(self) -> None:
        """Play until no game is missing; other processes may play the same run."""
        try:
            self._work()
        except BaseException as error:
            self._salvage(wait_for_running=isinstance(error, KeyboardInterrupt))
            raise
        self.participant.leave()

    def _work(self) -> None:
        done: list[tuple[Claim, Totals]] = []
        count, beaten = self.workers.count, 0.0
        while True:
            want = max(0, count + self.workers.ahead - len(self.out))
            if done or want or time.monotonic() - beaten > BEAT_SECONDS:
                standing = self.participant.commit_and_claim(done, want, self.size, shares=2 * count)
                beaten = time.monotonic()
                for claim in standing.claimed:
                    self._submit(claim)
                if self.progress is not None:
                    self.progress(standing.played, standing.asked)
            if not self.out:
                if standing.elsewhere == 0:
                    return
                time.sleep(POLL_SECONDS)  # other processes play the rest; if they die, their claims become free
            finished, _ = wait(self.out, timeout=BEAT_SECONDS, return_when=FIRST_COMPLETED) if self.out else ((), ())
            done = [pair for future in finished if (pair := self._take(future)) is not None]
            count = self.workers.count

    def _submit(self, claim: Claim) -> None:
        task = Task(self.run.config, claim.start, claim.first, claim.count, self.run.signature)
        try:
            self.out[self.workers.submit(task)] = claim
        except (BrokenExecutor, RuntimeError) as error:
            raise ClusterError(f"the workers take no more work ({error}): resume the study on new ones") from error

    def _take(self, future: Future[Played]) -> tuple[Claim, Totals] | None:
        """The totals of a finished future; None if its worker died and its games were submitted again."""
        claim = self.out.pop(future)
        try:
            totals, seconds = future.result()
        except Exception as error:
            if not isinstance(error, LOST) and type(error).__name__ not in LOST_ON_DASK:
                raise
            self._retry(claim, error)
            return None
        self.deaths.pop(claim, None)
        if claim.count >= self.size // 4:
            ideal = claim.count * CHUNK_SECONDS / max(seconds, 1e-6)
            self.size = int(max(self.smallest, min(4 * self.size, ideal)))
        return claim, totals

    def _retry(self, claim: Claim, error: BaseException) -> None:
        self.deaths[claim] = self.deaths.get(claim, 0) + 1
        if self.deaths[claim] > DEATHS_ALLOWED:
            raise ClusterError(
                f"{self.deaths[claim]} workers died on the same {claim.count} games ({type(error).__name__}): look at "
                "their logs for memory or time limits, then resume the study"
            ) from error
        self._submit(claim)

    def _salvage(self, wait_for_running: bool) -> None:
        """Commit finished games and release the other claims."""
        done: list[tuple[Claim, Totals]] = []
        try:
            self.workers.stop()
            waiting = [future for future in self.out if not future.cancel()]
            if wait_for_running:
                wait(waiting, timeout=3 * CHUNK_SECONDS)
            for future in waiting:
                if future.done() and not future.cancelled() and future.exception() is None:
                    done.append((self.out[future], future.result()[0]))
            if done:
                with suppress(StoreError):  # the error that is being raised explains it
                    self.participant.commit_and_claim(done, 0, 1)
        finally:  # after another Ctrl-C too
            with suppress(StoreError):
                self.participant.leave()
