"""Plays on numba-cuda's simulated GPU and on the processor, and prints as JSON which runs were the same.

It is a program of its own, since the simulator must be switched on before numba-cuda is imported:

    NUMBA_ENABLE_CUDASIM=1 python -m tests.cuda_simulation
"""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

import numpy as np
from numba.cuda.simulator.kernel import BlockThread

from foogo import Board, Interrupted, first_move, play_games, simulate
from foogo.benchmark.gpu import measure_gpus
from foogo.playout.gpu import gpus
from foogo.study.config import ANY, Config
from foogo.study.run.runner import run_study
from foogo.study.run.workers import Gpus
from foogo.study.store.store import Store
from tests.gpu_games import FIRST, SEED, positions
from tests.playout.written_policies import captures_first, edges, everything

GAMES = {5: 12, 9: 12}
"""Games of each position under each rule, by size."""


def totals() -> dict[str, bool]:
    """Runs by name, and whether the simulated GPU's totals are the processor's."""
    same = {}
    for size, n in GAMES.items():
        for i, board in enumerate(positions(size)):
            for suicide in (True, False):
                gpu, processor = (
                    simulate(board, n, seed=SEED, first=FIRST, suicide=suicide, backend=backend)
                    for backend in ("cuda", "scalar")
                )
                same[f"{size}x{size} position {i}, suicide {suicide}"] = gpu == processor
    return same | by_policy()


def by_policy() -> dict[str, bool]:
    """The same of the policies that look; the positions have a last move, the empty board has none."""
    same = {}
    runs: list[Any] = [("patterns", board, 6) for board in positions(5)]
    runs += [(everything, positions(5)[0], 4), (captures_first(near=0.5), Board(5), 4), (edges, Board(5), 4)]
    runs += [("patterns", Board(9), 4), ("knowledge", Board(5), 8)]
    for policy, board, n in runs:
        gpu, processor = (
            simulate(board, n, seed=SEED, first=FIRST, policy=policy, backend=backend) for backend in ("cuda", "simd")
        )
        name = policy if isinstance(policy, str) else policy.name
        same[f"{name}, {board.size}x{board.size}, last move {board.last_move}"] = gpu == processor
    return same


def commands() -> dict[str, bool]:
    """What is built on totals, by name, and whether it comes to the same."""
    gpu, processor = (first_move(3, 16, seed=SEED, backend=backend) for backend in ("cuda", "simd"))
    run: dict[str, Any] = {"seed": SEED, "policy": "patterns"}
    with TemporaryDirectory() as folder, Store(Path(folder) / "study.sqlite", create=True) as store, Gpus() as hands:
        study = run_study(store, store.ask(Config(3, **run), n=16), workers=hands)
        played = store.totals(study, ANY)[0]
    bench = measure_gpus(2, seconds=0.01, policy="patterns")
    timed = simulate(2, bench.playouts.n, first=bench.playouts.first, policy="patterns")
    return {
        "first_move": gpu == processor,
        "study": played == simulate(3, 16, **run).totals,
        "bench": bench.playouts == timed and bench.share_of_peak is None,
    }


def each_game() -> dict[str, bool]:
    """The arrays of `play_games` by name, and whether they are the processor's."""
    boards = positions(5)
    same: dict[str, bool] = {}
    for policy in ("uniform", "patterns"):
        gpu, processor = (
            play_games(boards, 3 * len(boards), seed=SEED, first=FIRST, sets=True, policy=policy, backend=backend)
            for backend in ("cuda", "simd")
        )
        pairs: Any = zip(gpu._fields, gpu, processor, strict=True)
        same |= {f"{policy}, {name}": np.array_equal(a, b) for name, a, b in pairs}
    return same


def interrupted() -> bool:
    """Whether Ctrl-C leaves what was finished, on a GPU too."""

    def stop(done: int, asked: int) -> None:
        raise KeyboardInterrupt

    try:
        simulate(3, 20, seed=4, backend="cuda", progress=stop)
    except Interrupted as error:
        return error.playouts == simulate(3, 20, seed=4)
    return False


def wait_for(thread: Thread) -> bool:
    """Whether a simulated thread is alive, a moment later: numba-cuda asks without pause, which slows it down."""
    thread.join(0.001)
    return Thread.is_alive(thread)


def main() -> None:
    """Play, and print what came out."""
    BlockThread.is_alive = wait_for
    found = {"simulated": gpus()[0].simulated, "interrupted": interrupted()}
    print(json.dumps({"totals": totals(), "games": each_game(), "commands": commands(), **found}))


if __name__ == "__main__":
    main()
