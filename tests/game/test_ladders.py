"""Ladders against plain Python sets, and well-known shapes."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from foogo.errors import ArgumentError, VertexError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, PASS, WHITE
from tests import oracle
from tests.oracle_ladders import Endless, is_in_ladder


def strings_of(board: Board) -> list[int]:
    """A stone of each string."""
    stones = set(board.stones(BLACK).search(1)) | set(board.stones(WHITE).search(1))
    return sorted({min(board.string_at(stone).search(1)) for stone in stones})


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 7, 9, 11, 13, 16, 19])
def test_ladders_are_those_of_plain_sets(size: int) -> None:
    random, answers = Random(size), {True: 0, False: 0}
    for _ in range(max(3, 60 // size)):
        board = Board(size)
        for _ in range(random.randrange(1, size * size)):
            points = list(board.playable().search(1))
            board.play(random.choice(points) if points else PASS)
        black, white = (frozenset(board.stones(color).search(1)) for color in (BLACK, WHITE))
        for color in (BLACK, WHITE):
            ko = board.ko if color == board.to_play else None
            position = oracle.Position(size, black, white, color, ko)
            for stone in strings_of(board):
                found = board.is_in_ladder(stone, color)
                try:
                    expected = is_in_ladder(position, stone)
                except Endless:
                    continue
                assert found == expected, f"\n{position}\n{stone}, {color} to play"
                if len(position.liberties(stone)) == (2 if color != position.color_at(stone) else 1):
                    answers[expected] += 1
    assert all(answers.values())


@pytest.mark.parametrize("size", [5, 9, 19])
def test_a_ladder_runs_across_the_board_unless_a_stone_breaks_it(size: int) -> None:
    board = Board.from_stones(size, black=[size, 1, 2], white=[size + 1])
    before = board.state.copy()
    assert board.is_in_ladder("B2")
    assert not board.is_in_ladder("B2", WHITE)
    for step in range(2, size - 1):
        broken = board.copy()
        broken.play(step * size + step, WHITE)
        assert not broken.is_in_ladder("B2", BLACK)
    assert np.array_equal(board.state, before)


def test_a_string_with_three_liberties_is_in_no_ladder_and_one_in_atari_is_taken() -> None:
    board = Board.from_stones(9, black=[40], white=[39, 31])
    assert not board.is_in_ladder(40, WHITE)
    board.play(49, WHITE)
    assert board.is_in_ladder(40, WHITE)
    assert not board.is_in_ladder(40, BLACK)


def test_a_stone_that_ko_protects_is_not_taken() -> None:
    board = Board.from_diagram(
        """
        . X O .
        X . X O
        . X O .
        . . . .""",
        WHITE,
    )
    board.play("B3")
    assert not board.is_in_ladder("B3", BLACK)
    board.play("A1")
    board.play("D1")
    assert board.is_in_ladder("B3", BLACK)


def test_a_capture_saves_a_string() -> None:
    board = Board.from_diagram("""
        . . . . .
        . . . . .
        . X . . .
        X . . . .
        O O X O .""")
    assert not board.is_in_ladder("A1", WHITE)
    board.play("C2")
    assert board.is_in_ladder("A1", WHITE)


def test_bad_input_is_refused() -> None:
    board = Board.from_stones(9, black=[40], white=[])
    with pytest.raises(VertexError, match="point A1 is empty"):
        board.is_in_ladder("A1")
    with pytest.raises(VertexError):
        board.is_in_ladder("Z3")
    with pytest.raises(ArgumentError):
        board.is_in_ladder(40, 3)
