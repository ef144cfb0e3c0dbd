"""The learned weights of the features of moves, and which features share a weight.

`learned_prior.npy` beside this module has one weight per class of features (float32, a logarithm to the base 2). They
were fitted to the visits that searches gave to moves: bench/learn_priors.py plays the games and fits them.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels.strings import BORDER
from foogo.search.kernels import features

WEIGHTS = Path(__file__).with_name("learned_prior.npy")

_EDGES = ((0, 1, 2), (2, 4, 7), (5, 6, 7), (0, 3, 5))
"""For each edge, the three of the eight neighbours (row by row from the south-west) that can lie beyond it."""


@cache
def feature_weights() -> NDArray[np.float32]:
    """The weight of every feature of `foogo.search.kernels.features`."""
    return np.load(WEIGHTS)[classes()]  # type: ignore[no-any-return]


@cache
def classes() -> NDArray[np.int32]:
    """The class of every feature: features that are the same when turned or mirrored have one class.

    Returns
    -------
    ndarray, shape (features,), int32
        Numbered from 0. Features of `CROSS` and `SHAPE` that no point can have are in the class of the group's first.
    """
    groups = [np.arange(size) for size in features.GROUP_SIZES]
    groups[features.CROSS], groups[features.SHAPE] = _cross_classes(), _shape_classes()
    groups[features.KNIGHT] = _knight_classes()
    parts, count = [], 0
    for group in groups:
        parts.append(group + count)
        count += int(group.max()) + 1
    return np.concatenate(parts).astype(np.int32)


def _cross_classes() -> NDArray[np.int64]:
    """Classes of four neighbours: numbers of three bits, in the order of a turn."""
    found: dict[tuple[int, ...], int] = {}
    out = np.zeros(features.GROUP_SIZES[features.CROSS], np.int64)
    for four in product(range(8), repeat=4):
        turned = [four[turn:] + four[:turn] for turn in range(4)]
        same = min(turned + [one[::-1] for one in turned])
        out[sum(number << 3 * i for i, number in enumerate(four))] = found.setdefault(same, len(found))
    return out


def _shape_classes() -> NDArray[np.int64]:
    """Classes of eight neighbours, two bits each, row by row."""
    found: dict[tuple[int, ...], int] = {}
    out = np.zeros(features.GROUP_SIZES[features.SHAPE], np.int64)
    square = np.array([0, 1, 2, 3, -1, 4, 5, 6, 7]).reshape(3, 3)
    turns = [np.rot90(one, turn).ravel() for one in (square, square.T) for turn in range(4)]
    orders = [turned[turned >= 0].tolist() for turned in turns]
    corners = [tuple(sorted({*_EDGES[i], *_EDGES[(i + 1) % 4]})) for i in range(4)]
    for beyond in ((), *_EDGES, *corners):
        choices = [(BORDER,) if i in beyond else (EMPTY, BLACK, WHITE) for i in range(8)]
        for eight in product(*choices):
            same = min(tuple(eight[i] for i in order) for order in orders)
            out[sum(color << 2 * i for i, color in enumerate(eight))] = found.setdefault(same, len(found))
    return out


def _knight_classes() -> NDArray[np.int64]:
    """Classes of squares of four points: the neighbour, the corner, the point ahead and the end of a knight's move."""
    out = []
    for ahead, sides in (((0, -1), "x"), ((-1, 0), "y"), ((1, 0), "y"), ((0, 1), "x")):
        for side in (-1, 1):
            aside = (side, 0) if sides == "x" else (0, side)
            points = [(n * ahead[0] + m * aside[0], n * ahead[1] + m * aside[1]) for n in (1, 2) for m in (0, 1)]
            square = sorted(points, key=lambda point: point[::-1])
            for contents in range(features.BLOCK):
                near, corner, far, end = (contents >> 2 * square.index(point) & 3 for point in points)
                out.append(near << 6 | corner << 4 | far << 2 | end)
    return np.array(out)
