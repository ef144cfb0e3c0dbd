"""How a policy picks among sets, by chance: what ``pick.name`` stands for.

A decision is made by a number that is mixed from the lane's number and the *salt* of the place in the function. So
decisions are independent of each other, and of the point that is drawn. docs/reference/playout.md defines the numbers.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from foogo.core import products, simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard

HALF = 2147483648.0
"""2**31: chances are counted in this unit."""

MOST_CLASSES = 32
"""The most classes of one `weighted`."""

MOST_POINTS = 361
LARGEST, SMALLEST = 1e12, 1e-12
"""Weights are cut off there."""


def units_of(classes: int) -> int:
    """What the largest weight counts as an integer, so that the weights of all points add up to less than 2**32."""
    return (2**32 - 1) // (MOST_POINTS * classes)


@kernel(inline=True)
def product(a, b):
    """``a * b`` of numbers. A GPU must not fuse it with an addition, which would round once instead of twice."""
    return a * b


@kernel(inline=True)
def mixed(layout, view, salt):
    """A 32-bit number for one decision: Ellis' lowbias32 of the lane's number plus the salt."""
    number = view.number + simd.ints32(layout, salt)
    number = products.low_product(number ^ simd.shift_right(number, 16), simd.ints32(layout, 0x7FEB352D))
    number = products.low_product(number ^ simd.shift_right(number, 15), simd.ints32(layout, 0x846CA68B))
    return number ^ simd.shift_right(number, 16)


@kernel(inline=True)
def happens(layout, view, salt, chance):
    """The lanes in which a decision falls for what has a chance."""
    return simd.shift_right(mixed(layout, view, salt), 1) < simd.ints32(layout, int(at_most_one(chance) * HALF))


@kernel(inline=True)
def happens_by_byte_0(layout, view, chance):
    """`happens`, decided by bits 0 to 7 of the number that draws the point."""
    return low_byte_below(layout, view.number, chance)


@kernel(inline=True)
def happens_by_byte_1(layout, view, chance):
    """`happens`, decided by bits 8 to 15."""
    return low_byte_below(layout, simd.shift_right(view.number, 8), chance)


@kernel(inline=True)
def happens_by_byte_2(layout, view, chance):
    """`happens`, decided by bits 16 to 23."""
    return low_byte_below(layout, simd.shift_right(view.number, 16), chance)


@kernel(inline=True)
def low_byte_below(layout, number, chance):
    """The lanes in which the low byte of a number is below the chance in 1/256."""
    return (number & simd.ints32(layout, 255)) < simd.ints32(layout, int(at_most_one(chance) * 256.0))


@kernel(inline=True)
def some(layout, view, happens, points):
    """The points, in lanes where something happens; nothing elsewhere."""
    return simd.choose(happens, points, bitboard.nothing(layout))


@kernel(inline=True)
def some_or(layout, view, happens, points, instead):
    """The points, in lanes where something happens and there are any; another set elsewhere."""
    return simd.choose(happens & bitboard.any_point(points), points, instead)


@kernel(inline=True)
def at_most_one(chance):
    """The chance, cut off at the limits; 0 if it is no number."""
    return min(max(0.0, chance), 1.0)


@kernel(inline=True)
def within_limits(weight):
    """The weight, cut off at the limits; 0 if it is no number."""
    return min(max(0.0, weight), LARGEST)


@kernel(inline=True)
def larger(a, b):
    """The larger of two weights."""
    return a if a > b else b


@kernel(inline=True)
def integer_weight(layout, weight, largest, units):
    """A weight as an integer, where the largest of all weights is `units`."""
    return simd.ints32(layout, int(weight * units / largest))


@kernel(inline=True)
def mass(points, weight):
    """The weight of a class: its number of points times the weight of each."""
    return products.low_product(products.widened(bitboard.count_points(points)), weight)


@cache
def weighted(classes: int) -> Any:
    """The kernel ``weighted(layout, view, salt, weight, points, weight, points...)`` for a number of classes.

    It draws a class with a probability in proportion to its weight times its number of candidates, and returns these;
    nothing if no class has any. Numba would not unroll a loop over the classes, so each number has its own source.
    """
    numbers = range(classes)
    lines = [f"def weighted_{classes}(layout, view, salt, {', '.join(f'w{i}, s{i}' for i in numbers)}):"]
    for i in numbers:
        lines.append(f"    w{i} = within_limits(w{i})")
        lines.append(f"    s{i} = s{i} & view.candidates")
    lines.append("    largest = SMALLEST")
    lines += [f"    largest = larger(largest, w{i})" for i in numbers]
    total = ""
    for i in numbers:
        lines.append(f"    t{i} = {total}mass(s{i}, integer_weight(layout, w{i}, largest, {units_of(classes)}))")
        total = f"t{i} + "
    lines.append(f"    at = products.high_product(mixed(layout, view, salt), t{classes - 1})")
    lines.append("    chosen = bitboard.nothing(layout)")
    lines += [f"    chosen = simd.choose(at < t{i}, s{i}, chosen)" for i in reversed(numbers)]
    lines.append("    return chosen")
    namespace = dict(globals())
    exec("\n".join(lines), namespace)
    return kernel(inline=True)(namespace[f"weighted_{classes}"])
