"""Positions on the scalar board: checked and unchecked play, legal and playable sets, area, strings.

`foogo.game.kernels.strings` declares the layout of the state and moves the stones. This module maintains the rest
(turn, ko, Zobrist hash, the sets of single-stone suicides) and answers queries. After a move, `play` updates the
suicides only next to stones that came or went, and at the last liberties of the strings next to those.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.bits import lowest
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.lengths import state_words
from foogo.game.kernels.neighbor_counts import DIAGONAL_BIT, EMPTY_BIT, NOT_EMPTY, ORTHOGONAL_BIT
from foogo.game.kernels.strings import neighbor

LEGAL, OCCUPIED, KO_FORBIDS, STONE_SUICIDE, STRING_SUICIDE = range(5)
"""What `try_play` and `legality` return."""

SIMPLE, POSITIONAL, SITUATIONAL = range(3)
"""Superko rules, in the order of `foogo.game.rules.SUPERKO_RULES`."""

UNSEEN = -1
"""The owner of a point that `area_score` has not reached yet."""


class AreaScratch(NamedTuple):
    """The memory of `area_score`, by cell."""

    owner: NDArray[np.int8]
    """Whose area each point is."""
    region: NDArray[np.int64]
    """The cells of an empty region."""


def new_area_scratch(size: int) -> AreaScratch:
    """Memory for a board of that size."""
    span = s.span_of.py_func(size)
    return AreaScratch(np.empty(span, np.int8), np.empty(span, np.int64))


@kernel(inline=True)
def stone_key(point, color):
    """The Zobrist key of a stone: SplitMix64's mix of (point, color), which needs no table."""
    return mixed(np.uint64(2 * point + color) * np.uint64(0x9E3779B97F4A7C15))


