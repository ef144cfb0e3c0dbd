"""`Player`: a game, a search and two clocks, and what comes of them: moves."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.game.clock import Plan
from foogo.game.game import Game, Turn
from foogo.game.geometry import BLACK, PASS, check_color
from foogo.game.rules import Rules
from foogo.player.conventions import Conventions
from foogo.player.decision import RESIGN, Decision
from foogo.player.options import DEFAULT_SECONDS, MUST_WIN, PlayerOptions
from foogo.player.owners import ownership_after
from foogo.player.passing import Situation, choose
from foogo.player.quick import quick_move
from foogo.player.state import GameState
from foogo.player.status import Status, assess
from foogo.player.thinking import Thinking, moves_to_go
from foogo.player.trees import Tree, searched_without_pass
from foogo.player.warmup import WARMUP
from foogo.search.restrictions import Avoid
from foogo.search.result import SearchResult

Watch = Callable[[SearchResult], object]

READY_SHARE = 0.9
"""The share of the longest time for a move that is waited for a search to be compiled; the rest is for the answer."""

POLL = 0.05
"""Seconds between looks at whether somebody wants the answer now."""

MOST_JUDGING, LEAST_JUDGING = 1.0, 0.01
"""Seconds for a look at what is dead before a pass, at the most and, whatever the clock says, at the least."""

LONG = 3600.0
"""Seconds that simulations are sure to end before."""

RESIGNABLE = 1.0
"""Points behind on average from where on a player that must win may resign: what looks lost to it may be a draw."""

SHORTEST = 0.001
"""Seconds of a search when there is no time left."""


class Player(GameState):
    """Plays Go: keeps a game, thinks within its time, and knows when to pass and to resign.

    Everything but thinking works before anything is compiled. A move that is due before the search is compiled comes
    from `quick_move`.

    Parameters
    ----------
    size, rules, komi
        As `GameState` takes them.
    options
        How to play.

    Attributes
    ----------
    decision : Decision or None
        How the last move of `genmove` came about.
    decided : set
        The colours that it played in this game.
    comments : dict
        What it thought of its moves that stand on the board, by the number of turns after them.
    cpu_seconds : float
        Processor time that `genmove` used so far.

    Raises
    ------
    SizeError, RulesError, ArgumentError
        As `Game`.

    Examples
    --------
    >>> player = Player(5, "cgos", 7.0, PlayerOptions(simulations=2000))
    >>> player.genmove(BLACK)
    12
    >>> player.play("B3")
    >>> player.undo()
    Turn(color=2, move=11)
    """

    def __init__(
        self,
        size: SupportsIndex = 9,
        rules: Conventions | Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        options: PlayerOptions | None = None,
    ) -> None:
        self._options = options or PlayerOptions()
        self._tree = Tree()
        self._pondering: threading.Thread | None = None
        self.cpu_seconds = 0.0
        super().__init__(size, rules, komi, self._options.lag)

    def _begin(self) -> None:
        super()._begin()
        self.decision: Decision | None = None
        self.decided: set[int] = set()
        self.comments: dict[int, str] = {}
        self._values: dict[int, tuple[int, float]] = {}  # by the number of turns before: whose move, its win share
        self._looked: tuple[Any, SearchResult] | None = None
        self._judged: tuple[Any, SearchResult] | None = None
        WARMUP.want(self.size, self._options.policy)

    def _before_change(self) -> None:
        self.stop_pondering()

    @property
    def options(self) -> PlayerOptions:
        """How the player plays; may be set."""
        return self._options

    @options.setter
    def options(self, options: PlayerOptions) -> None:
        self.stop_pondering()
        self._lag = options.lag
        for clock in self.clocks.values():
            clock.lag = options.lag
        self._options = options
        self._tree.forget()
        WARMUP.want(self.size, options.policy)

    def plan(self, color: int) -> Plan:
        """How long to think about the next move, by the clock and the options."""
        board = self.game.board
        plan = self.clocks[color].plan(moves_to_go(self.size, board.empty.count()))
        limit = self._options.seconds
        if limit is None and self._options.simulations is None and plan.aim == math.inf:
            limit = min(DEFAULT_SECONDS, plan.most)
        if limit is None:
            return plan
        return Plan(min(plan.aim, limit), min(plan.most, limit))

    def undo(self, turns: int = 1) -> Turn:
        """Take turns back, and what was thought of them; the one taken back last."""
        turn = super().undo(turns)
        played = len(self.game.turns)
        self.comments = {count: text for count, text in self.comments.items() if count <= played}
        self._values = {count: value for count, value in self._values.items() if count < played}
        return turn

    # --- thinking -------------------------------------------------------------------------------------------

    def genmove(
        self,
        color: SupportsIndex | None = None,
        *,
        play: bool = True,
        clean_up: bool = False,
        watch: Watch | None = None,
        avoid: Sequence[Avoid] = (),
        interrupted: Callable[[], bool] = lambda: False,
    ) -> int:
        """Find a move, and play it.

        Parameters
        ----------
        color
            Whose move, by default the player to move.
        play
            Whether to play it, and to take its time off the clock.
        clean_up
            Whether to capture all dead stones before passing, whatever the rules.
        watch
            Called with snapshots of the search.
        avoid
            Moves to leave out, counted from the position.
        interrupted
            Asked now and then: a true answer ends the search, and the best move so far is the answer.

        Returns
        -------
        int
            A point, PASS or RESIGN. `decision` has the rest.
        """
        began, worked = time.perf_counter(), time.process_time()
        mover = self.game.to_play if color is None else check_color(color)
        self.stop_pondering()
        decision = self._decide(mover, began, clean_up, watch, avoid, interrupted)
        self.decision = replace(decision, seconds=time.perf_counter() - began)
        if play:
            self.decided.add(mover)
            if decision.result is not None:
                self._values[len(self.game.turns)] = mover, _share_of_best(decision.result)
            if decision.move != RESIGN:
                self.play(decision.move, mover)
                self.comments[len(self.game.turns)] = self.decision.comment
            result = self.decision.result
            self.clocks[mover].spend(time.perf_counter() - began, None if result is None else result.seconds)
        self.cpu_seconds += time.process_time() - worked
        if play and self._options.ponder and decision.move not in (RESIGN, PASS):
            self.ponder()
        return decision.move

    def is_ready(self, seconds: float = 0.0) -> bool:
        """Whether the search is compiled, or is within that time."""
        return WARMUP.wait(self.size, self._options.policy, seconds)

    def forget(self) -> None:
        """Forget the search tree, and what was judged by it."""
        self.stop_pondering()
        self._tree.forget()
        self._looked = self._judged = None

    def analyze(
        self, color: SupportsIndex | None = None, avoid: Sequence[Avoid] = (), interval: float = 0.05
    ) -> Generator[SearchResult, None, None]:
        """Snapshots of a search that goes on until the generator is closed.

        Parameters
        ----------
        color
            Whose move to look for, by default that of the player to move.
        avoid
            Moves to leave out, counted from the position.
        interval
            Seconds between snapshots.
        """
        mover = self.game.to_play if color is None else check_color(color)
        self._prepare()
        search = self._tree.search(self._searched(mover), self._options, tuple(avoid))
        with closing(search.stream(interval=interval)) as snapshots:
            yield from snapshots

    def ownership_after(self, variations: Sequence[Sequence[int]], color: int) -> list[NDArray[np.float64]]:
        """Black's ownership at the end of each variation that `color` begins, (size, size), -1 to 1, from playouts."""
        return ownership_after(self._searched(color), variations, self._options)

    def _decide(
        self,
        color: int,
        began: float,
        clean_up: bool,
        watch: Watch | None,
        avoid: Sequence[Avoid],
        interrupted: Callable[[], bool],
    ) -> Decision:
        plan = self.plan(color)
        if not self._await_search(began + READY_SHARE * plan.most, interrupted):
            return Decision(color, quick_move(self.open_game(), color), None, "no time to search", 0.0)
        before = [math.nan, *self._values_of(color)][-1]
        result = self._search(color, Thinking(plan, began, before, interrupted), watch, avoid)
        passed = self.game.passes == 1
        others = result
        if passed or result.best == PASS:
            left = plan.most - (time.perf_counter() - began)
            others = self._without_pass(color, min(MOST_JUDGING, max(left, LEAST_JUDGING)), tuple(avoid))
        status = assess(self.game.board, others.ownership)
        removed = self._conventions.dead_removed and not clean_up
        area = status.score if removed else self.game.board.area_score()
        lead = (area - self.total_komi) * (1 if color == BLACK else -1)
        move, reason = choose(Situation(color, self.game.board, result, others, status, lead, removed, passed))
        if not self.open_game().is_legal(move, color):
            return Decision(color, quick_move(self.open_game(), color), result, "the search's move is illegal", 0.0)
        if self._gives_up(color, result, lead):
            return Decision(color, RESIGN, result, "the game is lost", 0.0)
        return Decision(color, move, result, reason, 0.0)

    def _await_search(self, deadline: float, interrupted: Callable[[], bool]) -> bool:
        """Wait for the search to be compiled, until a time of `perf_counter` or an interrupt; whether it is."""
        while not self.is_ready(min(POLL, max(0.0, deadline - time.perf_counter()))):
            if time.perf_counter() >= deadline or interrupted():
                return False
        return True

    def _search(self, color: int, thinking: Thinking, watch: Watch | None, avoid: Sequence[Avoid]) -> SearchResult:
        search = self._tree.search(self._searched(color), self._options, tuple(avoid), self._must_win(color))

        def until(result: SearchResult) -> bool:
            if watch is not None:
                watch(result)
            return thinking(result)

        most = thinking.plan.most
        left = None if most == math.inf else max(SHORTEST, most - (time.perf_counter() - thinking.began))
        return search.run(self._options.simulations, left, until)

    def _gives_up(self, color: int, result: SearchResult, lead: float) -> bool:
        """Whether this and the last moves were all hopeless, and counting would not save the game."""
        values = [*self._values_of(color), _share_of_best(result)][-max(1, self._options.resign_moves) :]
        bad = [value < self._options.resign for value in values]
        if self._must_win(color) is not None and result.score > -RESIGNABLE:
            return False
        return len(bad) >= self._options.resign_moves and all(bad) and lead <= 0

    def _values_of(self, color: int) -> list[float]:
        """The win shares of the moves that it chose for a colour and that stand on the board, the last one last."""
        return [value for mover, value in self._values.values() if mover == color]

    # --- the end --------------------------------------------------------------------------------------------

    def look(self) -> SearchResult:
        """What a search of `status_simulations` says of the position; the same until the position changes."""
        key = self._place()
        if self._looked is None or self._looked[0] != key:
            self._prepare()
            search = self._tree.search(self._searched(self.game.to_play), self._options)
            self._looked = key, search.run(simulations=self._options.status_simulations)
        return self._looked[1]

    def judge(self) -> SearchResult:
        """What such a search says that may not pass at first, so that it tells whose the points are."""
        key = self._place()
        if self._judged is None or self._judged[0] != key:
            self._prepare()
            self._judged = key, self._without_pass(self.game.to_play, LONG)
        return self._judged[1]

    def status(self) -> Status:
        """Which stones are dead, from the ownership of `judge`; of a finished game, all that the rules leave.

        The same position gives the same answer until the game goes on.
        """
        finished = self.game.is_over and not self._conventions.dead_removed
        return assess(self.game.board, None if finished else self.judge().ownership)

    def final_score(self) -> float:
        """Black's lead in points, after komi and compensation, with the stones of `status` taken off as dead."""
        return self.status().score - self.total_komi

    def _prepare(self) -> None:
        """Wait until a search can begin."""
        self.stop_pondering()
        WARMUP.wait(self.size, self._options.policy)

    def _without_pass(self, color: int, seconds: float, avoid: tuple[Avoid, ...] = ()) -> SearchResult:
        options = self._options
        return searched_without_pass(self._searched(color), options, options.status_simulations, seconds, avoid)

    def _place(self) -> tuple[Any, ...]:
        """What tells positions apart that a search may judge differently."""
        game = self.game
        return len(game.turns), game.board.hash, game.to_play, self.total_komi, self._conventions

    # --- pondering ------------------------------------------------------------------------------------------

    def ponder(self) -> None:
        """Search on in the background until anything else is asked of the player."""
        if self._pondering is not None or self.game.is_over or not WARMUP.wait(self.size, self._options.policy, 0):
            return
        to_play = self.game.to_play
        search = self._tree.search(self._searched(to_play), self._options, must_win=self._must_win(3 - to_play))
        ended = self._ponder_ended = threading.Event()
        self._pondering = threading.Thread(target=lambda: search.run(until=lambda _: ended.is_set()), daemon=True)
        self._pondering.start()

    def stop_pondering(self) -> None:
        """End the search in the background, and keep what it found."""
        if self._pondering is not None:
            self._ponder_ended.set()
            self._pondering.join()
            self._pondering = None

    # --- for those who go back ------------------------------------------------------------------------------

    def checkpoint(self) -> dict[str, Any]:
        """All that `restore` needs to make the player what it is now."""
        kept = self.__dict__.copy()
        kept["game"] = self.game.copy()
        kept["clocks"] = {color: clock.copy() for color, clock in self.clocks.items()}
        kept["comments"], kept["decided"] = self.comments.copy(), self.decided.copy()
        kept["_values"] = self._values.copy()
        return kept

    def restore(self, kept: dict[str, Any]) -> None:
        """Be again what the player was at the checkpoint; its tree is forgotten."""
        self.stop_pondering()
        self.__dict__.update(kept)
        self._pondering = None
        self._tree = Tree()

    def _must_win(self, color: int) -> int | None:
        """The colour to which a draw is as bad as a loss, if it is `color` that the player plays."""
        return color if color in MUST_WIN[self._options.must_win] else None

    def _searched(self, color: int) -> Game:
        """The game as a search for `color` sees it: its turn, and White's compensation in the komi."""
        game = self.open_game().copy()
        game.to_play = color
        game.komi = self.total_komi
        return game


def _share_of_best(result: SearchResult) -> float:
    """The win share of the best move; nan if no playout was made for it."""
    return float(result.moves["win_share"][0]) if result.simulations else math.nan
