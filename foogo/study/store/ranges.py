"""Arithmetic on ranges of game numbers, as sorted, disjoint (first, end) pairs."""

from __future__ import annotations

from collections.abc import Iterable

Range = tuple[int, int]


def union(ranges: Iterable[Range]) -> list[Range]:
    """The numbers in any of the ranges.

    Examples
    --------
    >>> union([(5, 9), (0, 3), (3, 4), (8, 12)])
    [(0, 4), (5, 12)]
    """
    out: list[Range] = []
    for first, end in sorted(ranges):
        if first >= end:
            continue
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((first, end))
    return out


def without(ranges: Iterable[Range], taken: Iterable[Range]) -> list[Range]:
    """The numbers of `ranges` that are not in `taken`.

    Examples
    --------
    >>> without([(0, 10)], [(2, 3), (5, 7)])
    [(0, 2), (3, 5), (7, 10)]
    """
    out: list[Range] = []
    holes = union(taken)
    for first, end in union(ranges):
        for low, high in holes:
            if high <= first or low >= end:
                continue
            if low > first:
                out.append((first, low))
            first = high
        if first < end:
            out.append((first, end))
    return out


def count(ranges: Iterable[Range]) -> int:
    """How many numbers there are in disjoint ranges.

    Examples
    --------
    >>> count([(0, 2), (3, 5)])
    4
    """
    return sum(end - first for first, end in ranges)
