"""The integer totals of games. Totals add up, so a run may be split in any way."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Totals:
    """The totals of games from one start.

    Attributes
    ----------
    cut
        Games cut at the move limit.
    moves
        Stones placed, over all games; passes are not counted.
    scores
        (2*size*size + 1,) int64, read-only: games by score; index = score + size*size, Black minus White, before komi.
    """

    cut: int
    moves: int
    scores: NDArray[np.int64] = field(repr=False)

    def __post_init__(self) -> None:
        scores = self.scores.view()  # the creator's array stays writable
        scores.flags.writeable = False
        object.__setattr__(self, "scores", scores)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__post_init__()  # unpickled arrays are writable

    @classmethod
    def of_none(cls, size: int) -> Totals:
        """The totals of no games on a board.

        Examples
        --------
        >>> Totals.of_none(9).n
        0
        """
        return cls(0, 0, np.zeros(2 * size * size + 1, np.int64))

    @property
    def n(self) -> int:
        """The number of games."""
        return int(self.scores.sum())

    def __add__(self, other: Totals) -> Totals:
        return Totals(self.cut + other.cut, self.moves + other.moves, self.scores + other.scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Totals):
            return NotImplemented
        return (self.cut, self.moves) == (other.cut, other.moves) and np.array_equal(self.scores, other.scores)

    __hash__ = None  # type: ignore[assignment]
