"""Whole games on the lockstep kernel: lanes are filled, played, scored and filled again.

Working memory is handed in, since each way of making an array inside would be compiled for each layout. Its
layout, with W words and L lanes; a set in memory is W times L words, the lanes of a word side by side:

=================  ==========  ==========================================================================
array              type        contents
=================  ==========  ==========================================================================
`memory`           the word    3 sets `OWN`, `OPP`, `BARRED`: each lane's next start; 4 sets: areas and
                               first moves of the players at a game's end; 4 times L: the next start's
                               turn, then `SCORE`, `MOVES` and `TURN` at a game's end
`keys`             uint32      4 times L: the next game's stream; 4 times L: streams not yet given out
`lane_games`       int64       L: the game in each lane; L: the game after it; `IDLE` if there is none
=================  ==========  ==========================================================================
"""

from __future__ import annotations

import threading

import numpy as np

from foogo.kernels import lockstep, sets, words
from foogo.kernels.bits import lowest
from foogo.kernels.jit import kernel
from foogo.kernels.layout import Layout
from foogo.kernels.stream import COUNTER, STATE_WORDS, WARM_UP_ROUNDS, A, B, C

OWN, OPP, BARRED = range(3)
"""The parts of a start position."""

OWN_AREA, OPP_AREA, OWN_FIRST, OPP_FIRST = range(3, 7)
"""The sets in memory after the start's."""

SETS = 7
SCORE, MOVES, TURN = range(1, 4)
"""What a finished lane reports, in the integers in memory after the start's turn."""

INTEGERS = 4
IDLE = -1
"""The game of a lane that has none."""

CACHE_LINE = 64
_NONE = np.uint64(0)
_LOW_HALF = np.uint64(0xFFFFFFFF)


_of_thread = threading.local()


