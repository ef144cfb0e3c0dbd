"""Whole games on the lockstep kernel: lanes are filled, played, scored and filled again.

The caller hands in the working memory, since Numba would compile each way of making an array once for each layout. With
W words and L lanes, a set in memory is W times L words, the lanes of a word side by side. `Memory` has these arrays:

==============  ==========  ==========================================================================================
array           type        contents
==============  ==========  ==========================================================================================
`words`         the word    `SETS` sets: each lane's next start, from `OWN_STONES`; areas and first players at a
                            game's end, from `OWN_AREA`; the games of a flow between two calls, from `KEPT`.
                            Then `INTEGERS` times L integers, from `START_TURN`
`keys`          uint32      streams, 4 times L each: of the next game, not yet given out (the pool), of the games kept
`lane_games`    int64       L: the game in each lane; L: the game after it; `IDLE` for no game
==============  ==========  ==========================================================================================
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core import simd
from foogo.core.bits import lowest
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.stream import COUNTER, STATE_WORDS, A, B, C
from foogo.playout.kernels import bitboard, lane_streams, lockstep
from foogo.playout.kernels.layout import Layout
from foogo.playout.kernels.lockstep import Position, Progress, Stream

OWN_STONES, OPPONENT_STONES, FORBIDDEN, LAST_MOVE = range(4)
"""The sets of a start position: stones of the player to move and of the other, the ko point, the last move."""

PARTS = 4
OWN_AREA, OPPONENT_AREA, OWN_FIRST, OPPONENT_FIRST = range(4, 8)
KEPT, KEPT_OWN_FIRST, KEPT_OPPONENT_FIRST = 8, 14, 15
SETS = 16
"""The number of sets in memory: see the table above. A `Position` is kept in the six sets from `KEPT`."""

START_TURN, SCORE, MOVES, TURN, KEPT_TURN, KEPT_MOVES, KEPT_PASSED, KEPT_IDLE = range(8)
INTEGERS = 8
"""The integers in memory: the next start's, those of the games that ended, those of the games kept."""

IDLE = -1
"""The game number of an idle lane."""

GIVEN, QUEUED, FINISHED, LEFT, POOLED, NEXT_KEY, DRAIN = range(7)
"""The entries of `Flow.progress`: games of the queue given to lanes, and games in it; games in `finished`; games not
yet finished; streams of the pool used, and the playout number after the pool; whether to play all games to the end."""

FLOW_FIELDS = 7

_NONE = np.uint64(0)
ALL_LANES = np.uint64(0xFFFFFFFFFFFFFFFF)


class PlayoutRules(NamedTuple):
    """The rules of the games, and the numbers of their layout that loops go by at run time.

    Attributes
    ----------
    size, words, lanes
        Of the `Layout`. Constants would have the loops unrolled, which costs seconds of compilation.
    move_limit
        Moves after which a game is cut.
    suicide
        Whether suicide of several stones is allowed.
    """

    size: int
    words: int
    lanes: int
    move_limit: int
    suicide: bool


class Batch(NamedTuple):
    """The games to play: game j starts from position j // (games // positions) and has playout number first + j.

    Attributes
    ----------
    positions
        (positions, `PARTS`, size) uint32: the rows of each set, from the bottom; bit = column.
    turns
        (positions,) int64: 0 where Black moves, 1 where White does.
    seed, first
        uint64. In a flow the playout numbers go by `NEXT_KEY`, and `first` is not used.
    """

    positions: NDArray[Any]
    turns: NDArray[np.int64]
    seed: np.uint64
    first: np.uint64


class Results(NamedTuple):
    """Filled for each game: int16 Black minus White, int16 stones placed, bool whether it was cut."""

    scores: NDArray[np.int16]
    moves: NDArray[np.int16]
    cut: NDArray[np.bool_]


class PointSets(NamedTuple):
    """Filled for each game: the points that Black and White owned at the end, and were the first to play.

    Arrays are (games, 2, set words) uint64, zeros at first.
    """

    owners: NDArray[np.uint64]
    first_players: NDArray[np.uint64]


class Flow(NamedTuple):
    """Games that are queued from call to call.

    Attributes
    ----------
    queue
        int64: the games to play, in this order.
    finished
        int64: room for the games that end in a call.
    progress
        `FLOW_FIELDS` int64, see `GIVEN`.
    """

    queue: NDArray[np.int64]
    finished: NDArray[np.int64]
    progress: NDArray[np.int64]


