"""`foogo solve`: the exact value of a small board."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import INTERRUPTED, JsonOption, file_errors, print_json, say
from foogo.game.notation import result_text
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.solver.solution import Solution
    from foogo.solver.solver import Progress


def solve(
    context: typer.Context,
    board: Annotated[str, typer.Argument(help="Rows x columns, such as 3x4; at most 30 points, 12 with superko.")] = "",
    moves: Annotated[
        str, typer.Option(help="Moves before the position, such as 'B2 C2 pass'; Black's first, in turns.")
    ] = "",
    rules: Annotated[str, typer.Option(help="migos, draw, or with superko positional or situational.")] = "migos",
    suicide: Annotated[bool, typer.Option("--suicide", help="Allow suicide of two or more stones.")] = False,
    openings: Annotated[bool, typer.Option("--openings", help="Find the value of every move.")] = False,
    method: Annotated[str, typer.Option(help="auto, enumerate, or force (not with superko).")] = "auto",
    all_best: Annotated[
        bool | None, typer.Option("--all-best/--one-best", help="Find all best moves: the default except with force.")
    ] = None,
    table_mb: Annotated[int, typer.Option(help="Memory for positions already searched, MiB.")] = 256,
    threads: Annotated[int, typer.Option(help="Threads of force; with one the nodes are reproducible.")] = 1,
    save: Annotated[Path | None, typer.Option(help="Write the result and its proof to this file.")] = None,
    verify: Annotated[Path | None, typer.Option(help="Check the proof in this file; solve nothing.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the exact value of a board under perfect play, komi 0, with its best moves: empty, or after some moves.

    With superko (positional, situational) no method solves a board of more than 12 points.
    """
    from foogo.arguments import probe_file
    from foogo.errors import ArgumentError
    from foogo.solver import Unsolved
    from foogo.solver import solve as find_value
    from foogo.solver.proof import save as save_proof

    if verify is not None:
        _refuse_with_verify(context)
        _verify(verify, as_json)
        return
    if not board:
        raise ArgumentError("give a board, such as foogo solve 3x4, or --verify with a file")
    sides = re.fullmatch("([0-9]{1,9})x([0-9]{1,9})", board.lower())
    if not sides:
        raise ArgumentError(f"board {board!r} is not a size: write rows x columns, such as 3x4; at most 30 points")
    before = moves.replace(",", " ").split()
    if save is not None:
        with file_errors("write", save):
            probe_file(save)
    try:
        solution = find_value(
            int(sides[1]), int(sides[2]), moves=before, rules=rules, suicide=suicide,
            method=method, table_mb=table_mb, all_best=all_best, openings=openings, threads=threads,
            progress=_Reporter(),
        )  # fmt: skip
    except Unsolved as stop:
        if as_json:
            named = {"rows": int(sides[1]), "cols": int(sides[2]), "rules": rules, "suicide": suicide, "moves": before}
            bounds = {"lower": stop.lower, "upper": stop.upper, "nodes": stop.nodes}
            print_json({"command": "solve", **named, **bounds})
        if isinstance(stop.__cause__, KeyboardInterrupt):
            say(f"interrupted: {stop}")
            raise typer.Exit(INTERRUPTED) from None
        say(f"error: force can prove no more, as the rest depends on a repetition: {stop}")
        raise typer.Exit(2) from None
    if as_json:
        print_json({"command": "solve", **vars(solution)})
    else:
        print(_report(solution))
    if save is not None:
        say(f"{save_proof(solution, save, table_mb, threads, _Reporter()):,} replies written to {save}")


def _refuse_with_verify(context: typer.Context) -> None:
    from foogo.errors import ArgumentError

    for one in context.command.params:
        value = context.params.get(one.name or "", one.default)
        if value != one.default and one.name not in ("verify", "as_json"):
            raise ArgumentError(f"{one.opts[0]} and --verify cannot both be given: leave it out, a proof has its own")


def _verify(path: Path, as_json: bool) -> None:
    from foogo.solver.kernels.positions import PASS_MOVE
    from foogo.solver.proof import verify
    from foogo.solver.small_board import vertex_of

    proven = verify(path, _Reporter().replayed)
    vertices = [vertex_of(proven["cols"], PASS_MOVE if move == -1 else move) for move in proven["moves"]]
    if as_json:
        print_json({"command": "solve", "verified": True, **proven, "moves": vertices})
        return
    board = _title(proven["rows"], proven["cols"], proven["rules"], vertices, proven["suicide"])
    print(f"{board}: {result_text(proven['value'])} is proven, {proven['positions']:,} positions replayed")


_METHODS = {"enumerate": "enumeration of all positions", "force": "proof-number search"}
"""How a board is solved without superko."""


def _title(rows: int, cols: int, rules: str, moves: Sequence[str], suicide: bool) -> str:
    """The board, the moves and the rules that a value belongs to."""
    return f"{rows}x{cols}{' after ' if moves else ''}{' '.join(moves)}, {rules}{' with suicide' if suicide else ''}"


def _report(solution: Solution) -> str:
    method = _METHODS[solution.method] if solution.rules in ("migos", "draw") else "search of histories"
    board = _title(solution.rows, solution.cols, solution.rules, solution.moves, solution.suicide)
    lines = [
        f"{board}: {result_text(solution.value)}",
        f"best {'' if solution.moves else 'first '}moves: {' '.join(solution.best_moves)}",
        f"best play: {' '.join(solution.pv)}",
        f"{solution.nodes:,} nodes in {solution.seconds:.2f} s, by {method}",
    ]
    if solution.opening_values:
        lines += ["", _board(solution)]
    return "\n".join(lines)


def _board(solution: Solution) -> str:
    """The value of each move, drawn as a board with its top row first."""
    from foogo.solver.small_board import vertex_of

    letters = [vertex_of(solution.cols, col).removesuffix("1") for col in range(solution.cols)]
    drawn = ["   " + "".join(letter.rjust(4) for letter in letters)]
    for row in range(solution.rows, 0, -1):
        cells = [solution.opening_values.get(f"{letter}{row}", ".") for letter in letters]
        drawn.append(f"{row:2d} " + "".join(str(cell).rjust(4) for cell in cells))
    return "\n".join([*drawn, f"pass {solution.opening_values['pass']}"])


class _Reporter:
    """Reports progress every two seconds on stderr, if that is a terminal; compilation does not count."""

    def __init__(self) -> None:
        from foogo.core.compiling import working_clock

        self._now = working_clock
        self._last = working_clock()

    def __call__(self, progress: Progress) -> None:
        """Report how far a solver is."""
        if self._is_time():
            say(
                f"{progress.nodes:,} nodes, {progress.nodes / max(progress.seconds, 1e-9):,.0f}/s, "
                f"{progress.stage}, {percent(progress.load, 0)}: value {progress.lower} to {progress.upper}, "
                f"{progress.asked} or more?"
            )

    def replayed(self, positions: int) -> None:
        """Report how far a check is."""
        if self._is_time():
            say(f"{positions:,} positions replayed")

    def _is_time(self) -> bool:
        if self._now() - self._last < 2 or not sys.stderr.isatty():
            return False
        self._last = self._now()
        return True
