"""Threads that search one question together, each with its own way through the positions and all with one table."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from foogo.solver.kernels import entries as entries
from foogo.solver.kernels import forcing as kernels
from foogo.solver.kernels.board import MAX_STRINGS, Shape
from foogo.solver.kernels.features import FEATURES
from foogo.solver.kernels.table import OFFSET, new_table
from foogo.solver.kernels.tuples import Tuples, teach


class Worker:
    """The memory of one thread: the rows of its search, its counts, and scratch."""

    def __init__(self, thread: int, features: int) -> None:
        self.frames = np.zeros((kernels.MAX_PLIES, kernels.FRAME_WORDS), dtype=np.int64)
        self.children = np.zeros((kernels.MAX_PLIES, kernels.MAX_CHILDREN, kernels.CHILD_WORDS), dtype=np.int64)
        self.control = np.zeros(kernels.CONTROL_WORDS, dtype=np.int64)
        self.control[kernels.FEATURES], self.control[kernels.THREAD] = features, thread
        self.regions = np.zeros((2, MAX_STRINGS), dtype=np.int64)
        self.found = np.zeros(FEATURES)


class Crew:
    """The workers of a solver, and its table.

    Parameters
    ----------
    shape, tables
        The board, and the tables of its symmetries.
    table_mb
        Memory of the table, MiB, rounded down to a power of two.
    threads
        How many workers there are. One alone takes the same nodes every time.
    features
        What is switched on.
    """

    def __init__(self, shape: Shape, tables: np.ndarray, table_mb: int, threads: int, features: int) -> None:
        self.shape, self.tables = shape, tables
        self.table = new_table(table_mb)
        ways = np.full((threads, kernels.WAY), -1, dtype=np.int64)
        over, doubts = np.zeros(1, dtype=np.int64), np.zeros(entries.QUESTIONS, dtype=np.int64)
        self.shared = kernels.Shared(self.table, entries.new_locks(), ways, over, doubts)
        self.workers = [Worker(thread, features) for thread in range(threads)]
        self.first = self.workers[0]
        """The worker that had the last answer."""
        self.freed = 0
        """Entries of the table that were given back."""
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @property
    def nodes(self) -> int:
        """Nodes of all workers so far."""
        return sum(int(worker.control[kernels.NODES]) for worker in self.workers)

    @property
    def deepest(self) -> int:
        """The deepest ply of all."""
        return max(int(worker.control[kernels.DEEPEST]) for worker in self.workers)

    @property
    def load(self) -> float:
        """The part of the table that is in use."""
        used = sum(int(worker.control[kernels.USED]) for worker in self.workers)
        return (used - self.freed) / len(self.table)

    def start(self, root: np.ndarray) -> None:
        """Make the next `search` begin at that frame."""
        self.shared.over[0] = 0
        self.shared.ways[:] = -1
        for worker in self.workers:
            worker.frames[0] = root
            worker.control[kernels.PLY] = 0

    def search(self, tuples: Tuples, asked: int, budget: int) -> bool:
        """Go on for about `budget` nodes of all together; whether one of them has the answer."""

        def go_on(worker: Worker) -> bool:
            return bool(
                kernels.search(
                    self.shape, self.tables, self.shared, worker.frames, worker.children, worker.control,
                    worker.regions, worker.found, *tuples[:3], asked, -(-budget // len(self.workers)),
                )
            )  # fmt: skip

        done = self._together(go_on)
        answered = [worker for worker, has_answer in zip(self.workers, done, strict=True) if has_answer]
        if answered:  # a proof needs no other, so it goes before a refutation
            self.first = min(answered, key=lambda worker: int(worker.control[kernels.ROOT_PROOF]))
        return bool(answered)

    def answer(self, asked: int) -> bool:
        """The answer that one has; the others leave what they were searching."""
        for worker in self.workers:
            kernels.leave(self.shared, worker.frames, worker.control, asked)
        return bool(self.first.control[kernels.ROOT_PROOF] == 0)

    def is_doubtful(self, asked: int) -> bool:
        """Whether refutations of that question in the table may be wrong."""
        return bool(self.shared.doubts[asked + OFFSET])

    def doubt(self, asked: int, doubtful: bool) -> None:
        """Note that they may, or no longer may."""
        self.shared.doubts[asked + OFFSET] = doubtful

    def teach(self, tuples: Tuples, roots: np.ndarray, asked: int, games: int, seed: int, first_game: int) -> None:
        """That many games from `roots`, shared out among the workers; their weights are the same."""
        threads = len(self.workers)

        def play(worker: Worker) -> None:
            number = int(worker.control[kernels.THREAD])
            begin, end = games * number // threads, games * (number + 1) // threads
            teach(self.shape, *tuples, worker.regions, roots, asked, end - begin, seed, first_game + begin)

        self._together(play)

    def _together(self, work: Callable[[Worker], Any]) -> list[Any]:
        """What `work` returns for each worker; after a Ctrl-C too all of them have ended."""
        if self._pool is None:
            return [work(self.first)]
        jobs: list[Future[Any]] = []
        try:
            jobs += (self._pool.submit(work, worker) for worker in self.workers)
            return [job.result() for job in jobs]
        finally:
            wait(jobs)
