"""The exact value of a position of a small board, its best moves, and a line of best play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field
from functools import cache, partial
from typing import TYPE_CHECKING, Any, SupportsIndex

from foogo.arguments import is_boolean, truth, whole
from foogo.core.compiling import working_clock
from foogo.errors import ArgumentError, FoogoError, RulesError, WithResults
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.notation import result_text
from foogo.solver import enumeration, superko_search
from foogo.solver.best_play import best_line, best_moves, is_black, opening_values, path_after
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels.positions import MAX_POINTS
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import RULES, SUPERKO, SmallBoard, move_of, vertex_of
from foogo.solver.solver import OutOfNodes, Report, Solver
from foogo.solver.superko_search import SuperkoSearch
from foogo.tables import data_frame, html_table

if TYPE_CHECKING:
    from pandas import DataFrame

METHODS = ("auto", "enumerate", "force")

MAX_THREADS = 1024


@dataclass(frozen=True)
class Solution:
    """The value of a position under perfect play, before komi.

    Parameters
    ----------
    rows, cols, rules, suicide
        The board and its rules, as in `solve`.
    moves
        The moves from the empty board to the position, Black's first.
    value
        Black's area minus White's.
    best_moves
        Moves of the player to move that keep `value`, in point order, a pass last. All of them, or one if only one was
        requested.
    pv
        A line of best play for both sides. It ends with two passes. If play goes round for ever, it ends before the
        first repeated position, or after 60 moves.
    opening_values
        The value for Black after each move of that player; empty unless requested.
    nodes, seconds, depth
        Positions visited, time taken without the loading of kernels, and the deepest ply of a search.
    method
        What proved it: ``"enumerate"`` or ``"force"``.
    """

    rows: int
    cols: int
    rules: str
    suicide: bool
    moves: tuple[str, ...]
    value: int
    best_moves: tuple[str, ...]
    pv: tuple[str, ...]
    opening_values: dict[str, int]
    nodes: int
    seconds: float = field(compare=False)
    depth: int
    method: str

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each of `opening_values`, or of `best_moves` if there are none.

        Its columns are `vertex`, `value`, for Black after that move, and `best`, whether it is one of `best_moves`. A
        MissingPackageError is raised if pandas is not installed.
        """
        values = self.opening_values or dict.fromkeys(self.best_moves, self.value)
        best = [vertex in self.best_moves for vertex in values]
        return data_frame({"vertex": list(values), "value": list(values.values()), "best": best})

    def __str__(self) -> str:
        return "\n".join(f"{label}: {text}" for label, text in self._rows())

    def _repr_html_(self) -> str:
        caption = f"{self.nodes:,} positions in {self.seconds:.2f} s, method {self.method}"
        return html_table(caption, [], self._rows())

    def _rows(self) -> list[tuple[str, str]]:
        """What to show, with labels."""
        position = " ".join([f"{self.rows}x{self.cols}", *(["after", *self.moves] if self.moves else [])])
        rows = [(f"{position}, {self.rules}", result_text(self.value)), ("best moves", " ".join(self.best_moves))]
        rows.append(("best play", " ".join(self.pv)))
        if self.opening_values:
            rows.append(
                ("values for Black", " ".join(f"{move} {worth:+}" for move, worth in self.opening_values.items()))
            )
        return rows


class Unsolved(WithResults, FoogoError, KeyboardInterrupt):
    """The solver was stopped; it has the bounds proven so far, for Black. If not caught, it acts like a Ctrl-C.

    The message says that nothing is proven if the bounds are those of any position of a board with `points` points.
    If they are equal, the value is proven, but not the moves that were requested.
    """

    def __init__(self, lower: int, upper: int, nodes: int, points: int) -> None:
        known = "nothing is proven yet: " if upper - lower == 2 * points else ""
        bounds = f"between {lower} and {upper}" if lower < upper else f"{lower}, but which moves keep it is not proven"
        super().__init__(f"{known}the value is {bounds}; {nodes:,} nodes")
        self.lower, self.upper, self.nodes = lower, upper, nodes


