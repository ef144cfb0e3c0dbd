"""A weighted playout policy, its weights fitted to recorded games by maximum likelihood.

    python examples/fit_policy.py                            # records 60 games of the search first: minutes
    python examples/fit_policy.py game1.sgf game2.sgf ...    # or from files
    foogo gtp --policy examples/fit_policy.py:classes

A candidate has the weights of the classes that it is in, added up, and is drawn in proportion to them (Coulom 2007, in
classes). The fit finds the weights under which the recorded moves are most likely. Then it compares the policy with
`patterns`: in games of the playouts themselves, and in the search. bench/results/weighted-policies.md has results.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

import foogo
from foogo.sgf import read_game

EQUAL = (1.0,) * 18

NAMES = (
    "takes_last", "takes", "escapes", "vital", "shaped", "next_to_last", "near_last", "near_before", "further",
    "joins", "touches", "between", "solid", "line_1", "line_2", "line_3", "inner", "poor",
)  # fmt: skip
"""The classes, in the order of the weights."""


@foogo.playout_policy
def classes(see, pick, weights=EQUAL):
    """Eighteen classes. Four lines and the poor moves part the board; all others add to their weights."""
    captures = see.beside(see.opponent & see.short)
    useful = see.beside_two(see.empty) | see.beside(see.own & ~see.short)
    sound = see.candidates & (useful | captures)
    near = see.around(see.last_move)
    takes_last = sound & see.beside(see.strings(see.last_move) & see.short)
    takes = sound & captures
    escapes = sound & useful & see.beside(see.own & see.short)
    vital = sound & see.vital
    shaped = sound & see.shaped
    next_to_last = sound & see.beside(see.last_move)
    near_last = sound & near & ~see.beside(see.last_move)
    near_before = sound & see.around(see.before_last)
    further = sound & see.around(near) & ~near
    joins = sound & see.beside(see.own)
    touches = sound & see.beside(see.opponent)
    between = joins & touches
    solid = sound & see.beside_two(see.own)
    line_1 = sound & see.line(1)
    line_2 = sound & see.line(2)
    line_3 = sound & see.line(3)
    inner = sound & ~(see.line(1) | see.line(2) | see.line(3))
    poor = see.candidates & ~sound
    return pick.weighted(
        (weights[0], takes_last), (weights[1], takes), (weights[2], escapes), (weights[3], vital), (weights[4], shaped),
        (weights[5], next_to_last), (weights[6], near_last), (weights[7], near_before), (weights[8], further),
        (weights[9], joins), (weights[10], touches), (weights[11], between), (weights[12], solid),
        (weights[13], line_1), (weights[14], line_2), (weights[15], line_3), (weights[16], inner), (weights[17], poor),
    ) or see.candidates  # fmt: skip


def record_games(size: int, games: int, simulations: int, seed: int) -> list[foogo.Game]:
    """Games of the search against itself; their first moves are drawn by their visits."""
    random, played = np.random.default_rng(seed), []
    for number in range(games):
        game = foogo.Game(size, komi=7)
        search = foogo.Search(game, seed=seed + number)
        while not game.is_over and len(game.moves) < 2 * size * size:
            result = search.run(simulations=simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            move, visits = result.best, result.moves["visits"]
            if len(game.moves) < size:
                move = int(random.choice(result.moves["move"], p=visits / visits.sum()))
            game.play(move)
            search.play(move)
        played.append(game)
    return played


def counts_of(games: list[foogo.Game]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each move of the games: the classes that it is in, and the candidates in each; (moves, classes) each."""
    chosen, counts = [], []
    for game in games:
        replay = foogo.Game(game.start, komi=game.komi, rules=game.rules)
        for color, move in game.turns:
            if replay.is_over:
                replay.resume()
            if move != foogo.PASS:
                position = replay.copy()
                position.to_play = color  # not the opponent of the last mover after a move out of turn
                sets = classes.sets(position)
                members = np.array([sets[name] for name in NAMES])
                if members[:, move].any():
                    chosen.append(members[:, move])
                    counts.append(members.sum(axis=1))
            replay.play(move, color)
    return np.array(chosen, np.float64), np.array(counts, np.float64)


