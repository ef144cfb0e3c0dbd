"""Proof-number search for "can this side force an end of the game that is worth so much to it?".

The side that asks is the *attacker*; it must bring the game to an end at which its area less the other's is `asked` or
more. The other is the *defender*; a repetition is as good to it as any other refusal. A position is proven once the
attacker is known to force it. Proofs use no repetition and lean on nothing above them, so they hold whatever came
before and whatever a repetition is worth. Refutations may lean on one: a position met again below itself is taken for
refuted. If it is proven after all, refutations that relied on it may be wrong: `Shared.doubts` says so, and the
search is to be made again after `forget_refutations`. If all that was relied on is refuted in the end (`next_open`
finds nothing), the defender can keep the attacker from such an end for ever, which may or may not be enough by the
rules. Both are in `foogo.solver.kernels.entries`.

A node has a proof number and a disproof number: about how much work is left to prove it, or to refute it. They begin
with what `foogo.solver.kernels.features` makes of the position, or `foogo.solver.kernels.tuples` once it is taught.
Both are 0 or INFINITE when it is decided. The defender's moves that cannot matter are not searched
(`foogo.solver.kernels.threats`). `search` is the depth-first form (df-pn): a row of `frames` and of
`children` a ply, and a table for everything below. It can be left at any node and re-entered.

Several threads may search the same root on one table, each with its own rows. What tells them apart: a child that
another thread is in at that ply counts as further from its goal (virtual numbers), so they part where two children
are about as good. Now and then each looks whether one has decided a position that it is still searching below.

References
----------
A. Nagai, Df-pn Algorithm for Searching AND/OR Trees and Its Applications, PhD thesis, University of Tokyo (2002), for
the search and for numbers from an evaluation at the leaves. J. Pawlewicz and L. Lew, Improving Depth-First PN-Search:
1 + epsilon Trick (2006). A. Kishimoto and M. Mueller, A solution to the GHI problem for depth-first proof-number
search (2005), for why proofs are kept apart from refutations. T. Kaneko, Parallel Depth First Proof Number Search
(2010), for virtual numbers on a table that threads share.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import longs, prefetch
from foogo.solver.kernels.board import KEY_POINTS, PASSED_BIT, certain, count, first, play_point, shared_key
from foogo.solver.kernels.entries import INFINITE, asked_in, contents_of, is_decided, key_in, numbers_in, store
from foogo.solver.kernels.features import ATTACKED, DEFENDED, score
from foogo.solver.kernels.table import OFFSET, PASS_MOVE, bucket_of
from foogo.solver.kernels.threats import points_against_threats
from foogo.solver.kernels.tuples import judge_of, judged

(
    OWN, OTHER, KO, PASSED, ATTACKS, POSITION, COUNT, AT, PROOF_LIMIT, DISPROOF_LIMIT, FIRST_NODE, RELIED, MUST,
) = range(13)  # fmt: skip
"""Columns of a frame: the position as its mover sees it, whether that is the attacker, its key, how many children it
has, which of them is being searched, the numbers at which the search goes back to the frame above, the node count at
its start, whether a refutation below relies on its own, and the points that its mover must play on against threats."""

FRAME_WORDS = 13

CHILD, PROOF, DISPROOF, PLAYED = range(4)
"""Columns of a child: its key, its numbers and the move to it."""

CHILD_WORDS = 4
MAX_CHILDREN = 32

PLY, NODES, USED, DEEPEST, ROOT_PROOF, ROOT_DISPROOF, FEATURES, THREAD = range(8)
"""Columns of `control`: the ply at which to go on, nodes and table entries so far, the deepest ply; once the search is
over, the numbers of its root; what is switched on; and the number of the thread."""

CONTROL_WORDS = 8

Shared = namedtuple("Shared", ["table", "locks", "ways", "over", "doubts"])
"""What threads share: the table, its locks, the keys from each one's root to where it is, int64[threads, WAY] (-1
below), int64[1], not 0 once one has the answer, and the `doubts` of `foogo.solver.kernels.entries.store`."""

THREATS = 1
"""A bit of `control[FEATURES]`."""

MAX_PLIES = 500
"""Plies below the root; the last is taken for refuted."""

WAY = MAX_PLIES + 1

ATTACKS_BIT = 61
"""Of a key: whether the attacker is to move. The other bits are those of `foogo.solver.kernels.board.shared_key`."""

SHARED_STONES = 8
"""Symmetric positions share an entry as long as they have no more stones; later few of them meet."""

SUM_SHIFT = 2
"""What is summed over the moves that must all be answered is the largest number and a quarter of the others: many lead
to the same positions."""

VIRTUAL = 2
"""How many quarters of its number a child counts more for each other thread that is in it."""

NODES_PER_LOOK = 256
"""Nodes after which a thread looks whether another one has decided what it is searching: a power of two."""

SLACK = 1
"""A child may be searched until its number exceeds the second best one by its half: 1 + epsilon. A move of the defender
whose position is more likely to be proven is searched until it is, or until the attacker has better elsewhere."""

UNTAUGHT = 200.0, 0.4375, 4000
"""A new node's numbers are the first times exp(+-the second * the logarithm of the odds), within 1 and the last."""

