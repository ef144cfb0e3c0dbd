"""The ways to solve a board, which of them can be had by which rules, and the solver of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.solver import engine, forcing
from foogo.solver.board import SUPERKO, Board, Report
from foogo.solver.engine import Engine
from foogo.solver.forcing import Forcing
from foogo.solver.histories import MAX_POINTS as ENUMERABLE_HISTORIES
from foogo.solver.histories import Histories
from foogo.solver.space import MAX_POINTS as ENUMERABLE
from foogo.solver.space import Space

METHODS = ("auto", "enumerate", "force", "search")

TECHNIQUES = {"enumerate": (), "force": tuple(forcing.TECHNIQUES), "search": tuple(engine.TECHNIQUES)}
"""What each method can do without."""


MAX_THREADS = 1024


def method_of(method: str, points: int, rules: str, without: Sequence[str] = ()) -> str:
    """The method that "auto" stands for on a board of that many points, or the one that was asked for.

    Raises
    ------
    ArgumentError
        If there is no such method or technique, or it is not to be had.
    """
    for name in without:
        if not any(name in names for names in TECHNIQUES.values()):
            known = ", ".join(sum(TECHNIQUES.values(), ()))
            raise ArgumentError(f"technique {name!r} does not exist: choose among {known}")
    if method not in METHODS:
        raise ArgumentError(f"method {method!r} does not exist: choose {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    superko = rules in SUPERKO
    most = ENUMERABLE_HISTORIES if superko else ENUMERABLE
    if method == "auto":
        if without:
            method = "force" if not superko and without[0] in TECHNIQUES["force"] else "search"
        elif points <= most:
            method = "enumerate"
        else:
            method = "search" if superko else "force"
    if method == "force" and superko:
        raise ArgumentError(f"rules {rules!r} need the history of a position: choose 'enumerate' or 'search'")
    if method == "enumerate" and points > most:
        raise ArgumentError(
            f"a board of {points} points with rules {rules!r} cannot be enumerated: at most {most} points are possible"
        )
    for name in without:
        if name not in TECHNIQUES[method]:
            fitting = next(other for other, names in TECHNIQUES.items() if name in names)
            raise ArgumentError(f"method {method!r} has no technique {name!r} to do without: choose {fitting!r}")
    return method


def solver_of(
    method: str,
    rows: int,
    cols: int,
    rules: str,
    suicide: bool = False,
    *,
    table_mb: SupportsIndex = 64,
    without: Sequence[str] = (),
    max_nodes: int | None = None,
    report: Report | None = None,
    threads: SupportsIndex = 1,
) -> Board:
    """The solver of a method that `method_of` has named; the arguments are those of `foogo.solve`."""
    threads = whole("threads", threads, 1, MAX_THREADS)
    table_mb = whole("table_mb", table_mb, 1, 1 << 20)
    if method == "enumerate" and rules in SUPERKO:
        return Histories(rows, cols, rules, suicide, report, table_mb=table_mb, max_nodes=max_nodes)
    if method == "enumerate":
        return Space(rows, cols, rules, report=report, max_nodes=max_nodes)
    if method == "force":
        return Forcing(
            rows, cols, rules, report=report, table_mb=table_mb, max_nodes=max_nodes, without=tuple(without),
            threads=threads,
        )  # fmt: skip
    return Engine(rows, cols, rules, suicide, report, table_mb=table_mb, without=tuple(without), max_nodes=max_nodes)
