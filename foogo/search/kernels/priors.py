"""Priors: the value of a move before it is tried, from its features' learned weights, relative to its siblings."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import float_of_bits
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers, reals, words
from foogo.game.geometry import BLACK
from foogo.search.kernels import features as f
from foogo.search.kernels.ladder_notes import LEAST_WITH_LADDERS, LadderNotes, add_ladders, new_ladder_notes
from foogo.search.kernels.network import Seen, consult
from foogo.search.kernels.position_notes import note_words, take_notes


class Prior(NamedTuple):
    """The sizes of priors, in visits unless noted; all floats."""

    even: float
    """Of every move, half of them won."""
    passing: float
    """Of a pass."""
    learned: float
    """Of a move that is certain to be chosen, all won."""
    value: float
    """Of a position that gets children, won as the network says."""
    remote: float
    """Of a remote move in an opening, all lost, beyond its other visits."""
    sharpness: float
    """The power of a move's probability that `learned` is multiplied by; no visits."""


class PriorScratch(NamedTuple):
    """The scratch memory of `judge`: for notes, features, each move's sum of weights and power of two, and ladders."""

    notes: NDArray[np.uint64]
    features: NDArray[np.int32]
    values: NDArray[np.float32]
    powers: NDArray[np.float32]
    ladders: LadderNotes


def new_scratch(size: int) -> PriorScratch:
    """Scratch memory for a board of that size."""
    notes, found = np.empty(note_words(size), np.uint64), np.empty(f.FEATURES * f.STRIDE, np.int32)
    values, powers = np.empty((2, size * size), np.float32)
    return PriorScratch(notes, found, values, powers, new_ladder_notes(size))


class Judgement(NamedTuple):
    """What is known of a position before any of its moves is tried."""

    passing: float
    """How many won visits a pass has beyond `Prior.passing`."""
    value: float
    """The win share of the player to move by the network; `NO_VALUE` without one, or where it does not count."""


NO_VALUE = -1.0

ALWAYS_VALUED, LEAST_VALUED = 10, 0.5
"""The largest board on which the network's value always counts; and on larger ones, whose networks learned from fewer
games, the least share of points where the player may move at which it counts. Later, playouts are truer."""

LEAST_WITH_OPENINGS, OPENING_SHARE = 15, 0.75
"""The smallest board on which an opening is told from the rest of the game, and the least share of points where the
player may move in it."""

IS_REMOTE = np.array(
    [is_lonely and least not in (2, 3) for most in range(f.LINES) for least in range(most + 1) for is_lonely in (0, 1)]
)
"""By feature `PLACE`: whether no stone is within three steps, and the point is not on the third or fourth line."""

LEAST_LOGARITHM = np.float32(-1000.0)
"""Of the probability of a remote move."""


