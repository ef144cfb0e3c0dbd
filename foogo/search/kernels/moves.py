"""What a move does to a position of the tree: the hash after it, its liberties, and whether superko forbids it."""

from __future__ import annotations

import numpy as np

from foogo.core.jit import kernel
from foogo.game.geometry import EMPTY, WHITE
from foogo.game.kernels import strings as s
from foogo.game.kernels.positions import STONE_SUICIDE, STRING_SUICIDE, stone_key, suicide_kind

SIMPLE, POSITIONAL, SITUATIONAL = range(3)
"""Superko rules, in the order of `foogo.game.rules.SUPERKO_RULES`."""

WHITE_TO_PLAY = np.uint64(0xC2B2AE3D27D4EB4F)
"""Part of a situation's hash when White is to play."""


@kernel(inline=True)
def situation(stones_hash, color, superko):
    """The hash of what may not come back, with `color` to play."""
    return stones_hash ^ (WHITE_TO_PLAY if superko == SITUATIONAL and color == WHITE else np.uint64(0))


@kernel
def repeats(past, length, value):
    """Whether `value` is among the first `length` hashes of `past`."""
    found = False
    for i in range(length):
        found |= past[i] == value
    return found


@kernel
def in_atari_at(cells, size, cell, taken):
    """Whether the string on `cell` has no liberty but `taken` next to it."""
    span, stride, uses = s.span_of(size), size + 1, 0
    head = cells[s.HEAD * span + cell]
    for i in range(4):
        uses += cells[s.HEAD * span + s.neighbor(taken, stride, i)] == head
    return cells[s.PSEUDO_LIBERTIES * span + head] == uses


@kernel
def _string_key(cells, size, cell, color):
    """The part of the hash of all stones of the string on `cell`."""
    span, key, stone = s.span_of(size), np.uint64(0), np.int64(cell)
    for _ in range(cells[s.STONES * span + cells[s.HEAD * span + cell]]):
        key ^= stone_key(s.point_of(size, stone), color)
        stone = np.int64(cells[s.NEXT * span + stone])
    return key


@kernel
def hash_change(cells, size, color, cell):
    """How the stones' hash changes by the legal move `cell`."""
    span, stride = s.span_of(size), size + 1
    change, is_capture = stone_key(s.point_of(size, cell), color), False
    for i in range(4):
        near = s.neighbor(cell, stride, i)
        if cells[s.COLOR * span + near] == 3 - color and in_atari_at(cells, size, near, cell):
            seen = False
            for j in range(i):
                seen |= cells[s.HEAD * span + s.neighbor(cell, stride, j)] == cells[s.HEAD * span + near]
            if not seen:
                change ^= _string_key(cells, size, near, 3 - color)
            is_capture = True
    if not is_capture and suicide_kind(cells, size, color, cell) == STRING_SUICIDE:
        change = np.uint64(0)
        for i in range(4):
            near = s.neighbor(cell, stride, i)
            seen = cells[s.COLOR * span + near] != color
            for j in range(i):
                seen |= cells[s.HEAD * span + s.neighbor(cell, stride, j)] == cells[s.HEAD * span + near]
            if not seen:
                change ^= _string_key(cells, size, near, color)
    return change


@kernel(inline=True)
def is_open(kind, suicide):
    """Whether a move on an empty cell, of that `suicide_kind`, may be played, but for ko and superko."""
    return kind != STONE_SUICIDE and (suicide or kind != STRING_SUICIDE)


@kernel
def liberties_after(cells, size, color, cell):
    """0, 1, or 2 for more: the liberties of the string that `color` makes by playing `cell`."""
    span, stride, found = s.span_of(size), size + 1, s.NOWHERE
    for i in range(4):
        near = s.neighbor(cell, stride, i)
        content = cells[s.COLOR * span + near]
        if content == EMPTY or (content == 3 - color and in_atari_at(cells, size, near, cell)):
            if found != s.NOWHERE and found != near:
                return 2
            found = near
        elif content == color:
            stone = np.int64(near)
            for _ in range(cells[s.STONES * span + cells[s.HEAD * span + near]]):
                for j in range(4):
                    beyond = s.neighbor(stone, stride, j)
                    if cells[s.COLOR * span + beyond] == EMPTY and beyond != cell and beyond != found:
                        if found != s.NOWHERE:
                            return 2
                        found = beyond
                stone = np.int64(cells[s.NEXT * span + stone])
    return 0 if found == s.NOWHERE else 1
