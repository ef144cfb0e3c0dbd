"""The amounts that a side can force regardless of repetition, for every position of a board of at most 12 points.

A position is a set of stones as its mover sees them, class ``i``, and whether the last move was a pass. All that
matters of earlier positions are two lists: the stones that either player may not create. There is no other ko: the
*defender* may retake a stone at once.

For an *attacker* who asks for an amount, `force` grows the positions from which he gets it. It works backwards from
the ends of games, and notes the number of moves. docs/explanation/solve.md says why he then gets it by every superko
rule.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers
from foogo.solver.kernels.position_graph import stones_of
from foogo.solver.kernels.positions import Shape, all_have_liberties, area_of, count, neighbors_of, play_point

MAX_POINTS = 12

ATTACK, ATTACK_PASSED, DEFEND, DEFEND_PASSED = range(4)
"""Columns of `BoundsMemory.levels`: the side to move, and whether the last move was a pass."""

ILLEGAL = -1


class PositionTable(NamedTuple):
    """All positions of a board, and the moves between them."""

    weights: np.ndarray
    class_of: np.ndarray
    """The class of every code, ``weights[own] + 2 * weights[other]``; ILLEGAL if a string has no liberty."""
    area: np.ndarray
    """The mover's area minus the other's, of each class."""
    rank: np.ndarray
    """The same, refined by liberties: the order in which moves are tried."""
    swap: np.ndarray
    """The class as the other player sees it."""
    target: np.ndarray
    """``target[i, point]`` is the class after a move, as the next player sees it, or ILLEGAL."""
    moves: np.ndarray
    """The number of legal moves of each class."""
    start: np.ndarray
    sources: np.ndarray
    """The classes with a move to class ``i`` are ``sources[start[i]:start[i + 1]]``."""


class BoundsMemory(NamedTuple):
    """What `force` fills and works with."""

    levels: np.ndarray
    """uint16[classes, 4]: the number of moves after which the attacker has what he asks for, at most, from 1 on.

    0 if he cannot force it."""
    left: np.ndarray
    """int32[classes]: the defender's moves that do not lose yet."""
    barred: np.ndarray
    """int32[classes], all 0: bits of ATTACK and DEFEND, the columns that may not be created."""
    queue: np.ndarray
    """int32[4 * classes]: what was added, four times the class plus the column."""


def find_positions(shape: Shape, suicide: bool) -> PositionTable:
    """The `PositionTable` of a board."""
    weights, class_of, area, rank, swap, target = _find_moves(shape, suicide)
    legal = target != ILLEGAL
    order = np.argsort(target[legal], kind="stable")
    start = np.searchsorted(target[legal][order], np.arange(len(target) + 1)).astype(np.int32)
    sources = np.nonzero(legal)[0][order].astype(np.int32)
    moves = legal.sum(axis=1, dtype=np.int32)
    return PositionTable(weights, class_of, area, rank, swap, target, moves, start, sources)


@kernel(allocates=True)
def _find_moves(shape, suicide):
    """The first fields of a `PositionTable`, up to `target`."""
    points = shape.points
    codes = 3**points
    class_of = np.full(codes, ILLEGAL, np.int32)
    classes = 0
    for code in range(codes):
        own, other = stones_of(code, points)
        if all_have_liberties(shape, own, other):
            class_of[code] = classes
            classes += 1
    weights = np.zeros(1 << points, np.int32)
    for stones in range(1 << points):
        for point in range(points):
            weights[stones] += (stones >> point & 1) * 3**point
    area, rank, swap = np.zeros(classes, np.int32), np.zeros(classes, np.int32), np.zeros(classes, np.int32)
    target = np.full((classes, points), ILLEGAL, np.int32)
    for code in range(codes):
        i = class_of[code]
        if i == ILLEGAL:
            continue
        own, other = stones_of(code, points)
        empty = shape.full & ~(own | other)
        area[i] = area_of(shape, own, other)
        rank[i] = 64 * area[i] + count(neighbors_of(shape, own) & empty) - count(neighbors_of(shape, other) & empty)
        swap[i] = class_of[weights[other] + 2 * weights[own]]
        for point in range(points):
            if not empty >> point & 1:
                continue
            after, against, _, legal = play_point(shape, own, other, point, suicide)
            if legal:
                target[i, point] = class_of[weights[against] + 2 * weights[after]]
    return weights, class_of, area, rank, swap, target


@kernel(announce=Compilation("the solver", 45, 8))
def force(positions, asked, attacker_not, defender_not, memory):
    """Fill `memory.levels` for an attacker who asks for `asked` or more.

    `attacker_not` and `defender_not`, int64 arrays, are the classes that a player may not create, as the next player
    sees them.
    """
    start, sources = numbers(positions.start), numbers(positions.sources)
    for i in range(len(memory.left)):
        memory.left[i] = positions.moves[i]
        for column in range(4):
            memory.levels[i, column] = 0
    # what the defender may not create is a move less for him; what the attacker may not is no way to win
    for i in defender_not:
        memory.barred[i] |= 1 << ATTACK
        for e in range(start[i], start[i + 1]):
            memory.left[sources[e]] -= 1
    for i in attacker_not:
        memory.barred[i] |= 1 << DEFEND
    _grow(positions, asked, memory)
    for i in defender_not:
        memory.barred[i] = 0
    for i in attacker_not:
        memory.barred[i] = 0


@kernel
def _grow(positions, asked, memory):
    """Grow the positions that the attacker can force, level by level: the first ones queued have the lowest level."""
    classes = len(positions.area)
    area, swap = numbers(positions.area), numbers(positions.swap)
    start, sources = numbers(positions.start), numbers(positions.sources)
    levels, queue = halfwords(memory.levels), numbers(memory.queue)
    left, barred = numbers(memory.left), numbers(memory.barred)
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
            # one more of the defender's moves loses; he loses when all do, his pass included
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
    """Write a level if the position has none yet, and queue the position; returns how many are queued."""
    if levels[4 * i + column] == 0:
        levels[4 * i + column] = level
        queue[queued] = i << 2 | column
        queued += 1
    return queued
