"""Positions of small boards as bitboards: shapes, neighbours, strings, moves, captures and area.

Bit ``row * cols + col`` of a bitboard stands for the point in that row and column. A position is stored from its
mover's view: `own` and `other` stones, the `ko` bit that the mover may not play on (0 if there is no ko), and whether
the last move was a pass. In this view a position and its colour-swapped twin share one table entry.

All bitboards are int64 with the sign bit clear: Numba turns int64 combined with uint64 into float64.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel

MAX_POINTS = 30
"""The most points of a board: two bits per point and one for the pass must fit into a key."""

PASS_MOVE, NO_MOVE = 30, 31
"""The moves that are not points."""


class Shape(NamedTuple):
    """The dimensions and masks of a board, for kernels."""

    cols: int
    points: int
    full: int
    """All points."""
    not_last: int
    """The points outside the last column."""
    not_first: int
    """The points outside the first column."""


def shape_of(rows: int, cols: int) -> Shape:
    """The shape of a board with the given rows and columns."""
    points = rows * cols
    last = sum(1 << (row * cols + cols - 1) for row in range(rows))
    first = sum(1 << (row * cols) for row in range(rows))
    full = (1 << points) - 1
    return Shape(cols, points, full, full & ~last, full & ~first)


@kernel(inline=True)
def count(points):
    """The number of points in a bitboard."""
    return population(np.uint64(points))


@kernel(inline=True)
def first(points):
    """The lowest point of a bitboard that is not empty."""
    return lowest(np.uint64(points))


@kernel(inline=True)
def neighbors_of(shape, points):
    """The neighbours of the points of a bitboard; they may include points of the bitboard itself.

    A shift by one column would wrap from the last column to the first column of the next row, or vice versa. The masks
    clear those points first.
    """
    beside = ((points & shape.not_last) << 1) | ((points & shape.not_first) >> 1)
    return (beside | (points << shape.cols) | (points >> shape.cols)) & shape.full


@kernel(inline=True)
def flood(shape, seed, inside):
    """The points of `inside` that are connected within it to a point of both `seed` and `inside`."""
    found = seed & inside
    grown = (found | neighbors_of(shape, found)) & inside
    while grown != found:
        found = grown
        grown = (found | neighbors_of(shape, found)) & inside
    return found


@kernel
def play_point(shape, own, other, point, suicide):
    """Play the mover's stone on an empty point that ko does not forbid.

    Returns own stones, other stones, the ko bit for the other player, and whether the move is legal.
    """
    stone = 1 << point
    own |= stone
    beside = neighbors_of(shape, stone)
    captured = 0
    threatened = beside & other
    empty = shape.full & ~(own | other)
    while threatened:
        string = flood(shape, threatened & -threatened, other)  # the lowest bit picks the next string
        threatened &= ~string
        if not neighbors_of(shape, string) & empty:
            captured |= string
    if captured:
        ko = 0
        if count(captured) == 1 and not beside & own and not beside & empty:
            ko = captured
        return own, other & ~captured, ko, True
    if beside & empty:
        return own, other, 0, True
    string = flood(shape, stone, own)
    if neighbors_of(shape, string) & empty:
        return own, other, 0, True
    if not suicide or string == stone:
        return own, other, 0, False
    return own & ~string, other, 0, True


@kernel
def area_of(shape, own, other):
    """The mover's area minus the other's: stones, and empty regions that reach only one colour."""
    empty = shape.full & ~(own | other)
    mine = flood(shape, neighbors_of(shape, own), empty)
    theirs = flood(shape, neighbors_of(shape, other), empty)
    return count(own | (mine & ~theirs)) - count(other | (theirs & ~mine))


@kernel(inline=True)
def all_have_liberties(shape, own, other):
    """Whether every string on the board has a liberty."""
    open_points = neighbors_of(shape, shape.full & ~(own | other))
    return flood(shape, open_points, own) == own and flood(shape, open_points, other) == other


@kernel
def in_atari(shape, stones, empty):
    """The stones whose string has exactly one liberty."""
    found = 0
    while stones:
        string = flood(shape, stones & -stones, stones)
        stones &= ~string
        liberties = neighbors_of(shape, string) & empty
        if liberties & (liberties - 1) == 0:  # clearing the lowest bit leaves nothing
            found |= string
    return found


@kernel
def influence(shape, own, other):
    """The mover's influence minus the other's: stones, and the empty points nearer to them within three steps."""
    for _ in range(3):
        empty = shape.full & ~(own | other)
        if not empty:
            break
        near, far = neighbors_of(shape, own) & empty, neighbors_of(shape, other) & empty
        own |= near & ~far
        other |= far & ~near
    return count(own) - count(other)
