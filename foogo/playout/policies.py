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


POLICIES: dict[str, Policy | None] = {
    "uniform": None,
    "knowledge": Policy(),
    "patterns": Policy(pattern=128, nakade=192),
}
"""The policies by name. None draws uniformly from all candidates."""

POLICY_CHOICES = ", ".join(POLICIES)
"""Their names, as messages and help texts list them."""

STRONGEST = "patterns"
"""The strongest policy in the search; docs/explanation/search.md has the measurements."""


AnyPolicy = Policy | PlayoutPolicy
"""A policy by shares, or one that a user wrote."""


def policy_of(policy: str | AnyPolicy | None) -> AnyPolicy | None:
    """The policy for a policy, its name, or the label of one that a user wrote; None is uniform.

    Raises
    ------
    ArgumentError
        If no policy has that name.

    Examples
    --------
    >>> policy_of("knowledge")
    Policy(urgent=205, near=77, pattern=0, nakade=0)
    """
    if policy is None or isinstance(policy, Policy | PlayoutPolicy):
        return policy
    if isinstance(policy, str):
        if policy in POLICIES:
            return POLICIES[policy]
        if written := labelled_policy(policy):
            return written
        if "@" in policy:
            raise ArgumentError(
                f"policy {policy} is not defined in this process: import it, or name it by FILE.py:NAME"
            )
    raise ArgumentError(f"policy {policy!r} is unknown: use {POLICY_CHOICES}, or a foogo.Policy")


def for_kernels(policy: AnyPolicy | None) -> tuple[Any, ...] | None:
    """What kernels take of a policy: shares, a `foogo.playout.kernels.narrowing.Written`, or None for uniform."""
    if policy is None:
        return None
    return policy.shares if isinstance(policy, Policy) else policy.for_kernels()
