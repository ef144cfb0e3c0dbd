"""Playouts per second by number of threads.

    python bench/scaling.py --json bench/results/scaling.json

The thread counts are measured in turns.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import median
from typing import Any

from foogo import Playouts, simulate
from foogo.benchmark.environment import environment
from foogo.benchmark.timing import TimedRuns, in_turns
from foogo.core.cpu import usable_cores
from foogo.playout.backends import describe_backend

REPEATS = 7


def scaling(size: int, counts: list[int], seconds: float, suicide: bool) -> list[dict[str, Any]]:
    """One row for each thread count: rates, and the median's ratio to that of the first count."""

    def timed(threads: int) -> TimedRuns[Playouts]:
        def play(first: int, n: int) -> Playouts:
            return simulate(size, n, first=first, threads=threads, suicide=suicide)

        return TimedRuns(play, seconds / REPEATS / len(counts))

    rates = in_turns([timed(threads).rate for threads in counts], REPEATS)
    return [
        {
            "size": size,
            "suicide": suicide,
            "backend": describe_backend("auto", size),
            "threads": threads,
            "rates": found,
            "rate": median(found),
            "speedup": median(found) / median(rates[0]),
        }
        for threads, found in zip(counts, rates, strict=True)
    ]


def markdown(document: dict[str, Any]) -> str:
    """The result as a page with one table."""
    here = document["machine"]
    lines = [
        "# Playouts per second by number of threads",
        "",
        f"{here['cpu']}, cores: {here['cores']}, {here['date']}; "
        f"foogo {here['foogo']}, numba {here['numba']}, Python {here['python']}.",
        "",
        "| board | threads | playouts/s | over one thread |",
        "|---|---|---|---|",
    ]
    for row in document["rows"]:
        lines.append(f"| {row['size']}x{row['size']} | {row['threads']} | {row['rate']:,.0f} | {row['speedup']:.2f}x |")
    return "\n".join([*lines, "", "Medians over the repeats, measured in turns.", ""])


def main() -> None:
    """Read the command line, measure, print the table, write the JSON and beside it the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, action="append", help="may be repeated; 9, 13 and 19 by default")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each size, shared by the thread counts")
    parser.add_argument("--no-suicide", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write FILE and a .md beside it")
    arguments = parser.parse_args()
    most = usable_cores()
    counts = sorted({1, *(2**i for i in range(1, most.bit_length()) if 2**i <= most), most})
    rows = []
    for size in arguments.size or [9, 13, 19]:
        rows += scaling(size, counts, arguments.seconds, not arguments.no_suicide)
    document = {"machine": environment(), "rows": rows}
    print(markdown(document))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        arguments.json.with_suffix(".md").write_text(markdown(document), encoding="utf-8")


if __name__ == "__main__":
    main()
