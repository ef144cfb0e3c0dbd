"""What the search is used for: the cards of one position, many deals, all twenty results of a deal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import check_progress, enough_memory, whole
from foogo.cards.bridge.kernels.layout import (
    ALL,
    LEVEL_WORDS,
    MOST_MOVES,
    NODE_WORDS,
    RANKS,
    SEATS,
    STATE_WORDS,
    SUITS,
    Memory,
)
from foogo.cards.bridge.kernels.solving import MOST_SLOT_BITS, solve_all, solve_cards
from foogo.cards.bridge.kernels.table import BLOCK_WORDS
from foogo.cards.bridge.positions import STRAINS, deal_of, deals_of, play, strain_of
from foogo.cards.card import CARDS, format_card, read_cards
from foogo.cards.deal.pbn import SEATS as SEAT_LETTERS
from foogo.cards.deal.pbn import Deals, seat_of
from foogo.core.cpu import worker_count

Progress = Callable[[int, int], object]
"""Called with what is done so far and the total."""

Tricks = NDArray[np.int64]

MOST_TABLE_MB = 1 << 16

CARDS_PER_PIECE = 1 << 10
"""Cards of the deals that a thread takes at a time; a piece has at least one deal."""


@dataclass(frozen=True)
class Solution:
    """What the seat to play can reach.

    Attributes
    ----------
    seat
        The seat to play, 0 (north) to 3 (west).
    tricks
        The tricks that its side wins from the current trick on.
    cards
        The same after each card that it may play: ``{card: tricks}``, the best first.
    """

    seat: int
    tricks: int
    cards: dict[int, int]

    def __str__(self) -> str:
        by_card = ", ".join(f"{format_card(card)} {tricks}" for card, tricks in self.cards.items())
        return f"{SEAT_LETTERS[self.seat]} to play, {self.tricks} trick{'s' * (self.tricks != 1)}: {by_card}"


def solve(
    deal: str | ArrayLike,
    trump: str | SupportsIndex,
    leader: str | SupportsIndex,
    *,
    played: str | Sequence[Any] = (),
    table_mb: SupportsIndex = 64,
) -> Solution:
    """How many tricks the side to play wins, and after which cards.

    Parameters
    ----------
    deal
        Masks of north, east, south, west, shape (4,), of equally many cards; or PBN, where hands may be short. The
        hands still have the cards of `played`.
    trump
        "C", "D", "H", "S", "NT", or 0 to 4; a suit also as "♠" or "spades".
    leader
        The seat that leads the first trick: "N", "E", "S", "W", or 0 to 3.
    played
        Cards played since, in order: text such as ``"4s Ks"``, or a list of cards.
    table_mb
        Megabytes of the search's table. The results do not depend on it.

    Returns
    -------
    Solution

    Raises
    ------
    ArgumentError, CardError
        If the strain, the seat or a card does not exist.
    DealError
        If the hands are not equally long, a card is in two hands, or a played card is not legal.

    Examples
    --------
    >>> ending = "N:AQ... .32.. K2... .54.."
    >>> print(solve(ending, "NT", "E"))
    E to play, 2 tricks: 2h 2, 3h 2
    >>> print(solve(ending, "NT", "S", played="2s 4h"))
    N to play, 2 tricks: Qs 2, As 2
    """
    strain = strain_of(trump)
    before = read_cards("played", played, copies=CARDS)  # `play` says whose card was played before
    position = play(deal_of(deal), strain, seat_of(leader), before)
    cards, turn = position.legal(), len(position.on_table)
    found = np.empty((1, len(cards)), np.int64)
    order = np.array([*position.on_table, *cards], np.int64)
    solve_cards(new_memory(table_mb), position.hands[np.newaxis], strain, position.leader, order, turn, found)
    by_card = dict(zip(cards, found[0].tolist(), strict=True))
    best = sorted(cards, key=lambda card: (-by_card[card], card))
    return Solution(position.seat, by_card[best[0]], {card: by_card[card] for card in best})


def tricks(
    deals: str | ArrayLike,
    trump: str | SupportsIndex,
    leader: str | SupportsIndex,
    *,
    threads: SupportsIndex | None = None,
    table_mb: SupportsIndex = 64,
    progress: Progress | None = None,
) -> Tricks:
    """The tricks of the leader's side in many deals, with one strain and leader.

    Parameters
    ----------
    deals
        Masks, shape (n, 4), such as `Dealer.deals` returns; or the text of a PBN file; or a list of deals
        in PBN. Hands may be short.
    trump, leader
        As in `solve`.
    threads
        Threads to use; all usable cores if None.
    table_mb
        Megabytes of each thread's table. The results do not depend on it.
    progress
        Called from time to time with (deals done, n).

    Returns
    -------
    array
        Shape (n,).

    Raises
    ------
    ArgumentError, CardError, DealError
        As in `solve`, with the number of the first wrong deal.

    Examples
    --------
    >>> from foogo.cards.deal import Dealer
    >>> tricks(Dealer(seed=1).deals(3), "S", "W")
    array([12,  4,  4])
    """
    strains, leaders = np.array([strain_of(trump)]), np.array([seat_of(leader)])
    return _solved(deals_of(deals), strains, leaders, threads, table_mb, progress)[:, 0, 0]


def table(deal: str | ArrayLike, *, table_mb: SupportsIndex = 64) -> Tricks:
    """The tricks of every declarer in every strain.

    Parameters
    ----------
    deal, table_mb
        As in `solve`.

    Returns
    -------
    array
        Shape (5, 4): strains clubs, diamonds, hearts, spades, no trumps by declarers north, east, south, west.

    Raises
    ------
    CardError, DealError
        As in `solve`.

    Examples
    --------
    >>> table("N:AQ... .32.. K2... .54..")
    array([[0, 0, 0, 0],
           [0, 0, 0, 0],
           [0, 2, 0, 2],
           [2, 0, 2, 0],
           [0, 0, 0, 0]])
    """
    only: Tricks = tables(deal_of(deal)[np.newaxis], threads=1, table_mb=table_mb)[0]
    return only


def tables(
    deals: str | ArrayLike,
    *,
    threads: SupportsIndex | None = None,
    table_mb: SupportsIndex = 64,
    progress: Progress | None = None,
) -> Tricks:
    """The `table` of each deal, shape (n, 5, 4).

    Parameters
    ----------
    deals, threads, table_mb, progress
        As in `tricks`.

    Raises
    ------
    ArgumentError, CardError, DealError
        As in `tricks`.

    Examples
    --------
    >>> from foogo.cards.deal import Dealer
    >>> tables(Dealer(seed=1).deals(2)).shape
    (2, 5, 4)
    """
    masks = deals_of(deals)
    # Opposite leaders first: their results differ little. Leader k + 1 plays against declarer k.
    found = _solved(masks, np.arange(len(STRAINS)), np.array([0, 2, 1, 3]), threads, table_mb, progress)
    lengths = np.array([int(mask).bit_count() for mask in masks[:, 0]], np.int64)
    return lengths[:, np.newaxis, np.newaxis] - found[:, :, [2, 1, 3, 0]]


def solve_each_card(
    deals: Deals,
    trump: int,
    leader: int,
    cards: Sequence[int],
    threads: SupportsIndex | None,
    progress: Progress | None,
) -> Tricks:
    """The tricks of the leader's side in each deal after each lead, shape (n, cards)."""
    found = np.empty((len(deals), len(cards)), np.int64)
    order = np.array(cards, np.int64)

    def run(memory: Memory, piece: slice) -> None:
        solve_cards(memory, deals[piece], trump, leader, order, 0, found[piece])

    _in_pieces(deals, run, threads, 64, progress)
    return found


