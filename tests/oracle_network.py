"""The network in whole numbers, from the description in `foogo.search.kernels.network`, one point at a time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracle import Position, on_board

CHANNELS, BLOCKS, LINES = 32, 4, 5
MOST, SHIFT = 1023, 64
FEATURES = ("last", "before", "capture", "escape", "liberties", "atari", "chase", "threatened")
SIZES = (17, 17, 13, 10, 18, 13, 7, 19)
EMPTY, EDGE, KO = 0, 1, 32

Rows = dict[str, Any]


def unpack(weights: Any) -> Rows:
    """The parts of a table of weights, as whole numbers."""
    whole = np.asarray(weights).astype(np.int64)
    shapes = {
        "places": (15,), "kinds": (9, 33), "moves": (sum(SIZES),), "spread": (BLOCKS, 9), "spread_bias": (BLOCKS,),
        "mix": (BLOCKS, CHANNELS), "mix_bias": (BLOCKS,), "board": (BLOCKS, CHANNELS), "policy": (),
        "hidden": (LINES, CHANNELS), "hidden_bias": (), "outputs": (3,),
    }  # fmt: skip
    found, start = {}, 0
    for name, shape in shapes.items():
        count = int(np.prod(shape, dtype=int)) * CHANNELS
        found[name] = whole[start : start + count].reshape(*shape, CHANNELS)
        start += count
    found["outputs_bias"] = whole[start:]
    assert len(found["outputs_bias"]) == 3
    return found


def kind(position: Position, x: int, y: int, ko: int | None) -> int:
    """0 empty, 1 beyond the edge; then own strings, then the other's: liberties, and within them stones."""
    if not on_board(position.size, x, y):
        return EDGE
    point = y * position.size + x
    color = position.color_at(point)
    if not color:
        return KO if point == ko else EMPTY
    string = position.string(point)
    liberties = min(len(position.liberties(point)), 5)
    return 2 + 15 * (color != position.to_play) + 3 * (liberties - 1) + min(len(string), 3) - 1


def lines(size: int, point: int) -> list[int]:
    """The lines from the nearest edges, from 0, the nearer one first."""
    return sorted(min(x, size - 1 - x, LINES - 1) for x in divmod(point, size))


def clip(numbers: Any, divisor: int = 1) -> Any:
    return np.minimum(rounded(np.maximum(numbers, 0), divisor), MOST)


def rounded(numbers: Any, divisor: int) -> Any:
    """The quotients of numbers from 0 on, to the nearest; of a half, the larger."""
    return (numbers + divisor // 2) // divisor


def consult(
    position: Position, ko: int | None, moves: dict[int, dict[str, Any]], rows: Rows
) -> tuple[dict[int, int], list[int]]:
    """What is added for each move, and the three numbers at the end, in 1/8192; `moves` have their features."""
    size = position.size
    here = {}
    for point in range(size * size):
        y, x = divmod(point, size)
        near, far = lines(size, point)
        total = rows["places"][far * (far + 1) // 2 + near].copy()
        for tap, (dy, dx) in enumerate((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)):
            total += rows["kinds"][tap, kind(position, x + dx, y + dy, ko)]
        if point in moves:
            for group, name in enumerate(FEATURES):
                total += rows["moves"][sum(SIZES[:group]) + moves[point][name]]
        here[point] = clip(total)
    for block in range(BLOCKS):
        sums = rounded(sum(here.values()), SHIFT)
        common = rows["mix_bias"][block] + sums @ rows["board"][block]
        spread = {}
        for point in here:
            y, x = divmod(point, size)
            total = rows["spread_bias"][block].copy()
            for tap, (dy, dx) in enumerate((dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)):
                if on_board(size, x + dx, y + dy):
                    total += rows["spread"][block, tap] * here[(y + dy) * size + x + dx]
            spread[point] = clip(total, 64)
        here = {point: clip(64 * here[point] + common + spread[point] @ rows["mix"][block], 64) for point in here}
    of_lines = np.zeros((LINES, CHANNELS), np.int64)
    for point in here:
        of_lines[lines(size, point)[0]] += here[point]
    hidden = clip(rows["hidden_bias"] + np.einsum("li,lio->o", rounded(of_lines, 32), rows["hidden"]), 64)
    ends = [int(hidden @ rows["outputs"][i] + rows["outputs_bias"][i]) for i in range(3)]
    return {point: int(here[point] @ rows["policy"]) for point in moves}, ends
