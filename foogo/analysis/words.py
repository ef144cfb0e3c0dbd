"""Positions and moves of an analysis in words: for a terminal, a notebook, and the comments of SGF files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from foogo.game.geometry import COLOR_NAMES, geometry
from foogo.game.notation import signed
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.analysis.analyzer import MoveView, PositionView

HEAD = ("move", "at", "black %", "points", "loss", "best")
"""The columns of a table of moves: those of `move_cells`, and the search's move."""


def describe(position: PositionView) -> str:
    """The value of a position in words: Black 52.3 %, -1.3 points."""
    return f"Black {percent(position.win_share)}, {signed(position.score)} points"


def describe_swing(size: int, move: MoveView) -> str:
    """A swing in words: its loss and the better move with what follows, E1 costs Black 12.5 %; better: B5 C3."""
    vertex = geometry(size).vertex
    line = " ".join(map(vertex, move.before.variation))
    return f"{vertex(move.move)} costs {COLOR_NAMES[move.color].capitalize()} {percent(move.loss)}; better: {line}"


def swing_lines(size: int, swings: Iterable[MoveView]) -> list[str]:
    """Swings under a heading, a line each; nothing if there are none."""
    lines = [f"  {move.number}: {describe_swing(size, move)}" for move in swings]
    return ["largest swings:", *lines] if lines else []


def move_cells(size: int, move: MoveView) -> list[str]:
    """A move, its point, Black's win share and score after it, and its loss, as a table shows them."""
    return [
        f"{move.number} {COLOR_NAMES[move.color]}",
        geometry(size).vertex(move.move),
        f"{100 * move.after.win_share:.1f}",
        signed(move.after.score),
        f"{100 * max(0.0, move.loss):.1f}",
    ]
