"""Positions whose result is known without a search: settled boards, and small boards that the solver solves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE, opponent
from foogo.game.regions import area_owners
from foogo.search.result import MOVE_FIELDS, SearchResult
from foogo.solver.best_play import best_line
from foogo.solver.kernels.positions import PASS_MOVE
from foogo.solver.small_board import Position, move_of
from foogo.solver.solution import solver_of
from foogo.solver.solver import OutOfNodes, Solver

LARGEST = 3
"""The largest board that is solved for a move: about a fifth of a second, with a search of histories."""

MOST_NODES = 20_000
"""Histories after which the solver gives up."""


class Known(NamedTuple):
    """A move that needs no search, the result, and why."""

    result: SearchResult
    reason: str


def settled(game: Game, draw: float = 0.5) -> Known | None:
    """A pass, if every point of the board is certain and no stone is left to be captured; else None.

    `draw` is the win share of a draw.
    """
    board = game.board
    certain = {color: set(board.certain_area(color).search(1)) for color in (BLACK, WHITE)}
    if len(certain[BLACK] | certain[WHITE]) < board.size**2:
        return None
    if any(set(board.stones(color).search(1)) & certain[opponent(color)] for color in (BLACK, WHITE)):
        return None
    return Known(_result(game, [PASS], board, draw), "every point is settled")


class SmallBoards:
    """Solves positions of small boards under superko."""

    def __init__(self) -> None:
        self._solver: Solver | None = None

    def solved(self, game: Game, draw: float = 0.5) -> Known | None:
        """The best move by the solver, or None if it does not know the position; `draw` is as for `settled`."""
        size, rules = game.size, game.rules
        if size > LARGEST or rules.superko == "simple":
            return None
        solver = self._solver
        if solver is None or (solver.rows, solver.rule, solver.suicide) != (size, rules.superko, rules.suicide):
            solver = solver_of("enumerate", size, size, rules.superko, rules.suicide)
        self._solver = solver
        path = _path_to(game, solver)
        if path is None:
            return None
        solver.max_nodes = solver.nodes + MOST_NODES
        try:
            value = solver.value(path)
            line = [_point(size, vertex) for vertex in best_line(solver, path, value)]
        except OutOfNodes:
            return None
        after = game.copy()
        for move in line:
            after.play(move)
        return Known(_result(game, line, after.board, draw), "the position is solved")


def _point(size: int, vertex: str) -> int:
    return PASS if vertex == "pass" else move_of(size, size, vertex)


def _path_to(game: Game, solver: Solver) -> list[Position] | None:
    """The positions of a game, or None if the solver cannot follow it, as when a colour moved twice in a row."""
    start, turns = game.start, game.turns
    first = turns[0].color if turns else game.to_play
    if start.to_play != first and start.ko is not None:
        return None
    path = [_position(start, first)]
    for number, turn in enumerate(turns):
        after = solver.follow(path, _solver_move(turn.move))
        if turn.color != (first if number % 2 == 0 else opponent(first)) or after is None:
            return None
        path.append(after)
    if game.to_play != (first if len(turns) % 2 == 0 else opponent(first)):
        return None
    path[-1] = path[-1]._replace(passed=game.passes)
    return path


def _solver_move(move: int) -> int:
    return PASS_MOVE if move == PASS else move


def _position(board: Board, color: int) -> Position:
    own, other = (sum(1 << point for point in board.stones(one).search(1)) for one in (color, opponent(color)))
    return Position(own, other, 0 if board.ko is None else 1 << board.ko, 0)


def _result(game: Game, line: list[int], end: Board, draw: float) -> SearchResult:
    """The result of a search of a game that would certainly go on with `line`, and end with the board `end`."""
    size, color = game.size, game.to_play
    owners = np.array(area_owners(size, end.to_array().ravel().tolist())).reshape(size, size)
    ownership = (owners == BLACK).astype(np.float64) - (owners == WHITE)
    lead = (float(ownership.sum()) - game.komi) * (1 if color == BLACK else -1)
    value = 1.0 if lead > 0 else draw if lead == 0 else 0.0
    rows = np.zeros(1, MOVE_FIELDS)
    rows["move"], rows["win_share"], rows["score"], rows["prior"], rows["rave"] = line[0], value, lead, np.nan, np.nan
    return SearchResult(
        best=line[0], moves=rows, variations=(tuple(line),), variation_visits=((0,) * len(line),), value=value,
        score=lead, ownership=ownership, simulations=0, seconds=0.0, size=size, to_play=color,
        colors=game.board.to_array(), tree_size=1, tree_full=False, times={}, proven=True,
    )  # fmt: skip
