"""Which stones have a liberty, and which are short of them, in every lane at once, by floods."""

from __future__ import annotations

import numpy as np

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, floods

MORE_PASSES = 1
"""Extra flood passes before the first test, compared with one flood, because there are two."""


@kernel(inline=True)
def beside_two(points):
    """The points with two or more neighbours in the set; bits outside the board may be dirty."""
    right, left, up, down = bitboard.east(points), bitboard.west(points), bitboard.north(points), bitboard.south(points)
    return (right & left) | (up & down) | ((right | left) & (up | down))


@kernel(inline=True)
def flooded(layout, start, across, upward):
    """The stones of a set, and all that links join to them."""
    reached, passes = start, 0
    while True:
        reached = floods.flood_pass(reached, across, upward)
        passes += 1
        if passes >= floods.passes_before_test(layout) and simd.lanes_of(
            floods.is_open(reached, across, upward)
        ) == np.uint64(0):
            return reached


@kernel(inline=True)
def alive_stones(layout, own, opponent):
    """The stones, of both colours, whose string has a liberty.

    All strings are flooded at once, from the stones beside empty points. The links join stones of one colour only.
    """
    stones = own | opponent
    breathing = bitboard.beside(bitboard.full(layout) & ~stones) & stones
    return flooded(layout, breathing, floods.links_east(own, opponent), floods.links_north(own, opponent))


@kernel(inline=True)
def only_alive(layout, own, opponent):
    """`alive_stones`, and nothing in place of the short ones."""
    return alive_stones(layout, own, opponent), bitboard.nothing(layout)


@kernel(inline=True)
def alive_and_short(layout, own, opponent):
    """The stones whose string has a liberty, and the stones whose string is short of liberties.

    A string is short if all its liberties have the same parity of row + column and no stone of it has two empty
    neighbours. Every string in atari is. Short strings stand for strings in atari, which would have to be counted.
    """
    stones = own | opponent
    vacant = bitboard.full(layout) & ~stones
    ample = beside_two(vacant)
    breathing = bitboard.beside(vacant)
    # Neighbours have opposite parity: a stone on an odd point has even liberties, and vice versa. One flood
    # starts from the stones with a liberty of even parity, the other from those with one of odd parity. A string that
    # both reach has liberties of both; a string that only one reaches is short. A stone with two empty neighbours
    # starts both floods, so its string is never short.
    even = (ample | (breathing & bitboard.checkered(layout))) & stones
    odd = (ample | (breathing & ~bitboard.checkered(layout))) & stones
    across, upward = floods.links_east(own, opponent), floods.links_north(own, opponent)
    passes = 0
    while True:
        even = floods.flood_pass(even, across, upward)
        odd = floods.flood_pass(odd, across, upward)
        passes += 1
        if passes >= floods.passes_before_test(layout) + MORE_PASSES:
            unfinished = floods.is_open(even, across, upward) | floods.is_open(odd, across, upward)
            if simd.lanes_of(unfinished) == np.uint64(0):
                return even | odd, even ^ odd
