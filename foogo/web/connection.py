"""Connections of `foogo web`: how many there may be, and faulty requests, which websockets would not answer."""

from __future__ import annotations

import asyncio
import re
from contextlib import suppress
from http import HTTPStatus
from typing import ClassVar

from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

MOST_CONNECTIONS = 64
"""The most open connections, with those of files that a browser loads; fewer if the process may open few files."""

REFUSED_SECONDS = 1.0
"""How long a connection beyond `MOST_CONNECTIONS` stays open, for its client to read the answer."""

LINE_LIMIT = 8192
"""Request lines of this many bytes or more are refused."""

REQUEST_LINE = re.compile(rb"([A-Z]+) [!-~]+ HTTP/1\.1\r")

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws://127.0.0.1:* ws://localhost:*; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class PageConnection(ServerConnection):
    """A connection of a page. Its request line is checked before websockets reads it."""

    open_now: ClassVar[int] = 0
    fault: Response | None = None
    """The answer to a request that websockets would not answer."""
    is_head = False
    _begun = b""
    _is_checked = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """As in the base class; with too many connections, it is refused and closed."""
        if PageConnection.open_now >= _most_connections():
            assert isinstance(transport, asyncio.WriteTransport)
            transport.set_protocol(asyncio.Protocol())  # no more callbacks of this object
            transport.write(refusal(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections: close a page").serialize())
            transport.write_eof()  # not close: while a request is unread, that may discard the answer
            asyncio.get_running_loop().call_later(REFUSED_SECONDS, transport.abort)
            return
        PageConnection.open_now += 1
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """As in the base class."""
        PageConnection.open_now -= 1
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """As in the base class, but websockets sees GET in place of HEAD, and a plain GET for what is refused."""
        if self.fault is not None:
            return  # the rest of a refused request
        if not self._is_checked:
            self._begun += data
            line, end, _ = self._begun.partition(b"\n")
            if not end and len(line) < LINE_LIMIT:
                return
            self._is_checked, data = True, self._begun
            self.fault = _fault_of(line)
            self.is_head = line.startswith(b"HEAD ")
            if self.fault is not None:
                data = b"GET / HTTP/1.1\r\n\r\n"
            elif self.is_head:
                data = data.replace(b"HEAD", b"GET", 1)
        super().data_received(data)


def respond(connection: ServerConnection, request: Request, response: Response) -> Response:
    """The response to send instead of `response`: the refusal of a faulty request, and no body for HEAD."""
    assert isinstance(connection, PageConnection)
    if connection.fault is not None:
        return connection.fault
    if connection.is_head:
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            response = refusal(HTTPStatus.METHOD_NOT_ALLOWED, "a WebSocket is opened by GET")
        response.body = b""
    return response


def refusal(status: HTTPStatus, reason: str) -> Response:
    """A response with one line of text."""
    refused = answer(status, "text/plain", f"foogo: {reason}\n".encode())
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        refused.headers["Allow"] = "GET, HEAD"
    return refused


def answer(status: HTTPStatus, kind: str, body: bytes) -> Response:
    """A response with a body of that type."""
    headers = Headers(HEADERS | {"Content-Type": f"{kind}; charset=utf-8", "Content-Length": str(len(body))})
    headers["Connection"] = "close"
    return Response(status.value, status.phrase, headers, body)


def _fault_of(line: bytes) -> Response | None:
    """The refusal of a request line; None if it is right."""
    if len(line) >= LINE_LIMIT:
        return refusal(HTTPStatus.REQUEST_URI_TOO_LONG, "the address is too long")
    found = REQUEST_LINE.fullmatch(line)
    if found is None:
        return refusal(HTTPStatus.BAD_REQUEST, "this is not an HTTP/1.1 request for an address in ASCII")
    if found[1] not in (b"GET", b"HEAD"):
        return refusal(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are possible")
    return None


def _most_connections() -> int:
    """`MOST_CONNECTIONS`, or a quarter of the files that this process may open."""
    with suppress(ImportError):  # on Windows
        from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit

        files, _ = getrlimit(RLIMIT_NOFILE)
        if files != RLIM_INFINITY:
            return min(MOST_CONNECTIONS, files // 4)
    return MOST_CONNECTIONS
