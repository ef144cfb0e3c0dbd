"""Tables of what one suit leaves over when its cards are laid out in runs.

A suit's cards are a number in a mixed radix: the digit of a rank is its count. The entry for j jokers and cards e,
``left[start + j * size + e]``, is the least value left over of these cards and jokers. Values are added up in uint16.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.jit import kernel

RANKS, ACE = 13, 12

LONGEST = 5
"""Cards of the longest run that is tried: a longer one splits into runs of three to five."""

VALUE_OF_JOKER = RANKS
"""The column of a suit's values that holds the value of a joker."""


class Runs(NamedTuple):
    """The tables of the four suits."""

    left: NDArray[np.uint16]
    """All entries."""
    start: NDArray[np.int64]
    """The first entry of each suit, shape (4,); suits of equal values may share a table."""
    size: NDArray[np.int64]
    """Entries for each number of jokers, shape (4,)."""
    stride: NDArray[np.int64]
    """The weight of each rank's digit, shape (4, 13)."""


@kernel(allocates=True)
def fill(runs, suit, counts, jokers, values, windows):
    """Fill the table of `suit`, for at most `counts` (13) cards of each rank and at most `jokers` jokers.

    Every entry decides about one card: the ace, or the lowest card if there is no ace. It is left over, or in one of
    its `windows`: the runs of three to five ranks that contain it, ended by -1. A rank without a card takes a joker.
    Using a card before a joker loses nothing: another run with that card could use the joker instead.
    """
    left, start, stride = runs.left, runs.start[suit], runs.stride[suit]
    size = 1
    for rank in range(RANKS):
        stride[rank] = size
        size *= counts[rank] + 1
    runs.size[suit] = size
    digits = np.zeros(RANKS, np.int64)
    for j in range(jokers + 1):
        left[start + j * size] = j * values[suit, VALUE_OF_JOKER]
    for entry in range(1, size):
        rank = 0
        while digits[rank] == counts[rank]:
            digits[rank] = 0
            rank += 1
        digits[rank] += 1
        while digits[rank] == 0:
            rank += 1
        if digits[ACE] > 0:
            rank = ACE
        for j in range(jokers + 1):
            at = start + j * size + entry
            left[at] = left[at - stride[rank]] + values[suit, rank]
        for window in range(windows.shape[1]):
            needed, used, card = 0, 0, 0
            while windows[rank, window, card] >= 0 and needed <= jokers:
                if digits[windows[rank, window, card]] > 0:
                    used += stride[windows[rank, window, card]]
                else:
                    needed += 1
                card += 1
            if used > 0:
                for j in range(needed, jokers + 1):
                    at = start + j * size + entry
                    left[at] = min(left[at], left[at - needed * size - used])
