"""What a move is worth before it is tried: priors in visits and wins, from features of the position.

Each feature of a move adds to its prior so many visits, all won (``+``) or all lost (``-``):

================  ===  ================================================================================
weight                 the move
================  ===  ================================================================================
`EVEN`            1/2  every one
`SAVE_ONE`        +    captures a stone, or brings one out of atari to two liberties or more
`SAVE_MANY`       +    the same with two stones or more
`SELF_ATARI`      -    leaves its own string one liberty
`PATTERN`         +    matches one of MoGo's 3x3 patterns
`EMPTY_EDGE`      -    is on the first or second line with no stone within three steps
`EMPTY_THIRD`     +    is on the third line with no stone within three steps
`NEAR` ...        +    is at gridcular distance 2, 3, 4 or 5 from the last move
`PASS_WEIGHT`     -    is a pass, `PASS_SHARE` of it won; won or lost, as the board stands, where it ends the game
================  ===  ================================================================================

The gridcular distance is dx + dy + max(dx, dy). Filling an own eye is no move at all.

References
----------
S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", 2006 (patterns).
G. Chaslot et al., "Adding expert knowledge and exploration in Monte-Carlo Tree Search", 2009 (priors).
P. Baudis, Michi, 2015 (the weights). R. Coulom, "Computing Elo Ratings of Move Patterns", 2007 (the distance).
"""

from __future__ import annotations

import numpy as np

from foogo.core.bits import lowest, population
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, numbers, words
from foogo.game.geometry import BLACK, EMPTY, PASS
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import STRING_SUICIDE, area_score, suicide_kind
from foogo.search.kernels import tree as t
from foogo.search.kernels.learned_prior import judge
from foogo.search.kernels.moves import SIMPLE, hash_change, in_atari_at, is_open, liberties_after, repeats, situation
from foogo.search.kernels.survey import STEPS_AROUND
from foogo.search.kernels.tiles import TILE, tiles_of

EVEN, SAVE_ONE, SAVE_MANY, SELF_ATARI, PATTERN, EMPTY_EDGE, EMPTY_THIRD, NEAR = range(8)
PASS_WEIGHT = NEAR + 4
LEARNT, SHARPNESS = PASS_WEIGHT + 1, PASS_WEIGHT + 2
WEIGHTS = SHARPNESS + 1

PASS_SHARE = 0.1
"""Above zero, so that a pass is tried where every move loses, as in a seki."""


@kernel
def new_block(size):
    """Room for the children of an entry, int32 each: their cells; and their points, visits and half wins."""
    room = TILE * tiles_of(size * size + 1)
    cells, points = np.empty(room, np.int32), np.empty(room, np.int32)
    return cells, points, np.empty(room, np.int32), np.empty(room, np.int32)


@kernel
def grow(tree, shared, entry, board, place, rules, weights, tables, past, avoided, depth):
    """Give `entry` its children, every legal move that fills no own eye and a pass, each with its prior.

    Parameters
    ----------
    board
        The state of the board there, `foogo.game.kernels.strings`.
    place
        (color, ko, last, before, hash, length): who moves, the cell ko forbids, the last move's cell and that of the
        move before, the stones' hash, and how many hashes of situations there are.
    rules
        (size, suicide, superko, komi).
    weights, tables
        Of the features above and the two numbers of `foogo.search.kernels.learned_prior.judge`, which decides where
        `LEARNT` is not 0; the bits of the 3x3 patterns, the table of `judge`, `new_block`, and what `judge` works in.
    past
        Of `foogo.search.kernels.descent.descend`: the situations before, and where stones were, up to this position.
    avoided, depth
        int32 (2, points + 1): to what depth Black, White, leaves each point out, and the pass behind them; and the
        depth of `entry`, 0 for the root. Where nothing else is left, there is a pass.
    """
    size, _suicide, _superko, komi = rules
    color, _ko, last, before, _stones, _length = place
    patterns, table, (moves, points, visits, wins), scratch = tables
    cells, state = halfwords(board), words(board)
    moves, points, visits, wins = numbers(moves), numbers(points), numbers(visits), numbers(wins)
    room = 1
    for w in range(s.words_of(size)):
        room += population(state[s.candidates_at(size, color) + w])
    first = t.allocate(tree, shared, entry, room)
    if first == t.LEAF:
        return
    t.fetch_new(tree, first, room)
    count = _find_moves(state, cells, place, rules, past, avoided[color - 1], depth, moves, points)
    passing, won = weights[PASS_WEIGHT], PASS_SHARE * weights[PASS_WEIGHT]
    if weights[LEARNT]:
        numbers_of = weights[EVEN], weights[LEARNT], weights[SHARPNESS]
        more = judge(moves, count, visits, wins, cells, size, color, last, before, numbers_of, table, scratch)
        passing, won = passing + more, won + more
    else:
        for i in range(count):
            visits[i], wins[i] = t.rounded(*prior(cells, size, color, moves[i], last, weights, patterns))
    if not count or avoided[color - 1, size * size] <= depth:
        if last == s.PASSED:
            lead = area_score(board, size) - komi
            gain = lead if color == BLACK else -lead
            won = passing * (1.0 if gain > 0 else 0.5 if gain == 0 else 0.0)
        points[count] = PASS
        visits[count], wins[count] = t.rounded(passing, won)
        count += 1
    t.publish(tree, shared, entry, first, count, (points, visits, wins))


