"""One draw of a playout in every lane, as board algebra; docs/reference/playout.md defines it.

Sets are of the player to move (`own`) and the other (`opp`). No strings and no liberties are kept: after
each stone one flood finds every stone of either colour that still has a liberty, and captures, suicide and
ko all follow from it.
"""

from __future__ import annotations

import numpy as np

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, knowledge


@kernel(inline=True)
def next_random(a, b, c, counter, one):
    """A number from each lane's stream, and the streams moved on."""
    number = a + b + counter
    return (
        number,
        b ^ simd.shift_right(b, 9),
        c + simd.shift_left(c, 3),
        simd.rotate_left(c, 21) + number,
        counter + one,
    )


@kernel(inline=True)
def candidates(layout, own, opp, barred):
    """Empty points that are no eye of the mover's and not barred (ko, or refused this turn)."""
    board = bitboard.full(layout)
    other = board & ~own
    right, left = bitboard.east(opp), bitboard.west(opp)
    pair, some = right & left, right | left
    above, below = bitboard.north(some), bitboard.south(some)
    # two enemy diagonals spoil an eye inside, one on the border
    spoilt = bitboard.north(pair) | bitboard.south(pair) | (above & below) | ((above | below) & bitboard.border(layout))
    return board & ~(own | opp) & ~barred & (bitboard.beside(other) | spoilt)


@kernel(inline=True)
def alive_stones(layout, own, opp):
    """The stones, of both colours, whose string has a liberty."""
    stones = own | opp
    alive = bitboard.beside(bitboard.full(layout) & ~stones) & stones
    across, upward = bitboard.links_east(own, opp), bitboard.links_north(own, opp)
    passes = 0
    while True:
        alive = bitboard.flood_pass(alive, across, upward)
        passes += 1
        if passes >= bitboard.passes_before_test(layout) and simd.lanes_of(
            bitboard.is_open(alive, across, upward)
        ) == np.uint64(0):
            return alive


@kernel(inline=True)
def step(layout, strict, policy, own, opp, barred, short, last, fresh, number):
    """One draw in every lane: the k-th of the points to draw from played, or a pass where there is none.

    Parameters
    ----------
    strict
        Mask: suicide of several stones is refused too.
    policy
        None to draw from all candidates, or the shares of `knowledge.narrow`.
    own, opp, barred
        Stones of the player to move and of the other, and what that player may not draw.
    short, last, fresh
        With a policy: the short stones and the last move, and the lanes that only look, at their first position.
    number
        A 32-bit number for each lane.

    Returns
    -------
    own, opp, barred, short, last
        The position for the colour to play next (the same colour where the draw was refused).
    move
        The point drawn, alone; nothing where there was no candidate.
    drawn, refused
        Masks: there was a candidate; the turn goes on, because it was refused or the lane only looked.
    """
    choice = candidates(layout, own, opp, barred)
    if policy is not None:
        choice = simd.choose(fresh, bitboard.nothing(layout), choice)
        choice = knowledge.narrow(layout, policy, choice, own, opp, short, last, number)
    running = bitboard.running_counts(choice)
    count = bitboard.last_word(running)
    drawn = simd.is_true(count)
    move = bitboard.nth_point(choice, running, simd.scale(number, count))
    stones = own | move
    if policy is None:
        alive = alive_stones(layout, stones, opp)
    else:
        alive, now_short = knowledge.alive_and_short(layout, stones, opp)
    taken = opp & ~alive
    captures = bitboard.any_point(taken)
    breathless = bitboard.any_point(move & ~alive)
    alone = breathless & ~bitboard.any_point(own & ~alive)
    refused = breathless & ~captures & (alone | strict)
    if policy is not None:
        short = simd.choose(refused, short, now_short)
        refused = refused | fresh
        last = simd.choose(refused, last, move)
    ko = simd.choose(alone & bitboard.one_point(taken), taken, bitboard.nothing(layout))
    kept = simd.choose(captures, stones, stones & alive)
    return (
        simd.choose(refused, own, opp & alive),
        simd.choose(refused, opp, kept),
        simd.choose(refused, barred | move, ko),
        short,
        last,
        move,
        drawn,
        refused,
    )


@kernel(inline=True)
def area(layout, own, opp):
    """Own stones and the empty points with only own stones beside them."""
    board = bitboard.full(layout)
    return own | (board & ~(own | opp) & ~bitboard.beside(board & ~own))


@kernel(inline=True)
def first_players(layout, own_first, opp_first, move, refused):
    """The points that either player was the first to play, for the colour to play next, after a draw of `step`."""
    placed = simd.choose(refused, bitboard.nothing(layout), move)
    mine = own_first | (placed & ~opp_first)
    return simd.choose(refused, own_first, opp_first), simd.choose(refused, opp_first, mine)
