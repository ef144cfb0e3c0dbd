"""Backup: adds the playouts of a leaf to every entry up to the root."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from foogo.core.atomics import add64
from foogo.core.jit import kernel
from foogo.core.pointers import numbers, prefetch_to_write
from foogo.core.simd import shift_right
from foogo.core.vectors import everywhere, gather, load, store, to_int64
from foogo.game.geometry import BLACK, WHITE
from foogo.game.kernels import strings as s
from foogo.search.kernels import tree as t
from foogo.search.kernels.certainty import half_wins
from foogo.search.kernels.tiles import (
    COUNT_MASK,
    HALF_WIN,
    MOVE,
    RAVE_VISITS,
    RAVE_WINS,
    TILE,
    VISITS,
    at,
    lead_at,
    line_at,
    tiles_of,
    visits_and_wins_at,
)

AMAF_BITS = 16
AMAF_HALF_WIN = 1 << AMAF_BITS
"""A half win in the AMAF counts of a leaf, of 4,096 playouts at most; a playout is 1."""

BEFORE_POINTS = 1
"""Counts before those of the points. The first is that of a pass, which is move -1."""


class PlayoutResults(NamedTuple):
    """The playouts of one leaf, see `foogo.playout.kernels.batch.run`."""

    first: int
    """The leaf's first game in these arrays."""
    scores: Any
    owners: Any
    first_players: Any
    blend: Blend


class Blend(NamedTuple):
    """The value that a leaf's playouts are blended with, all floats."""

    weight: float
    """Of the value, 0 to 1; 0 for playouts alone."""
    value: float
    """Black's win share."""
    chance: float
    """Random, from 0 to less than 1: half wins are whole numbers, so they are rounded up or down at random."""


class Outcome(NamedTuple):
    """The playouts of one leaf, added up."""

    playouts: int
    black_half_wins: int
    lead: int
    """The sum of Black's leads."""


@kernel
def settle_playouts(tree, komi, limits, path, results, counts, owned, has_amaf):
    """Back up the playouts of one leaf, and add to `owned`, see `foogo.search.kernels.loop.Run`.

    `counts` is scratch, see `back_up`; `has_amaf` says whether AMAF is counted.
    """
    _prefetch(tree, path, has_amaf)
    clear(counts)
    black_half_wins = lead = 0
    for game in range(results.first, results.first + limits.playouts):
        won = half_wins(results.scores[game], komi)
        lead += results.scores[game]
        black_half_wins += won
        if has_amaf:
            add_bits(results.first_players[game, 0], 1 + won * AMAF_HALF_WIN, counts[0, BEFORE_POINTS:])
            add_bits(results.first_players[game, 1], 1 + (2 - won) * AMAF_HALF_WIN, counts[1, BEFORE_POINTS:])
        add_bits(results.owners[game, 0], 1, owned[0])
        add_bits(results.owners[game, 1], 1, owned[1])
    if results.blend.weight > 0.0:
        black_half_wins = _blended(black_half_wins, limits.playouts, results.blend)
    outcome = Outcome(limits.playouts, black_half_wins, lead)
    back_up(tree, path, outcome, limits.playouts - limits.virtual_loss, counts, has_amaf)


@kernel
def settle_end(tree, black_half_wins, limits, path, lead, counts, has_amaf):
    """Back up a leaf whose result is known, as if each playout had ended with these half wins and this lead."""
    playouts = limits.playouts
    clear(counts)
    outcome = Outcome(playouts, playouts * black_half_wins, playouts * lead)
    back_up(tree, path, outcome, playouts - limits.virtual_loss, counts, has_amaf)


@kernel
def count_owners(owner, size, games, owned):
    """Count `games` games that ended with these owners (by cell, see `foogo.game.kernels.positions.area_score`)."""
    for point in range(size * size):
        color = owner[s.cell_of(size, point)]
        if color == BLACK or color == WHITE:
            owned[color - 1, point] += games


@kernel(inline=True)
def clear(numbers):
    """Set a matrix to zero. Assignment to a slice would compile Numba's checks of shapes as well."""
    for row in range(numbers.shape[0]):
        for column in range(numbers.shape[1]):
            numbers[row, column] = 0


