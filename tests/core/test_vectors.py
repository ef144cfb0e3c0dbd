"""Each operation of sixteen lanes against NumPy."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, longs, numbers, reals
from foogo.core.simd import choose, shift_left, shift_right
from foogo.core.vectors import (
    LANES,
    add_pairs,
    alternate_lanes,
    alternate_pairs,
    clip_pairs,
    even_and_odd,
    everywhere,
    gather,
    lane_numbers,
    largest,
    load,
    matching,
    multiply_pairs,
    square_root,
    store,
    to_float32,
    to_int32,
    to_int64,
)

POINTERS: dict[type, Callable[..., Any]] = {np.int32: numbers, np.int64: longs, np.float32: reals}


def values(dtype: type, seed: int) -> np.ndarray:
    """Numbers of either sign; floats of many magnitudes."""
    random = np.random.default_rng(seed)
    if dtype is np.float32:
        return (random.normal(size=LANES) * 10.0 ** random.integers(-20, 20, LANES)).astype(np.float32)
    return random.integers(-(1 << 31), 1 << 31, LANES).astype(dtype)


def combined(function: Callable[..., Any], result: type, *arrays: np.ndarray) -> np.ndarray:
    """What a function of one or two vectors gives for these lanes, stored one element into an array."""
    pointers = [POINTERS[array.dtype.type] for array in arrays]
    first, last, out = pointers[0], pointers[-1], POINTERS[result]

    @kernel(inline=True)
    def of_one(one: Any, target: Any) -> None:
        store(out(target), 1, function(load(first(one), 0)))

    @kernel(inline=True)
    def of_two(one: Any, other: Any, target: Any) -> None:
        store(out(target), 1, function(load(first(one), 0), load(last(other), 0)))

    target: np.ndarray = np.zeros(LANES + 2, result)
    (of_one if len(arrays) == 1 else of_two)(*arrays, target)
    assert target[0] == target[-1] == 0
    return target[1:-1]


INTEGERS = [operator.add, operator.sub, operator.mul, operator.and_, operator.or_, operator.xor]
FLOATS = [operator.add, operator.sub, operator.mul, operator.truediv]


@pytest.mark.parametrize(
    ("function", "dtype"),
    [(one, dtype) for dtype in (np.int32, np.int64) for one in INTEGERS] + [(one, np.float32) for one in FLOATS],
)
def test_operators(function: Callable[[Any, Any], Any], dtype: type) -> None:
    one, other = values(dtype, 1), values(dtype, 2)
    jitted = kernel(inline=True)(lambda a, b: function(a, b))
    with np.errstate(over="ignore", under="ignore"):
        assert combined(jitted, dtype, one, other).tobytes() == function(one, other).tobytes()


@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32])
def test_the_larger_of_two_is_chosen(dtype: type) -> None:
    one, other = values(dtype, 3), values(dtype, 4)
    jitted = kernel(inline=True)(lambda a, b: choose(a > b, a, b))
    assert combined(jitted, dtype, one, other).tolist() == np.maximum(one, other).tolist()


def test_a_comparison_with_nan_is_false() -> None:
    one, other = np.full(LANES, np.nan, np.float32), np.zeros(LANES, np.float32)
    jitted = kernel(inline=True)(lambda a, b: choose(a > b, a, b))
    assert combined(jitted, np.float32, one, other).tolist() == other.tolist()


def test_shifts_leave_the_sign_to_the_caller() -> None:
    whole, wide = values(np.int32, 5), values(np.int64, 6)
    right, left = (kernel(inline=True)(lambda a: shift_right(a, 16)), kernel(inline=True)(lambda a: shift_left(a, 9)))
    assert combined(right, np.int32, whole).tolist() == (whole.view(np.uint32) >> 16).tolist()
    assert combined(left, np.int64, wide).tolist() == (wide << 9).tolist()


def test_conversions() -> None:
    whole, halves = values(np.int32, 7), np.linspace(-900, 900, LANES, dtype=np.float32)
    assert combined(to_float32, np.float32, whole).tolist() == whole.astype(np.float32).tolist()
    assert combined(to_int32, np.int32, halves).tolist() == np.trunc(halves).tolist()
    assert combined(to_int64, np.int64, whole).tolist() == whole.tolist()


def test_square_roots_are_rounded_correctly() -> None:
    numbers = np.abs(values(np.float32, 8))
    assert combined(square_root, np.float32, numbers).tobytes() == np.sqrt(numbers).tobytes()


def test_one_number_everywhere_and_the_lanes_of_each() -> None:
    def scaled(dtype: type) -> Any:
        return kernel(inline=True)(lambda a: a + everywhere(dtype(7)))

    for dtype in (np.int32, np.int64, np.float32):
        assert combined(scaled(dtype), dtype, np.arange(LANES, dtype=dtype)).tolist() == list(range(7, 7 + LANES))
    shifted = kernel(inline=True)(lambda a: a + lane_numbers())
    assert combined(shifted, np.int64, np.arange(LANES)).tolist() == list(range(0, 2 * LANES, 2))


def test_pairs_of_halves() -> None:
    one, other = values(np.int32, 11), values(np.int32, 12)
    halves, others = one.view(np.int16), other.view(np.int16)
    clipped = kernel(inline=True)(lambda a: clip_pairs(a, 1023))
    assert combined(clipped, np.int32, one).view(np.int16).tolist() == halves.clip(0, 1023).tolist()
    added = kernel(inline=True)(lambda a, b: add_pairs(a, b))
    assert combined(added, np.int32, one, other).view(np.int16).tolist() == (halves + others).tolist()
    multiplied = kernel(inline=True)(lambda a, b: multiply_pairs(a, b, everywhere(np.int32(-5))))
    products = halves.astype(np.int64) * others
    assert combined(multiplied, np.int32, one, other).tolist() == (products[::2] + products[1::2] - 5).tolist()


def test_matching_numbers() -> None:
    @kernel(inline=True)
    def found(array: Any, index: Any, number: Any) -> Any:
        return matching(halfwords(array), index, number)

    array = np.random.default_rng(13).integers(0, 3, 80).astype(np.uint16)
    for index in (0, 1, 16):
        bits = [int(found(array, index, 2)) >> i & 1 for i in range(64)]
        assert bits == (array[index : index + 64] == 2).astype(int).tolist()


def test_the_largest_lane() -> None:
    @kernel(inline=True)
    def most(array: Any) -> Any:
        return largest(load(longs(array), 2))

    array = np.concatenate([[1 << 62] * 2, values(np.int64, 9), [1 << 62]])
    assert most(array) == array[2:-1].max()
    array[2:-1] -= 1 << 60
    assert most(array) == array[2:-1].max() < 0


def test_gather_counts_from_its_start() -> None:
    @kernel(inline=True)
    def gathered(table: Any, start: Any, places: Any, target: Any) -> None:
        store(numbers(target), 0, gather(numbers(table), start, load(longs(places), 0)))

    table, target = np.arange(100, 300, dtype=np.int32), np.zeros(LANES, np.int32)
    places = np.random.default_rng(10).integers(-3, 190, LANES)
    gathered(table, 3, places, target)
    assert target.tolist() == table[3 + places].tolist()


def test_lanes_in_another_order() -> None:
    one, other = np.arange(LANES, dtype=np.int32), np.arange(100, 100 + LANES, dtype=np.int32)
    both = np.concatenate([one, other])
    wanted = {
        alternate_lanes: np.stack([one, other], 1).ravel(),
        alternate_pairs: np.stack([one.reshape(-1, 2), other.reshape(-1, 2)], 1).ravel(),
        even_and_odd: np.concatenate([both[::2], both[1::2]]),
    }
    for shuffle, order in wanted.items():
        first, second = halves_of(shuffle)
        found = [combined(half, np.int32, one, other).tolist() for half in (first, second)]
        assert found == order.reshape(2, LANES).tolist()


def halves_of(shuffle: Callable[..., Any]) -> tuple[Any, Any]:
    """The first and the second vector that a shuffle returns."""
    return kernel(inline=True)(lambda a, b: shuffle(a, b)[0]), kernel(inline=True)(lambda a, b: shuffle(a, b)[1])
