"""A policy's choice on a given board, as diagrams."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import COLUMN_LETTERS, PASS, geometry
from foogo.game.point_set import PointSet
from foogo.playout.written.interpreter import Points
from foogo.playout.written.slow_game import SlowGame, SlowStream

if TYPE_CHECKING:
    from foogo.playout.written.policy import Note, PlayoutPolicy

DRAWS = 500
"""Draws from which the shares are estimated."""


@dataclass(frozen=True)
class Explanation:
    """What a policy sees on a board, and what it draws.

    Attributes
    ----------
    colors
        The colour of each point.
    sets : list[tuple[int, str, Points]]
        Each set that the function assigned or returned in the first draw, in order: the line, the name, the points.
    shares : dict[str, float]
        The share of 500 draws in which each point was drawn, by vertex, the most frequent first.
    """

    colors: tuple[int, ...]
    sets: list[Note]
    shares: dict[str, float]

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __str__(self) -> str:
        parts = [f"line {line}: {name}\n{_diagram(self.colors, points)}" for line, name, points in self.sets]
        drawn = ", ".join(f"{vertex} {share:.0%}" for vertex, share in list(self.shares.items())[:10])
        return "\n\n".join([*parts, f"drawn: {drawn or 'nothing, so the player passes'}"])


def explain(policy: PlayoutPolicy, board: Board) -> Explanation:
    """See `PlayoutPolicy.explain`."""
    if not isinstance(board, Board):
        raise ArgumentError(f"board is a {type(board).__name__}: give a Board, such as `game.board`")
    game, stream = SlowGame.of_board(board), SlowStream(0, 0)
    sets: list[Note] = []
    drawn: Counter[int] = Counter()
    for i in range(DRAWS):
        view = game.view(frozenset(), stream.draw())
        points = policy.interpret(view, sets.append if i == 0 else None).points or view.candidates.points
        if points:
            drawn[sorted(points)[view.number * len(points) >> 32]] += 1
    vertex = geometry(board.size).vertex
    shares = {vertex(point): count / DRAWS for point, count in drawn.most_common()}
    colors = tuple(int(color) for color in board.to_array().ravel())
    return Explanation(colors, sets, shares)


def sets_of(policy: PlayoutPolicy, game: Game) -> dict[str, PointSet]:
    """See `PlayoutPolicy.sets`."""
    if not isinstance(game, Game):
        raise ArgumentError(f"game is a {type(game).__name__}: give a Game; Game(board) makes one of a board")
    moves = game.moves
    notes: list[Note] = []
    before_last = moves[-2] if len(moves) > 1 else game.start.last_move if moves else None
    slow = replace(SlowGame.of_board(game.board), before_last=None if before_last == PASS else before_last)
    policy.interpret(slow.view(frozenset(), 0), notes.append)
    flags = {name: np.zeros(game.size**2, np.bool_) for _, name, _ in notes if name != "return"}
    for _, name, points in notes:
        if name != "return":
            flags[name][:] = False
            flags[name][list(points.points)] = True
    return {name: PointSet.of_flags(mask) for name, mask in flags.items()}


def _diagram(colors: tuple[int, ...], points: Points) -> str:
    """The board with the points of a set in brackets, the top row first."""
    size = points.size
    letters = "    " + "  ".join(COLUMN_LETTERS[:size])
    lines = [letters]
    for row in reversed(range(size)):
        signs = (".XO"[colors[point]] for point in range(row * size, (row + 1) * size))
        cells = (f"({sign})" if row * size + i in points.points else f" {sign} " for i, sign in enumerate(signs))
        lines.append(f"{row + 1:2d} {''.join(cells)}".rstrip())
    return "\n".join(lines)
