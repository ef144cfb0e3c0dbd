"""Growth: gives a leaf its children (every legal move that fills no own eye, and a pass), each with its prior."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import BLACK, PASS
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import SIMPLE, STRING_SUICIDE, AreaScratch, area_score, new_area_scratch, suicide_kind
from foogo.search.kernels import tree as t
from foogo.search.kernels.moves import is_open, superko_forbids
from foogo.search.kernels.network import Network, new_network
from foogo.search.kernels.priors import NO_VALUE, Prior, PriorScratch, judge, new_scratch, rounded

PASS_SHARE = 0.1
"""The prior win share of a pass. Above zero, so that a pass is tried where every move loses, as in a seki."""


class Growth(NamedTuple):
    """The inputs of growth besides the position, and scratch: the children before they are published, and more."""

    prior: Prior
    feature_weights: NDArray[np.float32]
    network: Network
    avoided_depths: NDArray[np.int32]
    """See `foogo.search.restrictions.avoided_depths`."""
    children: t.Children
    scratch: PriorScratch
    area: AreaScratch
    held: NDArray[np.int64]
    """Empty; or `HELD` numbers, see `HELD_FIRST`: `grow` then leaves the children to be published by its caller."""


HELD_FIRST, HELD_COUNT, HELD_RESULT, HELD_ENTRY = range(4)
"""The entries of `Growth.held`: the first of the entries that were allocated for the children; the children; the half
wins of a pass that ends the game, or `UNKNOWN`; the leaf that grows."""
HELD = 4

UNKNOWN = -1
"""The result of a pass that does not end the game."""


def new_growth(
    size: int,
    prior: Prior,
    feature_weights: NDArray[np.float32],
    network_weights: NDArray[np.float32],
    avoided_depths: NDArray[np.int32],
) -> Growth:
    """A `Growth` with scratch memory of its own."""
    scratch, area = new_scratch(size), new_area_scratch(size)
    network, children = new_network(size, network_weights), t.new_children(size)
    held = np.empty(0, np.int64)
    return Growth(prior, feature_weights, network, avoided_depths, children, scratch, area, held)


@kernel
def grow(tree, entry, board, rules, context, history, growth, depth):
    """Give the claimed leaf `entry`, `depth` moves from the root, its children, or mark the tree as full.

    Returns the win share of the player to move by the network, `NO_VALUE` without one.
    """
    size, avoided = rules.size, growth.avoided_depths[context.color - 1]
    cells, children = halfwords(board), t.pointers_to(growth.children)
    room = _most_moves(words(board), size, context.color) + 1
    first = t.allocate(tree, entry, room)
    if first == t.LEAF:
        return np.float32(NO_VALUE)
    t.prefetch_new(tree.entries, first, room)
    count = _find_moves(board, rules, context, history, avoided, depth, children)
    prior = growth.prior
    certain, value = judge(cells, rules, context, count, children, growth)
    result = UNKNOWN
    if not count or avoided[size * size] <= depth:
        if context.last == s.PASSED:
            # This pass ends the game, so its result is known.
            lead = area_score(board, size, growth.area) - rules.komi
            gain = lead if context.color == BLACK else -lead
            result = 2 if gain > 0 else 1 if gain == 0 else 0
        children.moves[count] = PASS
        children.visits[count], children.wins[count] = prior_of_pass(prior, certain, result)
        count += 1
    if len(growth.held):
        growth.held[HELD_FIRST], growth.held[HELD_COUNT], growth.held[HELD_RESULT] = first, count, result
    else:
        t.publish(tree, entry, first, count, children)
    return value


@kernel(inline=True)
def prior_of_pass(prior, certain, result):
    """The prior of a pass in the form of an entry; `certain` is what `judge` returned, `result` see `HELD_RESULT`."""
    visits, wins = prior.passing + certain, PASS_SHARE * prior.passing + certain
    if result != UNKNOWN:
        wins = visits * (0.5 * result)
    return rounded(visits, wins)


@kernel(inline=True)
def _most_moves(state, size, color):
    """The number of moves before ko, superko and suicide are excluded."""
    count = 0
    for w in range(s.words_of(size)):
        count += population(state[s.candidates_at(size, color) + w])
    return count


@kernel
def _find_moves(board, rules, context, history, avoided, depth, children):
    """Write the moves that become children, as cells and points; returns their number."""
    size, color, state, cells = rules.size, context.color, words(board), halfwords(board)
    first_word, base, stride, count = s.candidates_at(size, color), size + 2, size + 1, 0
    stood, stood_at = words(history.stood), (1 + color) * s.words_of(size)
    per_row = (1 << 16) // stride + 1  # so that a place's row is (place * per_row) >> 16
    for w in range(s.words_of(size)):
        left = state[first_word + w]
        # Only a move without an empty neighbour can be suicide or take a ko. Two empty points side by side are no eyes,
        # so the empty neighbour would be a candidate too: it is enough to look beside the candidates.
        closed = left & ~s.beside(state, first_word, size, w)
        while closed:
            bit = closed & (~closed + np.uint64(1))
            closed ^= bit
            cell = 64 * w + lowest(bit) + base
            kind = suicide_kind(cells, size, color, cell)
            if cell == context.ko or not is_open(kind, rules.suicide) or (
                kind == STRING_SUICIDE
                and rules.superko != SIMPLE
                and superko_forbids(cells, cell, rules, context, history)
            ):  # fmt: skip
                left ^= bit
        # Any other repeated situation has this move's stone on the board, so the player had a stone there before.
        again = left & stood[stood_at + w] if rules.superko != SIMPLE else np.uint64(0)
        while again:
            bit = again & (~again + np.uint64(1))
            again ^= bit
            if superko_forbids(cells, 64 * w + lowest(bit) + base, rules, context, history):
                left ^= bit
        while left:
            place = 64 * w + lowest(left)
            left &= left - np.uint64(1)
            point = place - ((place * per_row) >> 16)
            if avoided[point] <= depth:
                children.cells[count], children.moves[count] = place + base, point
                count += 1
    return count
