"""Where the games of a study are played: threads, GPUs, any executor, or a dask.distributed cluster."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, SupportsIndex

from foogo.arguments import whole
from foogo.core.cpu import worker_count
from foogo.errors import ArgumentError, BackendError, ClusterError
from foogo.playout.backends import GPU
from foogo.playout.gpu import gpus
from foogo.playout.totals import Totals
from foogo.study.run.tasks import Task, play

if TYPE_CHECKING:
    from typing_extensions import Self

LOCAL = "local"
"""The cluster address that starts a cluster on this machine."""

CONNECT_SECONDS = 15.0
CLOSE_SECONDS = 15.0
"""Timeouts for connecting to a cluster and for closing each part. A local cluster ends with this process anyway."""

RETRIES = 20
"""The number of times dask retries a task whose worker died."""

CLIENT_LOG = logging.getLogger("distributed.client")

Played = tuple[Totals, float]


class Workers:
    """A group of workers that play tasks concurrently. It is a context manager."""

    ahead = 1
    """Tasks to submit beyond one per worker, so that no worker waits."""

    _count: int

    @property
    def count(self) -> int:
        """The current number of concurrent tasks; a cluster may grow and shrink."""
        return self._count

    def submit(self, task: Task) -> Future[Played]:
        """Submit a task."""
        raise NotImplementedError

    def stop(self) -> None:
        """Make running tasks end soon, when their results are no longer wanted."""

    def close(self) -> None:
        """Release the workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class Threads(Workers):
    """Threads of this process; one per core that it may use if `count` is None."""

    def __init__(self, count: SupportsIndex | None = None) -> None:
        self._count = worker_count(count)
        self._pool = ThreadPoolExecutor(self._count, thread_name_prefix="foogo-study")
        self._stopped = threading.Event()

    def submit(self, task: Task) -> Future[Played]:
        """Submit a task to the next free thread."""
        return self._pool.submit(play, task, self._stopped.is_set)

    def stop(self) -> None:
        """Make games by search end at their next move; playouts take no more than about a second."""
        self._stopped.set()
        self._stopped = threading.Event()  # for tasks that are submitted later

    def close(self) -> None:
        """Wait for the threads to end."""
        self.stop()
        self._pool.shutdown(cancel_futures=True)


class Gpus(Threads):
    """The GPUs of this machine; each takes the next task when it finishes one. BackendError if no GPU can play."""

    def __init__(self) -> None:
        super().__init__(len(gpus()))

    def submit(self, task: Task) -> Future[Played]:
        """Submit a task to the next free GPU."""
        if task.config.simulations:
            raise BackendError("backend cuda plays no games of search: leave it out for them")
        return self._pool.submit(play, task, self._stopped.is_set, GPU)


def own_workers(backend: str, threads: SupportsIndex | None = None) -> Workers:
    """Threads of this process for the backend "auto"; its GPUs for "cuda"."""
    if backend == GPU:
        return Gpus()
    if backend != "auto":
        raise BackendError(f"backend is {backend!r}: use 'auto' or 'cuda' for a study")
    return Threads(threads)


class ExecutorWorkers(Workers):
    """The workers of any executor that the caller made and closes, which runs `count` tasks at a time."""

    def __init__(self, executor: Executor, count: SupportsIndex) -> None:
        if not isinstance(executor, Executor):
            raise ArgumentError(f"{executor!r} is not an executor: give a concurrent.futures.Executor")
        self._executor, self._count = executor, whole("workers", count, 1, 100_000)

    def submit(self, task: Task) -> Future[Played]:
        """Submit a task."""
        return self._executor.submit(play, task)


class Cluster(Workers):
    """The workers of a dask.distributed cluster at a scheduler's address, or of a "local" one on this machine.

    A local cluster has that many processes, one per core if None. `tell` is called with a message when workers come or
    go.
    """

    ahead = 2

    def __init__(
        self, address: str, workers: int | None = None, tell: Callable[[str], object] = lambda line: None
    ) -> None:
        if find_spec("distributed") is None:
            raise ClusterError("a cluster needs dask.distributed, which is not installed: pip install 'foogo[cluster]'")
        dask = import_module("distributed")

        if address != LOCAL and "://" not in address and address.count(":") != 1:
            raise ClusterError(f"'{address}' is not a scheduler address: give one as tcp://host:8786, or local")
        self._tell, self._cluster, self._known = tell, None, 0
        self._silence = (OSError, TimeoutError, dask.TimeoutError)  # the last two are the same from Python 3.11 on
        self._log_level = CLIENT_LOG.level
        CLIENT_LOG.setLevel(logging.CRITICAL)  # a lost scheduler is reported as one error, not as pages of tracebacks
        if address == LOCAL:
            count = worker_count(workers, "workers")
            self._cluster = dask.LocalCluster(
                n_workers=count, threads_per_worker=1, memory_limit=None, dashboard_address=None,
                silence_logs=logging.CRITICAL,
            )  # fmt: skip
        try:
            self.client = dask.Client(self._cluster or address, timeout=CONNECT_SECONDS, set_as_default=False)
        except (ValueError, *self._silence) as error:
            CLIENT_LOG.setLevel(self._log_level)
            reason = str(error).split("\n")[0] or type(error).__name__
            raise ClusterError(
                f"no dask scheduler answers at '{address}' ({reason}): start one with dask scheduler"
            ) from None
        self._executor: Executor = self.client.get_executor(pure=False, retries=RETRIES)

    @property
    def count(self) -> int:
        """The current threads of all workers, at least 1: without a worker, one task waits for the first."""
        try:
            threads: dict[str, int] = self.client.nthreads()
        except self._silence as error:
            reason = str(error).split("\n")[0] or type(error).__name__
            raise ClusterError(f"the dask scheduler is lost ({reason}): resume the study when it is back") from None
        count = sum(threads.values())
        if count != self._known:
            there = f"{count} dask worker{'s' if count > 1 else ''}"
            self._tell(there if count else "no dask worker is there: waiting for one")
            self._known = count
        return max(1, count)

    def submit(self, task: Task) -> Future[Played]:
        """Submit a task to any worker; dask retries it elsewhere if that worker dies."""
        return self._executor.submit(play, task)

    def close(self) -> None:
        """Disconnect from the scheduler; end the cluster if it is local."""
        for part in (self.client, self._cluster):
            if part is not None:
                with suppress(*self._silence):  # a slow end loses nothing: all finished games are committed
                    part.close(timeout=CLOSE_SECONDS)
        CLIENT_LOG.setLevel(self._log_level)
