"""The state that all commands share: the player, the opponent's name, and the result of the game."""

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
    """The board size, komi and rules of the first game, and the options of the player."""

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
    """A connection to one controller. The player is created on first use, not to delay the first answers."""

    def __init__(self, options: SessionOptions | None = None) -> None:
        self.options = options or SessionOptions()
        self.opponent_name = ""
        self.opponent_rating = ""
        self.result = ""
        self.file_name = ""
        """The file that `loadsgf` loaded the game from."""
        self.before_setup: Game | None = None

    @cached_property
    def player(self) -> Player:
        """The player."""
        from foogo.player.player import Player

        options = self.options
        return Player(options.size, options.rules, options.komi, options.player)

    def end(self) -> None:
        """Stop the search in the background."""
        if "player" in self.__dict__:
            self.player.stop_pondering()

    def begin_game(self) -> None:
        """Forget the result, the file and the setup of the previous game."""
        self.result = self.file_name = ""
        self.before_setup = None

    def checkpoint(self) -> Callable[[], None]:
        """A function that restores the session's present state."""
        kept = dict(self.__dict__)
        player = kept.get("player")
        inside = player.checkpoint() if player is not None else None

        def restore() -> None:
            self.__dict__.clear()
            self.__dict__.update(kept)
            if player is not None:
                player.restore(inside)

        return restore
