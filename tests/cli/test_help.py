"""Help, `python -m foogo` and shell completion: how a user finds the way around an installed foogo."""

from __future__ import annotations

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from foogo.cli import run

MODULE = [sys.executable, "-m", "foogo"]

SLOW_IMPORTS = ("numba", "numpy", "scipy", "matplotlib")

COMPLETE_AND_LIST_IMPORTS = (
    "import atexit, sys\n"
    f"atexit.register(lambda: print('imported:', *({set(SLOW_IMPORTS)} & set(sys.modules)), file=sys.stderr))\n"
    "from foogo.cli import main\n"
    "main()"
)


def test_help_ends_with_the_address_of_the_documentation(capfd: pytest.CaptureFixture[str]) -> None:
    project = (Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8")
    address = re.search(r'^Documentation = "(.*)"$', project, flags=re.MULTILINE)
    assert address is not None
    assert run(["--help"]) == 0
    last_line = capfd.readouterr().out.splitlines()[-1]
    assert last_line == f"Documentation: {address[1]}", "the installed metadata are old: pip install -e ."


def test_help_does_without_an_installed_package(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def not_installed(name: str) -> None:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "metadata", not_installed)
    assert run(["--help"]) == 0
    printed = capfd.readouterr().out
    assert "first-move" in printed
    assert "Documentation" not in printed


@pytest.mark.parametrize(
    ("arguments", "code", "stdout", "stderr"),
    [
        (["--help"], 0, "Usage: foogo [OPTIONS] COMMAND", ""),
        (["perft", "--help"], 0, "Usage: foogo perft [OPTIONS]", ""),
        (["perft"], 2, "", "foogo: error: missing argument"),
        (["plai"], 2, "", "foogo: error: no such command 'plai'"),
    ],
)
def test_python_m_foogo_is_the_command(arguments: list[str], code: int, stdout: str, stderr: str) -> None:
    done = subprocess.run([*MODULE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == code
    assert done.stdout.startswith(stdout)
    assert done.stderr.startswith(stderr)


COMPLETIONS = [
    ("bash", {"COMP_WORDS": "foogo fi", "COMP_CWORD": "1"}, "first-move"),
    ("bash", {"COMP_WORDS": "foogo study run --unt", "COMP_CWORD": "3"}, "--until-se"),
    ("zsh", {"_TYPER_COMPLETE_ARGS": "foogo fi"}, '"first-move"'),
    ("fish", {"_TYPER_COMPLETE_ARGS": "foogo fi", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}, "first-move\t"),
    ("powershell", {"_TYPER_COMPLETE_ARGS": "foogo fi", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "fi"}, "first-move:::"),
]


@pytest.mark.parametrize(("shell", "typed", "answer"), COMPLETIONS, ids=lambda value: str(value)[:20])
def test_completion_answers_without_slow_imports(shell: str, typed: dict[str, str], answer: str) -> None:
    environment = os.environ | typed | {"_FOOGO_COMPLETE": f"complete_{shell}"}
    done = subprocess.run(
        [sys.executable, "-c", COMPLETE_AND_LIST_IMPORTS], capture_output=True, text=True, env=environment, check=True
    )
    assert answer in done.stdout
    assert "bench" not in done.stdout
    assert done.stderr.splitlines()[-1].strip() == "imported:"
