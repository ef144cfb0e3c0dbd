"""Whole matches between scripted engines: what is recorded, resumed, survived and reported."""

from __future__ import annotations

import errno
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sgfmill import sgf

from foogo.errors import ArgumentError, MatchError
from foogo.game.clock import TimeSettings
from foogo.game.rules import Rules
from foogo.game.sgf import read_game
from foogo.match.config import MatchConfig
from foogo.match.results_file import GameResult, ResultsFile
from foogo.match.summary import Summary
from foogo.match.tournament import Match
from foogo.stats.elo import Sprt
from tests import command_line
from tests.cli.test_cli import OnTerminal
from tests.command_line import FOOGO, Said
from tests.marks import posix
from tests.processes import children, processes

pytestmark = posix

SCRIPT = Path(__file__).parents[1] / "scripted_engine.py"

LOWER = "A1 B1 C1 D1 E1 A2 B2 C2 D2 E2"
UPPER = "A5 B5 C5 D5 E5 A4 B4 C4 D4 E4"
"""Two rows of a 5x5 board each: no stone touches an opposing one."""


def engine(moves: str = LOWER, *options: str) -> str:
    return shlex.join([sys.executable, str(SCRIPT), "--moves", moves, *options])


def config(a: str, b: str, **changes: Any) -> MatchConfig:
    given = {"sizes": (5,), "komi": 0.5, "opening": 0, "scoring": "area", "patience": 30.0, **changes}
    return MatchConfig(a, b, **given)


def command(folder: Path, a: str, b: str, *options: str) -> list[str]:
    fixed = ["--size", "5", "--komi", "0.5", "--opening", "0", "--scoring", "area", "--folder", str(folder)]
    return ["match", a, b, *fixed, *options]


def told(capfd: pytest.CaptureFixture[str], arguments: Sequence[str]) -> Said:
    return command_line.told(capfd, *arguments)


def results(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()[1:]]


def test_a_match(tmp_path: Path) -> None:
    longer, shorter = engine(LOWER), engine("A5 B5 C5", "--name", "other")
    summary = Match(config(longer, shorter), tmp_path / "m", games=4).run()
    assert summary.counts == (4, 0, 0)
    assert summary.names == {"A": "script 1", "B": "other 1"}
    rows = results(tmp_path / "m")
    assert [row["black"] for row in rows] == ["A", "B", "A", "B"]
    assert [row["opening"] for row in rows] == [0, 0, 1, 1]
    assert rows[0]["moves"][:4] == ["A1", "A5", "B1", "B5"]
    assert rows[0]["scores"]["referee"] == rows[0]["result"]
    assert repr(summary) == "<Summary of 4 games: A won 4, drew 0, lost 0>"
    assert str(summary).splitlines() == [
        "A: script 1",
        "B: other 1",
        "A won 4, drew 0, lost 0: 100.0 % of the points [51.0, 100.0]",
        "Elo of A over B: +inf [+7, +inf], 95 % interval",
    ]
    # Game 3 repeats game 1, game 4 repeats game 2.
    assert summary.duplicates == [[0, 2], [1, 3]]


def test_the_record_of_a_game(tmp_path: Path) -> None:
    Match(config(engine(), engine(UPPER), rules="aga"), tmp_path, games=2).run()
    for row in results(tmp_path):
        data = (tmp_path / row["sgf"]).read_bytes()
        root = sgf.Sgf_game.from_bytes(data).get_root()
        assert root.get("RE") == row["result"]
        assert root.get("RU") == "AGA"
        assert root.get("PB") == f"script 1 ({row['black']})"
        game = read_game(data)
        assert len(game.moves) == len(row["moves"])
        assert game.result() == row["result"]
        last = sgf.Sgf_game.from_bytes(data).get_last_node().get("C")
        assert last.endswith(f"{row['result']} by area. referee: {row['result']}")
        assert row["transcript"] == ""


