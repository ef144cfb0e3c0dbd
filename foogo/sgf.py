"""Game records in SGF: `read_game`, `read_tree`, `write_game` and `annotate_game`."""

from foogo.game.sgf import annotate_game, read_game, write_game
from foogo.game.sgf_tree import GameTree, Node, read_tree

__all__ = ["GameTree", "Node", "annotate_game", "read_game", "read_tree", "write_game"]
