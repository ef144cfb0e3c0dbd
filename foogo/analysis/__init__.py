"""Analysis of a game, move by move: who was ahead, and which moves changed that."""

from foogo.analysis.analyzer import Analysis, MoveView, PositionView, analyze_game, analyze_positions

__all__ = ["Analysis", "MoveView", "PositionView", "analyze_game", "analyze_positions"]
