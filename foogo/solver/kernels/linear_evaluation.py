"""A quick evaluation of a side's chances, used until a search is long enough to teach a network by games.

It is a logistic regression. The weights were fitted to the positions of one board and serve all boards.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.life import has_two_apart
from foogo.solver.kernels.positions import count, flood, in_atari, influence, neighbors_of

DEFENDED = np.array([1.48, 0.31, -0.77, 0.11, -0.73, -0.25, -0.35, 0.29, 0.86, -3.57, 0.55, -0.46, 1.11])
ATTACKED = np.array([0.88, 1.04, -1.55, -0.19, -0.22, -0.21, -0.46, 0.82, 2.01, -1.02, 1.49, -0.37, 0.62])
"""Weights of `features` with the defender, or the attacker, to move.

bench/solver_weights.py fits them. The positions were the 638,626 that a search of 3x6 had decided; its first numbers
came from `influence` alone. Weights fitted to a search that already uses such weights took 1.8 times the nodes on 4x5.
"""

FEATURES = 13


@kernel
def features(shape, own, other, asked, found):
    """Fill `found`, float64[FEATURES], with the features of a position; `own` are the attacker's stones.

    Two that names do not explain: the attacker's influence has added what he does not need of the whole board, and
    points are far from a side if it does not touch them.
    """
    empty = shape.full & ~(own | other)
    far_from_own = shape.full & ~(own | neighbors_of(shape, own))
    far_from_other = shape.full & ~(other | neighbors_of(shape, other))
    found[0] = 1.0
    found[1], found[2] = count(own), count(other)
    found[3] = influence(shape, own, other) + shape.points - asked
    found[4], found[5] = count(far_from_own), count(far_from_other)
    found[6], found[7] = count(neighbors_of(shape, other) & empty), count(neighbors_of(shape, own) & empty)
    found[8], found[9] = count(in_atari(shape, other, empty)), count(in_atari(shape, own, empty))
    found[10], found[11] = has_two_apart(shape, far_from_own), has_two_apart(shape, far_from_other)
    regions, rest = 0, shape.full & ~own
    while rest:
        rest &= ~flood(shape, rest & -rest, rest)
        regions += 1
    found[12] = regions


@kernel
def log_odds(shape, own, other, weights, asked, found):
    """The logarithm of the odds that the attacker, who has `own`, forces `asked`; `found` is scratch."""
    features(shape, own, other, asked, found)
    total = 0.0
    for i in range(FEATURES):
        total += weights[i] * found[i]
    return total
