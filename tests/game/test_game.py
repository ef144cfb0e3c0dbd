"""Games: history, superko, undo, the end and the result, on drawn boards and against the oracle."""

from __future__ import annotations

import copy
from random import Random

import pytest

from foogo.errors import ArgumentError, FoogoError, IllegalMoveError, RulesError, SizeError, VertexError
from foogo.game.board import Board
from foogo.game.game import Game, Turn
from foogo.game.geometry import BLACK, PASS, WHITE
from tests import oracle

RETURN = """
    . . . .
    O O . .
    . O . .
    . O . .
"""
"""Black can put two stones into the corner, the second of them a suicide."""


def test_a_game_starts_empty_and_remembers_its_moves() -> None:
    game = Game(9)
    game.play("E5")
    game.play(0)
    game.play("pass")
    assert game.moves == (40, 0, PASS)
    assert game.turns == (Turn(BLACK, 40), Turn(WHITE, 0), Turn(BLACK, PASS))
    assert (game.size, game.to_play, game.komi, game.is_over) == (9, WHITE, 7.0, False)
    assert game.board.stones(BLACK).count() == 1
    assert game.start == Board(9)


def test_a_game_starts_from_a_copy_of_a_position() -> None:
    board = Board.from_diagram(RETURN, to_play=WHITE)
    game = Game(board, rules="aga", komi=0)
    board.play("D1")
    assert game.start == Board.from_diagram(RETURN, to_play=WHITE)
    assert (game.to_play, game.rules.superko, game.komi) == (WHITE, "situational", 0.0)


def test_the_board_of_a_game_is_a_copy() -> None:
    game = Game(5)
    game.board.play("C3")
    game.start.play("C3")
    assert game.is_legal("C3")
    assert game.moves == ()


def test_a_colour_can_move_twice_in_a_row() -> None:
    game = Game(9)
    for vertex in ("C3", "G7"):
        game.play(vertex, BLACK)
    assert game.to_play == WHITE
    assert game.turns == (Turn(BLACK, 20), Turn(BLACK, 60))


@pytest.mark.parametrize(
    ("rules", "there_and_back", "again"),
    [
        ("superko=simple", True, True),
        ("superko=positional", False, False),
        ("superko=situational", True, False),
    ],
)
def test_superko_tells_positions_and_situations_apart(rules: str, there_and_back: bool, again: bool) -> None:
    game = Game(Board.from_diagram(RETURN), rules)
    game.play("A1")
    game.play("pass")
    assert game.is_legal("A2") is there_and_back
    assert game.legal()[4] == there_and_back
    if not there_and_back:
        with pytest.raises(IllegalMoveError, match="black cannot play A2: it repeats the position after 0 moves"):
            game.play("A2")
        return
    game.play("A2")
    assert game.board.stones(BLACK).count() == 0
    game.play("pass")
    assert game.is_legal("A1") is again


def test_a_pass_never_repeats() -> None:
    game = Game(3, "tromp-taylor")
    game.play("pass")
    assert game.board == Board.from_diagram("...\n...\n...", to_play=WHITE)
    game.play("pass")
    assert game.is_over


def test_two_passes_end_the_game() -> None:
    game = Game(5)
    for move in ("pass", "C3", "pass"):
        game.play(move)
    assert not game.is_over
    game.play("pass")
    assert game.is_over
    assert not game.legal().any()
    assert not game.is_legal("pass")
    with pytest.raises(IllegalMoveError, match="two passes ended the game"):
        game.play("A1")
    game.undo()
    game.play("A1")
    assert game.moves == (PASS, 12, PASS, 0)


@pytest.mark.parametrize(
    ("diagram", "komi", "result"),
    [
        (". . .\nX X X\n. . .", 5.5, "B+3.5"),
        (". . .\nX X X\n. . .", 9, "0"),
        (". . .\nX X X\nO O .", 6.5, "W+2.5"),
        (". . .\n. . .\n. . .", 0, "0"),
        (". . .\n. . .\n. . .", -7.5, "B+7.5"),
        ("O . X\nO . X\nO . X", 0.5, "W+0.5"),
        ("O . X\n. . X\n. . X", 6.75, "W+4.75"),
        (". . .\nX X X\n. . .", 6.123456, "B+2.876544"),
        (". . .\nX X X\n. . .", 6.1, "B+2.9"),
        (". . .\nX X X\n. . .", 1e7, "W+9999991"),
        (". . .\n. . .\n. . .", 1e-5, "W+0.00001"),
    ],
)
def test_results_are_written_as_in_sgf(diagram: str, komi: float, result: str) -> None:
    assert Game(Board.from_diagram(diagram), komi=komi).result() == result


def test_komi_can_be_set_later() -> None:
    game = Game(9)
    game.komi = 0.5
    assert game.score() == -0.5
    with pytest.raises(ArgumentError, match="komi nan is not possible"):
        game.komi = float("nan")
    assert game.komi == 0.5


