"""What all commands share: the player, and what the controller said about the opponent and the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from foogo.errors import ArgumentError
from foogo.game.geometry import check_size
from foogo.game.rules import Rules
from foogo.player.options import PlayerOptions

if TYPE_CHECKING:
    from foogo.game.game import Game
    from foogo.player.player import Player


@dataclass(frozen=True)
class SessionOptions:
    """What a session starts with.

    Attributes
    ----------
    size, komi, rules
        Of the first game.
    player
        How the player plays.

    Raises
    ------
    ArgumentError
        If a value is out of range.
    """

    size: int = 9
    komi: float = 7.0
    rules: str = "tromp-taylor"
    player: PlayerOptions = field(default_factory=PlayerOptions)

    def __post_init__(self) -> None:
        check_size(self.size)
        Rules.parse(self.rules)
        if not math.isfinite(self.komi):
            raise ArgumentError(f"komi is {self.komi!r}: it must be a finite number of points")


class Session:
    """One conversation. The player is made when the first command needs it, so that the first answers need nothing."""

    def __init__(self, options: SessionOptions | None = None) -> None:
        self.options = options or SessionOptions()
        self.opponent_name = ""
        self.opponent_rating = ""
        self.result = ""
        self.before_setup: Game | None = None

    @cached_property
    def player(self) -> Player:
        """Who plays."""
        from foogo.player.player import Player

        options = self.options
        return Player(options.size, options.rules, options.komi, options.player)

    def end(self) -> None:
        """Stop what still works in the background."""
        if "player" in self.__dict__:
            self.player.stop_pondering()

    def begin_game(self) -> None:
        """Forget what was said of the last game's end and setup."""
        self.result = ""
        self.before_setup = None

    def checkpoint(self) -> Callable[[], None]:
        """What puts the session back as it is now."""
        kept = dict(self.__dict__)
        player = kept.get("player")
        inside = player.checkpoint() if player is not None else None

        def restore() -> None:
            self.__dict__.clear()
            self.__dict__.update(kept)
            if player is not None:
                player.restore(inside)

        return restore
