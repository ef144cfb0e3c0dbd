"""All hands of five to seven cards as arrays, and poker by its rules in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

Cards = NDArray[np.uint8]


@cache
def combinations_of(size: int) -> Cards:
    """All combinations of `size` of 52 cards. Those of cards below `n` are the first C(n, size) rows."""
    if size == 0:
        return np.zeros((1, 0), np.uint8)
    smaller = combinations_of(size - 1)
    parts = [
        np.column_stack([smaller[: comb(top, size - 1)], np.full(comb(top, size - 1), top, np.uint8)])
        for top in range(size - 1, 52)
    ]
    return np.ascontiguousarray(np.concatenate(parts), np.uint8)


def hands_of(size: int) -> Iterator[Cards]:
    """All hands of `size` cards, in parts: five of the cards below, and each choice of the highest ones."""
    five = combinations_of(5)
    for tops in combinations_of(size - 5).tolist():
        lower = five[: comb(tops[0], 5)] if tops else five
        yield np.column_stack([lower, np.broadcast_to(np.array(tops, np.uint8), (len(lower), len(tops)))])


def strength(hand: Sequence[int]) -> tuple[int, ...]:
    """A number for the category of five cards, then the ranks that break ties: the larger tuple wins."""
    ranks = sorted((card % 13 for card in hand), reverse=True)
    counts = Counter(ranks)
    ranks.sort(key=lambda rank: (counts[rank], rank), reverse=True)
    shape = sorted(counts.values(), reverse=True)
    is_flush = len({card // 13 for card in hand}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    is_straight = len(counts) == 5 and ranks[0] - ranks[4] == 4
    order = [is_straight and is_flush, shape == [4, 1], shape == [3, 2], is_flush, is_straight]
    order += [shape[0] == 3, shape == [2, 2, 1], shape[0] == 2, True]
    return (-order.index(True), *ranks)
