"""Descent from the root to a leaf: chooses children, updates the position, and grows the tree at the end."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import add32, add64, load64
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, prefetch_to_write, words
from foogo.core.stream import next_random
from foogo.game.geometry import BLACK
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import SIMPLE
from foogo.game.kernels.superko import hash_change, situation_hash
from foogo.playout.kernels import batch
from foogo.search.kernels import proofs as p
from foogo.search.kernels import tree as t
from foogo.search.kernels.choice import choose_child
from foogo.search.kernels.growth import extend, grow
from foogo.search.kernels.moves import History, MoveContext, SearchRules, play_stones, was_seen
from foogo.search.kernels.priors import NO_VALUE, rounded
from foogo.search.kernels.proofs import UNKNOWN
from foogo.search.kernels.selection import Selection
from foogo.search.kernels.tiles import (
    COUNT,
    COUNT_MASK,
    HALF_WIN,
    HISTORY,
    MOVE,
    PRIOR_VISITS,
    VISITS,
    at,
    visits_and_wins_at,
)


class Root(NamedTuple):
    """The position at the root of the tree."""

    board: NDArray[np.uint64]
    """The state of the board, `foogo.game.kernels.strings`."""
    context: MoveContext
    history: History


class LeafLimits(NamedTuple):
    """The numbers that apply at a leaf."""

    playouts: int
    """Playouts of a leaf."""
    expand_at: int
    """Visits at which a leaf gets children."""
    virtual_loss: int
    """Visits that are counted as lost while a leaf is in flight."""
    value_weight: float
    """The weight of a value where playouts are blended with it, see `foogo.search.kernels.backup.Blend`."""


class SearchSettings(NamedTuple):
    """The settings of selection and playouts."""

    rules: SearchRules
    selection: Selection
    limits: LeafLimits
    refill: bool
    """Whether lanes get new leaves as soon as one is idle, or only when all leaves have been played to the end."""


class Leaf(NamedTuple):
    """Where a descent ended."""

    depth: int
    """Moves from the root."""
    color: int
    """The colour to play."""
    ko: int
    """The cell that ko forbids."""
    last: int
    """The cell of the last move."""
    is_over: bool
    """Whether two passes ended the game."""
    result: int
    """Black's half wins if they are proven, else `foogo.search.kernels.proofs.UNKNOWN`."""
    value: float
    """Black's win share by the network at the entry that got children, `NO_VALUE` if none did."""


class Path(NamedTuple):
    """The entries from the root to a leaf."""

    entries: Any
    """int32: the first ``depth + 1`` numbers are entries."""
    depth: int
    color: int
    """The colour to play at the leaf."""


