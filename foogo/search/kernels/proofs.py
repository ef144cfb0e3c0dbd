"""What is proven in the tree: bounds of an entry's result under best play, kept above the children in its COUNT.

A result is proven where two passes ended the game, or where one player certainly owns enough
(`foogo.game.kernels.life`). From there bounds spread towards the root: a player has at least what its best child has,
and at most that once every legal move has a child. Superko is part of a proof. Entries that share children have
different histories, so they draw nothing from a child with `HISTORY`, whose proof may hold for one of them only.

Moves inside certain areas have no children. Such a move is a pass, but for its stone. The stone could only change what
is a repetition, so in a proof the pass stands for all of them if superko and ko forbade the loser no move after it. If
the winner ends the game by passing too, they must have forbidden none in the whole proof: after a stone, the game would
go on.

Moves that fill an own eye have no children either. When all others are proven not to help, these get entries in place
of the children. If the pass cannot stand for the moves inside certain areas, one inside the winner's area gets an entry
too. It stands for the others, if superko and ko forbade the loser no move after it. Without a legal one, all moves
inside the loser's own area get entries.

References
----------
M. Winands, Y. Bjornsson, J. Saito, "Monte-Carlo Tree Search Solver", 2008.
T. Cazenave, A. Saffidine, "Score Bounded Monte-Carlo Tree Search", 2010.
"""

from __future__ import annotations

import numpy as np

from foogo.core.atomics import add32, try_replace32
from foogo.core.jit import kernel
from foogo.game.geometry import BLACK
from foogo.search.kernels import tree as t
from foogo.search.kernels.tiles import (
    COUNT,
    COUNT_MASK,
    EXTENDED,
    FIRST,
    HISTORY,
    LOST_MOVE,
    PRIOR_VISITS,
    RESULT,
    SHARES,
    VISITS,
    WANTED,
    WINS,
    TreeArrays,
    at,
    read,
)

LOW, HIGH, BOUND = 16, 18, 3
"""Bits of COUNT: Black's least half wins, two less its most, and the mask of each. So 0 stands for no bounds."""
REPEATABLE = 1 << 12
"""The move of a child may repeat a situation."""
LOST_CHILD = 1 << 20
"""A child has `LOST_MOVE`: selection leaves it out."""
LACKING = 1 << 21
"""Moves have no entry that are not lost for certain: those that fill own eyes, or some of `CUT`."""
CUT = 1 << 24
"""Moves in certain areas have no entry; the last child stands for them."""
BANNED = 1 << 25
"""Superko or ko forbids a move here."""
BANNED_BELOW = 1 << 26
"""It forbids a move of the loser somewhere in the proof."""
AVOIDED = 1 << 27
"""The user left moves out, so this is never proven lost."""
ENDED = 1 << 28
"""The game is over here, or it is part of the proof that the player to move ends it by a pass."""
SOLVED = -(1 << 31)
"""The bounds are equal. This is the sign."""

ENOUGH_TO_TRUST = 64
"""Visits from which on a win share is trusted, in `look_for_proof`."""

UNKNOWN = -1
"""No result."""


@kernel(inline=True)
def is_solved(entries, entry):
    """Whether the result of an entry is proven."""
    return entries[at(COUNT, entry)] < 0


@kernel(inline=True)
def result_of(entries, entry):
    """Black's half wins at an entry if they are proven, else `UNKNOWN`."""
    return low_of(np.int64(entries[at(COUNT, entry)])) if is_solved(entries, entry) else UNKNOWN


def is_extended(arrays: TreeArrays, entry: int) -> bool:
    """Whether the children of an entry are no longer the usual ones."""
    return bool(read(arrays.memory, entry, 1)["proof"][0] & EXTENDED)


def result_of_word(word: int, to_play: int) -> float | None:
    """The win share of `to_play` that a COUNT proves, or None."""
    if word >= 0:
        return None
    low = low_of.py_func(word) / 2
    return low if to_play == BLACK else 1 - low


@kernel(inline=True)
def is_bounded(word):
    """Whether anything is proven by a COUNT."""
    return word & RESULT != 0


@kernel(inline=True)
def low_of(word):
    """Black's least half wins."""
    return (word >> LOW) & BOUND


@kernel(inline=True)
def high_of(word):
    """Black's most half wins."""
    return 2 - ((word >> HIGH) & BOUND)


@kernel(inline=True)
def with_bounds(word, low, high, color):
    """COUNT with these bounds, where `color` is to move."""
    word = (word & ~RESULT) | low << LOW | (2 - high) << HIGH
    if low == high:
        word |= SOLVED
    if (low if color == BLACK else 2 - high) == 2:
        word |= LOST_MOVE
    return word


