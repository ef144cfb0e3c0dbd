"""When a search has thought enough about a move."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np

from foogo.game.clock import Plan
from foogo.search.result import SearchResult

CERTAIN = 0.99
"""The win share from which on, and below one minus which, a game is decided."""

CERTAIN_VISITS = 2000
"""Playouts that make it certain."""

HURRY = 0.25
"""The share of its time that a decided game gets for a move."""

EARLIEST, FASTER = 0.1, 1.5
"""The share of the time for a move that a search takes to know its speed, which a thread that was let go late makes too
low till then; and how much faster it may yet become."""

RIVAL = 0.7
"""The share of the best move's visits from which on another move is a rival."""

CHANCE = 0.2
"""The share of the best move's visits from which on a higher win share makes a move better in spite of them."""

DROP = 0.1
"""The fall of the win share since the last move that is worth more thought."""

SURE = (0.05, 0.95)
"""Outside these win shares no choice is unclear."""


class Thinking:
    """The `until` of a search for one move: true once it has thought enough.

    It stops before the time aimed at if no other move can still be visited more than the best, and goes on to the most
    the plan allows while the choice is unclear: a rival nearly as often visited, a better win share elsewhere, or a
    sudden fall.

    Parameters
    ----------
    plan
        The time to aim at and the most, from `began`; infinite for a search that simulations end.
    began
        `time.perf_counter` of the moment the move was asked for.
    before
        The win share of the last search for this player, or nan.
    interrupted
        Whether somebody wants the answer now.
    """

    def __init__(
        self,
        plan: Plan,
        began: float,
        before: float = math.nan,
        interrupted: Callable[[], bool] = lambda: False,
    ) -> None:
        self.plan, self.began, self.before = plan, began, before
        self._interrupted = interrupted

    def __call__(self, result: SearchResult) -> bool:
        """Whether the search may end with this result."""
        if self._interrupted():
            return True
        elapsed = time.perf_counter() - self.began
        if self.plan.aim == math.inf and self.plan.most == math.inf:
            return False
        return self.is_enough(result, elapsed)

    def is_enough(self, result: SearchResult, elapsed: float) -> bool:
        """Whether `elapsed` seconds are enough for this result."""
        if elapsed >= self.plan.most or len(result.moves) == 1:
            return True
        unclear = self.is_unclear(result)
        limit = self.plan.most if unclear else self.plan.aim
        if elapsed >= limit:
            return True
        if is_certain(result) and elapsed >= HURRY * self.plan.aim:
            return True
        return is_settled(result, elapsed, limit)

    def is_unclear(self, result: SearchResult) -> bool:
        """Whether more time could change the choice for the better."""
        rows = result.moves
        if not SURE[0] < result.value < SURE[1]:
            return False
        if result.value < self.before - DROP:
            return True
        visits, shares = rows["visits"], np.nan_to_num(rows["win_share"], nan=-1.0)
        if visits[1] >= RIVAL * visits[0]:
            return True
        better = (visits >= CHANCE * visits[0]) & (shares > shares[0])
        return bool(better.any())


def is_certain(result: SearchResult) -> bool:
    """Whether the game is decided, whatever is played."""
    visits = int(result.moves["visits"].sum())
    return visits >= CERTAIN_VISITS and not 1 - CERTAIN <= result.value <= CERTAIN


def is_settled(result: SearchResult, elapsed: float, limit: float) -> bool:
    """Whether the best move stays the most visited one for the rest of `limit` seconds, at the speed so far."""
    if not result.simulations or result.seconds < EARLIEST * limit:
        return False
    return bool(FASTER * result.per_second * (limit - elapsed) < lead_of_best(result))


def lead_of_best(result: SearchResult) -> int:
    """Visits that the best move has more than any other; below 0 if it is not the most visited one."""
    visits = result.moves["visits"]
    return int(visits[0]) - (int(visits[1]) if len(visits) > 1 else 0)


def moves_to_go(size: int, empty: int) -> float:
    """Moves that a player is expected to make until the game ends, of its board size and empty points.

    Games between programs on 9x9 take some 60 turns, on 19x19 some 250; the floor is for those that go on.

    Examples
    --------
    >>> moves_to_go(9, 81), moves_to_go(9, 10)
    (28.35, 9.72)
    """
    return round(max(0.35 * empty, 0.12 * size * size), 2)
