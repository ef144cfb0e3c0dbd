"""The study store: runs, what was asked of them, and the totals of what was played, in one SQLite file.

`foogo.study.store.ledger` is what adds to it while a study runs.
"""

from __future__ import annotations

import os
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timezone
from types import TracebackType

from foogo import __version__
from foogo.arguments import whole
from foogo.errors import ArgumentError, StoreError
from foogo.playout.totals import Tally, pack_scores, unpack_scores
from foogo.stats.estimates import check_error
from foogo.study.config import OPENING_STRIDE, OPENINGS, Config
from foogo.study.run.players import signature
from foogo.study.store.database import Database
from foogo.study.store.ranges import Range, count, union, without

BLOCK = 1 << 24
"""Chunks that touch are kept as one, but never across a multiple of this game number: so a store stays small,
and two stores that hold different parts of a run can still be merged."""


@dataclass(frozen=True)
class Run:
    """A run as it stands in a store.

    Attributes
    ----------
    id
        Its number in this store.
    config
        What fixes its games.
    openings
        The starts asked for: "none", "classes" or "all".
    asked
        The game numbers asked for, of every start.
    until_se
        The standard error of the mean score that was asked for, in points, or None.
    foogo, signature, created
        The version that began it, the signature of its games, and when.
    """

    id: int
    config: Config
    openings: str
    asked: tuple[Range, ...]
    until_se: float | None
    foogo: str
    signature: str
    created: str

    @property
    def starts(self) -> tuple[int, ...]:
        """The starts whose games were asked for."""
        return self.config.starts(self.openings)


class Store:
    """A study store. It is a context manager; use it from one thread.

    Parameters
    ----------
    path
        The file.
    create
        Make it if it does not exist.

    Raises
    ------
    StoreError
        If it is no store, is of a newer foogo, does not exist, or cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
    ...     run = store.ask(Config(3, seed=1), n=100)
    ...     print(run.id, run.asked, store.totals(run, -1)[0].n)
    1 ((0, 100),) 0
    """

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.database = Database(path, create=create)
        self.path = self.database.path

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def runs(self) -> list[Run]:
        """Every run, in the order in which they were begun."""
        with self.database.reading() as connection:
            return [_read_run(connection, row) for row in connection.execute("SELECT * FROM run ORDER BY id")]

    def run(self, number: int) -> Run:
        """The run of that number.

        Raises
        ------
        StoreError
            If there is none.
        """
        runs = {run.id: run for run in self.runs()}
        if number not in runs:
            named = ", ".join(map(str, runs)) or "none"
            raise StoreError(f"run {number} is not in '{self.path}': it has {named}")
        return runs[number]

    def find(self, config: Config) -> Run | None:
        """The run of a configuration, if there is one."""
        return next((run for run in self.runs() if run.config == config), None)

    def ask(
        self,
        config: Config,
        *,
        n: int = 0,
        first: int = 0,
        openings: str = "none",
        until_se: float | None = None,
    ) -> Run:
        """The run of a configuration, begun if need be, with games number `first` to ``first + n - 1`` asked for.

        What was asked for before stays so, and starts are only added.

        Raises
        ------
        ArgumentError
            If a number is out of range.
        StoreError
            If the store has this run with another signature, or cannot be written.
        """
        start, games = check_asked(n, first, openings, until_se)
        own = signature(config)
        with self.database.writing() as connection:
            row = connection.execute("SELECT * FROM run WHERE config = ?", (config.as_json(),)).fetchone()
            if row is None:
                now = datetime.now(timezone.utc).isoformat(timespec="seconds")
                values = (config.as_json(), openings, until_se, __version__, own, now)
                cursor = connection.execute(
                    "INSERT INTO run (config, openings, until_se, foogo, signature, created) VALUES (?, ?, ?, ?, ?, ?)",
                    values,
                )
                row = connection.execute("SELECT * FROM run WHERE id = ?", (cursor.lastrowid,)).fetchone()
            run = _read_run(connection, row)
            self._check_signature(run, own)
            wider = max(openings, run.openings, key=OPENINGS.index)
            connection.execute(
                "UPDATE run SET openings = ?, until_se = coalesce(?, until_se) WHERE id = ?", (wider, until_se, run.id)
            )
            connection.execute("DELETE FROM asked WHERE run = ?", (run.id,))
            asked = union([*run.asked, (start, start + games)])
            connection.executemany("INSERT INTO asked VALUES (?, ?, ?)", [(run.id, *pair) for pair in asked])
            return _read_run(connection, connection.execute("SELECT * FROM run WHERE id = ?", (run.id,)).fetchone())

    def check_signature(self, run: Run) -> None:
        """Refuse to add to a run whose games this foogo does not play.

        Raises
        ------
        StoreError
            If its signature is another one; the message says what to do.
        """
        self._check_signature(run, signature(run.config))

    def _check_signature(self, run: Run, own: str) -> None:
        if run.signature != own:
            raise StoreError(
                f"run {run.id} of '{self.path}' was played by foogo {run.foogo} with signature {run.signature}; this "
                f"foogo {__version__} plays other games ({own}): install foogo {run.foogo} to add to it, or begin "
                "a new store; show, export and report still read it"
            )

    def totals(self, run: Run, start: int) -> tuple[Tally, list[Range]]:
        """The totals of what was played of a start, and the game numbers played."""
        with self.database.reading() as connection:
            return _totals(connection, run, start)

    def missing(self, run: Run) -> int:
        """How many of the games asked for are not played."""
        with self.database.reading() as connection:
            query = 'SELECT first, "end" FROM chunk WHERE run = ? AND start = ?'
            played = (connection.execute(query, (run.id, start)).fetchall() for start in run.starts)
            return sum(count(without(run.asked, ranges)) for ranges in played)