TAUGHT = 3000.0, 1.5, 1_000_000
"""The same for odds that were learnt by games: the better they are, the further they may lead."""


@kernel(announce="the solver")
def search(shape, tables, shared, frames, children, control, regions, found, places, digits, weights, asked, budget):
    """Go on with the search from row 0 until it is answered or about `budget` nodes were entered.

    Whether this thread has the answer; if another one has, it ends early.

    `places`, `digits` and `weights` are those of `foogo.solver.kernels.tuples.Tuples`, taught for what is asked, or
    empty; `regions` is the scratch of `living`, `found` that of `score`.
    """
    judge = judge_of(places, digits, weights)
    table, ways, over = shared.table, shared.ways, shared.over
    way, is_shared = ways[control[THREAD]], len(ways) > 1
    stop = control[NODES] + budget
    ply = control[PLY]
    entering = True
    while True:
        frame = frames[ply]
        if entering:
            if control[NODES] >= stop or over[0]:
                break
            control[NODES] += 1
            way[ply] = frame[POSITION]
            if is_shared and control[NODES] % NODES_PER_LOOK == 0:
                _give_up_decided(table, frames, ply, asked)
            control[DEEPEST] = max(control[DEEPEST], ply)
            frame[FIRST_NODE], frame[RELIED] = control[NODES], 0
            _expand(shape, tables, table, frame, children[ply], asked, regions, found, judge, control[FEATURES])
        proof, disproof, chosen, rival = _numbers(frames, ply, children[ply], ways, control[THREAD])
        decided = proof == 0 or disproof == 0
        if decided or proof >= frame[PROOF_LIMIT] or disproof >= frame[DISPROOF_LIMIT] or ply == MAX_PLIES - 1:
            if not decided and ply == MAX_PLIES - 1:
                proof, disproof = INFINITE, 0
                shared.doubts[asked + OFFSET] = 1
            proof, disproof = _store(shared, is_shared, frame, asked, proof, disproof, control)
            way[ply] = -1
            if ply == 0:
                control[ROOT_PROOF], control[ROOT_DISPROOF] = proof, disproof
                control[PLY], over[0] = 0, 1
                return True
            ply -= 1
            entering = False
            children[ply, frames[ply, AT], PROOF], children[ply, frames[ply, AT], DISPROOF] = proof, disproof
            continue
        frame[AT] = chosen
        if not entering:
            data = contents_of(table, children[ply, chosen, CHILD], asked)
            if data >= 0:
                now_proof, now_disproof = numbers_in(data)
                if now_proof != children[ply, chosen, PROOF] or now_disproof != children[ply, chosen, DISPROOF]:
                    # reached by another way meanwhile
                    children[ply, chosen, PROOF], children[ply, chosen, DISPROOF] = now_proof, now_disproof
                    continue
        _descend(shape, frame, frames[ply + 1], children[ply], proof, disproof, rival)
        ply += 1
        entering = True
    control[PLY] = ply
    return False


@kernel
def _give_up_decided(table, frames, ply, asked):
    """Have the search go back to above the first frame whose position another thread has decided, the root aside.

    The root may be searched although it is in the table, decided by an earlier search.
    """
    for above in range(1, ply + 1):
        if is_decided(contents_of(table, frames[above, POSITION], asked)):
            for below in range(above, ply + 1):
                frames[below, PROOF_LIMIT] = 0
            return


@kernel
def leave(shared, frames, control, asked):
    """End a search before it is over: the table is told what refutations relied on."""
    for above in range(control[PLY]):
        if frames[above, RELIED]:
            _store(shared, True, frames[above], asked, 1, 1, control)
    shared.ways[control[THREAD]] = -1


