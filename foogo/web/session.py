"""The conversation with one page: replies at once, or jobs, which stop when the page disconnects."""

from __future__ import annotations

import asyncio
import json
import traceback
from contextlib import suppress
from functools import partial
from typing import Any

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed
from websockets.protocol import State

from foogo import __version__
from foogo.errors import FoogoError
from foogo.game.geometry import MAX_SIZE, MIN_SIZE
from foogo.game.rules import PRESETS
from foogo.playout.policies import POLICIES
from foogo.web import games
from foogo.web.protocol import JOBS, ProtocolError, Request, parse
from foogo.web.workers import Settings, Worker, WorkerPool

MOST_JOBS = 8
"""The most unfinished jobs of a page."""


class Session:
    """A connected page and its jobs."""

    def __init__(self, connection: ServerConnection, pool: WorkerPool, settings: Settings) -> None:
        self._connection, self._pool, self._settings = connection, pool, settings
        self._jobs: dict[int, asyncio.Task[None]] = {}
        self._workers: dict[int, Worker] = {}
        self._paused: set[int] = set()  # jobs to pause as they begin
        self._sending: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Answer messages until the page disconnects, then stop its jobs."""
        try:
            with suppress(ConnectionClosed):
                async for message in self._connection:
                    await self._send(self._answer(message))
        finally:
            for task in self._jobs.values():
                task.cancel()

    async def _send(self, reply: dict[str, Any] | None) -> None:
        if reply is not None:
            with suppress(ConnectionClosed):
                await self._connection.send(json.dumps(reply, allow_nan=False))

    def _answer(self, message: str | bytes) -> dict[str, Any] | None:
        """The reply to a message; None if a job will reply."""
        number: int | None = None
        try:
            request = parse(message)
            number = request.id
            if request.type in JOBS:
                self._start(request)
                return None
            return {"id": number, "type": "result", **self._at_once(request)}
        except ProtocolError as error:
            return {"id": number if error.id is None else error.id, "type": "error", "message": str(error)}
        except FoogoError as error:
            return {"id": number, "type": "error", "message": str(error)}
        except Exception:
            return _internal_error(number)

    def _at_once(self, request: Request) -> dict[str, Any]:
        fields = request.fields
        if request.type == "position":
            return games.position(fields["game"])
        if request.type == "handicap":
            return {"vertices": games.handicap(fields["size"], fields["stones"])}
        if request.type == "score":
            return games.score(fields["game"], fields["dead"])
        if request.type == "hello":
            return {
                "foogo": __version__,
                "size": self._settings.size,
                "sizes": [MIN_SIZE, MAX_SIZE],
                "rules": list(PRESETS),
                "policies": [*POLICIES, *self._settings.policies],
                "stores": len(self._settings.stores),
            }
        self._control(fields["job"], request.type)
        return {}

    def _control(self, job: int, kind: str) -> None:
        """Stop, pause or resume a job."""
        if job not in self._jobs:
            raise ProtocolError(f"there is no job {job}: it has ended, or was never started")
        if job in self._workers:
            self._workers[job].control(kind)
        elif kind == "stop":
            self._jobs[job].cancel()
        elif kind == "pause":
            self._paused.add(job)
        else:
            self._paused.discard(job)

    def _start(self, request: Request) -> None:
        if request.id in self._jobs:
            raise ProtocolError(f"job {request.id} has not ended: give a new id")
        if len(self._jobs) >= MOST_JOBS:
            raise ProtocolError(f"this page has {MOST_JOBS} jobs: stop one, or wait")
        task = asyncio.ensure_future(self._run(request))
        self._jobs[request.id] = task
        task.add_done_callback(partial(self._ended, request.id))

    def _ended(self, number: int, task: asyncio.Task[None]) -> None:
        del self._jobs[number]
        self._paused.discard(number)
        if task.cancelled() and self._connection.state is State.OPEN:
            reply = {"id": number, "type": "error", "message": "stopped before it began"}
            sending = asyncio.ensure_future(self._send(reply))
            self._sending.add(sending)
            sending.add_done_callback(self._sending.discard)

    async def _run(self, request: Request) -> None:
        """Forward the replies of a worker. The worker waits if the page does not read them."""
        try:
            with suppress(ConnectionClosed):
                async with self._pool.lend() as worker:
                    self._workers[request.id] = worker
                    async for reply in worker.answers(request, paused=request.id in self._paused):
                        await self._connection.send(reply)
        except FoogoError as error:
            await self._send({"id": request.id, "type": "error", "message": str(error)})
        except Exception:
            await self._send(_internal_error(request.id))
        finally:
            self._workers.pop(request.id, None)


def _internal_error(number: int | None) -> dict[str, Any]:
    """The reply to a request during whose work an unexpected error was raised; the terminal shows its traceback."""
    traceback.print_exc()
    return {"id": number, "type": "error", "message": "internal error: the terminal of foogo web has the details"}