@kernel
def _find_moves(state, cells, place, rules, past, avoided, depth, moves, points):
    """Write the moves that `grow` makes children of as cells and points; how many they are."""
    size, suicide, superko, _komi = rules
    color, ko, _last, _before, _stones, _length = place
    first_word, base, stride, count = s.candidates_at(size, color), size + 2, size + 1, 0
    stood, stood_at = words(past[1]), (1 + color) * s.words_of(size)
    per_row = (1 << 16) // stride + 1  # so that a place's row is (place * per_row) >> 16
    for w in range(s.words_of(size)):
        left = state[first_word + w]
        # Those without an empty neighbour (it would be no eye, so a candidate, too): only they can be suicide or ko.
        closed = left & ~s.beside(state, first_word, size, w)
        while closed:
            bit = closed & (~closed + np.uint64(1))
            closed ^= bit
            cell = 64 * w + lowest(bit) + base
            kind = suicide_kind(cells, size, color, cell)
            if cell == ko or not is_open(kind, suicide) or (
                kind == STRING_SUICIDE and superko != SIMPLE and _comes_back(cells, cell, place, rules, past)
            ):  # fmt: skip
                left ^= bit
        # What another move brings back has its stone, which was taken off since.
        again = left & stood[stood_at + w] if superko != SIMPLE else np.uint64(0)
        while again:
            bit = again & (~again + np.uint64(1))
            again ^= bit
            if _comes_back(cells, 64 * w + lowest(bit) + base, place, rules, past):
                left ^= bit
        while left:
            at = 64 * w + lowest(left)
            left &= left - np.uint64(1)
            point = at - ((at * per_row) >> 16)
            if avoided[point] <= depth:
                moves[count], points[count] = at + base, point
                count += 1
    return count


@kernel
def _comes_back(cells, cell, place, rules, past):
    """Whether superko forbids a move that may repeat a position."""
    size, _suicide, superko, _komi = rules
    color, _ko, _last, _before, stones, length = place
    change = hash_change(cells, size, color, cell)
    return repeats(past[0], length, situation(stones ^ change, 3 - color, superko))


@kernel
def prior(cells, size, color, cell, last, weights, patterns):
    """The prior of a move, in visits and wins."""
    won = lost = 0.0
    saved = _stones_saved(cells, size, color, cell)
    if saved:
        won += weights[SAVE_ONE] if saved == 1 else weights[SAVE_MANY]
    if liberties_after(cells, size, color, cell) < 2:
        lost += weights[SELF_ATARI]
    index = _neighborhood(cells, size, cell)
    if (patterns[index >> 6] >> np.uint64(index & 63)) & np.uint64(1):
        won += weights[PATTERN]
    row, column = _row_column(size, cell)
    line = min(min(row, size - 1 - row), min(column, size - 1 - column))
    if line < 3 and _is_lonely(cells, size, row, column):
        if line == 2:
            won += weights[EMPTY_THIRD]
        else:
            lost += weights[EMPTY_EDGE]
    if last > s.PASSED:
        last_row, last_column = _row_column(size, last)
        across, along = abs(row - last_row), abs(column - last_column)
        distance = across + along + max(across, along)
        if distance <= 5:
            won += weights[NEAR + distance - 2]
    return weights[EVEN] + won + lost, 0.5 * weights[EVEN] + won


@kernel
def _neighborhood(cells, size, cell):
    """The colours of the eight neighbours, two bits each, row by row from the south-west."""
    span, stride = s.span_of(size), size + 1
    index = 0
    for i in range(8):
        shift = i + (i > 3)
        near = cell + (shift // 3 - 1) * stride + shift % 3 - 1
        index |= np.int64(cells[s.COLOR * span + near]) << (2 * i)
    return index


@kernel
def _is_lonely(cells, size, row, column):
    """Whether no stone is within `STEPS_AROUND` steps of a point."""
    span, stride = s.span_of(size), size + 1
    for up in range(-STEPS_AROUND, STEPS_AROUND + 1):
        reach = STEPS_AROUND - abs(up)
        if 0 <= row + up < size:
            for x in range(max(0, column - reach), min(size - 1, column + reach) + 1):
                if cells[s.COLOR * span + (row + up + 1) * stride + x + 1] != EMPTY:
                    return False
    return True


@kernel(inline=True)
def _row_column(size, cell):
    return cell // (size + 1) - 1, cell % (size + 1) - 1


@kernel
def _stones_saved(cells, size, color, cell):
    """Stones that the move captures, and own stones that it brings from one liberty to two or more."""
    span, stride = s.span_of(size), size + 1
    saved, endangered = 0, 0
    for i in range(4):
        near = s.neighbor(cell, stride, i)
        content = cells[s.COLOR * span + near]
        if content != EMPTY and content != s.BORDER and in_atari_at(cells, size, near, cell):
            stones = np.int64(cells[s.STONES * span + cells[s.HEAD * span + near]])
            if content == color:
                endangered += stones
            else:
                saved += stones
    if endangered and liberties_after(cells, size, color, cell) > 1:
        saved += endangered
    return saved
