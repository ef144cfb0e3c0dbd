"""Nodes and time to solve small boards, and nodes with each technique switched off: the tables of docs/solve.md.

Run ``python bench/solve.py 3x4 3x5 4x4`` or ``python bench/solve.py --without 3x4``.
"""

from __future__ import annotations

import sys
import time

from foogo.solve.engine import TECHNIQUES, Engine, OutOfNodes, Position

MAX_NODES = 30_000_000


def measure(board: str, without: tuple[str, ...] = (), rules: str = "migos") -> str:
    """One row: the value, nodes, seconds, nodes a second."""
    rows, cols = map(int, board.split("x"))
    engine = Engine(rows, cols, rules, table_mb=256, without=without, max_nodes=MAX_NODES if without else None)
    started = time.perf_counter()
    try:
        value = f"{engine.value([Position()])}"
    except (OutOfNodes, RuntimeError):
        value = f"{engine.lower} to {engine.upper}"
    seconds = time.perf_counter() - started
    name = ", ".join(without) or rules
    return f"| {board} | {name} | {value} | {engine.nodes:,} | {seconds:.2f} | {engine.nodes / seconds:,.0f} |"


def main(arguments: list[str]) -> None:
    """Print a row for each board, or for each technique if asked to."""
    Engine(1, 2, table_mb=1).value([Position()])  # compiled outside the clock
    boards = [argument for argument in arguments if not argument.startswith("-")]
    for board in boards:
        print(measure(board), flush=True)
        for name in TECHNIQUES if "--without" in arguments else ():
            print(measure(board, (name,)), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
