"""Who can force what where play may go round for ever: three fixpoints on the graph of all positions.

One side, the *attacker*, asks for at least t > 0. He has it at an end of the game worth t, and in play that goes
round for ever with more of the other's stones captured than his own. Between two visits to the same position each
side makes as many moves, and the stones it places are the stones it loses, so the difference in captures is the
difference in passes: his passes count 1, the defender's -1, and moves 0. Columns of the arrays below are *roles*: 0
where the attacker is to move, 1 where the defender is.

`win`: the most so far that the attacker can force, at an end or by going round. `win_ends` adds what leads to an end.
`held`: how far ahead in passes the attacker can get at most, if the defender keeps him from his ends; TOP if the
    defender cannot bound it. `HOLD` raises it until nothing changes.
`need`: how far behind in passes the attacker may get and still win by going round, for positions that are not held;
    TOP if that is not known. `ROUND` lowers it until nothing changes. Whoever is `bound` ahead passes on to any
    position that is not DROPPED, starts to count anew, and has gained one.

docs/explanation/solve.md has the proofs.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.board import first
from foogo.solver.kernels.table import NO_MOVE, PASS_MOVE

HOLD, ROUND = range(2)
"""What `settle` computes."""

TOP, DROPPED = 127, 126

MAX_BOUND = 120

HEAD, QUEUED, VISITS, STACKED = range(4)
"""Columns of `control`: the place of the first class in the ring, how many wait there, how many classes or nodes
were looked at, and how many nodes are on the stack."""


@kernel
def win_ends(graph, asked, win, reply, left, stack, control, budget):
    """Add to `win` what leads to an end, until nothing is added or about `budget` nodes were added; whether nothing is.

    `win` is int8[nodes, 2], `reply`, uint8[nodes], the attacker's moves, `left`, uint8[classes], how many moves of a
    class do not lead where the attacker has `asked`. `stack`, int32[2 * nodes], holds twice the node plus the role of
    what was added and has not been followed backwards.
    """
    classes = graph.classes
    stop = control[VISITS] + budget
    while control[STACKED] and control[VISITS] < stop:
        control[STACKED] -= 1
        control[VISITS] += 1
        node, role = stack[control[STACKED]] >> 1, stack[control[STACKED]] & 1
        if classes <= node < 2 * classes:
            _win_before(
                graph, asked, win, reply, left, stack, control, np.int64(graph.swap[node - classes]), node, role
            )
        else:
            row = node if node < classes else node - classes
            for at in range(graph.back_start[row], graph.back_start[row + 1]):
                i = np.int64(graph.back[at])
                if role == 0:
                    left[i] -= 1
                _win_before(graph, asked, win, reply, left, stack, control, i, node, role)
    return control[STACKED] == 0


@kernel
def _win_before(graph, asked, win, reply, left, stack, control, i, node, role):
    """Add the nodes of class `i` that are won because `node`, one move on, is."""
    classes = graph.classes
    passed, pass_won = classes + i, classes + graph.swap[i]
    if role == 1:
        if win[i, 0] < asked or (win[passed, 0] < asked and node != pass_won):
            move = PASS_MOVE if node == pass_won else _move_to(graph, i, node, NO_MOVE)
            _add(asked, win, reply, stack, control, i, 0, move)
            if move != PASS_MOVE:
                _add(asked, win, reply, stack, control, passed, 0, move)
    elif left[i] == 0:
        if win[pass_won, 0] >= asked:
            _add(asked, win, reply, stack, control, i, 1, NO_MOVE)
        if -graph.area[i] >= asked:
            _add(asked, win, reply, stack, control, passed, 1, NO_MOVE)
    rest, at = np.int64(graph.ko_points[i]), 2 * classes + graph.ko_start[i]
    while rest:
        point = first(rest)
        rest &= rest - 1
        if win[at, 1 - role] < asked:
            if role == 1:
                move = PASS_MOVE if node == pass_won else _move_to(graph, i, node, point)
                if move != NO_MOVE:
                    _add(asked, win, reply, stack, control, at, 0, move)
            elif left[i] <= 1 and win[pass_won, 0] >= asked and _all_lost(graph, asked, win, i, point):
                _add(asked, win, reply, stack, control, at, 1, NO_MOVE)
        at += 1


@kernel(inline=True)
def _add(asked, win, reply, stack, control, node, role, move):
    if win[node, role] < asked:
        win[node, role] = asked
        if role == 0:
            reply[node] = move
        stack[control[STACKED]] = 2 * node + role
        control[STACKED] += 1


@kernel
def _move_to(graph, i, node, barred):
    """A move of class `i` to the node, NO_MOVE if only the barred one leads there."""
    for entry in range(graph.start[i], graph.start[i + 1]):
        if graph.target[entry] == node and graph.move[entry] != barred:
            return np.int64(graph.move[entry])
    return NO_MOVE


@kernel
def _all_lost(graph, asked, win, i, barred):
    """Whether every move of class `i` but the barred one leads where the attacker has `asked`."""
    for entry in range(graph.start[i], graph.start[i + 1]):
        if win[graph.target[entry], 0] < asked and graph.move[entry] != barred:
            return False
    return True


@kernel
def stack_ends(graph, asked, win, reply, left, stack, control):
    """Add the nodes where the game can be ended for just `asked`: for amounts in falling order."""
    for i in range(graph.classes):
        if graph.area[i] == asked:
            _add(asked, win, reply, stack, control, graph.classes + i, 0, PASS_MOVE)
        elif -graph.area[i] == asked and left[i] == 0:
            _add(asked, win, reply, stack, control, graph.classes + i, 1, NO_MOVE)


@kernel
def settle(graph, stage, asked, bound, win, held, need, plan, ring, waits, control, budget):
    """Go on with `HOLD` or `ROUND` until nothing changes or `budget` classes were looked at; whether nothing does.

    `held` and `need` are int8[nodes, 2] as `win` is, `plan`, uint8[nodes], the attacker's moves for `ROUND`.
    `ring`, int32[classes], and `waits`, uint8[classes], are the queue.
    """
    classes = graph.classes
    stop = control[VISITS] + budget
    while control[QUEUED] and control[VISITS] < stop:
        i = np.int64(ring[control[HEAD]])
        control[HEAD] = (control[HEAD] + 1) % classes
        control[QUEUED] -= 1
        control[VISITS] += 1
        waits[i] = 0
        for node in (i, classes + i):
            if _settle_node(graph, stage, asked, bound, win, held, need, plan, i, node, NO_MOVE):
                _queue_before(graph, i, node, ring, waits, control)
        rest, node = np.int64(graph.ko_points[i]), 2 * classes + graph.ko_start[i]
        while rest:
            point = first(rest)
            rest &= rest - 1
            if _settle_node(graph, stage, asked, bound, win, held, need, plan, i, node, point):
                _queue_before(graph, i, node, ring, waits, control)
            node += 1
    return control[QUEUED] == 0


@kernel
def _settle_node(graph, stage, asked, bound, win, held, need, plan, i, node, barred):
    """Whether the numbers of a node of class `i`, where the move `barred` is forbidden, have changed."""
    if stage == HOLD:
        return _hold(graph, asked, bound, held, i, node, barred)
    return _go_round(graph, asked, bound, win, held, need, plan, i, node, barred)


@kernel
def _hold(graph, asked, bound, held, i, node, barred):
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


@kernel
def _go_round(graph, asked, bound, win, held, need, plan, i, node, barred):
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
            need[node, 0], plan[node] = least, move
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
def _queue_before(graph, i, node, ring, waits, control):
    """Queue the classes from which one move leads to the node."""
    classes = graph.classes
    if classes <= node < 2 * classes:
        _queue(graph.swap[i], classes, ring, waits, control)
    else:
        row = node if node < classes else node - classes
        for at in range(graph.back_start[row], graph.back_start[row + 1]):
            _queue(graph.back[at], classes, ring, waits, control)


@kernel(inline=True)
def _queue(i, classes, ring, waits, control):
    if not waits[i]:
        waits[i] = 1
        ring[(control[HEAD] + control[QUEUED]) % classes] = i
        control[QUEUED] += 1


@kernel
def queue_ends(graph, asked, ring, waits, control):
    """Queue the classes where an end is worth just `asked` to one of the two: for amounts in falling order."""
    for i in range(graph.classes):
        if abs(graph.area[i]) == asked:
            _queue(np.int64(i), graph.classes, ring, waits, control)


@kernel
def queue_won(graph, classes_of_ko, asked, every, win, held, ring, waits, control):
    """Note in `held` what the attacker has won, and queue what leads there, or `every` class."""
    classes = graph.classes
    for node in range(len(win)):
        changed = False
        for role in range(2):
            if win[node, role] >= asked and held[node, role] != TOP:
                held[node, role] = TOP
                changed = True
        if changed:
            i = node % classes if node < 2 * classes else np.int64(classes_of_ko[node - 2 * classes])
            _queue_before(graph, i, node, ring, waits, control)
    if every:
        for i in range(classes):
            _queue(np.int64(i), classes, ring, waits, control)


@kernel
def queue_open(graph, classes_of_ko, asked, win, held, need, ring, waits, control):
    """Forget `need`, but for what was dropped, and queue the classes that are neither held nor won; how many nodes."""
    classes, total = graph.classes, 0
    for node in range(len(win)):
        for role in range(2):
            if held[node, role] == TOP and win[node, role] < asked and need[node, role] != DROPPED:
                total += 1
                need[node, role] = TOP
                i = node % classes if node < 2 * classes else np.int64(classes_of_ko[node - 2 * classes])
                _queue(np.int64(i), classes, ring, waits, control)
            elif need[node, role] != DROPPED:
                need[node, role] = TOP
    return total


@kernel
def drop(asked, win, held, need):
    """Drop what was not shown to be won; how many nodes."""
    total = 0
    for role in range(2):
        for node in range(len(win)):
            if held[node, role] == TOP and win[node, role] < asked and need[node, role] == TOP:
                need[node, role] = DROPPED
                total += 1
    return total


@kernel
def take(asked, bound, win, held, need, reply, plan, stack, control):
    """Add to `win` what `ROUND` has shown."""
    for node in range(len(win)):
        for role in range(2):
            if held[node, role] == TOP and win[node, role] < asked and need[node, role] <= bound:
                _add(asked, win, reply, stack, control, node, role, plan[node])
