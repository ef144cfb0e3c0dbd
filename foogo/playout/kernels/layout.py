"""How a board is laid out in machine words, and the Numba types of many games at once.

============  ===========================================================  ==========================
type          value of one lane (one game)                                 operations
============  ===========================================================  ==========================
`BitsType`    a set of points, in ``layout.words`` machine words           ``& | ^ ~`` and `bitboard`
`IntsType`    an unsigned integer of 16, 32 or 64 bits                     ``+ - & | ^`` and `simd`
`MaskType`    true or false                                                ``& | ^ ~``
============  ===========================================================  ==========================

With ``lanes > 1`` a machine word is an LLVM vector, with ``lanes == 1`` an integer. The kernel's source is the same.
A `Layout` is an argument whose *type* carries every constant, as a C++ template parameter would. So Numba's disk
cache has a kernel for each layout.

Rows that follow one another are in words that follow one another. So a step north or south only renames words and costs
nothing. With several rows a word, these are `words` rows apart: of 19x19 in seven words, word i holds the rows i, i + 7
and i + 14. Rows 0 to 6 are the lowest *band*, and only a step from the last word to the next band is a shift. A guard
bit at the top of each row is always zero. It keeps a step east or west from running into the next band.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from numba.core import types
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, typeof_impl, unbox

from foogo.core.cpu import vector_bits
from foogo.core.simd import WordsModel, WordsType


@dataclass(frozen=True)
class Layout:
    """How one board size is laid out in machine words.

    Attributes
    ----------
    size
        Points along a side.
    bits
        Bits of a machine word: 16, 32 or 64.
    rows
        Rows of the board in one word.
    lanes
        Games side by side.
    """

    size: int
    bits: int
    rows: int
    lanes: int

    @property
    def stride(self) -> int:
        """Bits from a row to the next one in its word."""
        return self.size if self.rows == 1 else self.size + 1

    @property
    def words(self) -> int:
        """Machine words of a set."""
        return -(-self.size // self.rows)

    def place(self, row: int) -> tuple[int, int]:
        """The word of a row, and the bit in it of the row's first point."""
        band, word = divmod(row, self.words)
        return word, band * self.stride

    def bit(self, point: int) -> tuple[int, int]:
        """The word and the bit in it of a point."""
        row, column = divmod(point, self.size)
        word, first = self.place(row)
        return word, first + column

    def pack(self, points: Iterable[int]) -> list[int]:
        """The words of a set given as an iterable of points."""
        words = [0] * self.words
        for point in points:
            word, bit = self.bit(point)
            words[word] |= 1 << bit
        return words

    @cached_property
    def full(self) -> list[int]:
        """The words of the whole board."""
        return self.pack(range(self.size * self.size))

    @cached_property
    def border(self) -> list[int]:
        """The words of the edge and the corners."""
        n = self.size
        return self.pack(p for p in range(n * n) if p // n in (0, n - 1) or p % n in (0, n - 1))

    @property
    def digits(self) -> int:
        """Binary digits of the largest point."""
        return (self.size * self.size - 1).bit_length()

    @cached_property
    def digit_planes(self) -> list[list[int]]:
        """For each binary digit, from the lowest, the words of the points that have it."""
        points = range(self.size * self.size)
        return [self.pack(p for p in points if p >> digit & 1) for digit in range(self.digits)]

    @cached_property
    def numba_type(self) -> LayoutType:
        """The type that carries these numbers into compiled code."""
        return LayoutType(self.size, self.bits, self.rows, self.lanes)


def simd_layout(size: int, width: int | None = None) -> Layout:
    """A register full of lanes; `width` is its bits, by default those of this processor's vectors.

    The words are those with the fastest playouts: see bench/results/playout-layouts.md.
    """
    width = width or vector_bits()
    if size == 16 or (9 < size < 16 and width == 512):
        return Layout(size, 16, 1, width // 16)
    bits = 16 if size <= 7 else 32 if size <= (15 if width == 128 else 12) else 64
    words = -(-size // (bits // (size + 1)))
    return Layout(size, bits, -(-size // words), width // bits)


def scalar_layout(size: int) -> Layout:
    """One game in 64-bit words, with the maximum number of rows per word."""
    return Layout(size, 64, min(size, 64 // (size + 1)), 1)


def strings_layout(size: int) -> Layout:
    """One game in one word as wide as a set of `foogo.game.kernels.strings`, with its bits in the same order."""
    return Layout(size, -(-size * (size + 1) // 64) * 64, size, 1)


class LayoutType(types.Type):
    """A `Layout` as an argument: no data, all in the type."""

    def __init__(self, size: int, bits: int, rows: int, lanes: int) -> None:
        self.layout = Layout(size, bits, rows, lanes)
        super().__init__(name=f"Layout({size},{bits},{rows},{lanes})")


class BitsType(WordsType):
    """A set of points in every lane."""

    def __init__(self, size: int, bits: int, rows: int, lanes: int) -> None:
        self.layout = Layout(size, bits, rows, lanes)
        super().__init__(f"Bits({size},{bits},{rows},{lanes})", bits, lanes, self.layout.words)


class CountsType(WordsType):
    """The running counts of a set in every lane: by word with one row a word, else by band."""

    def __init__(self, layout: Layout) -> None:
        count = layout.words if layout.rows == 1 else layout.rows
        super().__init__(f"Counts({layout.bits},{layout.lanes},{count})", layout.bits, layout.lanes, count)


def bits_of(layout: Layout) -> BitsType:
    """The type of sets in a layout."""
    return BitsType(layout.size, layout.bits, layout.rows, layout.lanes)


@typeof_impl.register(Layout)
def _typeof_layout(value, _context):
    return value.numba_type


register_model(LayoutType)(models.OpaqueModel)
register_model(BitsType)(WordsModel)
register_model(CountsType)(WordsModel)


@unbox(LayoutType)
def _unbox_layout(_typ, _obj, c):
    return NativeValue(c.context.get_dummy_value())
