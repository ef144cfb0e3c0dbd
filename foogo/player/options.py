"""How a player thinks, passes and resigns."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from foogo.arguments import is_number, truth, whole
from foogo.errors import ArgumentError
from foogo.game.clock import LAG
from foogo.game.geometry import BLACK, WHITE
from foogo.playout.policies import STRONGEST, AnyPolicy, policy_of

if TYPE_CHECKING:
    from foogo.search.parameters import SearchParameters

DEFAULT_SECONDS = 1.0  # seconds per move if nothing else limits it

WHOLE = (
    ("threads", 1, 1024),
    ("seed", 0, 2**64 - 1),
    ("simulations", 1, 2**60),
    ("resign_moves", 1, 1000),
    ("status_simulations", 1, 2**40),
)
"""The options that are whole numbers, with their smallest and largest values."""

MUST_WIN = {"no": (), "yes": (BLACK, WHITE), "black": (BLACK,), "white": (WHITE,)}
"""The colours for which a draw counts as a loss, by the value of `must_win`."""


@dataclass(frozen=True)
class PlayerOptions:
    """How a player thinks, passes and resigns.

    Attributes
    ----------
    threads, seed, policy, parameters
        As for `foogo.Search`.
    simulations, seconds
        Limits per move; a clock limits a move further. Without either and without a clock, a move takes
        `DEFAULT_SECONDS`. One thread limited by simulations alone always plays the same moves.
    lag
        Seconds of each move reserved for the transmission between player and controller.
    must_win
        Whether a draw counts as a loss, so that the player tries for more: "no", "yes", or only as "black" or
        "white". Draws occur if komi is a whole number.
    resign
        The win share below which the player resigns; 0 for never.
    resign_moves
        How many consecutive moves must be below it.
    ponder
        Whether to search while the opponent thinks.
    status_simulations
        Simulations for a final score or a list of dead stones.
    book
        The opening book: "none", "shipped" for foogo's own, or a file that `foogo book grow` wrote. It answers where
        its searches are larger than the player's would be. If the file cannot be used, a line on stderr says why, and
        the player goes on without it.

    Raises
    ------
    ArgumentError
        If a value is out of range.
    """

    threads: int = 1
    seed: int = 0
    policy: str | AnyPolicy | None = STRONGEST
    parameters: SearchParameters | None = None
    simulations: int | None = None
    seconds: float | None = None
    lag: float = LAG
    must_win: str = "no"
    resign: float = 0.0
    resign_moves: int = 3
    ponder: bool = False
    status_simulations: int = 10_000
    book: str | os.PathLike[str] = "none"

    def __post_init__(self) -> None:
        for name, low, high in WHOLE:
            if name != "simulations" or self.simulations is not None:
                object.__setattr__(self, name, whole(name, getattr(self, name), low, high))
        object.__setattr__(self, "ponder", truth("ponder", self.ponder))
        policy_of(self.policy)
        if self.parameters is not None:
            from foogo.search.parameters import SearchParameters  # here, as a player without a search needs none of it

            if not isinstance(self.parameters, SearchParameters):
                raise ArgumentError(f"parameters are {self.parameters!r}: give SearchParameters")
        if self.seconds is not None:
            _number("seconds", self.seconds, 0.0, 2.0**40, "above 0", open_at_low=True)
        _number("lag", self.lag, 0.0, 3600.0, "from 0 to 3600")
        if self.must_win not in MUST_WIN:
            raise ArgumentError(f"must_win is {self.must_win!r}: give {', '.join(MUST_WIN)}")
        _number("resign", self.resign, 0.0, 0.5, "a win share from 0 to 0.5")
        if isinstance(self.book, os.PathLike):
            object.__setattr__(self, "book", os.fsdecode(self.book))
        if not isinstance(self.book, str):
            raise ArgumentError(f"book is {self.book!r}: give none, shipped, or the name of a file")


def _number(name: str, value: Any, low: float, high: float, right: str, open_at_low: bool = False) -> None:
    if not is_number(value) or not low <= value <= high or (open_at_low and value == low):
        raise ArgumentError(f"{name} is {value!r}: it must be {right}")
