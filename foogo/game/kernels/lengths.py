"""How long the arrays laid out in `foogo.game.kernels.strings` are, told in Python: no kernel is compiled for it."""

from __future__ import annotations

from foogo.game.kernels import strings as s


def playout_words(size: int) -> int:
    """The number of words of the sections that a playout needs: the fields and two sets."""
    return _words_with(size, 2)


def state_words(size: int) -> int:
    """The number of words of a whole state: the fields, five sets and the header."""
    return _words_with(size, 5) + s.HEADER


def _words_with(size: int, sets: int) -> int:
    return s.FIELDS * (s.span_of.py_func(size) >> 2) + sets * s.words_of.py_func(size)
