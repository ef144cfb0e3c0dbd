"""Translates a policy that a user wrote into calls of operations, and refuses every construct that cannot be compiled.

The translation is small. ``see.own`` and other plain sets stay as they are. ``see.beside(x)`` becomes a call of the
operation `beside`, ``pick.often(...)`` likewise, with a number that differs from place to place. ``a or b`` and ``~a``
become calls, too. All lines keep their numbers, so errors name the user's line.
"""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from foogo.errors import PolicyError
from foogo.playout.written.function_translator import CONSTANTS, RESERVED, FunctionTranslator, closest

FIELDS = ("own", "opponent", "candidates", "forbidden", "short", "last_move", "before_last")
"""What a policy sees as it stands: fields of `foogo.playout.kernels.sight.View`."""

SETS = ("board", "empty", "odd", "vital", "shaped", "in_atari")
FUNCTIONS = {
    "line": 1, "beside": 1, "beside_two": 1, "around": 1, "strings": 1,
    "north": 1, "south": 1, "east": 1, "west": 1, "where": 3, "fits": 1,
}  # fmt: skip
"""What a policy sees by operations of `foogo.playout.kernels.sight`, and how many arguments each function takes."""

PICKS = ("often", "weighted")
SCALAR_FUNCTIONS = ("min", "max", "abs")
MOST_CLASSES = 32
MOST_LINES = 10

SIGHT, PICK, LAYOUT = (RESERVED + name for name in ("sight", "picks", "layout"))
"""Names in the translated function."""

WEIGHTED = RESERVED + "weighted_"
"""The beginning of the names of operations for `weighted`."""

GOLDEN = 0x9E3779B9
"""The salts of the places where a policy decides are its multiples: 2**32 over the golden ratio."""

_LETTERS = str.maketrans(".#?", "eba")

_ON_SETS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_ON_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


