"""Lines for testing an engine: valid, nearly valid, binary, huge. The same for the same seed on every machine.

`run` sends them to a real `foogo gtp` and checks that each command got one answer and nothing else was written.
"""

from __future__ import annotations

import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from foogo.gtp.command_table import COMMANDS
from tests.gtp_talk import Process
from tests.processes import processes

OPTIONS = (
    "--size", "5", "--simulations", "32", "--seconds", "0.05", "--seed", "1", "--param", "status_simulations=64",
    "--param", "memory=4000000",
)  # fmt: skip
"""Options of the engine under test, for minimal searches."""

GAME = "(;GM[1]FF[4]SZ[5]KM[6.5];B[cc];W[bb];B[dd];W[ca])"

PAUSE = ("quit",)
"""Commands that are never sent."""

SEARCHES = (
    "genmove", "reg_genmove", "kgs-genmove_cleanup", "genmove_analyze", "lz-genmove_analyze", "kata-genmove_analyze",
    "cgos-genmove_analyze", "analyze", "lz-analyze", "kata-analyze", "final_score", "final_status_list",
    "foogo-playouts", "foogo-first_move", "foogo-win_share", "foogo-visits", "foogo-ownership",
)  # fmt: skip
"""Commands that take milliseconds, sent less often."""

LONG = "help list_commands gomill-describe_engine foogo-param gogui-analyze_commands".split()


@dataclass(frozen=True)
class Outcome:
    """The result of a run."""

    lines: int
    answers: int
    failures: int
    seconds: float
    memory_early: int
    memory_late: int


def lines(seed: int, count: int) -> Iterator[bytes]:
    """`count` lines without line ends."""
    rng = random.Random(seed)
    for i in range(count):
        kind = rng.random()
        if i % 20_000 == 19_999:
            yield rng.choice((b"echo ", b"play b ", b"", b"9 set_position ")) + b"x y" * 350_000
        elif kind < 0.55:
            yield _numbered(rng, i, _valid(rng).encode())
        elif kind < 0.85:
            yield _numbered(rng, i, _damaged(rng, _valid(rng).encode()))
        elif kind < 0.93:
            yield bytes(rng.choice(_BYTES) for _ in range(rng.randint(0, 60)))
        elif kind < 0.96:
            yield _numbered(rng, i, rng.randbytes(rng.randint(1, 30)).replace(b"\n", b" "))
        elif kind < 0.999:
            yield rng.choice((b"", b"   ", b"\t", b"# a comment", b"#", b"\r", b"# interrupt", b"\x00", b"12", b"0"))
        else:
            yield b"kata-set-rules " + rng.choice((b"{", b"[", b'{"ko":')) * rng.randint(1, 3000)


def is_command(line: bytes) -> bool:
    """Whether a line needs an answer: it has more than control characters, blanks and comments."""
    visible = bytes(byte for byte in line[:4000] if byte >= 32 and byte != 127)
    return bool(visible.partition(b"#")[0].strip(b" "))


def run(folder: Path, seed: int, count: int) -> Outcome:
    """Send `count` lines to a real engine that works in `folder`; raises AssertionError at the first wrong answer."""
    (folder / "game.sgf").write_text(GAME, encoding="utf-8")
    expected: list[bytes] = []
    for line in lines(seed, count):
        if is_command(line):
            expected.append(_number_of(line))
    began = time.perf_counter()
    with Process(*OPTIONS, cwd=folder) as engine:
        engine.ask("final_score")  # waits until the search is compiled
        pid = engine.process.pid
        writer = threading.Thread(target=_write, args=(engine, seed, count))
        writer.start()
        failures, early = 0, 0
        for i, number in enumerate(expected):
            answer = engine.read_until(b"\n\n")
            assert re.match(rb"[=?]%b(?: |\n|$)" % number, answer), (i, number, answer[:200])
            assert b"Traceback" not in answer
            assert b"internal error" not in answer, answer[:300]
            failures += answer[:1] == b"?"
            if i == len(expected) // 5:
                early = memory_of(pid)
        late = memory_of(pid)
        writer.join()
        code, rest, errors = engine.end()
    assert (code, rest) == (0, ""), (code, rest[:200])
    assert "Traceback" not in errors, errors[-3000:]
    return Outcome(count, len(expected), failures, time.perf_counter() - began, early, late)


