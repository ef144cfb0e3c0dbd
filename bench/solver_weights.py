"""Fit the weights by which `foogo solve` judges a position that it has not searched.

    python -m bench.solver_weights 3x6

searches the board, takes the positions that were proven or refuted on the way, and prints for each side to move the
weights of a logistic regression, how many positions it had, and the share of them that it judges rightly: candidates
for `DEFENDED` and `ATTACKED` of `foogo.solver.kernels.features`, to be judged by the nodes that larger boards take.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.solver.board import Position
from foogo.solver.forcing import Forcing
from foogo.solver.kernels import features
from foogo.solver.kernels import forcing as kernels
from foogo.solver.kernels.entries import ASKED, key_in, numbers_in
from foogo.solver.kernels.table import OFFSET, field

MOST = 2_000_000
STEPS = 25


def main() -> None:
    """Search, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board")
    parser.add_argument("--table-mb", type=int, default=1024)
    asked = parser.parse_args()
    rows, cols = map(int, asked.board.split("x"))
    solver = Forcing(rows, cols, "draw", table_mb=asked.table_mb)
    value = solver.value([Position()])
    print(f"{asked.board} is worth {value}; {solver.nodes:,} nodes")
    found = np.empty((MOST, features.FEATURES))
    proven, attacks = np.empty(MOST, np.bool_), np.empty(MOST, np.bool_)
    total = decided(solver.shape, solver.table, value, found, proven, attacks)
    for side, name in ((False, "DEFENDED"), (True, "ATTACKED")):
        rows_of = attacks[:total] == side
        weights = fitted(found[:total][rows_of], proven[:total][rows_of])
        right = np.mean((found[:total][rows_of] @ weights > 0) == proven[:total][rows_of])
        print(f"{name} = {np.round(weights, 2).tolist()}  # {rows_of.sum():,} positions, {right:.1%} right")


@kernel
def decided(shape, table, asked, found, proven, attacks):  # type: ignore[no-untyped-def]
    """Fill in features, whether it was proven, and whether the attacker moves, of each decided position; how many."""
    total = 0
    for i in range(len(table)):
        data = table[i, 1]
        key = key_in(table[i, 0], data)
        if data < 0 or field(data, ASKED, 6) != asked + OFFSET or total == len(found):
            continue
        proof, disproof = numbers_in(data)
        if proof and disproof:
            continue
        own, other, _, _, attacks[total] = kernels.position_of(key)
        proven[total] = proof == 0
        if not attacks[total]:
            own, other = other, own
        features.features(shape, own, other, asked, found[total])
        total += 1
    return total


def fitted(found: NDArray[np.float64], proven: NDArray[np.bool_]) -> NDArray[np.float64]:
    """The weights of a logistic regression, by Newton's method."""
    weights = np.zeros(found.shape[1])
    for _ in range(STEPS):
        share = 1 / (1 + np.exp(-np.clip(found @ weights, -30, 30)))
        slope = found.T @ (proven - share) - 0.01 * weights
        curve = (found * (share * (1 - share))[:, None]).T @ found + 0.01 * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    return weights


if __name__ == "__main__":
    main()
