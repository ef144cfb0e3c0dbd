"""Proof-number search for the amounts that a side can force.

The *attacker* asks for an end of the game at which its area minus the other's is `asked` or more. The other side is the
*defender*; a repetition serves it as well as any other refusal. A position is *proven* once the attacker is known to
force what he asks for.

Proofs use no repetition and depend on nothing above them, so they hold whatever came before. Refutations may depend on
one: a position met again below itself counts as refuted. If it is proven after all, refutations that relied on it may
be wrong: `ProofTable.doubts` says so. docs/explanation/solve.md says what makes a refutation final.

A node has a proof number and a disproof number: about how much work is left to prove it, or to refute it. Its first
numbers come from an evaluation; a decided node has 0 and INFINITE. `search` is the depth-first form (df-pn). It keeps a
`FRAME` and a row of `CHILD` per ply, and the table holds everything below. A node is searched until one of its numbers
reaches a limit: then another child has become the better choice. The search can stop at any node and continue there
later.

Several threads may search the same root with one table and frames of their own; `VIRTUAL` makes them part.

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
from typing import NamedTuple

import numpy as np

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import longs, prefetch
from foogo.solver.kernels.life import LifeMemory, certain
from foogo.solver.kernels.linear_evaluation import ATTACKED, DEFENDED, log_odds
from foogo.solver.kernels.ntuple_network import Judge, judge_of, judged
from foogo.solver.kernels.positions import PASS_MOVE, first, play_point
from foogo.solver.kernels.proof_memory import MAX_PLIES
from foogo.solver.kernels.proof_table import (
    INFINITE,
    OFFSET,
    Finding,
    bucket_of,
    contents_of,
    is_decided,
    key_for,
    numbers_in,
    store,
)
from foogo.solver.kernels.threat_zones import points_against_threats

SUM_SHIFT = 2
"""The number summed over moves that must all be answered is the largest one and a quarter of the others.

A plain sum would count work twice, because many moves lead to the same positions."""

VIRTUAL = 2
"""A child counts this many quarters of its number more for each other thread that is searching it."""

NODES_PER_LOOK = 256
"""Nodes after which a thread checks the decisions of other threads: a power of two."""

SLACK = 1
"""A child is searched until its number exceeds the second best one by half of that: 1 + epsilon.

