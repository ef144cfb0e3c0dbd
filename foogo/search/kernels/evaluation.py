"""Leaves that wait for an evaluator: a batch of positions as planes, and what becomes of the answers.

An evaluator gives each leaf two things. Its policy weighs the moves of the leaf's children, in place of the weights of
features: `foogo.search.kernels.priors.spread` turns either into priors. Its value is blended with the leaf's playouts:
`foogo.search.kernels.backup.Blend`.

A leaf that grows holds its children back until the answer is there. It stays `GROWING` until then, so that no other
descent goes below it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import exchange32
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, reals
from foogo.game.geometry import BLACK, PASS
from foogo.game.kernels.planes import PLANES, write_planes
from foogo.search.kernels import tree as t
from foogo.search.kernels.growth import (
    HELD,
    HELD_COLOR,
    HELD_COUNT,
    HELD_ENTRY,
    HELD_FIRST,
    HELD_FLAGS,
    HELD_RESULT,
    Growth,
    prior_of_pass,
    prove_pass,
    publish,
)
from foogo.search.kernels.priors import NO_VALUE, spread
from foogo.search.kernels.proofs import UNKNOWN
from foogo.search.kernels.tiles import FIRST, NO_KEY, TILE, at, tiles_of


class Evaluation(NamedTuple):
    """The positions of a thread that are evaluated together, a row each, and the answers."""

    planes: NDArray[np.bool_]
    """(rows, planes, points): as `foogo.game.kernels.planes` defines them."""
    weights: NDArray[np.float32]
    """(rows, points + 1): the answered weight of each move, a logarithm to the base 2; the pass is last."""
    values: NDArray[np.float32]
    """(rows,): the answered win share of the player to move, or NaN for none."""
    held: NDArray[np.int64]
    """(rows, `HELD`): see `foogo.search.kernels.growth.HELD_FIRST`, which is `LEAF` if the leaf does not grow."""
    children: t.Children
    """(rows, room): the children held, with the priors of features."""
    used: NDArray[np.int64]
    """(1,): the rows in use."""
    rows: NDArray[np.int64]
    """(slots,): the row of the leaf in each slot."""


def new_evaluation(size: int, slots: int) -> Evaluation:
    """An `Evaluation` of at most `slots` leaves."""
    points = size * size
    room = -(-(points + 1) // TILE) * TILE
    return Evaluation(
        planes=np.zeros((slots, PLANES, points), np.bool_),
        weights=np.zeros((slots, points + 1), np.float32),
        values=np.zeros(slots, np.float32),
        held=np.zeros((slots, HELD), np.int64),
        children=t.Children(*np.zeros((4, slots, room), np.int32)),
        used=np.zeros(1, np.int64),
        rows=np.zeros(slots, np.int64),
    )


@kernel(inline=True)
def holding(growth, evaluation):
    """The `Growth` that leaves the children of the next leaf in the next row."""
    row = evaluation.used[0]
    evaluation.held[row, HELD_FIRST] = t.LEAF
    children = evaluation.children
    held_children = t.Children(children.cells[row], children.moves[row], children.visits[row], children.wins[row])
    return Growth(
        growth.prior,
        growth.feature_weights,
        growth.network,
        growth.avoided_depths,
        held_children,
        growth.scratch,
        growth.area,
        growth.certainty,
        growth.repeats,
        growth.shared_from,
        evaluation.held[row],
    )


@kernel
def hold(evaluation, entry, board, size, color, ko):
    """Add the leaf `entry` to the batch, with `color` to move and `ko` forbidden; returns its row.

    A leaf that does not grow may be there already, because another descent reached it: they share the row.
    """
    row, held = evaluation.used[0], evaluation.held
    if held[row, HELD_FIRST] == t.LEAF:
        for earlier in range(row):
            if held[earlier, HELD_ENTRY] == entry:
                return earlier
    held[row, HELD_ENTRY] = entry
    write_planes(halfwords(board), size, color, ko, evaluation.planes[row])
    evaluation.used[0] += 1
    return row


@kernel
def publish_held(tree, growth, evaluation, is_answered, has_weights):
    """Publish the children of each leaf that grew, with the priors of the answered weights or else of features.

    Without an answer the leaf stays one. The batch is empty then.
    """
    held, passing = evaluation.held, evaluation.weights.shape[1] - 1
    for row in range(evaluation.used[0]):
        first, entry = held[row, HELD_FIRST], held[row, HELD_ENTRY]
        if first == t.LEAF:
            continue
        if not is_answered:
            exchange32(tree.entries, at(FIRST, entry), t.LEAF)
            continue
        count, all_held = held[row, HELD_COUNT], evaluation.children
        children = t.pointers_to(
            t.Children(all_held.cells[row], all_held.moves[row], all_held.visits[row], all_held.wins[row])
        )
        if has_weights:
            weights, values, moves = evaluation.weights[row], reals(growth.scratch.values), count
            if children.moves[count - 1] == PASS:
                moves -= 1
            most = weights[passing]
            for i in range(moves):
                values[i] = weights[children.moves[i]]
                most = max(most, values[i])
            certain = spread(values, weights[passing], most, moves, children, growth.prior, growth.scratch)
            if moves != count:
                result = held[row, HELD_RESULT]
                children.visits[moves], children.wins[moves] = prior_of_pass(growth.prior, certain, result)
        t.write_block(tree.entries, first, count, tiles_of(count), children)
        publish(tree, entry, first, count, held[row, HELD_FLAGS], NO_KEY)
        if growth.certainty.is_on and held[row, HELD_RESULT] != UNKNOWN:
            prove_pass(tree.entries, entry, held[row, HELD_COLOR], held[row, HELD_RESULT])
    evaluation.used[0] = 0


@kernel(inline=True)
def answered_value(evaluation, slot, color):
    """Black's win share at the leaf in a slot, with `color` to move; `NO_VALUE` if there is no answer."""
    value = evaluation.values[evaluation.rows[slot]]
    if value != value:
        return np.float32(NO_VALUE)
    return value if color == BLACK else np.float32(1.0) - value
