"""A player, without any protocol: it keeps a game and its clocks, and chooses moves by searching.

- `player`: `Player`, a `game_state.GameState` that searches
- `options`: how a player thinks, passes and resigns
- `ruleset`, `handicap`: the rules it plays by, and White's compensation
- `decision`: a request for a move, and how it was decided
- `stopping`: when a search may stop
- `passing`: when to pass
- `life_and_death`: which stones are dead, and who owns each point
- `search_reuse`: one search tree, kept from move to move
- `pondering`: the search in the background while the opponent thinks
- `ownership`: ownership at the end of variations

Names are imported on first use, so that `PlayerOptions` does not wait for Numba.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foogo.player.decision import RESIGN, Decision
    from foogo.player.options import PlayerOptions
    from foogo.player.player import Player
    from foogo.player.ruleset import Ruleset

__all__ = ["RESIGN", "Decision", "Player", "PlayerOptions", "Ruleset"]

_HOME = {
    "RESIGN": "decision",
    "Decision": "decision",
    "Player": "player",
    "PlayerOptions": "options",
    "Ruleset": "ruleset",
}


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'foogo.player' has no attribute {name!r}")
        return getattr(import_module(f"foogo.player.{_HOME[name]}"), name)
