"""The GPU version of `foogo.core.products`."""

from __future__ import annotations

from typing import Any

from foogo.playout.kernels.cuda.arithmetic import INTS, Arithmetic, Operation, operation
from foogo.playout.kernels.cuda.strip import Strip

OPERATIONS: dict[str, Operation] = {}
"""By name."""


@operation(OPERATIONS, "ints", INTS)
def widened(_m: Arithmetic, _layout: Strip, ints: Any) -> Any:
    """The integer, which has 32 bits here."""
    return ints


@operation(OPERATIONS, "ints ints", INTS)
def low_product(m: Arithmetic, _layout: Strip, a: Any, b: Any) -> Any:
    """The product modulo 2**32."""
    return m.multiply(a, b)


@operation(OPERATIONS, "ints ints", INTS)
def high_product(m: Arithmetic, _layout: Strip, a: Any, b: Any) -> Any:
    """``a * b >> 32``, exactly."""
    return m.multiply_high(a, b)


@operation(OPERATIONS, "ints ints", INTS)
def scale(m: Arithmetic, _layout: Strip, number: Any, count: Any) -> Any:
    """``number * count >> 32``, exactly."""
    return m.multiply_high(number, count)
