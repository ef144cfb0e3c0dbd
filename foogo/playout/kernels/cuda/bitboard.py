"""The GPU version of `foogo.playout.kernels.bitboard`: constants, geometry, counting, the k-th point, memory."""

from __future__ import annotations

from typing import Any

from foogo.playout.kernels.cuda.arithmetic import BITS, INTS, MASK, VOID, Arithmetic, Operation, operation
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip

OPERATIONS: dict[str, Operation] = {}
"""The operations of this module by name."""

# --- constants ----------------------------------------------------------------------------------


@operation(OPERATIONS, "layout", BITS)
def full(m: Arithmetic, layout: Strip) -> list[Any]:
    """The whole board."""
    return [m.constant(word) for word in layout.full]


@operation(OPERATIONS, "layout", BITS)
def border(m: Arithmetic, layout: Strip) -> list[Any]:
    """The edge and the corners."""
    return [m.constant(word) for word in layout.border]


@operation(OPERATIONS, "layout", BITS)
def checkered(m: Arithmetic, layout: Strip) -> list[Any]:
    """The points whose row + column is odd."""
    return [m.constant(word) for word in layout.checkered]


@operation(OPERATIONS, "layout", BITS)
def nothing(m: Arithmetic, layout: Strip) -> list[Any]:
    """The empty set."""
    return [m.constant(0)] * layout.words


# --- geometry -------------------------------------------------------------------------------------


def up(m: Arithmetic, words: list[Any], bits: int) -> list[Any]:
    """The set shifted to higher bits: north and east."""
    skip, bits = divmod(bits, WORD_BITS)
    words = [m.constant(0)] * skip + words[: len(words) - skip]
    if bits == 0:
        return words
    return [m.shift_left(words[0], bits), *(m.funnel(b, a, bits) for a, b in zip(words, words[1:], strict=False))]


def down(m: Arithmetic, words: list[Any], bits: int) -> list[Any]:
    """The set shifted to lower bits: south and west."""
    skip, bits = divmod(bits, WORD_BITS)
    words = words[skip:] + [m.constant(0)] * skip
    if bits == 0:
        return words
    back = WORD_BITS - bits
    return [*(m.funnel(b, a, back) for a, b in zip(words, words[1:], strict=False)), m.shift_right(words[-1], bits)]


@operation(OPERATIONS, "bits", BITS)
def north(m: Arithmetic, layout: Strip, x: list[Any]) -> list[Any]:
    """Every point moved one row up; bits outside the board may be dirty."""
    return up(m, x, layout.stride)


@operation(OPERATIONS, "bits", BITS)
def south(m: Arithmetic, layout: Strip, x: list[Any]) -> list[Any]:
    """Every point moved one row down."""
    return down(m, x, layout.stride)


@operation(OPERATIONS, "bits", BITS)
def east(m: Arithmetic, _layout: Strip, x: list[Any]) -> list[Any]:
    """Every point moved one column right; the guard bits may be dirty."""
    return up(m, x, 1)


@operation(OPERATIONS, "bits", BITS)
def west(m: Arithmetic, _layout: Strip, x: list[Any]) -> list[Any]:
    """Every point moved one column left; the guard bits may be dirty."""
    return down(m, x, 1)


@operation(OPERATIONS, "bits", BITS)
def beside(m: Arithmetic, layout: Strip, x: list[Any]) -> list[Any]:
    """The points next to the set; bits outside the board may be dirty."""
    sides = (east(m, layout, x), west(m, layout, x), north(m, layout, x), south(m, layout, x))
    return [m.or_(m.or_(a, b), m.or_(c, d)) for a, b, c, d in zip(*sides, strict=True)]


def union(m: Arithmetic, words: list[Any]) -> Any:
    """The bitwise OR of the words."""
    whole = words[0]
    for word in words[1:]:
        whole = m.or_(whole, word)
    return whole


@operation(OPERATIONS, "bits", MASK)
def any_point(m: Arithmetic, _layout: Strip, x: list[Any]) -> Any:
    """Whether the set is not empty."""
    return m.is_true(union(m, x))


