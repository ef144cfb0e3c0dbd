"""A small network: what a position is worth, and how likely each of its moves is.

Every number is a whole one. Factors have 16 bits and sums 32, and all fit (`foogo.search.network` makes sure). So all
arithmetic is exact, and its bits do not depend on the width of vectors or on the order of additions.

Each point has `CHANNELS` *activations*, from 0 to `MOST`; `ONE` stands for 1. They are computed in layers:

1. The sum of learned rows: of the point's place; of the kinds of its string and of the eight points around it
   (`foogo.search.kernels.position_notes`); and, at a move, of its features from `LAST` to `THREATENED`
   (`foogo.search.kernels.features`).
2. `BLOCKS` times: each channel's sum over the three by three points around, weighted; then of each point all channels,
   weighted, plus all channels' sums over the board, weighted, are added to the point's activations.
3. The logarithm of a move's probability: its activations, weighted. The value: the activations' sums over the points of
   each line from the edge, then a layer of `CHANNELS`, then two numbers. One of these is multiplied by the komi.

`foogo.search.kernels.network_layout` has the names in capitals, and the order of the weights.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel
from foogo.core.pointers import numbers
from foogo.core.simd import choose, shift_left, shift_right
from foogo.core.vectors import LANES, add_pairs, clip_pairs, everywhere, load, multiply_pairs, store, total_of
from foogo.game.kernels import strings as s
from foogo.search.kernels import features as f
from foogo.search.kernels import position_notes as n
from foogo.search.kernels.network_layout import (
    BLOCKS,
    CHANNELS,
    KINDS,
    KO_KIND,
    LINE_BITS,
    LINES,
    MOST,
    ONE,
    ONE_WEIGHT,
    PAIRS,
    STARTS,
    SUM_BITS,
    TAP_PAIRS,
    TAPS,
    WEIGHT_BITS,
)

_PLACES, _KINDS, _MOVES, _SPREAD, _SPREAD_BIAS, _MIX, _MIX_BIAS, _BOARD, _POLICY, _HIDDEN, _HIDDEN_BIAS = (
    STARTS[name] for name in list(STARTS)[:11]
)
_OUTPUTS, _OUTPUTS_BIAS = STARTS["outputs"], STARTS["outputs_bias"]

SAFE_ROWS = 64
"""Rows of activations whose sum fits into the halves of pairs."""

BLOCK_POINTS = 4
"""Points whose channels are mixed at once, so that each weight is loaded once for them."""


class Network(NamedTuple):
    """The weights, and scratch memory; all int32."""

    weights: NDArray[np.int32]
    """As `arranged` returns them; none if there is no network."""
    kinds: NDArray[np.int32]
    """Of each cell, times `PAIRS`."""
    points: NDArray[np.int32]
    """The cells of the board by lines from the edge, and the last cell again up to a multiple of `BLOCK_POINTS`."""
    places: NDArray[np.int32]
    """The kind of place of each point."""
    line_ends: NDArray[np.int32]
    """How many of `points` lie on none of the lines, on the first, on the first two, and so on up to `LINES`."""
    activations: NDArray[np.int32]
    """Twice `PAIRS` for each cell: of the points, then between two steps. Those beyond the edge stay 0."""
    sums: NDArray[np.int32]
    """`LINES` times `PAIRS`."""


class Opinion(NamedTuple):
    """What the network says of a position."""

    fixed: float
    """The value, as a logarithm of odds to the base 2, were komi 0."""
    of_komi: float
    """What each point of komi that the player to move gives adds to it."""
    passing: float
    """Added to the logarithm of the probability of a pass."""


def new_network(size: int, weights: NDArray[np.int32]) -> Network:
    """A `Network` with scratch memory of its own, of `arranged` weights or of none."""
    span = s.span_of.py_func(size)
    points, places, line_ends = _points_of(size)
    return Network(
        _aligned(weights),
        np.zeros(span, np.int32),
        points,
        places,
        line_ends,
        _aligned(np.zeros(2 * (span + 1) * PAIRS, np.int32)),
        _aligned(np.zeros(LINES * PAIRS, np.int32)),
    )


@cache
def _points_of(size: int) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """`Network.points`, `Network.places` and `Network.line_ends`."""
    first = s.first_cell.py_func(size)
    rows, columns = np.divmod(np.arange(size * size), size)
    near, far = np.sort([np.minimum(np.minimum(x, size - 1 - x), LINES - 1) for x in (rows, columns)], axis=0)
    by_lines = np.argsort(near, kind="stable")
    points = (first + by_lines + by_lines // size).astype(np.int32)
    return (
        np.pad(points, (0, -len(points) % BLOCK_POINTS), "edge"),
        (far * (far + 1) // 2 + near).astype(np.int32),
        np.append(0, np.bincount(near, minlength=LINES).cumsum()).astype(np.int32),
    )


def _aligned(numbers_of: NDArray[np.int32]) -> NDArray[np.int32]:
    """A copy from the border of a cache line on, so that no vector of sixteen lies in two lines."""
    memory = np.empty(len(numbers_of) + LANES - 1, np.int32)
    first = -memory.ctypes.data // 4 % LANES
    memory[first : first + len(numbers_of)] = numbers_of
    return memory[first : first + len(numbers_of)]


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
    weights, kinds, points = numbers(network.weights), numbers(network.kinds), numbers(network.points)
    here, sums = numbers(network.activations), numbers(network.sums)
    between = (s.span_of(size) + 1) * PAIRS
    _find_kinds(cells, size, ko, notes, kinds)
    _add_rows(size, kinds, numbers(network.places), weights, here)
    _add_move_rows(size, moves, count, found, weights, here)
    for i in range(size * size):
        at = np.int64(points[i]) * PAIRS
        store(here, at, clip_pairs(load(here, at), MOST))
    for block in range(BLOCKS):
        _add_up(size, points, block, weights, here, sums)
        _spread(size, block, weights, here, between)
        _mix(size, points, block, weights, here, between, sums)
    policy, scale = load(weights, _POLICY), np.float32(1.0 / (ONE * ONE_WEIGHT))
    for i in range(count):
        product = multiply_pairs(load(here, np.int64(moves[i]) * PAIRS), policy, everywhere(np.int32(0)))
        logarithms[i] += np.float32(total_of(product)) * scale
    return _judge(points, numbers(network.line_ends), weights, here, sums)


@kernel(inline=True)
def _paired(even, odd):
    """A row from its even and its odd channels, 0 to 2^16 - 1 each."""
    return even | shift_left(odd, 16)


@kernel(inline=True)
def _clipped(even, odd):
    """A row of sums over `ONE_WEIGHT`, from 0 to `MOST`, without fractions: see `arranged`."""
    zero, most = everywhere(np.int32(0)), everywhere(np.int32((MOST + 1) * ONE_WEIGHT - 1))
    even, odd = choose(even > zero, even, zero), choose(odd > zero, odd, zero)
    even, odd = choose(even > most, most, even), choose(odd > most, most, odd)
    return _paired(shift_right(even, WEIGHT_BITS), shift_right(odd, WEIGHT_BITS))


@kernel(inline=True)
def _find_kinds(cells, size, ko, notes, kinds):
    """The kind of each cell: that of its string, empty, or edge."""
    heads = s.HEAD * s.span_of(size)
    for cell in range((size + 2) * (size + 1) + 1):
        kind = (notes[np.int64(cells[heads + cell])] >> np.uint64(n.KIND)) & np.uint64(n.KINDS - 1)
        kinds[cell] = np.int32(kind) * np.int32(PAIRS)
    if ko != s.NOWHERE:
        kinds[ko] = KO_KIND * PAIRS


@kernel(inline=True)
def _add_rows(size, kinds, places, weights, here):
    """The rows of places and of kinds."""
    stride = size + 1
    for row in range(size):
        for column in range(size):
            cell = (row + 1) * stride + column + 1
            total = load(weights, _PLACES + np.int64(places[row * size + column]) * PAIRS)
            for tap in range(TAPS):
                kind = np.int64(kinds[cell + (tap // 3 - 1) * stride + tap % 3 - 1])
                total = add_pairs(total, load(weights, _KINDS + tap * KINDS * PAIRS + kind))
            store(here, cell * PAIRS, total)


@kernel(inline=True)
def _add_move_rows(size, moves, count, found, weights, here):
    """The rows of the features of moves."""
    for i in range(count):
        cell = np.int64(moves[i])
        point, total = f.index_of(size, cell), load(here, cell * PAIRS)
        for group in range(f.LAST, f.THREATENED + 1):
            at = _MOVES + (np.int64(found[group * f.STRIDE + point]) - f.START[f.LAST]) * PAIRS
            total = add_pairs(total, load(weights, at))
        store(here, cell * PAIRS, total)


@kernel(inline=True)
def _add_up(size, points, block, weights, here, sums):
    """What all channels' sums over the board add to each point, and the bias: even channels, then odd ones."""
    even, odd = _total(points, 0, size * size, 1 << (SUM_BITS - 1), here)
    store(sums, 0, _paired(shift_right(even, SUM_BITS), shift_right(odd, SUM_BITS)))
    bias, first = _MIX_BIAS + block * CHANNELS, _BOARD + block * CHANNELS * PAIRS
    even, odd = load(weights, bias), load(weights, bias + LANES)
    for pair in range(PAIRS):
        at, total = first + pair * CHANNELS, everywhere(sums[pair])
        even = multiply_pairs(load(weights, at), total, even)
        odd = multiply_pairs(load(weights, at + LANES), total, odd)
    store(sums, 0, even)
    store(sums, LANES, odd)


