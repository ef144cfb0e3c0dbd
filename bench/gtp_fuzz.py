"""A long fuzz of `foogo gtp`: one answer for each command, no crash, no traceback, memory that stays flat.

Run ``python -m bench.gtp_fuzz --lines 1000000 --seeds 3`` from the root of the repository; it prints JSON. The lines
are those of tests/gtp_fuzz.py.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from dataclasses import asdict
from pathlib import Path

from foogo.benchmark.environment import environment
from tests.gtp_fuzz import run


def main() -> None:
    """Run each seed in a folder of its own and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=1_000_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--first", type=int, default=1)
    options = parser.parse_args()
    runs = []
    for seed in range(options.first, options.first + options.seeds):
        with tempfile.TemporaryDirectory() as folder:
            runs.append({"seed": seed, **asdict(run(Path(folder), seed, options.lines))})
    print(json.dumps({"machine": environment(), "runs": runs}, indent=2))


if __name__ == "__main__":
    main()
