"""From a leaf to the root: what its playouts add to the tree."""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add64
from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers, prefetch_to_write
from foogo.game.geometry import BLACK, WHITE
from foogo.game.kernels import strings as s
from foogo.search.kernels import tree as t
from foogo.search.kernels.descent import COLOR, LENGTH
from foogo.search.kernels.tiles import (
    AMAF_HALF_WIN,
    COUNT,
    FIRST,
    HALF_WIN,
    MOVE,
    NO_POINT,
    RAVE_VISITS,
    RAVE_WINS,
    TILE,
    VISITS,
    at,
    both_at,
    credit,
    lead_at,
    tiles_of,
)


@kernel
def settle(memory, komi, limits, rave, path, leaf, results, counts, owned):
    """Back up the playouts of one leaf.

    Parameters
    ----------
    limits
        (playouts, visits to expand at, virtual loss), of this leaf.
    results
        (scores, owners, first players) of its playouts, see `foogo.playout.kernels.batch.run`.
    counts
        (2, `NO_POINT` + points) int32: scratch.
    owned
        (2, points) int32: playouts at whose end Black, and White, owned the point.
    """
    playouts, _expand_at, loss = limits
    scores, owners, firsts = results
    _fetch(numbers(memory), longs(memory), path, leaf[LENGTH], rave)
    counts[:] = 0
    black_wins = lead = 0
    for game in range(playouts):
        won = _half_wins(scores[game], komi)
        lead += scores[game]
        black_wins += won
        if rave:
            add_bits(firsts[game, 0], 1 + won * AMAF_HALF_WIN, counts[0, NO_POINT:])
            add_bits(firsts[game, 1], 1 + (2 - won) * AMAF_HALF_WIN, counts[1, NO_POINT:])
        add_bits(owners[game, 0], 1, owned[0])
        add_bits(owners[game, 1], 1, owned[1])
    rest = playouts - loss
    back_up(memory, path, leaf[LENGTH], leaf[COLOR], playouts, black_wins, lead, rest, counts, rave)


@kernel
def count_owners(owner, size, games, owned):
    """Count so many games that ended with these owners (by cell, see `foogo.game.kernels.positions.area`)."""
    for point in range(size * size):
        color = owner[s.cell_of(size, point)]
        if color == BLACK or color == WHITE:
            owned[color - 1, point] += games


@kernel
def settle_end(memory, komi, limits, rave, path, leaf, lead, counts):
    """Back up a leaf where two passes ended the game at that lead of Black's, as so many playouts that ended so."""
    playouts, _expand_at, loss = limits
    counts[:] = 0
    # the last pass does not hand the turn on
    color, rest = 3 - leaf[COLOR], playouts - loss
    black_wins = playouts * _half_wins(lead, komi)
    back_up(memory, path, leaf[LENGTH], color, playouts, black_wins, playouts * lead, rest, counts, rave)


@kernel(inline=True)
def _half_wins(lead, komi):
    """Black's half wins in a game."""
    margin = np.int64(lead) - komi
    return 2 if margin > 0 else 1 if margin == 0 else 0


@kernel
def back_up(memory, path, length, color, total, black_wins, lead, rest, counts, rave):
    """Add the playouts of one leaf to its path, and to the children that the AMAF counts credit.

    Parameters
    ----------
    color
        Who is to play at the leaf.
    total, black_wins, lead
        Playouts, Black's half wins, and the sum of Black's leads.
    rest
        Visits still to be counted, beyond the virtual loss.
    counts
        (2, `NO_POINT` + points) int32: playouts in which Black, White, first played the point, and `AMAF_HALF_WIN` for
        each half win of that colour in them; nothing before the points. Changed: the moves of the path are added on the
        way up.
    """
    tree, wide = numbers(memory), longs(memory)
    for depth in range(length, -1, -1):
        entry = np.int64(path[depth])
        half_wins = 2 * total - black_wins if color == BLACK else black_wins
        add64(wide, both_at(entry), rest + HALF_WIN * half_wins)
        add64(wide, lead_at(entry), lead)
        first = np.int64(tree[at(FIRST, entry)])
        if rave and first > t.LEAF:
            children = np.int64(tree[at(COUNT, entry)])
            credit(tree, at(VISITS, first), tiles_of(children), numbers(counts[color - 1]))
        color = 3 - color
        move = np.int64(tree[at(MOVE, entry)])
        if move >= 0:
            mine = color - 1
            half_wins = black_wins if color == BLACK else 2 * total - black_wins
            counts[mine, NO_POINT + move] = total + AMAF_HALF_WIN * half_wins
            counts[1 - mine, NO_POINT + move] = 0


@kernel(inline=True)
def _fetch(tree, wide, path, length, rave):
    """Begin to fetch what `back_up` writes: lines that another thread wrote last then come at once, not by turns."""
    for depth in range(length + 1):
        entry = np.int64(path[depth])
        prefetch_to_write(tree, at(VISITS, entry))
        prefetch_to_write(wide, lead_at(entry))
        first = np.int64(tree[at(FIRST, entry)])
        if rave and first > t.LEAF:
            for tile in range(tiles_of(np.int64(tree[at(COUNT, entry)]))):
                prefetch_to_write(tree, at(RAVE_VISITS, first + tile * TILE))
                prefetch_to_write(tree, at(RAVE_WINS, first + tile * TILE))


@kernel
def add_bits(bits, amount, sums):
    """Add an amount to `sums` (int32) at every point of a set (uint64 words)."""
    added = np.int32(amount)
    for w in range(len(bits)):
        word = bits[w]
        for i in range(64):  # becomes a few vectors; by halves, or multiplied, it does not
            sums[64 * w + i] += np.int32(-np.int32((word >> np.uint64(i)) & np.uint64(1))) & added
