"""A GTP engine as a child process: sends commands, waits for answers with a timeout, and keeps a transcript.

Each process has a thread that reads its stdout and one that reads its stderr.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import selectors
import shlex
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Sequence
from typing import IO, NamedTuple

from foogo.errors import ArgumentError, FoogoError, MatchError
from foogo.gtp.protocol import ENCODING, ERRORS

KEPT_LINES = 20_000  # number of lines that a transcript keeps, the last ones
LONGEST_ANSWER = 1 << 20  # bytes on stdout after a command; more are not GTP
WAITING_LINES = 10_000  # unread lines that are buffered
LAST_WORDS = 2.0  # seconds that an engine has to exit after `quit`, and again after each signal
POLL_SECONDS = 0.1  # seconds between checks whether a process has exited or was closed


class EngineFailure(FoogoError):
    """An engine violated GTP, exited, or refused a command.

    `kind` is "crash": the process ended; "timeout": no answer in time; "garbage": the answer was not GTP; "refused":
    the answer was an error.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)  # both, so that it can be pickled
        self.kind = kind

    def __str__(self) -> str:
        return str(self.args[1])


class Answer(NamedTuple):
    """An engine's answer, and the seconds from the command to its end."""

    text: str
    seconds: float


class Transcript:
    """The communication with the engines of a game: the last `KEPT_LINES` lines, with seconds since the start."""

    def __init__(self) -> None:
        self._began = time.monotonic()
        self._lines: deque[str] = deque(maxlen=KEPT_LINES)

    def add(self, text: str) -> None:
        """Append a line."""
        self._lines.append(f"{time.monotonic() - self._began:9.3f} {text}")

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in self._lines.copy())


