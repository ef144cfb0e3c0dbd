"""Random openings: reproducible, different, and even."""

from __future__ import annotations

from itertools import islice

import pytest

from foogo.errors import ArgumentError, SizeError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import geometry
from foogo.game.rules import Rules
from foogo.match.openings import BALANCE, POLICY, openings
from foogo.playout.simulate import simulate


def first(count: int, size: int = 9, komi: float = 7.0, plies: int = 4, seed: int = 1) -> list[tuple[int, ...]]:
    return list(islice(openings(size, komi, plies, seed), count))


def board_after(size: int, moves: tuple[int, ...]) -> Board:
    board = Board(size)
    for move in moves:
        board.play(move)
    return board


def test_the_same_arguments_give_the_same_openings() -> None:
    assert first(5) == first(5)
    assert first(5) != first(5, seed=2)
    assert first(5) != first(5, plies=3)


@pytest.mark.parametrize(("size", "komi", "plies"), [(9, 7.0, 4), (9, 7.0, 3), (13, 7.0, 6)])
def test_openings_are_even(size: int, komi: float, plies: int) -> None:
    for moves in first(6, size, komi, plies):
        assert len(moves) == plies
        share = simulate(board_after(size, moves), 20_000, seed=9, policy=POLICY).win_share(komi)
        assert abs(share - 0.5) <= BALANCE + 0.06  # four standard errors of the 1024 playouts that chose it


def test_an_odd_opening_of_an_uneven_game_is_the_most_even_found() -> None:
    shares = [simulate(board_after(5, moves), 5000, policy=POLICY).win_share(25) for moves in first(3, 5, 25.0)]
    assert all(share < 0.4 for share in shares)


def test_openings_differ_by_more_than_a_symmetry() -> None:
    images = set()
    for moves in first(40, plies=2):
        colors = board_after(9, moves).to_array().ravel()
        images.add(min(colors[symmetry].tobytes() for symmetry in geometry(9).symmetries))
    assert len(images) == 40


def test_when_there_are_no_more_they_repeat() -> None:
    assert len({moves[0] for moves in first(12, 3, 0.0, 1)}) <= 9
    assert len(first(12, 3, 0.0, 1)) == 12


def test_a_tiny_board() -> None:
    for moves in first(4, 2, 0.0, 3):
        assert len(moves) == 3
        board_after(2, moves)


@pytest.mark.parametrize(("size", "plies"), [(2, 4), (3, 9), (5, 9), (6, 16)])
def test_the_longest_opening_of_a_small_board(size: int, plies: int) -> None:
    for moves in first(2, size, 0.0, plies):
        assert len(moves) == plies
        board_after(size, moves)
    with pytest.raises(
        ArgumentError, match=f"plies is {plies + 1}: a {size}x{size} board has room for at most {plies}"
    ):
        openings(size, 0.0, plies + 1, 1)


@pytest.mark.parametrize(("size", "plies"), [(3, 9), (4, 16)])
def test_openings_are_legal_under_all_rules(size: int, plies: int) -> None:
    for seed in range(10):
        for moves in first(1, size, 0.0, plies, seed):
            game = Game(size, Rules("positional", suicide=False))
            for move in moves:
                game.play(move)


def test_no_opening() -> None:
    assert first(3, plies=0) == [(), (), ()]


@pytest.mark.parametrize(("plies", "seed"), [(-1, 0), (101, 0), (2, -1), (2, 2**64)])
def test_numbers_out_of_range(plies: int, seed: int) -> None:
    with pytest.raises(ArgumentError):
        openings(9, 7, plies, seed)
    with pytest.raises(SizeError):
        openings(25, 7, 0, 0)
    with pytest.raises(ArgumentError, match="komi nan is not possible"):
        openings(9, float("nan"), 4, seed=0)
