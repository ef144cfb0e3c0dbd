"""Random games of Go, very fast, and what they say about the first move.

Reading guide. Bottom up: `foogo.geometry` (points), `foogo.kernels.strings` (a board), `foogo.kernels.words`
and `foogo.kernels.lockstep` (many boards at once), then `foogo.board`, `foogo.playouts`; for the search
`foogo.kernels.tree` and `foogo.kernels.tree_search`, then `foogo.search.engine`, `foogo.player`. Top down:
`foogo.cli`, `foogo.benchmark`, `foogo.study.first_move`, which are made of `simulate`.

docs/index.md leads to every page: docs/reference/playout.md defines a playout, docs/explanation/search.md explains
the search, docs/reference/rules.md has the rules of a board, and docs/reference/glossary.md the words.

A name is imported when it is first used, so that `import foogo` does not wait for Numba.

Examples
--------
>>> import foogo
>>> foogo.Board(9).area_score()
0
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from foogo.errors import (
    ArgumentError,
    BackendError,
    ClusterError,
    FoogoError,
    IllegalMoveError,
    PlotError,
    PositionError,
    RulesError,
    SgfError,
    SizeError,
    StoreError,
    VertexError,
)

if TYPE_CHECKING:
    from foogo.batch import Games, Starts, play_games
    from foogo.board import Board
    from foogo.game import Game
    from foogo.geometry import BLACK, EMPTY, PASS, WHITE
    from foogo.perft import perft
    from foogo.playouts import Interrupted, Playouts, simulate
    from foogo.policies import Policy
    from foogo.rules import Rules
    from foogo.search.engine import Search
    from foogo.search.parameters import SearchParameters
    from foogo.search.result import SearchResult
    from foogo.solve import Solution, Unsolved, solve
    from foogo.study.first_move import FirstMove, first_move

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "BLACK",
    "BackendError",
    "Board",
    "ClusterError",
    "EMPTY",
    "FirstMove",
    "FoogoError",
    "Game",
    "Games",
    "IllegalMoveError",
    "Interrupted",
    "PASS",
    "Playouts",
    "PlotError",
    "Policy",
    "PositionError",
    "Rules",
    "RulesError",
    "Search",
    "SearchParameters",
    "SearchResult",
    "SgfError",
    "SizeError",
    "Solution",
    "Starts",
    "StoreError",
    "Unsolved",
    "VertexError",
    "WHITE",
    "__version__",
    "first_move",
    "perft",
    "play_games",
    "simulate",
    "solve",
]

_HOME = {
    "BLACK": "geometry",
    "Board": "board",
    "EMPTY": "geometry",
    "FirstMove": "study.first_move",
    "Game": "game",
    "Games": "batch",
    "Interrupted": "playouts",
    "PASS": "geometry",
    "Playouts": "playouts",
    "Policy": "policies",
    "Rules": "rules",
    "Search": "search.engine",
    "SearchParameters": "search.parameters",
    "SearchResult": "search.result",
    "Solution": "solve",
    "Starts": "batch",
    "Unsolved": "solve",
    "WHITE": "geometry",
    "first_move": "study.first_move",
    "perft": "perft",
    "play_games": "batch",
    "simulate": "playouts",
    "solve": "solve",
}
"""The module that defines each public name that is imported on first use."""


if not TYPE_CHECKING:  # so that a type checker still finds a misspelt name

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module 'foogo' has no attribute {name!r}")
        value = getattr(import_module(f"foogo.{_HOME[name]}"), name)
        setattr(sys.modules[__name__], name, value)
        return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})


class _Package(ModuleType):
    """The package, in which importing the module `foogo.perft` does not hide the function `foogo.perft`."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _HOME and isinstance(value, ModuleType):
            value = getattr(value, name)
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
