"""A game in the terminal: commands, output, and the end of the game."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from rich.console import Console
from sgfmill import sgf
from typer.testing import CliRunner

from foogo.cli import app, run
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.sgf import read_game
from foogo.player.options import PlayerOptions
from foogo.player.player import Player
from foogo.playout.simulate import simulate
from foogo.search.search import Search
from foogo.stats.estimates import Z95
from foogo.terminal import TerminalGame
from foogo.terminal.rich_boards import board_text, hint_legend, hint_lines, hint_text, legend_text

FOOGO = [sys.executable, "-c", "from foogo.cli import main; main()"]
OPTIONS = ["--size", "5", "--simulations", "200", "--seed", "1"]


class Desk:
    """A game with prepared input lines."""

    def __init__(self, *lines: str, human: int = BLACK, size: int = 5, save: Path | None = None) -> None:
        self._lines = iter(lines)
        self._out = io.StringIO()
        self.player = Player(size, "chinese", 0.5, PlayerOptions(simulations=200, seed=1))
        console = Console(file=self._out, width=60, color_system=None)
        self.game = TerminalGame(self.player, human, console, self._ask, save)
        self.prompts: list[str] = []

    def _ask(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            return next(self._lines)
        except StopIteration:
            raise EOFError from None

    def play(self) -> str:
        self.game.run()
        return self._out.getvalue()


def test_moves_are_answered() -> None:
    desk = Desk("C3", "quit")
    said = desk.play()
    assert [turn.color for turn in desk.player.game.turns] == [BLACK, WHITE]
    assert "You are Black; help lists what you can type." in said
    assert "Black plays C3\nWhite plays " in said
    drawn = said.split("   A B C D E\n")
    assert Board.from_diagram(drawn[-2]).stones(BLACK).count() == 1
    assert "(O)" in drawn[-2]
    assert desk.prompts == ["Black to play> ", "Black to play> "]


def test_white_waits_for_foogo() -> None:
    desk = Desk("quit", human=WHITE)
    assert "Black plays " in desk.play()
    assert desk.prompts == ["White to play> "]


def test_the_end_of_the_input_ends_cleanly() -> None:
    desk = Desk()
    assert desk.play().endswith("\n\n")
    assert desk.game.result == ""


REFUSED = [
    ("Z9", "vertex 'Z9' is not on a 5x5 board: columns are A-E, rows 1-5; help lists what else you can type"),
    ("i5", "vertex 'i5' is not on a 5x5 board"),
    ("C3", "black cannot play C3: the point is occupied"),
    ("play C4", "'play C4' is not understood: help lists what you can type"),
    ("save", "save needs a file: save game.sgf"),
    ("save /no/such/folder/x.sgf", f"cannot write {str(Path('/no/such/folder/x.sgf'))!r}: no such file"),
    ("save a\0b", "cannot write 'a\\x00b': embedded null"),
    ("\x1b[31m\x00 \udcff", "is not understood"),
    ("x" * 5000, "is not on a 5x5 board"),
]


@pytest.mark.parametrize(("line", "answer"), REFUSED, ids=[line[:20] for line, _ in REFUSED])
def test_what_cannot_be_is_said_and_changes_nothing(line: str, answer: str) -> None:
    desk = Desk("C3", line, "", "   ")
    assert answer in desk.play()
    assert len(desk.player.game.turns) == 2


def test_undo_takes_back_the_answer_too() -> None:
    desk = Desk("undo", "C3", "B2", "undo", "quit")
    said = desk.play()
    assert "nothing to undo: you have not moved yet" in said
    assert [turn.move for turn in desk.player.game.turns][:1] == [12]
    assert len(desk.player.game.turns) == 2


def test_undo_after_foogo_began() -> None:
    desk = Desk("undo", "quit", human=WHITE)
    assert "nothing to undo" in desk.play()
    assert len(desk.player.game.turns) == 1


def test_undo_goes_back_behind_the_end() -> None:
    desk = Desk("C3", "resign", "D4", "undo", "D4", "quit")
    said = desk.play()
    assert "Black resigns; the result is W+R" in said
    assert "the game is over (W+R): undo takes a move back, quit ends" in said
    assert desk.game.result == ""
    assert desk.prompts[2] == "game over> "
    assert [turn.color for turn in desk.player.game.turns] == [BLACK, WHITE]


def test_undo_takes_back_a_resignation_before_the_first_move() -> None:
    desk = Desk("resign", "undo", "undo", "C3", "quit")
    assert "nothing to undo: you have not moved yet" in desk.play()
    assert desk.game.result == ""
    assert len(desk.player.game.turns) == 2


def test_two_passes_are_scored(tmp_path: Path) -> None:
    desk = Desk(*["pass"] * 60, f"save {tmp_path / 'a.sgf'}", human=BLACK)
    said = desk.play()
    assert desk.game.result.startswith(("B+", "W+"))
    assert f"the result is {desk.game.result}" in said
    assert said.count("Black passes") < 60
    assert sgf.Sgf_game.from_bytes((tmp_path / "a.sgf").read_bytes()).get_root().get("RE") == desk.game.result


def test_foogo_resigns_what_is_lost() -> None:
    desk = Desk(*["pass"] * 5)
    desk.player.options = PlayerOptions(simulations=200, seed=1, resign=0.4, resign_moves=1)
    desk.player.set_position(Board.from_diagram("X X X X .\nX X X X X\n. X X X X\nX X X X X\nX X X X ."))
    said = desk.play()
    assert "White resigns; the result is B+R" in said


def test_a_hint_shows_shares_and_lines() -> None:
    desk = Desk("hint", "quit")
    said = desk.play()
    rows = [line for line in said.splitlines() if line[:2] in (" 1", " 2", " 3", " 4", " 5")][5:]
    assert len(rows) == 5
    assert any(part.isdigit() and int(part) > 5 for row in rows for part in row.split()[1:-1])
    assert " %  " in said
    assert " points  " in said
    assert desk.player.game.turns == ()


def test_a_hint_without_a_search_says_why() -> None:
    assert "the position is solved:\nA1    100 %   +0.5 points  A1 " in Desk("hint", "quit", size=2).play()
    desk = Desk("hint", "quit")
    desk.player.set_position(Board.from_diagram("X X . X X\nX X X X X\nX X X X X\nX X X X X\nX . X X X"))
    assert "every point is settled:\npass  100 %   +1.5 points  pass" in desk.play()


def test_the_score_so_far() -> None:
    desk = Desk("score", "quit")
    desk.player.set_position(Board.from_diagram(". X X X .\nX X X X X\nX X X X X\nX X X X X\nX . O . X"))
    assert "Black is ahead by 24.5; dead: C1 (10,000 playouts, Black wins 100 %)" in desk.play()


def test_the_score_of_an_even_game() -> None:
    desk = Desk("score", "quit")
    desk.player.set_position(Board.from_diagram(". X X X .\nX X X X X\nX X X X X\nX X X X X\nX . O . X"))
    desk.player.komi = 25.0
    assert "the score is even; dead: C1 (10,000 playouts, " in desk.play()


def test_ctrl_c_during_the_score_keeps_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("foogo.terminal.terminal_game.simulate", stop)
    assert "interrupted" in Desk("score", "quit").play()


def test_the_score_of_an_open_game_is_from_playouts() -> None:
    desk = Desk("score", "quit", size=5)
    said = desk.play()
    played = simulate(5, 10_000, seed=1, suicide=False, policy="patterns")
    lead, share = played.mean_score - 0.5, played.win_share(0.5)
    assert f"Black is ahead by {lead:.1f} ±{Z95 * played.se_score:.1f} (10,000 playouts, Black wins " in said
    assert f"wins {100 * share:.0f} %)" in said


def test_the_score_of_a_finished_game_is_its_result() -> None:
    desk = Desk(*["pass"] * 60, "score")
    assert f"the game is over: {desk.game.result}" in desk.play() or desk.game.result
    assert f"the game is over: {desk.game.result}" in desk._out.getvalue()


def test_the_game_is_introduced() -> None:
    desk = Desk("quit")
    said = desk.play()
    assert said.startswith("5x5, komi 0.5, chinese rules; foogo: 200 simulations per move, policy patterns\n")
    assert "X Black, O White, ( ) the last move" in said


def test_captures_are_counted() -> None:
    desk = Desk("B1", "quit")
    desk.player.set_position(Board.from_diagram(". . . . .\n. . . . .\n. . . . .\nX . . . .\nO . . . ."))
    said = desk.play()
    assert "captures: Black 0, White 0" in said.partition("Black plays B1")[0]
    assert "captures: Black 1, White 0" in said.partition("Black plays B1")[2]


GUESSES = [
    ("udno", "'udno' is not understood: help lists what you can type; did you mean undo?"),
    ("socre", "did you mean score?"),
    ("play C4", "did you mean C4?"),
    ("hlep me", "did you mean help?"),
]


@pytest.mark.parametrize(("line", "answer"), GUESSES, ids=[line for line, _ in GUESSES])
def test_an_unknown_word_gets_a_hint(line: str, answer: str) -> None:
    assert answer in Desk(line).play()


def test_help_names_every_command() -> None:
    said = Desk("help").play()
    for word in ("undo", "hint", "score", "board", "save", "resign", "pass", "quit"):
        assert word in said


def test_the_game_is_saved_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    said = Desk("C3", "quit", save=path).play()
    assert f"wrote {path}, 2 moves" in said
    game = read_game(path.read_bytes())
    assert (len(game.moves), game.komi) == (2, 0.5)
    root = sgf.Sgf_game.from_bytes(path.read_bytes()).get_root()
    assert (root.get("PB"), root.get("PW")) == ("you", "foogo")


def test_passes_are_moves_of_the_saved_game(tmp_path: Path) -> None:
    desk = Desk(f"save {tmp_path / 'game.sgf'}")
    desk.player.play("pass")
    desk.player.play("C3")
    assert "game.sgf, 2 moves\n" in desk.play()


def test_a_file_name_may_have_spaces_and_quotes(tmp_path: Path) -> None:
    Desk(f"save {tmp_path / 'one game.sgf'}", f'save "{tmp_path / "another game.sgf"}"').play()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["another game.sgf", "one game.sgf"]


def test_a_file_name_may_begin_at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    Desk("save ~/game.sgf").play()
    assert [path.name for path in tmp_path.iterdir()] == ["game.sgf"]


def test_the_game_is_saved_after_ctrl_c(tmp_path: Path) -> None:
    desk = Desk("C3", save=tmp_path / "game.sgf")

    def stop(prompt: str) -> str:
        raise KeyboardInterrupt

    desk.game._ask = stop
    with pytest.raises(KeyboardInterrupt):
        desk.play()
    assert (tmp_path / "game.sgf").exists()


# --- drawing ------------------------------------------------------------------------------------------------


def coloured() -> Console:
    return Console(file=io.StringIO(), force_terminal=True, color_system="truecolor", width=80)


def played(*moves: str, size: int = 9) -> Game:
    game = Game(size)
    for move in moves:
        game.play(move)
    return game


def test_without_colours_the_board_is_a_diagram() -> None:
    board = played("E5", "C3").board
    text = board_text(board, Console(color_system=None)).plain
    assert text == str(board)


@pytest.mark.parametrize("size", [2, 9, 19])
def test_with_colours_stones_are_discs_on_wood(size: int) -> None:
    board = played("A1", "B2", size=size).board
    text = board_text(board, coloured())
    lines = text.plain.splitlines()
    assert text.plain.count("●") == 2
    assert "(●)" in lines[-3]
    assert len({len(line) for line in lines[1:-1]} | {len(lines[1])}) <= 2
    styles = {str(span.style) for span in text.spans}
    assert {"bold #000000 on #dcb35c", "bold #ffffff on #dcb35c"} <= styles


def test_without_colours_in_a_terminal_stones_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    console = coloured()
    board = played("E5", "C3").board
    assert board_text(board, console).plain == str(board)
    assert "X Black, O White" in legend_text(console).plain
    assert "greener" not in hint_legend(Search(played("E5")).run(simulations=20), console)


def test_colours_are_explained() -> None:
    assert legend_text(coloured()).plain.split() == ["●", "Black", "●", "White", "(●)", "the", "last", "move"]
    result = Search(played("E5")).run(simulations=20)
    assert hint_legend(result, coloured()) == "numbers: White's win share in % after the move; greener: more visits"


def test_a_hint_is_warm_where_the_search_looked() -> None:
    result = Search(played("E5", "E3"), seed=1, policy="knowledge").run(simulations=2000)
    text = hint_text(result, coloured())
    assert text.plain.count("●") == 2
    assert any("#2896" in str(span.style) for span in text.spans)  # the most visited move
    plain = hint_text(result, Console(color_system=None)).plain
    assert " X" in plain
    assert " O" in plain
    assert len(hint_lines(result, 2)) == 2


def test_a_hint_on_a_full_board_is_a_pass() -> None:
    game = Game(Board.from_diagram(". X\nX X"))
    result = Search(game).run(simulations=50)
    assert any(line.startswith("pass") for line in hint_lines(result))
    assert result.moves["move"].min() == PASS
    hint_text(result, coloured())


# --- the command --------------------------------------------------------------------------------------------


def test_the_command_reads_a_pipe() -> None:
    result = CliRunner().invoke(app, ["play", *OPTIONS], input="C3\nhint\nundo\nquit\n")
    assert result.exit_code == 0
    assert "Black to play> Black plays C3\nWhite plays " in result.output
    assert "\x1b" not in result.output


def test_the_command_ends_with_its_input() -> None:
    result = subprocess.run(
        [*FOOGO, "play", *OPTIONS], input=b"C3\n\xff\xfe\x00\n", capture_output=True, check=False, timeout=300
    )
    assert result.returncode == 0
    assert b"Black plays C3" in result.stdout
    assert b"Traceback" not in result.stderr


def test_colours_and_handicap() -> None:
    words = ["play", "--size", "9", "--simulations", "50", "--handicap", "3", "--color", "white"]
    result = CliRunner().invoke(app, words, input="E5\nquit\n")
    assert result.exit_code == 0
    assert "White to play> White plays E5\nBlack plays " in result.output
    result = CliRunner().invoke(app, ["play", *OPTIONS, "--color", "random"], input="")
    assert result.exit_code == 0


def test_a_handicap_is_saved(tmp_path: Path) -> None:
    path = tmp_path / "h.sgf"
    words = ["play", "--simulations", "50", "--handicap", "2", "--color", "white", "--komi", "0.5", "--save", str(path)]
    assert CliRunner().invoke(app, words, input="quit\n").exit_code == 0
    root = sgf.Sgf_game.from_bytes(path.read_bytes()).get_root()
    assert (root.get("HA"), root.get("KM"), root.get("PL"), root.get("PW")) == (2, 0.5, "w", "you")


def test_what_is_typed_ahead_is_shown_at_the_next_prompt() -> None:
    """Keys pressed while foogo thinks do not appear between the boards, and are read at the prompt."""
    pytest.importorskip("termios")
    pytest.importorskip("readline")
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    options = ["play", "--size", "5", "--seconds", "1", "--color", "white"]
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "80"}
    process = subprocess.Popen([*FOOGO, *options], stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    shown = bytearray()

    def read_until(text: bytes) -> None:
        while text not in shown:
            shown.extend(os.read(leader, 65536))

    try:
        read_until(b"foogo thinks")
        time.sleep(0.2)
        os.write(leader, b"hel")
        read_until(b"White to play> ")
        thinking = bytes(shown)
        os.write(leader, b"p\nquit\n")
        read_until(b"leave the game")
        process.wait(60)
    finally:
        process.kill()
        process.wait()
        os.close(leader)
    assert b"hel" not in thinking.partition(b"foogo thinks")[2].partition(b"White to play> ")[0]
    assert b"White to play> help\r\n" in bytes(shown)


WRONG = [
    (["--size", "25"], "25"),
    (["--komi", "nan"], "komi"),
    (["--rules", "blitz"], "blitz"),
    (["--color", "green"], "black, white or random"),
    (["--handicap", "1"], "invalid number of stones"),
    (["--handicap", "10"], "2 to 9 stones"),
    (["--simulations", "0"], "simulations is 0"),
    (["--seconds", "0"], "seconds is 0"),
    (["--threads", "0"], "threads is 0"),
    (["--resign", "0.9"], "resign is 0.9"),
    (["--seed", "-1"], "seed is -1"),
    (["--policy", "oracle"], "oracle"),
    (["--save", "/no/such/folder/x.sgf"], "cannot write"),
]


@pytest.mark.parametrize(("options", "word"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_wrong_options(capfd: pytest.CaptureFixture[str], options: list[str], word: str) -> None:
    code = run(["play", *options])
    captured = capfd.readouterr()
    assert (code, captured.out, captured.err.count("\n")) == (2, "", 1)
    assert captured.err.startswith("foogo: error: ")
    assert word in captured.err
