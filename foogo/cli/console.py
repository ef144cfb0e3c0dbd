"""Output of the commands: JSON and text tables on stdout, one-line messages and a progress bar on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any

import typer

from foogo.errors import ArgumentError

Progress = Callable[[int, int], None]
"""Called with what is done so far and the total."""

INTERRUPTED = 130  # the exit code after Ctrl-C


def say(message: str) -> None:
    """Write one line, "foogo: ...", to stderr."""
    print(f"foogo: {message}", file=sys.stderr, flush=True)


def interruptible(command: Callable[..., None]) -> Callable[..., None]:
    """`command`, exiting with a message and `INTERRUPTED` after a Ctrl-C that it does not handle itself."""

    @wraps(command)
    def wrapper(*args: Any, **options: Any) -> None:
        try:
            command(*args, **options)
        except KeyboardInterrupt:
            say("interrupted")
            raise typer.Exit(INTERRUPTED) from None

    return wrapper


def print_json(document: dict[str, Any]) -> None:
    """Write one JSON document to stdout."""
    print(json.dumps(document, indent=2, allow_nan=False))


def text_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns two spaces apart under an underlined header; the first is left-aligned, the rest right-aligned.

    Examples
    --------
    >>> print(text_table(["size", "n"], [["9x9", "10"], ["19x19", "5"]]))
    size    n
    -----  --
    9x9    10
    19x19   5
    """
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * width for width in widths]

    def line(cells: Sequence[str]) -> str:
        first, *others = [
            cell.rjust(width) if i else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join([first, *others]).rstrip()

    return "\n".join(line(cells) for cells in (header, rule, *rows))


@contextmanager
def file_errors(action: str, path: Path) -> Iterator[None]:
    """Turn an OSError into an ArgumentError: "cannot `action` 'path'", and why."""
    try:
        yield
    except OSError as error:
        raise ArgumentError(f"cannot {action} '{path}': {(error.strerror or str(error)).lower()}") from None


@contextmanager
def progress_bar(label: str, unit: str = "playouts") -> Iterator[Progress | None]:
    """A progress bar on stderr; yields the function that moves it, or None if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {unit}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=1, rate="")

        def tell(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:,.0f}/s" if speed else "")

        yield tell
