"""Games that are resumed after two passes, handed over, or replayed under other rules."""

from __future__ import annotations

import numpy as np
import pytest

from foogo import BLACK, WHITE, ArgumentError, Board, Game, IllegalMoveError, PositionError, VertexError
from foogo.game.replay import replay


def test_stones_are_put_anywhere_they_can_live() -> None:
    board = Board.from_stones(3, [0, 1], [8], WHITE)
    assert str(board).splitlines()[1:4] == [" 3 . . O  3", " 2 . . .  2", " 1 X X .  1"]
    assert board.to_play == WHITE
    with pytest.raises(PositionError, match="given twice"):
        Board.from_stones(3, [0], [0])
    with pytest.raises(PositionError, match="black string at A1 has no liberty"):
        Board.from_stones(3, [0], [1, 3])
    for point in (-1, 9, 2.0):  # -1 is a pass, not the last point
        with pytest.raises(VertexError, match="3x3 board: points are 0-8|a pass is nowhere"):
            Board.from_stones(3, [point], [])  # type: ignore[list-item]
    assert Board.from_stones(np.int8(19), [0], [360]) == Board.from_stones(19, [0], [360])


def test_a_game_is_replayed_with_its_history() -> None:
    game = Game(Board.from_diagram(". . .\n. X .\n. . ."), "cgos", 3.5)
    for move in ("A1", "pass", "pass"):
        game.play(move)
    game.resume()
    game.play("C3", BLACK)
    other = replay(game, game.rules)
    assert (other.turns, other.komi, other.rules) == (game.turns, game.komi, game.rules)
    assert other.board == game.board
    assert other.start == game.start
    assert not other.is_over


def test_a_game_changes_its_rules_only_if_they_allow_its_moves() -> None:
    game = Game(Board.from_diagram(". X O\nX O .\nO . ."), "tromp-taylor")
    game.play("A3")
    assert replay(game, Game(3, "new-zealand").rules).rules.superko == "situational"
    with pytest.raises(IllegalMoveError, match="suicide"):
        replay(game, Game(3, "chinese").rules)


def test_undo_keeps_earlier_resumptions() -> None:
    game = Game(5)
    for _ in range(2):
        game.play("pass")
        game.play("pass")
        game.resume()
    game.undo()
    assert (len(game.turns), game.passes, game.is_over) == (3, 1, False)
    game.play("pass")
    assert game.is_over
    game.undo()
    game.undo()
    assert (len(game.turns), game.passes, game.is_over) == (2, 0, False)


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
