"""The protocol without Go: lines in, answers out, exactly one per command."""

from __future__ import annotations

import ast
import errno
import os
import threading
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from foogo.errors import GtpError, reader_is_gone
from foogo.gtp import channel, dispatcher, protocol
from foogo.gtp.channel import Lines, Output
from foogo.gtp.dispatcher import Call
from foogo.gtp.protocol import LONGEST, Command, answer, is_interrupt, parse, printable
from tests.gtp_talk import Talk
from tests.marks import posix

PARSED = [
    (b"name", Command("", "name", "")),
    (b"1 name", Command("1", "name", "")),
    (b"  007   play  b   E5  ", Command("007", "play", "b   E5")),
    (b"play\tb\tE5", Command("", "play", "b E5")),
    (b"name\r\n", Command("", "name", "")),
    (b"na\x00me\x07\x7f", Command("", "name", "")),
    (b"name # a comment", Command("", "name", "")),
    (b"na#me", Command("", "na", "")),
    (b"12", Command("12", "", "")),
    (b"12name", Command("", "12name", "")),
    (b"99999999999 name", Command("", "99999999999", "name")),
    (b"echo caf\xc3\xa9", Command("", "echo", "café")),
    (b"echo \xff\xfe", Command("", "echo", "\udcff\udcfe")),
    (b"", None),
    (b"   \t ", None),
    (b"# only a comment", None),
    (b"\x01\x02", None),
]


@pytest.mark.parametrize(("line", "command"), PARSED, ids=[repr(line) for line, _ in PARSED])
def test_lines_become_commands(line: bytes, command: Command | None) -> None:
    assert parse(line) == command


def test_arguments_are_words() -> None:
    assert Command("", "play", "b   E5").arguments == ("b", "E5")
    assert Command("", "name", "").arguments == ()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (b"# interrupt", True),
        (b"#interrupt\r", True),
        (b" #\tinterrupt ", True),
        (b"interrupt", False),
        (b"# stop", False),
    ],
)
def test_the_interrupt_is_a_comment(line: bytes, expected: bool) -> None:
    assert is_interrupt(line) is expected


ANSWERED = [
    (("", "E5", False), b"= E5\n\n"),
    (("7", "E5", False), b"=7 E5\n\n"),
    (("", "", False), b"= \n\n"),
    (("12", "", False), b"=12 \n\n"),
    (("", "illegal move", True), b"? illegal move\n\n"),
    (("3", "two\nlines", True), b"?3 two lines\n\n"),
    (("", "a\n\n\n b\n \nc\n\n", False), b"= a\n b\nc\n\n"),
    (("", "a\tb\x07\r\n", False), b"= a b\n\n"),
    (("", "\nboard", False), b"= \nboard\n\n"),
    (("", "\udcff", False), b"= \xff\n\n"),
]


@pytest.mark.parametrize(("said", "written"), ANSWERED, ids=[repr(written) for _, written in ANSWERED])
def test_results_become_answers(said: tuple[str, str, bool], written: bytes) -> None:
    number, text, failed = said
    assert answer(number, text, failed=failed) == written


def test_no_answer_has_an_empty_line_inside() -> None:
    for text in ("\n\n\n", "a\n\n", "\n \n a", "a\n\t\nb", "\r\n\r\n"):
        assert "\n\n" not in printable(text)
        assert answer("", text).count(b"\n\n") == 1


def test_there_is_no_go_in_the_protocol() -> None:
    for module in (protocol, channel, dispatcher):
        assert module.__file__ is not None
        tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
        names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        own = {name for name in names if name is not None and name.startswith("foogo")}
        assert own <= {"foogo.errors", "foogo.gtp", "foogo.gtp.protocol", "foogo.gtp.channel"}


# --- input and output ----------------------------------------------------------------------------------------------


def lines_of(*writes: bytes) -> list[bytes]:
    source, sink = os.pipe()
    lines = Lines(source)
    for data in writes:
        os.write(sink, data)
    os.close(sink)
    found = []
    while (line := lines.next()) is not None:
        found.append(line.data)
    os.close(source)
    return found


@pytest.mark.parametrize(
    ("writes", "lines"),
    [
        ((b"a\nb\n",), [b"a", b"b"]),
        ((b"a\nb",), [b"a", b"b"]),
        ((b"na", b"me\n"), [b"name"]),
        ((b"\n\n",), [b"", b""]),
        ((b"a\r\nb\r\n",), [b"a\r", b"b\r"]),
        ((), []),
    ],
)
def test_lines_are_read_however_they_are_written(writes: tuple[bytes, ...], lines: list[bytes]) -> None:
    assert lines_of(*writes) == lines


def test_more_lines_than_are_kept_wait_in_the_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MOST_WAITING", 3)
    assert lines_of(*[f"{i}\n".encode() for i in range(50)]) == [str(i).encode() for i in range(50)]


def test_a_line_knows_what_came_after_it() -> None:
    source, sink = os.pipe()
    lines = Lines(source)
    os.write(sink, b"first\n")
    first = lines.next()
    assert first is not None
    assert not lines.is_overtaken(first)
    os.write(sink, b"# interrupt\n")
    deadline = time.monotonic() + 10
    while not lines.is_interrupted(first) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert lines.is_overtaken(first)
    second = lines.next()
    assert second is not None
    assert not lines.is_interrupted(second)
    os.close(sink)
    assert lines.next() is None
    assert lines.is_overtaken(second)
    os.close(source)


