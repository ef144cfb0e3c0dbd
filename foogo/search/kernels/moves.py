"""The rules inside the tree: legal moves and superko."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, words
from foogo.game.kernels import positions
from foogo.game.kernels import strings as s
from foogo.game.kernels.superko import hash_change, situation_hash


class SearchRules(NamedTuple):
    """The rules that decide which moves are legal and who wins."""

    size: int
    suicide: bool
    superko: int
    """`SIMPLE` and so on of `foogo.game.kernels.positions`."""
    komi: float
    """Black wins with a larger lead, White with a smaller one."""


class MoveContext(NamedTuple):
    """The context of the next move besides the stones."""

    color: int
    """The colour to play."""
    ko: int
    """The cell that ko forbids, or `strings.NOWHERE`."""
    last: int
    before_last: int
    """The cells of the last two moves; `strings.PASSED` for a pass, `strings.NOWHERE` if there is no such move."""
    stones_hash: np.uint64
    situations: int
    """The number of situations in the history."""


class History(NamedTuple):
    """The history for superko. Each thread has its own."""

    situations: Any
    """uint64: hashes of the situations before the root, then room for those of a descent."""
    stood: Any
    """uint64 (2, 2, words of a set): where Black and White ever had a stone, at the root and then at the leaf."""


@kernel
def was_seen(situations, count, situation):
    """Whether `situation` is among the first `count` hashes."""
    found = False  # without an early exit, so that this becomes a loop over vectors
    for i in range(count):
        found |= situations[i] == situation
    return found


@kernel
def superko_forbids(cells, cell, rules, context, history):
    """Whether superko forbids a move that may repeat a situation."""
    change = hash_change(cells, rules.size, context.color, cell)
    after = situation_hash(context.stones_hash ^ change, 3 - context.color, rules.superko)
    return was_seen(history.situations, context.situations, after)


@kernel(inline=True)
def is_open(kind, suicide):
    """Whether a move on an empty cell, of that `suicide_kind`, is legal apart from ko and superko."""
    return kind != positions.STONE_SUICIDE and (suicide or kind != positions.STRING_SUICIDE)


@kernel
def play_stones(board, size, color, cell, suicide):
    """Play a legal move or pass on the part of a board that playouts use; returns the cell that ko then forbids."""
    if cell == s.PASSED:
        return np.int64(s.NOWHERE)
    return np.int64(s.place(words(board), halfwords(board), size, color, cell, suicide))