The search changes its mind less often then, and revisits fewer nodes."""

UNTAUGHT = 200.0, 0.4375, 4000
"""How odds become first numbers: scale * exp(+-steepness * log odds), at least 1 and at most the third value."""

TAUGHT = 3000.0, 1.5, 1_000_000
"""The same for odds that games have taught: better odds may spread the numbers further."""


class Evaluation(NamedTuple):
    """What first numbers are made from."""

    asked: int
    life: LifeMemory
    features: np.ndarray
    judge: Judge


@kernel(announce=Compilation("the solver", 45, 8))
def search(shape, images, shared, memory, network, asked, budget):
    """Continue until there is an answer or about `budget` nodes were visited; returns whether this thread has it.

    If another thread has the answer, the search ends early. `network` was taught for `asked`, or is empty.
    """
    evaluation = Evaluation(asked, memory.life, memory.features, judge_of(network))
    frames, control, over = memory.frames, memory.control[0], shared.over
    entries, path, is_shared = shared.table.entries, shared.paths[control.thread], len(shared.paths) > 1
    stop = control.nodes + budget
    ply = control.ply
    entering = True
    while True:
        frame, children = frames[ply], memory.children[ply]
        if entering:
            if control.nodes >= stop or over[0]:
                break
            control.nodes += 1
            path[ply] = frame.key
            if is_shared and control.nodes % NODES_PER_LOOK == 0:
                _give_up_decided(entries, frames, ply, asked)
            control.deepest = max(control.deepest, ply)
            frame.first_node, frame.relied = control.nodes, 0
            _expand(shape, images, entries, frame, children, evaluation)
        proof, disproof, chosen, rival = _combined_numbers(frames, ply, children, shared.paths, control.thread)
        decided = proof == 0 or disproof == 0
        if decided or proof >= frame.proof_limit or disproof >= frame.disproof_limit or ply == MAX_PLIES - 1:
            if not decided and ply == MAX_PLIES - 1:
                proof, disproof = INFINITE, 0
                shared.table.doubts[asked + OFFSET] = 1
            proof, disproof = _store(shared.table, is_shared, frame, asked, proof, disproof, control)
            path[ply] = -1
            if ply == 0:
                control.root_proof, control.root_disproof = proof, disproof
                control.ply, over[0] = 0, 1
                return True
            ply -= 1
            entering = False
            child = memory.children[ply, frames[ply].chosen]
            child.proof, child.disproof = proof, disproof
            continue
        frame.chosen = chosen
        if not entering:
            data = contents_of(entries, children[chosen].key, asked)
            if data >= 0:
                now_proof, now_disproof = numbers_in(data)
                if now_proof != children[chosen].proof or now_disproof != children[chosen].disproof:
                    # another path has reached the child in the meantime: choose again
                    children[chosen].proof, children[chosen].disproof = now_proof, now_disproof
                    continue
        _descend(shape, frame, frames[ply + 1], children, proof, disproof, rival)
        ply += 1
        entering = True
    control.ply = ply
    return False


@kernel
def _give_up_decided(entries, frames, ply, asked):
    """Make the search return to above the first frame whose position another thread has decided.

    The root is left out: it may be searched although an earlier search has decided it.
    """
    for above in range(1, ply + 1):
        if is_decided(contents_of(entries, frames[above].key, asked)):
            for below in range(above, ply + 1):
                frames[below].proof_limit = 0
            return


@kernel
def leave(shared, memory, asked):
    """End a search early: record in the table what refutations relied on."""
    frames, control = memory.frames, memory.control[0]
    for above in range(control.ply):
        if frames[above].relied:
            _store(shared.table, True, frames[above], asked, 1, 1, control)
    shared.paths[control.thread] = -1


@kernel
def _expand(shape, images, entries, frame, children, evaluation):
    """Fill in the children, each position once. If a child decides the frame, later ones may be missing."""
    attacks, asked = frame.attacks, evaluation.asked
    frame.must = shape.full
    if not attacks and not frame.passed:
        frame.must = points_against_threats(shape, frame.other, frame.own, asked, evaluation.life)
    total = _lay_out(shape, images, entries, frame, children)
    for i in range(total):
        child = children[i]
        data = contents_of(entries, child.key, asked)
        if data >= 0:
            proof, disproof = numbers_in(data)
        else:
            proof, disproof = _first_numbers(shape, child, 1 - attacks, evaluation)
        child.proof, child.disproof = proof, disproof
        if (proof if attacks else disproof) == 0:
            total = i + 1
            break
    frame.count = total


@kernel
def _lay_out(shape, images, entries, frame, children):
    """Fill in key, move and stones of every child; returns their number.

    All children are laid out and their entries prefetched before the first entry is read, so the loads overlap.
    """
    table = longs(entries)
    total = 0
    rest = frame.must & ~(frame.own | frame.other | frame.ko)
    is_pass = False
    while not is_pass:
        is_pass = rest == 0
        if is_pass:
            if frame.passed or frame.must != shape.full:
                break  # the pass ends the game, at a score that was looked at before, or it leaves a threat
            move, own, other, ko = PASS_MOVE, frame.other, frame.own, 0
        else:
            move = first(rest)
            rest &= rest - 1
            other, own, ko, legal = play_point(shape, frame.own, frame.other, move, False)
            if not legal:
                continue
        key = key_for(images, own, other, ko, is_pass, 1 - frame.attacks)
        is_known = False
        for i in range(total):
            is_known = is_known or children[i].key == key
        if is_known:
            continue
        prefetch(table, 2 * bucket_of(entries, key))
        child = children[total]
        child.key, child.move, child.own, child.other = key, move, own, other
        total += 1
    return total


@kernel(inline=True)
def _first_numbers(shape, child, attacks, evaluation):
    """The numbers of a position that was not searched: 0 and INFINITE if no search is needed."""
    own, other, asked = child.own, child.other, evaluation.asked
    decided = certain(shape, own, other, child.move == PASS_MOVE, attacks, asked, evaluation.life)
    if decided == 1:
        return 0, INFINITE
    if decided == 0:
        return INFINITE, 0
    if not attacks:
        own, other = other, own
    if evaluation.judge.windows:
        return _numbers_of(judged(evaluation.judge, own, other, attacks), *TAUGHT)
    weights = ATTACKED if attacks else DEFENDED
    return _numbers_of(log_odds(shape, own, other, weights, asked, evaluation.features), *UNTAUGHT)


@kernel(inline=True)
def _numbers_of(odds, scale, steepness, most):
    """Proof and disproof number for the logarithm of the odds that a position is proven."""
    proof, disproof = scale * math.exp(-steepness * odds), scale * math.exp(steepness * odds)
    return max(1, np.int64(min(most, proof))), max(1, np.int64(min(most, disproof)))


@kernel
def _combined_numbers(frames, ply, children, paths, thread):
    """Proof and disproof number of a frame, the child to search, and its rival's number.

    With the attacker to move the proof number is the least of the children, and the disproof number their sum; with the
    defender to move, the reverse. The child to search has the least number; the rival is the second best.
    """
    attacks, total = frames[ply].attacks, frames[ply].count
    chosen, least, rival, nearest = 0, INFINITE + 1, INFINITE, INFINITE + 1
    whole, largest, refused = 0, 0, False
    for i in range(total):
        proof, disproof = children[i].proof, children[i].disproof
        if proof and disproof:
            above = _above(frames, ply, children[i].key)
            if above >= 0:
                frames[above].relied = 1
                proof, disproof = INFINITE, 0
        needed, summed = (proof, disproof) if attacks else (disproof, proof)
        least = min(least, needed)
        if len(paths) > 1:
            needed = _virtual(needed, children[i].key, paths, thread, ply + 1)
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
def _virtual(needed, key, paths, thread, ply):
    """The number of a child as this thread should see it: larger for each other thread that is searching it."""
    if 0 < needed < INFINITE:
        for other in range(len(paths)):
            if other != thread and paths[other, ply] == key:
                needed = min(INFINITE - 1, needed + (needed * VIRTUAL >> 2))
    return needed


@kernel
def _above(frames, ply, key):
    """The ply of that position on the path to the frame, -1 if it is not there. The mover alternates: every other."""
    for above in range(ply - 1, -1, -2):
        if frames[above].key == key:
            return above
    return -1


@kernel
def _descend(shape, frame, following, children, proof, disproof, rival):
    """Play the chosen move into the next frame, and set its limits.

    The number that is the least of the children is limited by the rival's, with some slack. The one that is a sum may
    use what the frame's own limit leaves after the other children.
    """
    attacks, chosen = frame.attacks, children[frame.chosen]
    move = chosen.move
    if move == PASS_MOVE:
        following.own, following.other, following.ko = frame.other, frame.own, 0
    else:
        other, own, ko, _ = play_point(shape, frame.own, frame.other, move, False)
        following.own, following.other, following.ko = own, other, ko
    following.passed, following.attacks = move == PASS_MOVE, 1 - attacks
    following.key = chosen.key
    largest = 0
    for i in range(frame.count):
        largest = max(largest, children[i].disproof if attacks else children[i].proof)
    limit = rival + (rival >> SLACK) + 1
    if attacks:
        # only a child that virtual numbers have chosen is beyond the frame's own limit
        proof_limit = limit if chosen.proof >= frame.proof_limit else min(frame.proof_limit, limit)
        disproof_limit = largest + frame.disproof_limit - disproof
    else:
        if proof < disproof:
            limit = INFINITE  # all replies will probably have to be met: one after the other
        disproof_limit = limit if chosen.disproof >= frame.disproof_limit else min(frame.disproof_limit, limit)
        proof_limit = largest + frame.proof_limit - proof
    # always beyond the child's numbers, so that the search makes progress
    following.proof_limit = min(INFINITE, max(proof_limit, chosen.proof + 1))
    following.disproof_limit = min(INFINITE, max(disproof_limit, chosen.disproof + 1))


@kernel
def _store(table, is_shared, frame, asked, proof, disproof, control):
    """Write the numbers of a frame into the table; returns the numbers that it has there now."""
    nodes = control.nodes - frame.first_node + 1
    is_new, proof, disproof = store(table, frame.key, asked, Finding(proof, disproof, nodes, frame.relied), is_shared)
    control.used += is_new
    return proof, disproof
