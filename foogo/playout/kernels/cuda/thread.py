"""The kernel: whole games, one in each thread, which takes the next playout number when its game has ended.

`play` is a pattern: `foogo.playout.kernels.cuda.program` fills the globals in capitals for one use, and numba-cuda
compiles what comes out. What is false or None there is left out of the code.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda

from foogo.core.stream import WARM_UP_ROUNDS
from foogo.playout.kernels.batch import LAST, PARTS

LAYOUT: Any = None
POLICY: Any = None
AREA = SET_WORDS = DENSE_WORDS = BINS = 0
PER_GAME = SETS = False
WAIT_FOR = 1
sets: Any = None
words: Any = None
lockstep: Any = None

GIVEN, STONES, CUT, SCORES = range(4)
"""The entries of a tally: games given to threads so far; stones placed; games cut; from there on, games by score."""

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_NO = np.uint64(0)


def play(starts, turns, repeats, skipped, seed, first, count, strict, limit, tally, scores, moves, cut, owners, firsts):
    """Play games 0 .. count - 1; game j has playout number first + j and start (skipped + j) // repeats.

    Parameters
    ----------
    starts, turns
        uint32, flat: `PARTS` sets for each position; int64: 0 where Black moves, 1 where White does.
    seed, first
        uint64.
    strict, limit
        1 where suicide is refused altogether, else 0; the moves after which a game is cut.
    tally
        int64, zeros at first: see `GIVEN`. If each game is wanted by itself nothing but `GIVEN` is used.
    scores, moves, cut
        int16 Black minus White, int16 stones placed, and uint8, of each game if it is wanted by itself.
    owners, firsts
        uint32, flat: the bitsets of Black and White for each game, if they are wanted.
    """
    layout, lane = LAYOUT, cuda.threadIdx.x
    bins = cuda.shared.array(BINS, np.int32)
    i = lane
    while i < BINS:
        bins[i] = 0
        i += cuda.blockDim.x
    cuda.syncthreads()

    none, one = words.ints32(layout, 0), words.ints32(layout, 1)
    final = words.ints32(layout, limit)
    refuse_all = words.is_true(words.ints32(layout, strict))
    own = opp = barred = own_first = opp_first = short = last = sets.nothing(layout)
    a = b = c = counter = turn = played = passed = none
    ended = words.is_true(one)
    game, stones, cuts = -1, 0, 0
    while True:
        filled = ended
        if WAIT_FOR > 1:
            filled = words.gathered(layout, ended, WAIT_FOR)
        if words.lanes_of(filled) != _NO:
            if game >= 0:
                mine, theirs = lockstep.area(layout, own, opp), lockstep.area(layout, opp, own)
                lead = words.wide(sets.count_points(mine)) - words.wide(sets.count_points(theirs))
                white, placed = words.wide(turn), words.wide(played)
                score = lead - 2 * white * lead
                if PER_GAME:
                    scores[game] = score
                    moves[game] = placed
                    cut[game] = placed >= limit
                    if SETS:
                        # where White is to move, Black's sets are the other player's
                        black, other = (2 * game + white) * DENSE_WORDS, (2 * game + 1 - white) * DENSE_WORDS
                        sets.store_dense(owners, black, mine)
                        sets.store_dense(owners, other, theirs)
                        sets.store_dense(firsts, black, own_first)
                        sets.store_dense(firsts, other, opp_first)
                else:
                    cuda.atomic.add(bins, score + AREA, 1)
                    stones += placed
                    cuts += placed >= limit
            game = cuda.atomic.add(tally, GIVEN, 1)
            if game >= count:
                break
            start = (skipped + game) // repeats if PER_GAME else 0
            at = start * PARTS * SET_WORDS
            own, opp = sets.load(layout, starts, at), sets.load(layout, starts, at + SET_WORDS)
            barred = sets.load(layout, starts, at + 2 * SET_WORDS)
            if POLICY is not None:
                last = sets.load(layout, starts, at + LAST * SET_WORDS)
            if SETS:
                own_first = opp_first = sets.nothing(layout)
            turn = words.ints32(layout, turns[start])
            played = passed = none
            number = first + np.uint64(game)
            a, b = words.ints32(layout, np.int64(number & _LOW_HALF)), words.ints32(layout, np.int64(number >> _HALF))
            c, counter = words.ints32(layout, np.int64(seed & _LOW_HALF)), words.ints32(layout, np.int64(seed >> _HALF))
            for _ in range(WARM_UP_ROUNDS):
                _drawn, a, b, c, counter = lockstep.next_random(a, b, c, counter, one)
        if WAIT_FOR > 1:
            # a game that waits goes on passing, which changes nothing
            barred = words.choose(ended & ~filled, sets.full(layout), barred)
        drawn, a, b, c, counter = lockstep.next_random(a, b, c, counter, one)
        own, opp, barred, short, last, move, moved, refused = lockstep.step(
            layout, refuse_all, POLICY, own, opp, barred, short, last, ended, drawn
        )
        if SETS:
            own_first, opp_first = lockstep.first_players(layout, own_first, opp_first, move, refused)
        played = played + words.one_where(layout, moved & ~refused)
        turn = turn ^ words.one_where(layout, ~refused)
        now = words.one_where(layout, ~moved)
        ended = words.is_true(now & passed) | (played >= final)
        passed = words.choose(refused, passed, now)
    if not PER_GAME:
        cuda.atomic.add(tally, STONES, stones)
        cuda.atomic.add(tally, CUT, cuts)
        cuda.syncthreads()
        i = lane
        while i < BINS:
            if bins[i] != 0:
                cuda.atomic.add(tally, SCORES + i, np.int64(bins[i]))
            i += cuda.blockDim.x
