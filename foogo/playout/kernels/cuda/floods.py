"""The GPU version of `foogo.playout.kernels.floods`: grows sets of stones to whole strings."""

from __future__ import annotations

from typing import Any

from foogo.playout.kernels.cuda.arithmetic import BITS, MASK, SCALAR, Arithmetic, Operation, operation
from foogo.playout.kernels.cuda.bitboard import down, union, up
from foogo.playout.kernels.cuda.strip import Strip

OPERATIONS: dict[str, Operation] = {}
"""By name."""


@operation(OPERATIONS, "layout", SCALAR)
def passes_before_test(m: Arithmetic, layout: Strip) -> Any:
    """Flood passes before the first test whether more are needed."""
    return m.scalar(layout.passes)


@operation(OPERATIONS, "bits bits", BITS)
def links_east(m: Arithmetic, layout: Strip, first: list[Any], second: list[Any]) -> list[Any]:
    """The points of either set whose neighbour to the east is in the same set."""
    return _links(m, first, second, 1)


@operation(OPERATIONS, "bits bits", BITS)
def links_north(m: Arithmetic, layout: Strip, first: list[Any], second: list[Any]) -> list[Any]:
    """The points of either set whose neighbour to the north is in the same set."""
    return _links(m, first, second, layout.stride)


def _links(m: Arithmetic, first: list[Any], second: list[Any], step: int) -> list[Any]:
    pairs = zip(first, down(m, first, step), second, down(m, second, step), strict=True)
    return [m.or_(m.and_(a, b), m.and_(c, d)) for a, b, c, d in pairs]


@operation(OPERATIONS, "bits bits bits", BITS)
def flood_pass(m: Arithmetic, layout: Strip, x: list[Any], across: list[Any], upward: list[Any]) -> list[Any]:
    """The set grown along the links: north and south, all the way east, and west.

    North, south and west it takes steps of 1, 2, 4... points along chains of 1, 2, 4... links. The chains are the same
    in every pass, so the compiler moves them out of the loop.
    """
    step = layout.stride
    vertical = _doublings(m, upward, step, layout.levels)
    for level, links in enumerate(vertical):
        arriving = up(m, [m.and_(a, b) for a, b in zip(x, links, strict=True)], step << level)
        x = [m.or_(a, b) for a, b in zip(x, arriving, strict=True)]
    for level, links in enumerate(vertical):
        x = _pulled(m, x, links, step << level)
    # East is one addition over all words. A bit added to a run of links carries through the run, and flips the links
    # and the point behind the last one. `^ across` leaves the flipped bits: the points reached.
    seeds = [m.and_(a, b) for a, b in zip(x, across, strict=True)]
    carried = m.add_long(across, seeds)
    x = [m.or_(a, m.exclusive_or(b, c)) for a, b, c in zip(x, carried, across, strict=True)]
    for level, links in enumerate(_doublings(m, across, 1, layout.levels)):
        x = _pulled(m, x, links, 1 << level)
    return x


def _doublings(m: Arithmetic, links: list[Any], step: int, levels: int) -> list[list[Any]]:
    """The points where chains of 1, 2, 4... consecutive links start."""
    out = [links]
    for level in range(levels - 1):
        beyond = down(m, out[-1], step << level)
        out.append([m.and_(a, b) for a, b in zip(out[-1], beyond, strict=True)])
    return out


def _pulled(m: Arithmetic, x: list[Any], links: list[Any], step: int) -> list[Any]:
    """The set and the points of `links` that lie `step` bits below it."""
    return [m.or_(a, m.and_(b, c)) for a, b, c in zip(x, down(m, x, step), links, strict=True)]


@operation(OPERATIONS, "bits bits bits", MASK)
def is_open(m: Arithmetic, layout: Strip, x: list[Any], across: list[Any], upward: list[Any]) -> Any:
    """Whether a link leads out of the set, so that the flood must continue."""
    eastern, above = down(m, x, 1), down(m, x, layout.stride)
    differences = [m.and_(m.exclusive_or(a, b), c) for a, b, c in zip(x, eastern, across, strict=True)]
    differences += [m.and_(m.exclusive_or(a, b), c) for a, b, c in zip(x, above, upward, strict=True)]
    return m.is_true(union(m, differences))


@operation(OPERATIONS, "layout", SCALAR)
def digits(m: Arithmetic, layout: Strip) -> Any:
    """The number of binary digits that tell the points apart."""
    return m.scalar(layout.digits)


@operation(OPERATIONS, "layout scalar", BITS)
def with_digit(m: Arithmetic, layout: Strip, digit: Any) -> list[Any]:
    """The points whose number (row * size + column) has the binary digit 1."""
    number, chosen = m.low_word(digit), [m.constant(0)] * layout.words
    for place, plane in enumerate(layout.digit_planes):
        elsewhere = m.is_true(m.exclusive_or(number, m.constant(place)))
        chosen = [m.select(elsewhere, x, m.constant(value)) for value, x in zip(plane, chosen, strict=True)]
    return chosen
