"""The server: the page's files over HTTP, its messages over a WebSocket, for this machine's user alone.

It listens on the loopback address. The page and the WebSocket need the token of the address that `foogo web` prints. A
Host header with another name is refused, so that no other site's name can lead here (DNS rebinding), and so is a
WebSocket from another origin. The files are read when the server starts: no request names a path.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import math
import os
import secrets
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from importlib.resources import files
from typing import Any
from urllib.parse import parse_qs, urlsplit

from websockets.asyncio.server import ServerConnection, serve
from websockets.http11 import Request, Response

from foogo.errors import ArgumentError
from foogo.web import PORT
from foogo.web.connection import PageConnection, answer, refusal, respond
from foogo.web.games import position
from foogo.web.protocol import GAME
from foogo.web.session import Session
from foogo.web.workers import Settings, WorkerPool

HOST = "127.0.0.1"
PORTS_TRIED = 50
"""How many ports are tried, from the requested port up."""

MOST_PAGES = 16
"""The most pages connected at a time."""

MOST_BYTES_READ = 1 << 24
"""A larger message ends its connection; one above `foogo.web.protocol.MOST_CHARACTERS` is answered with an error."""

SOCKET = "/socket"

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}

ACCEPT_SILENCE = 60.0
"""Seconds after the report of a connection that could not be accepted in which no further one is reported."""


class Server:
    """Serves pages on a port of the loopback address, from `start` to `close`.

    Parameters
    ----------
    settings
        For its workers.
    port
        The port; if it is taken, the next free port; if 0, any free port.
    """

    def __init__(self, settings: Settings, port: int = PORT) -> None:
        self._settings = settings
        self._socket = _bind(port)
        self.port = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
        self.pool = WorkerPool(settings)
        self._names = {f"{name}:{self.port}" for name in (HOST, "localhost")}
        if self.port == 80:  # browsers leave it out
            self._names |= {HOST, "localhost"}
        self._files = _page_files()
        self._pages = 0

    @property
    def address(self) -> str:
        """The address of the page, with the token."""
        return f"http://{HOST}:{self.port}/?token={self.token}"

    async def start(self) -> None:
        """Start to listen, and start workers."""
        asyncio.get_running_loop().set_exception_handler(_AcceptReports())
        await self.pool.warm()
        position(GAME("game", {"size": self._settings.size}))  # loads the kernels of the board
        self._server = await serve(
            self._converse, sock=self._socket, process_request=self._check, process_response=respond,
            create_connection=PageConnection, max_size=MOST_BYTES_READ, compression=None,
        )  # fmt: skip

    async def close(self) -> None:
        """Close every connection and end the workers."""
        self._server.close()
        await self._server.wait_closed()
        await self.pool.close()

    async def _converse(self, connection: ServerConnection) -> None:
        self._pages += 1
        try:
            await Session(connection, self.pool, self._settings).run()
        finally:
            self._pages -= 1

    def _check(self, connection: ServerConnection, request: Request) -> Response | None:
        """The answer to an HTTP request; None for a WebSocket that may connect."""
        hosts = request.headers.get_all("Host")
        if len(hosts) != 1 or hosts[0].lower() not in self._names:
            return refusal(HTTPStatus.FORBIDDEN, "wrong host: use the address that foogo web prints")
        try:
            address = urlsplit(request.path)
        except ValueError:
            return refusal(HTTPStatus.BAD_REQUEST, "this is not an address")
        if address.path in self._files and address.path != "/":
            return answer(HTTPStatus.OK, *self._files[address.path])
        if address.path not in ("/", SOCKET):
            return refusal(HTTPStatus.NOT_FOUND, "there is no such page")
        tokens = parse_qs(address.query).get("token", [""])
        if len(tokens) != 1 or not hmac.compare_digest(tokens[0].encode(), self.token.encode()):
            return refusal(HTTPStatus.FORBIDDEN, "wrong token: use the address that foogo web prints")
        if address.path == "/":
            return answer(HTTPStatus.OK, *self._files["/"])
        origins = request.headers.get_all("Origin")
        if origins and not (len(origins) == 1 and origins[0] in {f"http://{name}" for name in self._names}):
            return refusal(HTTPStatus.FORBIDDEN, "wrong origin: only foogo's own page may connect")
        if "websocket" not in request.headers.get("Upgrade", "").lower():
            return refusal(HTTPStatus.UPGRADE_REQUIRED, "this address is a WebSocket")
        if self._pages >= MOST_PAGES:
            return refusal(HTTPStatus.SERVICE_UNAVAILABLE, f"{MOST_PAGES} pages are open: close one")
        return None


async def run(server: Server, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or a signal to terminate; `ready` is called once pages can connect."""
    ended = asyncio.Event()
    with suppress(NotImplementedError):  # on Windows, Ctrl-C cancels this coroutine instead
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await server.start()
    try:
        ready()
        await ended.wait()
    finally:
        await server.close()


class _AcceptReports:
    """An exception handler of asyncio: a connection that cannot be accepted is reported in one line a minute."""

    def __init__(self) -> None:
        self._last = -math.inf

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Report one failure."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and "socket" in context):
            loop.default_exception_handler(context)
        elif loop.time() >= self._last + ACCEPT_SILENCE:
            self._last = loop.time()
            print(f"foogo: a connection cannot be accepted: {error.strerror or error}", file=sys.stderr, flush=True)


def _bind(port: int) -> socket.socket:
    """A socket that listens on the port or on the next free one; an ArgumentError if none is free."""
    for number in range(port, min(port + PORTS_TRIED, 65536)) if port else (0,):
        listener = socket.socket()
        if os.name == "posix":  # elsewhere it would share a port that is taken
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, number))
            listener.listen()
            return listener
        except OSError as error:
            listener.close()
            if error.errno == errno.EACCES and os.name == "posix":  # elsewhere it may mean that the port is taken
                raise ArgumentError(
                    f"no permission to listen on port {number}: choose a --port of 1024 or above"
                ) from None
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise ArgumentError(f"cannot listen on {HOST}:{number}: {error.strerror}") from None
    raise ArgumentError(f"no port from {port} to {port + PORTS_TRIED - 1} is free: choose another --port")


def _page_files() -> dict[str, tuple[str, bytes]]:
    """The type and content of each file of the page, by path."""
    found = {}
    for file in files("foogo.web").joinpath("static").iterdir():
        kind = TYPES.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            path = "/" if file.name == "index.html" else f"/{file.name}"
            found[path] = kind, file.read_bytes()
    return found
