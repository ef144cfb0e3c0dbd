"""A plugin for mypy, with which ``def f(board: foogo.Board[9])`` passes: mypy itself takes no number for a type.

Add ``plugins = ["foogo.mypy_plugin"]`` to the section ``[tool.mypy]`` of pyproject.toml. A ``Board[9]`` is then checked
as a `foogo.Board`, and its size must be a whole number from 2 to 19.
"""

from __future__ import annotations

from collections.abc import Callable

from mypy.plugin import AnalyzeTypeContext, Plugin
from mypy.types import RawExpressionType, Type

HOME = "foogo.game.board.Board"
BOARDS = ("foogo.Board", HOME)

SIZES = range(2, 20)
"""As `foogo.game.geometry` has them, which is not imported: mypy may run where foogo is not installed."""


class SizedBoards(Plugin):
    """Reads ``Board[size]`` in annotations."""

    def get_type_analyze_hook(self, fullname: str) -> Callable[[AnalyzeTypeContext], Type] | None:
        """The function that reads a type of that name, if it is a board."""
        return _board if fullname in BOARDS else None


def _board(context: AnalyzeTypeContext) -> Type:
    written = context.type
    sizes = [argument.literal_value for argument in written.args if isinstance(argument, RawExpressionType)]
    if len(sizes) != len(written.args) or len(sizes) > 1:
        context.api.fail("Board takes one number as its size: Board[9]", context.context)
    elif sizes and not (type(sizes[0]) is int and sizes[0] in SIZES):
        context.api.fail("Board sizes are whole numbers from 2 to 19", context.context)
    return context.api.named_type(HOME, [])


def plugin(version: str) -> type[Plugin]:
    """The plugin, as mypy asks for it."""
    return SizedBoards
