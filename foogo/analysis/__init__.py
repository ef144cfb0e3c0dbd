"""Analysis of a game, move by move: who was ahead, and which moves changed that.

`analyzer` searches the positions, `annotated_sgf` adds the values to the SGF file, `graph` plots them.
"""

from foogo.analysis.analyzer import Analysis, MoveView, PositionView, analyze_game

__all__ = ["Analysis", "MoveView", "PositionView", "analyze_game"]
