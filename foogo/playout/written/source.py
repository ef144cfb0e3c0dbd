"""The source of a policy that a user wrote, translated, as functions over any set of operations."""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from types import FunctionType
from typing import Any

from foogo.errors import PolicyError
from foogo.playout.written.translator import RESERVED, Translator

NOTED = f"{RESERVED}noted"
"""The name of the function that `Source.noting_function` calls."""


@dataclass(frozen=True)
class Source:
    """The translated source of a policy.

    Attributes
    ----------
    name, file, line
        The function's name, and where it was defined.
    weights
        Its weights by name, with their defaults.
    tree
        The translated function: ``name(layout, see, weights)``.
    arities
        The numbers of classes of its `weighted` picks.
    sees_short
        Whether it uses `see.short`.
    """

    name: str
    file: str
    line: int
    weights: dict[str, Any]
    tree: ast.FunctionDef
    arities: tuple[int, ...]
    sees_short: bool

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with what the function computes, but not with its weights."""
        return hashlib.sha256(ast.unparse(self.tree).encode()).hexdigest()[:12]

    @cached_property
    def full_digest(self) -> str:
        """Twelve hexadecimal digits that also change with the default weights."""
        return hashlib.sha256(f"{self.digest} {self.weights}".encode()).hexdigest()[:12]

    def function(self, names: dict[str, Any]) -> Callable[..., Any]:
        """The translated function, with these operations as globals."""
        return _function_of(self.tree, self.file, names)

    def noting_function(self, names: dict[str, Any]) -> Callable[..., Any]:
        """`function`, with every assigned and returned value passed through ``_foogo_noted(line, name, value)``."""
        noting = _Noting().visit(copy.deepcopy(self.tree))
        assert isinstance(noting, ast.FunctionDef)
        return _function_of(ast.fix_missing_locations(noting), self.file, names)


def _function_of(tree: ast.FunctionDef, file: str, names: dict[str, Any]) -> Callable[..., Any]:
    namespace = {"__name__": "foogo.playout.written.functions", **names}
    exec(compile(ast.Module([tree], []), file, "exec"), namespace)
    found: Callable[..., Any] = namespace[tree.name]
    return found


def read_source(function: Callable[..., Any]) -> Source:
    """The source of a function, translated.

    Raises
    ------
    PolicyError
        If the function uses what a policy cannot use; the message names the file, the line and the reason.
    """
    if not isinstance(function, FunctionType):
        raise PolicyError(
            f"{function!r} is not a function: write `@foogo.playout_policy` above `def name(see, pick): ...`"
        )
    file = function.__code__.co_filename
    try:
        lines, start = inspect.getsourcelines(function)
    except OSError as error:
        raise PolicyError(
            f"the source of {function.__name__} is not available ({error}): define the policy in a file or a notebook"
        ) from None
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    ast.increment_lineno(tree, start - 1)
    if not isinstance(tree, ast.FunctionDef):
        raise PolicyError(f"{file}:{start}: a policy is a function that `def` defines")
    if tree.name != function.__name__:
        raise PolicyError(f"{file} was changed after {function.__name__} was defined: run it again")
    translator = Translator(function, tree, file)
    translated = translator.translated()
    arities = tuple(sorted(translator.arities))
    return Source(tree.name, file, tree.lineno, translator.weights, translated, arities, translator.sees_short)


class _Noting(ast.NodeTransformer):
    """Passes the values of assignments and returns through `NOTED`."""

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        if isinstance(node.targets[0], ast.Name):
            node.value = self._noted(node, node.targets[0].id, node.value)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        assert node.value is not None
        node.value = self._noted(node, "return", node.value)
        return node

    @staticmethod
    def _noted(node: ast.stmt, name: str, value: ast.expr) -> ast.expr:
        arguments: list[ast.expr] = [ast.Constant(node.lineno), ast.Constant(name), value]
        return ast.copy_location(ast.Call(ast.Name(NOTED, ast.Load()), arguments, []), node)
