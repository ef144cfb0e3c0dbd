"""SGF: what is read of files of every kind, what is written, and that both agree."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sgfmill import sgf

import foogo
from foogo.errors import ArgumentError, SgfError, SgfWarning
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.rules import Rules
from foogo.game.sgf import annotate_game, player_names, read_game, write_game
from foogo.game.sgf_tree import read_tree


def record(body: str, **properties: str) -> bytes:
    root = "".join(f"{name}[{value}]" for name, value in {"SZ": "9", **properties}.items())
    return f"(;FF[4]GM[1]{root}{body})".encode()


def vertices(game: Game) -> str:
    return " ".join(geometry(game.size).vertex(move) for move in game.moves)


def test_moves_komi_and_rules_are_read() -> None:
    game = read_game(record(";B[ee];W[cc];B[];W[tt]", KM="5.5", RU="AGA"))
    assert vertices(game) == "E5 C7 pass pass"
    assert (game.size, game.komi, game.rules) == (9, 5.5, Rules.from_name("aga"))
    assert game.is_over


RULES = [
    ("Chinese", "chinese"),
    ("chinese", "chinese"),
    ("NZ", "new-zealand"),
    ("New Zealand", "new-zealand"),
    ("Chinese Rules", "chinese"),
    ("Tromp-Taylor", "tromp-taylor"),
    ("cgos", "cgos"),
    ("koPOSITIONALscoreAREAtaxNONEsui1", "tromp-taylor"),
    ("koSITUATIONALscoreAREAtaxNONEsui0", "aga"),
    ("superko=simple suicide=yes scoring=area", "superko=simple suicide=yes"),
    ("Calvinball", "tromp-taylor"),
    ("superko=upside-down", "tromp-taylor"),
    ("", "tromp-taylor"),
]


@pytest.mark.parametrize(("text", "rules"), RULES)
def test_rules_that_are_recognised(text: str, rules: str) -> None:
    assert read_game(record("", RU=text)).rules == Rules.parse(rules)


@pytest.mark.parametrize("text", ["Japanese", "korean"])
def test_territory_rules_are_read_with_a_note(text: str) -> None:
    with pytest.warns(SgfWarning, match=f"^{text.capitalize()} rules score territory: here .* area scoring$") as noted:
        game = read_game(record("", RU=text))
    assert game.rules == Rules.parse("superko=simple suicide=no")
    assert Path(noted[0].filename) == Path(__file__)
    assert read_game(record("", RU=text), rules="aga").rules == Rules.from_name("aga")
    assert read_tree(record("", RU=text)).notes == (str(noted[0].message),)
    assert read_tree(record("")).notes == ()


@pytest.mark.parametrize(
    ("text", "name"), [("Japanese Rules", "Japanese"), ("JP", "Japanese"), ("Korean_rules", "Korean")]
)
def test_other_names_of_territory_rules(text: str, name: str) -> None:
    with pytest.warns(SgfWarning, match=f"^{name} rules score territory"):
        assert read_game(record("", RU=text)).rules == Rules.parse("superko=simple suicide=no")


def test_katago_rules_with_territory_scoring_are_read_with_a_note() -> None:
    with pytest.warns(SgfWarning, match="^the rules of the SGF file score territory: here the game has area scoring$"):
        game = read_game(record("", RU="koSIMPLEscoreTERRITORYtaxSEKIsui0"))
    assert game.rules == Rules.parse("superko=simple suicide=no")


def test_given_rules_replace_those_of_the_file() -> None:
    assert read_game(record("", RU="AGA"), rules="cgos").rules == Rules.from_name("cgos")


def test_komi_is_zero_where_it_is_missing() -> None:
    assert read_game(b"(;SZ[9])").komi == 0


@pytest.mark.parametrize(
    ("written", "program", "komi"),
    [
        ("375", "GNU Go:3.8]AP[foxwq", 7.5), ("650", "foxwq", 6.5), ("50", "foxwq", 0.5), ("0", "foxwq", 0),
        ("6.5", "foxwq", 6.5), ("275", "SGFC:2.0", 5.5), ("375", "mine:1", 375),
    ],
)  # fmt: skip
def test_komi_in_hundredths_is_read_in_points(written: str, program: str, komi: float) -> None:
    assert read_game(f"(;SZ[19]KM[{written}]AP[{program}];B[pd])").komi == komi
    assert read_tree(f"(;SZ[19]KM[{written}]AP[{program}];B[pd])").leaves[0].game().komi == komi


@pytest.mark.parametrize("komi", [7.0, 6.123456789, 1e-7, -1e-300, 1e22, -0.0])
def test_komi_is_written_exactly(komi: float) -> None:
    data = write_game(Game(9, komi=komi))
    assert read_game(data).komi == komi
    assert b"KM[-0]" not in data


SETUP = """
    . . . . .
    . X . . .
    . . O . .
    . . . X .
    . . . . ."""


def test_setup_stones_are_the_start() -> None:
    game = read_game(record("AB[bb][dd]AW[cc]PL[W];W[ee]", SZ="5"))
    assert game.start == Board.from_diagram(SETUP, WHITE)
    assert vertices(game) == "E1"


def test_setup_stones_as_a_rectangle() -> None:
    assert read_game(record("AB[aa:ca]", SZ="5")).start.stones(BLACK).count() == 3


@pytest.mark.parametrize(
    ("properties", "body", "first"),
    [
        ({}, "", BLACK),
        ({}, ";B[aa]", BLACK),
        ({}, ";W[aa]", WHITE),
        ({"PL": "W"}, "", WHITE),
        ({"PL": "White"}, "", WHITE),
        ({"PL": "B"}, ";W[aa]", BLACK),
        ({"HA": "2"}, "AB[cc][gg]", WHITE),
        ({"HA": "2"}, "AB[cc][gg];B[ee]", BLACK),
        ({"HA": "0"}, "", BLACK),
        ({"HA": "1" * 5000}, "", WHITE),
        ({"HA": "lots"}, "", BLACK),
    ],
)
def test_who_moves_first(properties: dict[str, str], body: str, first: int) -> None:
    assert read_game(record(body, **properties)).start.to_play == first


def test_stones_set_up_later_begin_the_game_anew() -> None:
    game = read_game(record(";B[aa];W[bb];AE[aa]AB[cc];B[dd]", SZ="5"))
    assert vertices(game) == "D2"
    assert (
        str(game.board)
        == """\
   A B C D E
 5 . . . . .  5
 4 . O . . .  4
 3 . . X . .  3
 2 . . .(X).  2
 1 . . . . .  1
   A B C D E"""
    )


@pytest.mark.parametrize(
    ("body", "first"),
    [
        (";B[aa];AB[cc];B[dd]", BLACK),
        (";B[aa];AB[cc]PL[W];B[dd]", WHITE),
        (";B[aa];AB[cc];C[a comment];B[dd]", BLACK),
        (";B[aa];AB[cc]", WHITE),
        (";B[aa];W[bb];AB[cc];W[dd]", WHITE),
    ],
)
def test_who_moves_first_after_stones_set_up_later(body: str, first: int) -> None:
    assert read_game(record(body, SZ="5")).start.to_play == first
    line = read_tree(record(body, SZ="5")).main_line
    assert next(node for node in line if "AB" in node.properties).game().to_play == first


def test_a_turn_handed_over_keeps_the_history() -> None:
    game = read_game(record(";B[aa];PL[B];B[bb]"))
    assert vertices(game) == "A9 B8"
    assert [turn.color for turn in game.turns] == [BLACK, BLACK]
    assert read_game(record(";B[aa];PL[B]")).to_play == BLACK


def test_moves_of_one_colour_in_a_row() -> None:
    assert [turn.color for turn in read_game(record(";B[aa];B[bb];W[cc]")).turns] == [BLACK, BLACK, WHITE]


def test_play_goes_on_after_two_passes() -> None:
    game = read_game(record(";B[];W[];B[ee];W[];B[]"))
    assert vertices(game) == "pass pass E5 pass pass"
    assert game.is_over


def test_three_passes() -> None:
    assert vertices(read_game(record(";B[ee];W[];B[];W[]"))) == "E5 pass pass pass"


def test_only_the_main_line_is_played() -> None:
    assert vertices(read_game(record(";B[ee](;W[cc];B[gg])(;W[gc])"))) == "E5 C7 G3"


def test_text_around_the_record_and_other_games_are_left_out() -> None:
    assert vertices(read_game(b"From: a server\n\n(;GM[1]SZ[9];B[ee])\n(;SZ[9];B[aa])")) == "E5"


@pytest.mark.parametrize(
    ("until", "moves"),
    [
        (None, "E5 C7 pass G3 C7"),
        (1, ""),
        (3, "E5 C7"),
        (6, "E5 C7 pass G3 C7"),
        ("4", "E5 C7 pass"),
        ("g3", "E5 C7 pass"),
        ("C7", "E5"),
        ("pass", "E5 C7"),
    ],
)
def test_until(until: int | str | None, moves: str) -> None:
    data = record(";B[ee];W[cc];B[];W[gg];AE[cc];B[cc]")
    if until in (None, 6):
        assert vertices(read_game(data, until)) == "C7"
    else:
        assert vertices(read_game(data, until)) == moves


def test_a_move_to_stop_before_need_not_be_legal() -> None:
    assert vertices(read_game(record(";B[ee];W[ee]"), until=2)) == "E5"


WRONG = [
    (b"", None, "not an SGF"),
    (b"\x00\xff" * 100, None, "not an SGF"),
    (b"hello (; world", None, "not an SGF"),
    (b"(;SZ[9];B[ee]", None, "not an SGF"),
    (b"(;SZ[9]CA[klingon];B[ee])", None, "cannot be in 'KLINGON', which CA names: it must extend ASCII"),
    (b"(;SZ[9]CA[];B[ee])", None, "cannot be in '', which CA names"),
    (b"(;SZ[9]CA[\xff\x00];B[ee])", None, "cannot be in .*, which CA names"),
    (b"(;SZ[9]CA[rot13];B[ee])", None, "which CA names: it must extend ASCII, as UTF-8 does"),
    (b"(;SZ[9]CA[base64];B[ee])", None, "cannot be in 'BASE64'"),
    (b"(;SZ[9]CA[UTF-16];B[ee])", None, "cannot be in 'UTF-16'"),
    (b"(;SZ[9]CA[idna];B[ee])", None, "cannot be in 'IDNA'"),
    (b"(;GM[11]SZ[9])", None, "GM is '11'"),
    (b"(;SZ[9:13])", None, r"has a board of 9x13 \(SZ\): only square boards"),
    (b"(;GM[3]SZ[8:7];B[e2e4])", None, "GM is '3', chess, and Go is 1"),
    (b"(;GM[77])", None, "GM is '77', and Go is 1"),
    (b"(;SZ[nine])", None, "^the size of the SGF file is 'nine': SZ must be a number from 2 to 19$"),
    (b"(;SZ[])", None, "size of the SGF file is '': SZ must be"),
    (b"(;SZ[1_9])", None, "size of the SGF file is '1_9': SZ must be"),
    (b"(;SZ[" + b"1" * 5000 + b"])", None, "size of the SGF file is '1{80}': SZ must be"),
    (b"(;SZ[52])", None, r"cannot be played \(SZ\): board size 52 is not possible: .* from 2 to 19"),
    (b"(;SZ[25:25])", None, "board size 25 is not possible"),
    ("no/such/file.sgf", None, "cannot read the SGF file 'no/such/file.sgf': no such file"),
    ("a\0b", None, "cannot read the SGF file"),
    (b"(;SZ[25])", None, "25"),
    (b"(;SZ[1])", None, "1 is not possible"),
    (b"(;SZ[9];B[zz])", None, "move 1 .* not on the board: black at 'zz'"),
    (b"(;SZ[9];B[ee];W[e])", None, "move 2"),
    (b"(;SZ[9];B[ee]W[cc])", None, r"move 1 of the SGF file is 'B\[ee\] W\[cc\]': a node must have a single move"),
    (b"(;SZ[9];B[ee];W[cc][dd])", None, r"move 2 of the SGF file is 'W\[cc\] W\[dd\]'"),
    (b"(;SZ[9];B[ee];W[ee])", None, "move 2 .* white cannot play E5"),
    (b"(;SZ[9]KM[much])", None, "'much'"),
    (b"(;SZ[9]KM[nan])", None, "'nan'"),
    (b"(;SZ[2]AB[aa][ab][ba][bb])", None, "no liberty"),
    (b"(;SZ[9]AB[zz])", None, "cannot be"),
    (b"(;SZ[9]AB[cc:aa])", None, r"cannot be: 'AB\[cc:aa\]' has something other than points .* and rectangles"),
    (b"(;SZ[9]AW[aa]AE[a:b:c])", None, r"cannot be: 'AW\[aa\] AE\[a:b:c\]' has something other than points"),
    (b"(;SZ[9]KM[6_5];B[ee])", None, "the komi of the SGF file is '6_5': KM must be a number of points"),
    (b"(;SZ[9];B[ee])", 3, "move number 3 .* 1 move: 1 stops before the first, 2 after the last"),
    (b"(;SZ[9];B[ee])", 0, "move number 0"),
    (b"(;SZ[9];B[ee])", "D4", "no move at D4 .* 1 move"),
    (b"(;SZ[9];B[ee])", "Z4", "'Z4' is not on a 9x9 board"),
    (b"(;SZ[9];B[ee])", "-1", "'-1'"),
    (b"(;SZ[9];B[ee])", "1" * 5000, "'1{80}' is not on a 9x9 board"),
]


@pytest.mark.parametrize("size", ["9", "9:9", " 9 ", "9 : 9", "09"])
def test_sizes_of_square_boards(size: str) -> None:
    data = f"(;SZ[{size}];B[ee])"
    assert read_game(data).size == read_tree(data).size == 9
    assert read_game(annotate_game(data, comments={1: "here"})).size == 9


@pytest.mark.parametrize(("data", "until", "message"), WRONG)
def test_wrong_files_are_refused(data: bytes | str, until: int | str | None, message: str) -> None:
    with pytest.raises(SgfError, match=message) as raised:
        read_game(data, until)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_written_is_read_again(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice([2, 3, 5, 9, 13, 19])
    rules = rng.choice([*Rules.names(), "superko=simple suicide=yes"])
    game = Game(size, rules, rng.choice([0, 6.5, -3, 7.25, 1000000.5]))
    for _ in range(rng.randrange(4 * size)):
        if game.is_over:
            game.resume()
        color = rng.choice([None, None, None, BLACK, WHITE])
        points = list(game.legal(color).search(1))
        game.play(rng.choice(points) if points and rng.random() < 0.9 else PASS, color)
    comments = {len(game.turns): "end ]\\ : ; äß 碁", 0: "start"} if game.turns else {0: "start"}
    data = write_game(game, black="A [1]", white="白", result="B+R", comments=comments, date="2024-05-01", event="E")
    again = read_game(data)
    assert (again.turns, again.komi, again.rules) == (game.turns, game.komi, game.rules)
    assert again.board == game.board
    root = sgf.Sgf_game.from_bytes(data).get_root()
    assert (root.get("PB"), root.get("PW"), root.get("RE")) == ("A [1]", "白", "B+R")
    assert (root.get("DT"), root.get("EV"), root.get("C")) == ("2024-05-01", "E", "start")
    assert root.get("AP")[0] == "foogo"
    nodes = sgf.Sgf_game.from_bytes(data).get_main_sequence()
    assert nodes[-1].get("C") == comments[len(game.turns)]


def test_a_first_move_out_of_turn_leaves_the_start_as_it_was() -> None:
    game = Game(5, "new-zealand")
    game.play("C3", WHITE)
    assert read_game(write_game(game)) == game


def test_a_turn_changed_after_the_last_move_is_written() -> None:
    game = Game(5)
    for move in ("C3", "pass", "pass"):
        game.play(move)
    game.to_play = BLACK
    assert read_game(write_game(game, comments={3: "the end"})) == game
    game.undo()
    assert b"PL" not in write_game(game)


def test_a_handicap_is_written_as_one() -> None:
    board = Board.from_diagram(". . . .\n . X . .\n . . X .\n . . . .", WHITE)
    data = write_game(Game(board, komi=0.5))
    root = sgf.Sgf_game.from_bytes(data).get_root()
    assert root.get("HA") == 2
    assert root.get("AB") == {(2, 1), (1, 2)}
    assert read_game(data).start == board


def test_a_set_up_position_with_white_stones_is_no_handicap() -> None:
    board = Board.from_diagram(SETUP, WHITE)
    root = sgf.Sgf_game.from_bytes(write_game(Game(board))).get_root()
    assert not root.has_property("HA")
    assert root.get("PL") == "w"
    assert read_game(write_game(Game(board))).start == board


def test_nothing_is_written_that_was_not_said() -> None:
    root = sgf.Sgf_game.from_bytes(write_game(Game(9))).get_root()
    assert sorted(root.properties()) == ["AP", "CA", "FF", "GM", "KM", "RU", "SZ"]


def test_a_comment_past_the_end_is_refused() -> None:
    with pytest.raises(ArgumentError, match="after 1 turns: the game has 0"):
        write_game(Game(9), comments={1: "x"})


def test_a_board_is_no_game() -> None:
    with pytest.raises(ArgumentError, match=r"^an SGF file needs a Game, not Board\[3\]: Game\(board\) makes one"):
        write_game(Board(3))  # type: ignore[arg-type]


@pytest.mark.parametrize("texts", [{"black": 5}, {"white": 5}, {"result": 5}, {"event": 5}, {"comments": {0: 5}}])
def test_names_and_comments_are_texts(texts: dict[str, Any]) -> None:
    with pytest.raises(ArgumentError, match="^a name, result or comment in an SGF file is a text, not 5$"):
        write_game(Game(9), **texts)


@pytest.mark.parametrize("until", [1.5, 1.0, True, b"1"])
def test_the_move_to_stop_before_is_a_whole_number_or_a_vertex(until: Any) -> None:
    with pytest.raises(ArgumentError, match="^until is .*: it must be the number of a move, from 1, or a vertex"):
        read_game(b"(;SZ[9];B[ee])", until)


def test_annotations_leave_everything_else_as_it_was() -> None:
    data = record("PB[somebody]XX[private];B[ee]C[mine]LB[aa:1](;W[cc])(;W[gg]C[theirs])")
    added = annotate_game(data, comments={1: "yours", 2: "good"}, variations={1: [geometry(9).point("C3"), PASS]})
    file = sgf.Sgf_game.from_bytes(added)
    assert file.get_root().get_raw("XX") == b"private"
    first = file.get_root()[0]
    assert first.get("C") == "mine\n\nyours"
    assert first.get_raw("LB") == b"aa:1"
    moves = [child.get_move() for child in first]
    assert moves == [("w", (6, 2)), ("w", (2, 6)), ("w", (2, 2))]
    assert first[1].get("C") == "theirs"
    assert first[0].get("C") == "good"
    assert first[2][0].get_move() == ("b", None)
    assert vertices(read_game(added)) == vertices(read_game(data)) == "E5 C7"


@pytest.mark.parametrize(("encoding", "name"), [("Big5", "許功蓋"), ("Shift_JIS", "ソ表"), ("GBK", "乗俓")])
def test_characters_may_have_the_bytes_of_brackets_and_backslashes(encoding: str, name: str) -> None:
    data = f"(;SZ[9]CA[{encoding}]PB[{name}];B[ee]C[{name}];W[cc]C[{name}\\]{name}])".encode(encoding)
    tree = read_tree(data)
    assert vertices(read_game(data)) == "E5 C7"
    assert (tree.black, tree.leaves[0].comment) == (name, f"{name}]{name}")
    added = annotate_game(data, comments={1: "mine"})
    assert [node.comment for node in read_tree(added).main_line] == ["", f"{name}\n\nmine", f"{name}]{name}"]
    added = annotate_game(f"(;SZ[9]CA[{encoding}];B[ee])".encode(), comments={1: name})
    assert f"CA[UTF-8]SZ[9];B[ee]C[{name}])" in added.decode()


@pytest.mark.parametrize(
    ("named", "used", "name"),
    [
        ("gb2312", "gbk", "李誠"),  # 誠 is in GBK alone and ends in the byte of a backslash
        ("gb2312", "gbk", "昇"),
        ("Shift_JIS", "cp932", "①十"),
        ("EUC-KR", "cp949", "갂"),
    ],
)
def test_an_encoding_named_narrowly_is_read_widely(named: str, used: str, name: str) -> None:
    game = f"(;SZ[9]CA[{named}]PB[{name}]KM[7.5];B[ee]C[{name}];W[cc])".encode(used)
    tree, read = read_tree(game), read_game(game)
    assert (tree.black, read.komi, vertices(read)) == (name, 7.5, "E5 C7")
    assert read_tree(annotate_game(game, comments={1: "mine"})).main_line[1].comment == f"{name}\n\nmine"


def test_a_character_that_is_cut_hides_no_sign() -> None:
    game = b"(;SZ[9]CA[gb2312]PB[" + "李诚".encode("gb2312")[:3] + b"]KM[7.5];B[ee]C[\xd5];W[cc])"
    assert (read_game(game).komi, vertices(read_game(game))) == (7.5, "E5 C7")


def test_a_byte_outside_the_encoding_hides_no_sign_elsewhere() -> None:
    game = b"(;SZ[9]CA[GBK]BR[9\xff]KM[7.5];B[ee]C[" + "誠".encode("gbk") + b"];W[cc])"
    assert (read_game(game).komi, vertices(read_game(game))) == (7.5, "E5 C7")
    assert read_tree(game).root.properties["BR"] == ("9\ufffd",)


def test_annotations_keep_the_character_set_of_the_file() -> None:
    data = "(;CA[gb2312]SZ[9]PB[棋手];B[ee])".encode("gb2312")
    added = annotate_game(data, comments={1: "win share 50.0 %"})
    assert "棋手".encode("gb2312") in added
    assert sgf.Sgf_game.from_bytes(added).get_last_node().get("C") == "win share 50.0 %"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"(;SZ[9]PB[Ren\xe9];B[ee])", "René"),
        (b"(;CA[gb2312]SZ[9]PB[\xc6\xe5\xff];B[ee])", "棋\ufffd"),
        (b"(;CA[UTF-8]SZ[9]PB[\xe7\xa2\x81];B[ee])", "碁"),
        (b"(;SZ[9]PB[\xe7\xa2\x81];B[ee])", "碁"),
        (b"(;CA[ISO-8859-1]SZ[9]PB[\xe7\xa2];B[ee])", "ç¢"),
    ],
)
def test_a_file_becomes_utf_8_if_a_comment_needs_it(before: bytes, after: str) -> None:
    tree = read_tree(annotate_game(before, comments={1: "→ é \ud800"}))
    assert (tree.black, tree.leaves[0].comment) == (after, "→ é ?")
    assert tree.root.properties["CA"] == ("UTF-8",)


def test_annotations_follow_comments_that_cannot_be_decoded() -> None:
    added = annotate_game(b"(;CA[UTF-8][UTF-8]SZ[9];B[ee]C[\xff\\]][b])", comments={1: "c"})
    assert b"C[\xff\\]\n\nb\n\nc]" in added
    assert read_tree(added).leaves[0].comment == "\ufffd]\n\nb\n\nc"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"comments": {2: "x"}}, "a comment after 2 turns: the game has 1"),
        ({"variations": {2: [0]}}, "a variation after 2 turns: the game has 1"),
        ({"variations": {1: [0, 81]}}, "point 81 is not on a 9x9 board: points are 0-80"),
        ({"variations": {1: [-3]}}, "point -3 is not on a 9x9 board"),
        ({"bad_moves": [0]}, "no move 0 to mark as bad: the game has 1 move$"),
        ({"bad_moves": [2]}, "no move 2 to mark as bad"),
        ({"bad_moves": [1.0]}, r"no move 1\.0 to mark as bad"),
        ({"comments": {1.0: "x"}}, r"a comment after 1\.0 turns"),
        ({"comments": {1: 5}}, "a name, result or comment in an SGF file is a text, not 5"),
        ({"comments": ["x"]}, "comments are .'x'.: give them by the number of turns before them"),
        ({"variations": [[0]]}, "variations are .*: give them by the number of turns before them"),
        ({"variations": {0: 5}}, "the variation after 0 turns is 5: give points"),
        ({"bad_moves": 1}, "bad_moves are 1: give the numbers of moves"),
    ],
)
def test_annotations_off_the_game_or_the_board_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        annotate_game(record(";B[ee]"), **changes)


def test_comments_that_are_no_dict_are_refused() -> None:
    wrong: Any = ["x"]
    with pytest.raises(ArgumentError, match="comments are .'x'."):
        write_game(Game(9), comments=wrong)


def test_a_file_is_bytes_text_or_a_path(tmp_path: Path) -> None:
    text = "(;SZ[9]CA[UTF-8]PB[\u9ec4]KM[6.5];B[ee];W[cc])"
    path = tmp_path / "game.sgf"
    path.write_bytes(text.encode())
    for source in (text, text.encode(), bytearray(text.encode()), path, str(path)):
        game = read_game(source)
        assert vertices(game) == "E5 C7"
        assert game.komi == 6.5
        assert player_names(source) == ("\u9ec4", "")
        assert read_tree(source).black == "\u9ec4"
        assert read_game(annotate_game(source, comments={1: "here"})) == game
    assert player_names("(;SZ[9]PB[\u9ec4])")[0] == "\u9ec4"
    assert player_names("(;CA[klingon]SZ[9]PB[\u9ec4\ud800])")[0] == "\u9ec4?"
    path.write_bytes("(;CA[gb2312]SZ[9]PB[\u68cb])".encode("gb2312"))
    assert player_names(path) == player_names(str(path)) == ("\u68cb", "")
    with pytest.raises(ArgumentError, match="an SGF file is bytes, text or a path, not int"):
        read_game(9)  # type: ignore[arg-type]


TREE = """
(;SZ[5]AB[aa]PW[me]RE[W+R];W[cc]C[centre];B[bb]
    (;W[dd];B[ee](;W[])(;W[ab]))
    (;C[a note];W[cc])
    (;W[bd]MA[aa][bb]))
