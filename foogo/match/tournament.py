"""Plays many games between two engines, several at a time, and records each when it ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError, MatchError
from foogo.game.geometry import BLACK, EMPTY, WHITE, geometry
from foogo.game.sgf import write_game
from foogo.gtp.client import Client
from foogo.gtp.engine_process import EngineFailure, Transcript
from foogo.match.config import LABELS, MatchConfig
from foogo.match.openings import openings
from foogo.match.referee import FORFEITS, Outcome, play_game, set_up
from foogo.match.results_file import GameResult, ResultsFile
from foogo.match.summary import Summary
from foogo.stats.elo import Sprt

GameEnded = Callable[[GameResult, Summary], object]
"""Called after each game with its result and the state of the match."""

WAIT_SECONDS = 0.2  # seconds between checks whether the worker threads are done; Ctrl-C is handled in between


class Match:
    """A match that is kept in a folder.

    The engines start at once. `run` stops them at its end, and so does `close` or the end of a ``with`` block.

    Game 2i is played from opening i with A as Black, and game 2i + 1 from the same opening with B as Black. Games that
    the folder already holds are not played again.

    Parameters
    ----------
    config
        The engines and the games they play.
    folder
        The folder for the results, the SGF files and the transcripts.
    games
        Number of games in total.
    jobs
        Games played at a time; each has its own pair of engines.
    sprt
        A sequential test that ends the match once it is decided.
    keep_transcripts
        Whether to keep the transcript of every game, instead of only those in which something went wrong.

    Raises
    ------
    ArgumentError
        If a number is out of range, or an argument is of another type.
    MatchError
        If an engine does not start, refuses a board size or the time settings, or the folder holds another match.
    """

    def __init__(
        self,
        config: MatchConfig,
        folder: str | os.PathLike[str],
        *,
        games: SupportsIndex,
        jobs: SupportsIndex = 1,
        sprt: Sprt | None = None,
        keep_transcripts: bool = False,
    ) -> None:
        games, jobs = whole("games", games, 1, 10**7), whole("jobs", jobs, 1, 1024)
        if not isinstance(config, MatchConfig):
            raise ArgumentError(f"config is {config!r}: give a MatchConfig")
        if sprt is not None and not isinstance(sprt, Sprt):
            raise ArgumentError(f"sprt is {sprt!r}: give foogo.stats.elo.Sprt(elo0, elo1), or None")
        if not isinstance(folder, (str, os.PathLike)):
            raise ArgumentError(f"folder is {folder!r}: give the path of a folder")
        self._config, self._folder = config, Path(folder)
        self._sprt, self._keep = sprt, keep_transcripts
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._openings: dict[int, tuple[Iterator[tuple[int, ...]], list[tuple[int, ...]]]] = {}
        self._pairs = [_Pair(config) for _ in range(jobs)]
        try:
            self.names = self._pairs[0].greet()
            # Another version of foogo may choose other openings: it must not continue this match.
            starts = {str(size): self._vertices(number) for number, size in enumerate(config.sizes)}
            self._results = ResultsFile(
                self._folder, {**config.as_dict(), "engines": self.names, "first_openings": starts}
            )
        except BaseException:
            self._close()
            raise
        self._games = games
        self._is_decided = bool(self.summary.verdict)
        self._todo = iter([number for number in range(games) if number not in self._results.games])

    def __enter__(self) -> Match:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Match of {self.names['A']!r} and {self.names['B']!r} in {str(self._folder)!r}>"

    def close(self) -> None:
        """Stop the engines and release the folder; a new `Match` of the folder goes on with the games left."""
        self._stopped.set()
        self._close()
        self._results.close()

    @property
    def summary(self) -> Summary:
        """Statistics of the games so far."""
        return Summary(self._results.games, self.names, self._sprt, self._config.opening)

    def run(self, on_game: GameEnded | None = None) -> Summary:
        """Play the missing games; `on_game` is called after each, by one thread at a time.

        Raises
        ------
        MatchError
            If an engine does not restart, a file cannot be written, or an earlier run was stopped.
        KeyboardInterrupt
            After Ctrl-C; every finished game is kept.
        """
        if self._stopped.is_set() and len(self._results.games) < self._games and not self._is_decided:
            raise MatchError(f"the match was stopped: a new Match of '{self._folder}' goes on with it")
        workers = [threading.Thread(target=self._work, args=(pair, on_game), daemon=True) for pair in self._pairs]
        try:
            for worker in workers:
                worker.start()
            while self._failure is None and not self._is_decided and any(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.join(WAIT_SECONDS)
        finally:
            self._stopped.set()
            self._close()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            self._results.close()
        if self._failure is not None:
            raise self._failure
        return self.summary

    def _close(self) -> None:
        for pair in self._pairs:
            pair.close()

    def _work(self, pair: _Pair, on_game: GameEnded | None) -> None:
        try:
            while (number := self._next()) is not None:
                result = self._play(number, pair)
                if result is None:
                    return
                with self._lock:
                    if self._is_decided:  # by a game that ended while this one was played
                        break
                    self._results.add(result)
                    self._is_decided = bool(self.summary.verdict)
                    if on_game is not None:
                        on_game(result, self.summary)
            pair.close(polite=True)
        except BaseException as failure:
            self._failure = self._failure or failure
            self._stopped.set()

    def _next(self) -> int | None:
        with self._lock:
            if self._stopped.is_set() or self._is_decided:
                return None
            return next(self._todo, None)

    def _play(self, number: int, pair: _Pair) -> GameResult | None:
        """Play a game and write its files; None if the match was stopped meanwhile."""
        black, white = LABELS if number % 2 == 0 else LABELS[::-1]
        opening = number // 2
        size = self._config.size_of(opening)
        moves = self._opening(opening)
        pair.start()
        if self._stopped.is_set():  # these engines started after the others were closed
            pair.close()
            return None
        transcript = Transcript()
        for engine in pair.engines.values():
            engine.transcript = transcript
        outcome = play_game(pair.engines[black], pair.engines[white], self._config, size, moves)
        if self._stopped.is_set():
            return None
        if self._config.fresh:
            pair.close(polite=True)
        return self._record(number, {BLACK: black, WHITE: white}, outcome, transcript)

    def _opening(self, number: int) -> tuple[int, ...]:
        config = self._config
        size = config.size_of(number)
        with self._lock:
            if size not in self._openings:
                self._openings[size] = openings(size, config.komi, config.opening, config.seed), []
            source, found = self._openings[size]
            while len(found) <= number // len(config.sizes):
                found.append(next(source))
            return found[number // len(config.sizes)]

    def _vertices(self, opening: int) -> str:
        vertex = geometry(self._config.size_of(opening)).vertex
        return " ".join(map(vertex, self._opening(opening)))

    def _record(self, number: int, labels: dict[int, str], outcome: Outcome, transcript: Transcript) -> GameResult:
        game = outcome.game
        name = f"{number + 1:04d}"
        went_wrong = outcome.reason in FORFEITS or bool(outcome.detail)
        kept = self._write(f"transcripts/{name}.txt", str(transcript).encode()) if went_wrong or self._keep else ""
        record = write_game(
            game,
            black=self._player(labels[BLACK]),
            white=self._player(labels[WHITE]),
            result=outcome.result,
            comments=_comments(outcome, self._config.opening),
            date=date.today().isoformat(),
            event="foogo match",
        )
        times: dict[str, list[float]] = {label: [] for label in LABELS}
        for turn, seconds in zip(game.turns, outcome.seconds, strict=True):
            times[labels[turn.color]].append(seconds)
        winner = "draw" if outcome.winner == EMPTY else labels.get(outcome.winner or EMPTY)
        names = {"black": labels[BLACK], "white": labels[WHITE], "referee": "referee"}
        return GameResult(
            number=number,
            opening=number // 2,
            size=game.size,
            black=labels[BLACK],
            winner=winner,
            result=outcome.result,
            reason=outcome.reason,
            moves=tuple(geometry(game.size).vertex(move) for move in game.moves),
            detail=outcome.detail,
            seconds={label: round(sum(seconds), 3) for label, seconds in times.items()},
            longest={label: round(max(seconds, default=0.0), 3) for label, seconds in times.items()},
            scores={names[who]: score for who, score in outcome.scores.items()},
            sgf=self._write(f"games/{name}.sgf", record),
            transcript=kept,
        )

    def _player(self, label: str) -> str:
        return f"{self.names[label]} ({label})"

    def _write(self, name: str, data: bytes) -> str:
        path = self._folder / name
        try:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        except OSError as error:
            raise MatchError(f"cannot write '{path}': {error.strerror or error}") from None
        return name


class _Pair:
    """The engines of both players, started when needed."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self.engines: dict[str, Client] = {}

    def start(self) -> None:
        """Start each engine that is not running; raises MatchError if one does not start."""
        for label, command in self._config.commands.items():
            if label not in self.engines or not self.engines[label].is_open:
                self.engines[label] = Client(command, label=label, timeout=self._config.patience)

    def greet(self) -> dict[str, str]:
        """Start both engines and try all settings of the games; the engines' names with their versions."""
        self.start()
        config, names = self._config, {}
        for label, engine in self.engines.items():
            try:
                name, version = engine.name(), engine.version()
                for size in config.sizes:
                    set_up(engine, config, size)
            except EngineFailure as failure:
                said = [line for line in str(engine.transcript).splitlines() if f"{label}! " in line]
                last = f"; its last line on stderr: {said[-1].split('! ', 1)[1]}" if said else ""
                raise MatchError(f"engine {label}, {' '.join(engine.command)!r}: {failure}{last}") from None
            names[label] = f"{name} {version}".strip()
        return names

    def close(self, polite: bool = False) -> None:
        """Stop both engines."""
        for engine in list(self.engines.values()):
            engine.close(polite)


def _comments(outcome: Outcome, opening: int) -> dict[int, str]:
    """SGF comments: the time of each move, and at the end how the game was decided."""
    comments = {
        turn: f"{seconds:.2f} s" if turn > opening else "opening" for turn, seconds in enumerate(outcome.seconds, 1)
    }
    said = "; ".join(f"{who}: {score}" for who, score in outcome.scores.items())
    end = ". ".join(filter(None, [f"{outcome.result} by {outcome.reason}", outcome.detail, said]))
    last = len(outcome.game.turns)
    comments[last] = f"{comments[last]}\n{end}" if last in comments else end
    return comments
