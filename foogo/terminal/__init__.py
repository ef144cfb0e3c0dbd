"""A game in the terminal: `terminal_game` reads commands, `rich_boards` draws boards and hints with rich."""

from foogo.terminal.terminal_game import TerminalGame

__all__ = ["TerminalGame"]
