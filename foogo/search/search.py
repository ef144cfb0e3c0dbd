"""`Search`: threads grow a tree by playouts; its relevant part is kept from move to move."""

from __future__ import annotations

import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from copy import deepcopy
from typing import Any, SupportsIndex

import numpy as np

from foogo.arguments import positive, whole
from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, check_color, geometry
from foogo.playout.policies import STRONGEST, AnyPolicy, for_kernels, policy_of
from foogo.search.evaluator import Evaluate, Evaluator
from foogo.search.kernels.slots import path_length
from foogo.search.parameters import MAX_THREADS, SearchParameters
from foogo.search.restrictions import Avoid, avoided_depths
from foogo.search.result import SearchResult
from foogo.search.root import read_root
from foogo.search.run import SearchRun, Task
from foogo.search.shared_tree import SharedTree

Until = Callable[[SearchResult], object]

Snapshots = Generator[SearchResult, None, None]

POLL_SECONDS, LONGEST_POLL, POLL_SHARE = 0.02, 0.2, 0.03
"""The least and the longest time from one call of `until` to the next, and the share of all time that these calls and
their snapshots take at most, unless they are so slow that the longest time is shorter."""

NO_BUDGET = 2**61
"""Simulations of a run without a limit."""

NO_DRAW = 2.0**-30
"""Added to the komi if a draw counts as a loss for Black, subtracted if it counts as a loss for White."""

_starting = threading.Lock()
"""Held while a search that is idle becomes busy. Searches with a lock of their own could not be pickled."""


