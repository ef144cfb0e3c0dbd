"""How soon a search stops when it is told to, and the memory of the process while the tree is at its cap.

python bench/search_limits.py                          9x9 and 19x19, 1 and 2 threads, policy patterns
python bench/search_limits.py --stops 50 --simulations 20000000 --memory 64

Prints JSON: the median and the longest of the stops in milliseconds, and tree and process after each part of it.
"""

from __future__ import annotations

import argparse
import json
import threading
import time
from typing import Any

from foogo.benchmark.environment import environment, peak_memory
from foogo.game.game import Game
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search

MIB = 1 << 20


def stopped_after(size: int, threads: int, running: float) -> float:
    """Seconds from `Search.stop`, called after so many seconds of a search, until its result is there."""
    search = Search(Game(size, komi=7), threads=threads)
    told: list[float] = []

    def tell() -> None:
        told.append(time.perf_counter())
        search.stop()

    timer = threading.Timer(running, tell)
    timer.start()
    search.run(seconds=60)
    ended = time.perf_counter()
    timer.join()
    return ended - told[0]


def at_the_cap(memory: int, simulations: int, steps: int) -> list[dict[str, Any]]:
    """The tree and the process after each of so many equal parts of a search of 9x9 with two threads."""
    search = Search(Game(9, komi=7), threads=2, parameters=SearchParameters(memory=memory))
    found = []
    for step in range(1, steps + 1):
        result, peak = search.run(simulations=simulations // steps), peak_memory()
        found.append(
            {
                "simulations": step * (simulations // steps),
                "tree_mib": round(search.tree_bytes / MIB, 2),
                "tree_full": result.tree_full,
                "resident_mib": None if peak is None else round(peak / MIB, 1),
            }
        )
    return found


def main() -> None:
    """Measure and print as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stops", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=20_000_000)
    parser.add_argument("--memory", type=int, default=64, metavar="MIB")
    arguments = parser.parse_args()
    full = at_the_cap(arguments.memory * MIB, arguments.simulations, 10)
    stops = []
    for size in (9, 19):
        Search(Game(size)).run(simulations=100)  # compiles
        for threads in (1, 2):
            took = sorted(1000 * stopped_after(size, threads, 0.1 + 0.01 * i) for i in range(arguments.stops))
            row = {"size": size, "threads": threads, "median_ms": took[len(took) // 2], "most_ms": took[-1]}
            stops.append({name: round(value, 1) for name, value in row.items()})
    print(json.dumps({"machine": environment(), "stops": stops, "cap_mib": arguments.memory, "full": full}, indent=1))


if __name__ == "__main__":
    main()
