"""What the fit of the learned priors needs: the features of a position's moves, and which of them share a weight."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import lowest
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers, words
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import suicide_kind
from foogo.game.kernels.strings import BORDER
from foogo.search.kernels import features
from foogo.search.kernels.moves import is_open
from foogo.search.kernels.position_notes import take_notes

_EDGES = ((0, 1, 2), (2, 4, 7), (5, 6, 7), (0, 3, 5))
"""For each edge, the three of the eight neighbours (row by row from the south-west) that can lie beyond it."""


@kernel(allocates=True, inline=True)
def features_of_moves(state: Any, size: int, context: Any, notes: Any, points: Any, found: Any) -> Any:
    """Find the features of every move that a search considers, apart from suicide and superko; returns the move count.

    Parameters
    ----------
    state
        Of the board.
    context
        A `foogo.search.kernels.moves.MoveContext`.
    notes
        Scratch: ``position_notes.note_words(size)`` uint64.
    points, found
        Filled: int64 (points,), the moves; int64 (points, `FEATURES`).
    """
    board, cells = words(state), halfwords(state)
    moves, described = np.empty(size * size, np.int32), np.empty(features.FEATURES * features.STRIDE, np.int32)
    count = find_moves(board, cells, size, context, moves, points)
    take_notes(cells, size, context.color, context.last, words(notes))
    features.describe(cells, size, numbers(moves), count, context, words(notes), numbers(described))
    for i in range(count):
        for feature in range(features.FEATURES):
            found[i, feature] = described[feature * features.STRIDE + features.index_of(size, moves[i])]
    return count


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


@kernel
def find_moves(board: Any, cells: Any, size: int, context: Any, moves: Any, points: Any) -> int:
    """Write the cells and points of the moves that a search considers, apart from suicide and superko; their number."""
    count = 0
    for w in range(s.words_of(size)):
        word = board[s.candidates_at(size, context.color) + w]
        while word:
            cell = 64 * w + lowest(word) + size + 2
            word &= word - np.uint64(1)
            if cell != context.ko and is_open(suicide_kind(cells, size, context.color, cell), False):
                moves[count], points[count] = cell, s.point_of(size, cell)
                count += 1
    return count
