"""Claims on the games of a run. A claim becomes a chunk, so every game is played into the totals at most once."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from foogo.playout.number_ranges import NumberRange, difference, total
from foogo.playout.totals import Totals
from foogo.study.store.chunks import BLOCK, Chunk, insert_chunk, played_ranges
from foogo.study.store.leases import Lease
from foogo.study.store.runs import Run
from foogo.study.store.store import Store

SMALLEST_SHARE = 16
"""Claims shrink towards the end of a run, down to this fraction of the usual size."""


@dataclass(frozen=True)
class Claim:
    """Games that one process plays: numbers `first` to ``end - 1`` of a start."""

    start: int
    first: int
    end: int

    @property
    def count(self) -> int:
        """The number of games."""
        return self.end - self.first


@dataclass(frozen=True)
class Standing:
    """The state of a run after a transaction.

    Attributes
    ----------
    claimed
        The new claims of this process.
    played, asked
        Games of the run that are committed, and requested, over all starts.
    elsewhere
        Requested games that other processes are playing.
    """

    claimed: list[Claim]
    played: int
    asked: int
    elsewhere: int


class Participant:
    """One process that plays games of a run. Every method is one transaction.

    Parameters
    ----------
    store
        The store.
    run
        The run, with all games requested of it.
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._database = store.database
        self._run = run
        self._starts = run.starts
        self._lease = Lease()

    def commit_and_claim(self, done: Iterable[tuple[Claim, Totals]], want: int, size: int, shares: int = 1) -> Standing:
        """Commit finished claims and make new ones.

        Parameters
        ----------
        done
            Finished claims and their totals. If this process has lost a claim, its totals are dropped: another process
            plays those games.
        want
            The number of new claims.
        size
            The most games in a claim.
        shares
            The number of claims into which the last games are divided, so that all workers finish together.
        """
        with self._database.writing() as connection:
            self._lease.renew(connection)
            self._lease.end_expired(connection)
            for claim, totals in done:
                if self._release(connection, claim):
                    insert_chunk(connection, self._run, claim.start, Chunk(claim.first, claim.end, totals))
            return self._claim(connection, want, size, shares)

    def leave(self) -> None:
        """Leave the run and release every claim."""
        with self._database.writing() as connection:
            self._lease.end(connection)

    def _release(self, connection: sqlite3.Connection, claim: Claim) -> bool:
        """Release a claim; returns whether this process still had it."""
        query = 'DELETE FROM claim WHERE run = ? AND start = ? AND first = ? AND "end" = ? AND owner = ?'
        key = (self._run.id, claim.start, claim.first, claim.end, self._lease.id)
        return connection.execute(query, key).rowcount == 1

    def _claim(self, connection: sqlite3.Connection, want: int, size: int, shares: int) -> Standing:
        played = played_ranges(connection, self._run)
        taken, others = self._claimed_ranges(connection)
        asked = self._run.asked
        missing = {start: difference(asked, played[start] + taken[start]) for start in self._starts}
        left = {start: total(ranges) for start, ranges in missing.items()}
        claimed: list[Claim] = []
        while len(claimed) < want and any(left.values()):
            start = max(self._starts, key=lambda start: left[start])  # so that all starts progress alike
            first, end = missing[start][0]
            share = max(-(-sum(left.values()) // shares), size // SMALLEST_SHARE, 1)
            end = min(end, first + min(size, share), (first // BLOCK + 1) * BLOCK)
            missing[start] = difference(missing[start], [(first, end)])
            left[start] -= end - first
            claimed.append(Claim(start, first, end))
            row = (self._run.id, start, first, end, self._lease.id)
            connection.execute("INSERT INTO claim VALUES (?, ?, ?, ?, ?)", row)
        done = sum(total(asked) - total(difference(asked, played[start])) for start in self._starts)
        elsewhere = sum(total(asked) - total(difference(asked, others[start])) for start in self._starts)
        return Standing(claimed, done, total(asked) * len(self._starts), elsewhere)

    def _claimed_ranges(self, connection: sqlite3.Connection) -> tuple[dict[int, list[NumberRange]], ...]:
        """The numbers claimed, and those claimed by other processes, by start."""
        taken, others = (defaultdict[int, list[NumberRange]](list) for _ in range(2))
        query = 'SELECT start, first, "end", owner FROM claim WHERE run = ?'
        for start, first, end, owner in connection.execute(query, (self._run.id,)):
            taken[start].append((first, end))
            if owner != self._lease.id:
                others[start].append((first, end))
        return taken, others
