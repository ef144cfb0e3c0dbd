"""Arithmetic on ranges of playout and game numbers: sorted, disjoint (first, end) pairs."""

from __future__ import annotations

from collections.abc import Iterable

NumberRange = tuple[int, int]


def union(ranges: Iterable[NumberRange]) -> list[NumberRange]:
    """The numbers in any of the ranges.

    Examples
    --------
    >>> union([(5, 9), (0, 3), (3, 4), (8, 12)])
    [(0, 4), (5, 12)]
    """
    out: list[NumberRange] = []
    for first, end in sorted(ranges):
        if first >= end:
            continue
        if out and first <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((first, end))
    return out


def difference(ranges: Iterable[NumberRange], removed: Iterable[NumberRange]) -> list[NumberRange]:
    """The numbers of `ranges` that are not in `removed`.

    Examples
    --------
    >>> difference([(0, 10)], [(2, 3), (5, 7)])
    [(0, 2), (3, 5), (7, 10)]
    """
    out: list[NumberRange] = []
    holes = union(removed)
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


def intersection(ranges: Iterable[NumberRange], others: Iterable[NumberRange]) -> list[NumberRange]:
    """The numbers in both.

    Examples
    --------
    >>> intersection([(0, 4), (6, 9)], [(2, 7)])
    [(2, 4), (6, 7)]
    """
    mine = union(ranges)
    return difference(mine, difference(mine, others))


def total(ranges: Iterable[NumberRange]) -> int:
    """The number of elements of disjoint ranges.

    Examples
    --------
    >>> total([(0, 2), (3, 5)])
    4
    """
    return sum(end - first for first, end in ranges)