def test_a_copy_is_of_the_same_class() -> None:
    class Mine(Game):
        name = ""

    game = Mine(5)
    game.name = "x"
    for copied in (game.copy(), copy.copy(game)):
        assert isinstance(copied, Mine)
        assert copied.name == "x"
        copied.play("C3")
    assert game.moves == ()


def test_a_komi_of_minus_zero_is_zero() -> None:
    assert "komi 0," in str(Game(9, komi=-0.0))


def test_a_repetition_after_one_move_is_worded() -> None:
    game = Game(Board.from_diagram(". X O .\nX O . O\n. X O .\n. . . ."))
    for move in ("D1", "pass", "C3", "pass", "pass"):
        game.play(move)
    game.resume()
    with pytest.raises(IllegalMoveError, match="after 1 move, which positional superko forbids"):
        game.play("B3")


def test_passes_before_the_start_are_not_counted() -> None:
    board = Board(5)
    board.play("pass")
    game = Game(board)
    game.play("pass")
    assert not game.is_over
    game.play("pass")
    assert game.is_over


def test_undo_takes_back_captures_ko_and_history() -> None:
    game = Game(Board.from_diagram(". X O .\nX . X O\n. X O .\n. . . .", to_play=WHITE))
    before = game.board
    game.play("B3")
    assert game.board.ko == 10
    assert game.undo() == Turn(WHITE, 9)
    assert game.board == before
    game.play("B3")
    with pytest.raises(ArgumentError, match="nothing to undo"):
        Game(9).undo()


def test_a_copy_goes_its_own_way() -> None:
    game = Game(Board.from_diagram(RETURN))
    game.play("A1")
    copied = game.copy()
    copied.play("pass")
    copied.komi = 1.5
    copied.undo()
    copied.undo()
    assert (game.moves, game.komi) == ((0,), 7.0)
    game.play("pass")
    assert not game.is_legal("A2")


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((1,), SizeError, "board size 1 is not possible"),
        (("9",), SizeError, "board size '9' is not possible"),
        ((9, "martian"), RulesError, "unknown rules 'martian'"),
        ((9, "aga", "7"), ArgumentError, "komi '7' is not possible"),
        ((9, "aga", float("inf")), ArgumentError, "komi inf is not possible"),
        ((9, "aga", 10**400), ArgumentError, "komi 1000"),
        ((9, "aga", True), ArgumentError, "komi True is not possible"),
    ],
)
def test_wrong_games_are_told_what_would_be_right(
    arguments: tuple[object, ...], error: type[FoogoError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Game(*arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("move", "color", "error"),
    [
        ("C3", None, IllegalMoveError),
        (12, BLACK, IllegalMoveError),
        ("I1", None, VertexError),
        (25, None, VertexError),
        (1.5, None, VertexError),
        ("A1", 0, ArgumentError),
    ],
)
def test_a_wrong_move_changes_nothing(move: object, color: object, error: type[FoogoError]) -> None:
    game = Game(5)
    game.play("C3")
    before = str(game)
    with pytest.raises(error):
        game.play(move, color)  # type: ignore[arg-type]
    assert str(game) == before
    assert game.moves == (12,)
    game.play("A1")


def test_it_prints_the_board_and_the_state() -> None:
    game = Game(2, komi=0.5)
    assert str(game) == f"{Board(2)}\n0 moves, komi 0.5, black to play"
    game.play("A1")
    assert str(game).endswith("\n1 move, komi 0.5, white to play")
    assert repr(game) == "<Game 2x2, 1 move, superko=positional suicide=yes scoring=area, komi 0.5>"
    game.play("pass")
    game.play("pass")
    assert str(game).endswith("\n3 moves, komi 0.5, over, B+3.5")


@pytest.mark.parametrize("superko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_random_games_allow_what_the_oracle_allows(size: int, superko: str, suicide: bool) -> None:
    random = Random(f"{size} {superko} {suicide}")
    forbidden = 0
    for _ in range(4):
        game = Game(size, f"superko={superko} suicide={'yes' if suicide else 'no'}")
        history = [oracle.Position(size)]
        for _ in range(30):
            allowed = {p for p in oracle.legal(history[-1], suicide) if not _repeats(history, p, suicide, superko)}
            forbidden += len(oracle.legal(history[-1], suicide)) - len(allowed)
            assert set(game.legal().search(1)) == allowed
            move = random.choice(sorted(allowed)) if allowed else PASS
            game.play(move)
            history.append(oracle.after(history[-1], move, suicide))
            if game.is_over:
                break
            if random.random() < 0.2:
                game.undo()
                history.pop()
    assert forbidden > 0 or superko == "simple" or size > 2


def _repeats(history: list[oracle.Position], move: int, suicide: bool, superko: str) -> bool:
    new = oracle.after(history[-1], move, suicide)
    return superko != "simple" and any(
        (new.black, new.white) == (old.black, old.white) and (superko == "positional" or new.to_play == old.to_play)
        for old in history
    )
