"""Playing cards: fast random samples and exact answers, with the tools that play Go.

Each game is a package, imported on first use: `foogo.cards.poker`. So is `foogo.cards.card`, with the cards, their
text and their masks, which all games share. Nothing of Go imports this package, and of foogo's folders it imports only
`foogo.core` and `foogo.stats`.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from foogo.cards import bridge as bridge, card as card, deal as deal, poker as poker, rummy as rummy  # isort: skip

_MODULES = ("bridge", "card", "deal", "poker", "rummy")

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module 'foogo.cards' has no attribute {name!r}")
        return import_module(f"foogo.cards.{name}")


def __dir__() -> list[str]:
    loaded = (name for name in globals() if name.startswith("__") or f"foogo.cards.{name}" in sys.modules)
    return sorted({*_MODULES, *loaded})
