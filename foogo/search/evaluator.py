"""`Evaluator`: calls a user's function with the positions that all threads wait for, and checks its answers."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.errors import EvaluatorError
from foogo.game.kernels.planes import PLANES

Evaluate = Callable[[NDArray[np.bool_]], tuple[ArrayLike | None, ArrayLike | None]]
"""An evaluator: a function of n positions that returns their priors and values.

It takes an array of its own, (n, 4, size, size) bool, with the planes of `foogo.Board.planes` for each position, and
returns a tuple of

- priors, (n, size * size + 1): the weight of each move, 0 or more, in the order of points, and last of a pass. The
  search takes the share of each move among the legal ones. None leaves the built-in priors.
- values, (n,): the win share of the player to move, 0 to 1. None leaves the playouts alone.

Both can be anything that NumPy reads as an array of numbers. Calls come from the threads of the search, one at a time.
"""

LEAST_PRIOR = np.finfo(np.float32).tiny
"""Stands for a prior of 0, which has no logarithm."""

BITS_PER_NAT = np.float32(1 / np.log(2))


class Answer(NamedTuple):
    """What an evaluator answered for some positions, checked."""

    weights: NDArray[np.float32] | None
    """(positions, points + 1): logarithms to the base 2 of the priors."""
    values: NDArray[np.float32] | None


class Evaluator:
    """A user's evaluator for boards of one size, shared by the threads of a search.

    Calls are made one at a time. Threads that wait for a call to end have their positions evaluated together by the
    next one.
    """

    def __init__(self, function: Evaluate, size: int) -> None:
        self._function, self._size = function, size
        self._calling = threading.Lock()
        self._adding = threading.Lock()
        self._waiting: list[_Request] = []

    def __reduce__(self) -> tuple[type[Evaluator], tuple[Evaluate, int]]:
        """Copies have locks of their own."""
        return Evaluator, (self._function, self._size)

    def __deepcopy__(self, memo: object) -> Evaluator:
        """Copies in one process call the same function: it may hold a network."""
        return Evaluator(self._function, self._size)

    def answer(self, planes: NDArray[np.bool_]) -> Answer:
        """The answer for positions, (positions, planes, points) bool.

        Raises
        ------
        EvaluatorError
            If the function raises an exception, or its answer has a wrong shape or a value out of range.
        """
        request = _Request(planes)
        with self._adding:
            self._waiting.append(request)
        with self._calling:
            if request.outcome is None:
                with self._adding:
                    together, self._waiting = self._waiting, []
                self._answer(together)
        if not isinstance(request.outcome, Answer):
            raise request.outcome or AssertionError("no answer")
        return request.outcome

    def _answer(self, requests: list[_Request]) -> None:
        try:
            answer = self._call(np.concatenate([request.planes for request in requests]))
        except BaseException as error:
            for request in requests:
                request.outcome = error
            return
        first = 0
        for request in requests:
            rows = slice(first, first + len(request.planes))
            request.outcome = Answer(*(None if part is None else part[rows] for part in answer))
            first = rows.stop

    def _call(self, planes: NDArray[np.bool_]) -> Answer:
        count, points = len(planes), self._size**2
        try:
            answer = self._function(planes.reshape(count, PLANES, self._size, self._size))
        except Exception as error:
            raise EvaluatorError(f"the evaluator raised {type(error).__name__}: {error}") from error
        if not isinstance(answer, tuple) or len(answer) != 2:
            described = f"a tuple of {len(answer)}" if isinstance(answer, tuple) else repr(type(answer).__name__)
            raise EvaluatorError(f"the evaluator returned {described}: it must be a tuple (priors, values)")
        priors, values = answer
        weights = None
        if priors is not None:
            checked = _checked("priors", priors, (count, points + 1), float(np.finfo(np.float32).max), "0 or more")
            weights = np.log(np.maximum(checked, LEAST_PRIOR)) * BITS_PER_NAT
        shares = None if values is None else _checked("values", values, (count,), 1.0, "a win share from 0 to 1")
        return Answer(weights, shares)


class _Request:
    """Positions of one thread, and what became of them: an answer, or an error."""

    def __init__(self, planes: NDArray[np.bool_]) -> None:
        self.planes = planes
        self.outcome: Answer | BaseException | None = None


def _checked(name: str, given: ArrayLike, shape: tuple[int, ...], most: float, right: str) -> NDArray[np.float32]:
    """`given` as float32 numbers, if it has the shape and all are from 0 to `most`."""
    try:
        array = np.asarray(given)
    except Exception as error:
        raise EvaluatorError(f"the {name} of the evaluator are not an array: {error}") from error
    if array.dtype.kind not in "fiu":
        raise EvaluatorError(f"the {name} of the evaluator have the dtype {array.dtype}: they must be numbers")
    if array.shape != shape:
        raise EvaluatorError(f"the {name} of the evaluator have the shape {array.shape}: it must be {shape}")
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float32)  # a copy: the function may fill the same array again
    # NaN is neither above nor below.
    if not (numbers.min() >= 0 and numbers.max() <= most):
        wrong = np.argwhere(~((numbers >= 0) & (numbers <= most)))[0].tolist()
        where = ", ".join(map(str, wrong))
        raise EvaluatorError(f"{name}[{where}] of the evaluator is {array[tuple(wrong)]}: it must be {right}")
    return numbers
