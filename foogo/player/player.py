"""`Player`: chooses moves by searching, within its time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.core.compiling import working_clock
from foogo.errors import ArgumentError
from foogo.game.clock import Plan, TimeSettings
from foogo.game.game import Game, Turn
from foogo.game.geometry import BLACK, PASS, check_color, opponent
from foogo.game.rules import Rules
from foogo.player.book_choice import book_choice
from foogo.player.decision import RESIGN, Decision, MoveRequest, Watch, share_of_best
from foogo.player.game_state import GameState
from foogo.player.known import Known, SmallBoards, settled
from foogo.player.life_and_death import BoardStatus, assess
from foogo.player.options import DEFAULT_SECONDS, MUST_WIN, PlayerOptions
from foogo.player.ownership import ownership_after
from foogo.player.passing import Situation, choose
from foogo.player.pondering import Pondering
from foogo.player.ruleset import Ruleset
from foogo.player.search_reuse import ReusableSearch, search_without_pass
from foogo.player.stopping import StopCondition, moves_to_go
from foogo.search.restrictions import Avoid, avoided_depths
from foogo.search.result import SearchResult
from foogo.warmup import warm_search

MOST_JUDGING, LEAST_JUDGING = 1.0, 0.01
"""Limits, in seconds, of a search for dead stones before a pass of a player with limited time; the lower one holds
whatever the clock says."""

UNLIMITED = 3600.0
"""Seconds for a search that only simulations limit."""

RESIGNABLE = 1.0
"""A player that must win resigns only if it is on average this many points behind: a draw looks lost to it."""

SHORTEST = 0.001
"""Seconds of a search if no time is left."""


class Player(GameState):
    """Plays Go: keeps a game, searches within its time, and knows when to pass and to resign.

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
        rules: Ruleset | Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        options: PlayerOptions | None = None,
    ) -> None:
        if options is not None and not isinstance(options, PlayerOptions):
            raise ArgumentError(f"options are {options!r}: give PlayerOptions")
        self._options = options or PlayerOptions()
        self._search = ReusableSearch()
        self._pondering = Pondering()
        self._small_boards = SmallBoards()
        self._warmed: object = None  # the size, policy and rules whose kernels were compiled before the clock
        self.cpu_seconds = 0.0  # that `genmove` has used
        super().__init__(size, rules, komi, self._options.lag)

    def _on_new_game(self) -> None:
        self.decision: Decision | None = None  # how the last move of `genmove` came about
        self.colors_played: set[int] = set()
        self.comments: dict[int, str] = {}  # on its moves that stand on the board, by the number of turns after
        self._values: dict[int, tuple[int, float]] = {}  # by the number of turns before: whose move, its win share
        self._looked: tuple[Any, SearchResult] | None = None
        self._judged: tuple[Any, SearchResult] | None = None
        self._compile_before_clock()

    def set_time(self, settings: TimeSettings) -> None:
        """Give both players a new clock with these settings; compile before it runs."""
        super().set_time(settings)
        self._compile_before_clock()

    def time_left(self, color: int, seconds: float, count: int = 0) -> None:
        """Set a player's clock to what the controller reports; if it is the first limit, compile before it runs."""
        had_clock = any(clock.is_limited for clock in self.clocks.values())
        super().time_left(color, seconds, count)
        if not had_clock:
            self._compile_before_clock()

    def _compile_before_clock(self) -> None:
        key = self.size, self._options.policy, self._ruleset.rules
        if key != self._warmed and any(clock.is_limited for clock in self.clocks.values()):
            warm_search(self.size, self._options.policy)
            self._small_boards.solved(Game(self.size, self._ruleset.rules))
            self._warmed = key

    def _before_change(self) -> None:
        self.stop_pondering()

    @property
    def options(self) -> PlayerOptions:
        """How the player plays; may be set."""
        return self._options

    @options.setter
    def options(self, options: PlayerOptions) -> None:
        if not isinstance(options, PlayerOptions):
            raise ArgumentError(f"options are {options!r}: give PlayerOptions")
        self.forget()
        self._lag = options.lag
        for clock in self.clocks.values():
            clock.lag = options.lag
        self._options = options

    def plan(self, color: int) -> Plan:
        """How long to search for the next move, by the clock and the options."""
        board = self.game.board
        plan = self.clocks[color].plan(moves_to_go(self.size, board.empty.count()))
        limit = self._options.seconds
        if limit is None and self._options.simulations is None and plan.aim == math.inf:
            limit = min(DEFAULT_SECONDS, plan.most)
        if limit is None:
            return plan
        return Plan(min(plan.aim, limit), min(plan.most, limit))

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None) -> None:
        """Play a move that the player did not choose, as `Game.play`; a move after two passes resumes the game."""
        super().play(move, color)
        self.clocks[self.game.turns[-1].color].skip()

    def undo(self, turns: int = 1) -> Turn:
        """Undo turns and drop their comments and values; returns the earliest turn undone."""
        turn = super().undo(turns)
        for clock in self.clocks.values():
            clock.skip()
        played = len(self.game.turns)
        self.comments = {count: text for count, text in self.comments.items() if count <= played}
        self._values = {count: value for count, value in self._values.items() if count < played}
        return turn

    # --- searching ------------------------------------------------------------------------------------------

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
        """Choose a move, a point, PASS or RESIGN, and play it; `decision` has the details.

        Parameters
        ----------
        color
            Whose move; by default the player to move.
        play
            Whether to play the move and to take its time off the clock.
        clean_up
            Whether to capture all dead stones before passing, whatever the rules.
        watch
            Called with snapshots of the search.
        avoid
            Moves to exclude, counted from the position.
        interrupted
            Polled during the search; once true, the search stops and its best move so far is chosen.
        """
        began, worked, cpu_before = time.perf_counter(), working_clock(), time.process_time()
        mover = self.game.to_play if color is None else check_color(color)
        restrictions = self._restrictions(avoid)
        self.stop_pondering()
        decision = self._decide(MoveRequest(mover, worked, clean_up, watch, restrictions, interrupted))
        self.decision = replace(decision, seconds=working_clock() - worked)
        if play:
            self.colors_played.add(mover)
            self._values[len(self.game.turns)] = mover, share_of_best(decision.result)
            if decision.move != RESIGN:
                super().play(decision.move, mover)
                self.comments[len(self.game.turns)] = self.decision.comment
            self.clocks[mover].spend(time.perf_counter() - began, decision.result.seconds)
        self.cpu_seconds += time.process_time() - cpu_before
        if play and self._options.ponder and decision.move not in (RESIGN, PASS):
            self.ponder()
        return decision.move

    def forget(self) -> None:
        """Forget the search tree and the cached judgements."""
        self.stop_pondering()
        self._search.forget()
        self._looked = self._judged = None

    def analyze(
        self, color: SupportsIndex | None = None, avoid: Sequence[Avoid] = (), interval: float = 0.05
    ) -> Generator[SearchResult, None, None]:
        """Snapshots, `interval` seconds apart, of a search for `color` that continues until the generator is closed."""
        mover = self.game.to_play if color is None else check_color(color)
        restrictions = self._restrictions(avoid)
        self.stop_pondering()
        search = self._search.at(self._game_for(mover), self._options, restrictions)
        return search.stream(interval=interval)

    def ownership_after(self, variations: Sequence[Sequence[int]], color: int) -> list[NDArray[np.float64]]:
        """Black's ownership at the end of each variation that `color` begins, (size, size), -1 to 1, from playouts."""
        return ownership_after(self._game_for(color), variations, self._options)

    def _decide(self, request: MoveRequest) -> Decision:
        color, plan = request.color, self.plan(request.color)
        known = self._from_book(request, plan)
        if known is not None:
            return Decision(color, known.best, known, "from the book", 0.0)
        certain = self._certain(request)
        if certain is not None:
            hopeless = self._should_resign(color, certain.result, certain.result.score)
            return Decision(color, RESIGN if hopeless else certain.result.best, certain.result, certain.reason, 0.0)
        result = self._run_search(request, plan)
        passed = self.game.passes == 1
        without_pass = result
        if passed or result.best == PASS:
            seconds = UNLIMITED  # so that a seed and a number of simulations give the same move on every machine
            if plan.most != math.inf:
                seconds = min(MOST_JUDGING, max(plan.most - (working_clock() - request.began), LEAST_JUDGING))
            without_pass = self._search_without_pass(color, seconds, request.avoid, request.interrupted)
        status = assess(self.game.board, without_pass.ownership)
        removed = self._ruleset.dead_removed and not request.clean_up
        area = status.score if removed else self.game.board.area_score()
        lead = (area - self.total_komi) * (1 if color == BLACK else -1)
        move, reason = choose(Situation(color, self.game.board, result, without_pass, status, lead, removed, passed))
        if not self.open_game().is_legal(move, color):
            move = self._best_legal(result, color)
            return Decision(color, move, result, "the search's move is illegal", 0.0)
        if self._should_resign(color, result, lead):
            return Decision(color, RESIGN, result, "the game is lost", 0.0)
        return Decision(color, move, result, reason, 0.0)

    def _from_book(self, request: MoveRequest, plan: Plan) -> SearchResult | None:
        """The opening book's move; None if it has no answer, or if the request is restricted."""
        if request.avoid or request.clean_up or self._must_win(request.color) is not None:
            return None
        return book_choice(self._game_for(request.color), self._options, plan)

    def _certain(self, request: MoveRequest) -> Known | None:
        """A move whose result is known without a search; None to search, or if the request is restricted."""
        parameters = self._options.parameters
        if request.avoid or (parameters is not None and not parameters.certainty):
            return None
        game, draw = self._game_for(request.color), 0.5 if self._must_win(request.color) is None else 0.0
        return settled(game, draw) or self._small_boards.solved(game, draw)

    def _best_legal(self, result: SearchResult, color: int) -> int:
        """The best of the search's moves that is legal; a pass if none is."""
        game = self.open_game()
        return next((int(move) for move in result.moves["move"] if game.is_legal(int(move), color)), PASS)

    def _run_search(self, request: MoveRequest, plan: Plan) -> SearchResult:
        color = request.color
        search = self._search.at(self._game_for(color), self._options, request.avoid, self._must_win(color))
        before = [math.nan, *self._values_of(color)][-1]
        may_stop = StopCondition(plan, request.began, before, request.interrupted)

        def until(result: SearchResult) -> bool:
            if request.watch is not None:
                request.watch(result)
            return may_stop(result)

        left = None if plan.most == math.inf else max(SHORTEST, plan.most - (working_clock() - request.began))
        return search.run(self._options.simulations, left, until)

    def _should_resign(self, color: int, result: SearchResult, lead: float) -> bool:
        """Whether this and the last moves were hopeless, and the board as it stands would not be counted as won."""
        values = [*self._values_of(color), share_of_best(result)][-max(1, self._options.resign_moves) :]
        bad = [value < self._options.resign for value in values]
        if self._must_win(color) is not None and result.score > -RESIGNABLE:
            return False
        return len(bad) >= self._options.resign_moves and all(bad) and lead <= 0

    def _values_of(self, color: int) -> list[float]:
        """Win shares of the moves that it chose for a colour and that stand on the board, in turn order."""
        return [value for mover, value in self._values.values() if mover == color]

    # --- the end --------------------------------------------------------------------------------------------

    def look(self) -> SearchResult:
        """The result of a search of `status_simulations`; cached until the position changes."""
        key = self._position_key()
        if self._looked is None or self._looked[0] != key:
            self.stop_pondering()
            search = self._search.at(self._game_for(self.game.to_play), self._options)
            result = search.run(simulations=self._options.status_simulations)
            if result.interrupted:
                return result
            self._looked = key, result
        return self._looked[1]

    def judge(self, interrupted: Callable[[], bool] = lambda: False) -> SearchResult:
        """The result of a search of `status_simulations` whose first move is not a pass; cached like `look`.

        The search ends once `interrupted` is true, and on Ctrl-C; its result so far is not cached.
        """
        key = self._position_key()
        if self._judged is None or self._judged[0] != key:
            self.stop_pondering()
            result = self._search_without_pass(self.game.to_play, UNLIMITED, interrupted=interrupted)
            if interrupted() or result.interrupted:
                return result
            self._judged = key, result
        return self._judged[1]

    def status(self, interrupted: Callable[[], bool] = lambda: False) -> BoardStatus:
        """Which stones are dead, by the ownership of `judge`.

        In a finished game under rules that do not remove dead stones, every stone is alive.
        """
        finished = self.game.is_over and not self._ruleset.dead_removed
        return assess(self.game.board, None if finished else self.judge(interrupted).ownership)

    def final_score(self) -> float:
        """Black's lead in points, after komi and compensation, without the dead stones of `status`."""
        return self.status().score - self.total_komi

    def _search_without_pass(
        self,
        color: int,
        seconds: float,
        avoid: tuple[Avoid, ...] = (),
        interrupted: Callable[[], bool] = lambda: False,
    ) -> SearchResult:
        return search_without_pass(self._game_for(color), self._options, seconds, avoid, interrupted)

    def _position_key(self) -> tuple[Any, ...]:
        """Equal for positions that a search judges alike."""
        game = self.game
        return len(game.turns), game.board.hash, game.to_play, self.total_komi, self._ruleset

    # --- pondering ------------------------------------------------------------------------------------------

    def ponder(self) -> None:
        """Search in the background until the player is used again."""
        if self._pondering.is_running or self.game.is_over:
            return
        to_play = self.game.to_play
        must_win = self._must_win(opponent(to_play))
        self._pondering.start(self._search.at(self._game_for(to_play), self._options, must_win=must_win))

    def stop_pondering(self) -> None:
        """Stop the search in the background; its tree is kept."""
        self._pondering.stop()

    # --- checkpoints ----------------------------------------------------------------------------------------

    def checkpoint(self) -> dict[str, Any]:
        """The player's state, for `restore`."""
        kept = self.__dict__.copy()
        kept["game"] = self.game.copy()
        kept["clocks"] = {color: clock.copy() for color, clock in self.clocks.items()}
        kept["comments"], kept["colors_played"] = self.comments.copy(), self.colors_played.copy()
        kept["_values"] = self._values.copy()
        return kept

    def __getstate__(self) -> dict[str, Any]:
        """What `copy` and `pickle` take: the state without search trees, solver, and what this process has compiled."""
        fresh = {"_search": ReusableSearch(), "_pondering": Pondering(), "_small_boards": SmallBoards()}
        return {**self.checkpoint(), **fresh, "_warmed": None}

    def restore(self, kept: dict[str, Any]) -> None:
        """Return to the state of a checkpoint, without its search tree."""
        self.stop_pondering()
        self.__dict__.update(kept)
        self._search = ReusableSearch()

    def _restrictions(self, avoid: Sequence[Avoid]) -> tuple[Avoid, ...]:
        """The moves to exclude; an ArgumentError unless a search can leave them out."""
        restrictions = tuple(avoid) if isinstance(avoid, Iterable) else avoid
        avoided_depths(self.size, restrictions)
        return restrictions

    def _must_win(self, color: int) -> int | None:
        """`color` if a draw counts as a loss to it, else None."""
        return color if color in MUST_WIN[self._options.must_win] else None

    def _game_for(self, color: int) -> Game:
        """The game as a search for `color` needs it: its turn, and compensation included in the komi."""
        game = self.open_game().copy()
        game.to_play = color
        game.komi = self.total_komi
        return game
