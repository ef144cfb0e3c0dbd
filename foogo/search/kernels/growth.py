"""Growth: gives a leaf its children, each with its prior.

They are every legal move that fills no own eye and is not inside a certain area, and a pass.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import exchange32
from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import BLACK, PASS
from foogo.game.kernels import strings as s
from foogo.game.kernels.life import AREA, set_at
from foogo.game.kernels.positions import SIMPLE, STRING_SUICIDE, AreaScratch, area_score, new_area_scratch, suicide_kind
from foogo.search.kernels import proofs as p
from foogo.search.kernels import transpositions
from foogo.search.kernels import tree as t
from foogo.search.kernels.certainty import Certainty, decide, new_certainty
from foogo.search.kernels.moves import is_open, superko_forbids
from foogo.search.kernels.network import Network, new_network
from foogo.search.kernels.priors import NO_VALUE, Prior, PriorScratch, judge, new_scratch, rounded
from foogo.search.kernels.proofs import UNKNOWN
from foogo.search.kernels.tiles import COUNT, FIRST, HISTORY, NO_KEY, SUPERKO, at, children_of, tiles_of

LEGAL, FORBIDDEN, SUICIDE = range(3)
"""What `_legality` returns."""

NEVER = 1 << 30
"""`Growth.shared_from` where no children are shared."""

PASS_SHARE = 0.3
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
    certainty: Certainty
    repeats: NDArray[np.uint64]
    """The set of children whose move may repeat a situation."""
    shared_from: int
    """The depth from which on children may be those of another entry: nothing is avoided there."""
    held: NDArray[np.int64]
    """Empty; or `HELD` numbers, see `HELD_FIRST`: `grow` then leaves the children to be published by its caller."""


HELD_FIRST, HELD_COUNT, HELD_RESULT, HELD_ENTRY, HELD_FLAGS, HELD_COLOR = range(6)
"""The entries of `Growth.held`: the first of the entries that were allocated for the children; the children; the half
wins of a pass that ends the game, or `UNKNOWN`; the leaf that grows; its flags for `publish`; the colour to play."""
HELD = 6


def new_growth(
    size: int,
    prior: Prior,
    feature_weights: NDArray[np.float32],
    network_weights: NDArray[np.int32],
    avoided_depths: NDArray[np.int32],
    is_certain: bool = True,
) -> Growth:
    """A `Growth` with scratch memory of its own; `is_certain` is `SearchParameters.certainty`."""
    scratch, area = new_scratch(size), new_area_scratch(size)
    network, children = new_network(size, network_weights), t.new_children(size)
    repeats = np.zeros(s.words_of.py_func(size), np.uint64)
    is_shared = size in transpositions.SIZES and len(network_weights) > 0
    shared_from = max(1, int(avoided_depths.max())) if is_shared else NEVER
    return Growth(
        prior, feature_weights, network, avoided_depths, children, scratch, area,
        new_certainty(size, is_certain), repeats, shared_from, np.empty(0, np.int64),
    )  # fmt: skip


@kernel
def grow(tree, entry, board, rules, context, history, growth, depth):
    """Give the claimed leaf `entry`, `depth` moves from the root, its children, or mark the tree as full.

    They are those of another entry that has the same position, if one is known. A leaf below the root whose result is
    certain gets no children; the result is noted. Returns the win share of the player to move by the other entry, or by
    the network; `NO_VALUE` without either.
    """
    size, avoided, certainty = rules.size, growth.avoided_depths[context.color - 1], growth.certainty
    children, key, is_held = t.pointers_to(growth.children), NO_KEY, len(growth.held) != 0
    if rules.superko != SIMPLE and depth >= growth.shared_from:
        key = transpositions.key_of(size, context, history)
        share = transpositions.share_children(tree, entry, key, board, rules, context, history)
        if share >= np.float32(0.0):
            return share
    if certainty.is_on:
        low, high = decide(board, rules, context, history, certainty)
        if low or high < 2:
            p.prove(tree.entries, entry, context.color, low, high)
            if low == high and depth:
                exchange32(tree.entries, at(FIRST, entry), t.LEAF)
                return np.float32(NO_VALUE)
    room = _most_moves(words(board), size, context.color) + 1
    first = t.allocate(tree, entry, room)
    if first == t.LEAF:
        return np.float32(NO_VALUE)
    t.prefetch_new(tree.entries, first, room)
    count, flags = _find_moves(board, rules, context, history, growth, depth, children)
    prior = growth.prior
    certain, value = judge(board, rules, context, count, children, growth)
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
    else:
        flags |= p.AVOIDED
    if not certainty.is_on:
        flags &= HISTORY | SUPERKO | p.REPEATABLE
    if is_held:
        held = growth.held
        held[HELD_FIRST], held[HELD_COUNT], held[HELD_RESULT] = first, count, result
        held[HELD_FLAGS], held[HELD_COLOR] = flags & ~p.REPEATABLE, context.color
    else:
        t.write_block(tree.entries, first, count, tiles_of(count), children)
        if flags & p.REPEATABLE:
            _mark_repeats(tree.entries, first, count, size, children, growth.repeats)
        publish(tree, entry, first, count, flags, key)
        if certainty.is_on and result != UNKNOWN:
            prove_pass(tree.entries, entry, context.color, result)
    return value


@kernel(inline=True)
def publish(tree, entry, first, count, flags, key):
    """Add the flags, then publish the children."""
    p.add_flags(tree.entries, entry, flags)
    t.publish(tree, entry, first, count, key)


@kernel
def _mark_repeats(entries, first, count, size, children, repeats):
    """Mark the children whose cells are in a set, `Growth.repeats`."""
    repeated = words(repeats)
    for i in range(count):
        if children.moves[i] != PASS and _includes(repeated, 0, size, children.cells[i]):
            entries[at(COUNT, first + i)] = HISTORY


@kernel
def prove_pass(entries, entry, color, result):
    """Note that a pass of `color`, the last child of `entry`, ends the game with that many half wins for it."""
    black = result if color == BLACK else 2 - result
    child = np.int64(entries[at(FIRST, entry)]) + children_of(entries, entry) - 1
    p.prove_end(entries, child, 3 - color, black)
    p.prove_from_children(entries, entry, color)


@kernel
def extend(tree, entry, board, rules, context, history, growth, depth):
    """Replace the children of `entry`, which are proven not to help, by the moves that fill own eyes.

    If it has `CUT`, one move inside the opponent's certain area follows, in place of all moves in certain areas; where
    there is no such move, all moves in its own area come along. The thread has claimed this, see
    `foogo.search.kernels.proofs.claim_extension`. In a full tree nothing is done.
    """
    entries, children, count = tree.entries, t.pointers_to(growth.children), 0
    avoided, size, prior = growth.avoided_depths[context.color - 1], rules.size, growth.prior
    flags, repeats, is_noted = 0, words(growth.repeats), rules.superko != SIMPLE
    for w in range(s.words_of(size)):
        repeats[w] = np.uint64(0)
    decide(board, rules, context, history, growth.certainty)
    stray, has_cut = np.int64(s.NOWHERE), entries[at(COUNT, entry)] & p.CUT != 0
    if has_cut:
        stray = _stray(board, rules, context, history, growth, depth)
    for w in range(s.words_of(size)):
        cut, left = growth.certainty.cut[w], _eyes(words(board), size, context.color, w)
        left = left | cut if has_cut and stray == s.NOWHERE else left & ~cut
        while left:
            cell = s.cell_of_bit(size, w, lowest(left))
            left &= left - np.uint64(1)
            legality = _legality(board, cell, rules, context, history)
            if legality == FORBIDDEN:
                flags |= p.BANNED if cell == context.ko else p.BANNED | SUPERKO | HISTORY
            elif legality == LEGAL and avoided[s.point_of(size, cell)] > depth:
                flags |= p.AVOIDED
            elif legality == LEGAL:
                count = _add_child(children, count, size, cell, prior)
    if stray != s.NOWHERE:
        count = _add_child(children, count, size, stray, prior)
    for i in range(count):
        if is_noted and _may_repeat(board, children.cells[i], rules, context, history):
            s.include(repeats, 0, size, np.int64(children.cells[i]))
            flags |= p.REPEATABLE
    p.add_flags(entries, entry, flags)
    if count:
        # At least as many tiles as the old children have, for threads that know the old number of them.
        tiles = max(tiles_of(count), tiles_of(children_of(entries, entry)))
        first = t.reserve(tree, tiles)
        if first == t.LEAF:
            return
        t.write_block(entries, first, count, tiles, children)
        _mark_repeats(entries, first, count, size, children, growth.repeats)
        t.replace(tree, entry, first, count)
    p.complete(entries, entry, count, stray != s.NOWHERE)


@kernel(inline=True)
def _stray(board, rules, context, history, growth, depth):
    """A cell inside the opponent's certain area where a move is legal and not avoided, or `NOWHERE`.

    `decide` was called before.
    """
    size, certainty, avoided = rules.size, growth.certainty, growth.avoided_depths[context.color - 1]
    area, sets = set_at(size, 3 - context.color, AREA), words(certainty.life.sets)
    for w in range(s.words_of(size)):
        left = certainty.cut[w] & sets[area + w]
        while left:
            cell = s.cell_of_bit(size, w, lowest(left))
            left &= left - np.uint64(1)
            if avoided[s.point_of(size, cell)] <= depth and _legality(board, cell, rules, context, history) == LEGAL:
                return cell
    return np.int64(s.NOWHERE)


@kernel
def _legality(board, cell, rules, context, history):
    """Whether a move on an empty cell is `LEGAL`; `FORBIDDEN` by ko or superko; or else `SUICIDE`."""
    cells = halfwords(board)
    if cell == context.ko:
        return FORBIDDEN
    if not is_open(suicide_kind(cells, rules.size, context.color, cell), rules.suicide):
        return SUICIDE
    if rules.superko != SIMPLE and superko_forbids(cells, cell, rules, context, history):
        return FORBIDDEN
    return LEGAL


@kernel
def _may_repeat(board, cell, rules, context, history):
    """Whether a legal move could repeat a situation: the player had a stone there before, or it is suicide."""
    cells, set_words = halfwords(board), s.words_of(rules.size)
    return (
        _includes(words(history.stood), (1 + context.color) * set_words, rules.size, cell)
        or suicide_kind(cells, rules.size, context.color, cell) == STRING_SUICIDE
    )


@kernel(inline=True)
def _includes(sets, first_word, size, cell):
    """Whether `cell` is in the set that begins at `first_word`."""
    place = cell - s.first_cell(size)
    return sets[first_word + (place >> 6)] >> np.uint64(place & 63) & np.uint64(1) != np.uint64(0)


@kernel(inline=True)
def _add_child(children, count, size, cell, prior):
    """Add a move, with an even prior, to the `count` children; returns their number."""
    children.cells[count], children.moves[count] = cell, s.point_of(size, cell)
    children.visits[count], children.wins[count] = rounded(prior.even, 0.5 * prior.even)
    return count + 1


@kernel(inline=True)
def _eyes(state, size, color, w):
    """The w-th word of the own eyes: empty points that are candidates only for the other colour."""
    return state[s.candidates_at(size, 3 - color) + w] & ~state[s.candidates_at(size, color) + w]


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
def _find_moves(board, rules, context, history, growth, depth, children):
    """Write the moves that become children, as cells and points; returns their number, and flags of the entry."""
    size, color, state, cells = rules.size, context.color, words(board), halfwords(board)
    avoided, certainty, flags = growth.avoided_depths[color - 1], growth.certainty, 0
    first_word, base, stride, count = s.candidates_at(size, color), size + 2, size + 1, 0
    stood, stood_at, repeats = words(history.stood), (1 + color) * s.words_of(size), words(growth.repeats)
    per_row = (1 << 16) // stride + 1  # so that a place's row is (place * per_row) >> 16
    for w in range(s.words_of(size)):
        left = state[first_word + w]
        if certainty.is_on:
            eyes = _eyes(state, size, color, w)
            if (left | eyes) & certainty.cut[w]:
                left &= ~certainty.cut[w]
                flags |= p.CUT
            if eyes & ~certainty.cut[w]:
                flags |= p.LACKING
        # Only a move without an empty neighbour can be suicide or take a ko. Two empty points side by side are no eyes,
        # so the empty neighbour would be a candidate too: it is enough to look beside the candidates.
        closed, suicides = left & ~s.beside(state, first_word, size, w), np.uint64(0)
        while closed:
            bit = closed & (~closed + np.uint64(1))
            closed ^= bit
            cell = 64 * w + lowest(bit) + base
            kind = suicide_kind(cells, size, color, cell)
            is_legal = is_open(kind, rules.suicide)
            if cell == context.ko:
                is_legal = False
                flags |= p.BANNED
            elif is_legal and kind == STRING_SUICIDE and rules.superko != SIMPLE:
                suicides |= bit
                if superko_forbids(cells, cell, rules, context, history):
                    is_legal = False
                    flags |= p.BANNED | SUPERKO | HISTORY
            if not is_legal:
                left ^= bit
        # Any other repeated situation has this move's stone on the board, so the player had a stone there before.
        again = left & stood[stood_at + w] if rules.superko != SIMPLE else np.uint64(0)
        while again:
            bit = again & (~again + np.uint64(1))
            again ^= bit
            if superko_forbids(cells, 64 * w + lowest(bit) + base, rules, context, history):
                left ^= bit
                flags |= p.BANNED | SUPERKO | HISTORY
        repeats[w] = left & (stood[stood_at + w] | suicides) if rules.superko != SIMPLE else np.uint64(0)
        if repeats[w]:
            flags |= p.REPEATABLE
        while left:
            place = 64 * w + lowest(left)
            left &= left - np.uint64(1)
            point = place - ((place * per_row) >> 16)
            if avoided[point] <= depth:
                children.cells[count], children.moves[count] = place + base, point
                count += 1
            else:
                flags |= p.AVOIDED
    return count, flags
