"""The methods that solve a board, the rules under which each is available, and its solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.solver import enumeration, proof_number_search, superko_search
from foogo.solver.enumeration import Enumeration
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import SUPERKO
from foogo.solver.solver import Report, Solver
from foogo.solver.superko_search import SuperkoSearch

METHODS = ("auto", "enumerate", "force")

TECHNIQUES: dict[str, tuple[str, ...]] = {"enumerate": (), "force": tuple(proof_number_search.TECHNIQUES)}
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
        One of `foogo.solver.small_board.RULES`.
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
    chosen = _superko_method(method, points, rules) if rules in SUPERKO else _ko_method(method, points, without)
    for name in without:
        if name not in TECHNIQUES[chosen]:
            raise ArgumentError(f"method {chosen!r} has no technique {name!r} to switch off: choose method 'force'")
    return chosen


def _superko_method(method: str, points: int, rules: str) -> str:
    """The method under superko: only one is available."""
    most = superko_search.MAX_POINTS
    if method == "force":
        raise ArgumentError(f"rules {rules!r} need the history of a position: choose method 'enumerate'")
    if points > most:
        raise ArgumentError(
            f"a board of {points} points cannot be solved with rules {rules!r}: at most {most} points are possible; "
            "rules 'migos' and 'draw' have no such limit"
        )
    return "enumerate"


def _ko_method(method: str, points: int, without: Sequence[str]) -> str:
    """The method when only ko is forbidden."""
    most = enumeration.MAX_POINTS
    if method == "auto":
        return "enumerate" if points <= most and not without else "force"
    if method == "enumerate" and points > most:
        raise ArgumentError(
            f"a board of {points} points cannot be enumerated: at most {most} points are possible; choose "
            "method 'force'"
        )
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
) -> Solver:
    """The solver of that method; the arguments are those of `foogo.solve`.

    Raises
    ------
    ArgumentError
        As `method_of`, or if `threads` or `table_mb` is out of range.
    """
    method = method_of(method, rows * cols, rules, without)
    threads = whole("threads", threads, 1, MAX_THREADS)
    table_mb = whole("table_mb", table_mb, 1, 1 << 20)
    if method == "force":
        return ProofNumberSearch(
            rows, cols, rules, report=report, max_nodes=max_nodes, table_mb=table_mb, without=tuple(without),
            threads=threads,
        )  # fmt: skip
    if rules in SUPERKO:
        return SuperkoSearch(rows, cols, rules, suicide, report, max_nodes, table_mb)
    return Enumeration(rows, cols, rules, report=report, max_nodes=max_nodes)
