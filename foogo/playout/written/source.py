"""The source of a function that a user wrote, translated, as functions over any set of operations."""

from __future__ import annotations

import ast
import copy
import hashlib
import inspect
import re
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any

from foogo.errors import ArgumentError, PolicyError
from foogo.playout.written.function_translator import CONSTANTS, RESERVED
from foogo.playout.written.lowering import Lowering
from foogo.playout.written.translator import PICK, SIGHT, Translator, fits_name, weighted_name

if TYPE_CHECKING:
    from foogo.playout.kernels.narrowing import Written

NOTED = f"{RESERVED}noted"
"""The name of the function that `Source.noting_function` calls."""

_HIGHLIGHTS = re.compile(r"\x1b\[\d*m")
"""The colours of a terminal, with which Numba writes its messages if colorama is installed."""


@dataclass(frozen=True)
class Source:
    """The translated source of a function.

    Attributes
    ----------
    name, file, line
        The function's name, and where it was defined.
    weights
        Its parameters with a default, by name.
    tree
        The translated function.
    """

    name: str
    file: str
    line: int
    weights: dict[str, Any]
    tree: ast.FunctionDef

    @cached_property
    def digest(self) -> str:
        """Twelve hexadecimal digits that change with what the function computes, but not with its weights."""
        return _digest(_text_of(self.tree))

    @cached_property
    def full_digest(self) -> str:
        """Twelve hexadecimal digits that also change with the default weights."""
        return _digest(f"{self.digest} {self.weights}")

    def function(self, names: dict[str, Any]) -> Callable[..., Any]:
        """The translated function, with these operations as globals."""
        return _function_of(self.tree, self.file, names)

    def place_of(self, error: Exception) -> str:
        """The file and the line of the function where an error came up."""
        frames = [one for one in traceback.extract_tb(error.__traceback__) if one.filename == self.file]
        return f"{self.file}:{frames[-1].lineno if frames else self.line}"

    def naming_lines(self, typed: Callable[..., Any], refused: type[ArgumentError]) -> Callable[..., Any]:
        """A function of Numba's that compiles this one, with `refused` errors that name the line."""
        from numba.core.errors import NumbaError

        def naming_lines(*arguments: Any) -> Any:
            try:
                return typed(*arguments)
            except NumbaError as error:
                text = _HIGHLIGHTS.sub("", str(error))
                found = re.search(rf'{re.escape(Path(self.file).name)}", line (\d+)', text)
                line = found[1] if found else self.line
                reason = next((one for one in text.splitlines() if one and "nopython" not in one), "")
                raise refused(f"{self.file}:{line}: this cannot be compiled: {reason}") from None

        return naming_lines

    def noting_function(self, names: dict[str, Any]) -> Callable[..., Any]:
        """`function`, with every assigned and returned value passed through ``_foogo_noted(line, name, value)``."""
        noting = _Noting().visit(copy.deepcopy(self.tree))
        assert isinstance(noting, ast.FunctionDef)
        return _function_of(ast.fix_missing_locations(noting), self.file, names)


def _text_of(tree: ast.FunctionDef) -> str:
    """The source of a function, the same in every version of Python: 3.10 puts unpacked names in parentheses."""
    unpacked = rf"^( *)\((.+)\) = {CONSTANTS}$"
    return re.sub(unpacked, rf"\1\2 = {CONSTANTS}", ast.unparse(tree), flags=re.MULTILINE)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _function_of(tree: ast.FunctionDef, file: str, names: dict[str, Any]) -> Callable[..., Any]:
    # Numba imports the module of a function when it loads compiled code, so it must be one that exists.
    namespace = {"__name__": __name__, **names}
    exec(compile(ast.Module([tree], []), file, "exec"), namespace)
    found: Callable[..., Any] = namespace[tree.name]
    return found


