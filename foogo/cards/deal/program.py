"""Constraints of several seats as one list of tests with jumps, in the order that is cheapest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from foogo.cards.deal.constraints import AllOf, AnyOf, Constraint, Leaf, Not
from foogo.cards.deal.evaluators import HOLDINGS, Range
from foogo.cards.deal.kernels.dealing import ACCEPT, OF_SHAPE, REJECT, Plan, Rows, found_arrays, search
from foogo.cards.deal.shapes import ShapeSet
from foogo.cards.deal.stack import Stack

TRIALS = 2048
"""Random hands from which the share that satisfies a constraint is estimated."""

NO_STACK = Stack(None).rows()
"""In place of rows if no seat is stacked: every hand."""

Condition = tuple[int, Constraint]
"""A seat and what its hand must satisfy."""


class _Program:
    def __init__(self) -> None:
        self.tests: list[tuple[int, ...]] = []
        self.tables: list[NDArray[np.int16]] = []

    def add(self, seat: int, constraint: Constraint, yes: int, no: int) -> int:
        """Append a constraint that continues at `yes` or `no`; the number of its first test."""
        if isinstance(constraint, AllOf):
            for part in reversed(constraint.parts):
                yes = self.add(seat, part, yes, no)
            return yes
        if isinstance(constraint, AnyOf):
            for part in reversed(constraint.parts):
                no = self.add(seat, part, yes, no)
            return no
        if isinstance(constraint, Not):
            return self.add(seat, constraint.part, no, yes)
        assert isinstance(constraint, Leaf)
        self.tests.append((seat, *self._test(constraint), yes, no))
        return len(self.tests) - 1

    def _test(self, leaf: Leaf) -> tuple[int, int, int, int]:
        if isinstance(leaf, Range):
            return self._number(leaf.evaluator.table), leaf.evaluator.suits, leaf.first, leaf.last
        assert isinstance(leaf, ShapeSet)
        return self._number(leaf.table), OF_SHAPE, 1, 1

    def _number(self, table: NDArray[np.int16]) -> int:
        for number, known in enumerate(self.tables):
            if known is table:
                return number
        self.tables.append(table)
        return len(self.tables) - 1


def plan_of(
    held: NDArray[np.uint64], conditions: Sequence[Condition], stacked: int = -1, rows: Rows = NO_STACK
) -> Plan:
    """The plan that tests conditions in the order given, after it has dealt the stacked seat."""
    program, first = _Program(), ACCEPT
    for seat, constraint in reversed(conditions):
        first = program.add(seat, constraint, first, REJECT)
    tests = np.array(program.tests or [(0,) * 7], np.int64)
    tables = np.stack(program.tables or [np.zeros(HOLDINGS, np.int16)])
    return Plan(held, tests, tables, first, stacked, rows)


def share_of(held: NDArray[np.uint64], condition: Condition) -> float:
    """The share of hands that satisfy a condition, from `TRIALS` random ones."""
    accepted, _ = search(plan_of(held, [condition]), np.uint64(0), 0, TRIALS, 0, found_arrays(TRIALS))
    return int(accepted) / TRIALS
