"""Deals per second against the programs "Deal" and "dealer", in alternation on one core.

    python bench/cards_deal.py
    python bench/cards_deal.py --rounds 7

The task is a balanced hand of 20 or 21 points for South. Stacked: full deals from Deal's smart stack and from foogo's.
Lazy: random tries of Deal, dealer and foogo, of which few are accepted. Rates are per second of CPU time, so other
programs on the machine matter less. Both programs are installed from Debian if they are missing, which needs root.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from foogo.cards.deal import Dealer, balanced, hcp

DEAL, DEALER = "/usr/games/deal", "/usr/games/dealer"

QUIET = "source /usr/share/deal/format/none\nshapecond flat {$s*$s+$h*$h+$d*$d+$c*$c <= 47}\n"

STACKED_DEAL = QUIET + "deal::input smartstack south flat hcp 20 21\nmain { accept }\n"

LAZY_DEAL = QUIET + (
    "main {\n  reject if {[hcp south] < 20} {[hcp south] > 21}\n  reject unless {[flat south]}\n  accept\n}\n"
)

LAZY_DEALER = (
    "condition hcp(south) >= 20 and hcp(south) <= 21 and shape(south, any 4333 + any 4432 + any 5332)\n"
    "action printoneline\n"
)

SOUTH = balanced & hcp(20, 21)
PROBABILITY = 3_393_199_716 / 635_013_559_600


def cpu_seconds(*command: str) -> float:
    """The CPU time of a program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cpu_seconds_of(call: Callable[[], object]) -> float:
    """The CPU time of a call in this process."""
    began = time.process_time()
    call()
    return time.process_time() - began


def rates(folder: Path) -> dict[str, Callable[[], float]]:
    """For each program, a function that measures its rate once."""
    scripts = {"stacked.tcl": STACKED_DEAL, "lazy.tcl": LAZY_DEAL, "lazy.dealer": LAZY_DEALER}
    for name, text in scripts.items():
        (folder / name).write_text(text, encoding="utf-8")
    stacked_tcl, lazy_tcl, lazy_dealer = (str(folder / name) for name in scripts)
    stacked, lazy = Dealer(south=SOUTH), Dealer(south=SOUTH, stack=None)

    def of_deal(script: str, many: int, per_deal: float) -> float:
        """The rate without the time to start: the time of `many` deals less the time of one."""
        return (
            (many - 1) * per_deal / (cpu_seconds(DEAL, "-i", script, str(many)) - cpu_seconds(DEAL, "-i", script, "1"))
        )

    def of_foogo_lazy() -> float:
        tries = 0

        def run() -> None:
            nonlocal tries
            tries = lazy.sample(50_000, threads=1).tries

        return 1 / (cpu_seconds_of(run) / tries)

    return {
        "stacked, Deal": lambda: of_deal(stacked_tcl, 20_000, 1),
        "stacked, foogo": lambda: 2_000_000 / cpu_seconds_of(lambda: stacked.deals(2_000_000, threads=1)),
        "lazy, Deal": lambda: of_deal(lazy_tcl, 4_000, 1 / PROBABILITY),
        "lazy, dealer": lambda: 1_000_000 / cpu_seconds(DEALER, "-g", "1000000", "-p", "100000000", lazy_dealer),
        "lazy, foogo": of_foogo_lazy,
    }


def main() -> None:
    """Print a row for each program: the median rate and, of foogo, its multiple of the others."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    if not (Path(DEAL).exists() and Path(DEALER).exists()):
        subprocess.run(["apt-get", "install", "-y", "deal", "dealer"], check=True)
    with tempfile.TemporaryDirectory() as folder:
        measures = rates(Path(folder))
        for name in ("stacked, foogo", "lazy, foogo"):
            measures[name]()  # compiles
        found: dict[str, list[float]] = {name: [] for name in measures}
        for _ in range(options.rounds):
            for name, measure in measures.items():
                found[name].append(measure())
    medians = {name: statistics.median(every) for name, every in found.items()}
    print("| task | per second of CPU time | foogo over it |\n|---|---|---|")
    for name, rate in medians.items():
        task = name.split(",")[0]
        print(f"| {name} | {rate:,.0f} | {medians[f'{task}, foogo'] / rate:.1f} |")


if __name__ == "__main__":
    main()
