"""One game under the referee: rules, clock, forfeits, and how the end is decided."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foogo.game.clock import Clock, TimeSettings
from foogo.game.geometry import BLACK, WHITE, geometry
from foogo.gtp.client import Client, parse_score
from foogo.gtp.engine_process import EngineFailure
from foogo.match.config import MatchConfig
from foogo.match.referee import Outcome, play_game, set_up
from foogo.match.timekeeping import charge, seconds_left
from tests.marks import posix

pytestmark = posix

SCRIPT = str(Path(__file__).parents[1] / "scripted_engine.py")

# Black fills the middle row of a 3x3 board and owns all of it; White has one stone that looks dead.
BLACK_WINS = "B2 A2 C2"
WHITE_DEAD = "B1"

SIZE = 3
CONFIG = MatchConfig("a", "b", sizes=(SIZE,), komi=0.5, patience=30.0, scoring="area")


class Table:
    """Starts engines and plays games between them."""

    def __init__(self) -> None:
        self.engines: list[Client] = []

    def sit(self, label: str, *options: str) -> Client:
        self.engines.append(Client([sys.executable, SCRIPT, *options], label=label))
        return self.engines[-1]

    def play(self, black: str = "", white: str = "", opening: str = "", **changed: Any) -> Outcome:
        engines = self.sit("A", *black.split("|") if black else ()), self.sit("B", *white.split("|") if white else ())
        points = [geometry(SIZE).point(vertex) for vertex in opening.split()]
        return play_game(*engines, replace(CONFIG, **changed), SIZE, points)


@pytest.fixture
def table() -> Iterator[Table]:
    made = Table()
    yield made
    for engine in made.engines:
        engine.close()


def test_a_game_to_the_end(table: Table, tmp_path: Path) -> None:
    logs = [tmp_path / name for name in ("black", "white")]
    outcome = table.play(f"--moves|{BLACK_WINS}|--log|{logs[0]}", f"--moves|{WHITE_DEAD}|--log|{logs[1]}")
    assert (outcome.winner, outcome.result, outcome.reason, outcome.detail) == (BLACK, "B+4.5", "area", "")
    assert str(outcome.game.board).split()[:3] == ["A", "B", "C"]
    assert len(outcome.seconds) == len(outcome.game.turns) == 7
    setup = "boardsize 3\nclear_board\nlist_commands\nkomi 0.5\n"
    assert logs[0].read_text().startswith(setup + "genmove b\nplay w B1\ngenmove b\nplay w pass\n")
    assert logs[1].read_text().startswith(setup + "play b B2\ngenmove w\nplay b A2\ngenmove w\n")


def test_the_opening_is_played_for_both(table: Table, tmp_path: Path) -> None:
    log = tmp_path / "log"
    outcome = table.play(f"--moves|A2 C2|--log|{log}", "", opening="B2 A1")
    assert "play b B2\nplay w A1\ngenmove b\n" in log.read_text()
    assert outcome.seconds[:2] == [0.0, 0.0]
    assert [turn.move for turn in outcome.game.turns[:3]] == [4, 0, 3]


FORFEITS = [
    ("--wrong|crash", "crash", "F", "exit code 3"),
    ("--wrong|hang", "timeout", "F", "no answer to 'genmove b'"),
    ("--wrong|garbage", "garbage", "F", "not GTP"),
    ("--wrong|refuse", "refused", "F", "cannot think"),
    ("--wrong|nowhere", "illegal", "F", "vertex 'Z99' is not on a 3x3 board"),
]


@pytest.mark.parametrize(("options", "reason", "suffix", "detail"), FORFEITS, ids=[row[1] for row in FORFEITS])
def test_who_fails_has_lost(table: Table, options: str, reason: str, suffix: str, detail: str) -> None:
    outcome = table.play(options, "", patience=3.0)
    assert (outcome.winner, outcome.result, outcome.reason) == (WHITE, f"W+{suffix}", reason)
    assert outcome.detail.startswith("black: ")
    assert detail in outcome.detail
    assert len(outcome.game.turns) == len(outcome.seconds) == 0


def test_an_occupied_point_is_illegal_and_noted(table: Table) -> None:
    outcome = table.play("--moves|B2 A2", "--wrong|occupied|--at|1")
    assert (outcome.winner, outcome.reason) == (BLACK, "illegal")
    assert outcome.detail == "white: white cannot play B2: the point is occupied; play on an empty one"
    assert [turn.move for turn in outcome.game.turns] == [4]
    assert "referee: illegal" in str(table.engines[1].transcript)


SENDING_TWO = ("B1 C2 B2 A3", "A2 B3 A1 A2")  # White takes back two stones with one, which repeats move 5


@pytest.mark.parametrize(("rules", "reason"), [("tromp-taylor", "illegal"), ("superko=simple", "area")])
def test_superko_is_judged_by_our_rules(table: Table, rules: str, reason: str) -> None:
    black, white = (f"--exact|--moves|{moves}" for moves in SENDING_TWO)
    outcome = table.play(black, white, rules=rules)
    assert outcome.reason == reason
    if reason == "illegal":
        assert outcome.winner == BLACK
        assert "repeats the position after 5 moves, which positional superko forbids" in outcome.detail


def test_who_refuses_a_legal_move_has_lost(table: Table) -> None:
    outcome = table.play("--moves|B2", "--wrong|reject|--at|1")
    assert (outcome.winner, outcome.reason) == (BLACK, "refused")
    assert "refused 'play b B2': illegal move" in outcome.detail


def test_who_refuses_the_board_has_lost(table: Table) -> None:
    outcome = table.play("", "--sizes|9")
    assert (outcome.winner, outcome.reason, len(outcome.game.turns)) == (BLACK, "refused", 0)


def test_resignation(table: Table) -> None:
    outcome = table.play("--moves|B2", "--wrong|resign")
    assert (outcome.winner, outcome.result, outcome.reason) == (BLACK, "B+R", "resignation")


def test_the_move_limit_leaves_no_result(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foogo.match.referee.TURNS_PER_POINT", 3 / SIZE**2)
    outcome = table.play(f"--moves|{BLACK_WINS}", f"--moves|{WHITE_DEAD}")
    assert (outcome.winner, outcome.result, outcome.reason) == (None, "Void", "move limit")
    assert len(outcome.game.turns) == 3


def test_the_result_and_the_scores_of_a_fine_komi_are_exact(table: Table, tmp_path: Path) -> None:
    options = f"--moves|{BLACK_WINS}|--score|B+2.876544|--log|{tmp_path / 'log'}", "--score|B+2.876544"
    outcome = table.play(*options, komi=6.123456, scoring="agreement")
    assert (outcome.result, outcome.reason, outcome.scores["referee"]) == ("B+2.876544", "agreement", "B+2.876544")
    assert "komi 6.123456\n" in (tmp_path / "log").read_text()


def test_a_draw(table: Table) -> None:
    outcome = table.play("", "", komi=0)
    assert (outcome.winner, outcome.result) == (0, "0")


SCORES = [
    # scoring, Black says, White says, who cleans up; reason, result
    ("agreement", "B+9", "B+9.0", "", "agreement", "B+9"),
    ("agreement", "0", "0", "", "agreement", "0"),
    ("agreement", "B+9", "W+1", "", "area", "B+4.5"),
    ("agreement", "B+9", "B+8", "", "area", "B+4.5"),
    ("agreement", "B+9", "", "", "area", "B+4.5"),
    ("agreement", "B+9", "who knows", "", "area", "B+4.5"),
    ("agreement", "B+9", "W+1", "both", "played out", "B+8.5"),
    ("agreement", "B+9", "W+1", "black", "area", "B+4.5"),
    ("playout", "B+9", "B+9", "both", "played out", "B+8.5"),
    ("playout", "B+9", "B+9", "", "area", "B+4.5"),
    ("area", "B+9", "B+9", "both", "area", "B+4.5"),
]


@pytest.mark.parametrize(("scoring", "black", "white", "cleaner", "reason", "result"), SCORES)
def test_how_the_end_is_decided(
    table: Table, scoring: str, black: str, white: str, cleaner: str, reason: str, result: str
) -> None:
    options = [f"--moves|{BLACK_WINS}", f"--moves|{WHITE_DEAD}"]
    if cleaner in ("both", "black"):
        options[0] = "--moves|B2 A2 C2 PASS A1 C1|--extra|kgs-genmove_cleanup"
    if cleaner == "both":
        options[1] += "|--extra|kgs-genmove_cleanup"
    outcome = table.play(f"{options[0]}|--score|{black}", f"{options[1]}|--score|{white}", scoring=scoring)
    assert (outcome.reason, outcome.result) == (reason, result)
    assert outcome.scores["referee"] == (result if reason == "played out" else "B+4.5")
    assert outcome.scores.get("white", "") == white


def test_failing_over_the_score_loses_nothing_but_is_noted(table: Table) -> None:
    outcome = table.play(f"--moves|{BLACK_WINS}|--score|hang", "", scoring="agreement", patience=3.0)
    assert (outcome.winner, outcome.reason) == (BLACK, "area")
    assert outcome.detail.startswith("black: no answer to 'final_score'")


def test_scores_are_read() -> None:
    said = ["B+3.5", "w+12", "0", "Draw", "jigo", "B+0.5 (some comment)", "", "?", "W+Resign", "B+", "3.5"]
    assert [parse_score(text) for text in said] == [3.5, -12, 0, 0, 0, 0.5, None, None, None, None, None]


# --- time ---------------------------------------------------------------------------------------------------


def test_a_slow_player_loses_on_time(table: Table) -> None:
    time = TimeSettings.parse("absolute 1")
    outcome = table.play(f"--moves|{BLACK_WINS}|--slow|0.6", "", time=time, lag=0.1)
    assert (outcome.winner, outcome.result, outcome.reason) == (WHITE, "W+T", "time")
    assert "0.50 s, the time left on the clock plus 0.1 s of lag" in outcome.detail.replace("0.49", "0.50")
    assert len(outcome.game.turns) == 2
    assert not table.engines[0].is_open


def test_a_late_move_within_the_lag_is_taken(table: Table) -> None:
    time = TimeSettings.parse("absolute 0.1")
    extra = "--extra|kata-time_settings"
    outcome = table.play(f"--moves|B2|--slow|0.4|{extra}", extra, time=time, lag=20.0)
    assert outcome.reason == "area"


def test_canadian_time_begins_anew(table: Table) -> None:
    time = TimeSettings.parse("canadian 0 20 1")
    assert table.play(f"--moves|{BLACK_WINS}|--slow|0.1", "", time=time, lag=0).reason == "area"


TOLD = [
    ("absolute 300", ["time_settings 300 0 0"], ["time_left b 300 0"]),
    ("absolute 1000000", ["time_settings 1000000 0 0"], ["time_left b 1000000 0"]),
    ("absolute 90.5", ["kata-time_settings absolute 90.5"], ["time_left b 90 0"]),
    ("canadian 60 7.5 5", ["kata-time_settings canadian 60 7.5 5"], ["time_left b 60 0"]),
    ("canadian 60 30 5", ["time_settings 60 30 5"], ["time_left b 60 0"]),
    ("canadian 0 30 5", ["time_settings 0 30 5"], ["time_left b 30 5"]),
    ("byoyomi 60 30 5", ["kgs-time_settings byoyomi 60 30 5"], ["time_left b 60 0"]),
    ("fischer 60 2", ["kata-time_settings fischer 60 2"], ["time_left b 60 0"]),
    ("fischer 0.758 1", ["kata-time_settings fischer 0.758 1"], ["time_left b 0.75 0"]),
    ("none", [], []),
]


@pytest.mark.parametrize(("time", "settings", "left"), TOLD, ids=[row[0] for row in TOLD])
def test_engines_are_told_their_time(
    table: Table, tmp_path: Path, time: str, settings: list[str], left: list[str]
) -> None:
    extra = "--extra|kgs-time_settings kata-time_settings"
    outcome = table.play(f"--log|{tmp_path / 'log'}|{extra}", extra, time=TimeSettings.parse(time))
    assert outcome.reason == "area"
    lines = [line for line in (tmp_path / "log").read_text().splitlines() if "time" in line]
    assert lines == settings + left


def test_an_engine_that_does_not_know_the_kind_of_time(table: Table) -> None:
    engine = table.sit("A")
    config = replace(CONFIG, time=TimeSettings.parse("fischer 60 2"))
    with pytest.raises(EngineFailure, match="kata-time_settings, which the time settings fischer 60 2 need$"):
        set_up(engine, config, SIZE)
    config = replace(CONFIG, time=TimeSettings.parse("absolute 90.5"))
    with pytest.raises(EngineFailure, match="settings absolute 90.5 need; give whole seconds"):
        set_up(engine, config, SIZE)


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ("tromp-taylor", "tromp-taylor\n"),
        ("New Zealand", "new-zealand\n"),
        ("chinese", '{"hasButton":false,"ko":"POSITIONAL"'),  # KataGo's chinese has simple ko
        ("cgos", '{"hasButton":false,"ko":"POSITIONAL"'),
        ("superko=simple suicide=no", '{"hasButton":false,"ko":"SIMPLE"'),
    ],
)
def test_rules_are_told_to_engines_that_can_be(table: Table, tmp_path: Path, rules: str, told: str) -> None:
    log = tmp_path / "log"
    table.play(f"--log|{log}|--extra|kata-set-rules", "", rules=rules)
    assert f"kata-set-rules {told}" in log.read_text()
    assert log.read_text().splitlines()[4] == "komi 0.5"


LEFT = [
    ("absolute 60", 0, 60),
    ("canadian 60 30 5", 0, 90),
    ("canadian 0 30 5", 0, 30),
    ("canadian 0 30 5", 10, 20),
    ("byoyomi 60 30 5", 0, 210),
    ("byoyomi 0 30 3", 0, 90),
    ("byoyomi 0 30 3", 40, 60),
    ("fischer 60 2", 10, 52),
    ("fischer-capped 60 2 100 20", 0, 20),
]


@pytest.mark.parametrize(("time", "spent", "left"), LEFT)
def test_when_a_move_is_late(time: str, spent: float, left: float) -> None:
    clock = Clock(TimeSettings.parse(time))
    if spent:
        assert clock.spend(spent)
    assert seconds_left(clock) == pytest.approx(left)
    assert clock.copy().spend(left - 0.001)
    assert not clock.copy().spend(left + 0.001)
    assert charge(clock.copy(), left + 0.4, lag=0.5)
    assert not charge(clock.copy(), left + 0.6, lag=0.5)


@pytest.mark.parametrize(
    ("time", "left"), [("absolute 60", 0), ("fischer 60 2", 2), ("byoyomi 60 30 5", 30), ("canadian 60 30 1", 30)]
)
def test_a_move_within_the_lag_counts_as_made_at_the_last_moment(time: str, left: float) -> None:
    clock = Clock(TimeSettings.parse(time))
    assert charge(clock, seconds_left(clock) + 0.4, lag=0.5)
    assert clock.left == pytest.approx(left, abs=1e-6)
