"""The integer totals of games, which add up: what a chunk of a study is."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from foogo.errors import StoreError

if TYPE_CHECKING:
    from foogo.playout.simulate import Playouts


@dataclass(frozen=True, eq=False)
class Tally:
    """The totals of some games from one start.

    Attributes
    ----------
    cut
        Games cut at the move limit.
    moves
        Stones placed, over all games; passes are not counted.
    scores
        (2*size*size + 1,) int64: games by score; index = score + size*size, Black minus White, before komi.
    """

    cut: int
    moves: int
    scores: NDArray[np.int64] = field(repr=False)

    @classmethod
    def none(cls, size: int) -> Tally:
        """The totals of no games.

        Examples
        --------
        >>> Tally.none(9).n
        0
        """
        return cls(0, 0, np.zeros(2 * size * size + 1, np.int64))

    @classmethod
    def of(cls, playouts: Playouts) -> Tally:
        """The totals alone."""
        return cls(playouts.cut, playouts.moves, playouts.scores)

    @property
    def n(self) -> int:
        """How many games."""
        return int(self.scores.sum())

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.cut + other.cut, self.moves + other.moves, self.scores + other.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tally):
            return NotImplemented
        return (self.cut, self.moves) == (other.cut, other.moves) and np.array_equal(self.scores, other.scores)

    __hash__ = None  # type: ignore[assignment]

    def mirrored(self) -> Tally:
        """The same games told by the other side: scores change their sign."""
        return Tally(self.cut, self.moves, self.scores[::-1])


def pack_scores(scores: NDArray[np.int64]) -> bytes:
    """A histogram as bytes: 64-bit little-endian integers, compressed by zlib.

    Examples
    --------
    >>> unpack_scores(pack_scores(np.arange(9)), 2).tolist()
    [0, 1, 2, 3, 4, 5, 6, 7, 8]
    """
    return zlib.compress(scores.astype("<i8").tobytes(), 9)


def unpack_scores(packed: bytes, size: int) -> NDArray[np.int64]:
    """The histogram that `pack_scores` wrote.

    Raises
    ------
    StoreError
        If the bytes are no histogram of that board size.
    """
    try:
        scores = np.frombuffer(zlib.decompress(packed), "<i8")
    except (zlib.error, ValueError, TypeError):
        scores = np.zeros(0, "<i8")
    if len(scores) != 2 * size * size + 1 or (scores < 0).any():
        raise StoreError("the store is damaged: a histogram cannot be read; restore a copy, or merge it into a new one")
    return scores.astype(np.int64)
