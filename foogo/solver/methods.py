"""The ways to solve a board, which of them can be had by which rules, and the solver of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.solver import forcing
from foogo.solver.board import SUPERKO, Board, Report
from foogo.solver.forcing import Forcing
from foogo.solver.histories import MAX_POINTS as ENUMERABLE_HISTORIES
from foogo.solver.histories import Histories
from foogo.solver.space import MAX_POINTS as ENUMERABLE
from foogo.solver.space import Space

METHODS = ("auto", "enumerate", "force")

TECHNIQUES: dict[str, tuple[str, ...]] = {"enumerate": (), "force": tuple(forcing.TECHNIQUES)}
"""The techniques of each method that can be switched off."""


MAX_THREADS = 1024


def method_of(method: str, points: int, rules: str, without: Sequence[str] = ()) -> str:
    """The method that solves a board: the one named, or the one that ``"auto"`` stands for.

    Parameters
    ----------
    method
        One of `METHODS`.
    points
        Points of the board.
    rules
        One of `foogo.solver.board.RULES`.
    without
        Techniques to switch off.

    Raises
    ------
    ArgumentError
        If the method or a technique does not exist, or the method cannot solve that board by those rules.
    """
    if method not in METHODS:
        raise ArgumentError(f"method {method!r} does not exist: choose {', '.join(METHODS[:-1])} or {METHODS[-1]}")
    for name in without:
        if not any(name in names for names in TECHNIQUES.values()):
            known = ", ".join(sum(TECHNIQUES.values(), ()))
            raise ArgumentError(f"technique {name!r} does not exist: choose among {known}")
    if rules in SUPERKO:
        if method == "force":
            raise ArgumentError(f"rules {rules!r} need the history of a position: choose method 'enumerate'")
        if points > ENUMERABLE_HISTORIES:
            raise ArgumentError(
                f"a board of {points} points cannot be solved with rules {rules!r}: at most {ENUMERABLE_HISTORIES} "
                "points are possible; rules 'migos' and 'draw' have no such limit"
            )
        chosen = "enumerate"
    elif method == "auto":
        chosen = "enumerate" if points <= ENUMERABLE and not without else "force"
    else:
        chosen = method
        if chosen == "enumerate" and points > ENUMERABLE:
            raise ArgumentError(
                f"a board of {points} points cannot be enumerated: at most {ENUMERABLE} points are possible; "
                "choose method 'force'"
            )
    for name in without:
        if name not in TECHNIQUES[chosen]:
            raise ArgumentError(f"method {chosen!r} has no technique {name!r} to switch off: choose method 'force'")
    return chosen


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
    """The solver of that method; the arguments are those of `foogo.solve`.

    Raises
    ------
    ArgumentError
        As `method_of`, or if `threads` or `table_mb` is out of range.
    """
    method = method_of(method, rows * cols, rules, without)
    threads = whole("threads", threads, 1, MAX_THREADS)
    table_mb = whole("table_mb", table_mb, 1, 1 << 20)
    if method == "enumerate" and rules in SUPERKO:
        return Histories(rows, cols, rules, suicide, report, table_mb=table_mb, max_nodes=max_nodes)
    if method == "enumerate":
        return Space(rows, cols, rules, report=report, max_nodes=max_nodes)
    return Forcing(
        rows, cols, rules, report=report, table_mb=table_mb, max_nodes=max_nodes, without=tuple(without),
        threads=threads,
    )  # fmt: skip
