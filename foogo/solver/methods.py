"""The methods that solve a board, and the rules under which each is available."""

from __future__ import annotations

from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.solver import enumeration, superko_search
from foogo.solver.enumeration import Enumeration
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import SUPERKO
from foogo.solver.solver import Report, Solver
from foogo.solver.superko_search import SuperkoSearch

METHODS = ("auto", "enumerate", "force")

MAX_THREADS = 1024


def solver_of(
    method: str,
    rows: int,
    cols: int,
    rules: str,
    suicide: bool = False,
    *,
    table_mb: SupportsIndex = 64,
    max_nodes: int | None = None,
    report: Report | None = None,
    threads: SupportsIndex = 1,
) -> Solver:
    """The solver of that method, with the arguments of `foogo.solve`; ArgumentError if there is none."""
    if method not in METHODS:
        raise ArgumentError(f"method {method!r} does not exist: choose {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    by_superko, points = rules in SUPERKO, rows * cols
    most = superko_search.MAX_POINTS if by_superko else enumeration.MAX_POINTS
    if by_superko and method == "force":
        raise ArgumentError(f"rules {rules!r} need the history of a position: choose method 'enumerate'")
    if by_superko and points > most:
        raise ArgumentError(
            f"a board of {points} points cannot be solved with rules {rules!r}: at most {most} points are possible; "
            "rules 'migos' and 'draw' have no such limit"
        )
    if method == "enumerate" and points > most:
        raise ArgumentError(
            f"a board of {points} points cannot be enumerated: at most {most} points are possible; choose "
            "method 'force'"
        )
    threads = whole("threads", threads, 1, MAX_THREADS)
    table_mb = whole("table_mb", table_mb, 1, 1 << 20)
    if by_superko:
        return SuperkoSearch(rows, cols, rules, suicide, report, max_nodes, table_mb)
    if method == "force" or points > most:
        return ProofNumberSearch(
            rows, cols, rules, report=report, max_nodes=max_nodes, table_mb=table_mb, threads=threads
        )
    return Enumeration(rows, cols, rules, report=report, max_nodes=max_nodes)