@kernel
def _expand(shape, tables, table, frame, children, asked, regions, found, judge, features):
    """Fill the row of children, each position once; if one of them decides, the others may be missing."""
    attacks = frame[ATTACKS]
    frame[MUST] = shape.full
    if features & THREATS and not attacks and not frame[PASSED]:
        frame[MUST] = points_against_threats(shape, frame[OTHER], frame[OWN], asked, regions)
    total = _lay_out(shape, tables, table, frame, children)
    for i in range(total):
        data = contents_of(table, children[i, CHILD], asked)
        if data >= 0:
            proof, disproof = numbers_in(data)
        else:
            own, other = children[i, PROOF], children[i, DISPROOF]
            proof, disproof = _first_numbers(
                shape, own, other, children[i, PLAYED] == PASS_MOVE, 1 - attacks, asked, regions, found, judge
            )
        children[i, PROOF], children[i, DISPROOF] = proof, disproof
        if (proof if attacks else disproof) == 0:
            total = i + 1
            break
    frame[COUNT] = total


@kernel
def _lay_out(shape, tables, table, frame, children):
    """Fill in key and move of every child, with its stones for its numbers, and have its entry fetched; how many."""
    entries = longs(table)
    total = 0
    rest = frame[MUST] & ~(frame[OWN] | frame[OTHER] | frame[KO])
    is_pass = False
    while not is_pass:
        is_pass = rest == 0
        if is_pass:
            if frame[PASSED] or frame[MUST] != shape.full:
                break  # it would end the game, at a score that was looked at before, or leave a threat
            move, own, other, ko = PASS_MOVE, frame[OTHER], frame[OWN], 0
        else:
            move = first(rest)
            rest &= rest - 1
            other, own, ko, legal = play_point(shape, frame[OWN], frame[OTHER], move, False)
            if not legal:
                continue
        key = key_for(shape, tables, own, other, ko, is_pass, 1 - frame[ATTACKS])
        is_known = False
        for i in range(total):
            is_known = is_known or children[i, CHILD] == key
        if is_known:
            continue
        prefetch(entries, 2 * bucket_of(table, key))
        children[total, CHILD], children[total, PLAYED] = key, move
        children[total, PROOF], children[total, DISPROOF] = own, other
        total += 1
    return total


@kernel
def key_for(shape, tables, own, other, ko, passed, attacks):
    """The key of a position, the same for symmetric ones of few stones."""
    key, _ = shared_key(tables, own, other, ko, np.int64(passed), count(own | other) <= SHARED_STONES)
    return key | attacks << ATTACKS_BIT


@kernel
def position_of(key):
    """Own stones, other stones, ko bit, whether a pass came last, and whether the attacker is to move, of a key."""
    points = (1 << KEY_POINTS) - 1
    own, other = key & points, key >> KEY_POINTS & points
    ko = own & other
    return own & ~ko, other & ~ko, ko, key >> PASSED_BIT & 1, key >> ATTACKS_BIT & 1


@kernel
def open_positions(table, asked, rows):
    """Fill `rows`, as `foogo.solver.kernels.tuples.teach` begins games, with positions still to be decided; how many.

    Where an entry is depends on its key alone and not on what it is worth, so the first that are found will do.
    """
    total = 0
    for i in range(len(table)):
        if total == len(rows):
            break
        data = table[i, 1]
        if data < 0 or is_decided(data) or asked_in(data) != asked:
            continue
        own, other, ko, passed, attacks = position_of(key_in(table[i, 0], data))
        row = rows[total]
        row[0], row[1] = (own, other) if attacks else (other, own)
        row[2], row[3], row[4] = ko, passed, attacks
        total += 1
    return total


@kernel(inline=True)
def _first_numbers(shape, own, other, passed, attacks, asked, regions, found, judge):
    """The numbers of a position that was not searched: 0 and INFINITE if no search is needed."""
    decided = certain(shape, own, other, passed, attacks, asked, regions)
    if decided == 1:
        return 0, INFINITE
    if decided == 0:
        return INFINITE, 0
    if not attacks:
        own, other = other, own
    if judge.windows:
        return _numbers_of(judged(judge, own, other, attacks), *TAUGHT)
    return _numbers_of(score(shape, own, other, ATTACKED if attacks else DEFENDED, asked, found), *UNTAUGHT)


@kernel(inline=True)
def _numbers_of(odds, scale, steepness, most):
    """Proof and disproof number of a position with that logarithm of the odds to be proven."""
    proof, disproof = scale * math.exp(-steepness * odds), scale * math.exp(steepness * odds)
    return max(1, np.int64(min(most, proof))), max(1, np.int64(min(most, disproof)))


