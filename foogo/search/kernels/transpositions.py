"""Transpositions: entries with equal positions share their children.

What follows a position depends on the stones, the player to move, the point that ko forbids, whether the last move was
a pass, and for superko on the points where either player ever had a stone. A leaf whose position another entry already
has takes that entry's children. Each entry keeps its own visits and wins, and the children have those of all.

`TreeArrays.keys` has the key of the position above each block of children, at the block's first tile, and
`TreeArrays.table` an entry for a key, so that a wrong entry in the table is always noticed.

Superko can tell equal positions apart, as their histories differ. But a move can only repeat a situation if its player
had a stone on its point before, or if it is suicide. Such a move has `foogo.search.kernels.tiles.HISTORY`, and a
descent goes there only if its own history allows it. Where superko forbids a move, children are not shared.

References
----------
B. Childs, J. Brodeur, L. Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", 2008.
"""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add32, add64, exchange32, try_replace32
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import mixed
from foogo.search.kernels import proofs as p
from foogo.search.kernels import tree as t
from foogo.search.kernels.moves import superko_forbids
from foogo.search.kernels.priors import NO_VALUE
from foogo.search.kernels.tiles import (
    COUNT,
    COUNT_MASK,
    EXTENDED,
    FIRST,
    HISTORY,
    MOVE,
    RESULT,
    SHARES,
    SUPERKO,
    TILE_BITS,
    VISITS,
    WINS,
    at,
)

SIZES = range(7, 12)
"""The boards on which children are shared, if there is a network. On smaller ones superko is part of most proofs, which
shared children would prevent. On 13x13 and larger, few positions come up again, and no gain was measured."""


@kernel(inline=True)
def key_of(size, context, history):
    """The key of the position at a leaf."""
    stood, sets = words(history.stood), 2 * s.words_of(size)
    key = context.stones_hash
    for w in range(sets):
        key = mixed(key ^ stood[sets + w])
    is_passed = 1 if context.last == s.PASSED else 0
    return mixed(key ^ np.uint64((context.ko + 1) << 2 | (context.color - 1) << 1 | is_passed))


@kernel
def share_children(tree, entry, key, board, rules, context, history):
    """Give the claimed leaf the children of an entry with the same position, if one is known.

    Returns the win share of the player to move there so far, `NO_VALUE` if none is known or superko forbids a child.
    """
    entries = tree.entries
    other = np.int64(tree.table[np.int64(key & np.uint64(tree.last_slot))])
    first = np.int64(entries[at(FIRST, other)])
    if first <= t.LEAF or np.uint64(tree.keys[first >> TILE_BITS]) != key:
        return np.float32(NO_VALUE)
    while True:
        # COUNT is read after FIRST: `extend` sets EXTENDED before it changes FIRST.
        word = add32(entries, at(COUNT, other), 0)
        if word & (HISTORY | SUPERKO | EXTENDED):
            return np.float32(NO_VALUE)
        if word & p.REPEATABLE and _superko_forbids_one(tree, first, word & COUNT_MASK, board, rules, context, history):
            return np.float32(NO_VALUE)
        if try_replace32(entries, at(COUNT, other), word, word | SHARES):
            break
    while True:
        own = add32(entries, at(COUNT, entry), 0)
        if try_replace32(entries, at(COUNT, entry), own, (own & ~RESULT) | word | SHARES):
            break
    exchange32(entries, at(FIRST, entry), first)
    add64(tree.shared, t.TRANSPOSITIONS, 1)
    visits, half_wins = np.int64(entries[at(VISITS, other)]), np.int64(entries[at(WINS, other)])
    return np.float32(min(max(1.0 - 0.5 * half_wins / max(visits, 1), 0.0), 1.0))


@kernel
def _superko_forbids_one(tree, first, count, board, rules, context, history):
    """Whether superko forbids one of the children here."""
    entries, cells = tree.entries, halfwords(board)
    for child in range(first, first + count):
        if entries[at(COUNT, child)] & HISTORY and entries[at(MOVE, child)] >= 0:
            cell = s.cell_of(rules.size, np.int64(entries[at(MOVE, child)]))
            if superko_forbids(cells, cell, rules, context, history):
                return True
    return False
