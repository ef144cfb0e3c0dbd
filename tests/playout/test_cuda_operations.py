"""The operations of a GPU's thread, computed in Python, against sets of points; the layout of a strip."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from foogo.playout.kernels.cuda import arithmetic, bitboard, floods, products, simd, simulated, windows
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip

BITBOARD, FLOODS, PRODUCTS, SIMD, WINDOWS = (
    {name: simulated.callable_of(operation) for name, operation in module.OPERATIONS.items()}
    for module in (bitboard, floods, products, simd, windows)
)
SIZES = range(2, 20)


def bits_of(layout: Strip, points: set[int]) -> Any:
    return simulated.Bits(layout.pack(points), layout)


def points_of(bits: Any) -> set[int]:
    """The points of a set, with what is outside the board left out."""
    layout = bits.layout
    found = set()
    for point in range(layout.size**2):
        word, bit = layout.bit(point)
        if bits.value[word] >> bit & 1:
            found.add(point)
    return found


def neighbours(size: int, point: int) -> set[int]:
    row, column = divmod(point, size)
    places = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
    return {r * size + c for r, c in places if 0 <= r < size and 0 <= c < size}


def random_points(random: Random, size: int, share: float) -> set[int]:
    return {point for point in range(size * size) if random.random() < share}


@pytest.mark.parametrize(("size", "words"), [(2, 1), (5, 1), (9, 3), (13, 6), (15, 8), (19, 12)])
def test_words_of_a_strip(size, words):
    layout = Strip(size)
    assert layout.words == len(layout.full) == words
    assert sum(bin(word).count("1") for word in layout.full) == size * size
    assert len({layout.bit(point) for point in range(size * size)}) == size * size
    assert layout.bit(size * size - 1)[0] == words - 1
    places = [word * WORD_BITS + bit for word, bit in map(layout.bit, range(size * size))]
    assert places == sorted(places)


@pytest.mark.parametrize("size", SIZES)
def test_steps_and_neighbours(size):
    layout, random = Strip(size), Random(size)
    for share in (0.1, 0.5, 1.0):
        points = random_points(random, size, share)
        bits, full = bits_of(layout, points), BITBOARD["full"](layout)
        assert points_of(BITBOARD["north"](bits) & full) == {p + size for p in points if p + size < size * size}
        assert points_of(BITBOARD["south"](bits) & full) == {p - size for p in points if p >= size}
        assert points_of(BITBOARD["east"](bits) & full) == {p + 1 for p in points if p % size < size - 1}
        assert points_of(BITBOARD["west"](bits) & full) == {p - 1 for p in points if p % size > 0}
        beside = set().union(*(neighbours(size, point) for point in points))
        assert points_of(BITBOARD["beside"](bits) & full) == beside
        assert points_of(~bits & full) == set(range(size * size)) - points


@pytest.mark.parametrize("size", SIZES)
def test_counts_and_the_nth_point(size):
    layout, random = Strip(size), Random(size)
    for share in (0.0, 0.1, 0.9):
        points = sorted(random_points(random, size, share))
        bits = bits_of(layout, set(points))
        running = BITBOARD["running_counts"](bits)
        assert BITBOARD["last_count"](running).value == BITBOARD["count_points"](bits).value == len(points)
        for k in {0, len(points) // 2, len(points) - 1} & set(range(len(points))):
            one = BITBOARD["nth_point"](bits, running, simulated.Ints(k, layout))
            assert points_of(one) == {points[k]}
            assert BITBOARD["one_point"](one).value
        assert BITBOARD["any_point"](bits).value is bool(points)
        assert BITBOARD["one_point"](bits).value is (len(points) == 1)
    empty = BITBOARD["nothing"](layout)
    none = BITBOARD["nth_point"](empty, BITBOARD["running_counts"](empty), simulated.Ints(0, layout))
    assert not BITBOARD["any_point"](none).value


@pytest.mark.parametrize("size", SIZES)
def test_digits_tell_the_points_apart(size):
    layout = Strip(size)
    planes = [points_of(FLOODS["with_digit"](layout, digit)) for digit in range(FLOODS["digits"](layout))]
    for point in range(size * size):
        assert sum((point in plane) << digit for digit, plane in enumerate(planes)) == point


@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("size", SIZES)
def test_a_flood_fills_whole_strings(size, levels):
    layout, random = Strip(size, levels=levels), Random(10 * size + levels)
    own = random_points(random, size, 0.6)
    opp = random_points(random, size, 0.7) - own
    first = {min(own | opp | {0})} & (own | opp)
    across, upward = (
        FLOODS[name](bits_of(layout, own), bits_of(layout, opp)) for name in ("links_east", "links_north")
    )
    x, passes = bits_of(layout, first), 0
    while FLOODS["is_open"](x, across, upward).value:
        x, passes = FLOODS["flood_pass"](x, across, upward), passes + 1
        assert passes <= size * size
    assert points_of(x) == connected(size, first, own) | connected(size, first, opp)


@pytest.mark.parametrize("size", SIZES)
def test_windows_about_every_point(size):
    """Bit 5 j + i of a window about (x, y) is the point (x - 2 + i, y + rows - 1 + j), and none beyond the edge."""
    layout, random = Strip(size), Random(size)
    points = random_points(random, size, 0.6)
    sets_of_points = (points, bits_of(layout, points)), (set(range(size * size)), BITBOARD["full"](layout))
    for point in range(size * size):
        y, x = divmod(point, size)
        last = bits_of(layout, {point})
        for expected_in, bits in sets_of_points:
            for rows in (-1, 0, 1):
                expected = 0
                for j, i in product(range(3), range(5)):
                    column, row = x - 2 + i, y + rows - 1 + j
                    if 0 <= column < size and 0 <= row < size and row * size + column in expected_in:
                        expected |= 1 << 5 * j + i
                assert WINDOWS["window"](last, bits, rows).value == expected, (point, rows)


@pytest.mark.parametrize("size", SIZES)
def test_a_window_is_put_back_about_every_point(size):
    layout, random = Strip(size), Random(size)
    for point in range(size * size):
        y, x = divmod(point, size)
        last, found = bits_of(layout, {point}), random.getrandbits(WORD_BITS)
        expected = set()
        for j, i in product(range(3), range(1, 4)):
            column, row = x - 2 + i, y - 1 + j
            if found >> 5 * j + i & 1 and 0 <= column < size and 0 <= row < size:
                expected.add(row * size + column)
        out = WINDOWS["from_window"](last, simulated.Ints(found, layout))
        assert len(out.value) == layout.words
        assert points_of(out) == expected, point


@pytest.mark.parametrize("size", SIZES)
def test_without_a_point_windows_are_words(size):
    """What comes out then is of no matter, but it is in as many words as ever."""
    layout = Strip(size)
    none, full = BITBOARD["nothing"](layout), BITBOARD["full"](layout)
    assert 0 <= WINDOWS["window"](none, full, 0).value < 1 << 15
    assert all(0 <= word <= arithmetic.ALL for word in WINDOWS["from_window"](none, simulated.Ints(7, layout)).value)


def connected(size: int, seeds: set[int], stones: set[int]) -> set[int]:
    reached, fresh = set(seeds & stones), list(seeds & stones)
    while fresh:
        for point in neighbours(size, fresh.pop()) & stones - reached:
            reached.add(point)
            fresh.append(point)
    return reached


def test_integers_wrap():
    a, b = simulated.Ints(2**32 - 1), simulated.Ints(5)
    assert (a + b).value == 4
    assert (b - a).value == 6
    assert SIMD["rotate_left"](simulated.Ints(0x80000001), 4).value == 0x18
    assert PRODUCTS["scale"](simulated.Ints(2**31), simulated.Ints(7)).value == 3
    assert PRODUCTS["low_product"](a, b).value == 2**32 - 5
    assert PRODUCTS["high_product"](a, b).value == 4
    assert SIMD["choose"](a < b, a, b).value == 5
    assert (a >= b).value


@pytest.mark.parametrize("size", SIZES)
def test_a_set_is_written_with_bit_equal_point(size):
    layout = Strip(size)
    points = random_points(Random(size), size, 0.5)
    out = [0] * (layout.dense_words + 3)
    BITBOARD["store_dense"](out, 3, bits_of(layout, points))
    whole = sum(word << WORD_BITS * w for w, word in enumerate(out[3:]))
    assert {point for point in range(size * size) if whole >> point & 1} == points
    assert whole < 1 << size * size
    assert points_of(BITBOARD["load"](layout, [9, *layout.pack(points)], 1)) == points
