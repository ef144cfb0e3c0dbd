"""What every file of the package keeps to: its length, its functions' parameters, its own private names, docstrings."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import foogo

ROOT = Path(foogo.__file__).parent
FILES = sorted(ROOT.rglob("*.py"))
MOST_LINES, MOST_PARAMETERS = 400, 8

OF_OTHERS = {"_replace", "_asdict", "_exit", "_cache", "_tm_features", "_index_key"}
"""Of named tuples and `os`, where they are public; of Numba, which has no other name for them."""

ON_NUMBA = {"core/libraries.py", "core/linking.py"}
"""What is built on Numba's private classes, and used only with the versions that it is tested with."""

POSIX_ONLY = {"fcntl", "grp", "pty", "pwd", "readline", "resource", "termios", "tty"}
"""Modules of Python that Windows does not have."""

Function = (ast.FunctionDef, ast.AsyncFunctionDef)
Definition = (*Function, ast.ClassDef)

in_every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())


def faults_of(source: str) -> set[str]:
    """What a source does that the house does not do."""
    tree = ast.parse(source)
    own = {node.name for node in ast.walk(tree) if isinstance(node, Definition)}
    own |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and is_of_self(node)}
    own |= {name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) for name in fields_of(node)}
    return {*too_many_parameters(tree), *private_reaches(tree, own), *undocumented(tree), *unportable(tree)}


def too_many_parameters(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, Function):
            names = [one.arg for one in (*node.args.posonlyargs, *node.args.args)]
            count = len(names) - (names[:1] in (["self"], ["cls"]))
            if count > MOST_PARAMETERS:
                yield f"{node.name} has {count} positional parameters"


def private_reaches(tree: ast.Module, own: set[str]) -> Iterator[str]:
    """Private names of another module of foogo: imported, or taken from an object whose class is not of this file."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("foogo"):
            yield from (f"imports {alias.name}" for alias in node.names if is_private(alias.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own | OF_OTHERS:
            yield f"takes .{node.attr}"


def unportable(tree: ast.Module) -> Iterator[str]:
    """Modules imported at the top that Windows does not have."""
    for node in tree.body:
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (f"imports {name}" for name in names if name in POSIX_ONLY)


def undocumented(tree: ast.Module) -> Iterator[str]:
    """Public classes and functions without a docstring; a method of a class with bases may be an override."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not node.bases]
    bodies = [tree.body, *(one.body for one in classes if is_public(one.name))]
    for body in bodies:
        for inner in body:
            if isinstance(inner, Definition) and is_public(inner.name):
                if not ast.get_docstring(inner) and not is_setter(inner) and not is_overload(inner):
                    yield f"{inner.name} has no docstring"


def is_public(name: str) -> bool:
    return not name.startswith("_")


def is_setter(node: Any) -> bool:
    return any(isinstance(one, ast.Attribute) and one.attr == "setter" for one in node.decorator_list)


def is_overload(node: Any) -> bool:
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in node.decorator_list)


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def is_of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def fields_of(node: ast.ClassDef) -> Iterator[str]:
    for inner in node.body:
        if isinstance(inner, ast.AnnAssign) and isinstance(inner.target, ast.Name):
            yield inner.target.id
        elif isinstance(inner, ast.Assign):
            for target in inner.targets:
                yield from (one.id for one in ast.walk(target) if isinstance(one, ast.Name))
                if isinstance(target, ast.Name) and target.id == "__slots__":
                    yield from (str(one.value) for one in ast.walk(inner.value) if isinstance(one, ast.Constant))


@in_every_file
def test_file_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


@in_every_file
def test_file_keeps_to_the_house(path: Path) -> None:
    faults = faults_of(path.read_text(encoding="utf-8"))
    if path.relative_to(ROOT).as_posix() in ON_NUMBA:
        faults = {fault for fault in faults if not fault.startswith("takes ._")}
    if "cli" in path.parts:  # an option of a command is a parameter
        faults = {fault for fault in faults if "positional parameters" not in fault}
    assert not faults


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ("def _f(a, b, c, d, e, f, g, h, i): pass", "_f has 9 positional parameters"),
        ("from foogo.game import _hidden", "imports _hidden"),
        ("board._state.copy()", "takes ._state"),
        ("import os, fcntl", "imports fcntl"),
        ("class A:\n    '''A.'''\n    def b(self): pass", "b has no docstring"),
        ("def f(): pass", "f has no docstring"),
    ],
)
def test_the_check_sees(source: str, fault: str) -> None:
    assert faults_of(source) == {fault}


@pytest.mark.parametrize(
    "source",
    [
        "class _A:\n    def __init__(self):\n        self._x = 1\n\ndef _f(a):\n    return a._x",
        "def _f(self, a, b, c, d, e, f, g, h, *, i): pass",
        "import sys\nsys.__dict__",
        "def _f():\n    import fcntl",
    ],
)
def test_the_check_lets_pass(source: str) -> None:
    assert faults_of(source) == set()
