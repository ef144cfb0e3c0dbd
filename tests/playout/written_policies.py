"""Policies for tests, which together use every operation."""

from __future__ import annotations

from foogo import playout_policy

GAMMAS = (8.0, 4.0, 2.0)
FOURTH = 4


@playout_policy
def captures_first(see, pick, capture=0.8, near=0.3):
    """A policy of ten lines, with two weights."""
    taking = see.beside(see.opponent & see.short)
    return pick.often(capture, taking) or pick.often(near, see.around(see.last_move)) or see.candidates


@playout_policy
def everything(see, pick, gammas=GAMMAS, most=9.5):
    """Every operation but one, each as a class of its own."""
    taking = see.beside(see.in_atari & see.opponent)
    escape = see.beside(see.strings(see.last_move) & see.opponent) & see.empty
    corner = see.line(1) & (see.north(see.line(1)) ^ see.east(see.line(2)))
    low = see.candidates & (see.south(see.own) | see.west(see.opponent))
    odd = see.odd & ~see.beside_two(see.own)
    grown = see.last_move
    for _ in range(FOURTH - 2):
        grown |= see.around(grown)
    quiet = see.where(see.before_last, see.around(see.before_last), see.board)
    if most > 9 and not gammas[1] < 0:
        grown = grown & see.board
    return pick.weighted(
        (most, taking), (gammas[0], escape), (gammas[1] * 0.5, corner), (gammas[2], low), (1, odd), (0.25, grown),
        (3.0, quiet), (7.0, see.vital), (6.0, see.shaped), (0.0, see.own), (2.5, see.line(2)), (2.5, see.line(FOURTH)),
        (1.5, see.beside(see.forbidden)), (min(gammas[0], 0.5), see.candidates), (5.0, see.in_atari),
        (0.125, see.empty), (abs(-2.0), see.beside_two(see.opponent)),
    ) or see.candidates  # fmt: skip


@playout_policy
def edges(see, pick):
    """No weights, no short strings, and an end without a set of its own."""
    return pick.often(0.9, see.line(1)) or pick.often(0.5, see.beside(see.last_move))


@playout_policy
def fitting(see, pick):
    """Patterns of the user's own, with every sign."""
    hane = see.fits("XOX ... ???") & see.around(see.last_move)
    edge = see.fits("x.X ?.? ###")
    cut = see.fits("""
        XO?
        O.o
        ?o?
    """)
    alone = see.fits("... ... ...")
    return pick.often(0.9, hane | cut) or pick.often(0.8, edge) or pick.often(0.5, alone)


@playout_policy
def off_board(see, pick, share=0.7):
    """Sets with bits off the board that must not be moved, tested or drawn; names with several values."""
    moved = see.east(~see.own)
    if share > 0.5:
        moved = see.beside(see.north(moved) ^ see.board)
    for _ in range(2):
        moved = see.south(moved) | see.beside_two(~moved)
    nothing = see.west(~see.board) or see.beside(~see.board)
    far = see.where(~see.board, see.own, moved) ^ (see.around(see.before_last) if share < 0.8 else see.empty)
    return pick.often(share, nothing | far) or (see.candidates & moved) or pick.often(0.5, see.shaped | ~see.line(2))


@playout_policy
def knowledge(see, pick, urgent=205 / 256, near=77 / 256):
    """The built-in policy of that name."""
    captures = see.beside(see.opponent & see.short)
    useful = see.beside_two(see.empty) | see.beside(see.own & ~see.short)
    escapes = useful & see.beside(see.own & see.short)
    sound = see.candidates & (useful | captures) or see.candidates
    following = sound & see.around(see.last_move)
    return pick.often(urgent, captures | escapes, 0) or pick.often(near, following, 1) or sound


@playout_policy
def patterns(see, pick, urgent=205 / 256, near=77 / 256, pattern=128 / 256, nakade=192 / 256):
    """The built-in policy of that name."""
    captures = see.beside(see.opponent & see.short)
    useful = see.beside_two(see.empty) | see.beside(see.own & ~see.short)
    urgently = captures | useful & see.beside(see.own & see.short)
    sound = see.candidates & (useful | captures) or see.candidates
    following = sound & see.around(see.last_move)
    shaped = following & see.shaped
    tactical = pick.often(urgent, urgently, 0) or pick.often(nakade, see.vital, 0)
    return tactical or pick.often(pattern, shaped, 2) or pick.often(near, following, 1) or sound
