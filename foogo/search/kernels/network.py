"""A small network: what a position is worth, and how likely each of its moves is.

Every number is a whole one, held in a float32. No sum reaches 2^24 (`foogo.search.network` makes sure), so all
arithmetic is exact, and its bits do not depend on the width of vectors or on the order of additions.

Each point has `CHANNELS` *activations*, from 0 to `MOST`; `ONE` stands for 1. They are computed in layers:

1. The sum of learned rows: of the point's place; of the kinds of its string and of the eight points around it
   (`foogo.search.kernels.position_notes`); and, at a move, of its features from `LAST` to `THREATENED`
   (`foogo.search.kernels.features`).
2. `BLOCKS` times: each channel's sum over the three by three points around, weighted; then of each point all channels,
   weighted, plus all channels' sums over the board, weighted, are added to the point's activations.
3. The logarithm of a move's probability: its activations, weighted. The value: the activations' sums over the points of
   each line from the edge, a layer of `CHANNELS`, and of these two numbers, one of which is multiplied by the komi.

Weights are multiples of 1 / `ONE_WEIGHT`. All are in one table, in the order of `OFFSETS`.
"""

from __future__ import annotations

from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import numbers, reals
from foogo.core.simd import choose
from foogo.core.vectors import LANES, everywhere, load, multiply_add, store, to_float32, to_int32, total_of
from foogo.game.kernels import strings as s
from foogo.search.kernels import features as f
from foogo.search.kernels import position_notes as n

CHANNELS, BLOCKS, TAPS, LINES, OUTPUTS = 32, 2, 9, 5, 3
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
ONE, ONE_WEIGHT = 128, 64
"""What stands for 1 in an activation, and in a weight."""
SUM_SHIFT, LINE_SHIFT = 64, 32
"""Sums over the board, and over a line, are divided by these."""

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

_PLACES, _KINDS, _MOVES, _SPREAD, _SPREAD_BIAS, _MIX, _MIX_BIAS, _BOARD, _POLICY, _HIDDEN, _HIDDEN_BIAS = (
    OFFSETS[name] for name in list(SIZES)[:11]
)
_OUTPUTS, _OUTPUTS_BIAS = OFFSETS["outputs"], OFFSETS["outputs_bias"]

BLOCK_POINTS = 4
"""Points whose channels are mixed at once, so that each weight is loaded once for them."""


class Network(NamedTuple):
    """The weights, and scratch memory."""

    weights: NDArray[np.float32]
    """`WEIGHTS` of them; none if there is no network."""
    kinds: NDArray[np.int32]
    """Of each cell."""
    points: NDArray[np.int32]
    """The cells of the board, and of its last point again up to a multiple of `BLOCK_POINTS`."""
    activations: NDArray[np.float32]
    """Twice `CHANNELS` for each cell: of the points, then between two steps."""
    sums: NDArray[np.float32]
    """(2 + `LINES`) * `CHANNELS`."""


class Opinion(NamedTuple):
    """What the network says of a position."""

    fixed: float
    """The value, as a logarithm of odds to the base 2, were komi 0."""
    of_komi: float
    """What each point of komi that the player to move gives adds to it."""
    passing: float
    """Added to the logarithm of the probability of a pass."""


