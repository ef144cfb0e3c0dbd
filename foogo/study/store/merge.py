"""Merging stores of several machines."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from foogo.errors import StoreError
from foogo.study.store.chunks import insert_chunk, read_chunks
from foogo.study.store.runs import Run, find_run, insert_run, widen_run
from foogo.study.store.store import Store


@dataclass(frozen=True)
class Merged:
    """The games counted in a merge: new ones, those that the store had already, and those left out.

    A game is left out if its chunk partly overlaps another; `foogo study resume` plays it.
    """

    added: int
    known: int
    left: int

    def __add__(self, other: Merged) -> Merged:
        return Merged(self.added + other.added, self.known + other.known, self.left + other.left)


def merge(into: Store, source: Store) -> Merged:
    """Add every run of a store to another, each game once, in one transaction.

    What was requested of a run in either store stays requested: all its games, and the smaller standard error.
    StoreError if the stores have a run with different signatures, or a game with different results.
    """
    if into.path.exists() and into.path.samefile(source.path):
        raise StoreError(f"'{source.path}' cannot be merged into itself: name another store")
    out = Merged(0, 0, 0)
    runs = source.runs()
    with into.writing() as target, source.reading() as origin:
        for theirs in runs:
            ours = find_run(target, theirs.config)
            if ours is None:
                ours = insert_run(target, theirs)
            elif ours.signature != theirs.signature:
                raise StoreError(
                    f"run {theirs.id} of '{source.path}' has signature {theirs.signature}, and '{into.path}' has it "
                    f"with {ours.signature}: they are of different games; keep them in two stores"
                )
            ours = widen_run(target, ours, theirs.openings, theirs.asked, theirs.until_se)
            starts = [row[0] for row in origin.execute("SELECT DISTINCT start FROM chunk WHERE run = ?", (theirs.id,))]
            for start in starts:
                out += _merge_start(target, origin, ours, theirs, start)
    return out


def _merge_start(target: sqlite3.Connection, origin: sqlite3.Connection, ours: Run, theirs: Run, start: int) -> Merged:
    added = known = left = 0
    overlap = 'first < ? AND "end" > ?'
    for chunk in read_chunks(origin, theirs, start):
        first, end, totals = chunk
        near = read_chunks(target, ours, start, overlap, (end, first))
        here = sum(min(end, one.end) - max(first, one.first) for one in near)
        if any((one.first, one.end) == (first, end) and one.totals != totals for one in near):
            raise StoreError(
                f"games {first} to {end - 1} of {theirs.config.name_of(start)} differ between the stores, and must be "
                "equal: one of them is damaged, or was played on a faulty machine"
            )
        if here and not all(first <= one.first and one.end <= end for one in near):
            known, left = known + here, left + end - first - here
            continue
        if here < end - first:
            # The claims go too: a process that plays these games now finds its claim gone, and its totals are dropped.
            for table in ("chunk", "claim"):
                query = f"DELETE FROM {table} WHERE run = ? AND start = ? AND {overlap}"
                target.execute(query, (ours.id, start, end, first))
            insert_chunk(target, ours, start, chunk)
        added, known = added + end - first - here, known + here
    return Merged(added, known, left)
