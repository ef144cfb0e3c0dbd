"""Tries in parallel blocks, and the functions of hands that their deals must satisfy.

Tries are made in the order of their numbers, and a block never depends on another. So the accepted deals are the same
for any number of threads.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.cards.deal.functions import HandFunction
from foogo.cards.deal.kernels.dealing import Found, Plan, deal_seats, found_arrays, search
from foogo.cards.deal.pbn import Deals

FIRST_BLOCK, LARGEST_BLOCK = 64, 1 << 16
"""Tries of the first block of a run, and of the largest; each block is four times the one before."""


class Block(NamedTuple):
    """The accepted deals of consecutive tries.

    Attributes
    ----------
    deals
        Masks, (accepted, 4); seats that nobody looked at may lack cards.
    tries, drawn
        For each, the tries made and the cards drawn in this block until it was accepted.
    all_tries, all_drawn
        The tries made and the cards drawn in the block.
    """

    deals: Deals
    tries: NDArray[np.int64]
    drawn: NDArray[np.int64]
    all_tries: int
    all_drawn: int

    def cut(self, count: int) -> Block:
        """The block until its deal number `count`, which must exist."""
        parts = self.deals[:count], self.tries[:count], self.drawn[:count]
        return Block(*parts, int(self.tries[count - 1]), int(self.drawn[count - 1]))


class Run(NamedTuple):
    """How to make tries: the compiled plan, the functions that decide after it, the seats wanted in the end."""

    plan: Plan
    functions: Sequence[HandFunction]
    wanted: int
    seed: int

    def blocks(self, most: int, threads: int) -> Iterator[Block]:
        """The first `most` tries in blocks, in order."""
        then = 0 if self.functions else self.wanted
        waiting: deque[Future[tuple[int, Found, int]]] = deque()
        first = 0
        with ThreadPoolExecutor(threads) as pool:
            for i in count():
                size = min(FIRST_BLOCK << 2 * min(i, 8), LARGEST_BLOCK, most - first)
                if size:
                    waiting.append(pool.submit(self._search, first, size, then))
                    first += size
                # small blocks one after the other: a run that needs few tries does not wait for others
                if len(waiting) >= (threads if size == LARGEST_BLOCK else 1) or not size:
                    if not waiting:
                        return
                    yield self._decided(*waiting.popleft().result())

    def _search(self, first: int, size: int, then: int) -> tuple[int, Found, int]:
        found = found_arrays(size)
        accepted, drawn = search(self.plan, np.uint64(self.seed), first, size, then, found)
        kept = Found(*(array[:accepted].copy() for array in found))
        return size, kept._replace(numbers=kept.numbers - first + 1), int(drawn)

    def _decided(self, size: int, found: Found, drawn: int) -> Block:
        """What is left of a block after the functions of hands."""
        for function in self.functions:
            extra = np.empty(len(found.deals), np.int64)
            deal_seats(sum(1 << seat for seat in function.seats), found.deals, found.states, extra)
            found = found._replace(drawn=found.drawn + np.cumsum(extra))
            drawn += int(extra.sum())
            kept = function.values(found.deals).astype(np.bool_)
            found = Found(*(array[kept] for array in found))
        if self.functions:
            deal_seats(self.wanted, found.deals, found.states, np.empty(len(found.deals), np.int64))
        return Block(found.deals, found.numbers, found.drawn, size, drawn)
