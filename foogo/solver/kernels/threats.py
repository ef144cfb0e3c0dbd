"""Moves of the attacker that would decide at once, and what the defender can do about all of them.

If a move of the attacker makes so much of the board unconditionally his that he has what he asks for, it does so after
most moves of the defender too: what lives lives whatever the defender has played, and where he cannot have two eyes he
cannot have them with one stone more. He must play where that move would be made or something that it needs would be
changed: those points are the *zone* of the threat.

- The point of the move and the empty points beside it, and a liberty of each string beside it that it does not
  capture, so that it captures the same stones; if it takes no other's, and has no empty point beside it, a liberty of
  its own string, so that it is legal.
- A liberty of each of the attacker's strings, so that no move outside the zone captures one. If the threat captures
  nothing, strings that do not live after it may be captured: they enclose nothing that counts.

Against several threats the defender must play in the zones of all of them.

References
----------
C.-C. Shih, T.-R. Wu, T. H. Wei and I.-C. Wu, A Novel Approach to Solving Goal-Achieving Problems for Board Games
(2022), for relevance zones in Go. R. Hayward et al., Solving 7x7 Hex with domination, fill-in, and virtual connections
(2005), for the points that must be played on against several threats.
"""

from __future__ import annotations

from foogo.core.jit import kernel
from foogo.solver.kernels.board import around, count, first, flood, living, play_point


@kernel
def points_against_threats(shape, own, other, asked, regions):
    """Where the defender, who is to move and has `other`, must play: every other move, or a pass, leaves a threat.

    `regions` is the scratch of `living`. Without a threat it is the whole board.
    """
    must = shape.full
    rest = shape.full & ~(own | other)
    while rest:
        move = first(rest)
        rest &= rest - 1
        after, others, _, legal = play_point(shape, own, other, move, False)
        if not legal:
            continue
        alive, safe = living(shape, after, others, False, (shape.points + asked + 1) >> 1, regions)
        if 2 * count(safe) - shape.points >= asked:
            needed = own & alive if others == other else own
            must &= _with_liberties(shape, own, other, needed, _zone_of(shape, own, other, move), ~must)
    return must


@kernel
def _zone_of(shape, own, other, move):
    """What a move of `own` needs to be legal and to capture the same stones."""
    stone = 1 << move
    empty = shape.full & ~(own | other | stone)
    beside = around(shape, stone) & empty
    zone = stone | beside
    rest = around(shape, stone) & other
    while rest:
        string = flood(shape, rest & -rest, other)
        rest &= ~string
        zone = _with_one(zone, around(shape, string) & empty, 0)
    if not beside:
        zone = _with_one(zone, around(shape, flood(shape, stone, own | stone)) & empty, 0)
    return zone


@kernel
def _with_liberties(shape, own, other, needed, zone, better):
    """The zone with a liberty of each string of `own` that has stones in `needed`: eyes or points of `better` first."""
    empty = shape.full & ~(own | other)
    better |= empty & ~around(shape, empty | other)
    rest = needed
    while rest:
        string = flood(shape, rest & -rest, own)
        rest &= ~string
        zone = _with_one(zone, around(shape, string) & empty, better)
    return zone


@kernel(inline=True)
def _with_one(zone, points, better):
    """The zone with at least one of these points, if there are any; if it has none yet, one of `better` if possible."""
    if not zone & points:
        if points & better:
            points &= better
        zone |= points & -points
    return zone
