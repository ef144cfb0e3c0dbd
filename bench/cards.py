"""foogo's card engines beside other programs, in alternation in one process, on one core.

    python bench/cards.py poker
    python bench/cards.py poker --turns 9 --json bench/results/cards-poker.json

Each section is a module `cards_NAME.py`; its docstring says what to install. Its function `comparisons` returns the
contestants of each comparison by name, foogo first: functions that do a fixed piece of work and return how many items
they did. Rates are medians over the turns, per second of CPU time, child processes included.
"""

from __future__ import annotations

import argparse
import json
import resource
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

from foogo.benchmark.environment import environment
from foogo.benchmark.timing import in_turns
from foogo.cli.console import text_table

SECTIONS = ("poker", "deal", "rummy", "bridge")


Work = Callable[[], int]


def cpu_seconds() -> float:
    """The CPU time of this process and its finished children so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def rate(work: Work) -> float:
    """Items per second of CPU time."""
    began = cpu_seconds()
    done = work()
    return done / (cpu_seconds() - began)


def compare(contestants: dict[str, Work], turns: int) -> dict[str, float]:
    """The median rate of each contestant."""
    for work in contestants.values():
        work()  # compiles and fills caches
    timed = [partial(rate, work) for work in contestants.values()]
    return dict(zip(contestants, map(median, in_turns(timed, turns)), strict=True))


def main() -> None:
    """Compare, print a table per comparison, and write the rates as JSON if asked to."""
    parser = argparse.ArgumentParser(description="foogo's card engines beside other programs.")
    parser.add_argument("section", choices=SECTIONS)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--json", type=Path, help="also write the rates to this file")
    options = parser.parse_args()

    comparisons: dict[str, dict[str, Work]] = import_module(f"cards_{options.section}").comparisons()
    document: dict[str, Any] = {"environment": environment(), "turns": options.turns, "rates": {}}
    for title, contestants in comparisons.items():
        rates = compare(contestants, options.turns)
        document["rates"][title] = rates
        first = next(iter(rates.values()))
        rows = [
            [name, f"{value:,.0f}" if value >= 100 else f"{value:.3g}", f"{first / value:.2f}"]
            for name, value in rates.items()
        ]
        print(text_table([title, "per second", "foogo / this"], rows), end="\n\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