@kernel
def prove(entries, entry, color, low, high):
    """Note that Black has at least `low` and at most `high` half wins, where `color` is to move."""
    while True:
        word = add32(entries, at(COUNT, entry), 0)
        new = with_bounds(word, max(low, low_of(word)), min(high, high_of(word)), color)
        if new == word or try_replace32(entries, at(COUNT, entry), word, new):
            return


@kernel(inline=True)
def prove_end(entries, entry, color, result):
    """Note Black's half wins where the game is over, with `color` to move."""
    add_flags(entries, entry, ENDED)
    prove(entries, entry, color, result, result)


@kernel
def prove_from_children(entries, entry, color):
    """Draw what follows from the children of an entry, where `color` is to move; returns whether its bounds changed."""
    while True:
        history = 0
        # COUNT is read before FIRST: `extend` changes FIRST before it clears LACKING.
        word = add32(entries, at(COUNT, entry), 0)
        first = np.int64(entries[at(FIRST, entry)])
        if word < 0 or first <= t.LEAF:
            return False
        low, high = low_of(word), high_of(word)
        least, most = (low, high) if color == BLACK else (2 - high, 2 - low)
        best_most, banned, inherited, lost, found = 0, 0, 0, 0, 0
        for child in range(first, first + (word & COUNT_MASK)):
            found = np.int64(entries[at(COUNT, child)])
            low, high = low_of(found), high_of(found)
            if found & HISTORY and word & SHARES:
                low, high, found = 0, 2, found & ~LOST_MOVE
            child_least, child_most = (low, high) if color == BLACK else (2 - high, 2 - low)
            if child_least > least:
                least, inherited = child_least, (word | found) & (BANNED_BELOW | ENDED | HISTORY)
            best_most = max(best_most, child_most)
            banned |= found & BANNED_BELOW
            history |= found & HISTORY
            lost |= found & LOST_MOVE
        new = word | inherited
        if lost:
            new |= LOST_CHILD
        best_most = max(best_most, least)
        if best_most < most and not word & AVOIDED:
            here = banned | (BANNED_BELOW if word & BANNED else 0)
            is_cut = word & CUT and (here if found & ENDED else found & BANNED_BELOW)
            if not (word & LACKING or is_cut):
                most = best_most
                new |= here | history
            elif best_most == least and not word & EXTENDED:
                new |= WANTED | LACKING | (BANNED if here else 0) | history
                if not is_cut:
                    new &= ~CUT
        if color == BLACK:
            new = with_bounds(new, least, most, color)
        else:
            new = with_bounds(new, 2 - most, 2 - least, color)
        if new == word:
            return False
        if try_replace32(entries, at(COUNT, entry), word, new):
            return (new ^ word) & RESULT != 0


@kernel(inline=True)
def look_for_proof(entries, child, first, count, number):
    """The child to go to where selection chose `child`: one time in eight any of them, if that one seems to win.

    Another may be easier to prove. `number` is random, of 32 bits; playouts in flight count as lost.
    """
    visits, half_wins = np.int64(entries[at(VISITS, child)]), np.int64(entries[at(WINS, child)])
    if visits >= ENOUGH_TO_TRUST and 2 * visits - half_wins <= visits >> 2 and number & 7 == 0:
        other = first + (((number >> 3) * count) >> 29)
        played = np.int64(entries[at(VISITS, other)]) - entries[at(PRIOR_VISITS, other)]
        if played << 6 <= visits and entries[at(COUNT, other)] & LOST_MOVE == 0:
            return other
    return child


@kernel
def spread(entries, path, depth, color):
    """Draw what follows for the entries above ``path[depth]``, at which `color` is to move."""
    for level in range(depth - 1, -1, -1):
        color = 3 - color
        if not prove_from_children(entries, np.int64(path[level]), color):
            return


@kernel(inline=True)
def claim_extension(entries, entry, word):
    """Whether this thread is to give the entry, of that COUNT, its extension."""
    return try_replace32(entries, at(COUNT, entry), word, (word & ~WANTED) | EXTENDED)


@kernel(inline=True)
def add_flags(entries, entry, flags):
    """Set flags of an entry that other threads may change."""
    while True:
        word = add32(entries, at(COUNT, entry), 0)
        if try_replace32(entries, at(COUNT, entry), word, word | flags):
            return


@kernel(inline=True)
def complete(entries, entry, count, is_cut):
    """Note that the extension of an entry has `count` children, or none but the old ones if it is 0.

    `is_cut` is whether one of them stands for those in certain areas.
    """
    covered = LACKING if is_cut else LACKING | CUT
    while True:
        word = add32(entries, at(COUNT, entry), 0)
        new = (word & ~covered) if count == 0 else (word & ~(covered | COUNT_MASK | LOST_CHILD)) | count
        if try_replace32(entries, at(COUNT, entry), word, new):
            return
