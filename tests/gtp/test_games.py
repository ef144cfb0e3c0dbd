"""Rules, handicap, scores and files over GTP, and values that depend on a search or a clock."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

import numpy as np
import pytest

import foogo
from foogo import PASS, WHITE, Board, Policy, simulate
from foogo.gtp.parameters import parameter, with_parameter
from foogo.player.options import PlayerOptions
from foogo.playout.policies import STRONGEST
from tests.endgames import DEAD_WHITE, SEKI
from tests.gtp_talk import Talk, position
from tests.marks import posix


def test_an_illegal_move_leaves_everything_as_it_was(talk: Talk) -> None:
    talk.setup("boardsize 4", "gogui-play_sequence b b4 w c4 b a3 w b3 b b2 w d3 w c2")
    talk.setup("play b c3")
    before = talk.ask("showboard")
    for command in ("play w c3", "play w b3", "play b b4"):
        assert talk.ask(command) == "? illegal move"
        assert talk.ask("showboard") == before
    talk.setup("kata-set-rules chinese", "boardsize 3", "gogui-play_sequence b a2 b b1 b b2 w c1 w c2 w b3 w a3")
    assert talk.ask("play b a1") == "? illegal move"  # suicide of a string


def test_superko_forbids_a_position_to_come_back(talk: Talk) -> None:
    ko = "gogui-setup b b4 w c4 b a3 w b3 b b2 w d3 w c2"
    for rule, answer in (("POSITIONAL", "? illegal move"), ("SITUATIONAL", "? illegal move"), ("SIMPLE", "= ")):
        talk.setup("boardsize 4", f"kata-set-rule ko {rule}", ko, "play b c3")
        assert talk.ask("list_stones w") == "= C2 D3 C4"
        assert talk.ask("play w b3") == "? illegal move"
        talk.setup("play w pass", "play b pass")
        assert talk.ask("play w b3") == answer


def test_handicap_needs_an_empty_board_and_white_moves_next(talk: Talk) -> None:
    talk.setup("boardsize 9", "play b e5")
    for command in ("fixed_handicap 2", "place_free_handicap 2", "set_free_handicap a1 b2"):
        assert talk.ask(command) == "? board not empty"
    talk.setup("clear_board", "fixed_handicap 2", "komi 0.5")
    assert talk.ask("showboard").endswith("0 moves, komi 0.5, white to play")


@pytest.mark.parametrize(
    ("rules", "score"), [("tromp-taylor", "B+80.5"), ("cgos", "B+80.5"), ("chinese", "B+78.5"), ("aga", "B+79.5")]
)
def test_handicap_is_compensated_as_the_preset_says(talk: Talk, rules: str, score: str) -> None:
    talk.setup("boardsize 9", "komi 0.5", f"kata-set-rules {rules}", "kata-set-rule friendlyPassOk false")
    talk.setup("fixed_handicap 2", "play w pass", "play b pass")
    assert talk.ask("final_score") == f"= {score}"


@pytest.mark.parametrize(("moves", "score"), [(1, "B+80.5"), (2, "B+78.5"), (9, "B+71.5"), (10, "B+80.5")])
def test_two_to_nine_plays_in_a_row_are_compensated_as_handicap(talk: Talk, moves: int, score: str) -> None:
    talk.setup("boardsize 9", "komi 0.5", "kata-set-rules chinese", "kata-set-rule friendlyPassOk false")
    talk.setup(*(f"play b {column}5" for column in "ABCDEFGHJ"[:moves]), *["play b a1"] * (moves == 10))
    talk.setup("play w pass", "play b pass")
    assert talk.ask("final_score") == f"= {score}"


def test_a_position_set_up_by_many_plays_earns_no_compensation(talk: Talk) -> None:
    talk.setup("boardsize 9", "komi 0.5", "kata-set-rules chinese", "kata-set-rule friendlyPassOk false")
    for color, rows in (("b", "12"), ("w", "89")):
        talk.setup(*(f"play {color} {column}{row}" for row in rows for column in "BCDEFGHJ"))
    talk.setup("play b pass", "play w pass")
    assert talk.ask("final_score") == "= W+0.5"


def test_final_score_and_status_agree(talk: Talk) -> None:
    talk.setup("boardsize 9", position(SEKI), "komi 0", "kata-set-rules chinese")
    alive, seki, dead = (talk.ask(f"final_status_list {one}")[2:].split() for one in ("alive", "seki", "dead"))
    black, white = (talk.ask(f"final_status_list {one}_territory")[2:].split() for one in ("black", "white"))
    stones = {color: set(talk.ask(f"list_stones {color}")[2:].split()) for color in "bw"}
    assert set(alive) | set(seki) | set(dead) == stones["b"] | stones["w"]
    assert len(alive) + len(seki) + len(dead) == len(stones["b"] | stones["w"])
    area = {color: len((stones[color] - set(dead)) | set(own)) for color, own in (("b", black), ("w", white))}
    lead = area["b"] - area["w"]
    assert talk.ask("final_score") == f"= {'B' if lead > 0 else 'W'}+{abs(lead)}"


@pytest.mark.parametrize(
    "setup",
    [("boardsize 7", position(DEAD_WHITE), "komi 0.5"), ("boardsize 9", "komi 0.5", "fixed_handicap 2")],
)
@pytest.mark.parametrize("rules", ["chinese", "tromp-taylor"])
def test_all_commands_tell_the_final_score(talk: Talk, setup: tuple[str, ...], rules: str) -> None:
    talk.setup(*setup, f"kata-set-rules {rules}", "play b pass", "play w pass")
    score = talk.ask("final_score").removeprefix("= ")
    assert talk.ask("showboard").endswith(f"over, {score}")
    assert f"RE[{score}]" in talk.ask("printsgf")


def test_the_genmoves_play_and_reg_genmove_does_not(talk: Talk) -> None:
    talk.setup("reg_genmove b")
    assert talk.ask("list_stones b") == "= "
    talk.setup("genmove b", "kgs-genmove_cleanup w", "lz-genmove_analyze b", "kata-genmove_analyze w")
    talk.setup("genmove_analyze b", "cgos-genmove_analyze w")
    black, white = (len(talk.ask(f"list_stones {color}")[2:].split()) for color in "bw")
    assert black == white == 3


def test_a_hopeless_game_is_resigned(talk: Talk) -> None:
    talk.setup("set_position b b2 b b3 b b4 b c2 b c3 b c4 b d2 b d3 b d4", "foogo-param resign 0.05", "komi 0")
    answers = []
    for _ in range(8):
        answers.append(talk.ask("genmove w"))
        if answers[-1] == "= resign":
            break
        talk.ask("play b a1")
        talk.ask("play b e5")
    assert answers[-1] == "= resign"
    assert len(answers) >= 3
    assert "RE[B+R]" in talk.ask("printsgf")


def test_undoing_a_setup_keeps_komi_and_rules(talk: Talk) -> None:
    talk.setup("kata-set-rules chinese", "play b a1", "play w b1", "gogui-setup w c3")
    talk.setup("komi 5.5", "kata-set-rules aga")
    before = talk.ask("kata-get-rules")
    talk.setup("gogui-undo_setup")
    assert talk.ask("list_stones w") == "= B1"
    assert talk.ask("get_komi") == "= 5.5"
    assert talk.ask("kata-get-rules") == before
    talk.setup("clear_board", "kata-set-rules tromp-taylor", "komi 7")
    talk.setup("gogui-play_sequence b a1 w b1 w b2 w a3 b a2", "gogui-setup w c3", "kata-set-rules chinese")
    assert talk.ask("gogui-undo_setup").startswith("? cannot undo setup: the game before violates the rules: ")
    assert talk.ask("list_stones w").endswith("C3")


def test_an_illegal_sequence_of_moves_leaves_an_ended_game_ended(talk: Talk) -> None:
    talk.setup("play b pass", "play w pass")
    before = talk.ask("showboard")
    assert before.endswith("over, W+7")
    assert talk.ask("gogui-play_sequence b a1 w a1") == "? illegal move"
    assert talk.ask("showboard") == before
    talk.setup("gogui-play_sequence b a1 w pass b pass")
    assert "over" in talk.ask("showboard")


@pytest.mark.parametrize("move", ["play w e5", "gogui-play_sequence w e5 b a1"])
def test_a_game_that_continues_after_its_end_has_no_result(talk: Talk, move: str) -> None:
    talk.setup("play b c3", "cgos-gameover B+Resign")
    assert "RE[B+R" in talk.ask("printsgf")
    talk.setup(move)
    assert "RE[" not in talk.ask("printsgf")


# --- files -------------------------------------------------------------------------------------------------


GAME = "(;GM[1]FF[4]SZ[5]KM[3.5];B[cc];W[bb](;B[dd];W[ca])(;B[aa]))"


def test_a_game_is_loaded_up_to_a_move(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "a game.sgf"
    path.write_text(GAME, encoding="utf-8")
    counts = {}
    for until in ("", " 1", " 3", " 5", " 99", " D2"):
        talk.setup(f'loadsgf "{path}"{until}')
        counts[until] = len((talk.ask("list_stones b") + talk.ask("list_stones w")[1:]).split()) - 1
    assert counts == {"": 4, " 1": 0, " 3": 2, " 5": 4, " 99": 4, " D2": 2}
    assert talk.ask("get_komi") == "= 3.5"
    talk.setup(f"loadsgf {path}", f"loadsgf {path} 2")
    assert talk.ask("list_stones b") == "= C3"


def test_a_search_of_a_loaded_position_does_not_depend_on_the_last_one(talk: Talk, tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text(GAME, encoding="utf-8")
    said = []
    for _ in range(2):
        talk.setup(f"loadsgf {path} 3", "genmove b")
        said.append(re.sub(r"in [\d.]+ s", "", talk.ask("gomill-explain_last_move")))
    assert said[0] == said[1]
    assert "500 simulations" in said[0]


@pytest.mark.parametrize(
    ("before", "named", "score"),
    [
        ("tromp-taylor", "Chinese", "B+78.5"),
        ("tromp-taylor", "AGA", "B+79.5"),
        ("tromp-taylor", "cgos", "B+80.5"),
        ("tromp-taylor", "koPOSITIONALscoreAREAtaxNONEsui0", "B+80.5"),
        ("chinese", "Tromp-Taylor", "B+80.5"),
        ("chinese", "", "B+78.5"),
        ("aga", "", "B+79.5"),
        ("cgos", "Chinese", "B+80.5"),  # what printsgf writes under these rules
    ],
)
def test_a_file_brings_the_conventions_of_its_rules(
    talk: Talk, tmp_path: Path, before: str, named: str, score: str
) -> None:
    path = tmp_path / "handicap.sgf"
    path.write_text(f"(;GM[1]SZ[9]KM[0.5]RU[{named}]HA[2]AB[cc][gg];W[];B[])", encoding="utf-8")
    talk.setup(f"kata-set-rules {before}", f"loadsgf {path}")
    assert talk.ask("final_score") == f"= {score}"


def test_a_file_without_komi_leaves_the_komi(talk: Talk, tmp_path: Path) -> None:
    for name, komi in (("none", ""), ("zero", "KM[0]")):
        (tmp_path / f"{name}.sgf").write_text(f"(;GM[1]SZ[5]{komi};B[cc])", encoding="utf-8")
    talk.setup("komi 6.5", f"loadsgf {tmp_path}/none.sgf")
    assert talk.ask("get_komi") == "= 6.5"
    assert talk.ask("gogui-title") == "= none.sgf"
    talk.setup(f"loadsgf {tmp_path}/zero.sgf")
    assert talk.ask("get_komi") == "= 0"
    talk.setup("clear_board")
    assert talk.ask("gogui-title").startswith("? no title")


@posix
def test_a_pipe_is_no_file(talk: Talk, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.sgf")
    for name in (f"{tmp_path}/pipe.sgf", "/dev/zero"):
        answer = talk.ask(f"loadsgf {name}")
        assert answer.startswith("? cannot load file ")
        assert answer.endswith("it is not a regular file")


def test_bad_files_are_refused(talk: Talk, tmp_path: Path) -> None:
    (tmp_path / "text.sgf").write_text("no game at all", encoding="utf-8")
    (tmp_path / "game.sgf").write_text(GAME, encoding="utf-8")
    talk.setup("play b a1")
    for command in ("text.sgf", "game.sgf 0", "game.sgf Z9", "game.sgf E5", "missing.sgf"):
        assert talk.ask(f"loadsgf {tmp_path}/{command}").startswith("? cannot load file ")
    assert talk.ask(f"loadsgf {tmp_path}").startswith("? cannot load file ")
    assert talk.ask("list_stones b") == "= A1"


def test_a_game_is_written(talk: Talk, tmp_path: Path) -> None:
    from sgfmill import sgf

    talk.setup("komi 6.5", "cgos-opponent_name GNU Go", "genmove b", "play w a1", "cgos-gameover W+Resign")
    record = sgf.Sgf_game.from_string(talk.ask("printsgf")[2:])
    root = record.get_root()
    assert (record.get_size(), record.get_komi(), root.get("PB"), root.get("PW")) == (5, 6.5, "foogo", "GNU Go")
    assert root.get("RE") == "W+Resign"
    first, second = record.get_main_sequence()[1:3]
    assert first.get_move() == ("b", (2, 2))
    assert re.search(r"win share \d+\.\d %, [+-]\d+\.\d points", first.get("C"))
    assert not second.has_property("C")
    path = tmp_path / "out.sgf"
    assert talk.ask(f"printsgf {path}") == "= "
    assert path.read_text(encoding="utf-8").strip() == talk.ask("printsgf -")[2:].strip()
    talk.setup("undo", "undo", f"loadsgf {path}")
    assert talk.ask("list_stones w") == "= A1"


# --- values that depend on a search or a clock --------------------------------------------------------------


def test_playouts_are_those_of_the_library(talk: Talk) -> None:
    talk.setup("play b b2", "komi 3.5")
    board = Board(5)
    board.play("B2")
    run = simulate(board, 400, seed=1, policy=STRONGEST)
    expected = [
        "= playouts: 400",
        f"mean lead: {run.mean_score:+.3f} +- {run.se_score:.3f}",
        f"win share: {run.win_share(3.5):.4f}",
        f"moves: {run.mean_moves:.2f}",
        f"cut: {run.cut}",
    ]
    assert talk.ask("foogo-playouts 400").split("\n") == expected
    assert talk.ask("foogo-playouts 400 2").split("\n") == expected
    assert talk.ask("foogo-playouts 1").startswith("= playouts: 1\nmean lead: ")


def board_of(answer: str) -> list[list[str]]:
    first, *rows = answer.split("\n")
    assert first == "= "
    return [row.split(" ") for row in rows]


def test_maps_are_boards_of_the_search(talk: Talk) -> None:
    talk.setup("play b c3", "play w b1")
    session = talk.session
    result = session.player.look()
    visits = {int(row["move"]): str(row["visits"]) for row in result.moves if row["visits"] and row["move"] != PASS}
    cells = [cell for row in reversed(board_of(talk.ask("foogo-visits"))) for cell in row]
    assert cells == [visits.get(point, '""') for point in range(25)]
    colors = [cell for row in reversed(board_of(talk.ask("foogo-win_share"))) for cell in row]
    assert {i for i, color in enumerate(colors) if color != '""'} == set(visits)
    assert all(re.fullmatch(r'""|#[0-9a-f]{6}', color) for color in colors)
    assert "#ff4000" in colors
    assert "#0040ff" in colors
    owned = np.array(board_of(talk.ask("foogo-ownership")), float)[::-1]
    assert np.allclose(owned, session.player.judge().ownership, atol=0.0051)


def test_first_moves_are_worth_what_playouts_say(talk: Talk) -> None:
    rows = board_of(talk.ask("foogo-first_move 300"))
    study = foogo.first_move(5, 300, seed=1, by_point=True)
    assert [[float(cell) for cell in row] for row in reversed(rows)] == study.mean_scores().round(1).tolist()
    assert max(max(row, key=float) for row in rows) <= rows[2][2]


def test_processor_time_only_grows(talk: Talk) -> None:
    for command in ("cputime", "gomill-cpu_time"):
        before = float(talk.ask(command)[2:])
        talk.setup("reg_genmove b")
        assert float(talk.ask(command)[2:]) > before >= 0
        assert re.fullmatch(r"= \d+\.\d{3}", talk.ask(command))


def test_a_move_is_explained(talk: Talk) -> None:
    talk.setup("foogo-param simulations 2000", "genmove b")
    pattern = (
        r"= black C3: win share \d+\.\d %, [+-]\d+\.\d points, 2000 simulations in \d+\.\d\d s, variation C3( \w+)*"
    )
    assert re.fullmatch(pattern, talk.ask("gomill-explain_last_move"))
    talk.setup("boardsize 7", position(DEAD_WHITE), "komi -10", "play w pass", "genmove b")
    assert talk.ask("gomill-explain_last_move").endswith("; it captures dead stones, which would count as alive")


def test_the_engine_describes_itself(talk: Talk) -> None:
    lines = talk.ask("gomill-describe_engine")[2:].split("\n")
    assert lines[0] == f"foogo {foogo.__version__}"
    assert lines[1] == "rules: tromp-taylor, superko=positional suicide=yes scoring=area"
    assert lines[-1] == "moves depend on the seed alone"
    for line in ("seed: 1", "simulations: 500", f"policy: {STRONGEST}", "rave_equivalence: 300"):
        assert line in lines
    assert talk.ask("foogo-param")[2:].replace(" ", ": ") == "\n".join(lines[2:-1])


def test_a_parameter_keeps_its_type_whatever_value_it_has() -> None:
    options = PlayerOptions(policy=Policy(urgent=100), resign=0, lag=1, seconds=2)
    for name, word in (("policy", "uniform"), ("resign", "0.05"), ("lag", "0.5"), ("seconds", "0.5")):
        assert parameter(with_parameter(options, name, word), name) == word


@pytest.mark.parametrize("command", ["foogo-param seconds 5", "foogo-param ponder true", "time_settings 60 0 0"])
def test_the_engine_says_if_its_moves_depend_on_time(talk: Talk, command: str) -> None:
    talk.setup(command)
    assert "moves depend on" not in talk.ask("gomill-describe_engine")


def test_every_parameter_can_be_set_to_what_it_is(talk: Talk) -> None:
    for line in talk.ask("foogo-param")[2:].split("\n"):
        name, value = line.split(" ")
        assert talk.ask(f"foogo-param {name} {value}") == "= ", line
        assert talk.ask(f"foogo-param {name}") == f"= {value}"
    assert talk.ask("foogo-param speed").startswith("? parameter 'speed' is unknown: give threads, seed, policy, ")


def test_time_limits_are_obeyed(talk: Talk) -> None:
    talk.setup("boardsize 9", "foogo-param simulations none", "genmove b", "clear_board")
    talk.setup("time_settings 0 1 1")
    assert quickest(talk, "time_left b 1 1", "genmove b") < 1
    talk.setup("kgs-time_settings absolute 100")
    assert quickest(talk, "time_left w 1 0", "genmove w") < 1
    assert talk.session.player.clocks[WHITE].left < 1


def quickest(talk: Talk, *commands: str) -> float:
    """Seconds of the last command, at best: other programs may delay some of up to five tries."""
    best = float("inf")
    for _ in range(5):
        talk.setup(*commands[:-1])
        began = time.perf_counter()
        talk.setup(commands[-1])
        best = min(best, time.perf_counter() - began)
        if best < 1:
            break
    return best
