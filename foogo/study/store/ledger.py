"""Who plays which games of a run: claims that become chunks, each once or not at all."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from foogo.playout.totals import Tally
from foogo.study.store.owners import Owner
from foogo.study.store.ranges import Range, count, without
from foogo.study.store.store import BLOCK, Run, Store, insert_chunk

SMALLEST_SHARE = 16
"""Towards the end chunks become smaller, down to one such part of the usual size."""


@dataclass(frozen=True)
class Claim:
    """Games that one process has taken on: numbers `first` to ``end - 1`` of a start."""

    start: int
    first: int
    end: int

    @property
    def count(self) -> int:
        """How many games."""
        return self.end - self.first


@dataclass(frozen=True)
class Standing:
    """How a run stands after a turn.

    Attributes
    ----------
    claimed
        What this process took on in this turn.
    played, asked
        Games of the run that are committed, and asked for, over all starts.
    elsewhere
        Games asked for that other processes are playing.
    """

    claimed: list[Claim]
    played: int
    asked: int
    elsewhere: int


class Ledger:
    """The part of one process in a run. Every method is one transaction.

    Parameters
    ----------
    store
        The store.
    run
        The run, with everything that was asked of it.
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._database = store.database
        self._run = run
        self._starts = run.starts
        self.owner = Owner()

    def turn(self, done: Iterable[tuple[Claim, Tally]], want: int, size: int, shares: int = 1) -> Standing:
        """Commit what is done and claim more.

        Parameters
        ----------
        done
            Claims of this process and their totals. One that is no longer this process's is dropped: somebody
            else plays those games.
        want
            How many claims to take on.
        size
            Games in a claim, at most.
        shares
            Among how many the rest is shared at the end, so that nobody waits long for the last.
        """
        with self._database.writing() as connection:
            self.owner.beat(connection)
            self.owner.bury_dead(connection)
            for claim, tally in done:
                if self._give_up(connection, claim):
                    insert_chunk(connection, self._run, claim.start, (claim.first, claim.end), tally)
            return self._claim(connection, want, size, shares)

    def give_up(self, claims: Sequence[Claim]) -> None:
        """Leave games for others."""
        with self._database.writing() as connection:
            for claim in claims:
                self._give_up(connection, claim)

    def leave(self) -> None:
        """Leave the run, with every claim."""
        with self._database.writing() as connection:
            self.owner.leave(connection)

    def _give_up(self, connection: sqlite3.Connection, claim: Claim) -> bool:
        """Whether the claim was this process's until now."""
        query = 'DELETE FROM claim WHERE run = ? AND start = ? AND first = ? AND "end" = ? AND owner = ?'
        key = (self._run.id, claim.start, claim.first, claim.end, self.owner.id)
        return connection.execute(query, key).rowcount == 1

    def _claim(self, connection: sqlite3.Connection, want: int, size: int, shares: int) -> Standing:
        played, taken, others = self._ranges(connection)
        asked = self._run.asked
        missing = {start: without(asked, played[start] + taken[start]) for start in self._starts}
        left = {start: count(ranges) for start, ranges in missing.items()}
        claimed: list[Claim] = []
        while len(claimed) < want and any(left.values()):
            start = max(self._starts, key=lambda start: left[start])  # so that all starts progress alike
            first, end = missing[start][0]
            share = max(-(-sum(left.values()) // shares), size // SMALLEST_SHARE, 1)
            end = min(end, first + min(size, share), (first // BLOCK + 1) * BLOCK)
            missing[start] = without(missing[start], [(first, end)])
            left[start] -= end - first
            claimed.append(Claim(start, first, end))
            row = (self._run.id, start, first, end, self.owner.id)
            connection.execute("INSERT INTO claim VALUES (?, ?, ?, ?, ?)", row)
        done = sum(count(asked) - count(without(asked, played[start])) for start in self._starts)
        elsewhere = sum(count(asked) - count(without(asked, others[start])) for start in self._starts)
        return Standing(claimed, done, count(asked) * len(self._starts), elsewhere)

    def _ranges(self, connection: sqlite3.Connection) -> tuple[dict[int, list[Range]], ...]:
        """The numbers played, claimed, and claimed by others, by start."""
        played, taken, others = (defaultdict[int, list[Range]](list) for _ in range(3))
        for start, first, end in connection.execute(
            'SELECT start, first, "end" FROM chunk WHERE run = ?', (self._run.id,)
        ):
            played[start].append((first, end))
        for start, first, end, owner in connection.execute(
            'SELECT start, first, "end", owner FROM claim WHERE run = ?', (self._run.id,)
        ):
            taken[start].append((first, end))
            if owner != self.owner.id:
                others[start].append((first, end))
        return played, taken, others
