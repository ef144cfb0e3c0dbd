"""What a side's chances are judged by before a position is searched: an n-tuple network, taught by play against itself.

Every window of up to 12 points has a table with a number for each of its patterns, one for either side to move; windows
that a symmetry of the board takes to each other share theirs. (A window that is its own image does not profit.) Their
sum is taken for the logarithm of the odds that the attacker forces what is asked. `teach` plays games in which the
defender keeps to the least and the attacker to the largest sum, and moves the numbers of each position towards what the
best move makes of them.

References
----------
W. Bledsoe and I. Browning, Pattern recognition and reading by machine (1959), for n-tuples. S. Lucas, Learning to play
Othello with n-tuple systems (2008), for temporal differences on them. D. Beal and M. Smith, Temporal coherence and
prediction decay in TD learning (1999), for the rates.
"""

from __future__ import annotations

import math
from collections import namedtuple
from typing import NamedTuple

import numpy as np

from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers, reals
from foogo.core.stream import STATE_WORDS, below, next_random, start
from foogo.solver.kernels.board import area_of, certain, first, play_point, point_maps

WINDOW_POINTS, WINDOW_ROWS = 12, 3

PIECE = 4
"""Points that are looked up together: a piece is a run of them in a row of a window."""

PATTERNS = 1 << 2 * PIECE

PIECES = 4
"""Most pieces of a window: those of four rows of three points, or of two rows of six."""

MOST_MOVES, MOST_PLIES = 32, 120
"""Most moves of a position, and of a game that teaches; if it goes on, the attacker has not forced anything."""

OWN, OTHER, KO, PASSED, ATTACKS = range(5)
"""Columns of a position in a game that teaches: the attacker's stones, the defender's, the ko point, whether the last
move was a pass, and whether the attacker is to move."""

POSITION_WORDS = 5

STRAY, STRAY_AT_FIRST = 0.08, 8
"""The share of moves that are chosen at random, and up to how many at the beginning of a game all are."""

ELSEWHERE = 0.5
"""The share of games that do not begin at the position asked."""

RATE = 0.25
"""How far an error moves a weight that has had none."""

LAMBDA = 0.5
"""How much of what a position is moved towards is what the next one was, rather than what it is judged."""

SURE = 30.0
"""Odds do not go beyond exp(+-SURE)."""

Judge = namedtuple("Judge", ["places", "digits", "weights", "windows", "side"])
"""Pointers to the arrays of `Tuples`, how many windows there are, and how many weights a side has."""


class Tuples(NamedTuple):
    """The windows of a board and what was learnt of their patterns."""

    places: np.ndarray
    """int64[windows, 1 + 2 * PIECES]: where the window's weights begin; then of each piece its first point and a mask
    of as many bits as it has points, 0 if there are no more."""
    digits: np.ndarray
    """int32[windows, PIECES, PATTERNS]: what a pattern of that piece adds to the number of the window's; the attacker's
    stones are in the low bits, the defender's above."""
    weights: np.ndarray
    """float32[2 * patterns of all tables], the defender to move first."""
    errors: np.ndarray
    """float32[weights, 2]: the sum of all errors at a weight, and that of their absolute values."""


NO_TUPLES = Tuples(
    np.zeros((0, 1 + 2 * PIECES), np.int64), np.zeros((0, PIECES, PATTERNS), np.int32), np.zeros(0, np.float32),
    np.zeros((0, 2), np.float32),
)  # fmt: skip


