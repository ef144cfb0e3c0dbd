"""The amounts that each side can force if play may cycle forever: three fixpoints on the graph of all positions.

One side, the *attacker*, asks for at least t > 0: at an end of the game worth t, or in endless play in which he
captures more stones than he loses. The difference in captures is the difference in passes: the attacker's passes count
1, the defender's -1. docs/explanation/solve.md has the proofs.

Columns of the arrays below are *roles*: 0 if the attacker is to move, 1 if the defender is. See `Findings`:

- `win_ends` grows `win` backwards from ends of the game.
- `settle` with `HOLD` raises `held` until nothing changes: there the defender bounds the attacker's lead for ever.
- `settle` with `ROUND` lowers `need` until nothing changes: there the attacker gains by going round.

An attacker who is `bound` passes ahead may pass on to any position that is not DROPPED, and start to count anew: he has
gained a pass.

Helpers are inlined: a call would count a reference to every array of the tuples that it passes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.position_graph import row_of
from foogo.solver.kernels.positions import NO_MOVE, PASS_MOVE, first

HOLD, ROUND = range(2)
"""What `settle` computes."""

TOP, DROPPED = 127, 126
"""Values of `held` and `need` beyond every bound: infinite, and given up."""

MAX_BOUND = 120

PROGRESS = np.dtype([("head", "i8"), ("queued", "i8"), ("visits", "i8"), ("stacked", "i8")])
"""How far the work is: the first place of the ring and how many classes wait there; how many classes or nodes were
visited; how many nodes are on the stack."""


class Findings(NamedTuple):
    """The results for every node."""

    win: np.ndarray
    """int8[nodes, 2]: the most found so far that the attacker can force, at an end or by cycling."""
    held: np.ndarray
    """int8[nodes, 2]: how many passes ahead the attacker can get at most, if the defender prevents his ends.

    TOP if the defender cannot bound it."""
    need: np.ndarray
    """int8[nodes, 2]: for nodes not held, how many passes behind the attacker may fall and still win by cycling. TOP if
    unknown."""
    reply: np.ndarray
    """uint8[nodes]: the attacker's moves for `win`."""
    plan: np.ndarray
    """uint8[nodes]: the attacker's moves for `need`."""
    left: np.ndarray
    """uint8[classes]: the number of moves of a class that do not lead where the attacker has `asked`."""


class Work(NamedTuple):
    """The work that is left."""

    stack: np.ndarray
    """int32[2 * nodes]: nodes that were won and have not been followed backwards, twice the node plus the role."""
    ring: np.ndarray
    """int32[classes]: a queue of classes to visit."""
    waits: np.ndarray
    """uint8[classes]: whether a class is in the ring."""
    progress: np.ndarray
    """`PROGRESS`, one record."""


def new_findings(nodes: int, moves: np.ndarray) -> Findings:
    """Nothing known, with the number of moves of each class."""
    return Findings(
        np.zeros((nodes, 2), dtype=np.int8), np.zeros((nodes, 2), dtype=np.int8),
        np.full((nodes, 2), TOP, dtype=np.int8), np.full(nodes, PASS_MOVE, dtype=np.uint8),
        np.full(nodes, PASS_MOVE, dtype=np.uint8), moves.astype(np.uint8),
    )  # fmt: skip


def new_work(nodes: int, classes: int) -> Work:
    """Nothing to do."""
    return Work(
        np.zeros(2 * nodes, dtype=np.int32), np.zeros(classes, dtype=np.int32), np.zeros(classes, dtype=np.uint8),
        np.zeros(1, dtype=PROGRESS),
    )  # fmt: skip


@kernel
def win_ends(graph, asked, findings, work, budget):
    """Grow `win` backwards until nothing is added or about `budget` nodes were; returns whether it is finished."""
    classes, progress = graph.classes, work.progress[0]
    stop = progress.visits + budget
    while progress.stacked and progress.visits < stop:
        progress.stacked -= 1
        progress.visits += 1
        node, role = work.stack[progress.stacked] >> 1, work.stack[progress.stacked] & 1
        if classes <= node < 2 * classes:
            _win_before(graph, asked, findings, work, np.int64(graph.swap[node - classes]), node, role)
        else:
            row = row_of(classes, node)
            for at in range(graph.back_start[row], graph.back_start[row + 1]):
                i = np.int64(graph.back[at])
                if role == 0:
                    findings.left[i] -= 1
                _win_before(graph, asked, findings, work, i, node, role)
    return progress.stacked == 0


