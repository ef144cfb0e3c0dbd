"""The position as planes of bits, one per feature, from the point of view of the player to move."""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords
from foogo.game.geometry import BLACK
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import ko_cell

OWN_STONES, OTHER_STONES, KO_POINT, BLACK_TO_PLAY = range(4)
"""The planes, in order."""
PLANES = 4


@kernel
def copy_planes(state, size, planes):
    """Write every point of the planes (bool, one per feature and point)."""
    color = np.int64(state[s.header_at(size) + s.TO_PLAY])
    write_planes(halfwords(state), size, color, ko_cell(state, size, color), planes)


@kernel
def write_planes(cells, size, color, ko, planes):
    """`copy_planes` of a board's cells, for `color` to move, where ko forbids the cell `ko` (it may be `NOWHERE`)."""
    span, point = s.span_of(size), 0
    for row in range(size):
        first = s.first_cell(size) + row * (size + 1)
        for cell in range(first, first + size):
            content = cells[s.COLOR * span + cell]
            planes[OWN_STONES, point] = content == color
            planes[OTHER_STONES, point] = content == 3 - color
            planes[KO_POINT, point] = cell == ko
            planes[BLACK_TO_PLAY, point] = color == BLACK
            point += 1
