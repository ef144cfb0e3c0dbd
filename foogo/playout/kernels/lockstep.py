"""One draw of a playout in every lane, as board algebra; docs/reference/playout.md defines it.

Sets are seen from the player to move. No strings and no liberties are kept. After each stone one flood finds every
stone, of either colour, that still has a liberty. Captures, suicide and ko all follow from that set.

The same source is compiled for the processor's vectors, for one game in plain words, and for the threads of a GPU.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from foogo.core import products, simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, liberties, narrowing, sight


class Position(NamedTuple):
    """The position in each lane, as sets of points.

    Attributes
    ----------
    own, opponent
        Stones of the player to move, and of the other player.
    forbidden
        Points that the player to move may not draw: the ko point, and the points refused earlier in this turn.
    short
        With a policy that looks at them: the stones of both colours whose string is short of liberties, see
        `liberties.alive_and_short`.
    last
        With a policy: the last move; empty after a pass and at the start.
    before_last
        With a policy that looks at it: the move before the last one; empty likewise.
    """

    own: Any
    opponent: Any
    forbidden: Any
    short: Any
    last: Any
    before_last: Any


class Stream(NamedTuple):
    """The state of each lane's random stream, sfc32: four 32-bit integers; see `foogo.core.stream`."""

    a: Any
    b: Any
    c: Any
    counter: Any


class Draw(NamedTuple):
    """The outcome of one draw in each lane.

    Attributes
    ----------
    point
        The point drawn, alone; nothing where there was no candidate.
    found
        Mask: there was a candidate. Where there was none, the player passes.
    refused
        Mask: the turn goes on, since the move was refused or the lane only looked at its first position.
    """

    point: Any
    found: Any
    refused: Any


class Progress(NamedTuple):
    """The progress of the game in each lane, as integers.

    Attributes
    ----------
    turn
        0 if Black is to move, 1 if White is.
    moves
        Stones placed so far.
    passed
        1 if the last turn was a pass.
    """

    turn: Any
    moves: Any
    passed: Any


@kernel(inline=True)
def next_random(layout, stream):
    """A number from each lane's stream, and the streams after it."""
    a, b, c, counter = stream
    number = a + b + counter
    following = Stream(
        b ^ simd.shift_right(b, 9),
        c + simd.shift_left(c, 3),
        simd.rotate_left(c, 21) + number,
        counter + simd.ints32(layout, 1),
    )
    return number, following


@kernel(inline=True)
def candidates(layout, own, opponent, forbidden):
    """The empty points that the mover may draw: not forbidden, no eye of the mover's, and no certain suicide."""
    board = bitboard.full(layout)
    # An eye has only own stones and the edge beside it. An enemy stone on a diagonal spoils it at the border, two
    # spoil it elsewhere. The diagonals of a point are the steps north and south of those east and west, so the two
    # may lie on one row (`pair`) or on both (`above & below`).
    right, left = bitboard.east(opponent), bitboard.west(opponent)
    pair, either = right & left, right | left
    above, below = bitboard.north(either), bitboard.south(either)
    spoilt = bitboard.north(pair) | bitboard.south(pair) | (above & below) | ((above | below) & bitboard.border(layout))
    vacant = board & ~(own | opponent)
    allowed = vacant & ~forbidden & ~certain_suicides(layout, opponent, vacant)
    return allowed & (bitboard.beside(vacant) | bitboard.beside(opponent) | spoilt)


@kernel(inline=True)
def certain_suicides(layout, opponent, vacant):
    """The empty points whose neighbours are all secured stones of the opponent; docs/reference/playout.md defines it.

    A step leads from a stone to a neighbour of its colour. `reached` first holds the stones one step from a stone with
    a liberty, and the stones with two liberties. Two more steps make that three steps and two.
    """
    # Why the point does not capture: it differs in the parity of row + column from the stone beside it. After an odd
    # number of steps, a liberty has the stone's parity, so it is another point. After an even number, there are two.
    breathing, roomy = opponent & bitboard.beside(vacant), opponent & liberties.beside_two(vacant)
    reached = (opponent & bitboard.beside(breathing)) | roomy
    reached = opponent & bitboard.beside(reached)
    secured = (opponent & bitboard.beside(reached)) | roomy
    return vacant & ~bitboard.beside(bitboard.full(layout) & ~secured)


