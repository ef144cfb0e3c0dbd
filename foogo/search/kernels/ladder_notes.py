"""What ladders say of moves: ataris that catch a string or let it escape, and extensions that do not help."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords
from foogo.game.geometry import EMPTY
from foogo.game.kernels import strings as s
from foogo.game.kernels.ladders import LadderScratch, copy, count_liberties, is_caught, new_ladder_scratch, place
from foogo.game.kernels.lengths import playout_words

LEAST_WITH_LADDERS = 13
"""The smallest board on which the search reads ladders: on 9x9 they win no more games than their time costs."""

CATCHES, MISSES, FAILS = np.float32(2.0), np.float32(-0.5), np.float32(-3.0)
"""Added to the logarithm, to the base 2, of a move's probability: of an atari that begins a ladder in which the string
is caught; of one from which it escapes; of the extension of a string in atari that is caught all the same."""


class LadderNotes(NamedTuple):
    """The scratch memory of `add_ladders`."""

    added: NDArray[np.float32]
    """By cell."""
    board: NDArray[np.uint64]
    """After a move."""
    liberties: NDArray[np.int64]
    """Two cells."""
    ladders: LadderScratch


def new_ladder_notes(size: int) -> LadderNotes:
    """Memory for a board of that size."""
    span, words_of_board = s.span_of.py_func(size), playout_words(size)
    board, liberties = np.empty(words_of_board, np.uint64), np.empty(2, np.int64)
    return LadderNotes(np.zeros(span, np.float32), board, liberties, new_ladder_scratch(size))


@kernel
def add_ladders(board, size, color, moves, count, notes, logarithms):
    """Add what ladders say of `count` moves to their logarithms; both are pointers."""
    added, cells, span = notes.added, halfwords(board), s.span_of(size)
    for cell in range(len(added)):
        added[cell] = np.float32(0.0)
    for point in range(size * size):
        cell = s.cell_of(size, point)
        owner = np.int64(cells[s.COLOR * span + cell])
        # Two liberties have at most eight neighbours of the string.
        if owner != EMPTY and cells[s.HEAD * span + cell] == cell and cells[s.PSEUDO_LIBERTIES * span + cell] <= 8:
            _note_ladders(board, size, color, cell, owner, notes)
    for i in range(count):
        logarithms[i] += added[moves[i]]


@kernel
def _note_ladders(board, size, color, cell, owner, notes):
    """Note what ladders say of moves on the liberties of the string on `cell`."""
    added, after, liberties = notes.added, notes.board, notes.liberties
    count = count_liberties(halfwords(board), size, cell, liberties)
    if count != (1 if owner == color else 2):
        return
    for i in range(count):
        move = liberties[i]
        copy(board, after, s.playout_words(size))
        ko = place(after, size, color, move)
        if ko == s.REFUSED:
            continue
        caught = is_caught(after, size, cell, 3 - color, ko, notes.ladders)
        if owner != color:
            added[move] += CATCHES if caught else MISSES
        elif caught and count_liberties(halfwords(after), size, cell, liberties) == 2:
            added[move] += FAILS
