"""Many games between two engines, several at a time, each recorded as soon as it is over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

from foogo.errors import MatchError
from foogo.game.geometry import BLACK, EMPTY, WHITE, geometry
from foogo.game.sgf import write_game
from foogo.match.config import LABELS, MatchConfig
from foogo.match.engine import Engine, EngineFailure, Transcript
from foogo.match.openings import openings
from foogo.match.referee import FORFEITS, Outcome, play_game, set_up
from foogo.match.results import Ledger, Result
from foogo.match.summary import Summary
from foogo.stats.elo import Sprt

Told = Callable[[Result, Summary], None]

WAIT_SECONDS = 0.2
"""How often the main thread looks whether its workers are done; a Ctrl-C is noticed then."""


class Match:
    """A match that is kept in a folder.

    Game number 2i is played from opening i with A as Black, number 2i + 1 from the same with B as Black. What the
    folder holds already is not played again.

    Parameters
    ----------
    config
        The engines and the games they play.
    folder
        Where the results, the records of the games and the transcripts are.
    games
        How many games there are to be.
    jobs
        Games at a time; each has a pair of engines of its own.
    sprt
        A test that ends the match as soon as it has an answer.
    keep_transcripts
        Keep what was said in every game, not only where something went wrong.

    Raises
    ------
    MatchError
        If an engine does not start, does not know the board sizes or the kind of time, or the folder holds another
        match.
    """

    def __init__(
        self,
        config: MatchConfig,
        folder: Path,
        *,
        games: int,
        jobs: int = 1,
        sprt: Sprt | None = None,
        keep_transcripts: bool = False,
    ) -> None:
        self._config, self._folder = config, folder
        self._sprt, self._keep = sprt, keep_transcripts
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._failure: BaseException | None = None
        self._openings: dict[int, tuple[Iterator[tuple[int, ...]], list[tuple[int, ...]]]] = {}
        self._pairs = [_Pair(config) for _ in range(jobs)]
        try:
            self.names = self._pairs[0].greet()
            # Another foogo may judge openings differently: it must not go on with this match.
            starts = {str(size): self._vertices(number) for number, size in enumerate(config.sizes)}
            self._ledger = Ledger(folder, {**config.as_dict(), "engines": self.names, "first_openings": starts})
        except BaseException:
            self._close()
            raise
        self._todo = iter([number for number in range(games) if number not in self._ledger.games])

    @property
    def summary(self) -> Summary:
        """What the games so far say."""
        return Summary(self._ledger.games, self.names, self._sprt, self._config.opening)

    def run(self, tell: Told | None = None) -> Summary:
        """Play the games that are missing.

        Parameters
        ----------
        tell
            Called after each game, by one thread at a time.

        Raises
        ------
        MatchError
            If an engine does not start again, or a file cannot be written.
        KeyboardInterrupt
            After a Ctrl-C; every game that was over is kept.
        """
        workers = [threading.Thread(target=self._work, args=(pair, tell), daemon=True) for pair in self._pairs]
        try:
            for worker in workers:
                worker.start()
            while self._failure is None and any(worker.is_alive() for worker in workers):
                for worker in workers:
                    worker.join(WAIT_SECONDS)
        finally:
            self._stopped.set()
            self._close()
            for worker in workers:
                if worker.ident is not None:
                    worker.join()
            self._ledger.close()
        if self._failure is not None:
            raise self._failure
        return self.summary

    def _close(self) -> None:
        for pair in self._pairs:
            pair.close()

    def _work(self, pair: _Pair, tell: Told | None) -> None:
        try:
            while (number := self._next()) is not None:
                result = self._play(number, pair)
                if result is None:
                    return
                with self._lock:
                    self._ledger.add(result)
                    if tell is not None:
                        tell(result, self.summary)
            pair.close(polite=True)
        except BaseException as failure:
            self._failure = self._failure or failure
            self._stopped.set()

    def _next(self) -> int | None:
        with self._lock:
            if self._stopped.is_set() or self.summary.verdict:
                return None
            return next(self._todo, None)

    def _play(self, number: int, pair: _Pair) -> Result | None:
        """Play a game and write its record; None if the match was stopped meanwhile."""
        black, white = LABELS if number % 2 == 0 else LABELS[::-1]
        opening = number // 2
        size = self._config.size_of(opening)
        moves = self._opening(opening)
        pair.start()
        if self._stopped.is_set():  # too late for these engines to have been closed with the others
            pair.close()
            return None
        transcript = Transcript()
        for engine in pair.engines.values():
            engine.transcript = transcript
        outcome = play_game(pair.engines[black], pair.engines[white], self._config.terms(size), moves)
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

    def _record(self, number: int, labels: dict[int, str], outcome: Outcome, transcript: Transcript) -> Result:
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
        return Result(
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
    """An engine for each player, started when needed."""

    def __init__(self, config: MatchConfig) -> None:
        self._config = config
        self.engines: dict[str, Engine] = {}

    def start(self) -> None:
        """Start what does not run.

        Raises
        ------
        MatchError
            If it does not start.
        """
        for label, command in self._config.commands.items():
            if label not in self.engines or not self.engines[label].is_open:
                self.engines[label] = Engine(label, command)

    def greet(self) -> dict[str, str]:
        """Start both, try everything that games will need, and return their names with versions.

        Raises
        ------
        MatchError
            If an engine does not start, or refuses a size, the komi or the time.
        """
        self.start()
        config, names = self._config, {}
        for label, engine in self.engines.items():
            try:
                name, version = (engine.ask(word, config.patience).text for word in ("name", "version"))
                for size in config.sizes:
                    set_up(engine, config.terms(size))
            except EngineFailure as failure:
                said = [line for line in str(engine.transcript).splitlines() if f"{label}! " in line]
                last = f"; its last words: {said[-1].split('! ', 1)[1]}" if said else ""
                raise MatchError(f"engine {label}, {' '.join(engine.command)!r}: {failure}{last}") from None
            names[label] = f"{name} {version}".strip()
        return names

    def close(self, polite: bool = False) -> None:
        """End both."""
        for engine in list(self.engines.values()):
            engine.close(polite)


def _comments(outcome: Outcome, opening: int) -> dict[int, str]:
    """The time of each move, and at the end how the game was decided."""
    comments = {
        turn: f"{seconds:.2f} s" if turn > opening else "opening" for turn, seconds in enumerate(outcome.seconds, 1)
    }
    said = "; ".join(f"{who}: {score}" for who, score in outcome.scores.items())
    end = ". ".join(filter(None, [f"{outcome.result} by {outcome.reason}", outcome.detail, said]))
    last = len(outcome.game.turns)
    comments[last] = f"{comments[last]}\n{end}" if last in comments else end
    return comments
