"""Zero-window search for "is the value for the mover at least so much?", on a stack that can be left and re-entered.

A node asks a question and gets an answer, yes (1) or no (-1), and how far it may be trusted: `GUESS` if an
estimate or a repetition had a part in it, `PROVEN` if it is a fact about the position, whatever came before.

Who asks for more than 0 is the *attacker*, who must reach the end of the game; endless play gives 0 and suits the
other, the *defender*. Proven answers of a plain search use no repetition. Where the defender needs one, a
*closing pass* searches without a horizon and assumes of each position it meets again that it is defended; answers
that rest on this are `ASSUMED`. docs/explanation/solve.md says why the pass proves them if no assumption fails, and
`control[FAILED]` says whether one did.

One row of `frames` per ply; `control` holds what outlives a call. Rows below `BASE` are the moves that led to the
root, which matter to superko only.
"""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.solver.kernels.board import (
    area_of,
    around,
    count,
    first,
    in_atari,
    living,
    nearer,
    plain_key,
    play_point,
    shared_key,
)
from foogo.solver.kernels.table import (
    DEPTH,
    GUESS_LOWER,
    GUESS_UPPER,
    LOWER,
    MARK,
    MOST_WORK,
    MOVE,
    NO_MOVE,
    OFFSET,
    PASS_MOVE,
    RELIED,
    UPPER,
    WORK,
    entry_for,
    field,
    find,
    is_marked,
    logarithm,
    marked,
    packed,
    unmarked,
)

(
    OWN, OTHER, KO, PASSED, ASKED, LEFT, KEY, SYMMETRY, PLAIN, CURSOR, BEST, TRUST, FIRST_NODE,
    LOW, HIGH, LAST, MOVE_COUNT,
) = range(17)  # fmt: skip
"""Columns of a frame: the position, what is asked, plies left, its keys, the state of its loop over moves, the
node count at its start, proven bounds, the move that led here, and how many moves it has."""

FRAME_WORDS = 17

PLY, RETURNING, ANSWER, ANSWER_TRUST, NODES, USED, BASE, RULE, SUICIDE, FEATURES, DEEPEST, PASSING, FAILED = range(13)
"""Columns of `control`."""

CONTROL_WORDS = 16

KO_ONLY, POSITIONAL, SITUATIONAL = range(3)

TABLE, SYMMETRIC, LIFE, KILLERS, HISTORY, CAPTURES, CENTRE, AHEAD = (1 << i for i in range(8))
"""The techniques that can be switched off, bits of `FEATURES`."""

GUESS, ASSUMED, PROVEN = range(3)
"""How far an answer may be trusted."""

MAX_PLIES = 4096


@kernel(announce="the solver")
def search(shape, tables, maps, inverses, centre, table, frames, moves, killers, history, control, scratch, budget):
    """Go on with the search until it is answered or about `budget` nodes were entered; whether it is answered."""
    rule, features, base = control[RULE], control[FEATURES], control[BASE]
    suicide = control[SUICIDE] != 0
    stop = control[NODES] + budget
    ply = control[PLY]
    returning = control[RETURNING] != 0
    answer, trust = control[ANSWER], control[ANSWER_TRUST]
    while True:
        frame = frames[ply]
        if not returning:
            if control[NODES] >= stop:
                break
            control[NODES] += 1
            answer, trust = _enter(
                shape, tables, inverses, centre, table, frames, ply, moves, killers, history, control, scratch
            )
            frame[FIRST_NODE] = control[NODES]
            returning = answer != 0
        if returning:
            if ply == base:
                break
            ply -= 1
            frame = frames[ply]
            returning = False
            if answer < 0:
                answer = 1
                frame[BEST] = frame[LAST]
                _reward(killers, history, ply, frame[LAST], frame[LEFT])
                returning = True
            else:
                frame[TRUST] = min(frame[TRUST], trust)
        if not returning:
            if _next_move(shape, frames, ply, moves, rule, suicide) != NO_MOVE:
                ply += 1
                continue
            answer, trust = -1, frame[TRUST]
            returning = True
        if features & TABLE:
            _store(maps, table, frame, answer, trust, control)
    control[PLY] = ply
    control[RETURNING] = returning
    control[ANSWER], control[ANSWER_TRUST] = answer, trust
    return returning


