"""Whole games on the lockstep kernel: lanes are filled, played, scored and filled again."""

from __future__ import annotations

import numpy as np

from foogo.kernels import lockstep, sets, words
from foogo.kernels.bits import lowest
from foogo.kernels.jit import kernel
from foogo.kernels.stream import COUNTER, STATE_WORDS, WARM_UP_ROUNDS, A, B, C

OWN, OPP, BARRED = range(3)
"""The parts of a start position."""

SCORE, MOVES, TURN = range(3)
"""What a finished lane reports."""

IDLE = -1
"""The game of a lane that has none."""

_NONE = np.uint64(0)
_LOW_HALF = np.uint64(0xFFFFFFFF)


@kernel(inline=True)
def key_streams(layout, keys, seed, number):
    """Key the streams of consecutive playout numbers, one a lane; `keys` is uint32 (4, lanes)."""
    lanes = keys.shape[1]
    for lane in range(lanes):
        keys[A, lane] = np.uint32((number + np.uint64(lane)) & _LOW_HALF)
        keys[B, lane] = np.uint32((number + np.uint64(lane)) >> np.uint64(32))
    flat = keys.reshape(-1)
    a, b = words.load_ints(layout, flat, A * lanes), words.load_ints(layout, flat, B * lanes)
    c = words.ints32(layout, np.int64(seed & _LOW_HALF))
    counter = words.ints32(layout, np.int64(seed >> np.uint64(32)))
    one = words.ints32(layout, 1)
    for _ in range(WARM_UP_ROUNDS):
        _number, a, b, c, counter = lockstep.next_random(a, b, c, counter, one)
    words.store_ints(flat, A * lanes, a)
    words.store_ints(flat, B * lanes, b)
    words.store_ints(flat, C * lanes, c)
    words.store_ints(flat, COUNTER * lanes, counter)


@kernel(inline=True)
def unpack_set(bits, lane, size, rows, out):
    """Write one lane's set (words of a layout, (words, lanes)) as a bitset with bit = point (uint64)."""
    stride = size if rows == 1 else size + 1
    row_mask = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    for row in range(size):
        value = (np.uint64(bits[row // rows, lane]) >> np.uint64(row % rows * stride)) & row_mask
        at, shift = row * size // 64, np.uint64(row * size % 64)
        out[at] |= value << shift
        if shift + np.uint64(size) > np.uint64(64):
            out[at + 1] |= value >> (np.uint64(64) - shift)


@kernel(announce=True)
def run(layout, geometry, suicide, policy, starts, turns, seed, first, scores, moves, cut, owners, first_players):
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
    """
    size, rows, lanes, limit = geometry
    games = len(scores)
    repeats = games // len(starts)
    word_count = starts.shape[2]
    span = word_count * lanes

    keys, pooled, next_key = np.empty((STATE_WORDS, lanes), np.uint32), lanes, first
    queue, queue_turn = np.zeros((3, word_count, lanes), starts.dtype), np.zeros(lanes, starts.dtype)
    queue_key = np.zeros((STATE_WORDS, lanes), np.uint32)
    queue_flat, key_flat = queue.reshape(-1), queue_key.reshape(-1)
    queued, playing = np.full(lanes, IDLE, np.int64), np.full(lanes, IDLE, np.int64)
    report, areas = np.zeros((3, lanes), starts.dtype), np.zeros((4, word_count, lanes), starts.dtype)
    report_flat, areas_flat = report.reshape(-1), areas.reshape(-1)

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
            words.store_ints(report_flat, SCORE * lanes, sets.count_points(mine) - sets.count_points(theirs))
            words.store_ints(report_flat, MOVES * lanes, played)
            words.store_ints(report_flat, TURN * lanes, turn)
            if owners is not None:
                words.store_bits(areas_flat, 0, mine)
                words.store_bits(areas_flat, span, theirs)
                words.store_bits(areas_flat, 2 * span, own_first)
                words.store_bits(areas_flat, 3 * span, opp_first)
                own_first = words.choose(ended, sets.nothing(layout), own_first)
                opp_first = words.choose(ended, sets.nothing(layout), opp_first)
            own = words.choose(ended, words.load_bits(layout, queue_flat, OWN * span), own)
            opp = words.choose(ended, words.load_bits(layout, queue_flat, OPP * span), opp)
            barred = words.choose(ended, words.load_bits(layout, queue_flat, BARRED * span), barred)
            turn = words.choose(ended, words.load_ints(layout, queue_turn, 0), turn)
            played, passed = words.choose(ended, none, played), words.choose(ended, none, passed)
            a = words.choose(ended, words.load_ints(layout, key_flat, A * lanes), a)
            b = words.choose(ended, words.load_ints(layout, key_flat, B * lanes), b)
            c = words.choose(ended, words.load_ints(layout, key_flat, C * lanes), c)
            counter = words.choose(ended, words.load_ints(layout, key_flat, COUNTER * lanes), counter)
            if policy is not None:
                last = words.choose(ended, sets.nothing(layout), last)
            while finished != _NONE:
                lane = lowest(finished)
                finished &= finished - np.uint64(1)
                game = playing[lane]
                if game != IDLE:
                    white = report[TURN, lane] != 0
                    lead = np.int16(report[SCORE, lane])
                    scores[game] = -lead if white else lead
                    moves[game] = np.int16(report[MOVES, lane])
                    cut[game] = np.int64(report[MOVES, lane]) >= limit
                    if owners is not None:
                        black, other = np.int64(white), 1 - np.int64(white)
                        unpack_set(areas[black], lane, size, rows, owners[game, 0])
                        unpack_set(areas[other], lane, size, rows, owners[game, 1])
                        unpack_set(areas[2 + black], lane, size, rows, first_players[game, 0])
                        unpack_set(areas[2 + other], lane, size, rows, first_players[game, 1])
                    left -= 1
                playing[lane] = queued[lane]
                queued[lane] = IDLE
                if given < games:
                    if pooled == lanes:
                        key_streams(layout, keys, seed, next_key)
                        next_key += np.uint64(lanes)
                        pooled = 0
                    start = given // repeats
                    for part in range(3):
                        for word in range(word_count):
                            queue[part, word, lane] = starts[start, part, word]
                    queue_turn[lane] = turns[start]
                    for part in range(STATE_WORDS):
                        queue_key[part, lane] = keys[part, pooled]
                    pooled += 1
                    queued[lane] = given
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
