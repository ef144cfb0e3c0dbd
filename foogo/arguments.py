"""Checks that several modules make of their arguments."""

from __future__ import annotations

import sys
from math import inf
from operator import index
from pathlib import Path
from typing import Any

from foogo.errors import ArgumentError


def whole_number(value: Any) -> int | None:
    """`value` as an int if it is a whole number and no truth value; else None."""
    numpy = sys.modules.get("numpy")  # without it there is no truth value of its own
    if isinstance(value, bool) or (numpy is not None and isinstance(value, numpy.bool_)):
        return None
    try:
        return index(value)
    except TypeError:
        return None


def whole(name: str, value: Any, low: int, high: int) -> int:
    """`value` as an int, if it is a whole number from `low` to `high` and no truth value.

    Raises
    ------
    ArgumentError
        Otherwise; the message names the argument and what would be right.

    Examples
    --------
    >>> whole("n", 7, 0, 10)
    7
    >>> whole("n", -1, 0, 10)
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: n is -1: it must be a whole number from 0 to 10
    """
    number = whole_number(value)
    if number is None or not low <= number <= high:
        raise ArgumentError(f"{name} is {value!r}: it must be a whole number from {low} to {high}")
    return number


def positive(name: str, value: Any) -> float:
    """`value` as a float, if it is a finite number above 0 and no truth value.

    Raises
    ------
    ArgumentError
        Otherwise.

    Examples
    --------
    >>> positive("seconds", 2)
    2.0
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < inf:
        raise ArgumentError(f"{name} is {value!r}: it must be a number above 0")
    return float(value)


def probe_file(path: Path) -> None:
    """Try whether a file can be written at `path`, and leave everything as it was.

    Raises
    ------
    OSError
        If it cannot.
    """
    existed = path.exists()
    with path.open("ab"):
        pass
    if not existed:
        path.unlink()