@kernel(inline=True)
def _win_before(graph, asked, findings, work, i, node, role):
    """Add the nodes of class `i` that are won because `node`, one move on, is won."""
    win, left = findings.win, findings.left
    classes = graph.classes
    passed, pass_won = classes + i, classes + graph.swap[i]
    if role == 1:
        if win[i, 0] < asked or (win[passed, 0] < asked and node != pass_won):
            move = PASS_MOVE if node == pass_won else _move_to(graph, i, node, NO_MOVE)
            _add(asked, findings, work, i, 0, move)
            if move != PASS_MOVE:
                _add(asked, findings, work, passed, 0, move)
    elif left[i] == 0:
        if win[pass_won, 0] >= asked:
            _add(asked, findings, work, i, 1, NO_MOVE)
        if -graph.area[i] >= asked:
            _add(asked, findings, work, passed, 1, NO_MOVE)
    rest, at = np.int64(graph.ko_points[i]), 2 * classes + graph.ko_start[i]
    while rest:
        point = first(rest)
        rest &= rest - 1
        if win[at, 1 - role] < asked:
            if role == 1:
                move = PASS_MOVE if node == pass_won else _move_to(graph, i, node, point)
                if move != NO_MOVE:
                    _add(asked, findings, work, at, 0, move)
            elif left[i] <= 1 and win[pass_won, 0] >= asked and _all_lost(graph, asked, win, i, point):
                _add(asked, findings, work, at, 1, NO_MOVE)
        at += 1


@kernel(inline=True)
def _add(asked, findings, work, node, role, move):
    """Note that a node is won, with the attacker's move, and stack it."""
    if findings.win[node, role] < asked:
        findings.win[node, role] = asked
        if role == 0:
            findings.reply[node] = move
        progress = work.progress[0]
        work.stack[progress.stacked] = 2 * node + role
        progress.stacked += 1


@kernel(inline=True)
def _move_to(graph, i, node, barred):
    """A move of class `i` to the node, NO_MOVE if only the barred one leads there."""
    for entry in range(graph.start[i], graph.start[i + 1]):
        if graph.target[entry] == node and graph.move[entry] != barred:
            return np.int64(graph.move[entry])
    return NO_MOVE


@kernel(inline=True)
def _all_lost(graph, asked, win, i, barred):
    """Whether every move of class `i` except the barred one leads where the attacker has `asked`."""
    for entry in range(graph.start[i], graph.start[i + 1]):
        if win[graph.target[entry], 0] < asked and graph.move[entry] != barred:
            return False
    return True


@kernel
def stack_ends(graph, asked, findings, work):
    """Add the nodes where the game can be ended for exactly `asked`. Call it for amounts in descending order."""
    for i in range(graph.classes):
        if graph.area[i] == asked:
            _add(asked, findings, work, graph.classes + i, 0, PASS_MOVE)
        elif -graph.area[i] == asked and findings.left[i] == 0:
            _add(asked, findings, work, graph.classes + i, 1, NO_MOVE)


@kernel
def settle(graph, stage, asked, bound, findings, work, budget):
    """Continue with `HOLD` or `ROUND` until nothing changes, which it returns, or `budget` classes were visited."""
    classes, progress = graph.classes, work.progress[0]
    stop = progress.visits + budget
    while progress.queued and progress.visits < stop:
        i = np.int64(work.ring[progress.head])
        progress.head = (progress.head + 1) % classes
        progress.queued -= 1
        progress.visits += 1
        work.waits[i] = 0
        for node in (i, classes + i):
            if _settle_node(graph, stage, asked, bound, findings, Place(i, node, np.int64(NO_MOVE))):
                _queue_before(graph, i, node, work)
        rest, node = np.int64(graph.ko_points[i]), 2 * classes + graph.ko_start[i]
        while rest:
            point = first(rest)
            rest &= rest - 1
            if _settle_node(graph, stage, asked, bound, findings, Place(i, np.int64(node), np.int64(point))):
                _queue_before(graph, i, node, work)
            node += 1
    return progress.queued == 0


class Place(NamedTuple):
    """A node, its class, and the move that a ko forbids there."""

    class_number: int
    node: int
    barred: int


@kernel(inline=True)
def _settle_node(graph, stage, asked, bound, findings, place):
    """Whether the numbers of a node have changed."""
    if stage == HOLD:
        return _hold(graph, asked, bound, findings.held, place)
    return _go_round(graph, asked, bound, findings, place)


@kernel(inline=True)
def _hold(graph, asked, bound, held, place):
    """Raise `held` of a node to the value that follows from its successors; returns whether it has changed.

    The attacker takes the largest number, the defender the smallest, with passes counted.
    """
    i, node, barred = place
    attacks, defends = held[node, 0], held[node, 1]
    if attacks == TOP and defends == TOP:
        return False
    passed = graph.classes + graph.swap[i]
    if graph.classes <= node < 2 * graph.classes:
        most = TOP if graph.area[i] >= asked else 0
        least = TOP if -graph.area[i] >= asked else 0
    else:
        most = held[passed, 1] + 1
        most = TOP if most > bound else most
        least = held[passed, 0]
        least = least if least == TOP else max(0, least - 1)
    for entry in range(graph.start[i], graph.start[i + 1]):
        if graph.move[entry] != barred:
            most = max(most, held[graph.target[entry], 1])
            least = min(least, held[graph.target[entry], 0])
    if most <= attacks and least <= defends:
        return False
    held[node, 0], held[node, 1] = max(attacks, most), max(defends, least)
    return True


