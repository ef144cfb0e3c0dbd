"""Random games of Go, very fast, and what they say about the first move.

Reading guide. Bottom up: `foogo.game.geometry` (points), `foogo.game.kernels.strings` (a board), `foogo.core.simd`
and `foogo.playout.kernels.lockstep` (many boards at once), then `foogo.game.board`, `foogo.playout.simulate`; for the
search `foogo.search.kernels.tree` and `foogo.search.kernels.loop`, then `foogo.search.search`, `foogo.player`. Top
down: `foogo.cli`, `foogo.benchmark.playouts`, `foogo.study.first_move`, which are made of `simulate`.

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
from threading import RLock
from typing import TYPE_CHECKING, Any

from foogo.errors import (
    ArgumentError,
    BackendError,
    BookFileError,
    CardError,
    ClusterError,
    DealError,
    EvaluatorError,
    FoogoError,
    FormulaError,
    IllegalMoveError,
    MatchError,
    MissingPackageError,
    PlotError,
    PolicyError,
    PositionError,
    RulesError,
    SgfError,
    SgfWarning,
    SizeError,
    StoreError,
    VertexError,
)

if TYPE_CHECKING:
    from foogo.game.board import Board
    from foogo.game.game import Game
    from foogo.game.geometry import BLACK, EMPTY, PASS, WHITE, point, vertex
    from foogo.game.perft import perft
    from foogo.game.rules import Rules
    from foogo.playout.games import Games, Starts, play_games
    from foogo.playout.policies import Policy
    from foogo.playout.simulate import Interrupted, Playouts, simulate
    from foogo.playout.written.policy import PlayoutPolicy, playout_policy
    from foogo.search.parameters import SearchParameters
    from foogo.search.result import SearchResult
    from foogo.search.search import Search
    from foogo.search.written.formula import SelectionFormula, selection_formula
    from foogo.solver import Solution, Unsolved, solve
    from foogo.study.first_move import FirstMove, StudyInterrupted, first_move

    from foogo import analysis as analysis, book as book, cards as cards, env as env, gtp as gtp  # isort: skip
    from foogo import sgf as sgf, testing as testing  # isort: skip

__version__ = "0.2.0"

__all__ = [
    "ArgumentError",
    "BLACK",
    "BackendError",
    "Board",
    "BookFileError",
    "CardError",
    "ClusterError",
    "DealError",
    "EMPTY",
    "FirstMove",
    "FoogoError",
    "EvaluatorError",
    "FormulaError",
    "Game",
    "Games",
    "IllegalMoveError",
    "Interrupted",
    "MatchError",
    "MissingPackageError",
    "PASS",
    "PlayoutPolicy",
    "Playouts",
    "PlotError",
    "Policy",
    "PolicyError",
    "PositionError",
    "Rules",
    "RulesError",
    "Search",
    "SearchParameters",
    "SearchResult",
    "SelectionFormula",
    "SgfError",
    "SgfWarning",
    "SizeError",
    "Solution",
    "Starts",
    "StoreError",
    "StudyInterrupted",
    "Unsolved",
    "VertexError",
    "WHITE",
    "__version__",
    "first_move",
    "perft",
    "play_games",
    "playout_policy",
    "point",
    "selection_formula",
    "simulate",
    "solve",
    "vertex",
]

_HOME = {
    "BLACK": "game.geometry",
    "Board": "game.board",
    "EMPTY": "game.geometry",
    "FirstMove": "study.first_move",
    "Game": "game.game",
    "Games": "playout.games",
    "Interrupted": "playout.simulate",
    "PASS": "game.geometry",
    "PlayoutPolicy": "playout.written.policy",
    "Playouts": "playout.simulate",
    "Policy": "playout.policies",
    "Rules": "game.rules",
    "Search": "search.search",
    "SearchParameters": "search.parameters",
    "SearchResult": "search.result",
    "SelectionFormula": "search.written.formula",
    "Solution": "solver",
    "Starts": "playout.games",
    "StudyInterrupted": "study.first_move",
    "Unsolved": "solver",
    "WHITE": "game.geometry",
    "first_move": "study.first_move",
    "perft": "game.perft",
    "play_games": "playout.games",
    "playout_policy": "playout.written.policy",
    "point": "game.geometry",
    "selection_formula": "search.written.formula",
    "simulate": "playout.simulate",
    "solve": "solver",
    "vertex": "game.geometry",
}
"""The module that defines each public name that is imported on first use."""

_MODULES = ("analysis", "book", "cards", "env", "gtp", "sgf", "testing")
"""The modules that are imported on first use."""

_importing = RLock()
"""Lets one thread at a time import. Numba's modules import each other in circles, so two threads would see halves."""


if not TYPE_CHECKING:  # so that a type checker still finds a misspelt name

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return _imported(name)
        if name not in _HOME:
            raise AttributeError(f"module 'foogo' has no attribute {name!r}")
        value = getattr(_imported(_HOME[name]), name)
        globals()[name] = value
        return value

    def _imported(module: str) -> Any:
        with _importing:
            return import_module(f"foogo.{module}")


def __dir__() -> list[str]:
    loaded = (name for name in globals() if name.startswith("__") or f"foogo.{name}" in sys.modules)
    return sorted({*__all__, *_MODULES, *loaded})
