"""The first-move laboratory: playouts from a position and after each move, with totals to watch as they grow."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

from foogo.core.compiling import working_clock
from foogo.game.board import Board
from foogo.game.geometry import BLACK
from foogo.playout.policies import UNIFORM, AnyPolicy, Policy, policy_of
from foogo.playout.simulate import Interrupted, simulate
from foogo.playout.totals import Totals
from foogo.playout.written.policy import PlayoutPolicy, labelled_policy
from foogo.study.config import USUAL_KOMIS, Config
from foogo.study.summary import Summary, totals_as_dict
from foogo.web.control import Control
from foogo.web.games import LETTERS

FIRST_TURN = 1000
"""Playouts of each start in the first round of turns."""

TURN_SECONDS = 0.5
"""Turns grow until they take about this long."""

WAKE_SECONDS = 0.1
"""The longest time between two calls of `tell`."""


class Turn(NamedTuple):
    """Playouts `first` to ``end - 1`` of a start."""

    start: int
    first: int
    end: int


class Laboratory:
    """Playouts from a position, and after each move if `by_point`, one move for each class of symmetric points.

    They are the playouts of `foogo.first_move` and of studies: number i from a start is the same game, so the totals
    after n playouts of each start equal those of ``foogo first-move --playouts n``, to the bit.

    Parameters
    ----------
    board
        The position. Superko is ignored.
    policy
        A policy of `foogo.playout.policies.POLICIES` by name, a `foogo.Policy`, or one that a user wrote.
    policy_option
        The same for the command line; empty for a `foogo.Policy`.
    suicide, seed
        As for `foogo.simulate`.
    threads
        Starts that are played at a time, each on one core.

    Examples
    --------
    >>> laboratory = Laboratory(Board(3), seed=1)
    >>> laboratory.play(2000, Control(), lambda: None)
    >>> from foogo.study.first_move import first_move
    >>> laboratory.totals[4] == first_move(3, 2000, seed=1, by_point=True).summary.points[4]
    True
    """

    def __init__(
        self,
        board: Board,
        *,
        policy: str | AnyPolicy = UNIFORM,
        policy_option: str = UNIFORM,
        by_point: bool = True,
        suicide: bool = True,
        seed: int = 0,
        threads: int = 1,
    ) -> None:
        if isinstance(policy, PlayoutPolicy):
            policy = policy.label
        policy_of(policy)  # refuses the policies of studies that are no playout policies
        name = policy if isinstance(policy, str) else UNIFORM  # a Policy has no name; the starts do not depend on it
        self._config = Config.of_board(board, suicide=suicide, policy=name, seed=seed)
        self._policy = policy
        self._policy_option = policy_option
        self._threads = threads
        self._by_point = by_point
        self.totals = {start: Totals.of_none(board.size) for start in self._config.starts(self._openings)}
        self._waiting: dict[int, dict[int, Totals]] = {start: {} for start in self.totals}
        self._seconds = self._last_seconds = 0.0

    @property
    def _openings(self) -> str:
        return "classes" if self._by_point else "none"

    def play(self, playouts: int, control: Control, tell: Callable[[], None]) -> None:
        """Play until every start has `playouts` playouts, or until `control` stops it.

        The starts take turns, so that they have about the same number of playouts at any time. `tell` is called after
        every turn, and at least every `WAKE_SECONDS`.
        """
        turns = self._turns(playouts)
        running: set[Future[tuple[Turn, Totals, float]]] = set()
        with ThreadPoolExecutor(self._threads) as pool:
            while True:
                while len(running) < self._threads and not control.stopped and (turn := next(turns, None)):
                    running.add(pool.submit(self._play, turn, control))
                if not running:
                    return
                done, running = wait(running, WAKE_SECONDS, FIRST_COMPLETED)
                for future in done:
                    self._add(*future.result())
                tell()

    def _turns(self, playouts: int) -> Iterator[Turn]:
        """Rounds of turns, one for each start, that grow until a turn takes about `TURN_SECONDS`."""
        first, count = 0, FIRST_TURN
        while first < playouts:
            count = min(count, playouts - first)
            for start in self.totals:
                yield Turn(start, first, first + count)
            first += count
            if self._last_seconds < TURN_SECONDS / 2:
                count *= 2

    def _play(self, turn: Turn, control: Control) -> tuple[Turn, Totals, float]:
        """The totals of a turn, or of its first playouts if it was stopped, and the seconds that they took."""
        config, waited = self._config, 0.0

        def check(_done: int, _count: int) -> None:
            nonlocal waited
            now = time.perf_counter()
            if not control.proceed():
                raise KeyboardInterrupt
            waited += time.perf_counter() - now

        began = working_clock()
        try:
            played = simulate(
                config.playout_start(turn.start), turn.end - turn.first, seed=config.seed,
                first=config.first_number(turn.start) + turn.first, suicide=config.suicide, threads=1,
                policy=self._policy, progress=check,
            )  # fmt: skip
        except Interrupted as stop:
            played = stop.playouts
        return turn, played.totals, working_clock() - began - waited

    def _add(self, turn: Turn, totals: Totals, seconds: float) -> None:
        """Add the totals of a turn to those of its start, as soon as no playout before them is missing."""
        waiting = self._waiting[turn.start]
        waiting[turn.first] = totals
        while self.totals[turn.start].n in waiting:
            self.totals[turn.start] += waiting.pop(self.totals[turn.start].n)
        self._seconds += seconds / self._threads
        self._last_seconds = seconds

    def as_dict(self) -> dict[str, Any]:
        """The totals and estimates of every start, for a message: docs/reference/web.md, `playouts`."""
        config = self._config
        summary = Summary(config, {start: (totals, [(0, totals.n)]) for start, totals in self.totals.items()})
        games = summary.games
        return {
            "size": config.size,
            "to_play": LETTERS[config.board().to_play],
            "games": games,
            "per_second": games / self._seconds if self._seconds else 0.0,
            "starts": starts_as_dicts(summary),
            "command": self._command(),
        }

    def _command(self) -> str:
        """The command that plays the same games, or Python code; "" before all starts have games."""
        config, n = self._config, min(totals.n for totals in self.totals.values())
        if not n:
            return ""
        if config.is_empty and self._policy_option:
            words = [f"foogo first-move --size {config.size} --playouts {n} --seed {config.seed}"]
            words += [f"--policy {shlex.quote(self._policy_option)}"] if config.policy != UNIFORM else []
            words += ["--by-point"] if self._by_point else []
            words += ["--no-suicide"] if not config.suicide else []
            return " ".join(words)
        if isinstance(self._policy, Policy):
            return _python(config, f"foogo.{self._policy!r}", self._openings, n)
        if labelled_policy(self._policy):
            return _python(config, f"load_policy({self._policy_option!r})", self._openings, n)
        return _python(config, repr(self._policy), self._openings, n)


def starts_as_dicts(summary: Summary) -> list[dict[str, Any]]:
    """Every start with games: its first move or "any", its points, its totals, estimates and games by score."""
    return [
        {"first_move": name, "points": [summary.config.name_of(point) for point in points]}
        | totals_as_dict(totals, USUAL_KOMIS)
        | {"scores": totals.scores.tolist()}
        for name, points, totals in summary.rows()
    ]


def _python(config: Config, policy: str, openings: str, n: int) -> str:
    """The program for `n` playouts of each start; `policy` is an expression."""
    color = "BLACK" if config.board().to_play == BLACK else "WHITE"
    rows = config.stones or "/".join(["." * config.size] * config.size)
    ko = f", {config.ko!r}" if config.ko else ""
    return (
        "import foogo\n"
        + ("from foogo.playout.written.policy import load_policy\n" if policy.startswith("load_policy") else "")
        + "from foogo.study.config import Config\n"
        f"board = foogo.Board.from_diagram({rows!r}.replace('/', '\\n'), foogo.{color}{ko})\n"
        f"config = Config.of_board(board, suicide={config.suicide}, seed={config.seed})\n"
        f"for start in config.starts({openings!r}):\n"
        f"    run = foogo.simulate(config.playout_start(start), {n}, seed={config.seed}, suicide={config.suicide},\n"
        f"                         first=config.first_number(start), policy={policy})\n"
        "    print(config.name_of(start), run.mean_score, run.se_score)\n"
    )
