"""Growing a book: which position is searched next, and what is kept of its search."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from typing import SupportsIndex

from foogo.arguments import is_number, positive, whole
from foogo.book.book import MOST_MOVES, SCORE, SHARE, Book, Entry, Stored, Value
from foogo.book.position_key import form_of, position_form
from foogo.errors import ArgumentError, IllegalMoveError
from foogo.game.game import Game
from foogo.game.geometry import PASS, check_size
from foogo.search.parameters import MAX_THREADS
from foogo.search.result import SearchResult
from foogo.search.search import Search

SIMULATIONS = 300_000
"""Simulations of each search by default."""

TURN_COST = 100
"""The cost of a turn, in the units of stored win shares: 1 %."""

Added = Callable[[int], object]
"""Called with the number of positions added so far."""


def grow(
    book: Book,
    size: SupportsIndex = 9,
    komi: float = 7.0,
    *,
    positions: SupportsIndex | None = None,
    seconds: float | None = None,
    simulations: SupportsIndex = SIMULATIONS,
    threads: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    added: Added = lambda _: None,
) -> int:
    """Search positions and add them to a book; returns how many.

    The next position is the one whose path from the start costs least. A turn costs 1 % of win share, and a move what
    its value is below that of the best move. So the best lines grow long, close alternatives of both players nearly as
    long, and a move that turns out bad is dropped for the next one.

    Parameters
    ----------
    book
        The book; it is changed.
    size, komi
        Of the positions; the komi is a multiple of half a point.
    positions, seconds
        Limits. A search that has begun is finished. Without limits it ends when no position is left.
    simulations, threads, seed
        Of each search, which makes at least 100 simulations. With one thread and without `seconds`, the book is the
        same each time.
    added
        Called after each position.

    Raises
    ------
    ArgumentError
        If a number is out of range, `book` is no `Book`, or `added` is not a function; the book is then unchanged.
    KeyboardInterrupt
        After Ctrl-C; the book has all finished positions.

    References
    ----------
    T. R. Lincke, Strategies for the automatic construction of opening books, Computers and Games 2000: drop-out
    expansion. P. Audouard et al., Grid coevolution for adaptive simulations: application to the building of opening
    books in the game of Go, EvoGames 2009: a book of Go whose positions are searched by Monte Carlo.
    """
    most = math.inf if positions is None else whole("positions", positions, 1, 2**31)
    end = math.inf if seconds is None else time.monotonic() + positive("seconds", seconds)
    whole("simulations", simulations, 100, 2**30)
    whole("threads", threads, 1, MAX_THREADS)
    whole("seed", seed, 0, 2**64 - 1)
    if not isinstance(book, Book):
        raise ArgumentError(f"book is {book!r}: give a foogo.book.Book, such as Book() or Book.read(path)")
    if not callable(added):
        raise ArgumentError(f"added is {added!r}: it must be a function of the number of positions added")
    size, komi = check_start(size, komi)
    start = Game(size, komi=komi)
    if (size, komi) not in book.starts:
        book.starts.append((size, komi))
    barred, count = set[tuple[int, int]](), 0
    while count < most and time.monotonic() < end:
        game = next_position(book, start, barred)
        if game is None:
            break
        result = Search(game, threads=threads, seed=seed).run(simulations)
        if result.interrupted:
            raise KeyboardInterrupt
        book.add(form_of(game).key, entry_of(game, result))
        count += 1
        added(count)
    return count


def check_start(size: SupportsIndex, komi: float) -> tuple[int, float]:
    """The size and komi of a book's empty board; an ArgumentError if a book cannot have them."""
    size = check_size(size)
    if not is_number(komi) or 2 * komi != round(2 * komi) or abs(komi) > size * size:
        raise ArgumentError(
            f"komi {komi!r} is not possible in a book of {size}x{size}: give a multiple of half a point from "
            f"-{size**2} to {size**2}"
        )
    return size, float(komi) + 0.0  # not -0.0, which would have other keys


def next_position(book: Book, start: Game, barred: set[tuple[int, int]]) -> Game | None:
    """The game to the position that `grow` searches next; None if nothing is left.

    A move that superko forbids on the path to it, a pair of keys, is `barred` from then on.
    """
    while True:
        game, costs = start.copy(), _costs(book, barred)
        try:
            while (form := form_of(game)).key in book.entries:
                cost, stored = min(_costs_of_moves(book, form.key, costs, barred))
                if cost == math.inf:
                    return None
                game.play(form.symmetries[0].tolist().index(stored.move))
        except IllegalMoveError:
            barred.add((form.key, stored.key))
        else:
            return game


def _costs(book: Book, barred: set[tuple[int, int]]) -> dict[int, float]:
    """The cost of the cheapest path from each position to one that is not in the book, or infinity."""
    costs: dict[int, float] = {}
    for key in sorted(book.entries, key=lambda key: -book.entries[key].turns):
        costs[key] = min(cost for cost, _ in _costs_of_moves(book, key, costs, barred))
    return costs


def _costs_of_moves(
    book: Book, key: int, costs: dict[int, float], barred: set[tuple[int, int]]
) -> Iterator[tuple[float, Stored]]:
    """The moves of a position, each with the cost of the cheapest path that begins with it."""
    best = book.values()[key].share
    for stored in book.entries[key].moves:
        is_closed = stored.move == PASS or (key, stored.key) in barred
        loss = best - book.value_of(stored).share
        yield math.inf if is_closed else TURN_COST + loss + costs.get(stored.key, 0), stored


def entry_of(game: Game, result: SearchResult) -> Entry:
    """What a book keeps of the search of a game's position: its best moves, symmetric ones once."""
    turns, form = len(game.turns), form_of(game)
    kept: dict[int, Stored] = {}
    for row, bound in zip(result.moves, result.lower_bounds.tolist(), strict=True):
        move = int(row["move"])
        board = game.board
        board.play(move)
        key = position_form(board, turns + 1, game.komi).key
        if row["visits"] and key not in kept:
            place = PASS if move == PASS else int(form.symmetries[0][move])
            kept[key] = Stored(place, Value(round(SHARE * bound), round(SCORE * float(row["score"]))), key)
        if len(kept) == MOST_MOVES:
            break
    return Entry(turns, result.simulations, tuple(kept.values()))