def _solved(
    deals: Deals,
    strains: NDArray[np.intp],
    leaders: NDArray[np.intp],
    threads: SupportsIndex | None,
    table_mb: SupportsIndex,
    progress: Progress | None,
) -> Tricks:
    """The tricks of each leader's side in each strain, shape (n, strains, leaders)."""
    found = np.empty((len(deals), len(strains), len(leaders)), np.int64)
    trumps, seats = strains.astype(np.int64), leaders.astype(np.int64)

    def run(memory: Memory, piece: slice) -> None:
        solve_all(memory, deals[piece], trumps, seats, ALL, found[piece])

    _in_pieces(deals, run, threads, table_mb, progress)
    return found


def _in_pieces(
    deals: Deals,
    run: Callable[[Memory, slice], None],
    threads: SupportsIndex | None,
    table_mb: SupportsIndex,
    progress: Progress | None,
) -> None:
    """Call `run` with pieces of the deals in parallel, each time with a memory that no other thread uses."""
    workers = worker_count(threads)
    check_progress(progress)
    n = len(deals)
    longest = max((int(mask).bit_count() for mask in deals[:, 0]), default=1)
    size = max(1, CARDS_PER_PIECE // (4 * longest)) * (64 if longest <= 8 else 1)
    memories: SimpleQueue[Memory] = SimpleQueue()
    for _ in range(min(workers, -(-n // size))):
        memories.put(new_memory(table_mb))

    def work(first: int) -> int:
        memory = memories.get()
        try:
            run(memory, slice(first, min(first + size, n)))
        finally:
            memories.put(memory)
        return min(first + size, n)

    with ThreadPoolExecutor(workers) as pool:
        for done in pool.map(work, range(0, n, size)):
            if progress is not None:
                progress(done, n)


def new_memory(table_mb: SupportsIndex) -> Memory:
    """The memory of one thread, with a table of `table_mb` megabytes."""
    table_mb = whole("table_mb", table_mb, 1, MOST_TABLE_MB)
    size = table_mb << 20
    bits = min(MOST_SLOT_BITS, (size // 64).bit_length() - 1)
    with enough_memory("table_mb", table_mb):
        slots = np.zeros(2 << bits, np.int64)
        blocks = np.empty((size - slots.nbytes) // (8 * BLOCK_WORDS) * BLOCK_WORDS, np.int64)
    levels = RANKS + 1
    return Memory(
        slots,
        blocks,
        np.zeros(STATE_WORDS, np.int64),
        np.zeros(SUITS << RANKS, np.int32),
        np.zeros(SEATS * levels, np.int64),
        np.zeros(LEVEL_WORDS * levels, np.int64),
        np.zeros(NODE_WORDS * SEATS * levels, np.int64),
        np.zeros(MOST_MOVES * SEATS * levels, np.int64),
        _single_suits(),
    )


@cache
def _single_suits() -> NDArray[np.uint16]:
    """The table that `bench/single_suits.py` made."""
    with np.load(Path(__file__).with_name("single_suits.npz")) as stored:
        table: NDArray[np.uint16] = stored["table"]
    return table