def solve(
    rows: SupportsIndex,
    cols: SupportsIndex,
    *,
    moves: Sequence[str] = (),
    rules: str = "migos",
    suicide: bool = False,
    method: str = "auto",
    table_mb: SupportsIndex = 64,
    all_best: bool | None = None,
    openings: bool = False,
    max_nodes: SupportsIndex | None = None,
    threads: SupportsIndex = 1,
    progress: Report | None = None,
) -> Solution:
    """The exact value of the empty board, or of the position after some moves, komi 0.

    Parameters
    ----------
    rows, cols
        Sides of the board, at most 30 points together, with superko at most 12.
    moves
        Vertices such as ``"C3"``, or ``"pass"``, from the empty board on, Black first and then in turns.
    rules
        How repetition is treated. ``"migos"``: only ko is forbidden; the side that captures more in play that goes
        round wins the whole board, and if both capture the same it is worth 0. ``"draw"``: the same, but worth 0 in any
        case. ``"positional"``, ``"situational"``: forbidden, as in `foogo.Rules`. docs/reference/rules.md explains the
        differences.
    suicide
        Whether strings of two or more stones may take their own last liberty; superko only.
    method
        ``"enumerate"`` values all positions of a board of at most 16 points, 12 with superko; it takes up to a
        gibibyte. ``"force"`` is a proof-number search for what either side can force, not available with superko.
        With ``"migos"`` it cannot prove what depends on play that goes round. ``"auto"`` enumerates if the board is
        small enough; otherwise it forces.
    table_mb
        Memory for positions already searched, MiB; with "force" rounded down to a power of two.
    all_best
        Find every best move, or only one. By default all, but with ``"force"`` one: proving that the other moves are
        worth less takes longer than proving the value.
    openings
        Find the value of every move too, and so every best move, whatever `all_best` is.
    max_nodes
        Stop after about that many positions. ``"enumerate"`` checks only after each batch, of up to a million.
    threads
        Threads of ``"force"``, which share one table; the other method uses one. One thread takes the same nodes every
        time, several do not.
    progress
        Called a few times a second with a `foogo.solver.solver.Progress`.

    Raises
    ------
    ArgumentError
        If no method solves such a board, or an argument is out of range.
    RulesError
        If the rules do not exist.
    VertexError
        If one of `moves` is not a point of the board.
    IllegalMoveError
        If a move is illegal, or the moves end the game.
    Unsolved
        After Ctrl-C or `max_nodes`, or if a search can get no further, with the bounds that are proven.

    References
    ----------
    E. C. D. van der Werf, H. J. van den Herik and J. W. H. M. Uiterwijk, Solving Go on Small Boards, ICGA
    Journal 26 (2003).

    Examples
    --------
    >>> solution = solve(3, 3)
    >>> solution.value, solution.best_moves
    (9, ('B2',))
    >>> solve(2, 2).value, solve(2, 2, rules="positional").value
    (0, 1)
    >>> solve(3, 3, moves=["A1"]).value
    -9
    """
    if isinstance(rows, (Board, Game)):
        raise ArgumentError(
            "solve takes the sides of an empty board, such as solve(3, 4), not a position: give the moves that lead to "
            "it as moves=['B2', 'pass']"
        )
    rows, cols = whole("rows", rows, 1, MAX_POINTS), whole("cols", cols, 1, MAX_POINTS)
    if rows * cols > MAX_POINTS:
        raise ArgumentError(f"a board of {rows}x{cols} has {rows * cols} points: at most {MAX_POINTS} are possible")
    if rules not in RULES:
        raise RulesError(f"rules {rules!r} cannot be solved: choose {', '.join(RULES[:-1])} or {RULES[-1]}")
    if not is_boolean(suicide):
        raise RulesError(f"suicide is {suicide!r}: give True or False")
    if suicide and rules not in SUPERKO:
        raise RulesError(f"suicide with rules {rules!r} cannot be solved: choose positional or situational")
    if isinstance(moves, str):
        raise ArgumentError(f"moves are a sequence of vertices, not the text {moves!r}: give {moves.split()}")
    if not isinstance(moves, Iterable) or isinstance(moves, Set):
        raise ArgumentError(f"moves are {moves!r}: give a sequence of vertices, such as ['B2', 'pass']")
    moves, suicide, openings = tuple(moves), bool(suicide), truth("openings", openings)
    all_best = None if all_best is None else truth("all_best", all_best)
    if progress is not None and not callable(progress):
        raise ArgumentError(f"progress is {progress!r}: it must be a function of a Progress, or None")
    new_solver = _chosen_solver(
        method, rows, cols, rules, suicide, table_mb=table_mb, max_nodes=max_nodes, report=progress, threads=threads
    )
    root = path_after(SmallBoard(rows, cols, rules, suicide), moves)
    sign = 1 if is_black(root) else -1
    try:
        _load_kernels(new_solver.func, rules)
    except KeyboardInterrupt as stop:
        raise Unsolved(-rows * cols, rows * cols, 0, rows * cols) from stop
    started = working_clock()
    try:
        solver: Solver = new_solver()
    except KeyboardInterrupt as stop:
        raise Unsolved(-rows * cols, rows * cols, 0, rows * cols) from stop
    try:
        value = solver.value(root)
        values = opening_values(solver, root) if openings else {}
        if openings:
            best = tuple(vertex for vertex, worth in values.items() if worth == value)
        else:
            every = solver.method != "force" if all_best is None else all_best
            best = tuple(vertex_of(cols, move) for move in best_moves(solver, root, value, every))
        line = best_line(solver, root, value)
    except (OutOfNodes, KeyboardInterrupt) as stop:
        lower, upper = sorted((sign * solver.lower, sign * solver.upper))
        raise Unsolved(lower, upper, solver.nodes, rows * cols) from stop
    seconds = working_clock() - started
    before = tuple(vertex_of(cols, move_of(rows, cols, vertex)) for vertex in moves)
    values = {vertex: sign * worth for vertex, worth in values.items()}
    return Solution(
        rows, cols, rules, suicide, before, sign * value, best, line, values, solver.nodes, seconds, solver.deepest,
        solver.method,
    )  # fmt: skip