@kernel(inline=True)
def _total(points, first, end, half, here):
    """The sums of the rows of some points, and half of what they are divided by: even channels, odd ones."""
    even = odd = everywhere(np.int32(half))
    for start in range(first, end, SAFE_ROWS):
        total = everywhere(np.int32(0))
        for i in range(start, min(start + SAFE_ROWS, end)):
            total = add_pairs(total, load(here, np.int64(points[i]) * PAIRS))
        even, odd = even + (total & everywhere(np.int32(0xFFFF))), odd + shift_right(total, 16)
    return even, odd


@kernel(inline=True)
def _even_of(first, second):
    """Pairs of two rows' even channels."""
    return (first & everywhere(np.int32(0xFFFF))) | shift_left(second, 16)


@kernel(inline=True)
def _odd_of(first, second):
    """Pairs of two rows' odd channels."""
    return shift_right(first, 16) | (second & everywhere(np.int32(-0x10000)))


@kernel(inline=True)
def _spread(size, block, weights, here, between):
    """Each channel's weighted sum over the points around, at `between`: see `TAP_PAIRS`.

    Along a row of points, the pairs of one point's right side are those of the next point's middle.
    """
    stride, first, bias = size + 1, _SPREAD + block * len(TAP_PAIRS) * CHANNELS, _SPREAD_BIAS + block * CHANNELS
    bias_even, bias_odd = load(weights, bias), load(weights, bias + LANES)
    w0, w1, w2 = load(weights, first), load(weights, first + 2 * LANES), load(weights, first + 4 * LANES)
    w3, w4 = load(weights, first + 6 * LANES), load(weights, first + 8 * LANES)
    v0, v1, v2 = load(weights, first + LANES), load(weights, first + 3 * LANES), load(weights, first + 5 * LANES)
    v3, v4 = load(weights, first + 7 * LANES), load(weights, first + 9 * LANES)
    nothing = everywhere(np.int32(0))
    for row in range(size):
        at = ((row + 1) * stride + 1) * PAIRS
        below, middle, above = load(here, at - stride * PAIRS), load(here, at), load(here, at + stride * PAIRS)
        left_even = left_odd = nothing
        even, odd = _even_of(below, middle), _odd_of(below, middle)
        upper_even, upper_odd = _even_of(nothing, above), _odd_of(nothing, above)
        for _ in range(size):
            here_above, next_at = above, at + PAIRS
            below, middle = load(here, next_at - stride * PAIRS), load(here, next_at)
            above = load(here, next_at + stride * PAIRS)
            right_even, right_odd = _even_of(below, middle), _odd_of(below, middle)
            sum_even, sum_odd = multiply_pairs(left_even, w0, bias_even), multiply_pairs(left_odd, v0, bias_odd)
            sum_even, sum_odd = multiply_pairs(even, w1, sum_even), multiply_pairs(odd, v1, sum_odd)
            sum_even, sum_odd = multiply_pairs(right_even, w2, sum_even), multiply_pairs(right_odd, v2, sum_odd)
            sum_even, sum_odd = multiply_pairs(upper_even, w3, sum_even), multiply_pairs(upper_odd, v3, sum_odd)
            upper_even, upper_odd = _even_of(here_above, above), _odd_of(here_above, above)
            sum_even, sum_odd = multiply_pairs(upper_even, w4, sum_even), multiply_pairs(upper_odd, v4, sum_odd)
            store(here, between + at, _clipped(sum_even, sum_odd))
            left_even, left_odd, even, odd, at = even, odd, right_even, right_odd, next_at


