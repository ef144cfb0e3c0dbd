"""Every position of a board of at most 16 points, and the moves between them, as a graph in arrays.

A *class* is a set of stones as the mover sees them, together with its symmetric images; the image with the least code
represents it. The code has one base-3 digit per point: 0 empty, 1 own, 2 other. A class has several *nodes*, which
differ in what else matters to the next move:

- node ``i``: class ``i``, no ko, no pass before;
- node ``classes + i``: the same after a pass, where a second pass ends the game;
- node ``2 * classes + ko_start[i] + k``: the same with a ko on the ``k``-th point of ``ko_points[i]``.

All nodes of a class have the same moves except for the ko, so the moves are stored once per class.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.solver.kernels.positions import all_have_liberties, area_of, count, first, neighbors_of, play_point

MAX_POINTS = 16

HALF = 8
"""Points of half a code: `Index.images` has a table for each half."""

HALF_CODES = 3**HALF


class Index(NamedTuple):
    """From stones to classes."""

    images: np.ndarray
    """The code of each half of a board under every symmetry: `image_codes`."""
    inverses: np.ndarray
    """int64[symmetries, points]: the symmetries inverted."""
    weights: np.ndarray
    """The code of each set of eight points."""
    classes: np.ndarray
    """The class of every code, -1 if a string has no liberty."""
    symmetry: np.ndarray
    """The symmetry that maps the stones that represent the class to those of the code."""


class Classes(NamedTuple):
    """The properties of each class."""

    code: np.ndarray
    swap: np.ndarray
    """The class with the colours exchanged."""
    area: np.ndarray
    """The mover's area minus the other's."""
    ko_points: np.ndarray
    """The points where a ko is possible, as a bitboard."""


class Moves(NamedTuple):
    """The moves of class ``i`` are entries ``start[i]`` to ``start[i + 1]``."""

    start: np.ndarray
    target: np.ndarray
    """The node after the move."""
    move: np.ndarray
    """The point."""


class Graph(NamedTuple):
    """The whole graph; a pass of class ``i`` leads to node ``classes + swap[i]``."""

    classes: int
    """The number of classes."""
    start: np.ndarray
    target: np.ndarray
    move: np.ndarray
    swap: np.ndarray
    area: np.ndarray
    ko_points: np.ndarray
    ko_start: np.ndarray
    class_of_ko: np.ndarray
    """The class of each node with a ko."""
    back_start: np.ndarray
    back: np.ndarray
    """The classes with a move to a node are ``back[back_start[n]:back_start[n + 1]]``; n is `row_of` the node."""


@kernel(allocates=True, announce=Compilation("the solver", 45, 8))
def image_codes(maps):
    """The code of each half of a board under every symmetry: int64[symmetries, 2, 3**8]."""
    symmetries, points = maps.shape
    tables = np.zeros((symmetries, 2, HALF_CODES), dtype=np.int64)
    for s in range(symmetries):
        for code in range(HALF_CODES):
            for half in range(2):
                rest = code
                for point in range(half * HALF, min(points, half * HALF + HALF)):
                    tables[s, half, code] += rest % 3 * 3 ** maps[s, point]
                    rest //= 3
    return tables


@kernel
def stones_of(code, points):
    """Own and other stones of a code, as bitboards."""
    own = other = 0
    for point in range(points):
        digit = code % 3
        code //= 3
        own |= np.int64(digit == 1) << point
        other |= np.int64(digit == 2) << point
    return own, other


@kernel(inline=True)
def code_of(index, own, other):
    """The code of stones."""
    weights = index.weights
    return (
        weights[own & 255]
        + HALF_CODES * weights[own >> HALF]
        + 2 * (weights[other & 255] + HALF_CODES * weights[other >> HALF])
    )


@kernel
def find_classes(shape, index, begin, end, classes):
    """Number the classes whose codes are in the range, from `classes` on; returns the next free number."""
    images = index.images
    for code in range(begin, end):
        low, high = code % HALF_CODES, code // HALF_CODES
        least = True
        for s in range(1, len(images)):
            if images[s, 0, low] + images[s, 1, high] < code:
                least = False
                break
        if not least:
            continue
        own, other = stones_of(code, shape.points)
        if not all_have_liberties(shape, own, other):
            continue
        # backwards, so that the identity wins where a symmetry maps the stones to themselves
        for s in range(len(images) - 1, -1, -1):
            image = images[s, 0, low] + images[s, 1, high]
            index.classes[image] = classes
            index.symmetry[image] = s
        classes += 1
    return classes


@kernel
def describe(shape, index, begin, end, classes):
    """Fill in `Classes` for the classes whose codes are in the range."""
    for code in range(begin, end):
        i = index.classes[code]
        if i >= 0 and index.symmetry[code] == 0:
            own, other = stones_of(code, shape.points)
            classes.code[i] = code
            classes.swap[i] = index.classes[code_of(index, other, own)]
            classes.area[i] = area_of(shape, own, other)
            classes.ko_points[i] = _ko_points(shape, own, other)


@kernel
def _ko_points(shape, own, other):
    """The points where the mover may just have lost a stone: to a lone stone that has no other liberty."""
    empty = shape.full & ~(own | other)
    found, rest = 0, empty
    while rest:
        point = rest & -rest
        rest &= rest - 1
        beside = neighbors_of(shape, point)
        if beside & ~other:
            continue
        while beside:
            stone = beside & -beside
            beside &= beside - 1
            if not neighbors_of(shape, stone) & (other | empty & ~point):
                found |= point
    return found


@kernel
def find_moves(shape, index, classes, ko_start, moves, begin, end):
    """Write the moves of the classes in the range, and where they start; returns the next free entry."""
    nodes = len(classes.code)
    entry = moves.start[begin]
    for i in range(begin, end):
        moves.start[i] = entry
        own, other = stones_of(classes.code[i], shape.points)
        rest = shape.full & ~(own | other)
        while rest:
            point = first(rest)
            rest &= rest - 1
            after, before, ko, legal = play_point(shape, own, other, point, False)
            if not legal:
                continue
            code = code_of(index, before, after)
            node = np.int64(index.classes[code])
            if ko:
                # the ko point as the representative of the class has it, counted among its possible ones
                seen = index.inverses[index.symmetry[code], first(ko)]
                below = np.int64(classes.ko_points[node]) & ((1 << seen) - 1)
                node = 2 * nodes + ko_start[node] + count(below)
            moves.target[entry] = node
            moves.move[entry] = point
            entry += 1
    moves.start[end] = entry
    return entry


@kernel(inline=True)
def row_of(classes, node):
    """The row of `Graph.back_start` for a node. No move leads to a node after a pass, so these have no row."""
    return node if node < classes else node - classes


@kernel(allocates=True)
def find_sources(moves, back_start, back):
    """Invert the moves: fill `back_start`, which is all 0, and `back`, by counting sort."""
    classes = len(moves.start) - 1
    for node in moves.target:
        back_start[row_of(classes, node) + 1] += 1
    for i in range(1, len(back_start)):
        back_start[i] += back_start[i - 1]
    free = back_start[:-1].copy()
    for i in range(classes):
        for entry in range(moves.start[i], moves.start[i + 1]):
            row = row_of(classes, moves.target[entry])
            back[free[row]] = i
            free[row] += 1
