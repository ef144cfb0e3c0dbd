"""A page's side of the protocol of `foogo web`, for tests: a server as a process, and a connection to it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 300.0
"""Seconds until a reply: on a busy machine, the first search of a board size compiles for minutes."""


@contextmanager
def running_server(*options: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """`foogo web` as a process: its address and the process."""
    command = [sys.executable, "-W", "error", "-m", "foogo", "web", "--no-browser", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        if found is None:
            raise AssertionError(f"foogo web did not start: {process.stderr.read() if process.stderr else ''}")
        yield found[0], process
    finally:
        process.terminate()
        process.communicate(timeout=120)


class Client:
    """A connection to the server at `address`; use it as a context manager."""

    def __init__(self, address: str, **options: Any) -> None:
        self.address = address.replace("http", "ws").replace("/?", "/socket?")
        self._closing = ExitStack()
        opening = connect(self.address, max_size=None, proxy=None, close_timeout=1, **options)
        self.connection: ClientConnection = self._closing.enter_context(opening)
        self._numbers = count(1)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave."""
        self._closing.close()

    def send(self, type: str, **fields: Any) -> int:
        """Send a request; returns its number."""
        number = next(self._numbers)
        self.connection.send(json.dumps({"id": number, "type": type, **fields}))
        return number

    def receive(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next reply."""
        reply = json.loads(self.connection.recv(timeout=seconds))
        assert isinstance(reply, dict)
        return reply

    def replies(self, number: int, seconds: float = PATIENCE) -> Iterator[dict[str, Any]]:
        """The replies to a request, up to the last."""
        while True:
            reply = self.receive(seconds)
            if reply["id"] == number:
                yield reply
                if reply["type"] != "update":
                    return

    def ask(self, type: str, **fields: Any) -> dict[str, Any]:
        """The last reply to a request."""
        return list(self.replies(self.send(type, **fields)))[-1]


def game(size: int = 5, moves: str = "", **fields: Any) -> dict[str, Any]:
    """A game of a message; `moves` are vertices, Black's first."""
    turns = [["BW"[number % 2], vertex] for number, vertex in enumerate(moves.split())]
    return {"size": size, "moves": turns, **fields}
