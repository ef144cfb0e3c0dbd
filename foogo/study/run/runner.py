"""Plays what is missing of a run: hands out chunks of about a second, commits what comes back.

Only the process that calls `run_study` writes to the store. Whoever dies, and whenever, what was committed
stays, what was not is played again, and the totals are the same to the bit: games are functions of numbers.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait

from foogo.errors import ArgumentError, ClusterError, StoreError
from foogo.playout.totals import Tally
from foogo.stats.estimates import mean_score
from foogo.study.config import OPENING_STRIDE
from foogo.study.run.players import Abandoned, Task
from foogo.study.run.workers import OnExecutor, Played, Threads, Workers
from foogo.study.store.ledger import Claim, Ledger, Standing
from foogo.study.store.store import Run, Store

CHUNK_SECONDS = 1.0
"""The work in a chunk: long beside a commit, short beside a run."""

FIRST_CHUNK = 512
"""Playouts in the first chunk, from which the rate is learnt; of games of search it is 1."""

PILOT = 10_000
"""Playouts of each start before `until_se` says how many more are needed; of games of search it is 100."""

POLL_SECONDS = 0.5
BEAT_SECONDS = 20.0
"""A sign of life at least so often."""

DEATHS_ALLOWED = 5
"""How many workers may die on the same games before they are given up as the cause."""

Progress = Callable[[int, int], object]


def run_study(
    store: Store,
    run: Run,
    *,
    threads: int | None = None,
    workers: Workers | None = None,
    executor: Executor | None = None,
    executor_workers: int = 1,
    progress: Progress | None = None,
) -> Run:
    """Play what was asked of a run and is missing, and commit it.

    Parameters
    ----------
    store, run
        The run, as the store gave it.
    threads
        Threads of this process; all cores if None. Not used with `workers` or `executor`.
    workers
        Where to play instead.
    executor, executor_workers
        Any `concurrent.futures.Executor` to play on instead, and how many tasks it runs at a time.
    progress
        Called from time to time with (games committed, games asked for), over all starts.

    Returns
    -------
    Run
        The run as it stands now. More was asked of it if it has an `until_se`.

    Raises
    ------
    StoreError
        If the store cannot be written, or the run is of another signature.
    ClusterError
        If the workers are lost, or play other games.
    KeyboardInterrupt
        On Ctrl-C; what is finished is committed.

    Examples
    --------
    >>> import tempfile
    >>> from foogo.study.config import ANY, Config
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
    ...     run = run_study(store, store.ask(Config(3, seed=1), n=1000))
    ...     store.totals(run, ANY)[0].n
    1000
    """
    store.check_signature(run)
    if workers is None:
        own = Threads(threads) if executor is None else OnExecutor(executor, executor_workers)
        with own:
            return run_study(store, run, workers=own, progress=progress)
    while True:
        _Coordinator(store, run, workers, progress).work()
        if run.until_se is None:
            return run
        wanted = games_wanted(store, run)
        if count_from_zero(run) >= wanted:
            return run
        run = store.ask(run.config, n=wanted, openings=run.openings)


def count_from_zero(run: Run) -> int:
    """How many games from number 0 on were asked for without a gap."""
    return run.asked[0][1] if run.asked and run.asked[0][0] == 0 else 0


def games_wanted(store: Store, run: Run) -> int:
    """How many games, from number 0 on, the standard error that a run asks for seems to need.

    It is a function of the totals alone, so that an interrupted run ends as an uninterrupted one.

    Raises
    ------
    ArgumentError
        If no number of games that can be asked for is enough.
    """
    assert run.until_se is not None
    pilot = PILOT if run.config.simulations == 0 else 100
    asked = count_from_zero(run)
    if asked < pilot:
        return pilot
    wanted, lowest = 0, 0.0
    for start in run.starts:
        tally, _ = store.totals(run, start)
        n = tally.n
        error = mean_score(tally.scores, z=1).half_width
        if error > run.until_se:
            # 1 % more than seems needed, so that one round does nearly always
            wanted = max(wanted, n + 1, math.ceil(1.01 * n * (error / run.until_se) ** 2))
            lowest = max(lowest, error * math.sqrt(n / OPENING_STRIDE))
    if wanted > OPENING_STRIDE:
        raise ArgumentError(
            f"a standard error of {run.until_se:g} points needs about {wanted:.2g} games of a start, and "
            f"{OPENING_STRIDE:.2g} are all there are: ask for {1.1 * lowest:.2g} or more"
        )
    return wanted


class _Coordinator:
    """One process at work on a run."""

    def __init__(self, store: Store, run: Run, workers: Workers, progress: Progress | None) -> None:
        self.ledger = Ledger(store, run)
        self.run, self.workers, self.progress = run, workers, progress
        self.out: dict[Future[Played], Claim] = {}
        self.deaths: dict[Claim, int] = {}
        self.size = FIRST_CHUNK if run.config.simulations == 0 else 1
        self.smallest = self.size

    def work(self) -> None:
        """Play until nothing is missing, be it played here or by others."""
        try:
            self._work()
        except BaseException as error:
            self._salvage(wait_for_running=isinstance(error, KeyboardInterrupt))
            raise
        self.ledger.leave()

    def _work(self) -> None:
        done: list[tuple[Claim, Tally]] = []
        count, beaten = self.workers.count, 0.0
        while True:
            want = max(0, count + self.workers.ahead - len(self.out))
            if done or want or time.monotonic() - beaten > BEAT_SECONDS:
                standing = self.ledger.turn(done, want, self.size, shares=2 * count)
                beaten = time.monotonic()
                for claim in standing.claimed:
                    self._hand_out(claim)
                self._tell(standing)
            if not self.out:
                if standing.elsewhere == 0:
                    return
                time.sleep(POLL_SECONDS)  # others play the rest; if they die, it is ours
            finished, _ = wait(self.out, timeout=BEAT_SECONDS, return_when=FIRST_COMPLETED) if self.out else ((), ())
            done = [pair for future in finished if (pair := self._take(future)) is not None]
            count = self.workers.count

    def _hand_out(self, claim: Claim) -> None:
        task = Task(self.run.config, claim.start, claim.first, claim.count, self.run.signature)
        try:
            self.out[self.workers.submit(task)] = claim
        except (BrokenExecutor, RuntimeError) as error:
            raise ClusterError(f"the workers take no more work ({error}): resume the study on new ones") from error

    def _take(self, future: Future[Played]) -> tuple[Claim, Tally] | None:
        """What a finished future brought; None if its worker died, and its games are handed out again."""
        claim = self.out.pop(future)
        try:
            tally, seconds = future.result()
        except (CancelledError, BrokenExecutor, Abandoned) as error:
            self._again(claim, error)
            return None
        except Exception as error:
            if type(error).__name__ not in ("KilledWorker", "CommClosedError", "FutureCancelledError"):
                raise
            self._again(claim, error)
            return None
        self.deaths.pop(claim, None)
        if claim.count >= self.size // 4:
            ideal = claim.count * CHUNK_SECONDS / max(seconds, 1e-6)
            self.size = int(max(self.smallest, min(4 * self.size, ideal)))
        return claim, tally

    def _again(self, claim: Claim, error: BaseException) -> None:
        self.deaths[claim] = self.deaths.get(claim, 0) + 1
        if self.deaths[claim] > DEATHS_ALLOWED:
            raise ClusterError(
                f"{self.deaths[claim]} workers died on the same {claim.count} games ({type(error).__name__}): look at "
                "their logs for memory or time limits, then resume the study"
            ) from error
        self._hand_out(claim)

    def _tell(self, standing: Standing) -> None:
        if self.progress is not None:
            self.progress(standing.played, standing.asked)

    def _salvage(self, wait_for_running: bool) -> None:
        """Commit what is finished, give up the rest."""
        self.workers.stop()
        done: list[tuple[Claim, Tally]] = []
        waiting = [future for future in self.out if not future.cancel()]
        if wait_for_running:
            wait(waiting, timeout=3 * CHUNK_SECONDS)
        for future in waiting:
            if future.done() and not future.cancelled() and future.exception() is None:
                done.append((self.out[future], future.result()[0]))
        try:
            if done:
                self.ledger.turn(done, 0, 1)
            self.ledger.leave()
        except StoreError:
            pass  # the error under way says what is wrong with the store