@operation(OPERATIONS, "bits", MASK)
def one_point(m: Arithmetic, _layout: Strip, x: list[Any]) -> Any:
    """Whether the set has exactly one point."""
    seen, twice = x[0], m.constant(0)
    for word in x[1:]:
        twice = m.or_(twice, m.and_(seen, word))
        seen = m.or_(seen, word)
    twice = m.or_(twice, m.and_(seen, m.subtract(seen, m.constant(1))))
    return m.and_(m.not_(m.is_true(twice)), m.is_true(seen))


# --- counting and the k-th point ------------------------------------------------------------------


@operation(OPERATIONS, "bits", BITS)
def running_counts(m: Arithmetic, _layout: Strip, x: list[Any]) -> list[Any]:
    """For each word, the number of points in it and all lower words, stored in the words of a set."""
    counts = [m.population(word) for word in x]
    for w in range(1, len(counts)):
        counts[w] = m.add(counts[w], counts[w - 1])
    return counts


@operation(OPERATIONS, "bits", INTS)
def count_points(m: Arithmetic, layout: Strip, x: list[Any]) -> Any:
    """The number of points."""
    return running_counts(m, layout, x)[-1]


@operation(OPERATIONS, "bits", INTS)
def last_count(_m: Arithmetic, _layout: Strip, x: list[Any]) -> Any:
    """The last of the running counts: the number of points."""
    return x[-1]


@operation(OPERATIONS, "bits bits ints", BITS)
def nth_point(m: Arithmetic, _layout: Strip, x: list[Any], running: list[Any], k: Any) -> list[Any]:
    """A set with only the k-th point (from 0) of a set; empty if the set is empty.

    The running counts select the word. Within it, counts of the lower half, quarter and so on select the bit.
    """
    zero, beyond = m.constant(0), [m.is_less(k, count) for count in running[:-1]]
    word, rest = x[-1], m.subtract(k, running[-2]) if len(x) > 1 else k
    for w in range(len(x) - 2, -1, -1):
        word = m.select(beyond[w], x[w], word)
        rest = m.select(beyond[w], m.subtract(k, running[w - 1]) if w else k, rest)
    bit = m.constant(1)
    width = WORD_BITS // 2
    while width:
        count = m.population(m.and_(word, m.constant((1 << width) - 1)))
        below = m.is_less(rest, count)
        word = m.select(below, word, m.shift_right(word, width))
        bit = m.select(below, bit, m.shift_left(bit, width))
        rest = m.select(below, rest, m.subtract(rest, count))
        width //= 2
    bit = m.select(m.is_true(m.and_(word, m.constant(1))), bit, zero)
    out = []
    for w in range(len(x)):
        here = bit if w == len(x) - 1 else m.select(beyond[w], bit, zero)
        out.append(here if w == 0 else m.select(beyond[w - 1], zero, here))
    return out


# --- memory ---------------------------------------------------------------------------------------


@operation(OPERATIONS, "layout array scalar", BITS)
def load(m: Arithmetic, layout: Strip, array: Any, at: Any) -> list[Any]:
    """The set whose first word is ``array[at]``."""
    return [m.read(array, at, w) for w in range(layout.words)]


@operation(OPERATIONS, "array scalar bits", VOID)
def store_dense(m: Arithmetic, layout: Strip, array: Any, at: Any, x: list[Any]) -> None:
    """Write the set to ``array[at:]`` as a bitset with bit = point."""
    n, dense = layout.size, [m.constant(0)] * layout.dense_words
    for row in range(n):
        word, bit = divmod(row * layout.stride, WORD_BITS)
        above = x[word + 1] if word + 1 < len(x) else m.constant(0)
        points = m.funnel(above, x[word], WORD_BITS - bit) if bit else x[word]
        points = m.and_(points, m.constant((1 << n) - 1))
        to, bit = divmod(row * n, WORD_BITS)
        dense[to] = m.or_(dense[to], m.shift_left(points, bit))
        if bit + n > WORD_BITS:
            dense[to + 1] = m.or_(dense[to + 1], m.shift_right(points, WORD_BITS - bit))
    for w, word in enumerate(dense):
        m.write(array, at, w, word)