@kernel(inline=True)
def mixed(key):
    """SplitMix64's mix: a bijection of 64 bits under which similar numbers become unrelated."""
    key = (key ^ (key >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    key = (key ^ (key >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return key ^ (key >> np.uint64(31))


def empty_board(size: int) -> NDArray[np.uint64]:
    """The state of the empty board, Black to play."""
    state = np.zeros(state_words(size), np.uint64)
    span, set_words = s.span_of.py_func(size), s.words_of.py_func(size)
    cells = state.view(np.uint16)[: s.FIELDS * span].reshape(s.FIELDS, span)
    cells[s.COLOR] = s.BORDER
    cells[s.HEAD] = cells[s.NEXT] = np.arange(span)
    cells[s.PSEUDO_LIBERTIES] = s.MANY_LIBERTIES
    cells[s.NEIGHBORS] = NOT_EMPTY | 4 << EMPTY_BIT
    row, column = np.divmod(np.arange(size * size), size)
    beyond = (row == 0) * 1 + (row == size - 1) + (column == 0) + (column == size - 1)
    orthogonal = (beyond | beyond << 3) << ORTHOGONAL_BIT
    diagonal = np.where(beyond > 0, (1 | 1 << 3) << DIAGONAL_BIT, 0)
    bits = row * (size + 1) + column
    cells[s.COLOR, bits + size + 2] = EMPTY
    cells[s.NEIGHBORS, bits + size + 2] = orthogonal | diagonal | (4 - beyond) << EMPTY_BIT
    points = np.zeros(64 * set_words, np.uint8)
    points[bits] = 1
    candidates = s.FIELDS * span // 4
    state[candidates : candidates + 2 * set_words] = np.tile(np.packbits(points, bitorder="little").view("<u8"), 2)
    state[s.TO_PLAY - s.HEADER] = BLACK
    return state


# --- strings and liberties -----------------------------------------------------------------------------


@kernel
def last_liberty(cells, size, cell):
    """The only liberty of the string on `cell`, or `NOWHERE` if it has several."""
    span, stride = s.span_of(size), size + 1
    head = np.int64(cells[s.HEAD * span + cell])
    # One liberty has at most four neighbours of the string, so more pseudo-liberties mean several liberties.
    if cells[s.PSEUDO_LIBERTIES * span + head] > 4:
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
def is_last_liberty(cells, size, cell, liberty):
    """Whether the string on `cell` is in atari at `liberty`, which must be an empty cell next to it.

    It is in atari if all its pseudo-liberties are on that cell.
    """
    span, stride, uses = s.span_of(size), size + 1, 0
    head = cells[s.HEAD * span + cell]
    for i in range(4):
        uses += cells[s.HEAD * span + neighbor(liberty, stride, i)] == head
    return cells[s.PSEUDO_LIBERTIES * span + head] == uses


@kernel(inline=True)
def is_repeated_string(cells, size, cell, i):
    """Whether the i-th neighbour of `cell` belongs to the same string as an earlier one."""
    span, stride = s.span_of(size), size + 1
    for j in range(i):
        earlier, later = neighbor(cell, stride, j), neighbor(cell, stride, i)
        if cells[s.HEAD * span + earlier] == cells[s.HEAD * span + later]:
            return True
    return False


@kernel
def mark_string(state, size, cell, stones, liberties):
    """Set a 1 in `stones` and `liberties` (uint8 per point, zero before) at those of the string on `cell`."""
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
    """Whether `color` may play on `cell`: `LEGAL`, or the reason against it. `PASSED` is always legal."""
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
    """The legality of `color` on `cell`, ko aside: `LEGAL`, `OCCUPIED`, `STONE_SUICIDE` or `STRING_SUICIDE`."""
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
            dies = is_last_liberty(cells, size, near, cell)
            if dies == (content != color):
                return LEGAL
            joins |= content == color
    return STRING_SUICIDE if joins else STONE_SUICIDE


@kernel(announce=Compilation("the board", 50, 5))
def try_play(state, size, color, cell, suicide):
    """Play as `play` does and return `LEGAL`, or return the reason against the move and change nothing."""
    answer = legality(state, size, color, cell, suicide)
    if answer == LEGAL:
        play(state, size, color, cell)
    return answer


@kernel
def play(state, size, color, cell):
    """Play `color` on `cell`, or pass with `PASSED`. Unchecked: the move must be legal, or suicide of a string.

    Every section of the state is updated. The other colour is then to play.
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
    """Update the stones, the sets and the hash; returns the cell that ko forbids, like `strings.place`."""
    # Strings that die are read before the move, the strings around the new stone after it.
    for w in range(s.words_of(size)):
        state[s.changed_at(size) + w] = 0
    state[s.header_at(size) + s.HASH] ^= _mark_before(state, cells, size, color, cell)
    ko = s.place(state, cells, size, color, cell, True)
    _mark_after(state, cells, size, cell)
    _update_suicides(state, cells, size)
    return ko


@kernel
def _mark_before(state, cells, size, color, cell):
    """Mark the points that the removal of captured strings will change; returns the change of the hash."""
    span, stride = s.span_of(size), size + 1
    change = stone_key(s.point_of(size, cell), color)
    dying = 3 - color
    if suicide_kind(cells, size, color, cell) == STRING_SUICIDE:
        dying, change = color, np.uint64(0)
    for i in range(4):
        near = neighbor(cell, stride, i)
        if (
            cells[s.COLOR * span + near] == dying
            and not is_repeated_string(cells, size, cell, i)
            and is_last_liberty(cells, size, near, cell)
        ):
            change ^= _mark_removal(state, cells, size, near)
    return change


@kernel
def _mark_removal(state, cells, size, cell):
    """Mark the points that the removal of the string on `cell` will change; returns the keys of its stones, XORed."""
    span, stride = s.span_of(size), size + 1
    change = np.uint64(0)
    stone, color = np.int64(cell), np.int64(cells[s.COLOR * span + cell])
    for _ in range(cells[s.STONES * span + cells[s.HEAD * span + cell]]):
        change ^= stone_key(s.point_of(size, stone), color)
        _mark(state, cells, size, stone)
        for i in range(4):
            near = neighbor(stone, stride, i)
            _mark(state, cells, size, near)
            if cells[s.COLOR * span + near] == 3 - color:
                _mark(state, cells, size, last_liberty(cells, size, near))
        stone = np.int64(cells[s.NEXT * span + stone])
    return change


@kernel
def _mark_after(state, cells, size, cell):
    """Mark the points that a stone on `cell` changed: its neighbours, and last liberties of the strings next to it."""
    span, stride = s.span_of(size), size + 1
    for i in range(5):
        near = neighbor(cell, stride, i) if i < 4 else cell
        _mark(state, cells, size, near)
        color = cells[s.COLOR * span + near]
        if color == BLACK or color == WHITE:
            _mark(state, cells, size, last_liberty(cells, size, near))


@kernel(inline=True)
def _mark(state, cells, size, cell):
    """Add `cell` to the changed points, unless it is border, as `NOWHERE` is."""
    if cells[s.COLOR * s.span_of(size) + cell] != s.BORDER:
        s.include(state, s.changed_at(size), size, cell)


@kernel
def _update_suicides(state, cells, size):
    """Update the sets of single-stone suicides at the changed points."""
    for w in range(s.words_of(size)):
        word = state[s.changed_at(size) + w]
        while word:
            cell = s.cell_of_bit(size, w, lowest(word))
            word &= word - np.uint64(1)
            for color in range(BLACK, WHITE + 1):
                if suicide_kind(cells, size, color, cell) == STONE_SUICIDE:
                    s.include(state, s.suicides_at(size, color), size, cell)
                else:
                    s.exclude(state, s.suicides_at(size, color), size, cell)


# --- questions ------------------------------------------------------------------------------------------


@kernel
def mark_playable(state, size, color, points):
    """Set a 1 in `points` (uint8 per point, zero before) where a playout of `color` may play."""
    candidates, suicides = s.candidates_at(size, color), s.suicides_at(size, color)
    ko = ko_cell(state, size, color)
    for w in range(s.words_of(size)):
        word = state[candidates + w] & ~state[suicides + w]
        while word:
            cell = s.cell_of_bit(size, w, lowest(word))
            word &= word - np.uint64(1)
            if cell != ko:
                points[s.point_of(size, cell)] = 1


@kernel
def mark_legal(state, size, color, suicide, points):
    """Set in `points` (uint8 per point) a 1 where `color` may play, own eyes included, and a 0 elsewhere."""
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
def area_score(state, size, scratch):
    """Black's area minus White's by Tromp-Taylor: an empty region counts for the only colour it touches.

    Writes to ``scratch.owner`` whose area each point is: `BLACK`, `WHITE`, or another number for neither.
    """
    span, stride = s.span_of(size), size + 1
    cells, owner, region = halfwords(state), scratch.owner, scratch.region
    for cell in range(span):
        owner[cell] = UNSEEN
    total = 0
    for point in range(size * size):
        cell = s.cell_of(size, point)
        color = cells[s.COLOR * span + cell]
        if color != EMPTY:
            owner[cell] = color
            total += 1 if color == BLACK else -1
            continue
        if owner[cell] != UNSEEN:
            continue
        owner[cell] = EMPTY
        region[0] = cell
        found, visited, touched = 1, 0, 0
        while visited < found:
            here = region[visited]
            visited += 1
            for i in range(4):
                near = neighbor(here, stride, i)
                content = np.int64(cells[s.COLOR * span + near])
                if content == BLACK or content == WHITE:
                    touched |= content
                elif content == EMPTY and owner[near] == UNSEEN:
                    owner[near] = EMPTY
                    region[found] = near
                    found += 1
        for i in range(found):
            owner[region[i]] = touched
        total += found if touched == BLACK else -found if touched == WHITE else 0
    return total