def solver_of(
    method: str,
    rows: int,
    cols: int,
    rules: str,
    suicide: bool = False,
    *,
    table_mb: SupportsIndex = 64,
    max_nodes: SupportsIndex | None = None,
    report: Report | None = None,
    threads: SupportsIndex = 1,
) -> Solver:
    """The solver of that method, with the arguments of `foogo.solve`; ArgumentError if no solver fits."""
    solver: Solver = _chosen_solver(
        method, rows, cols, rules, suicide, table_mb=table_mb, max_nodes=max_nodes, report=report, threads=threads
    )()
    return solver


def _chosen_solver(
    method: str,
    rows: int,
    cols: int,
    rules: str,
    suicide: bool,
    *,
    table_mb: SupportsIndex,
    max_nodes: SupportsIndex | None,
    report: Report | None,
    threads: SupportsIndex,
) -> partial[Any]:
    """The class of that solver, with its arguments."""
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
    max_nodes = None if max_nodes is None else whole("max_nodes", max_nodes, 1, 2**63 - 1)
    if by_superko:
        return partial(SuperkoSearch, rows, cols, rules, suicide, report, max_nodes, table_mb)
    if method == "force" or points > most:
        return partial(
            ProofNumberSearch, rows, cols, rules, report=report, max_nodes=max_nodes, table_mb=table_mb, threads=threads
        )
    return partial(Enumeration, rows, cols, rules, report=report, max_nodes=max_nodes)


@cache
def _load_kernels(solver_class: Callable[..., Solver], rules: str) -> None:
    """Load what a solver runs, by a small board. It takes seconds, which are not those of a solution."""
    solver = solver_class(2, 2, "draw" if solver_class is ProofNumberSearch else rules)
    root = path_after(solver, ())
    best_line(solver, root, solver.value(root))