@kernel(inline=True)
def _mix(size, points, block, weights, here, between, sums):
    """Add to the activations of each point all channels' sums, weighted."""
    first = _MIX + block * CHANNELS * PAIRS
    many_even, many_odd = everywhere(np.int32(ONE_WEIGHT)), everywhere(np.int32(ONE_WEIGHT << 16))
    for i in range(0, size * size, BLOCK_POINTS):
        p0, p1 = np.int64(points[i]) * PAIRS, np.int64(points[i + 1]) * PAIRS
        p2, p3 = np.int64(points[i + 2]) * PAIRS, np.int64(points[i + 3]) * PAIRS
        even, odd = load(sums, 0), load(sums, LANES)
        x = load(here, p0)
        a0, b0 = multiply_pairs(x, many_even, even), multiply_pairs(x, many_odd, odd)
        x = load(here, p1)
        a1, b1 = multiply_pairs(x, many_even, even), multiply_pairs(x, many_odd, odd)
        x = load(here, p2)
        a2, b2 = multiply_pairs(x, many_even, even), multiply_pairs(x, many_odd, odd)
        x = load(here, p3)
        a3, b3 = multiply_pairs(x, many_even, even), multiply_pairs(x, many_odd, odd)
        for pair in range(PAIRS):
            at = first + pair * CHANNELS
            even, odd = load(weights, at), load(weights, at + LANES)
            x = everywhere(here[between + p0 + pair])
            a0, b0 = multiply_pairs(even, x, a0), multiply_pairs(odd, x, b0)
            x = everywhere(here[between + p1 + pair])
            a1, b1 = multiply_pairs(even, x, a1), multiply_pairs(odd, x, b1)
            x = everywhere(here[between + p2 + pair])
            a2, b2 = multiply_pairs(even, x, a2), multiply_pairs(odd, x, b2)
            x = everywhere(here[between + p3 + pair])
            a3, b3 = multiply_pairs(even, x, a3), multiply_pairs(odd, x, b3)
        store(here, p0, _clipped(a0, b0))
        store(here, p1, _clipped(a1, b1))
        store(here, p2, _clipped(a2, b2))
        store(here, p3, _clipped(a3, b3))


