"""Imports go downward only: a module may import what stands above it in `LAYERS`, and nothing below."""

from __future__ import annotations

import ast
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import foogo

ROOT = Path(foogo.__file__).parent

LAYERS = (
    ("errors",),
    ("arguments", "tables"),
    ("core", "stats"),
    ("game", "cards"),
    ("sgf",),
    ("playout", "env"),
    ("search", "solver", "testing"),
    ("warmup", "book"),
    ("player",),
    ("study",),
    ("gtp",),
    ("match", "analysis", "terminal", "benchmark"),
    ("web",),
    ("cli",),
    ("__main__", "mypy_plugin"),
)
"""Modules and folders of foogo, from the bottom up; those of one line may not import each other."""

RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}


WINGS = {"cards": {"errors", "arguments", "core", "stats"}}
"""Folders that nothing but the command line imports, with all that they may import."""


def layer(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").parts[0]


def imported(source: str) -> set[str]:
    """The modules and packages of foogo that a source imports at run time, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(without_type_checking(ast.parse(source))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the layer"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    parts = [name.split(".") for name in names]
    return {part[1] for part in parts if part[0] == "foogo" and len(part) > 1}


def without_type_checking(tree: ast.Module) -> ast.Module:
    class Remover(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> Any:
            if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
                return node.orelse or None
            return self.generic_visit(node)

    tree = Remover().visit(tree)
    assert isinstance(tree, ast.Module)
    return tree


MODULES = sorted(path for path in ROOT.rglob("*.py") if path != ROOT / "__init__.py")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_imports_only_from_above(path: Path) -> None:
    own = layer(path)
    assert own in RANK, f"give foogo.{own} a place in LAYERS"
    for name in imported(path.read_text(encoding="utf-8")) - {own, "__version__"}:
        assert name in RANK, f"foogo.{name} has no place in LAYERS; import public names from their own module"
        assert RANK[name] < RANK[own], f"foogo.{own} imports foogo.{name}, which is not above it"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_wings_stand_apart(path: Path) -> None:
    own, names = layer(path), imported(path.read_text(encoding="utf-8")) - {"__version__"}
    assert names <= WINGS.get(own, names) | {own}
    assert own in (*WINGS, "cli") or not names & set(WINGS)


@pytest.mark.parametrize("source", ["from foogo.cli import app", "import foogo.cli", "from foogo import cli"])
def test_the_check_sees_every_form_of_import(source: str) -> None:
    assert imported(source) == {"cli"}
    assert imported(f"def later():\n    {source}\n") == {"cli"}
    assert imported(f"from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    {source}\n") == set()


@pytest.mark.parametrize("path", [path for path in MODULES if "kernels" in path.parts], ids=str)
def test_kernels_know_no_python_board(path: Path) -> None:
    for name in modules_imported(path):
        assert (
            "kernels" in name.split(".") or name.split(".")[0] == "core" or name in ("game.geometry", "cards.card")
        ), name


def test_no_modules_import_each_other_in_a_circle() -> None:
    above = {dotted(path): modules_imported(path) for path in MODULES}
    while free := {name for name, names in above.items() if not names & set(above)}:
        above = {name: names for name, names in above.items() if name not in free}
    assert not above, "these import each other in a circle"


def dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def modules_imported(path: Path) -> set[str]:
    """The modules of foogo, without its name, that a file imports when it is loaded."""
    names: set[str] = set()
    for node in without_type_checking(ast.parse(path.read_text(encoding="utf-8"))).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "foogo":
            home = node.module.removeprefix("foogo").removeprefix(".")
            for alias in node.names:
                inner = f"{home}.{alias.name}".removeprefix(".")
                names.add(inner if (ROOT / inner.replace(".", "/")).with_suffix(".py").exists() else home)
    return names - {""}


ORACLES = sorted([*(ROOT.parent / "tests").rglob("oracle*.py"), ROOT.parent / "tests" / "brute_solver.py"])


@pytest.mark.parametrize("path", ORACLES, ids=lambda path: path.stem)
def test_oracles_share_nothing_with_foogo(path: Path) -> None:
    imports = all_imports(path.read_text(encoding="utf-8"))
    assert {name.split(".")[0] for name in imports}.isdisjoint({"foogo", "bench"})
    assert {name for name in imports if name.startswith("tests")} <= {"tests.oracle", "tests.oracle_patterns"}


def all_imports(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
    return names


@pytest.mark.parametrize("name", foogo.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(foogo, name) is not None
    assert name in dir(foogo)


def test_import_of_foogo_waits_for_nothing_heavy() -> None:
    heavy = {"numba", "numpy", "matplotlib", "rich"}
    code = f"import sys, foogo; print(sorted({heavy} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_packages_are_imported_on_first_use() -> None:
    names = "analysis.analyze_game book.grow cards.bridge.table cards.card.parse_card"
    names += " cards.deal.Dealer cards.poker.rank cards.rummy.combos"
    names += " env.VectorEnvironment gtp.Client sgf.read_game testing.check_policy"
    code = f"import foogo; print({', '.join(f'foogo.{name}.__name__' for name in names.split())})"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.split() == [name.rpartition(".")[2] for name in names.split()]


def test_a_session_completes_public_names_only() -> None:
    code = (
        "import foogo; print(foogo.cards.card.parse_card('2c')); "
        "[print(*(name for name in dir(module) if not name.startswith('__'))) for module in (foogo.cards, foogo.gtp)]"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.splitlines() == ["0", "bridge card deal poker rummy", "Client EngineFailure"]
    assert set(foogo.gtp.__all__) < set(dir(foogo.gtp))
    assert foogo.testing.__all__ == ["PolicyCheck", "check_policy"]


def test_one_thread_at_a_time_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    names, busy, together = ["Board", "Game", "simulate", "solve"], threading.Lock(), []

    def slow_import(module: str) -> ModuleType:
        together.append(not busy.acquire(blocking=False))
        time.sleep(0.02)
        if not together[-1]:
            busy.release()
        return import_module(module)

    for name in names:
        getattr(foogo, name)
        monkeypatch.delitem(vars(foogo), name)
    monkeypatch.setattr(foogo, "import_module", slow_import)
    with ThreadPoolExecutor(len(names)) as threads:
        list(threads.map(lambda name: getattr(foogo, name), names))
    assert together == [False] * len(names)


def test_no_module_hides_a_public_name() -> None:
    assert not {path.with_suffix("").name for path in ROOT.iterdir()} & set(foogo.__all__)


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'foogo' has no attribute 'bord'"):
        _ = foogo.bord  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="module 'foogo.cards' has no attribute 'chess'"):
        _ = foogo.cards.chess  # type: ignore[attr-defined]
