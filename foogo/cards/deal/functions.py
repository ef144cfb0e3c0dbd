"""Functions of hands: Python functions, and functions compiled by Numba."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from numbers import Real
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.core.errors import NumbaError
from numpy.typing import NDArray

from foogo.cards.deal.hand import Hand
from foogo.cards.deal.pbn import SEAT_NAMES, Deals
from foogo.errors import ArgumentError


class HandFunction:
    """A function of the hands that its parameters name.

    Parameters
    ----------
    function
        Its parameters are any of ``north``, ``east``, ``south``, ``west``. A Python function receives `Hand` objects,
        one deal at a time, and may have further parameters with defaults. A function compiled by ``numba.njit``
        receives masks (uint64), and is called by compiled code.

    Attributes
    ----------
    seats
        The numbers of the seats it looks at.
    is_compiled
        Whether Numba compiled it.

    Raises
    ------
    ArgumentError
        If it is not a function, has other parameters, or is compiled and does not turn masks into real numbers.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.is_compiled = isinstance(function, Dispatcher)
        source: Any = function.py_func if isinstance(function, Dispatcher) else function
        if not callable(source):
            raise ArgumentError(
                f"{source!r} is not a function: write a function of hands, such as lambda south: south.hcp >= 20"
            )
        try:
            parameters = list(inspect.signature(source).parameters.values())
        except (TypeError, ValueError):  # without a signature
            parameters = []
        self._name = getattr(source, "__name__", repr(source))
        hands = [one for one in parameters if self.is_compiled or one.name in SEAT_NAMES or one.default is one.empty]
        if not hands or hands != parameters[: len(hands)] or not all(map(_is_hand, hands)):
            raise ArgumentError(
                f"{self._name} has the parameters {list(map(str, parameters))}: a function of hands begins with "
                "positional parameters named after the seats it looks at: north, east, south, west; "
                + ("a compiled function cannot have others" if self.is_compiled else "any others need defaults")
            )
        self.seats = tuple(SEAT_NAMES.index(one.name) for one in hands)
        self._function = function
        if self.is_compiled:
            self._function = numba.vectorize(source)
            suits = np.array([[0x1FFF << 13 * seat] for seat in self.seats], np.uint64)  # a suit each
            try:
                values = self._function(*suits)
            except NumbaError as error:
                raise ArgumentError(f"{self._name} does not compile for masks (uint64): {error}") from None
            if values.dtype.kind not in "biuf":
                raise ArgumentError(f"{self._name} returns {values.dtype}: it must be a truth value or a number")

    def __repr__(self) -> str:
        return str(self._name)

    def values(self, deals: Deals) -> NDArray[Any]:
        """The value for each deal, shape (n,): truth values or numbers.

        Raises
        ------
        ArgumentError
            If a value is something else, infinite or NaN.
        """
        hands = deals[:, self.seats]
        values: NDArray[Any] = self._function(*hands.T) if self.is_compiled else self._interpreted(hands)
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            wrong = values[~np.isfinite(values)][0]
            raise ArgumentError(f"{self._name} is {wrong} for a deal: it must be a truth value or a finite number")
        return values

    def _interpreted(self, hands: Deals) -> NDArray[Any]:
        results = [self._function(*map(Hand, row)) for row in hands.tolist()]
        for result in results:
            if isinstance(result, Hand) or not isinstance(result, (Real, np.bool_)):
                raise ArgumentError(f"{self._name} is {result!r} for a deal: it must be a truth value or a number")
        return np.array(results)


def _is_hand(parameter: inspect.Parameter) -> bool:
    """Whether a parameter is named after a seat and can be passed by position."""
    positional = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
    return parameter.name in SEAT_NAMES and parameter.kind in positional
