"""Nodes and time to solve small boards, and nodes with each technique of proof-number search switched off.

The tables of bench/results/solver-times.md and solver-ablations.md:

    python bench/solve.py 3x4 3x5 4x4
    python bench/solve.py --method force 3x5 3x6 4x5
    python bench/solve.py --without 3x6                  switches off each technique of "force" in turn
"""

from __future__ import annotations

import argparse
import time

from foogo.solver.methods import METHODS, TECHNIQUES, method_of, solver_of
from foogo.solver.small_board import Position
from foogo.solver.solver import OutOfNodes, Solver

MAX_NODES = 30_000_000

FORCING_MB, SUPERKO_MB = 2048, 256
"""Memory for the tables."""


def measured_solver(
    board: str, rules: str, method: str, without: tuple[str, ...] = (), limited: bool = False
) -> Solver:
    """The solver of a board such as "3x4"."""
    rows, cols = map(int, board.split("x"))
    method = method_of(method, rows * cols, rules, without)
    table_mb = FORCING_MB if method == "force" else SUPERKO_MB
    most = MAX_NODES if limited else None
    return solver_of(method, rows, cols, rules, table_mb=table_mb, without=without, max_nodes=most)


def measure(board: str, name: str, solver: Solver) -> str:
    """One row: board, rules or what is switched off, value, nodes, seconds of CPU time, nodes per second."""
    started = time.process_time()
    try:
        value = f"{solver.value([Position()])}"
    except OutOfNodes:
        value = f"{solver.lower} to {solver.upper}"
    seconds = max(time.process_time() - started, 1e-9)
    return f"| {board} | {name} | {value} | {solver.nodes:,} | {seconds:.2f} | {solver.nodes / seconds:,.0f} |"


def main() -> None:
    """Print a row for each board, or for each technique with ``--without``."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="+")
    parser.add_argument("--rules", default="migos")
    parser.add_argument("--method", default="auto", choices=METHODS)
    parser.add_argument("--without", action="store_true", help="by draw, with each technique switched off in turn")
    asked = parser.parse_args()
    for warm in (measured_solver("1x4", asked.rules, asked.method), measured_solver("1x4", "draw", "force")):
        warm.value([Position()])  # compiled outside the clock
    for board in asked.boards:
        if not asked.without:
            print(measure(board, asked.rules, measured_solver(board, asked.rules, asked.method)), flush=True)
            continue
        print(measure(board, "nothing", measured_solver(board, "draw", "force")), flush=True)
        for name in TECHNIQUES["force"]:
            print(measure(board, name, measured_solver(board, "draw", "force", (name,), limited=True)), flush=True)


if __name__ == "__main__":
    main()
