"""The interpreted board against the compiled one: the same positions, moves, sets and refusals."""

from __future__ import annotations

import copy
import pickle
import random

import pytest

from foogo import (
    BLACK,
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
from foogo.game.interpreted import InterpretedBoard
from foogo.game.position import Position
from foogo.game.replay import compiled_game, interpreted_game


def play_both(size: int, seed: int, moves: int) -> tuple[Board, InterpretedBoard]:
    """The same random moves on both boards, some of them out of turn, compared after each."""
    rng = random.Random(seed)
    board, interpreted = Board(size), InterpretedBoard(size)
    for _ in range(moves):
        assert_same(board, interpreted)
        color = rng.choice((BLACK, WHITE)) if rng.random() < 0.2 else board.to_play
        legal = list(board.legal(color).search(1))
        move = rng.choice(legal) if legal and rng.random() < 0.95 else PASS
        board.play(move, color)
        interpreted.play(move, color)
    return board, interpreted


def assert_same(board: Board, interpreted: InterpretedBoard) -> None:
    assert interpreted == board
    assert (interpreted.hash, interpreted.ko, interpreted.last_move, interpreted.move_count) == (
        board.hash,
        board.ko,
        board.last_move,
        board.move_count,
    )
    assert interpreted.area_score() == board.area_score()
    for color in (BLACK, WHITE):
        assert interpreted.playable(color) == board.playable(color)
        for suicide in (True, False):
            assert interpreted.legal(color, suicide=suicide) == board.legal(color, suicide=suicide)


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7])
def test_both_boards_play_the_same_game(size: int) -> None:
    for seed in range(12):
        play_both(size, seed, 3 * size * size)


@pytest.mark.parametrize("size", [5, 9])
def test_strings_and_conversions(size: int) -> None:
    for seed in range(8):
        board, interpreted = play_both(size, 100 + seed, size * size)
        for color in (BLACK, WHITE):
            for point in board.stones(color).search(1):
                assert interpreted.string_at(point) == board.string_at(point)
                assert interpreted.liberties_at(point) == board.liberties_at(point)
        assert_same(board, InterpretedBoard.of(board))
        compiled = interpreted.compiled()
        assert compiled == board
        assert compiled.hash == board.hash
        assert compiled.last_move in (board.last_move, None)
        assert Board(size).state.shape == interpreted.state.shape
        for copied in (
            interpreted.copy(),
            copy.copy(interpreted),
            copy.deepcopy(interpreted),
            pickle.loads(pickle.dumps(interpreted)),
        ):
            assert_same(board, copied)
            copied.to_play = BLACK + WHITE - copied.to_play
            assert copied != board


def refusal(board: Position, move: str, color: int, suicide: bool) -> str | None:
    try:
        board.play(move, color, suicide=suicide)
    except (IllegalMoveError, VertexError) as error:
        return str(error)
    return None


POSITION = """
    . X O . .
    X O O X .
    . X X O .
    O O . X O
    . O O . O
"""


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("color", [BLACK, WHITE])
def test_refusals_are_worded_alike(color: int, suicide: bool) -> None:
    for vertex in [f"{column}{row}" for column in "ABCDE" for row in range(1, 6)] + ["pass", "F1", "I5"]:
        board = Board.from_diagram(POSITION)
        interpreted = InterpretedBoard.of(board)
        assert refusal(interpreted, vertex, color, suicide) == refusal(board, vertex, color, suicide)
        assert interpreted == board


def test_stones_are_put_anywhere_they_can_live() -> None:
    board = InterpretedBoard.from_stones(3, [0, 1], [8], WHITE)
    assert str(board).splitlines()[1:4] == [" 3 . . O  3", " 2 . . .  2", " 1 X X .  1"]
    assert board.to_play == WHITE
    with pytest.raises(PositionError, match="given twice"):
        InterpretedBoard.from_stones(3, [0], [0])
    with pytest.raises(PositionError, match="black string at A1 has no liberty"):
        InterpretedBoard.from_stones(3, [0], [1, 3])
    with pytest.raises(SizeError):
        InterpretedBoard(20)
    with pytest.raises(VertexError, match="empty"):
        InterpretedBoard(3).string_at("B2")


def test_a_game_goes_over_to_the_other_board_with_its_history() -> None:
    game = Game(Board.from_diagram(". . .\n. X .\n. . ."), "cgos", 3.5)
    for move in ("A1", "pass", "pass"):
        game.play(move)
    game.resume()
    game.play("C3", BLACK)
    for other in (interpreted_game(game), compiled_game(interpreted_game(game))):
        assert (other.turns, other.komi, other.rules) == (game.turns, game.komi, game.rules)
        assert other.board == game.board
        assert other.start == game.start
        assert not other.is_over


def test_a_game_changes_its_rules_only_if_they_allow_its_moves() -> None:
    game = Game(InterpretedBoard.of(Board.from_diagram(". X O\nX O .\nO . .")), "tromp-taylor")
    game.play("A3")
    assert interpreted_game(game, Game(3, "new-zealand").rules).rules.superko == "situational"
    with pytest.raises(IllegalMoveError, match="suicide"):
        interpreted_game(game, Game(3, "chinese").rules)


# --- what games gained for it ------------------------------------------------------------------------------


def test_a_game_resumes_after_two_passes() -> None:
    game = Game(5)
    with pytest.raises(ArgumentError, match="not over"):
        game.resume()
    game.play("C3")
    game.play("pass")
    game.play("pass")
    game.resume()
    assert not game.is_over
    game.play("pass")
    assert not game.is_over
    game.play("pass")
    assert game.is_over
    for _ in range(3):
        game.undo()
    assert not game.is_over
    game.play("pass")
    assert game.is_over


def test_a_game_remembers_superko_across_a_resumption() -> None:
    board = Board.from_diagram(". X O .\nX . X O\n. X O .\n. . . .", to_play=WHITE)
    game = Game(board, "tromp-taylor")
    game.play("B3")
    game.play("pass")
    game.play("pass")
    game.resume()
    with pytest.raises(IllegalMoveError, match="repeats"):
        game.play("C3", BLACK)


def test_the_turn_can_be_handed_over() -> None:
    game = Game(5)
    game.play("C3")
    before = game.copy()
    game.to_play = BLACK
    assert (game.to_play, before.to_play) == (BLACK, WHITE)
    game.play("B2")
    assert game.turns[-1].color == BLACK
    assert game.undo().color == BLACK
    assert game.to_play == BLACK
