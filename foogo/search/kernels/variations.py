"""Principal variations, read from a search tree."""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.search.kernels.tiles import COUNT, COUNT_MASK, HISTORY, LOST_MOVE, MOVE, RESULT, at, open_tree
from foogo.search.kernels.tree import LEAF, TRANSPOSITIONS, first_and_count, playouts_of

OUTRANKING = 1 << 40
"""More than any number of playouts."""


@kernel
def variations(arrays, starts, lines, ends):
    """Write a variation of each entry of `starts` as rows of (point, playouts): its move, then the answer at each turn.

    The answer is the most visited one. Where the result is proven, it is one that has it; elsewhere none that is proven
    lost, if there are others. The i-th variation ends before row ``ends[i]`` of `lines`, and the next one begins there.
    """
    entries, row, deepest = open_tree(arrays).entries, 0, len(lines) // len(starts)
    for i in range(len(starts)):
        entry, last = starts[i], row + deepest
        while entry != LEAF and row < last:
            lines[row, 0] = entries[at(MOVE, entry)]
            lines[row, 1] = playouts_of(entries, entry)
            row += 1
            entry = _answer(arrays, entries, entry)
        ends[i] = row


@kernel(inline=True)
def _answer(arrays, entries, entry):
    """The child that continues a variation, or `LEAF`."""
    first, word = first_and_count(entries, entry)
    best, most = np.int64(LEAF), np.int64(-OUTRANKING)
    if first > LEAF:
        for child in range(first, first + (word & COUNT_MASK)):
            answer, rank = np.int64(entries[at(COUNT, child)]), playouts_of(entries, child)
            is_proof = word < 0 and answer < 0 and (word ^ answer) & RESULT == 0
            if rank == 0 and not is_proof:
                continue
            if is_proof:
                rank += OUTRANKING
            elif answer & LOST_MOVE:
                rank -= OUTRANKING
            if rank > most:
                best, most = child, rank
    if best != LEAF and entries[at(COUNT, best)] & HISTORY and arrays.shared[TRANSPOSITIONS]:
        # Another history may have allowed it.
        best = np.int64(LEAF)
    return best
