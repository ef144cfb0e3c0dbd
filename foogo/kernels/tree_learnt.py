"""Priors from learnt weights: the features of each move added up, and compared with those of its siblings."""

from __future__ import annotations

import numpy as np

from foogo.kernels import strings as s
from foogo.kernels import tree as t
from foogo.kernels import tree_features as f
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import longs, words


@kernel
def judge(tree, capacity, first, count, cells, size, color, last, before, numbers_of, table):
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
    """
    even, learnt, sharpness = numbers_of
    memory, found_memory = np.empty(f.note_words(size), np.uint64), np.empty(f.FEATURES, np.int64)
    values = np.empty(count, np.float64)
    notes, found = words(memory), longs(found_memory)
    last_place, before_place = f.place_of(size, last), f.place_of(size, before)
    f.survey(cells, size, notes)
    passing = np.float64(table[f.AT[f.PASSING]])
    most = passing
    for i in range(count):
        cell = s.cell_of(size, np.int64(tree[t.MOVE * capacity + first + i]))
        f.describe(cells, size, color, cell, last, last_place, before_place, notes, found)
        value = 0.0
        for feature in range(f.FEATURES):
            value += table[found[feature]]
        values[i] = value
        most = max(most, value)
    whole = np.exp2(passing - most)
    for i in range(count):
        whole += np.exp2(values[i] - most)
    most += np.log2(whole)
    for i in range(count):
        won = learnt * np.exp2(sharpness * (values[i] - most))
        t.set_prior(tree, capacity, first + i, even + won, 0.5 * even + won)
    return learnt * np.exp2(sharpness * (passing - most))
