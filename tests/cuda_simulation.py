"""Plays on numba-cuda's simulated card and on the processor, and prints as JSON which runs were the same.

It is a program of its own, since the simulator must be switched on before numba-cuda is imported:

    NUMBA_ENABLE_CUDASIM=1 python -m tests.cuda_simulation
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from foogo import Interrupted, play_games, simulate
from foogo.cards import cards
from tests.card_games import FIRST, SEED, positions

GAMES = {5: 16, 9: 18}


def totals() -> dict[str, bool]:
    """Runs by name, and whether the simulated card's totals are the processor's."""
    same = {}
    for size, n in GAMES.items():
        for i, board in enumerate(positions(size)):
            for suicide in (True, False):
                card, processor = (
                    simulate(board, n, seed=SEED, first=FIRST, suicide=suicide, backend=backend)
                    for backend in ("cuda", "scalar")
                )
                same[f"{size}x{size} position {i}, suicide {suicide}"] = card == processor
    policy: dict[str, Any] = {"seed": SEED, "policy": "knowledge"}
    same["knowledge"] = simulate(5, 12, backend="cuda", **policy) == simulate(5, 12, backend="scalar", **policy)
    return same


def each_game() -> dict[str, bool]:
    """The arrays of `play_games` by name, and whether they are the processor's."""
    boards = positions(5)
    card, processor = (
        play_games(boards, 4 * len(boards), seed=SEED, first=FIRST, sets=True, backend=backend)
        for backend in ("cuda", "simd")
    )
    pairs: Any = zip(card._fields, card, processor, strict=True)
    return {name: np.array_equal(a, b) for name, a, b in pairs}


def interrupted() -> bool:
    """Whether Ctrl-C leaves what was finished, on a card too."""

    def stop(done: int, asked: int) -> None:
        raise KeyboardInterrupt

    try:
        simulate(3, 20, seed=4, backend="cuda", progress=stop)
    except Interrupted as error:
        return error.playouts == simulate(3, 20, seed=4)
    return False


def main() -> None:
    """Play, and print what came out."""
    found = {"simulated": cards()[0].simulated, "interrupted": interrupted()}
    print(json.dumps({"totals": totals(), "games": each_game(), **found}))


if __name__ == "__main__":
    main()