@dataclass(frozen=True)
class PolicySource(Source):
    """The translated source of a policy: ``name(layout, see, weights)``.

    Attributes
    ----------
    arities
        The numbers of classes of its `weighted` picks.
    patterns
        The patterns of its `fits`.
    sees
        The names after `see.` that it uses.
    """

    arities: tuple[int, ...]
    patterns: tuple[str, ...]
    sees: frozenset[str]

    def for_kernels(self, weights: dict[str, Any]) -> Written:
        """The policy with these weights as kernels take it; for a weight of None, no code is compiled."""
        from foogo.playout.kernels.narrowing import FUNCTIONS, Rule, Written

        kept = {name: value for name, value in weights.items() if value is not None}
        tree, digest = self._lowered(frozenset(weights) - frozenset(kept))
        if digest not in FUNCTIONS:
            FUNCTIONS[digest] = self._compiled(tree)
        rule = Rule(digest, "short" in self.sees, "before_last" in self.sees)
        return Written(rule, tuple(kept.values()))

    def _lowered(self, dropped: frozenset[str]) -> tuple[ast.FunctionDef, str]:
        """The function without some weights, lowered to the operations of kernels, and its digest."""
        if dropped not in self._lowered_without:
            tree = Lowering(self.tree, dropped).lowered()
            self._lowered_without[dropped] = tree, _digest(_text_of(tree))
        return self._lowered_without[dropped]

    @cached_property
    def _lowered_without(self) -> dict[frozenset[str], tuple[ast.FunctionDef, str]]:
        return {}

    def _compiled(self, tree: ast.FunctionDef) -> Any:
        """The kernel of a lowered function; its errors name the line."""
        from foogo.core.jit import kernel
        from foogo.playout.kernels import picks, sight

        weighted = {weighted_name(count): picks.weighted(count) for count in self.arities}
        fits = {fits_name(pattern): sight.fits(pattern) for pattern in self.patterns}
        function = _function_of(tree, self.file, {SIGHT: sight, PICK: picks, **weighted, **fits})
        compiled: Any = kernel(inline=True)(function)
        compiled.get_call_template = self.naming_lines(compiled.get_call_template, PolicyError)
        return compiled


def read_source(function: Callable[..., Any]) -> PolicySource:
    """The source of a policy, translated.

    Raises
    ------
    PolicyError
        If the function uses what a policy cannot use; the message names the file, the line and the reason.
    """
    defined, tree, file = read_definition(
        function, "policy", "`@foogo.playout_policy` above `def name(see, pick): ...`", PolicyError
    )
    translator = Translator(defined, tree, file)
    translated = translator.translated()
    arities, patterns = tuple(sorted(translator.arities)), tuple(sorted(translator.patterns))
    place = tree.name, file, tree.lineno
    return PolicySource(*place, translator.weights, translated, arities, patterns, frozenset(translator.sees))


def read_definition(
    function: Callable[..., Any], kind: str, usage: str, refused: type[ArgumentError]
) -> tuple[FunctionType, ast.FunctionDef, str]:
    """A function, its definition and its file; without a definition a `refused` error, which calls it `kind`."""
    if not isinstance(function, FunctionType):
        raise refused(f"{function!r} is not a function: write {usage}")
    if hasattr(function, "__wrapped__"):
        raise refused(f"{function.__name__} is wrapped by another decorator, which would have no effect: leave it out")
    file = function.__code__.co_filename
    try:
        lines, start = inspect.getsourcelines(function)
    except OSError as error:
        raise refused(
            f"the source of {function.__name__} is not available ({error}): define the {kind} in a file or a notebook"
        ) from None
    tree: ast.AST | None
    try:
        if lines[0][0].isspace():  # it is nested; a text or a comment in it may begin at the margin
            start -= 1
            tree = ast.parse("if 1:\n" + "".join(lines)).body[0].body[0]  # type: ignore[attr-defined]
        else:
            tree = ast.parse("".join(lines)).body[0]
    except SyntaxError:  # a part of an expression that has a lambda
        tree = None
    if not isinstance(tree, ast.FunctionDef):
        raise refused(f"{file}:{function.__code__.co_firstlineno}: a {kind} is a function that `def` defines")
    if tree.name != function.__name__:
        raise refused(f"{file} was changed after {function.__name__} was defined: run it again")
    ast.increment_lineno(tree, start - 1)
    return function, tree, file


@contextmanager
def refusing_depth(function: Any, refused: type[ArgumentError]) -> Iterator[None]:
    """Raises a `refused` error instead of a RecursionError of Python's compiler, or of a translator."""
    try:
        yield
    except RecursionError:
        code = function.__code__
        place = f"{code.co_filename}:{code.co_firstlineno}"
        raise refused(f"{place}: an expression is nested too deeply: assign parts of it to names") from None


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