def working_memory(layout: Layout) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The arrays `memory`, `keys` and `lane_games` that `run` works in, the same for each call in one thread."""
    kept = _of_thread.__dict__.setdefault("memory", {})
    if layout not in kept:
        memory = _aligned((SETS * layout.words + INTEGERS) * layout.lanes, f"u{layout.bits // 8}")
        kept[layout] = memory, _aligned(2 * STATE_WORDS * layout.lanes, "u4"), np.zeros(2 * layout.lanes, np.int64)
    found: tuple[np.ndarray, np.ndarray, np.ndarray] = kept[layout]
    return found


def _aligned(count: int, dtype: str) -> np.ndarray:
    """Zeros on a cache line's border: a vector that straddles two lines is read twice."""
    size = count * np.dtype(dtype).itemsize
    raw = np.zeros(size + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    return raw[start : start + size].view(dtype)


@kernel(inline=True)
def key_streams(layout, keys, at, lanes, seed, number):
    """Key the streams of consecutive playout numbers, one a lane, into ``keys[at:]``."""
    for lane in range(lanes):
        keys[at + A * lanes + lane] = np.uint32((number + np.uint64(lane)) & _LOW_HALF)
        keys[at + B * lanes + lane] = np.uint32((number + np.uint64(lane)) >> np.uint64(32))
    a, b = words.load_ints(layout, keys, at + A * lanes), words.load_ints(layout, keys, at + B * lanes)
    c = words.ints32(layout, np.int64(seed & _LOW_HALF))
    counter = words.ints32(layout, np.int64(seed >> np.uint64(32)))
    one = words.ints32(layout, 1)
    for _ in range(WARM_UP_ROUNDS):
        _number, a, b, c, counter = lockstep.next_random(a, b, c, counter, one)
    words.store_ints(keys, at + A * lanes, a)
    words.store_ints(keys, at + B * lanes, b)
    words.store_ints(keys, at + C * lanes, c)
    words.store_ints(keys, at + COUNTER * lanes, counter)


@kernel(inline=True)
def unpack_set(memory, at, lanes, size, rows, out):
    """Write one lane's set, whose first word is ``memory[at]``, as a bitset with bit = point (uint64)."""
    stride = size if rows == 1 else size + 1
    row_mask = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    for row in range(size):
        value = (np.uint64(memory[at + row // rows * lanes]) >> np.uint64(row % rows * stride)) & row_mask
        to, shift = row * size // 64, np.uint64(row * size % 64)
        out[to] |= value << shift
        if shift + np.uint64(size) > np.uint64(64):
            out[to + 1] |= value >> (np.uint64(64) - shift)


@kernel(announce="playouts")
def run(
    layout,
    geometry,
    suicide,
    policy,
    starts,
    turns,
    seed,
    first,
    scores,
    moves,
    cut,
    owners,
    first_players,
    memory,
    keys,
    lane_games,
):
    """Play games 0 .. len(scores) - 1; game j has playout number first + j and start j // (games // starts).

    Each lane holds the game it plays and the next one, keyed and laid out in memory, so that a finished
    lane is filled by a masked load and none waits.

    Parameters
    ----------
    layout
        The `Layout`.
    geometry
        (size, rows, lanes, limit): of the layout, and the moves after which a game is cut.
    policy
        None for uniform playouts, or a pair of shares (see `foogo.kernels.knowledge`).
    starts
        (positions, 3, words) of the layout's word: `OWN`, `OPP`, `BARRED`.
    turns
        (positions,) int64: 0 where Black moves, 1 where White does.
    seed, first
        uint64.
    scores, moves, cut
        Filled: int16 Black minus White, int16 stones placed, bool.
    owners, first_players
        Filled unless None: (games, 2, set words) uint64 of zeros, Black's and White's points.
    memory, keys, lane_games
        Of `working_memory`.
    """
    size, rows, lanes, limit = geometry
    games = len(scores)
    repeats = games // len(starts)
    word_count = starts.shape[2]
    span = word_count * lanes
    turn_at = SETS * span
    pool_at, pooled, next_key = STATE_WORDS * lanes, lanes, first
    for lane in range(2 * lanes):
        lane_games[lane] = IDLE

    none, one32 = words.counters(layout, 0), words.ints32(layout, 1)
    final = words.counters(layout, limit)
    strict = words.is_true(words.counters(layout, 0 if suicide else 1))
    own = opp = barred = own_first = opp_first = short = last = sets.nothing(layout)
    a = b = c = counter = words.ints32(layout, 0)
    turn = played = passed = none
    ended = none == none

    given, left, filling = 0, games, 2
    while True:
        finished = words.lanes_of(ended)
        if finished != _NONE:
            mine, theirs = lockstep.area(layout, own, opp), lockstep.area(layout, opp, own)
            words.store_ints(memory, turn_at + SCORE * lanes, sets.count_points(mine) - sets.count_points(theirs))
            words.store_ints(memory, turn_at + MOVES * lanes, played)
            words.store_ints(memory, turn_at + TURN * lanes, turn)
            if owners is not None:
                words.store_bits(memory, OWN_AREA * span, mine)
                words.store_bits(memory, OPP_AREA * span, theirs)
                words.store_bits(memory, OWN_FIRST * span, own_first)
                words.store_bits(memory, OPP_FIRST * span, opp_first)
                own_first = words.choose(ended, sets.nothing(layout), own_first)
                opp_first = words.choose(ended, sets.nothing(layout), opp_first)
            own = words.choose(ended, words.load_bits(layout, memory, OWN * span), own)
            opp = words.choose(ended, words.load_bits(layout, memory, OPP * span), opp)
            barred = words.choose(ended, words.load_bits(layout, memory, BARRED * span), barred)
            turn = words.choose(ended, words.load_ints(layout, memory, turn_at), turn)
            played, passed = words.choose(ended, none, played), words.choose(ended, none, passed)
            a = words.choose(ended, words.load_ints(layout, keys, A * lanes), a)
            b = words.choose(ended, words.load_ints(layout, keys, B * lanes), b)
            c = words.choose(ended, words.load_ints(layout, keys, C * lanes), c)
            counter = words.choose(ended, words.load_ints(layout, keys, COUNTER * lanes), counter)
            if policy is not None:
                last = words.choose(ended, sets.nothing(layout), last)
            while finished != _NONE:
                lane = lowest(finished)
                finished &= finished - np.uint64(1)
                game = lane_games[lane]
                if game != IDLE:
                    white = memory[turn_at + TURN * lanes + lane] != 0
                    lead = np.int16(memory[turn_at + SCORE * lanes + lane])
                    scores[game] = -lead if white else lead
                    moves[game] = np.int16(memory[turn_at + MOVES * lanes + lane])
                    cut[game] = moves[game] >= limit
                    if owners is not None:
                        # where White is to move, Black's sets are the other player's
                        black, other = np.int64(white), 1 - np.int64(white)
                        area_at, first_at = OWN_AREA * span + lane, OWN_FIRST * span + lane
                        unpack_set(memory, area_at + black * span, lanes, size, rows, owners[game, 0])
                        unpack_set(memory, area_at + other * span, lanes, size, rows, owners[game, 1])
                        unpack_set(memory, first_at + black * span, lanes, size, rows, first_players[game, 0])
                        unpack_set(memory, first_at + other * span, lanes, size, rows, first_players[game, 1])
                    left -= 1
                lane_games[lane] = lane_games[lanes + lane]
                lane_games[lanes + lane] = IDLE
                if given < games:
                    if pooled == lanes:
                        key_streams(layout, keys, pool_at, lanes, seed, next_key)
                        next_key += np.uint64(lanes)
                        pooled = 0
                    start = given // repeats
                    for part in range(3):
                        for word in range(word_count):
                            memory[part * span + word * lanes + lane] = starts[start, part, word]
                    memory[turn_at + lane] = turns[start]
                    for part in range(STATE_WORDS):
                        keys[part * lanes + lane] = keys[pool_at + part * lanes + pooled]
                    pooled += 1
                    lane_games[lanes + lane] = given
                    given += 1
            if left == 0:
                return
            # the first two rounds fill the queue, then the lanes
            filling -= 1
            if filling == 1:
                continue
        number, a, b, c, counter = lockstep.next_random(a, b, c, counter, one32)
        own, opp, barred, short, last, move, drawn, refused = lockstep.step(
            layout, strict, policy, own, opp, barred, short, last, ended, number
        )
        if owners is not None:
            placed = words.choose(refused, sets.nothing(layout), move)
            mine = own_first | (placed & ~opp_first)
            own_first, opp_first = words.choose(refused, own_first, opp_first), words.choose(refused, opp_first, mine)
        played = played + words.one_where(layout, drawn & ~refused)
        turn = turn ^ words.one_where(layout, ~refused)
        now = words.one_where(layout, ~drawn)
        ended = words.is_true(now & passed) | (played >= final)
        passed = words.choose(refused, passed, now)
