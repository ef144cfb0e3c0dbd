"""Every position of a board of at most 16 points, and the moves between them, as one graph in arrays.

A *class* is a set of stones as the mover sees them, with its symmetric images: the image of least code stands for
it. The code has one base-3 digit a point: 0 empty, 1 own, 2 other. A class has several *nodes*, which
differ in what else matters to the next move:

- node ``i``: class ``i``, no ko, no pass before;
- node ``classes + i``: the same after a pass, where a second pass ends the game;
- node ``2 * classes + ko_start[i] + k``: the same with a ko on the ``k``-th point of ``ko_points[i]``.

The moves of all nodes of a class are the same but for the ko, so they are stored once.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.board import area_of, around, count, first, flood, play_point

MAX_POINTS = 16

HALF = 8
"""Points of half a code: `images` has a table for each half."""

HALF_CODES = 3**HALF

Graph = namedtuple(
    "Graph", ["classes", "start", "target", "move", "swap", "area", "ko_start", "ko_points", "back_start", "back"]
)
"""The moves of class ``i`` are entries ``start[i]`` to ``start[i + 1]`` of `target`, the node after it, and of
`move`, the point; a pass leads to node ``classes + swap[i]``. `area` is the mover's less the other's. The classes
from which a move leads to a node are ``back[back_start[n]:back_start[n + 1]]``, where n is the node, less `classes`
if it has a ko."""

Index = namedtuple("Index", ["images", "weights", "classes", "symmetry"])
"""From stones to classes: `classes` has the class of every code, -1 if a string has no liberty, and `symmetry` the
symmetry that takes the stones that stand for the class to these; `weights` turns eight bits into a code."""


@kernel
def image_tables(maps):
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
    """Own and other stones as words."""
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
    """Number the classes whose codes lie in the range, from `classes` on: the next free number."""
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
        if not all_breathe(shape, own, other):
            continue
        for s in range(len(images) - 1, -1, -1):
            image = images[s, 0, low] + images[s, 1, high]
            index.classes[image] = classes
            index.symmetry[image] = s
        classes += 1
    return classes


@kernel(inline=True)
def all_breathe(shape, own, other):
    """Whether every string has a liberty."""
    open_points = around(shape, shape.full & ~(own | other))
    return flood(shape, open_points, own) == own and flood(shape, open_points, other) == other


@kernel
def describe(shape, index, begin, end, codes, swap, area, ko_points):
    """Fill in the code, area, points of a ko, and exchanged colours of the classes of codes in the range."""
    for code in range(begin, end):
        i = index.classes[code]
        if i >= 0 and index.symmetry[code] == 0:
            own, other = stones_of(code, shape.points)
            codes[i] = code
            swap[i] = index.classes[code_of(index, other, own)]
            area[i] = area_of(shape, own, other)
            ko_points[i] = _ko_points(shape, own, other)


@kernel
def _ko_points(shape, own, other):
    """Where the mover may have lost a stone to a lone stone that has no other liberty."""
    empty = shape.full & ~(own | other)
    found, rest = 0, empty
    while rest:
        point = rest & -rest
        rest &= rest - 1
        beside = around(shape, point)
        if beside & ~other:
            continue
        while beside:
            stone = beside & -beside
            beside &= beside - 1
            if not around(shape, stone) & (other | empty & ~point):
                found |= point
    return found


@kernel
def find_moves(shape, index, inverses, codes, ko_start, ko_points, begin, end, entry, start, target, move):
    """Write the moves of the classes in the range from `entry` on: the next free entry.

    `inverses` are the symmetries backwards, int64[symmetries, points].
    """
    classes = len(codes)
    for i in range(begin, end):
        start[i] = entry
        own, other = stones_of(codes[i], shape.points)
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
                seen = inverses[index.symmetry[code], first(ko)]
                node = 2 * classes + ko_start[node] + count(np.int64(ko_points[node]) & ((1 << seen) - 1))
            target[entry] = node
            move[entry] = point
            entry += 1
    start[end] = entry
    return entry


@kernel
def find_sources(start, target, back_start, back):
    """Turn the moves round: fill `back_start`, which is all 0, and `back`."""
    classes = len(start) - 1
    for node in target:
        back_start[(node if node < classes else node - classes) + 1] += 1
    for i in range(1, len(back_start)):
        back_start[i] += back_start[i - 1]
    free = back_start[:-1].copy()
    for i in range(classes):
        for entry in range(start[i], start[i + 1]):
            node = target[entry] if target[entry] < classes else target[entry] - classes
            back[free[node]] = i
            free[node] += 1
