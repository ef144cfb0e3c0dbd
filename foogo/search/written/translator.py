"""Translates a selection formula that a user wrote, and refuses every construct that cannot be compiled.

The function's parameters without a default name what it sees, `INPUTS`. Calls of NumPy's and Python's functions become
calls of operations. All lines keep their numbers, so errors name the user's line.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from foogo.errors import FormulaError
from foogo.playout.written.function_translator import CONSTANTS, RESERVED, FunctionTranslator, closest

INPUTS = {
    "visits": True, "wins": True, "amaf_visits": True, "amaf_wins": True, "prior_visits": True, "prior_wins": True,
    "prior": True, "parent_visits": False, "parent_wins": False, "parent_prior_visits": False, "chance": False,
}  # fmt: skip
"""What a formula can see, and whether it differs from child to child: `foogo.search.kernels.choice.Seen`."""

OPERATIONS: dict[Any, tuple[str, int]] = {
    np.sqrt: ("square_root", 1), math.sqrt: ("square_root", 1), np.log: ("logarithm", 1), math.log: ("logarithm", 1),
    np.where: ("where", 3), np.minimum: ("minimum", 2), min: ("minimum", 2), np.maximum: ("maximum", 2),
    max: ("maximum", 2),
}  # fmt: skip
"""The functions that a formula can call, each with its operation and the number of its arguments."""

CALLABLE = "np.sqrt, np.log, np.where, np.minimum, np.maximum"

SEEN, ARITHMETIC = RESERVED + "seen", RESERVED + "arithmetic"
"""Names in the translated function."""

_ON_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div)
_ON_CONDITIONS = (ast.BitAnd, ast.BitOr)


class FormulaTranslator(FunctionTranslator):
    """Translates one formula.

    Attributes
    ----------
    inputs
        What it sees, of `INPUTS`.
    """

    kind, result, constant, error = "a selection formula", "a value for each child", "constant", FormulaError
    operators = _ON_NUMBERS, "+=, -=, *= and /="

    inputs: tuple[str, ...] = ()

    def translated(self) -> ast.FunctionDef:
        """The function ``name(seen, constants)``."""
        tree = self._tree
        names, defaults = self._parameters("a formula takes what it sees, and constants with defaults")
        count = len(names) - len(defaults)
        self.inputs = tuple(names[:count])
        for name in self.inputs:
            if name not in INPUTS:
                hint = closest(name, tuple(INPUTS)).replace("it has", "give it a default, or see")
                self._refuse(tree, f"{name!r} is nothing that a formula sees{hint}")
        for name in names[count:]:
            if name in INPUTS:
                self._refuse(tree, f"{name!r} is what a formula sees: it takes no default")
        if not any(INPUTS[name] for name in self.inputs):
            self._refuse(tree, "a formula sees something of each child: `def name(visits, wins, ...)`")
        self.weights = self._checked(dict(zip(names[count:], defaults, strict=True)))
        self._locals = set(self.inputs)
        result = self._translated(set(), [SEEN, CONSTANTS])
        seen: list[ast.stmt] = [
            ast.Assign(
                [ast.Name(name, ast.Store())], ast.Attribute(ast.Name(SEEN, ast.Load()), name, ast.Load()), lineno=1
            )
            for name in self.inputs
        ]
        for one in seen:
            ast.copy_location(one, tree)
        result.body[:0] = seen
        return ast.fix_missing_locations(result)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """+ - * / of values, & | of conditions."""
        if not isinstance(node.op, (*_ON_NUMBERS, *_ON_CONDITIONS)):
            hint = (
                ": write a product, np.sqrt, or a constant above the function" if isinstance(node.op, ast.Pow) else ""
            )
            self._refuse(node, f"{type(node.op).__name__} is not supported: use + - * /, and & | of conditions{hint}")
        return self._arithmetic(node, self.visit(node.left), node.op, self.visit(node.right))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """``-value``, ``~condition``, and ``not`` in conditions of numbers."""
        if isinstance(node.op, ast.Not) and not self._in_test:
            self._refuse(node, "`not` is for `if`: use ~ for the children that do not fulfil a condition")
        node.operand = self.visit(node.operand)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """``and`` and ``or`` in conditions of numbers."""
        if not self._in_test:
            self._refuse(node, "`and` and `or` are for `if`: use & and | of conditions")
        node.values = [self.visit(one) for one in node.values]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A function of `OPERATIONS`."""
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            self._refuse(node, "calls take arguments by position only")
        found = self._called(node.func)
        if found is None:
            self._refuse(node, f"{ast.unparse(node.func)}(...) cannot be called in a selection formula: use {CALLABLE}")
        name, count = found
        if len(node.args) != count:
            self._refuse(node, f"{ast.unparse(node.func)} takes {count} arguments, not {len(node.args)}")
        function = ast.Attribute(ast.Name(ARITHMETIC, ast.Load()), name, ast.Load())
        call = ast.Call(function, [self.visit(one) for one in node.args], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def _called(self, node: ast.expr) -> tuple[str, int] | None:
        """The operation of a called function, which is a name from outside or in a module."""
        name = node.value if isinstance(node, ast.Attribute) else node
        if not isinstance(name, ast.Name) or name.id in self._locals:
            return None
        function: Callable[..., Any] | None = self._global(name)
        if isinstance(node, ast.Attribute):
            function = getattr(function, node.attr, None) if isinstance(function, ModuleType) else None
        return next((found for one, found in OPERATIONS.items() if one is function), None)
