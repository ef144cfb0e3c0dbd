"""Nodes and time to solve small boards.

The tables of bench/results/solver-times.md:

    python bench/solve.py 3x4 3x5 4x4
    python bench/solve.py --method force 3x5 3x6 4x5
"""

from __future__ import annotations

import argparse
import time

from foogo.solver.small_board import RULES, SUPERKO, Position
from foogo.solver.solution import METHODS, solver_of
from foogo.solver.solver import OutOfNodes, Solver

FORCING_MB, SUPERKO_MB = 2048, 256
"""Memory for the tables."""


def sides(board: str) -> tuple[int, int]:
    """Rows and columns of a board such as "3x4"."""
    rows, cols = map(int, board.split("x"))
    return rows, cols


def board_size(text: str) -> str:
    """A board such as "3x4" on the command line, which says what is wrong with it."""
    try:
        sides(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size: write rows x columns, such as 3x4") from error
    return text


def measured_solver(board: str, rules: str, method: str) -> Solver:
    """The solver of a board such as "3x4"."""
    rows, cols = sides(board)
    return solver_of(method, rows, cols, rules, table_mb=SUPERKO_MB if rules in SUPERKO else FORCING_MB)


def measure(board: str, rules: str, solver: Solver) -> str:
    """One row: board, rules, value, nodes, seconds of CPU time, nodes per second."""
    started = time.process_time()
    try:
        value = f"{solver.value([Position()])}"
    except OutOfNodes:
        value = f"{solver.lower} to {solver.upper}"
    seconds = max(time.process_time() - started, 1e-9)
    return f"| {board} | {rules} | {value} | {solver.nodes:,} | {seconds:.2f} | {solver.nodes / seconds:,.0f} |"


def main() -> None:
    """Print a row for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="+", type=board_size)
    parser.add_argument("--rules", default="migos", choices=RULES)
    parser.add_argument("--method", default="auto", choices=METHODS)
    asked = parser.parse_args()
    measured_solver("1x4", asked.rules, asked.method).value([Position()])  # compiled outside the clock
    if asked.method == "auto" and asked.rules not in SUPERKO:
        measured_solver("1x4", "draw", "force").value([Position()])
    for board in asked.boards:
        print(measure(board, asked.rules, measured_solver(board, asked.rules, asked.method)), flush=True)


if __name__ == "__main__":
    main()
