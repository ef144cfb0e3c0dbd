"""The checks of arguments that all modules share."""

from __future__ import annotations

import pytest

from foogo.arguments import is_number, positive, whole, whole_number
from foogo.errors import ArgumentError


def test_whole_numbers_are_neither_floats_nor_booleans() -> None:
    assert [whole_number(value) for value in (7, 7.0, True)] == [7, None, None]
    assert whole("n", 7, 0, 10) == 7


def test_numbers_are_finite_and_fit_a_float() -> None:
    assert [is_number(value) for value in (0.5, 10**400, True, "1")] == [True, False, False, False]


def test_positive_is_a_float() -> None:
    assert positive("seconds", 2) == 2.0
    with pytest.raises(ArgumentError, match="seconds is 0: it must be a number above 0"):
        positive("seconds", 0)
