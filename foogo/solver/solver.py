"""The exact value of a position of a small board, its best moves, and a line of best play."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError, FoogoError, IllegalMoveError, RulesError, VertexError
from foogo.game.geometry import COLUMN_LETTERS
from foogo.solver.board import RULES, SUPERKO, Board, OutOfNodes, Position, Report
from foogo.solver.kernels.board import MAX_POINTS
from foogo.solver.kernels.table import PASS_MOVE
from foogo.solver.methods import method_of, solver_of

MAX_LINE = 60
"""Moves after which a line of best play is broken off."""


@dataclass(frozen=True)
class Solution:
    """What perfect play is worth from a position, before komi.

    Parameters
    ----------
    rows, cols
        The board.
    rules
        ``"migos"``, ``"draw"``, ``"positional"`` or ``"situational"``.
    suicide
        Whether strings of two and more stones could take their own last liberty.
    moves
        The moves that led to the position from the empty board, Black's first.
    value
        Black's area less White's.
    best_moves
        Moves of the player to move that keep `value`, in point order, a pass last. All of them, or one if only one was
        asked for.
    pv
        A line of best play for both, which ends with two passes, or, where play goes round for ever, before the
        first position that comes back, or after 60 moves.
    opening_values
        The value after each move of that player, for Black; empty unless asked for.
    nodes, seconds, depth
        Positions looked at, time taken, and the deepest ply of a search.
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
    seconds: float
    depth: int
    method: str


MAX_BEFORE = 1000
"""Moves before the position, with superko."""


class Unsolved(FoogoError, KeyboardInterrupt):
    """The solver was stopped; it holds what was proven by then, for Black. A Ctrl-C to those who do not catch it."""

    def __init__(self, lower: int, upper: int, nodes: int) -> None:
        super().__init__(f"the value is between {lower} and {upper}; {nodes:,} nodes")
        self.lower, self.upper, self.nodes = lower, upper, nodes


