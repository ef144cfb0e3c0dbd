"""Requests for a move, and decisions."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from foogo.game.notation import signed
from foogo.search.restrictions import Avoid
from foogo.search.result import SearchResult
from foogo.stats.percent import percent

RESIGN = -2  # what a player returns instead of a move when it resigns

Watch = Callable[[SearchResult], object]
"""Called with snapshots of a running search."""


@dataclass(frozen=True)
class MoveRequest:
    """A request for a move; the fields that `Player.genmove` takes are explained there."""

    color: int
    began: float  # when the request came, by `working_clock`
    clean_up: bool
    watch: Watch | None
    avoid: tuple[Avoid, ...]
    interrupted: Callable[[], bool]


@dataclass(frozen=True)
class Decision:
    """A move and how it came about."""

    color: int
    move: int  # a point, PASS or RESIGN
    result: SearchResult
    reason: str  # why the move is not simply the search's best; empty if it is
    seconds: float  # from the request to the answer, compilation excluded

    @property
    def comment(self) -> str:
        """The player's win share and lead in points, in words."""
        return f"win share {percent(self.result.value)}, {signed(self.result.score)} points"


def share_of_best(result: SearchResult) -> float:
    """The win share of the best move; NaN if no simulation was made."""
    return float(result.moves["win_share"][0]) if result.simulations or result.proven else math.nan
