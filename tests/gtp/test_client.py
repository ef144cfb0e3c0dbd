"""The client: typed commands for any engine, with time limits, and failures that say what went wrong."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from foogo.errors import ArgumentError, FoogoError, MatchError, RulesError, SizeError, VertexError
from foogo.game.board import Board
from foogo.game.clock import TimeSettings
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.rules import Rules
from foogo.gtp import Client, EngineFailure
from foogo.gtp.katago_rules import rules_object
from foogo.player.ruleset import Ruleset
from tests.marks import posix

pytestmark = posix

SCRIPT = str(Path(__file__).parents[1] / "scripted_engine.py")

Start = Callable[..., Client]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    clients: list[Client] = []

    def begin(*options: str) -> Client:
        command = [sys.executable, SCRIPT, "--log", str(tmp_path / "log"), *options]
        clients.append(Client(command, label="A", timeout=30))
        return clients[-1]

    yield begin
    for client in clients:
        client.close()


def log(folder: Path) -> list[str]:
    return (folder / "log").read_text().splitlines()


@pytest.mark.parametrize("komi", [float("nan"), "6.5"])
def test_an_impossible_komi_is_an_error_before_anything_is_sent(start: Start, tmp_path: Path, komi: float) -> None:
    engine = start()
    engine.name()
    with pytest.raises(ArgumentError, match="give a finite number of points"):
        engine.new_game(5, komi=komi)
    assert log(tmp_path) == ["name"]


def test_the_usual_commands(start: Start, tmp_path: Path) -> None:
    engine = start("--moves", "B2 A1", "--name", "it", "--score", "W+3.5")
    assert (engine.name(), engine.version()) == ("it", "1")
    engine.new_game(5, komi=6.5)
    engine.play(BLACK, "C3")
    engine.play(WHITE, 0)
    assert engine.genmove(BLACK) == 6
    assert engine.genmove(WHITE) == PASS
    assert engine.final_score() == -3.5
    assert engine.send("name") == "it"
    assert log(tmp_path) == [
        "name", "version", "boardsize 5", "clear_board", "komi 6.5", "play b C3", "play w A1", "genmove b",
        "genmove w", "final_score", "name",
    ]  # fmt: skip


def test_a_client_says_what_it_runs(start: Start) -> None:
    engine = start()
    assert repr(engine).startswith("<Client 'A', ")
    assert SCRIPT in repr(engine)
    assert repr(engine).endswith(", running>")
    engine.close()
    assert repr(engine).endswith(", closed>")


def test_a_game_is_set_up_with_its_start(start: Start, tmp_path: Path) -> None:
    game = Game(Board.from_stones(5, [6, 8], [12], WHITE), "chinese", komi=0.5)
    game.play("A5")
    game.play("pass")
    start("--extra", "kata-set-rules").set_up(game)
    assert log(tmp_path) == [
        "boardsize 5", "clear_board", "list_commands",
        'kata-set-rules {"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE",'
        '"whiteHandicapBonus":"0","friendlyPassOk":false}',
        "komi 0.5",
        "play b B2", "play b D2", "play w C3", "play w A5", "play b pass",
    ]  # fmt: skip


def test_foogo_takes_the_rules() -> None:
    with Client([sys.executable, "-m", "foogo", "gtp", "--rules", "aga"], timeout=120) as engine:
        wanted: list[Rules | str] = [*Rules.names(), "Tromp Taylor", "superko=simple", Rules("simple", False)]
        for rules in wanted:
            engine.new_game(5, rules=rules)
            assert engine.send("kata-get-rules") == rules_object(Ruleset.of(rules))
        engine.set_up(Game(9, "chinese"))
        assert '"suicide":false' in engine.send("kata-get-rules")


def test_a_resignation_is_no_move(start: Start) -> None:
    engine = start("--moves", "resign", "--exact")
    engine.new_game(5)
    assert engine.genmove(BLACK) is None


def test_an_answer_that_is_no_move(start: Start) -> None:
    engine = start("--moves", "Z9", "--exact")
    engine.new_game(5)
    with pytest.raises(EngineFailure, match="it generated 'Z9': vertex 'Z9' is not on a 5x5 board") as raised:
        engine.genmove(BLACK)
    assert raised.value.kind == "garbage"
    assert isinstance(raised.value, FoogoError)
    assert not engine.is_open


def test_time_is_set_by_a_command_that_the_engine_knows(start: Start, tmp_path: Path) -> None:
    engine = start()
    engine.set_time(TimeSettings.parse("absolute 60"))
    assert log(tmp_path)[-1] == "time_settings 60 0 0"
    with pytest.raises(EngineFailure, match="it does not know kata-time_settings"):
        engine.set_time(TimeSettings.parse("fischer 60 2"))


def test_no_time_limit_is_sent_only_after_another(start: Start, tmp_path: Path) -> None:
    engine = start()
    engine.name()
    for time in ("none", "absolute 60", "none", "none"):
        engine.set_time(TimeSettings.parse(time))
    sent = [command for command in log(tmp_path) if command != "list_commands"]
    assert sent == ["name", "time_settings 60 0 0", "time_settings 0 1 0"]


def test_a_limit_for_one_answer(start: Start) -> None:
    engine = start("--slow", "20")
    with pytest.raises(EngineFailure, match=r"no answer to 'genmove b' within 0.30 s") as raised:
        engine.genmove(BLACK, timeout=0.3)
    assert raised.value.kind == "timeout"
    assert not engine.is_open


def test_the_end_of_a_with_block_quits(start: Start, tmp_path: Path) -> None:
    with start() as engine:
        engine.name()
    assert log(tmp_path) == ["name", "quit"]
    assert not engine.is_open
    with pytest.raises(ZeroDivisionError), start() as engine:
        _ = 1 / 0
    assert not engine.is_open


def test_threads_get_the_answers_to_their_own_commands(start: Start) -> None:
    engine = start("--name", "it")
    with ThreadPoolExecutor(2) as threads:
        names = threads.map(lambda _: {engine.name() for _ in range(100)}, range(1))
        versions = threads.map(lambda _: {engine.version() for _ in range(100)}, range(1))
    assert ([*names], [*versions]) == ([{"it"}], [{"1"}])


def test_a_command_on_one_line() -> None:
    with Client(f"'{sys.executable}' '{SCRIPT}' --name 'two words'") as engine:
        assert engine.label == sys.executable
        assert engine.name() == "two words"


def test_bad_arguments(start: Start) -> None:
    for command, message in (("", "an engine needs a command"), ("a 'b", "cannot be read: no closing quotation")):
        with pytest.raises(ArgumentError, match=message):
            Client(command)
    with pytest.raises(ArgumentError, match="timeout is 0: it must be a number above 0, and finite"):
        Client(["x"], timeout=0)
    with pytest.raises(MatchError, match="engine /no/such does not start"):
        Client(["/no/such"])
    engine = start()
    with pytest.raises(ArgumentError, match="has several lines: send one at a time"):
        engine.send("name\nquit")
    for line in ("", " \t", "# hello", " # hello"):
        with pytest.raises(ArgumentError, match="has no command, so no engine answers it"):
            engine.send(line)
    with pytest.raises(SizeError):
        engine.new_game(20)
    with pytest.raises(RulesError, match="superko 'triple' does not exist"):
        engine.new_game(5, rules="superko=triple")
    engine.new_game(5)
    with pytest.raises(VertexError):
        engine.play(BLACK, "F1")
    with pytest.raises(ArgumentError, match="color 3 cannot move"):
        engine.play(3, "A1")
    assert engine.name() == "script"


def test_arguments_of_a_wrong_type_are_named_before_anything_is_sent(start: Start, tmp_path: Path) -> None:
    wrong: Any
    for wrong in (5, [5], None):
        with pytest.raises(ArgumentError, match="give a program and its arguments, as texts"):
            Client(wrong)
    engine: Any = start()
    engine.name()
    for call, message in (
        (lambda: engine.send(5), "the command 5 is not a text"),
        (lambda: engine.send(b"name"), "the command b'name' is not a text"),
        (lambda: engine.send("name", timeout="1"), "timeout is '1': it must be a number of seconds"),
        (lambda: engine.set_up(Board(5)), r"a Game is set up, not Board\[5\]"),
        (lambda: engine.set_time("absolute 60"), "time is 'absolute 60': give TimeSettings"),
        (lambda: engine.new_game(5, rules=5), "unknown rules 5: give Rules or"),
    ):
        with pytest.raises(ArgumentError, match=message):
            call()
    assert log(tmp_path) == ["name"]
    with Client([Path(sys.executable), SCRIPT]) as one:  # type: ignore[list-item]
        assert str(sys.executable) in repr(one)
