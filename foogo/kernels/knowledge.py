"""What a player sees at a glance, for the whole board of every lane: strings short of liberties, and moves about them.

docs/playout.md defines the policy `knowledge`; `policy` here is its pair of shares, in 1/256.
"""

from __future__ import annotations

import numpy as np

from foogo.kernels import sets, words
from foogo.kernels.jit import kernel

URGENT, NEAR = range(2)
"""The shares of a policy: how often an urgent move is insisted on, and a move near the last one."""


@kernel(inline=True)
def beside_two(marked):
    """The points with two or more neighbours in the set; bits outside the board may be dirty."""
    right, left, up, down = sets.east(marked), sets.west(marked), sets.north(marked), sets.south(marked)
    return (right & left) | (up & down) | ((right | left) & (up | down))


@kernel(inline=True)
def around(layout, marked):
    """The set and the up to eight points about each of its points."""
    board = sets.full(layout)
    row = (marked | sets.east(marked) | sets.west(marked)) & board
    return (row | sets.north(row) | sets.south(row)) & board


@kernel(inline=True)
def alive_and_short(layout, own, opp):
    """The stones whose string has a liberty, and the stones whose string is short.

    A string is short if all its liberties are of one parity of row + column and no stone of it has two empty
    neighbours. Every string in atari is. Two floods in one loop: from liberties of even and of odd parity.
    """
    stones = own | opp
    vacant = sets.full(layout) & ~stones
    ample = beside_two(vacant)
    breathing = sets.beside(vacant)
    even = (ample | (breathing & sets.checkered(layout))) & stones
    odd = (ample | (breathing & ~sets.checkered(layout))) & stones
    across, upward = sets.links_east(own, opp), sets.links_north(own, opp)
    passes = 0
    while True:
        even = sets.flood_pass(even, across, upward)
        odd = sets.flood_pass(odd, across, upward)
        passes += 1
        if passes >= sets.passes_before_test(layout):
            unfinished = sets.is_open(even, across, upward) | sets.is_open(odd, across, upward)
            if words.lanes_of(unfinished) == np.uint64(0):
                return even | odd, even ^ odd


@kernel(inline=True)
def narrow(layout, policy, choice, own, opp, short, last, number):
    """The candidates that the policy draws from: urgent ones, ones near the last move, or all that are sound.

    Parameters
    ----------
    policy
        The shares `URGENT` and `NEAR`, int64, 0 to 256.
    short, last
        The short stones of both colours, and the last move.
    number
        The lane's 32-bit number; its low bits decide, its high bits draw.
    """
    vacant = sets.full(layout) & ~(own | opp)
    captures = choice & sets.beside(opp & short)
    useful = beside_two(vacant) | sets.beside(own & ~short)
    urgent = captures | (choice & useful & sets.beside(own & short))
    sound = choice & (useful | captures)
    sound = words.choose(sets.any_point(sound), sound, choice)
    near = sound & around(layout, last)
    low = words.ints32(layout, 255)
    insist = (number & low) < words.ints32(layout, policy[URGENT])
    follow = (words.shift_right(number, 8) & low) < words.ints32(layout, policy[NEAR])
    picked = words.choose(follow & sets.any_point(near), near, sound)
    return words.choose(insist & sets.any_point(urgent), urgent, picked)
