"""`SharedTree`: the search tree's memory, and what its threads share besides."""

from __future__ import annotations

import weakref
from collections import deque
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from foogo.errors import ArgumentError
from foogo.search.kernels import tree
from foogo.search.kernels.tiles import ENTRY_BYTES, MOST_VISITS, TILE, new_tree, read

KEPT = 64 << 20
"""Bytes that a tree may have written to for its memory to be kept when it is gone. A machine takes its time to hand out
memory that is fresh, up to a tenth of a search; the next tree of that size is spared it."""

_spare: deque[NDArray[np.int64]] = deque(maxlen=1)
"""The memory of the last such tree."""


class SharedTree:
    """A root without children that may grow to so many entries.

    Attributes
    ----------
    memory, shared
        As `foogo.search.kernels.tree` has them.

    Raises
    ------
    ArgumentError
        If the machine has not so much memory.
    """

    def __init__(self, capacity: int) -> None:
        try:
            self.memory = _memory_for(capacity)
        except MemoryError:
            size = capacity * ENTRY_BYTES
            raise ArgumentError(f"memory is {size}: there is not so much on this machine; choose less") from None
        self.shared = np.zeros(tree.SHARED, np.int64)
        tree.plant(self.memory, self.shared)
        weakref.finalize(self, _keep, self.memory, self.shared).atexit = False

    @property
    def bytes(self) -> int:
        """Bytes in use."""
        return int(self.shared[tree.USED]) * ENTRY_BYTES

    @property
    def moves(self) -> int:
        """Moves in it, the root among them."""
        return int(self.shared[tree.MOVES])

    @property
    def is_full(self) -> bool:
        """Whether it could not grow for want of memory."""
        return bool(self.shared[tree.FULL])

    @property
    def playouts(self) -> int:
        """Playouts of the root, those on their way included."""
        root = read(self.memory, tree.ROOT, 1)[0]
        return int(root["visits"]) - int(root["prior_visits"])

    @property
    def room(self) -> int:
        """Playouts that can still be counted."""
        return max(0, MOST_VISITS - int(read(self.memory, tree.ROOT, 1)[0]["visits"]))

    def follow(self, move: int) -> None:
        """Make the position after a move the root, and keep what is known of it."""
        self.shared[tree.MOST] = max(self.shared[tree.MOST], self.shared[tree.USED])
        child = tree.child_of(self.memory, tree.ROOT, move)
        if child == tree.LEAF:
            tree.plant(self.memory, self.shared)
        else:
            tree.keep(self.memory, self.shared, child)

    def stop(self) -> None:
        """Tell the threads to come to an end."""
        self.shared[tree.STOP] = 1

    def go(self) -> None:
        """Take `stop` back."""
        self.shared[tree.STOP] = 0

    def recount(self) -> None:
        """Begin to count the simulations that are given out."""
        self.shared[tree.ISSUED] = 0


def _memory_for(capacity: int) -> NDArray[np.int64]:
    size = capacity // TILE * TILE * ENTRY_BYTES
    with suppress(IndexError):
        memory = _spare.pop()
        if memory.nbytes == size:
            return memory
        del memory  # before there is more
    return new_tree(capacity)


def _keep(memory: NDArray[np.int64], shared: NDArray[np.int64]) -> None:
    if max(shared[tree.USED], shared[tree.MOST]) * ENTRY_BYTES <= KEPT:
        _spare.append(memory)
