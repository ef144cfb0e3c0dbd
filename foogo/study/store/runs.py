"""The runs of a store: their configurations, and the games requested of them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

from foogo.arguments import whole
from foogo.errors import ArgumentError, StoreError
from foogo.playout.number_ranges import NumberRange, union
from foogo.stats.estimates import check_error
from foogo.study.config import OPENING_STRIDE, OPENINGS, Config


@dataclass(frozen=True)
class Run:
    """A run as recorded in a store, under the number `id`."""

    id: int
    config: Config
    openings: str
    """The starts requested: "none", "classes" or "all"."""
    asked: tuple[NumberRange, ...]
    """The game numbers requested, the same for every start."""
    until_se: float | None
    """The requested standard error of the mean score, in points."""
    foogo: str
    """The version of foogo that created the run."""
    signature: str
    created: str

    @property
    def starts(self) -> tuple[int, ...]:
        """The starts whose games were requested."""
        return self.config.starts(self.openings)


def check_asked(n: SupportsIndex, first: SupportsIndex, openings: str, until_se: float | None) -> tuple[int, int]:
    """Validate a request for games; returns the first game and the number of games."""
    start, games = whole("first", first, 0, OPENING_STRIDE), whole("playouts", n, 0, OPENING_STRIDE)
    if start + games > OPENING_STRIDE:
        raise ArgumentError(f"first + playouts is {start + games}: it must be at most {OPENING_STRIDE}")
    if openings not in OPENINGS:
        raise ArgumentError(f"openings {openings!r} do not exist: use {', '.join(OPENINGS)}")
    if until_se is not None:
        check_error(until_se)
    return start, games


def all_runs(connection: sqlite3.Connection) -> list[Run]:
    """Every run, in ascending order of number."""
    return [_run(connection, row) for row in connection.execute("SELECT * FROM run ORDER BY id")]


def find_run(connection: sqlite3.Connection, config: Config) -> Run | None:
    """The run of a configuration, if the store has it."""
    row = connection.execute("SELECT * FROM run WHERE config = ?", (config.as_json(),)).fetchone()
    if row is None:  # an earlier version may have written it in another form
        return next((run for run in all_runs(connection) if run.config == config), None)
    return _run(connection, row)


def insert_run(connection: sqlite3.Connection, run: Run) -> Run:
    """Add a run with a new number, and without any requested games."""
    columns = "config, openings, until_se, foogo, signature, created"
    values = (run.config.as_json(), run.openings, run.until_se, run.foogo, run.signature, run.created)
    number = connection.execute(f"INSERT INTO run ({columns}) VALUES (?, ?, ?, ?, ?, ?)", values).lastrowid
    assert number is not None
    return replace(run, id=number, asked=())


def widen_run(
    connection: sqlite3.Connection, run: Run, openings: str, asked: Iterable[NumberRange], until_se: float | None = None
) -> Run:
    """Request more games of a run. Earlier requests are kept: starts are only added, the error to reach only falls."""
    wider = max(openings, run.openings, key=OPENINGS.index)
    numbers = tuple(union([*run.asked, *asked]))
    goal = min((one for one in (run.until_se, until_se) if one is not None), default=None)
    connection.execute("UPDATE run SET openings = ?, until_se = ? WHERE id = ?", (wider, goal, run.id))
    connection.execute("DELETE FROM asked WHERE run = ?", (run.id,))
    connection.executemany("INSERT INTO asked VALUES (?, ?, ?)", [(run.id, *pair) for pair in numbers])
    return replace(run, openings=wider, asked=numbers, until_se=goal)


def _run(connection: sqlite3.Connection, row: tuple[Any, ...]) -> Run:
    number, config, openings, until_se, version, signature, created = row
    asked = connection.execute('SELECT first, "end" FROM asked WHERE run = ? ORDER BY first', (number,)).fetchall()
    try:
        read = Config.from_json(config)
    except (ValueError, TypeError) as error:
        raise StoreError(f"the store is damaged: the configuration of run {number} cannot be read ({error})") from None
    return Run(number, read, openings, tuple(asked), until_se, version, signature, created)
