"""Unconditional life, and the positions that it decides without a search."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.positions import area_of, count, flood, neighbors_of

MAX_STRINGS = 32


class LifeMemory(NamedTuple):
    """Scratch of `living`."""

    strings: np.ndarray
    """int64[MAX_STRINGS]: the strings of one colour."""
    regions: np.ndarray
    """int64[MAX_STRINGS]: the connected regions between them."""


def new_life_memory() -> LifeMemory:
    """Scratch of `living`, for one thread."""
    return LifeMemory(np.zeros(MAX_STRINGS, dtype=np.int64), np.zeros(MAX_STRINGS, dtype=np.int64))


@kernel
def living(shape, own, other, least, memory):
    """The unconditionally alive stones of `own`, and the points that `own` certainly has at the end.

    Benson's algorithm: a string lives if it has two vital regions. A region is vital to a string if each of its empty
    points is a liberty of the string. A region next to a string that does not live does not count.

    A living string may be unable to capture what is dead if the capture leaves no eye (docs/explanation/solve.md).
    So a living string is *settled* if two of its vital regions remain eyes whatever is captured in them. Each of these
    has at most one point that is not next to the string, on a single row or column none. If that point becomes empty,
    all its neighbours are empty too: the other side can take one of them, and the string takes another.

    Settled stones own what they enclose, unless the other side can make two eyes there. It cannot if no two of the
    points that settled stones do not touch are apart. If fewer than `least` points are certain, the result may be
    empty.

    References
    ----------
    D. B. Benson, Life in the Game of Go, Information Sciences 10 (1976).
    """
    if not own:
        return 0, 0
    strings, regions = memory.strings, memory.regions
    region_count = eyes = 0
    most = own
    rest = shape.full & ~own
    empty = shape.full & ~(own | other)
    touched = neighbors_of(shape, own)
    while rest:
        region = flood(shape, rest & -rest, rest)
        rest &= ~region
        regions[region_count] = region
        region_count += 1
        eyes += not region & empty & ~touched
        if not has_two_apart(shape, region & ~touched):
            most |= region
    # an upper bound that is cheap: most positions end here
    if eyes < 2 or count(most) < least:
        return 0, 0
    string_count = 0
    rest = own
    while rest:
        strings[string_count] = flood(shape, rest & -rest, rest)
        rest &= ~strings[string_count]
        string_count += 1
    alive, region_count = _with_two_regions(
        shape, own, own, empty, shape.points, Parts(strings, string_count, regions, region_count)
    )
    if not alive:
        return 0, 0
    apart = 1 if 1 < shape.cols < shape.points else 0
    settled, _ = _with_two_regions(shape, own, alive, empty, apart, Parts(strings, string_count, regions, region_count))
    safe = alive
    touched = neighbors_of(shape, settled)
    rest = shape.full & ~settled if settled else 0
    while rest:
        region = flood(shape, rest & -rest, rest)
        rest &= ~region
        if not has_two_apart(shape, region & ~touched):
            safe |= region
    return alive, safe


class Parts(NamedTuple):
    """The strings of one colour, the regions between them, and the number of each."""

    strings: np.ndarray
    string_count: int
    regions: np.ndarray
    region_count: int


@kernel
def _with_two_regions(shape, own, alive, empty, most_apart, parts):
    """The strings of `alive` with two vital regions, and how many regions remain in the list.

    A region is vital if the string touches all its empty points and all but `most_apart` of its other points. Removing
    a string removes the regions next to it, and removing a region may remove strings: hence the loop.
    """
    strings, regions, region_count = parts.strings, parts.regions, parts.region_count
    changed = True
    while changed and alive:
        changed = False
        for s in range(parts.string_count):
            if strings[s] & alive:
                liberties = neighbors_of(shape, strings[s])
                vital = 0
                for r in range(region_count):
                    apart = regions[r] & ~liberties
                    if apart != regions[r] and not apart & empty and count(apart) <= most_apart:
                        vital += 1
                if vital < 2:
                    alive &= ~strings[s]
                    changed = True
        kept = 0
        for r in range(region_count):
            if not neighbors_of(shape, regions[r]) & own & ~alive:
                regions[kept] = regions[r]
                kept += 1
        changed = changed or kept < region_count
        region_count = kept
    return alive, region_count


@kernel(inline=True)
def has_two_apart(shape, points):
    """Whether two of the points are distinct and not adjacent. Two eyes need such points."""
    lone = points & -points
    return points & ~(lone | neighbors_of(shape, lone)) != 0 or count(points) > 2


@kernel
def certain(shape, own, other, passed, attacks, asked, memory):
    """1 if the attacker certainly forces `asked`, 0 if he certainly does not, -1 if that takes a search.

    The mover, who is the attacker if `attacks`, has `own`. The reasons are a pass that ends the game, and unconditional
    life.
    """
    if passed:
        lead = area_of(shape, own, other)
        if attacks and lead >= asked:
            return 1
        if not attacks and -lead < asked:
            return 0
    if not attacks:
        own, other = other, own
    _, mine = living(shape, own, other, (shape.points + asked + 1) >> 1, memory)
    if 2 * count(mine) - shape.points >= asked:
        return 1
    _, theirs = living(shape, other, own, ((shape.points - asked) >> 1) + 1, memory)
    return 0 if shape.points - 2 * count(theirs) < asked else -1
