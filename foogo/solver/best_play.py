"""Best moves, values of moves and lines of best play, by querying a solver."""

from __future__ import annotations

from collections.abc import Sequence

from foogo.errors import ArgumentError, IllegalMoveError
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.small_board import Position, SmallBoard, move_of, vertex_of
from foogo.solver.solver import Solver

MAX_LINE = 60
"""Moves after which a line of best play is cut off."""

MAX_BEFORE = 1000
"""The most moves before the position under superko."""


def path_after(board: SmallBoard, moves: Sequence[str]) -> list[Position]:
    """The positions from the empty board to the one after these moves; raises what `foogo.solve` raises."""
    if board.superko and len(moves) > MAX_BEFORE:
        raise ArgumentError(f"{len(moves)} moves are more than superko can look back at: at most {MAX_BEFORE}")
    path = [Position()]
    for number, vertex in enumerate(moves, 1):
        move = move_of(board.rows, board.cols, vertex)
        if move == PASS_MOVE and path[-1].passed:
            raise IllegalMoveError(f"move {number}, a pass after a pass, ends the game: nothing is left to be solved")
        following = board.follow(path, move)
        if following is None:
            raise IllegalMoveError(f"move {number}, {vertex}, is illegal")
        path.append(following)
    return path


def is_black(path: Sequence[Position]) -> bool:
    """Whether Black is to move at the end of a path that begins with Black to move."""
    return len(path) % 2 == 1


def best_moves(solver: Solver, path: list[Position], value: int, every: bool) -> list[int]:
    """The moves after `path` that keep `value`, in point order; only one unless `every`."""
    if not every:
        if path[-1].passed and solver.score(path[-1]) >= value:
            return [PASS_MOVE]
        chosen = next(solver.keeping(path, value))
        return [min(next(moves for moves in _symmetric_moves(solver, path) if chosen in moves))]
    classes = _symmetric_moves(solver, path)
    return sorted(move for moves in classes if solver.keeps(path, moves[0], value) for move in moves)


def opening_values(solver: Solver, path: list[Position]) -> dict[str, int]:
    """The value of each move after `path`, for the player who makes it, by vertex in point order."""
    values = {}
    for moves in _symmetric_moves(solver, path):
        following = solver.follow(path, moves[0])
        assert following is not None
        ends = path[-1].passed and moves[0] == PASS_MOVE
        worth = solver.score(path[-1]) if ends else -solver.value([*path, following])
        values.update(dict.fromkeys(moves, worth))
    return {vertex_of(solver.cols, move): values[move] for move in sorted(values)}


def best_line(solver: Solver, path: list[Position], value: int) -> tuple[str, ...]:
    """Moves that keep `value` for both sides, from the last position of `path`."""
    path, line = list(path[-1:] if not solver.superko else path), list[str]()
    while len(line) < MAX_LINE:
        at = path[-1]
        if at.passed and solver.score(at) == value:
            return (*line, "pass")
        move = solver.reply(path, value)
        following = solver.follow(path, move)
        assert following is not None
        if not solver.superko and following in path[-2::-2]:
            return tuple(line)
        line.append(vertex_of(solver.cols, move))
        path.append(following)
        value = -value
    return tuple(line)


def _symmetric_moves(board: SmallBoard, path: list[Position]) -> list[list[int]]:
    """The legal moves after `path`, grouped by the symmetries of the position; a pass last.

    Only the empty board without a history counts as symmetric.
    """
    legal = [move for move in board.moves if board.follow(path, move) is not None]
    if path != [Position()]:
        return [[move] for move in legal]
    found: dict[int, list[int]] = {}
    for move in legal:
        least = move if move == PASS_MOVE else min(int(image[move]) for image in board.maps)
        found.setdefault(least, []).append(move)
    return list(found.values())
