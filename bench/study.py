"""Measure a study run against plain `simulate`, and a local cluster against threads, in alternating pairs.

Run it with `python bench/study.py`. It prints the median of the ratios of rates; above 0.95 and 0.90 are wanted.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from statistics import median

from foogo.playouts import simulate
from foogo.study.config import Config
from foogo.study.runner import run_study
from foogo.study.store import Store
from foogo.study.workers import Cluster, Threads, Workers


def main() -> None:
    """Print the ratios for the sizes asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--playouts", type=int, default=4_000_000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--cluster", action="store_true", help="compare a local cluster with threads instead")
    options = parser.parse_args()
    n, size, threads = options.playouts, options.size, options.threads
    simulate(size, 10_000)
    ratios = []
    if options.cluster:
        with Cluster("local", threads) as cluster, Threads(threads) as local:
            study_seconds(cluster, size, n // 10, 99)
            for i in range(options.pairs):
                ratios.append(study_seconds(local, size, n, i) / study_seconds(cluster, size, n, i))
                print(f"cluster / threads: {ratios[-1]:.3f}", flush=True)
    else:
        for i in range(options.pairs):
            began = time.perf_counter()
            simulate(size, n, seed=i, threads=threads)
            plain = time.perf_counter() - began
            with Threads(threads) as local:
                ratios.append(plain / study_seconds(local, size, n, i))
            print(f"study / simulate: {ratios[-1]:.3f} ({n / plain:,.0f} playouts/s plain)", flush=True)
    print(f"median of {len(ratios)} pairs, {size}x{size}, {threads} workers: {median(ratios):.3f}")


def study_seconds(workers: Workers, size: int, n: int, seed: int) -> float:
    """The time of a new run in a new store."""
    with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
        run = store.ask(Config(size, seed=seed), n=n)
        began = time.perf_counter()
        run_study(store, run, workers=workers)
        return time.perf_counter() - began


if __name__ == "__main__":
    main()