def memory_of(pid: int) -> int:
    """Resident bytes of a process."""
    return next(one.resident for one in processes() if one.pid == pid)


_BYTES = [*range(32, 127), *range(160, 256), 0, 7, 9, 13, 27, 127]

_NAMES = [name for name in COMMANDS if name not in PAUSE]

_LIGHT = [name for name in _NAMES if name not in SEARCHES and name not in LONG]


def _write(engine: Process, seed: int, count: int) -> None:
    batch = []
    with suppress(BrokenPipeError):  # the reader stopped at a wrong answer
        for line in lines(seed, count):
            batch.append(line + b"\n")
            if len(batch) == 64:
                engine.send(b"".join(batch))
                batch = []
        engine.send(b"".join(batch))


def _numbered(rng: random.Random, number: int, line: bytes) -> bytes:
    return b"%d %b" % (number, line) if rng.random() < 0.5 else line


def _number_of(line: bytes) -> bytes:
    """The number that the answer to a line must have."""
    visible = bytes(32 if byte == 9 else byte for byte in line[:200] if byte in (9,) or (byte >= 32 and byte != 127))
    found = re.match(rb" *([0-9]{1,10})(?= |$)", visible.partition(b"#")[0].rstrip(b" "))
    return found[1] if found else b""


def _valid(rng: random.Random) -> str:
    """A command as a controller might send it."""
    kind = rng.random()
    name = rng.choice(SEARCHES) if kind < 0.008 else rng.choice(LONG) if kind < 0.012 else rng.choice(_LIGHT)
    if rng.random() < 0.4:
        name = rng.choice(("play", "play", "play", "undo", "is_legal", "showboard"))
    make = _ARGUMENTS.get(name)
    return f"{name} {make(rng)}" if make else name


def _damaged(rng: random.Random, line: bytes) -> bytes:
    """A line with something wrong in it."""
    if line.startswith((b"boardsize", b"foogo-p", b"foogo-first", b"quit", b"loadsgf", b"printsgf")):
        return line.split(b" ")[0] + rng.choice((b"", b" x", b" 1", b" 99", b" -3", b" 5 7 7", b" 1e3", b"\xff"))
    kind = rng.random()
    at = rng.randrange(len(line) + 1)
    if kind < 0.2:
        return line[:at]
    if kind < 0.4:
        return line[:at] + bytes([rng.choice(_BYTES)]) + line[at:]
    if kind < 0.6:
        return line[:at] + line[at + 1 :]
    if kind < 0.7:
        return (
            line
            + b" "
            + rng.choice((b"1", b"b", b"E5", b"pass", b"nan", b"-1", b"99999999999999999999", b"\xe2\x82\xac"))
        )
    if kind < 0.8:
        return line.swapcase()
    if kind < 0.9:
        words = line.split(b" ")
        rng.shuffle(words)
        return b" ".join(words)
    return line.replace(b" ", b"\t") + b"\r"


def _color(rng: random.Random) -> str:
    return rng.choice(("b", "w", "black", "white", "B", "W"))


def _vertex(rng: random.Random) -> str:
    return rng.choice(("pass", f"{rng.choice('ABCDEabcdeFJ')}{rng.randint(1, 6)}"))


def _moves(rng: random.Random) -> str:
    return " ".join(f"{_color(rng)} {_vertex(rng)}" for _ in range(rng.randint(0, 6)))


def _points(rng: random.Random) -> str:
    return " ".join(f"{rng.choice('ABCDE')}{rng.randint(1, 5)}" for _ in range(rng.randint(0, 5)))


def _time(rng: random.Random) -> str:
    return " ".join(rng.choice(("0", "1", "10", "300", "0.5", "-1", "x")) for _ in range(rng.randint(0, 4)))


