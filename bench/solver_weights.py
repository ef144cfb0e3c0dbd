"""Fit the weights by which `foogo solve` judges a position that it has not searched.

    python -m bench.solver_weights 3x6

searches the board, and takes the positions that were proven or refuted on the way. It prints the weights of a logistic
regression for each side to move, the number of positions, and the share of them that it judges correctly. The weights
are candidates for `DEFENDED` and `ATTACKED` of `foogo.solver.kernels.linear_evaluation`. What counts is the number of
nodes that larger boards then take.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.solver.kernels.linear_evaluation import FEATURES, features
from foogo.solver.kernels.proof_table import asked_in, is_decided, key_in, numbers_in, position_of
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import Position

MOST = 2_000_000
STEPS = 25


def main() -> None:
    """Search, fit and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board")
    parser.add_argument("--table-mb", type=int, default=1024)
    asked = parser.parse_args()
    rows, cols = map(int, asked.board.split("x"))
    solver = ProofNumberSearch(rows, cols, "draw", table_mb=asked.table_mb)
    value = solver.value([Position()])
    print(f"{asked.board} is worth {value}; {solver.nodes:,} nodes")
    found = np.empty((MOST, FEATURES))
    proven, attacks = np.empty(MOST, np.bool_), np.empty(MOST, np.bool_)
    total = decided(solver.shape, solver.table.entries, value, found, proven, attacks)
    for side, name in ((False, "DEFENDED"), (True, "ATTACKED")):
        rows_of = attacks[:total] == side
        weights = fitted(found[:total][rows_of], proven[:total][rows_of])
        right = np.mean((found[:total][rows_of] @ weights > 0) == proven[:total][rows_of])
        print(f"{name} = {np.round(weights, 2).tolist()}  # {rows_of.sum():,} positions, {right:.1%} right")


@kernel
def decided(shape, entries, asked, found, proven, attacks):  # type: ignore[no-untyped-def]
    """Fill in the features of each decided position, whether it is proven, and who moves; how many there are."""
    total = 0
    for i in range(len(entries)):
        data = entries[i, 1]
        if not is_decided(data) or asked_in(data) != asked or total == len(found):
            continue
        own, other, _, _, attacks[total] = position_of(key_in(entries[i, 0], data))
        proven[total] = numbers_in(data)[0] == 0
        if not attacks[total]:
            own, other = other, own
        features(shape, own, other, asked, found[total])
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