class Search:
    """A Monte Carlo tree search for the next move of a game.

    Parameters
    ----------
    game
        The position, its history, rules and komi; copied.
    threads
        Threads that share the tree. One thread with a fixed number of simulations, seed and parameters gives the same
        tree, to the bit, on every machine with the same vector width. With several threads, results vary.
    seed
        0 to 2**64 - 1.
    policy
        How playouts choose: a name of `foogo.playout.policies.POLICIES`, a `foogo.Policy`, or a policy that
        `foogo.playout_policy` made; docs/reference/playout.md defines them. None is "uniform".
    parameters
        How the search chooses, grows and plays.
    avoid
        Moves to leave out near the root, with depths counted from `game`: `foogo.search.restrictions`. A pass remains
        if nothing else does.
    must_win
        A colour for which a draw is as bad as a loss: win shares then count draws as lost for it and won for the
        opponent. By default a draw is half a win for both.
    evaluator
        A function that gives a batch of positions priors and values: `foogo.search.evaluator.Evaluate`.

    Raises
    ------
    ArgumentError
        If an argument is unknown, out of range or of the wrong type, or if the memory is too small for a root.
    VertexError
        If a move to leave out is not on the board.

    Examples
    --------
    >>> search = Search(Game(3), seed=1)
    >>> result = search.run(simulations=2000)
    >>> geometry(3).vertex(result.best), result.simulations
    ('B2', 2000)
    >>> search.play("B2")
    >>> search.run(simulations=500).to_play
    2
    """

    def __init__(
        self,
        game: Game,
        *,
        threads: SupportsIndex = 1,
        seed: SupportsIndex = 0,
        policy: str | AnyPolicy | None = STRONGEST,
        parameters: SearchParameters | None = None,
        avoid: Iterable[Avoid] = (),
        must_win: SupportsIndex | None = None,
        evaluator: Evaluate | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise ArgumentError(f"a search needs a Game, not {type(game).__name__}: Game(board) makes one of a board")
        if parameters is not None and not isinstance(parameters, SearchParameters):
            raise ArgumentError(f"parameters are {parameters!r}: give SearchParameters(playouts=8) and the like")
        self.parameters = parameters or SearchParameters()
        self._game = game.copy()
        self._threads = whole("threads", threads, 1, MAX_THREADS)
        self._seed = whole("seed", seed, 0, 2**64 - 1)
        self._policy = policy_of(policy)
        self._size = game.size
        self._avoided = avoided_depths(game.size, avoid)
        self.won_above = game.komi
        """Black wins with a larger lead than this, White with a smaller one: the komi, shifted if draws are losses."""
        if evaluator is not None and not callable(evaluator):
            raise ArgumentError(f"evaluator is {evaluator!r}: give a function of planes that returns priors and values")
        self._evaluator = None if evaluator is None else Evaluator(evaluator, game.size)
        if must_win is not None:
            self.won_above += NO_DRAW if check_color(must_win) == BLACK else -NO_DRAW
        self._tree = SharedTree(self.parameters.capacity(game.size))
        self._next_playout, self._next_stream = 0, 0
        self._running = False

    def __repr__(self) -> str:
        return f"<Search of {self._game!r}, {self.tree_bytes:,} bytes>"

    def __copy__(self) -> Search:
        """A search with a tree of its own, as `copy.deepcopy` makes it."""
        return deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        """What `copy` and `pickle` take. An ArgumentError is raised if the search is running."""
        self._check_idle()
        return self.__dict__

    @property
    def game(self) -> Game:
        """The game up to the root: a copy."""
        return self._game.copy()

    @property
    def tree_bytes(self) -> int:
        """The bytes of memory that the tree occupies."""
        return self._tree.bytes

    def play(self, move: str | SupportsIndex) -> None:
        """Play a move and keep the part of the tree below it.

        The search is unchanged if `Game.play` refuses the move. An ArgumentError is raised if the search is running.
        """
        with self._busy():
            turns = len(self._game.turns)
            try:
                self._game.play(move)
                self._tree.follow(geometry(self._size).check_move(move), self._game.legal)
            except BaseException:  # as by Ctrl-C while this compiles
                if len(self._game.turns) > turns:
                    self._game.undo()
                    self._tree.clear()
                raise
            self._avoided = np.maximum(self._avoided - 1, 0).astype(np.int32)

    def run(
        self, simulations: SupportsIndex | None = None, seconds: float | None = None, until: Until | None = None
    ) -> SearchResult:
        """Search until any of the limits is reached.

        Ctrl-C ends the search too, and its result so far is returned, with `interrupted` set. A tree counts at most
        `foogo.search.kernels.tiles.MOST_VISITS` simulations, about 2**30, including those kept from earlier runs. A
        search ends when it reaches them.

        Parameters
        ----------
        simulations
            Playouts of all threads together; `SearchParameters.at_once` gives how many are in flight at a time.
        seconds
            Wall time, without the compilation of a new board size. At least one leaf is played.
        until
            Called with a snapshot from time to time; a true result ends the search.

        Raises
        ------
        ArgumentError
            If no limit is given, a number is out of range, `until` is not callable, the game is over, or the search is
            running.
        EvaluatorError
            If the evaluator fails. The tree keeps every simulation, and the search can run again.
        """
        if simulations is None and seconds is None and until is None:
            raise ArgumentError("nothing ends the search: give simulations, seconds or until")
        with closing(self.stream(simulations, seconds, until, interval=math.inf)) as snapshots:
            return deque(snapshots, maxlen=1).pop()

    def stream(
        self,
        simulations: SupportsIndex | None = None,
        seconds: float | None = None,
        until: Until | None = None,
        *,
        interval: float = 0.1,
    ) -> Snapshots:
        """Snapshots of a search every `interval` seconds, and its result at the end.

        Closing the iterator stops the search, and so does leaving a loop over it that holds the only reference. `stop`
        stops it as well, and the iterator then returns the result. Leaves in flight are finished first, usually within
        50 ms at the default `leaves` and `playouts`. Without limits the search runs until it is stopped. `until` is
        also called between snapshots. Errors are raised as by `run`.
        """
        self._check_idle()
        self._check_game()
        budget = NO_BUDGET if simulations is None else whole("simulations", simulations, 1, NO_BUDGET)
        limit = math.inf if seconds is None else positive("seconds", seconds)
        if until is not None and not callable(until):
            raise ArgumentError(f"until is {until!r}: give a function of a SearchResult; a true answer ends the search")
        if interval != math.inf:
            interval = positive("interval", interval)
        return self._snapshots(budget, limit, until, interval)

    def stop(self) -> None:
        """End the running search, from another thread or from inside a loop over `stream`.

        A search that is still being compiled ends right after that.
        """
        self._tree.stop()

    def _check_game(self) -> None:
        if self._game.is_over:
            raise ArgumentError("the game is over: two passes ended it, there is no move to search for")

    def _check_idle(self) -> None:
        if self._running:
            raise ArgumentError("the search is running: end its run, or close its stream with `close()`, first")

    @contextmanager
    def _busy(self) -> Iterator[None]:
        """Keep other threads off this search."""
        with _starting:
            self._check_idle()
            self._running = True
        try:
            yield
        finally:
            self._running = False

    def _snapshots(self, budget: int, limit: float, until: Until | None, interval: float) -> Snapshots:
        with self._busy():
            self._check_game()
            self._tree.clear_stop()
            yield from self._snapshots_of(self._new_run(min(budget, self._tree.room)), limit, until, interval)

    def _snapshots_of(self, run: SearchRun, limit: float, until: Until | None, interval: float) -> Snapshots:
        try:
            run.start()
            shown = looked = run.began
            poll = math.inf if until is None else POLL_SECONDS
            try:
                with self._stopped_after(limit if interval < math.inf else math.inf):
                    while run.threads.wait(min(run.began + limit, shown + interval, looked + poll)):
                        looked = time.perf_counter()
                        if looked - run.began >= limit:
                            break
                        snapshot = self._result(run)
                        if until is not None:
                            if until(snapshot):
                                break
                            cost = time.perf_counter() - looked
                            poll = min(max(POLL_SECONDS, cost / POLL_SHARE), LONGEST_POLL)
                        if looked - shown >= interval:
                            shown = looked
                            yield snapshot
            except KeyboardInterrupt:
                run.interrupted = True
            run.finish()
            yield self._result(run)
        finally:
            try:
                run.finish()
            finally:
                self._next_playout += run.simulations

    @contextmanager
    def _stopped_after(self, seconds: float) -> Iterator[None]:
        """Stop the threads after some time, also while the caller of `stream` holds a snapshot."""
        if seconds > threading.TIMEOUT_MAX:
            yield
            return
        timer = threading.Timer(seconds, self._tree.stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # it must not stop the next run

    def _new_run(self, budget: int) -> SearchRun:
        """A run with random streams that no earlier run has used."""
        task = Task(
            self._game, self.won_above, self._avoided, self.parameters, for_kernels(self._policy),
            self._threads, self._seed, self._next_playout, self._next_stream, self._evaluator,
        )  # fmt: skip
        self._next_stream += self._threads
        return SearchRun(task, self._tree, budget)

    def _result(self, run: SearchRun) -> SearchResult:
        komi, to_play, share = self._game.komi, self._game.to_play, self.parameters.lcb_share
        simulations = run.simulations
        at_root = read_root(self._tree.arrays, komi, to_play, path_length(self._size), run.kept + simulations, share)
        return SearchResult(
            best=int(at_root.moves["move"][0]),
            **at_root._asdict(),
            ownership=run.ownership(),
            simulations=simulations,
            seconds=run.seconds,
            size=self._size,
            to_play=to_play,
            colors=self._game.board.to_array(),
            tree_size=self._tree.moves,
            tree_full=self._tree.is_full,
            times=run.time_shares,
            interrupted=run.interrupted,
        )
