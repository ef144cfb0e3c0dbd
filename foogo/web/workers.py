"""The worker processes: started ahead, lent to one job at a time, stopped when the job's page disconnects."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

from foogo.errors import FoogoError
from foogo.web.protocol import Request

MOST_WORKERS = 6
"""The most jobs that run at a time; further jobs wait."""

MOST_IDLE = 2
"""The most idle workers that are kept for the next jobs."""

STOP_SECONDS = 60.0
"""How long a stopped worker may take, for example to compile; then it is killed."""

LONGEST_LINE = 1 << 26
"""The largest reply of a worker, in bytes."""


class Settings(NamedTuple):
    """What every worker receives when it starts."""

    size: int
    """The board size that the search is compiled for ahead."""
    threads: int | None
    """Threads of a job; all cores if None."""
    stores: Sequence[str]
    """The paths of the study stores that pages may read."""
    policies: Sequence[str] = ()
    """The playout policies of users that pages may choose: ``file.py:name``."""
    book: str = "none"
    """The opening book of the player, as for `foogo.player.options.PlayerOptions`."""


class Worker:
    """A worker process and the request that it answers."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._busy = False

    @classmethod
    async def start(cls, settings: Settings) -> Worker:
        """A new worker."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "foogo.web.worker",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=LONGEST_LINE,
            start_new_session=True,  # Ctrl-C is for this process, which then ends the workers
        )  # fmt: skip
        worker = cls(process)
        worker._write(json.dumps(settings._asdict()))
        return worker

    @property
    def is_free(self) -> bool:
        """Whether the process runs and has answered its last request."""
        return self._process.returncode is None and not self._busy

    def _write(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # the process has died, which its answers will show
            self._process.stdin.write(line.encode() + b"\n")

    async def answers(self, request: Request, *, paused: bool = False) -> AsyncIterator[str]:
        """The replies to a request, each as JSON text. The last has the type `result` or `error`."""
        self._busy = True
        self._write(request.as_json())
        if paused:
            self.control("pause")
        while self._busy:
            yield await self._reply(request.id)

    async def _reply(self, number: int) -> str:
        assert self._process.stdout is not None
        line = await self._process.stdout.readline()
        if not line:
            await self.kill()
            self._busy = False
            return json.dumps({"id": number, "type": "error", "message": "the worker process ended: try again"})
        text = line.decode().rstrip("\n")
        self._busy = '"type": "update"' in text[:60]
        return text

    def control(self, kind: str) -> None:
        """Send `stop`, `pause` or `resume` for the request that is being answered."""
        self._write(json.dumps({"type": kind}))

    async def finish(self) -> None:
        """Stop the request that is being answered and drop its replies; kill the process if that takes too long."""
        if not self._busy:
            return
        self.control("stop")

        async def drain() -> None:
            while self._busy:
                await self._reply(0)

        try:
            await asyncio.wait_for(drain(), STOP_SECONDS)
        except asyncio.TimeoutError:
            await self.kill()

    async def kill(self) -> None:
        """End the process."""
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()


class WorkerPool:
    """Workers for jobs, at most `MOST_WORKERS` at a time; idle ones are started ahead."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._places = asyncio.Semaphore(MOST_WORKERS)
        self._idle: list[Worker] = []
        self._workers: set[Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def warm(self) -> None:
        """Start idle workers, so that the next jobs need not wait for Python to start."""
        while len(self._idle) < MOST_IDLE and len(self._workers) < MOST_WORKERS:
            self._idle.append(await self._new())

    async def _new(self) -> Worker:
        try:
            worker = await Worker.start(self._settings)
        except OSError as error:
            raise FoogoError(f"no worker process can be started: {error.strerror or error}; try again") from None
        self._workers.add(worker)
        return worker

    @asynccontextmanager
    async def lend(self) -> AsyncIterator[Worker]:
        """A worker, as soon as one is free; afterwards its job is stopped in the background."""
        await self._places.acquire()
        try:
            worker = self._idle_worker() or await self._new()
        except BaseException:
            self._places.release()
            raise
        if not self._idle and len(self._workers) < MOST_WORKERS:
            self._in_background(self._spare())
        try:
            yield worker
        finally:
            self._in_background(self._take_back(worker))

    def _in_background(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _spare(self) -> None:
        """Start a worker for the next job."""
        with suppress(FoogoError):  # the next job tries again, and is answered with the error
            self._idle.append(await self._new())

    def _idle_worker(self) -> Worker | None:
        """The idle worker used last, if there is one that has not died."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_free:
                return worker
            self._workers.discard(worker)
        return None

    async def _take_back(self, worker: Worker) -> None:
        try:
            await worker.finish()
        finally:
            if worker.is_free and len(self._idle) < MOST_IDLE:
                self._idle.append(worker)
            else:
                self._workers.discard(worker)
                await worker.kill()
            self._places.release()

    async def close(self) -> None:
        """End every worker."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(worker.kill() for worker in self._workers))