"""


def test_a_tree_keeps_variations_and_comments() -> None:
    tree = read_tree(TREE)
    assert (tree.size, tree.white, tree.result, tree.rules) == (5, "me", "W+R", Rules())
    assert len(list(tree.nodes())) == 10
    assert [vertices(leaf.game()) for leaf in (tree.leaves[0], tree.leaves[1], tree.leaves[3])] == [
        "C3 B4 D2 E1 pass", "C3 B4 D2 E1 A4", "C3 B4 B2",
    ]  # fmt: skip
    with pytest.raises(SgfError, match="move 3 of the SGF file is illegal: .* C3: the point is occupied"):
        tree.leaves[2].game()
    assert tree.main_line[-1].game() == read_game(TREE)
    second = tree.root.children[0]
    assert (second.color, second.move, second.comment) == (WHITE, 12, "centre")
    assert second.parent is tree.root
    assert tree.leaves[2].parent is not None
    assert (tree.leaves[2].parent.move, tree.leaves[2].parent.comment) == (None, "a note")
    assert tree.leaves[3].properties == {"W": ("bd",), "MA": ("aa", "bb")}
    assert tree.root.game().board == read_game(TREE).start
    assert tree.leaves[0].game(rules="aga").rules == Rules.from_name("aga")
    assert repr(second) == "<Node: white C3, 1 child>"


def test_texts_are_unescaped_and_bytes_outside_the_encoding_are_replaced() -> None:
    data = b"(;CA[UTF-8]SZ[9]PB[A \\[1\\]]PW[\xff\n!]RE[?]C[\xff\n\\\\][b])"
    tree = read_tree(data)
    assert (tree.black, tree.white) == player_names(data) == ("A [1]", "\ufffd !")
    assert (tree.result, tree.root.comment) == ("?", "\ufffd\n\\")


def test_a_long_tree_is_read_and_copied() -> None:
    moves = "".join(f";{color}[]" for _ in range(3000) for color in "BW")
    tree = read_tree(f"(;SZ[5]{moves})")
    for one in (tree, copy.deepcopy(tree), pickle.loads(pickle.dumps(tree))):
        assert len(one.main_line) == len(one.leaves[0].path) == 6001


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
@pytest.mark.parametrize(
    "source",
    [
        TREE,
        b"(;SZ[9];B[ee])",
        "(;SZ[9]CA[klingon]PB[\u9ec4];B[ee]C[\u9ec4 \\] \\\\])",
        "(;SZ[9:9]PB[\u9ec4];B[ee]C[a\nb])".encode(),
        b"(;SZ[9]PB[\xff];B[ee]C[\xe4])",
        b"(;SZ[9]CA[UTF-8]PB[\xff];B[ee])",
        "(;SZ[9]CA[gb2312]RU[Japanese]PB[\u68cb];B[ee])(;SZ[5])".encode("gb2312"),
    ],
)
def test_trees_and_nodes_are_copied(source: bytes | str, copied: Callable[[Any], Any]) -> None:
    tree = read_tree(source)
    leaf = tree.leaves[-1]
    again, node, nodes = copied([tree, leaf, list(tree.nodes())])
    assert again is not tree
    assert node is again.leaves[-1]
    assert all(one is two for one, two in zip(nodes, again.nodes(), strict=True))
    for name in ("size", "rules", "black", "white", "result", "notes"):
        assert getattr(again, name) == getattr(tree, name)
    for one, two in zip(tree.nodes(), again.nodes(), strict=True):
        assert (one.color, one.move, one.comment, one.properties) == (two.color, two.move, two.comment, two.properties)
    assert copied(leaf).game() == node.game() == leaf.game()
    assert copy.copy(leaf) is leaf


def test_a_tree_with_a_move_off_the_board() -> None:
    with pytest.raises(SgfError, match="move 2 of the SGF file is not on the board: white at 'zz'"):
        read_tree("(;SZ[5];B[aa](;W[bb])(;W[zz]))")


def test_the_module_is_there_when_it_is_first_used() -> None:
    assert foogo.sgf.read_tree is read_tree
    assert foogo.sgf.read_game is read_game
    assert {"env", "gtp", "sgf"} <= set(dir(foogo))


@pytest.mark.parametrize("text", ["", " \n"])
def test_empty_text_is_not_taken_for_a_path(text: str) -> None:
    with pytest.raises(SgfError, match="empty"):
        read_game(text)
