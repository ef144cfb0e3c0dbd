"""`SearchParameters`: every number of the search that can be changed, and its form for the kernels."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from inspect import signature
from numbers import Real
from typing import Any

from foogo.arguments import is_boolean, is_number, quoted, whole
from foogo.errors import ArgumentError
from foogo.search.kernels.descent import LeafLimits
from foogo.search.kernels.priors import Prior
from foogo.search.kernels.selection import SHARE_BITS, Formula, Selection
from foogo.search.kernels.tiles import TILE, TILE_BYTES
from foogo.search.written.formula import SelectionFormula

SELECTIONS = ("rave", "ucb1")
"""Ways to choose a child: with AMAF, or without."""

LEAST_EQUIVALENCE = 0.001
"""The smallest `rave_equivalence` above 0 that keeps the numbers of the selection finite."""

MOST_PRIOR, REMOTE_VISITS = 60_000, 1000
"""The most visits of all priors together, and what a remote move in an opening has beyond them
(`foogo.search.kernels.priors`); `foogo.search.kernels.tiles.MOST_VISITS` leaves room for both."""

SETTLED = 20
"""The fewest simulations of a search per playout in flight, so that a short search has few leaves in flight."""

MAX_THREADS = 1024
"""The most threads of a search."""

LARGE_URGENCY = 1e3
"""Stands for an infinite urgency in the kernel."""

WHOLE = (
    ("leaves", 1, 4096),
    ("playouts", 1, 4096),
    ("expand_at", 1, 2**30),
    ("virtual_loss", 0, 4096),
    ("memory", 1, TILE_BYTES << 26),
)
"""The parameters that are whole numbers, with their smallest and largest values."""


@dataclass(frozen=True)
class SearchParameters:
    """How a search chooses, grows and plays. bench/results/search-ablations.md has the measured effects.

    Priors are equivalent visits: a move starts as if it had been tried that often. Together they are at most 60,000.

    Attributes
    ----------
    selection
        "rave" mixes a move's win share with its AMAF share (Gelly and Silver 2011). AMAF has the weight
        ``beta = rn / (n + rn + n * rn / rave_equivalence)``, the minimum-MSE schedule (Silver 2009). "ucb1" leaves
        AMAF out (Auer et al. 2002; Kocsis and Szepesvari 2006). A formula of your own, which `foogo.selection_formula`
        made, takes the place of both; `exploration`, `ucb1_share`, `ucb1_exploration`, `rave_equivalence` and
        `first_play_urgency` then have no effect.
    exploration
        c in ``c * sqrt(ln N / n)``, a win share. With AMAF and priors 0 is as strong (Gelly and Silver).
    ucb1_share, ucb1_exploration
        Only with "rave": the share of choices made by UCB1, without AMAF, at positions of 256 visits or more; and its
        c. For these choices, the `even` visits are won as often as the position is. If the share and `exploration` are
        0, a move with unlucky first playouts or poor AMAF is never tried again.
    lcb_share
        Candidates for the best move have at least this share of the most visited move's playouts. The one with the
        highest lower confidence bound of its win share is best. 1 makes the most visited move the best one.
    rave_equivalence
        Visits at which a move's playouts and AMAF have equal weight, in the limit of many AMAF visits; 0 leaves AMAF
        out.
    first_play_urgency
        The value of a move without visits, prior or AMAF, a win share; inf plays each move once first (Gelly et al.
        2006).
    prior_weight
        Multiplies every prior; 0 leaves them out.
    learnt, sharpness
        A move's shape, strings and place give it a probability p of being chosen, by learned weights
        (`foogo.search.kernels.features`; Coulom 2007), and on 13x13 and larger boards ladders do. Its prior has
        ``learnt * p ** sharpness`` visits, all won.
    even, passing
        Prior visits of every move, half of them won, and of a pass.
    network
        Whether a small network improves these probabilities and values positions
        (`foogo.search.kernels.network`). It is not used with an evaluator, or if `learnt` is 0.
    value_visits
        Prior visits of a position when it gets children, won as often as the network expects. On boards larger than
        10x10 they count only while half of the points are open.
    certainty
        Whether results are proven: where two passes end the game, or a player certainly owns enough (Benson 1976).
        Proofs spread to the root (Winands et al. 2008; Cazenave and Saffidine 2010). Moves in certain areas are left
        out, and a search whose root is proven ends.
    leaves
        Leaves of a thread in flight at once; fewer in a short search, see `at_once`.
    refill
        Whether idle lanes get new leaves at once. If not, all leaves in flight are played to the end first.
    playouts
        Playouts of each leaf.
    expand_at
        Visits at which a leaf gets children. With an evaluator it gets them at once.
    virtual_loss
        Visits that a leaf in flight counts as lost, at most `playouts` (Chaslot et al. 2008).
    value_weight
        The weight of a value, 0 to 1; playouts have the rest (Silver et al. 2016). An evaluator's values count at each
        leaf, the network's in the simulations that give a position its children.
    memory
        Bytes that the tree may take. A search whose tree is full continues without growing it.

    Raises
    ------
    ArgumentError
        If a value is out of range, or a parameter does not exist.

    Examples
    --------
    >>> SearchParameters(playouts=8).playouts
    8
    >>> SearchParameters.plain().selection
    'ucb1'
    """

    selection: str | SelectionFormula = "rave"
    exploration: float = 0.0
    ucb1_share: float = 1 / 16
    ucb1_exploration: float = 0.05
    lcb_share: float = 0.2
    rave_equivalence: float = 300.0
    first_play_urgency: float = math.inf
    prior_weight: float = 1.0
    learnt: float = 120.0
    sharpness: float = 0.8
    even: float = 10.0
    passing: float = 10.0
    network: bool = True
    value_visits: float = 24.0
    certainty: bool = True
    leaves: int = 20
    refill: bool = True
    playouts: int = 4
    expand_at: int = 2
    virtual_loss: int = 1
    value_weight: float = 0.5
    memory: int = 1 << 29

    def __new__(cls, *_values: Any, **named: Any) -> SearchParameters:
        """Check the names first, so that a wrong one raises an `ArgumentError` instead of a TypeError."""
        names = [field.name for field in fields(cls)]
        for name in named:
            if name not in names:
                raise ArgumentError(f"parameter {name!r} does not exist: choose {', '.join(names)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if not isinstance(self.selection, SelectionFormula) and self.selection not in SELECTIONS:
            hint = "; write @foogo.selection_formula above a formula of your own" if callable(self.selection) else ""
            raise ArgumentError(f"selection {self.selection!r} does not exist: choose {' or '.join(SELECTIONS)}{hint}")
        for name, low, high in WHOLE:
            object.__setattr__(self, name, whole(name, getattr(self, name), low, high))
        for name in ("refill", "network", "certainty"):
            if not is_boolean(getattr(self, name)):
                raise ArgumentError(f"{name} is {getattr(self, name)!r}: give True or False")
            object.__setattr__(self, name, bool(getattr(self, name)))
        for field in fields(self):
            if field.type == "float":
                number = _at_least_zero(field.name, getattr(self, field.name), field.name == "first_play_urgency")
                object.__setattr__(self, field.name, number)
        for name in ("ucb1_share", "lcb_share", "value_weight"):
            if getattr(self, name) > 1:
                raise ArgumentError(f"{name} is {getattr(self, name)!r}: it must be a share, from 0 to 1")
        if 0 < self.rave_equivalence < LEAST_EQUIVALENCE:
            right = f"it must be 0, for no AMAF, or {LEAST_EQUIVALENCE} or more"
            raise ArgumentError(f"rave_equivalence is {self.rave_equivalence!r}: {right}")
        visits = sum(self.to_prior()[:4])
        if not visits <= MOST_PRIOR:
            raise ArgumentError(
                f"the priors are {visits:g} visits in all: prior_weight times their sum must be at most {MOST_PRIOR}"
            )

    @classmethod
    def plain(cls, **changes: Any) -> SearchParameters:
        """UCT as first published: UCB1, each child tried once first, no priors, no AMAF, and the most visited move.

        Nor are there a network and proofs. `changes` are parameters that differ.
        """
        plain = cls(selection="ucb1", exploration=0.7, prior_weight=0.0, lcb_share=1.0, network=False, certainty=False)
        return replace(plain, **changes)

    def at_once(self, simulations: int, threads: int) -> int:
        """The number of leaves that each thread has in flight in a search of `simulations` simulations, at least 1.

        A leaf is chosen without the results of the leaves in flight. So at most one playout in `SETTLED` is in flight,
        unless that is less than one leaf per thread.
        """
        return min(self.leaves, max(1, simulations // (SETTLED * self.playouts * threads)))

    def capacity(self, size: int) -> int:
        """The most entries of a tree; an ArgumentError if `memory` is too small for a root and its children."""
        count, need = self.memory // TILE_BYTES, 1 + -(-(size * size + 1) // TILE)
        if count < need:
            least = need * TILE_BYTES
            raise ArgumentError(f"memory is {self.memory}: a tree on {size}x{size} needs {least} bytes or more")
        return TILE * count

    def to_selection(self) -> Selection:
        """The numbers by which a descent chooses, for the kernel."""
        is_rave = self.selection == "rave"
        formula = self.selection if isinstance(self.selection, SelectionFormula) else None
        urgency = float(min(self.first_play_urgency, LARGE_URGENCY))
        equivalence = float(self.rave_equivalence) if is_rave else 0.0
        return Selection(
            usual=Formula(float(self.exploration), equivalence, urgency),
            sometimes=Formula(float(self.ucb1_exploration), 0.0, urgency),
            share=float(self.ucb1_share) * (1 << SHARE_BITS) if is_rave else 0.0,
            even=self.to_prior().even,
            has_amaf=equivalence != 0.0 if formula is None else formula.has_amaf,
            written=None if formula is None else formula.for_kernels(),
        )

    def to_limits(self) -> LeafLimits:
        """The numbers that apply at a leaf, for the kernel."""
        return LeafLimits(self.playouts, self.expand_at, self.virtual_loss, float(self.value_weight))

    def to_prior(self) -> Prior:
        """The sizes of priors, for the kernel."""
        weight = float(self.prior_weight)
        even, passing, learned = (weight * float(visits) for visits in (self.even, self.passing, self.learnt))
        value, remote = weight * float(self.value_visits), min(weight, 1.0) * REMOTE_VISITS
        return Prior(even, passing, learned, value, remote, float(self.sharpness))


_OF_INIT = signature(SearchParameters.__init__)
# `help` and editors would show that of `__new__`, which takes everything.
SearchParameters.__signature__ = _OF_INIT.replace(parameters=[*_OF_INIT.parameters.values()][1:])  # type: ignore[attr-defined]


def _at_least_zero(name: str, value: Any, infinite: bool = False) -> float:
    if not (is_number(value) or (infinite and isinstance(value, Real) and value == math.inf)) or value < 0:
        raise ArgumentError(f"{name} is {quoted(value)}: it must be a number from 0 on")
    return float(value)
