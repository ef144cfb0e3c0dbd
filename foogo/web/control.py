"""`Control`: how a page stops, pauses and resumes a job."""

from __future__ import annotations

import threading


class Control:
    """Whether the running job should continue; set by the thread that reads stdin."""

    def __init__(self) -> None:
        self._stopped = threading.Event()
        self._running = threading.Event()
        self._running.set()

    def apply(self, kind: str) -> None:
        """Carry out `stop`, `pause` or `resume`."""
        if kind == "stop":
            self._stopped.set()
        if kind == "pause" and not self.stopped:  # a stopped job ends
            self._running.clear()
        else:
            self._running.set()

    @property
    def stopped(self) -> bool:
        """Whether the job should end."""
        return self._stopped.is_set()

    @property
    def paused(self) -> bool:
        """Whether the job should wait."""
        return not self._running.is_set()

    def proceed(self) -> bool:
        """Wait while the job is paused; false once it should end."""
        self._running.wait()
        return not self.stopped
