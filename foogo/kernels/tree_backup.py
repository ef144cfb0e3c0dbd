"""From a leaf to the root: what its playouts add to the tree."""

from __future__ import annotations

import numpy as np

from foogo.geometry import BLACK, WHITE
from foogo.kernels import strings as s
from foogo.kernels import tree as t
from foogo.kernels.atomics import add32, add64
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import longs, numbers
from foogo.kernels.tree_descent import COLOR, LENGTH

HALF_WIN = 1 << 16
"""What a half win adds to a count of playouts: `foogo.search.parameters` allows a leaf no more than 4,096 of them."""


@kernel
def settle(memory, capacity, komi, limits, rave, path, leaf, results, counts, owned):
    """Back up the playouts of one leaf.

    Parameters
    ----------
    limits
        (playouts, visits to expand at, virtual loss), of this leaf.
    results
        (scores, owners, first players) of its playouts, see `foogo.kernels.games.run`.
    counts
        (2, points) int32: scratch.
    owned
        (2, points) int32: playouts at whose end Black, and White, owned the point.
    """
    playouts, _expand_at, loss = limits
    scores, owners, firsts = results
    counts[:] = 0
    black_wins = lead = 0
    for game in range(playouts):
        won = _half_wins(scores[game], komi)
        lead += scores[game]
        black_wins += won
        if rave:
            add_bits(firsts[game, 0], 1 + won * HALF_WIN, counts[0])
            add_bits(firsts[game, 1], 1 + (2 - won) * HALF_WIN, counts[1])
        add_bits(owners[game, 0], 1, owned[0])
        add_bits(owners[game, 1], 1, owned[1])
    rest = playouts - loss
    back_up(memory, capacity, path, leaf[LENGTH], leaf[COLOR], playouts, black_wins, lead, rest, counts, rave)


@kernel
def count_owners(owner, size, games, owned):
    """Count so many games that ended with these owners (by cell, see `foogo.kernels.positions.area`)."""
    for point in range(size * size):
        color = owner[s.cell_of(size, point)]
        if color == BLACK or color == WHITE:
            owned[color - 1, point] += games


@kernel
def settle_end(memory, capacity, komi, limits, rave, path, leaf, lead, counts):
    """Back up a leaf where two passes ended the game at that lead of Black's, as so many playouts that ended so."""
    playouts, _expand_at, loss = limits
    counts[:] = 0
    # the last pass does not hand the turn on
    color, rest = 3 - leaf[COLOR], playouts - loss
    black_wins = playouts * _half_wins(lead, komi)
    back_up(memory, capacity, path, leaf[LENGTH], color, playouts, black_wins, playouts * lead, rest, counts, rave)


@kernel(inline=True)
def _half_wins(lead, komi):
    """Black's half wins in a game."""
    margin = np.int64(lead) - komi
    return 2 if margin > 0 else 1 if margin == 0 else 0


@kernel
def back_up(memory, capacity, path, length, color, total, black_wins, lead, rest, counts, rave):
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
        (2, points) int32: playouts in which Black, White, first played the point, and `HALF_WIN` for each half win of
        that colour in them. Changed: the moves of the path are added on the way up.
    """
    tree, leads = numbers(memory), longs(memory)
    for depth in range(length, -1, -1):
        entry = np.int64(path[depth])
        white_moved = color == BLACK
        if rest:
            add32(tree, t.VISITS * capacity + entry, rest)
        add32(tree, t.WINS * capacity + entry, 2 * total - black_wins if white_moved else black_wins)
        add64(leads, entry, lead)
        first = np.int64(tree[t.FIRST * capacity + entry])
        if rave and first > t.LEAF:
            side = color - 1
            children = np.int64(tree[t.COUNT * capacity + entry])
            if tree[t.MOVE * capacity + first + children - 1] < 0:
                children -= 1
            _credit(tree, capacity, first, children, counts[side])
        color = 3 - color
        move = np.int64(tree[t.MOVE * capacity + entry])
        if move >= 0:
            mine = color - 1
            counts[mine, move] = total + HALF_WIN * (black_wins if color == BLACK else 2 * total - black_wins)
            counts[1 - mine, move] = 0


@kernel
def _credit(tree, capacity, first, children, counts):
    """Add the AMAF counts of each child's point."""
    credits = numbers(counts)
    for child in range(first, first + children):
        credit = credits[np.int64(tree[t.MOVE * capacity + child])]
        tree[t.RAVE_VISITS * capacity + child] += credit & (HALF_WIN - 1)
        tree[t.RAVE_WINS * capacity + child] += credit >> 16


@kernel
def add_bits(bits, amount, sums):
    """Add an amount to `sums` (int32) at every point of a set (uint64 words)."""
    added = np.int32(amount)
    for w in range(len(bits)):
        word = bits[w]
        for i in range(64):  # becomes a few vectors; by halves, or multiplied, it does not
            sums[64 * w + i] += np.int32(-np.int32((word >> np.uint64(i)) & np.uint64(1))) & added
