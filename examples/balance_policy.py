"""A weighted playout policy, its weights tuned so that playouts are right on average.

    python examples/balance_policy.py                        # minutes
    python examples/balance_policy.py --rounds 300 --positions 200

A policy that imitates good moves need not judge positions well: what counts is that the errors of both players cancel
(Silver and Tesauro 2009, "Monte-Carlo simulation balancing"). Here the truth is the win share that a long search gives
to positions of its games. The loss is the mean squared difference between it and the win share of the playouts. It is
lowered by SPSA (Spall 1992): in each round all weights change at random at the same time, one way and the other, and
move towards the better side. Both sides play the same random numbers, so few playouts are enough. Weights are arguments
of the compiled policy, so nothing is compiled again.

The policy and the matches are those of fit_policy.py; bench/results/weighted-policies.md has results.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
from fit_policy import NAMES, classes, search_matches
from numpy.typing import NDArray

import foogo

FITTED = (
    19.8034, 2.8894, 4.461, 0.7422, 12.2732, 2.2197, 1.2867, 0.9914, 0.4754, 0.1615, 0.9175, 0.7992, 0.2659, 0.0614,
    0.409, 0.7345, 0.7371, 0.7465,
)  # fmt: skip
"""The weights to start from: those that fit_policy.py finds on 9x9."""

KOMI = 7.0


def judged_positions(
    size: int, count: int, simulations: int, seed: int
) -> tuple[list[foogo.Board], NDArray[np.float64]]:
    """Positions of games of the search, one in three moves, and Black's win share by a long search of each."""
    random = np.random.default_rng(seed)
    boards: list[foogo.Board] = []
    shares: list[float] = []
    while len(boards) < count:
        game = foogo.Game(size, komi=KOMI)
        while not game.is_over and len(game.moves) < size * size and len(boards) < count:
            is_kept = random.random() < 1 / 3 and game.board.last_move != foogo.PASS
            search = foogo.Search(game, seed=seed + len(boards))
            result = search.run(simulations=simulations if is_kept else simulations // 20)
            if result.interrupted:
                raise KeyboardInterrupt
            if is_kept:
                boards.append(game.board.copy())
                shares.append(result.value if game.to_play == foogo.BLACK else 1 - result.value)
            if not 0.03 < result.value < 0.97:
                break
            visits = result.moves["visits"]
            game.play(int(random.choice(result.moves["move"], p=visits / visits.sum())))
    return boards, np.array(shares)


def black_wins(boards: list[foogo.Board], policy: Any, playouts: int, seed: int) -> NDArray[np.float64]:
    """Black's win share in the playouts of each position."""
    scores = foogo.play_games(boards, playouts * len(boards), seed=seed, policy=policy).scores - KOMI
    return np.asarray(((scores > 0) + 0.5 * (scores == 0)).reshape(len(boards), playouts).mean(axis=1))


def squared_error(
    boards: list[foogo.Board], truth: NDArray[np.float64], policy: Any, playouts: int, seed: int
) -> float:
    """The mean squared error of the playouts' win share, without what the number of playouts adds to it."""
    shares = black_wins(boards, policy, playouts, seed)
    return float(((shares - truth) ** 2 - shares * (1 - shares) / (playouts - 1)).mean())


def balance(
    boards: list[foogo.Board], truth: NDArray[np.float64], start: NDArray[np.float64], options: argparse.Namespace
) -> NDArray[np.float64]:
    """The logarithms of the weights, tuned from `start` on."""
    random, logarithms, tail = np.random.default_rng(options.seed), start.copy(), []
    for step in range(options.rounds):
        reach, rate = 0.3 / (step + 1) ** 0.1, options.rate / (step + 1 + options.rounds / 10) ** 0.6
        signs = random.choice([-1.0, 1.0], len(start))
        rows = random.choice(len(boards), min(len(boards), options.batch), replace=False)
        some, wanted = [boards[row] for row in rows], truth[rows]
        losses = [
            squared_error(some, wanted, policy_of(logarithms + side * reach * signs), options.playouts, step)
            for side in (1, -1)
        ]
        logarithms = np.clip(logarithms - rate * (losses[0] - losses[1]) / (2 * reach) * signs, -6, 6)
        if step >= options.rounds // 2:
            tail.append(logarithms)
    return np.asarray(np.mean(tail or [logarithms], axis=0))


def policy_of(logarithms: NDArray[np.float64]) -> Any:
    """The policy with these weights."""
    return classes(weights=tuple(np.exp(logarithms).tolist()))


def main() -> None:
    """Judge positions, tune, and compare."""
    parser = argparse.ArgumentParser(description="Tune the weights of a playout policy for balance.")
    parser.add_argument("--size", type=int, default=9, help="points on a side")
    parser.add_argument("--positions", type=int, default=400, help="positions to learn from; as many are held out")
    parser.add_argument("--simulations", type=int, default=40_000, help="playouts of the search that judges a position")
    parser.add_argument("--rounds", type=int, default=400, help="rounds of the tuning")
    parser.add_argument("--batch", type=int, default=100, help="positions in a round")
    parser.add_argument("--playouts", type=int, default=100, help="playouts of each position in a round")
    parser.add_argument("--rate", type=float, default=60.0, help="how far a round moves the weights")
    parser.add_argument("--matches", type=int, default=100, help="games of the search against `patterns`")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    boards, truth = judged_positions(options.size, 2 * options.positions, options.simulations, options.seed)
    learnt, apart = slice(None, None, 2), slice(1, None, 2)
    start = np.log(FITTED)
    found = balance(boards[learnt], truth[learnt], start, options)
    for name, weight in zip(NAMES, np.exp(found), strict=True):
        print(f"{name:>14} {weight:8.3f}")
    rows = {"uniform": "uniform", "patterns": "patterns", "before": policy_of(start), "balanced": policy_of(found)}
    print(f"root mean squared error of the win share, {len(truth[apart])} positions held out:")
    for name, policy in rows.items():
        error = squared_error(boards[apart], truth[apart], policy, 4 * options.playouts, 10**6)
        print(f"{name:>14} {max(error, 0) ** 0.5:8.4f}")
    print("weights =", tuple(round(float(weight), 4) for weight in np.exp(found)))
    won = search_matches(policy_of(found), options.size, options.matches, 1000)
    print(f"search: {won:.1%} of {options.matches} games against patterns, at 1,000 simulations per move")


if __name__ == "__main__":
    main()
