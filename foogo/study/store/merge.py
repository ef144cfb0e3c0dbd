"""Stores from several machines made one."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace

from foogo.errors import StoreError
from foogo.playout.totals import Tally, unpack_scores
from foogo.study.config import OPENINGS
from foogo.study.store.ranges import union
from foogo.study.store.store import Run, Store, insert_chunk


@dataclass(frozen=True)
class Merged:
    """What came of a merge.

    Attributes
    ----------
    added
        Games that are new.
    known
        Games that were there already.
    left
        Games left out because they lie in a chunk that overlaps another in part: `foogo study resume` plays them.
    """

    added: int
    known: int
    left: int

    def __add__(self, other: Merged) -> Merged:
        return Merged(self.added + other.added, self.known + other.known, self.left + other.left)


def merge(into: Store, source: Store) -> Merged:
    """Add every run of a store to another, each game once. It happens as a whole or not at all.

    Raises
    ------
    StoreError
        If a run has another signature there than here, or a game another result.
    """
    if into.path.exists() and into.path.samefile(source.path):
        raise StoreError(f"'{source.path}' cannot be merged into itself: name another store")
    out = Merged(0, 0, 0)
    runs = source.runs()
    with into.database.writing() as target, source.database.reading() as origin:
        for theirs in runs:
            ours = _find(target, theirs, into, source)
            starts = [row[0] for row in origin.execute("SELECT DISTINCT start FROM chunk WHERE run = ?", (theirs.id,))]
            for start in starts:
                out += _merge_start(target, origin, ours, theirs, start)
    return out


def _find(target: sqlite3.Connection, theirs: Run, into: Store, source: Store) -> int:
    """The number of their run here; begun if it is not here, widened to what was asked there."""
    config = theirs.config.as_json()
    row = target.execute("SELECT id, signature, openings FROM run WHERE config = ?", (config,)).fetchone()
    if row is None:
        values = (config, theirs.openings, theirs.until_se, theirs.foogo, theirs.signature, theirs.created)
        columns = "config, openings, until_se, foogo, signature, created"
        number = target.execute(f"INSERT INTO run ({columns}) VALUES (?, ?, ?, ?, ?, ?)", values).lastrowid
    else:
        number, sign, openings = row
        if sign != theirs.signature:
            raise StoreError(
                f"run {theirs.id} of '{source.path}' has signature {theirs.signature}, and '{into.path}' has it with "
                f"{sign}: they are of different games; keep them in two stores"
            )
        wider = max(openings, theirs.openings, key=OPENINGS.index)
        target.execute("UPDATE run SET openings = ? WHERE id = ?", (wider, number))
    asked = target.execute('SELECT first, "end" FROM asked WHERE run = ?', (number,)).fetchall()
    target.execute("DELETE FROM asked WHERE run = ?", (number,))
    wanted = union([*asked, *theirs.asked])
    target.executemany("INSERT INTO asked VALUES (?, ?, ?)", [(number, *pair) for pair in wanted])
    assert isinstance(number, int)
    return number


def _merge_start(
    target: sqlite3.Connection, origin: sqlite3.Connection, number: int, theirs: Run, start: int
) -> Merged:
    added = known = left = 0
    columns = 'SELECT first, "end", cut, moves, scores FROM chunk WHERE run = ? AND start = ?'
    overlap = ' AND first < ? AND "end" > ?'
    size, run = theirs.config.size, replace(theirs, id=number)
    for first, end, cut, moves, packed in origin.execute(columns + " ORDER BY first", (theirs.id, start)):
        tally = Tally(cut, moves, unpack_scores(packed, size))
        if tally.n != end - first:
            raise StoreError(f"games {first} to {end - 1} of run {theirs.id} do not add up: restore a copy")
        near = target.execute(columns + overlap, (number, start, end, first)).fetchall()
        here = sum(min(end, n[1]) - max(first, n[0]) for n in near)
        if any(n[:2] == (first, end) and Tally(n[2], n[3], unpack_scores(n[4], size)) != tally for n in near):
            raise StoreError(
                f"games {first} to {end - 1} of {theirs.config.name_of(start)} differ between the stores, and must be "
                "equal: one of them is damaged, or was played on a faulty machine"
            )
        if here and not all(first <= n[0] and n[1] <= end for n in near):
            known, left = known + here, left + end - first - here
            continue
        if here < end - first:
            target.execute(f"DELETE FROM chunk WHERE run = ? AND start = ?{overlap}", (number, start, end, first))
            # who is playing these games now will find its claim gone, and its result is not needed
            target.execute(f"DELETE FROM claim WHERE run = ? AND start = ?{overlap}", (number, start, end, first))
            insert_chunk(target, run, start, (first, end), tally)
        added, known = added + end - first - here, known + here
    return Merged(added, known, left)
