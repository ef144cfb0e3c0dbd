"""`Threads`: a group of worker threads, started, joined and stopped together."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence

LONGEST_WAIT = 0.1 if os.name == "nt" else threading.TIMEOUT_MAX
"""Seconds. Windows delivers Ctrl-C only when a wait has ended."""


class Threads:
    """One worker thread per job; `failures` has the exceptions that jobs raised.

    `stop` makes the jobs return soon. `finish` calls it, and so does a thread whose job raises.
    """

    def __init__(self, jobs: Sequence[Callable[[], object]], stop: Callable[[], None]) -> None:
        self.failures: list[BaseException] = []
        self.ended = 0.0
        """When the last job ended, by `perf_counter`; 0 before."""
        self._threads = [threading.Thread(target=self._work, args=(job,), daemon=True) for job in jobs]
        self._stop, self._left, self._done = stop, list(jobs), threading.Event()

    def start(self) -> None:
        """Start the threads."""
        for thread in self._threads:
            thread.start()

    def wait(self, deadline: float) -> bool:
        """Wait until a time of `perf_counter`, which may be infinite; returns whether any thread is still running."""
        while (left := deadline - time.perf_counter()) > 0:
            if self._done.wait(min(left, LONGEST_WAIT)):
                return False
        return not self._done.is_set()

    def finish(self) -> bool:
        """Stop the threads that were started and join them; returns whether Ctrl-C was pressed in the meantime."""
        self._stop()
        interrupted = False
        for thread in self._threads:
            while thread.is_alive():
                try:
                    thread.join()
                except KeyboardInterrupt:
                    interrupted = True
        return interrupted

    def _work(self, job: Callable[[], object]) -> None:
        try:
            job()
        except BaseException as failure:
            self.failures.append(failure)
            self._stop()
        finally:
            self._left.pop()
            if not self._left:
                self.ended = time.perf_counter()
                self._done.set()
