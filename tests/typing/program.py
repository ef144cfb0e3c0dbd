"""A program as a user may write it, which must pass mypy --strict."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import foogo
from foogo import Board
from foogo.cards import bridge, deal, poker, rummy
from foogo.cards.card import format_cards
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
    foogo.first_move(size, n, seed=n, threads=n)
    foogo.sgf.read_game("(;SZ[9];B[ee])", until=n)
    foogo.Search(foogo.Game(board), threads=n, seed=n).run(simulations=n)
    return foogo.simulate(size, n, seed=n, first=n, threads=n).n


def numpy_numbers_of_cards(n: np.int64) -> rummy.Melding:
    """The same for cards; hands by their numbers."""
    deals = deal.Dealer(seed=n).deals(n, max_tries=n, threads=n)
    bridge.tricks(deals, n, n, threads=n, table_mb=n)
    bridge.score(n, n, n, doubled=n)
    poker.equity(["AsAh", "KdKc"], seed=n, threads=n)
    category: poker.Category = poker.category(n)
    hands = rummy.best_meldings(rummy.grid(poker.shuffled_decks(n, cards=n, seed=n, first=n)), n, jokers=n)
    first: rummy.Meldings = hands[:1]
    print(category.label, poker.describe(n), format_cards([n]), len(first), rummy.best_melds("2h 3h 4h", n))
    return hands[0]


def talk(command: list[str], size: np.int64) -> str:
    """A GTP engine."""
    with Client(command) as engine:
        engine.new_game(size)
        engine.play(size, size)
        engine.set_up(foogo.Game(9))
        move = engine.genmove(foogo.BLACK)
        return "resigns" if move is None else foogo.vertex(move, 9)


def options_of_neighbours(bar: Bar) -> None:
    """No policy is uniform, and what `progress` returns does not matter, wherever there are such arguments."""
    foogo.simulate(5, 10, policy=None, progress=bar.update)
    foogo.play_games(5, 10, policy=None)
    foogo.first_move(5, 10, policy=None, progress=bar.update)
    foogo.Search(foogo.Game(5), policy=None)
    foogo.analysis.analyze_game(foogo.Game(5), simulations=100, policy=None, progress=bar.update)
    poker.equity(["AsAh", "KdKc"], progress=bar.update)
    foogo.solve(2, 2, progress=bar.tell)


class Bar:
    """A progress bar whose methods return something."""

    def update(self, done: int, total: int) -> bool:
        """Show how far it is."""
        return done < total

    def tell(self, progress: object) -> bool:
        """The same for a solver."""
        return bool(progress)


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
