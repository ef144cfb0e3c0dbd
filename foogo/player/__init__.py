"""A player, without any protocol: it keeps a game and its clocks, and chooses moves by searching."""

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
"""The public names by module. They are imported on first use, so that `PlayerOptions` does not wait for Numba."""


if not TYPE_CHECKING:  # so that a type checker still finds a misspelt name

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
