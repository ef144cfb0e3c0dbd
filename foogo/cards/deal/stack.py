"""Smart stacking: every hand that satisfies a constraint, numbered, so that one can be drawn at random.

A row of a stack has a length and a value for each suit. Its weight is the number of its hands: the product over the
suits of the number of holdings with this length and value. T. Andrews' program "Deal" 3.1 draws a row in proportion to
its weight, then a holding for each suit. Here one random number below the sum of the weights decides both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole
from foogo.cards.card import CARDS, FULL_DECK
from foogo.cards.deal.constraints import AllOf, Constraint, Leaf, Truth, checked, conjuncts
from foogo.cards.deal.evaluators import ALL_SUITS, HOLDINGS, LENGTHS, Evaluator, Range
from foogo.cards.deal.kernels.dealing import Rows
from foogo.cards.deal.shapes import SHAPES, ShapeSet
from foogo.errors import ArgumentError

MOST_ROWS = 1 << 23
"""An evaluator is not stacked if there are more rows than this before its range selects among them."""


class Stack:
    """The hands that satisfy as much of a constraint as rows can express.

    Rows can express any composition of shapes, suit lengths and ranges of one evaluator, and conditions on one suit.

    Parameters
    ----------
    constraint
        The constraint; None for any hand.
    held
        The mask of the cards that every hand must have, at most 13.
    elsewhere
        The mask of the cards that no hand may have; 13 cards or more must be left.

    Attributes
    ----------
    hands
        The number of hands.
    rest
        The parts of the constraint that rows cannot express: hands of the stack may violate them.
    weights
        The number of hands of each row.

    Raises
    ------
    ArgumentError
        If the constraint is not one, or `held` and `elsewhere` are not such masks.

    Examples
    --------
    >>> from foogo.cards.deal import balanced, hcp
    >>> stack = Stack(balanced & hcp(20, 21))
    >>> len(stack.weights), stack.hands
    (32224, 3393199716)
    >>> round(Stack(hcp(10)).probability, 7)
    0.0940511
    """

    def __init__(self, constraint: Constraint | None, held: int = 0, elsewhere: int = 0) -> None:
        held, elsewhere = whole("held", held, 0, FULL_DECK), whole("elsewhere", elsewhere, 0, FULL_DECK)
        if held.bit_count() > 13 or elsewhere.bit_count() > CARDS - 13:
            raise ArgumentError("no hand is possible: a hand has 13 cards, and so 13 or more must not be elsewhere")
        self._held, self._elsewhere = held, elsewhere
        parts = conjuncts(checked(constraint)) if constraint is not None else ()
        filters = [part for part in parts if _only_suit(part) is not None]
        others = [part for part in parts if _only_suit(part) is None]
        built = [
            (_Table([self._holdings(suit, filters) for suit in range(4)], covered, evaluator), rest)
            for evaluator, covered, rest in _choices(others)
        ]
        self._table, rest = min((one for one in built if one[0].is_small), key=lambda one: (one[0].hands, len(one[1])))
        self.rest = rest
        self.hands, self.weights = self._table.hands, self._table.weights

    def __repr__(self) -> str:
        return f"<Stack of {self.hands:,} hands>"

    def _holdings(self, suit: int, filters: list[Constraint]) -> NDArray[np.int64]:
        """The holdings of a suit that the filters and the cards held here and elsewhere allow."""
        every = np.arange(HOLDINGS)
        held, elsewhere = (mask >> 13 * suit & HOLDINGS - 1 for mask in (self._held, self._elsewhere))
        allowed = (every & held == held) & (every & elsewhere == 0)
        for part in filters:
            if _only_suit(part) == suit:
                allowed &= part.evaluate(_of_holding)
        chosen: NDArray[np.int64] = every[allowed]
        return chosen

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Clubs, diamonds, hearts and spades of each row, (rows, 4)."""
        lengths: NDArray[np.int64] = self._table.lengths[self._table.groups]
        return lengths

    @property
    def values(self) -> NDArray[np.int64]:
        """The values of these suits in steps of the evaluator, (rows, 4)."""
        values: NDArray[np.int64] = self._table.values[self._table.groups]
        return values

    @property
    def probability(self) -> float:
        """The share of the hands among all that have the cards held and none of those elsewhere."""
        free = 52 - self._held.bit_count() - self._elsewhere.bit_count()
        return self.hands / comb(free, 13 - self._held.bit_count())

    def rows(self) -> Rows:
        """The rows for compiled code; there must be at least one hand."""
        ends = np.cumsum(self.weights)
        bits = max(1, int(ends[-1] - 1).bit_length())
        shift = max(0, bits - len(ends).bit_length() - 1)
        guide = np.searchsorted(ends, np.arange(1 << bits - shift, dtype=np.int64) << shift, side="right")
        table = self._table
        return Rows(table.groups, ends, table.starts, table.sizes, table.holdings, guide, bits, shift)


def _only_suit(constraint: Constraint) -> int | None:
    """The suit that a constraint looks at, if it is a single one."""
    suits = {leaf.evaluator.suits if isinstance(leaf, Range) else ALL_SUITS for leaf in constraint.leaves()}
    only = suits.pop()
    return None if suits or only.bit_count() > 1 else only.bit_length() - 1


