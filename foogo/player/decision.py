"""How a move of a player came about."""

from __future__ import annotations

from dataclasses import dataclass

from foogo.search.result import SearchResult
from foogo.stats.percent import percent

RESIGN = -2
"""What a player answers instead of a move when it gives up."""


@dataclass(frozen=True)
class Decision:
    """How a move came about.

    Attributes
    ----------
    color, move
        Whose move, and which: a point, PASS or RESIGN.
    result
        What the search knew, or None of a move that was found without one.
    reason
        Why it is not simply the search's best move; else empty.
    seconds
        From the question to the answer.
    """

    color: int
    move: int
    result: SearchResult | None
    reason: str
    seconds: float

    @property
    def comment(self) -> str:
        """The win share of the player and its lead in points, in words; empty of a move found without a search."""
        if self.result is None:
            return self.reason
        return f"win share {percent(self.result.value)}, {self.result.score:+.1f} points"
