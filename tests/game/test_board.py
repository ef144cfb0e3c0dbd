"""`Board`: classes by size, rules of a single move, diagrams, copies, pictures, and what bad input gets."""

from __future__ import annotations

import copy
import pickle
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from bitarray import bitarray, frozenbitarray

import foogo
from foogo import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    ArgumentError,
    Board,
    Game,
    IllegalMoveError,
    PositionError,
    SizeError,
    VertexError,
)
from foogo.game.geometry import geometry

KO = """
    . X O .
    X O . O
    . X O .
    . . . .
"""


def vertices(board: Board, points: frozenbitarray) -> str:
    return " ".join(geometry(board.size).vertex(point) for point in points.search(1))


# --- classes and copies ----------------------------------------------------------------------------------


def test_board_of_a_size_is_a_class() -> None:
    assert Board[9] is Board[9]
    assert issubclass(Board[9], Board)
    assert Board[9].size == 9
    assert type(Board(9)) is type(Board[9]()) is type(Board[9](9)) is Board[9]
    assert Board[9] is not Board[13]
    assert not isinstance(Board(13), Board[9])
    assert Board[9].__name__ == "Board[9]"
    assert Board[np.int64(9)] is Board[9]


def test_threads_get_one_class_of_a_size() -> None:
    class Mine(Board):
        __slots__ = ()

    interval, threads = sys.getswitchinterval(), 8
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(threads) as pool:
            together = threading.Barrier(threads)
            for size in range(2, 20):
                made = pool.map(lambda _, size=size: (together.wait(), Mine[size])[1], range(threads))
                assert set(made) == {Mine[size]}
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.parametrize("size", [1, 20, 9.0, True, "9"])
def test_no_board_of_other_sizes(size: object) -> None:
    with pytest.raises(SizeError):
        Board(size)  # type: ignore[arg-type]
    with pytest.raises(SizeError):
        Board[size]  # type: ignore[index]


def test_a_size_is_needed_and_must_agree() -> None:
    with pytest.raises(SizeError, match=r"Board\(9\) or Board\[9\]\(\)"):
        Board()
    with pytest.raises(SizeError, match=r"use Board\[13\]"):
        Board[9](13)
    with pytest.raises(SizeError, match=r"use Board\[4\]"):
        Board[9].from_diagram(KO)


def pickled(board: Board) -> Board:
    copied: Board = pickle.loads(pickle.dumps(board))
    return copied


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy, pickled])
def test_copies_are_equal_and_independent(duplicate: Callable[[Board], Board]) -> None:
    board = Board.from_diagram(KO, ko="C3")
    copied = duplicate(board)
    assert type(copied) is Board[4]
    assert copied == board
    assert copied.ko == board.ko
    copied.play("A1")
    assert copied != board
    assert board.color_at("A1") == EMPTY


def test_classes_pickle() -> None:
    assert pickle.loads(pickle.dumps(Board[9])) is Board[9]
    assert pickle.loads(pickle.dumps(Board)) is Board


def test_equality_is_of_positions() -> None:
    one, other = Board(5), Board(5)
    for move in ("A1", "B2", "C3", "pass"):
        one.play(move)
    for move in ("C3", "B2", "A1", "pass"):
        other.play(move)
    assert one == other
    assert one.hash == other.hash != 0
    other.to_play = WHITE
    assert one != other
    assert Board.from_diagram(KO, ko="C3") != Board.from_diagram(KO)
    assert Board(5) != Board(6)
    assert Board(5) != "board"
    with pytest.raises(TypeError):
        hash(one)


# --- moves --------------------------------------------------------------------------------------------------


def test_turns_last_move_and_count() -> None:
    board = Board(9)
    assert (board.to_play, board.last_move, board.move_count, board.ko) == (BLACK, None, 0, None)
    board.play("E5")
    assert (board.to_play, board.last_move, board.move_count) == (WHITE, 40, 1)
    board.play(PASS)
    assert (board.to_play, board.last_move, board.move_count) == (BLACK, PASS, 2)
    board.play(np.int64(0), WHITE)
    assert (board.to_play, board.color_at("A1"), board.last_move) == (BLACK, WHITE, 0)
    board.to_play = WHITE
    assert board.to_play == WHITE


