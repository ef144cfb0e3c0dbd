"""The moves that a policy prefers, in every lane at once: captures and escapes, vital points, moves near the last one.

docs/reference/playout.md defines the policies; `policy` here is the shares of one, in 1/256. What a share of None
would need is not compiled. Each share is an argument of its own function, since Numba only drops a branch that depends
on the type of an argument.
"""

from __future__ import annotations

import numpy as np

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, floods, patterns

URGENT, NEAR, PATTERN, NAKADE = range(4)
"""The shares of a policy: how often it insists on an urgent move, on a move near the last one, on such a move that
matches a pattern, and on a vital point."""

MORE_PASSES = 1
"""Extra flood passes before the first test, compared with `alive_stones`, because there are two floods."""


@kernel(inline=True)
def beside_two(points):
    """The points with two or more neighbours in the set; bits outside the board may be dirty."""
    right, left, up, down = bitboard.east(points), bitboard.west(points), bitboard.north(points), bitboard.south(points)
    return (right & left) | (up & down) | ((right | left) & (up | down))


@kernel(inline=True)
def around(layout, points):
    """The set and the up to eight points around each of its points."""
    board = bitboard.full(layout)
    row = (points | bitboard.east(points) | bitboard.west(points)) & board
    return (row | bitboard.north(row) | bitboard.south(row)) & board


@kernel(inline=True)
def alive_stones(layout, own, opponent):
    """The stones, of both colours, whose string has a liberty.

    All strings are flooded at once, from the stones beside empty points. The links join stones of one colour only.
    """
    stones = own | opponent
    alive = bitboard.beside(bitboard.full(layout) & ~stones) & stones
    across, upward = floods.links_east(own, opponent), floods.links_north(own, opponent)
    passes = 0
    while True:
        alive = floods.flood_pass(alive, across, upward)
        passes += 1
        if passes >= floods.passes_before_test(layout) and simd.lanes_of(
            floods.is_open(alive, across, upward)
        ) == np.uint64(0):
            return alive


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


@kernel(inline=True)
def falls_in(layout, share, number):
    """The lanes where the low eight bits of the number are below the share: this happens share times in 256."""
    return (number & simd.ints32(layout, 255)) < simd.ints32(layout, share)


@kernel(inline=True)
def vital_points(vacant, roomy, beside_own, beside_opponent):
    """The middles of star-shaped eye spaces whose bordering stones are all of one colour.

    Such a middle has two or more empty neighbours, and none of them has another empty neighbour.

    Parameters
    ----------
    vacant, roomy
        The empty points; the points with two or more empty neighbours.
    beside_own, beside_opponent
        The points next to a stone of the mover, of the other player.
    """
    inner = vacant & roomy
    own_rim, opponent_rim = vacant & beside_own, vacant & beside_opponent
    # Each player rules out the stars that his stones border, and those with a roomy arm. A middle that both rule out
    # has a roomy arm, or a border of both colours.
    by_own = own_rim | bitboard.beside(inner | own_rim)
    by_opponent = opponent_rim | bitboard.beside(inner | opponent_rim)
    return inner & ~(by_own & by_opponent)


@kernel(inline=True)
def find_vital(layout, share, vacant, roomy, beside_own, opponent):
    """The vital points; none without a share."""
    vital = bitboard.nothing(layout)
    if share is not None:
        vital = vital_points(vacant, roomy, beside_own, bitboard.beside(opponent))
    return vital


@kernel(inline=True)
def find_shapes(layout, share, position):
    """The points around the last move that match a pattern, and anything elsewhere; nothing without a share."""
    shapes = bitboard.nothing(layout)
    if share is not None:
        shapes = patterns.matches(layout, position.own, position.opponent, position.last)
    return shapes


@kernel(inline=True)
def insist_on_shapes(layout, share, number, near, follow, shapes):
    """The near points to draw from, and the lanes that do: where the share decides so, only those of a pattern."""
    if share is not None:
        shaped = falls_in(layout, share, simd.shift_right(number, 16)) & bitboard.any_point(near & shapes)
        near, follow = near & simd.choose(shaped, shapes, bitboard.full(layout)), follow | shaped
    return near, follow


@kernel(inline=True)
def insist_on_vital(layout, share, number, picked, vital):
    """The points to draw from: the vital ones where there are any and the share decides so, else those picked."""
    if share is not None:
        picked = simd.choose(falls_in(layout, share, number) & bitboard.any_point(vital), vital, picked)
    return picked


@kernel(inline=True)
def narrow(layout, policy, choice, position, number):
    """The candidates that the policy draws from: urgent or vital ones, some near the last move, or all that are sound.

    Parameters
    ----------
    policy
        The shares `URGENT` and `NEAR`, int64, 0 to 256; `PATTERN` and `NAKADE`, likewise or None.
    choice
        The candidates.
    position
        A `lockstep.Position`.
    number
        The lane's 32-bit number. Its low 24 bits decide; the draw is by the whole number, so mostly by its high bits.
    """
    own, opponent, short, last = position.own, position.opponent, position.short, position.last
    shapes = find_shapes(layout, policy[PATTERN], position)
    vacant = bitboard.full(layout) & ~(own | opponent)
    roomy = beside_two(vacant)
    beside_safe, beside_short = bitboard.beside(own & ~short), bitboard.beside(own & short)
    captures = choice & bitboard.beside(opponent & short)
    useful = roomy | beside_safe
    urgent = captures | (choice & useful & beside_short)
    sound = choice & (useful | captures)
    sound = simd.choose(bitboard.any_point(sound), sound, choice)
    near = sound & around(layout, last)
    follow = falls_in(layout, policy[NEAR], simd.shift_right(number, 8)) & bitboard.any_point(near)
    near, follow = insist_on_shapes(layout, policy[PATTERN], number, near, follow, shapes)
    picked = simd.choose(follow, near, sound)
    vital = choice & find_vital(layout, policy[NAKADE], vacant, roomy, beside_safe | beside_short, opponent)
    picked = insist_on_vital(layout, policy[NAKADE], number, picked, vital)
    return simd.choose(falls_in(layout, policy[URGENT], number) & bitboard.any_point(urgent), urgent, picked)
