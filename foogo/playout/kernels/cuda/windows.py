"""The GPU version of `foogo.playout.kernels.windows`: windows around the single point of `last`, cut from the strip.

Let p be the bit of that point. The five rows of five points around it begin at the bits p - 2 + k * stride, for k = -2
to 2. The strip is first moved up by a constant, so that all of them are above p, then right by p. The binary digits of
p // 32 choose among the words, and a funnel shift of each word that is left does p % 32. From there on all places are
constants. No array is indexed at run time, which would put it into local memory.
"""

from __future__ import annotations

from typing import Any

from foogo.playout.kernels.cuda.arithmetic import BITS, INTS, Arithmetic, Operation, operation
from foogo.playout.kernels.cuda.bitboard import down, union, up
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip

OPERATIONS: dict[str, Operation] = {}
"""By name."""

ACROSS = 5
"""Points of a window's row, and the rows about the point."""

WINDOW = (1 << 3 * ACROSS) - 1
MIDDLE = 0b01110
"""The columns of a row that are next to the point's."""

FIVE_ROWS = (1 << ACROSS * ACROSS) - 1
EVERY_ROW = FIVE_ROWS // ((1 << ACROSS) - 1)
"""The first bit of each of five rows."""


@operation(OPERATIONS, "bits bits literal", INTS)
def window(m: Arithmetic, layout: Strip, last: list[Any], x: list[Any], rows: int) -> Any:
    """The window `rows` (-1, 0 or 1) of a set around the one point of `last`; anything where `last` is empty."""
    return m.and_(m.shift_right(_five_rows(m, layout, last, x), ACROSS * (rows + 1)), m.constant(WINDOW))


@operation(OPERATIONS, "bits ints", BITS)
def from_window(m: Arithmetic, layout: Strip, last: list[Any], found: Any) -> list[Any]:
    """The set of the nine middle points of a window 0; the guard bits may be dirty."""
    low = layout.stride + 1  # bits from the first of the nine points to that of `last`
    cut: list[list[Any]] = [[] for _ in range(_words_for(2 * layout.stride + 3))]
    for row in range(3):
        points = m.and_(m.shift_right(found, ACROSS * row + 1), m.constant(MIDDLE >> 1))
        word, bit = divmod(row * layout.stride, WORD_BITS)
        cut[word].append(m.shift_left(points, bit))
        if bit + 3 > WORD_BITS:
            cut[word + 1].append(m.shift_right(points, WORD_BITS - bit))
    zero, bits = m.constant(0), _bit_in_word(m, last)
    placed = [zero, *(union(m, parts) for parts in cut), zero]
    words = [m.funnel(high, below, bits) for below, high in zip(placed, placed[1:], strict=False)]
    most = _words_for((layout.size + 1) * layout.stride)
    for digit, truth in enumerate(_digits_of_word(m, last)):
        moved = [zero] * (1 << digit) + words
        words += [zero] * (1 << digit)
        words = [m.select(truth, a, b) for a, b in zip(moved, words, strict=True)][:most]
    words += [zero] * (most - len(words))
    return down(m, words, low)[: layout.words]


def _five_rows(m: Arithmetic, layout: Strip, last: list[Any], x: list[Any]) -> Any:
    """Five rows of five points around the point of `last`, in one word from south to north."""
    stride, zero = layout.stride, m.constant(0)
    span = 4 * stride + ACROSS
    lift = 2 * stride + 2 + 1  # the shift right is by p % 32 + 1, so that it is never by a whole word to the left
    length = _words_for(layout.size * stride - 1 + lift)
    words = up(m, x + [zero] * (length - len(x)), lift)
    digits = _digits_of_word(m, last)
    for digit in range(len(digits) - 1, -1, -1):
        step = 1 << digit
        reach = _words_for(span) + step  # the digits still to come move by less than `step`
        words += [zero] * (reach + step - len(words))
        words = [m.select(digits[digit], words[i + step], words[i]) for i in range(reach)]
    words += [zero] * (_words_for(span) + 1 - len(words))
    left = m.subtract(m.constant(WORD_BITS - 1), _bit_in_word(m, last))
    words = [m.funnel(words[i + 1], words[i], left) for i in range(_words_for(span))]
    rows = [_five_points(m, words, row * stride, ACROSS * row) for row in range(ACROSS)]
    return m.and_(union(m, rows), _inside(m, layout, last))


def _five_points(m: Arithmetic, words: list[Any], start: int, to: int) -> Any:
    """The five points from the bit `start` on, at the bit `to` of a word."""
    word, bit = divmod(start, WORD_BITS)
    if bit + ACROSS > WORD_BITS:
        points, bit = m.funnel(words[word + 1], words[word], WORD_BITS - bit), 0
    else:
        points = words[word]
    moved = m.shift_right(points, bit - to) if bit > to else m.shift_left(points, to - bit) if bit < to else points
    return m.and_(moved, m.constant(((1 << ACROSS) - 1) << to))


def _inside(m: Arithmetic, layout: Strip, last: list[Any]) -> Any:
    """The bits of five rows, but those of another row where there is no second point to the west or to the east.

    The one guard bit between two rows is the first point beyond the edge; the second is a point of the next row.
    """
    n, kept = layout.size, m.constant(FIVE_ROWS)
    for column, beyond in ((0, 0), (n - 1, ACROSS - 1)):
        edge = layout.pack(range(column, n * n, n))
        at_edge = m.is_true(union(m, [m.and_(word, m.constant(bits)) for word, bits in zip(last, edge, strict=True)]))
        rest = m.constant(FIVE_ROWS & ~(EVERY_ROW << beyond))
        kept = m.select(at_edge, m.and_(kept, rest), kept)
    return kept


def _words_for(bits: int) -> int:
    return -(-bits // WORD_BITS)


def _bit_in_word(m: Arithmetic, last: list[Any]) -> Any:
    """The index of the single bit in its word; 32 if the set is empty."""
    return m.population(m.subtract(union(m, last), m.constant(1)))


def _digits_of_word(m: Arithmetic, last: list[Any]) -> list[Any]:
    """The binary digits, from the lowest, of the number of the word that has a point."""
    digits = range((len(last) - 1).bit_length())
    return [m.is_true(union(m, [x for w, x in enumerate(last) if w >> digit & 1])) for digit in digits]
