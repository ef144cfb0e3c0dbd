"""How a player plays: everything about it that is not the game."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.game.clock import LAG
from foogo.game.geometry import BLACK, WHITE
from foogo.playout.policies import STRONGEST, Policy, policy_of

if TYPE_CHECKING:
    from foogo.search.parameters import SearchParameters

DEFAULT_SECONDS = 1.0
"""The time for a move where nothing else limits it."""

MUST_WIN = {"no": (), "yes": (BLACK, WHITE), "black": (BLACK,), "white": (WHITE,)}
"""The colours as which a draw is as bad as a loss."""


@dataclass(frozen=True)
class PlayerOptions:
    """How a player thinks, passes and resigns.

    Attributes
    ----------
    threads, seed, policy, parameters
        As `foogo.Search` takes them.
    simulations, seconds
        The most for a move; a clock limits it further. With neither and no clock a move takes `DEFAULT_SECONDS`.
        One thread and simulations alone give the same moves each time.
    lag
        Seconds kept back on the clock for what lies between an answer and the controller.
    must_win
        Whether a draw is as bad as a loss to the player, so that it plays on for more: "no", "yes", or only as "black"
        or "white". Draws are games that end at the komi exactly, if that is a whole number.
    resign
        The win share below which the player gives up; 0 for never.
    resign_moves
        How many of its moves in a row must be that bad.
    ponder
        Whether to search on while the opponent thinks.
    status_simulations
        Playouts behind a final score and the list of dead stones.

    Raises
    ------
    ArgumentError
        If a value is out of range.
    """

    threads: int = 1
    seed: int = 0
    policy: str | Policy = STRONGEST
    parameters: SearchParameters | None = None
    simulations: int | None = None
    seconds: float | None = None
    lag: float = LAG
    must_win: str = "no"
    resign: float = 0.0
    resign_moves: int = 3
    ponder: bool = False
    status_simulations: int = 10_000

    def __post_init__(self) -> None:
        whole("threads", self.threads, 1, 1024)
        whole("seed", self.seed, 0, 2**64 - 1)
        policy_of(self.policy)
        if self.simulations is not None:
            whole("simulations", self.simulations, 1, 2**60)
        if self.seconds is not None:
            _number("seconds", self.seconds, 0.0, 2.0**40, "above 0", open_at_low=True)
        _number("lag", self.lag, 0.0, 3600.0, "from 0 to 3600")
        if self.must_win not in MUST_WIN:
            raise ArgumentError(f"must_win is {self.must_win!r}: give {', '.join(MUST_WIN)}")
        _number("resign", self.resign, 0.0, 0.5, "a win share from 0 to 0.5")
        whole("resign_moves", self.resign_moves, 1, 1000)
        whole("status_simulations", self.status_simulations, 1, 2**40)


def _number(name: str, value: Any, low: float, high: float, right: str, open_at_low: bool = False) -> None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not is_number or not low <= value <= high or (open_at_low and value == low):
        raise ArgumentError(f"{name} is {value!r}: it must be {right}")
