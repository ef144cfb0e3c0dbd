"""Output of the commands: JSON and text tables on stdout, one-line messages and a progress bar on stderr."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import textwrap
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import typer

from foogo.errors import ArgumentError

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]

Progress = Callable[[int, int], None]
"""Called with what is done so far and the total."""

INTERRUPTED = 130  # the exit code after Ctrl-C
WIDTH = 80  # columns of a table, unless stdout is a wider terminal
GAP = "  "  # between columns


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


@contextmanager
def losing_no_ctrl_c(*, hold: bool = False) -> Iterator[Callable[[], bool]]:
    """Raises KeyboardInterrupt at the end if a search caught it; yields a function that says if Ctrl-C was pressed.

    With `hold`, Ctrl-C raises nothing before the end.
    """
    pressed = threading.Event()

    def interrupt(number: int, frame: FrameType | None) -> None:
        pressed.set()
        if not hold:
            signal.default_int_handler(number, frame)

    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not where a shell has it ignored
        signal.signal(signal.SIGINT, interrupt)
    try:
        yield pressed.is_set
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed.is_set():
        raise KeyboardInterrupt


def print_json(document: dict[str, Any]) -> None:
    """Write one JSON document to stdout."""
    print(json.dumps(document, indent=2, allow_nan=False))


def print_cards(text: str) -> None:
    """Write a text to stdout, with the letters C, D, H, S for suit symbols that its encoding lacks."""
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = text.translate(str.maketrans("♣♦♥♠", "CDHS"))
    print(text)


def width_of_output() -> int:
    """The columns of a table: those of the terminal, but at least `WIDTH`; `WIDTH` if stdout is not a terminal."""
    return max(WIDTH, shutil.get_terminal_size().columns) if sys.stdout.isatty() else WIDTH


def prose(text: str) -> str:
    """A paragraph, broken between words if stdout is a terminal."""
    return textwrap.fill(text, width_of_output() - 1, break_on_hyphens=False) if sys.stdout.isatty() else text


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
    widths = _widths(header, *rows)
    return "\n".join(_line(cells, widths) for cells in (header, _rule(widths), *rows))


def fits(header: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Whether `text_table` is not wider than the output."""
    return _is_narrow(_widths(header, *rows))


def folded_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, keep: int = 1, fold: int | None = None
) -> str:
    """`text_table` if it fits, else several of them, an empty line between, each with the first `keep` columns.

    A table that does not fit is broken before column `fold`, if that is given, and wherever it must be.

    Examples
    --------
    >>> print(folded_table(["n", "a" * 30, "b", "c" * 50], [["1", "2", "3", "4"]], fold=2))
    n  aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    -  ------------------------------
    1                               2
    <BLANKLINE>
    n  b  cccccccccccccccccccccccccccccccccccccccccccccccccc
    -  -  --------------------------------------------------
    1  3                                                   4
    """
    widths = _widths(header, *rows)
    if _is_narrow(widths):
        return text_table(header, rows)
    parts = [list(range(keep))]
    for column in range(keep, len(header)):
        is_full = not _is_narrow([widths[one] for one in [*parts[-1], column]])
        if len(parts[-1]) > keep and (column == fold or is_full):
            parts.append(list(range(keep)))
        parts[-1].append(column)
    tables = [[[cells[column] for column in part] for cells in (header, *rows)] for part in parts]
    return "\n\n".join(text_table(first, others) for first, *others in tables)


class TableStream:
    """A `text_table` whose rows are printed as they are measured, after a title.

    Its columns are as wide as the header and `samples`, which are the longest cells to expect. If that is wider than
    the output, the cells of the column "policy" are cut.
    """

    def __init__(self, title: str, header: Sequence[str], samples: Sequence[str]) -> None:
        self._widths = _widths(header, samples)
        excess = sum(self._widths) + len(GAP) * (len(self._widths) - 1) - width_of_output()
        self._cut = header.index("policy") if excess > 0 and "policy" in header else None
        if self._cut is not None:
            self._widths[self._cut] = max(len("policy"), self._widths[self._cut] - excess)
        self._begin = [title, "", _line(header, self._widths), _line(_rule(self._widths), self._widths)]

    def begin(self) -> None:
        """Print the title and the header, once."""
        if self._begin:
            print(*self._begin, sep="\n", flush=True)
            self._begin = []

    def add(self, cells: Sequence[str]) -> None:
        """Print a row."""
        self.begin()
        shown = list(cells)
        if self._cut is not None and len(shown[self._cut]) > self._widths[self._cut]:
            shown[self._cut] = f"{shown[self._cut][: self._widths[self._cut] - 3]}..."
        print(_line(shown, self._widths), flush=True)


def _is_narrow(widths: Sequence[int]) -> bool:
    return sum(widths) + len(GAP) * (len(widths) - 1) <= width_of_output()


def _widths(*lines: Sequence[str]) -> list[int]:
    return [max(map(len, column)) for column in zip(*lines, strict=True)]


def _rule(widths: Sequence[int]) -> list[str]:
    return ["-" * width for width in widths]


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = (
        cell.rjust(width) if i else cell.ljust(width) for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return GAP.join([first, *others]).rstrip()


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
        TextColumn("{task.fields[count]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None, count="", rate="")

        def tell(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            count, rate = f"{done:,} of {total:,} {unit}", f"{speed:,.0f}/s" if speed else ""
            bar.update(task, completed=done, total=total, count=count, rate=rate)

        yield tell
