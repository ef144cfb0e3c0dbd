"""When the search for a move may stop."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from foogo.core.compiling import working_clock
from foogo.game.clock import Plan
from foogo.search.result import SearchResult

DECIDED = 0.99  # a game is decided if the win share is above this, or below one minus this
DECIDED_VISITS = 2000  # playouts required before a game counts as decided
DECIDED_TIME = 0.25  # the share of the time for a move that is spent in a decided game
EARLIEST = 0.1  # the share of that time after which the search speed is trusted: threads may start late
SPEED_MARGIN = 1.5  # how much faster than measured the search may become
RIVAL = 0.7  # another move is a rival if it has at least this share of the best move's visits
CHALLENGER = 0.2  # a move with a higher win share counts as better from this share of those visits on
DROP = 0.1  # a fall of the win share since the last move that justifies more time
CONTESTED = (0.05, 0.95)  # outside this range of win shares no choice is unclear


class StopCondition:
    """The `until` of a search for one move: true once the search may stop.

    The search stops before the time aimed at if no other move can still become the most visited. While the choice is
    unclear, it continues up to the most that the plan allows. The choice is unclear if a rival is nearly as often
    visited, another move has a better win share, or the win share has suddenly fallen from `before`: that of this
    player's previous search, or NaN. The plan counts from `began`, by `working_clock`.
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
        """Whether the search may stop with this result."""
        if self._interrupted():
            return True
        elapsed = working_clock() - self.began
        if self.plan.aim == math.inf and self.plan.most == math.inf:
            return False
        return self.is_enough(result, elapsed)

    def is_enough(self, result: SearchResult, elapsed: float) -> bool:
        """Whether the search may stop with this result after `elapsed` seconds."""
        if elapsed >= self.plan.most or len(result.moves) == 1:
            return True
        unclear = self.is_unclear(result)
        limit = self.plan.most if unclear else self.plan.aim
        if elapsed >= limit:
            return True
        if is_decided(result) and elapsed >= DECIDED_TIME * self.plan.aim:
            return True
        return choice_is_final(result, elapsed, limit)

    def is_unclear(self, result: SearchResult) -> bool:
        """Whether more time could improve the choice."""
        rows = result.moves
        if not CONTESTED[0] < result.value < CONTESTED[1]:
            return False
        if result.value < self.before - DROP:
            return True
        visits, shares = rows["visits"], np.nan_to_num(rows["win_share"], nan=-1.0)
        if visits[1] >= RIVAL * visits[0]:
            return True
        better = (visits >= CHALLENGER * visits[0]) & (shares > shares[0])
        return bool(better.any())


def is_decided(result: SearchResult) -> bool:
    """Whether the game is as good as won or lost."""
    visits = int(result.moves["visits"].sum())
    return visits >= DECIDED_VISITS and not 1 - DECIDED <= result.value <= DECIDED


def choice_is_final(result: SearchResult, elapsed: float, limit: float) -> bool:
    """Whether the best move must remain the most visited until `limit` seconds, at the search speed so far."""
    if not result.simulations or result.seconds < EARLIEST * limit:
        return False
    return bool(SPEED_MARGIN * result.per_second * (limit - elapsed) < visit_lead(result))


def visit_lead(result: SearchResult) -> int:
    """How many more visits the best move has than any other; negative if it is not the most visited."""
    visits = result.moves["visits"]
    return int(visits[0]) - (int(visits[1]) if len(visits) > 1 else 0)


def moves_to_go(size: int, empty: int) -> float:
    """Moves that a player is expected to play until the end of the game.

    Games between programs last about 60 turns on 9x9 and 250 on 19x19. The result does not fall below a floor, because
    some games go on with few empty points left.
    """
    return round(max(0.35 * empty, 0.12 * size * size), 2)