def test_openings_are_played_twice_with_colours_changed(tmp_path: Path) -> None:
    summary = Match(config(engine(), engine(UPPER), opening=3), tmp_path, games=6).run()
    rows = results(tmp_path)
    starts = [row["moves"][:3] for row in rows]
    assert starts[0] == starts[1] != starts[2] == starts[3]
    assert starts[4] == starts[5]
    assert all(row["seconds"] for row in rows)
    assert summary.repeated == 0


def test_sizes_take_turns(tmp_path: Path) -> None:
    summary = Match(config(engine(), engine(UPPER), sizes=(5, 9), opening=2), tmp_path, games=8, jobs=2).run()
    assert sorted((row["number"], row["size"]) for row in results(tmp_path)) == [
        (number, 5 if number // 2 % 2 == 0 else 9) for number in range(8)
    ]
    assert set(summary.as_dict()["sizes"]) == {"5", "9"}


def test_several_games_at_a_time_are_the_same_games(tmp_path: Path) -> None:
    wanted = config(engine(), engine(UPPER), opening=2)
    kept = ("number", "black", "winner", "result", "moves")
    played = []
    for jobs in (1, 4):
        Match(wanted, tmp_path / str(jobs), games=8, jobs=jobs).run()
        rows = sorted(results(tmp_path / str(jobs)), key=lambda row: int(row["number"]))
        played.append([{name: row[name] for name in kept} for row in rows])
    assert played[0] == played[1]


def test_a_match_goes_on_where_it_stopped(tmp_path: Path) -> None:
    log = tmp_path / "log"
    wanted = config(engine(LOWER, "--log", str(log)), engine(UPPER))
    Match(wanted, tmp_path / "m", games=2).run()
    before = results(tmp_path / "m")
    log.unlink()
    assert len(Match(wanted, tmp_path / "m", games=5).run().games) == 5
    assert results(tmp_path / "m")[:2] == before
    assert log.read_text().count("clear_board") == 1 + 3  # the greeting, and the games that were missing
    log.unlink()
    assert len(Match(wanted, tmp_path / "m", games=3).run().games) == 5
    assert log.read_text().count("clear_board") == 1


def test_a_match_that_was_stopped_says_what_goes_on_with_it(tmp_path: Path) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    match = Match(config(engine(), engine(UPPER)), tmp_path, games=4)
    with pytest.raises(KeyboardInterrupt):
        match.run(stop)
    with pytest.raises(MatchError, match=r"the match was stopped: a new Match of '.*' goes on with it"):
        match.run()
    match = Match(config(engine(), engine(UPPER)), tmp_path, games=4)
    assert len(match.run().games) == 4
    assert match.run().counts == match.summary.counts


def test_a_match_that_is_not_run_stops_its_engines(tmp_path: Path) -> None:
    def running() -> int:
        listing = subprocess.run(["ps", "-eww", "-o", "args="], capture_output=True, text=True, check=True).stdout
        return sum(f"--name {tmp_path.name}" in line for line in listing.splitlines())

    one = engine(LOWER, "--name", tmp_path.name)
    with Match(config(one, one), tmp_path, games=2) as match:
        assert running() == 2
    assert running() == 0
    assert repr(match) == f"<Match of '{tmp_path.name} 1' and '{tmp_path.name} 1' in '{tmp_path}'>"
    match.close()
    with pytest.raises(MatchError, match="the match was stopped"):
        match.run()
    with Match(config(one, one), tmp_path, games=2) as match:
        assert len(match.run().games) == 2


def test_another_configuration_is_refused(tmp_path: Path) -> None:
    Match(config(engine(), engine(UPPER)), tmp_path, games=1).run()
    with pytest.raises(MatchError, match="komi was 0.5, now 6.5"):
        Match(config(engine(), engine(UPPER), komi=6.5), tmp_path, games=1)
    with pytest.raises(MatchError, match="b was .*, now"):
        Match(config(engine(), engine("A5")), tmp_path, games=1)


def test_an_engine_of_another_version_is_refused(tmp_path: Path) -> None:
    starter = tmp_path / "engine"
    for version in ("1", "2"):
        starter.write_text(f"#!/bin/sh\nexec {engine(UPPER, '--version', version)}\n")
        starter.chmod(0o755)
        if version == "1":
            Match(config(engine(), str(starter)), tmp_path / "m", games=1).run()
    with pytest.raises(MatchError, match="engines was .*'script 1'.*now .*'script 2'"):
        Match(config(engine(), str(starter)), tmp_path / "m", games=1)


FAILURES = [
    ("crash", "crash", "exit code 3"),
    ("garbage", "garbage", "not GTP"),
    ("occupied", "illegal", "occupied"),
    ("refuse", "refused", "cannot think"),
]


@pytest.mark.parametrize(("wrong", "reason", "detail"), FAILURES, ids=[row[0] for row in FAILURES])
def test_a_forfeit_keeps_its_transcript_and_the_match_goes_on(
    tmp_path: Path, wrong: str, reason: str, detail: str
) -> None:
    bad = engine(UPPER, "--wrong", wrong, "--at", "2")
    summary = Match(config(engine(), bad), tmp_path, games=4, jobs=2).run()
    assert summary.counts == (4, 0, 0)
    assert summary.forfeits == {"A": {}, "B": {reason: 4}}
    assert summary.repeated == 0
    for row in results(tmp_path):
        assert detail in row["detail"]
        assert row["transcript"] == f"transcripts/{row['number'] + 1:04d}.txt"
        transcript = (tmp_path / row["transcript"]).read_text()
        assert "B> genmove" in transcript
        assert "A> genmove" in transcript
        assert row["result"].endswith("+F")
        read_game((tmp_path / row["sgf"]).read_bytes())


def test_a_loss_on_time_is_recorded(tmp_path: Path) -> None:
    slow = engine(UPPER, "--slow", "0.4")
    wanted = config(engine(), slow, time=TimeSettings.parse("absolute 1"), lag=0.05)
    summary = Match(wanted, tmp_path, games=1).run()
    assert summary.forfeits["B"] == {"time": 1}
    (row,) = results(tmp_path)
    assert row["result"] == "B+T"
    assert row["longest"]["B"] >= 0.4 > row["longest"]["A"]


def test_every_transcript_is_kept_if_asked(tmp_path: Path) -> None:
    Match(config(engine(), engine(UPPER)), tmp_path, games=2, keep_transcripts=True).run()
    assert len(list((tmp_path / "transcripts").iterdir())) == 2


def test_engines_are_started_once_or_for_every_game(tmp_path: Path) -> None:
    for fresh, starts in ((False, 1), (True, 3)):
        log = tmp_path / f"log{fresh}"
        wanted = config(engine(LOWER, "--log", str(log)), engine(UPPER), fresh=fresh)
        Match(wanted, tmp_path / str(fresh), games=3).run()
        assert log.read_text().count("quit") == starts


def test_the_test_ends_the_match(tmp_path: Path) -> None:
    summary = Match(config(engine(), engine("A5 B5")), tmp_path, games=500, sprt=Sprt(0, 400)).run()
    assert summary.verdict == "H1"
    assert 3 <= len(summary.games) < 40
    assert len(Match(config(engine(), engine("A5 B5")), tmp_path, games=500, sprt=Sprt(0, 400)).run().games) == len(
        summary.games
    )


def test_a_decided_test_stays_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that was played meanwhile, and is lost, does not count."""
    decided, counts = threading.Event(), list[int]()

    def play(self: Match, number: int, pair: Any) -> GameResult:
        if number == 1:
            assert decided.wait(30)
        winner = "B" if number == 1 else "A"
        return GameResult(number, number // 2, 5, "AB"[number % 2], winner, "B+1", "area", (str(number),))

    def told_of(result: GameResult, summary: Summary) -> None:
        if summary.verdict and not counts:
            counts.append(len(summary.games))
            decided.set()

    monkeypatch.setattr(Match, "_play", play)
    match = Match(config(engine(), engine(UPPER)), tmp_path, games=50, jobs=2, sprt=Sprt(0, 400))
    summary = match.run(told_of)
    assert (summary.verdict, len(summary.games)) == ("H1", counts[0])


def test_a_folder_that_cannot_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("fcntl.flock", no_locks)
    with pytest.raises(MatchError, match="No locks available; name a folder on a local disk"):
        ResultsFile(tmp_path, {})


def test_who_is_told(tmp_path: Path) -> None:
    seen = []
    match = Match(config(engine(), engine(UPPER)), tmp_path, games=3)
    match.run(lambda result, summary: seen.append((result.number, len(summary.games))))
    assert seen == [(0, 1), (1, 2), (2, 3)]


BAD_STARTS = [
    (["/no/such/engine"], "engine B does not start: '/no/such/engine': No such file"),
    ([sys.executable, "-c", "import sys; sys.exit('no network')"], "exit code 1; its last line on stderr: no network"),
    ([sys.executable, "-c", "print('hello')"], "'hello', which is not GTP"),
    ([sys.executable, str(SCRIPT), "--sizes", "9"], "refused 'boardsize 5': unacceptable size"),
]


@pytest.mark.parametrize(("words", "message"), BAD_STARTS, ids=["missing", "crash", "garbage", "size"])
def test_an_engine_that_cannot_play_stops_the_match_before_it_begins(
    tmp_path: Path, words: list[str], message: str
) -> None:
    with pytest.raises(MatchError) as raised:
        Match(config(engine(), shlex.join(words)), tmp_path / "m", games=1)
    assert message in str(raised.value)
    assert not (tmp_path / "m").exists()


def test_an_engine_that_does_not_start_again_ends_the_match(tmp_path: Path) -> None:
    starter = tmp_path / "engine"
    starter.write_text(f"#!/bin/sh\nrm '{starter}'\nexec {engine(UPPER, '--wrong', 'crash')}\n")
    starter.chmod(0o755)
    with pytest.raises(MatchError, match="engine B does not start"):
        Match(config(engine(), str(starter)), tmp_path / "m", games=3).run()
    assert [row["reason"] for row in results(tmp_path / "m")] == ["crash"]


WRONG = [
    ({"a": ""}, "engine A has no command"),
    ({"a": None}, "engine A is None: give its command line as one text"),
    ({"b": ["gnugo", "--mode", "gtp"]}, "engine B is .*: give its command line as one text"),
    ({"lag": "2"}, "lag is '2'"),
    ({"b": "gnugo 'mode"}, "engine B is"),
    ({"sizes": ()}, "sizes are"),
    ({"sizes": (9, 9)}, "each once"),
    ({"sizes": 9}, "sizes are 9: give one or more"),
    ({"sizes": "9"}, r"^sizes are '9': give one or more in a tuple, such as \(9, 13\)$"),
    ({"sizes": (25,)}, "25"),
    ({"komi": float("nan")}, "komi"),
    ({"rules": "blitz"}, "blitz"),
    ({"rules": Rules("simple")}, "give them as text"),
    ({"time": "absolute 60"}, "time is 'absolute 60': give TimeSettings"),
    ({"fresh": "no"}, "fresh is 'no'"),
    ({"scoring": "coin"}, "choose agreement, playout, area"),
    ({"lag": -1.0}, "lag is -1"),
    ({"patience": 0.0}, "patience is 0"),
    ({"opening": -1}, "opening is -1"),
    ({"opening": 20, "sizes": (9, 5)}, "opening is 20: a 5x5 board has room for at most 9 moves off the edge"),
    ({"opening": 17, "sizes": (4,)}, "opening is 17: a 4x4 board has room for at most 16 moves$"),
    ({"seed": -1}, "seed is -1"),
]


@pytest.mark.parametrize(("changes", "message"), WRONG)
def test_configurations_that_cannot_be(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        MatchConfig(**{"a": "x", "b": "y", **changes})


def test_a_configuration_has_numbers_of_python() -> None:
    given: Any = {"sizes": [np.int64(9), 13], "komi": np.float32(6.5), "opening": np.int8(2), "seed": np.uint8(3)}
    made = MatchConfig("x", "y", **given, lag=np.float32(0.5), patience=np.int64(30))
    assert made == MatchConfig("x", "y", sizes=(9, 13), komi=6.5, opening=2, seed=3, lag=0.5, patience=30.0)
    assert json.loads(json.dumps(made.as_dict()))["sizes"] == [9, 13]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"games": 0}, "games is 0"),
        ({"jobs": 0}, "jobs is 0"),
        ({"config": "foogo gtp"}, "config is 'foogo gtp': give a MatchConfig"),
        ({"sprt": (0, 20)}, r"sprt is \(0, 20\): give foogo.stats.elo.Sprt"),
        ({"folder": 3}, "folder is 3: give the path of a folder"),
    ],
)
def test_matches_that_cannot_be(tmp_path: Path, changes: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"config": MatchConfig("no such engine", "nor this"), "folder": tmp_path, "games": 2}
    with pytest.raises(ArgumentError, match=message):
        Match(**{**given, **changes})


def test_the_folder_may_be_a_text(tmp_path: Path) -> None:
    Match(config(engine(), engine(UPPER)), str(tmp_path / "m"), games=1).run()
    assert len(results(tmp_path / "m")) == 1


# --- the command --------------------------------------------------------------------------------------------


def test_the_command_reports(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = told(capfd, command(tmp_path, engine(), engine(UPPER), "-n", "4", "--sprt", "0,100"))
    assert code == 0
    assert "4 games on 5x5, komi 0.5, tromp-taylor, no clock" in out
    assert "A won 2, drew 0, lost 2: 50.0 % of the points [15.0, 85.0]" in out
    assert "Elo of A over B: +0 [-301, +301], 95 % interval" in out
    assert "test of 0 against 100 Elo: not decided; LLR -" in out
    assert "2 games repeat others move for move" in out
    assert err.count("foogo: game ") == 4
    assert "foogo: game 1: B won, W+0.5 by area, A was Black, 22 moves; A won 0, drew 0, lost 1, LLR -0.33\n" in err


def test_the_command_as_json(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    bad = engine(UPPER, "--wrong", "occupied", "--at", "2")
    code, out, _ = told(capfd, command(tmp_path, engine(), bad, "-n", "2", "--json"))
    document = json.loads(out)
    assert code == 0
    assert (document["command"], document["games"], document["wins"]) == ("match", 2, 2)
    assert document["forfeits"]["B"] == {"illegal": 2}
    assert document["elo"]["value"] is None
    assert document["config"]["komi"] == 0.5


def test_windows_is_told_that_it_cannot(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(os, "killpg")
    monkeypatch.setitem(sys.modules, "fcntl", None)
    folder = tmp_path / "m"
    said = command_line.told(capfd, "match", engine(), engine(), "--folder", folder)
    assert (said.code, said.out) == (2, "")
    assert said.err == "foogo: error: engine A cannot be driven on Windows: run foogo on Linux, macOS or WSL\n"
    with pytest.raises(MatchError, match="matches need Linux, macOS or WSL"):
        ResultsFile(folder, {})
    assert not folder.exists()


WRONG_COMMANDS = [
    (["--games", "0"], "games is 0"),
    (["--jobs", "0"], "jobs is 0"),
    (["--size", "9", "--size", "9"], "each once"),
    (["--size", "5", "--opening", "20"], "opening is 20"),
    (["--time", "soon"], "time system 'soon'"),
    (["--time", "-5"], "'-5'"),
    (["--time", "absolute"], "absolute has 0 numbers"),
    (["--sprt", "10"], "two Elo differences"),
    (["--sprt", "10,0"], "elo0"),
    (["--sprt", "0,10", "--alpha", "1"], "alpha"),
    (["--alpha", "2"], "--sprt"),
    (["--beta", "0.1"], "--sprt"),
    (["--scoring", "coin"], "coin"),
    (["--rules", "blitz"], "blitz"),
]


@pytest.mark.parametrize(("options", "word"), WRONG_COMMANDS, ids=[" ".join(words) for words, _ in WRONG_COMMANDS])
def test_a_wrong_command_is_one_line(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, options: list[str], word: str
) -> None:
    code, out, err = told(capfd, ["match", "a", "b", "--folder", str(tmp_path / "m"), *options])
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("foogo: error: ")
    assert word in err
    assert not (tmp_path / "m").exists()


def test_a_bare_number_is_absolute_time(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    _, out, _ = told(capfd, command(tmp_path, engine(), engine(UPPER), "-n", "1", "--time", "60"))
    assert "time absolute 60" in out


def test_progress_is_drawn_on_a_terminal(tmp_path: Path) -> None:
    words = command(tmp_path, engine(LOWER), engine(UPPER, "--wrong", "occupied", "--at", "3"), "-n", "3", "--json")
    code, out, drawn = OnTerminal(*words).end()
    assert code == 0
    assert "3/3" in drawn
    assert "A won 3, drew 0, lost 0" in drawn
    assert "foogo: game 2: A won, W+F by illegal" in drawn.replace("\r\n", " ")
    assert json.loads(out)["wins"] == 3


def start_slow(folder: Path, games: int = 6) -> subprocess.Popen[str]:
    """A match in its own process, with games that last about a second."""
    words = command(folder, engine(LOWER, "--slow", "0.05"), engine(UPPER, "--slow", "0.05"), "-n", str(games))
    return subprocess.Popen([*FOOGO, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_games(folder: Path, count: int) -> None:
    deadline = time.monotonic() + 120
    path = folder / "results.jsonl"
    while time.monotonic() < deadline and (not path.exists() or path.read_bytes().count(b"\n") < count + 1):
        time.sleep(0.05)


def gone(pids: list[int]) -> bool:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not {one.pid for one in processes() if one.state != "Z"} & set(pids):
            return True
        time.sleep(0.1)
    return False


def test_a_killed_match_goes_on(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    process = start_slow(tmp_path)
    try:
        wait_for_games(tmp_path, 2)
        engines = children(process.pid)
    finally:
        process.kill()
        process.communicate()
    assert len(engines) == 2
    assert gone(engines)
    before = results(tmp_path)
    assert 2 <= len(before) < 6
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"number": 5, "winn')  # a line cut by a killed process
    slow = engine(LOWER, "--slow", "0.05"), engine(UPPER, "--slow", "0.05")
    code, _, _ = told(capfd, command(tmp_path, *slow, "-n", "6"))
    assert code == 0
    after = results(tmp_path)
    assert after[: len(before)] == before
    assert [row["number"] for row in after] == list(range(6))


def test_ctrl_c_ends_the_engines_and_tells_how_to_go_on(tmp_path: Path) -> None:
    process = start_slow(tmp_path)
    try:
        wait_for_games(tmp_path, 1)
        engines = children(process.pid)
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "Traceback" not in err
    kept = len(results(tmp_path))
    assert f"foogo: interrupted: {kept} of 6 games are kept; the same command continues the match" in err
    count = len(results(tmp_path))
    assert f"{count} game{'' if count == 1 else 's'} on 5x5" in out
    assert gone(engines)
    assert all(row["reason"] == "area" for row in results(tmp_path))
