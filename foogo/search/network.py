"""The weights of the search's network, by board size, and their file.

They were fitted to games of the search against itself: bench/learn_network.py plays the games and fits them.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.core.archives import read_arrays
from foogo.errors import NetworkFileError
from foogo.game.geometry import MAX_SIZE, MIN_SIZE
from foogo.search.kernels import network_layout as n

FORMAT = 2
"""The version of the file, to be changed with the inputs, the layers or the order of the weights."""

MOST_FACTOR, MOST_SUM = (1 << 15) - 1, (1 << 31) - 1
"""What fits into the halves of a pair, and into a sum of products."""

NO_NETWORK = np.empty(0, np.int32)
"""In place of the weights where there is no network."""

FOLDER = Path(__file__).parent
"""Of the files."""

FITTED = 9, 13, 19
"""The sizes of board that networks were fitted to."""


@cache
def network_weights(size: int) -> NDArray[np.int32]:
    """The weights for a board of that size, as the kernels have them (`foogo.search.kernels.network_layout.arranged`).

    They are those fitted to the nearest size. `NO_NETWORK` if the file cannot be used: a line on stderr then says why.
    """
    fitted = min(FITTED, key=lambda other: abs(other - size))
    try:
        return n.arranged(read_weights(FOLDER / f"network-{fitted}x{fitted}.npz", size))
    except NetworkFileError as error:
        print(f"foogo: the search goes on without its network: {error}", file=sys.stderr)
        return NO_NETWORK


def read_weights(path: Path, size: int) -> NDArray[np.int32]:
    """The weights in a file, in its order, for a board of that size; raises a `NetworkFileError`.

    If they were fitted to another size, what the network sums over the board is divided by the ratio of the areas.
    """
    try:
        found = read_arrays(path)
    except ValueError as error:
        raise NetworkFileError(f"{path} cannot be read as a network ({error})") from None
    for name in ("format", "size", "weights"):
        if name not in found:
            raise NetworkFileError(f"{path} is not a network's: it has no {name}")
    for name, least, most in (("format", FORMAT, FORMAT), ("size", MIN_SIZE, MAX_SIZE)):
        if found[name].shape or found[name] not in range(least, most + 1):
            right = least if least == most else f"{least} to {most}"
            raise NetworkFileError(f"{path} is of {name} {found[name]}: {right} is needed")
    weights = found["weights"]
    if weights.shape != (n.WEIGHTS,) or weights.dtype != np.int32:
        found_shape = f"{weights.dtype} weights of shape {weights.shape}"
        raise NetworkFileError(f"{path} has {found_shape}: {n.WEIGHTS} of int32 are needed")
    board = parts_of(weights)["board"]
    board[:] = np.rint(board * (found["size"] / size) ** 2)
    share = largest_share(weights, size)
    if share > 1:
        raise NetworkFileError(f"the weights of {path} are too large: a number may reach {share:.3g} times its limit")
    return np.asarray(weights)


def write_weights(path: Path, size: int, weights: NDArray[np.int32]) -> None:
    """Store the weights for a board of that size."""
    np.savez_compressed(path, format=FORMAT, size=size, weights=weights)


def parts_of(weights: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The parts of a table of weights, each with rows of `CHANNELS`, the last one flat."""
    found = {name: weights[start : start + n.SIZES[name]] for name, start in n.OFFSETS.items()}
    return {name: part if name == "outputs_bias" else part.reshape(-1, n.CHANNELS) for name, part in found.items()}


def largest_share(weights: NDArray[np.int32], size: int) -> float:
    """No number of the network is larger than this share of what it may be, whatever the position."""
    parts = {name: abs(part.astype(np.int64)) for name, part in parts_of(weights).items()}
    kinds = parts["kinds"].reshape(n.TAPS, n.KINDS, n.CHANNELS)
    factors = [parts[name] for name in ("spread", "mix", "board", "policy", "hidden", "outputs")]
    factors += [parts["places"].max(0) + kinds.max(1).sum(0) + len(n.GROUPS) * parts["moves"].max(0)]
    spread, mix, board = (parts[name].reshape(n.BLOCKS, -1, n.CHANNELS).sum(1) for name in ("spread", "mix", "board"))
    half = n.ONE_WEIGHT // 2
    sums = [spread * n.MOST + parts["spread_bias"] + half]
    of_board = parts["mix_bias"] + half + board * (1 + (size * size * n.MOST >> n.SUM_BITS))
    sums += [of_board + n.ONE_WEIGHT * n.MOST + mix * n.MOST]
    sums += [
        n.MOST * parts["policy"].sum(1),
        parts["hidden_bias"] + half + parts["hidden"].sum(0) * _most_of_line(size),
    ]
    sums += [n.MOST * parts["outputs"].sum(1) + parts["outputs_bias"]]
    return max(
        *(float(one.max() / MOST_FACTOR) for one in factors),
        *(float(one.max() / MOST_SUM) for one in sums),
    )


def _most_of_line(size: int) -> int:
    """The largest sum over the points of one line, as the network uses it."""
    counts = np.zeros(n.LINES, np.int64)
    for point in range(size * size):
        row, column = divmod(point, size)
        counts[min(row, size - 1 - row, column, size - 1 - column, n.LINES - 1)] += 1
    return 1 + (int(counts.max()) * n.MOST >> n.LINE_BITS)