@kernel(inline=True)
def _go_round(graph, asked, bound, findings, place):
    """Lower `need` of a node to the value that follows from its successors; returns whether it has changed.

    A successor that is won needs nothing. The attacker's pass pays for one pass that he is behind.
    """
    win, held, need = findings.win, findings.held, findings.need
    i, node, barred = place
    changed = False
    ends = graph.classes <= node < 2 * graph.classes
    passed = graph.classes + graph.swap[i]
    if held[node, 0] == TOP and win[node, 0] < asked and need[node, 0] != DROPPED:
        least, move = need[node, 0], NO_MOVE
        if not ends and held[passed, 1] == TOP and (win[passed, 1] >= asked or need[passed, 1] != DROPPED):
            after = 0 if win[passed, 1] >= asked else need[passed, 1]
            after = min(max(0, after - 1), bound)
            if after < least:
                least, move = after, PASS_MOVE
        for entry in range(graph.start[i], graph.start[i + 1]):
            target = graph.target[entry]
            after = 0 if win[target, 1] >= asked else need[target, 1]
            if after < least and graph.move[entry] != barred:
                least, move = after, np.int64(graph.move[entry])
        if move != NO_MOVE and least <= bound:
            need[node, 0], findings.plan[node] = least, move
            changed = True
    if held[node, 1] == TOP and win[node, 1] < asked and need[node, 1] != DROPPED:
        if ends:
            most = 0 if -graph.area[i] >= asked else TOP
        else:
            most = 0 if win[passed, 0] >= asked else need[passed, 0] + 1
        for entry in range(graph.start[i], graph.start[i + 1]):
            if most > bound:
                break
            target = graph.target[entry]
            if win[target, 0] < asked and graph.move[entry] != barred:
                most = max(most, need[target, 0])
        if most <= bound and most < need[node, 1]:
            need[node, 1] = most
            changed = True
    return changed


@kernel(inline=True)
def _queue_before(graph, i, node, work):
    """Queue the classes with a move to the node."""
    classes = graph.classes
    if classes <= node < 2 * classes:
        _queue(graph.swap[i], classes, work)
    else:
        row = row_of(classes, node)
        for at in range(graph.back_start[row], graph.back_start[row + 1]):
            _queue(graph.back[at], classes, work)


@kernel(inline=True)
def _queue(i, classes, work):
    """Queue a class unless it waits already."""
    if not work.waits[i]:
        work.waits[i] = 1
        progress = work.progress[0]
        work.ring[(progress.head + progress.queued) % classes] = i
        progress.queued += 1


@kernel
def queue_ends(graph, asked, work):
    """Queue the classes where an end is worth exactly `asked` to either side."""
    for i in range(graph.classes):
        if abs(graph.area[i]) == asked:
            _queue(np.int64(i), graph.classes, work)


@kernel(inline=True)
def _class_of(graph, node):
    """The class of a node."""
    classes = graph.classes
    return node % classes if node < 2 * classes else np.int64(graph.class_of_ko[node - 2 * classes])


@kernel
def queue_won(graph, asked, every, findings, work):
    """Record the attacker's wins in `held`, and queue their predecessor classes, or all classes if `every`."""
    win, held = findings.win, findings.held
    for node in range(len(win)):
        changed = False
        for role in range(2):
            if win[node, role] >= asked and held[node, role] != TOP:
                held[node, role] = TOP
                changed = True
        if changed:
            _queue_before(graph, _class_of(graph, node), node, work)
    if every:
        for i in range(graph.classes):
            _queue(np.int64(i), graph.classes, work)


@kernel(inline=True)
def _is_open(asked, findings, node, role):
    """Whether a node is neither held nor won."""
    return findings.held[node, role] == TOP and findings.win[node, role] < asked


@kernel
def queue_open(graph, asked, findings, work):
    """Reset `need` unless DROPPED, and queue the classes neither held nor won; returns the number of their nodes."""
    need, total = findings.need, 0
    for node in range(len(need)):
        for role in range(2):
            if need[node, role] == DROPPED:
                continue
            need[node, role] = TOP
            if _is_open(asked, findings, node, role):
                total += 1
                _queue(_class_of(graph, node), graph.classes, work)
    return total


@kernel
def take(asked, bound, findings, work):
    """Add to `win` the nodes that `ROUND` has shown to be won."""
    for node in range(len(findings.win)):
        for role in range(2):
            if _is_open(asked, findings, node, role) and findings.need[node, role] <= bound:
                _add(asked, findings, work, node, role, findings.plan[node])
