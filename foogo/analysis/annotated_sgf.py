"""The SGF file of a game with its analysis as comments and variations."""

from __future__ import annotations

from foogo.analysis.analyzer import Analysis, MoveView, PositionView
from foogo.game.geometry import COLOR_NAMES, geometry
from foogo.game.rules import Rules
from foogo.game.sgf import annotate_game
from foogo.stats.percent import percent


def annotated_sgf(data: bytes, analysis: Analysis, *, swings: int = 5, rules: Rules | str | None = None) -> bytes:
    """The file with the win share of every position as a comment, and a better variation at each of the largest swings.

    `data` is the SGF file from which `read_game` read the analyzed game, under `rules`.
    """
    largest = analysis.swings(swings)
    comments = {position.turns: describe(position) for position in analysis.positions}
    for move in largest:
        comments[move.number] += f"\n{describe_swing(analysis.game.size, move)}"
    return annotate_game(
        data,
        comments=comments,
        variations={move.number - 1: move.before.variation for move in largest},
        bad_moves=[move.number for move in largest],
        rules=rules,
    )


def describe(position: PositionView) -> str:
    """The value of a position in words: Black 52.3 %, -1.3 points."""
    return f"Black {percent(position.win_share)}, {position.score:+.1f} points"


def describe_swing(size: int, move: MoveView) -> str:
    """A swing in words: its loss and the better move with what follows, E1 costs Black 12.5 %; better: B5 C3."""
    vertex = geometry(size).vertex
    line = " ".join(map(vertex, move.before.variation))
    return f"{vertex(move.move)} costs {COLOR_NAMES[move.color].capitalize()} {percent(move.loss)}; better: {line}"
