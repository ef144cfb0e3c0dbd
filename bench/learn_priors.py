"""Where the weights of the learnt priors come from: games of the search against itself, and a fit to its visits.

    python -m bench.learn_priors play --seconds 1500 --simulations 6000 --seed 1 games-1.npz
    python -m bench.learn_priors fit games-1.npz games-2.npz --output foogo/search/learned_prior.npz

`play` searches every position of its games and stores how many playouts each move got. To see more than good play the
first moves, and every fourth later one, are drawn by their visits, and one in fourteen at random; a game ends where it
is decided. `fit` looks for the weights with which the probabilities of `foogo.search.kernels.priors` come
nearest to the shares of the visits (cross entropy, by L-BFGS), and tells how near on every tenth game, which it does
not use.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from bench.move_features import classes, features_of_moves
from foogo.errors import IllegalMoveError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import PASS
from foogo.game.position import cell_of
from foogo.search.kernels.features import FEATURES, START
from foogo.search.kernels.features import PASSING as PASSING_FEATURE
from foogo.search.kernels.moves import MoveContext
from foogo.search.kernels.position_notes import note_words
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search

KOMI = (5.5, 6.5, 7.0, 7.0, 7.5)
DECIDED = 0.985
MOST_OPENING_MOVES = 8
RANDOM, DRAWN = 0.07, 0.3
"""How often a later move is any, and up to which number it is drawn by its visits."""

NO_MOVE = -2
"""In place of the last move, or the one before, where there is none."""

LEAST_PLAYOUTS = 100
PASSING = START[PASSING_FEATURE]
PENALTY = 2e-5
"""Of the sum of squares of the weights."""


def play_game(size: int, simulations: int, rng: np.random.Generator) -> list[tuple[Any, ...]]:
    """The positions of a game: stones, who moves, ko, the move before, the last one, and the playouts of each move."""
    game = Game(size, rules="chinese", komi=float(rng.choice(KOMI)))
    search = Search(game, seed=int(rng.integers(1 << 60)), parameters=SearchParameters(memory=96 << 20))
    found: list[tuple[Any, ...]] = []
    opening = int(rng.integers(MOST_OPENING_MOVES + 1))
    while not game.is_over and len(game.turns) < size * size + 10:
        result = search.run(simulations=simulations)
        if result.interrupted:
            raise KeyboardInterrupt
        moves, playouts = result.moves["move"], result.moves["visits"]
        visits = np.zeros(size * size + 1, np.int32)
        visits[np.where(moves == PASS, size * size, moves)] = playouts
        before, last = ([NO_MOVE] * 2 + [turn.move for turn in game.turns])[-2:]
        board = game.board
        ko = NO_MOVE if board.ko is None else board.ko
        found.append((board.to_array().ravel().astype(np.int8), game.to_play, ko, before, last, visits))
        if abs(result.value - 0.5) > DECIDED - 0.5:
            break
        move = _choose(result.best, moves, playouts, len(game.turns) < opening, rng)
        try:
            game.play(move)
        except IllegalMoveError:
            break
        search.play(move)
    return found


def _choose(
    best: int, moves: NDArray[np.int64], playouts: NDArray[np.int64], is_opening: bool, rng: np.random.Generator
) -> int:
    """The move to play on with."""
    number = rng.random()
    weights = playouts / playouts.sum()
    if is_opening and number > RANDOM:
        return int(rng.choice(moves, p=np.sqrt(weights) / np.sqrt(weights).sum()))
    if number < RANDOM:
        points = moves[moves != PASS]
        return int(rng.choice(points)) if len(points) else PASS
    return int(rng.choice(moves, p=weights)) if number < DRAWN else best


def play(arguments: argparse.Namespace) -> None:
    """Play games for a time and store their positions."""
    rng = np.random.default_rng(arguments.seed)
    rows: list[tuple[Any, ...]] = []
    games, began = 0, time.monotonic()
    while not games or time.monotonic() - began < arguments.seconds:
        games += 1
        rows += [(*row, games) for row in play_game(arguments.size, arguments.simulations, rng)]
    names = ("stones", "to_play", "ko", "before", "last", "visits", "game")
    columns: dict[str, Any] = {
        name: np.array(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)
    }
    np.savez_compressed(arguments.output, **columns)
    print(f"{games} games, {len(rows)} positions")


class Choices:
    """The moves of many positions: the features of each as rows of a matrix, and its share of the playouts."""

    def __init__(self, features: list[NDArray[np.int64]], shares: list[NDArray[np.float64]]) -> None:
        self.counts = np.array([len(one) for one in shares])
        self.begin = np.cumsum(self.counts) - self.counts
        self.shares = np.concatenate(shares)
        # a position's last row is its pass, which has one feature
        each = np.full(len(self.shares), FEATURES)
        each[self.begin + self.counts - 1] = 1
        found = classes()[np.concatenate([np.append(one.ravel(), PASSING) for one in features])]
        shape = len(each), int(classes().max()) + 1
        rows = np.concatenate([[0], np.cumsum(each)])
        self.matrix = csr_matrix((np.ones(len(found), np.float32), found, rows), shape=shape)

    def loss(self, weights: NDArray[np.float64], penalty: float = 0.0) -> tuple[float, NDArray[np.float64]]:
        """The cross entropy, nats a position, and its gradient."""
        values = self.matrix @ weights
        values -= np.repeat(np.maximum.reduceat(values, self.begin), self.counts)
        values -= np.repeat(np.log(np.add.reduceat(np.exp(values), self.begin)), self.counts)
        loss = -(self.shares @ values) / len(self.counts) + penalty * (weights @ weights)
        gradient = self.matrix.T @ (np.exp(values) - self.shares) / len(self.counts)
        return float(loss), gradient + 2 * penalty * weights

    def entropy(self) -> float:
        """Of the shares themselves, which no weights can go below."""
        return float(-(self.shares * np.log(np.maximum(self.shares, 1e-12))).sum() / len(self.counts))

    def first(self, weights: NDArray[np.float64]) -> float:
        """How often the move with the most playouts is the most likely one."""
        values = self.matrix @ weights
        pairs = zip(np.split(values, self.begin[1:]), np.split(self.shares, self.begin[1:]), strict=True)
        return float(np.mean([value.argmax() == share.argmax() for value, share in pairs]))


def read(paths: list[Path]) -> tuple[Choices, Choices]:
    """The positions of all games, and of every tenth one apart."""
    features: tuple[list[Any], list[Any]] = ([], [])
    shares: tuple[list[Any], list[Any]] = ([], [])
    for path in paths:
        with np.load(path) as stored:
            data = {name: stored[name] for name in stored.files}
        size = int(np.sqrt(data["stones"].shape[1]))
        points, found = np.empty(size * size, np.int64), np.empty((size * size, FEATURES), np.int64)
        scratch = np.empty(note_words(size), np.uint64)
        for i in range(len(data["game"])):
            color, ko, before, last = (int(data[name][i]) for name in ("to_play", "ko", "before", "last"))
            ko, last_cell, before_cell = (
                cell_of(size, None if move == NO_MOVE else move) for move in (ko, last, before)
            )
            state = Board.from_colors(size, data["stones"][i].tolist()).state
            context = MoveContext(color, ko, last_cell, before_cell, np.uint64(0), 0)
            count = features_of_moves(state, size, context, scratch, points, found)
            playouts = data["visits"][i, [*points[:count], size * size]]
            if last != PASS and count > 1 and playouts.sum() >= LEAST_PLAYOUTS:
                apart = int(data["game"][i] % 10 == 0)
                features[apart].append(found[:count].copy())
                shares[apart].append(playouts / playouts.sum())
    if not all(features):
        sys.exit("learn_priors: too few games: every tenth of a file is held out, so a file needs at least 10")
    return Choices(features[0], shares[0]), Choices(features[1], shares[1])


def fit(arguments: argparse.Namespace) -> None:
    """Fit the weights and store them."""
    used, apart = read(arguments.games)
    start = np.zeros(used.matrix.shape[1])
    found = minimize(used.loss, start, args=(PENALTY,), jac=True, method="L-BFGS-B", options={"maxiter": 200})
    for name, choices in (("fitted", used), ("apart", apart)):
        count, (loss, _), first = len(choices.counts), choices.loss(found.x), choices.first(found.x)
        print(f"{name}: {count} positions, {loss:.4f} nats, {choices.entropy():.4f} at best, first {100 * first:.1f} %")
    np.savez_compressed(arguments.output, weights=(found.x / np.log(2)).astype(np.float32)[classes()])


def main() -> None:
    """Play, or fit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    games = commands.add_parser("play")
    games.add_argument("output", type=Path)
    games.add_argument("--size", type=int, default=9)
    games.add_argument("--simulations", type=int, default=6000)
    games.add_argument("--seconds", type=float, default=1500.0)
    games.add_argument("--seed", type=int, default=1)
    games.set_defaults(run=play)
    fitting = commands.add_parser("fit")
    fitting.add_argument("games", type=Path, nargs="+")
    fitting.add_argument("--output", type=Path, required=True)
    fitting.set_defaults(run=fit)
    arguments = parser.parse_args()
    if arguments.output.suffix != ".npz" or not arguments.output.parent.is_dir():
        parser.error(f"the output is {arguments.output}: name a file in a folder that exists, ending in .npz")
    arguments.run(arguments)


if __name__ == "__main__":
    main()