def check_asked(n: int, first: int, openings: str, until_se: float | None) -> tuple[int, int]:
    """The first game and the number of games, once everything asked of a run is known to be possible.

    Raises
    ------
    ArgumentError
        If something is not.
    """
    start, games = whole("first", first, 0, OPENING_STRIDE), whole("playouts", n, 0, OPENING_STRIDE)
    if start + games > OPENING_STRIDE:
        raise ArgumentError(f"first + playouts is {start + games}: it must be at most {OPENING_STRIDE}")
    if openings not in OPENINGS:
        raise ArgumentError(f"openings are {openings!r}: use {', '.join(OPENINGS)}")
    if until_se is not None:
        check_error(until_se)
    return start, games


def insert_chunk(
    connection: sqlite3.Connection, run: Run, start: int, numbers: Range, tally: Tally, block: int = BLOCK
) -> None:
    """Add played games to a start, joined with the chunks that they touch. In a transaction, numbers disjoint."""
    first, end = numbers
    query = 'SELECT first, "end", cut, moves, scores FROM chunk WHERE run = ? AND start = ? AND '
    key = (run.id, start)
    for where, value in (('"end" = ?', first), ("first = ?", end)):
        near = connection.execute(query + where, (*key, value)).fetchone()
        if near is not None and min(near[0], first) // block == (max(near[1], end) - 1) // block:
            tally = tally + Tally(near[2], near[3], unpack_scores(near[4], run.config.size))
            first, end = min(near[0], first), max(near[1], end)
            connection.execute("DELETE FROM chunk WHERE run = ? AND start = ? AND first = ?", (*key, near[0]))
    connection.execute(
        "INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)",
        (*key, first, end, tally.cut, tally.moves, pack_scores(tally.scores)),
    )


def _read_run(connection: sqlite3.Connection, row: tuple[object, ...]) -> Run:
    number, config, openings, until_se, version, sign, created = row
    asked = connection.execute('SELECT first, "end" FROM asked WHERE run = ? ORDER BY first', (number,)).fetchall()
    try:
        read = Config.from_json(str(config))
    except (ValueError, TypeError) as error:
        raise StoreError(f"the store is damaged: the configuration of run {number} cannot be read ({error})") from None
    return Run(
        int(str(number)),
        read,
        str(openings),
        tuple((int(first), int(end)) for first, end in asked),
        None if until_se is None else float(str(until_se)),
        str(version),
        str(sign),
        str(created),
    )


def _totals(connection: sqlite3.Connection, run: Run, start: int) -> tuple[Tally, list[Range]]:
    tally = Tally.none(run.config.size)
    ranges: list[Range] = []
    query = 'SELECT first, "end", cut, moves, scores FROM chunk WHERE run = ? AND start = ? ORDER BY first'
    for first, end, cut, moves, packed in connection.execute(query, (run.id, start)):
        part = Tally(cut, moves, unpack_scores(packed, run.config.size))
        if part.n != end - first or (ranges and first < ranges[-1][1]):
            raise StoreError(
                f"the store is damaged: games {first} to {end - 1} of run {run.id} do not add up; restore a copy of it"
            )
        tally, ranges = tally + part, [*ranges, (first, end)]
    return tally, union(ranges)
