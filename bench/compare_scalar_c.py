"""foogo's playouts beside the same playouts in plain C, in alternation on one thread.

    python bench/compare_scalar_c.py --json bench/results/scalar-c.json

`bench/scalar_playouts.c` plays one game at a time on a board that tracks strings. It is built here for each size with
the compiler in $CC, or cc. Before anything is timed its totals are compared with foogo's: the games are the same ones.
It is timed in a faster form, too, which draws certain suicides and refuses them; foogo is compared with that one. Times
are of the processor, so that other programs disturb them less.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from foogo import simulate
from foogo.benchmark.environment import environment
from foogo.benchmark.timing import in_turns
from foogo.playout.backends import describe_backend

SOURCE = Path(__file__).with_name("scalar_playouts.c")
FLAGS = ("-O3", "-march=native")
REPEATS = 9
CHECKED = 1000
"""Games whose totals are compared."""

RUNS: dict[str, dict[str, Any]] = {
    "simd": {},
    "simd, no suicide": {"suicide": False},
    "simd, knowledge": {"policy": "knowledge"},
    "simd, patterns": {"policy": "patterns"},
    "scalar": {"backend": "scalar"},
    "strings": {"backend": "strings"},
}
"""What foogo plays, by name: arguments of `simulate`."""


class ScalarC:
    """The C program of one size, running."""

    def __init__(self, size: int, folder: Path) -> None:
        program = folder / f"scalar_playouts_{size}"
        subprocess.run(
            [os.environ.get("CC", "cc"), *FLAGS, f"-DSIZE={size}", str(SOURCE), "-o", str(program)], check=True
        )
        self._process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def play(
        self, n: int, *, seed: int = 0, suicide: bool = True, exclude: bool = True
    ) -> tuple[float, tuple[int, ...]]:
        """Seconds of processor time for playouts 0 to n - 1, and the sum of their scores, moves and cuts.

        Without `exclude`, certain suicides are drawn and refused.
        """
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(seed, 0, n, int(suicide), int(exclude), file=self._process.stdin, flush=True)
        seconds, *totals = self._process.stdout.readline().split()
        return float(seconds), tuple(map(int, totals))


def check(program: ScalarC, size: int) -> None:
    """End with a message if the program plays other games than foogo."""
    for suicide in (True, False):
        ours = simulate(size, CHECKED, seed=1, suicide=suicide, threads=1)
        area = size * size
        points = sum(int(count) * (index - area) for index, count in enumerate(ours.scores))
        if program.play(CHECKED, seed=1, suicide=suicide)[1] != (points, ours.moves, ours.cut):
            sys.exit(f"compare_scalar_c: the C program plays other games on {size}x{size} with suicide={suicide}")


def compare(size: int, seconds: float, folder: Path) -> dict[str, Any]:
    """Rates of the C program and of `RUNS`, measured in turns, and the ratios to the C program's."""
    program = ScalarC(size, folder)
    check(program, size)

    def in_c(n: int) -> float:
        return program.play(n, exclude=False)[0]

    def same_games_in_c(n: int) -> float:
        return program.play(n)[0]

    def by_foogo(options: dict[str, Any]) -> Callable[[int], float]:
        def play(n: int) -> float:
            began = time.process_time()
            simulate(size, n, threads=1, **options)
            return time.process_time() - began

        return play

    plays: dict[str, Callable[[int], float]] = {"C": in_c, "C, the same games": same_games_in_c}
    plays |= {name: by_foogo(options) for name, options in RUNS.items()}
    share, turns = seconds / len(plays) / REPEATS, []
    for play in plays.values():
        play(CHECKED)  # compiles
        turns.append((play, max(CHECKED, round(share * CHECKED / play(CHECKED)))))
    taken = in_turns([lambda play=play, n=n: n / play(n) for play, n in turns], REPEATS)  # type: ignore[misc]
    found = [
        {"name": name, "rates": rates, "rate": median(rates), "ratio": median(map(_over, rates, taken[0]))}
        for name, rates in zip(plays, taken, strict=True)
    ]
    return {"size": size, "backend": describe_backend("simd", size), "runs": found}


def _over(one: float, other: float) -> float:
    return one / other


def markdown(document: dict[str, Any]) -> str:
    """The result as a page with one table."""
    here, comparisons = document["machine"], document["comparisons"]
    sizes = [f"{one['size']}x{one['size']}" for one in comparisons]
    lines = [
        "# foogo and the same playouts in plain C, one thread each, in alternation",
        "",
        f"{here['cpu']}, {here['date']}; foogo {here['foogo']}, numba {here['numba']}, {document['compiler']}.",
        "Playouts per second of processor time, and the ratio to the C program's in the same turn; medians.",
        "",
        f"| | {' | '.join(sizes)} |",
        "|---|" + "---|" * len(sizes),
    ]
    for row in zip(*(one["runs"] for one in comparisons), strict=True):
        cells = [f"{run['rate']:,.0f} ({run['ratio']:.2f}x)" for run in row]
        lines.append(f"| {row[0]['name']} | {' | '.join(cells)} |")
    lines += ["", *(f"{size}: {one['backend']}." for size, one in zip(sizes, comparisons, strict=True)), ""]
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print the table, write the JSON and beside it the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, action="append", help="may be repeated; 9, 13 and 19 by default")
    parser.add_argument("--seconds", type=float, default=30.0, help="for each size, shared by all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write FILE and a .md beside it")
    arguments = parser.parse_args()
    compiler = subprocess.run([os.environ.get("CC", "cc"), "--version"], capture_output=True, text=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        document = {
            "machine": environment(),
            "compiler": compiler.stdout.partition("\n")[0],
            "comparisons": [compare(size, arguments.seconds, Path(folder)) for size in arguments.size or [9, 13, 19]],
        }
    print(markdown(document))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        arguments.json.with_suffix(".md").write_text(markdown(document), encoding="utf-8")


if __name__ == "__main__":
    main()