@kernel
def _enter(shape, tables, inverses, centre, table, frames, ply, moves, killers, history, control, scratch):
    """The answer that needs no move and its trust; or 0, and the moves of the frame laid out."""
    frame = frames[ply]
    own, other, passed, asked = frame[OWN], frame[OTHER], frame[PASSED], frame[ASKED]
    rule, features, left, passing = control[RULE], control[FEATURES], frame[LEFT], control[PASSING]
    control[DEEPEST] = max(control[DEEPEST], ply)
    score = area_of(shape, own, other)
    if passed and score >= asked:
        return 1, PROVEN
    low, high = -shape.points, shape.points
    mine = theirs = 0
    if features & LIFE:
        _, mine = living(shape, own, other, rule != KO_ONLY, 0, scratch)
        _, theirs = living(shape, other, own, rule != KO_ONLY, 0, scratch)
        low, high = 2 * count(mine) - shape.points, shape.points - 2 * count(theirs)
        if low >= asked:
            return 1, PROVEN
        if high < asked:
            return -1, PROVEN
    frame[PLAIN] = plain_key(own, other, frame[KO], passed)
    if rule == KO_ONLY and not passing:
        for above in range(ply - 2, control[BASE] - 1, -2):
            if frames[above, PLAIN] == frame[PLAIN]:
                return (1 if asked <= 0 else -1), GUESS
    hint = NO_MOVE
    if features & TABLE and left > 0:
        frame[KEY], frame[SYMMETRY] = shared_key(tables, own, other, frame[KO], passed, features & SYMMETRIC != 0)
        answer, trust, hint, low, high = _look_up(table, frame, low, high, control, ply)
        if answer:
            return answer, trust
        if hint < PASS_MOVE:
            hint = inverses[frame[SYMMETRY], hint]
    frame[LOW], frame[HIGH] = low, high
    if left <= 0:
        if passing:
            return (1 if asked > 0 else -1), GUESS  # too deep: the defender must do without
        return (1 if _estimate(shape, own, other, mine, theirs) >= asked else -1), GUESS
    _lay_out(shape, centre, frame, ply, moves, killers, history, features, hint, mine, theirs, score)
    if features & AHEAD and features & TABLE and rule == KO_ONLY and left > 2:
        trust = _known_win(shape, tables, table, frame, moves[ply], control)
        if trust:
            frame[FIRST_NODE] = control[NODES]
            return 1, trust
    if passing:
        _mark(table, frame, control)
    return 0, GUESS


@kernel
def _look_up(table, frame, low, high, control, ply):
    """What the table knows: an answer or 0, its trust, the stored move or NO_MOVE, and the bounds."""
    entry = find(table, frame[KEY])
    if entry < 0:
        return 0, GUESS, NO_MOVE, low, high
    data, asked = table[entry, 1], frame[ASKED]
    hint = field(data, MOVE, 5)
    if control[RULE] != KO_ONLY:
        return 0, GUESS, hint, low, high
    low, high = max(low, field(data, LOWER, 6) - OFFSET), min(high, field(data, UPPER, 6) - OFFSET)
    if low >= asked:
        return 1, PROVEN, hint, low, high
    if high < asked:
        return -1, PROVEN, hint, low, high
    if control[PASSING]:
        role = np.int64(asked <= 0)
        if is_marked(data, control[PASSING], role):
            table[entry, 1] |= 1 << (RELIED + role)
            return (1 if asked <= 0 else -1), ASSUMED, hint, low, high
    elif field(data, DEPTH, 8) == frame[LEFT] and ply > control[BASE]:
        if field(data, GUESS_LOWER, 6) - OFFSET >= asked:
            return 1, GUESS, hint, low, high
        if field(data, GUESS_UPPER, 6) - OFFSET < asked:
            return -1, GUESS, hint, low, high
    return 0, GUESS, hint, low, high


