"""Commands run in this process, as a user types them."""

from __future__ import annotations

import sys
from typing import NamedTuple

import pytest

from foogo.cli import run

FOOGO = [sys.executable, "-c", "from foogo.cli import main; main()"]
"""The command `foogo` in a process of its own."""


class Said(NamedTuple):
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str


def told(capfd: pytest.CaptureFixture[str], *arguments: object) -> Said:
    """Run ``foogo`` with these arguments."""
    code = run([str(argument) for argument in arguments])
    return Said(code, *capfd.readouterr())