class Translator(FunctionTranslator):
    """Translates one policy.

    Attributes
    ----------
    weights
        The function's weights by name, with their defaults.
    arities
        The numbers of classes of its `weighted` picks.
    patterns
        The patterns of its `fits`, nine signs each.
    sees
        The names after `see.` that it uses.
    """

    kind, result, constant, error = "a playout policy", "a set", "weight", PolicyError
    operators = (*_ON_SETS, *_ON_NUMBERS), "&=, |= and ^= of sets, and +=, -=, *= and /= of numbers"

    def __init__(self, function: FunctionType, tree: ast.FunctionDef, file: str) -> None:
        super().__init__(function, tree, file)
        self.arities: set[int] = set()
        self.patterns: set[str] = set()
        self.sees: set[str] = set()
        self._picks = 0
        self._see = self._pick = ""

    def translated(self) -> ast.FunctionDef:
        """The function ``name(layout, see, weights)``."""
        names, defaults = self._parameters("a policy takes `see`, `pick` and weights with defaults")
        if len(names) < 2 or len(names) - len(defaults) != 2:
            self._refuse(
                self._tree, "a policy takes `see` and `pick`; every other parameter is a weight with a default"
            )
        self._see, self._pick = names[:2]
        self.weights = self._checked(dict(zip(names[2:], defaults, strict=True)))
        return self._translated({self._see, self._pick}, [LAYOUT, self._see, CONSTANTS])

    # expressions

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A local name, a weight, or a constant from outside."""
        if node.id in (self._see, self._pick):
            self._refuse(node, f"{node.id!r} is used by its attributes only: {node.id}.name")
        return super().visit_Name(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """& | ^ of sets, + - * / of numbers."""
        if not isinstance(node.op, (*_ON_SETS, *_ON_NUMBERS)):
            self._refuse(node, f"{type(node.op).__name__} is not supported: use & | ^ of sets and + - * / of numbers")
        return self._arithmetic(node, self.visit(node.left), node.op, self.visit(node.right))

    def _arithmetic(self, node: ast.AST, left: Any, op: ast.operator, right: Any) -> ast.expr:
        """Of two translated operands; products of numbers are operations."""
        result: ast.expr = ast.BinOp(left, op, right)
        if isinstance(op, ast.Mult):
            result = ast.Call(ast.Attribute(ast.Name(PICK, ast.Load()), "product", ast.Load()), [left, right], [])
        return ast.fix_missing_locations(ast.copy_location(result, node))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """``~set``, ``-number``, and ``not`` in conditions."""
        operand = self.visit(node.operand)
        if isinstance(node.op, ast.Invert):
            return self._operation(node, SIGHT, "others", [operand])
        if isinstance(node.op, ast.Not) and not self._in_test:
            self._refuse(node, "a set in many games is neither true nor false: use ~ for the other points")
        node.operand = operand
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """``a or b`` of sets: the first that has a point. In conditions, of numbers."""
        node.values = [self.visit(one) for one in node.values]
        if self._in_test:
            return node
        if isinstance(node.op, ast.And):
            self._refuse(node, "`and` is for conditions of `if`: use & for the points in both sets")
        result = node.values[-1]
        for value in reversed(node.values[:-1]):
            result = self._operation(node, SIGHT, "first_of", [value, result])
        return result

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``see.name``, a set."""
        if not isinstance(node.value, ast.Name) or node.value.id != self._see:
            self._refuse(node, f"{ast.unparse(node)!r}: only {self._see} and {self._pick} have attributes")
        name = node.attr
        self.sees.add(name)
        if name in FIELDS:
            return node
        if name in SETS:
            return self._operation(node, SIGHT, name, [])
        if name in FUNCTIONS:
            self._refuse(node, f"{self._see}.{name} is a function: call it")
        self._refuse(node, f"{self._see} has no {name!r}{closest(name, (*FIELDS, *SETS, *FUNCTIONS))}")

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``see.name(...)``, ``pick.name(...)``, or a function of numbers."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        if node.keywords or any(isinstance(one, ast.Starred) for one in node.args):
            self._refuse(node, "calls take arguments by position only")
        if isinstance(owner, ast.Name) and owner.id == self._see:
            return self._visit_sight(node, node.func.attr)  # type: ignore[attr-defined]
        if isinstance(owner, ast.Name) and owner.id == self._pick:
            return self._visit_pick(node, node.func.attr)  # type: ignore[attr-defined]
        if isinstance(node.func, ast.Name) and node.func.id in SCALAR_FUNCTIONS:
            node.args = [self.visit(one) for one in node.args]
            return node
        self._refuse(node, f"{ast.unparse(node.func)}(...) cannot be called in a playout policy")

    def _visit_sight(self, node: ast.Call, name: str) -> ast.AST:
        if name not in FUNCTIONS:
            if name in FIELDS or name in SETS:
                self._refuse(node, f"{self._see}.{name} is a set, not a function")
            self._refuse(node, f"{self._see} has no {name!r}{closest(name, tuple(FUNCTIONS))}")
        if len(node.args) != FUNCTIONS[name]:
            self._refuse(node, f"{self._see}.{name} takes {FUNCTIONS[name]} arguments, not {len(node.args)}")
        if name == "line":
            number = self._constant_integer(node.args[0])
            if number is None or not 1 <= number <= MOST_LINES:
                self._refuse(node, f"{self._see}.line takes a constant from 1 to {MOST_LINES}")
        if name == "fits":
            pattern = self._pattern(node.args[0])
            self.patterns.add(pattern)
            return self._call(node, ast.Name(fits_name(pattern), ast.Load()), [])
        return self._operation(node, SIGHT, name, [self.visit(one) for one in node.args])

    def _pattern(self, node: ast.expr) -> str:
        """The nine signs of a pattern, row by row from the top."""
        text = node.value if isinstance(node, ast.Constant) else None
        signs = "".join(text.split()) if isinstance(text, str) else ""
        if len(signs) != 9 or signs[4] != "." or set(signs) - set("XOxo.#?"):
            right = "three rows of three signs X O x o . # ?, with a . in the middle"
            self._refuse(node, f"{self._see}.fits takes a pattern as text: {right}")
        return signs

    def _visit_pick(self, node: ast.Call, name: str) -> ast.AST:
        if name not in PICKS:
            self._refuse(node, f"{self._pick} has no {name!r}{closest(name, PICKS)}")
        if self._loops:
            self._refuse(node, f"{self._pick} cannot be used in a loop, where it would decide the same in every round")
        self._picks += 1
        salt = ast.copy_location(ast.Constant(self._picks * GOLDEN % 2**32), node)
        if name == "often":
            if len(node.args) == 3:
                byte = self._constant_integer(node.args[2])
                if byte not in (0, 1, 2):
                    self._refuse(node, f"the third argument of {self._pick}.often is a byte: 0, 1 or 2")
                return self._operation(node, PICK, f"often_by_byte_{byte}", [self.visit(one) for one in node.args[:2]])
            if len(node.args) != 2:
                self._refuse(node, f"{self._pick}.often takes a chance and a set")
            return self._operation(node, PICK, name, [salt, *(self.visit(one) for one in node.args)])
        pairs = [one.elts for one in node.args if isinstance(one, ast.Tuple) and len(one.elts) == 2]
        if not 1 <= len(pairs) <= MOST_CLASSES or len(pairs) != len(node.args):
            self._refuse(node, f"{self._pick}.weighted takes 1 to {MOST_CLASSES} pairs (weight, set)")
        self.arities.add(len(pairs))
        function = ast.Name(weighted_name(len(pairs)), ast.Load())
        return self._call(node, function, [salt, *(self.visit(one) for pair in pairs for one in pair)])

    def _operation(self, node: ast.expr, module: str, name: str, arguments: list[Any]) -> ast.Call:
        return self._call(node, ast.Attribute(ast.Name(module, ast.Load()), name, ast.Load()), arguments)

    def _call(self, node: ast.expr, function: ast.expr, arguments: list[Any]) -> ast.Call:
        first = [ast.Name(LAYOUT, ast.Load()), ast.Name(self._see, ast.Load())]
        call = ast.Call(function, [*first, *arguments], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))


def fits_name(pattern: str) -> str:
    """The name of the operation for `fits` of this pattern."""
    return f"{RESERVED}fits_{pattern.translate(_LETTERS)}"


def weighted_name(classes: int) -> str:
    """The name of the operation for `weighted` of this number of classes."""
    return f"{WEIGHTED}{classes}"