@kernel(inline=True)
def _judge(points, line_ends, weights, here, sums):
    """The numbers at the end, from the sums over the points of each line."""
    for line in range(LINES):
        first, end = np.int64(line_ends[line]), np.int64(line_ends[line + 1])
        even, odd = _total(points, first, end, 1 << (LINE_BITS - 1), here)
        store(sums, line * PAIRS, _paired(shift_right(even, LINE_BITS), shift_right(odd, LINE_BITS)))
    even, odd = load(weights, _HIDDEN_BIAS), load(weights, _HIDDEN_BIAS + LANES)
    more_even = more_odd = everywhere(np.int32(0))  # a second pair of sums, so that additions wait less for each other
    for pair in range(0, LINES * PAIRS, 2):
        at, total = _HIDDEN + pair * CHANNELS, everywhere(sums[pair])
        even = multiply_pairs(load(weights, at), total, even)
        odd = multiply_pairs(load(weights, at + LANES), total, odd)
        at, total = at + CHANNELS, everywhere(sums[pair + 1])
        more_even = multiply_pairs(load(weights, at), total, more_even)
        more_odd = multiply_pairs(load(weights, at + LANES), total, more_odd)
    hidden = _clipped(even + more_even, odd + more_odd)
    return Opinion(_output(weights, 0, hidden), _output(weights, 1, hidden), _output(weights, 2, hidden))


@kernel(inline=True)
def _output(weights, number, hidden):
    product = multiply_pairs(hidden, load(weights, _OUTPUTS + number * PAIRS), everywhere(np.int32(0)))
    return np.float32(total_of(product) + weights[_OUTPUTS_BIAS + number]) * np.float32(1.0 / (ONE * ONE_WEIGHT))
