"""One draw of a playout in every lane, as board algebra; docs/reference/playout.md defines it.

Sets are of the player to move (`own`) and the other (`opp`). No strings and no liberties are kept: after
each stone one flood finds every stone of either colour that still has a liberty, and captures, suicide and
ko all follow from it.
"""

from __future__ import annotations

import numpy as np

from foogo.kernels import knowledge, sets, words
from foogo.kernels.jit import kernel


@kernel(inline=True)
def next_random(a, b, c, counter, one):
    """A number from each lane's stream, and the streams moved on."""
    number = a + b + counter
    return (
        number,
        b ^ words.shift_right(b, 9),
        c + words.shift_left(c, 3),
        words.rotate_left(c, 21) + number,
        counter + one,
    )


@kernel(inline=True)
def candidates(layout, own, opp, barred):
    """Empty points that are no eye of the mover's and not barred (ko, or refused this turn)."""
    board = sets.full(layout)
    other = board & ~own
    right, left = sets.east(opp), sets.west(opp)
    pair, some = right & left, right | left
    above, below = sets.north(some), sets.south(some)
    # two enemy diagonals spoil an eye inside, one on the border
    spoilt = sets.north(pair) | sets.south(pair) | (above & below) | ((above | below) & sets.border(layout))
    return board & ~(own | opp) & ~barred & (sets.beside(other) | spoilt)


@kernel(inline=True)
def alive_stones(layout, own, opp):
    """The stones, of both colours, whose string has a liberty."""
    stones = own | opp
    alive = sets.beside(sets.full(layout) & ~stones) & stones
    across, upward = sets.links_east(own, opp), sets.links_north(own, opp)
    passes = 0
    while True:
        alive = sets.flood_pass(alive, across, upward)
        passes += 1
        if passes >= sets.passes_before_test(layout) and words.lanes_of(
            sets.is_open(alive, across, upward)
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
        choice = words.choose(fresh, sets.nothing(layout), choice)
        choice = knowledge.narrow(layout, policy, choice, own, opp, short, last, number)
    running = sets.running_counts(choice)
    count = sets.last_word(running)
    drawn = words.is_true(count)
    move = sets.nth_point(choice, running, words.scale(number, count))
    stones = own | move
    if policy is None:
        alive = alive_stones(layout, stones, opp)
    else:
        alive, now_short = knowledge.alive_and_short(layout, stones, opp)
    taken = opp & ~alive
    captures = sets.any_point(taken)
    breathless = sets.any_point(move & ~alive)
    alone = breathless & ~sets.any_point(own & ~alive)
    refused = breathless & ~captures & (alone | strict)
    if policy is not None:
        short = words.choose(refused, short, now_short)
        refused = refused | fresh
        last = words.choose(refused, last, move)
    ko = words.choose(alone & sets.one_point(taken), taken, sets.nothing(layout))
    kept = words.choose(captures, stones, stones & alive)
    return (
        words.choose(refused, own, opp & alive),
        words.choose(refused, opp, kept),
        words.choose(refused, barred | move, ko),
        short,
        last,
        move,
        drawn,
        refused,
    )


@kernel(inline=True)
def area(layout, own, opp):
    """Own stones and the empty points with only own stones beside them."""
    board = sets.full(layout)
    return own | (board & ~(own | opp) & ~sets.beside(board & ~own))


@kernel(inline=True)
def first_players(layout, own_first, opp_first, move, refused):
    """The points that either player was the first to play, for the colour to play next, after a draw of `step`."""
    placed = words.choose(refused, sets.nothing(layout), move)
    mine = own_first | (placed & ~opp_first)
    return words.choose(refused, own_first, opp_first), words.choose(refused, opp_first, mine)
