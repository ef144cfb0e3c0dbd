"""The operations of formulas over NumPy arrays: slow, simple, and independent of the compiled ones.

A value of each child is `Lanes`, a condition of each child `Condition`, and what children have in common a float.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Lanes:
    """A float32 for each child; `values` is the array."""

    def __init__(self, values: NDArray[np.float32]) -> None:
        self.values = values

    def __bool__(self) -> bool:
        raise TypeError("it differs from child to child: use np.where(condition, a, b)")

    def __neg__(self) -> Lanes:
        return Lanes(-self.values)

    def _with(self, function: Callable[[Any, Any], Any], other: Any, sign: str, swapped: bool = False) -> Any:
        values = _float32(other)
        if values is None:
            raise TypeError(f"{sign} of values and {_described(other)}: both must be values, or numbers")
        result = function(values, self.values) if swapped else function(self.values, values)
        return Condition(result) if result.dtype == np.bool_ else Lanes(result)

    def __add__(self, other: object) -> Any:
        return self._with(operator.add, other, "+")

    def __radd__(self, other: object) -> Any:
        return self._with(operator.add, other, "+", swapped=True)

    def __sub__(self, other: object) -> Any:
        return self._with(operator.sub, other, "-")

    def __rsub__(self, other: object) -> Any:
        return self._with(operator.sub, other, "-", swapped=True)

    def __mul__(self, other: object) -> Any:
        return self._with(operator.mul, other, "*")

    def __rmul__(self, other: object) -> Any:
        return self._with(operator.mul, other, "*", swapped=True)

    def __truediv__(self, other: object) -> Any:
        return self._with(operator.truediv, other, "/")

    def __rtruediv__(self, other: object) -> Any:
        return self._with(operator.truediv, other, "/", swapped=True)

    def __lt__(self, other: object) -> Any:
        return self._with(operator.lt, other, "<")

    def __le__(self, other: object) -> Any:
        return self._with(operator.le, other, "<=")

    def __gt__(self, other: object) -> Any:
        return self._with(operator.gt, other, ">")

    def __ge__(self, other: object) -> Any:
        return self._with(operator.ge, other, ">=")

    def __eq__(self, other: object) -> Any:
        return self._with(operator.eq, other, "==")

    def __ne__(self, other: object) -> Any:
        return self._with(operator.ne, other, "!=")

    __hash__ = None  # type: ignore[assignment]


class Condition:
    """True or false for each child; `values` is the array."""

    def __init__(self, values: NDArray[np.bool_]) -> None:
        self.values = values

    def __bool__(self) -> bool:
        raise TypeError("a condition differs from child to child: use np.where(condition, a, b), and & | ~")

    def __and__(self, other: object) -> Condition:
        return Condition(self.values & _condition(other, "&"))

    def __or__(self, other: object) -> Condition:
        return Condition(self.values | _condition(other, "|"))

    def __invert__(self) -> Condition:
        return Condition(~self.values)


def square_root(x: Any) -> Any:
    """The square root of a number, or of each child's."""
    return Lanes(np.sqrt(x.values)) if isinstance(x, Lanes) else math.sqrt(x)


def logarithm(x: Any) -> float:
    """The natural logarithm of a number."""
    if isinstance(x, Lanes):
        raise TypeError("np.log takes a number that all children share, such as parent_visits")
    return math.log(x)


def minimum(x: Any, y: Any) -> Any:
    """The smaller of two."""
    return where(y < x, y, x) if isinstance(x, Lanes) or isinstance(y, Lanes) else min(x, y)


def maximum(x: Any, y: Any) -> Any:
    """The larger of two."""
    return where(y > x, y, x) if isinstance(x, Lanes) or isinstance(y, Lanes) else max(x, y)


def where(condition: Any, yes: Any, no: Any) -> Lanes:
    """`yes` where a condition is fulfilled, else `no`."""
    if not isinstance(condition, Condition):
        raise TypeError(f"np.where of {_described(condition)}: all children share it, so write `a if condition else b`")
    values = [_float32(one) for one in (yes, no)]
    if values[0] is None or values[1] is None:
        raise TypeError("np.where of conditions: give values, or numbers")
    return Lanes(np.where(condition.values, *values))


def _float32(value: Any) -> Any:
    """A value or a number as float32; None if it is neither."""
    if isinstance(value, Lanes):
        return value.values
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return np.float32(value) if is_number else None


def _condition(value: Any, sign: str) -> NDArray[np.bool_]:
    if not isinstance(value, Condition):
        raise TypeError(f"{sign} of a condition and {_described(value)}: both must differ from child to child")
    return value.values


def _described(value: Any) -> str:
    return {Lanes: "values", Condition: "a condition"}.get(type(value), repr(value))
