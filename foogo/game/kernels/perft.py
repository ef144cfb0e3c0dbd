"""Counting legal sequences: a depth-first walk that stops when its budget is used up, and can be resumed.

There is one state per ply, so a move is undone by returning to the state before it. ``states[ply]`` (uint64) is the
position after `ply` moves, and the rows before it are the history for superko. ``cursors[ply]`` (int64) is the next
move to try there: a point, or `area` for a pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords
from foogo.game.geometry import EMPTY
from foogo.game.kernels import positions
from foogo.game.kernels import strings as s
from foogo.game.kernels.neighbor_counts import EMPTY_BIT
from foogo.game.kernels.positions import POSITIONAL, SIMPLE

DONE = -1
"""The ply of a walk that is over."""


class Choices(NamedTuple):
    """The rules for the sequences to count, as in `foogo.game.perft.perft`."""

    passes: bool
    superko: int
    """`SIMPLE`, `POSITIONAL` or `SITUATIONAL` of `foogo.game.kernels.positions`."""
    suicide: bool


@kernel(announce=Compilation("perft", 50, 5))
def walk(states, cursors, ply, size, depth, choices, budget):
    """Continue the walk from `ply` until about `budget` moves were tried.

    Returns the ply to continue from, or `DONE`, and how many sequences of `depth` moves this call found. Cursor 0 is
    zero before the first call.
    """
    area, count = size * size, 0
    passes, superko, suicide = choices
    while ply >= 0 and budget > 0:
        if ply == depth:
            count += 1
            ply -= 1
        elif cursors[ply] == 0 and _has_ended(states, ply, size):
            ply -= 1
        elif ply == depth - 1 and superko == SIMPLE:
            count += _count_points(states[ply], size, suicide) + passes
            budget -= area
            ply -= 1
        elif cursors[ply] == area + passes:
            ply -= 1
        else:
            cursor = cursors[ply]
            cursors[ply] = cursor + 1
            budget -= 1
            if _try_move(states, ply, size, cursor, superko, suicide):
                ply += 1
                cursors[ply] = 0
    return ply, count


@kernel
def _has_ended(states, ply, size):
    """Whether the last two moves were passes."""
    last = s.header_at(size) + s.LAST
    return ply >= 2 and states[ply, last] == s.PASSED and states[ply - 1, last] == s.PASSED


@kernel
def _count_points(state, size, suicide):
    """The number of points that the player to move may play under simple ko."""
    span, count = s.span_of(size), np.int64(0)
    color = np.int64(state[s.header_at(size) + s.TO_PLAY])
    cells = halfwords(state)
    for row in range(1, size + 1):
        for cell in range(row * (size + 1) + 1, (row + 1) * (size + 1)):
            if cells[s.COLOR * span + cell] == EMPTY:
                # Most points have an empty neighbour, which makes any move legal.
                has_liberty = (cells[s.NEIGHBORS * span + cell] >> EMPTY_BIT) & 7 != 0
                count += has_liberty or positions.legality(state, size, color, cell, suicide) == positions.LEGAL
    return count


@kernel(inline=True)
def _try_move(states, ply, size, move, superko, suicide):
    """Whether `move` is legal after `ply` moves. If it is, the next row holds the position after it."""
    state, following = states[ply], states[ply + 1]
    color = np.int64(state[s.header_at(size) + s.TO_PLAY])
    cell = s.PASSED if move == size * size else s.cell_of(size, move)
    if positions.legality(state, size, color, cell, suicide) != positions.LEGAL:
        return False
    for word in range(len(state)):
        following[word] = state[word]
    positions.play(following, size, color, cell)
    return superko == SIMPLE or cell == s.PASSED or not _repeats(states, ply + 1, size, superko)


@kernel
def _repeats(states, ply, size, superko):
    """Whether superko forbids the position after `ply` moves."""
    header = s.header_at(size)
    for earlier in range(ply):
        if states[earlier, header + s.HASH] == states[ply, header + s.HASH]:
            same_turn = states[earlier, header + s.TO_PLAY] == states[ply, header + s.TO_PLAY]
            if (same_turn or superko == POSITIONAL) and _same_stones(states[earlier], states[ply], size):
                return True
    return False


@kernel
def _same_stones(state, other, size):
    """Whether two states have the same stones."""
    colors = s.COLOR * s.span_of(size)
    cells, others = halfwords(state), halfwords(other)
    for cell in range(colors, colors + s.span_of(size)):
        if cells[cell] != others[cell]:
            return False
    return True
