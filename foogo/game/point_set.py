"""`PointSet`: the `frozenbitarray` that boards return, which NumPy sees as a mask."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from bitarray import bitarray, frozenbitarray
from numpy.typing import NDArray

from foogo.arguments import whole_number


class PointSet(frozenbitarray):
    """A set of points of a board: a `frozenbitarray` with one bit per point, index = point.

    ``point in points`` tells whether a point is in the set, which is iterated over bit by bit: ``search(1)`` iterates
    over its points, ``count()`` counts them, and ``any()`` tells whether there is one. Like any bitarray of this length
    it is true even without points. NumPy converts it to a mask. It does not export its packed bytes as a buffer, which
    NumPy would take for numbers: `tobytes` returns them.

    Examples
    --------
    >>> import numpy as np
    >>> points = PointSet("0101")
    >>> np.asarray(points)
    array([False,  True, False,  True])
    >>> np.flatnonzero(points)
    array([1, 3])
    >>> 3 in points, 0 in points
    (True, False)
    >>> points & PointSet("0011")
    frozenbitarray('0001')
    """

    def __contains__(self, value: object) -> bool:
        point = whole_number(value)
        if point is None:  # bits, as for any `frozenbitarray`, or a TypeError
            return bool(super().__contains__(value))  # type: ignore[misc]
        return 0 <= point < len(self) and bool(self[point])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a set of points has no array to share: np.asarray(points) makes one")
        mask = np.frombuffer(self.unpack(), np.bool_)
        return mask.copy() if dtype is None else mask.astype(dtype)

    def __buffer__(self, flags: int) -> memoryview:
        raise TypeError("a set of points exports no buffer: use np.asarray(points) or points.tobytes()")

    def __repr__(self) -> str:
        return f"frozenbitarray({self.to01()!r})"

    @classmethod
    def of_flags(cls, flags: NDArray[Any]) -> PointSet:
        """The set of the indices at which an array is not zero."""
        return cls(flags.astype(np.bool_).tolist())


def listed(points: Iterable[Any]) -> Iterable[Any]:
    """The points of a set of points, which is iterated over bit by bit; any other points as they are.

    Examples
    --------
    >>> list(listed(PointSet("0101"))), list(listed(["E5", 0]))
    ([1, 3], ['E5', 0])
    """
    return points.search(1) if isinstance(points, bitarray) else points


def _drop_inherited_buffer(cls: type) -> None:
    """Clear the C slot behind `__buffer__`, which before Python 3.12 no method can override."""
    words = ctypes.sizeof(ctypes.c_void_p)
    # PyTypeObject.tp_as_buffer, the 21st word of a class (Include/cpython/object.h), points to bf_getbuffer.
    slots = ctypes.c_void_p.from_address(id(cls) + 20 * words)
    ctypes.c_void_p.from_address(slots.value or 0).value = None


if sys.version_info < (3, 12):
    _drop_inherited_buffer(PointSet)
