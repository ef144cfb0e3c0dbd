"""Playing cards: fast random samples and exact answers, with the tools that play Go.

Each game is a package, imported on first use: `foogo.cards.poker`. `foogo.cards.card` defines the cards, their text
and their masks, which all of them share. Nothing of Go imports this package, and it imports only `foogo.core` and
`foogo.stats`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foogo.cards import bridge as bridge, deal as deal, poker as poker, rummy as rummy  # isort: skip

_GAMES = ("bridge", "deal", "poker", "rummy")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _GAMES:
            raise AttributeError(f"module 'foogo.cards' has no attribute {name!r}")
        return import_module(f"foogo.cards.{name}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_GAMES})
