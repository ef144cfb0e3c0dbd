"""A GTP engine as a child process: answers, failures of every kind, and no process left behind."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from foogo.errors import MatchError
from foogo.gtp.engine_process import EngineFailure, EngineProcess, Transcript
from tests.marks import posix

pytestmark = posix

SCRIPT = str(Path(__file__).parents[1] / "scripted_engine.py")
PATIENCE = 30.0

Start = Callable[..., EngineProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    engines: list[EngineProcess] = []

    def begin(*options: str) -> EngineProcess:
        engines.append(EngineProcess("A", [sys.executable, SCRIPT, *options]))
        return engines[-1]

    yield begin
    for engine in engines:
        engine.close()
        assert not engine.is_open


def has_ended(pid: int) -> bool:
    """Whether the processes of a group are gone within some seconds; the system may have to reap them first."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(pid, 0)
        except (ProcessLookupError, PermissionError):
            return True
        time.sleep(0.05)
    return False


def test_answers(start: Start) -> None:
    engine = start("--name", "some name")
    assert engine.ask("name", PATIENCE).text == "some name"
    assert engine.ask("boardsize 9", PATIENCE).text == ""
    assert "genmove" in engine.ask("list_commands", PATIENCE).text.split("\n")
    assert engine.knows("genmove", PATIENCE)
    assert not engine.knows("undo", PATIENCE)


def test_the_time_of_an_answer_is_measured(start: Start) -> None:
    engine = start("--slow", "0.3")
    engine.ask("name", PATIENCE)
    assert 0.3 <= engine.ask("genmove b", PATIENCE).seconds < 10


def test_a_refusal_leaves_the_engine_open(start: Start) -> None:
    engine = start()
    with pytest.raises(EngineFailure, match="refused 'boardsize 99': unacceptable size") as raised:
        engine.ask("boardsize 99", PATIENCE)
    assert raised.value.kind == "refused"
    assert engine.ask("name", PATIENCE).text == "script"


FAILURES = [
    ("crash", "crash", "ended with exit code 3"),
    ("killed", "crash", "was killed by signal 9"),
    ("silent", "crash", "closed its output"),
    ("orphan", "crash", "ended with exit code 4"),
    ("hang", "timeout", "no answer to 'genmove b' within"),
    ("deaf", "timeout", "no answer to 'genmove b' within"),
    ("garbage", "garbage", "'my move is E5', which is not GTP"),
    ("huge", "garbage", "more than 1 MiB"),
]


@pytest.mark.parametrize(("wrong", "kind", "message"), FAILURES, ids=[wrong for wrong, _, _ in FAILURES])
def test_a_failing_engine_is_closed_with_all_its_processes(start: Start, wrong: str, kind: str, message: str) -> None:
    engine = start("--wrong", wrong)
    engine.ask("name", PATIENCE)
    pid = engine.pid
    with pytest.raises(EngineFailure, match=message) as raised:
        engine.ask("genmove b", 2 if kind == "timeout" else PATIENCE)
    assert raised.value.kind == kind
    assert not engine.is_open
    assert has_ended(pid)
    with pytest.raises(EngineFailure, match="has already ended"):
        engine.ask("name", PATIENCE)


def test_a_failure_can_be_told_to_another_process() -> None:
    told = pickle.loads(pickle.dumps(EngineFailure("refused", "it refused 'play b h1'")))
    assert (told.kind, str(told)) == ("refused", "it refused 'play b h1'")


def test_an_engine_that_never_stops_talking_is_closed(start: Start) -> None:
    engine = start("--wrong", "flood")
    with pytest.raises(EngineFailure, match="more than 1 MiB") as raised:
        engine.ask("genmove b", PATIENCE)
    assert raised.value.kind == "garbage"
    assert has_ended(engine.pid)
    assert len(str(engine.transcript)) < 10_000_000


def test_lines_that_arrive_too_late_are_no_answer(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    class Talk:
        """A queue that always has a new line."""

        def get(self, timeout: float) -> tuple[float, bytes]:
            return time.monotonic(), b"="

        def put(self, _line: object, timeout: float) -> None:
            """The thread that reads the engine notes its end."""

    engine = start()
    monkeypatch.setattr(engine, "_lines", Talk())
    with pytest.raises(EngineFailure, match="no answer to 'genmove b' within") as raised:
        engine.ask("genmove b", 0.05)
    assert raised.value.kind == "timeout"


def test_a_polite_end(start: Start, tmp_path: Path) -> None:
    engine = start("--log", str(tmp_path / "log"))
    engine.ask("name", PATIENCE)
    engine.close(polite=True)
    assert (tmp_path / "log").read_text() == "name\nquit\n"
    engine.close()


def test_everything_said_is_kept_in_order(start: Start) -> None:
    engine = start("--wrong", "crash")
    engine.transcript = Transcript()
    engine.ask("name", PATIENCE)
    with pytest.raises(EngineFailure):
        engine.ask("genmove b", PATIENCE)
    lines = [line.split(maxsplit=1)[1] for line in str(engine.transcript).splitlines()]
    assert lines[:3] == ["A> name", "A< = script", "A< "]
    assert lines[3] == "A> genmove b"
    assert "A! out of luck" in lines
    assert lines[-1] == "A: crash: the engine ended with exit code 3"


@pytest.mark.parametrize("command", [["/no/such/program"], [""], ["."]])
def test_a_program_that_does_not_start(command: list[str]) -> None:
    with pytest.raises(MatchError, match="engine B does not start"):
        EngineProcess("B", command)


@pytest.mark.parametrize("length", [0, 200_000], ids=["short", "longer than a pipe holds"])
def test_a_timeout_is_kept(start: Start, length: int) -> None:
    engine = start("--start", "60")
    began = time.monotonic()
    with pytest.raises(EngineFailure, match=r"within 0.50 s"):
        engine.ask("name" + "x" * length, 0.5)
    assert time.monotonic() - began < 20


def test_a_long_command_arrives_whole(start: Start, tmp_path: Path) -> None:
    engine = start("--start", "0.5", "--log", str(tmp_path / "log"))
    line = "name " + "x" * 1_000_000
    assert engine.ask(line, PATIENCE).text == "script"
    assert (tmp_path / "log").read_text() == f"{line}\n"


def test_ctrl_c_closes_the_engine_whose_answer_is_due(start: Start) -> None:
    engine = start("--slow", "2")
    engine.ask("boardsize 5", PATIENCE)
    threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        engine.ask("genmove b", PATIENCE)
    assert not engine.is_open
    with pytest.raises(EngineFailure, match="already ended"):  # not the move
        engine.ask("name", PATIENCE)
