"""The leaves of a thread that are in flight: each has a slot for its path, its position and its playouts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.playout.kernels.batch import FLOW_FIELDS, NEXT_KEY, PARTS, POOLED, Flow, PointSets, Results
from foogo.playout.kernels.layout import Layout
from foogo.search.kernels.backup import BEFORE_POINTS

DEEPEST = 4
"""Moves of a descent per point of the board. The leaf that they reach is played out even if it has children."""


IDLE, IS_SPENT, ISSUED, GRANTED, GATHERED_AT = range(5)
"""The entries of `Slots.state`: free slots; whether the budget is spent; of the simulations that the thread has
reserved, the next one and the end; the time stamp at which the last leaf was gathered."""
STATE = 5


class Slots(NamedTuple):
    """Memory of a thread. A slot has ``games = limits.playouts`` games: those from ``slot * games`` on."""

    paths: NDArray[np.int32]
    """(slots, `path_length`): the entries from the root to each leaf."""
    depths: NDArray[np.int64]
    """(slots,): moves of each path."""
    colors: NDArray[np.int64]
    """(slots,): the colour to play at each leaf."""
    values: NDArray[np.float32]
    """(slots,): Black's win share where the descent gave a leaf its children, see `descent.Leaf.value`."""
    chances: NDArray[np.float64]
    """(slots,): see `foogo.search.kernels.backup.Blend.chance`."""
    playouts: NDArray[np.int64]
    """(slots,): the number of games of the leaf in the slot."""
    unfinished: NDArray[np.int64]
    """(slots,): how many of those are still being played."""
    free: NDArray[np.int64]
    """(slots,): a stack of free slots."""
    state: NDArray[np.int64]
    """(`STATE`,): see `IDLE`."""
    games: Games
    counts: NDArray[np.int32]
    """(2, `BEFORE_POINTS` + points): AMAF counts of the leaf that is backed up."""


class Games(NamedTuple):
    """What the lockstep kernel reads and writes, see `foogo.playout.kernels.batch.run`."""

    positions: NDArray[np.uint32]
    """(slots, `batch.PARTS`, rows): one row of the board a number, whatever the layout's word is."""
    turns: NDArray[np.int64]
    """(slots,): 0 where Black is to play, 1 where White is."""
    results: Results
    sets: PointSets
    flow: Flow


def path_length(size: int) -> int:
    """The most entries from the root to a leaf."""
    return DEEPEST * size * size + 4


def new_slots(layout: Layout, slots: int, playouts: int, first_number: int) -> Slots:
    """Memory for `slots` leaves of `playouts` playouts each; `first_number` is the first playout number."""
    points, games = layout.size**2, slots * playouts
    set_words = -(-points // 64)
    state, progress = np.zeros(STATE, np.int64), np.zeros(FLOW_FIELDS, np.int64)
    state[IDLE] = slots
    progress[POOLED], progress[NEXT_KEY] = layout.lanes, np.uint64(first_number).astype(np.int64)
    return Slots(
        paths=np.empty((slots, path_length(layout.size)), np.int32),
        depths=np.zeros(slots, np.int64),
        colors=np.zeros(slots, np.int64),
        values=np.zeros(slots, np.float32),
        chances=np.zeros(slots),
        playouts=np.zeros(slots, np.int64),
        unfinished=np.zeros(slots, np.int64),
        free=np.arange(slots),
        state=state,
        games=Games(
            positions=np.zeros((slots, PARTS, layout.size), np.uint32),
            turns=np.zeros(slots, np.int64),
            results=Results(np.empty(games, np.int16), np.empty(games, np.int16), np.empty(games, np.bool_)),
            sets=PointSets(*np.zeros((2, games, 2, set_words), np.uint64)),
            flow=Flow(np.empty(games, np.int64), np.empty(games, np.int64), progress),
        ),
        counts=np.zeros((2, BEFORE_POINTS + 64 * set_words), np.int32),
    )
