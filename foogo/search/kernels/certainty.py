"""What is certain in a position: bounds of the result, and the moves that can be left out."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import BLACK, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.life import (
    AREA,
    CLEAN,
    EXCLUDED,
    LifeScratch,
    find_certain,
    new_life_scratch,
    read_stones,
    set_at,
)
from foogo.game.kernels.positions import SIMPLE

ALWAYS = 6
"""Up to this size, all positions are examined; on larger boards those whose points are at least half stones."""


class Certainty(NamedTuple):
    """Whether certainty is used, and memory for it."""

    is_on: bool
    life: LifeScratch
    cut: NDArray[np.uint64]
    """The set of empty points where the player to move need not play: the opponent's certain area, and the player's own
    where no stones are to be captured."""


def new_certainty(size: int, is_on: bool) -> Certainty:
    """A `Certainty` with memory of its own."""
    return Certainty(is_on, new_life_scratch(size), np.zeros(s.words_of.py_func(size), np.uint64))


@kernel
def decide(board, rules, context, history, certainty):
    """Black's least and most half wins, and `certainty.cut`.

    A region does not count as an owner's area if the owner ever had a stone where none is now: superko might forbid a
    capture there. It does not count either if ko forbids a point in it, or if the opponent could end the game now, by a
    second pass, with stones in it.
    """
    size, set_words, cut, sets = rules.size, s.words_of(rules.size), certainty.cut, words(certainty.life.sets)
    state, empties, points = words(board), 0, size * size
    for w in range(set_words):
        cut[w] = np.uint64(0)
        empties += population(state[s.candidates_at(size, BLACK) + w] | state[s.candidates_at(size, WHITE) + w])
    if 2 * empties > points and size > ALWAYS:
        return 0, 2
    stood = words(history.stood)
    low, high = 0, 2
    read_stones(halfwords(board), size, certainty.life)
    for color in range(BLACK, WHITE + 1):
        excluded = set_at(size, color, EXCLUDED)
        for w in range(set_words):
            sets[excluded + w] = stood[(1 + color) * set_words + w] if rules.superko != SIMPLE else np.uint64(0)
        if context.ko != s.NOWHERE:
            s.include(sets, excluded, size, context.ko)
        if not find_certain(halfwords(board), size, color, certainty.life):
            continue
        owned, is_own = 0, color == context.color
        counted = set_at(size, color, CLEAN if context.last == s.PASSED and not is_own else AREA)
        needless = set_at(size, color, CLEAN if is_own else AREA)
        for w in range(set_words):
            owned += population(sets[counted + w])
            free = state[s.candidates_at(size, BLACK) + w] | state[s.candidates_at(size, WHITE) + w]
            cut[w] |= sets[needless + w] & free
        if color == BLACK:
            low = half_wins(2 * owned - points, rules.komi)
        else:
            high = half_wins(points - 2 * owned, rules.komi)
    return low, high


@kernel(inline=True)
def half_wins(lead, komi):
    """Black's half wins in a game."""
    margin = np.int64(lead) - komi
    return 2 if margin > 0 else 1 if margin == 0 else 0
