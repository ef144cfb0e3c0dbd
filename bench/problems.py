"""Which move problems of GTP regression files foogo solves.

    python -m bench.problems regression/uct_*.tst --simulations 10000 --seeds 3
    python -m bench.problems regression/uct_ko.tst --param ucb1_share=0.125 --show

In such files, as GNU Go and Fuego have them, commands set a position up (`loadsgf FILE MOVE`), a numbered one asks for
a move (`10 reg_genmove b`), and the line after it has the right ones: `#? [C3|D4]`, or `#? [!E5]` for all but E5. A `*`
after them marks a problem that the program of the file is known to fail. Each problem is searched from nothing. Other
numbered commands are skipped, and so are problems whose position cannot be set up.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from foogo.benchmark.environment import environment
from foogo.gtp import Client
from foogo.gtp.engine_process import EngineFailure

EXPECTED = re.compile(r"#\?\s*\[(?P<not>!?)\(?(?P<moves>[\w|]+)\)?\](?P<hard>\*?)")


class Outcome(NamedTuple):
    """One search for the answer to a problem."""

    problem: str
    is_hard: bool
    is_solved: bool
    answer: str
    expected: str


def outcomes(client: Client, path: Path, komi: float) -> Iterator[Outcome]:
    """The answers of an engine to the problems of a file; `komi` is that of games that have none."""
    lines, is_set_up = path.read_text().splitlines(), True
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if not words[0].isdigit():
            if words[0] == "loadsgf":
                is_set_up = True
                client.send(f"komi {komi}")
                words[1] = str(path.parent / words[1])
            if client.knows(words[0]) and "genmove" not in words[0]:
                try:
                    client.send(" ".join(words))
                except EngineFailure as failure:
                    if failure.kind != "refused":
                        raise
                    print(f"{path.name}: {failure}", file=sys.stderr)
                    is_set_up = False
        elif is_set_up and words[1] == "reg_genmove" and (found := EXPECTED.match(after)):
            client.send("clear_cache")
            answer = client.send(" ".join(words[1:])).upper()
            is_right = (answer in found["moves"].upper().split("|")) != bool(found["not"])
            expected = found["not"] + found["moves"]
            yield Outcome(f"{path.name} {words[0]}", bool(found["hard"]), is_right, answer, expected)


def main() -> None:
    """Search all problems once for each seed, and print the shares solved as JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--komi", type=float, default=6.5, help="of games that have none")
    parser.add_argument("--param", action="append", default=[], metavar="NAME=VALUE", help="as of `foogo gtp`")
    parser.add_argument("--show", action="store_true", help="print each wrong answer")
    options = parser.parse_args()
    solved: dict[tuple[str, bool], int] = defaultdict(int)
    settings = [word for setting in options.param for word in ("--param", setting)]
    simulations = ["--simulations", str(options.simulations), "--resign", "0"]
    for seed in range(1, options.seeds + 1):
        command = [sys.executable, "-m", "foogo", "gtp", *simulations, "--seed", str(seed), *settings]
        with Client(command, timeout=600) as client:
            for path in options.files:
                for one in outcomes(client, path, options.komi):
                    solved[one.problem, one.is_hard] += one.is_solved
                    if options.show and not one.is_solved:
                        print(f"{one.problem}: {one.answer}, not {one.expected}", file=sys.stderr)
    shares = {}
    for name, is_hard in (("problems", False), ("marked as failed", True)):
        counts = [count for (_, hard), count in solved.items() if hard == is_hard]
        shares[name] = {"count": len(counts), "solved": round(sum(counts) / max(1, len(counts) * options.seeds), 4)}
    about = {"simulations": options.simulations, "seeds": options.seeds, "param": options.param}
    print(json.dumps({"machine": environment(), **about, **shares}, indent=2))


if __name__ == "__main__":
    main()
