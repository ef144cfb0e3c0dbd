"""Ladders: whether a string can be captured by moves each of which leaves it a single liberty.

The attacker plays on one of the string's two liberties. The string's player answers with a capture of a string in
atari next to it, or on its last liberty. With three liberties then the string has escaped, with one it is caught, and
with two the attacker goes on. Each player has every such move to choose from, but none that simple ko forbids, and no
suicide.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import EMPTY
from foogo.game.kernels import strings as s
from foogo.game.kernels.lengths import playout_words
from foogo.game.kernels.positions import last_liberty
from foogo.game.kernels.strings import neighbor

DEEPEST, MOST_MOVES = 200, 1000
"""A string has escaped if it is not caught after so many moves in a row, or after so many steps of the search."""

TRIED, COUNT, KO = range(3)
"""The columns of `LadderScratch.turns`: the moves tried so far, how many there are, and the cell that ko forbids."""


class LadderScratch(NamedTuple):
    """The memory of `is_caught`, a row for each move."""

    boards: NDArray[np.uint64]
    """The board, as far as playouts need it."""
    moves: NDArray[np.int64]
    """The cells to be tried."""
    turns: NDArray[np.int64]
    """`TRIED`, `COUNT` and `KO`."""


def new_ladder_scratch(size: int) -> LadderScratch:
    """Memory for a board of that size."""
    boards = np.empty((DEEPEST, playout_words(size)), np.uint64)
    return LadderScratch(boards, np.empty((DEEPEST, size * size), np.int64), np.empty((DEEPEST, 3), np.int64))


@kernel
def is_caught(state, size, cell, color, ko, scratch):
    """Whether the string on `cell` is captured in a ladder in which `color` moves first, not on the cell `ko`.

    Of `state`, only what playouts need is read.
    """
    boards, moves, turns = scratch
    owner, depth = np.int64(halfwords(state)[s.COLOR * s.span_of(size) + cell]), 0
    copy(state, boards[0], s.playout_words(size))
    liberties = count_liberties(halfwords(state), size, cell, moves[0])
    if color != owner and liberties != 2:
        return liberties < 2 and moves[0, 0] != ko
    if color == owner and liberties > 1:
        return False
    count = liberties if color != owner else _answers(halfwords(state), size, cell, moves[0])
    turns[0, TRIED], turns[0, COUNT], turns[0, KO] = 0, count, ko
    for _ in range(MOST_MOVES):
        mover = color if depth & 1 == 0 else 3 - color
        # Without a move left, the move before was right, so the one before that was wrong.
        if turns[depth, TRIED] == turns[depth, COUNT]:
            if depth <= 1:
                return mover == owner
            depth -= 2
            continue
        move = moves[depth, turns[depth, TRIED]]
        turns[depth, TRIED] += 1
        if move == turns[depth, KO]:
            continue
        if depth + 1 == DEEPEST:
            return False
        after = boards[depth + 1]
        copy(boards[depth], after, s.playout_words(size))
        ko = place(after, size, mover, move)
        if ko == s.REFUSED:
            continue
        cells, choices = halfwords(after), moves[depth + 1]
        liberties = count_liberties(cells, size, cell, choices)
        if mover != owner:
            depth, count = depth + 1, _answers(cells, size, cell, choices)
        elif liberties == 2:
            depth, count = depth + 1, liberties
        elif liberties < 2:
            continue
        elif depth == 0:
            return False
        else:
            depth -= 1
            continue
        turns[depth, TRIED], turns[depth, COUNT], turns[depth, KO] = 0, count, ko
    return False


@kernel
def copy(source, target, count):
    """Copy `count` words."""
    here, there = words(source), words(target)
    for w in range(count):
        there[w] = here[w]


@kernel
def place(state, size, color, cell):
    """`foogo.game.kernels.strings.place` without suicide, for an array."""
    return s.place(words(state), halfwords(state), size, color, cell, False)


@kernel
def count_liberties(cells, size, cell, found):
    """The number of liberties of the string on `cell`, 3 if there are more; the first two are written."""
    span, stride, count = s.span_of(size), size + 1, 0
    stone = np.int64(cells[s.HEAD * span + cell])
    for _ in range(cells[s.STONES * span + stone]):
        for i in range(4):
            near = neighbor(stone, stride, i)
            if cells[s.COLOR * span + near] != EMPTY or (count > 0 and near == found[0]):
                continue
            if count == 2:
                if near != found[1]:
                    return 3
                continue
            found[count] = near
            count += 1
        stone = np.int64(cells[s.NEXT * span + stone])
    return count


@kernel
def _answers(cells, size, cell, found):
    """Write the moves that may save the string in atari on `cell`; returns their number."""
    span, stride, count = s.span_of(size), size + 1, 0
    stone, liberty = np.int64(cells[s.HEAD * span + cell]), last_liberty(cells, size, cell)
    attacker = 3 - np.int64(cells[s.COLOR * span + cell])
    for _ in range(cells[s.STONES * span + stone]):
        for i in range(4):
            near = neighbor(stone, stride, i)
            if cells[s.COLOR * span + near] == attacker:
                capture = last_liberty(cells, size, near)
                is_new = capture not in (s.NOWHERE, liberty)
                for j in range(count):
                    is_new = is_new and found[j] != capture
                if is_new:
                    found[count] = capture
                    count += 1
        stone = np.int64(cells[s.NEXT * span + stone])
    found[count] = liberty
    return count + 1
