"""Playout policies: how a playout chooses among the candidates, by name and weights."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.playout.written.policy import PlayoutPolicy, labelled_policy
from foogo.playout.written.source import PolicySource, read_source

if TYPE_CHECKING:
    from foogo.playout.kernels.narrowing import Written

UNIT = 256
"""The unit of a policy's shares: 205 is 205 in 256, or 80 %."""

NAMES = "urgent", "near", "pattern", "nakade"
"""A policy's shares, which are also the weights of `in_order`."""


@dataclass(frozen=True)
class Policy:
    """A playout that prefers certain kinds of moves; docs/reference/playout.md defines it.

    Attributes
    ----------
    urgent
        How often, in 1/256, the playout insists on a capture or an escape, if one is possible.
    near
        How often, in 1/256, it insists on a point around the last move otherwise.
    pattern
        How often, in 1/256, it insists on such a point that matches one of MoGo's 3x3 patterns; comes before `near`.
    nakade
        How often, in 1/256, it insists on the vital point of a small eye space; comes after `urgent`.

    Raises
    ------
    ArgumentError
        If a share is not a whole number from 0 to 256.

    References
    ----------
    Gelly, Wang, Munos and Teytaud, Modification of UCT with patterns in Monte-Carlo Go (2006), for the kinds of
    moves; the shares are foogo's own.
    """

    urgent: int = 205
    near: int = 77
    pattern: int = 0
    nakade: int = 0

    def __post_init__(self) -> None:
        for name in NAMES:
            object.__setattr__(self, name, whole(name, getattr(self, name), 0, UNIT))

    @property
    def shares(self) -> tuple[int, int, int | None, int | None]:
        """The weights in order; None for those of `pattern` and `nakade` that are 0, for which nothing is compiled."""
        return self.urgent, self.near, self.pattern or None, self.nakade or None

    def for_kernels(self) -> Written:
        """The policy as kernels take it."""
        shares = zip(NAMES, self.shares, strict=True)
        return _source().for_kernels({name: None if share is None else share / UNIT for name, share in shares})


def in_order(
    see: Any, pick: Any, urgent: float = 0.0, near: float = 0.0, pattern: float = 0.0, nakade: float = 0.0
) -> Any:
    """What a `Policy` plays, as a function for `foogo.playout_policy`."""
    captures = see.candidates & see.beside(see.opponent & see.short)
    useful = see.beside_two(see.empty) | see.beside(see.own & ~see.short)
    escapes = see.candidates & useful & see.beside(see.own & see.short)
    sound = see.candidates & (useful | captures) or see.candidates
    return (
        pick.often(urgent, captures | escapes, 0)
        or pick.often(nakade, see.vital, 0)
        or pick.often(pattern, sound & see.shaped, 2)
        or pick.often(near, sound & see.around(see.last_move), 1)
        or sound
    )


@cache
def _source() -> PolicySource:
    return read_source(in_order)


UNIFORM = "uniform"

POLICIES: dict[str, Policy | None] = {
    UNIFORM: None,
    "knowledge": Policy(),
    "patterns": Policy(pattern=128, nakade=192),
}
"""The policies by name. None draws uniformly from all candidates."""

ALIASES = {"random": UNIFORM}
"""Other names of policies."""

POLICY_CHOICES = ", ".join(POLICIES)
"""Their names, as messages and help texts list them."""

STRONGEST = "patterns"
"""The strongest policy in the search; docs/explanation/search.md has the measurements."""


AnyPolicy = Policy | PlayoutPolicy
"""A policy by shares, or one that a user wrote."""


def policy_of(policy: str | AnyPolicy | None) -> AnyPolicy | None:
    """The policy for a policy, its name, an alias of it, or the label of one that a user wrote; None is uniform.

    Raises
    ------
    ArgumentError
        If no playout policy has that name.

    Examples
    --------
    >>> policy_of("knowledge")
    Policy(urgent=205, near=77, pattern=0, nakade=0)
    """
    if policy is None or isinstance(policy, Policy | PlayoutPolicy):
        return policy
    name = ALIASES.get(policy, policy) if isinstance(policy, str) else ""
    if name in POLICIES:
        return POLICIES[name]
    if written := labelled_policy(name):
        return written
    if "@" in name:
        raise ArgumentError(
            f"policy {policy} is not defined in this process: import it, or give a command --policy FILE.py:NAME, such "
            "as foogo study run to resume a run"
        )
    if name.startswith("search:"):
        raise ArgumentError(f"policy {policy!r} is for studies of games by search: here use {POLICY_CHOICES}")
    raise ArgumentError(
        f"policy {policy!r} is unknown: use {POLICY_CHOICES}, or a policy of yours: FILE.py:NAME in a command, "
        "a foogo.Policy or one of foogo.playout_policy in Python"
    )


def policy_name(policy: str | AnyPolicy | None) -> str | AnyPolicy:
    """The name of a policy, or the policy itself if it has none; an ArgumentError as by `policy_of`.

    Examples
    --------
    >>> policy_name("random"), policy_name(Policy()), policy_name(Policy(urgent=256))
    ('uniform', 'knowledge', Policy(urgent=256, near=77, pattern=0, nakade=0))
    """
    found = policy_of(policy)
    return next((name for name, known in POLICIES.items() if known == found), found or UNIFORM)


def for_kernels(policy: AnyPolicy | None) -> Written | None:
    """What kernels take of a policy; None for uniform."""
    return None if policy is None else policy.for_kernels()
