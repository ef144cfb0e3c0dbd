"""Hashes of positions after a move, without playing it, and of the situations that superko forbids to repeat."""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords
from foogo.game.geometry import WHITE
from foogo.game.kernels import positions
from foogo.game.kernels import strings as s

WHITE_TO_PLAY = np.uint64(0xC2B2AE3D27D4EB4F)
"""Part of a situation's hash when White is to play."""


@kernel(inline=True)
def situation_hash(stones_hash, color, superko):
    """The hash of what superko forbids to repeat, with `color` to play."""
    return stones_hash ^ (WHITE_TO_PLAY if superko == positions.SITUATIONAL and color == WHITE else np.uint64(0))


@kernel
def copy_hashes_after(state, size, color, legal, hashes):
    """Write to `hashes` (uint64 per point) the hash of all stones after `color` plays each point.

    Only the points that `legal` (uint8 per point) marks are written; they must be legal apart from superko.
    """
    cells, before = halfwords(state), state[s.header_at(size) + s.HASH]
    for point in range(size * size):
        if legal[point]:
            hashes[point] = before ^ hash_change(cells, size, color, s.cell_of(size, point))


@kernel
def hash_change(cells, size, color, cell):
    """The change of the hash of all stones by the legal move `cell`."""
    span, stride = s.span_of(size), size + 1
    change, is_capture = positions.stone_key(s.point_of(size, cell), color), False
    for i in range(4):
        near = s.neighbor(cell, stride, i)
        if cells[s.COLOR * span + near] == 3 - color and positions.is_last_liberty(cells, size, near, cell):
            is_capture = True
            if not positions.is_repeated_string(cells, size, cell, i):
                change ^= _string_key(cells, size, near, 3 - color)
    if not is_capture and positions.suicide_kind(cells, size, color, cell) == positions.STRING_SUICIDE:
        # The new stone is removed with its string, so its own key is not part of the change.
        change = np.uint64(0)
        for i in range(4):
            near = s.neighbor(cell, stride, i)
            if cells[s.COLOR * span + near] == color and not positions.is_repeated_string(cells, size, cell, i):
                change ^= _string_key(cells, size, near, color)
    return change


@kernel
def _string_key(cells, size, cell, color):
    """The part of the hash that belongs to the string on `cell`."""
    span, key, stone = s.span_of(size), np.uint64(0), np.int64(cell)
    for _ in range(cells[s.STONES * span + cells[s.HEAD * span + cell]]):
        key ^= positions.stone_key(s.point_of(size, stone), color)
        stone = np.int64(cells[s.NEXT * span + stone])
    return key
