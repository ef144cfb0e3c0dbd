"""The search: leaves are gathered, played on the lockstep kernel, and backed up.

One call of `search` is the work of one thread. All threads share the tree; everything else belongs to one of them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import add64, load64, time_stamp
from foogo.core.jit import kernel
from foogo.core.stream import STATE_WORDS, start
from foogo.game.geometry import WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import area
from foogo.playout.kernels import batch
from foogo.search.kernels import tree as t
from foogo.search.kernels.backup import PlayoutResults, count_owners, settle_end, settle_playouts
from foogo.search.kernels.descent import LeafLimits, Path, descend, pack
from foogo.search.kernels.growth import grow
from foogo.search.kernels.tiles import open_tree

LEAVES_AT_ONCE = 8
"""Leaves for which a thread reserves simulations at a time, so that threads rarely contend for the counter."""

TREE_STREAM = np.uint64(1 << 63)
"""The first random stream of the descents, beyond every playout number."""

DONE, PLAYOUTS, SELECTION_TIME, PLAYOUT_TIME, BACKUP_TIME = range(5)
"""The per-thread counts of a run (int64): finished simulations; those of them that were playouts; time stamps
spent in each part."""
TALLY = 16
"""Numbers from one thread's counts to the next thread's: two cache lines."""


class LockstepSettings(NamedTuple):
    """The settings of the playouts, see `foogo.playout.kernels.batch.run`."""

    rules: batch.PlayoutRules
    policy: Any
    memory: batch.Memory


class Run(NamedTuple):
    """The work of one thread in a run, and its counts."""

    budget: int
    """Simulations of all threads together."""
    first_number: np.uint64
    """The playout number of this thread's first playout."""
    seed: np.uint64
    stream: np.uint64
    """The random stream of the seed that this thread's descents use."""
    owned: NDArray[np.int32]
    """(2, points): games at whose end Black, and White, owned the point. They are playouts, or as long as there is no
    playout, games that two passes ended in the tree."""
    tally: NDArray[np.int64]
    """See `DONE`."""


@kernel(announce="the search")
def search(layout, lockstep, arrays, root, settings, growth, slots, run):
    """Search until the threads have issued `run.budget` simulations or `STOP` is set. The root grows in either case.

    Parameters
    ----------
    layout
        The `foogo.playout.kernels.layout.Layout`.
    lockstep, settings, growth, slots, run
        `LockstepSettings`, `foogo.search.kernels.descent.SearchSettings`, `foogo.search.kernels.growth.Growth`,
        `foogo.search.kernels.slots.Slots` and `Run`.
    arrays
        The `foogo.search.kernels.tiles.TreeArrays`, common to all threads.
    root
        A `foogo.search.kernels.descent.Root`; its history is this thread's own.
    """
    tree, rules, games = open_tree(arrays), settings.rules, slots.games
    size, rows, lanes = lockstep.rules.size, lockstep.rules.rows, lockstep.rules.lanes
    queue, finished, progress = games.flow
    positions = batch.Batch(games.positions, games.turns, run.seed, run.first_number)
    owned, tally, playouts = run.owned, run.tally, settings.limits.playouts
    board, owner, random = root.board.copy(), np.empty(s.span_of(size), np.int8), np.empty(STATE_WORDS, np.uint32)
    start(random, run.seed, TREE_STREAM + run.stream)
    progress[batch.POOLED], progress[batch.NEXT_KEY] = lanes, run.first_number
    has_amaf = settings.selection.usual.equivalence != 0.0
    if t.begin_growing(tree.entries, t.ROOT):
        grow(tree, t.ROOT, root.board, rules, root.context, root.history, growth, 0)
    idle, is_spent, issued, granted = len(slots.free), False, 0, 0
    while True:
        began = time_stamp()
        queued = 0
        while idle and not is_spent:
            t.prefetch_children(tree.entries, t.ROOT)
            if issued >= granted:
                issued = add64(tree.shared, t.ISSUED, LEAVES_AT_ONCE * playouts)
                granted = min(issued + LEAVES_AT_ONCE * playouts, run.budget)
            if issued >= granted or load64(tree.shared, t.STOP):
                is_spent = True
                break
            slot, count = slots.free[idle - 1], min(playouts, granted - issued)
            issued += count
            limits = _limits_of(settings, count)
            board[:] = root.board
            leaf = descend(tree, root, board, settings, growth, limits, slots.paths[slot], random)
            if leaf.is_over:
                lead = area(board, size, owner)
                if tally[PLAYOUTS] == 0:
                    count_owners(owner, size, count, owned)
                path = Path(slots.paths[slot], leaf.depth, leaf.color)
                settle_end(tree, rules.komi, limits, path, lead, slots.counts, has_amaf)
                tally[DONE] += count
                continue
            pack(board, size, rows, leaf, games.positions[slot])
            slots.depths[slot], slots.colors[slot], games.turns[slot] = leaf.depth, leaf.color, leaf.color == WHITE
            slots.playouts[slot] = slots.unfinished[slot] = count
            for game in range(slot * playouts, slot * playouts + count):
                queue[queued] = game
                queued += 1
            idle -= 1
        chosen = time_stamp()
        tally[SELECTION_TIME] += chosen - began
        progress[batch.GIVEN], progress[batch.QUEUED], progress[batch.FINISHED] = 0, queued, 0
        progress[batch.LEFT] += queued
        if progress[batch.LEFT] == 0:
            return
        progress[batch.DRAIN] = is_spent or not settings.refill
        batch.run(
            layout, lockstep.rules, lockstep.policy, positions, games.results, games.sets, lockstep.memory, games.flow
        )
        played = time_stamp()
        tally[PLAYOUT_TIME] += played - chosen
        for i in range(progress[batch.FINISHED]):
            slot = finished[i] // playouts
            slots.unfinished[slot] -= 1
            if slots.unfinished[slot]:
                continue
            first, count = slot * playouts, slots.playouts[slot]
            if tally[PLAYOUTS] == 0:
                owned[:] = 0
            scores, owners = games.results.scores[first : first + count], games.sets.owners[first : first + count]
            first_players = games.sets.first_players[first : first + count]
            path = Path(slots.paths[slot], slots.depths[slot], slots.colors[slot])
            results, limits = PlayoutResults(scores, owners, first_players), _limits_of(settings, count)
            settle_playouts(tree, rules.komi, limits, path, results, slots.counts, owned, has_amaf)
            owners[:] = 0
            first_players[:] = 0
            tally[PLAYOUTS] += count
            tally[DONE] += count
            slots.free[idle] = slot
            idle += 1
        tally[BACKUP_TIME] += time_stamp() - played


@kernel(inline=True)
def _limits_of(settings, playouts):
    """The limits of a leaf that has this number of playouts, fewer than usual at the end of the budget."""
    limits = settings.limits
    return LeafLimits(playouts, limits.expand_at, min(limits.virtual_loss, playouts))
