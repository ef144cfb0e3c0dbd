"""Many games at once: plays a move in each, and marks the legal moves that follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords
from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels import positions
from foogo.game.kernels import strings as s
from foogo.game.kernels.lengths import state_words
from foogo.game.kernels.neighbor_counts import EMPTY_BIT
from foogo.game.kernels.planes import copy_planes
from foogo.game.kernels.superko import hash_change, situation_hash

NO_SITUATION = np.uint64(0)
"""An unused slot of `GameArrays.seen`."""


class EnvironmentRules(NamedTuple):
    """The rules of every game."""

    size: int
    suicide: bool
    superko: int
    """`SIMPLE` and so on of `foogo.game.kernels.positions`."""
    turn_limit: int
    """A game ends after this many turns, passes included."""


class GameArrays(NamedTuple):
    """The state of the games, a row for each."""

    states: NDArray[np.uint64]
    """(games, words): the positions, in the layout of `foogo.game.kernels.strings`."""
    seen: NDArray[np.uint64]
    """(games, slots): a hash table of the situations so far, by linear probing; the slots are a power of two."""
    stood: NDArray[np.bool_]
    """(games, 2, area): where Black, and White, ever had a stone."""
    turns: NDArray[np.int64]
    """(games,): turns played, passes included."""
    passes: NDArray[np.int64]
    """(games,): consecutive passes."""
    over: NDArray[np.bool_]
    """(games,): whether the game has ended."""
    leads: NDArray[np.int64]
    """(games,): Black's area minus White's when the game ended."""
    legal: NDArray[np.bool_]
    """(games, area + 1): the legal points, then the pass; all False once the game is over."""
    planes: NDArray[np.bool_]
    """(games, planes, area): as `foogo.game.kernels.planes` defines them."""


@kernel(announce=Compilation("the environment", 50, 5))
def start_games(games, chosen, start, rules):
    """Restart the games that `chosen` (bool per game) marks from the position `start`."""
    for game in range(len(chosen)):
        if chosen[game]:
            state, seen = games.states[game], games.seen[game]
            for word in range(len(start)):
                state[word] = start[word]
            for slot in range(len(seen)):
                seen[slot] = NO_SITUATION
            for point in range(rules.size * rules.size):
                content = halfwords(state)[s.COLOR * s.span_of(rules.size) + s.cell_of(rules.size, point)]
                games.stood[game, 0, point] = content == BLACK
                games.stood[game, 1, point] = content == WHITE
            games.turns[game] = games.passes[game] = games.leads[game] = 0
            games.over[game] = False
            if rules.superko != positions.SIMPLE:
                _note_situation(state, seen, rules)
            _observe(games, game, rules)


@kernel(announce=Compilation("the environment", 50, 5))
def play_moves(games, moves, rules, scratch):
    """Play a legal move in every game that is not over; `moves` are points, or the area for a pass."""
    size = rules.size
    for game in range(len(moves)):
        if games.over[game]:
            continue
        state, move = games.states[game], moves[game]
        color = np.int64(state[s.header_at(size) + s.TO_PLAY])
        if move == size * size:
            positions.play(state, size, color, s.PASSED)
            games.passes[game] += 1
        else:
            positions.play(state, size, color, s.cell_of(size, move))
            games.stood[game, color - 1, move] = True
            games.passes[game] = 0
        games.turns[game] += 1
        if games.passes[game] == 2 or games.turns[game] == rules.turn_limit:
            games.over[game] = True
            games.leads[game] = positions.area_score(state, size, scratch)
        elif rules.superko != positions.SIMPLE:
            _note_situation(state, games.seen[game], rules)
        _observe(games, game, rules)


@kernel
def _observe(games, game, rules):
    """Update the planes and the legal moves of a game."""
    size = rules.size
    area, state, legal, seen = size * size, games.states[game], games.legal[game], games.seen[game]
    copy_planes(state, size, games.planes[game])
    if games.over[game]:
        for move in range(area + 1):
            legal[move] = False
        return
    color = np.int64(state[s.header_at(size) + s.TO_PLAY])
    legal[area] = True
    _mark_legal(state, color, legal, seen, games.stood[game, color - 1], rules)


@kernel
def _mark_legal(state, color, legal, seen, stood, rules):
    """Set in `legal` whether `color` may play each point."""
    size, before = rules.size, state[s.header_at(rules.size) + s.HASH]
    cells, span, point = halfwords(state), s.span_of(size), 0
    for row in range(size):
        first = s.first_cell(size) + row * (size + 1)
        for cell in range(first, first + size):
            is_legal = cells[s.COLOR * span + cell] == EMPTY
            if is_legal:
                # Most points have an empty neighbour, which makes any move legal except for superko.
                is_closed = (cells[s.NEIGHBORS * span + cell] >> EMPTY_BIT) & 7 == 0
                if is_closed:
                    is_legal = positions.legality(state, size, color, cell, rules.suicide) == positions.LEGAL
                # A suicide has no empty neighbour. Any other repeated situation has the new stone on the board, so the
                # player had a stone there before.
                if is_legal and rules.superko != positions.SIMPLE and (stood[point] or (is_closed and rules.suicide)):
                    after = before ^ hash_change(cells, size, color, cell)
                    situation = situation_hash(after, 3 - color, rules.superko)
                    is_legal = seen[_slot_of(seen, situation)] == NO_SITUATION
            legal[point] = is_legal
            point += 1


@kernel
def _note_situation(state, seen, rules):
    """Add the current situation to those seen."""
    header = s.header_at(rules.size)
    color = np.int64(state[header + s.TO_PLAY])
    situation = situation_hash(state[header + s.HASH], color, rules.superko)
    seen[_slot_of(seen, situation)] = _key(situation)


@kernel(inline=True)
def _key(situation):
    """What a slot holds for a situation: its hash, but 1 for the hash of an empty board, which is `NO_SITUATION`."""
    return np.uint64(1) if situation == NO_SITUATION else situation


@kernel
def _slot_of(seen, situation):
    """The slot that holds a situation, or the free one where it belongs."""
    key, last = _key(situation), np.uint64(len(seen) - 1)
    slot = (key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(32) & last
    while seen[slot] != NO_SITUATION and seen[slot] != key:
        slot = (slot + np.uint64(1)) & last
    return slot


def new_games(count: int, rules: EnvironmentRules, planes: int) -> GameArrays:
    """Memory for `count` games, which must be started."""
    area, slots = rules.size**2, 1 << (2 * rules.turn_limit + 1).bit_length()
    return GameArrays(
        states=np.zeros((count, state_words(rules.size)), np.uint64),
        seen=np.zeros((count, slots if rules.superko != positions.SIMPLE else 2), np.uint64),
        stood=np.zeros((count, 2, area), np.bool_),
        turns=np.zeros(count, np.int64),
        passes=np.zeros(count, np.int64),
        over=np.ones(count, np.bool_),
        leads=np.zeros(count, np.int64),
        legal=np.zeros((count, area + 1), np.bool_),
        planes=np.zeros((count, planes, area), np.bool_),
    )
