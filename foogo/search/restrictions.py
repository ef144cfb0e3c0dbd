"""`Avoid`: moves that a search leaves out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.game.geometry import PASS, check_color, geometry
from foogo.game.point_set import listed

FOR_EVER = 2**30
"""A depth beyond every search."""


@dataclass(frozen=True)
class Avoid:
    """Moves that a search leaves out near the root, like ``avoid`` in the analysis of Leela Zero and KataGo.

    Attributes
    ----------
    color
        The player whose moves are left out.
    moves
        Vertices, points, PASS; or a set of points, such as `foogo.Board.legal` returns.
    depth
        They are left out among the first `depth` moves from the root, counting both colours; 1 is the move to be found.

    Raises
    ------
    ArgumentError
        If the color is unknown, `moves` is not an iterable of moves, or the depth is below 1.
    """

    color: int
    moves: Iterable[int | str]
    depth: int = FOR_EVER

    def __post_init__(self) -> None:
        object.__setattr__(self, "color", check_color(self.color))
        if isinstance(self.moves, str) or not isinstance(self.moves, Iterable):
            raise ArgumentError(f"moves are {self.moves!r}: give vertices or points, as ['E5', 'pass']")
        try:
            object.__setattr__(self, "moves", frozenset(listed(self.moves)))
        except TypeError:  # a list among them, which has no hash
            raise ArgumentError(f"moves are {self.moves!r}: give vertices or points, as ['E5', 'pass']") from None
        object.__setattr__(self, "depth", whole("depth", self.depth, 1, FOR_EVER))


def all_but(size: int, color: int, moves: Iterable[int | str], depth: int = FOR_EVER) -> Avoid:
    """Leave out every point except `moves`, like ``allow`` in KataGo's analysis. A pass is not left out."""
    wanted = {geometry(size).check_move(move) for move in Avoid(color, moves).moves}
    return Avoid(color, frozenset(range(size * size)) - wanted, depth)


def avoided_depths(size: int, restrictions: Iterable[Avoid]) -> NDArray[np.int32]:
    """The depth to which Black and White leave out each point, and a pass: (2, points + 1) int32, the pass last."""
    if not isinstance(restrictions, Iterable):
        raise ArgumentError(f"avoid is {restrictions!r}: give a list of foogo.search.restrictions.Avoid(color, moves)")
    depths = np.zeros((2, size * size + 1), np.int32)
    for one in restrictions:
        if not isinstance(one, Avoid):
            raise ArgumentError(f"avoid holds {one!r}: it must be foogo.search.restrictions.Avoid(color, moves)")
        for move in one.moves:
            point = geometry(size).check_move(move)
            at = size * size if point == PASS else point
            depths[one.color - 1, at] = max(depths[one.color - 1, at], one.depth)
    return depths
