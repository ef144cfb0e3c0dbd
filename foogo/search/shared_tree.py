"""`SharedTree`: the memory of a search tree, and the other state that its threads share."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import enough_memory
from foogo.game.geometry import PASS
from foogo.game.point_set import PointSet
from foogo.search.kernels import proofs, tree
from foogo.search.kernels.tiles import ENTRY_BYTES, MOST_VISITS, TILE, TILE_BYTES, TreeArrays, new_memory, read

KEPT_BYTES = 64 << 20
"""Memory is kept for the next tree if at most this much of it was written to. First touching fresh memory takes up to a
tenth of a search's time; the next tree of the same size avoids that."""

_spare: deque[NDArray[np.int64]] = deque(maxlen=1)


class SharedTree:
    """A tree of at most `capacity` entries that threads grow: at first a root without children.

    `arrays` is the tree for kernels. An ArgumentError is raised if this machine has too little memory.
    """

    def __init__(self, capacity: int) -> None:
        with enough_memory("memory", capacity // TILE * TILE_BYTES):
            self.arrays = tree.new_arrays(_memory_for(capacity))
        self.clear()
        weakref.finalize(self, _keep, self.arrays).atexit = False

    def __reduce__(self) -> tuple[Callable[[int, TreeArrays], SharedTree], tuple[int, TreeArrays]]:
        """What `copy` and `pickle` take: the memory in use, and how much is reserved."""
        arrays, tiles = self.arrays, int(self.arrays.shared[tree.USED]) // TILE
        used = arrays._replace(memory=arrays.memory[: self.bytes // 8], keys=arrays.keys[:tiles])
        return _copied, (arrays.memory.nbytes // ENTRY_BYTES, used)

    @property
    def bytes(self) -> int:
        """Bytes in use."""
        return int(self.arrays.shared[tree.USED]) * ENTRY_BYTES

    @property
    def moves(self) -> int:
        """Moves in the tree, including the root."""
        return int(self.arrays.shared[tree.MOVES])

    @property
    def is_full(self) -> bool:
        """Whether it has stopped growing, because its memory is used up."""
        return bool(self.arrays.shared[tree.FULL])

    @property
    def playouts(self) -> int:
        """Playouts of the root, those in flight included."""
        root = read(self.arrays.memory, tree.ROOT, 1)[0]
        return int(root["visits"]) - int(root["prior_visits"])

    @property
    def room(self) -> int:
        """Playouts that can still be counted."""
        most = int(read(self.arrays.memory, tree.ROOT, 1)[0]["visits"]) + int(self.arrays.shared[tree.EXCESS])
        return max(0, MOST_VISITS - most)

    def clear(self) -> None:
        """Leave only a root."""
        tree.plant(self.arrays)

    def follow(self, move: int, legal: Callable[[], PointSet]) -> None:
        """Make the position after a move the root, and keep its subtree; `legal` gives the points to play there."""
        shared = self.arrays.shared
        shared[tree.MOST_USED] = max(shared[tree.MOST_USED], shared[tree.USED])
        child = tree.child_of(self.arrays, tree.ROOT, move)
        if child == tree.LEAF or proofs.is_extended(self.arrays, child):
            self.clear()
        else:
            tree.keep(self.arrays, child)
            if shared[tree.TRANSPOSITIONS] and not self._is_legal(legal()):
                self.clear()  # another history gave the position its children

    def _is_legal(self, legal: PointSet) -> bool:
        """Whether the moves at the root are legal."""
        first, count = tree.first_children(self.arrays)
        if first <= tree.LEAF:
            return True
        return all(legal[move] for move in read(self.arrays.memory, first, count)["move"] if move != PASS)

    def stop(self) -> None:
        """Tell the threads to stop."""
        self.arrays.shared[tree.STOP] = 1

    def clear_stop(self) -> None:
        """Undo `stop`."""
        self.arrays.shared[tree.STOP] = 0


def _copied(capacity: int, used: TreeArrays) -> SharedTree:
    """A tree of that capacity with the contents of another."""
    copied = SharedTree(capacity)
    for name, part in used._asdict().items():
        getattr(copied.arrays, name)[: len(part)] = part
    return copied


def _memory_for(capacity: int) -> NDArray[np.int64]:
    """Spare memory if it has the right size, else new memory."""
    size = capacity // TILE * TILE * ENTRY_BYTES
    with suppress(IndexError):
        memory = _spare.pop()
        if memory.nbytes == size:
            return memory
        del memory  # before more is allocated
    return new_memory(capacity)


def _keep(arrays: TreeArrays) -> None:
    used = max(arrays.shared[tree.USED], arrays.shared[tree.MOST_USED])
    if used * ENTRY_BYTES <= KEPT_BYTES:
        _spare.append(arrays.memory)