@kernel
def descend(tree, root, board, settings, growth, limits, path, random):
    """Go from the root to a `Leaf`, counting its virtual loss on the way, and grow the tree there.

    Parameters
    ----------
    tree
        A `foogo.search.kernels.tiles.Tree`.
    root, settings, growth
        A `Root`, `SearchSettings`, and a `foogo.search.kernels.growth.Growth`.
    board
        The state of the root's board; it becomes the leaf's.
    limits
        The `LeafLimits` of this leaf.
    path
        Filled: int32, the entries from the root on.
    random
        The state of the random stream, see `foogo.core.stream`.
    """
    entries, rules, history = tree.entries, settings.rules, root.history
    size, superko, set_words = rules.size, rules.superko, s.words_of(rules.size)
    color, ko, last, before_last, stones_hash, situations = root.context
    cells, stood = halfwords(board), words(history.stood)
    for w in range(2 * set_words):
        stood[2 * set_words + w] = stood[w]
    black_value = np.float32(NO_VALUE)
    entry, depth, deepest, is_over, result = t.ROOT, 0, len(path) - 1, False, UNKNOWN
    path[0] = entry
    visits = np.int64(entries[at(VISITS, entry)])
    while True:
        first, word = t.first_and_count(entries, entry)
        if first == t.LEAF and visits - entries[at(PRIOR_VISITS, entry)] >= limits.expand_at:
            if load64(tree.shared, t.FULL) == 0 and t.begin_growing(entries, entry):
                context = MoveContext(color, ko, last, before_last, stones_hash, situations)
                value = grow(tree, entry, board, rules, context, history, growth, depth)
                count_value(tree, entry, value, growth.prior.value)
                if value >= np.float32(0.0):
                    black_value = value if color == BLACK else np.float32(1.0) - value
                visits = np.int64(entries[at(VISITS, entry)])
                if depth and p.is_bounded(np.int64(entries[at(COUNT, entry)])):
                    p.spread(entries, path, depth, color)
                    result = p.result_of(entries, entry)
            first, word = t.first_and_count(entries, entry)
        if word & p.WANTED and p.claim_extension(entries, entry, word):
            context = MoveContext(color, ko, last, before_last, stones_hash, situations)
            extend(tree, entry, board, rules, context, history, growth, depth)
            if p.prove_from_children(entries, entry, color):
                p.spread(entries, path, depth, color)
            result = p.result_of(entries, entry)
            first, word = t.first_and_count(entries, entry)
        if result != UNKNOWN or first <= t.LEAF or depth == deepest or situations == len(history.situations):
            break
        number = np.int64(next_random(random))
        entry = choose_child(
            settings.selection, settings.selection.written, entries, entry, first, word, visits, number
        )
        if word & p.CUT:
            entry = p.look_for_proof(entries, entry, first, word & COUNT_MASK, number)
        t.prefetch_children(entries, entry)
        depth += 1
        path[depth] = entry
        visits = np.int64(entries[at(VISITS, entry)])
        move = np.int64(entries[at(MOVE, entry)])
        cell = s.PASSED if move < 0 else s.cell_of(size, move)
        if cell == s.PASSED:
            if last == s.PASSED:
                color, is_over = 3 - color, True
                break
        elif superko != SIMPLE:
            change = hash_change(cells, size, color, cell)
            if entries[at(COUNT, entry)] & HISTORY:
                after = situation_hash(stones_hash ^ change, 3 - color, superko)
                if was_seen(history.situations, situations, after):
                    # The position has its children from another history, which allows this move.
                    depth -= 1
                    break
            stones_hash ^= change
            s.include(stood, (1 + color) * set_words, size, cell)
        ko = play_stones(board, size, color, cell, rules.suicide)
        color, last, before_last = 3 - color, cell, last
        if superko != SIMPLE:
            history.situations[situations] = situation_hash(stones_hash, color, superko)
            situations += 1
        result = p.result_of(entries, entry)
        if result != UNKNOWN:
            break
    # All lines are requested before the first is changed, so that waiting for them overlaps.
    for level in range(depth + 1):
        prefetch_to_write(entries, at(VISITS, np.int64(path[level])))
    for level in range(depth + 1):
        add32(entries, at(VISITS, np.int64(path[level])), limits.virtual_loss)
    return Leaf(depth, color, ko, last, is_over, result, black_value)


@kernel(inline=True)
def count_value(tree, entry, value, weight):
    """Count the value of a position as `weight` more visits of its entry's prior.

    `value` is the win share of the player to move, or `NO_VALUE`. Visits of playouts soon outweigh it.
    """
    if value >= np.float32(0.0) and weight > 0.0:
        visits, half_wins = rounded(weight, weight * (1.0 - value))
        added = np.int64(visits) + HALF_WIN * np.int64(half_wins)
        add64(tree.longs, at(PRIOR_VISITS, entry) >> 1, added)
        add64(tree.longs, visits_and_wins_at(entry), added)


@kernel
def pack(board, size, leaf, start_words):
    """Write the position of a leaf as a start of the lockstep kernel: (`batch.PARTS`, rows of the board)."""
    span, cells = s.span_of(size), halfwords(board)
    for row in range(size):
        black = white = 0
        base = s.COLOR * span + s.cell_of(size, row * size)
        for x in range(size):
            content = np.int64(cells[base + x])  # bit 0 is set for Black, bit 1 for White
            black |= (content & 1) << x
            white |= (content >> 1) << x
        own, other = (black, white) if leaf.color == BLACK else (white, black)
        start_words[batch.OWN_STONES, row] = own
        start_words[batch.OPPONENT_STONES, row] = other
        start_words[batch.FORBIDDEN, row] = start_words[batch.LAST_MOVE, row] = 0
    if leaf.ko != s.NOWHERE:
        point = s.point_of(size, leaf.ko)
        start_words[batch.FORBIDDEN, point // size] = 1 << point % size
    if leaf.last > s.PASSED:
        point = s.point_of(size, leaf.last)
        start_words[batch.LAST_MOVE, point // size] = 1 << point % size
