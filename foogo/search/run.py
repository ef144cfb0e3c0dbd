"""`SearchRun`: the worker threads of one run of a search, and their counts."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.stream import STATE_WORDS
from foogo.game.game import Game
from foogo.playout.games import MOVES_PER_POINT
from foogo.playout.kernels.batch import PlayoutRules, new_memory
from foogo.playout.kernels.layout import simd_layout
from foogo.search.evaluated_search import Work, search_evaluated
from foogo.search.evaluator import Evaluator
from foogo.search.game_position import new_root, past_situations, points_stood_on, superko_of
from foogo.search.kernels import loop
from foogo.search.kernels import tree as t
from foogo.search.kernels.descent import Root, SearchSettings
from foogo.search.kernels.evaluation import new_evaluation
from foogo.search.kernels.growth import Growth, new_growth
from foogo.search.kernels.loop import LockstepSettings, Run, search
from foogo.search.kernels.moves import SearchRules
from foogo.search.kernels.slots import new_slots, path_length
from foogo.search.learned_prior import feature_weights
from foogo.search.network import NO_NETWORK, network_weights
from foogo.search.parameters import SearchParameters
from foogo.search.shared_tree import SharedTree
from foogo.search.threads import Threads

PLAYOUTS_OF_THREAD = 2**48
"""Playout numbers reserved for each thread."""


class Task(NamedTuple):
    """The game up to the root that a run searches, and its random numbers."""

    game: Game
    won_above: float
    """Black wins with a larger lead than this, White with a smaller one."""
    avoided_depths: NDArray[np.int32]
    parameters: SearchParameters
    policy: tuple[Any, ...] | None
    """What kernels take of it; None for uniform playouts."""
    threads: int
    seed: int
    first_playout: int
    first_stream: int
    """The first thread's first playout number, and the random stream of its descents."""
    evaluator: Evaluator | None = None


class SearchRun:
    """The threads of one run, which play at most `budget` simulations together.

    `kept` is the playouts of the root from earlier runs, `began` the `time.perf_counter` when the threads were started,
    `interrupted` whether Ctrl-C was pressed.
    """

    def __init__(self, task: Task, tree: SharedTree, budget: int) -> None:
        self._task, self._tree, self._budget = task, tree, budget
        size, parameters = task.game.size, task.parameters
        # whole words of points, and two cache lines between one thread's counts and the next thread's
        self._owned = np.zeros((task.threads, 2, 64 * -(-(size**2) // 64) + 32), np.int32)
        self._tallies = np.zeros((task.threads, loop.TALLY), np.int64)
        self._situations, self._stood = past_situations(task.game), points_stood_on(task.game)
        limits, refill = parameters.to_limits(), parameters.refill
        if task.evaluator is not None:
            # Every leaf grows when it is evaluated, and a batch is played to the end before the next is gathered.
            limits, refill = limits._replace(expand_at=0), False
        rules = SearchRules(size, task.game.rules.suicide, superko_of(task.game), task.won_above)
        self._settings = SearchSettings(rules, parameters.to_selection(), limits, refill)
        self.threads = Threads([partial(self._search, thread, budget) for thread in range(task.threads)], tree.stop)
        self.kept = tree.playouts
        self.began = self._ended = 0.0
        self.interrupted = False

    def start(self) -> None:
        """Compile if necessary, grow the root, and start the threads."""
        self._first = self._new_scratch()
        self._search(0, 0)
        self._reset()
        self.began = time.perf_counter()
        self.threads.start()

    def finish(self) -> None:
        """Stop the threads and join them; raises any exception that a thread raised."""
        if self._ended or not self.began:
            return
        self.interrupted |= self.threads.finish()
        failures, ended = self.threads.failures, self.threads.ended
        if not self.simulations and not failures:
            # Time ran out before any thread started. Play at least one leaf.
            self._tree.clear_stop()
            self._reset()
            self._search(0, min(self._budget, self._task.parameters.playouts))
            ended = time.perf_counter()
        self._ended = ended
        if failures:
            raise failures[0]

    def _network(self) -> NDArray[np.int32]:
        task, parameters = self._task, self._task.parameters
        is_used = parameters.network and parameters.to_prior().learned > 0 and task.evaluator is None
        return network_weights(task.game.size) if is_used else NO_NETWORK

    def _growth(self) -> Growth:
        task, parameters = self._task, self._task.parameters
        weights = feature_weights(), self._network()
        return new_growth(task.game.size, parameters.to_prior(), *weights, task.avoided_depths, parameters.certainty)

    def _reset(self) -> None:
        self._tree.arrays.shared[t.ISSUED] = 0
        self._tallies[:] = 0

    @property
    def simulations(self) -> int:
        """Simulations so far, by all threads."""
        return int(self._tallies[:, loop.DONE].sum())

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return (self._ended or time.perf_counter()) - self.began

    @property
    def time_shares(self) -> dict[str, float]:
        """See `foogo.search.result.SearchResult.times`."""
        parts = {"selection": loop.SELECTION_TIME, "playouts": loop.PLAYOUT_TIME, "backup": loop.BACKUP_TIME}
        if self._task.evaluator is not None:
            parts["evaluator"] = loop.EVALUATION_TIME
        spent = self._tallies[:, list(parts.values())].sum(axis=0)
        return dict(zip(parts, (spent / max(1, spent.sum())).tolist(), strict=True))

    def ownership(self) -> NDArray[np.float64]:
        """See `foogo.search.result.SearchResult`."""
        size = self._task.game.size
        played = self._tallies[:, loop.PLAYOUTS]
        counting = played > 0 if played.any() else slice(None)
        black, white = self._owned[counting].sum(axis=0, dtype=np.int64)
        games = int(played.sum()) or self.simulations
        owned = np.clip((black - white) / max(1, games), -1.0, 1.0)
        return np.asarray(owned[: size * size].reshape(size, size))

    def _search(self, thread: int, budget: int) -> None:
        task, parameters = self._task, self._task.parameters
        size = task.game.size
        layout, leaves = simd_layout(size), parameters.at_once(self._budget, task.threads)
        lockstep, root, growth = self._first if thread == 0 else self._new_scratch()
        work = Work(
            layout,
            lockstep,
            self._tree.arrays,
            root,
            self._settings,
            growth,
            new_slots(layout, leaves, parameters.playouts, task.first_playout + thread * PLAYOUTS_OF_THREAD),
            Run(
                budget,
                np.uint64(task.seed),
                np.uint64(task.first_stream + thread),
                self._owned[thread],
                self._tallies[thread],
                np.empty_like(task.game.board.state),
                np.empty(STATE_WORDS, np.uint32),
            ),
        )
        if task.evaluator is None:
            search(*work)
        else:
            search_evaluated(work, task.evaluator, new_evaluation(size, leaves))

    def _new_scratch(self) -> tuple[LockstepSettings, Root, Growth]:
        """What a thread works with; the first thread's also serves to grow the root."""
        task, size = self._task, self._task.game.size
        layout = simd_layout(size)
        rules = PlayoutRules(size, layout.words, layout.lanes, MOVES_PER_POINT * size * size, task.game.rules.suicide)
        return (
            LockstepSettings(rules, task.policy, new_memory(layout)),
            new_root(task.game, self._situations, self._stood, path_length(size)),
            self._growth(),
        )
