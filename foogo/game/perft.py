"""Counts of legal move sequences, used to test the rules and to measure the speed of the board."""

from __future__ import annotations

from typing import SupportsIndex

import numpy as np

from foogo.arguments import is_boolean, quoted, whole_number
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.geometry import check_size
from foogo.game.kernels import perft as kernels
from foogo.game.rules import SUPERKO_RULES, Rules

MAX_DEPTH = 1000

MOVES_PER_CALL = 200_000
"""Moves tried between two checks for Ctrl-C. They take less than a second under every superko rule."""


def perft(
    size: SupportsIndex, depth: SupportsIndex, *, passes: bool = False, superko: str = "simple", suicide: bool = False
) -> int:
    """The number of legal sequences of exactly `depth` moves from the empty board, Black first.

    Ctrl-C stops the count within a second.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    depth
        The number of moves in a sequence, 0 to 1000.
    passes
        Whether a pass is a move. Two consecutive passes end a sequence, so it is not extended.
    superko
        ``"simple"``, ``"positional"`` or ``"situational"``, as in `foogo.game.rules.Rules`.
    suicide
        Whether strings of two or more stones may take their own last liberty.

    Raises
    ------
    SizeError, ArgumentError
        If there is no board of that size, or another argument is not as described above.

    References
    ----------
    The perft of chess programming; docs/reference/rules.md, "Counting sequences".

    Examples
    --------
    >>> perft(9, 2)
    6480
    >>> perft(2, 7, passes=True, superko="positional")
    1088
    """
    size, number = check_size(size), whole_number(depth)
    if number is None or not 0 <= number <= MAX_DEPTH:
        raise ArgumentError(f"depth {quoted(depth)} is not possible: give a whole number from 0 to {MAX_DEPTH}")
    rules = Rules(superko=superko, suicide=suicide)
    if not is_boolean(passes):
        raise ArgumentError(f"passes is {passes!r}: give True or False")
    start = Board(size).state
    states = np.empty((number + 1, len(start)), dtype=start.dtype)
    states[0] = start
    cursors = np.zeros(number + 1, dtype=np.int64)
    choices = kernels.Choices(bool(passes), SUPERKO_RULES.index(rules.superko), rules.suicide)
    total, ply = 0, 0
    while ply != kernels.DONE:
        ply, count = kernels.walk(states, cursors, ply, size, number, choices, MOVES_PER_CALL)
        total += int(count)
    return total
