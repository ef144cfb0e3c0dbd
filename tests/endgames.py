"""Diagrams of positions near the end of a game, and a player at a position."""

from __future__ import annotations

from foogo import Board
from foogo.player.options import PlayerOptions
from foogo.player.player import Player

FAST = PlayerOptions(simulations=2000, status_simulations=4000, seed=1)


HOPELESS = """
    . . . . .
    . X X X .
    . X X X .
    . X X X .
    . . . . .
"""


def player_at(diagram: str, rules: str, to_play: int, komi: float = 0.0, options: PlayerOptions = FAST) -> Player:
    player = Player(Board.from_diagram(diagram).size, rules, komi, options)
    player.set_position(Board.from_diagram(diagram, to_play))
    return player


FINISHED = """
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    X X X X O O O
    X X X X O . O
    . X . X O O O
"""
"""Nothing is left to play: Black has 28, White 21 points."""

DEAD_WHITE = """
    . X . X O . O
    X X X X O O O
    . X . X O . O
    X X X X O O O
    X X X X O O O
    . . . X O . O
    . O . X O O O
"""
"""B1 is dead: with it Black has 22 and White 22 points, without it 28 and 21."""

SEKI = """
    . . . . . . . . .
    . O O O O O O O .
    . O X X X X X O .
    . O X O O O X O .
    . O X . O . X O .
    . O X O O O X O .
    . O X X X X X O .
    . O O O O O O O .
    . . . . . . . . .
"""
"""Whoever plays between the two strings in the middle is captured."""
