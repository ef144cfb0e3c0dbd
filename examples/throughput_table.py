"""Playouts per second by board size, on one core and on all cores.

    python examples/throughput_table.py
    python examples/throughput_table.py --sizes 9 --seconds 0.1

`foogo bench` measures the same with more care: it repeats each measurement and validates the playouts.
"""

from __future__ import annotations

import argparse
import time

import foogo


def playouts_per_second(size: int, threads: int | None, seconds: float) -> float:
    """The rate of a run that takes about `seconds`; None threads means all cores."""
    foogo.simulate(size, 1000, threads=threads)  # compiles the kernel when this machine first needs it
    count = 1000
    while True:
        began = time.perf_counter()
        foogo.simulate(size, count, seed=1, threads=threads)
        taken = time.perf_counter() - began
        if taken >= 0.8 * seconds:
            return count / taken
        count = int(count * min(10.0, max(1.2, seconds / taken)))


def main() -> None:
    """Print one row per board size."""
    parser = argparse.ArgumentParser(description="Playouts per second by board size.")
    parser.add_argument("--sizes", type=int, nargs="+", default=[9, 13, 19], help="points on a side")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of each measurement")
    options = parser.parse_args()

    print(f"{'board':>7} {'one core':>12} {'all cores':>12} {'moves':>7}")
    for size in options.sizes:
        one, every = (playouts_per_second(size, threads, options.seconds) for threads in (1, None))
        moves = foogo.simulate(size, 1000, seed=1).mean_moves
        print(f"{f'{size}x{size}':>7} {one:12,.0f} {every:12,.0f} {moves:7.1f}")


if __name__ == "__main__":
    main()