def test_a_line_may_come_after_many_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows delivers Ctrl-C only when a wait has ended, so none is long there."""
    monkeypatch.setattr(channel, "LONGEST_WAIT", 0.001)
    source, sink = os.pipe()
    lines = Lines(source)
    threading.Timer(0.05, os.write, [sink, b"late\n"]).start()
    line = lines.next()
    assert line is not None
    assert line.data == b"late"
    os.close(sink)
    assert lines.next() is None
    os.close(source)


def test_output_is_written_whole() -> None:
    source, sink = os.pipe()
    Output(sink).write(b"x" * 1000)
    assert os.read(source, 2000) == b"x" * 1000
    os.close(source)
    with pytest.raises(BrokenPipeError):
        Output(sink).write(b"x")
    os.close(sink)


@posix
def test_other_processes_may_make_its_ends_non_blocking() -> None:
    source, theirs = os.pipe()
    answers, sink = os.pipe()
    for end in (source, sink):
        os.set_blocking(end, False)
    lines = Lines(source)
    time.sleep(0.05)
    os.write(theirs, b"name\n")
    line = lines.next()
    assert line is not None
    assert line.data == b"name"
    writer = threading.Thread(target=Output(sink).write, args=[b"x" * (1 << 20)])
    writer.start()
    read = 0
    while read < 1 << 20:
        read += len(os.read(answers, 1 << 16))
    writer.join()
    assert read == 1 << 20
    for end in (theirs, answers, sink):
        os.close(end)
    assert lines.next() is None
    os.close(source)


@pytest.mark.parametrize(("number", "raised"), [(errno.EINVAL, BrokenPipeError), (errno.EIO, OSError)])
def test_a_closed_pipe_of_windows_is_a_broken_one(
    monkeypatch: pytest.MonkeyPatch, number: int, raised: type[OSError]
) -> None:
    def write(*_: object) -> int:
        raise OSError(number, "")

    monkeypatch.setattr(channel, "os", SimpleNamespace(write=write))
    monkeypatch.setattr(channel, "reader_is_gone", partial(reader_is_gone, system="nt"))
    with pytest.raises(OSError) as failure:  # noqa: PT011
        Output(1).write(b"x")
    assert failure.type is raised


# --- one answer per command ---------------------------------------------------------------------------


def fail_badly(call: Call) -> str:
    raise RuntimeError("a\nwheel came off")


def fail_late(call: Call) -> str:
    call.write("first")
    raise GtpError("too late")


def tell_slowly(call: Call) -> str:
    call.write("one")
    call.write("two\n\nthree")
    return "four"


def fail_at_length(call: Call) -> str:
    raise GtpError("x" * 10_000)


MISBEHAVING = {"bad": fail_badly, "late": fail_late, "slow": tell_slowly, "long": fail_at_length}


def test_several_commands_in_one_write(capsys: pytest.CaptureFixture[str]) -> None:
    with Talk() as talk:
        talk.send(b"1 name\n\n# nothing\n2 protocol_version\r\n3 nonsense\n4\n")
        assert [talk.read_answer() for _ in range(4)] == [
            "=1 foogo",
            "=2 2",
            "?3 unknown command",
            "?4 unknown command",
        ]


def test_an_internal_error_is_told_and_survived(capfd: pytest.CaptureFixture[str]) -> None:
    with Talk(commands=MISBEHAVING) as talk:
        talk.setup("boardsize 5", "play b c3")
        assert talk.ask("9 bad") == "?9 internal error: RuntimeError: a wheel came off"
        assert talk.ask("list_stones b") == "= C3"
    assert "RuntimeError: a\nwheel came off" in capfd.readouterr().err


def test_an_internal_error_leaves_the_state_as_it_was(capfd: pytest.CaptureFixture[str]) -> None:
    def damage(call: Call) -> str:
        talk.session.player.play("A1")
        talk.session.player.new_game(7)
        talk.session.player.komi = 99
        talk.session.opponent_name = "nobody"
        raise ZeroDivisionError

    with Talk(commands={"damage": damage}) as talk:
        talk.setup("boardsize 5", "komi 1.5", "kata-set-rules cgos", "play b c3", "cgos-opponent_name friend")
        before = talk.ask("showboard"), talk.ask("kata-get-rules"), talk.session.opponent_name
        assert talk.ask("damage") == "? internal error: ZeroDivisionError"
        assert (talk.ask("showboard"), talk.ask("kata-get-rules"), talk.session.opponent_name) == before
        assert talk.ask("undo") == "= "


def test_an_answer_bit_by_bit() -> None:
    with Talk(commands=MISBEHAVING) as talk:
        assert talk.ask("5 slow") == "=5\none\ntwo\nthree\nfour"
        assert talk.ask("late") == "=\nfirst"
        assert len(talk.ask("long")) < 500


def test_a_line_may_be_too_long() -> None:
    with Talk() as talk:
        talk.send(b"echo " + b"x" * 1_000_000 + b"\n")
        assert talk.read_answer() == "= " + "x" * 1_000_000
        talk.send(b"8 echo " + b"x" * LONGEST + b"\nname\n")
        assert talk.read_answer() == f"?8 the line is too long: give at most {LONGEST} bytes"
        assert talk.read_answer() == "= foogo"


def test_nothing_is_answered_after_quit() -> None:
    with Talk() as talk:
        talk.send(b"quit\nname\n")
        assert talk.read_answer() == "= "
        with pytest.raises(EOFError):
            talk.read_answer()
