"""Games in which both sides search: seeded by number, like playouts.

Every move comes from a fresh search on one thread. Its seed depends on the run's seed, the komi, the game's number and
the turn, so games for different komis share no random numbers. The search finishes the playouts of its leaves before it
collects new ones (``refill=False``), so its moves do not depend on the number of lanes in a vector.
"""

from __future__ import annotations

import hashlib
from functools import cache

import numpy as np

from foogo.game.game import Game
from foogo.playout.totals import Totals
from foogo.search.kernels.tiles import TILE, TILE_BYTES
from foogo.search.parameters import SearchParameters
from foogo.search.result import SearchResult
from foogo.search.search import Search
from foogo.study.config import SELF_PLAY_KOMI, Config
from foogo.study.run.tasks import Abandoned, Stop

MOVES_PER_POINT = 3
"""A game is cut after this many stones per point of the board, like a playout."""

SIGNATURE_SEED = 1
SIGNATURE_MOVES = 10
SIGNATURE_SIMULATIONS = 1000
"""The game behind a signature: its seed, its moves, and the most simulations per move."""


def games(config: Config, start: int, first: int, count: int, stop: Stop | None = None) -> Totals:
    """The totals of the games number `first` to ``first + count - 1`` of a run's seed; raises as `tasks.play`."""
    area = config.size**2
    totals = Totals.of_none(config.size)
    for number in range(first, first + count):
        score, stones, cut = _game(config, start, number, stop)
        scores = np.zeros(2 * area + 1, np.int64)
        scores[score + area] = 1
        totals += Totals(int(cut), stones, scores)
    return totals


@cache
def signature(size: int, suicide: bool, simulations: int) -> str:
    """Sixteen hexadecimal digits that change when the games of search change.

    It is the hash of the visits of every move in the searches of the first moves of a fixed game, with at most
    `SIGNATURE_SIMULATIONS` simulations. It changes with the parameters and the playouts of the search, and on a
    processor that rounds differently.
    """
    simulations = min(simulations, SIGNATURE_SIMULATIONS)
    game = Game(size, rules=_rules(suicide), komi=SELF_PLAY_KOMI)
    seen: list[object] = [size, suicide, simulations]
    while len(game.moves) < SIGNATURE_MOVES and not game.is_over:
        result = _search(game, simulations, _seed(SIGNATURE_SEED, SELF_PLAY_KOMI, 0, len(game.moves)))
        seen += sorted(zip(result.moves["move"].tolist(), result.moves["visits"].tolist(), strict=True))
        game.play(result.best)
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:16]


def _game(config: Config, start: int, number: int, stop: Stop | None) -> tuple[int, int, bool]:
    """The score, the stones placed, and whether the game was cut."""
    assert config.komi is not None
    game = Game(config.board(start), rules=_rules(config.suicide), komi=config.komi)
    limit, turn, stones = MOVES_PER_POINT * config.size**2, 0, 0
    while not game.is_over and stones < limit:
        if stop is not None and stop():
            raise Abandoned
        move = _search(game, config.simulations, _seed(config.seed, config.komi, number, turn)).best
        game.play(move)
        turn, stones = turn + 1, stones + (move >= 0)
    return game.board.area_score(), stones, not game.is_over


def _search(game: Game, simulations: int, seed: int) -> SearchResult:
    """The result of a fresh search; it depends only on the game, the simulations and the seed."""
    parameters = SearchParameters(memory=_memory(game.size, simulations), refill=False)
    result = Search(game, seed=seed, parameters=parameters).run(simulations=simulations)
    if result.interrupted:  # Ctrl-C may have cut the search short: its move is not the game's
        raise Abandoned
    return result


def _memory(size: int, simulations: int) -> int:
    """Bytes for a tree in which every simulation adds a leaf; a larger one takes time to map and unmap."""
    return min(SearchParameters().memory, TILE_BYTES * (simulations + 2) * (size * size // TILE + 1))


def _seed(seed: int, komi: float, number: int, turn: int) -> int:
    """The seed of one search: 64 bits of a hash of the run's seed, its komi, the game's number and the turn."""
    digest = hashlib.sha256(f"{seed} {komi!r} {number} {turn}".encode()).digest()
    return int.from_bytes(digest[:8], "little")


def _rules(suicide: bool) -> str:
    return "tromp-taylor" if suicide else "superko=positional suicide=no"
