"""Priors from learnt weights: the features of each move added up, and compared with those of its siblings."""

from __future__ import annotations

import numpy as np

from foogo.core.bits import float_of_bits
from foogo.core.jit import kernel
from foogo.core.pointers import numbers, reals, words
from foogo.search.kernels import features as f
from foogo.search.kernels import tree as t
from foogo.search.kernels.survey import note_words, survey


@kernel
def new_scratch(size):
    """What `judge` works in: notes, features, and two numbers of each move."""
    found = np.empty(f.FEATURES * f.KIND, np.int32)
    values, powers = np.empty(size * size, np.float32), np.empty(size * size, np.float32)
    return np.empty(note_words(size), np.uint64), found, values, powers


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
def judge(moves, count, visits, wins, cells, size, color, last, before, numbers_of, table, scratch):
    """Write the priors of `count` moves, as `rounded` visits and half wins; how many won visits a pass gets.

    A move whose weights add up to w is chosen with the probability p = 2^w / (the sum over all moves and a pass). Its
    prior are ``even`` visits, half of them won, and ``learnt * p ** sharpness`` more, all won.

    Parameters
    ----------
    moves
        The cells of the moves; like `visits` and `wins`, a pointer to int32.
    cells, color, last, before
        The position: see `foogo.search.kernels.features.describe`.
    numbers_of
        (even, learnt, sharpness).
    table
        float32: the weight of each feature, as the logarithm to the base 2 of a factor.
    scratch
        Of `new_scratch`.
    """
    even, learnt, sharpness = np.float32(numbers_of[0]), np.float32(numbers_of[1]), np.float32(numbers_of[2])
    notes, found, values, powers = words(scratch[0]), numbers(scratch[1]), reals(scratch[2]), reals(scratch[3])
    weights = reals(table)
    survey(cells, size, color, last, notes)
    f.describe(cells, size, moves, count, last, before, notes, found)
    passing = weights[f.AT[f.PASSING]]
    most = passing
    for i in range(count):
        value, place = np.float32(0.0), f.place_of(size, moves[i])
        for feature in range(f.FEATURES):
            value += weights[found[feature * f.KIND + place]]
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
        visits[i], wins[i] = t.rounded(even + powers[i], np.float32(0.5) * even + powers[i])
    return learnt * power_of_two(sharpness * (passing - most))
