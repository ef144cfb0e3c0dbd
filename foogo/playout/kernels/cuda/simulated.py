"""The operations on Python's integers, for numba-cuda's simulator, which runs a kernel as Python code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foogo.playout.kernels.cuda.arithmetic import ALL, BITS, INTS, MASK, SAME, Operation
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip


class _IntegerArithmetic:
    """32-bit words as Python's integers, masks as its truth values."""

    def constant(self, value: int) -> int:
        return value

    def scalar(self, value: int) -> int:
        return value

    def low_word(self, value: int) -> int:
        return int(value) & ALL

    def wide(self, word: int) -> int:
        return word

    def and_(self, a: Any, b: Any) -> Any:
        return a & b

    def or_(self, a: Any, b: Any) -> Any:
        return a | b

    def exclusive_or(self, a: Any, b: Any) -> Any:
        return a ^ b

    def not_(self, a: Any) -> Any:
        return (not a) if isinstance(a, bool) else a ^ ALL

    def add(self, a: int, b: int) -> int:
        return a + b & ALL

    def subtract(self, a: int, b: int) -> int:
        return a - b & ALL

    def add_long(self, first: list[int], second: list[int]) -> list[int]:
        total = sum(a + b << WORD_BITS * w for w, (a, b) in enumerate(zip(first, second, strict=True)))
        return [total >> WORD_BITS * w & ALL for w in range(len(first))]

    def multiply(self, a: int, b: int) -> int:
        return a * b & ALL

    def multiply_high(self, a: int, b: int) -> int:
        return a * b >> WORD_BITS

    def shift_left(self, a: int, bits: int) -> int:
        return a << bits & ALL

    def shift_right(self, a: int, bits: int) -> int:
        return a >> bits

    def funnel(self, high: int, low: int, bits: int) -> int:
        bits %= WORD_BITS
        return (high << bits | low >> WORD_BITS - bits) & ALL

    def population(self, a: int) -> int:
        return bin(a).count("1")

    def is_true(self, a: int) -> bool:
        return a != 0

    def is_less(self, a: int, b: int) -> bool:
        return a < b

    def select(self, mask: bool, yes: Any, no: Any) -> Any:
        return yes if mask else no

    def word_of(self, mask: bool) -> int:
        return int(mask)

    def read(self, array: Any, at: int, word: int) -> int:
        return int(array[at + word])

    def write(self, array: Any, at: int, word: int, value: int) -> None:
        array[at + word] = value


_ARITHMETIC = _IntegerArithmetic()


@dataclass(frozen=True, slots=True)
class _Value:
    """A set, an integer or a mask, with the operators that the playout's source uses."""

    value: Any
    layout: Strip | None = None

    def _like(self, words: list[Any]) -> Any:
        return type(self)(words if isinstance(self.value, list) else words[0], self.layout)

    def _each(self, build: Callable[..., Any], *others: _Value) -> Any:
        columns = (x.value if isinstance(x.value, list) else [x.value] for x in (self, *others))
        return self._like([build(*column) for column in zip(*columns, strict=True)])

    def __and__(self, other: _Value) -> Any:
        return self._each(_ARITHMETIC.and_, other)

    def __or__(self, other: _Value) -> Any:
        return self._each(_ARITHMETIC.or_, other)

    def __xor__(self, other: _Value) -> Any:
        return self._each(_ARITHMETIC.exclusive_or, other)

    def __invert__(self) -> Any:
        return self._each(_ARITHMETIC.not_)


class Bits(_Value):
    """A set of points."""


class Mask(_Value):
    """True or false."""


class Ints(_Value):
    """A 32-bit integer."""

    def __add__(self, other: Ints) -> Any:
        return self._each(_ARITHMETIC.add, other)

    def __sub__(self, other: Ints) -> Any:
        return self._each(_ARITHMETIC.subtract, other)

    def __lt__(self, other: Ints) -> Mask:
        return Mask(self.value < other.value)

    def __ge__(self, other: Ints) -> Mask:
        return Mask(self.value >= other.value)


_CLASSES = {BITS: Bits, INTS: Ints, MASK: Mask}


def callable_of(operation: Operation) -> Callable[..., Any]:
    """The operation as a function of these values."""

    def call(*arguments: Any) -> Any:
        layout = next((found for x in arguments if (found := _layout_of(x)) is not None), None)
        values = [x.value if isinstance(x, _Value) else x for x in arguments if not isinstance(x, Strip)]
        result = operation.build(_ARITHMETIC, layout, *values)
        kind = type(arguments[-1]) if operation.gives == SAME else _CLASSES.get(operation.gives)
        return result if kind is None else kind(result, layout)

    return call


def _layout_of(value: Any) -> Strip | None:
    return value.layout if isinstance(value, _Value) else value if isinstance(value, Strip) else None
