"""Which child a descent goes to: by the built-in formulas of `foogo.search.kernels.selection`, or by a user's function.

A user's function is an argument of kernels as a `Rule`. Its *type* names the function by a digest of its source, so
that compiled searches can be cached on disk. `foogo.search.written` makes rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba.core import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr, register_model, typeof_impl, unbox

from foogo.core import lane_arithmetic as lane_arithmetic
from foogo.core.jit import kernel
from foogo.core.simd import choose, shift_left
from foogo.core.vectors import (
    even_and_odd,
    everywhere,
    lane_numbers,
    largest,
    load,
    to_float32,
    to_int32,
    to_int64,
    total_of,
)
from foogo.search.kernels.proofs import LOST_CHILD
from foogo.search.kernels.selection import (
    LOWEST_KEY,
    SALT_BITS,
    SHARE_BITS,
    VALUE_SCALE,
    are_lost,
    formula_for,
    select,
    select_open,
    wins_to_play,
)
from foogo.search.kernels.tiles import (
    COUNT_MASK,
    LINES,
    PRIOR_VISITS,
    RAVE_VISITS,
    RAVE_WINS,
    TILE,
    VISITS,
    WINS,
    at,
    line_at,
    tiles_of,
)
from foogo.search.kernels.tree import PADDING_VISITS

LARGEST_VALUE = 1000.0
"""Values beyond it, in either direction, count as it."""


@dataclass(frozen=True)
class Rule:
    """A function that a user wrote, as an argument of kernels.

    Attributes
    ----------
    digest
        Hexadecimal digits that change with the function.
    uses_prior
        Whether it uses the shares of the prior, for which the priors of all children are added up.
    """

    digest: str
    uses_prior: bool


class Written(NamedTuple):
    """A formula that a user wrote: its rule, and its constants, which are numbers or tuples of numbers."""

    rule: Rule
    constants: tuple[Any, ...]


class Seen(NamedTuple):
    """What a formula sees of sixteen children, in float32, and of their parent, in float64.

    docs/reference/search.md defines each field.
    """

    visits: Any
    wins: Any
    amaf_visits: Any
    amaf_wins: Any
    prior_visits: Any
    prior_wins: Any
    prior: Any
    parent_visits: Any
    parent_wins: Any
    parent_prior_visits: Any
    chance: Any


FUNCTIONS: dict[str, Any] = {}
"""The kernel ``value(seen, constants)`` behind each digest."""


class RuleType(types.Type):
    """A `Rule` as an argument: no data, all in the type."""

    def __init__(self, digest: str, uses_prior: bool) -> None:
        self.digest, self.uses_prior = digest, uses_prior
        super().__init__(name=f"Formula({digest},{uses_prior})")


register_model(RuleType)(models.OpaqueModel)


@typeof_impl.register(Rule)
def _typeof_rule(value, _context):
    return RuleType(value.digest, value.uses_prior)


@unbox(RuleType)
def _unbox_rule(_typ, _obj, c):
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _RuleAttributes(AttributeTemplate):
    key = RuleType

    def resolve_value(self, rule):
        return types.Dispatcher(FUNCTIONS[rule.digest])

    def resolve_prior_scale(self, rule):
        return types.Dispatcher(prior_scale if rule.uses_prior else no_scale)


@lower_getattr(RuleType, "value")
@lower_getattr(RuleType, "prior_scale")
def _lower_attribute(context, builder, typ, value):
    return context.get_dummy_value()


class Parent(NamedTuple):
    """What a choice knows of the parent."""

    visits: float
    """At least 2, so that the logarithm is not 0."""
    wins: float
    """Of the player who chooses."""
    prior_visits: float
    chance: float
    """Random, from 0 to less than 1."""


@kernel(inline=True)
def choose_child(selection, written, entries, parent, first, word, visits, number):
    """The child of `parent`, whose first child is `first`, that a descent goes to.

    Parameters
    ----------
    word
        The parent's COUNT.
    selection, written
        A `foogo.search.kernels.selection.Selection`, and its `written`, by which Numba drops the code not used.
    visits
        Those of the parent.
    number
        Random, of 32 bits.
    """
    salt, count = number & ((1 << SALT_BITS) - 1), word & COUNT_MASK
    if written is not None:
        prior_visits = np.float64(entries[at(PRIOR_VISITS, parent)])
        chance = np.float64(number >> SALT_BITS) / (1 << SHARE_BITS)
        seen = Parent(np.float64(max(visits, 2)), wins_to_play(entries, parent, visits), prior_visits, chance)
        child = select_written(entries, first, count, written, seen, salt)
    else:
        formula, more_wins = formula_for(selection, entries, parent, visits, number)
        if word & LOST_CHILD:
            child = select_open(entries, first, count, formula, more_wins, visits, salt)
        else:
            child = select(entries, first, count, formula, more_wins, visits, salt)
    return child


@kernel
def select_written(entries, first, count, written, parent, salt):
    """The child with the highest value by a user's formula; keys are those of `foogo.search.kernels.selection`."""
    start = at(VISITS, first)
    half, scale = everywhere(np.float32(0.5)), everywhere(np.float32(VALUE_SCALE))
    most, least = everywhere(np.float32(LARGEST_VALUE)), everywhere(np.float32(-LARGEST_VALUE))
    below, negative = everywhere(np.float32(-2 * LARGEST_VALUE)), everywhere(np.int32(-1))
    lost = everywhere(np.float32(-1.5 * LARGEST_VALUE))
    salts, lanes, best = everywhere(salt), lane_numbers(), everywhere(np.int64(LOWEST_KEY))
    added, factor = written.rule.prior_scale(entries, start, count)
    added, factor = everywhere(added), everywhere(factor)
    for tile in range(tiles_of(count)):
        visits, half_wins = even_and_odd(
            load(entries, line_at(start, tile, VISITS)), load(entries, line_at(start, tile, WINS))
        )
        prior_visits, prior_half_wins = _priors(entries, start, tile)
        prior_visits = to_float32(prior_visits)
        seen = Seen(
            to_float32(visits),
            half * to_float32(half_wins),
            to_float32(load(entries, line_at(start, tile, RAVE_VISITS))),
            half * to_float32(load(entries, line_at(start, tile, RAVE_WINS))),
            prior_visits,
            half * to_float32(prior_half_wins),
            (prior_visits + added) * factor,
            parent.visits,
            parent.wins,
            parent.prior_visits,
            parent.chance,
        )
        value = written.rule.value(seen, written.constants)
        # Not a number becomes the least value.
        value = choose(value > least, value, least)
        value = choose(most > value, value, most)
        # A child that is proven lost is chosen only if all are.
        value = choose(are_lost(entries, start, tile), lost, value)
        # Only padding has negative wins. It is never chosen, whatever the formula says.
        value = choose(half_wins > negative, value, below)
        index = (everywhere(np.int64(tile * TILE)) + lanes) ^ salts
        key = shift_left(to_int64(to_int32(value * scale)), SALT_BITS) | index
        best = choose(key > best, key, best)
    return first + ((largest(best) & ((1 << SALT_BITS) - 1)) ^ salt)


