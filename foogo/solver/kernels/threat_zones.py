"""Moves of the attacker that would decide at once, and how the defender can answer all of them.

A *threat* is a move of the attacker that makes enough of the board unconditionally his. It does so after most moves of
the defender too. What lives, lives whatever the defender has played. Where he cannot make two eyes, one more stone does
not help him. So he must play on the threat's *zone*: where the threat would be played, or where something that it needs
would change.

- The point of the threat and the empty points next to it; and a liberty of each adjacent string that it does not
  capture. So it captures the same stones. If it captures nothing and has no empty point next to it, a liberty of its
  own string keeps it legal.
- A liberty of each string of the attacker, so that no move outside the zone captures the string. If the threat
  captures nothing, strings that do not live after it may be captured: they enclose nothing that counts.

Against several threats the defender must play in the zones of all of them.

References
----------
C.-C. Shih, T.-R. Wu, T. H. Wei and I.-C. Wu, A Novel Approach to Solving Goal-Achieving Problems for Board Games
(2022), for relevance zones in Go. R. Hayward et al., Solving 7x7 Hex with domination, fill-in, and virtual connections
(2005), for the points that must be played on against several threats.
"""

from __future__ import annotations

from foogo.core.jit import kernel
from foogo.solver.kernels.life import living
from foogo.solver.kernels.positions import count, first, flood, neighbors_of, play_point


@kernel
def points_against_threats(shape, own, other, asked, memory):
    """The points on which the defender, who is to move and has `other`, must play.

    Every other move, and a pass, leaves a threat unanswered. Without a threat it is the whole board.
    """
    must = shape.full
    rest = shape.full & ~(own | other)
    while rest:
        move = first(rest)
        rest &= rest - 1
        after, others, _, legal = play_point(shape, own, other, move, False)
        if not legal:
            continue
        alive, safe = living(shape, after, others, (shape.points + asked + 1) >> 1, memory)
        if 2 * count(safe) - shape.points >= asked:
            needed = own & alive if others == other else own
            must &= _with_liberties(shape, own, other, needed, _zone_of(shape, own, other, move), ~must)
    return must


@kernel
def _zone_of(shape, own, other, move):
    """What a move of `own` needs to be legal and to capture the same stones."""
    stone = 1 << move
    empty = shape.full & ~(own | other | stone)
    beside = neighbors_of(shape, stone) & empty
    zone = stone | beside
    rest = neighbors_of(shape, stone) & other
    while rest:
        string = flood(shape, rest & -rest, other)
        rest &= ~string
        zone = _with_one(zone, neighbors_of(shape, string) & empty, 0)
    if not beside:
        zone = _with_one(zone, neighbors_of(shape, flood(shape, stone, own | stone)) & empty, 0)
    return zone


@kernel
def _with_liberties(shape, own, other, needed, zone, preferred):
    """The zone with a liberty of each string of `own` that has stones in `needed`.

    Any liberty will do: eyes and `preferred` points, already excluded, keep the intersection of the zones small.
    """
    empty = shape.full & ~(own | other)
    preferred |= empty & ~neighbors_of(shape, empty | other)
    rest = needed
    while rest:
        string = flood(shape, rest & -rest, own)
        rest &= ~string
        zone = _with_one(zone, neighbors_of(shape, string) & empty, preferred)
    return zone


@kernel(inline=True)
def _with_one(zone, points, preferred):
    """The zone with at least one of these points, if there are any: a point that it has, or one of `preferred`."""
    if not zone & points:
        if points & preferred:
            points &= preferred
        zone |= points & -points
    return zone
