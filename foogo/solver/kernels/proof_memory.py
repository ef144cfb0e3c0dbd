"""The memory of a proof-number search: the layout of frames, children and counters, and who owns them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.solver.kernels.life import LifeMemory, new_life_memory
from foogo.solver.kernels.linear_evaluation import FEATURES
from foogo.solver.kernels.proof_table import ProofTable

FRAME = np.dtype([
    ("own", "i8"), ("other", "i8"), ("ko", "i8"), ("passed", "i8"),  # the position as its mover sees it
    ("attacks", "i8"),  # whether the mover is the attacker
    ("key", "i8"),
    ("count", "i8"),  # how many children there are
    ("chosen", "i8"),  # the child that is being searched
    ("proof_limit", "i8"), ("disproof_limit", "i8"),  # the numbers at which the search returns to the frame above
    ("first_node", "i8"),  # the node count at its start
    ("relied", "i8"),  # whether a refutation below relies on its refutation
    ("must", "i8"),  # the points where its mover must play to answer threats
])  # fmt: skip
"""A position on the path of the search."""

CHILD = np.dtype([("key", "i8"), ("move", "i8"), ("own", "i8"), ("other", "i8"), ("proof", "i8"), ("disproof", "i8")])
"""A position one move on, as its own mover sees it."""

CONTROL = np.dtype([
    ("thread", "i8"),
    ("ply", "i8"),  # where to continue
    ("nodes", "i8"), ("used", "i8"), ("deepest", "i8"),  # nodes and table entries so far, the deepest ply
    ("root_proof", "i8"), ("root_disproof", "i8"),  # once the search is over
])  # fmt: skip
"""The state that is kept between calls of `search`."""

MAX_CHILDREN = 32

MAX_PLIES = 500
"""Plies below the root; the last one counts as refuted."""

PATH = MAX_PLIES + 1


class Shared(NamedTuple):
    """What threads share."""

    table: ProofTable
    paths: np.ndarray
    """int64[threads, PATH]: the keys from each thread's root to its current node, -1 below."""
    over: np.ndarray
    """int64[1]: not 0 once a thread has the answer."""


class ThreadMemory(NamedTuple):
    """The memory of one thread."""

    frames: np.ndarray
    """`FRAME` records, one per ply."""
    children: np.ndarray
    """`CHILD` records, [MAX_PLIES, MAX_CHILDREN]."""
    control: np.ndarray
    """`CONTROL`, one record."""
    life: LifeMemory
    features: np.ndarray
    """float64[FEATURES], scratch."""


def new_thread_memory(thread: int) -> ThreadMemory:
    """The memory of the thread with that number."""
    control = np.zeros(1, dtype=CONTROL)
    control["thread"] = thread
    return ThreadMemory(
        np.zeros(MAX_PLIES, dtype=FRAME), np.zeros((MAX_PLIES, MAX_CHILDREN), dtype=CHILD), control,
        new_life_memory(), np.zeros(FEATURES),
    )  # fmt: skip


def new_shared(table: ProofTable, threads: int) -> Shared:
    """The shared memory of `threads` threads, before any search."""
    return Shared(table, np.full((threads, PATH), -1, dtype=np.int64), np.zeros(1, dtype=np.int64))
