"""A program as a user may write it, which must pass mypy --strict."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import foogo
from foogo import Board
from foogo.env import VectorEnvironment
from foogo.gtp import Client


def center(board: foogo.Board[9]) -> int:
    """A 9x9 board as an argument."""
    return board.color_at("E5")


def larger(board: Board[9], boards: dict[str, Board[19]]) -> Board[19] | None:
    """Boards of several sizes, and as parts of other types."""
    return boards.get(str(board))


def black_points(games: int) -> NDArray[np.int64]:
    """Sets of games are never None when they were requested."""
    found = foogo.play_games([Board(9)], games, sets=True)
    sets: NDArray[np.uint64] = found.owners
    assert sets.shape[0] == games
    counts: NDArray[np.int64] = found.owner_masks(9)[:, 0].sum(axis=(1, 2))
    return counts


def numpy_numbers(size: np.int64, n: np.int64) -> int:
    """Whole numbers of NumPy, and vertices as points."""
    board = Board.from_stones(size, ["E5", n], np.array([3, 4]), to_play=n)
    foogo.play_games(size, n, seed=n, first=n).scores.sum()
    foogo.first_move(size, n, seed=n)
    foogo.Search(foogo.Game(board), threads=n, seed=n).run(simulations=n)
    return foogo.simulate(size, n, seed=n, first=n, threads=n).n


def talk(command: list[str]) -> str:
    """A GTP engine."""
    with Client(command) as engine:
        engine.set_up(foogo.Game(9))
        move = engine.genmove(foogo.BLACK)
        return "resigns" if move is None else foogo.vertex(move, 9)


def main() -> None:
    """Each public form once."""
    board = Board[9]()
    board.play("E5")
    mask: NDArray[np.bool_] = np.asarray(board.legal())
    frozen = {board.freeze(): center(board)}
    share = foogo.simulate(board, 10, policy="random").win_interval(7)
    total = sum(foogo.simulate(9, 10, first=10 * i) for i in range(3))
    env = VectorEnvironment(9, 4)
    step = env.step(env.random_moves(np.random.default_rng(1)))
    tree = foogo.sgf.read_tree("(;SZ[9];B[ee])")
    lines: list[str] = [leaf.comment for leaf in tree.leaves]
    print(mask.sum(), frozen, share.low, total, step.rewards.sum(), lines, larger(board, {}))


if __name__ == "__main__":
    main()