MOVES = [
    # before, colour, move, after
    (". . . / . X . / . . .", WHITE, "B2", "occupied"),
    ("X O . / . X . / . . .", BLACK, "C3", "X . X / . X . / . . ."),
    (". O . / O . O / . O .", BLACK, "B2", "single stone"),
    (". X . / X O . / . . .", WHITE, "A3", "single stone"),
    (". X O / X O . / . . .", WHITE, "A3", "O . O / X O . / . . ."),
    (". X O / X O O / O . .", BLACK, "A3", ". . O / . O O / O . ."),
    (". X O . / X X O . / O O O . / . . . .", BLACK, "A4", ". . O . / . . O . / O O O . / . . . ."),
    (". X O . / X X O . / O O O . / . . . .", WHITE, "A4", "O . O . / . . O . / O O O . / . . . ."),
    ("X O O . / . X O . / X O O . / O . . .", BLACK, "A3", ". O O . / . . O . / . O O . / O . . ."),
    ("X X . / X X X / X . X", BLACK, "C3", "X X X / X X X / X . X"),
    ("O O X / . O X / X X X", BLACK, "A2", ". . X / X . X / X X X"),
]


@pytest.mark.parametrize(("before", "color", "move", "after"), MOVES)
def test_a_move(before: str, color: int, move: str, after: str) -> None:
    board = Board.from_diagram(before.replace("/", "\n"), to_play=color)
    unchanged = board.copy()
    if "/" in after:
        assert board.is_legal(move)
        board.play(move)
        np.testing.assert_array_equal(board.to_array(), read(after))
        return
    assert not board.is_legal(move)
    with pytest.raises(IllegalMoveError, match=after):
        board.play(move)
    np.testing.assert_array_equal(board.state, unchanged.state)


def read(diagram: str) -> np.ndarray[tuple[int, int], np.dtype[np.int8]]:
    rows = [[".XO".index(sign) for sign in row.split()] for row in diagram.split("/")]
    return np.array(rows[::-1], dtype=np.int8)


def test_suicide_of_several_stones_can_be_forbidden() -> None:
    board = Board.from_diagram(". X O .\nX X O O\nO O O O\nO O . O")
    assert board.is_legal("A4")
    assert not board.is_legal("A4", suicide=False)
    assert vertices(board, board.legal()) == "A4"
    assert vertices(board, board.legal(suicide=False)) == ""
    with pytest.raises(IllegalMoveError, match="black cannot play A4: it is suicide, which suicide=False"):
        board.play("A4", suicide=False)
    board.play("A4")
    assert board.stones(BLACK).count() == 0


@pytest.mark.parametrize("suicide", ["no", None, 2])
def test_whether_suicide_is_allowed_is_true_or_false(suicide: Any) -> None:
    board = Board.from_diagram(". X O .\nX X O O\nO O O O\nO O . O")
    before = board.copy()
    for ask in (board.play, board.is_legal, lambda _, **given: board.legal(**given)):
        with pytest.raises(ArgumentError, match=f"suicide is {suicide!r}: it must be True or False"):
            ask("A4", suicide=suicide)
    np.testing.assert_array_equal(board.state, before.state)
    assert not board.is_legal("A4", suicide=np.False_)  # type: ignore[arg-type]


def test_ko() -> None:
    board = Board.from_diagram(". X O .\nX . X O\n. X O .\n. . . .", to_play=WHITE)
    board.play("B3")
    c3 = geometry(4).point("C3")
    assert board.ko == c3
    assert not board.is_legal("C3")
    assert not board.legal()[c3]
    assert not board.playable()[c3]
    with pytest.raises(IllegalMoveError, match="black cannot play C3: it retakes a ko at once"):
        board.play("C3")
    assert board.is_legal("C3", WHITE)
    passed = board.copy()
    passed.play("pass")
    assert passed.ko is None
    assert passed.is_legal("C3", BLACK)
    board.play("A1")
    board.play("D1")
    assert board.ko is None
    board.play("C3")
    assert board.ko == geometry(4).point("B3")


def test_ko_holds_only_against_the_colour_it_was_made_against() -> None:
    board = Board.from_diagram(KO, ko="C3")
    assert board.ko is not None
    board.to_play = WHITE
    assert board.ko is None
    board.to_play = BLACK
    assert board.ko is not None
    board.play("A1", WHITE)
    assert board.ko is None


