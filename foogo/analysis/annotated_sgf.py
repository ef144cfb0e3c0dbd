"""The SGF file of a game with its analysis as comments and variations."""

from __future__ import annotations

from foogo.analysis.analyzer import Analysis
from foogo.analysis.words import describe, describe_swing
from foogo.game.rules import Rules
from foogo.game.sgf import annotate_game


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
