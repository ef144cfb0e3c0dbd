"""The first-move laboratory: playouts from a position and after each move, added up while somebody watches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from foogo.core.compiling import working_clock
from foogo.game.board import Board
from foogo.game.geometry import BLACK
from foogo.playout.policies import Policy
from foogo.playout.simulate import Interrupted, simulate
from foogo.playout.totals import Totals
from foogo.study.config import PLAYOUT_POLICIES, RANDOM, USUAL_KOMIS, Config
from foogo.study.summary import Summary, totals_as_dict

FIRST_BLOCK = 1000
"""Playouts of each start in the first round."""

BLOCK_SECONDS = 0.5
"""The rounds grow until the playouts of one start take about this long."""

Proceed = Callable[[], bool]
"""Whether to continue; it may wait."""


class Laboratory:
    """Playouts from a position, and after each move if `by_point`, one move for each class of symmetric points.

    They are the playouts of `foogo.first_move` and of studies: number i from a start is the same game, so the totals
    after n playouts of each start equal those of ``foogo first-move --playouts n``, to the bit.

    Parameters
    ----------
    board
        The position. Superko is ignored.
    policy
        A policy of `foogo.study.config.PLAYOUT_POLICIES` by name, or a `foogo.Policy`.
    suicide, seed, threads
        As for `foogo.simulate`.

    Examples
    --------
    >>> laboratory = Laboratory(Board(3), seed=1)
    >>> laboratory.play(2000, lambda: True, lambda: None)
    >>> from foogo.study.first_move import first_move
    >>> laboratory.totals[4] == first_move(3, 2000, seed=1, by_point=True).summary.points[4]
    True
    """

    def __init__(
        self,
        board: Board,
        *,
        policy: str | Policy = RANDOM,
        by_point: bool = True,
        suicide: bool = True,
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        name = policy if isinstance(policy, str) else RANDOM  # a Policy has no name; the starts do not depend on it
        self._config = Config.of_board(board, suicide=suicide, policy=name, seed=seed)
        self._policy = PLAYOUT_POLICIES[policy] if isinstance(policy, str) else policy
        self._threads = threads
        self._by_point = by_point
        self.totals = {start: Totals.of_none(board.size) for start in self._config.starts(self._openings)}
        self.seconds = 0.0

    @property
    def _openings(self) -> str:
        return "classes" if self._by_point else "none"

    def play(self, playouts: int, proceed: Proceed, tell: Callable[[], None]) -> None:
        """Play until every start has `playouts` playouts, or until `proceed` returns false.

        The starts take turns, so that they have about the same number of playouts at any time. `tell` is called after
        every turn. `proceed` is called often; it may wait.
        """
        goal, block = 0, FIRST_BLOCK
        while goal < playouts:
            goal = min(goal + block, playouts)
            longest = 0.0
            for start in self.totals:
                while self.totals[start].n < goal:
                    if not proceed():
                        return
                    longest = max(longest, self._turn(start, goal, proceed))
                    tell()
            if longest < BLOCK_SECONDS / 2:
                block *= 2

    def _turn(self, start: int, goal: int, proceed: Proceed) -> float:
        """Play a start up to `goal` playouts, fewer if `proceed` returns false; returns the seconds it took."""

        def check(_done: int, _count: int) -> None:
            if not proceed():
                raise KeyboardInterrupt

        done, config = self.totals[start].n, self._config
        began = working_clock()
        try:
            played = simulate(
                config.playout_start(start), goal - done, seed=config.seed, first=config.first_number(start) + done,
                suicide=config.suicide, threads=self._threads, policy=self._policy or "uniform", progress=check,
            )  # fmt: skip
        except Interrupted as stop:
            played = stop.playouts
        seconds = working_clock() - began
        self.totals[start] += played.totals
        self.seconds += seconds
        return seconds

    def as_dict(self) -> dict[str, Any]:
        """The totals and estimates of every start, for a message: docs/reference/web.md, `playouts`."""
        config = self._config
        summary = Summary(config, {start: (totals, [(0, totals.n)]) for start, totals in self.totals.items()})
        games = summary.games
        return {
            "size": config.size,
            "games": games,
            "per_second": games / self.seconds if self.seconds else 0.0,
            "starts": starts_as_dicts(summary),
            "command": self._command(),
        }

    def _command(self) -> str:
        """The command that plays the same games; Python code if the command line cannot."""
        config, n = self._config, min(totals.n for totals in self.totals.values())
        if config.is_empty and not isinstance(self._policy, Policy):
            words = [f"foogo first-move --size {config.size} --playouts {n} --seed {config.seed}"]
            words += [f"--policy {config.policy}"] if config.policy != RANDOM else []
            words += ["--by-point"] if self._by_point else []
            words += ["--no-suicide"] if not config.suicide else []
            return " ".join(words)
        return _python(config, self._policy or "uniform", self._openings, n)


def starts_as_dicts(summary: Summary) -> list[dict[str, Any]]:
    """Every start with games: its first move or "any", its points, its totals, estimates and games by score."""
    return [
        {"first_move": name, "points": [summary.config.name_of(point) for point in points]}
        | totals_as_dict(totals, USUAL_KOMIS)
        | {"scores": totals.scores.tolist()}
        for name, points, totals in summary.rows()
    ]


def _python(config: Config, policy: str | Policy, openings: str, n: int) -> str:
    color = "BLACK" if config.board().to_play == BLACK else "WHITE"
    rows = config.stones or "/".join(["." * config.size] * config.size)
    ko = f", {config.ko!r}" if config.ko else ""
    shown = repr(policy) if isinstance(policy, str) else f"foogo.{policy!r}"
    return (
        "import foogo\n"
        "from foogo.study.config import Config\n"
        f"board = foogo.Board.from_diagram({rows!r}.replace('/', '\\n'), foogo.{color}{ko})\n"
        f"config = Config.of_board(board, suicide={config.suicide}, seed={config.seed})\n"
        f"for start in config.starts({openings!r}):\n"
        f"    run = foogo.simulate(config.playout_start(start), {n}, seed={config.seed}, suicide={config.suicide},\n"
        f"                         first=config.first_number(start), policy={shown})\n"
        "    print(config.name_of(start), run.mean_score, run.se_score)\n"
    )
