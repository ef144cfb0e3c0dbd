"""The symmetries of a board, and one key for all positions that are images of each other.

A symmetry is applied to a bitboard in four table look-ups, one for every eight points.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.positions import MAX_POINTS

CHUNK = 8
"""Points that one table look-up maps."""

CHUNKS = 4

KEY_POINTS = MAX_POINTS
PASSED_BIT = 2 * KEY_POINTS
"""Layout of a key: bits 0-29 own stones, 30-59 other stones, 60 whether the last move was a pass.

The ko point, which is empty, has the bits of both colours."""


def point_maps(rows: int, cols: int) -> np.ndarray:
    """The image of each point under each symmetry: int64[symmetries, points], the identity first."""
    board = np.arange(rows * cols).reshape(rows, cols)
    turns = range(4) if rows == cols else (0, 2)
    maps = {tuple(np.rot90(side, turn).ravel().tolist()) for side in (board, board[::-1]) for turn in turns}
    return np.array(sorted(maps), dtype=np.int64)


def symmetry_tables(maps: np.ndarray) -> np.ndarray:
    """The image of every chunk of 8 points under every symmetry: int32[symmetries, 4, 256]."""
    tables = np.zeros((len(maps), CHUNKS, 1 << CHUNK), dtype=np.int32)
    bits = np.arange(1 << CHUNK)
    for point, images in enumerate(maps.T):
        chunk, bit = divmod(point, CHUNK)
        tables[:, chunk] |= (bits >> bit & 1).astype(np.int32) << images[:, None].astype(np.int32)
    return tables


@kernel(inline=True)
def image_of(tables, s, points):
    """The image of a bitboard under symmetry `s`."""
    return (
        np.int64(tables[s, 0, points & 255])
        | np.int64(tables[s, 1, points >> 8 & 255])
        | np.int64(tables[s, 2, points >> 16 & 255])
        | np.int64(tables[s, 3, points >> 24])
    )


@kernel
def key_of(tables, own, other, ko, passed, symmetric):
    """The key of a position; with `symmetric` the least key of its images, so that they share an entry.

    The other's stones are the high bits. Their image alone rules out most symmetries.
    """
    mine, theirs = own | ko, other | ko
    best = mine | theirs << KEY_POINTS
    if symmetric:
        for s in range(1, len(tables)):
            high = image_of(tables, s, theirs)
            if high <= best >> KEY_POINTS:
                best = min(best, image_of(tables, s, mine) | high << KEY_POINTS)
    return best | passed << PASSED_BIT


@kernel(inline=True)
def position_in(key):
    """Own stones, other stones, the ko bit, and whether the last move was a pass, of a key."""
    points = (1 << KEY_POINTS) - 1
    own, other = key & points, key >> KEY_POINTS & points
    ko = own & other
    return own & ~ko, other & ~ko, ko, key >> PASSED_BIT & 1


@kernel
def least_image(tables, first, second, ko):
    """The least image of two bitboards and a ko bit under all symmetries, compared in that order."""
    best = np.int64(first), np.int64(second), np.int64(ko)
    for s in range(1, len(tables)):
        one = image_of(tables, s, first)
        if one > best[0]:
            continue
        other, forbidden = image_of(tables, s, second), image_of(tables, s, ko)
        if one < best[0] or other < best[1] or (other == best[1] and forbidden < best[2]):
            best = one, other, forbidden
    return best