@kernel(inline=True)
def step(layout, no_suicide, policy, position, fresh, number):
    """One draw in every lane: play the k-th of the points to draw from, or pass if there are none.

    Parameters
    ----------
    no_suicide
        Mask: suicide of several stones is refused, as that of one stone always is.
    policy
        None to draw from all candidates, or a `narrowing.Written`.
    position
        A `Position`.
    fresh
        Mask, with a policy: lanes at the start of a game. They draw nothing and only find their short stones.
    number
        A 32-bit number for each lane.

    Returns
    -------
    Position
        For the colour to play next, which is the same colour where the draw was refused.
    Draw
    """
    own, opponent, forbidden, short, last, before_last = position
    choice = candidates(layout, own, opponent, forbidden)
    if policy is not None:
        choice = simd.choose(fresh, bitboard.nothing(layout), choice)
        view = sight.View(own, opponent, choice, forbidden, short, last, before_last, number)
        choice = narrowing.narrow(layout, policy, view)
    running = bitboard.running_counts(choice)
    count = bitboard.last_count(running)
    found = simd.is_true(count)
    move = bitboard.nth_point(choice, running, products.scale(number, count))
    stones = own | move
    if policy is None:
        alive = liberties.alive_stones(layout, stones, opponent)
    else:
        alive, now_short = narrowing.alive_and_short(layout, policy, stones, opponent)
    taken = opponent & ~alive
    captures = bitboard.any_point(taken)
    # A move without a liberty that captures nothing is suicide: of one stone if no other own stone lost its last one.
    breathless = bitboard.any_point(move & ~alive)
    alone = breathless & ~bitboard.any_point(own & ~alive)
    refused = breathless & ~captures & (alone | no_suicide)
    if policy is not None:
        short = simd.choose(refused, short, now_short)
        refused = refused | fresh
        before_last = narrowing.before_last(layout, policy, position, refused, fresh)
        last = simd.choose(refused, last, move)
    # `alive` was computed before captures were removed. So a capturing stone without a liberty there has only the
    # points it captured as liberties. If it captured exactly one stone, that is a ko.
    ko = simd.choose(alone & bitboard.one_point(taken), taken, bitboard.nothing(layout))
    kept = simd.choose(captures, stones, stones & alive)
    following = Position(
        simd.choose(refused, own, opponent & alive),
        simd.choose(refused, opponent, kept),
        simd.choose(refused, forbidden | move, ko),
        short,
        last,
        before_last,
    )
    return following, Draw(move, found, refused)


@kernel(inline=True)
def advance(layout, progress, draw, limit):
    """The progress after a draw of `step`, and the lanes whose game has ended: by two passes or at the move limit.

    A refused draw changes nothing.
    """
    passes = simd.one_where(layout, ~draw.found)
    moves = progress.moves + simd.one_where(layout, draw.found & ~draw.refused)
    turn = progress.turn ^ simd.one_where(layout, ~draw.refused)
    ended = simd.is_true(passes & progress.passed) | (moves >= limit)
    return Progress(turn, moves, simd.choose(draw.refused, progress.passed, passes)), ended


@kernel(inline=True)
def area(layout, own, opponent):
    """Own stones and the empty points with only own stones beside them."""
    board = bitboard.full(layout)
    return own | (board & ~(own | opponent) & ~bitboard.beside(board & ~own))


@kernel(inline=True)
def first_players(layout, own_first, opponent_first, draw):
    """The points that either player was the first to play, for the colour to play next, after a draw of `step`."""
    placed = simd.choose(draw.refused, bitboard.nothing(layout), draw.point)
    mine = own_first | (placed & ~opponent_first)
    return simd.choose(draw.refused, own_first, opponent_first), simd.choose(draw.refused, opponent_first, mine)