@kernel
def _numbers(frames, ply, children, ways, thread):
    """Proof and disproof number of the frame, the child to search, and the number that it must not exceed by much."""
    attacks, total = frames[ply, ATTACKS], frames[ply, COUNT]
    chosen, least, rival, nearest = 0, INFINITE + 1, INFINITE, INFINITE + 1
    whole, largest, refused = 0, 0, False
    for i in range(total):
        proof, disproof = children[i, PROOF], children[i, DISPROOF]
        if proof and disproof:
            above = _above(frames, ply, children[i, CHILD])
            if above >= 0:
                frames[above, RELIED] = 1
                proof, disproof = INFINITE, 0
        needed, summed = (proof, disproof) if attacks else (disproof, proof)
        least = min(least, needed)
        if len(ways) > 1:
            needed = _virtual(needed, children[i, CHILD], ways, thread, ply + 1)
        if needed < nearest:
            nearest, rival, chosen = needed, nearest, i
        elif needed < rival:
            rival = needed
        refused = refused or summed >= INFINITE
        whole += summed
        largest = max(largest, summed)
    rival = min(rival, INFINITE)
    if total == 0 or least >= INFINITE:
        least, together = INFINITE, 0
    elif least == 0 or refused:
        together = INFINITE
    else:
        together = min(INFINITE - 1, largest + ((whole - largest) >> SUM_SHIFT))
    if attacks:
        return least, together, chosen, rival
    return together, least, chosen, rival


@kernel(inline=True)
def _virtual(needed, key, ways, thread, ply):
    """The number of a child as a thread should see it: larger by VIRTUAL for each other thread that is in it."""
    if 0 < needed < INFINITE:
        for other in range(len(ways)):
            if other != thread and ways[other, ply] == key:
                needed = min(INFINITE - 1, needed + (needed * VIRTUAL >> 2))
    return needed


@kernel
def _above(frames, ply, key):
    """The ply of that position on the way to the frame, or -1."""
    for above in range(ply - 1, -1, -2):
        if frames[above, POSITION] == key:
            return above
    return -1


@kernel
def _descend(shape, frame, following, children, proof, disproof, rival):
    """Play the chosen move into the next frame, and say how far it may be searched."""
    attacks, move, chosen = frame[ATTACKS], children[frame[AT], PLAYED], children[frame[AT]]
    if move == PASS_MOVE:
        following[OWN], following[OTHER], following[KO] = frame[OTHER], frame[OWN], 0
    else:
        other, own, ko, _ = play_point(shape, frame[OWN], frame[OTHER], move, False)
        following[OWN], following[OTHER], following[KO] = own, other, ko
    following[PASSED], following[ATTACKS] = move == PASS_MOVE, 1 - attacks
    following[POSITION] = chosen[CHILD]
    largest = 0
    summed = DISPROOF if attacks else PROOF
    for i in range(frame[COUNT]):
        largest = max(largest, children[i, summed])
    limit = rival + (rival >> SLACK) + 1
    if attacks:
        # beyond the frame's own limit is only what virtual numbers have chosen
        proof_limit = limit if chosen[PROOF] >= frame[PROOF_LIMIT] else min(frame[PROOF_LIMIT], limit)
        disproof_limit = largest + frame[DISPROOF_LIMIT] - disproof
    else:
        if proof < disproof:
            limit = INFINITE  # all replies will have to be met, it seems: one after the other
        disproof_limit = limit if chosen[DISPROOF] >= frame[DISPROOF_LIMIT] else min(frame[DISPROOF_LIMIT], limit)
        proof_limit = largest + frame[PROOF_LIMIT] - proof
    # always beyond what it is, so that the search gets on
    following[PROOF_LIMIT] = min(INFINITE, max(proof_limit, chosen[PROOF] + 1))
    following[DISPROOF_LIMIT] = min(INFINITE, max(disproof_limit, chosen[DISPROOF] + 1))


@kernel
def _store(shared, is_shared, frame, asked, proof, disproof, control):
    """Write the numbers of a frame into the table; the numbers that it has there now."""
    nodes = control[NODES] - frame[FIRST_NODE] + 1
    is_new, proof, disproof = store(
        shared.table, shared.locks, is_shared, shared.doubts, frame[POSITION], asked, proof, disproof, nodes,
        frame[RELIED],
    )  # fmt: skip
    control[USED] += is_new
    return proof, disproof
