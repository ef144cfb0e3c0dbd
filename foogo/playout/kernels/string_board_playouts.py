"""Playouts on the board with incremental strings, one game at a time, exactly as in docs/reference/playout.md.

The candidates of a turn are the colour's set of `foogo.game.kernels.strings`, without the cells *held* this turn:
the ko point and the points refused so far. A held cell is taken out and put back when the turn ends.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.bits import nth_set, population
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.core.stream import STATE_WORDS, below, next_random, start
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.neighbor_counts import ORTHOGONAL_BIT, is_eye

MOVES, CUT = range(2)
"""Places in `totals`."""


class Numbers(NamedTuple):
    """The playouts `first` to ``first + games - 1`` under `seed`: uint64, uint64 and int64."""

    seed: np.uint64
    first: np.uint64
    games: int


@kernel(announce=Compilation("playouts on the scalar board", 40, 5))
def playouts(size_marks, begin, scratch, numbers, suicide, totals, scores):
    """Play some playouts from one position, and add them up.

    Parameters
    ----------
    size_marks
        A tuple of `size` zeros. Its length is part of its type, so each size is compiled with its constants.
    begin
        The state to start from; unchanged.
    scratch
        uint64, as long as `begin`; overwritten.
    numbers
        `Numbers`: which playouts.
    suicide
        Whether suicide of several stones is allowed.
    totals
        int64[2]; `MOVES` and `CUT` grow by stones placed and by games cut.
    scores
        int64[2 * size * size + 1]; a histogram of Black's points minus White's, plus size * size.
    """
    size = len(size_marks)
    header, limit = s.header_at(size), 3 * size * size
    origin, state, cells = words(begin), words(scratch), halfwords(scratch)
    random = np.empty(STATE_WORDS, np.uint32)
    held = np.empty(size * size, np.int64)
    all_moves, cut = 0, 0
    seed, first, games = numbers
    for number in range(games):
        for w in range(s.playout_words(size)):
            state[w] = origin[w]
        start(random, seed, first + np.uint64(number))
        color = np.int64(origin[header + s.TO_PLAY])
        ko = np.int64(origin[header + s.KO]) if origin[header + s.KO_COLOR] == color else s.NOWHERE
        passes, moves = 0, 0
        while passes < 2 and moves < limit:
            held_count = 0
            if ko != s.NOWHERE:
                _hold(state, size, color, held, held_count, ko)
                held_count = 1
            ko = s.REFUSED
            while ko == s.REFUSED:
                options = _count_candidates(state, size, color)
                k = below(next_random(random), options)
                if options == 0:
                    ko = s.NOWHERE
                    passes += 1
                else:
                    cell = _nth_candidate(state, size, color, k)
                    ko = s.place(state, cells, size, color, cell, suicide)
                    if ko == s.REFUSED:
                        _hold(state, size, color, held, held_count, cell)
                        held_count += 1
                    else:
                        passes = 0
                        moves += 1
            _put_back(state, cells, size, color, held, held_count)
            color = 3 - color
        all_moves += moves
        cut += moves == limit
        scores[_score(cells, size) + size * size] += 1
    totals[MOVES] += all_moves
    totals[CUT] += cut


@kernel(inline=True)
def _hold(state, size, color, held, held_count, cell):
    """Remove a candidate until the turn ends."""
    s.exclude(state, s.candidates_at(size, color), size, cell)
    held[held_count] = cell


@kernel(inline=True)
def _put_back(state, cells, size, color, held, held_count):
    """Make the held cells, all empty, candidates again, but for those that became eyes."""
    for i in range(held_count):
        if not is_eye(cells[s.NEIGHBORS * s.span_of(size) + held[i]], color):
            s.include(state, s.candidates_at(size, color), size, held[i])


@kernel(inline=True)
def _count_candidates(state, size, color):
    at, count = s.candidates_at(size, color), 0
    for w in range(s.words_of(size)):
        count += population(state[at + w])
    return count


@kernel(inline=True)
def _nth_candidate(state, size, color, k):
    """The cell of the k-th candidate, from 0, in point order."""
    at, word, below_word, total = s.candidates_at(size, color), 0, 0, 0
    for w in range(s.words_of(size) - 1):
        total += population(state[at + w])
        beyond = k >= total
        word += beyond
        below_word = total if beyond else below_word
    return 64 * word + nth_set(state[at + word], k - below_word) + size + 2


@kernel(inline=True)
def _score(cells, size):
    """Black minus White: stones, and empty points whose neighbours are all of one colour."""
    span, total = s.span_of(size), 0
    for cell in range(size + 2, (size + 1) * (size + 1)):
        color = cells[s.COLOR * span + cell]
        counts = cells[s.NEIGHBORS * span + cell] >> ORTHOGONAL_BIT
        if color == EMPTY:
            total += (counts & 7) == 4
            total -= ((counts >> 3) & 7) == 4
        else:
            total += color == BLACK
            total -= color == WHITE
    return total
