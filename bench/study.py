"""Measure studies: against plain `simulate`, a local cluster against threads, a map by point, and games of search.

Run it with `python bench/study.py`; what is compared runs in alternating pairs, and the median of the ratios is
printed. A study is to keep 0.95 of the rate of `simulate`, a cluster 0.90 of that of threads, and a map of 9x9 with a
million playouts a class is to take less than 30 s on two cores.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from statistics import median

from foogo.game.game import Game
from foogo.playout.simulate import simulate
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search
from foogo.study.config import ANY, Config
from foogo.study.run import self_play
from foogo.study.run.runner import run_study
from foogo.study.run.workers import Cluster, Threads, Workers
from foogo.study.store.store import Store


def main() -> None:
    """Print the measurement asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--playouts", type=int, default=4_000_000, help="of a run, or of each class of a map")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cluster", action="store_true", help="compare a local cluster with threads instead")
    parser.add_argument("--by-point", action="store_true", help="measure a map by point instead")
    parser.add_argument("--search", type=int, metavar="N", help="measure games of search:N instead")
    options = parser.parse_args()
    simulate(options.size, 10_000)
    if options.by_point:
        by_point(options.size, options.playouts, options.threads)
    elif options.search:
        overhead_of_search(options.size, options.search, options.pairs)
    elif options.cluster:
        cluster_over_threads(options.size, options.playouts, options.threads, options.pairs)
    else:
        study_over_simulate(options.size, options.playouts, options.threads, options.pairs)


def study_over_simulate(size: int, n: int, threads: int, pairs: int) -> None:
    """The rate of a study run over that of `simulate`."""

    def ratio(seed: int) -> float:
        began = time.perf_counter()
        simulate(size, n, seed=seed, threads=threads)
        plain = time.perf_counter() - began
        with Threads(threads) as local:
            return plain / study_seconds(local, size, n, seed)

    print_ratios(f"study / simulate, {size}x{size}, {threads} threads", ratio, pairs)


def cluster_over_threads(size: int, n: int, workers: int, pairs: int) -> None:
    """The rate of a local cluster over that of threads."""
    with Cluster("local", workers) as cluster, Threads(workers) as local:
        study_seconds(cluster, size, n // 10, 99)

        def ratio(seed: int) -> float:
            return study_seconds(local, size, n, seed) / study_seconds(cluster, size, n, seed)

        print_ratios(f"cluster / threads, {size}x{size}, {workers} workers", ratio, pairs)


def by_point(size: int, n: int, threads: int) -> None:
    """The time of a map, and the processor time that the process took."""
    worked = time.process_time()
    with Threads(threads) as local:
        seconds = study_seconds(local, size, n, 1, "classes")
    worked = time.process_time() - worked
    games = n * (1 + len(Config(size).classes))
    print(f"{size}x{size} by point, {n:,} a class, {games:,} playouts: {seconds:.1f} s on {threads} threads", end="")
    print(f", {worked:.1f} s of processor time")


def overhead_of_search(size: int, simulations: int, games: int) -> None:
    """The time of a move of self-play, and the part of it outside the search, with two sizes of tree."""
    config = Config(size, policy=f"search:{simulations}")
    self_play.games(config, ANY, 0, 1)
    sized, usual = self_play._memory(size, simulations), SearchParameters().memory
    rows: dict[int, list[tuple[float, float]]] = {sized: [], usual: []}
    for number in range(games):
        for memory, found in rows.items():
            found.append(move_seconds(config, number, memory))
    for memory, found in rows.items():
        whole, outside = (1e3 * median(column) for column in zip(*found, strict=True))
        line = f"{size}x{size} search:{simulations}, tree of {memory / 2**20:.1f} MiB"
        print(f"{line}: {whole:.2f} ms a move, {outside:.2f} ms of them outside the search")


def move_seconds(config: Config, number: int, memory: int) -> tuple[float, float]:
    """Seconds of a move of a game, and how many of them the search did not count as its own."""
    assert config.komi is not None
    game, began, searching = Game(config.size, komi=config.komi), time.perf_counter(), 0.0
    while not game.is_over and len(game.moves) < 3 * config.size**2:
        seed = self_play._seed(config.seed, config.komi, number, len(game.moves))
        parameters = SearchParameters(memory=memory, refill=False)
        result = Search(game, seed=seed, parameters=parameters).run(simulations=config.simulations)
        if result.interrupted:
            raise KeyboardInterrupt
        searching += result.seconds
        game.play(result.best)
    seconds = time.perf_counter() - began
    return seconds / len(game.moves), (seconds - searching) / len(game.moves)


def study_seconds(workers: Workers, size: int, n: int, seed: int, openings: str = "none") -> float:
    """The time of a new run in a new store."""
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
        run = store.ask(Config(size, seed=seed), n=n, openings=openings)
        began = time.perf_counter()
        run_study(store, run, workers=workers)
        return time.perf_counter() - began


def print_ratios(name: str, ratio: Callable[[int], float], pairs: int) -> None:
    """Print the ratio of every pair and their median."""
    ratios = []
    for seed in range(pairs):
        ratios.append(ratio(seed))
        print(f"{name}: {ratios[-1]:.3f}", flush=True)
    print(f"{name}: median of {pairs} pairs {median(ratios):.3f}")


if __name__ == "__main__":
    main()
