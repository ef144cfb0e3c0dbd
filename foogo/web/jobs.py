"""The jobs of a worker process: searches, reviews, playouts, SGF files and studies."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from foogo.analysis.analyzer import Analysis, PositionView, analyze_positions
from foogo.core.cpu import usable_cores
from foogo.errors import ArgumentError, StoreError
from foogo.game.game import Game
from foogo.game.geometry import geometry
from foogo.player.decision import RESIGN
from foogo.player.options import PlayerOptions
from foogo.player.player import Player
from foogo.player.search_reuse import ReusableSearch
from foogo.playout.policies import STRONGEST, Policy
from foogo.playout.written.policy import load_policy
from foogo.search.parameters import SearchParameters
from foogo.search.result import SearchResult
from foogo.study.store.store import Store
from foogo.study.summary import RunSummary, command
from foogo.web.control import Control
from foogo.web.games import LETTERS, counted, load, read_sgf, stones_of, write_sgf
from foogo.web.laboratory import Laboratory, starts_as_dicts

UPDATE_SECONDS = 0.25
"""The shortest time between two updates of a job."""

TREE_BYTES = 1 << 28
"""Memory of a search tree; a worker keeps one, for the next search of the same game."""

DEFAULT_SIMULATIONS = 1000
"""Simulations per position of a review whose request has no limit."""

Fields = Mapping[str, Any]
Content = Callable[[], dict[str, Any]]


class Updates:
    """Sends the updates of a job, at least `UPDATE_SECONDS` apart; updates in between are left out."""

    def __init__(self, send: Callable[[dict[str, Any]], None]) -> None:
        self._send = send
        self._last = -math.inf

    def __call__(self, content: Content, *, now: bool = False) -> None:
        """Send the content if it is time, or if `now`."""
        if now or time.monotonic() >= self._last + UPDATE_SECONDS:
            self._send(content())
            self._last = time.monotonic()


class Jobs:
    """Answers the requests that are jobs, with `threads` for each, and the study stores that a page may read.

    The player's moves may come from the opening `book`, as for `PlayerOptions`.
    """

    policy = STRONGEST
    """The policy of searches."""

    def __init__(
        self, threads: int | None, stores: Sequence[str], policies: Sequence[str] = (), book: str = "none"
    ) -> None:
        self._threads = usable_cores() if threads is None else threads
        self._stores, self._book = stores, book
        self._written = {text: load_policy(text) for text in policies}
        self._player = Player(options=self._options())
        self._search = ReusableSearch()

    def answer(self, request: Fields, control: Control, send: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
        """The fields of the result of a request; `send` is called with those of each update.

        A FoogoError is raised if the request cannot be answered.
        """
        jobs = {
            "search": self.search, "genmove": self.genmove, "dead": self.dead, "review": self.review,
            "playouts": self.playouts, "read_sgf": self.read_sgf, "write_sgf": self.write_sgf,
            "studies": self.studies, "study": self.study,
        }  # fmt: skip
        return jobs[request["type"]](request, control, Updates(send))

    def search(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """Search a position until a limit is reached or the job is stopped; updates have the result so far."""
        self._player.forget()
        load(self._player, request["game"])
        game = self._player.open_game().copy()
        game.komi = self._player.total_komi
        search = self._search.at(game, self._options())
        limits = request["simulations"], request["seconds"]
        with closing(search.stream(*limits, interval=UPDATE_SECONDS)) as snapshots:
            for result in snapshots:
                update(partial(_search_as_dict, result, request["moves"]), now=True)
                if control.stopped:
                    break
        return _search_as_dict(result, request["moves"])

    def genmove(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """The player's move: a vertex, "pass" or "resign"."""
        self._search.forget()
        player = self._player
        options = self._options(
            simulations=request["simulations"], seconds=request["seconds"], resign=request["resign"],
            seed=request["seed"], resign_moves=1, book=self._book,
        )  # fmt: skip
        if player.options != options:
            player.options = options
        load(player, request["game"])
        move = player.genmove(play=False, interrupted=lambda: control.stopped)
        assert player.decision is not None
        decision = player.decision
        return {
            "move": "resign" if move == RESIGN else geometry(player.size).vertex(move),
            "win_share": _finite(decision.result.value),
            "score": _finite(decision.result.score),
            "simulations": decision.result.simulations,
            "reason": decision.reason,
        }

    def dead(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """Which strings are dead, by a search, and the result without them."""
        self._search.forget()
        load(self._player, request["game"])
        status = self._player.status(lambda: control.stopped)
        vertex = geometry(self._player.size).vertex
        dead = [[vertex(point) for point in string.points] for string in status.dead]
        return {"dead": dead} | counted(list(status.owners), self._player.total_komi)

    def review(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """Win share and score of every position of a game; updates have the positions searched so far."""
        self._player.forget()
        load(self._player, request["game"])
        game, views = self._player.game.copy(), list[PositionView]()
        game.komi = self._player.total_komi
        simulations, seconds = request["simulations"], request["seconds"]
        if simulations is None and seconds is None:
            simulations = DEFAULT_SIMULATIONS
        for view in analyze_positions(
            game, simulations=simulations, seconds=seconds, threads=self._threads, policy=self.policy,
            parameters=SearchParameters(memory=TREE_BYTES), until=lambda _: control.stopped,
        ):  # fmt: skip
            views.append(view)
            update(lambda: _review_as_dict(game, views, request["swings"]))
        return _review_as_dict(game, views, request["swings"])

    def playouts(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """Playouts from a position, and after each move; updates have the totals so far."""
        load(self._player, request["game"])
        policy = request["policy"]
        laboratory = Laboratory(
            self._player.game.board,
            policy=self._written.get(policy, policy) if isinstance(policy, str) else Policy(**policy),
            policy_option=policy if isinstance(policy, str) else "",
            by_point=request["by_point"], suicide=request["suicide"], seed=request["seed"], threads=self._threads,
        )  # fmt: skip

        was_paused = False

        def tell() -> None:
            nonlocal was_paused
            update(lambda: laboratory.as_dict() | {"paused": control.paused}, now=control.paused and not was_paused)
            was_paused = control.paused

        laboratory.play(request["playouts"], control, tell)
        return laboratory.as_dict()

    def read_sgf(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """The tree of an SGF file."""
        return read_sgf(request["sgf"])

    def write_sgf(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """A tree as an SGF file."""
        return write_sgf(request)

    def studies(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """The runs of every store, with the games played and requested of each."""
        found = []
        for number, path in enumerate(self._stores):
            runs, problem = [], ""
            try:
                with Store(path) as store:
                    runs = [_run_as_dict(RunSummary.of(store, run)) for run in store.runs()]
            except StoreError as error:  # the other stores can still be read
                problem = str(error)
            found.append({"store": number, "name": Path(path).name, "runs": runs, "error": problem})
        return {"stores": found}

    def study(self, request: Fields, control: Control, update: Updates) -> dict[str, Any]:
        """One run of a store: its games and estimates, as for `playouts`."""
        number = request["store"]
        if number >= len(self._stores):
            raise ArgumentError(f"there is no store {number}: foogo web was started with {len(self._stores)}")
        with Store(self._stores[number]) as store:
            summary = RunSummary.of(store, store.run(request["run"]))
        run = summary.run
        return _run_as_dict(summary) | {
            "size": run.config.size,
            "to_play": LETTERS[run.config.board().to_play],
            "stones": stones_of(run.config.board()),
            "komi": run.config.komi,
            "created": run.created,
            "verdict": summary.verdict(7.0 if run.config.komi is None else run.config.komi),
            "command": command(run, Path(self._stores[number]).name),
            "starts": starts_as_dicts(summary),
        }

    def _options(self, **options: Any) -> PlayerOptions:
        parameters = SearchParameters(memory=TREE_BYTES)
        return PlayerOptions(threads=self._threads, policy=self.policy, parameters=parameters, **options)


def _search_as_dict(result: SearchResult, most: int) -> dict[str, Any]:
    """A result for a message; win shares and scores are those of the player to move, ownership is Black's."""
    vertex = geometry(result.size).vertex
    rows = zip(result.moves, result.variations, result.lower_bounds.tolist(), strict=True)
    visited = [(row, line, bound) for row, line, bound in rows if row["visits"] > 0]
    return {
        "to_play": LETTERS[result.to_play],
        "win_share": _finite(result.value),
        "score": _finite(result.score),
        "simulations": int(result.moves["visits"].sum()),
        "per_second": result.per_second,
        "moves": [
            {
                "move": vertex(row["move"]),
                "visits": int(row["visits"]),
                "win_share": float(row["win_share"]),
                "low": bound,
                "score": _finite(row["score"]),
                "variation": [vertex(move) for move in line],
            }
            for row, line, bound in visited[:most]
        ],
        "ownership": [round(share, 3) for share in result.ownership.ravel().tolist()],
    }


def _review_as_dict(game: Game, views: Sequence[PositionView], swings: int) -> dict[str, Any]:
    return Analysis(game, tuple(views)).as_dict(swings) | {"total": len(game.turns) + 1}


def _run_as_dict(summary: RunSummary) -> dict[str, Any]:
    run = summary.run
    asked = sum(end - first for first, end in run.asked) * len(run.starts)
    return {"run": run.id, "description": run.config.describe(), "games": summary.games, "asked": asked}


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None
