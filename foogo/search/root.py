"""The statistics of the moves at the root of a search tree."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.search.kernels import proofs, tree
from foogo.search.kernels.tiles import TreeArrays, read
from foogo.search.kernels.variations import variations
from foogo.search.result import MOVE_FIELDS, lower_bounds, mean_leads


class RootMoves(NamedTuple):
    """The fields of a `foogo.search.result.SearchResult` that come from the tree alone, as defined there."""

    moves: NDArray[np.void]
    variations: tuple[tuple[int, ...], ...]
    variation_visits: tuple[tuple[int, ...], ...]
    value: float
    proven: bool
    score: float


def read_root(
    arrays: TreeArrays, komi: float, to_play: int, deepest: int, finished: int, lcb_share: float
) -> RootMoves:
    """Read a tree, which may be growing, with `to_play` to move at its root.

    `deepest` is the most moves of a variation, and `finished` the playouts of the root that are no longer in flight.
    """
    root = read(arrays.memory, tree.ROOT, 1)[0]
    first, count = tree.first_children(arrays)
    result = proofs.result_of_word(int(root["proof"]), to_play)
    children = read(arrays.memory, first, count)
    rows = np.empty(count, MOVE_FIELDS)
    priors, prior_wins = children["prior_visits"], children["prior_wins"] / 2
    rows["move"] = children["move"]
    rows["visits"] = children["visits"] - priors
    with np.errstate(invalid="ignore", divide="ignore"):
        rows["win_share"] = (children["wins"] / 2 - prior_wins) / rows["visits"]
        rows["prior"] = prior_wins / priors
        rows["rave"] = children["rave_wins"] / 2 / children["rave_visits"]
    rows["score"] = mean_leads(children["lead"], rows["visits"], komi, to_play)
    order = np.lexsort((np.arange(count), -np.nan_to_num(rows["win_share"]), -rows["visits"]))
    best = _surest(rows[order], lcb_share, _candidates(children[order], result, to_play))
    order[: best + 1] = np.roll(order[: best + 1], 1)
    lines, ends = np.empty((count * deepest, 2), np.int64), np.empty(count, np.int64)
    variations(arrays, first + order, lines, ends)
    moves, visits = lines[: ends[-1]].T.tolist()
    parts = [slice(start, end) for start, end in pairwise([0, *ends.tolist()])]
    of_moves = rows["visits"][order].tolist()  # a growing tree has more by now
    lost = (int(root["wins"]) - int(root["prior_wins"])) / 2
    return RootMoves(
        moves=rows[order],
        variations=tuple(tuple(moves[part]) for part in parts),
        variation_visits=tuple((own, *visits[part][1:]) for own, part in zip(of_moves, parts, strict=True)),
        value=result if result is not None else min(max(1 - lost / finished, 0.0), 1.0) if finished else math.nan,
        proven=result is not None,
        score=float(mean_leads(root["lead"], np.int64(finished), komi, to_play)),
    )


def _candidates(children: NDArray[np.void], result: float | None, to_play: int) -> NDArray[np.bool_]:
    """Which children may be the best move: those not proven lost, and if the `result` is proven, those that have it."""
    if result is None and not (children["proof"] < 0).any():
        return np.ones(len(children), np.bool_)
    results = [proofs.result_of_word(int(word), to_play) for word in children["proof"]]
    kept = np.array([one == result for one in results] if result is not None else [one != 0.0 for one in results])
    if not kept.any():
        kept = np.array([one != 0.0 for one in results])
    return kept if kept.any() else np.ones(len(children), np.bool_)


def _surest(rows: NDArray[np.void], lcb_share: float, kept: NDArray[np.bool_]) -> int:
    """The index of the best move, given moves by visits, of those that are `kept`."""
    visits = np.where(kept, rows["visits"], -1)
    most = visits.max()
    bounds = np.where((visits > 0) & (visits >= lcb_share * most), lower_bounds(rows["win_share"], visits), -1.0)
    return int(np.argmax(bounds)) if most > 0 else int(np.argmax(kept))
