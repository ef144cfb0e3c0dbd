"""The search: descents gathered into batches, played on the lockstep kernel, and backed up.

One call of `search` is one thread's work. Everything of one batch (leaves, their positions, the playouts' results)
is in arrays of that thread; the tree and `shared` belong to all threads.
"""

from __future__ import annotations

import numpy as np

from foogo.geometry import BLACK, WHITE
from foogo.kernels import games
from foogo.kernels import strings as s
from foogo.kernels import tree as t
from foogo.kernels.atomics import add32, add64, load64, time_stamp
from foogo.kernels.jit import kernel
from foogo.kernels.pointers import halfwords, longs, numbers, words
from foogo.kernels.positions import area_score
from foogo.kernels.stream import STATE_WORDS, next_random, start
from foogo.kernels.tree_moves import SIMPLE, hash_change, situation
from foogo.kernels.tree_priors import grow

EXPLORATION, URGENCY, EQUIVALENCE = range(3)
"""Numbers of the selection: see `foogo.search.parameters.SearchParameters`."""

LENGTH, COLOR, KO, LAST, TERMINAL = range(5)
"""What is known of a leaf (int64): entries on its path less one, who is to play, ko and last move as cells,
and whether the game is over there."""
LEAF_FIELDS = 5

TREE_STREAM = np.uint64(1 << 63)
"""Streams of the descents begin here, beyond every playout number."""


@kernel(inline=True)
def play_leaves(
    layout, geometry, suicide, policy, starts, turns, seed, first, scores, moves, cut, owners, firsts, working
):  # fmt: skip
    """Playouts of a batch; the only place that knows how the lockstep kernel is called."""
    memory, keys, lane_games = working
    games.run(
        layout, geometry, suicide, policy, starts, turns, seed, first, scores, moves, cut, owners, firsts, memory, keys,
        lane_games,
    )  # fmt: skip


@kernel
def put(board, size, color, cell, suicide):
    """Play a legal move or pass on the part of a board that playouts use; the cell that ko then forbids."""
    if cell == s.PASSED:
        return np.int64(s.NOWHERE)
    return np.int64(s.place(words(board), halfwords(board), size, color, cell, suicide))


@kernel
def descend(
    memory, capacity, shared, board, rules, numbers_of, limits, weights, patterns, past, origin, path, leaf, random
):  # fmt: skip
    """Go from the root to a leaf, counting its playouts as visits on the way, and grow the tree there.

    Parameters
    ----------
    board
        The root's state; it becomes the leaf's.
    limits
        (playouts a leaf, visits to expand at, virtual loss).
    past
        Hashes of earlier situations; those of the path are added behind the `origin` ones.
    origin
        (color, ko, last, hash, hashes in `past`, captured): as `tree_priors.grow` takes them.
    path, leaf
        Filled: entries from the root on, and `LEAF_FIELDS` facts.
    """
    tree = numbers(memory)
    size, suicide, superko, _komi = rules
    color, ko, last, stones, length, captured = origin
    playouts, expand_at, loss = limits
    cells = halfwords(board)
    entry, depth, deepest, over = t.ROOT, 0, len(path) - 1, False
    path[0] = entry
    visits = add32(tree, t.VISITS * capacity + entry, loss)
    while True:
        first = np.int64(tree[t.FIRST * capacity + entry])
        if first == t.LEAF and (visits - tree[t.PRIOR_VISITS * capacity + entry] >= expand_at or depth == 0):
            if load64(longs(shared), t.FULL) == 0 and t.begin_growing(tree, capacity, entry):
                place = color, ko, last, stones, length, captured
                grow(tree, capacity, longs(shared), entry, board, place, rules, weights, patterns, past)
            first = np.int64(tree[t.FIRST * capacity + entry])
        if first <= t.LEAF or depth == deepest or length == len(past):
            break
        salt = np.int64(next_random(random)) & 511
        entry = t.select(
            tree,
            capacity,
            first,
            np.int64(tree[t.COUNT * capacity + entry]),
            np.log(np.float64(max(visits, 2))),
            numbers_of[EXPLORATION],
            numbers_of[URGENCY],
            numbers_of[EQUIVALENCE],
            salt,
        )
        depth += 1
        path[depth] = entry
        visits = add32(tree, t.VISITS * capacity + entry, loss)
        move = np.int64(tree[t.MOVE * capacity + entry])
        cell = s.PASSED if move < 0 else s.cell_of(size, move)
        if cell == s.PASSED:
            if last == s.PASSED:
                over = True
                break
        elif superko != SIMPLE:
            change, removed = hash_change(cells, size, color, cell)
            stones ^= change
            captured |= removed
        ko = put(board, size, color, cell, suicide)
        color, last = 3 - color, cell
        if superko != SIMPLE:
            past[length] = situation(stones, color, superko)
            length += 1
    leaf[LENGTH], leaf[COLOR], leaf[KO], leaf[LAST], leaf[TERMINAL] = depth, color, ko, last, over