@kernel
def judge(board, rules, context, count, children, growth):
    """Write the priors of `count` moves; returns the `Judgement` of the position.

    A move whose weights add up to w is chosen with the probability p = 2^w / (the sum over all moves and a pass). Its
    prior has ``even`` visits, half of them won, and ``learned * p ** sharpness`` more, all won. In an opening, the p of
    a remote move is 0, and it has ``remote`` lost visits more: playouts overvalue the centre.

    The cells of `children`, which are pointers, are read; their visits and half wins are written. `feature_weights` are
    logarithms to the base 2. Ladders and a network add to them.
    """
    cells = halfwords(board)
    size, prior, scratch, network = rules.size, growth.prior, growth.scratch, growth.network
    value = np.float32(NO_VALUE)
    if np.float32(prior.learned) == np.float32(0.0):
        return Judgement(_even_priors(count, children, np.float32(prior.even)), value)
    notes, found = words(scratch.notes), numbers(scratch.features)
    values, weights = reals(scratch.values), reals(growth.feature_weights)
    take_notes(cells, size, context.color, context.last, notes)
    f.describe(cells, size, children.cells, count, context, notes, found)
    for i in range(count):
        sum_of_weights, point = np.float32(0.0), f.index_of(size, children.cells[i])
        for feature in range(f.FEATURES):
            sum_of_weights += weights[found[feature * f.STRIDE + point]]
        values[i] = sum_of_weights
    is_opening = size >= LEAST_WITH_OPENINGS and count >= OPENING_SHARE * size * size
    passing = weights[f.START[f.PASSING]]
    if size >= LEAST_WITH_LADDERS:
        add_ladders(board, size, context.color, children.cells, count, scratch.ladders, values)
    if len(network.weights):
        opinion = consult(network, size, Seen(cells, notes, found, context.ko), children.cells, count, values)
        given = np.float32(rules.komi if context.color == BLACK else -rules.komi)
        odds = min(max(opinion.fixed + given * opinion.of_komi, np.float32(-30.0)), np.float32(30.0))
        if size <= ALWAYS_VALUED or count >= LEAST_VALUED * size * size:
            value = np.float32(1.0) / (np.float32(1.0) + power_of_two(-odds))
        passing += opinion.passing
    if is_opening:
        for i in range(count):
            if IS_REMOTE[found[f.PLACE * f.STRIDE + f.index_of(size, children.cells[i])]]:
                values[i] = LEAST_LOGARITHM
    most = passing
    for i in range(count):
        most = max(most, values[i])
    certain = spread(values, passing, most, count, children, prior, scratch)
    if is_opening:
        for i in range(count):
            if values[i] == LEAST_LOGARITHM:
                children.visits[i] += np.int32(np.rint(prior.remote))
    return Judgement(certain, value)


@kernel(inline=True)
def spread(values, passing, most, count, children, prior, scratch):
    """Write the priors of `count` moves whose weights are `values`, as `judge` does.

    Returns how many won visits a pass has beyond `Prior.passing`. `values` points to float32 numbers, `passing` is the
    pass's weight and `most` the largest of all.
    """
    even, learned, sharpness = np.float32(prior.even), np.float32(prior.learned), np.float32(prior.sharpness)
    powers = reals(scratch.powers)
    # The largest weight is subtracted first, so that no power overflows.
    for i in range(count):
        powers[i] = power_of_two(values[i] - most)
    total = power_of_two(passing - most)
    for i in range(count):
        total += powers[i]
    most += np.float32(np.log2(total))
    for i in range(count):
        powers[i] = learned * power_of_two(sharpness * (values[i] - most))
    for i in range(count):
        visits, wins = even + powers[i], np.float32(0.5) * even + powers[i]
        children.visits[i], children.wins[i] = rounded(visits, wins)
    return learned * power_of_two(sharpness * (passing - most))


@kernel(inline=True)
def _even_priors(count, children, even):
    for i in range(count):
        children.visits[i], children.wins[i] = rounded(even, np.float32(0.5) * even)
    return np.float32(0.0)


@kernel(inline=True)
def rounded(visits, wins):
    """A prior in the form of an entry: visits and half wins."""
    weight = np.int32(np.rint(visits))
    return weight, np.int32(min(np.rint(2.0 * wins), 2.0 * weight))


@kernel(inline=True)
def power_of_two(x):
    """2^x of a float32 from -126 to 127, with a relative error below 3e-7.

    It is pure arithmetic, so a loop over it is vectorized, and its bits are the same on every machine. A polynomial
    gives the power of the fraction, -1/2 to 1/2; the whole part goes straight into the bits of the exponent.
    """
    x = max(x, np.float32(-126.0))
    whole = np.rint(x)
    part = x - whole
    value = np.float32(0.00015403530)
    value = value * part + np.float32(0.0013333558)
    value = value * part + np.float32(0.0096181291)
    value = value * part + np.float32(0.055504109)
    value = value * part + np.float32(0.24022651)
    value = value * part + np.float32(0.69314718)
    value = value * part + np.float32(1.0)
    return value * float_of_bits(np.int32((np.int32(whole) + np.int32(127)) << np.int32(23)))
