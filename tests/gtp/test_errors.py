"""Bad input: the error says what was wrong and what is accepted, and the state does not change."""

from __future__ import annotations

import pytest

from tests.gtp_talk import Talk

WRONG = [
    ("fly", "unknown command"),
    ("1e9", "unknown command"),
    ("boardsize", "syntax error: give boardsize SIZE"),
    ("boardsize 1", "unacceptable size"),
    ("boardsize 20", "unacceptable size"),
    ("boardsize 9 13", "unacceptable size"),
    ("boardsize nine", "unacceptable size"),
    ("boardsize -9", "unacceptable size"),
    ("boardsize ９", "unacceptable size"),
    ("boardsize 99999999999999999999", "unacceptable size"),
    ("komi", "syntax error: give komi KOMI"),
    ("komi much", "komi is 'much': it must be a number"),
    ("komi nan", "komi is 'nan': it must be a number"),
    ("komi inf", "komi is 'inf': it must be a number"),
    ("komi 1_0", "komi is '1_0': it must be a number"),
    ("play b", "syntax error: give play COLOR VERTEX"),
    ("play x c3", "invalid color 'x': give black, b, white or w"),
    ("play b z9", "invalid coordinate: vertex 'z9' is not on a 5x5 board: columns are A-E, rows 1-5"),
    ("play b c0", "invalid coordinate: vertex 'c0' is not on a 5x5 board: columns are A-E, rows 1-5"),
    ("play b resign", "invalid coordinate: vertex 'resign' is not on a 5x5 board: columns are A-E, rows 1-5"),
    ("genmove", "syntax error: give genmove COLOR"),
    ("genmove c3", "invalid color 'c3': give black, b, white or w"),
    ("reg_genmove", "syntax error: give reg_genmove COLOR"),
    ("undo", "cannot undo: 0 moves to take back"),
    ("gg-undo 3", "cannot undo: 0 moves to take back"),
    ("gg-undo x", "moves is 'x': it must be a whole number from 0 to 2147483648"),
    ("gg-undo --1", "moves is '--1': it must be a whole number from 0 to 2147483648"),
    ("is_legal b", "syntax error: give is_legal COLOR VERTEX"),
    ("all_legal", "syntax error: give all_legal COLOR"),
    ("list_stones e", "invalid color 'e': give black, b, white or w"),
    ("fixed_handicap 2", "invalid number of stones: a 5x5 board has no fixed handicap"),
    ("fixed_handicap two", "invalid number of stones: stones is 'two': it must be a whole number from 0 to 361"),
    ("place_free_handicap 1", "invalid number of stones: give 2 to 24"),
    ("place_free_handicap 25", "invalid number of stones: give 2 to 24"),
    ("set_free_handicap", "syntax error: give set_free_handicap VERTEX VERTEX..."),
    ("set_free_handicap c3", "bad vertex list: give 2 to 24 points, each once"),
    ("set_free_handicap c3 c3", "bad vertex list: give 2 to 24 points, each once"),
    ("set_free_handicap c3 pass", "bad vertex list: invalid coordinate 'pass': a pass is not a point on the board"),
    ("time_settings 60", "syntax error: give time_settings MAIN PERIOD STONES"),
    ("time_settings -1 0 0", "main time is '-1': it must be a number from 0 to 1.09951e+12"),
    ("time_settings 60 10 1.5", "stones is '1.5': it must be a whole number from 0 to 2147483648"),
    ("time_left b 60", "syntax error: give time_left COLOR SECONDS STONES"),
    ("time_left b x 0", "time is 'x': it must be a number from -1.09951e+12 to 1.09951e+12"),
    ("kgs-time_settings fischer 60 1", "time system 'fischer' is unknown: give none, absolute, byoyomi, canadian"),
    ("kgs-time_settings byoyomi 60", "byoyomi has 1 numbers: give byoyomi MAIN PERIOD PERIODS"),
    (
        "kata-time_settings hourglass 60",
        "time system 'hourglass' is unknown: give none, absolute, byoyomi, canadian, fischer, fischer-capped",
    ),
    (
        "final_status_list sleeping",
        "status 'sleeping' is unknown: give alive, seki, dead, black_territory, white_territory, dame",
    ),
    ("kata-set-rules", "syntax error: give kata-set-rules NAME|JSON"),
    (
        "kata-set-rules japanese",
        "unknown rules 'japanese': give tromp-taylor, chinese, cgos, new-zealand, aga, or a JSON object",
    ),
    ('kata-set-rules {"ko":', "rules '{\"ko\":' are not a JSON object"),
    ('kata-set-rules {"scoring":"TERRITORY"}', "scoring is 'TERRITORY': foogo supports AREA"),
    ('kata-set-rules {"suicide":1}', "suicide is '1': foogo supports true, false"),
    ("kata-set-rule ko TRIPLE", "ko is 'TRIPLE': foogo supports SIMPLE, POSITIONAL, SITUATIONAL"),
    (
        "kata-set-rule komi 7",
        "rule 'komi' is unknown: give ko, suicide, whiteHandicapBonus, friendlyPassOk, scoring, tax, hasButton",
    ),
    ("kgs-rules japanese", "rules 'japanese' are unknown or do not count area: give chinese, aga, new_zealand"),
    ("set_random_seed -1", "seed is '-1': it must be a whole number from 0 to 18446744073709551615"),
    ("foogo-seed x", "seed is 'x': it must be a whole number from 0 to 18446744073709551615"),
    ("foogo-playouts", "syntax error: give foogo-playouts N [THREADS]"),
    ("foogo-playouts 0", "N is '0': it must be a whole number from 1 to 1000000000"),
    ("foogo-param playouts none", "playouts is 'none': it must be a whole number from 0 to 18446744073709551615"),
    ("foogo-param playouts 0", "playouts is 0: it must be a whole number from 1 to 4096; it stays 4"),
    ("foogo-param selection best", "selection 'best' does not exist: choose rave or ucb1; it stays rave"),
    ("foogo-first_move 1", "playouts is '1': it must be a whole number from 2 to 1000000000"),
    ("gogui-play_sequence b", "syntax error: give alternating colors and vertices"),
    ("gogui-play_sequence b c3 w c3", "illegal move"),
    ("gogui-setup b", "syntax error: give gogui-setup [COLOR VERTEX]..."),
    ("gogui-setup b pass", "invalid coordinate 'pass': a pass is not a point on the board"),
    ("gogui-setup b a1 w a2 w b1", "bad position: the black string at A1 has no liberty: leave it one"),
    ("gogui-undo_setup", "cannot undo setup: there was no gogui-setup"),
    ("gogui-setup_player", "syntax error: give gogui-setup_player COLOR"),
    ("set_position b c3 w c3", "bad position: point C3 is given twice: one stone fits on it"),
    ("cgos-gameover", "syntax error: give cgos-gameover RESULT"),
    ("kgs-genmove_cleanup", "syntax error: give kgs-genmove_cleanup COLOR"),
    ("lz-analyze interval", "interval has no value: give one after it"),
    ("lz-analyze minmoves x", "minmoves is 'x': it must be a whole number from 0 to 1000"),
    ("kata-analyze ownership maybe", "ownership is 'maybe': give true or false"),
    (
        "kata-analyze b sideways true",
        "'sideways' is not a color, interval or key: give kata-analyze [COLOR] [INTERVAL] [KEY VALUE]... with keys "
        "interval, minmoves, maxmoves, avoid, allow, ownership, movesOwnership, pvVisits, rootInfo",
    ),
    ("kata-analyze b w", "both colors are given: give the one whose move is analyzed"),
    ("kata-analyze avoid b c3", "avoid has no value: give one after it"),
    ("kata-analyze avoid b c3 1 allow b d4 1", "avoid and allow cannot be given together: give one of them"),
    ("lz-genmove_analyze allow b pass", "allow has no value: give one after it"),
    ("genmove_analyze avoid b x 1", "invalid coordinate: vertex 'x' is not on a 5x5 board: columns are A-E, rows 1-5"),
    ("loadsgf", "syntax error: give loadsgf FILE [MOVE_NUMBER|VERTEX]"),
    ("loadsgf no/such.sgf", "cannot load file 'no/such.sgf': No such file or directory"),
    ("printsgf no/such/folder/x.sgf", "cannot write 'no/such/folder/x.sgf': No such file or directory"),
]  # fmt: skip


@pytest.mark.parametrize(("command", "message"), WRONG, ids=[command[:60] for command, _ in WRONG])
def test_bad_input_is_told_what_was_wrong(talk: Talk, command: str, message: str) -> None:
    before = talk.ask("showboard"), talk.ask("kata-get-rules"), talk.ask("get_komi"), talk.ask("foogo-param")
    assert talk.ask(f"42 {command}") == f"?42 {message}"
    after = talk.ask("showboard"), talk.ask("kata-get-rules"), talk.ask("get_komi"), talk.ask("foogo-param")
    assert after == before


def test_an_unknown_parameter_lists_all_of_them(talk: Talk) -> None:
    names = [line.split()[0] for line in talk.ask("foogo-param").removeprefix("= ").splitlines()]
    assert talk.ask("foogo-param nothing").endswith(f"give {', '.join(names)}")