@kernel(inline=True)
def blend_of(weight, value, chance):
    """The `Blend` with a value, Black's win share or `NO_VALUE`; `chance` is `Blend.chance`."""
    if weight == 0.0 or value < np.float32(0.0):
        return Blend(0.0, 0.0, 0.0)
    return Blend(weight, np.float64(value), chance)


@kernel(inline=True)
def _blended(half_wins, playouts, blend):
    exact = (1.0 - blend.weight) * half_wins + blend.weight * (2.0 * playouts * blend.value)
    return min(np.int64(np.floor(exact + blend.chance)), 2 * playouts)


@kernel
def back_up(tree, path, outcome, uncounted, counts, has_amaf):
    """Add the playouts of one leaf to its path, and their AMAF counts to the children along it.

    Parameters
    ----------
    uncounted
        Visits that the descent did not count as virtual loss.
    counts
        (2, `BEFORE_POINTS` + points) int32: playouts in which Black, or White, was the first to play the point, plus
        `AMAF_HALF_WIN` for each of that colour's half wins in them; zeros before the points. The moves of the path are
        added on the way up.
    """
    entries, total, color = tree.entries, outcome.playouts, path.color
    white_half_wins = 2 * total - outcome.black_half_wins
    for depth in range(path.depth, -1, -1):
        entry = np.int64(path.entries[depth])
        # The player of the move is the opponent of `color`.
        half_wins = white_half_wins if color == BLACK else outcome.black_half_wins
        add64(tree.longs, visits_and_wins_at(entry), uncounted + HALF_WIN * half_wins)
        add64(tree.longs, lead_at(entry), outcome.lead)
        if has_amaf:
            first, word = t.first_and_count(entries, entry)
            if first > t.LEAF:
                add_amaf(entries, at(VISITS, first), tiles_of(word & COUNT_MASK), numbers(counts[color - 1]))
        color = 3 - color
        move = np.int64(entries[at(MOVE, entry)])
        if move >= 0:
            half_wins = outcome.black_half_wins if color == BLACK else white_half_wins
            counts[color - 1, BEFORE_POINTS + move] = total + AMAF_HALF_WIN * half_wins
            counts[2 - color, BEFORE_POINTS + move] = 0


@kernel(inline=True)
def add_amaf(entries, start, tiles, counts):
    """Add to the AMAF fields of each child the count of its point; `start` is the index of the first tile.

    A count holds playouts and half wins, so one gather fetches both for sixteen children.
    """
    playouts = everywhere(np.int32(AMAF_HALF_WIN - 1))
    for tile in range(tiles):
        moves = to_int64(load(entries, line_at(start, tile, MOVE)))
        found = gather(counts, BEFORE_POINTS, moves)
        visits_at, wins_at = line_at(start, tile, RAVE_VISITS), line_at(start, tile, RAVE_WINS)
        store(entries, visits_at, load(entries, visits_at) + (found & playouts))
        store(entries, wins_at, load(entries, wins_at) + shift_right(found, AMAF_BITS))


@kernel(inline=True)
def _prefetch(tree, path, has_amaf):
    """Prefetch all lines that `back_up` writes, so that lines in other cores' caches arrive together."""
    entries = tree.entries
    for depth in range(path.depth + 1):
        entry = np.int64(path.entries[depth])
        prefetch_to_write(entries, at(VISITS, entry))
        prefetch_to_write(tree.longs, lead_at(entry))
        if has_amaf:
            first, word = t.first_and_count(entries, entry)
            if first > t.LEAF:
                for tile in range(tiles_of(word & COUNT_MASK)):
                    prefetch_to_write(entries, at(RAVE_VISITS, first + tile * TILE))
                    prefetch_to_write(entries, at(RAVE_WINS, first + tile * TILE))


@kernel
def add_bits(bits, amount, sums):
    """Add an amount to `sums` (int32) at every point of a set (uint64 words)."""
    added = np.int32(amount)
    for w in range(len(bits)):
        word = bits[w]
        # A mask of all ones or zeros per bit, so that the loop becomes vectors; a product, or half words, prevent it.
        for i in range(64):
            sums[64 * w + i] += np.int32(-np.int32((word >> np.uint64(i)) & np.uint64(1))) & added
