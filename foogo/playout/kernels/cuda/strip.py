"""How a board is laid out for a thread of a GPU: 32-bit words, the rows one behind the other.

The bit of point (x, y) is ``y * (size + 1) + x``, whatever word it falls into. One guard bit, always zero, divides each
row from the next. A step in any direction is then one funnel shift per word, and 19x19 takes 12 words.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from foogo.playout.kernels.layout import Layout

WORD_BITS = 32


@dataclass(frozen=True)
class Strip(Layout):
    """The layout of one game in one thread, and how its floods go.

    Attributes
    ----------
    levels
        Doublings of a flood pass north, south and west: it goes ``2**levels - 1`` points. East it goes all the way.
    passes
        Flood passes before the first test whether more are needed.
    """

    size: int
    bits: int = WORD_BITS
    rows: int = 0
    lanes: int = 1
    levels: int = 2
    passes: int = 3

    @property
    def stride(self) -> int:
        """Bits from a point to the point north of it."""
        return self.size + 1

    @property
    def words(self) -> int:
        """Machine words of a set."""
        return -(-(self.size * self.stride - 1) // WORD_BITS)

    def bit(self, point: int) -> tuple[int, int]:
        """The word and the bit in it of a point."""
        row, column = divmod(point, self.size)
        return divmod(row * self.stride + column, WORD_BITS)

    @cached_property
    def checkered(self) -> list[int]:
        """The words of the points whose row + column is odd."""
        n = self.size
        return self.pack(p for p in range(n * n) if (p // n + p % n) % 2)

    @property
    def dense_words(self) -> int:
        """32-bit words of a bitset with bit = point, in whole 64-bit words."""
        return 2 * -(-(self.size**2) // 64)
