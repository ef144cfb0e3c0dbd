"""`Search`: a tree that threads grow by playouts, kept from move to move."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from functools import partial
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import positive, whole
from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, check_color, geometry
from foogo.game.rules import SUPERKO_RULES
from foogo.playout.games import MOVES_PER_POINT
from foogo.playout.kernels.batch import PARTS, PlayoutRules, new_memory
from foogo.playout.kernels.layout import simd_layout
from foogo.playout.policies import STRONGEST, Policy, policy_of
from foogo.search import learned_prior
from foogo.search.history import cell_of_move, last_two_moves, past_situations, points_stood_on
from foogo.search.kernels import tree
from foogo.search.kernels.loop import search
from foogo.search.parameters import SearchParameters
from foogo.search.patterns import pattern_table
from foogo.search.restrictions import Avoid, avoided_depths
from foogo.search.result import SearchResult
from foogo.search.root import read_root
from foogo.search.shared_tree import SharedTree
from foogo.search.threads import Threads

Until = Callable[[SearchResult], object]

Snapshots = Generator[SearchResult, None, None]

POLL_SECONDS = 0.02
"""How often a run without a stream looks at its `until`, and whether its threads are done."""

NO_BUDGET = 2**61
"""Simulations of a run that only time ends."""

NUMBERS_OF_THREAD = 2**48
"""Playout numbers that a thread has to itself."""

NO_DRAW = 2.0**-30
"""What is added to the komi, or taken off, where a draw is a loss to Black, or to White."""

DEEPEST = 4
"""Moves of a descent for each point of the board, after which it plays out from where it is."""


class Search:
    """A Monte Carlo tree search for the next move of a game.

    Parameters
    ----------
    game
        The position, its history, rules and komi; copied.
    threads
        Threads that share the tree. One thread with a fixed number of simulations gives the same tree, to the bit,
        for the same seed and parameters on every machine with the same vector width; several threads do not.
    seed
        0 to 2**64 - 1.
    policy
        The playouts: a name of `foogo.playout.policies.POLICIES`, or a `foogo.Policy`; docs/playout.md defines them.
        None is "uniform".
    parameters
        How to choose, grow and play.
    avoid
        Moves to leave out near the root, counted from `game`: `foogo.search.restrictions`. Where nothing else is left,
        a pass is.
    must_win
        A colour to which a draw is as bad as a loss: win shares then count draws as lost for it and won for the other.
        By default a draw is half a win to both.

    Raises
    ------
    ArgumentError
        If the policy is unknown, a number is out of range, there is no such colour, the memory is too small for a
        root, or an argument is not what it should be.
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
        threads: int = 1,
        seed: int = 0,
        policy: str | Policy = STRONGEST,
        parameters: SearchParameters | None = None,
        avoid: Iterable[Avoid] = (),
        must_win: SupportsIndex | None = None,
    ) -> None:
        if not isinstance(game, Game):
            raise ArgumentError(f"a search needs a Game, not {type(game).__name__}: Game(board) makes one of a board")
        if parameters is not None and not isinstance(parameters, SearchParameters):
            raise ArgumentError(f"parameters are {parameters!r}: give SearchParameters(playouts=8) and the like")
        self.parameters = parameters or SearchParameters()
        self._game = game.copy()
        self._threads = whole("threads", threads, 1, 1024)
        self._seed = whole("seed", seed, 0, 2**64 - 1)
        chosen = policy_of(policy)
        self._policy = None if chosen is None else chosen.shares
        self._size = game.size
        self._deepest = DEEPEST * game.size**2 + 4
        self._avoided = avoided_depths(game.size, avoid)
        self._must_win = None if must_win is None else check_color(must_win)
        self._tree = SharedTree(self.parameters.capacity(game.size))
        self._layout = simd_layout(game.size)
        self._next_playout, self._next_stream = 0, 0
        self._running = False

    @property
    def game(self) -> Game:
        """The game as it stands at the root: a copy."""
        return self._game.copy()

    @property
    def won_above(self) -> float:
        """The lead above which Black has won, below which White has: the komi, or so near it that there is no draw."""
        if self._must_win is None:
            return self._game.komi
        return self._game.komi + (NO_DRAW if self._must_win == BLACK else -NO_DRAW)

    @property
    def tree_bytes(self) -> int:
        """Bytes that the tree uses of its memory."""
        return self._tree.bytes

    def play(self, move: str | SupportsIndex) -> None:
        """Play a move of the game and keep what is known of the position after it.

        Raises
        ------
        IllegalMoveError, VertexError
            As `Game.play`; the search is then as it was.
        ArgumentError
            If the search is running.
        """
        self._check_idle()
        self._game.play(move)
        self._avoided = np.maximum(self._avoided - 1, 0).astype(np.int32)
        self._tree.follow(geometry(self._size).check_move(move))

    def run(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        until: Until | None = None,
    ) -> SearchResult:
        """Search until so many simulations are done, so much time is up, or `until` says so, whichever is first.

        Ctrl-C ends it too, and the result so far is returned. A tree counts `foogo.search.kernels.tiles.MOST_VISITS`
        simulations, some 2**30, kept ones included; a search ends there, and does none on a tree that has them.

        Parameters
        ----------
        simulations
            Playouts, by all threads together; `SearchParameters.at_once` says how many are on their way at a time.
        seconds
            Wall time; compiling, the first time a size is searched, is not counted. One leaf is played even in no time.
        until
            Called with a snapshot from time to time; a true answer ends the search.

        Raises
        ------
        ArgumentError
            If nothing would end the search, a number is out of range, `until` is no function, the game is over, or the
            search is running.
        """
        with closing(self.stream(simulations, seconds, until, interval=math.inf)) as snapshots:
            return deque(snapshots, maxlen=1).pop()

    def stream(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        until: Until | None = None,
        *,
        interval: float = 0.1,
    ) -> Snapshots:
        """Snapshots of a search every `interval` seconds, and its result at the end.

        Closing the iterator stops the search, as does leaving a loop over it if nothing else holds it; so does `stop`,
        after which the iterator gives the result. The leaves on their way are then played to their end: within 50 ms
        with the default `leaves` and `playouts`, mostly a few. Without any limit the search goes on until then. `until`
        is asked between snapshots too.

        Raises
        ------
        ArgumentError
            As `run`.
        """
        self._check_ready()
        budget = NO_BUDGET if simulations is None else whole("simulations", simulations, 1, NO_BUDGET)
        limit = math.inf if seconds is None else positive("seconds", seconds)
        if until is not None and not callable(until):
            raise ArgumentError(f"until is {until!r}: give a function of a SearchResult; a true answer ends the search")
        if interval != math.inf:
            interval = positive("interval", interval)
        elif simulations is None and seconds is None and until is None:
            raise ArgumentError("nothing ends the search: give simulations, seconds or until")
        return self._snapshots(budget, limit, until, interval)

    def stop(self) -> None:
        """End the running search, from another thread or from inside a loop over `stream`.

        One that is still being compiled ends as soon as it is.
        """
        self._tree.stop()

    def _check_ready(self) -> None:
        self._check_idle()
        if self._game.is_over:
            raise ArgumentError("the game is over: two passes ended it, there is no move to search for")

    def _check_idle(self) -> None:
        if self._running:
            raise ArgumentError("the search is running: end its run, or close its stream with `close()`, first")

    def _snapshots(self, budget: int, limit: float, until: Until | None, interval: float) -> Snapshots:
        self._check_ready()
        self._tree.go()
        run = _Run(self, min(budget, self._tree.room))
        self._running = True
        try:
            run.start()
            shown = looked = run.began
            poll = math.inf if until is None else POLL_SECONDS
            try:
                while run.threads.wait(min(run.began + limit, shown + interval, looked + poll)):
                    looked = time.perf_counter()
                    if looked - run.began >= limit:
                        break
                    snapshot = self._result(run)
                    if until is not None and until(snapshot):
                        break
                    if looked - shown >= interval:
                        shown = looked
                        yield snapshot
            except KeyboardInterrupt:
                pass
            run.finish()
            yield self._result(run)
        finally:
            try:
                run.finish()
            finally:
                self._running = False

    def _result(self, run: _Run) -> SearchResult:
        """What the tree says now."""
        komi, to_play = self._game.komi, self._game.to_play
        simulations = run.simulations
        finished, share = run.kept + simulations, self.parameters.lcb_share
        at_root = read_root(self._tree.memory, komi, to_play, self._deepest, finished, share)
        spent = run.tallies[:, [tree.SELECTION_TIME, tree.PLAYOUT_TIME, tree.BACKUP_TIME]].sum(axis=0)
        shares = (spent / max(1, spent.sum())).tolist()
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
            times=dict(zip(("selection", "playouts", "backup"), shares, strict=True)),
        )