def tuples_of(rows: int, cols: int) -> Tuples:
    """The windows of that board, nothing learnt."""
    maps = point_maps(rows, cols)
    found: list[tuple[int, list[int]]] = []
    models: list[list[int]] = []
    for points in _windows(rows, cols):
        images = ((kind, maps[s][model].tolist()) for kind, model in enumerate(models) for s in range(len(maps)))
        same = next((pair for pair in images if set(pair[1]) == set(points)), None)
        if same is None:
            same = len(models), points
            models.append(points)
        found.append(same)
    size = 3 ** len(models[0])
    places = np.zeros((len(found), 1 + 2 * PIECES), dtype=np.int64)
    digits = np.zeros((len(found), PIECES, PATTERNS), dtype=np.int32)
    for i, (kind, points) in enumerate(found):
        places[i, 0] = kind * size
        for j, piece in enumerate(_pieces(sorted(points), cols)):
            places[i, 1 + 2 * j], places[i, 2 + 2 * j] = piece[0], (1 << len(piece)) - 1
            for pattern in range(PATTERNS):
                digits[i, j, pattern] = sum(
                    3 ** points.index(point) * ((pattern >> k & 1) + 2 * (pattern >> PIECE + k & 1))
                    for k, point in enumerate(piece)
                )
    weights = 2 * len(models) * size
    return Tuples(places, digits, np.zeros(weights, np.float32), np.zeros((weights, 2), np.float32))


