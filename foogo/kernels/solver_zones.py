"""Which moves of the defender can matter: zones of proofs.

A proof that the attacker forces what is asked has a *zone*: empty points that must stay free of further stones of the
defender. Take a position in which the attacker has just the same stones, and the defender the same and any others,
none of them in the zone, with the same player to move and the same ko: the attacker forces it there too, by the same
moves. So if the attacker has a proof after the defender passes, every move of the defender outside its zone (with what
`zone_of_pass` adds to it) is answered as the pass is, and need not be searched.

- Where `living` decides, the zone is empty: what lives lives whatever the defender plays, and where he cannot have two
  eyes he cannot have them with more stones.
- Before a move of the attacker it has that point, the empty points beside it, and a liberty of each string beside it
  that is not captured: the move is legal then, and captures the same stones.
- Before a move of the defender it has a liberty of each string of the attacker's that the move might capture with the
  help of further stones, and does not without.
- Where it matters how the board is counted after two passes, there is no zone; the whole board stands for that.

References
----------
C.-C. Shih, T.-R. Wu, T. H. Wei and I.-C. Wu, A Novel Approach to Solving Goal-Achieving Problems for Board Games
(2022), for relevance zones in Go; there what is outside may change in any way, so that zones are larger. R. Hayward et
al., Solving 7x7 Hex with domination, fill-in, and virtual connections (2005), for the points that must be played on
against several threats.
"""

from __future__ import annotations

from foogo.kernels.jit import kernel
from foogo.kernels.solver_board import around, count, first, flood, living, play_point


@kernel(inline=True)
def zone_at_once(shape, own, other, asked, regions):
    """The zone of a position that `certain` says the attacker, who has `own`, has won."""
    return 0 if _is_safe(shape, own, other, asked, regions)[0] else shape.full


@kernel(inline=True)
def _is_safe(shape, own, other, asked, regions):
    """Whether unconditional life alone gives `own` what is asked, and the stones of it that live."""
    alive, safe = living(shape, own, other, False, (shape.points + asked + 1) >> 1, regions)
    return 2 * count(safe) - shape.points >= asked, alive


@kernel
def zone_before(shape, own, other, move, zone):
    """The zone before a move of the attacker, who has `own`, from that after it."""
    stone = 1 << move
    empty = shape.full & ~(own | other | stone)
    beside = around(shape, stone) & empty
    zone = zone_with(shape, other, own, move, zone | stone | beside)
    if not beside:
        # legal by what it captures or by a liberty of the whole string
        zone = _with_one(zone, around(shape, flood(shape, stone, own | stone)) & empty, 0)
    return zone & ~(own | other)


@kernel
def zone_with(shape, own, other, move, zone):
    """The zone with a liberty of each string of `own` beside a move of `other` that it does not capture."""
    stone = 1 << move
    empty = shape.full & ~(own | other | stone)
    rest = around(shape, stone) & own
    while rest:
        string = flood(shape, rest & -rest, own)
        rest &= ~string
        zone = _with_one(zone, around(shape, string) & empty, 0)
    return zone


@kernel
def zone_of_pass(shape, own, other, zone):
    """The zone that the defender must play in, from that after his pass: no move outside it captures any of `own`."""
    return _with_liberties(shape, own, other, own, zone, 0)


@kernel
def _with_liberties(shape, own, other, which, zone, better):
    """The zone with a liberty of each string of `own` that has stones in `which`: an eye or one of `better`, if any."""
    empty = shape.full & ~(own | other)
    better |= empty & ~around(shape, empty | other)
    rest = which
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


@kernel
def threats(shape, own, other, asked, regions):
    """What moves of the attacker, who has `own`, decide at once if the defender, who is to move, does not see to it.

    Returns
    -------
    tuple of int
        The points that the defender must play on, as each other move leaves one of the threats; the whole board if
        there is none. And the zone of what is left: proofs after those moves are still to be added.
    """
    must, zones = shape.full, 0
    rest = shape.full & ~(own | other)
    while rest:
        move = first(rest)
        rest &= rest - 1
        after, others, _, legal = play_point(shape, own, other, move, False)
        if not legal:
            continue
        decides, alive = _is_safe(shape, after, others, asked, regions)
        if decides:
            zone = zone_before(shape, own, other, move, 0)
            # if nothing is captured, strings that do not live may be: they enclose nothing that counts
            zone = _with_liberties(shape, own, other, own & alive if others == other else own, zone, ~must)
            if must & ~zone:
                must &= zone
                zones |= zone
    return must, zones
