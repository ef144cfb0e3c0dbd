"""Translates a policy that a user wrote into calls of operations, and refuses every construct that cannot be compiled.

The translation is small. ``see.own`` and other plain sets stay as they are. ``see.beside(x)`` becomes a call of the
operation `beside`, ``pick.often(...)`` likewise, with a number that differs from place to place. ``a or b`` and ``~a``
become calls, too. All lines keep their numbers, so errors name the user's line.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import inspect
import math
from types import FunctionType
from typing import Any, NoReturn

from foogo.errors import PolicyError

FIELDS = ("own", "opponent", "candidates", "forbidden", "short", "last_move", "before_last")
"""What a policy sees as it stands: fields of `foogo.playout.kernels.sight.View`."""

SETS = ("board", "empty", "odd", "vital", "shaped", "in_atari")
FUNCTIONS = {
    "line": 1, "beside": 1, "beside_two": 1, "around": 1, "strings": 1,
    "north": 1, "south": 1, "east": 1, "west": 1, "where": 3,
}  # fmt: skip
"""What a policy sees by operations of `foogo.playout.kernels.sight`, and how many arguments each function takes."""

PICKS = ("often", "weighted")
SCALAR_FUNCTIONS = ("min", "max", "abs")
MOST_CLASSES = 32
MOST_ROUNDS = 100
MOST_LINES = 10

RESERVED = "_foogo_"
SIGHT, PICK, LAYOUT, WEIGHTS = (RESERVED + name for name in ("sight", "picks", "layout", "weights"))
"""Names in the translated function."""

GOLDEN = 0x9E3779B9
"""The salts of the places where a policy decides are its multiples: 2**32 over the golden ratio."""

_ON_SETS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_ON_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div)


class Translator(ast.NodeTransformer):
    """Translates one function, and refuses every construct that is not listed here.

    Attributes
    ----------
    weights
        The function's weights by name, with their defaults.
    arities
        The numbers of classes of its `weighted` picks.
    sees_short
        Whether it uses `see.short`.
    """

    def __init__(self, function: FunctionType, tree: ast.FunctionDef, file: str) -> None:
        self._function, self._tree, self._file = function, tree, file
        self.weights: dict[str, Any] = {}
        self.arities: set[int] = set()
        self.sees_short = False
        self._picks = self._loops = 0
        self._rounds = 1
        self._in_test = False
        self._locals: set[str] = set()
        self._see = self._pick = ""

    def translated(self) -> ast.FunctionDef:
        """The function ``name(layout, see, weights)``."""
        tree = self._tree
        weights = self.weights = self._read_parameters(tree)
        stored = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        self._locals = {node.id for node in stored} | set(weights)
        for name in sorted(self._locals & {self._see, self._pick}):
            self._refuse(tree, f"{name!r} is a parameter, and cannot be assigned to")
        body = [self.visit(statement) for statement in _without_docstring(tree.body)]
        if not _always_returns(body):
            self._refuse(tree.body[-1], "the function may end without `return`: return a set at its end")
        if weights:
            names = ast.Tuple([ast.Name(name, ast.Store()) for name in weights], ast.Store())
            body.insert(0, ast.Assign([names], ast.Name(WEIGHTS, ast.Load()), lineno=tree.lineno))
        parameters = [ast.arg(name) for name in (LAYOUT, self._see, WEIGHTS)]
        tree.args = ast.arguments([], parameters, None, [], [], None, [])
        tree.body, tree.decorator_list, tree.returns = body, [], None
        return ast.fix_missing_locations(tree)

    def _read_parameters(self, tree: ast.FunctionDef) -> dict[str, Any]:
        parameters, defaults = tree.args, self._function.__defaults__ or ()
        names = [one.arg for one in (*parameters.posonlyargs, *parameters.args)]
        if parameters.vararg or parameters.kwarg or parameters.kwonlyargs:
            self._refuse(tree, "a policy takes `see`, `pick` and weights with defaults, without * and **")
        if len(names) < 2 or len(names) - len(defaults) != 2:
            self._refuse(tree, "a policy takes `see` and `pick`; every other parameter is a weight with a default")
        for name in names:
            if name.startswith(RESERVED):
                self._refuse(tree, f"names must not start with {RESERVED!r}")
        self._see, self._pick = names[:2]
        weights = dict(zip(names[2:], defaults, strict=True))
        for name, value in weights.items():
            try:
                weights[name] = checked_weight(name, value)
            except PolicyError as error:
                self._refuse(tree, str(error))
        return weights

    def _refuse(self, node: ast.AST, reason: str) -> NoReturn:
        raise PolicyError(f"{self._file}:{getattr(node, 'lineno', self._tree.lineno)}: {reason}")

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Refuse: whatever is supported has its own method."""
        name = type(node).__name__
        hint = " (loops go over `range` of constants)" if isinstance(node, ast.While | ast.ListComp) else ""
        self._refuse(node, f"{name} is not supported in a playout policy{hint}")

    # statements

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """``name = value``."""
        if len(node.targets) != 1 or not isinstance(node.targets[0], ast.Name):
            self._refuse(node, "assign to one name at a time")
        node.value = self.visit(node.value)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """``name |= value`` and the like."""
        if not isinstance(node.target, ast.Name) or not isinstance(node.op, (*_ON_SETS, *_ON_NUMBERS)):
            self._refuse(node, "use only &=, |= and ^= of sets, and +=, -=, *= and /= of numbers")
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node)
        value = self._arithmetic(node, target, node.op, self.visit(node.value))
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], value), node))

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """``return value``."""
        if node.value is None:
            self._refuse(node, "return a set")
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
        before = self._rounds
        self._rounds *= max(1, len(range(*(value for value in values if value is not None))))
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
            value = self._global(node)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    # expressions

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A number."""
        if not isinstance(node.value, bool | int | float):
            self._refuse(node, f"{node.value!r} is not a number: a policy works with sets and numbers")
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A local name, a weight, or a constant from outside, which is put in its place."""
        if node.id in (self._see, self._pick):
            self._refuse(node, f"{node.id!r} is used by its attributes only: {node.id}.name")
        if node.id.startswith(RESERVED):
            self._refuse(node, f"names must not start with {RESERVED!r}")
        if node.id in self._locals:
            return node
        value = self._global(node)
        elements = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(one, bool | int | float) for one in elements):
            self._refuse(
                node, f"{node.id!r} is a {type(value).__name__}: only numbers and tuples of numbers can be used"
            )
        return ast.copy_location(ast.Constant(value), node)

    def _global(self, node: ast.Name) -> Any:
        """The value of a name from outside the function."""
        found = inspect.getclosurevars(self._function)
        for names in (found.nonlocals, found.globals, vars(builtins)):
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
            self._refuse(node, "`and` is not supported: use & for the points in both sets")
        result = node.values[-1]
        for value in reversed(node.values[:-1]):
            result = self._operation(node, SIGHT, "first_of", [value, result])
        return result

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

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """``see.name``, a set."""
        if not isinstance(node.value, ast.Name) or node.value.id != self._see:
            self._refuse(node, f"{ast.unparse(node)!r}: only {self._see} and {self._pick} have attributes")
        name = node.attr
        if name in FIELDS:
            self.sees_short |= name == "short"
            return node
        if name in SETS:
            return self._operation(node, SIGHT, name, [])
        if name in FUNCTIONS:
            self._refuse(node, f"{self._see}.{name} is a function: call it")
        self._refuse(node, f"{self._see} has no {name!r}{_closest(name, (*FIELDS, *SETS, *FUNCTIONS))}")

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
            self._refuse(node, f"{self._see} has no {name!r}{_closest(name, tuple(FUNCTIONS))}")
        if len(node.args) != FUNCTIONS[name]:
            self._refuse(node, f"{self._see}.{name} takes {FUNCTIONS[name]} arguments, not {len(node.args)}")
        if name == "line":
            number = self._constant_integer(node.args[0])
            if number is None or not 1 <= number <= MOST_LINES:
                self._refuse(node, f"{self._see}.line takes a constant from 1 to {MOST_LINES}")
        return self._operation(node, SIGHT, name, [self.visit(one) for one in node.args])

    def _visit_pick(self, node: ast.Call, name: str) -> ast.AST:
        if name not in PICKS:
            self._refuse(node, f"{self._pick} has no {name!r}{_closest(name, PICKS)}")
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


def weighted_name(classes: int) -> str:
    """The name of the operation for `weighted` of this number of classes."""
    return f"{RESERVED}weighted_{classes}"


def checked_weight(name: str, value: Any) -> Any:
    """A weight as a float, or a tuple of floats.

    Raises
    ------
    PolicyError
        If it is anything else, or not finite.
    """
    elements = value if isinstance(value, tuple) else (value,)
    for one in elements:
        if isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one):
            raise PolicyError(f"weight {name!r} is {value!r}: give a finite number, or a tuple of them")
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)


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


def _closest(name: str, known: tuple[str, ...]) -> str:
    found = difflib.get_close_matches(name, known, 1)
    return f": did you mean {found[0]!r}?" if found else f": it has {', '.join(known)}"