def test_taking_two_stones_or_with_two_stones_is_no_ko() -> None:
    two_taken = Board.from_diagram(". X X O\nX O O .\nX . . .\n. . . .", to_play=WHITE)
    two_taken.play("A4")
    assert two_taken.stones(BLACK).count() == 2
    assert two_taken.liberties_at("A4").count() == 1
    assert two_taken.ko is None
    two_take = Board.from_diagram(". O X .\nX X X .\n. . . .\n. . . .")
    two_take.play("A4")
    assert two_take.stones(WHITE).count() == 0
    assert two_take.ko is None


@pytest.mark.parametrize("move", ["I5", "Z9", "", 81, -2, 4.5, None, True])
def test_no_such_move(move: Any) -> None:
    board = Board(9)
    for use in (board.play, board.is_legal, board.color_at, board.string_at):
        with pytest.raises(VertexError):
            use(move)
    assert board == Board(9)


@pytest.mark.parametrize("color", [0, 3, "black", True])
def test_no_such_color(color: Any) -> None:
    board = Board(9)
    for use in (board.stones, board.playable, board.legal, lambda c: board.play("E5", c)):
        with pytest.raises(ArgumentError, match="colors are BLACK"):
            use(color)
    with pytest.raises(ArgumentError):
        board.to_play = color
    assert board == Board(9)


def test_strings_need_a_stone() -> None:
    board = Board(9)
    with pytest.raises(VertexError, match="point E5 is empty: strings and liberties belong to a stone"):
        board.string_at("E5")
    with pytest.raises(VertexError, match="point E5 is empty"):
        board.liberties_at(40)
    with pytest.raises(VertexError, match="a pass is nowhere"):
        board.color_at(PASS)


def test_sets_are_frozen_and_mix_with_bitarrays() -> None:
    board = Board(9)
    board.play("E5")
    for points in (board.empty, board.stones(BLACK), board.playable(), board.legal(), board.string_at("E5")):
        assert isinstance(points, frozenbitarray)
        assert len(points) == 81
    assert (board.empty | board.stones(BLACK)).all()
    assert (board.empty & bitarray(81)).count() == 0


EYES = [
    # diagram, colour, the empty points that are its eyes
    (". X . . / X X . . / . . . . / . . . .", BLACK, "A4"),
    (". X . . / X O . . / . . . . / . . . .", BLACK, ""),
    (". X . . / X . . . / X O . . / . X . .", BLACK, "A4"),
    (". . X . . / . X . X . / . . X . . / . . . . . / . . . . .", BLACK, "C4"),
    (". O X . . / . X . X . / . . X . . / . . . . . / . . . . .", BLACK, "C4"),
    (". O X O . / . X . X . / . . X . . / . . . . . / . . . . .", BLACK, ""),
    ("X . X . . / O X . . . / . . . . . / . . . . . / . . . . .", BLACK, ""),
    ("X . X . . / . X . . . / . . . . . / . . . . . / . . . . .", BLACK, "B5"),
    (". O / O O", WHITE, "A2"),
]


@pytest.mark.parametrize(("diagram", "color", "eyes"), EYES)
def test_eyes_are_not_playable(diagram: str, color: int, eyes: str) -> None:
    board = Board.from_diagram(diagram.replace("/", "\n"))
    assert vertices(board, board.empty & ~board.playable(color)) == eyes


@pytest.mark.parametrize(
    ("diagram", "score"),
    [
        (". . . / . . . / . . .", 0),
        (". . . / . X . / . . .", 9),
        (". X . / . X O / . X O", 4),
        ("X . O / X . O / X . O", 0),
        (". X . O / X X . O / . . O O / O O O .", -4),
    ],
)
def test_area_score(diagram: str, score: int) -> None:
    assert Board.from_diagram(diagram.replace("/", "\n")).area_score() == score


# --- text and pictures --------------------------------------------------------------------------------------


def test_text_shows_coordinates_and_the_last_move() -> None:
    board = Board(9)
    assert "(" not in str(board)
    for move in ("A1", "J9", "E5"):
        board.play(move)
    lines = str(board).splitlines()
    assert lines[0] == lines[-1] == "   A B C D E F G H J"
    assert lines[1] == " 9 . . . . . . . . O  9"
    assert lines[5] == " 5 . . . .(X). . . .  5"
    assert lines[9] == " 1 X . . . . . . . .  1"
    board.play("pass")
    assert "(" not in str(board)


