"""What a person types while foogo thinks: not shown between the boards, but kept for the next prompt."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keys_unseen() -> Iterator[None]:
    """A context in which the terminal of stdin does not show what is typed; nothing where stdin is not a terminal.

    The next prompt reads what was typed, and shows it if readline is loaded.
    """
    try:
        import termios
    except ImportError:  # Windows, where nothing is shown before it is read
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    before = termios.tcgetattr(sys.stdin)
    silent = [*before[:3], before[3] & ~termios.ECHO, *before[4:]]
    termios.tcsetattr(sys.stdin, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, before)