def solve(
    rows: SupportsIndex,
    cols: SupportsIndex,
    *,
    moves: Sequence[str] = (),
    rules: str = "migos",
    suicide: bool = False,
    method: str = "auto",
    table_mb: int = 64,
    all_best: bool | None = None,
    openings: bool = False,
    max_nodes: int | None = None,
    without: tuple[str, ...] = (),
    threads: SupportsIndex = 1,
    progress: Report | None = None,
) -> Solution:
    """The exact value of the empty board, or of the position after some moves, komi 0.

    Parameters
    ----------
    rows, cols
        Sides of the board, from 1, at most 30 points together.
    moves
        Vertices such as ``"C3"``, or ``"pass"``, from the empty board on, Black first and then in turns.
    rules
        What becomes of repetitions. ``"positional"``, ``"situational"``: forbidden, as in `foogo.Rules`; at most 12
        points. ``"migos"``: only ko is forbidden; play that goes round is
        won by the side that captures more in it, the whole board, and worth 0 if both capture as many. ``"draw"``:
        the same, but worth 0 in any case. docs/rules.md tells them apart.
    suicide
        Whether strings of two and more stones may take their own last liberty; superko only.
    method
        ``"enumerate"`` values all positions of a board of at most 16 points, 12 with superko; it takes up to a
        gibibyte. ``"force"`` is a proof-number search for what either side can force, for every board but not
        with superko. With ``"migos"`` it cannot prove what rests on play that goes round. ``"auto"`` enumerates if
        the board is small enough and no technique is switched off, and forces otherwise. No method solves a board
        of more than 12 points with superko.
    table_mb
        Memory for positions already searched, MiB.
    all_best
        Find every best move, or only one. By default all, but with ``"force"`` one: that the other moves are
        worth less takes longer to prove than the value.
    openings
        Find the value of every move too.
    max_nodes
        Stop after about so many positions.
    without
        Techniques of the method that it is to do without, of `foogo.solver.methods.TECHNIQUES`.
    threads
        Threads of ``"force"``, on one table; the other methods use one. One takes the same nodes every time, several do
        not.
    progress
        Called a few times a second with a `foogo.solver.board.Progress`.

    Raises
    ------
    ArgumentError
        If there is no such board, or an argument is out of range.
    RulesError
        If there are no such rules.
    VertexError
        If one of `moves` is no point of the board.
    IllegalMoveError
        If one is illegal, or they end the game.
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
    rows, cols = whole("rows", rows, 1, MAX_POINTS), whole("cols", cols, 1, MAX_POINTS)
    if rows * cols > MAX_POINTS:
        raise ArgumentError(f"a board of {rows}x{cols} has {rows * cols} points: at most {MAX_POINTS} are possible")
    _check(rules, suicide)
    method = method_of(method, rows * cols, rules, without)
    if isinstance(moves, str):
        raise ArgumentError(f"moves are a sequence of vertices, not the text {moves!r}: give [{moves!r}]")
    moves = tuple(moves)
    started = time.perf_counter()
    engine = solver_of(
        method, rows, cols, rules, suicide, table_mb=table_mb, without=without, max_nodes=max_nodes, report=progress,
        threads=threads,
    )  # fmt: skip
    root = path_after(engine, moves)
    sign = 1 if is_black(root) else -1
    try:
        value = engine.value(root)
        values = opening_values(engine, root) if openings else {}
        if openings:
            best = tuple(vertex for vertex, worth in values.items() if worth == value)
        else:
            every = method != "force" if all_best is None else all_best
            best = tuple(vertex_of(cols, move) for move in best_moves(engine, root, value, every))
        line = best_line(engine, root, value)
    except (OutOfNodes, KeyboardInterrupt) as stop:
        lower, upper = sorted((sign * engine.lower, sign * engine.upper))
        raise Unsolved(lower, upper, engine.nodes) from stop
    seconds = time.perf_counter() - started
    before = tuple(vertex_of(cols, move_of(rows, cols, vertex)) for vertex in moves)
    values = {vertex: sign * worth for vertex, worth in values.items()}
    return Solution(
        rows, cols, rules, suicide, before, sign * value, best, line, values, engine.nodes, seconds, engine.deepest,
        method,
    )  # fmt: skip


def _check(rules: str, suicide: bool) -> None:
    if rules not in RULES:
        raise RulesError(f"rules {rules!r} cannot be solved: choose {', '.join(RULES[:-1])} or {RULES[-1]}")
    if not isinstance(suicide, bool):
        raise RulesError(f"suicide {suicide!r} is neither allowed nor forbidden: give True or False")
    if suicide and rules not in SUPERKO:
        raise RulesError(f"suicide with rules {rules!r} cannot be solved: choose positional or situational")


def vertex_of(cols: int, move: int) -> str:
    """The text for a point or PASS_MOVE; column letters skip I and go on with AA after Z.

    Examples
    --------
    >>> vertex_of(3, 4), vertex_of(30, 27), vertex_of(3, PASS_MOVE)
    ('B2', 'CC1', 'pass')
    """
    if move == PASS_MOVE:
        return "pass"
    row, col = divmod(move, cols)
    letters = COLUMN_LETTERS + "UVWXYZ"
    column = letters[col] if col < len(letters) else 2 * letters[col - len(letters)]
    return f"{column}{row + 1}"


def move_of(rows: int, cols: int, vertex: str) -> int:
    """The point or PASS_MOVE that `vertex_of` would write so; upper and lower case are the same.

    Examples
    --------
    >>> move_of(3, 3, "b2"), move_of(3, 3, "pass") == PASS_MOVE
    (4, True)
    """
    if isinstance(vertex, str):
        if vertex.lower() == "pass":
            return PASS_MOVE
        moves = {vertex_of(cols, point): point for point in range(rows * cols)}
        if vertex.upper() in moves:
            return moves[vertex.upper()]
    last = vertex_of(cols, rows * cols - 1)
    raise VertexError(f"move {vertex!r} is no point of {rows}x{cols}: points are A1 to {last}; or write pass")


def path_after(engine: Board, moves: Sequence[str]) -> list[Position]:
    """The positions from the empty board to that after these moves.

    Raises
    ------
    ArgumentError
        If superko would have to look at more than MAX_BEFORE of them.
    VertexError
        If one is no point of the board.
    IllegalMoveError
        If one is illegal, or they end the game.
    """
    if engine.superko and len(moves) > MAX_BEFORE:
        raise ArgumentError(f"{len(moves)} moves are more than superko can look back at: at most {MAX_BEFORE}")
    path = [Position()]
    for number, vertex in enumerate(moves, 1):
        move = move_of(engine.rows, engine.cols, vertex)
        if move == PASS_MOVE and path[-1].passed:
            raise IllegalMoveError(f"move {number}, a pass after a pass, ends the game: nothing is left to be solved")
        following = engine.follow(path, move)
        if following is None:
            raise IllegalMoveError(f"move {number}, {vertex}, is illegal")
        path.append(following)
    return path


def is_black(path: Sequence[Position]) -> bool:
    """Whether Black is to move at the end of a path that begins with him."""
    return len(path) % 2 == 1


def classes(engine: Board, path: list[Position]) -> list[list[int]]:
    """The legal moves after `path`, those together that a symmetry of the position maps to each other; passes last.

    Only the empty board without a history is taken for symmetric.
    """
    legal = [move for move in [*range(engine.points), PASS_MOVE] if engine.follow(path, move) is not None]
    if path != [Position()]:
        return [[move] for move in legal]
    found: dict[int, list[int]] = {}
    for move in legal:
        least = move if move == PASS_MOVE else min(int(image[move]) for image in engine.maps)
        found.setdefault(least, []).append(move)
    return list(found.values())


def best_moves(engine: Board, path: list[Position], value: int, every: bool) -> list[int]:
    """The moves after `path` that keep `value`, in point order; only one unless `every`."""
    if not every:
        if path[-1].passed and engine.score(path[-1]) >= value:
            return [PASS_MOVE]
        chosen = next(engine.keeping(path, value))
        return [min(next(moves for moves in classes(engine, path) if chosen in moves))]
    return sorted(move for moves in classes(engine, path) if _keeps(engine, path, moves[0], value) for move in moves)


def opening_values(engine: Board, path: list[Position]) -> dict[str, int]:
    """The value of each move after `path`, for the player who makes it, by vertex in point order."""
    values = {}
    for moves in classes(engine, path):
        worth = _worth(engine, path, moves[0])
        values.update(dict.fromkeys(moves, worth))
    return {vertex_of(engine.cols, move): values[move] for move in sorted(values)}


def best_line(engine: Board, path: list[Position], value: int) -> tuple[str, ...]:
    """Moves that keep `value` for both sides, from the last position of `path`."""
    path, line = list(path[-1:] if not engine.superko else path), list[str]()
    while len(line) < MAX_LINE:
        at = path[-1]
        if at.passed and engine.score(at) == value:
            return (*line, "pass")
        move = engine.reply(path, value)
        following = engine.follow(path, move)
        assert following is not None
        if not engine.superko and following in path[-2::-2]:
            return tuple(line)
        line.append(vertex_of(engine.cols, move))
        path.append(following)
        value = -value
    return tuple(line)


def _keeps(engine: Board, path: list[Position], move: int, value: int) -> bool:
    """Whether a move is worth `value`, the value of the position, to its mover."""
    if path[-1].passed and move == PASS_MOVE:
        return engine.score(path[-1]) >= value
    following = engine.follow(path, move)
    return following is not None and not engine.at_least([*path, following], 1 - value)


def _worth(engine: Board, path: list[Position], move: int) -> int:
    """What a legal move is worth to its mover."""
    if path[-1].passed and move == PASS_MOVE:
        return engine.score(path[-1])
    following = engine.follow(path, move)
    assert following is not None
    return -engine.value([*path, following])
