"""The abstract machine of a GPU thread: 32-bit words and about twenty instructions.

`bitboard`, `floods`, `windows` and `simd` beside this module have the operations for one game. Names and meanings are
those of the modules of the same names in `foogo.playout.kernels` and `foogo.core`. Each operation is written once, over
an `Arithmetic`: `compiled` has one that builds code for the GPU, `simulated` one that computes with Python's integers.
A set is a list of words, an integer is a word, a mask is a truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from foogo.playout.kernels.cuda.strip import WORD_BITS

LAYOUT, BITS, INTS, MASK, SAME = "layout", "bits", "ints", "mask", "same"
SCALAR, UNSIGNED, LITERAL, ARRAY, VOID = "scalar", "unsigned", "literal", "array", "void"
"""Kinds of arguments and results. Scalars are 64-bit integers; a literal is known when the kernel is compiled.

An array is of 32-bit words. The result `SAME` has the type of the arguments `SAME`.
"""

ALL = (1 << WORD_BITS) - 1


class Arithmetic(Protocol):
    """The instructions. A word has 32 bits, a truth is true or false, a scalar has 64 bits."""

    def constant(self, value: int) -> Any:
        """A word."""

    def scalar(self, value: int) -> Any:
        """A scalar."""

    def low_word(self, value: Any) -> Any:
        """The low half of a scalar, as a word."""

    def wide(self, word: Any) -> Any:
        """A word as a scalar."""

    def word_of(self, truth: Any) -> Any:
        """1 for true, 0 for false."""

    def is_true(self, word: Any) -> Any:
        """Whether a word is not 0."""

    def is_less(self, a: Any, b: Any) -> Any:
        """Whether one word is less than another."""

    def select(self, truth: Any, yes: Any, no: Any) -> Any:
        """One of two words or two truths."""

    def and_(self, a: Any, b: Any) -> Any:
        """Of words or truths."""

    def or_(self, a: Any, b: Any) -> Any:
        """Of words or truths."""

    def exclusive_or(self, a: Any, b: Any) -> Any:
        """Of words or truths."""

    def not_(self, a: Any) -> Any:
        """Of a word or a truth."""

    def add(self, a: Any, b: Any) -> Any:
        """Modulo 2**32."""

    def subtract(self, a: Any, b: Any) -> Any:
        """Modulo 2**32."""

    def add_long(self, first: list[Any], second: list[Any]) -> list[Any]:
        """The sum of two multi-word numbers of the same length, lowest word first, without the last carry."""

    def multiply(self, a: Any, b: Any) -> Any:
        """The low word of the product."""

    def multiply_high(self, a: Any, b: Any) -> Any:
        """The high word of the product."""

    def shift_left(self, a: Any, bits: Any) -> Any:
        """By a Python integer or a word, below 32."""

    def shift_right(self, a: Any, bits: Any) -> Any:
        """By a Python integer or a word, below 32."""

    def funnel(self, high: Any, low: Any, bits: Any) -> Any:
        """The high word of the two shifted left together, by a Python integer or a word, modulo 32."""

    def population(self, a: Any) -> Any:
        """The number of bits set."""

    def read(self, array: Any, at: Any, word: int) -> Any:
        """``array[at + word]``."""

    def write(self, array: Any, at: Any, word: int, value: Any) -> None:
        """Store ``array[at + word]``."""


@dataclass(frozen=True)
class Operation:
    """One operation of `bitboard`, `floods`, `simd` or `windows`.

    Attributes
    ----------
    build
        ``build(arithmetic, layout, *arguments)``, without the argument that is the layout itself.
    takes, gives
        Kinds of the arguments and of the result.
    """

    build: Callable[..., Any]
    takes: tuple[str, ...]
    gives: str


def operation(home: dict[str, Operation], takes: str, gives: str) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that puts a building function into a table of operations, under its name."""

    def register(build: Callable[..., Any]) -> Callable[..., Any]:
        home[build.__name__.lstrip("_")] = Operation(build, tuple(takes.split()), gives)
        return build

    return register
