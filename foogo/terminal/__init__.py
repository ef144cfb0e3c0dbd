"""A game in the terminal: `drawing` shows boards and hints with rich, `session` reads what a person types."""

from foogo.terminal.session import TerminalGame

__all__ = ["TerminalGame"]
