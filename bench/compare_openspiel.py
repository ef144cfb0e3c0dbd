"""foogo's playouts beside the random rollouts of OpenSpiel's C++ core, in alternation in one process.

    pip install open_spiel
    python bench/compare_openspiel.py --json bench/results/openspiel.json

OpenSpiel's `RandomRolloutEvaluator` is not callable from Python, so a C++ `MCTSBot` that does one simulation
runs it: the evaluator then plays all its rollouts from the root, and nothing else of note happens. Its
rollout draws uniformly from all legal moves, passes and own eyes included, and ends with two passes in a row
or after 2 * size * size moves. It is therefore another game than foogo's playout, of another length; the
lengths are reported with the rates, and the ratio is given per playout and per move. Both run on one thread.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import random
import sys
from pathlib import Path
from statistics import mean, median
from typing import Any

try:
    import pyspiel
except ImportError:
    sys.exit("compare_openspiel: OpenSpiel is not installed: pip install open_spiel")

from foogo import Playouts, simulate
from foogo.benchmark.environment import environment
from foogo.benchmark.timing import TimedRuns, in_turns
from foogo.playout.backends import describe_backend

REPEATS = 7
LENGTH_SAMPLE = 60
FOOGO_SHARE = 0.5
"""The share of the time that goes to foogo."""


class OpenSpiel:
    """Runs rollouts from the empty board of one size."""

    def __init__(self, size: int) -> None:
        self.game = pyspiel.load_game("go", {"board_size": size})
        self._start = self.game.new_initial_state()

    def run(self, seed: int, n: int) -> int:
        """Play `n` rollouts; how many they are."""
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=n, seed=seed)
        bot = pyspiel.MCTSBot(self.game, evaluator, 2.0, 1, 10, False, seed, False)
        root = bot.mcts_search(self._start)
        if root.explore_count != 1 or not abs(root.total_reward) <= 1:
            sys.exit("compare_openspiel: the search did something else than one evaluation")
        return n

    def mean_length(self, n: int) -> tuple[float, float]:
        """Moves and passes of a rollout, on average over `n` played here by the evaluator's rule."""
        generator, moves, passes = random.Random(1), [], []
        for _ in range(n):
            state = self.game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(generator.choice(state.legal_actions()))
            history = state.history()
            passes.append(history.count(self.game.num_distinct_actions() - 1))
            moves.append(len(history) - passes[-1])
        return mean(moves), mean(passes)


def compare(size: int, seconds: float, suicide: bool) -> dict[str, Any]:
    """Rates of both, measured in turns, and the ratios of their medians."""
    spiel = OpenSpiel(size)

    def play(first: int, n: int) -> Playouts:
        return simulate(size, n, first=first, threads=1, suicide=suicide)

    ours = TimedRuns(play, seconds * FOOGO_SHARE / REPEATS)
    theirs = TimedRuns(spiel.run, seconds * (1 - FOOGO_SHARE) / REPEATS)
    rates, spiel_rates = in_turns([ours.rate, theirs.rate], REPEATS)
    total = ours.total
    assert total is not None
    stones, passes = spiel.mean_length(LENGTH_SAMPLE)
    ratio = median(rates) / median(spiel_rates)
    return {
        "size": size,
        "suicide": suicide,
        "backend": describe_backend("auto", size),
        "openspiel_parameters": spiel.game.get_parameters(),
        "openspiel_rates": spiel_rates,
        "openspiel_rate": median(spiel_rates),
        "openspiel_moves": stones,
        "openspiel_passes": passes,
        "rates": rates,
        "rate": median(rates),
        "moves": total.mean_moves,
        "ratio": ratio,
        "ratio_per_move": ratio * total.mean_moves / stones,
    }


def markdown(document: dict[str, Any]) -> str:
    """The result as a page with one table."""
    here = document["machine"]
    lines = [
        "# foogo and OpenSpiel's C++ random rollouts, one thread each, in alternation",
        "",
        f"{here['cpu']}, {here['date']}; foogo {here['foogo']}, open_spiel {here['open_spiel']}, "
        f"numba {here['numba']}, Python {here['python']}.",
        "",
        "| board | OpenSpiel, rollouts/s | moves + passes | foogo, playouts/s | moves | ratio | per move |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in document["comparisons"]:
        lines.append(
            f"| {row['size']}x{row['size']} | {row['openspiel_rate']:,.0f} "
            f"| {row['openspiel_moves']:.1f} + {row['openspiel_passes']:.1f} | {row['rate']:,.0f} "
            f"| {row['moves']:.1f} | {row['ratio']:.0f}x | {row['ratio_per_move']:.0f}x |"
        )
    lines += [
        "",
        "Ratios are of medians over the repeats. `bench/compare_openspiel.py` says what is compared.",
        "",
    ]
    return "\n".join(lines)


def main() -> None:
    """Read the command line, measure, print the table, write the JSON and beside it the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, action="append", help="may be repeated; 9 and 19 by default")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each size, shared by both")
    parser.add_argument("--no-suicide", action="store_true")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write FILE and a .md beside it")
    arguments = parser.parse_args()
    sizes = arguments.size or [9, 19]
    document = {
        "machine": environment() | {"open_spiel": importlib.metadata.version("open_spiel")},
        "comparisons": [compare(size, arguments.seconds, not arguments.no_suicide) for size in sizes],
    }
    print(markdown(document))
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        arguments.json.with_suffix(".md").write_text(markdown(document), encoding="utf-8")


if __name__ == "__main__":
    main()
