"""What it is worth to spend a clock where a game hangs on one move: games between two ways to spend it.

    python -m bench.clock_match need even --games 200 --seconds 4

A clock has that many seconds for the whole game, and counts simulations instead of time, so that a busy machine does
not matter. The ways:

- ``need`` is that of `foogo.player.player.Player`: more time for an unclear choice, less where the choice is final or
  the game decided;
- ``no-early`` never ends a search before its time;
- ``no-longer`` never takes more than the usual time;
- ``even`` does neither;
- ``ponder`` is ``need``, and searches on after its move, as long as it took for that.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import replace
from pathlib import Path

from bench.search_match import match, played, report, summary
from foogo.benchmark.environment import environment
from foogo.game.clock import Clock, Plan, TimeSettings
from foogo.game.game import Game
from foogo.player.stopping import StopCondition, moves_to_go
from foogo.search.result import SearchResult
from foogo.search.search import Search

WAYS = ("need", "no-early", "no-longer", "even", "ponder")


class ClockPlayer:
    """A search that spends a clock."""

    def __init__(self, way: str, seconds: float, rate: float) -> None:
        self._way, self._seconds, self._rate = way, seconds, rate
        self.unspent: list[float] = []

    def begin(self, game: Game, color: int, seed: int) -> None:
        """A new tree and a new clock."""
        self._color = color
        self._search = Search(game, seed=seed)
        self._clock = Clock(TimeSettings("absolute", self._seconds), lag=0.0)
        self._before = math.nan

    def choose(self, game: Game) -> int:
        """The best move of a search that stops as its way says."""
        plan = self._clock.plan(moves_to_go(game.size, game.board.empty.count()))
        if self._way in ("no-longer", "even"):
            plan = Plan(plan.aim, plan.aim)
        condition = StopCondition(plan, 0.0, self._before)

        def may_stop(result: SearchResult) -> bool:
            elapsed = result.simulations / self._rate
            if self._way in ("no-early", "even"):
                limit = plan.most if condition.is_unclear(result) else plan.aim
                return elapsed >= limit
            return condition.is_enough(replace(result, seconds=elapsed), elapsed)

        most = max(1, int(plan.most * self._rate))
        result = self._search.run(simulations=most, until=may_stop)
        if result.interrupted:
            raise KeyboardInterrupt
        self._before = float(result.moves["win_share"][0])
        self._clock.spend(result.simulations / self._rate)
        self._taken = result.simulations
        if not self._clock.left:
            raise RuntimeError(f"{self._way}: the clock has run out")
        return result.best

    def saw(self, color: int, move: int) -> None:
        """Keep the subtree, and search on in it while the other player is to move."""
        self._search.play(move)
        is_ponder = self._way == "ponder" and color == self._color and not self._search.game.is_over
        if is_ponder and self._search.run(simulations=self._taken).interrupted:
            raise KeyboardInterrupt

    def close(self) -> None:
        """Nothing to end."""


def main() -> None:
    """Run a match from the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first", choices=WAYS)
    parser.add_argument("second", choices=WAYS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--size", type=int, default=9)
    parser.add_argument("--komi", type=float, default=7.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=4.0, help="of a player for a game")
    parser.add_argument("--rate", type=float, default=400_000, help="simulations that count as a second")
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    first, second = (ClockPlayer(way, arguments.seconds, arguments.rate) for way in (arguments.first, arguments.second))
    games = match(first, second, arguments.games, arguments.size, arguments.komi, arguments.seed)
    report({"command": sys.argv[1:], "machine": environment(), **summary(played(games))}, arguments.output)


if __name__ == "__main__":
    main()