class EngineProcess:
    """A running GTP engine, labelled for messages and transcripts; raises MatchError if the program does not start."""

    def __init__(self, label: str, command: Sequence[str]) -> None:
        self.label, self.command = label, tuple(command)
        self.transcript = Transcript()
        self._commands: frozenset[str] | None = None
        self._lines: queue.Queue[tuple[float, bytes | None]] = queue.Queue(WAITING_LINES)
        self._closed, self._closing = threading.Event(), threading.Lock()
        self._asking = threading.Lock()
        """Held from a command to the end of its answer, so that threads do not take each other's answers."""
        if not hasattr(os, "killpg"):
            raise MatchError(f"engine {label} cannot be driven on Windows: run foogo on Linux, macOS or WSL")
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl-C reaches only foogo, and child processes can be stopped together
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise MatchError(f"engine {label} does not start: {self.command[0]!r}: {reason}") from None
        assert isinstance(self._process.stdin, io.BufferedWriter)
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self.pid = self._process.pid
        self._input = self._process.stdin.raw  # without a buffer, and non-blocking: an engine may never read
        os.set_blocking(self._input.fileno(), False)
        self._readers = [
            threading.Thread(target=self._read_answers, args=(self._process.stdout,), daemon=True),
            threading.Thread(target=self._read_errors, args=(self._process.stderr,), daemon=True),
        ]
        for reader in self._readers:
            reader.start()

    def __repr__(self) -> str:
        state = "running" if self.is_open else "closed"
        return f"<{type(self).__name__} {self.label!r}, {shlex.join(self.command)}, {state}>"

    @property
    def is_open(self) -> bool:
        """Whether the engine can answer commands."""
        return not self._closed.is_set() and self._process.poll() is None

    def ask(self, command: str, timeout: float) -> Answer:
        """The answer to one line of GTP, which may take `timeout` seconds.

        Threads may ask at once: a command is sent when the one before it is answered. Raises EngineFailure if there is
        no valid answer in time. The engine is then closed, unless it refused the command. Ctrl-C closes it too. Raises
        ArgumentError if it is not a text, or has no command or line breaks: no engine answers it once.
        """
        if not isinstance(command, str):
            raise ArgumentError(f"the command {command!r} is not a text")
        if "\n" in command or "\r" in command:
            raise ArgumentError(f"the command {command!r} has several lines: send one at a time")
        if not command.partition("#")[0].strip():
            raise ArgumentError(f"the line {command!r} has no command, so no engine answers it: give a command")
        with self._asking:
            try:
                return self._ask(command, timeout)
            except EngineFailure as failure:
                self.transcript.add(f"{self.label}: {failure.kind}: {failure}")
                if failure.kind != "refused":
                    self.close()
                raise
            except BaseException:  # Ctrl-C: the next command would get this one's answer
                self.close()
                raise

    def knows(self, command: str, timeout: float) -> bool:
        """Whether the engine lists a command; the list is requested once."""
        if self._commands is None:
            self._commands = frozenset(self.ask("list_commands", timeout).text.split())
        return command in self._commands

    def close(self, polite: bool = False) -> None:
        """Stop the process and its child processes; `polite` sends `quit` first."""
        with self._closing:
            if self._closed.is_set():
                return
            self._closed.set()
        if polite:
            with contextlib.suppress(OSError, ValueError):
                self._input.write(b"quit\n")
            self._wait()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
            if self._wait() and number == signal.SIGKILL:
                break
        for reader in self._readers:
            reader.join(LAST_WORDS)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            with contextlib.suppress(OSError):
                assert stream is not None
                stream.close()

    def _wait(self) -> bool:
        try:
            self._process.wait(LAST_WORDS)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _ask(self, command: str, timeout: float) -> Answer:
        self.transcript.add(f"{self.label}> {command}")
        if self._closed.is_set():
            raise EngineFailure("crash", "the engine has already ended")
        asked = time.monotonic()
        with contextlib.suppress(OSError, ValueError):  # its last output says more than a broken pipe
            self._write(command.encode(ENCODING, ERRORS) + b"\n", asked + timeout)
        lines: list[str] = []
        received = 0
        while True:
            arrived, raw = self._next_line(asked, timeout, command)
            received += len(raw) + 1
            if received > LONGEST_ANSWER:
                raise EngineFailure("garbage", f"its answer to {command!r} has more than 1 MiB")
            line = raw.decode("utf-8", "replace").rstrip("\r")
            if line or lines:
                self.transcript.add(f"{self.label}< {line}")
            if lines and not line:
                break
            if not lines and line and line[0] not in "=?":
                raise EngineFailure("garbage", f"it answered {command!r} with {line[:100]!r}, which is not GTP")
            if line:
                lines.append(line)
        text = _without_id("\n".join(lines))
        if lines[0][0] == "?":
            raise EngineFailure("refused", f"it refused {command!r}: {text[:200]}")
        return Answer(text, arrived - asked)

    def _write(self, data: bytes, deadline: float) -> None:
        """Write to stdin, until all is written or the deadline has passed."""
        with selectors.DefaultSelector() as selector:
            selector.register(self._input, selectors.EVENT_WRITE)
            while data and time.monotonic() < deadline and self.is_open:
                if selector.select(POLL_SECONDS):
                    data = data[self._input.write(data) or 0 :]

    def _next_line(self, asked: float, timeout: float, command: str) -> tuple[float, bytes]:
        """Wait for the next line of stdout; returns its arrival time and the line."""
        deadline, missed = asked + timeout, None
        while True:
            left = deadline - time.monotonic()
            with contextlib.suppress(queue.Empty):
                arrived, line = self._lines.get(timeout=max(0.0, min(left, POLL_SECONDS)))
                if line is None:
                    raise self._crash()
                if arrived <= deadline:
                    return arrived, line
            if self._process.poll() is not None:  # its child processes may keep its stdout open
                missed = missed or time.monotonic()
                if time.monotonic() - missed > LAST_WORDS / 2:
                    raise self._crash()
            if left <= 0:
                raise EngineFailure("timeout", f"no answer to {command!r} within {timeout:.2f} s")

    def _crash(self) -> EngineFailure:
        self._wait()
        code = self._process.poll()
        self._readers[1].join(LAST_WORDS / 4)
        how = "closed its output" if code is None else f"ended with exit code {code}"
        if code is not None and code < 0:
            how = f"was killed by signal {-code}"
        return EngineFailure("crash", f"the engine {how}")

    def _read_answers(self, stream: IO[bytes]) -> None:
        """Queue the lines of stdout with their arrival times, and None at the end."""
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(LONGEST_ANSWER + 1):
                self._enqueue(line.removesuffix(b"\n"))
        self._enqueue(None)

    def _enqueue(self, line: bytes | None) -> None:
        arrived = time.monotonic()
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put((arrived, line), timeout=POLL_SECONDS)
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(LONGEST_ANSWER):
                self.transcript.add(f"{self.label}! {line.decode('utf-8', 'replace').rstrip()}")


def _without_id(text: str) -> str:
    """An answer without its sign and the command's number."""
    return text[1:].lstrip("0123456789").strip()
