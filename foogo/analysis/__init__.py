"""A game looked at move by move: who was ahead, and which moves changed it.

`analyzer` searches the positions, `record` writes what was found into an SGF file, `graph` draws it.
"""

from foogo.analysis.analyzer import Analysis, MoveView, PositionView, analyze_game

__all__ = ["Analysis", "MoveView", "PositionView", "analyze_game"]
