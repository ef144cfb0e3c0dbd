"""What a tree says of the moves at its root."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.kernels import tree
from foogo.search.result import MOVE_FIELDS, mean_lead


class Root(NamedTuple):
    """The fields of a `foogo.search.result.SearchResult` that the tree alone decides, as defined there."""

    moves: NDArray[np.void]
    variations: tuple[tuple[int, ...], ...]
    variation_visits: tuple[tuple[int, ...], ...]
    value: float
    score: float


def read_root(memory: NDArray[np.int64], capacity: int, komi: float, to_play: int) -> Root:
    """Read a tree (see `foogo.kernels.tree`), which may be growing, with `to_play` to move at its root."""
    field, leads = memory.view(np.int32).reshape(tree.FIELDS, capacity), memory[:capacity]
    first, count = int(field[tree.FIRST, tree.ROOT]), int(field[tree.COUNT, tree.ROOT])
    block = field[:, first : first + count].copy()
    rows = np.empty(count, MOVE_FIELDS)
    priors, prior_wins = block[tree.PRIOR_VISITS], block[tree.PRIOR_WINS] / 2
    rows["move"] = block[tree.MOVE]
    rows["visits"] = block[tree.VISITS] - priors
    with np.errstate(invalid="ignore", divide="ignore"):
        rows["win_share"] = (block[tree.WINS] / 2 - prior_wins) / rows["visits"]
        rows["prior"] = prior_wins / priors
        rows["rave"] = block[tree.RAVE_WINS] / 2 / block[tree.RAVE_VISITS]
    pairs = zip(leads[first : first + count].tolist(), rows["visits"].tolist(), strict=True)
    rows["score"] = [mean_lead(lead, visits, komi, to_play) for lead, visits in pairs]
    order = np.lexsort((np.arange(count), -np.nan_to_num(rows["win_share"]), -rows["visits"]))
    lines = [_variation(field, memory, capacity, first + int(child)) for child in order]
    root = field[:, tree.ROOT].tolist()
    visits = root[tree.VISITS] - root[tree.PRIOR_VISITS]
    lost = (root[tree.WINS] - root[tree.PRIOR_WINS]) / 2
    return Root(
        moves=rows[order],
        variations=tuple(moves for moves, _ in lines),
        variation_visits=tuple(visits for _, visits in lines),
        value=1 - lost / visits if visits else float("nan"),
        score=mean_lead(int(leads[tree.ROOT]), visits, komi, to_play),
    )


def _variation(
    field: NDArray[np.int32], memory: NDArray[np.int64], capacity: int, entry: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The moves from an entry on, each the most visited answer, and their playouts."""
    moves, visits = [], []
    while entry != tree.LEAF:
        moves.append(int(field[tree.MOVE, entry]))
        visits.append(int(field[tree.VISITS, entry] - field[tree.PRIOR_VISITS, entry]))
        entry = int(tree.most_visited(memory, capacity, entry))
    return tuple(moves), tuple(visits)
