"""Game records in SGF: `read_game`, `write_game` and `annotate_game`."""

from foogo.game.sgf import annotate_game, read_game, write_game

__all__ = ["annotate_game", "read_game", "write_game"]
