"""The GPU version of `foogo.core.simd`: integers, masks, choice."""

from __future__ import annotations

from typing import Any

from foogo.playout.kernels.cuda.arithmetic import INTS, MASK, SAME, SCALAR, UNSIGNED, Arithmetic, Operation, operation
from foogo.playout.kernels.cuda.strip import WORD_BITS, Strip

OPERATIONS: dict[str, Operation] = {}
"""By name."""


@operation(OPERATIONS, "layout scalar", INTS)
def ints32(m: Arithmetic, _layout: Strip, value: Any) -> Any:
    """The low 32 bits of a scalar."""
    return m.low_word(value)


@operation(OPERATIONS, "mask same same", SAME)
def choose(m: Arithmetic, _layout: Strip, mask: Any, yes: Any, no: Any) -> Any:
    """`yes` where `mask` is true, else `no`."""
    if isinstance(yes, list):
        return [m.select(mask, a, b) for a, b in zip(yes, no, strict=True)]
    return m.select(mask, yes, no)


@operation(OPERATIONS, "mask", UNSIGNED)
def lanes_of(m: Arithmetic, _layout: Strip, mask: Any) -> Any:
    """The mask as a scalar, 0 or 1."""
    return m.wide(m.word_of(mask))


@operation(OPERATIONS, "ints", MASK)
def is_true(m: Arithmetic, _layout: Strip, ints: Any) -> Any:
    """Whether the integer is not zero."""
    return m.is_true(ints)


@operation(OPERATIONS, "layout mask", INTS)
def one_where(m: Arithmetic, _layout: Strip, mask: Any) -> Any:
    """1 where `mask` is true, else 0."""
    return m.word_of(mask)


@operation(OPERATIONS, "ints", SCALAR)
def wide(m: Arithmetic, _layout: Strip, ints: Any) -> Any:
    """The integer as a scalar."""
    return m.wide(ints)


@operation(OPERATIONS, "ints scalar", INTS)
def shift_left(m: Arithmetic, _layout: Strip, ints: Any, amount: Any) -> Any:
    """The integer times a power of two, modulo 2**32."""
    return m.shift_left(ints, m.low_word(amount))


@operation(OPERATIONS, "ints scalar", INTS)
def shift_right(m: Arithmetic, _layout: Strip, ints: Any, amount: Any) -> Any:
    """The integer divided by a power of two."""
    return m.shift_right(ints, m.low_word(amount))


@operation(OPERATIONS, "ints scalar", INTS)
def rotate_left(m: Arithmetic, _layout: Strip, ints: Any, amount: Any) -> Any:
    """The integer with its bits rotated left."""
    bits = m.low_word(amount)
    back = m.subtract(m.constant(WORD_BITS), bits)
    return m.or_(m.shift_left(ints, bits), m.shift_right(ints, back))
