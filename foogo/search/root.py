"""The statistics of the moves at the root of a search tree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.search.kernels import tree
from foogo.search.kernels.tiles import TreeArrays, read
from foogo.search.result import MOVE_FIELDS, lower_bound, mean_lead


class RootMoves(NamedTuple):
    """The fields of a `foogo.search.result.SearchResult` that come from the tree alone, as defined there."""

    moves: NDArray[np.void]
    variations: tuple[tuple[int, ...], ...]
    variation_visits: tuple[tuple[int, ...], ...]
    value: float
    score: float


def read_root(
    arrays: TreeArrays, komi: float, to_play: int, deepest: int, finished: int, lcb_share: float
) -> RootMoves:
    """Read a tree, which may be growing, with `to_play` to move at its root.

    `deepest` is the most moves of a variation, and `finished` the playouts of the root that are no longer in flight.
    """
    root = read(arrays.memory, tree.ROOT, 1)[0]
    first, count = int(root["first"]), int(root["count"])
    children = read(arrays.memory, first, count)
    rows = np.empty(count, MOVE_FIELDS)
    priors, prior_wins = children["prior_visits"], children["prior_wins"] / 2
    rows["move"] = children["move"]
    rows["visits"] = children["visits"] - priors
    with np.errstate(invalid="ignore", divide="ignore"):
        rows["win_share"] = (children["wins"] / 2 - prior_wins) / rows["visits"]
        rows["prior"] = prior_wins / priors
        rows["rave"] = children["rave_wins"] / 2 / children["rave_visits"]
    pairs = zip(children["lead"].tolist(), rows["visits"].tolist(), strict=True)
    rows["score"] = [mean_lead(lead, visits, komi, to_play) for lead, visits in pairs]
    order = np.lexsort((np.arange(count), -np.nan_to_num(rows["win_share"]), -rows["visits"]))
    best = _surest(rows[order], lcb_share)
    order[: best + 1] = np.roll(order[: best + 1], 1)
    line = np.empty((deepest, 2), np.int64)
    lines = [line[: tree.variation(arrays, first + child, line)].T.tolist() for child in order.tolist()]
    lost = (int(root["wins"]) - int(root["prior_wins"])) / 2
    return RootMoves(
        moves=rows[order],
        variations=tuple(tuple(moves) for moves, _ in lines),
        variation_visits=tuple(tuple(playouts) for _, playouts in lines),
        value=min(max(1 - lost / finished, 0.0), 1.0) if finished else float("nan"),
        score=mean_lead(int(root["lead"]), finished, komi, to_play),
    )


def _surest(rows: NDArray[np.void], lcb_share: float) -> int:
    """The index of the best move, given moves of which the first is the most visited."""
    visits = rows["visits"]
    rivals = rows[(visits > 0) & (visits >= lcb_share * visits[0])]
    bounds = [lower_bound(float(row["win_share"]), int(row["visits"])) for row in rivals]
    return int(np.argmax(bounds)) if bounds else 0
