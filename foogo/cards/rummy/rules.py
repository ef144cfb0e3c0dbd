"""The rules of a game of rummy: decks, where the ace goes, and what a card left over costs."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import whole
from foogo.cards.rummy.kernels.deadwood import SUIT_MASK, SUITS, Rules
from foogo.cards.rummy.kernels.runs import ACE, LONGEST, RANKS, Runs, fill
from foogo.errors import ArgumentError

ACES = ("low", "high", "both", "corner")
"""Where runs have the ace: below the deuce, above the king, in either place, or also between them (K A 2)."""

MOST_VALUE = 1000
"""The largest value of a card."""

SHORTEST = 3
"""Cards of the smallest run."""


def check_ace(ace: str) -> str:
    """`ace`, if it is one of `ACES`.

    Raises
    ------
    ArgumentError
        Otherwise.
    """
    if not isinstance(ace, str) or ace not in ACES:
        raise ArgumentError(f"ace is {ace!r}: it must be one of {', '.join(ACES)}")
    return ace


@cache
def runs_of(ace: str) -> tuple[tuple[int, ...], ...]:
    """All runs, as ranks in ascending order (deuce = 0, ace = 12).

    Examples
    --------
    >>> runs = runs_of("both")
    >>> (12, 0, 1) in runs, (10, 11, 12) in runs, (11, 12, 0) in runs
    (True, True, False)
    """
    if check_ace(ace) == "corner":
        places = [tuple(rank % RANKS for rank in range(first, first + RANKS)) for first in range(RANKS)]
        shorter = (ranks[:length] for length in range(SHORTEST, RANKS) for ranks in places)
        return (*shorter, tuple(range(RANKS)))
    line = [ACE] * (ace in ("low", "both")) + list(range(ACE)) + [ACE] * (ace in ("high", "both"))
    lengths = range(SHORTEST, RANKS + 1)
    return tuple(tuple(line[first : first + n]) for n in lengths for first in range(len(line) - n + 1))


def rules_of(decks: SupportsIndex, ace: str, values: str | ArrayLike, joker_value: SupportsIndex) -> Rules:
    """The rules for compiled code.

    Raises
    ------
    ArgumentError
        If an argument is out of range.
    """
    decks, table = whole("decks", decks, 1, 2), np.empty((SUITS, RANKS + 1), np.int64)
    if isinstance(values, str):
        if values not in ("points", "cards"):
            raise ArgumentError(f"values is {values!r}: it must be points, cards, or a number for each card")
        table[:, :RANKS] = 1 if values == "cards" else [*range(2, 11), 10, 10, 10, 1]
        joker_value = 1 if values == "cards" else joker_value
    else:
        try:
            given = np.asarray(values)
        except ValueError:  # rows of different lengths
            given = np.empty(0)
        whole_values = given.dtype.kind in "iu" and given.shape in ((RANKS,), (SUITS, RANKS))
        if not whole_values or given.min() < 0 or given.max() > MOST_VALUE:
            raise ArgumentError(
                f"values has the wrong shape or numbers: it must be 13 or 4 x 13 whole numbers from 0 to {MOST_VALUE}, "
                "deuce to ace, for clubs, diamonds, hearts and spades"
            )
        table[:, :RANKS] = given
    table[:, RANKS] = whole("joker_value", joker_value, 0, MOST_VALUE)
    windows, joining = _windows_of(check_ace(ace))
    return Rules(decks, windows, joining, _places(decks), table)


@cache
def _windows_of(ace: str) -> tuple[NDArray[np.int8], NDArray[np.uint16]]:
    """The fields `windows` and `joining` of the rules."""
    runs = [run for run in runs_of(ace) if len(run) <= LONGEST]
    by_rank = [[run for run in runs if rank in run] for rank in range(RANKS)]
    windows = np.full((RANKS, max(map(len, by_rank)), LONGEST + 1), -1, np.int8)
    for rank, containing in enumerate(by_rank):
        for number, run in enumerate(containing):
            windows[rank, number, : len(run)] = run
    masks, joining = np.arange(SUIT_MASK + 1), np.zeros(SUIT_MASK + 1, np.uint16)
    for run in runs:
        ranks = sum(1 << rank for rank in run)
        joining[masks & ranks == ranks] |= np.uint16(ranks)
    return windows, joining


@cache
def _places(decks: int) -> NDArray[np.int32]:
    bits = np.arange(SUIT_MASK + 1)[:, None] >> np.arange(RANKS) & 1
    return (bits @ (decks + 1) ** np.arange(RANKS)).astype(np.int32)


def empty_runs(entries: int) -> Runs:
    """Memory for tables of runs."""
    suit = np.zeros(SUITS, np.int64)
    return Runs(np.empty(entries, np.uint16), suit, suit.copy(), np.zeros((SUITS, RANKS), np.int64))


def runs_of_all_hands(rules: Rules, ace: str) -> Runs:
    """The tables of runs for every hand without jokers. The tables of the last few rules are kept."""
    return _all_runs(rules.decks, ace, rules.values.tobytes())


@lru_cache(maxsize=4)
def _all_runs(decks: int, ace: str, values: bytes) -> Runs:
    table = np.frombuffer(values, np.int64).reshape(SUITS, RANKS + 1).copy()
    rows = list(dict.fromkeys(row.tobytes() for row in table))
    size = (decks + 1) ** RANKS
    runs, windows = empty_runs(len(rows) * size), _windows_of(ace)[0]
    for suit in range(SUITS):
        runs.start[suit] = rows.index(table[suit].tobytes()) * size
        fill(runs, suit, np.full(RANKS, decks), 0, table, windows)
    return runs