@kernel
def _mark(table, frame, control):
    """Assume for the rest of the pass that the frame's position is defended."""
    entry, found = entry_for(table, frame[KEY], 0, control[PASSING])
    control[USED] += found == 1
    if found == 3:
        control[FAILED] = 1
    if found:
        table[entry, 0] = frame[KEY]
        table[entry, 1] = packed(frame[LOW], frame[HIGH], -OFFSET, OFFSET, 0, NO_MOVE, 0)
    table[entry, 1] = marked(table[entry, 1], control[PASSING], np.int64(frame[ASKED] <= 0))


@kernel
def _estimate(shape, own, other, mine, theirs):
    """About what the position is worth to the mover: stones, and empty points by who is nearer."""
    return nearer(shape, (own & ~theirs) | mine, (other & ~mine) | theirs)


@kernel
def _lay_out(shape, centre, frame, ply, moves, killers, history, features, hint, mine, theirs, score):
    """Fill the row of moves: each is ``rank << 8 | move``; `_next_move` picks the highest."""
    own, other = frame[OWN], frame[OTHER]
    empty = shape.full & ~(own | other)
    row = moves[ply]
    captures = rescues = 0
    if features & CAPTURES:
        captures = around(shape, in_atari(shape, other, empty)) & empty
        rescues = around(shape, in_atari(shape, own, empty)) & empty
    total = 0
    rest = empty & ~frame[KO]
    while rest:
        point = first(rest)
        stone = rest & -rest
        rest &= rest - 1
        rank = 1 << 20
        if features & CENTRE:
            rank += centre[point]
        if stone & captures:
            rank += 40000
        if stone & rescues:
            rank += 15000
        if stone & (mine | theirs):
            rank -= 500000
        if features & KILLERS:
            if killers[ply, 0] == point:
                rank += 20000
            elif killers[ply, 1] == point:
                rank += 10000
        if features & HISTORY:
            rank += history[ply & 1, point]
        if point == hint:
            rank = 1 << 30
        row[total] = rank << 8 | point
        total += 1
    rank = 1 << 18
    if score >= frame[ASKED]:
        rank = (1 << 20) + 30000
    if hint == PASS_MOVE:
        rank = 1 << 30
    row[total] = rank << 8 | PASS_MOVE
    frame[MOVE_COUNT] = total + 1
    frame[CURSOR] = 0
    frame[BEST] = NO_MOVE
    frame[TRUST] = PROVEN


@kernel
def _next_move(shape, frames, ply, moves, rule, suicide):
    """Play the best-ranked move not yet tried into the next frame: the move, or NO_MOVE if there is none left."""
    frame, following, row = frames[ply], frames[ply + 1], moves[ply]
    total = frame[MOVE_COUNT]
    while frame[CURSOR] < total:
        at = frame[CURSOR]
        chosen = at
        for i in range(at + 1, total):
            if row[i] > row[chosen]:
                chosen = i
        row[at], row[chosen] = row[chosen], row[at]
        frame[CURSOR] = at + 1
        move = row[at] & 255
        if move == PASS_MOVE:
            own, other, ko = frame[OWN], frame[OTHER], 0
            if frame[PASSED]:
                continue  # it would end the game at a score that was found too low
        else:
            own, other, ko, legal = play_point(shape, frame[OWN], frame[OTHER], move, suicide)
            if not legal or (rule != KO_ONLY and _seen_before(frames, ply, own, other, rule)):
                continue
        frame[LAST] = move
        following[OWN], following[OTHER], following[KO] = other, own, ko
        following[PASSED] = move == PASS_MOVE
        following[ASKED] = 1 - frame[ASKED]
        following[LEFT] = frame[LEFT] - 1
        return move
    return NO_MOVE


@kernel
def _seen_before(frames, ply, own, other, rule):
    """Whether superko forbids the mover at `ply` to leave those stones; row 0 is the first position."""
    for above in range(ply, -1, -1):
        same_mover = (ply - above) & 1 == 0
        if same_mover:
            if rule == POSITIONAL and frames[above, OWN] == own and frames[above, OTHER] == other:
                return True
        elif frames[above, OWN] == other and frames[above, OTHER] == own:
            return True
    return False


