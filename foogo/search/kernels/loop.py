"""The search: leaves are gathered, played on the lockstep kernel, and backed up.

One call of `search` is the work of one thread. All threads share the tree; everything else belongs to one of them.
Only `search` itself is compiled for each board size and policy, because playouts are. All it does is call the others,
whose types do not depend on the size.

With an evaluator, which is Python, a thread takes the same steps from Python: `open_evaluated`, then in turns
`gather_evaluated`, the evaluator, `publish_evaluated` and `play_evaluated`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.atomics import add64, load64, time_stamp
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.stream import next_random, start
from foogo.game.geometry import WHITE
from foogo.game.kernels.positions import area_score
from foogo.playout.kernels import batch
from foogo.search.kernels import tree as t
from foogo.search.kernels.backup import PlayoutResults, blend_of, clear, count_owners, settle_end, settle_playouts
from foogo.search.kernels.certainty import half_wins
from foogo.search.kernels.descent import LeafLimits, Path, descend, pack
from foogo.search.kernels.evaluation import answered_value, hold, holding, publish_held
from foogo.search.kernels.growth import HELD_FIRST, grow
from foogo.search.kernels.proofs import UNKNOWN, is_solved, prove_end, spread
from foogo.search.kernels.slots import GATHERED_AT, GRANTED, IDLE, IS_SPENT, ISSUED
from foogo.search.kernels.tiles import open_tree

LEAVES_AT_ONCE = 8
"""Leaves for which a thread reserves simulations at a time, so that threads rarely contend for the counter."""

CHANCES = float(1 << 32)
"""The values of a random number."""

TREE_STREAM = np.uint64(1 << 63)
"""The first random stream of the descents, beyond every playout number."""

PROVEN_AT = 1000
"""Simulations after which a search ends if the result of the root is proven."""

DONE, PLAYOUTS, SELECTION_TIME, PLAYOUT_TIME, BACKUP_TIME, EVALUATION_TIME = range(6)
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
    seed: np.uint64
    stream: np.uint64
    """The random stream of the seed that this thread's descents use."""
    owned: NDArray[np.int32]
    """(2, points): games at whose end Black, and White, owned the point. They are playouts, or as long as there is no
    playout, games that two passes ended in the tree."""
    tally: NDArray[np.int64]
    """See `DONE`."""
    board: NDArray[np.uint64]
    """Scratch: the state of a leaf's board."""
    random: NDArray[np.uint32]
    """(`foogo.core.stream.STATE_WORDS`,): the state of the stream of the descents."""


