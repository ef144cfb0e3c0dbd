"""The games of a study: a range of game numbers from one start, by random players or by search.

A game is a pure function of the configuration, the start and its number, so any process may play it.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from foogo.board import Board
from foogo.errors import BackendError, ClusterError
from foogo.game import Game
from foogo.playouts import simulate
from foogo.study.config import ANY, Config
from foogo.study.tally import Tally

SIGNATURE_SEED = 1
SIGNATURE_PLAYOUTS = 2000
SIGNATURE_MOVES = 10
SIGNATURE_SIMULATIONS = 100
"""The fixed run behind a signature: so many playouts; for search, so many moves with at most so many simulations."""

MOVES_PER_POINT = 3
"""A game of search is cut after this many moves for each point of the board, as a playout is."""

Stop = Callable[[], bool]


class Abandoned(Exception):
    """The games were given up half-way because their totals are no longer wanted."""


@dataclass(frozen=True)
class Task:
    """Games number `first` to ``first + count - 1`` of a start, for any process to play.

    Attributes
    ----------
    config, start
        The run and the start.
    signature
        What the playing process must have: its games would be others else.
    """

    config: Config
    start: int
    first: int
    count: int
    signature: str


def play(task: Task, stop: Stop | None = None) -> tuple[Tally, float]:
    """The totals of a task, and the seconds it took, compilation apart.

    Raises
    ------
    ClusterError
        If the games of this process are not those of the task's signature.
    Abandoned
        If `stop` says so between two games or moves.
    """
    own = signature(task.config)
    if own != task.signature:
        raise ClusterError(
            f"a worker plays other games (signature {own}) than this process ({task.signature}): "
            "install the same version of foogo on both"
        )
    began = time.perf_counter()
    tally = _random_games(task) if task.config.simulations == 0 else _search_games(task, stop or _never)
    return tally, time.perf_counter() - began


def signature(config: Config) -> str:
    """Sixteen hexadecimal digits that change when the games of a configuration change, and only then.

    For random players it is the hash of the totals of a fixed run on the same board size by the same suicide
    rule, the one that `foogo bench` prints: every machine and backend has the same. For search it is the hash
    of the first moves of a fixed game with few simulations.
    """
    if config.simulations == 0:
        return _random_signature(config.size, config.suicide)
    simulations = min(config.simulations, SIGNATURE_SIMULATIONS)
    return _search_signature(config.size, config.suicide, simulations)


@cache
def _random_signature(size: int, suicide: bool) -> str:
    totals = simulate(size, SIGNATURE_PLAYOUTS, seed=SIGNATURE_SEED, suicide=suicide, threads=1)
    numbers = [size, totals.n, totals.cut, totals.moves, *totals.scores.tolist()]
    return hashlib.sha256(" ".join(map(str, numbers)).encode()).hexdigest()[:16]


@cache
def _search_signature(size: int, suicide: bool, simulations: int) -> str:
    game = Game(size, rules=_rules(suicide), komi=7.0)
    while len(game.moves) < SIGNATURE_MOVES and not game.is_over:
        game.play(_search_move(game, simulations, _move_seed(SIGNATURE_SEED, 0, len(game.moves))))
    return hashlib.sha256(" ".join(map(str, game.moves)).encode()).hexdigest()[:16]


def _random_games(task: Task) -> Tally:
    config = task.config
    plain = task.start == ANY and config.is_empty
    start: Board | int = config.size if plain else config.board(task.start)
    first = config.first_number(task.start) + task.first
    return Tally.of(
        simulate(start, task.count, seed=config.seed, first=first, suicide=config.suicide, threads=1)
    )


def _search_games(task: Task, stop: Stop) -> Tally:
    area = task.config.size**2
    tally = Tally.none(task.config.size)
    first = task.config.first_number(task.start) + task.first
    for number in range(first, first + task.count):
        score, moves, cut = _search_game(task.config, task.start, number, stop)
        scores = np.zeros(2 * area + 1, np.int64)
        scores[score + area] = 1
        tally = tally + Tally(int(cut), moves, scores)
    return tally


def _search_game(config: Config, start: int, number: int, stop: Stop) -> tuple[int, int, bool]:
    """The score, the stones placed, and whether the game was cut."""
    assert config.komi is not None
    game = Game(config.board(start), rules=_rules(config.suicide), komi=config.komi)
    limit, turn, stones = MOVES_PER_POINT * config.size**2, 0, 0
    while not game.is_over and stones < limit:
        if stop():
            raise Abandoned
        move = _search_move(game, config.simulations, _move_seed(config.seed, number, turn))
        game.play(move)
        turn, stones = turn + 1, stones + (move >= 0)
    return game.board.area_score(), stones, not game.is_over


def _search_move(game: Game, simulations: int, seed: int) -> int:
    """The move of a fresh search on one thread: it depends on the game, the simulations and the seed alone."""
    result = _search()(game, threads=1, seed=seed).run(simulations=simulations)
    return int(result.best)


def _search() -> Any:
    try:
        return import_module("foogo.search").Search
    except (ModuleNotFoundError, AttributeError):
        raise BackendError(
            "policy search:N needs foogo's search layer, which this foogo does not have: use policy random"
        ) from None


def _move_seed(seed: int, number: int, turn: int) -> int:
    """The seed of one search: 64 bits that depend on the run's seed, the game's number and the turn alone."""
    digest = hashlib.sha256(f"{seed} {number} {turn}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


def _rules(suicide: bool) -> str:
    return "tromp-taylor" if suicide else "superko=positional suicide=no"


def _never() -> bool:
    return False
