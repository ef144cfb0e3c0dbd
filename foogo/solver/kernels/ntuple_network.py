"""An n-tuple network that evaluates a side's chances before a position is searched, trained by self-play.

Every window of up to 12 points has a table with a weight for each of its patterns, one per side to move. Windows that a
symmetry of the board maps to each other share a table. The sum of the weights is the logarithm of the odds that the
attacker forces what he asks for.

References
----------
W. Bledsoe and I. Browning, Pattern recognition and reading by machine (1959), for n-tuples. S. Lucas, Learning to play
Othello with n-tuple systems (2008), for temporal differences on them. D. Beal and M. Smith, Temporal coherence and
prediction decay in TD learning (1999), for the rates.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import longs, numbers, reals
from foogo.core.stream import STATE_WORDS, below, next_random, start
from foogo.solver.kernels.life import certain
from foogo.solver.kernels.positions import area_of, first, play_point
from foogo.solver.kernels.symmetries import point_maps

WINDOW_POINTS, WINDOW_ROWS = 12, 3

PIECE = 4
"""Points that are looked up together: a piece is a run of them in a row of a window."""

PATTERNS = 1 << 2 * PIECE

PIECES = 4
"""Most pieces of a window: those of four rows of three points, or of two rows of six."""

PLACES = 1 + 2 * PIECES
"""Columns of `Network.places`."""

MOST_MOVES, MOST_PLIES = 32, 120
"""Most moves of a position, and of a teaching game. A game that goes on longer has forced nothing."""

GAME_POSITION = np.dtype([("attacker", "i8"), ("defender", "i8"), ("ko", "i8"), ("passed", "i8"), ("attacks", "i8")])
"""A position of a teaching game: the stones of both sides, the ko bit, whether the last move was a pass, and whether
the attacker is to move."""

STRAY, STRAY_AT_FIRST = 0.08, 8
"""The share of moves that are random, and the most moves at the start of a game that are all random."""

ELSEWHERE = 0.5
"""The share of games that do not start at the position searched."""

RATE = 0.25
"""The learning rate of a weight without any earlier errors."""

LAMBDA = 0.5
"""The share of a position's target that comes from the next position's target, not from the network."""

SURE = 30.0
"""Odds stay between exp(-SURE) and exp(SURE)."""


class Network(NamedTuple):
    """The windows of a board and what was learnt of their patterns."""

    places: np.ndarray
    """int64[windows, PLACES]: where the window's weights begin. Then for each piece its first point, and a mask with a
    bit for each of its points, 0 if there are no more pieces."""
    digits: np.ndarray
    """int32[windows, PIECES, PATTERNS]: what the pattern of a piece adds to the number of the window's pattern.

    The attacker's stones are the low bits of a piece's pattern, the defender's the high ones."""
    weights: np.ndarray
    """float32[2 * patterns of all tables]: first with the defender to move, then with the attacker."""
    errors: np.ndarray
    """float32[weights, 2]: the sum of all errors at a weight, and the sum of their absolute values."""


class Judge(NamedTuple):
    """A network as pointers into its arrays."""

    places: int
    digits: int
    weights: int
    windows: int
    """The number of windows; 0 if the network was never taught."""
    side: int
    """How many weights there are for one side to move."""


NO_NETWORK = Network(
    np.zeros((0, PLACES), np.int64), np.zeros((0, PIECES, PATTERNS), np.int32), np.zeros(0, np.float32),
    np.zeros((0, 2), np.float32),
)  # fmt: skip


def new_network(rows: int, cols: int) -> Network:
    """An untrained network with the windows of a board."""
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
    places = np.zeros((len(found), PLACES), dtype=np.int64)
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
    return Network(places, digits, np.zeros(weights, np.float32), np.zeros((weights, 2), np.float32))


def _windows(rows: int, cols: int) -> list[list[int]]:
    """The points of every window, in both orientations if the board is a square."""
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
def judge_of(network):
    """A `Judge`, valid while the network is."""
    return Judge(
        longs(network.places), numbers(network.digits), reals(network.weights), len(network.places),
        len(network.weights) >> 1,
    )  # fmt: skip


@kernel(inline=True)
def judged(judge, attacker, defender, attacks):
    """The logarithm of the odds that the attacker forces what he asks for."""
    total = np.float32(0)
    base = judge.side * attacks
    for i in range(judge.windows):
        total += judge.weights[base + _pattern(judge, i, attacker, defender)]
    return total


@kernel(inline=True)
def _pattern(judge, i, attacker, defender):
    """The place of the weight of window `i`, from the side's first."""
    place = i * PLACES
    index = judge.places[place]
    for j in range(PIECES):
        shift, mask = judge.places[place + 1 + 2 * j], judge.places[place + 2 + 2 * j]
        if not mask:
            break
        pattern = (attacker >> shift & mask) | (defender >> shift & mask) << PIECE
        index += judge.digits[(i * PIECES + j) * PATTERNS + pattern]
    return index


