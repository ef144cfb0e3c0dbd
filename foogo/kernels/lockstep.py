"""One draw of a playout in every lane, as board algebra; docs/playout.md defines it.

Sets are of the player to move (`own`) and the other (`opp`). No strings and no liberties are kept: after
each stone one flood finds every stone of either colour that still has a liberty, and captures, suicide and
ko all follow from it.
"""

from __future__ import annotations

import numpy as np

from foogo.kernels import words as w
from foogo.kernels.jit import kernel


@kernel(inline=True)
def next_random(a, b, c, counter, one):
    """A number from each lane's stream, and the streams moved on."""
    number = a + b + counter
    return (
        number,
        b ^ w.shift_right(b, 9),
        c + w.shift_left(c, 3),
        w.rotate_left(c, 21) + number,
        counter + one,
    )


@kernel(inline=True)
def candidates(layout, own, opp, barred):
    """Empty points that are no eye of the mover's and not barred (ko, or refused this turn)."""
    board = w.full(layout)
    other = board & ~own
    right, left = w.east(opp), w.west(opp)
    pair, some = right & left, right | left
    above, below = w.north(some), w.south(some)
    # two enemy diagonals spoil an eye inside, one on the border
    spoilt = w.north(pair) | w.south(pair) | (above & below) | ((above | below) & w.border(layout))
    return board & ~(own | opp) & ~barred & (w.beside(other) | spoilt)


@kernel(inline=True)
def alive_stones(layout, own, opp):
    """The stones, of both colours, whose string has a liberty."""
    stones = own | opp
    alive = w.beside(w.full(layout) & ~stones) & stones
    across, upward = w.links_east(own, opp), w.links_north(own, opp)
    passes = 0
    while True:
        alive = w.flood_pass(alive, across, upward)
        passes += 1
        if passes >= w.passes_before_test(layout) and w.lanes_of(w.is_open(alive, across, upward)) == np.uint64(0):
            return alive


@kernel(inline=True)
def step(layout, strict, own, opp, barred, number):
    """One draw in every lane: the k-th candidate played, or a pass where there is none.

    Parameters
    ----------
    strict
        Mask: suicide of several stones is refused too.
    own, opp, barred
        Stones of the player to move and of the other, and what that player may not draw.
    number
        A 32-bit number for each lane.

    Returns
    -------
    own, opp, barred
        The position for the colour to play next (the same colour where the draw was refused).
    move
        The point drawn, alone; nothing where there was no candidate.
    drawn, refused
        Masks: there was a candidate; it was refused.
    """
    choice = candidates(layout, own, opp, barred)
    running = w.running_counts(choice)
    count = w.last_word(running)
    drawn = w.is_true(count)
    move = w.nth_point(choice, running, w.scale(layout, number, count))
    stones = own | move
    alive = alive_stones(layout, stones, opp)
    taken = opp & ~alive
    captures = w.any_point(taken)
    breathless = w.any_point(move & ~alive)
    alone = breathless & ~w.any_point(own & ~alive)
    refused = breathless & ~captures & (alone | strict)
    ko = w.choose(alone & w.one_point(taken), taken, w.nothing(layout))
    kept = w.choose(captures, stones, stones & alive)
    return (
        w.choose(refused, own, opp & alive),
        w.choose(refused, opp, kept),
        w.choose(refused, barred | move, ko),
        move,
        drawn,
        refused,
    )


@kernel(inline=True)
def area(layout, own, opp):
    """Own stones and the empty points with only own stones beside them."""
    board = w.full(layout)
    return own | (board & ~(own | opp) & ~w.beside(board & ~own))
