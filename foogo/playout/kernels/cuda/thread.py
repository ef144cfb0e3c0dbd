"""The kernel: whole games, one in each thread, which takes the next playout number when its game has ended.

`play` is a template. For each `KernelSpec`, `foogo.playout.kernels.cuda.program` replaces the globals in capitals and
the modules of operations. A branch whose condition is then a constant is left out of the code, or always taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numba import cuda

from foogo.core.stream import WARM_UP_ROUNDS
from foogo.playout.kernels.batch import FORBIDDEN, LAST_MOVE, OPPONENT_STONES, OWN_STONES, PARTS
from foogo.playout.kernels.lockstep import Position, Progress, Stream

LAYOUT: Any = None
POLICY: Any = None
LOOKS = WRITTEN = False
AREA = SET_WORDS = DENSE_WORDS = BINS = 0
PER_GAME = SETS = False
bitboard: Any = None
simd: Any = None
lockstep: Any = None

GIVEN, STONES, CUT, SCORES = range(4)
"""The entries of a tally: games given to threads so far; stones placed; games cut; from there on, games by score."""

_LOW_HALF = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_NO = np.uint64(0)


class Positions(NamedTuple):
    """Where the games start: game j from position (skipped + j) // repeats.

    Attributes
    ----------
    starts
        uint32, flat: `PARTS` sets for each position.
    turns
        int64: 0 where Black moves, 1 where White does.
    """

    starts: Any
    turns: Any
    repeats: int
    skipped: int


class Numbers(NamedTuple):
    """The playouts `first` to ``first + games - 1`` under `seed`: uint64, uint64 and int64."""

    seed: Any
    first: Any
    games: int


class GameRules(NamedTuple):
    """The rules of the games.

    Attributes
    ----------
    no_suicide
        1 if suicide of several stones is forbidden, else 0.
    move_limit
        The moves after which a game is cut.
    weights
        The weights of a policy that a user wrote; empty with any other.
    """

    no_suicide: int
    move_limit: int
    weights: Any


class Results(NamedTuple):
    """The results of each game, filled if the kernel returns them.

    Attributes
    ----------
    scores, moves, cut
        int16 Black minus White, int16 stones placed, and uint8.
    owners, first_players
        uint32, flat: the bitsets of Black and White for each game, if the kernel is for them.
    """

    scores: Any
    moves: Any
    cut: Any
    owners: Any
    first_players: Any


def play(positions, numbers, rules, tally, results):
    """Play the games that `numbers` names.

    Parameters
    ----------
    positions, numbers, rules, results
        `Positions`, `Numbers`, `GameRules` and `Results`.
    tally
        int64, zeros at first: see `GIVEN`. With results for each game nothing but `GIVEN` is used.
    """
    layout, lane = LAYOUT, cuda.threadIdx.x
    policy = rules.weights if WRITTEN else POLICY
    # A block adds up its scores in shared memory, and adds those to the GPU's totals once, when it ends.
    bins = cuda.shared.array(BINS, np.int32)
    i = lane
    while i < BINS:
        bins[i] = 0
        i += cuda.blockDim.x
    cuda.syncthreads()

    starts, seed = positions.starts, numbers.seed
    none, one, empty = simd.ints32(layout, 0), simd.ints32(layout, 1), bitboard.nothing(layout)
    limit = simd.ints32(layout, rules.move_limit)
    no_suicide = simd.is_true(simd.ints32(layout, rules.no_suicide))
    position, own_first, opponent_first = Position(empty, empty, empty, empty, empty, empty), empty, empty
    stream, progress = Stream(none, none, none, none), Progress(none, none, none)
    ended = simd.is_true(one)
    game, stones, cuts = -1, 0, 0
    while True:
        if simd.lanes_of(ended) != _NO:
            if game >= 0:
                mine = lockstep.area(layout, position.own, position.opponent)
                theirs = lockstep.area(layout, position.opponent, position.own)
                lead = simd.wide(bitboard.count_points(mine)) - simd.wide(bitboard.count_points(theirs))
                white, placed = simd.wide(progress.turn), simd.wide(progress.moves)
                score = lead - 2 * white * lead
                if PER_GAME:
                    results.scores[game] = score
                    results.moves[game] = placed
                    results.cut[game] = placed >= rules.move_limit
                    if SETS:
                        # where White is to move, Black's sets are the other player's
                        black, other = (2 * game + white) * DENSE_WORDS, (2 * game + 1 - white) * DENSE_WORDS
                        bitboard.store_dense(results.owners, black, mine)
                        bitboard.store_dense(results.owners, other, theirs)
                        bitboard.store_dense(results.first_players, black, own_first)
                        bitboard.store_dense(results.first_players, other, opponent_first)
                else:
                    cuda.atomic.add(bins, score + AREA, 1)
                    stones += placed
                    cuts += placed >= rules.move_limit
            game = cuda.atomic.add(tally, GIVEN, 1)
            if game >= numbers.games:
                break
            start = (positions.skipped + game) // positions.repeats if PER_GAME else 0
            at = start * PARTS * SET_WORDS
            last = position.last
            if LOOKS:
                last = bitboard.load(layout, starts, at + LAST_MOVE * SET_WORDS)
            position = Position(
                bitboard.load(layout, starts, at + OWN_STONES * SET_WORDS),
                bitboard.load(layout, starts, at + OPPONENT_STONES * SET_WORDS),
                bitboard.load(layout, starts, at + FORBIDDEN * SET_WORDS),
                position.short,
                last,
                position.before_last,
            )
            if SETS:
                own_first = opponent_first = empty
            progress = Progress(simd.ints32(layout, positions.turns[start]), none, none)
            number = numbers.first + np.uint64(game)
            stream = Stream(
                simd.ints32(layout, np.int64(number & _LOW_HALF)),
                simd.ints32(layout, np.int64(number >> _HALF)),
                simd.ints32(layout, np.int64(seed & _LOW_HALF)),
                simd.ints32(layout, np.int64(seed >> _HALF)),
            )
            for _ in range(WARM_UP_ROUNDS):
                _drawn, stream = lockstep.next_random(layout, stream)
        drawn, stream = lockstep.next_random(layout, stream)
        position, draw = lockstep.step(layout, no_suicide, policy, position, ended, drawn)
        if SETS:
            own_first, opponent_first = lockstep.first_players(layout, own_first, opponent_first, draw)
        progress, ended = lockstep.advance(layout, progress, draw, limit)
    if not PER_GAME:
        cuda.atomic.add(tally, STONES, stones)
        cuda.atomic.add(tally, CUT, cuts)
        cuda.syncthreads()
        i = lane
        while i < BINS:
            if bins[i] != 0:
                cuda.atomic.add(tally, SCORES + i, np.int64(bins[i]))
            i += cuda.blockDim.x
