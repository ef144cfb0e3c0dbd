"""What users see of compilation: one line, or a bar on a terminal, and the seconds that it took."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from typing import Any, NamedTuple

from numba.core import event
from numba.core.dispatcher import Dispatcher

BAR = 12
"""The width of the bar, in characters: the longest line has 80."""


class Compilation(NamedTuple):
    """What it takes to compile a kernel and everything that it calls, if nothing is compiled yet.

    Attributes
    ----------
    name
        What is compiled, in users' words: "playouts".
    functions
        The number of functions.
    seconds
        The time on one core of a cloud server.
    """

    name: str
    functions: int
    seconds: int


class _Watch(event.Listener):  # type: ignore[misc]
    """Counts and times the compilations of this process, and shows the one that runs."""

    def __init__(self) -> None:
        self.functions = 0
        self._depth = 0
        # The start of the compilation that runs, or None, and the seconds of those before it. One tuple is replaced as
        # a whole, because other threads read the clock meanwhile.
        self._clock: tuple[float | None, float] = None, 0.0
        self._title, self._expected, self._before = "", Compilation("", 0, 0), 0
        self._said: set[str] = set()

    @property
    def seconds(self) -> float:
        """The seconds of the compilations that have ended."""
        return self._clock[1]

    def now(self) -> float:
        """`time.perf_counter` without the seconds of compilation."""
        began, seconds = self._clock
        return (time.perf_counter() if began is None else began) - seconds

    def announce(self, compilation: Compilation, where: str, note: str) -> None:
        """Show that a long compilation begins, unless it is part of another one; `note` is a line before it."""
        if self._title:
            return
        self._title, self._expected, self._before = f"compiling {compilation.name}{where}", compilation, self.functions
        self._say_once(note)
        if not _on_terminal():
            self._say_once(f"{self._title}, about {self._expected.seconds} s")

    def on_start(self, started: Any) -> None:
        if _is_ours(started):
            self._depth += 1
            if self._depth == 1:
                self._clock = time.perf_counter(), self.seconds

    def on_end(self, ended: Any) -> None:
        if not _is_ours(ended):
            return
        self._depth -= 1
        self.functions += 1
        if self._depth == 0:
            self._clock = None, time.perf_counter() - self.now()
        if self._title and _on_terminal():
            self._write(f"\r\x1b[K{self._bar()}" if self._depth else "\r\x1b[K")
        if self._depth == 0:
            self._title = ""

    def _bar(self) -> str:
        done, total = self.functions - self._before, self._expected.functions
        filled = min(BAR, BAR * done // total)
        seconds = time.perf_counter() - self.now() - self.seconds
        return f"{self._title} {'#' * filled}{'.' * (BAR - filled)} {seconds:.0f} of about {self._expected.seconds} s"

    def _say_once(self, message: str) -> None:
        if message and message not in self._said:
            self._said.add(message)
            self._write(f"foogo: {message}\n")

    @staticmethod
    def _write(text: str) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError):  # it is closed, or there is none
            sys.stderr.write(text)
            sys.stderr.flush()


def _is_ours(compilation: Any) -> bool:
    dispatcher: Dispatcher = compilation.data["dispatcher"]
    return bool(dispatcher.py_func.__module__.startswith("foogo."))


def _on_terminal() -> bool:
    """Whether stderr is a terminal, and no progress bar draws on it: rich replaces `sys.stderr` while it does."""
    stderr = sys.__stderr__
    try:
        has_bar = stderr is not None and sys.stderr is stderr and stderr.isatty()
        return has_bar and os.environ.get("TERM") != "dumb"
    except ValueError:  # it is closed
        return False


WATCH = _Watch()
"""Process-wide instance."""

event.register("numba:compile", WATCH)


def working_clock() -> float:
    """Seconds as of `time.perf_counter`, but of a clock that stops while this process compiles."""
    return WATCH.now()
