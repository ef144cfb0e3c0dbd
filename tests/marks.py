"""Marks of tests."""

from __future__ import annotations

import os
from typing import Any

import pytest

posix = pytest.mark.skipif(os.name == "nt", reason="needs signals, forks or a shell that Windows does not have")
"""The mark of tests that only Linux and macOS can pass."""


def slow(*values: Any) -> Any:
    """A case of `parametrize` that only `python -m pytest -m slow` runs."""
    return pytest.param(*values, marks=pytest.mark.slow)
