"""The matches of bench/results/search-strength.md and search-ablations.md, game by game over several processes.

    python -m bench.strength --jobs 2              all rows
    python -m bench.strength --row gnugo-10k       one of them

A row is two players as bench/search_match.py describes them. bench/results/strength.json has the machines of each row,
if it was played since 2026-11-29, and the points of each game under its number. bench/results/strength.md is made of
it. Matches by earlier defaults are in bench/results/strength-earlier-defaults.md.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any, NamedTuple

from bench.search_match import SearchPlayer, match, player, summary
from foogo.benchmark.environment import environment

RESULTS = Path(__file__).parent / "results" / "strength.json"

BEFORE = "network=no,certainty=no,expand_at=4"
"""The default before the network and the proofs."""


class Row(NamedTuple):
    """One match."""

    name: str
    first: str
    second: str
    games: int
    size: int = 9
    komi: float = 7.0
    seed: int = 1


def against_default(*changes: str, seed: int) -> tuple[Row, ...]:
    """The search with a change against the search without, at 2,000 simulations a move."""
    player = "simulations=2000"
    return tuple(Row(f"default, {change}", f"{player},{change}", player, 400, seed=seed) for change in changes)


ROWS = (
    Row("before-1s", "seconds=1", f"seconds=1,{BEFORE}", 400, seed=9601),
    Row("gnugo-1s", "seconds=1,must_win=white", "gnugo", 200, seed=9001),
    Row("gnugo-13x13-2s", "seconds=2,memory=1073741824,must_win=white", "gnugo", 100, 13, seed=5001),
    Row("gnugo-19x19-5s", "seconds=5,memory=1073741824,must_win=white", "gnugo", 50, 19, seed=6001),
    Row("gnugo-10k", "simulations=10000", "gnugo", 100, seed=9001),
    *against_default(
        BEFORE,
        "network=no",
        "certainty=no",
        "policy=knowledge",
        "policy=uniform",
        "selection=ucb1,exploration=0.5",
        "prior_weight=0",
        "learnt=60",
        "learnt=240",
        "sharpness=1",
        "value_visits=0",
        "value_visits=60",
        "value_weight=0",
        "passing=0",
        "rave_equivalence=3000",
        "ucb1_share=0",
        "lcb_share=1",
        "exploration=0.1",
        "virtual_loss=4",
        "expand_at=4",
        "leaves=16",
        "playouts=1,leaves=64",
        "playouts=8,leaves=8",
        seed=8001,
    ),
)


def play(row: Row, number: int, lost: Path | None) -> tuple[str, int, float, float]:
    """The points of one game, and the first player's simulations a second; the game in `lost` if it is not won."""
    first, second = player(row.first), player(row.second)
    try:
        (points,) = match(first, second, 1, row.size, row.komi, row.seed, number, lost)
    except KeyboardInterrupt:
        os._exit(130)  # ends the pool: this process would begin the next game
    first.close()
    second.close()
    assert isinstance(first, SearchPlayer)
    return row.name, number, points, first.simulations / max(first.seconds, 1e-9)


def table(found: dict[str, Any]) -> str:
    """All rows that have games, as Markdown."""
    lines = ["| match | first | second | board | games | won | 95 % | simulations/s |", "|" + "---|" * 8]
    for row in ROWS:
        points = [game[0] for game in found.get(row.name, {}).values()]
        if points:
            numbers = summary(points)
            low, high = numbers["share_95"]
            rates = sorted(game[1] for game in found[row.name].values())
            share = f"{100 * numbers['share']:.1f} % | {100 * low:.0f} to {100 * high:.0f} %"
            board = f"{row.size}x{row.size}"
            lines.append(
                f"| {row.name} | `{row.first}` | `{row.second}` | {board} | {len(points)} | {share} "
                f"| {rates[len(rates) // 2]:,.0f} |"
            )
    return "\n".join(lines) + "\n"


def lines_of(document: dict[str, Any]) -> str:
    """The document as JSON, a row a line."""
    head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in document.items() if key != "rows")
    rows = ",\n".join(f"{json.dumps(name)}: {json.dumps(games)}" for name, games in document["rows"].items())
    return f'{{\n{head}"rows": {{\n{rows}\n}}\n}}\n'


def main() -> None:
    """Play what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--row", action="append", choices=[row.name for row in ROWS], help="may be repeated")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--games", type=int, help="play at most this many of each row")
    parser.add_argument("--lost", type=Path, metavar="DIR", help="write the games that are not won there, as SGF")
    parser.add_argument("--output", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    document: dict[str, Any] = {"command": "python -m bench.strength", "machines": {}, "rows": {}}
    if arguments.output.exists():
        document = json.loads(arguments.output.read_text(encoding="utf-8"))
    found, here = document["rows"], environment()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        tasks = [
            pool.submit(play, row, number, arguments.lost)
            for row in ROWS
            if not arguments.row or row.name in arguments.row
            for number in range(row.games if arguments.games is None else min(row.games, arguments.games))
            if str(number) not in found.get(row.name, {})
        ]
        for task in as_completed(tasks):
            name, number, points, rate = task.result()
            found.setdefault(name, {})[str(number)] = [points, round(rate)]
            machines = document.setdefault("machines", {}).setdefault(name, [])
            if here not in machines:
                machines.append(here)
            arguments.output.write_text(lines_of(document), encoding="utf-8")
            numbers = summary([game[0] for game in found[name].values()])
            print(
                f"{name}: {numbers['points']:g}/{numbers['games']} {numbers['share_95']}", file=sys.stderr, flush=True
            )
    arguments.output.with_suffix(".md").write_text(table(found), encoding="utf-8")


if __name__ == "__main__":
    main()
