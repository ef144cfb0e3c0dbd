"""The games played of a run, in chunks: disjoint ranges of the game numbers of a start, each with its totals."""

from __future__ import annotations

import sqlite3
import zlib
from collections import defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.errors import StoreError
from foogo.playout.number_ranges import NumberRange
from foogo.playout.totals import Totals
from foogo.study.store.runs import Run

BLOCK = 1 << 24
"""Adjacent chunks become one, but never across a multiple of this game number. A store thus stays small, and two stores
with different parts of a run can still be merged."""


class Chunk(NamedTuple):
    """The games number `first` to ``end - 1`` of a start, and their totals."""

    first: int
    end: int
    totals: Totals


def read_chunks(
    connection: sqlite3.Connection, run: Run, start: int, condition: str = "1", values: tuple[int, ...] = ()
) -> list[Chunk]:
    """The chunks of a start that meet an SQL condition with parameters `values`, by game number."""
    query = f'SELECT first, "end", cut, moves, scores FROM chunk WHERE run = ? AND start = ? AND {condition}'
    out: list[Chunk] = []
    for first, end, cut, moves, packed in connection.execute(query + " ORDER BY first", (run.id, start, *values)):
        totals = Totals(cut, moves, unpack_scores(packed, run.config.size))
        if totals.n != end - first or (out and first < out[-1].end):
            raise StoreError(
                f"the store is damaged: games {first} to {end - 1} of run {run.id} do not add up; restore a copy of it"
            )
        out.append(Chunk(first, end, totals))
    return out


def played_ranges(connection: sqlite3.Connection, run: Run) -> defaultdict[int, list[NumberRange]]:
    """The game numbers played, by start."""
    out = defaultdict[int, list[NumberRange]](list)
    for start, first, end in connection.execute('SELECT start, first, "end" FROM chunk WHERE run = ?', (run.id,)):
        out[start].append((first, end))
    return out


def insert_chunk(connection: sqlite3.Connection, run: Run, start: int, chunk: Chunk) -> None:
    """Add played games to a start, joined with adjacent chunks. Call it in a transaction; the numbers must be new."""
    first, end, totals = chunk
    for condition, number in (('"end" = ?', first), ("first = ?", end)):
        for near in read_chunks(connection, run, start, condition, (number,)):
            if min(near.first, first) // BLOCK == (max(near.end, end) - 1) // BLOCK:
                first, end, totals = min(near.first, first), max(near.end, end), totals + near.totals
                key = (run.id, start, near.first)
                connection.execute("DELETE FROM chunk WHERE run = ? AND start = ? AND first = ?", key)
    row = (run.id, start, first, end, totals.cut, totals.moves, pack_scores(totals.scores))
    connection.execute("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def pack_scores(scores: NDArray[np.int64]) -> bytes:
    """A histogram as bytes: 64-bit little-endian integers, compressed by zlib."""
    return zlib.compress(scores.astype("<i8").tobytes(), 9)


def unpack_scores(packed: bytes, size: int) -> NDArray[np.int64]:
    """The histogram that `pack_scores` wrote; StoreError if the bytes are not one of that board size."""
    try:
        scores = np.frombuffer(zlib.decompress(packed), "<i8")
    except (zlib.error, ValueError, TypeError):
        scores = np.zeros(0, "<i8")
    if len(scores) != 2 * size * size + 1 or (scores < 0).any():
        raise StoreError("the store is damaged: a histogram cannot be read; restore a copy, or merge it into a new one")
    return scores.astype(np.int64)