@kernel(announce=Compilation("the search", 150, 15))
def search(layout, lockstep, arrays, root, settings, growth, slots, run):
    """Search until `STOP` is set, the threads have issued `run.budget` simulations, or the root's result is proven.

    The root grows in any case. A proof ends the search only after `PROVEN_AT` simulations.

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
    _begin(arrays, root, settings, growth, run)
    while _gather(arrays, root, settings, growth, slots, run, None):
        _play(layout, lockstep, slots.games, run.seed)
        _harvest(arrays, settings, slots, run, None)


@kernel(inline=True)
def _play(layout, lockstep, games, seed):
    """Play the games queued, to the end or until a lane has nothing to play."""
    # The flow has its own playout numbers, see `batch.NEXT_KEY`.
    positions = batch.Batch(games.positions, games.turns, seed, np.uint64(0))
    batch.run(
        layout, lockstep.rules, lockstep.policy, positions, games.results, games.sets, lockstep.memory, games.flow
    )


@kernel
def open_evaluated(arrays, root, settings, growth, slots, run, evaluation):
    """Key the stream of the descents; if the root has to grow, it becomes the batch."""
    context, slots.state[GATHERED_AT] = root.context, time_stamp()
    _begin(arrays, root, settings, holding(growth, evaluation), run)
    if evaluation.held[0, HELD_FIRST] != t.LEAF:
        hold(evaluation, t.ROOT, root.board, settings.rules.size, context.color, context.ko)


@kernel
def gather_evaluated(arrays, root, settings, growth, slots, run, evaluation):
    """Find a leaf for each slot, queue its games, and add its position to the batch; returns whether there is any."""
    return _gather(arrays, root, settings, growth, slots, run, evaluation)


@kernel
def publish_evaluated(arrays, growth, slots, run, evaluation, is_answered, has_weights):
    """Publish the children of the leaves that grew, see `foogo.search.kernels.evaluation.publish_held`."""
    publish_held(open_tree(arrays), growth, evaluation, is_answered, has_weights)
    now = time_stamp()
    run.tally[EVALUATION_TIME] += now - slots.state[GATHERED_AT]
    slots.state[GATHERED_AT] = now


@kernel(announce=Compilation("the search", 150, 15))
def play_evaluated(layout, lockstep, arrays, settings, slots, run, evaluation):
    """Play the games queued to the end, and back up each leaf."""
    _play(layout, lockstep, slots.games, run.seed)
    _harvest(arrays, settings, slots, run, evaluation)


@kernel
def _begin(arrays, root, settings, growth, run):
    """Key the stream of the descents, and grow the root."""
    start(run.random, run.seed, TREE_STREAM + run.stream)
    tree = open_tree(arrays)
    if t.begin_growing(tree.entries, t.ROOT):
        grow(tree, t.ROOT, root.board, settings.rules, root.context, root.history, growth, 0)


@kernel
def _gather(arrays, root, settings, growth, slots, run, evaluation):
    """Find a leaf for each free slot, and queue its games; returns whether there are games to play.

    `evaluation` is the `foogo.search.kernels.evaluation.Evaluation` to which their positions are added, or None.
    """
    began = time_stamp()
    tree, rules, games, state = open_tree(arrays), settings.rules, slots.games, slots.state
    queue, progress = games.flow.queue, games.flow.progress
    size, owned, tally, playouts = rules.size, run.owned, run.tally, settings.limits.playouts
    idle, is_spent, issued, granted = state[IDLE], state[IS_SPENT] != 0, state[ISSUED], state[GRANTED]
    has_amaf, queued = settings.selection.has_amaf, 0
    while idle and not is_spent:
        t.prefetch_children(tree.entries, t.ROOT)
        if issued >= granted:
            issued = add64(tree.shared, t.ISSUED, LEAVES_AT_ONCE * playouts)
            granted = min(issued + LEAVES_AT_ONCE * playouts, run.budget)
        is_proven = issued >= PROVEN_AT and is_solved(tree.entries, t.ROOT)
        if issued >= granted or is_proven or load64(tree.shared, t.STOP):
            is_spent = True
            break
        slot, count = slots.free[idle - 1], min(playouts, granted - issued)
        issued += count
        limits, board = _limits_of(settings, count), run.board
        for word in range(len(board)):
            board[word] = root.board[word]
        if evaluation is None:
            leaf = descend(tree, root, board, settings, growth, limits, slots.paths[slot], run.random)
        else:
            held = holding(growth, evaluation)
            leaf = descend(tree, root, board, settings, held, limits, slots.paths[slot], run.random)
        if leaf.is_over or leaf.result != UNKNOWN:
            lead = area_score(board, size, growth.area)
            if tally[PLAYOUTS] == 0:
                count_owners(growth.area.owner, size, count, owned)
            path, result = Path(slots.paths[slot], leaf.depth, leaf.color), leaf.result
            if result == UNKNOWN:
                result = half_wins(lead, rules.komi)
            elif not leaf.is_over and half_wins(lead, rules.komi) != result:
                # the board as it stands says something else
                lead = t.mean_lead(tree, np.int64(path.entries[leaf.depth]), lead)
            settle_end(tree, result, limits, path, lead, slots.counts, has_amaf)
            tally[DONE] += count
            if growth.certainty.is_on:
                if leaf.is_over:
                    entry = np.int64(path.entries[leaf.depth])
                    prove_end(tree.entries, entry, leaf.color, result)
                # Again, in case another thread's proof came in between.
                spread(tree.entries, path.entries, leaf.depth, leaf.color)
            continue
        pack(board, size, leaf, games.positions[slot])
        if evaluation is not None:
            entry = np.int64(slots.paths[slot, leaf.depth])
            evaluation.rows[slot] = hold(evaluation, entry, board, size, leaf.color, leaf.ko)
        slots.values[slot] = leaf.value
        if limits.value_weight > 0.0 and (evaluation is not None or leaf.value >= np.float32(0.0)):
            # Here and not when the games have ended, as their order depends on the lanes.
            slots.chances[slot] = np.float64(next_random(run.random)) / CHANCES
        slots.depths[slot], slots.colors[slot], games.turns[slot] = leaf.depth, leaf.color, leaf.color == WHITE
        slots.playouts[slot] = slots.unfinished[slot] = count
        for game in range(slot * playouts, slot * playouts + count):
            queue[queued] = game
            queued += 1
        idle -= 1
    state[IDLE], state[IS_SPENT], state[ISSUED], state[GRANTED] = idle, is_spent, issued, granted
    progress[batch.GIVEN], progress[batch.QUEUED], progress[batch.FINISHED] = 0, queued, 0
    progress[batch.LEFT] += queued
    progress[batch.DRAIN] = is_spent or not settings.refill
    state[GATHERED_AT] = time_stamp()
    tally[SELECTION_TIME] += state[GATHERED_AT] - began
    return progress[batch.LEFT] != 0


@kernel
def _harvest(arrays, settings, slots, run, evaluation):
    """Back up each leaf whose games have all ended, and free its slot; `evaluation` is that of `_gather`."""
    played = time_stamp()
    tree, games, tally = open_tree(arrays), slots.games, run.tally
    tally[PLAYOUT_TIME] += played - slots.state[GATHERED_AT]
    sets, finished, playouts = games.sets, games.flow.finished, settings.limits.playouts
    has_amaf = settings.selection.has_amaf
    for i in range(games.flow.progress[batch.FINISHED]):
        slot = finished[i] // playouts
        slots.unfinished[slot] -= 1
        if slots.unfinished[slot]:
            continue
        first, count = slot * playouts, slots.playouts[slot]
        if tally[PLAYOUTS] == 0:
            clear(run.owned)
        path = Path(slots.paths[slot], slots.depths[slot], slots.colors[slot])
        value = slots.values[slot] if evaluation is None else answered_value(evaluation, slot, path.color)
        limits = _limits_of(settings, count)
        blend = blend_of(limits.value_weight, value, slots.chances[slot])
        results = PlayoutResults(first, games.results.scores, sets.owners, sets.first_players, blend)
        settle_playouts(tree, settings.rules.komi, limits, path, results, slots.counts, run.owned, has_amaf)
        for game in range(first, first + count):
            clear(sets.owners[game])
            clear(sets.first_players[game])
        tally[PLAYOUTS] += count
        tally[DONE] += count
        slots.free[slots.state[IDLE]] = slot
        slots.state[IDLE] += 1
    tally[BACKUP_TIME] += time_stamp() - played


@kernel(inline=True)
def _limits_of(settings, playouts):
    """The limits of a leaf that has this number of playouts, fewer than usual at the end of the budget."""
    limits = settings.limits
    return LeafLimits(playouts, limits.expand_at, min(limits.virtual_loss, playouts), limits.value_weight)