@kernel
def _move_towards(judge, errors, at, target):
    """Move the weight of every window so that the expected share of wins comes nearer to `target`.

    A weight whose earlier errors cancelled out moves less, because it is about right already.
    """
    attacker, defender, attacks = at.attacker, at.defender, at.attacks
    error = np.float32(target - _share(judged(judge, attacker, defender, attacks)))
    base = judge.side * attacks
    for i in range(judge.windows):
        place = base + _pattern(judge, i, attacker, defender)
        total, absolute = errors[2 * place], errors[2 * place + 1]
        part = abs(total) / absolute if absolute else np.float32(1)
        judge.weights[place] = judge.weights[place] + np.float32(RATE) * part * error
        errors[2 * place], errors[2 * place + 1] = total + error, absolute + abs(error)


@kernel(inline=True)
def _share(odds):
    """The probability for the logarithm of odds."""
    return 1.0 / (1.0 + math.exp(-max(-SURE, min(SURE, odds))))


class Lesson(NamedTuple):
    """A lesson: the question to learn, and the games to play."""

    asked: int
    games: int
    seed: int
    first_game: int
    """The number of the first game: each game has a random stream of its own."""


@kernel(allocates=True, announce=Compilation("the solver", 45, 8))
def teach(shape, network, memory, roots, lesson):
    """Play the games of a `Lesson`, and move the weights of each position towards the value of its best move.

    The attacker prefers the largest sum and the defender the least. Half of the games begin at the first of `roots`,
    `GAME_POSITION` records, the rest at any of them.
    """
    judge, errors = judge_of(network), reals(network.errors)
    state = np.empty(STATE_WORDS, np.uint32)
    moves = np.empty(MOST_MOVES, GAME_POSITION)
    game = np.empty(MOST_PLIES + 1, GAME_POSITION)
    best_of = np.empty(MOST_PLIES, GAME_POSITION)
    followed = np.empty(MOST_PLIES, np.bool_)
    asked = lesson.asked
    for number in range(lesson.first_game, lesson.first_game + lesson.games):
        start(state, np.uint64(lesson.seed), np.uint64(number))
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
            if _outcome(shape, at, moves[chosen], asked, memory) >= 0:
                break
        # temporal differences, from the end of the game backwards
        later = 0.0
        for ply in range(plies - 1, -1, -1):
            at, best = game[ply], best_of[ply]
            outcome = _outcome(shape, at, best, asked, memory)
            if outcome >= 0:
                target = float(outcome)
                _move_towards(judge, errors, best, target)
            else:
                target = _share(judged(judge, best.attacker, best.defender, best.attacks))
                if followed[ply]:
                    target += LAMBDA * (later - target)
            _move_towards(judge, errors, at, target)
            later = target


@kernel
def _lay_out(shape, at, moves):
    """Fill in the positions one move on, the pass last; returns their number."""
    attacks = at.attacks
    own, other = (at.attacker, at.defender) if attacks else (at.defender, at.attacker)
    total = 0
    rest = shape.full & ~(own | other | at.ko)
    while rest:
        point = first(rest)
        rest &= rest - 1
        mine, theirs, ko, legal = play_point(shape, own, other, point, False)
        if legal:
            row = moves[total]
            row.attacker, row.defender = (mine, theirs) if attacks else (theirs, mine)
            row.ko, row.passed, row.attacks = ko, 0, 1 - attacks
            total += 1
    row = moves[total]
    row.attacker, row.defender = at.attacker, at.defender
    row.ko, row.passed, row.attacks = 0, 1, 1 - attacks
    return total + 1


@kernel
def _best(shape, judge, moves, total, at, asked):
    """The move that the mover likes best."""
    best, liked = 0, -np.inf
    for i in range(total):
        row = moves[i]
        if row.passed and at.passed:
            odds = SURE if area_of(shape, row.attacker, row.defender) >= asked else -SURE
        else:
            odds = float(judged(judge, row.attacker, row.defender, row.attacks))
        likes = odds if at.attacks else -odds
        if likes > liked:
            best, liked = i, likes
    return best


@kernel
def _outcome(shape, before, at, asked, memory):
    """1 if the attacker certainly has `asked` in position `at`, 0 if he certainly does not, else -1."""
    if before.passed and at.passed:
        return int(area_of(shape, at.attacker, at.defender) >= asked)
    own, other = (at.attacker, at.defender) if at.attacks else (at.defender, at.attacker)
    return certain(shape, own, other, False, at.attacks, asked, memory)
