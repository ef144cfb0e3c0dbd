"""What a player sees at a glance, for the whole board of every lane: short strings, shapes, vital points.

docs/reference/playout.md defines the policies that look; `policy` here is the shares of one, in 1/256. A share that is
None costs nothing: what it would ask for is not compiled.
"""

from __future__ import annotations

import numpy as np

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, patterns

URGENT, NEAR, PATTERN, NAKADE = range(4)
"""The shares of a policy: how often is insisted on an urgent move, one near the last one, one of those that matches a
pattern, and a vital point."""

MORE_PASSES = 1
"""Flood passes more than in `lockstep.alive_stones` before the first look: two floods have to be done."""


@kernel(inline=True)
def beside_two(marked):
    """The points with two or more neighbours in the set; bits outside the board may be dirty."""
    right, left, up, down = bitboard.east(marked), bitboard.west(marked), bitboard.north(marked), bitboard.south(marked)
    return (right & left) | (up & down) | ((right | left) & (up | down))


@kernel(inline=True)
def around(layout, marked):
    """The set and the up to eight points about each of its points."""
    board = bitboard.full(layout)
    row = (marked | bitboard.east(marked) | bitboard.west(marked)) & board
    return (row | bitboard.north(row) | bitboard.south(row)) & board


@kernel(inline=True)
def alive_and_short(layout, own, opp):
    """The stones whose string has a liberty, and the stones whose string is short.

    A string is short if all its liberties are of one parity of row + column and no stone of it has two empty
    neighbours. Every string in atari is. Two floods in one loop: from liberties of even and of odd parity.
    """
    stones = own | opp
    vacant = bitboard.full(layout) & ~stones
    ample = beside_two(vacant)
    breathing = bitboard.beside(vacant)
    even = (ample | (breathing & bitboard.checkered(layout))) & stones
    odd = (ample | (breathing & ~bitboard.checkered(layout))) & stones
    across, upward = bitboard.links_east(own, opp), bitboard.links_north(own, opp)
    passes = 0
    while True:
        even = bitboard.flood_pass(even, across, upward)
        odd = bitboard.flood_pass(odd, across, upward)
        passes += 1
        if passes >= bitboard.passes_before_test(layout) + MORE_PASSES:
            unfinished = bitboard.is_open(even, across, upward) | bitboard.is_open(odd, across, upward)
            if simd.lanes_of(unfinished) == np.uint64(0):
                return even | odd, even ^ odd


@kernel(inline=True)
def decides(layout, share, number):
    """The lanes whose number falls into the share by its low eight bits."""
    return (number & simd.ints32(layout, 255)) < simd.ints32(layout, share)


@kernel(inline=True)
def vital_points(vacant, roomy, beside_own, beside_opp):
    """The middles of eye spaces in the form of a star, whose bordering stones are all of one colour.

    Such a middle has two or more empty neighbours, and none of them has another one.

    Parameters
    ----------
    vacant, roomy
        The empty points; the points with two or more empty neighbours.
    beside_own, beside_opp
        The points next to a stone of the mover, of the other player.
    """
    inner = vacant & roomy
    own_rim, opp_rim = vacant & beside_own, vacant & beside_opp
    others = own_rim | bitboard.beside(inner | own_rim)
    mine = opp_rim | bitboard.beside(inner | opp_rim)
    return inner & ~(others & mine)


@kernel(inline=True)
def find_shapes(layout, share, own, opp, last):
    """The points about the last move that match a pattern, and anything elsewhere; nothing without a share."""
    shapes = bitboard.nothing(layout)
    if share is not None:
        shapes = patterns.matches(layout, own, opp, last)
    return shapes


@kernel(inline=True)
def insist_on_shapes(layout, share, near, follow, shapes, number):
    """The near points to draw from, and the lanes that do: where the share decides so, only those of a pattern."""
    if share is not None:
        shaped = decides(layout, share, simd.shift_right(number, 16)) & bitboard.any_point(near & shapes)
        near, follow = near & simd.choose(shaped, shapes, bitboard.full(layout)), follow | shaped
    return near, follow


@kernel(inline=True)
def insist_on_vital(layout, share, picked, choice, vacant, roomy, beside_own, opp, number):
    """The points to draw from: the vital ones where there are any and the share decides so, else those picked."""
    if share is not None:
        vital = choice & vital_points(vacant, roomy, beside_own, bitboard.beside(opp))
        picked = simd.choose(decides(layout, share, number) & bitboard.any_point(vital), vital, picked)
    return picked


@kernel(inline=True)
def narrow(layout, policy, choice, own, opp, short, last, number):
    """The candidates that the policy draws from: urgent or vital ones, ones near the last move, or all that are sound.

    Parameters
    ----------
    policy
        The shares `URGENT` and `NEAR`, int64, 0 to 256; `PATTERN` and `NAKADE`, likewise or None.
    short, last
        The short stones of both colours, and the last move.
    number
        The lane's 32-bit number; its low bits decide, its high bits draw.
    """
    shapes = find_shapes(layout, policy[PATTERN], own, opp, last)
    vacant = bitboard.full(layout) & ~(own | opp)
    roomy = beside_two(vacant)
    beside_safe, beside_short = bitboard.beside(own & ~short), bitboard.beside(own & short)
    captures = choice & bitboard.beside(opp & short)
    useful = roomy | beside_safe
    urgent = captures | (choice & useful & beside_short)
    sound = choice & (useful | captures)
    sound = simd.choose(bitboard.any_point(sound), sound, choice)
    near = sound & around(layout, last)
    follow = decides(layout, policy[NEAR], simd.shift_right(number, 8)) & bitboard.any_point(near)
    near, follow = insist_on_shapes(layout, policy[PATTERN], near, follow, shapes, number)
    picked = simd.choose(follow, near, sound)
    beside_own = beside_safe | beside_short
    picked = insist_on_vital(layout, policy[NAKADE], picked, choice, vacant, roomy, beside_own, opp, number)
    return simd.choose(decides(layout, policy[URGENT], number) & bitboard.any_point(urgent), urgent, picked)
