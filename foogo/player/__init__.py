"""A player: a game, the search and a clock, without any protocol.

`player` has `Player`, which is a `state.GameState` that thinks. Of its parts, `options` say how it plays, `conventions`
what goes with the rules, `decision` how a move came about, `thinking` when a search ends, `passing` when it passes,
`status` what is dead, `quick` what it plays before anything is compiled, `warmup` who compiles; `trees` are searches
that follow the game, and `owners` tells whose the points are after a variation.

A name is imported when it is first used, so that `PlayerOptions` does not wait for Numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foogo.player.conventions import Conventions
    from foogo.player.decision import RESIGN, Decision
    from foogo.player.options import PlayerOptions
    from foogo.player.player import Player

__all__ = ["RESIGN", "Conventions", "Decision", "Player", "PlayerOptions"]

_HOME = {
    "RESIGN": "decision",
    "Conventions": "conventions",
    "Decision": "decision",
    "Player": "player",
    "PlayerOptions": "options",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'foogo.player' has no attribute {name!r}")
        return getattr(import_module(f"foogo.player.{_HOME[name]}"), name)
