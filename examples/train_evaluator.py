"""A small network, trained on games of the search against itself, that then evaluates positions in the search.

    python examples/train_evaluator.py                       # 9x9, about five minutes on one core
    python examples/train_evaluator.py --size 7 --games 100 --matches 20

The network is five NumPy matrices. It looks at the 5x5 points around each point: a hidden layer for each, from which
come the weight of a move there and, over the whole board, the win share. It learns the visits of the searches and the
results of the games. docs/reference/search.md explains evaluators.
"""

from __future__ import annotations

import argparse
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import foogo

Array = NDArray[np.float32]

REACH = 2
"""Points to either side that the network sees of each point."""

OPENING = 6
"""Moves at the start of a game that are drawn in proportion to their visits, so that games differ."""


class Positions(NamedTuple):
    """What the network learns from: planes, shares of the visits by move, and the win share of the player to move."""

    planes: NDArray[np.bool_]
    shares: Array
    won: Array


def play_games(size: int, games: int, simulations: int, seed: int) -> Positions:
    """The positions of games of the search against itself."""
    random = np.random.default_rng(seed)
    rows: list[list[Any]] = []
    for number in range(games):
        game = foogo.Game(size, komi=7)
        search = foogo.Search(game, seed=seed + number)
        first = len(rows)
        while not game.is_over and len(game.moves) < 2 * size * size:
            result = search.run(simulations=simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            moves = result.moves
            shares = np.zeros(size * size + 1)
            shares[moves["move"]] = moves["visits"] / moves["visits"].sum()  # a pass is -1, so the last
            rows.append([game.board.planes(), shares, game.to_play])
            best = random.choice(moves["move"], p=shares[moves["move"]]) if len(game.moves) < OPENING else moves[0][0]
            game.play(int(best))
            search.play(int(best))
        lead = game.score()
        for row in rows[first:]:
            row[2] = 0.5 if lead == 0 else float((lead > 0) == (row[2] == foogo.BLACK))
    planes, visits, won = zip(*rows, strict=True)
    return Positions(np.array(planes), np.array(visits, np.float32), np.array(won, np.float32))


def turned(positions: Positions) -> Positions:
    """The positions in all eight symmetries."""
    size = positions.planes.shape[2]
    parts: list[Positions] = []
    for turn in range(8):

        def turn_one(board: Any, turn: int = turn) -> Any:
            board = np.rot90(board, turn % 4, axes=(-2, -1))
            return board if turn < 4 else np.flip(board, axis=-1)

        points = turn_one(positions.shares[:, :-1].reshape(-1, size, size)).reshape(-1, size * size)
        moves = np.concatenate([points, positions.shares[:, -1:]], axis=1)
        parts.append(Positions(turn_one(positions.planes), moves, positions.won))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Positions(columns[0], columns[1], columns[2])


class Network:
    """Priors and values of positions; `Network(...)(planes)` is an evaluator."""

    def __init__(self, size: int, hidden: int, seed: int) -> None:
        random, around = np.random.default_rng(seed), 3 * (2 * REACH + 1) ** 2 + 1
        self.weights: list[Array] = [
            (random.standard_normal((around, hidden)) * np.sqrt(2 / around)).astype(np.float32),
            np.zeros(hidden, np.float32),  # of a move
            np.zeros(hidden + 1, np.float32),  # of a pass, by the mean of the hidden layers
            np.zeros((size * size, hidden), np.float32),  # of the win share
            np.zeros(2, np.float32),  # of the win share, by the colour to move
        ]
        self._means, self._squares = ([np.zeros_like(one) for one in self.weights] for _ in range(2))
        self._steps = 0

    def __call__(self, planes: NDArray[np.bool_]) -> tuple[Array, Array]:
        """The weights of moves, and the win shares."""
        _, _, logits, values = self._forward(planes)
        return np.exp(logits - logits.max(axis=1, keepdims=True)), values

    def _forward(self, planes: NDArray[np.bool_]) -> tuple[Array, Array, Array, Array]:
        """What is seen around each point, the hidden layer, the logarithms of the priors, the win shares."""
        count, _, size, _ = planes.shape
        first, move, passing, won, color = self.weights
        board = np.zeros((count, 3, size + 2 * REACH, size + 2 * REACH), np.float32)
        board[:, 2] = 1  # beyond the edge
        board[:, :, REACH:-REACH, REACH:-REACH] = 0
        board[:, :2, REACH:-REACH, REACH:-REACH] = planes[:, :2]
        windows = np.lib.stride_tricks.sliding_window_view(board, (2 * REACH + 1, 2 * REACH + 1), axis=(2, 3))
        around = windows.transpose(0, 2, 3, 1, 4, 5).reshape(count, size * size, -1)
        around = np.concatenate([around, np.ones((count, size * size, 1), np.float32)], axis=2)
        hidden = np.maximum(around @ first, 0)
        points = hidden @ move - 100 * planes[:, :3].any(axis=1).reshape(count, -1)
        logits = np.concatenate([points, (hidden.mean(axis=1) @ passing[:-1] + passing[-1])[:, None]], axis=1)
        black = planes[:, 3, 0, 0].astype(int)
        values = 1 / (1 + np.exp(-(np.einsum("nph,ph->n", hidden, won) / size + color[black])))
        return around, hidden, logits.astype(np.float32), values.astype(np.float32)

    def losses(self, positions: Positions) -> tuple[float, float]:
        """The cross entropies of moves and of results, in nats per position."""
        _, _, logits, values = self._forward(positions.planes)
        logits -= logits.max(axis=1, keepdims=True)
        policy = np.log(np.exp(logits).sum(axis=1)) - (positions.shares * logits).sum(axis=1)
        values = np.clip(values, 1e-6, 1 - 1e-6)
        value = -positions.won * np.log(values) - (1 - positions.won) * np.log(1 - values)
        return float(policy.mean()), float(value.mean())

    def learn(self, positions: Positions, rate: float) -> None:
        """One step down the gradient of both losses, by Adam (Kingma and Ba 2015)."""
        planes, shares, results = positions
        count, size, (_, move, passing, won, _) = len(planes), planes.shape[2], self.weights
        around, hidden, logits, values = self._forward(planes)
        priors = np.exp(logits - logits.max(axis=1, keepdims=True))
        by_logit = (priors / priors.sum(axis=1, keepdims=True) - shares) / count
        by_value = (values - results) / count
        points, passed = by_logit[:, :-1], by_logit[:, -1]
        by_hidden = points[:, :, None] * move + (passed[:, None] * passing[:-1])[:, None] / size**2
        by_hidden += by_value[:, None, None] * won / size
        by_hidden *= hidden > 0
        black = planes[:, 3, 0, 0].astype(int)
        gradients = [
            np.tensordot(around, by_hidden, axes=((0, 1), (0, 1))),
            np.einsum("nph,np->h", hidden, points),
            np.append(passed @ hidden.mean(axis=1), passed.sum()),
            np.einsum("nph,n->ph", hidden, by_value) / size,
            np.bincount(black, by_value, 2),
        ]
        self._steps += 1
        for i, gradient in enumerate(gradients):
            self._means[i] = 0.9 * self._means[i] + 0.1 * gradient
            self._squares[i] = 0.999 * self._squares[i] + 0.001 * gradient**2
            mean, square = self._means[i] / (1 - 0.9**self._steps), self._squares[i] / (1 - 0.999**self._steps)
            self.weights[i] -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def games_won(network: Network, parts: str, options: argparse.Namespace) -> float:
    """Games that the search with the network wins against the search without, each side being Black in half of them."""

    def evaluator(planes: NDArray[np.bool_]) -> tuple[Array | None, Array | None]:
        priors, values = network(planes)
        return priors if "priors" in parts else None, values if "values" in parts else None

    won = 0.0
    parameters = foogo.SearchParameters(value_weight=options.value_weight)
    for seed in range(options.matches):
        game, own = foogo.Game(options.size, komi=7), foogo.WHITE if seed % 2 else foogo.BLACK
        while not game.is_over and len(game.moves) < 3 * options.size**2:
            chosen: dict[str, Any] = {}
            if game.to_play == own:
                chosen = {"evaluator": evaluator, "parameters": parameters}
            result = foogo.Search(game, seed=seed // 2, **chosen).run(simulations=options.simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            game.play(result.best)
        lead = game.score() if own == foogo.BLACK else -game.score()
        won += 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return won


def main() -> None:
    """Play, train, and play against the search without the network."""
    parser = argparse.ArgumentParser(description="Train a small network on games of the search against itself.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--games", type=int, default=300, help="games to learn from; every tenth is held out")
    parser.add_argument("--simulations", type=int, default=800, help="playouts of each move")
    parser.add_argument("--steps", type=int, default=3000, help="steps of the training")
    parser.add_argument("--hidden", type=int, default=32, help="numbers in the hidden layer of each point")
    parser.add_argument("--value-weight", type=float, default=0.3, help="weight of the values in the search")
    parser.add_argument("--matches", type=int, default=100, help="games against the search without the network")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.games < 2:
        parser.error("--games must be 2 or more: one is held out")

    games = max(1, options.games // 10)
    held_out = play_games(options.size, games, options.simulations, options.seed + 10_000)
    positions = turned(play_games(options.size, options.games - games, options.simulations, options.seed))
    print(f"{len(positions.won) // 8:,} positions to learn from, {len(held_out.won):,} held out")
    network, random = Network(options.size, options.hidden, options.seed), np.random.default_rng(options.seed)
    for step in range(options.steps + 1):
        if step % max(1, options.steps // 5) == 0:
            moves, results = network.losses(held_out)
            print(f"step {step:5}: moves {moves:.3f}, results {results:.3f}")
        rows = random.integers(len(positions.won), size=128)
        batch = Positions(positions.planes[rows], positions.shares[rows], positions.won[rows])
        network.learn(batch, 0.003 * (1 - step / (options.steps + 1)))
    for parts in ("values", "priors and values"):
        won = games_won(network, parts, options)
        print(f"{parts}: {won / max(1, options.matches):.1%} of {options.matches} games")


if __name__ == "__main__":
    main()