class Memory(NamedTuple):
    """The working memory of `run`; see the table above."""

    words: NDArray[Any]
    keys: NDArray[np.uint32]
    lane_games: NDArray[np.int64]


_of_thread = threading.local()


def working_memory(layout: Layout) -> Memory:
    """The working memory of `run`, reused by every call in one thread."""
    kept = _of_thread.__dict__.setdefault("memory", {})
    if layout not in kept:
        kept[layout] = new_memory(layout)
    found: Memory = kept[layout]
    return found


def new_memory(layout: Layout) -> Memory:
    """Memory from `working_memory` for one flow of games, with all lanes idle."""
    words = _aligned((SETS * layout.words + INTEGERS) * layout.lanes, f"u{layout.bits // 8}")
    keys = _aligned(3 * STATE_WORDS * layout.lanes, "u4")
    return Memory(words, keys, np.full(2 * layout.lanes, IDLE, np.int64))


def _aligned(count: int, dtype: str) -> NDArray[Any]:
    """Zeros that start at a cache line: a vector that straddles two lines is read twice."""
    size = count * np.dtype(dtype).itemsize
    raw = np.zeros(size + simd.CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % simd.CACHE_LINE
    return raw[start : start + size].view(dtype)


@kernel(inline=True)
def load_position(layout, words, span):
    """The `Position` of the games kept."""
    return Position(
        bitboard.load_bits(layout, words, KEPT * span),
        bitboard.load_bits(layout, words, (KEPT + 1) * span),
        bitboard.load_bits(layout, words, (KEPT + 2) * span),
        bitboard.load_bits(layout, words, (KEPT + 3) * span),
        bitboard.load_bits(layout, words, (KEPT + 4) * span),
        bitboard.load_bits(layout, words, (KEPT + 5) * span),
    )


@kernel(inline=True)
def store_position(words, span, position):
    """Keep a `Position` for the next call."""
    bitboard.store_bits(words, KEPT * span, position.own)
    bitboard.store_bits(words, (KEPT + 1) * span, position.opponent)
    bitboard.store_bits(words, (KEPT + 2) * span, position.forbidden)
    bitboard.store_bits(words, (KEPT + 3) * span, position.short)
    bitboard.store_bits(words, (KEPT + 4) * span, position.last)
    bitboard.store_bits(words, (KEPT + 5) * span, position.before_last)


@kernel(inline=True)
def pack_set(rows, start, part, words, at, lanes, size, word_count):
    """Lay ``rows[start, part]`` out in memory, from ``words[at]``. `Layout.place` says where each row goes."""
    for word in range(word_count):
        words[at + word * lanes] = rows[start, part, word]
    for row in range(word_count, size):
        shift = np.uint64(row // word_count * (size + 1))
        words[at + row % word_count * lanes] |= np.uint64(rows[start, part, row]) << shift


@kernel(inline=True)
def unpack_set(words, at, lanes, size, word_count, out):
    """Write one lane's set, whose first word is ``words[at]``, as a bitset with bit = point (uint64)."""
    row_mask = (np.uint64(1) << np.uint64(size)) - np.uint64(1)
    for word in range(word_count):
        bits = np.uint64(words[at + word * lanes])
        for row in range(word, size, word_count):
            value, to, shift = bits & row_mask, row * size >> 6, np.uint64(row * size & 63)
            bits >>= np.uint64(size + 1)
            out[to] |= value << shift
            if shift + np.uint64(size) > np.uint64(64):  # the row goes on in the next word
                out[to + 1] |= value >> (np.uint64(64) - shift)


@kernel(announce=Compilation("playouts", 12, 4))
def run(layout, rules, policy, batch, results, sets, memory, flow):
    """Play every game of a batch, or those of a flow's queue.

    Each lane holds the game it plays and the next one, keyed and laid out in memory. So a lane whose game has ended is
    filled by a masked load, and no lane waits.

    A call with a `flow` returns once a lane has nothing to play; the next call goes on with the games that were not
    finished. Playout numbers are given out in the order of the queue. With `DRAIN` set every game is played to its end.

    Parameters
    ----------
    layout
        The `Layout`.
    rules
        `PlayoutRules`.
    policy
        None for uniform playouts, or a `foogo.playout.kernels.narrowing.Written`.
    batch, results
        A `Batch`, and `Results` with an entry for each game.
    sets
        `PointSets`, or None if they are not wanted.
    memory
        `Memory`; in a flow, of this flow alone.
    flow
        A `Flow`, or None.
    """
    simd.align_stack(layout)
    size, word_count, lanes, move_limit, suicide = rules
    positions, turns, seed, first = batch
    scores, moves, cut = results
    words, keys, lane_games = memory
    games = len(scores)
    repeats = games // len(positions)
    parts = LAST_MOVE if policy is None else PARTS
    span = word_count * lanes
    integers_at = SETS * span
    pool_at, kept_at = STATE_WORDS * lanes, 2 * STATE_WORDS * lanes

    none = simd.counters(layout, 0)
    limit = simd.counters(layout, move_limit)
    no_suicide = simd.is_true(simd.counters(layout, 0 if suicide else 1))
    if flow is None:
        given, queued, left, pooled, next_key, drain = 0, games, games, lanes, first, True
        for lane in range(2 * lanes):
            lane_games[lane] = IDLE
        empty, zero = bitboard.nothing(layout), simd.ints32(layout, 0)
        position, own_first, opponent_first = Position(empty, empty, empty, empty, empty, empty), empty, empty
        stream, progress = Stream(zero, zero, zero, zero), Progress(none, none, none)
        ended = none == none
    else:
        queue, done, state = flow
        given, queued, left, pooled = state[GIVEN], state[QUEUED], state[LEFT], state[POOLED]
        next_key, drain = np.uint64(state[NEXT_KEY]), state[DRAIN] != 0
        for lane in range(lanes):
            words[integers_at + KEPT_IDLE * lanes + lane] = lane_games[lane] == IDLE
        position = load_position(layout, words, span)
        own_first = bitboard.load_bits(layout, words, KEPT_OWN_FIRST * span)
        opponent_first = bitboard.load_bits(layout, words, KEPT_OPPONENT_FIRST * span)
        stream = lane_streams.load(layout, keys, kept_at, lanes)
        progress = Progress(
            simd.load_ints(layout, words, integers_at + KEPT_TURN * lanes),
            simd.load_ints(layout, words, integers_at + KEPT_MOVES * lanes),
            simd.load_ints(layout, words, integers_at + KEPT_PASSED * lanes),
        )
        ended = simd.is_true(simd.load_ints(layout, words, integers_at + KEPT_IDLE * lanes))

    # The first round plays nothing: every lane is given the game after the one it has, if it has room.
    finished, only_give, hungry = ALL_LANES >> np.uint64(64 - lanes), True, False
    while True:
        if finished != _NONE:
            if not only_give:
                # Ended games are written to memory, for all lanes at once; then their lanes load the next start.
                mine = lockstep.area(layout, position.own, position.opponent)
                theirs = lockstep.area(layout, position.opponent, position.own)
                score = bitboard.count_points(mine) - bitboard.count_points(theirs)
                simd.store_ints(words, integers_at + SCORE * lanes, score)
                simd.store_ints(words, integers_at + MOVES * lanes, progress.moves)
                simd.store_ints(words, integers_at + TURN * lanes, progress.turn)
                if sets is not None:
                    bitboard.store_bits(words, OWN_AREA * span, mine)
                    bitboard.store_bits(words, OPPONENT_AREA * span, theirs)
                    bitboard.store_bits(words, OWN_FIRST * span, own_first)
                    bitboard.store_bits(words, OPPONENT_FIRST * span, opponent_first)
                    own_first = simd.choose(ended, bitboard.nothing(layout), own_first)
                    opponent_first = simd.choose(ended, bitboard.nothing(layout), opponent_first)
                last = position.last
                if policy is not None:
                    last = simd.choose(ended, bitboard.load_bits(layout, words, LAST_MOVE * span), last)
                position = Position(
                    simd.choose(ended, bitboard.load_bits(layout, words, OWN_STONES * span), position.own),
                    simd.choose(ended, bitboard.load_bits(layout, words, OPPONENT_STONES * span), position.opponent),
                    simd.choose(ended, bitboard.load_bits(layout, words, FORBIDDEN * span), position.forbidden),
                    position.short,
                    last,
                    position.before_last,
                )
                stream = Stream(
                    simd.choose(ended, simd.load_ints(layout, keys, A * lanes), stream.a),
                    simd.choose(ended, simd.load_ints(layout, keys, B * lanes), stream.b),
                    simd.choose(ended, simd.load_ints(layout, keys, C * lanes), stream.c),
                    simd.choose(ended, simd.load_ints(layout, keys, COUNTER * lanes), stream.counter),
                )
                progress = Progress(
                    simd.choose(ended, simd.load_ints(layout, words, integers_at + START_TURN * lanes), progress.turn),
                    simd.choose(ended, none, progress.moves),
                    simd.choose(ended, none, progress.passed),
                )
            while finished != _NONE:
                lane = lowest(finished)
                finished &= finished - np.uint64(1)
                if not only_give:
                    game = lane_games[lane]
                    if game != IDLE:
                        white = words[integers_at + TURN * lanes + lane] != 0
                        lead = np.int16(words[integers_at + SCORE * lanes + lane])
                        scores[game] = -lead if white else lead
                        moves[game] = np.int16(words[integers_at + MOVES * lanes + lane])
                        cut[game] = moves[game] >= move_limit
                        if sets is not None:
                            # where White is to move, Black's sets are the other player's
                            black, other = np.int64(white), 1 - np.int64(white)
                            owners, firsts = sets.owners[game], sets.first_players[game]
                            area_at, first_at = OWN_AREA * span + lane, OWN_FIRST * span + lane
                            unpack_set(words, area_at + black * span, lanes, size, word_count, owners[0])
                            unpack_set(words, area_at + other * span, lanes, size, word_count, owners[1])
                            unpack_set(words, first_at + black * span, lanes, size, word_count, firsts[0])
                            unpack_set(words, first_at + other * span, lanes, size, word_count, firsts[1])
                        left -= 1
                        if flow is not None:
                            done[state[FINISHED]] = game
                            state[FINISHED] += 1
                            hungry |= lane_games[lanes + lane] == IDLE
                    lane_games[lane] = lane_games[lanes + lane]
                    lane_games[lanes + lane] = IDLE
                if given < queued and lane_games[lanes + lane] == IDLE:
                    if pooled == lanes:
                        lane_streams.key(layout, keys, pool_at, lanes, seed, next_key)
                        next_key += np.uint64(lanes)
                        pooled = 0
                    if flow is None:
                        game = given
                    else:
                        game = queue[given]
                    start = game // repeats
                    for part in range(parts):
                        pack_set(positions, start, part, words, part * span + lane, lanes, size, word_count)
                    words[integers_at + START_TURN * lanes + lane] = turns[start]
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
        number, stream = lockstep.next_random(layout, stream)
        position, draw = lockstep.step(layout, no_suicide, policy, position, ended, number)
        if sets is not None:
            own_first, opponent_first = lockstep.first_players(layout, own_first, opponent_first, draw)
        progress, ended = lockstep.advance(layout, progress, draw, limit)
        finished = simd.lanes_of(ended)
    if flow is not None:
        if policy is not None:
            # A game that a lane was given in the last round has not had its `fresh` step. The next call gives it to the
            # lane again: its start is still in memory, because the queue had no game left to replace it.
            finished = simd.lanes_of(ended)
            while finished != _NONE:
                lane = lowest(finished)
                finished &= finished - np.uint64(1)
                lane_games[lanes + lane], lane_games[lane] = lane_games[lane], IDLE
        state[GIVEN], state[LEFT], state[POOLED], state[NEXT_KEY] = given, left, pooled, np.int64(next_key)
        store_position(words, span, position)
        bitboard.store_bits(words, KEPT_OWN_FIRST * span, own_first)
        bitboard.store_bits(words, KEPT_OPPONENT_FIRST * span, opponent_first)
        lane_streams.store(keys, kept_at, lanes, stream)
        simd.store_ints(words, integers_at + KEPT_TURN * lanes, progress.turn)
        simd.store_ints(words, integers_at + KEPT_MOVES * lanes, progress.moves)
        simd.store_ints(words, integers_at + KEPT_PASSED * lanes, progress.passed)
