"""What users see of compilation, and clocks that do not count it."""

from __future__ import annotations

import io
import sys
import time
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from rich.progress import Progress

from foogo.core import compiling
from foogo.core.compiling import Compilation


def kernel_of(module: str) -> Any:
    return SimpleNamespace(data={"dispatcher": SimpleNamespace(py_func=SimpleNamespace(__module__=module))})


OURS, THEIRS = kernel_of("foogo.search.kernels.loop"), kernel_of("scipy")


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The clock."""
    clock = SimpleNamespace(now=100.0)
    monkeypatch.setattr(compiling, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    return clock


def test_the_clock_stands_still_while_foogo_compiles(seconds: SimpleNamespace) -> None:
    watch = compiling._Watch()
    watch.on_start(THEIRS)
    seconds.now += 1
    watch.on_end(THEIRS)
    assert watch.now() == 101
    watch.on_start(OURS)
    watch.on_start(OURS)
    seconds.now += 5
    watch.on_end(OURS)
    assert watch.now() == 101
    seconds.now += 5
    watch.on_end(OURS)
    assert (watch.now(), watch.seconds, watch.functions) == (101, 10, 2)
    seconds.now += 1
    assert watch.now() == 102


def test_other_threads_read_a_steady_clock(seconds: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """They run while the bar is cleared: the output gives the interpreter's lock away."""
    read = []
    monkeypatch.setattr(compiling, "_on_terminal", lambda: True)
    watch = compiling._Watch()
    monkeypatch.setattr(watch, "_write", lambda _text: read.append(watch.now()))
    watch.announce(Compilation("the search", 180, 45), "", "")
    watch.on_start(OURS)
    seconds.now += 9
    watch.on_end(OURS)
    assert read == [100]


def test_an_output_that_is_no_terminal_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", SimpleNamespace(write=print, flush=lambda: None))  # as a program's log
    assert not compiling._on_terminal()
    closed = io.StringIO()
    closed.close()
    for name in ("stderr", "__stderr__"):
        monkeypatch.setattr(sys, name, closed)
    assert not compiling._on_terminal()


def test_one_line_says_what_is_compiled(capsys: pytest.CaptureFixture[str]) -> None:
    watch = compiling._Watch()
    for _ in range(2):
        watch.announce(Compilation("the search", 180, 45), " for 9x9", "a note")
        watch.announce(Compilation("the board", 35, 8), "", "")
        watch.on_start(OURS)
        watch.on_end(OURS)
    assert capsys.readouterr() == ("", "foogo: a note\nfoogo: compiling the search for 9x9, about 45 s\n")


def test_a_terminal_shows_a_bar_and_clears_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_on_terminal", lambda: True)
    watch = compiling._Watch()
    watch.announce(Compilation("perft", 40, 16), "", "")
    watch.on_start(OURS)
    for _ in range(40 + 5):
        watch.on_start(OURS)
        watch.on_end(OURS)
    watch.on_end(OURS)
    shown = capsys.readouterr().err.split("\r\x1b[K")
    assert shown[1].startswith("compiling perft ...")
    assert shown[-2].startswith("compiling perft ####")
    assert shown[-1] == ""
    assert "\n" not in "".join(shown)


def test_the_bar_fits_into_80_columns(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, seconds: SimpleNamespace
) -> None:
    monkeypatch.setattr(compiling, "_on_terminal", lambda: True)
    watch = compiling._Watch()
    watch.announce(Compilation("playouts on the scalar board", 40, 15), " for 19x19", "")
    watch.on_start(OURS)
    watch.on_start(OURS)
    seconds.now += 100
    watch.on_end(OURS)
    assert len(capsys.readouterr().err.removeprefix("\r\x1b[K")) < 80


def test_there_is_no_bar_beside_a_progress_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "__stderr__", terminal)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    assert compiling._on_terminal()
    with monkeypatch.context() as emacs:
        emacs.setenv("TERM", "dumb")
        assert not compiling._on_terminal()
    console = Console(stderr=True, force_terminal=True)
    with Progress(console=console):
        assert sys.stderr is not terminal
        assert not compiling._on_terminal()
    assert compiling._on_terminal()


def test_the_clock_is_real() -> None:
    began = compiling.working_clock()
    time.sleep(0.01)
    assert compiling.working_clock() > began
