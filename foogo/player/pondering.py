"""Searching in the background while the opponent thinks."""

from __future__ import annotations

import threading

from foogo.search.search import Search


class Pondering:
    """At most one search in a background thread, started and stopped by the player."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._stopped = threading.Event()

    def __reduce__(self) -> tuple[type[Pondering], tuple[()]]:
        """A copy searches nothing."""
        return Pondering, ()

    @property
    def is_running(self) -> bool:
        """Whether a search was started and not yet stopped."""
        return self._thread is not None

    def start(self, search: Search) -> None:
        """Run `search` until `stop`. Nothing may be running."""
        stopped = self._stopped = threading.Event()
        self._thread = threading.Thread(target=lambda: search.run(until=lambda _: stopped.is_set()), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Stop the search, if one is running, and wait for it; its tree keeps what it found."""
        if self._thread is not None:
            self._stopped.set()
            self._thread.join()
            self._thread = None
