"""A playout policy as an argument of kernels.

A policy is a function of sets, `foogo.playout.kernels.sight` and `picks`, and its weights. It comes as a `Rule`, whose
*type* names the function by a digest of its source, so that compiled playouts can be cached on disk.
`foogo.playout.written` makes rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from numba.core import types
from numba.core.datamodel import models
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import NativeValue, lower_getattr, register_model, typeof_impl, unbox

from foogo.core.jit import kernel
from foogo.playout.kernels import liberties, sight


@dataclass(frozen=True)
class Rule:
    """The function of a policy, as an argument of kernels.

    Attributes
    ----------
    digest
        Hexadecimal digits that change with the function.
    sees_short
        Whether it uses `see.short`, which takes a second flood.
    sees_before_last
        Whether it uses `see.before_last`, which is tracked only then.
    """

    digest: str
    sees_short: bool
    sees_before_last: bool


class Written(NamedTuple):
    """A policy: its rule, and its weights, which are numbers or tuples of numbers."""

    rule: Rule
    weights: tuple[Any, ...]


FUNCTIONS: dict[str, Any] = {}
"""The kernel ``points(layout, view, weights)`` behind each digest. It returns candidates, if there are any."""


class RuleType(types.Type):
    """A `Rule` as an argument: no data, all in the type."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        super().__init__(name=f"Rule({rule.digest},{rule.sees_short},{rule.sees_before_last})")


register_model(RuleType)(models.OpaqueModel)


@typeof_impl.register(Rule)
def _typeof_rule(value, _context):
    return RuleType(value)


@unbox(RuleType)
def _unbox_rule(_typ, _obj, c):
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _RuleAttributes(AttributeTemplate):
    key = RuleType

    def resolve_points(self, kind):
        return types.Dispatcher(FUNCTIONS[kind.rule.digest])

    def resolve_alive_and_short(self, kind):
        return types.Dispatcher(liberties.alive_and_short if kind.rule.sees_short else liberties.only_alive)

    def resolve_before_last(self, kind):
        return types.Dispatcher(sight.tracked if kind.rule.sees_before_last else sight.untracked)


@lower_getattr(RuleType, "points")
@lower_getattr(RuleType, "alive_and_short")
@lower_getattr(RuleType, "before_last")
def _lower_attribute(context, builder, typ, value):
    return context.get_dummy_value()


@kernel(inline=True)
def narrow(layout, policy, view):
    """The candidates that a policy, a `Written`, draws from; `view` is a `foogo.playout.kernels.sight.View`."""
    return policy.rule.points(layout, view, policy.weights)


@kernel(inline=True)
def alive_and_short(layout, policy, own, opponent):
    """The stones whose string has a liberty, and those whose string is short, if the policy looks at them."""
    return policy.rule.alive_and_short(layout, own, opponent)


@kernel(inline=True)
def before_last(layout, policy, position, refused, fresh):
    """The move before the last one after a draw, if the policy looks at it."""
    return policy.rule.before_last(layout, position, refused, fresh)
