"""Claims on the games of a run. A claim becomes a chunk, so every game is played into the totals at most once."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import time
import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from foogo.playout.number_ranges import NumberRange, difference, total
from foogo.playout.totals import Totals
from foogo.study.store.chunks import BLOCK, Chunk, insert_chunk, played_ranges
from foogo.study.store.runs import Run
from foogo.study.store.store import Store

LEASE_SECONDS = 120.0
"""The lease of a process on another machine expires if it is not renewed for this long."""

_HERE: set[str] = set()
"""The participants of this process that have not left. A store that could not be written may still name others."""

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
    """The state of a run after a transaction, in games over all starts."""

    claimed: list[Claim]
    """The new claims of this process."""
    played: int
    asked: int
    elsewhere: int
    """Requested games that other processes are playing."""


class Participant:
    """One process that plays games of a run, with all games requested of it. Every method is one transaction.

    Its claims are under a lease, a row of the table `owner`, which ends when the process dies.
    """

    def __init__(self, store: Store, run: Run) -> None:
        self._store = store
        self._run = run
        self._starts = run.starts
        self._owner = uuid.uuid4().hex
        _HERE.add(self._owner)

    def commit_and_claim(self, done: Iterable[tuple[Claim, Totals]], want: int, size: int, shares: int = 1) -> Standing:
        """Commit finished claims, and make `want` new ones of at most `size` games.

        If this process has lost a claim, its totals are dropped: another process plays those games. The last games of
        the run are divided into `shares` claims, so that all workers finish together.
        """
        with self._store.writing() as connection:
            self._renew_lease(connection)
            for claim, totals in done:
                if self._release(connection, claim):
                    insert_chunk(connection, self._run, claim.start, Chunk(claim.first, claim.end, totals))
            return self._claim(connection, want, size, shares)

    def leave(self) -> None:
        """Leave the run and release every claim."""
        _HERE.discard(self._owner)
        with self._store.writing() as connection:
            connection.execute("DELETE FROM owner WHERE id = ?", (self._owner,))

    def _renew_lease(self, connection: sqlite3.Connection) -> None:
        """Record that this process is alive, and end the leases of dead processes, and with them their claims."""
        query = "INSERT INTO owner VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET beat = excluded.beat"
        connection.execute(query, (self._owner, _host(), _process(os.getpid()), time.time()))
        for name, host, process, beat in connection.execute("SELECT * FROM owner").fetchall():
            if name != self._owner and not _lives(name, host, process, beat):
                connection.execute("DELETE FROM owner WHERE id = ?", (name,))

    def _release(self, connection: sqlite3.Connection, claim: Claim) -> bool:
        """Release a claim; returns whether this process still had it."""
        query = 'DELETE FROM claim WHERE run = ? AND start = ? AND first = ? AND "end" = ? AND owner = ?'
        key = (self._run.id, claim.start, claim.first, claim.end, self._owner)
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
            row = (self._run.id, start, first, end, self._owner)
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
            if owner != self._owner:
                others[start].append((first, end))
        return taken, others


def _lives(name: str, host: str, process: str, beat: float) -> bool:
    """Whether a participant is at work: checked directly on this machine, inferred from its last renewal on another."""
    is_recent = abs(time.time() - beat) < LEASE_SECONDS  # beats are in the future if a clock was wrong
    if host != _host():
        return is_recent
    if process == _process(os.getpid()) and name not in _HERE:
        return False
    known = json.loads(process)
    if _process(known["pid"]) != process:  # it ended, the machine restarted, or another process has its number
        return False
    if not known["start"] and (not is_recent or os.name == "nt"):
        return is_recent  # without /proc, another process may have its number; Windows' os.kill would end it
    try:
        os.kill(known["pid"], 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _host() -> str:
    """The machine on which this process can look up others: its name, and on Linux the namespace of processes."""
    try:
        return f"{socket.gethostname()} {os.readlink('/proc/self/ns/pid')}"
    except OSError:
        return socket.gethostname()


def _process(pid: int) -> str:
    """A unique identifier of a process: its number, its start time, and the boot of the machine."""
    start = boot = ""
    try:
        # Fields after the command's name, which is in brackets and may hold blanks: state is 3, start time 22.
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        start = "" if fields[0] in ("Z", "X") else fields[19]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except (OSError, IndexError):
        pass
    return json.dumps({"pid": pid, "start": start, "boot": boot})