def _of_holding(leaf: Leaf) -> Truth:
    """The truth of a range for each holding of its suit."""
    assert isinstance(leaf, Range)
    return leaf.contains(leaf.evaluator.table)


def _choices(parts: list[Constraint]) -> Iterator[tuple[Evaluator | None, list[Constraint], list[Constraint]]]:
    """The evaluators that could be stacked, each with the parts that it covers and the rest."""
    leaves = [leaf for part in parts for leaf in part.leaves() if isinstance(leaf, Range)]
    whole = {id(leaf.evaluator.table): leaf.evaluator for leaf in leaves if leaf.evaluator.suits == ALL_SUITS}
    for evaluator in (None, *whole.values()):
        covered = [part for part in parts if all(_is_covered(leaf, evaluator) for leaf in part.leaves())]
        yield evaluator, covered, [part for part in parts if part not in covered]


def _is_covered(leaf: Leaf, evaluator: Evaluator | None) -> bool:
    if not isinstance(leaf, Range):
        return True
    own = leaf.evaluator
    if _is_length(own):
        return True
    return evaluator is not None and own.suits == ALL_SUITS and np.array_equal(own.table, evaluator.table)


def _is_length(evaluator: Evaluator) -> bool:
    """Whether an evaluator counts cards. Tables are compared by their numbers: pickling copies them."""
    return np.array_equal(evaluator.table, LENGTHS)


class _Table:
    """Rows from the holdings of the suits.

    Attributes
    ----------
    groups
        The group of holdings of each suit of each row, (rows, 4).
    lengths, values
        Of each group.
    """

    def __init__(
        self, by_suit: list[NDArray[np.int64]], constraints: list[Constraint], evaluator: Evaluator | None
    ) -> None:
        table = np.zeros(HOLDINGS, np.int16) if evaluator is None else evaluator.table
        of_suit, lengths, values, holdings, sizes = [], [], [], [], []
        groups = 0
        for allowed in by_suit:
            key = LENGTHS[allowed].astype(np.int64) << 32 | table[allowed].astype(np.int64) - table.min()
            order = np.argsort(key, kind="stable")
            keys, counts = np.unique(key, return_counts=True)
            of_suit.append(np.arange(groups, groups + len(keys)))
            groups += len(keys)
            lengths.append(keys >> 32)
            values.append((keys & (1 << 32) - 1) + table.min())
            holdings.append(allowed[order])
            sizes.append(counts)
        self.lengths, self.values, self.sizes = map(np.concatenate, (lengths, values, sizes))
        self.holdings = np.concatenate(holdings).astype(np.uint16)
        self.starts = np.cumsum(self.sizes) - self.sizes
        self._of_suit = of_suit
        self._lowest = 4 * int(table.min())
        totals = np.arange(self._lowest, 4 * int(table.max()) + 1)
        self._allowed = np.ones((len(SHAPES), len(totals)), np.bool_)
        if constraints:
            self._allowed &= AllOf(*constraints).evaluate(lambda leaf: _of_shape(leaf, totals))
        shapes = np.flatnonzero(self._allowed.any(axis=1))
        pair = cache(self._pair)
        pairs = [
            (pair(0, lengths[0], lengths[1]), pair(2, lengths[2], lengths[3])) for lengths in SHAPES[shapes].tolist()
        ]
        self.is_small = sum(len(low.totals) * len(high.totals) for low, high in pairs) <= MOST_ROWS
        chosen = [np.empty((0, 4), np.int64)]
        if self.is_small:
            for number, (low, high) in zip(shapes, pairs, strict=True):
                i, j = np.nonzero(self._allowed[number][np.add.outer(low.totals, high.totals) - self._lowest])
                chosen.append(np.concatenate((low.groups[i], high.groups[j]), axis=1))
        self.groups = np.concatenate(chosen).astype(np.uint16)
        self.weights = self.sizes[self.groups].prod(axis=1)
        self.hands = int(self.weights.sum())

    def _pair(self, suit: int, first: int, second: int) -> _Pair:
        """The groups of two adjacent suits with given lengths, in every combination."""
        one, two = (
            groups[self.lengths[groups] == length]
            for groups, length in zip(self._of_suit[suit : suit + 2], (first, second), strict=True)
        )
        groups = np.stack(np.meshgrid(one, two, indexing="ij"), axis=-1).reshape(-1, 2)
        return _Pair(groups, self.values[groups].sum(axis=1))


class _Pair(NamedTuple):
    groups: NDArray[np.int64]
    totals: NDArray[np.int64]


def _of_shape(leaf: Leaf, totals: NDArray[np.int64]) -> Truth:
    """The truth of a leaf for each shape (rows) and each total of the evaluator (columns)."""
    if isinstance(leaf, Range) and _is_length(leaf.evaluator):
        chosen = [suit for suit in range(4) if leaf.evaluator.suits >> suit & 1]
        return leaf.contains(SHAPES[:, chosen].sum(axis=1))[:, np.newaxis]
    if isinstance(leaf, Range):
        return leaf.contains(totals)[np.newaxis, :]
    assert isinstance(leaf, ShapeSet)
    return leaf.members[:, np.newaxis]