@pytest.mark.parametrize("size", [2, 3, 9, 10, 19])
def test_text_is_read_back(size: int) -> None:
    board, random = Board(size), np.random.default_rng(size)
    for _ in range(size * size):
        moves = list(board.playable().search(1))
        board.play(int(random.choice(moves)) if moves else PASS)
        again = Board.from_diagram(str(board), to_play=board.to_play, ko=board.ko)
        assert again == board
        assert again.last_move in (board.last_move, None)


def test_diagrams_are_read_freely() -> None:
    plain = Board.from_diagram(". X O\n. + o\n# x .")
    assert plain == Board.from_diagram("\n\n  .XO \n\n ..O\n XX.\n")
    assert plain == Board.from_diagram("  A B C\n3 . X O 3\n2 . . O 2\n1 X X . 1\n  A B C")
    assert Board.from_diagram(". .\n(X) .").last_move == 0


@pytest.mark.parametrize(
    ("diagram", "message"),
    [
        ("", "has 0 rows: a board has 2 to 19"),
        (".", "has 1 rows"),
        ("\n".join(["." * 20] * 20), "has 20 rows"),
        (". .\n. . .", "row 1 of the diagram has 3 points: with 2 rows each needs 2"),
        (". . .\n. . .", "row 2 of the diagram has 3 points"),
        (". ?\n. .", r"character '\?' in row 2 of the diagram: points are"),
        ("X O\nO .", "the black string at A2 has no liberty"),
        ("X X\nX X", "the black string at A1 has no liberty"),
        ("1 . .\n2 . .", "row 2 of the diagram is labelled 1: the top row is 2"),
        ("(X) .\n. (O)", "they mark one point, the last move"),
        ("X) .\n. .", "they mark one point, the last move"),
        (None, "a diagram is text, not NoneType"),
    ],
)
def test_bad_diagrams(diagram: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Board.from_diagram(diagram)


def test_lines_around_a_diagram_are_named() -> None:
    with pytest.raises(PositionError, match="'0 moves, komi 7, black to play' is not a row of the diagram"):
        Board.from_diagram(str(Game(3)))


def test_a_board_is_made_of_colors() -> None:
    wrong: Any
    drawn = Board.from_diagram(KO, to_play=BLACK, ko="C3")
    colors = drawn.to_array().ravel().tolist()
    made = Board.from_colors(4, colors, ko="C3", last_move=5)
    assert isinstance(made, Board[4])
    assert made == drawn
    assert (made.ko, made.last_move, made.move_count, made.hash) == (drawn.ko, 5, 0, drawn.hash)
    small: Any = np.array(colors, np.int8)
    assert Board.from_colors(4, small, ko="C3") == drawn
    for wrong in (colors[1:], [*colors[1:], 3], [*colors[1:], 1.0], [*colors, None], drawn.to_array(), None, 16):
        with pytest.raises(PositionError, match="a 4x4 board needs 16 colors"):
            Board.from_colors(4, wrong)
    with pytest.raises(PositionError, match="the black string at A1 has no liberty"):
        Board.from_colors(2, [BLACK, WHITE, WHITE, EMPTY])


@pytest.mark.parametrize("ko", ["A1", "B3", "D4"])
def test_ko_must_be_possible(ko: str) -> None:
    with pytest.raises(PositionError, match=f"ko at {ko} is not possible for black"):
        Board.from_diagram(KO, ko=ko)
    with pytest.raises(PositionError, match="for white"):
        Board.from_diagram(KO, to_play=WHITE, ko="C3")


def test_the_picture_shows_the_board() -> None:
    board = Board(9)
    board.play("E5")
    board.play("C3")
    picture = ElementTree.fromstring(board._repr_svg_())
    circles = list(picture.iter("{http://www.w3.org/2000/svg}circle"))
    assert len(circles) == 5 + 2 + 1
    assert "last move C3" in picture.attrib["aria-label"]
    texts = {text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")}
    assert texts == {*"ABCDEFGHJ", *map(str, range(1, 10))}


def test_array_interface() -> None:
    board = Board(3)
    board.play("B1")
    board.play("C3")
    expected = [[0, 1, 0], [0, 0, 0], [0, 0, 2]]
    assert board.to_array().tolist() == np.asarray(board).tolist() == expected
    assert board.to_array().dtype == np.int8
    assert np.array(board, dtype=np.float32).dtype == np.float32


def test_repr() -> None:
    assert repr(foogo.Board(9)) == "<Board[9]: 0 black, 0 white, black to play>"
