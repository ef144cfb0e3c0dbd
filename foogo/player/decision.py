"""Requests for a move, and decisions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foogo.search.restrictions import Avoid
from foogo.search.result import SearchResult
from foogo.stats.percent import percent

RESIGN = -2
"""What a player returns instead of a move when it resigns."""

Watch = Callable[[SearchResult], object]
"""Called with snapshots of a running search."""


@dataclass(frozen=True)
class MoveRequest:
    """A request for a move.

    Attributes
    ----------
    color
        Whose move.
    began
        When the request came, by `working_clock`.
    clean_up
        Whether to capture all dead stones before passing, whatever the rules.
    watch
        Called with snapshots of the search, or None.
    avoid
        Moves to exclude, counted from the position.
    interrupted
        Polled during the search; once true, the search stops.
    """

    color: int
    began: float
    clean_up: bool
    watch: Watch | None
    avoid: tuple[Avoid, ...]
    interrupted: Callable[[], bool]


@dataclass(frozen=True)
class Decision:
    """A move and how it came about.

    Attributes
    ----------
    color, move
        Whose move, and which: a point, PASS or RESIGN.
    result
        The result of the search.
    reason
        Why the move is not simply the search's best; empty if it is.
    seconds
        From the request to the answer, compilation excluded.
    """

    color: int
    move: int
    result: SearchResult
    reason: str
    seconds: float

    @property
    def comment(self) -> str:
        """The player's win share and lead in points, in words."""
        return f"win share {percent(self.result.value)}, {self.result.score:+.1f} points"
