"""From the root to a leaf: the choice at each step, the position carried along, growth, and the leaf as a start."""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add32, load64
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, longs, numbers, prefetch_to_write, words
from foogo.core.stream import next_random
from foogo.game.geometry import BLACK
from foogo.game.kernels import strings as s
from foogo.playout.kernels import batch
from foogo.search.kernels import tree as t
from foogo.search.kernels.moves import SIMPLE, hash_change, situation
from foogo.search.kernels.priors import grow
from foogo.search.kernels.tiles import COUNT, FIRST, MOVE, PRIOR_VISITS, VISITS, at

EXPLORATION, URGENCY, EQUIVALENCE, UCB1_SHARE, UCB1_EXPLORATION = range(5)
"""Numbers of the selection: see `foogo.search.parameters.SearchParameters.choice`."""

WELL_VISITED = 1 << 13
"""Visits of a position from which on a share of the choices is made by UCB1."""

SALT_BITS, SHARE_BITS = 9, 23
"""Of a number of the stream: what decides among equals, and by which formula is chosen."""

LENGTH, COLOR, KO, LAST, TERMINAL = range(5)
"""What is known of a leaf (int64): entries on its path less one, who is to play, ko and last move as cells,
and whether the game is over there."""
LEAF_FIELDS = 5


@kernel
def descend(
    memory, shared, board, rules, numbers_of, limits, weights, tables, avoided, past, origin, path, leaf,
    random,
):  # fmt: skip
    """Go from the root to a leaf, counting its playouts as visits on the way, and grow the tree there.

    Parameters
    ----------
    board
        The root's state; it becomes the leaf's.
    limits
        (playouts a leaf, visits to expand at, virtual loss).
    avoided
        See `foogo.search.kernels.priors.grow`.
    past
        Hashes of earlier situations, those of the path added behind the `origin` ones; and where Black and White have
        had stones, uint64 (2, 2, words of a set): at the root and, rewritten, at the leaf.
    origin
        (color, ko, last, before, hash, hashes in `past`): as `tree_priors.grow` takes them.
    path, leaf
        Filled: entries from the root on, and `LEAF_FIELDS` facts.
    """
    tree = numbers(memory)
    size, suicide, superko, _komi = rules
    color, ko, last, before, stones, length = origin
    hashes, stood = past[0], words(past[1])
    for w in range(2 * s.words_of(size)):
        stood[2 * s.words_of(size) + w] = stood[w]
    playouts, expand_at, loss = limits
    cells = halfwords(board)
    entry, depth, deepest, over = t.ROOT, 0, len(path) - 1, False
    path[0] = entry
    visits = np.int64(tree[at(VISITS, entry)])
    while True:
        first = np.int64(tree[at(FIRST, entry)])
        if first == t.LEAF and visits - tree[at(PRIOR_VISITS, entry)] >= expand_at:
            if load64(longs(shared), t.FULL) == 0 and t.begin_growing(tree, entry):
                place = color, ko, last, before, stones, length
                grow(tree, longs(shared), entry, board, place, rules, weights, tables, past, avoided, depth)
            first = np.int64(tree[at(FIRST, entry)])
        if first <= t.LEAF or depth == deepest or length == len(hashes):
            break
        number = np.int64(next_random(random))
        exploration, equivalence = numbers_of[EXPLORATION], numbers_of[EQUIVALENCE]
        if visits >= WELL_VISITED and number >> SALT_BITS < numbers_of[UCB1_SHARE]:
            exploration, equivalence = numbers_of[UCB1_EXPLORATION], 0.0
        entry = t.select(
            tree,
            first,
            np.int64(tree[at(COUNT, entry)]),
            np.log(np.float64(max(visits, 2))) if exploration else 0.0,
            exploration,
            numbers_of[URGENCY],
            equivalence,
            number & ((1 << SALT_BITS) - 1),
        )
        t.fetch_children(tree, entry)
        depth += 1
        path[depth] = entry
        visits = np.int64(tree[at(VISITS, entry)])
        move = np.int64(tree[at(MOVE, entry)])
        cell = s.PASSED if move < 0 else s.cell_of(size, move)
        if cell == s.PASSED:
            if last == s.PASSED:
                over = True
                break
        elif superko != SIMPLE:
            stones ^= hash_change(cells, size, color, cell)
            s.include(stood, (1 + color) * s.words_of(size), size, cell)
        ko = put(board, size, color, cell, suicide)
        color, last, before = 3 - color, cell, last
        if superko != SIMPLE:
            hashes[length] = situation(stones, color, superko)
            length += 1
    for level in range(depth + 1):
        prefetch_to_write(tree, at(VISITS, np.int64(path[level])))
    for level in range(depth + 1):
        add32(tree, at(VISITS, np.int64(path[level])), loss)
    leaf[LENGTH], leaf[COLOR], leaf[KO], leaf[LAST], leaf[TERMINAL] = depth, color, ko, last, over


@kernel
def put(board, size, color, cell, suicide):
    """Play a legal move or pass on the part of a board that playouts use; the cell that ko then forbids."""
    if cell == s.PASSED:
        return np.int64(s.NOWHERE)
    return np.int64(s.place(words(board), halfwords(board), size, color, cell, suicide))


@kernel
def pack(board, size, rows, color, ko, last, start_words):
    """Write a position as a start of the lockstep kernel: (`games.PARTS`, words) of its layout."""
    span, cells = s.span_of(size), halfwords(board)
    stride = size if rows == 1 else size + 1
    start_words[:] = 0
    for row in range(size):
        black = white = 0
        base = s.COLOR * span + s.cell_of(size, row * size)
        for x in range(size):
            content = np.int64(cells[base + x])
            black |= (content & 1) << x
            white |= (content >> 1) << x
        word, shift = row // rows, (row % rows) * stride
        own, other = (black, white) if color == BLACK else (white, black)
        start_words[batch.OWN_STONES, word] |= start_words.dtype.type(own << shift)
        start_words[batch.OPPONENT_STONES, word] |= start_words.dtype.type(other << shift)
    if ko != s.NOWHERE:
        _mark(size, rows, stride, ko, start_words[batch.FORBIDDEN])
    if last > s.PASSED:
        _mark(size, rows, stride, last, start_words[batch.LAST_MOVE])


@kernel(inline=True)
def _mark(size, rows, stride, cell, part):
    """Add a cell's point to a set of zeros."""
    point = s.point_of(size, cell)
    row = point // size
    part[row // rows] = part.dtype.type(1 << (row % rows * stride + point % size))