@kernel
def _known_win(shape, tables, table, frame, row, control):
    """The trust, not 0, with which the table knows a move that wins; 0 if it knows none."""
    symmetric = control[FEATURES] & SYMMETRIC != 0
    passing = control[PASSING]
    assumed, choice = -1, NO_MOVE
    for i in range(frame[MOVE_COUNT]):
        move = row[i] & 255
        if move == PASS_MOVE:
            continue
        own, other, ko, legal = play_point(shape, frame[OWN], frame[OTHER], move, control[SUICIDE] != 0)
        if legal:
            key, _ = shared_key(tables, other, own, ko, 0, symmetric)
            entry = find(table, key)
            if entry >= 0:
                if field(table[entry, 1], UPPER, 6) - OFFSET < 1 - frame[ASKED]:
                    frame[BEST] = move
                    return PROVEN
                if passing and frame[ASKED] <= 0 and is_marked(table[entry, 1], passing, 0):
                    assumed, choice = entry, move
    if assumed >= 0:
        table[assumed, 1] |= 1 << RELIED  # with the attacker to move
        frame[BEST] = choice
        return ASSUMED
    return 0


@kernel
def _reward(killers, history, ply, move, left):
    """Note that `move` answered the question, for the order of moves elsewhere."""
    if killers[ply, 0] != move:
        killers[ply, 1] = killers[ply, 0]
        killers[ply, 0] = move
    if move < PASS_MOVE:
        history[ply & 1, move] += min(left + 1, 30) * min(left + 1, 30)
        if history[ply & 1, move] > 9000:
            for point in range(PASS_MOVE):
                history[ply & 1, point] //= 2


@kernel
def _store(maps, table, frame, answer, trust, control):
    """Write what the frame found into the table."""
    asked, passing = frame[ASKED], control[PASSING]
    work = min(MOST_WORK, logarithm(control[NODES] - frame[FIRST_NODE]))
    entry, found = entry_for(table, frame[KEY], work, passing)
    control[USED] += found == 1
    if passing and found == 3:
        control[FAILED] = 1
    low, high = frame[LOW], frame[HIGH]
    guess_low, guess_high, depth, hint, marks = -OFFSET, OFFSET, min(frame[LEFT], 255), NO_MOVE, 0
    if found == 0:
        data = table[entry, 1]
        low = max(low, field(data, LOWER, 6) - OFFSET)
        high = min(high, field(data, UPPER, 6) - OFFSET)
        hint = field(data, MOVE, 5)
        work = max(work, field(data, WORK, 6))
        if passing or field(data, DEPTH, 8) == depth:
            guess_low, guess_high = field(data, GUESS_LOWER, 6) - OFFSET, field(data, GUESS_UPPER, 6) - OFFSET
            depth = field(data, DEPTH, 8)
        marks = data >> MARK << MARK
    elif passing:
        depth = 0
    if trust == PROVEN and control[RULE] == KO_ONLY:
        if answer > 0:
            low = max(low, asked)
        else:
            high = min(high, asked - 1)
    elif not passing:
        if answer > 0:
            guess_low, guess_high = asked, max(guess_high, asked)
        else:
            guess_high, guess_low = asked - 1, min(guess_low, asked - 1)
    if passing and (trust == GUESS or (answer > 0) == (asked > 0)):
        role = np.int64(asked <= 0)
        if is_marked(marks, passing, role) and marks >> (RELIED + role) & 1:
            control[FAILED] = 1
        marks = unmarked(marks, role)
    if frame[BEST] != NO_MOVE:
        hint = frame[BEST]
        if hint < PASS_MOVE:
            hint = maps[frame[SYMMETRY], hint]
    table[entry, 0] = frame[KEY]
    table[entry, 1] = packed(low, high, guess_low, guess_high, depth, hint, work) | marks
