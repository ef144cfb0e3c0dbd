"""What the operations of a card's thread are written in: 32-bit words, and some twenty instructions.

`bitboard`, `simd` and `windows` beside this module have the operations, by the names and meanings of
`foogo.playout.kernels.bitboard`, `foogo.core.simd` and `foogo.playout.kernels.windows`, for one game. Each is
written once, over an `Arithmetic`: `typed` has one that builds code for the card, `plain` one that reckons with
Python's integers, for the simulator. A set is a list of words, an integer is a word, a mask is a truth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from foogo.playout.kernels.cuda.strip import WORD_BITS

LAYOUT, BITS, INTS, MASK, SAME = "layout", "bits", "ints", "mask", "same"
SCALAR, UNSIGNED, LITERAL, ARRAY, VOID = "scalar", "unsigned", "literal", "array", "void"
"""What an operation takes and gives: scalars are plain 64-bit integers, a literal is one that is known when the kernel
is compiled, an array is of 32-bit words, and `SAME` gives what it takes as `SAME`."""

ALL = (1 << WORD_BITS) - 1


class Arithmetic(Protocol):
    """What operations are written in. A word is of 32 bits, a truth is a yes or no, a scalar is of 64 bits."""

    def constant(self, value: int) -> Any:
        """A word."""

    def scalar(self, value: int) -> Any:
        """A scalar."""

    def low_word(self, value: Any) -> Any:
        """The low half of a scalar, as a word."""

    def wide(self, word: Any) -> Any:
        """A word as a scalar."""

    def word_of(self, truth: Any) -> Any:
        """1 for yes, 0 for no."""

    def is_true(self, word: Any) -> Any:
        """Whether a word is not 0."""

    def is_less(self, a: Any, b: Any) -> Any:
        """Whether a word is less than another one."""

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
        """The sum of two long numbers of as many words, the lowest first; what goes beyond is lost."""

    def multiply_high(self, a: Any, b: Any) -> Any:
        """The high word of the product."""

    def shift_left(self, a: Any, bits: Any) -> Any:
        """By a Python integer or a word, below 32."""

    def shift_right(self, a: Any, bits: Any) -> Any:
        """By a Python integer or a word, below 32."""

    def funnel(self, high: Any, low: Any, bits: Any) -> Any:
        """The high word of the two moved left by a Python integer or a word, modulo 32."""

    def population(self, a: Any) -> Any:
        """The number of bits set."""

    def read(self, array: Any, at: Any, word: int) -> Any:
        """``array[at + word]``."""

    def write(self, array: Any, at: Any, word: int, value: Any) -> None:
        """Store ``array[at + word]``."""

    def any_of_warp(self, truth: Any) -> Any:
        """Whether it is yes in any thread of the warp that is here."""

    def enough_of_warp(self, truth: Any, enough: Any) -> Any:
        """Whether it is yes in so many threads of the warp, or in all that are here."""


@dataclass(frozen=True)
class Operation:
    """One name of `sets`, `words` or `vicinity`.

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
