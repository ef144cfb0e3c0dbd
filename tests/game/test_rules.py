"""Rule sets by name and by choice; and each row of docs/reference/rules.md, drawn as boards."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from foogo.errors import FoogoError, IllegalMoveError, RulesError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.rules import Rules
from tests import oracle, oracle_playouts

DOCUMENT = Path(__file__).parents[2] / "docs" / "reference" / "rules.md"


@pytest.mark.parametrize(
    ("name", "superko", "suicide"),
    [
        ("tromp-taylor", "positional", True),
        ("chinese", "positional", False),
        ("cgos", "positional", False),
        ("new-zealand", "situational", True),
        ("aga", "situational", False),
    ],
)
def test_each_preset_is_its_row_of_the_docs(name: str, superko: str, suicide: bool) -> None:
    assert Rules.from_name(name) == Rules(superko, suicide, "area")
    assert name in Rules.names()


def test_there_is_no_preset_without_a_row() -> None:
    assert set(Rules.names()) == {"tromp-taylor", "chinese", "cgos", "new-zealand", "aga"}


@pytest.mark.parametrize("name", ["New Zealand", "new_zealand", " NEW-ZEALAND ", "NZ"])
def test_the_spelling_of_a_name_is_free(name: str) -> None:
    assert Rules.from_name(name).superko == "situational"


@pytest.mark.parametrize("superko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [True, False])
def test_text_comes_back_as_the_same_rules(superko: str, suicide: bool) -> None:
    rules = Rules(superko, suicide)
    assert Rules.parse(str(rules)) == rules
    assert Rules.parse(rules) is rules


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("martian", "unknown rules 'martian': choose tromp-taylor, chinese, cgos, new-zealand or aga"),
        ("", "unknown rules ''"),
        ("superko=triple", "superko 'triple' does not exist: choose simple, positional or situational"),
        ("suicide=maybe", "suicide 'maybe' does not exist: choose yes or no"),
        ("scoring=territory", "scoring 'territory' does not exist: choose area"),
        ("komi=7", "'komi=7' is not a rule: rules are superko=, suicide= and scoring="),
    ],
)
def test_wrong_text_is_told_what_would_be_right(text: str, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        Rules.parse(text)


def test_wrong_values_are_told_what_would_be_right() -> None:
    with pytest.raises(RulesError, match="give True or False"):
        Rules(suicide="yes")  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="choose simple, positional or situational"):
        Rules(superko=["simple"])  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="unknown rules 7"):
        Rules.parse(7)  # type: ignore[arg-type]
    with pytest.raises(RulesError, match="unknown rules None: choose tromp-taylor"):
        Rules.from_name(None)  # type: ignore[arg-type]
    assert issubclass(RulesError, (FoogoError, ValueError))


# Each row of docs/reference/rules.md -------------------------------------------------------------------------------


class Case(NamedTuple):
    """A move on a board. Rows of a diagram are divided by slashes, the top one first."""

    row: str
    before: str
    color: int
    move: str
    after: str | None
    """None where the move is illegal."""
    suicide: bool = True
    ko: str | None = None
    ko_after: str | None = None


MOVES = [
    Case("capture", "O X ./. O X/. . O", WHITE, "C3", "O . O/. O ./. . O"),
    Case("capture", ". O X/O X ./X . .", BLACK, "A3", "X . X/. X ./X . ."),
    Case("suicide of one stone", ". O ./O . ./. . .", BLACK, "A3", None),
    Case("suicide of one stone", ". O ./O . O/. O .", BLACK, "B2", None),
    Case("suicide of one stone", ". O ./O . O/. O .", WHITE, "B2", ". O ./O O O/. O ."),
    Case("suicide of a string", ". X O/O O ./. . .", BLACK, "A3", ". . O/O O ./. . ."),
    Case("suicide of a string", ". X O/O O ./. . .", BLACK, "A3", None, suicide=False),
    Case(
        "suicide of a string",
        ". X O ./O O X ./X X . ./. . . .",
        BLACK,
        "A4",
        "X X O ./. . X ./X X . ./. . . .",
        suicide=False,
    ),
    Case("ko", ". X O ./X . X O/. X O ./. . . .", WHITE, "B3", ". X O ./X O . O/. X O ./. . . .", ko_after="C3"),
    Case("ko", ". X O ./X O . O/. X O ./. . . .", BLACK, "C3", None, ko="C3"),
    Case("ko", ". X O ./X O . O/. X O ./. . . .", BLACK, "C3", ". X O ./X . X O/. X O ./. . . .", ko_after="B3"),
    Case("ko", ". X X O/X O O ./. . . ./. . . .", WHITE, "A4", "O . . O/X O O ./. . . ./. . . ."),
    Case("ko", ". X O ./O . X O/. X O ./. . . .", WHITE, "B3", ". X O ./O O . O/. X O ./. . . ."),
    Case("ko", "X . ./O . ./. . .", WHITE, "B3", ". O ./O . ./. . ."),
    Case(
        "pass and ko",
        ". X O ./X O . O/. X O ./. . . .",
        BLACK,
        "pass",
        ". X O ./X O . O/. X O ./. . . .",
        ko="C3",
    ),
    Case(
        "ko and colour",
        ". X O ./X O . O/. X O ./. . . .",
        WHITE,
        "C3",
        ". X O ./X O O O/. X O ./. . . .",
        ko="C3",
    ),
    Case("eye", ". X ./X X ./. . .", BLACK, "A3", "X X ./X X ./. . ."),
    Case("pass", ". X ./X X ./. . .", BLACK, "pass", ". X ./X X ./. . ."),
    Case("first player", "X . ./. . ./. . .", BLACK, "B2", "X . ./. X ./. . ."),
]


@pytest.mark.parametrize("case", MOVES, ids=lambda case: case.row)
def test_moves_on_a_board(case: Case) -> None:
    # Ko binds the player to move, who is not always the one that plays.
    to_play = BLACK if case.row == "ko and colour" else case.color
    board = draw(case.before, to_play, case.ko)
    assert board.is_legal(case.move, case.color, suicide=case.suicide) == (case.after is not None)
    if case.after is None:
        with pytest.raises(IllegalMoveError):
            board.play(case.move, case.color, suicide=case.suicide)
        assert board == draw(case.before, to_play, case.ko)
        return
    board.play(case.move, case.color, suicide=case.suicide)
    assert board == draw(case.after, 3 - case.color, case.ko_after)


@pytest.mark.parametrize("case", MOVES, ids=lambda case: case.row)
def test_the_oracle_moves_as_drawn(case: Case) -> None:
    names = geometry(len(case.before.split("/")))
    ko = names.point(case.ko) if case.ko and case.row != "ko and colour" else None
    before = oracle.from_diagram(case.before.replace("/", "\n"), case.color, ko)
    move = names.point(case.move)
    assert (move == PASS or oracle.is_legal(before, move, case.suicide)) == (case.after is not None)
    if case.after is not None:
        ko_after = names.point(case.ko_after) if case.ko_after else None
        after = oracle.from_diagram(case.after.replace("/", "\n"), 3 - case.color, ko_after)
        assert oracle.after(before, move, case.suicide) == after


KO = ". X O ./X . X O/. X O ./. . . ."
CORNER = ". . . ./O O . ./. O . ./. O . ."


@pytest.mark.parametrize(
    ("row", "start", "color", "rules", "played", "move", "allowed"),
    [
        ("suicide of one stone", ". O ./O . ./. . .", BLACK, "tromp-taylor", "", "A3", False),
        ("suicide of one stone", ". O ./O . ./. . .", BLACK, "new-zealand", "", "A3", False),
        ("suicide of a string", ". X O/O O ./. . .", BLACK, "tromp-taylor", "", "A3", True),
        ("suicide of a string", ". X O/O O ./. . .", BLACK, "new-zealand", "", "A3", True),
        ("suicide of a string", ". X O/O O ./. . .", BLACK, "chinese", "", "A3", False),
        ("suicide of a string", ". X O/O O ./. . .", BLACK, "cgos", "", "A3", False),
        ("suicide of a string", ". X O/O O ./. . .", BLACK, "aga", "", "A3", False),
        ("ko", KO, WHITE, "superko=simple", "B3", "C3", False),
        ("ko", KO, WHITE, "superko=positional", "B3", "C3", False),
        ("ko", KO, WHITE, "superko=situational", "B3", "C3", False),
        ("ko", KO, WHITE, "superko=positional", "B3 D1 A1", "C3", True),
        ("pass and ko", KO, WHITE, "superko=positional", "B3 pass D1", "C3", True),
        ("superko", CORNER, BLACK, "superko=simple", "A1 pass", "A2", True),
        ("superko", CORNER, BLACK, "superko=simple", "A1 pass A2 pass", "A1", True),
        ("superko", CORNER, BLACK, "superko=situational", "A1 pass", "A2", True),
        ("superko", CORNER, BLACK, "superko=situational", "A1 pass A2 pass", "A1", False),
        ("superko", CORNER, BLACK, "superko=positional", "A1 pass", "A2", False),
        ("pass and superko", CORNER, BLACK, "superko=positional", "", "pass", True),
        ("eye", ". X ./X X ./. . .", BLACK, "tromp-taylor", "", "A3", True),
        ("end", CORNER, BLACK, "tromp-taylor", "pass pass", "A1", False),
        ("end", CORNER, BLACK, "tromp-taylor", "pass pass", "pass", False),
        ("end", CORNER, BLACK, "tromp-taylor", "pass A4 pass", "D4", True),
    ],
)
def test_moves_in_a_game(row: str, start: str, color: int, rules: str, played: str, move: str, allowed: bool) -> None:
    game = Game(draw(start, color), rules)
    for vertex in played.split():
        game.play(vertex)
    assert game.is_legal(move) is allowed
    assert f"| {row} |" in DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("diagram", "eyes"),
    [
        (". X ./X X ./. . .", "A3"),
        (". X ./X O ./. . .", ""),
        ("X . X/. X ./. . .", "B3"),
        ("X . X/O X ./. . .", ""),
        (". . . . ./. O X . ./. X . X ./. . X . ./. . . . .", "C3"),
        (". . . . ./. O X . ./. X . X ./. . X O ./. . . . .", ""),
        (". . . . ./. . X . ./. X . . ./. . X . ./. . . . .", ""),
        (". X X ./X X X X/X X X X/X X X .", "A4 D4 D1"),
    ],
)
def test_row_eye(diagram: str, eyes: str) -> None:
    board = draw(diagram)
    expected = {geometry(board.size).point(vertex) for vertex in eyes.split()}
    assert set(board.legal(BLACK).search(1)) - set(board.playable(BLACK).search(1)) == expected
    assert oracle.eyes(oracle.from_diagram(diagram.replace("/", "\n")), BLACK) == expected


def test_row_cut_off() -> None:
    """A playout of the oracle, which all backends agree with."""
    records = [oracle_playouts.playout(set(), set(), 2, number=number) for number in range(20)]
    assert {record.move_count == 12 for record in records} == {True, False}
    assert all(record.cut == (record.move_count == 12) for record in records)


@pytest.mark.parametrize(
    ("diagram", "area", "playout"),
    [
        (". . ./. . ./. . .", 0, 0),
        (". . ./. X ./. . .", 9, 1),
        (". X ./X X O/. O .", 3 + 1 - 2 - 1, 3 + 1 - 2 - 1),
        (". . X/X X O/. O .", 3 + 2 - 2 - 1, 3 - 2 - 1),
        ("X X O/X . O/X X O", 5 - 3, 5 - 3),
    ],
)
def test_row_scoring(diagram: str, area: int, playout: int) -> None:
    diagram = diagram.replace("/", "\n")
    position = oracle.from_diagram(diagram)
    owners = oracle.playout_ownership(position)
    assert Board.from_diagram(diagram).area_score() == area
    assert oracle.area_score(position) == area
    assert owners.count(BLACK) - owners.count(WHITE) == playout


def test_row_komi() -> None:
    board = draw(". . ./. X ./. . .")
    assert board.area_score() == 9
    assert [Game(board, komi=komi).result() for komi in (-0.5, 9, 9.5)] == ["B+9.5", "0", "W+0.5"]


def test_each_row_of_the_document_is_drawn_here() -> None:
    rows = re.findall(r"^\| ([a-z -]+) \|", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    drawn = {case.row for case in MOVES} | {"superko", "pass and superko", "end"}
    drawn |= {"cut-off", "scoring", "playout scoring", "komi"}
    assert set(rows) - {"row"} == drawn


def draw(diagram: str, to_play: int = BLACK, ko: str | None = None) -> Board:
    size = len(diagram.split("/"))
    forbidden = geometry(size).point(ko) if ko else None
    return Board.from_diagram(diagram.replace("/", "\n"), to_play=to_play, ko=forbidden)