@kernel(inline=True)
def _priors(entries, start, tile):
    """The visits and half wins of the priors in a tile. Its lines have four numbers per entry, these two last."""
    line = line_at(start, tile, LINES)
    firsts_0, counts_0 = even_and_odd(load(entries, line), load(entries, line + TILE))
    firsts_8, counts_8 = even_and_odd(load(entries, line + 2 * TILE), load(entries, line + 3 * TILE))
    _, visits = even_and_odd(firsts_0, firsts_8)
    _, half_wins = even_and_odd(counts_0, counts_8)
    return visits, half_wins


@kernel(inline=True)
def prior_scale(entries, start, count):
    """What to add to each child's prior visits, and to multiply the sum by, for shares that add up to 1.

    Children without any prior have equal shares.
    """
    sums, tiles = everywhere(np.int32(0)), tiles_of(count)
    for tile in range(tiles):
        visits, _ = _priors(entries, start, tile)
        sums = sums + visits
    total = np.int64(total_of(sums)) - PADDING_VISITS * (tiles * TILE - count)
    added = 1 if total == 0 else 0
    return np.float32(added), np.float32(1.0 / (total + added * count))


@kernel(inline=True)
def no_scale(entries, start, count):
    """In place of `prior_scale` for formulas that do not use the shares."""
    return np.float32(0.0), np.float32(0.0)