class _Run:
    """The threads of one run.

    Attributes
    ----------
    threads
        What works at it.
    kept
        Playouts of the root from earlier runs.
    tallies
        (threads, `tree.TALLY`): what each counts for itself.
    began
        `time.perf_counter` when the threads were let go; 0 before.
    """

    def __init__(self, owner: Search, budget: int) -> None:
        self._search, self._budget = owner, budget
        # Whole words of points, and two lines of the cache between one thread's and the next one's.
        self._owned = np.zeros((owner._threads, 2, 64 * -(-(owner._size**2) // 64) + 32), np.int32)
        self.tallies = np.zeros((owner._threads, tree.TALLY), np.int64)
        self._past = past_situations(owner._game, SUPERKO_RULES.index(owner._game.rules.superko), owner._deepest)
        self._stood = points_stood_on(owner._game)
        jobs = [partial(self._work, self._arguments(thread)) for thread in range(owner._threads)]
        owner._next_stream += len(jobs)
        self.threads = Threads(jobs, owner.stop)
        self.kept = owner._tree.playouts
        self.began = self._ended = 0.0

    def start(self) -> None:
        """Compile if need be, grow the root, and let the threads go."""
        self._work(self._arguments(0, budget=0))
        self._reset()
        self.began = time.perf_counter()
        self.threads.start()

    def finish(self) -> None:
        """Stop the threads and wait for them; raises what one of them raised."""
        if self._ended or not self.began:
            return
        self.threads.finish()
        failures = self.threads.failures
        if not self.simulations and not failures:
            # so little time that no thread began: one leaf at least
            self._search._tree.go()
            self._reset()
            self._work(self._arguments(0, min(self._budget, self._search.parameters.playouts)))
        self._ended = time.perf_counter()
        self._search._next_playout += self.simulations
        if failures:
            raise failures[0]

    def _reset(self) -> None:
        self._search._tree.recount()
        self.tallies[:] = 0

    @property
    def simulations(self) -> int:
        """Simulations so far, by all threads."""
        return int(self.tallies[:, tree.DONE].sum())

    @property
    def seconds(self) -> float:
        """Wall time so far."""
        return (self._ended or time.perf_counter()) - self.began

    def ownership(self) -> NDArray[np.float64]:
        """Black's ownership of each point, -1 to 1, over the playouts so far; if none, over what the tree ended."""
        size = self._search._size
        played = self.tallies[:, tree.PLAYOUTS]
        counting = played > 0 if played.any() else slice(None)
        black, white = self._owned[counting].sum(axis=0, dtype=np.int64)
        games = int(played.sum()) or self.simulations
        owned = np.clip((black - white) / max(1, games), -1.0, 1.0)
        return np.asarray(owned[: size * size].reshape(size, size))

    def _work(self, arguments: tuple[Any, ...]) -> None:
        search(*arguments, new_memory(self._search._layout))

    def _arguments(self, thread: int, budget: int | None = None) -> tuple[Any, ...]:
        """What the kernel `search` takes but for its working memory, which belongs to a thread."""
        owner, parameters = self._search, self._search.parameters
        layout, size = owner._layout, owner._size
        rules, board = owner._game.rules, owner._game.board
        past, history = self._past
        last, before = last_two_moves(owner._game)
        return (
            layout,
            PlayoutRules(size, layout.rows, layout.lanes, MOVES_PER_POINT * size * size, rules.suicide),
            owner._policy,
            owner._tree.memory,
            owner._tree.shared,
            board.state,
            (size, rules.suicide, SUPERKO_RULES.index(rules.superko), owner.won_above),
            parameters.choice(),
            (parameters.playouts, parameters.expand_at, parameters.virtual_loss),
            parameters.refill,
            parameters.prior_weights(),
            (pattern_table(), learned_prior.table()),
            owner._avoided,
            (past.copy(), np.stack([self._stood, self._stood])),
            (board.to_play, cell_of_move(size, board.ko), last, before, np.uint64(board.hash), history),
            np.zeros((parameters.at_once(self._budget, owner._threads), PARTS, layout.words), f"u{layout.bits // 8}"),
            self._budget if budget is None else budget,
            np.uint64(owner._next_playout + thread * NUMBERS_OF_THREAD),
            np.uint64(owner._seed),
            np.uint64(owner._next_stream + thread),
            self._owned[thread],
            self.tallies[thread],
        )
