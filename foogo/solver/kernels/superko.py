"""What a side can force whatever comes back, for every position of a board of at most 12 points.

A position is a set of stones as its mover sees them, class ``i``, and whether a pass came last. What matters of earlier
positions is given by two lists of stones that the players may not create. There is no other ko: the *defender* may
retake a stone at once.

For an *attacker* who asks for so much, `force` grows the positions from which he gets it, backwards from the ends of
games, and notes after how many moves. docs/explanation/solve.md says why he then gets it by every superko rule.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers
from foogo.solver.kernels.board import area_of, around, count, play_point
from foogo.solver.kernels.space import all_breathe, stones_of

MAX_POINTS = 12

ATTACK, ATTACK_PASSED, DEFEND, DEFEND_PASSED = range(4)
"""Columns of levels: who is to move, and whether a pass came last."""

ILLEGAL = -1

Positions = namedtuple("Positions", ["weights", "index", "area", "rank", "swap", "target", "moves", "start", "sources"])
"""`index` has the class of every code, ``weights[own] + 2 * weights[other]``, `ILLEGAL` where a string has no liberty.

Of each class: the mover's `area` less the other's, `rank`, the same with liberties behind it, and `swap`, the class as
the other player sees it. ``target[i, point]`` is the class after a move, as the next player sees it, or `ILLEGAL`;
`moves` counts the others. The classes from which a move leads to ``i`` are ``sources[start[i]:start[i + 1]]``."""


@kernel
def find_positions(shape, suicide):
    """All positions of a board of that shape."""
    points = shape.points
    codes = 3**points
    index = np.full(codes, ILLEGAL, np.int32)
    classes = 0
    for code in range(codes):
        own, other = stones_of(code, points)
        if all_breathe(shape, own, other):
            index[code] = classes
            classes += 1
    weights = np.zeros(1 << points, np.int32)
    for word in range(1 << points):
        for point in range(points):
            weights[word] += (word >> point & 1) * 3**point
    area, rank, swap = np.zeros(classes, np.int32), np.zeros(classes, np.int32), np.zeros(classes, np.int32)
    target, moves = np.full((classes, points), ILLEGAL, np.int32), np.zeros(classes, np.int32)
    start = np.zeros(classes + 1, np.int32)
    for code in range(codes):
        i = index[code]
        if i == ILLEGAL:
            continue
        own, other = stones_of(code, points)
        empty = shape.full & ~(own | other)
        area[i] = area_of(shape, own, other)
        rank[i] = 64 * area[i] + count(around(shape, own) & empty) - count(around(shape, other) & empty)
        swap[i] = index[weights[other] + 2 * weights[own]]
        for point in range(points):
            if not empty >> point & 1:
                continue
            after, against, _, legal = play_point(shape, own, other, point, suicide)
            if legal:
                j = index[weights[against] + 2 * weights[after]]
                target[i, point] = j
                moves[i] += 1
                start[j + 1] += 1
    for i in range(classes):
        start[i + 1] += start[i]
    sources, at = np.zeros(start[classes], np.int32), start.copy()
    for i in range(classes):
        for point in range(points):
            j = target[i, point]
            if j != ILLEGAL:
                sources[at[j]] = i
                at[j] += 1
    return Positions(weights, index, area, rank, swap, target, moves, start, sources)


@kernel(announce="the solver")
def force(positions, asked, attacker_not, defender_not, levels, left, barred, queue):
    """Fill `levels`: after how many moves at most the attacker has `asked` or more, from 1; 0 where he cannot force it.

    Parameters
    ----------
    attacker_not, defender_not
        int64: classes, as the next player sees them, that a player may not create.
    levels
        uint16 (classes, 4): see `ATTACK`.
    left, barred, queue
        Memory: int32 (classes,), int32 (classes,) with zeros, int32 (4 * classes,).
    """
    classes = len(positions.area)
    levels[:] = 0
    left[:] = positions.moves
    start, sources = numbers(positions.start), numbers(positions.sources)
    for i in defender_not:
        barred[i] |= 1 << ATTACK
        for e in range(start[i], start[i + 1]):
            left[sources[e]] -= 1
    for i in attacker_not:
        barred[i] |= 1 << DEFEND
    _grow(
        classes, asked, numbers(positions.area), numbers(positions.swap), start, sources, halfwords(levels),
        numbers(left), numbers(barred), numbers(queue),
    )  # fmt: skip
    for i in defender_not:
        barred[i] = 0
    for i in attacker_not:
        barred[i] = 0


@kernel
def _grow(classes, asked, area, swap, start, sources, levels, left, barred, queue):
    """Level by level, as what is queued first has the lowest level."""
    queued = np.int64(0)
    for i in range(classes):
        if area[i] >= asked:
            queued = _note(levels, queue, queued, i, ATTACK_PASSED, 1)
    for i in range(classes):
        if left[i] == 0 and -area[i] >= asked:
            queued = _note(levels, queue, queued, i, DEFEND_PASSED, 1)
    at = np.int64(0)
    while at < queued:
        i, column = np.int64(queue[at] >> 2), queue[at] & 3
        at += 1
        level = np.int64(levels[4 * i + column]) + 1
        if barred[i] >> column & 1:
            continue
        if column == ATTACK:
            for e in range(start[i], start[i + 1]):
                j = np.int64(sources[e])
                left[j] -= 1
                if left[j] == 0:
                    if -area[j] >= asked:
                        queued = _note(levels, queue, queued, j, DEFEND_PASSED, level)
                    if 0 < levels[4 * np.int64(swap[j]) + ATTACK_PASSED] < level:
                        queued = _note(levels, queue, queued, j, DEFEND, level)
        elif column == DEFEND:
            for e in range(start[i], start[i + 1]):
                j = np.int64(sources[e])
                queued = _note(levels, queue, queued, j, ATTACK, level)
                queued = _note(levels, queue, queued, j, ATTACK_PASSED, level)
        elif column == DEFEND_PASSED:
            queued = _note(levels, queue, queued, np.int64(swap[i]), ATTACK, level)
        elif left[swap[i]] == 0:
            queued = _note(levels, queue, queued, np.int64(swap[i]), DEFEND, level)


@kernel(inline=True)
def _note(levels, queue, queued, i, column, level):
    """Write down a level where there is none yet, and queue what follows from it; how many are queued."""
    if levels[4 * i + column] == 0:
        levels[4 * i + column] = level
        queue[queued] = i << 2 | column
        queued += 1
    return queued