def fit(chosen: NDArray[np.float64], counts: NDArray[np.float64], penalty: float = 1e-3) -> NDArray[np.float64]:
    """The weights under which the moves are most likely; `penalty` draws the logarithms of all to 0."""

    def loss(logarithms: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        weights = np.exp(logarithms)
        own, total = chosen @ weights, counts @ weights
        gradient = weights * (counts / total[:, None] - chosen / own[:, None]).mean(axis=0)
        nats = float(np.log(total / own).mean() + penalty * logarithms @ logarithms)
        return nats, gradient + 2 * penalty * logarithms

    found = minimize(loss, np.zeros(len(NAMES)), jac=True, method="L-BFGS-B")
    return np.asarray(np.exp(found.x))


def nats_per_move(weights: NDArray[np.float64], chosen: NDArray[np.float64], counts: NDArray[np.float64]) -> float:
    """Minus the mean logarithm of the moves' probabilities."""
    return float(np.log(counts @ weights / (chosen @ weights)).mean())


def search_matches(policy: Any, size: int, games: int, simulations: int) -> float:
    """The share of games that the search with a policy wins against the search with `patterns`."""
    won = 0.0
    for seed in range(games):
        game, own = foogo.Game(size, komi=7), foogo.WHITE if seed % 2 else foogo.BLACK
        while not game.is_over and len(game.moves) < 3 * size * size:
            chosen = policy if game.to_play == own else "patterns"
            result = foogo.Search(game, seed=seed, policy=chosen).run(simulations=simulations)
            if result.interrupted:
                raise KeyboardInterrupt
            game.play(result.best)
        lead = game.score() if own == foogo.BLACK else -game.score()
        won += 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return won / max(1, games)


def main() -> None:
    """Record or read games, fit, and compare."""
    parser = argparse.ArgumentParser(description="Fit the weights of a playout policy to games.")
    parser.add_argument("files", nargs="*", type=Path, help="SGF files to learn from; by default games are recorded")
    parser.add_argument("--size", type=int, default=9, help="points on a side of the recorded games")
    parser.add_argument("--games", type=int, default=60, help="recorded games; every fifth is held out")
    parser.add_argument("--simulations", type=int, default=2000, help="playouts of each recorded move")
    parser.add_argument("--matches", type=int, default=100, help="games of the search against `patterns`")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    if options.files:
        games = [read_game(path) for path in options.files]
    else:
        games = record_games(options.size, options.games, options.simulations, options.seed)
    apart = games[::5] if len(games) > 1 else []
    chosen, counts = counts_of([game for i, game in enumerate(games) if i % 5 or not apart])
    if not len(chosen):
        parser.error("these games have no moves to learn from")
    weights = fit(chosen, counts)
    print(f"{len(games)} games, {len(chosen):,} moves to learn from")
    for name, weight in zip(NAMES, weights, strict=True):
        print(f"{name:>14} {weight:8.3f}")
    for label, pair in (("fitted", (chosen, counts)), ("held out", counts_of(apart))):
        if len(pair[0]):
            even, found = nats_per_move(np.ones(len(NAMES)), *pair), nats_per_move(weights, *pair)
            print(f"{label}: {found:.3f} nats per move, {even:.3f} with equal weights")
    print("weights =", tuple(round(float(weight), 4) for weight in weights))
    policy = classes(weights=tuple(weights.tolist()))
    size = games[0].size
    won = search_matches(policy, size, options.matches, 1000)
    print(f"search: {won:.1%} of {options.matches} games against patterns, at 1,000 simulations per move")


if __name__ == "__main__":
    main()