def _analysis(rng: random.Random) -> str:
    words = [_color(rng)] if rng.random() < 0.7 else []
    for _ in range(rng.randint(0, 3)):
        key = rng.choice(
            ("interval", "minmoves", "maxmoves", "ownership", "movesOwnership", "pvVisits", "rootInfo", "avoid")
        )
        if key == "avoid":
            words.append(f"{rng.choice(('avoid', 'allow'))} {_color(rng)} {_vertex(rng)},{_vertex(rng)} 1")
        else:
            words.append(f"{key} {rng.choice(('true', 'false', '1', '5', '100', 'x'))}")
    rng.shuffle(words)
    return " ".join(words)


def _pick(*choices: str) -> Callable[[random.Random], str]:
    return lambda rng: rng.choice(choices)


_ARGUMENTS: dict[str, Callable[[random.Random], str]] = {
    "known_command": _pick("play", "fly", ""),
    "echo": _pick("", "a  b", "é ü", "x" * 300),
    "set_random_seed": _pick("0", "1", "-1", "x"),
    "boardsize": _pick("5", "5", "9", "1", "20", "x", ""),
    "komi": _pick("7", "6.5", "-3", "0", "nan", "x", "1e6"),
    "fixed_handicap": _pick("2", "9", "1", "x"),
    "place_free_handicap": _pick("2", "5", "24", "25", "0"),
    "set_free_handicap": _points,
    "set_position": _moves,
    "loadsgf": _pick("game.sgf", "game.sgf 3", "game.sgf 99", "game.sgf D2", "missing.sgf", ".", ""),
    "printsgf": _pick("", "-", "out.sgf", "no/such/out.sgf"),
    "play": lambda rng: f"{_color(rng)} {_vertex(rng)}",
    "is_legal": lambda rng: f"{_color(rng)} {_vertex(rng)}",
    "genmove": _color,
    "reg_genmove": _color,
    "kgs-genmove_cleanup": _color,
    "cgos-genmove_analyze": _color,
    "gg-undo": _pick("", "1", "2", "50", "-1"),
    "all_legal": _color,
    "list_stones": _color,
    "time_settings": _time,
    "time_left": lambda rng: f"{_color(rng)} {_time(rng)}",
    "kgs-time_settings": lambda rng: f"{rng.choice(('none', 'absolute', 'byoyomi', 'canadian', 'x'))} {_time(rng)}",
    "kata-time_settings": lambda rng: f"{rng.choice(('fischer', 'fischer-capped', 'absolute', 'x'))} {_time(rng)}",
    "final_status_list": _pick("alive", "dead", "seki", "dame", "x"),
    "kata-set-rules": _pick("chinese", "cgos", "aga", "tromp-taylor", '{"ko":"SIMPLE"}', '{"ko":1}', "{}", "x"),
    "kata-set-rule": _pick("ko SIMPLE", "suicide true", "tax ALL", "friendlyPassOk false", "x"),
    "kgs-rules": _pick("chinese", "japanese", "x"),
    "analyze": _analysis,
    "lz-analyze": _analysis,
    "kata-analyze": _analysis,
    "genmove_analyze": _analysis,
    "lz-genmove_analyze": _analysis,
    "kata-genmove_analyze": _analysis,
    "cgos-gameover": _pick("B+3.5", "W+Resign", ""),
    "cgos-opponent_name": _pick("somebody", "", "日本"),
    "cgos-opponent_rating": _pick("1800", ""),
    "gogui-play_sequence": _moves,
    "gogui-setup": _moves,
    "gogui-setup_player": _color,
    "foogo-playouts": _pick("1", "40", "40 2", "0", "x"),
    "foogo-seed": _pick("", "1", "x"),
    "foogo-param": _pick(
        "exploration 0.1", "near 1,2,3,4", "resign 0.1", "selection x", "policy knowledge", "policy", "x"
    ),
    "foogo-playable": _pick("", "b", "x"),
    "foogo-first_move": _pick("1", "x"),
}
