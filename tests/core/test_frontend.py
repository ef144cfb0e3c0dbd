"""What Numba's front end leaves out, and the operators that it remembers."""

from __future__ import annotations

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError
from numba.core.types.functions import BaseFunction

from foogo.core import jit
from foogo.core.jit import kernel

pytestmark = pytest.mark.skipif(jit.LINKING is None, reason="kernels are compiled by Numba alone")

SEARCH = BaseFunction.get_call_type


def arithmetic(x, y):
    return x + y, x - 3, 3 - x, x * x, min(x, y), min(x, 2), max(3, y), x > y, x & 1 if x == 1 else 0


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (np.int8(100), np.uint8(200)),
        (np.uint64(1 << 63), -2),
        (np.int32(-7), np.uint64(3)),
        (1, 2.5),
        (np.int32(5), np.float32(0.1)),
    ],
    ids=str,
)
def test_remembered_operators_are_those_that_numba_finds(x, y) -> None:
    ours, numbas = kernel(arithmetic)(x, y), numba.njit(error_model="numpy")(arithmetic)(x, y)
    assert [(type(one), one) for one in ours] == [(type(one), one) for one in numbas]


def test_numba_is_as_before_after_a_compilation_and_an_error() -> None:
    assert kernel(lambda x: x + 1)(1) == 2
    assert BaseFunction.get_call_type is SEARCH
    with pytest.raises(TypingError):
        kernel(lambda x: x + "1")(1)
    assert BaseFunction.get_call_type is SEARCH


def test_comprehensions_and_expressions_of_arrays_compile() -> None:
    @kernel(allocates=True)
    def mixed(numbers):
        doubled = numbers * 2 + numbers
        squares = [i * i for i in range(5)]
        return doubled.sum() + sum(squares) + max(squares)

    assert mixed(np.arange(4)) == 18 + 30 + 16