def _windows(rows: int, cols: int) -> list[list[int]]:
    """The points of every window, either way round where the board is a square."""
    height = min(WINDOW_ROWS, rows)
    width = min(cols, WINDOW_POINTS // height)
    sizes = {(height, width), (width, height)} if rows == cols else {(height, width)}
    return [
        [(row + i) * cols + col + j for i in range(tall) for j in range(wide)]
        for tall, wide in sorted(sizes)
        for row in range(rows - tall + 1)
        for col in range(cols - wide + 1)
    ]


def _pieces(points: list[int], cols: int) -> list[list[int]]:
    """Runs of points in one row, each of at most PIECE."""
    pieces: list[list[int]] = []
    for point in points:
        last = pieces[-1] if pieces else []
        if last and last[-1] == point - 1 and point % cols and len(last) < PIECE:
            last.append(point)
        else:
            pieces.append([point])
    return pieces


@kernel(inline=True)
def judge_of(places, digits, weights):
    """A `Judge`, as long as the arrays are there."""
    return Judge(longs(places), numbers(digits), reals(weights), len(places), len(weights) >> 1)


@kernel(inline=True)
def judged(judge, own, other, attacks):
    """The logarithm of the odds that the attacker, who has `own`, forces what is asked."""
    total = np.float32(0)
    base = judge.side * attacks
    for i in range(judge.windows):
        total += judge.weights[base + _pattern(judge, i, own, other)]
    return total


@kernel(inline=True)
def _pattern(judge, i, own, other):
    """Where the weight of window `i` is, from the side's first."""
    place = i * (1 + 2 * PIECES)
    index = judge.places[place]
    for j in range(PIECES):
        shift, mask = judge.places[place + 1 + 2 * j], judge.places[place + 2 + 2 * j]
        if not mask:
            break
        pattern = (own >> shift & mask) | (other >> shift & mask) << PIECE
        index += judge.digits[(i * PIECES + j) * PATTERNS + pattern]
    return index


@kernel
def _move_towards(judge, past, own, other, attacks, target):
    """Move the weight of every window so that the share that is expected comes nearer to `target`.

    Each moves the less the more its earlier errors cancelled out.
    """
    error = np.float32(target - _share(judged(judge, own, other, attacks)))
    base = judge.side * attacks
    for i in range(judge.windows):
        place = base + _pattern(judge, i, own, other)
        total, absolute = past[2 * place], past[2 * place + 1]
        part = abs(total) / absolute if absolute else np.float32(1)
        judge.weights[place] = judge.weights[place] + np.float32(RATE) * part * error
        past[2 * place], past[2 * place + 1] = total + error, absolute + abs(error)


@kernel(inline=True)
def _share(odds):
    return 1.0 / (1.0 + math.exp(-max(-SURE, min(SURE, odds))))


@kernel(announce="the solver")
def teach(shape, places, digits, weights, errors, regions, roots, asked, games, seed, first_game):
    """Play that many games, and move the weights after each.

    `roots`, int64[positions, POSITION_WORDS], is where they begin: half of them at the first, the others anywhere.
    """
    judge, past = judge_of(places, digits, weights), reals(errors)
    state = np.empty(STATE_WORDS, np.uint32)
    moves = np.empty((MOST_MOVES, POSITION_WORDS), np.int64)
    game = np.empty((MOST_PLIES + 1, POSITION_WORDS), np.int64)
    best_of = np.empty((MOST_PLIES, POSITION_WORDS), np.int64)
    followed = np.empty(MOST_PLIES, np.bool_)
    for number in range(first_game, first_game + games):
        start(state, np.uint64(seed), np.uint64(number))
        begins_elsewhere = len(roots) > 1 and next_random(state) < np.uint32(ELSEWHERE * 2**32)
        game[0] = roots[below(next_random(state), len(roots)) if begins_elsewhere else 0]
        strays = below(next_random(state), STRAY_AT_FIRST + 1)
        plies = 0
        while plies < MOST_PLIES:
            at = game[plies]
            total = _lay_out(shape, at, moves)
            best = chosen = _best(shape, judge, moves, total, at, asked)
            if plies < strays or next_random(state) < np.uint32(STRAY * 2**32):
                chosen = below(next_random(state), total)
            best_of[plies], followed[plies] = moves[best], chosen == best
            plies += 1
            game[plies] = moves[chosen]
            if _outcome(shape, at, moves[chosen], asked, regions) >= 0:
                break
        later = 0.0
        for ply in range(plies - 1, -1, -1):
            at, best = game[ply], best_of[ply]
            outcome = _outcome(shape, at, best, asked, regions)
            if outcome >= 0:
                target = float(outcome)
                _move_towards(judge, past, best[OWN], best[OTHER], best[ATTACKS], target)
            else:
                target = _share(judged(judge, best[OWN], best[OTHER], best[ATTACKS]))
                if followed[ply]:
                    target += LAMBDA * (later - target)
            _move_towards(judge, past, at[OWN], at[OTHER], at[ATTACKS], target)
            later = target


@kernel
def _lay_out(shape, at, moves):
    """Fill in the positions one move on, the pass last; how many."""
    attacks = at[ATTACKS]
    own, other = (at[OWN], at[OTHER]) if attacks else (at[OTHER], at[OWN])
    total = 0
    rest = shape.full & ~(own | other | at[KO])
    while rest:
        point = first(rest)
        rest &= rest - 1
        mine, theirs, ko, legal = play_point(shape, own, other, point, False)
        if legal:
            row = moves[total]
            row[OWN], row[OTHER] = (mine, theirs) if attacks else (theirs, mine)
            row[KO], row[PASSED], row[ATTACKS] = ko, 0, 1 - attacks
            total += 1
    row = moves[total]
    row[OWN], row[OTHER], row[KO], row[PASSED], row[ATTACKS] = at[OWN], at[OTHER], 0, 1, 1 - attacks
    return total + 1


@kernel
def _best(shape, judge, moves, total, at, asked):
    """The move that the mover likes best."""
    best, liked = 0, -np.inf
    for i in range(total):
        row = moves[i]
        if row[PASSED] and at[PASSED]:
            odds = SURE if area_of(shape, row[OWN], row[OTHER]) >= asked else -SURE
        else:
            odds = float(judged(judge, row[OWN], row[OTHER], row[ATTACKS]))
        likes = odds if at[ATTACKS] else -odds
        if likes > liked:
            best, liked = i, likes
    return best


@kernel
def _outcome(shape, before, at, asked, regions):
    """1 if the attacker plainly has what is asked in position `at`, 0 if he plainly has not, else -1."""
    if before[PASSED] and at[PASSED]:
        return int(area_of(shape, at[OWN], at[OTHER]) >= asked)
    own, other = (at[OWN], at[OTHER]) if at[ATTACKS] else (at[OTHER], at[OWN])
    return certain(shape, own, other, False, at[ATTACKS], asked, regions)
