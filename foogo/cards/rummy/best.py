"""The best melding of one hand, and of each hand of an array."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import permutations, product
from operator import mul
from typing import Any, NamedTuple, SupportsIndex, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import check_progress, whole_number
from foogo.cards.card import CARDS
from foogo.cards.rummy.hands import JOKER, Grid, Hand, array_of_hands, check_counts, check_grids, hand_of
from foogo.cards.rummy.kernels.deadwood import LARGEST, MOST_JOKERS, SET, SUITS, Rules, least_deadwood, new_search
from foogo.cards.rummy.kernels.runs import ACE, RANKS, VALUE_OF_JOKER, Runs
from foogo.cards.rummy.meldings import Meld, Melding, melding_of
from foogo.cards.rummy.rules import empty_runs, rules_of, runs_of, runs_of_all_hands
from foogo.core.cpu import worker_count
from foogo.errors import ArgumentError, CardError

PIECE = 1 << 16
"""Hands that a thread takes at a time."""

Progress = Callable[[int, int], object]


def best_melds(
    hand: str | ArrayLike,
    decks: SupportsIndex = 1,
    *,
    values: str | ArrayLike = "points",
    ace: str = "low",
    jokers: SupportsIndex = 0,
    joker_value: SupportsIndex = 15,
) -> Melding:
    """The melding that leaves the least value over: exact, for every hand.

    Parameters
    ----------
    hand
        Text such as ``"2H 3H 11C JK"`` (JK is a joker), or a list of cards from 0 to 51, with 52 (`JOKER`) for a joker,
        or a grid of counts. A grid has the shape (4, 13): suits clubs to spades by ranks deuce to ace.
    decks
        1 or 2: how often a card may occur.
    values
        What a card left over costs. "points": ace 1, deuce to ten their number, the rest 10. "cards": 1 each, which
        melds the most cards. Or whole numbers from 0 to 1000, shape (13,) or (4, 13).
    ace
        "low": runs may have A 2 3. "high": Q K A. "both": either. "corner": either, and K A 2.
    jokers
        The number of jokers besides those in the hand; at most 4 together. A meld has at least one natural card.
    joker_value
        What a joker left over costs, 0 to 1000; 1 if `values` is "cards".

    Returns
    -------
    Melding

    Raises
    ------
    CardError
        If the hand is empty, or has something that is not a card, or a card more often than the decks.
    ArgumentError
        If another argument is out of range.

    Examples
    --------
    >>> print(best_melds("2H3H4H5H4H5H6H3C3C3D3D4D", decks=2))
    2h 3h 4h 5h | 4h 5h 6h | deadwood 16 3c 3c 3d 3d 4d
    """
    return _best(hand_of(hand, decks, jokers), rules_of(decks, ace, values, joker_value), ace)


@dataclass(frozen=True, eq=False)
class Meldings(Sequence[Melding]):
    """The best meldings of many hands: `deadwood` for all, and the melds of each hand by its index.

    Attributes
    ----------
    deadwood
        The least value left over of each hand, shape (n,).
    """

    deadwood: NDArray[np.int64]
    _grids: Grid = field(repr=False)
    _jokers: NDArray[np.int64] = field(repr=False)
    _rules: Rules = field(repr=False)
    _ace: str = field(repr=False)

    def __len__(self) -> int:
        return len(self.deadwood)

    @overload
    def __getitem__(self, i: int) -> Melding: ...
    @overload
    def __getitem__(self, i: slice) -> Meldings: ...
    def __getitem__(self, i: int | slice) -> Melding | Meldings:
        if isinstance(i, slice):
            return Meldings(self.deadwood[i], self._grids[i], self._jokers[i], self._rules, self._ace)
        if whole_number(i) is None:
            raise ArgumentError(f"{i!r} is not the number of a hand: give a whole number or a slice")
        return _best(Hand(self._grids[i], int(self._jokers[i])), self._rules, self._ace)


def best_meldings(
    hands: NDArray[Any],
    decks: SupportsIndex = 1,
    *,
    values: str | ArrayLike = "points",
    ace: str = "low",
    jokers: SupportsIndex | ArrayLike = 0,
    joker_value: SupportsIndex = 15,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Meldings:
    """The melding of each hand that leaves the least value over.

    Parameters
    ----------
    hands
        Counts, shape (n, 4, 13); `grid` makes them from cards. The type uint8 is the fastest: such an array is not
        copied, and must not change while the melds of the result are in use.
    decks, values, ace, joker_value
        As in `best_melds`.
    jokers
        The number of jokers of every hand, or of each, shape (n,).
    threads
        Threads to use; all usable cores if None.
    progress
        Called from time to time with (hands done, n).

    Returns
    -------
    Meldings

    Raises
    ------
    CardError, ArgumentError
        As in `best_melds`, with the number of the first wrong hand.

    Examples
    --------
    >>> from foogo.cards.rummy import grid
    >>> run = best_meldings(grid([[0, 1, 2, 13], [0, 13, 26, 51]]))
    >>> run.deadwood
    array([2, 1])
    >>> print(run[1])
    2c 2d 2h | deadwood 1 As
    """
    rules = rules_of(decks, ace, values, joker_value)
    decks = rules.decks  # a small integer of NumPy would overflow below
    grids = check_grids(array_of_hands(hands))
    if grids.ndim != 3:
        raise ArgumentError(f"hands has shape {grids.shape}: it must be (n, 4, 13)")
    n = len(grids)
    try:
        held = np.asarray(jokers)
    except ValueError:  # rows of different lengths
        held = np.empty(0)
    if held.dtype.kind not in "iu" or held.shape not in ((), (n,)) or (held < 0).any() or (held > MOST_JOKERS).any():
        raise ArgumentError(f"jokers must be 0 to {MOST_JOKERS}, or an array of such numbers for the {n} hands")
    held = np.broadcast_to(held, n).astype(np.int64)
    workers = worker_count(threads)
    check_progress(progress)
    few = 100 * n < (decks + 1) ** RANKS  # tables of all hands would take longer than a table for each hand
    shared = None if few or held.any() else runs_of_all_hands(rules, ace)
    deadwood = np.empty(n, np.int64)

    def meld(first: int) -> int:
        piece = slice(first, min(first + PIECE, n))
        result = _meld(grids[piece], held[piece], rules, shared)
        if result.valid < piece.stop - first:
            wrong = first + result.valid
            try:
                check_counts(grids[wrong], decks, int(held[wrong]))
            except CardError as error:
                raise CardError(f"hand {wrong}: {error}") from None
        deadwood[piece] = result.deadwood
        return int(piece.stop)

    with ThreadPoolExecutor(workers) as pool:
        for done in pool.map(meld, range(0, n, PIECE)):
            if progress is not None:
                progress(done, n)
    return Meldings(deadwood, grids, held, rules, ace)


class _Result(NamedTuple):
    """What `least_deadwood` returns and fills."""

    valid: int
    deadwood: NDArray[np.int64]
    choices: NDArray[np.int64]
    runs: Runs


def _meld(grids: Grid, jokers: NDArray[np.int64], rules: Rules, shared: Runs | None) -> _Result:
    """The least deadwood of hands, with the tables of all hands, or with tables for each hand."""
    words = np.require(grids.reshape(-1, CARDS).view(np.uint32), requirements=["A", "C", "W"])
    deadwood, space, runs = np.empty(len(grids), np.int64), new_search(), shared
    if runs is None:
        entries = (np.minimum(grids, 2) + np.int64(1)).prod(axis=2).sum(axis=1) * (jokers + 1)
        runs = empty_runs(int(entries.max(initial=0)))
    valid = least_deadwood(words, jokers, rules, runs, space, shared is None, deadwood)
    return _Result(int(valid), deadwood, space.choices, runs)


def _best(hand: Hand, rules: Rules, ace: str) -> Melding:
    """The best melding of a valid hand: the chosen sets, and runs that lose nothing by the tables of runs."""
    _, deadwood, choices, runs = _meld(hand.grid[None], np.array([hand.jokers]), rules, None)
    counts, jokers, sets = hand.grid.astype(np.int64), hand.jokers, []
    for rank in range(RANKS):
        for cards in _sets_of(int(choices[rank]), rank):
            for card in cards:
                counts[divmod(card, RANKS)] -= 1
            jokers -= max(0, SET - len(cards))
            sets.append(cards + [JOKER] * (SET - len(cards)))
    places = (counts * runs.stride).sum(axis=1)
    room = sum(SUITS - len(cards) for cards in sets)
    joker_value = int(rules.values[0, VALUE_OF_JOKER])

    def left_over(given: tuple[int, ...]) -> int:
        unused = jokers - sum(given)
        if unused < 0:
            return LARGEST
        at = [runs.start[suit] + given[suit] * runs.size[suit] + places[suit] for suit in range(SUITS)]
        return int(runs.left[at].sum(dtype=np.int64)) + max(0, unused - room) * joker_value

    given = min(product(range(jokers + 1), repeat=SUITS), key=left_over)
    melds = []
    for suit in range(SUITS):
        for run in _joined(_runs_of_suit(counts[suit], given[suit], suit, runs, rules), ace):
            jokers -= sum(not natural for natural in run.values())
            in_order = (RANKS * suit + rank if natural else JOKER for rank, natural in run.items())
            melds.append(Meld("run", tuple(in_order)))
    for cards in sets:  # jokers without a use fill up sets
        added = min(SUITS - len(cards), jokers)
        jokers -= added
        melds.append(Meld("set", tuple(cards + [JOKER] * added)))
    found = melding_of(hand, melds, rules)
    assert found.deadwood == deadwood[0]
    return found


def _sets_of(choice: int, rank: int) -> list[list[int]]:
    """The natural cards of the sets that a choice of the kernel (`option_of`) stands for."""
    sets: list[list[int]] = [[] for _ in range(choice >> 8 & 3)]
    once, twice = choice & 15, choice >> 4 & 15
    for suits, copies in (twice, 2), (once & ~twice, 1):
        for suit in range(SUITS):
            if suits >> suit & 1:
                for cards in sorted(sets, key=len)[:copies]:  # the smaller sets
                    cards.append(RANKS * suit + rank)
    return [sorted(cards) for cards in sets]


_Ranks = dict[int, bool]
"""The ranks of a run in order, and whether a card or a joker has the place."""


def _runs_of_suit(counts: NDArray[np.int64], jokers: int, suit: int, runs: Runs, rules: Rules) -> list[_Ranks]:
    """Runs of three to five ranks that leave over what the table of the suit says."""
    digits, found = counts.tolist(), []
    stride, start, size = runs.stride[suit].tolist(), int(runs.start[suit]), int(runs.size[suit])

    def least(jokers: int) -> int:
        return int(runs.left[start + jokers * size + sum(map(mul, digits, stride))])

    while any(digits):
        rank = ACE if digits[ACE] else next(rank for rank in range(RANKS) if digits[rank])
        before = least(jokers)
        for window in rules.windows[rank].tolist():
            run = {rank: digits[rank] > 0 for rank in window if rank >= 0}
            needed = sum(not natural for natural in run.values())
            if not run or needed > jokers:
                continue
            for place, natural in run.items():
                digits[place] -= natural
            if least(jokers - needed) == before:
                jokers -= needed
                found.append(run)
                break
            for place, natural in run.items():
                digits[place] += natural
        else:
            digits[rank] -= 1
    return found


def _joined(pieces: list[_Ranks], ace: str) -> list[_Ranks]:
    """The pieces, joined where one continues another."""
    legal = set(runs_of(ace))
    for first, second in permutations(pieces, 2):
        if (*first, *second) in legal:
            rest = [piece for piece in pieces if piece is not first and piece is not second]
            return _joined([*rest, first | second], ace)
    return pieces
