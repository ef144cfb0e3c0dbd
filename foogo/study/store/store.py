"""The study store: runs, the games requested, and the totals of the games played, in one SQLite file.

`foogo.study.store.claims` adds to it while a study runs.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import Any, SupportsIndex

from foogo import __version__
from foogo.arguments import whole
from foogo.errors import ArgumentError, FoogoError, StoreError
from foogo.playout.number_ranges import NumberRange, difference, total, union
from foogo.playout.totals import Totals
from foogo.study.config import ANY, Config
from foogo.study.run.tasks import signature
from foogo.study.store.chunks import played_ranges, read_chunks
from foogo.study.store.database import Database
from foogo.study.store.runs import Run, all_runs, check_asked, find_run, insert_run, widen_run


class Store(Database):
    """A study store in one file, created if `create`. It is a context manager; use it from one thread.

    Raises
    ------
    StoreError
        If it is not a store, is of a newer foogo, does not exist, or cannot be opened.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, Store(f"{folder}/a.sqlite", create=True) as store:
    ...     run = store.ask(Config(3, seed=1), n=100)
    ...     print(run.id, run.asked, store.totals(run, -1)[0].n)
    1 ((0, 100),) 0
    """

    def __repr__(self) -> str:
        return f"<Store {str(self.path)!r}>"

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def runs(self) -> list[Run]:
        """Every run, in order of creation."""
        with self.reading() as connection:
            return all_runs(connection)

    def run(self, number: int) -> Run:
        """The run of that number; StoreError if there is no such run."""
        runs = {run.id: run for run in self.runs()}
        if number not in runs:
            named = ", ".join(map(str, runs)) or "none"
            raise StoreError(f"run {number!r} is not in '{self.path}': it has {named}")
        return runs[number]

    def ask(
        self,
        config: Config,
        *,
        n: SupportsIndex = 0,
        first: SupportsIndex = 0,
        openings: str = "none",
        until_se: float | None = None,
    ) -> Run:
        """Request games `first` to ``first + n - 1`` of a configuration, creating its run if necessary.

        Earlier requests stay; starts are only added.

        Raises
        ------
        ArgumentError
            If `config` is no `Config`, or a number is out of range.
        StoreError
            If the store has this run with another signature, or cannot be written.
        """
        if not isinstance(config, Config):
            raise ArgumentError(f"config is {config!r}: give a foogo.study.config.Config")
        start, games = check_asked(n, first, openings, until_se)
        until_se = None if until_se is None else float(until_se)
        own = signature(config)
        with self.writing() as connection:
            run = find_run(connection, config)
            if run is None:
                now = datetime.now(timezone.utc).isoformat(timespec="seconds")
                run = insert_run(connection, Run(0, config, openings, (), until_se, __version__, own, now))
            self.check_signature(run)
            return widen_run(connection, run, openings, [(start, start + games)], until_se)

    def forget_until_se(self, run: Run) -> None:
        """Drop the `until_se` of a run, unless another process has set a smaller one."""
        with self.writing() as connection:
            connection.execute("UPDATE run SET until_se = NULL WHERE id = ? AND until_se = ?", (run.id, run.until_se))

    def check_signature(self, run: Run) -> None:
        """Validate that this foogo plays the games of a run, so that it may add to it; StoreError if not."""
        try:
            own = signature(run.config)
        except FoogoError as error:
            raise type(error)(f"run {run.id}: {error}") from None
        if run.signature != own:
            raise StoreError(
                f"run {run.id} of '{self.path}' was played by foogo {run.foogo} with signature {run.signature}; this "
                f"foogo {__version__} plays other games ({own}): install foogo {run.foogo} to add to it, or start "
                "a new store; show, export and report still read it"
            )

    def totals(self, run: Run, start: SupportsIndex) -> tuple[Totals, list[NumberRange]]:
        """The totals of the games played of a start, and their numbers.

        `start` is the point of the first move, or -1 for games without a fixed one. An ArgumentError is raised if it is
        neither, or `run` is not a Run.
        """
        point = whole("start", start, ANY, _checked(run).config.size ** 2 - 1)
        with self.reading() as connection:
            chunks = read_chunks(connection, run, point)
        totals = sum((chunk.totals for chunk in chunks), Totals.of_none(run.config.size))
        return totals, union((chunk.first, chunk.end) for chunk in chunks)

    def missing(self, run: Run) -> int:
        """The number of games requested but not played; an ArgumentError if `run` is not a Run."""
        with self.reading() as connection:
            played = played_ranges(connection, _checked(run))
        return sum(total(difference(run.asked, played[start])) for start in run.starts)


def _checked(run: Any) -> Run:
    if not isinstance(run, Run):
        raise ArgumentError(f"run is {run!r}: give a Run; `Store.run` returns the run of a number")
    return run
