"""A worker process: `python -m foogo.web.worker` answers one request at a time, read and written as lines of JSON.

The first line on stdin has the settings. Every other line is a request of `foogo.web.protocol`, or `stop`, `pause` or
`resume` for the request that is being answered. The end of stdin ends the process.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
import traceback
from typing import Any, TextIO

from foogo.web.control import Control

NICENESS = 5
"""Workers yield to the process that answers the page."""


class _Requests:
    """The requests on stdin, read by a thread; `control` is that of the latest request."""

    def __init__(self, source: TextIO) -> None:
        self._source = source
        self.waiting: queue.Queue[tuple[dict[str, Any], Control]] = queue.Queue()
        threading.Thread(target=self._read, name="foogo-web-input", daemon=True).start()

    def _read(self) -> None:
        control = Control()
        for line in self._source:
            message = json.loads(line)
            if message["type"] in ("stop", "pause", "resume"):
                control.apply(message["type"])
            else:
                control = Control()
                self.waiting.put((message, control))
        os._exit(0)


def main() -> None:
    """Answer requests until stdin ends."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # nothing else may print among the answers
    source = sys.stdin
    settings = json.loads(source.readline())
    from foogo.playout.simulate import simulate
    from foogo.warmup import warm_search
    from foogo.web.jobs import Jobs

    requests = _Requests(source)
    jobs = Jobs(settings["threads"], settings["stores"], settings["policies"], settings["book"])
    simulate(settings["size"], 1, threads=1)
    if requests.waiting.empty():  # a waiting request goes first; another worker then compiles the search
        warm_search(settings["size"], jobs.policy)
    while True:
        message, control = requests.waiting.get()
        number = message.pop("id")

        def reply(kind: str, content: dict[str, Any], number: int = number) -> None:
            answers.write(json.dumps({"id": number, "type": kind, **content}, allow_nan=False) + "\n")
            answers.flush()

        reply(*_answer(jobs, message, control, reply))


def _answer(jobs: Any, message: dict[str, Any], control: Control, reply: Any) -> tuple[str, dict[str, Any]]:
    from foogo.errors import FoogoError

    try:
        return "result", jobs.answer(message, control, lambda content: reply("update", content))
    except FoogoError as error:
        return "error", {"message": str(error)}
    except Exception:
        traceback.print_exc()
        return "error", {"message": "internal error: the terminal of foogo web has the details"}


if __name__ == "__main__":
    main()
