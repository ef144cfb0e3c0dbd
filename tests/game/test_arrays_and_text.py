"""Boards and games as arrays, masks, planes, one line of text, and keys of a dict."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from bitarray import bitarray, frozenbitarray
from hypothesis import given, settings
from hypothesis import strategies as st

import foogo
from foogo.errors import ArgumentError, PositionError, SizeError, VertexError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, geometry
from foogo.game.point_set import PointSet

KO = """
    . X O .
    X . X O
    . X O .
    . . . ."""


def played(size: int, seed: int, moves: int) -> Game:
    """A game of random legal moves."""
    game, rng = Game(size), np.random.default_rng(seed)
    for _ in range(moves):
        points = np.flatnonzero(game.legal())
        game.play(int(rng.choice(points)) if len(points) else PASS)
        if game.is_over:
            break
    return game


def test_numpy_sees_sets_of_points_as_masks() -> None:
    board = Board(9)
    board.play("E5")
    game = Game(9)
    game.play("E5")
    found = (board.legal(), board.playable(), board.empty, board.stones(BLACK), board.string_at("E5"))
    for points in (*found, board.liberties_at("E5"), game.legal()):
        mask = np.asarray(points)
        assert mask.shape == (81,)
        assert mask.dtype == np.bool_
        assert mask.tolist() == [bool(bit) for bit in points]
        assert np.array(points, np.int8).sum() == points.count()
    assert np.arange(81)[board.stones(BLACK)].tolist() == [40]
    assert np.stack([board.legal(), board.stones(BLACK)]).shape == (2, 81)


def test_operations_on_sets_keep_the_mask() -> None:
    board = Board(3)
    board.play("B2")
    both = board.empty | board.stones(BLACK)
    assert np.asarray(both).all()
    assert np.asarray(~board.empty).sum() == 1
    assert isinstance(both, frozenbitarray)
    assert hash(both) == hash(frozenbitarray(both))
    assert both == bitarray("111111111")
    assert board.stones(BLACK).tobytes() == b"\x08\x00"


def test_a_set_of_points_shares_no_memory() -> None:
    points = PointSet("0101")
    with pytest.raises(TypeError, match="buffer|bytes-like"):
        memoryview(points)
    if np.lib.NumpyVersion(np.__version__) >= "2.0.0":
        with pytest.raises(ValueError, match="no array to share"):
            np.array(points, copy=False)


def test_an_array_makes_a_board() -> None:
    for size in (2, 9, 19):
        board = played(size, size, 40).board
        assert Board.from_array(board.to_array(), board.to_play, ko=board.ko) == board
        assert Board[size].from_array(np.asarray(board, np.int64), board.to_play, ko=board.ko) == board
    assert Board.from_array([[1, 0], [0, 2]], WHITE, last_move="A1").last_move == 0


@pytest.mark.parametrize(
    "function", [Board, Game, lambda start: foogo.simulate(start, 1), lambda start: foogo.play_games(start, 1)]
)
def test_arrays_and_frozen_positions_are_no_boards_yet(function: Callable[[Any], object]) -> None:
    with pytest.raises(SizeError, match=r"^an array of shape \(5, 5\) is no board: Board.from_array makes one of it$"):
        function(np.zeros((5, 5), int))
    with pytest.raises(SizeError, match="^a frozen position is no board: Board.from_position makes one of it$"):
        function(Board(5).freeze())


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.zeros((9, 8), int), r"the array is int64 of shape \(9, 8\): give integers, \(size, size\)"),
        (np.zeros(81, int), r"the array is int64 of shape \(81,\): give integers, \(size, size\)"),
        (np.zeros((9, 9)), r"the array is float64 of shape \(9, 9\): give integers"),
        (np.full((9, 9), -1), r"color -1 in the array: colors are EMPTY \(0\), BLACK \(1\) and WHITE \(2\)"),
        (np.full((9, 9), 3), "color 3 in the array"),
        ([[0, 1], [0]], "the rows of the array differ in length"),
        (np.ones((2, 2), int), "no liberty"),
    ],
)
def test_an_array_that_is_no_board(array: object, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Board.from_array(array)  # type: ignore[arg-type]


def test_an_array_of_another_size() -> None:
    with pytest.raises(SizeError, match="9x9"):
        Board[9].from_array(np.zeros((5, 5), int))
    with pytest.raises(SizeError, match="board size 20"):
        Board.from_array(np.zeros((20, 20), int))


def test_planes_show_the_position_to_the_player_to_move() -> None:
    board = Board.from_diagram(KO, to_play=WHITE)
    board.play("B3")
    own, other, ko, black = board.planes()
    assert board.to_play == BLACK
    assert (own == (board.to_array() == BLACK)).all()
    assert (other == (board.to_array() == WHITE)).all()
    assert np.flatnonzero(ko).tolist() == [board.ko]
    assert black.all()
    board.play("pass")
    own, other, ko, black = board.planes()
    assert (own == (board.to_array() == WHITE)).all()
    assert not ko.any()
    assert not black.any()


def test_planes_of_a_game_go_back_in_time() -> None:
    game = played(5, 3, 12)
    planes = game.planes()
    assert planes.shape == (17, 5, 5)
    assert planes.dtype == np.bool_
    own = game.to_play
    for age in range(8):
        board = game.board
        assert (planes[2 * age] == (board.to_array() == own)).all()
        assert (planes[2 * age + 1] == (board.to_array() == 3 - own)).all()
        game.undo()
    assert planes[16].all() == (own == BLACK)
    assert not Game(5).planes(3)[:-1].any()
    with pytest.raises(ArgumentError, match="history is 0"):
        game.planes(0)


@settings(max_examples=40, deadline=None)
@given(size=st.integers(2, 19), seed=st.integers(0, 2**32), moves=st.integers(0, 60))
def test_the_line_of_a_position_round_trips(size: int, seed: int, moves: int) -> None:
    board = played(size, seed, moves).board
    line = board.to_text()
    assert "\n" not in line
    read = Board.from_text(line)
    assert read == board
    assert read.last_move == board.last_move
    assert read.to_text() == line


def test_a_line_with_a_ko_round_trips() -> None:
    board = Board.from_diagram(KO, to_play=WHITE)
    board.play("B3")
    assert board.to_text() == "1XO1/XO1O/1XO1/4 b C3 B3"
    assert Board.from_text(board.to_text()) == board
    board.play("pass")
    assert board.to_text().endswith(" w - pass")
    assert Board.from_text("3/3/3") == Board(3)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", "'' is not a position: give rows, player, ko and last move"),
        ("3/3/3 b - - -", "is not a position"),
        ("3", "has 1 rows: a board has 2 to 19"),
        ("3/3/4", "row 1 of the position has 4 points: with 3 rows each needs 3"),
        ("3/3/2", "row 1 of the position has 2 points"),
        ("3/1Y1/3", "'Y' in row 2 of the position: write X, O or a number of empty points"),
        ("3/3/3 black", "'black' in .* is not a player: write b or w"),
        ("3/3/3 b D4", "vertex 'D4' is not on a 3x3 board"),
        ("3/3/3 b A1", "ko"),
        ("XX/XX", "no liberty"),
        (None, "None is not a position"),
    ],
)
def test_a_line_that_is_no_position(line: str, message: str) -> None:
    with pytest.raises(PositionError, match=message):
        Board.from_text(line)


def test_positions_can_be_keys() -> None:
    board = Board.from_diagram(KO, to_play=WHITE)
    board.play("B3")
    frozen = board.freeze()
    assert frozen == board
    assert board == frozen
    assert {frozen: 1}[board.copy().freeze()] == 1
    assert Board.from_position(frozen) == board
    assert type(Board.from_position(frozen)) is Board[4]
    assert str(frozen) == str(board)
    assert repr(frozen).startswith("<FrozenPosition[4]: 3 black")
    board.play("pass")
    assert frozen != board
    assert len({frozen, board.freeze(), Board(4).freeze(), Board(5).freeze()}) == 4
    with pytest.raises(TypeError):
        hash(board)


def test_boards_and_games_are_no_sizes() -> None:
    wrong: Any = Board(5), Game(5)
    with pytest.raises(SizeError, match="^a board is no size: its `copy` copies it, and its size is 5$"):
        Board(wrong[0])
    with pytest.raises(
        SizeError, match=r"^a game is no board: its `copy` copies it, and Game\(game.board\) starts from"
    ):
        Game(wrong[1])


def test_points_are_in_a_set() -> None:
    board = Board(3)
    board.play("B1")
    legal = board.legal()
    assert [point for point in range(-1, 10) if point in legal] == [0, 2, 3, 4, 5, 6, 7, 8]
    assert np.int8(0) in legal
    assert foogo.point("B1", 3) not in legal
    assert bitarray("10111") in legal
    with pytest.raises(TypeError):
        _ = "A1" in legal


def test_stones_may_be_sets_of_points() -> None:
    board = played(5, 1, 12)
    sets = board.board.stones(BLACK), board.board.stones(WHITE)
    assert Board.from_stones(5, *sets).to_array().tolist() == board.board.to_array().tolist()
    with pytest.raises(PositionError, match="a set of 25 points is not of a 9x9 board"):
        Board.from_stones(9, *sets)


@pytest.mark.parametrize("name", ["size", "state", "to_play", "note"])
def test_a_frozen_position_is_never_changed(name: str) -> None:
    frozen = Board(4).freeze()
    with pytest.raises(AttributeError, match=rf"{name} of a frozen position cannot be set: Board.from_position"):
        setattr(frozen, name, 3)
    for same in (copy.copy(frozen), copy.deepcopy(frozen), pickle.loads(pickle.dumps(frozen))):
        assert hash(same) == hash(frozen)
        assert same == Board(4)


def test_games_are_compared_by_their_record() -> None:
    game = played(5, 1, 10)
    other = game.copy()
    assert game == other
    assert game.freeze() == other.freeze()
    assert {game.freeze()} == {other.freeze()}
    other.undo()
    assert game != other
    assert Game(5) != Game(5, komi=6)
    assert Game(5) != Game(5, "chinese")
    assert Game(5) != Game(6)
    assert Game(5) != "a game"
    handed = Game(5)
    handed.to_play = WHITE
    assert handed != Game(5)


def test_a_game_has_a_picture() -> None:
    game = played(5, 1, 3)
    assert game._repr_svg_() == game.board._repr_svg_()


def test_vertices_and_points() -> None:
    assert foogo.vertex(40, 9) == "E5"
    assert foogo.point("E5", 9) == 40
    assert [foogo.point(foogo.vertex(point, 19), 19) for point in range(-1, 361)] == list(range(-1, 361))
    with pytest.raises(VertexError, match="point 81 is not on a 9x9 board"):
        foogo.vertex(81, 9)
    with pytest.raises(SizeError):
        foogo.point("A1", 1)
    assert foogo.vertex(np.int64(0), np.int64(9)) == geometry(9).vertex(0)


@settings(max_examples=25, deadline=None)
@given(
    size=st.integers(2, 4),
    seed=st.integers(0, 2**32),
    moves=st.integers(0, 60),
    superko=st.sampled_from(["simple", "positional", "situational"]),
    suicide=st.booleans(),
)
def test_legal_moves_of_a_game_are_those_that_it_accepts(
    size: int, seed: int, moves: int, superko: str, suicide: bool
) -> None:
    rules = f"superko={superko} suicide={'yes' if suicide else 'no'}"
    game, rng = Game(size, rules), np.random.default_rng(seed)
    for _ in range(moves):
        for color in (BLACK, WHITE):
            assert list(game.legal(color).search(1)) == [p for p in range(size**2) if game.is_legal(p, color)]
        points = np.flatnonzero(game.legal())
        game.play(int(rng.choice(points)) if len(points) else PASS)
        if game.is_over:
            assert not game.legal().any()
            game.resume()


@pytest.mark.parametrize(("black", "white"), [("E5", "D4"), (40, 41), (["E5"], None)])
def test_stones_are_lists_of_points(black: Any, white: Any) -> None:
    with pytest.raises(PositionError, match=r"the (black|white) stones are .*: give points, such as"):
        Board.from_stones(9, black, white)
