"""Which child to descend to: RAVE or UCB1, computed for the sixteen children of a tile at once.

A child with visits n, wins w and AMAF counts rn, rw has the value

    (1 - beta) * (w / n + exploration * sqrt(ln N / n)) + beta * rw / rn,

where N is the visits of the parent and ``beta = rn / (n + rn + n * rn / equivalence)``, the minimum-MSE schedule. Put
over one denominator, the sum without exploration is

    ((1 + rn / equivalence) * w + rw) / (n + rn + n * rn / equivalence),

which takes one division instead of three. Exploration joins w as ``exploration * sqrt(ln N) * sqrt(n)``. The tree
counts half wins, so everything that is won is halved at the end.

References
----------
D. Silver, "Reinforcement Learning and Simulation-Based Search in Computer Go", 2009 (the schedule).
S. Gelly, D. Silver, "Monte-Carlo tree search and rapid action value estimation in computer Go", 2011.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from foogo.core.jit import kernel
from foogo.core.simd import choose, shift_left
from foogo.core.vectors import (
    even_and_odd,
    everywhere,
    lane_numbers,
    largest,
    load,
    square_root,
    to_float32,
    to_int32,
    to_int64,
)
from foogo.search.kernels.tiles import (
    LINES,
    LOST_MOVE,
    RAVE_VISITS,
    RAVE_WINS,
    TILE,
    VISITS,
    WINS,
    at,
    line_at,
    tiles_of,
)

WELL_VISITED = 1 << 8
"""Visits of a position from which on some choices are made by UCB1."""

SALT_BITS, SHARE_BITS = 9, 23
"""Bits of a random number that break ties, and that choose between the formulas."""

MOST_SPREAD = 500.0
"""The most that exploration adds to the value of a child of one visit."""

LOWEST_KEY = -(1 << 62)

LOST = -5.0
"""The value of a child that is proven lost: below every other child's, above that of padding."""

VALUE_SCALE = float(1 << 20)
"""Values are compared as multiples of its inverse."""


class Formula(NamedTuple):
    """The numbers of one selection formula, all floats."""

    exploration: float
    """c of ``c * sqrt(ln N / n)``, a win share."""
    equivalence: float
    """Visits at which AMAF and the child's own playouts have equal weight; 0 leaves AMAF out."""
    urgency: float
    """The value of a child without visits, prior or AMAF."""


class Selection(NamedTuple):
    """The settings of selection."""

    usual: Formula
    sometimes: Formula
    share: float
    """How often `sometimes` is used at positions with many visits, in units of ``2 ** -SHARE_BITS``."""
    even: float
    """Prior visits of every child, half of them won. `sometimes` takes them as won as often as the position."""
    has_amaf: bool
    """Whether AMAF is counted."""
    written: Any
    """A `foogo.search.kernels.choice.Written` that is used instead, or None."""


@kernel(inline=True)
def formula_for(selection, entries, parent, visits, number):
    """The formula for a choice at a position with these visits, and half wins that are added to every child's.

    `number` is random, of 32 bits.
    """
    if visits >= WELL_VISITED and number >> SALT_BITS < selection.share:
        excess = wins_to_play(entries, parent, visits) / visits - 0.5
        return selection.sometimes, np.float32(2.0 * selection.even * excess)
    return selection.usual, np.float32(0.0)


@kernel(inline=True)
def wins_to_play(entries, parent, visits):
    """The wins, of these visits of `parent`, for the player who chooses there; an entry counts those of the other."""
    return np.float64(visits) - 0.5 * np.float64(entries[at(WINS, parent)])


@kernel
def select(entries, first, count, formula, more_wins, visits, salt):
    """The child, of `count` from entry `first` on, with the highest value; `salt`, 0 to 511, breaks ties.

    `more_wins` are half wins added to every child's, and `visits` those of their parent.
    """
    return _select(entries, first, count, formula, more_wins, visits, salt, None)


@kernel
def select_open(entries, first, count, formula, more_wins, visits, salt):
    """As `select`, but a child that is proven lost for its player is chosen only if all are."""
    return _select(entries, first, count, formula, more_wins, visits, salt, True)


@kernel(inline=True)
def _select(entries, first, count, formula, more_wins, visits, salt, skips_lost):
    log_visits = np.log(np.float64(max(visits, 2))) if formula.exploration else 0.0
    spread = np.float32(min(formula.exploration * np.sqrt(log_visits), MOST_SPREAD))
    start, tiles = at(VISITS, first), tiles_of(count)
    # The two calls are compiled apart: without exploration there is no square root.
    if spread > np.float32(0.0):
        best = _best_key(entries, start, tiles, formula, more_wins, spread, salt, skips_lost)
    else:
        best = _best_key(entries, start, tiles, formula, more_wins, None, salt, skips_lost)
    return first + ((best & ((1 << SALT_BITS) - 1)) ^ salt)


@kernel(inline=True)
def _best_key(entries, start, tiles, formula, more_wins, spread, salt, skips_lost):
    """The largest key of the children in some tiles; `spread` is ``exploration * sqrt(ln N)``, or None for 0.

    `skips_lost` is True for `select_open`, else None.
    A key is a child's value above its index. The maximum of the keys therefore finds the best child, without a second
    pass for its index. The index is XORed with `salt`, so that ties are not always broken in the same way.
    """
    zero, half, one = everywhere(np.float32(0.0)), everywhere(np.float32(0.5)), everywhere(np.float32(1.0))
    scale, unvisited = everywhere(np.float32(VALUE_SCALE)), everywhere(np.float32(formula.urgency))
    has_amaf = everywhere(np.float32(formula.equivalence != 0.0))
    bias = everywhere(np.float32(0.0 if formula.equivalence == 0.0 else 1.0 / formula.equivalence))
    salts, lanes, best = everywhere(salt), lane_numbers(), everywhere(np.int64(LOWEST_KEY))
    added = everywhere(np.float32(more_wins))
    for tile in range(tiles):
        # The two lines are interleaved.
        lower, upper = load(entries, line_at(start, tile, VISITS)), load(entries, line_at(start, tile, WINS))
        counts, half_wins = even_and_odd(lower, upper)
        visits, wins = to_float32(counts), to_float32(half_wins) + added
        others = has_amaf * to_float32(load(entries, line_at(start, tile, RAVE_VISITS)))
        gains = has_amaf * to_float32(load(entries, line_at(start, tile, RAVE_WINS)))
        trust = one + others * bias
        if spread is not None:
            # wins are half wins, so what is added to them is doubled
            wins = wins + everywhere(spread + spread) * square_root(visits)
        total = visits * trust + others
        value = half * (wins * trust + gains) / total
        value = choose(total > zero, value, unvisited)
        if skips_lost is not None:
            value = choose(are_lost(entries, start, tile), everywhere(np.float32(LOST)), value)
        index = (everywhere(np.int64(tile * TILE)) + lanes) ^ salts
        key = shift_left(to_int64(to_int32(value * scale)), SALT_BITS) | index
        best = choose(key > best, key, best)
    return largest(best)


@kernel(inline=True)
def are_lost(entries, start, tile):
    """Which children in a tile are proven lost for their player."""
    # four numbers per entry, COUNT second
    line = line_at(start, tile, LINES)
    _, counts_0 = even_and_odd(load(entries, line), load(entries, line + TILE))
    _, counts_8 = even_and_odd(load(entries, line + 2 * TILE), load(entries, line + 3 * TILE))
    counts, _ = even_and_odd(counts_0, counts_8)
    return (counts & everywhere(np.int32(LOST_MOVE))) > everywhere(np.int32(0))
