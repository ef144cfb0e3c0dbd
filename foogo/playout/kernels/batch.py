"""Whole games on the lockstep kernel: lanes are filled, played, scored and filled again.

Working memory is handed in, since each way of making an array inside would be compiled for each layout. Its
layout, with W words and L lanes; a set in memory is W times L words, the lanes of a word side by side:

=================  ==========  ==========================================================================
array              type        contents
=================  ==========  ==========================================================================
`memory`           the word    4 sets `OWN`, `OPP`, `BARRED`, `LAST`: each lane's next start; 4 sets: areas
                               and first moves of the players at a game's end; 7 sets from `KEPT`: the
                               games of a stream between two calls; 8 times L: the next start's turn,
                               `SCORE`, `MOVES` and `TURN` at a game's end, and 4 from `KEPT_TURN`
`keys`             uint32      4 times L: the next game's stream; 4 times L: streams not yet given out;
                               4 times L: those of the games kept
`lane_games`       int64       L: the game in each lane; L: the game after it; `IDLE` if there is none
=================  ==========  ==========================================================================
"""

from __future__ import annotations

import threading

import numpy as np

from foogo.core import simd
from foogo.core.bits import lowest
from foogo.core.jit import kernel
from foogo.core.stream import COUNTER, STATE_WORDS, WARM_UP_ROUNDS, A, B, C
from foogo.playout.kernels import bitboard, lockstep
from foogo.playout.kernels.layout import Layout

OWN, OPP, BARRED, LAST = range(4)
"""The parts of a start position: stones of the player to move and of the other, what ko forbids, the last move."""

PARTS = 4
OWN_AREA, OPP_AREA, OWN_FIRST, OPP_FIRST = range(4, 8)
"""The sets in memory after the start's."""

KEPT = 8
SETS = 15
SCORE, MOVES, TURN, KEPT_TURN, KEPT_MOVES, KEPT_PASS, KEPT_IDLE = range(1, 8)
"""The integers in memory after the start's turn."""

INTEGERS = 8
IDLE = -1
"""The game of a lane that has none."""

GIVEN, QUEUED, FINISHED, LEFT, POOLED, NEXT_KEY, DRAIN = range(7)
"""What a stream of games knows between two calls: how many of `queue` were given to lanes, and how many it holds; how
many are in `finished`; how many are not finished; how many streams of the pool are used, and the playout number after
it; and whether to play to the end."""

FLOW_FIELDS = 7

_NONE = np.uint64(0)
ALL_LANES = np.uint64(0xFFFFFFFFFFFFFFFF)
_LOW_HALF = np.uint64(0xFFFFFFFF)


_of_thread = threading.local()


Memory = tuple[np.ndarray, np.ndarray, np.ndarray]


def working_memory(layout: Layout) -> Memory:
    """The arrays `memory`, `keys` and `lane_games` that `run` works in, the same for each call in one thread."""
    kept = _of_thread.__dict__.setdefault("memory", {})
    if layout not in kept:
        kept[layout] = new_memory(layout)
    found: Memory = kept[layout]
    return found


def new_memory(layout: Layout) -> Memory:
    """Arrays as `working_memory` gives, for one flow of games, no lane playing yet."""
    memory = _aligned((SETS * layout.words + INTEGERS) * layout.lanes, f"u{layout.bits // 8}")
    keys = _aligned(3 * STATE_WORDS * layout.lanes, "u4")
    return memory, keys, np.full(2 * layout.lanes, IDLE, np.int64)


