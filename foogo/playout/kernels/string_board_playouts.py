"""Playouts on the board with incremental strings, one game at a time, exactly as in docs/reference/playout.md.

The candidates of a turn are the colour's set of `foogo.game.kernels.strings`, without the cells *barred* this turn: the
ko point, the certain suicides and the points refused so far.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from foogo.core.bits import nth_set, population
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.core.simd import broadcast, repack, word_of
from foogo.core.stream import STATE_WORDS, below, next_random, start
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.neighbor_counts import ORTHOGONAL_BIT
from foogo.playout.kernels import bitboard
from foogo.playout.kernels.layout import bits_of
from foogo.playout.kernels.lockstep import certain_suicides

MOVES, CUT = range(2)
"""Places in `totals`."""

CHUNK = 32
"""Cells whose colours are compared at a time."""


class Numbers(NamedTuple):
    """The playouts `first` to ``first + games - 1`` under `seed`: uint64, uint64 and int64."""

    seed: np.uint64
    first: np.uint64
    games: int


@kernel(allocates=True, announce=Compilation("playouts on the scalar board", 40, 5))
def playouts(size_marks, layout, begin, scratch, numbers, suicide, totals, scores):
    """Play some playouts from one position, and add them up.

    Parameters
    ----------
    size_marks
        A tuple of `size` zeros. Its length is part of its type, so each size is compiled with its constants.
    layout
        The `foogo.playout.kernels.layout.strings_layout` of the size.
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
    barred_words = np.empty(s.words_of(size), np.uint64)
    barred = words(barred_words)
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
            suicides = certain_suicides(layout, _points_of(layout, cells, 3 - color), _points_of(layout, cells, EMPTY))
            bitboard.store_bits(barred_words, 0, suicides)
            if ko != s.NOWHERE:
                s.include(barred, 0, size, ko)
            ko = s.REFUSED
            while ko == s.REFUSED:
                options = _count_candidates(state, barred, size, color)
                k = below(next_random(random), options)
                if options == 0:
                    ko = s.NOWHERE
                    passes += 1
                else:
                    cell = _nth_candidate(state, barred, size, color, k)
                    ko = s.place(state, cells, size, color, cell, suicide)
                    if ko == s.REFUSED:
                        s.include(barred, 0, size, cell)
                    else:
                        passes = 0
                        moves += 1
            color = 3 - color
        all_moves += moves
        cut += moves == limit
        scores[_score(cells, size) + size * size] += 1
    totals[MOVES] += all_moves
    totals[CUT] += cut


@intrinsic
def _points_of(typingctx, layout, cells, color):
    """The points of a colour, compared `CHUNK` cells at a time."""
    where = layout.layout
    size, bits = where.size, bits_of(where)

    def codegen(context, builder, signature, args):
        word, row = word_of(where.bits, 1), ir.VectorType(ir.IntType(16), CHUNK)
        color = broadcast(builder, row, builder.trunc(args[2], row.element))
        found, board = ir.Constant(word, 0), ir.Constant(word, where.full[0])
        for begin in range(0, size * (size + 1) - 1, CHUNK):
            first = s.COLOR * s.span_of.py_func(size) + s.first_cell.py_func(size) + begin
            colors = builder.bitcast(builder.gep(args[1], [ir.Constant(ir.IntType(64), first)]), row.as_pointer())
            same = builder.icmp_unsigned("==", builder.load(colors, align=2), color)
            chunk = builder.zext(builder.bitcast(same, ir.IntType(CHUNK)), word)
            found = builder.or_(found, builder.shl(chunk, ir.Constant(word, begin)))
        return repack(builder, [builder.and_(found, board)])

    return bits(layout, types.CPointer(types.uint16), types.int64), codegen


@kernel(inline=True)
def _count_candidates(state, barred, size, color):
    at, count = s.candidates_at(size, color), 0
    for w in range(s.words_of(size)):
        count += population(state[at + w] & ~barred[w])
    return count


@kernel(inline=True)
def _nth_candidate(state, barred, size, color, k):
    """The cell of the k-th candidate, from 0, in point order."""
    at, word, below_word, total = s.candidates_at(size, color), 0, 0, 0
    for w in range(s.words_of(size) - 1):
        total += population(state[at + w] & ~barred[w])
        beyond = k >= total
        word += beyond
        below_word = total if beyond else below_word
    return 64 * word + nth_set(state[at + word] & ~barred[word], k - below_word) + size + 2


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
