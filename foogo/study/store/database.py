"""The SQLite database under a study store: its schema, its transactions, and its errors as `StoreError`."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from foogo.arguments import file_path, mode_of
from foogo.errors import StoreError

APPLICATION_ID = 0x464F4F47  # "FOOG"
SCHEMA_VERSION = 1

LOCK_SECONDS = 20.0
"""The longest wait for another program's transaction."""

SCHEMA = """
CREATE TABLE run (
    id        INTEGER PRIMARY KEY,
    config    TEXT NOT NULL UNIQUE,   -- what fixes the games: study.config.Config as JSON
    openings  TEXT NOT NULL,          -- the starts asked for: none, classes, all
    until_se  REAL,                   -- the standard error asked for, in points, or NULL
    foogo     TEXT NOT NULL,          -- the version that began the run
    signature TEXT NOT NULL,          -- of the games it plays: study.run.tasks.signature
    created   TEXT NOT NULL           -- UTC, ISO 8601
);
CREATE TABLE asked (                  -- the game numbers asked for, of every start of the run
    run INTEGER NOT NULL REFERENCES run(id), first INTEGER NOT NULL, "end" INTEGER NOT NULL,
    PRIMARY KEY (run, first)
) WITHOUT ROWID;
CREATE TABLE chunk (                  -- games that are played: disjoint ranges of the numbers of a start
    run INTEGER NOT NULL REFERENCES run(id), start INTEGER NOT NULL, -- the point of the first move, or -1
    first INTEGER NOT NULL, "end" INTEGER NOT NULL,
    cut INTEGER NOT NULL, moves INTEGER NOT NULL, scores BLOB NOT NULL,     -- chunks.pack_scores
    PRIMARY KEY (run, start, first)
) WITHOUT ROWID;
CREATE TABLE owner (                  -- processes that have claims: claims.Participant
    id TEXT PRIMARY KEY, host TEXT NOT NULL, process TEXT NOT NULL, beat REAL NOT NULL  -- seconds since 1970
) WITHOUT ROWID;
CREATE TABLE claim (                  -- games being played: disjoint from each other and from every chunk
    run INTEGER NOT NULL REFERENCES run(id), start INTEGER NOT NULL,
    first INTEGER NOT NULL, "end" INTEGER NOT NULL,
    owner TEXT NOT NULL REFERENCES owner(id) ON DELETE CASCADE,
    PRIMARY KEY (run, start, first)
) WITHOUT ROWID;
"""
"""The layout of a store. Any change needs a new `SCHEMA_VERSION`."""


class Database:
    """A connection to a store's file, made if `create`; its folder must exist. Use it from one thread."""

    def __init__(self, path: str | os.PathLike[str], *, create: bool = False) -> None:
        self.path = file_path("path", path)
        try:
            self._check_path(create)
            self._is_fixed = not create and self._cannot_change()
        except OSError as error:  # a folder that this user may not enter, or a name that is too long
            raise StoreError(f"cannot open '{self.path}': {(error.strerror or str(error)).lower()}") from None
        # To SQLite, the bare name :memory: is no file.
        name = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1" if self._is_fixed else self.path.absolute()
        with self._store_errors():
            self.connection = sqlite3.connect(name, timeout=LOCK_SECONDS, isolation_level=None, uri=self._is_fixed)
        try:
            with self._store_errors():
                self._check(create)
        except BaseException:
            self.connection.close()
            raise

    def close(self) -> None:
        """Close the file; the write-ahead log is folded into it."""
        self.connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """One consistent view of the store."""
        with self._store_errors():
            self.connection.execute("BEGIN")
            try:
                yield self.connection
            finally:
                self.connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction: it is committed, or rolled back after any error."""
        with self._store_errors():
            self.connection.execute("BEGIN IMMEDIATE")
            try:
                yield self.connection
                self.connection.execute("COMMIT")
            except BaseException:
                if self.connection.in_transaction:
                    self.connection.execute("ROLLBACK")
                raise

    def _check_path(self, create: bool) -> None:
        mode = mode_of(self.path)
        if not mode and not create:
            raise StoreError(f"there is no study store '{self.path}': foogo study run --store '{self.path}' starts one")
        if stat.S_ISDIR(mode):
            raise StoreError(f"'{self.path}' is a folder: name a file for the study store")
        if not self.path.parent.is_dir():
            raise StoreError(f"cannot make '{self.path}': there is no folder '{self.path.parent}'; make it first")

    def _cannot_change(self) -> bool:
        """Whether the file is in a folder that this user may not write to, and no process has the file open.

        SQLite makes files beside a write-ahead logged one even to read it, unless it is told that nobody writes.
        """
        real = self.path.resolve()
        return not os.access(real.parent, os.W_OK) and not mode_of(real.with_name(f"{real.name}-wal"))

    def _check(self, create: bool) -> None:
        connection = self.connection
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
        if empty and application in (0, APPLICATION_ID):
            if not create:
                raise StoreError(f"'{self.path}' is empty: foogo study run --store '{self.path}' starts a study in it")
        elif application != APPLICATION_ID:
            raise StoreError(f"'{self.path}' is a database of another program: name another file for the study store")
        elif version > SCHEMA_VERSION:
            raise StoreError(
                f"'{self.path}' has schema {version}, and this foogo supports schemas up to {SCHEMA_VERSION}: "
                "install a newer foogo to read it (pip install --upgrade foogo)"
            )
        connection.execute("PRAGMA foreign_keys = ON")
        if create or not self._is_fixed and os.access(self.path, os.W_OK):
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")  # what was committed survives a power cut
            connection.execute("PRAGMA wal_autocheckpoint = 64")
            connection.execute("PRAGMA journal_size_limit = 262144")
        if empty:
            self._make()

    def _make(self) -> None:
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        if connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:  # or another process made it
            for statement in SCHEMA.split(";\n"):
                if statement.strip():
                    connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")

    @contextmanager
    def _store_errors(self) -> Iterator[None]:
        """Turn SQLite's errors into `StoreError`."""
        try:
            yield
        except sqlite3.DatabaseError as error:
            raise StoreError(f"'{self.path}' {self._reason(str(error))}") from error

    def _reason(self, message: str) -> str:
        if "closed database" in message:
            return "is closed: open it again with Store"
        if "same thread" in message:
            return "was opened by another thread: open a Store in each thread that uses it"
        if "not a database" in message:
            return "is not a study store, nor any SQLite database: name another file"
        if "locked" in message or "busy" in message:
            return "is locked by another program: close that program, or wait and run the command again"
        if "full" in message:
            return "cannot grow, the disk is full: free some space and resume; what was committed is kept"
        if "readonly" in message:
            return "cannot be written: it, or its folder, is read-only"
        if "unable to open" in message:
            return "cannot be opened: may this user read it, and write to its folder?"
        if "malformed" in message or "no such table" in message or "no such column" in message:
            return f"is damaged ({message}): restore a copy of it"
        return f"failed ({message}); what was committed is kept"
