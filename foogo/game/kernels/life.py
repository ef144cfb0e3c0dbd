"""Unconditional life: the points that a colour certainly owns at the end, whatever the other one plays.

Benson's algorithm (1976), with one condition more. A *region* is a connected set of points without a stone of the
colour. A region is an *eye* of a string if the string touches each of its points; Benson asks that only of its empty
points. A string is *settled* if it has two eyes, and all strings next to these are settled too. A region belongs to
the colour if all strings next to it are settled, and they leave at most one of its points untouched.

The stricter eyes make the area certain when every stone on the board counts as alive. The colour can capture whatever
stands in its regions by filling touched points. An eye that it fills keeps an empty point until the last one captures,
and what is captured there is an eye again. The other colour cannot make two eyes of a single untouched point. Each
stone of the colour joins settled strings, so it stays, and no position comes back.

References
----------
D. B. Benson, "Life in the Game of Go", Information Sciences 10, 1976.
M. Mueller, "Playing it safe: Recognizing secure territories in computer Go by using static rules and search", 1997.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.core.vectors import matching
from foogo.game.geometry import BLACK, WHITE
from foogo.game.kernels import strings as s

EXCLUDED, SETTLED, AREA, CLEAN, OWN, OTHER, POINTS, TOUCHED, REST, EYES, REGION, ONCE, TWICE = range(13)
"""The sets of `LifeScratch.sets`, in the layout of the scalar board. Input: EXCLUDED. Results: SETTLED, AREA, CLEAN,
see `find_certain`. The others are intermediate. Strings are sets of their heads."""
SETS = 13


class LifeScratch(NamedTuple):
    """The memory of `find_certain`."""

    sets: NDArray[np.uint64]
    """Two groups of `SETS` sets, for Black and for White."""
    eyes: NDArray[np.uint64]
    """Two sets of strings per region that may be an eye: those that touch each of its points, and those next to it."""


def new_life_scratch(size: int) -> LifeScratch:
    """Memory for a board of that size."""
    set_words, most = s.words_of.py_func(size), (size * size + 1) // 2
    return LifeScratch(
        sets=np.zeros(2 * SETS * set_words, np.uint64),
        eyes=np.zeros(2 * most * set_words, np.uint64),
    )


@kernel(inline=True)
def set_at(size, color, which):
    """The index in `LifeScratch.sets` of a set of that colour."""
    return ((color - 1) * SETS + which) * s.words_of(size)


@kernel
def mark_certain(state, size, color, scratch, points):
    """Set a 1 in `points` (uint8 per point, zero before) where `color` certainly owns the board."""
    sets, area = words(scratch.sets), set_at(size, color, AREA)
    clear_excluded(size, scratch)
    read_stones(halfwords(state), size, scratch)
    find_certain(halfwords(state), size, color, scratch)
    for w in range(s.words_of(size)):
        word = sets[area + w]
        while word:
            points[s.point_of(size, s.cell_of_bit(size, w, lowest(word)))] = 1
            word &= word - np.uint64(1)


@kernel(inline=True)
def read_stones(cells, size, scratch):
    """Fill OWN, OTHER, POINTS and TOUCHED of both colours."""
    sets, first = words(scratch.sets), s.COLOR * s.span_of(size) + s.first_cell(size)
    for w in range(s.words_of(size)):
        left = size * (size + 1) - 1 - 64 * w
        here = ~np.uint64(0) if left >= 64 else (np.uint64(1) << np.uint64(left)) - np.uint64(1)
        border = matching(cells, first + 64 * w, s.BORDER)
        black, white = matching(cells, first + 64 * w, BLACK) & here, matching(cells, first + 64 * w, WHITE) & here
        sets[set_at(size, BLACK, OWN) + w] = sets[set_at(size, WHITE, OTHER) + w] = black
        sets[set_at(size, WHITE, OWN) + w] = sets[set_at(size, BLACK, OTHER) + w] = white
        sets[set_at(size, BLACK, POINTS) + w] = sets[set_at(size, WHITE, POINTS) + w] = here & ~border
    for color in range(BLACK, WHITE + 1):
        own, points = set_at(size, color, OWN), set_at(size, color, POINTS)
        for w in range(s.words_of(size)):
            around = s.beside(sets, own, size, w) & sets[points + w] & ~sets[own + w]
            sets[set_at(size, color, TOUCHED) + w] = around


@kernel
def find_certain(cells, size, color, scratch):
    """Find the points that `color` certainly owns at the end, its set `AREA`; returns whether there are any.

    `read_stones` was called before.
    `SETTLED` is its settled strings. `CLEAN` is `AREA` without the regions that have stones of the other colour.
    Regions with a point of the colour's set `EXCLUDED` are left out.
    """
    sets, set_words = words(scratch.sets), s.words_of(size)
    own, settled, area = set_at(size, color, OWN), set_at(size, color, SETTLED), set_at(size, color, AREA)
    rest, region, other = set_at(size, color, REST), set_at(size, color, REGION), set_at(size, color, OTHER)
    touched, excluded = set_at(size, color, TOUCHED), set_at(size, color, EXCLUDED)
    clean = set_at(size, color, CLEAN)
    for w in range(set_words):
        sets[settled + w] = sets[area + w] = sets[clean + w] = np.uint64(0)
    eyes = _find_eyes(cells, size, color, sets, words(scratch.eyes))
    if eyes < 2 or not _find_settled(cells, size, color, scratch, eyes):
        return False
    for w in range(set_words):
        sets[area + w] = sets[clean + w] = sets[settled + w]
        sets[rest + w] = sets[set_at(size, color, POINTS) + w] & ~sets[own + w]
    while _take_region(sets, size, rest, region):
        apart, against, stones = 0, np.uint64(0), np.uint64(0)
        for w in range(set_words):
            here = sets[region + w]
            apart += population(here & ~sets[touched + w])
            against |= s.beside(sets, region, size, w) & sets[own + w] & ~sets[settled + w] | here & sets[excluded + w]
            stones |= here & sets[other + w]
        if apart <= 1 and against == 0:
            for w in range(set_words):
                sets[area + w] |= sets[region + w]
                if stones == 0:
                    sets[clean + w] |= sets[region + w]
    return True


@kernel(inline=True)
def _flood(sets, size, grown, inside):
    """Add to the set `grown` all of the set `inside` that is connected to it."""
    grows = True
    while grows:
        grows = False
        for w in range(s.words_of(size)):
            old = sets[grown + w]
            new = old | (s.beside(sets, grown, size, w) & sets[inside + w])
            sets[grown + w] = new
            grows |= new != old


@kernel
def _take_region(sets, size, rest, region):
    """Move a connected part of the set `rest` to the set `region`; returns whether there was any."""
    found = False
    for w in range(s.words_of(size)):
        left = np.uint64(0) if found else sets[rest + w]
        sets[region + w] = left & (~left + np.uint64(1))
        found |= left != 0
    if found:
        _flood(sets, size, region, rest)
        for w in range(s.words_of(size)):
            sets[rest + w] &= ~sets[region + w]
    return found


@kernel(inline=True)
def _find_eyes(cells, size, color, sets, eyes):
    """Write the strings at each region that a string may touch at all points; returns the number of such regions.

    Regions with an untouched point are flooded all at once, from these points. Most positions have no others.
    """
    rest, found, touched = set_at(size, color, REST), set_at(size, color, EYES), set_at(size, color, TOUCHED)
    own, points, count, total = set_at(size, color, OWN), set_at(size, color, POINTS), 0, 0
    for w in range(s.words_of(size)):
        sets[rest + w] = sets[points + w] & ~sets[own + w]
        sets[found + w] = sets[rest + w] & ~sets[touched + w]
    _flood(sets, size, found, rest)
    for w in range(s.words_of(size)):
        sets[found + w] = sets[rest + w] & ~sets[found + w]
        total += population(sets[found + w])
    if total < 2:
        return 0
    region = set_at(size, color, REGION)
    while _take_region(sets, size, found, region):
        count += _find_strings(cells, size, color, sets, eyes, 2 * count * s.words_of(size))
    return count


@kernel(inline=True)
def _find_strings(cells, size, color, sets, eyes, at):
    """Write the strings that touch each point of REGION, and those next to it; returns whether any touches each."""
    span, set_words, region = s.span_of(size), s.words_of(size), set_at(size, color, REGION)
    each, some, around = at, at + set_words, set_at(size, color, ONCE)
    for w in range(set_words):
        eyes[each + w], eyes[some + w] = ~np.uint64(0), np.uint64(0)
    for w in range(set_words):
        left = sets[region + w]
        while left:
            cell = s.cell_of_bit(size, w, lowest(left))
            left &= left - np.uint64(1)
            for v in range(set_words):
                sets[around + v] = np.uint64(0)
            for i in range(4):
                near = s.neighbor(cell, size + 1, i)
                if cells[s.COLOR * span + near] == color:
                    s.include(sets, around, size, np.int64(cells[s.HEAD * span + near]))
            for v in range(set_words):
                eyes[each + v] &= sets[around + v]
                eyes[some + v] |= sets[around + v]
    any_of = np.uint64(0)
    for w in range(set_words):
        any_of |= eyes[each + w]
    return any_of != 0


@kernel(inline=True)
def _find_settled(cells, size, color, scratch, eye_count):
    """Fill SETTLED by Benson's algorithm; returns whether any string is settled.

    It begins with all strings. A region is an eye as long as all strings next to it are left; a string is left as long
    as it has two eyes.
    """
    sets, eyes, set_words = words(scratch.sets), words(scratch.eyes), s.words_of(size)
    settled, once, twice = set_at(size, color, SETTLED), set_at(size, color, ONCE), set_at(size, color, TWICE)
    for w in range(set_words):
        sets[settled + w] = ~np.uint64(0)
    changed = True
    while changed:
        for w in range(set_words):
            sets[once + w] = sets[twice + w] = np.uint64(0)
        for eye in range(0, 2 * eye_count * set_words, 2 * set_words):
            gone = np.uint64(0)
            for w in range(set_words):
                gone |= eyes[eye + set_words + w] & ~sets[settled + w]
            if gone == 0:
                for w in range(set_words):
                    sets[twice + w] |= sets[once + w] & eyes[eye + w]
                    sets[once + w] |= eyes[eye + w]
        changed, left = False, np.uint64(0)
        for w in range(set_words):
            changed |= sets[settled + w] != sets[twice + w]
            left |= sets[twice + w]
            sets[settled + w] = sets[twice + w]
        if left == 0:
            return False
    for w in range(set_words):
        heads = sets[twice + w]
        while heads:
            _include_string(cells, size, s.cell_of_bit(size, w, lowest(heads)), sets, settled)
            heads &= heads - np.uint64(1)
    return True


@kernel(inline=True)
def _include_string(cells, size, head, sets, into):
    """Add the stones of a string to a set."""
    span, stone = s.span_of(size), np.int64(head)
    for _ in range(cells[s.STONES * span + head]):
        s.include(sets, into, size, stone)
        stone = np.int64(cells[s.NEXT * span + stone])


@kernel(inline=True)
def clear_excluded(size, scratch):
    """Exclude no points."""
    sets = words(scratch.sets)
    for w in range(s.words_of(size)):
        sets[set_at(size, BLACK, EXCLUDED) + w] = sets[set_at(size, WHITE, EXCLUDED) + w] = np.uint64(0)
