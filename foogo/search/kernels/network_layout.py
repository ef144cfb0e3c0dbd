"""The layers of the network (`foogo.search.kernels.network`) in numbers, and the order of its weights.

Weights are multiples of 1 / `ONE_WEIGHT`. A file has them in one table, in the order of `SIZES`. The kernels have them
as int32, in the order of `PLACED`: `arranged` puts them there.

A row of channels is a vector of *pairs*: two int16, of an even channel and the odd one after it. A processor
multiplies pairs by pairs and adds both products in one step. So where inputs are weighted and added, two inputs make a
pair of factors, and their weights make a pair for each output. These are two vectors, of the even channels and of the
odd ones.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.search.kernels import features as f
from foogo.search.kernels import position_notes as n

CHANNELS, BLOCKS, TAPS, LINES, OUTPUTS = 32, 4, 9, 5, 3
"""Activations of a point; repetitions of the second layer; the points it sums; lines from the edge that are told apart;
numbers at the end: the value without komi, the value of a point of komi, and the logarithm of a pass's probability."""

KO_KIND, KINDS = n.KINDS, n.KINDS + 1
"""The kind of the point that ko forbids, and the number of kinds of points."""

PLACES = LINES * (LINES + 1) // 2
"""Kinds of places: the lines from the two nearest edges, the farther one first."""

GROUPS = range(f.LAST, f.THREATENED + 1)
MOVE_ROWS = f.START[f.THREATENED + 1] - f.START[f.LAST]

MOST = 1023
"""The largest activation."""
ONE, WEIGHT_BITS = 128, 6
ONE_WEIGHT = 1 << WEIGHT_BITS
"""What stands for 1 in an activation, and in a weight."""
SUM_BITS, LINE_BITS = 6, 5
"""Sums over the board, and over a line, are divided by two to the power of these."""

SIZES = {
    "places": PLACES * CHANNELS,
    "kinds": TAPS * KINDS * CHANNELS,
    "moves": MOVE_ROWS * CHANNELS,
    "spread": BLOCKS * TAPS * CHANNELS,
    "spread_bias": BLOCKS * CHANNELS,
    "mix": BLOCKS * CHANNELS * CHANNELS,
    "mix_bias": BLOCKS * CHANNELS,
    "board": BLOCKS * CHANNELS * CHANNELS,
    "policy": CHANNELS,
    "hidden": LINES * CHANNELS * CHANNELS,
    "hidden_bias": CHANNELS,
    "outputs": OUTPUTS * CHANNELS,
    "outputs_bias": OUTPUTS,
}
"""The numbers of each part of the table of weights; a row of `CHANNELS` for each input, inputs in order."""

OFFSETS = dict(zip(SIZES, accumulate(SIZES.values(), initial=0), strict=False))
WEIGHTS = sum(SIZES.values())

PAIRS = CHANNELS // 2
"""Pairs of a row: one vector of them."""

TAP_PAIRS = ((0, 3), (1, 4), (2, 5), (6, 7), (TAPS, 8))
"""Which two of the three by three points are weighted as a pair. `TAPS` is none of them."""

PLACED = {
    name: {"spread": BLOCKS * 2 * len(TAP_PAIRS) * PAIRS, "outputs_bias": OUTPUTS}.get(
        name, count if name.endswith("_bias") else count // 2
    )
    for name, count in SIZES.items()
}
"""The int32 numbers of each part of the arranged table: biases, or pairs."""

STARTS = dict(zip(PLACED, accumulate(PLACED.values(), initial=0), strict=False))


def arranged(weights: NDArray[Any]) -> NDArray[np.int32]:
    """The weights of a file in the order of the kernels."""
    parts = {name: weights[start : start + SIZES[name]].astype(np.int32) for name, start in OFFSETS.items()}
    spread = np.pad(parts["spread"].reshape(BLOCKS, TAPS, CHANNELS), ((0, 0), (0, 1), (0, 0)))[:, np.ravel(TAP_PAIRS)]
    found = []
    for name, part in parts.items():
        if name == "outputs_bias":
            found.append(part)
        elif name.endswith("_bias"):
            # The kernels drop fractions of these sums; with a half more, that is rounding.
            found.append((part + ONE_WEIGHT // 2).reshape(-1, PAIRS, 2).swapaxes(1, 2))
        elif name in ("spread", "mix", "board", "hidden"):
            of_pairs = (spread if name == "spread" else part).reshape(-1, 2, PAIRS, 2)
            found.append(of_pairs.transpose(0, 3, 2, 1).astype(np.int16, order="C").view(np.int32))
        else:
            found.append(part.astype(np.int16).view(np.int32))
    return np.concatenate([part.ravel() for part in found])
