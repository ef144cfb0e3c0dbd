"""What a side's chances are judged by at first, before a search is so long that games are played to learn more.

The weights are those of logistic regressions on the positions of one board; they serve all.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.board import around, count, flood, has_two_apart, in_atari, nearer

DEFENDED = np.array([1.48, 0.31, -0.77, 0.11, -0.73, -0.25, -0.35, 0.29, 0.86, -3.57, 0.55, -0.46, 1.11])
ATTACKED = np.array([0.88, 1.04, -1.55, -0.19, -0.22, -0.21, -0.46, 0.82, 2.01, -1.02, 1.49, -0.37, 0.62])
"""Weights of `features` with the defender, or the attacker, to move: logistic regressions, as in
bench/solver_weights.py, on the 638,626 positions that a search of 3x6 which began with numbers from `nearer` alone had
decided. Weights fitted to a search that already uses such weights took 1.8 times the nodes on 4x5."""

FEATURES = 13


@kernel
def features(shape, own, other, asked, found):
    """What the attacker's chances are judged by, with `own` the attacker's stones; `found` is float64[FEATURES].

    One; stones of either; who is nearer to how many points, less what is asked beyond the whole board; points that no
    stone of the attacker, of the defender, is on or next to; liberties of the defender, of the attacker; stones in
    atari of either; whether the points counted before have two that are apart; and the regions between the
    attacker's stones.
    """
    empty = shape.full & ~(own | other)
    far_from_own, far_from_other = (
        shape.full & ~(own | around(shape, own)),
        shape.full & ~(other | around(shape, other)),
    )
    found[0] = 1.0
    found[1], found[2] = count(own), count(other)
    found[3] = nearer(shape, own, other) + shape.points - asked
    found[4], found[5] = count(far_from_own), count(far_from_other)
    found[6], found[7] = count(around(shape, other) & empty), count(around(shape, own) & empty)
    found[8], found[9] = count(in_atari(shape, other, empty)), count(in_atari(shape, own, empty))
    found[10], found[11] = has_two_apart(shape, far_from_own), has_two_apart(shape, far_from_other)
    regions, rest = 0, shape.full & ~own
    while rest:
        rest &= ~flood(shape, rest & -rest, rest)
        regions += 1
    found[12] = regions


@kernel
def score(shape, own, other, weights, asked, found):
    """The logarithm of the odds that the attacker, who has `own`, forces what is asked; `found` is scratch."""
    features(shape, own, other, asked, found)
    total = 0.0
    for i in range(FEATURES):
        total += weights[i] * found[i]
    return total
