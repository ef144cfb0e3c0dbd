"""Constraints on one hand, composed with ``&``, ``|`` and ``~``.

The leaves are ranges of an evaluator (`evaluators.py`) and sets of shapes (`shapes.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, ClassVar

import numpy as np
from numba.core.dispatcher import Dispatcher
from numpy.typing import ArrayLike, NDArray

from foogo.cards.deal.pbn import masks_of
from foogo.errors import ArgumentError

Truth = NDArray[np.bool_]


class Constraint:
    """A condition on one hand. ``a & b``, ``a | b`` and ``~a`` are constraints too.

    Examples
    --------
    >>> from foogo.cards.deal import balanced, hcp, parse_hand, suit
    >>> opening = balanced & hcp(15, 17) & ~(suit("S").length >= 5)
    >>> opening.holds(parse_hand("AK2.QJ3.K432.Q32"))
    True
    """

    def evaluate(self, leaf: Callable[[Leaf], Truth]) -> Truth:
        """The truth of this constraint, given a function that returns the truth of a leaf."""
        raise NotImplementedError

    def leaves(self) -> Iterator[Leaf]:
        """The ranges and sets of shapes that this constraint is composed of."""
        raise NotImplementedError

    def holds(self, hands: ArrayLike) -> Any:
        """Whether a hand satisfies the constraint, or an array of truth values for many.

        Parameters
        ----------
        hands
            Masks of 13 cards, of any shape.

        Raises
        ------
        DealError
            If a number is not a mask.
        """
        masks = masks_of(hands)
        truth = self.evaluate(lambda leaf: leaf.of_hands(masks))
        return truth if masks.ndim else bool(truth)

    def __and__(self, other: Constraint) -> Constraint:
        return AllOf(self, checked(other))

    def __or__(self, other: Constraint) -> Constraint:
        return AnyOf(self, checked(other))

    def __rand__(self, other: Constraint) -> Constraint:
        return checked(other) & self  # an error: `other` has no operator for constraints

    def __ror__(self, other: Constraint) -> Constraint:
        return checked(other) | self

    def __invert__(self) -> Constraint:
        return Not(self)

    def __bool__(self) -> bool:
        raise ArgumentError(
            "a constraint is neither true nor false: write & | ~ for and, or, not, with comparisons in "
            "parentheses, and hcp(10, 12) for 10 <= hcp <= 12"
        )


class Leaf(Constraint):
    """A constraint that has no parts."""

    def of_hands(self, masks: NDArray[np.uint64]) -> Truth:
        """Whether each hand satisfies it."""
        raise NotImplementedError

    def evaluate(self, leaf: Callable[[Leaf], Truth]) -> Truth:
        """What `leaf` returns for it."""
        return leaf(self)

    def leaves(self) -> Iterator[Leaf]:
        """Itself."""
        yield self


class _Compound(Constraint):
    sign: ClassVar[str]

    def __init__(self, *parts: Constraint) -> None:
        same = [part.parts if type(part) is type(self) and isinstance(part, _Compound) else (part,) for part in parts]
        self.parts: tuple[Constraint, ...] = sum(same, ())

    def leaves(self) -> Iterator[Leaf]:
        for part in self.parts:
            yield from part.leaves()

    def __repr__(self) -> str:
        return f"({self.sign.join(map(repr, self.parts))})"


class AllOf(_Compound):
    """A hand that satisfies every part."""

    sign = " & "

    def evaluate(self, leaf: Callable[[Leaf], Truth]) -> Truth:
        """True where every part is."""
        return reduce(np.logical_and, (part.evaluate(leaf) for part in self.parts))


class AnyOf(_Compound):
    """A hand that satisfies at least one part."""

    sign = " | "

    def evaluate(self, leaf: Callable[[Leaf], Truth]) -> Truth:
        """True where a part is."""
        return reduce(np.logical_or, (part.evaluate(leaf) for part in self.parts))


class Not(Constraint):
    """A hand that does not satisfy the part."""

    def __init__(self, part: Constraint) -> None:
        self.part = part

    def evaluate(self, leaf: Callable[[Leaf], Truth]) -> Truth:
        """True where the part is false."""
        return np.logical_not(self.part.evaluate(leaf))

    def leaves(self) -> Iterator[Leaf]:
        """Those of the part."""
        return self.part.leaves()

    def __repr__(self) -> str:
        return f"~{self.part!r}"


def any_of(*constraints: Constraint) -> Constraint:
    """A hand that satisfies at least one of the constraints.

    Raises
    ------
    ArgumentError
        If no constraint is given, or another object.

    Examples
    --------
    >>> from foogo.cards.deal import balanced, hcp, shape
    >>> strong = any_of(hcp >= 20, shape("6+Mxxx") & hcp(16, 19), balanced & hcp(18, 19))
    """
    if not constraints:
        raise ArgumentError("any_of() has no constraint: at least 1 is needed")
    return AnyOf(*map(checked, constraints))


def checked(constraint: Any) -> Constraint:
    """`constraint`, if it is one.

    Raises
    ------
    ArgumentError
        Otherwise.
    """
    if inspect.isfunction(constraint) or isinstance(constraint, Dispatcher):
        name = getattr(constraint, "__name__", repr(constraint))
        raise ArgumentError(
            f"{name} is a function, not a constraint: give it as where=, "
            "with parameters named after the seats it looks at"
        )
    if not isinstance(constraint, Constraint):
        raise ArgumentError(
            f"{constraint!r} is not a constraint: an example is balanced & (hcp >= 20), with the parentheses"
        )
    return constraint


def conjuncts(constraint: Constraint) -> tuple[Constraint, ...]:
    """The constraints that must all hold."""
    return constraint.parts if isinstance(constraint, AllOf) else (constraint,)
