"""Playout policies: how a playout chooses among the candidates, by name and weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.playout.written.policy import PlayoutPolicy, labelled_policy

SHARES = 256
"""The unit of a policy's weights: a share of 205 is 205 in 256, or 80 %."""


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
        for name in ("urgent", "near", "pattern", "nakade"):
            whole(name, getattr(self, name), 0, SHARES)

    @property
    def shares(self) -> tuple[int, int, int | None, int | None]:
        """The weights as kernels take them: code for a share of None is not compiled."""
        return self.urgent, self.near, self.pattern or None, self.nakade or None


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
        raise ArgumentError(f"policy {policy} is not defined in this process: import it, or name it by FILE.py:NAME")
    if name.startswith("search:"):
        raise ArgumentError(f"policy {policy!r} is for studies of games by search: here use {POLICY_CHOICES}")
    raise ArgumentError(
        f"policy {policy!r} is unknown: use {POLICY_CHOICES}, a foogo.Policy, or one of foogo.playout_policy"
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


def for_kernels(policy: AnyPolicy | None) -> tuple[Any, ...] | None:
    """What kernels take of a policy: shares, a `foogo.playout.kernels.narrowing.Written`, or None for uniform."""
    if policy is None:
        return None
    return policy.shares if isinstance(policy, Policy) else policy.for_kernels()
