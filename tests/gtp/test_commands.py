"""The exact answer of every command of docs/reference/gtp.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import foogo
from foogo import BLACK, PASS, WHITE, Game
from foogo.gtp.command_table import COMMANDS
from foogo.gtp.commands.gogui import ANALYZE
from tests.endgames import DEAD_WHITE
from tests.gtp_talk import Talk, position

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "gtp.md"

# Commands before, the command, its answer.
EXACT: list[tuple[tuple[str, ...], str, str]] = [
    ((), "protocol_version", "= 2"),
    ((), "name", "= foogo"),
    ((), "version", f"= {foogo.__version__}"),
    ((), "known_command genmove", "= true"),
    ((), "known_command fly", "= false"),
    ((), "list_commands", "= " + "\n".join(COMMANDS)),
    ((), "help", "= " + "\n".join(f"{row.usage}: {row.summary}" for row in COMMANDS.values())),
    ((), "echo", "= "),
    ((), "echo  two   words é", "= two   words é"),
    ((), "stop", "= "),
    ((), "clear_cache", "= "),
    ((), "boardsize 7", "= "),
    (("boardsize 7",), "list_stones b", "= "),
    (("boardsize 2",), "all_legal b", "= A1 B1 A2 B2"),
    ((), "boardsize 9 9", "= "),
    (("play b c3",), "clear_board", "= "),
    (("play b c3", "clear_board"), "list_stones b", "= "),
    ((), "komi -3.5", "= "),
    ((), "get_komi", "= 7"),
    (("komi 6.5", "clear_board", "boardsize 9"), "get_komi", "= 6.5"),
    (("komi 6.12345678912",), "get_komi", "= 6.12345678912"),
    (("boardsize 9", "play b e5", "komi 6.123456"), "final_score", "= B+74.876544"),
    (("boardsize 9",), "fixed_handicap 2", "= C3 G7"),
    (("boardsize 9",), "fixed_handicap 9", "= C3 G7 C7 G3 C5 G5 E3 E7 E5"),
    (("boardsize 9",), "place_free_handicap 4", "= C3 G7 C7 G3"),
    ((), "place_free_handicap 2", "= C3 A1"),
    ((), "set_free_handicap a1 b2 E5", "= "),
    (("set_free_handicap a1 b2 e5",), "list_stones black", "= A1 B2 E5"),
    (("set_free_handicap a1 b2 e5", "reg_genmove w"), "undo", "? cannot undo: 0 moves to take back"),
    ((), "play b c3", "= "),
    ((), "play WHITE C3", "= "),
    ((), "play b PASS", "= "),
    (("play b c3",), "undo", "= "),
    (("play b c3", "play b d4"), "gg-undo 2", "= "),
    (("play b c3", "play b d4"), "gg-undo", "= "),
    (("play b c3", "play b d4", "gg-undo"), "list_stones b", "= C3"),
    (("play b c3",), "gg-undo 0", "= "),
    (
        ("play b c3", "play w pass"),
        "showboard",
        "= \n   A B C D E\n 5 . . . . .  5\n 4 . . . . .  4\n 3 . . X . .  3\n 2 . . . . .  2\n 1 . . . . .  1\n"
        "   A B C D E\n2 moves, komi 7, black to play",
    ),
    (("play b c3",), "is_legal w c3", "= 0"),
    (("play b c3",), "is_legal w c4", "= 1"),
    (("play b pass", "play w pass"), "is_legal b c4", "= 1"),
    (("boardsize 2", "play b a1", "play w b2"), "all_legal b", "= B1 A2"),
    (("play b c3", "play w d4", "play b a5"), "list_stones b", "= C3 A5"),
    ((), "time_settings 60 0 0", "= "),
    ((), "time_settings 0 1.5 1", "= "),
    ((), "time_left b 30 0", "= "),
    ((), "kgs-time_settings byoyomi 60 10 3", "= "),
    ((), "kgs-time_settings none", "= "),
    ((), "kata-time_settings fischer-capped 60 1.5 -1 10", "= "),
    ((), "kata-list_time_settings", "= none absolute byoyomi canadian fischer fischer-capped"),
    (
        (),
        "kata-get-rules",
        '= {"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":true,"tax":"NONE",'
        '"whiteHandicapBonus":"0","friendlyPassOk":false}',
    ),
    ((), "kata-set-rules Chinese", "= "),
    (
        ("kata-set-rules chinese",),
        "kata-get-rules",
        '= {"hasButton":false,"ko":"POSITIONAL","scoring":"AREA","suicide":false,"tax":"NONE",'
        '"whiteHandicapBonus":"N","friendlyPassOk":true}',
    ),
    (
        ('kata-set-rules {"ko": "SIMPLE", "suicide": false, "whiteHandicapBonus": "N-1"}',),
        "kata-get-rules",
        '= {"hasButton":false,"ko":"SIMPLE","scoring":"AREA","suicide":false,"tax":"NONE",'
        '"whiteHandicapBonus":"N-1","friendlyPassOk":false}',
    ),
    ((), "kata-set-rule ko situational", "= "),
    ((), "kata-set-rule friendlyPassOk true", "= "),
    (
        ("kgs-rules aga",),
        "kata-get-rules",
        '= {"hasButton":false,"ko":"SITUATIONAL","scoring":"AREA","suicide":false,"tax":"NONE",'
        '"whiteHandicapBonus":"N-1","friendlyPassOk":true}',
    ),
    ((), "kgs-rules new_zealand", "= "),
    ((), "kgs-game_over", "= "),
    ((), "cgos-gameover B+3.5", "= "),
    ((), "cgos-opponent_name GNU Go", "= "),
    ((), "cgos-opponent_rating 1800?", "= "),
    ((), "cgos-opponent_rating", "= "),
    ((), "gogui-analyze_commands", "= " + "\n".join(ANALYZE)),
    ((), "gogui-interrupt", "= "),
    ((), "gogui-title", "? no title: no file was loaded, and no opponent was named"),  # GoGui takes its own file
    (("cgos-opponent_name GNU Go",), "gogui-title", "= foogo against GNU Go"),
    (("kata-set-rules tromp taylor",), "kgs-rules chinese", "= "),
    ((), "gogui-play_sequence b c3 w pass b c4", "= "),
    ((), "gogui-play_sequence", "= "),
    (("gogui-play_sequence b c3 w d4",), "list_stones w", "= D4"),
    ((), "gogui-setup b c3 w d4", "= "),
    (("gogui-setup b c3 w d4", "gogui-setup e c3 b e5"), "list_stones b", "= E5"),
    (("play b a1", "gogui-setup b c3", "gogui-undo_setup"), "list_stones b", "= A1"),
    (("play b a1", "gogui-setup b c3"), "gogui-undo_setup", "= "),
    ((), "gogui-setup_player w", "= "),
    (("gogui-setup_player w",), "foogo-playable", "= " + " ".join(
        f"{column}{row}" for row in range(1, 6) for column in "ABCDE"
    )),
    ((), "set_position b c3 w d4", "= "),
    (("set_position b c3 w d4",), "list_stones w", "= D4"),
    (("play b c3",), "set_position", "= "),
    (("play b c3", "set_position"), "list_stones b", "= "),
    ((), "get_random_seed", "= 1"),
    ((), "set_random_seed 18446744073709551615", "= "),
    ((), "foogo-seed", "= 1"),
    ((), "foogo-seed 77", "= "),
    (("foogo-seed 77",), "get_random_seed", "= 77"),
    ((), "foogo-param simulations", "= 500"),
    ((), "foogo-param exploration 0.25", "= "),
    (("foogo-param exploration 0.25",), "foogo-param exploration", "= 0.25"),
    (("foogo-param exploration 0", "foogo-param simulations none"), "foogo-param simulations", "= none"),
    (("foogo-param ponder true",), "foogo-param ponder", "= true"),
    (("foogo-param ponder false",), "foogo-param first_play_urgency", "= inf"),
    (("play b a1", "play w b1"), "foogo-playable w", "= " + " ".join(
        f"{column}{row}" for row in range(1, 6) for column in "ABCDE" if f"{column}{row}" not in ("A1", "B1")
    )),
    (
        ("play b a1", "play w b1", "play b b2", "play w c1"),
        "foogo-strings",
        "= black A1 (1 liberty: A2)\nwhite B1 C1 (2 liberties: D1 C2)\nblack B2 (3 liberties: A2 C2 B3)",
    ),
    ((), "foogo-strings", "= "),
    (
        ("boardsize 3", "play b a1", "play w b1", "play b b2"),
        "foogo-liberties",
        '= \n"" "" ""\n"" 3 ""\n1 1 ""',
    ),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese", "komi 0.5"), "final_score", "= B+6.5"),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese", "komi 7"), "final_score", "= 0"),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese"), "final_status b1", "= dead"),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese"), "final_status a7", "= black_territory"),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese"), "final_status_list dead", "= B1"),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese"), "final_status_list seki", "= "),
    (("boardsize 7", position(DEAD_WHITE)), "final_status_list white_territory", "= F2 F5 F7"),
    (("boardsize 7", position(DEAD_WHITE)), "final_status_list black_territory", "= A1 B1 C1 A2 B2 C2 A5 C5 A7 C7"),
    (("boardsize 7", position(DEAD_WHITE)), "final_status_list dame", "= "),
    (("boardsize 7", position(DEAD_WHITE), "play b pass", "play w pass"), "final_status_list dead", "= "),
    (("boardsize 7", position(DEAD_WHITE), "play b pass", "play w pass", "komi 1"), "final_score", "= W+1"),
    (
        ("boardsize 3", "set_position b b3 b b2 b b1 w c3 w c2", "play b pass", "play w pass"),
        "final_status_list alive",
        "= B1 B2 B3\nC2 C3",
    ),
    (("boardsize 7", position(DEAD_WHITE), "kata-set-rules chinese", "play w pass", "komi -10"), "genmove b", "= pass"),
    (("foogo-param simulations 4000",), "genmove b", "= C3"),
    (("foogo-param simulations 4000",), "reg_genmove w", "= C3"),
    ((), "gomill-explain_last_move", "= "),
]  # fmt: skip


@pytest.mark.parametrize(("before", "command", "answer"), EXACT, ids=[" / ".join((*b, c))[:90] for b, c, _ in EXACT])
def test_a_command_answers_exactly(talk: Talk, before: tuple[str, ...], command: str, answer: str) -> None:
    talk.setup(*before)
    assert talk.ask(command) == answer


# --- the documentation -------------------------------------------------------------------------------------


def test_the_documentation_lists_every_command_with_its_arguments() -> None:
    rows = re.findall(r"^\| `([^`]+)` \|", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    documented = [row.replace("\\|", "|") for row in rows]
    usages = {row.usage for row in COMMANDS.values()}
    assert usages <= set(documented)
    assert len([one for one in documented if one.split()[0] in COMMANDS]) == len(COMMANDS)


def test_every_command_is_tested() -> None:
    sources = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    named = {word for source in sources for word in re.findall(r"[\w-]+", source)}
    assert set(COMMANDS) <= named


def test_gogui_shows_only_what_there_is(talk: Talk) -> None:
    for line in ANALYZE:
        kind, label, command = line.split("/")
        assert kind in ("cboard", "sboard", "dboard", "plist", "hstring", "hpstring", "string", "param")
        assert label
        answer = talk.ask(command.replace("%c", "b").replace("10000", "100"))
        assert answer.startswith("="), answer


def test_a_game_object_is_what_was_played(talk: Talk) -> None:
    talk.setup("play b c3", "play w pass", "play w d4")
    game = talk.session.player.game
    assert isinstance(game, Game)
    assert [(turn.color, turn.move) for turn in game.turns] == [(BLACK, 12), (WHITE, PASS), (WHITE, 18)]
