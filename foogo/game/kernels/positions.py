"""Positions on the scalar board: checked and unchecked play, legal and playable sets, area, strings.

`foogo.game.kernels.strings` lays the state out and moves the stones; this keeps the rest of it (whose turn, ko,
Zobrist hash, the sets of single-stone suicides) and answers questions. `play` looks again only at points
next to stones that came or went, and at the last liberties of the strings next to those.
"""

from __future__ import annotations

import numpy as np

from foogo.core.bits import lowest
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.liberties import is_counted, loses_last_liberty
from foogo.game.kernels.neighbors import DIAGONAL, EMPTIES, ORTHOGONAL, TAKEN
from foogo.game.kernels.strings import neighbor

LEGAL, OCCUPIED, KO_FORBIDS, STONE_SUICIDE, STRING_SUICIDE = range(5)
"""What `try_play` and `legality` answer."""


@kernel(inline=True)
def stone_key(point, color):
    """The Zobrist key of a stone: SplitMix64's mix of (point, color), so no table is needed."""
    key = np.uint64(2 * point + color) * np.uint64(0x9E3779B97F4A7C15)
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


@kernel
def reset(state, size):
    """Make `state` (uint64[state_words(size)]) the empty board, Black to play."""
    span = s.span_of(size)
    cells = halfwords(state)
    state[:] = 0
    for cell in range(span):
        cells[s.COLOR * span + cell] = s.BORDER
        cells[s.HEAD * span + cell] = cell
        cells[s.NEXT * span + cell] = cell
        cells[s.LIBERTIES * span + cell] = s.MANY
        cells[s.AROUND * span + cell] = TAKEN | 4 << EMPTIES
    for point in range(size * size):
        cell = s.cell_of(size, point)
        row, col = point // size, point % size
        beyond = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1)
        orthogonal = (beyond | beyond << 3) << ORTHOGONAL
        diagonal = (1 | 1 << 3) << DIAGONAL if beyond else 0
        cells[s.COLOR * span + cell] = EMPTY
        cells[s.AROUND * span + cell] = orthogonal | diagonal | (4 - beyond) << EMPTIES
        s.include(state, s.candidates_at(size, BLACK), size, cell)
        s.include(state, s.candidates_at(size, WHITE), size, cell)
    state[s.header_at(size) + s.TO_PLAY] = BLACK


# --- strings and liberties -----------------------------------------------------------------------------


@kernel
def last_liberty(cells, size, cell):
    """The only liberty of the string on `cell`, or `NOWHERE` if it has more."""
    span, stride = s.span_of(size), size + 1
    head = np.int64(cells[s.HEAD * span + cell])
    if cells[s.LIBERTIES * span + head] > 4:
        return s.NOWHERE
    found, stone = s.NOWHERE, head
    for _ in range(cells[s.STONES * span + head]):
        for i in range(4):
            near = neighbor(stone, stride, i)
            if cells[s.COLOR * span + near] == EMPTY and near != found:
                if found != s.NOWHERE:
                    return s.NOWHERE
                found = near
        stone = np.int64(cells[s.NEXT * span + stone])
    return found


@kernel
def mark_string(state, size, cell, stones, liberties):
    """Set `stones` and `liberties` (uint8 per point, zero before) for the string on `cell`."""
    span, stride = s.span_of(size), size + 1
    cells = halfwords(state)
    stone = np.int64(cell)
    while True:
        stones[s.point_of(size, stone)] = 1
        for i in range(4):
            near = neighbor(stone, stride, i)
            if cells[s.COLOR * span + near] == EMPTY:
                liberties[s.point_of(size, near)] = 1
        stone = np.int64(cells[s.NEXT * span + stone])
        if stone == cell:
            return


# --- play -----------------------------------------------------------------------------------------------


