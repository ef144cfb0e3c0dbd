"""Priors from learnt weights: the features of each move added up, and compared with those of its siblings."""

from __future__ import annotations

import numpy as np

from foogo.kernels import tree as t
from foogo.kernels import tree_features as f
from foogo.kernels.bits import float_of_bits
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import longs, words
from foogo.kernels.tree_survey import note_words, survey


@kernel
def new_scratch(size):
    """What `judge` works in: notes, the features of one move, the cell, row, column and two numbers of each."""
    found, cells = np.empty(f.FEATURES, np.int64), np.empty((size * size, 3), np.int64)
    return np.empty(note_words(size), np.uint64), found, cells, np.empty((2, size * size), np.float32)


@kernel(inline=True)
def power_of_two(x):
    """2^x of a float32 from -126 to 127, as vectors have it too: within 3e-7 of itself."""
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


@kernel
def judge(tree, first, count, cells, size, color, last, before, numbers_of, table, scratch):
    """Set the priors of `count` moves, new entries from `first` on; how many won visits a pass gets.

    A move whose weights add up to w is chosen with the probability p = 2^w / (the sum over all moves and a pass). Its
    prior are ``even`` visits, half of them won, and ``learnt * p ** sharpness`` more, all won.

    Parameters
    ----------
    cells, color, last, before
        The position: see `foogo.kernels.tree_features.describe`.
    numbers_of
        (even, learnt, sharpness).
    table
        float32: the weight of each feature, as the logarithm to the base 2 of a factor.
    scratch
        Of `new_scratch`, with the cell, row and column of each move.
    """
    even, learnt, sharpness = np.float32(numbers_of[0]), np.float32(numbers_of[1]), np.float32(numbers_of[2])
    notes, found, moves, (values, powers) = words(scratch[0]), longs(scratch[1]), scratch[2], scratch[3]
    last_place, before_place = f.place_of(size, last), f.place_of(size, before)
    survey(cells, size, color, notes)
    passing = table[f.AT[f.PASSING]]
    most = passing
    for i in range(count):
        place = moves[i, 1], moves[i, 2]
        f.describe(cells, size, color, moves[i, 0], place, last, last_place, before_place, notes, found)
        value = np.float32(0.0)
        for feature in range(f.FEATURES):
            value += table[found[feature]]
        values[i] = value
        most = max(most, value)
    for i in range(count):
        powers[i] = power_of_two(values[i] - most)
    whole = power_of_two(passing - most)
    for i in range(count):
        whole += powers[i]
    most += np.float32(np.log2(whole))
    for i in range(count):
        powers[i] = learnt * power_of_two(sharpness * (values[i] - most))
    for i in range(count):
        t.set_prior(tree, first + i, even + powers[i], np.float32(0.5) * even + powers[i])
    return learnt * power_of_two(sharpness * (passing - most))
