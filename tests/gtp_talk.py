"""Talking GTP to foogo: in this process over pipes, and to a real `foogo gtp`."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import TracebackType

from foogo import BLACK, WHITE, Board
from foogo.game.geometry import geometry
from foogo.gtp.channel import Lines, Output
from foogo.gtp.command_table import COMMANDS
from foogo.gtp.dispatcher import Dispatcher, Handler
from foogo.gtp.session import Session, SessionOptions

FOOGO_GTP = [sys.executable, "-c", "from foogo.cli import main; main()", "gtp"]


class Talk:
    """An engine in this process, whose `session` can be inspected."""

    def __init__(self, options: SessionOptions | None = None, commands: Mapping[str, Handler] | None = None) -> None:
        self.session = Session(options)
        self._more = commands or {}
        source, self._to = os.pipe()
        self.answers_from, target = os.pipe()
        self._source, self._target = source, target
        self._unread = bytearray()
        dispatcher = Dispatcher(self._find, Lines(source), Output(target), self.session.checkpoint)
        self._thread = threading.Thread(target=self._run, args=(dispatcher,), daemon=True)
        self._thread.start()

    def send(self, data: bytes) -> None:
        os.write(self._to, data)

    def read_answer(self) -> str:
        """One whole answer as text, without its empty line."""
        while b"\n\n" not in self._unread:
            chunk = os.read(self.answers_from, 1 << 16)
            if not chunk:
                raise EOFError(bytes(self._unread))
            self._unread += chunk
        found, _, self._unread = self._unread.partition(b"\n\n")
        return found.decode("utf-8", "surrogateescape")

    def ask(self, command: str) -> str:
        """The answer to a command, its sign and number included."""
        self.send(command.encode("utf-8", "surrogateescape") + b"\n")
        return self.read_answer()

    def setup(self, *commands: str) -> None:
        """Commands that succeed."""
        for command in commands:
            answer = self.ask(command)
            assert answer.startswith("="), (command, answer)

    def close(self) -> None:
        if self._to >= 0:
            os.close(self._to)
            self._to = -1
            self._thread.join(60)
            self.session.end()
            os.close(self.answers_from)

    def __enter__(self) -> Talk:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _find(self, name: str) -> tuple[Handler, str] | None:
        if name in self._more:
            return self._more[name], name
        row = COMMANDS.get(name)
        return None if row is None else (partial(row.run, self.session), row.usage)

    def _run(self, dispatcher: Dispatcher) -> None:
        dispatcher.run()
        os.close(self._target)


class Process:
    """A real `foogo gtp`."""

    def __init__(self, *options: str, cwd: Path | None = None, environment: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*FOOGO_GTP, *options],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env=os.environ | (environment or {}),
        )
        self._errors = bytearray()
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._watcher.start()
        self._unread = b""

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read_until(self, end: bytes) -> bytes:
        """Output up to and including `end`."""
        assert self.process.stdout is not None
        while end not in self._unread:
            chunk = os.read(self.process.stdout.fileno(), 1 << 16)
            if not chunk:
                raise EOFError(self._unread, bytes(self._errors))
            self._unread += chunk
        found, _, self._unread = self._unread.partition(end)
        return found + end

    def read_answer(self) -> str:
        return self.read_until(b"\n\n").decode("utf-8", "surrogateescape").removesuffix("\n\n")

    def ask(self, command: str) -> str:
        self.send(command.encode() + b"\n")
        return self.read_answer()

    def end(self) -> tuple[int, str, str]:
        """Close its input; returns exit code, remaining output and stderr."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        if not self.process.stdin.closed:
            self.process.stdin.close()
        rest = self._unread + self.process.stdout.read()
        code = self.process.wait(60)
        self._watcher.join(60)
        self.process.stdout.close()
        return code, rest.decode("utf-8", "surrogateescape"), self._errors.decode()

    def __enter__(self) -> Process:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            if not stream.closed:
                stream.close()
        self._watcher.join(60)

    def _watch(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            while chunk := os.read(stream.fileno(), 1 << 16):
                self._errors += chunk


def position(diagram: str) -> str:
    """The command that sets a drawn position up."""
    board = Board.from_diagram(diagram)
    vertex = geometry(board.size).vertex
    stones = [f"{'bw'[color - 1]} {vertex(p)}" for color in (BLACK, WHITE) for p in board.stones(color).search(1)]
    return f"set_position {' '.join(stones)}"