@kernel
def legality(state, size, color, cell, suicide):
    """Whether `color` may play on `cell`: `LEGAL`, or why not. `PASSED` is always legal."""
    if cell == s.PASSED:
        return LEGAL
    answer = suicide_kind(halfwords(state), size, color, cell)
    if answer == OCCUPIED:
        return answer
    if cell == ko_cell(state, size, color):
        return KO_FORBIDS
    return LEGAL if suicide and answer == STRING_SUICIDE else answer


@kernel(inline=True)
def ko_cell(state, size, color):
    """The cell that simple ko forbids to `color`, or `NOWHERE`."""
    header = s.header_at(size)
    return np.int64(state[header + s.KO]) if state[header + s.KO_COLOR] == color else s.NOWHERE


@kernel
def suicide_kind(cells, size, color, cell):
    """`LEGAL`, `OCCUPIED`, `STONE_SUICIDE` or `STRING_SUICIDE`: what `color` on `cell` would be but for ko."""
    span, stride = s.span_of(size), size + 1
    if cells[s.COLOR * span + cell] != EMPTY:
        return OCCUPIED
    joins = False
    for i in range(4):
        near = neighbor(cell, stride, i)
        content = cells[s.COLOR * span + near]
        if content == EMPTY:
            return LEGAL
        if content != s.BORDER:
            dies = loses_last_liberty(cells, size, near, cell)
            if dies == (content != color):
                return LEGAL
            joins |= content == color
    return STRING_SUICIDE if joins else STONE_SUICIDE


@kernel(announce="the board")
def try_play(state, size, color, cell, suicide):
    """Play as `play` does if that is legal; `LEGAL`, or why not, and then nothing is changed."""
    answer = legality(state, size, color, cell, suicide)
    if answer == LEGAL:
        play(state, size, color, cell)
    return answer


@kernel
def play(state, size, color, cell):
    """Play `color` on `cell`, or pass with `PASSED`. Unchecked: the move must be legal, or suicide of a string.

    Every section of the state is brought up to date; the other colour is then to play.
    """
    header = s.header_at(size)
    ko = s.NOWHERE
    if cell != s.PASSED:
        ko = _move_stones(words(state), halfwords(state), size, color, cell)
    state[header + s.KO] = ko
    state[header + s.KO_COLOR] = 3 - color
    state[header + s.TO_PLAY] = 3 - color
    state[header + s.LAST] = cell
    state[header + s.MOVES] += np.uint64(1)


@kernel
def _move_stones(state, cells, size, color, cell):
    """Bring everything but the header up to date; the cell that ko forbids, as `strings.place` answers."""
    for w in range(s.words_of(size)):
        state[s.changed_at(size) + w] = 0
    state[s.header_at(size) + s.HASH] ^= _note_before(state, cells, size, color, cell)
    ko = s.place(state, cells, size, color, cell, True)
    _note_after(state, cells, size, cell)
    _look_again(state, cells, size)
    return ko


@kernel
def _note_before(state, cells, size, color, cell):
    """Note the points that strings about to be removed will change; how the hash will change."""
    span, stride = s.span_of(size), size + 1
    change = stone_key(s.point_of(size, cell), color)
    dying = 3 - color
    if suicide_kind(cells, size, color, cell) == STRING_SUICIDE:
        dying, change = color, np.uint64(0)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if (
            cells[s.COLOR * span + near] == dying
            and not is_counted(cells, size, cell, i)
            and loses_last_liberty(cells, size, near, cell)
        ):
            change ^= _note_string(state, cells, size, near)
    return change


@kernel
def _note_string(state, cells, size, cell):
    """Note the points that the removal of the string on `cell` will change; its stones' part of the hash."""
    span, stride = s.span_of(size), size + 1
    change = np.uint64(0)
    stone, color = np.int64(cell), np.int64(cells[s.COLOR * span + cell])
    for _ in range(cells[s.STONES * span + cells[s.HEAD * span + cell]]):
        change ^= stone_key(s.point_of(size, stone), color)
        _note(state, cells, size, stone)
        for i in range(4):
            near = neighbor(stone, stride, i)
            _note(state, cells, size, near)
            if cells[s.COLOR * span + near] == 3 - color:
                _note(state, cells, size, last_liberty(cells, size, near))
        stone = np.int64(cells[s.NEXT * span + stone])
    return change


