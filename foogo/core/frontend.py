"""Numba's front end with less to do. It is Python, and takes most of the time of a compilation.

`foogo.core.linking` uses it, with the versions of Numba that it is tested with.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from numba.core import types
from numba.core.typed_passes import NopythonRewrites
from numba.core.types.functions import BaseFunction
from numba.core.untyped_passes import InlineClosureLikes

from foogo.core.simd import IntsType, MaskType, WordsType

_FOUND: dict[tuple[int, tuple[Any, ...]], tuple[Any, Any]] = {}
"""The signature of a function or operator for some types, and the function, so that no other gets its `id`."""

_REMEMBERED = (
    *(types.Number, types.Boolean, types.IntegerLiteral, types.BooleanLiteral, types.Array, types.misc.CPointer),
    *(IntsType, MaskType, WordsType),
)
"""The classes of the types of their arguments."""


@contextmanager
def remembered_operators() -> Iterator[None]:
    """Have Numba type each operator once for the same types. It tries many implementations, one after the other.

    Only for threads that hold Numba's lock.
    """
    functions: Any = BaseFunction
    search = functions.get_call_type

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or not all(isinstance(arg, _REMEMBERED) for arg in args):
            return search(self, context, args, kws)
        if self.typing_key in (min, max):  # Numba would compile them for each constant
            args = tuple(types.misc.unliteral(arg) for arg in args)
        found = _FOUND.get((id(self), args))
        if found is None:
            found = _FOUND[id(self), args] = search(self, context, args, kws), self
        return found[0]

    functions.get_call_type = get_call_type
    try:
        yield
    finally:
        functions.get_call_type = search


def shortened(pipelines: list[Any], function: Any) -> list[Any]:
    """Pipelines without passes that change nothing of this function.

    They inline closures, such as comprehensions, and fuse expressions of whole arrays, which kernels do without.
    """
    useless: list[Any] = [NopythonRewrites]
    if not any(isinstance(constant, CodeType) for constant in function.__code__.co_consts):
        useless.append(InlineClosureLikes)
    for pipeline in pipelines:
        pipeline.passes = [(one, why) for one, why in pipeline.passes if one not in useless]
        pipeline.finalize()
    return pipelines
