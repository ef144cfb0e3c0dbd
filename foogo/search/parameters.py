"""Every number of the search that can be changed, in one place."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import is_number, whole
from foogo.errors import ArgumentError
from foogo.search.kernels import priors
from foogo.search.kernels.descent import SHARE_BITS
from foogo.search.kernels.tiles import ENTRY_BYTES, TILE

SELECTIONS = ("rave", "ucb1")
"""Ways to choose a child: AMAF mixed in, or not."""

PRIORS = ("learnt", "features")
"""Ways to judge a move before it is tried: by weights learnt from games, or by those of a few features set by hand."""

LEAST_EQUIVALENCE = 0.001
"""Visits of `rave_equivalence`, if it is not 0, from which on the numbers of the selection stay finite."""

MOST_PRIOR = 60_000
"""Visits of all priors together, so many that `foogo.search.kernels.tiles.MOST_VISITS` leaves room for a move's."""

SETTLED = 20
"""Simulations of a search for each playout that is on its way, so that a short search has few leaves on their way."""

LARGE_URGENCY = 1e3
"""What the kernel takes for an infinite urgency."""


@dataclass(frozen=True)
class SearchParameters:
    """How a search chooses, grows and plays. docs/reference/search.md lists every parameter with unit and source.

    The priors are equivalent visits: so many playouts won (or lost) before the move is tried; together 60,000 at most.

    Attributes
    ----------
    selection
        "rave" mixes the win share of a move with its AMAF share, by the minimum-MSE schedule
        ``beta = rn / (n + rn + n * rn / rave_equivalence)`` (Silver 2009; Gelly and Silver 2011); "ucb1" leaves
        AMAF out (Auer et al. 2002; Kocsis and Szepesvari 2006).
    exploration
        c in ``c * sqrt(ln N / n)``, a win share. With AMAF and priors 0 is as strong (Gelly and Silver).
    ucb1_share, ucb1_exploration
        Only with "rave": the share of the choices at positions of 8,192 visits or more that are made by UCB1, without
        AMAF, and its c. If this and `exploration` are 0, a move whose first playouts were bad luck, or whose AMAF is
        poor, is never tried again.
    lcb_share
        The best move is, of those with this share of the most visited one's playouts or more, the one whose win share
        has the highest lower confidence bound; 1 makes it the most visited one.
    rave_equivalence
        Visits at which AMAF has lost half its say, with AMAF visits beyond number; 0 leaves AMAF out.
    first_play_urgency
        The value of a move without visits, prior or AMAF, a win share; inf plays each once first (Gelly et al. 2006).
    prior_weight
        Multiplies every prior; 0 leaves them out.
    priors
        "learnt": a move that is chosen with probability p, by weights learnt from games for its shape, its strings and
        its place (`foogo.search.kernels.features`; Coulom 2007), has ``learnt * p ** sharpness`` visits, all won;
        "features": it has those of the features below, and `learnt` and `sharpness` count for nothing.
    learnt, sharpness
        Visits of a move that is certain to be chosen, and how fast they fall with the probability.
    even, passing
        Visits of every move, half of them won, and of a pass.
    save_one, save_many, self_atari, pattern, empty_edge, empty_third, near
        Priors of `foogo.search.kernels.priors` in visits, as in Michi (Baudis 2015); `near` is at distance 2, 3, 4
        and 5 from the last move. Only with "features".
    leaves
        Leaves of a thread that are on their way at once; fewer in a short search, see `at_once`.
    refill
        Whether lanes that are out of work get new leaves at once. If not, all leaves on their way are played to the
        end before new ones are gathered.
    playouts
        Playouts of each leaf.
    expand_at
        Visits at which a leaf gets children.
    virtual_loss
        Visits that a leaf on its way counts as lost, at most `playouts` (Chaslot et al. 2008).
    memory
        Bytes that the tree may take. When it is full the search goes on without growing.

    Raises
    ------
    ArgumentError
        If a value is out of range, or there is no such parameter.

    Examples
    --------
    >>> SearchParameters(playouts=8).playouts
    8
    >>> SearchParameters.plain().selection
    'ucb1'
    """

    selection: str = "rave"
    exploration: float = 0.0
    ucb1_share: float = 1 / 32
    ucb1_exploration: float = 0.2
    lcb_share: float = 0.2
    rave_equivalence: float = 300.0
    first_play_urgency: float = math.inf
    prior_weight: float = 1.0
    priors: str = "learnt"
    learnt: float = 120.0
    sharpness: float = 0.8
    even: float = 10.0
    save_one: float = 15.0
    save_many: float = 30.0
    self_atari: float = 10.0
    pattern: float = 10.0
    empty_edge: float = 10.0
    empty_third: float = 10.0
    near: tuple[float, float, float, float] = (24.0, 22.0, 8.0, 8.0)
    passing: float = 10.0
    leaves: int = 20
    refill: bool = True
    playouts: int = 4
    expand_at: int = 4
    virtual_loss: int = 1
    memory: int = 1 << 29

    def __new__(cls, *_values: Any, **named: Any) -> SearchParameters:
        """Only of parameters that there are."""
        names = [field.name for field in fields(cls)]
        for name in named:
            if name not in names:
                raise ArgumentError(f"parameter {name!r} does not exist: choose {', '.join(names)}")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        if self.selection not in SELECTIONS:
            raise ArgumentError(f"selection {self.selection!r} does not exist: choose {' or '.join(SELECTIONS)}")
        if self.priors not in PRIORS:
            raise ArgumentError(f"priors {self.priors!r} do not exist: choose {' or '.join(PRIORS)}")
        for name in ("leaves", "playouts"):
            whole(name, getattr(self, name), 1, 4096)
        if not isinstance(self.refill, bool):
            raise ArgumentError(f"refill is {self.refill!r}: give True or False")
        whole("expand_at", self.expand_at, 0, 2**30)
        whole("virtual_loss", self.virtual_loss, 0, 4096)
        whole("memory", self.memory, 1, ENTRY_BYTES << 30)
        if not isinstance(self.near, tuple) or len(self.near) != 4:
            raise ArgumentError(f"near is {self.near!r}: give four numbers, for distances 2, 3, 4 and 5")
        for number in self.near:
            _at_least_zero("near", number)
        for field in fields(self):
            if field.type == "float":
                _at_least_zero(field.name, getattr(self, field.name), field.name == "first_play_urgency")
        for name in ("ucb1_share", "lcb_share"):
            if getattr(self, name) > 1:
                raise ArgumentError(f"{name} is {getattr(self, name)!r}: it must be a share, from 0 to 1")
        if 0 < self.rave_equivalence < LEAST_EQUIVALENCE:
            right = f"it must be 0, for no AMAF, or {LEAST_EQUIVALENCE} or more"
            raise ArgumentError(f"rave_equivalence is {self.rave_equivalence!r}: {right}")
        visits = float(self.prior_weights()[: priors.SHARPNESS].sum())
        if not visits <= MOST_PRIOR:
            raise ArgumentError(
                f"the priors are {visits:g} visits in all: prior_weight times their sum must be at most {MOST_PRIOR}"
            )

    @classmethod
    def plain(cls, **changes: Any) -> SearchParameters:
        """UCT as it was first described: UCB1, each child once before any twice, no priors, no AMAF, most visits.

        Parameters
        ----------
        **changes
            Parameters that differ.
        """
        return replace(cls(selection="ucb1", exploration=0.7, prior_weight=0.0, lcb_share=1.0), **changes)

    def at_once(self, simulations: int, threads: int) -> int:
        """How many leaves each thread has on their way in a search of so many simulations: at least one.

        As far as one leaf for each thread allows, at most one playout in `SETTLED` is on its way: a leaf is chosen
        without what those on their way will find.

        Examples
        --------
        >>> SearchParameters().at_once(10_000, threads=1), SearchParameters().at_once(400, threads=1)
        (20, 5)
        """
        return min(self.leaves, max(1, simulations // (SETTLED * self.playouts * threads)))

    def capacity(self, size: int) -> int:
        """How many entries a tree on a board of that size may have, see `foogo.search.kernels.tiles`.

        Raises
        ------
        ArgumentError
            If that is not enough for a root.
        """
        tile = TILE * ENTRY_BYTES
        count, need = self.memory // tile, 1 + -(-(size * size + 1) // TILE)
        if count < need:
            raise ArgumentError(f"memory is {self.memory}: a tree on {size}x{size} needs {need * tile} bytes or more")
        return TILE * count

    def choice(self) -> NDArray[np.float64]:
        """The numbers of the selection, as the kernel takes them."""
        is_rave = self.selection == "rave"
        equivalence, share = (self.rave_equivalence, self.ucb1_share) if is_rave else (0.0, 0.0)
        urgency = min(self.first_play_urgency, LARGE_URGENCY)
        share *= 1 << SHARE_BITS
        return np.array([self.exploration, urgency, equivalence, share, self.ucb1_exploration], np.float64)

    def prior_weights(self) -> NDArray[np.float64]:
        """The weights of the priors, as the kernel takes them."""
        features = self.even, self.save_one, self.save_many, self.self_atari
        shapes = self.pattern, self.empty_edge, self.empty_third
        weights = self.prior_weight * np.array([*features, *shapes, *self.near, self.passing])
        learnt = self.prior_weight * self.learnt if self.priors == "learnt" else 0.0
        found = np.array([*weights, learnt, self.sharpness])
        assert len(found) == priors.WEIGHTS
        return found


def _at_least_zero(name: str, value: Any, infinite: bool = False) -> None:
    if not (is_number(value) or (infinite and value == math.inf)) or value < 0:
        raise ArgumentError(f"{name} is {value!r}: it must be a number from 0 on")
