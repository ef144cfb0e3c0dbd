"""The search: leaves gathered, played on the lockstep kernel, and backed up.

One call of `search` is one thread's work. A thread has so many *slots*, each a leaf on its way: its path, its
position, its playouts' results. The tree and `shared` belong to all threads.
"""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add64, load64, time_stamp
from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers
from foogo.core.stream import STATE_WORDS, start
from foogo.game.geometry import WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import area
from foogo.playout.kernels import batch
from foogo.search.kernels import tree as t
from foogo.search.kernels.backup import count_owners, settle, settle_end
from foogo.search.kernels.descent import COLOR, EQUIVALENCE, KO, LAST, LEAF_FIELDS, TERMINAL, descend, pack
from foogo.search.kernels.learned_prior import new_scratch
from foogo.search.kernels.priors import grow, new_block
from foogo.search.kernels.tiles import NO_POINT

LEAVES_AT_ONCE = 8
"""Leaves that a thread is given simulations for at a time, so that threads seldom meet there."""

TREE_STREAM = np.uint64(1 << 63)
"""Streams of the descents begin here, beyond every playout number."""


@kernel(announce="the search")
def search(
    layout, geometry, policy, memory, shared, root, rules, numbers_of, limits, refill, weights, tables,
    avoided, past, origin, starts, budget, first_number, seed, stream, owned, tally, working,
):  # fmt: skip
    """Search until `budget` simulations are given out to the threads, or `STOP` is set; the root is grown in any case.

    Parameters
    ----------
    layout, geometry, policy
        As `foogo.playout.kernels.batch.run` takes them.
    memory, shared
        The tree and what threads share, see `foogo.search.kernels.tree`.
    root
        The state of the root's board.
    rules
        (size, suicide, superko, komi).
    numbers_of
        float64: see `foogo.search.kernels.descent`.
    limits
        (playouts a leaf, visits to expand at, virtual loss).
    refill
        Whether lanes get new leaves as soon as one of them is out of work, or all leaves are played to the end first.
    weights, tables, avoided
        Of growth, see `foogo.search.kernels.priors`; `tables` without what it works in.
    past, origin
        See `foogo.search.kernels.descent.descend`; `past` is this thread's own.
    starts
        (slots, `games.PARTS`, words) of the layout's word: scratch.
    budget, first_number
        Simulations in this run, by all threads; the playout number of this thread's first.
    seed, stream
        uint64; which of the seed's streams the descents of this thread use.
    owned
        (2, points) int32: games at whose end Black, and White, owned the point: playouts and, as long as there is none,
        what two passes ended within the tree.
    tally
        What this thread counts, see `foogo.search.kernels.tree`.
    working
        Of `foogo.playout.kernels.batch.new_memory`.
    """
    size, rows, lanes = geometry.size, geometry.rows, geometry.lanes
    komi = rules[3]
    common, slots, playouts = longs(shared), len(starts), limits[0]
    most, set_words = slots * playouts, (size * size + 63) // 64
    board, random = root.copy(), np.empty(STATE_WORDS, np.uint32)
    start(random, seed, TREE_STREAM + stream)
    paths, leaves = np.empty((slots, 4 * size * size + 4), np.int32), np.empty((slots, LEAF_FIELDS), np.int64)
    turns, sizes, awaited = np.zeros(slots, np.int64), np.zeros(slots, np.int64), np.zeros(slots, np.int64)
    scores, moves, cut = np.empty(most, np.int16), np.empty(most, np.int16), np.empty(most, np.bool_)
    owners, firsts = np.zeros((most, 2, set_words), np.uint64), np.zeros((most, 2, set_words), np.uint64)
    counts = np.zeros((2, NO_POINT + 64 * set_words), np.int32)
    queue, done, progress = np.empty(most, np.int64), np.empty(most, np.int64), np.zeros(batch.FLOW_FIELDS, np.int64)
    progress[batch.POOLED], progress[batch.NEXT_KEY] = lanes, first_number
    free, idle = np.arange(slots), slots
    owner = np.empty(s.span_of(size), np.int8)
    rave = numbers_of[EQUIVALENCE] != 0.0
    tools = (tables[0], tables[1], new_block(size), new_scratch(size))
    if t.begin_growing(numbers(memory), t.ROOT):
        grow(numbers(memory), common, t.ROOT, board, origin, rules, weights, tools, past, avoided, 0)
    games, endings = batch.Batch(starts, turns, seed, first_number), batch.Results(scores, moves, cut)
    sets, flow = batch.PointSets(owners, firsts), batch.Flow(queue, done, progress)
    is_spent, issued, granted = False, 0, 0
    while True:
        began = time_stamp()
        queued = 0
        while idle and not is_spent:
            t.fetch_children(numbers(memory), t.ROOT)
            if issued >= granted:
                issued = add64(common, t.ISSUED, LEAVES_AT_ONCE * playouts)
                granted = min(issued + LEAVES_AT_ONCE * playouts, budget)
            if issued >= granted or load64(common, t.STOP):
                is_spent = True
                break
            slot, each = free[idle - 1], min(playouts, granted - issued)
            issued += each
            path, leaf, now = paths[slot], leaves[slot], (each, limits[1], min(limits[2], each))
            board[:] = root
            descend(
                memory, shared, board, rules, numbers_of, now, weights, tools, avoided, past, origin,
                path, leaf, random,
            )  # fmt: skip
            if leaf[TERMINAL]:
                lead = area(board, size, owner)
                if tally[t.PLAYOUTS] == 0:
                    count_owners(owner, size, each, owned)
                settle_end(memory, komi, now, rave, path, leaf, lead, counts)
                tally[t.DONE] += each
                continue
            pack(board, size, rows, leaf[COLOR], leaf[KO], leaf[LAST], starts[slot])
            turns[slot] = leaf[COLOR] == WHITE
            sizes[slot] = awaited[slot] = each
            for game in range(slot * playouts, slot * playouts + each):
                queue[queued] = game
                queued += 1
            idle -= 1
        chosen = time_stamp()
        tally[t.SELECTION_TIME] += chosen - began
        progress[batch.GIVEN], progress[batch.QUEUED], progress[batch.FINISHED] = 0, queued, 0
        progress[batch.LEFT] += queued
        if progress[batch.LEFT] == 0:
            return
        progress[batch.DRAIN] = is_spent or not refill
        batch.run(layout, geometry, policy, games, endings, sets, working, flow)
        played = time_stamp()
        tally[t.PLAYOUT_TIME] += played - chosen
        for i in range(progress[batch.FINISHED]):
            slot = done[i] // playouts
            awaited[slot] -= 1
            if awaited[slot]:
                continue
            first, each = slot * playouts, sizes[slot]
            now = each, limits[1], min(limits[2], each)
            if tally[t.PLAYOUTS] == 0:
                owned[:] = 0
            results = scores[first : first + each], owners[first : first + each], firsts[first : first + each]
            settle(memory, komi, now, rave, paths[slot], leaves[slot], results, counts, owned)
            owners[first : first + each] = 0
            firsts[first : first + each] = 0
            tally[t.PLAYOUTS] += each
            tally[t.DONE] += each
            free[idle] = slot
            idle += 1
        tally[t.BACKUP_TIME] += time_stamp() - played
