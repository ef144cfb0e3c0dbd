"""Surplus arguments are ignored, as GNU Go ignores them; missing ones are errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.gtp_talk import Talk

GAME = b"(;GM[1]FF[4]SZ[5]KM[6.5];B[cc];W[bb];B[dd])"

SURPLUS = [
    ("name please", "name"),
    ("protocol_version 2", "protocol_version"),
    ("known_command play b", "known_command play"),
    ("get_komi 7", "get_komi"),
    ("showboard now", "showboard"),
    ("is_legal b c3 0", "is_legal b c3"),
    ("all_legal b 1 2 3", "all_legal b"),
    ("list_stones w x", "list_stones w"),
    ("reg_genmove b 5", "reg_genmove b"),
    ("final_score 0", "final_score"),
    ("final_status_list alive all", "final_status_list alive"),
    ("gg-undo 0 1", "gg-undo 0"),
    ("foogo-playouts 100 1 fast", "foogo-playouts 100 1"),
    ("foogo-param playouts 4 4", "foogo-param playouts 4"),
    ("foogo-playable b w", "foogo-playable b"),
    ("time_left b 60 0 0", "time_left b 60 0"),
]


@pytest.mark.parametrize(("command", "plain"), SURPLUS, ids=[command for command, _ in SURPLUS])
def test_surplus_arguments_are_ignored(talk: Talk, command: str, plain: str) -> None:
    talk.setup("foogo-param simulations 2000")
    answer = talk.ask(plain)
    assert answer.startswith("=")
    assert talk.ask(command) == answer


def test_moves_are_made_and_undone(talk: Talk) -> None:
    talk.setup("clear_board now", "komi 6.5 0", "play b c3 5")
    assert talk.ask("genmove w 5").startswith("= ")
    assert talk.ask("list_stones b") == "= C3"
    assert talk.ask("undo 0") == "= "
    assert talk.ask("undo 1 2") == "= "
    assert talk.ask("undo 0") == "? cannot undo: 0 moves to take back"
    assert talk.ask("get_komi") == "= 6.5"


def test_settings_are_made(talk: Talk) -> None:
    talk.setup("kata-set-rules chinese now", "set_random_seed 5 6", "time_settings 60 10 5 1")
    assert talk.ask("get_random_seed") == "= 5"
    assert '"suicide":false' in talk.ask("kata-get-rules")
    talk.setup("kgs-time_settings absolute 60 5", "kata-time_settings none 0")
    assert talk.ask("boardsize 5 5 5") == "= "
    assert talk.ask("boardsize 5 7") == "? unacceptable size"
    assert talk.ask("boardsize 5 now") == "= "


def test_files_are_loaded(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "a.sgf").write_bytes(GAME)
    for command in (f"loadsgf {tmp_path}/a.sgf 2 now", f'loadsgf "{tmp_path}/a.sgf" 2 now'):
        talk.setup(command)
        assert talk.ask("list_stones b") == "= C3"
        assert talk.ask("list_stones w") == "= "
    assert talk.ask("loadsgf " + "x" * 5000 + " 2 3").startswith("? cannot load file ")


@pytest.mark.parametrize(
    ("value", "book"),
    [
        ("my book.json", "my book.json"),
        ('"my book.json"', "my book.json"),
        ('"my book.json" now', "my book.json"),
        ('a "b" c.json', 'a "b" c.json'),
        ("my  book.json ", "my  book.json"),
        ("shipped now", "shipped"),
        ("none now", "none"),
    ],
)
def test_a_book_may_have_spaces_in_its_name(talk: Talk, value: str, book: str) -> None:
    talk.setup(f"foogo-param book {value}")
    assert talk.ask("foogo-param book") == f"= {book}"


def test_quit_ends() -> None:
    with Talk() as talk:
        assert talk.ask("quit now") == "= "
        with pytest.raises(EOFError):
            talk.ask("name")