@kernel
def _note_after(state, cells, size, cell):
    """Note the points that a stone placed on `cell` changed: around it, and last liberties next to it."""
    span, stride = s.span_of(size), size + 1
    for i in range(5):
        near = neighbor(cell, stride, i) if i < 4 else cell
        _note(state, cells, size, near)
        color = cells[s.COLOR * span + near]
        if color == BLACK or color == WHITE:
            _note(state, cells, size, last_liberty(cells, size, near))


@kernel(inline=True)
def _note(state, cells, size, cell):
    if cells[s.COLOR * s.span_of(size) + cell] != s.BORDER:
        s.include(state, s.changed_at(size), size, cell)


@kernel
def _look_again(state, cells, size):
    """Bring the stuck sets up to date at the noted points."""
    for w in range(s.words_of(size)):
        word = state[s.changed_at(size) + w]
        while word:
            cell = 64 * w + lowest(word) + size + 2
            word &= word - np.uint64(1)
            for color in range(BLACK, WHITE + 1):
                if suicide_kind(cells, size, color, cell) == STONE_SUICIDE:
                    s.include(state, s.stuck_at(size, color), size, cell)
                else:
                    s.exclude(state, s.stuck_at(size, color), size, cell)


# --- questions ------------------------------------------------------------------------------------------


@kernel
def mark_playable(state, size, color, points):
    """Set in `points` (uint8 per point, zero before) what a playout of `color` may play."""
    allowed, stuck = s.candidates_at(size, color), s.stuck_at(size, color)
    ko = ko_cell(state, size, color)
    for w in range(s.words_of(size)):
        word = state[allowed + w] & ~state[stuck + w]
        while word:
            cell = 64 * w + lowest(word) + size + 2
            word &= word - np.uint64(1)
            if cell != ko:
                points[s.point_of(size, cell)] = 1


@kernel
def mark_legal(state, size, color, suicide, points):
    """Set in `points` (uint8 per point, zero before) where `color` may play; eyes may be filled."""
    for point in range(size * size):
        points[point] = legality(state, size, color, s.cell_of(size, point), suicide) == LEGAL


@kernel
def copy_colors(state, size, points):
    """Write the colour of each point to `points` (one number per point)."""
    span = s.span_of(size)
    cells = halfwords(state)
    for point in range(size * size):
        points[point] = cells[s.COLOR * span + s.cell_of(size, point)]


@kernel
def area_score(state, size):
    """Black's area minus White's by Tromp-Taylor."""
    return area(state, size, np.empty(s.span_of(size), np.int8))


@kernel
def area(state, size, owner):
    """Black's area minus White's by Tromp-Taylor: an empty region counts for the one colour it reaches.

    `owner` (int8, by cell) is filled with whose area each point is: `BLACK`, `WHITE`, or another number for neither.
    """
    span, stride = s.span_of(size), size + 1
    cells = halfwords(state)
    seen = np.zeros(span, np.uint8)
    region = np.empty(span, np.int64)
    total = 0
    for point in range(size * size):
        cell = s.cell_of(size, point)
        color = cells[s.COLOR * span + cell]
        if color != EMPTY:
            owner[cell] = color
            total += 1 if color == BLACK else -1
            continue
        if seen[cell]:
            continue
        seen[cell] = 1
        region[0] = cell
        found, looked, touched = 1, 0, 0
        while looked < found:
            here = region[looked]
            looked += 1
            for i in range(4):
                near = neighbor(here, stride, i)
                content = np.int64(cells[s.COLOR * span + near])
                if content == BLACK or content == WHITE:
                    touched |= content
                elif content == EMPTY and not seen[near]:
                    seen[near] = 1
                    region[found] = near
                    found += 1
        for i in range(found):
            owner[region[i]] = touched
        total += found if touched == BLACK else -found if touched == WHITE else 0
    return total
