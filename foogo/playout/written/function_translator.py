"""What all functions that users write have in common: the statements and names that can be compiled, and constants.

A function is translated into calls of operations. All lines keep their numbers, so errors name the user's line.
"""

from __future__ import annotations

import ast
import builtins
import difflib
from numbers import Integral, Real
from types import FunctionType
from typing import Any, ClassVar, NoReturn

from foogo.arguments import is_boolean, is_number
from foogo.errors import ArgumentError

MOST_ROUNDS = 100

RESERVED = "_foogo_"

CONSTANTS = RESERVED + "weights"
"""The tuple of a function's constants, in the translated function."""


class FunctionTranslator(ast.NodeTransformer):
    """Translates one function, and refuses every construct that is not listed here or in a subclass.

    Attributes
    ----------
    kind, result, constant
        What messages call the function, what it returns, and a parameter with a default.
    error
        The exception for what is refused.
    operators
        Those of augmented assignments, and how messages describe them.
    weights
        The function's parameters with a default, by name.
    """

    kind: ClassVar[str]
    result: ClassVar[str]
    constant: ClassVar[str]
    error: ClassVar[type[ArgumentError]]
    operators: ClassVar[tuple[tuple[type[ast.operator], ...], str]]

    def __init__(self, function: FunctionType, tree: ast.FunctionDef, file: str) -> None:
        self._function, self._tree, self._file = function, tree, file
        self.weights: dict[str, Any] = {}
        self._loops = 0
        self._rounds = 1
        self._in_test = False
        self._locals: set[str] = set()

    def _parameters(self, usage: str) -> tuple[list[str], list[Any]]:
        """The names of all parameters, and the defaults of the last of them; `usage` is the message for others."""
        tree = self._tree
        parameters, defaults = tree.args, self._function.__defaults__ or ()
        names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
        if parameters.vararg or parameters.kwarg or parameters.kwonlyargs:
            self._refuse(tree, f"{usage}, without * and **")
        for name in names:
            if name.startswith(RESERVED):
                self._refuse(tree, f"names must not start with {RESERVED!r}")
        return names, list(defaults)

    def _checked(self, weights: dict[str, Any]) -> dict[str, Any]:
        """The constants as floats, or tuples of floats."""
        try:
            return {name: checked_constant(self.error, f"{self.constant} {name!r}", weights[name]) for name in weights}
        except self.error as error:
            self._refuse(self._tree, str(error))

    def _translated(self, inputs: set[str], parameters: list[str]) -> ast.FunctionDef:
        """The function with the `parameters` instead of its own; `inputs` are names that must not be assigned to."""
        tree = self._tree
        stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        self._locals |= {node.id for node in stored} | set(self.weights)
        for name in sorted(self._locals & inputs):
            self._refuse(tree, f"{name!r} is a parameter, and cannot be assigned to")
        body = [self.visit(statement) for statement in _without_docstring(tree.body)]
        if not _always_returns(body):
            self._refuse(tree.body[-1], f"the function may end without `return`: return {self.result} at its end")
        if self.weights:
            names = ast.Tuple([ast.Name(name, ast.Store()) for name in self.weights], ast.Store())
            body.insert(0, ast.Assign([names], ast.Name(CONSTANTS, ast.Load()), lineno=tree.lineno))
        tree.args = ast.arguments([], [ast.arg(name) for name in parameters], None, [], [], None, [])
        tree.body, tree.decorator_list, tree.returns = body, [], None
        return ast.fix_missing_locations(tree)

    def _refuse(self, node: ast.AST, reason: str) -> NoReturn:
        raise self.error(f"{self._file}:{getattr(node, 'lineno', self._tree.lineno)}: {reason}")

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse: whatever is supported has its own method."""
        name = type(node).__name__
        if isinstance(node, ast.Expr):
            self._refuse(node, f"a statement that neither assigns nor returns a value has no effect in {self.kind}")
        hint = " (loops go over `range` of constants)" if isinstance(node, ast.While | ast.ListComp) else ""
        if isinstance(node, ast.Attribute):
            hint = f": for a constant, write `name = {ast.unparse(node)}` above the function"
        self._refuse(node, f"{name} is not supported in {self.kind}{hint}")

    # statements

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """``name = value``."""
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            self._refuse(node, "assign to one name at a time")
        node.value = self.visit(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """``name += value`` and the like."""
        supported, usage = self.operators
        if not isinstance(node.target, ast.Name) or not isinstance(node.op, supported):
            self._refuse(node, f"use only {usage}")
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = self._arithmetic(node, target, node.op, self.visit(node.value))
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], value), node))

    def _arithmetic(self, node: ast.AST, left: Any, op: ast.operator, right: Any) -> ast.expr:
        """Of two translated operands."""
        return ast.fix_missing_locations(ast.copy_location(ast.BinOp(left, op, right), node))

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """``return value``."""
        if node.value is None:
            self._refuse(node, f"return {self.result}")
        node.value = self.visit(node.value)
        return node

    def visit_Pass(self, node: ast.Pass) -> ast.AST:
        """``pass``."""
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        """``if`` of numbers."""
        node.test = self._visit_test(node.test)
        node.body = [self.visit(one) for one in node.body]
        node.orelse = [self.visit(one) for one in node.orelse]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """``for name in range(constants)``."""
        call = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not is_range or not isinstance(node.target, ast.Name) or node.orelse:
            self._refuse(node, "loops go over `range` of constants")
        assert isinstance(call, ast.Call)
        values = [self._constant_integer(one) for one in call.args]
        if call.keywords or not 1 <= len(values) <= 3 or None in values or 0 in values[2:]:
            self._refuse(node, "loops go over `range` of constants")
        before, rounds = self._rounds, range(*(value for value in values if value is not None))
        if rounds:  # len(rounds) would overflow if there are too many
            self._rounds *= 1 + (rounds[-1] - rounds[0]) // rounds.step
        if self._rounds > MOST_ROUNDS:
            self._refuse(node, f"the loop has {self._rounds} rounds: the most is {MOST_ROUNDS}")
        call.args = [ast.copy_location(ast.Constant(value), call) for value in values]
        self._loops += 1
        node.body = [self.visit(one) for one in node.body]
        self._loops -= 1
        self._rounds = before
        return node

    def _constant_integer(self, node: ast.AST) -> int | None:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._constant_integer(node.operand)
            return None if inner is None else -inner
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
            left, right = self._constant_integer(node.left), self._constant_integer(node.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else left - right
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(node, ast.Name) and node.id not in self._locals:
            value = _plain_number(self._global(node))
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    # expressions

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A number."""
        if not isinstance(node.value, bool | int | float):
            self._refuse(node, f"{node.value!r} is not a number: {self.kind} works with numbers")
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A local name, a constant, or a number from outside, which is put in its place."""
        if node.id.startswith(RESERVED):
            self._refuse(node, f"names must not start with {RESERVED!r}")
        if node.id in self._locals:
            return node
        value = self._global(node)
        elements = tuple(map(_plain_number, value)) if isinstance(value, tuple) else (_plain_number(value),)
        if None in elements:
            self._refuse(
                node, f"{node.id!r} is a {type(value).__name__}: only numbers and tuples of numbers can be used"
            )
        if any(isinstance(one, float) for one in elements):
            elements = tuple(map(float, elements))  # a loop can then take an element of any index
        constant: Any = elements if isinstance(value, tuple) else elements[0]
        return ast.copy_location(ast.Constant(constant), node)

    def _global(self, node: ast.Name) -> Any:
        """The value of a name from outside the function."""
        cells = dict(zip(self._function.__code__.co_freevars, self._function.__closure__ or (), strict=True))
        if node.id in cells:
            try:
                return cells[node.id].cell_contents
            except ValueError:  # the cell is empty
                self._refuse(node, f"name {node.id!r} has no value yet: assign it before the function is defined")
        for names in (self._function.__globals__, vars(builtins)):
            if node.id in names:
                return names[node.id]
        self._refuse(node, f"name {node.id!r} is not defined")

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """An element of a tuple of weights."""
        index = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
        if not isinstance(index, ast.Constant | ast.Name) or not isinstance(node.value, ast.Name):
            self._refuse(node, "only an element of a tuple of weights can be taken: weights[0]")
        node.value, node.slice = self.visit(node.value), self.visit(node.slice)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """Comparisons of numbers."""
        if any(isinstance(op, ast.In | ast.NotIn | ast.Is | ast.IsNot) for op in node.ops):
            self._refuse(node, "only numbers can be compared, with < <= == != >= >")
        node.left, node.comparators = self.visit(node.left), [self.visit(one) for one in node.comparators]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        """``a if condition else b``, with a condition of numbers."""
        node.test, node.body, node.orelse = self._visit_test(node.test), self.visit(node.body), self.visit(node.orelse)
        return node

    def _visit_test(self, node: ast.expr) -> Any:
        before, self._in_test = self._in_test, True
        try:
            return self.visit(node)
        finally:
            self._in_test = before


def checked_constant(error: type[ArgumentError], name: str, value: Any) -> Any:
    """A constant as a float, or a tuple of floats; an `error` if it is anything else, or not finite."""
    elements = value if isinstance(value, tuple) else (value,)
    for one in elements:
        if not is_number(one):
            raise error(f"{name} is {value!r}: give a finite number, or a tuple of them")
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)


def _plain_number(value: Any) -> Any:
    """A number as Python's own type, which code can contain: NumPy's and enumerations are not; None if it is none."""
    if is_boolean(value):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else None


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    first = body[0]
    is_text = (
        isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    )
    return body[1:] if is_text else body


def _always_returns(body: list[Any]) -> bool:
    for one in body:
        if isinstance(one, ast.Return):
            return True
        if isinstance(one, ast.If) and _always_returns(one.body) and _always_returns(one.orelse):
            return True
    return False


def closest(name: str, known: tuple[str, ...]) -> str:
    """The end of a message about an unknown name: the nearest of the known ones, or all of them."""
    found = difflib.get_close_matches(name, known, 1)
    return f": did you mean {found[0]!r}?" if found else f": it has {', '.join(known)}"
