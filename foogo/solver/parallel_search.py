"""Threads that search one question together. Each follows its own path through the positions; all share one table."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np

from foogo.arguments import enough_memory
from foogo.solver.kernels import proof_search
from foogo.solver.kernels.ntuple_network import Lesson, Network, teach
from foogo.solver.kernels.positions import Shape
from foogo.solver.kernels.proof_memory import ThreadMemory, new_shared, new_thread_memory
from foogo.solver.kernels.proof_table import new_table


class ParallelSearch:
    """The threads of a proof-number search, and their table of `table_mb` MiB, rounded down to a power of two.

    A single thread visits the same nodes every time.
    """

    def __init__(self, shape: Shape, images: np.ndarray, table_mb: int, threads: int) -> None:
        self.shape, self.images = shape, images
        with enough_memory("table_mb", table_mb):
            self.table = new_table(table_mb)
        self.shared = new_shared(self.table, threads)
        self.memories = [new_thread_memory(thread) for thread in range(threads)]
        self.answering = self.memories[0]
        """The memory of the thread that had the last answer."""
        self.freed = 0
        """Entries of the table that were freed again."""
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    @property
    def nodes(self) -> int:
        """Nodes of all threads so far."""
        return sum(int(memory.control["nodes"][0]) for memory in self.memories)

    @property
    def deepest(self) -> int:
        """The deepest ply of all threads."""
        return max(int(memory.control["deepest"][0]) for memory in self.memories)

    @property
    def load(self) -> float:
        """The share of the table that is in use."""
        used = sum(int(memory.control["used"][0]) for memory in self.memories)
        return (used - self.freed) / len(self.table.entries)

    def start(self, root: np.ndarray) -> None:
        """Make the next `search` start at this frame."""
        self.shared.over[0] = 0
        self.shared.paths[:] = -1
        for memory in self.memories:
            memory.frames[0] = root
            memory.control["ply"] = 0

    def search(self, network: Network, asked: int, budget: int) -> bool:
        """Continue for about `budget` nodes over all threads; returns whether a thread has the answer."""
        share = -(-budget // len(self.memories))

        def advance(memory: ThreadMemory) -> bool:
            return bool(proof_search.search(self.shape, self.images, self.shared, memory, network, asked, share))

        done = self._together(advance)
        answered = [memory for memory, has_answer in zip(self.memories, done, strict=True) if has_answer]
        if answered:  # a proof depends on nothing else, so it takes precedence over a refutation
            self.answering = min(answered, key=lambda memory: int(memory.control["root_proof"][0]))
        return bool(answered)

    def answer(self, asked: int) -> bool:
        """The answer that a thread has; all others stop searching."""
        for memory in self.memories:
            proof_search.leave(self.shared, memory, asked)
        return bool(self.answering.control["root_proof"][0] == 0)

    def teach(self, network: Network, roots: np.ndarray, lesson: Lesson) -> None:
        """Divide the games of a lesson among the threads; they teach the same network."""
        threads = len(self.memories)

        def play(memory: ThreadMemory) -> None:
            number = int(memory.control["thread"][0])
            begin, end = lesson.games * number // threads, lesson.games * (number + 1) // threads
            part = Lesson(lesson.asked, end - begin, lesson.seed, lesson.first_game + begin)
            teach(self.shape, network, memory.life, roots, part)

        self._together(play)

    def _together(self, work: Callable[[ThreadMemory], Any]) -> list[Any]:
        """The results of `work` for each thread. All threads have ended on return, even after Ctrl-C."""
        if self._pool is None:
            return [work(self.memories[0])]
        jobs: list[Future[Any]] = []
        try:
            jobs += (self._pool.submit(work, memory) for memory in self.memories)
            return [job.result() for job in jobs]
        finally:
            wait(jobs)