def _aligned(count: int, dtype: str) -> np.ndarray:
    """Zeros on a cache line's border: a vector that straddles two lines is read twice."""
    size = count * np.dtype(dtype).itemsize
    raw = np.zeros(size + simd.CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % simd.CACHE_LINE
    return raw[start : start + size].view(dtype)


@kernel(inline=True)
def key_streams(layout, keys, at, lanes, seed, number):
    """Key the streams of consecutive playout numbers, one a lane, into ``keys[at:]``."""
    for lane in range(lanes):
        keys[at + A * lanes + lane] = np.uint32((number + np.uint64(lane)) & _LOW_HALF)
        keys[at + B * lanes + lane] = np.uint32((number + np.uint64(lane)) >> np.uint64(32))
    a, b = simd.load_ints(layout, keys, at + A * lanes), simd.load_ints(layout, keys, at + B * lanes)
    c = simd.ints32(layout, np.int64(seed & _LOW_HALF))
    counter = simd.ints32(layout, np.int64(seed >> np.uint64(32)))
    one = simd.ints32(layout, 1)
    for _ in range(WARM_UP_ROUNDS):
        _number, a, b, c, counter = lockstep.next_random(a, b, c, counter, one)
    simd.store_ints(keys, at + A * lanes, a)
    simd.store_ints(keys, at + B * lanes, b)
    simd.store_ints(keys, at + C * lanes, c)
    simd.store_ints(keys, at + COUNTER * lanes, counter)


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
    flow,
):
    """Play games 0 .. len(scores) - 1; game j has playout number first + j and start j // (games // starts).

    Each lane holds the game it plays and the next one, keyed and laid out in memory, so that a finished
    lane is filled by a masked load and none waits.

    With a `flow` the games are those of its queue, which grows from call to call: a call returns once a lane
    has nothing to play, and the next one goes on with the games that were not finished. Numbers are given
    out in the order of the queue.

    Parameters
    ----------
    layout
        The `Layout`.
    geometry
        (size, rows, lanes, limit): of the layout, and the moves after which a game is cut.
    policy
        None for uniform playouts, or the shares of a policy (see `foogo.playout.kernels.knowledge`).
    starts
        (positions, `PARTS`, words) of the layout's word.
    turns
        (positions,) int64: 0 where Black moves, 1 where White does.
    seed, first
        uint64.
    scores, moves, cut
        Filled: int16 Black minus White, int16 stones placed, bool.
    owners, first_players
        Filled unless None: (games, 2, set words) uint64 of zeros, Black's and White's points.
    memory, keys, lane_games
        Of `working_memory`; in a flow, of this flow alone.
    flow
        None, or (queue, finished, progress): int64 games to play, room for games that end in this call, and
        `FLOW_FIELDS` numbers. With `DRAIN` set every game is played to its end.
    """
    simd.align_stack(layout)
    size, rows, lanes, limit = geometry
    games = len(scores)
    repeats = games // len(starts)
    word_count = starts.shape[2]
    parts = LAST if policy is None else PARTS
    span = word_count * lanes
    turn_at = SETS * span
    pool_at, kept_at = STATE_WORDS * lanes, 2 * STATE_WORDS * lanes

    none, one32 = simd.counters(layout, 0), simd.ints32(layout, 1)
    final = simd.counters(layout, limit)
    strict = simd.is_true(simd.counters(layout, 0 if suicide else 1))
    if flow is None:
        given, queued, left, pooled, next_key, drain = 0, games, games, lanes, first, True
        for lane in range(2 * lanes):
            lane_games[lane] = IDLE
        own = opp = barred = own_first = opp_first = short = last = bitboard.nothing(layout)
        a = b = c = counter = simd.ints32(layout, 0)
        turn = played = passed = none
        ended = none == none
    else:
        queue, done, progress = flow
        given, queued, left, pooled = progress[GIVEN], progress[QUEUED], progress[LEFT], progress[POOLED]
        next_key, drain = np.uint64(progress[NEXT_KEY]), progress[DRAIN] != 0
        for lane in range(lanes):
            memory[turn_at + KEPT_IDLE * lanes + lane] = lane_games[lane] == IDLE
        own = bitboard.load_bits(layout, memory, KEPT * span)
        opp = bitboard.load_bits(layout, memory, (KEPT + 1) * span)
        barred = bitboard.load_bits(layout, memory, (KEPT + 2) * span)
        own_first = bitboard.load_bits(layout, memory, (KEPT + 3) * span)
        opp_first = bitboard.load_bits(layout, memory, (KEPT + 4) * span)
        short = bitboard.load_bits(layout, memory, (KEPT + 5) * span)
        last = bitboard.load_bits(layout, memory, (KEPT + 6) * span)
        a, b = simd.load_ints(layout, keys, kept_at + A * lanes), simd.load_ints(layout, keys, kept_at + B * lanes)
        c = simd.load_ints(layout, keys, kept_at + C * lanes)
        counter = simd.load_ints(layout, keys, kept_at + COUNTER * lanes)
        turn = simd.load_ints(layout, memory, turn_at + KEPT_TURN * lanes)
        played = simd.load_ints(layout, memory, turn_at + KEPT_MOVES * lanes)
        passed = simd.load_ints(layout, memory, turn_at + KEPT_PASS * lanes)
        ended = simd.is_true(simd.load_ints(layout, memory, turn_at + KEPT_IDLE * lanes))

    # At first every lane is given the game after the one it has, if it has room.
    finished, only_give, hungry = ALL_LANES >> np.uint64(64 - lanes), True, False
    while True:
        if finished != _NONE:
            if not only_give:
                mine, theirs = lockstep.area(layout, own, opp), lockstep.area(layout, opp, own)
                score = bitboard.count_points(mine) - bitboard.count_points(theirs)
                simd.store_ints(memory, turn_at + SCORE * lanes, score)
                simd.store_ints(memory, turn_at + MOVES * lanes, played)
                simd.store_ints(memory, turn_at + TURN * lanes, turn)
                if owners is not None:
                    bitboard.store_bits(memory, OWN_AREA * span, mine)
                    bitboard.store_bits(memory, OPP_AREA * span, theirs)
                    bitboard.store_bits(memory, OWN_FIRST * span, own_first)
                    bitboard.store_bits(memory, OPP_FIRST * span, opp_first)
                    own_first = simd.choose(ended, bitboard.nothing(layout), own_first)
                    opp_first = simd.choose(ended, bitboard.nothing(layout), opp_first)
                own = simd.choose(ended, bitboard.load_bits(layout, memory, OWN * span), own)
                opp = simd.choose(ended, bitboard.load_bits(layout, memory, OPP * span), opp)
                barred = simd.choose(ended, bitboard.load_bits(layout, memory, BARRED * span), barred)
                turn = simd.choose(ended, simd.load_ints(layout, memory, turn_at), turn)
                played, passed = simd.choose(ended, none, played), simd.choose(ended, none, passed)
                a = simd.choose(ended, simd.load_ints(layout, keys, A * lanes), a)
                b = simd.choose(ended, simd.load_ints(layout, keys, B * lanes), b)
                c = simd.choose(ended, simd.load_ints(layout, keys, C * lanes), c)
                counter = simd.choose(ended, simd.load_ints(layout, keys, COUNTER * lanes), counter)
                if policy is not None:
                    last = simd.choose(ended, bitboard.load_bits(layout, memory, LAST * span), last)
            while finished != _NONE:
                lane = lowest(finished)
                finished &= finished - np.uint64(1)
                if not only_give:
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
                        if flow is not None:
                            done[progress[FINISHED]] = game
                            progress[FINISHED] += 1
                            hungry |= lane_games[lanes + lane] == IDLE
                    lane_games[lane] = lane_games[lanes + lane]
                    lane_games[lanes + lane] = IDLE
                if given < queued and lane_games[lanes + lane] == IDLE:
                    if pooled == lanes:
                        key_streams(layout, keys, pool_at, lanes, seed, next_key)
                        next_key += np.uint64(lanes)
                        pooled = 0
                    if flow is None:
                        game = given
                    else:
                        game = queue[given]
                    start = game // repeats
                    for part in range(parts):
                        for word in range(word_count):
                            memory[part * span + word * lanes + lane] = starts[start, part, word]
                    memory[turn_at + lane] = turns[start]
                    for part in range(STATE_WORDS):
                        keys[part * lanes + lane] = keys[pool_at + part * lanes + pooled]
                    pooled += 1
                    lane_games[lanes + lane] = game
                    given += 1
            if only_give:
                only_give, finished = False, simd.lanes_of(ended)
                continue
            if left == 0 or (hungry and not drain):
                break
        number, a, b, c, counter = lockstep.next_random(a, b, c, counter, one32)
        own, opp, barred, short, last, move, drawn, refused = lockstep.step(
            layout, strict, policy, own, opp, barred, short, last, ended, number
        )
        if owners is not None:
            own_first, opp_first = lockstep.first_players(layout, own_first, opp_first, move, refused)
        played = played + simd.one_where(layout, drawn & ~refused)
        turn = turn ^ simd.one_where(layout, ~refused)
        now = simd.one_where(layout, ~drawn)
        ended = simd.is_true(now & passed) | (played >= final)
        passed = simd.choose(refused, passed, now)
        finished = simd.lanes_of(ended)
    if flow is not None:
        progress[GIVEN], progress[LEFT], progress[POOLED], progress[NEXT_KEY] = given, left, pooled, np.int64(next_key)
        bitboard.store_bits(memory, KEPT * span, own)
        bitboard.store_bits(memory, (KEPT + 1) * span, opp)
        bitboard.store_bits(memory, (KEPT + 2) * span, barred)
        bitboard.store_bits(memory, (KEPT + 3) * span, own_first)
        bitboard.store_bits(memory, (KEPT + 4) * span, opp_first)
        bitboard.store_bits(memory, (KEPT + 5) * span, short)
        bitboard.store_bits(memory, (KEPT + 6) * span, last)
        simd.store_ints(keys, kept_at + A * lanes, a)
        simd.store_ints(keys, kept_at + B * lanes, b)
        simd.store_ints(keys, kept_at + C * lanes, c)
        simd.store_ints(keys, kept_at + COUNTER * lanes, counter)
        simd.store_ints(memory, turn_at + KEPT_TURN * lanes, turn)
        simd.store_ints(memory, turn_at + KEPT_MOVES * lanes, played)
        simd.store_ints(memory, turn_at + KEPT_PASS * lanes, passed)
