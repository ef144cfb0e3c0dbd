"""Marks of test cases."""

from __future__ import annotations

from typing import Any

import pytest


def slow(*values: Any) -> Any:
    """A case of `parametrize` that only `python -m pytest -m slow` runs."""
    return pytest.param(*values, marks=pytest.mark.slow)
