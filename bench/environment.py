"""Moves per second of `foogo.env.VectorEnvironment` on one core, with random legal moves, by size and batch.

    python bench/environment.py

The time is that of `step`, with its masks and planes, and of `reset` of the games that ended; drawing the moves is
timed separately. It is processor time, the best of five rounds.
"""

from __future__ import annotations

import time

import numpy as np

from foogo.env import VectorEnvironment

ROUNDS, STEPS = 5, 100


def measure(size: int, games: int) -> tuple[float, float]:
    """Moves per second of `step` and `reset`, and with the drawing of the moves."""
    env, rng = VectorEnvironment(size, games), np.random.default_rng(1)
    for _ in range(size * size):  # so that games are in every phase
        env.reset(env.step(env.random_moves(rng)).over)
    best = [np.inf, np.inf]
    for _ in range(ROUNDS):
        stepped, drawn = 0.0, 0.0
        for _ in range(STEPS):
            began = time.process_time()
            moves = env.random_moves(rng)
            chosen = time.process_time()
            env.reset(env.step(moves).over)
            ended = time.process_time()
            stepped, drawn = stepped + ended - chosen, drawn + chosen - began
        best = [min(best[0], stepped), min(best[1], stepped + drawn)]
    return STEPS * games / best[0], STEPS * games / best[1]


def main() -> None:
    """Print a line for each board and batch."""
    print("board  games  moves/s  with drawing")
    for size, games in ((9, 64), (9, 1024), (9, 4096), (13, 1024), (19, 1024)):
        rate, whole = measure(size, games)
        print(f"{f'{size}x{size}':5}  {games:5}  {rate:7,.0f}  {whole:12,.0f}")


if __name__ == "__main__":
    main()
