"""The types that foogo declares: a strict program passes mypy, and mistakes are found."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import foogo

PROGRAM = Path(__file__).parent / "program.py"

CONFIG = """
[mypy]
plugins = foogo.mypy_plugin
strict = True
[mypy-foogo.core.*,foogo.*.kernels.*]
ignore_errors = True
[mypy-numba.*,scipy.*,sgfmill.*,pandas.*,llvmlite.*]
ignore_missing_imports = True
follow_imports = skip
"""

WRONG = """
import foogo

def f(board: foogo.Board[20]) -> None: ...  # Board sizes are whole numbers from 2 to 19
def g(board: foogo.Board[9, 9]) -> None: ...  # Board takes one number as its size
def h(board: foogo.Board[int]) -> None: ...  # Board takes one number as its size
f(foogo.Game(9))  # incompatible type
foogo.play_games([foogo.Board(9)]).owners.shape  # has no attribute "shape"
foogo.simulate(9, 10).bord  # has no attribute "bord"
foogo.Board(9).legal().sum()  # has no attribute "sum"
"""
"""Mistakes, each with a part of the message that mypy must give for its line."""


@pytest.mark.slow
def test_a_strict_program_passes_and_mistakes_are_found(tmp_path: Path) -> None:
    api = pytest.importorskip("mypy.api")
    config, wrong = tmp_path / "mypy.ini", tmp_path / "wrong.py"
    config.write_text(CONFIG, encoding="utf-8")
    wrong.write_text(WRONG, encoding="utf-8")
    output, errors, _ = api.run([f"--config-file={config}", f"--cache-dir={tmp_path}", str(PROGRAM), str(wrong)])
    assert not errors
    found = re.findall(r"(\w+)\.py:(\d+): error: (.*)", output)
    assert {name for name, _, _ in found} == {"wrong"}, output
    expected = {str(i): line.split("  # ")[1] for i, line in enumerate(WRONG.splitlines(), 1) if "  # " in line}
    assert {line for _, line, _ in found} == set(expected), output
    for _, line, message in found:
        assert expected[line] in message


def test_the_package_says_that_it_is_typed() -> None:
    assert (Path(foogo.__file__).parent / "py.typed").exists()
