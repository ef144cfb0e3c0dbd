"""Both ends of the connection: a thread that reads lines, and the only place that writes answers."""

from __future__ import annotations

import os
import select
import threading
from collections import deque
from typing import NamedTuple

from foogo.errors import reader_is_gone
from foogo.gtp.protocol import LONGEST, is_interrupt

CHUNK = 1 << 16

LONGEST_WAIT = 0.1 if os.name == "nt" else None  # seconds; Windows delivers Ctrl-C only when a wait has ended

MOST_WAITING = 10_000  # lines read ahead; the reading thread pauses when the buffer is full


def _wait_for(descriptor: int, event: int) -> None:
    """Wait until a descriptor is ready; another process that shares it has made it non-blocking."""
    poll = select.poll()
    poll.register(descriptor, event)
    poll.poll()


class Line(NamedTuple):
    """A line of input, with its number from 1. Empty lines count; data is cut at `LONGEST` + 1 bytes."""

    number: int
    data: bytes


class Lines:
    """Lines of a file descriptor, read by a thread so that a running command can see that input has arrived."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._waiting: deque[Line] = deque()
        self._changed = threading.Condition()
        self._arrived = 0
        self._interrupted = 0
        self._ended = False
        threading.Thread(target=self._read, name="foogo-gtp-input", daemon=True).start()

    def next(self) -> Line | None:
        """Wait for the next line and return it; None at the end of the input."""
        with self._changed:
            while not self._changed.wait_for(lambda: bool(self._waiting) or self._ended, LONGEST_WAIT):
                pass
            if not self._waiting:
                return None
            line = self._waiting.popleft()
            self._changed.notify_all()
            return line

    def is_overtaken(self, line: Line) -> bool:
        """Whether another line, even an empty one, or the end of the input came after `line`."""
        return self._arrived > line.number or self._ended

    def is_interrupted(self, line: Line) -> bool:
        """Whether ``# interrupt`` came after `line`."""
        return self._interrupted > line.number

    def _read(self) -> None:
        pending = bytearray()
        while True:
            try:
                chunk = os.read(self._descriptor, CHUNK)
            except BlockingIOError:
                _wait_for(self._descriptor, select.POLLIN)
                continue
            except OSError:
                chunk = b""
            if not chunk:
                break
            *lines, rest = chunk.split(b"\n")
            for line in lines:
                self._put(bytes(pending + line)[: LONGEST + 1] if pending else line)
                pending.clear()
            if len(pending) <= LONGEST:
                pending += rest
        if pending:
            self._put(bytes(pending[: LONGEST + 1]))
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def _put(self, data: bytes) -> None:
        with self._changed:
            self._arrived += 1
            if data.lstrip()[:1] == b"#" and is_interrupt(data):
                self._interrupted = self._arrived
            while len(self._waiting) >= MOST_WAITING:
                self._changed.wait()
            self._waiting.append(Line(self._arrived, data))
            self._changed.notify_all()


class Output:
    """Unbuffered, complete writes to a file descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, data: bytes) -> None:
        """Write all of `data`; raises BrokenPipeError if the other end is closed."""
        left = memoryview(data)
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                _wait_for(self._descriptor, select.POLLOUT)
            except OSError as error:
                if reader_is_gone(error):
                    raise BrokenPipeError from None
                raise