def new_network(size: int, weights: NDArray[np.float32]) -> Network:
    """A `Network` with scratch memory of its own."""
    span, first = s.span_of.py_func(size), s.first_cell.py_func(size)
    points = [first + point + point // size for point in range(size * size)]
    points += points[-1:] * (-len(points) % BLOCK_POINTS)
    aligned_weights = aligned_zeros(len(weights))
    aligned_weights[:] = weights
    return Network(
        aligned_weights,
        np.zeros(span + 2 * LANES, np.int32),
        np.array(points, np.int32),
        aligned_zeros(2 * (span + 1) * CHANNELS),
        aligned_zeros((2 + LINES) * CHANNELS),
    )


def aligned_zeros(count: int) -> NDArray[np.float32]:
    """Zeros from the border of a cache line on, so that no vector of sixteen lies in two lines."""
    memory = np.zeros(count + LANES - 1, np.float32)
    first = -memory.ctypes.data // 4 % LANES
    return memory[first : first + count]


class Seen(NamedTuple):
    """A position: pointers to the cells of its board, its notes and the features of its moves; the cell of its ko."""

    cells: Any
    notes: Any
    found: Any
    ko: int


@kernel
def consult(network, size, seen, moves, count, logarithms):
    """Add to the logarithms of `count` moves what the network says of each; returns its `Opinion`.

    Parameters
    ----------
    seen
        A `Seen`.
    moves, logarithms
        Pointers: the cells of the moves; a float32 of each move.
    """
    cells, notes, found, ko = seen
    weights, kinds, points = reals(network.weights), numbers(network.kinds), numbers(network.points)
    here, sums = reals(network.activations), reals(network.sums)
    between = (s.span_of(size) + 1) * CHANNELS
    _find_kinds(cells, size, ko, notes, kinds)
    _add_rows(size, kinds, weights, here)
    _add_move_rows(size, moves, count, found, weights, here)
    _clip(size, points, here)
    for block in range(BLOCKS):
        _add_up(size, points, block, weights, here, sums)
        _spread(size, points, block, weights, here, between)
        _mix(size, points, block, weights, here, between, sums)
    lower, upper = load(weights, _POLICY), load(weights, _POLICY + LANES)
    scale = np.float32(1.0 / (ONE * ONE_WEIGHT))
    for i in range(count):
        at = np.int64(moves[i]) * CHANNELS
        found_sum = multiply_add(load(here, at), lower, load(here, at + LANES) * upper)
        logarithms[i] += np.float32(total_of(to_int32(found_sum))) * scale
    return _judge(size, weights, here, sums)


@kernel(inline=True)
def clipped(numbers_of, scale):
    """Numbers times a power of two, without fractions, from 0 to `MOST`."""
    zero, most = everywhere(np.float32(0.0)), everywhere(np.float32(MOST))
    scaled = numbers_of * everywhere(np.float32(scale))
    scaled = choose(scaled > zero, scaled, zero)
    return to_float32(to_int32(choose(scaled > most, most, scaled)))


@kernel(inline=True)
def _find_kinds(cells, size, ko, notes, kinds):
    """The kind of each cell: that of its string, empty, or edge."""
    heads = s.HEAD * s.span_of(size)
    for cell in range((size + 2) * (size + 1) + 1):
        kinds[cell] = np.int32((notes[np.int64(cells[heads + cell])] >> np.uint64(n.KIND)) & np.uint64(n.KINDS - 1))
    if ko != s.NOWHERE:
        kinds[ko] = KO_KIND


@kernel(inline=True)
def _add_rows(size, kinds, weights, here):
    """The rows of places and of kinds."""
    stride = size + 1
    for row in range(size):
        line = min(row, size - 1 - row, LINES - 1)
        for column in range(size):
            other = min(column, size - 1 - column, LINES - 1)
            most, least = max(line, other), min(line, other)
            place = _PLACES + (most * (most + 1) // 2 + least) * CHANNELS
            cell = (row + 1) * stride + column + 1
            lower, upper = load(weights, place), load(weights, place + LANES)
            for tap in range(TAPS):
                kind = np.int64(kinds[cell + (tap // 3 - 1) * stride + tap % 3 - 1])
                at = _KINDS + (tap * KINDS + kind) * CHANNELS
                lower, upper = lower + load(weights, at), upper + load(weights, at + LANES)
            store(here, cell * CHANNELS, lower)
            store(here, cell * CHANNELS + LANES, upper)


@kernel(inline=True)
def _add_move_rows(size, moves, count, found, weights, here):
    """The rows of the features of moves."""
    for i in range(count):
        cell = np.int64(moves[i])
        point = f.index_of(size, cell)
        lower, upper = load(here, cell * CHANNELS), load(here, cell * CHANNELS + LANES)
        for group in range(f.LAST, f.THREATENED + 1):
            at = _MOVES + (np.int64(found[group * f.STRIDE + point]) - f.START[f.LAST]) * CHANNELS
            lower, upper = lower + load(weights, at), upper + load(weights, at + LANES)
        store(here, cell * CHANNELS, lower)
        store(here, cell * CHANNELS + LANES, upper)


@kernel(inline=True)
def _clip(size, points, here):
    for i in range(size * size):
        at = np.int64(points[i]) * CHANNELS
        store(here, at, clipped(load(here, at), 1.0))
        store(here, at + LANES, clipped(load(here, at + LANES), 1.0))


@kernel(inline=True)
def _add_up(size, points, block, weights, here, sums):
    """What all channels' sums over the board add to each point, and the bias; the first `CHANNELS` of `sums`."""
    lower = upper = everywhere(np.float32(0.0))
    for i in range(size * size):
        at = np.int64(points[i]) * CHANNELS
        lower, upper = lower + load(here, at), upper + load(here, at + LANES)
    share = everywhere(np.float32(1.0 / SUM_SHIFT))
    store(sums, CHANNELS, to_float32(to_int32(lower * share)))
    store(sums, CHANNELS + LANES, to_float32(to_int32(upper * share)))
    bias = _MIX_BIAS + block * CHANNELS
    lower, upper = load(weights, bias), load(weights, bias + LANES)
    for channel in range(CHANNELS):
        at, total = _BOARD + (block * CHANNELS + channel) * CHANNELS, everywhere(sums[CHANNELS + channel])
        lower = multiply_add(load(weights, at), total, lower)
        upper = multiply_add(load(weights, at + LANES), total, upper)
    store(sums, 0, lower)
    store(sums, LANES, upper)


@kernel(inline=True)
def _spread(size, points, block, weights, here, between):
    """Each channel's weighted sum over the points around, at `between`."""
    stride, first, bias = size + 1, _SPREAD + block * TAPS * CHANNELS, _SPREAD_BIAS + block * CHANNELS
    for half in range(0, CHANNELS, LANES):
        start = load(weights, bias + half)
        w0, w1, w2 = (
            load(weights, first + half), load(weights, first + CHANNELS + half),
            load(weights, first + 2 * CHANNELS + half),
        )  # fmt: skip
        w3, w4, w5 = (
            load(weights, first + 3 * CHANNELS + half), load(weights, first + 4 * CHANNELS + half),
            load(weights, first + 5 * CHANNELS + half),
        )  # fmt: skip
        w6, w7, w8 = (
            load(weights, first + 6 * CHANNELS + half), load(weights, first + 7 * CHANNELS + half),
            load(weights, first + 8 * CHANNELS + half),
        )  # fmt: skip
        for i in range(size * size):
            at = np.int64(points[i]) * CHANNELS + half
            below, above = at - stride * CHANNELS, at + stride * CHANNELS
            total = multiply_add(load(here, below - CHANNELS), w0, start)
            total = multiply_add(load(here, below), w1, total)
            total = multiply_add(load(here, below + CHANNELS), w2, total)
            total = multiply_add(load(here, at - CHANNELS), w3, total)
            total = multiply_add(load(here, at), w4, total)
            total = multiply_add(load(here, at + CHANNELS), w5, total)
            total = multiply_add(load(here, above - CHANNELS), w6, total)
            total = multiply_add(load(here, above), w7, total)
            total = multiply_add(load(here, above + CHANNELS), w8, total)
            store(here, between + at, clipped(total, 1.0 / ONE_WEIGHT))


@kernel(inline=True)
def _mix(size, points, block, weights, here, between, sums):
    """Add to the activations of each point all channels' sums, weighted."""
    first, many = _MIX + block * CHANNELS * CHANNELS, everywhere(np.float32(ONE_WEIGHT))
    for i in range(0, size * size, BLOCK_POINTS):
        p0, p1 = np.int64(points[i]) * CHANNELS, np.int64(points[i + 1]) * CHANNELS
        p2, p3 = np.int64(points[i + 2]) * CHANNELS, np.int64(points[i + 3]) * CHANNELS
        lower, upper = load(sums, 0), load(sums, LANES)
        a0, b0 = multiply_add(load(here, p0), many, lower), multiply_add(load(here, p0 + LANES), many, upper)
        a1, b1 = multiply_add(load(here, p1), many, lower), multiply_add(load(here, p1 + LANES), many, upper)
        a2, b2 = multiply_add(load(here, p2), many, lower), multiply_add(load(here, p2 + LANES), many, upper)
        a3, b3 = multiply_add(load(here, p3), many, lower), multiply_add(load(here, p3 + LANES), many, upper)
        for channel in range(CHANNELS):
            at = first + channel * CHANNELS
            lower, upper = load(weights, at), load(weights, at + LANES)
            x = everywhere(here[between + p0 + channel])
            a0, b0 = multiply_add(lower, x, a0), multiply_add(upper, x, b0)
            x = everywhere(here[between + p1 + channel])
            a1, b1 = multiply_add(lower, x, a1), multiply_add(upper, x, b1)
            x = everywhere(here[between + p2 + channel])
            a2, b2 = multiply_add(lower, x, a2), multiply_add(upper, x, b2)
            x = everywhere(here[between + p3 + channel])
            a3, b3 = multiply_add(lower, x, a3), multiply_add(upper, x, b3)
        share = 1.0 / ONE_WEIGHT
        store(here, p0, clipped(a0, share))
        store(here, p0 + LANES, clipped(b0, share))
        store(here, p1, clipped(a1, share))
        store(here, p1 + LANES, clipped(b1, share))
        store(here, p2, clipped(a2, share))
        store(here, p2 + LANES, clipped(b2, share))
        store(here, p3, clipped(a3, share))
        store(here, p3 + LANES, clipped(b3, share))


@kernel(inline=True)
def _judge(size, weights, here, sums):
    """The numbers at the end, from the sums over the points of each line."""
    zero = everywhere(np.float32(0.0))
    for half in range(0, CHANNELS, LANES):
        for line in range(LINES):
            store(sums, (2 + line) * CHANNELS + half, zero)
    for row in range(size):
        for column in range(size):
            line = min(row, size - 1 - row, column, size - 1 - column, LINES - 1)
            at, to = ((row + 1) * (size + 1) + column + 1) * CHANNELS, (2 + line) * CHANNELS
            store(sums, to, load(sums, to) + load(here, at))
            store(sums, to + LANES, load(sums, to + LANES) + load(here, at + LANES))
    lower, upper = load(weights, _HIDDEN_BIAS), load(weights, _HIDDEN_BIAS + LANES)
    for i in range(LINES * CHANNELS):
        total = everywhere(np.float32(np.int32(sums[2 * CHANNELS + i] * np.float32(1.0 / LINE_SHIFT))))
        at = _HIDDEN + i * CHANNELS
        lower = multiply_add(load(weights, at), total, lower)
        upper = multiply_add(load(weights, at + LANES), total, upper)
    lower, upper = clipped(lower, 1.0 / ONE_WEIGHT), clipped(upper, 1.0 / ONE_WEIGHT)
    return Opinion(
        _output(weights, 0, lower, upper), _output(weights, 1, lower, upper), _output(weights, 2, lower, upper)
    )


@kernel(inline=True)
def _output(weights, number, lower, upper):
    at = _OUTPUTS + number * CHANNELS
    total = multiply_add(lower, load(weights, at), upper * load(weights, at + LANES))
    whole = np.float32(total_of(to_int32(total))) + weights[_OUTPUTS_BIAS + number]
    return whole * np.float32(1.0 / (ONE * ONE_WEIGHT))
