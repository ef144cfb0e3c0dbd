"""The candidates that a policy draws from: by shares, or by a function that a user wrote.

A user's function is an argument of kernels as a `Rule`. Its *type* names the function by a digest of its source, so
that compiled playouts can be cached on disk. `foogo.playout.written` makes rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from numba.core import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, intrinsic, lower_getattr, register_model, typeof_impl, unbox

from foogo.core import simd
from foogo.core.jit import kernel
from foogo.playout.kernels import bitboard, sight, tactics


@dataclass(frozen=True)
class Rule:
    """A function that a user wrote, as an argument of kernels.

    Attributes
    ----------
    digest
        Hexadecimal digits that change with the function.
    sees_short
        Whether the function uses `see.short`, which takes a second flood.
    """

    digest: str
    sees_short: bool


class Written(NamedTuple):
    """A policy that a user wrote: its rule, and its weights, which are numbers or tuples of numbers."""

    rule: Rule
    weights: tuple[Any, ...]


FUNCTIONS: dict[str, Any] = {}
"""The kernel ``points(layout, view, weights)`` behind each digest."""


class RuleType(types.Type):
    """A `Rule` as an argument: no data, all in the type."""

    def __init__(self, digest: str, sees_short: bool) -> None:
        self.digest, self.sees_short = digest, sees_short
        super().__init__(name=f"Rule({digest},{sees_short})")


register_model(RuleType)(models.OpaqueModel)


@typeof_impl.register(Rule)
def _typeof_rule(value, _context):
    return RuleType(value.digest, value.sees_short)


@unbox(RuleType)
def _unbox_rule(_typ, _obj, c):
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _RuleAttributes(AttributeTemplate):
    key = RuleType

    def resolve_points(self, rule):
        return types.Dispatcher(FUNCTIONS[rule.digest])

    def resolve_alive_and_short(self, rule):
        return types.Dispatcher(tactics.alive_and_short if rule.sees_short else only_alive)


@lower_getattr(RuleType, "points")
@lower_getattr(RuleType, "alive_and_short")
def _lower_attribute(context, builder, typ, value):
    return context.get_dummy_value()


def _is_written(policy):
    return isinstance(policy, types.NamedTuple) and policy.instance_class is Written


@intrinsic
def shares_of(typingctx, policy):
    """The policy if it has shares, else None. Numba then drops the code that is for shares."""
    if _is_written(policy):
        return types.none(policy), lambda context, builder, sig, args: context.get_dummy_value()
    return policy(policy), lambda context, builder, sig, args: args[0]


@intrinsic
def written_of(typingctx, policy):
    """The policy if a user wrote it, else None."""
    if _is_written(policy):
        return policy(policy), lambda context, builder, sig, args: args[0]
    return types.none(policy), lambda context, builder, sig, args: context.get_dummy_value()


@kernel(inline=True)
def only_alive(layout, own, opponent):
    """The stones whose string has a liberty, and no stones, for rules that do not look at short strings."""
    return tactics.alive_stones(layout, own, opponent), bitboard.nothing(layout)


@kernel(inline=True)
def narrow(layout, shares, written, choice, position, number):
    """The candidates that a policy draws from, by its shares or by its rule.

    Parameters
    ----------
    shares, written
        `shares_of` and `written_of` the policy. Either is None.
    choice
        The candidates.
    position
        A `foogo.playout.kernels.lockstep.Position`.
    number
        The lane's 32-bit number.
    """
    chosen = choice
    if shares is not None:
        chosen = tactics.narrow(layout, shares, choice, position, number)
    if written is not None:
        view = sight.view_of(choice, position, number)
        chosen = sight.among(choice, points_of(layout, written, view))
    return chosen


@kernel(inline=True)
def points_of(layout, written, view):
    """The points that a user's function returns."""
    return written.rule.points(layout, view, written.weights)


@kernel(inline=True)
def alive_and_short(layout, shares, written, own, opponent):
    """The stones whose string has a liberty, and those whose string is short, if the policy looks at them."""
    alive, short = own, own
    if shares is not None:
        alive, short = tactics.alive_and_short(layout, own, opponent)
    if written is not None:
        alive, short = alive_for(layout, written, own, opponent)
    return alive, short


@kernel(inline=True)
def alive_for(layout, written, own, opponent):
    """The same for a user's function."""
    return written.rule.alive_and_short(layout, own, opponent)


@kernel(inline=True)
def before_last(layout, written, position, refused, fresh):
    """The move before the last one after a draw, for a user's function: nothing at the start of a game."""
    move = position.before_last
    if written is not None:
        move = simd.choose(fresh, bitboard.nothing(layout), simd.choose(refused, move, position.last))
    return move
