"""What kernels for a family of processors cost against kernels for exactly this one.

    python bench/shipped.py PLACE

PLACE is a folder in which ``pip install --target PLACE`` has put a wheel of `tools/build_wheel.py`. Its kernels and
those that Numba compiles for this processor run in turn, each in a process of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import llvmlite.binding as llvm

ROUNDS = 7

MEASURE = """
import json
from foogo import simulate
from foogo.benchmark.search import measure_search
from foogo.benchmark.timing import TimedRuns
from foogo.core.compiling import WATCH

playouts = TimedRuns(lambda first, n: simulate(9, n, first=first, threads=1, backend="simd"), 1.0).rate()
measure_search(9, simulations=500)
search = measure_search(9, simulations=40_000).rate
print(json.dumps([playouts, search, WATCH.functions]))
"""


def main() -> None:
    """Measure and print the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("place", type=Path, metavar="PLACE", help="folder with an installed wheel")
    place = parser.parse_args().place.resolve()  # the measured processes run in another folder
    if not any(place.glob("foogo/compiled/*.bin")):
        parser.error(
            f"{place} has no foogo with compiled kernels: pip install --target it a wheel of tools/build_wheel.py"
        )
    shipped = os.environ | {"PYTHONPATH": str(place)}
    native = shipped | {"NUMBA_CPU_NAME": llvm.get_host_cpu_name()}
    for environment in (shipped, native):  # compiles
        _run(environment)
    rounds = [(_run(shipped), _run(native)) for _ in range(ROUNDS)]
    for index, name in enumerate(("playouts", "search")):
        rates = [(family[index], own[index]) for family, own in rounds]
        family, own = (median(values) for values in zip(*rates, strict=True))
        ratio = median(one / other for one, other in rates)
        print(f"{name}: {family:,.0f}/s shipped, {own:,.0f}/s native, ratio {ratio:.3f}, 9x9, median of {ROUNDS}")
    assert all(family[2] == 0 for family, _ in rounds), "kernels were compiled: they do not fit"


def _run(environment: dict[str, str]) -> list[float]:
    command = [sys.executable, "-c", MEASURE]
    out = subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, check=True).stdout
    found: list[float] = json.loads(out)
    return found


if __name__ == "__main__":
    main()