@kernel
def pack(board, size, rows, color, ko, start_words):
    """Write a position as a start of the lockstep kernel: (3, words) of its layout."""
    span, cells = s.span_of(size), halfwords(board)
    stride = size if rows == 1 else size + 1
    start_words[:] = 0
    for row in range(size):
        black = white = 0
        base = s.COLOR * span + s.cell_of(size, row * size)
        for x in range(size):
            content = np.int64(cells[base + x])
            black |= (content & 1) << x
            white |= (content >> 1) << x
        word, shift = row // rows, (row % rows) * stride
        own, other = (black, white) if color == BLACK else (white, black)
        start_words[games.OWN, word] |= start_words.dtype.type(own << shift)
        start_words[games.OPP, word] |= start_words.dtype.type(other << shift)
    if ko != s.NOWHERE:
        point = s.point_of(size, ko)
        row = point // size
        bit = (row % rows) * stride + point % size
        start_words[games.BARRED, row // rows] = start_words.dtype.type(1 << bit)


@kernel
def count_bits(bits, weight, counts, sums):
    """Add one to `counts` (int32) and `weight` to `sums` at every point of a set (uint64 words)."""
    for w in range(len(bits)):
        for half in range(2):
            word = np.uint32((bits[w] >> np.uint64(32 * half)) & np.uint64(0xFFFFFFFF))
            base = 64 * w + 32 * half
            for i in range(32):
                bit = np.int32((word >> np.uint32(i)) & np.uint32(1))
                counts[base + i] += bit
                sums[base + i] += np.int32(bit * weight)


@kernel
def back_up(memory, capacity, path, length, color, total, black_wins, lead, rest, counts, sums, rave):
    """Add the playouts of one leaf to its path, and to the children that the AMAF counts credit.

    Parameters
    ----------
    color
        Who is to play at the leaf.
    total, black_wins, lead
        Playouts, Black's half wins, and the sum of Black's leads.
    rest
        Visits still to be counted, beyond the virtual loss.
    counts, sums
        (2, points) int32: playouts in which Black, White, first played the point, and that colour's half wins in
        them. Changed: the moves of the path are added on the way up.
    """
    tree, leads = numbers(memory), longs(memory)
    for depth in range(length, -1, -1):
        entry = np.int64(path[depth])
        white_moved = color == BLACK
        if rest:
            add32(tree, t.VISITS * capacity + entry, rest)
        add32(tree, t.WINS * capacity + entry, 2 * total - black_wins if white_moved else black_wins)
        add64(leads, entry, lead)
        first = np.int64(tree[t.FIRST * capacity + entry])
        if rave and first > t.LEAF:
            side = color - 1
            children = np.int64(tree[t.COUNT * capacity + entry])
            if tree[t.MOVE * capacity + first + children - 1] < 0:
                children -= 1
            _credit(tree, capacity, first, children, counts[side], sums[side])
        color = 3 - color
        move = np.int64(tree[t.MOVE * capacity + entry])
        if move >= 0:
            mine = color - 1
            counts[mine, move] = total
            sums[mine, move] = black_wins if color == BLACK else 2 * total - black_wins
            counts[1 - mine, move] = 0
            sums[1 - mine, move] = 0


@kernel
def _credit(tree, capacity, first, children, counts, sums):
    """Add the AMAF counts of each child's point."""
    for child in range(first, first + children):
        move = np.int64(tree[t.MOVE * capacity + child])
        tree[t.RAVE_VISITS * capacity + child] += counts[move]
        tree[t.RAVE_WINS * capacity + child] += sums[move]


@kernel
def gather(memory, capacity, shared, root, rules, numbers_of, limits, weights, patterns, past, origin, rows, batch):
    """Descend once for each leaf of a batch; how many of them need playouts, in `batch`'s starts and turns."""
    board, paths, leaves, starts, turns, random, leads = batch
    waiting = 0
    for i in range(len(leaves)):
        board[:] = root
        leaf = leaves[i]
        descend(
            memory, capacity, shared, board, rules, numbers_of, limits, weights, patterns, past, origin,
            paths[i], leaf, random,
        )  # fmt: skip
        add64(longs(shared), t.DEPTH, leaf[LENGTH])
        if leaf[TERMINAL]:
            leads[i] = area_score(board, rules[0])
        else:
            pack(board, rules[0], rows, leaf[COLOR], leaf[KO], starts[waiting])
            turns[waiting] = leaf[COLOR] == WHITE
            waiting += 1
    return waiting


@kernel
def settle(memory, capacity, shared, rules, limits, rave, paths, leaves, leads, scores, owners, firsts, counts, owned):
    """Back a batch up: leaf by leaf, the playouts of each together."""
    _size, _suicide, _superko, komi = rules
    playouts, _expand_at, loss = limits
    counted, sums = counts[0], counts[1]
    game = 0
    for i in range(len(leaves)):
        length, color = leaves[i, LENGTH], leaves[i, COLOR]
        counts[:] = 0
        black_wins = lead = 0
        if leaves[i, TERMINAL]:
            margin = leads[i] - komi
            lead = playouts * leads[i]
            black_wins = playouts * (2 if margin > 0 else 1 if margin == 0 else 0)
            # the last pass does not hand the turn on in `descend`
            color = 3 - color
        else:
            for _ in range(playouts):
                margin = np.int64(scores[game]) - komi
                won = 2 if margin > 0 else 1 if margin == 0 else 0
                lead += scores[game]
                black_wins += won
                if rave:
                    count_bits(firsts[game, 0], won, counted[0], sums[0])
                    count_bits(firsts[game, 1], 2 - won, counted[1], sums[1])
                count_bits(owners[game, 0], 1, owned[0], owned[2])
                count_bits(owners[game, 1], 1, owned[1], owned[2])
                game += 1
        back_up(
            memory, capacity, paths[i], length, color, playouts, black_wins, lead, playouts - loss, counted, sums, rave
        )
    add64(longs(shared), t.PLAYOUTS, game)
    add64(longs(shared), t.DONE, playouts * len(leaves))


@kernel(announce="the search")
def search(
    layout, geometry, policy, memory, capacity, shared, root, rules, numbers_of, limits, weights, patterns, past,
    origin, starts, budget, first_number, seed, stream, owned, working,
):  # fmt: skip
    """Search until `budget` simulations are given out to the threads, or `STOP` is set.

    Parameters
    ----------
    layout, geometry, policy
        As `foogo.kernels.games.run` takes them.
    memory, capacity, shared
        The tree and what threads share, see `foogo.kernels.tree`.
    root
        The state of the root's board.
    rules
        (size, suicide, superko, komi).
    numbers_of
        float64: exploration, urgency, equivalence.
    limits
        (playouts a leaf, visits to expand at, virtual loss).
    weights, patterns
        Of the priors, see `foogo.kernels.tree_priors`.
    past, origin
        See `descend`; `past` is this thread's own.
    starts
        (leaves, 3, words) of the layout's word: scratch, and how many leaves make a batch.
    budget, first_number
        Simulations in this run, by all threads; the playout number of its first.
    seed, stream
        uint64; which of the seed's streams the descents of this thread use.
    owned
        (3, points) int32: playouts at whose end Black, and White, owned the point; the last is scratch.
    working
        Of `foogo.kernels.games.working_memory`.
    """
    size, rows, _lanes, _limit = geometry
    common, leaves_wanted, playouts = longs(shared), len(starts), limits[0]
    set_words = (size * size + 63) // 64
    most = leaves_wanted * playouts
    board, random = root.copy(), np.empty(STATE_WORDS, np.uint32)
    start(random, seed, TREE_STREAM + stream)
    paths = np.empty((leaves_wanted, 4 * size * size + 4), np.int32)
    leaves, leads = np.empty((leaves_wanted, LEAF_FIELDS), np.int64), np.zeros(leaves_wanted, np.int64)
    turns = np.zeros(leaves_wanted, np.int64)
    scores, moves, cut = np.empty(most, np.int16), np.empty(most, np.int16), np.empty(most, np.bool_)
    owners, firsts = np.zeros((most, 2, set_words), np.uint64), np.zeros((most, 2, set_words), np.uint64)
    counts = np.zeros((2, 2, 64 * set_words), np.int32)
    rave = numbers_of[EQUIVALENCE] != 0.0
    while load64(common, t.STOP) == 0:
        issued = add64(common, t.ISSUED, most)
        left = min(most, budget - issued)
        if left <= 0:
            return
        while left > 0:
            each = min(playouts, left)
            count = left // each
            left -= count * each
            now = each, limits[1], min(limits[2], each)
            began = time_stamp()
            batch = board, paths[:count], leaves[:count], starts, turns, random, leads
            waiting = gather(
                memory, capacity, shared, root, rules, numbers_of, now, weights, patterns, past, origin, rows, batch
            )
            chosen = time_stamp()
            games_now = waiting * each
            if waiting:
                owners[:games_now] = 0
                firsts[:games_now] = 0
                play_leaves(
                    layout, geometry, rules[1], policy, starts[:waiting], turns[:waiting], seed,
                    first_number + np.uint64(issued), scores[:games_now], moves[:games_now], cut[:games_now],
                    owners[:games_now], firsts[:games_now], working,
                )  # fmt: skip
                issued += games_now
            played = time_stamp()
            settle(
                memory, capacity, shared, rules, now, rave, paths, leaves[:count], leads, scores, owners, firsts,
                counts, owned,
            )  # fmt: skip
            add64(common, t.SELECTION_TIME, chosen - began)
            add64(common, t.PLAYOUT_TIME, played - chosen)
            add64(common, t.BACKUP_TIME, time_stamp() - played)
