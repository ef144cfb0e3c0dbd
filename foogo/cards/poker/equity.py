"""Equity: each hand's share of the pot when all unknown cards are dealt at random and nobody folds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import check_progress, is_boolean, positive, whole
from foogo.cards.poker.kernels.showdowns import TRIALS, Situation, enumerate_deals, sample_deals
from foogo.cards.poker.situation import sampled_situation, situation_of, text_of, texts_of
from foogo.cards.poker.starts import MOST_STARTS, Starts, count_deals, count_starts, starts_of
from foogo.cards.poker.tables import rank_tables
from foogo.core.cpu import worker_count
from foogo.errors import ArgumentError
from foogo.stats.estimates import SMALLEST_ERROR, Estimate, wilson
from foogo.stats.percent import percent

Progress = Callable[[int, int], object]
"""Called with the deals so far and the total, which is an estimate while a sample grows."""

EXACT_RANKS = 2**26
"""The most hands that are ranked before a sample is taken instead: well under a second on one core."""

MOST_FORCED_STARTS = 2**24
"""The most starts of a result that is demanded to be exact; more do not fit into memory."""

FIRST_ROUND = 16
"""Blocks of `TRIALS` trials in the first round of a sample."""

BLOCKS_PER_TASK = 4

MOST_TRIALS_PER_DEAL = 2**22
"""A sample is given up if it needs more trials for a deal; on one core, these take about 0.2 seconds."""

Totals = NDArray[np.int64]
"""Shape (players, players): the deals in which player `p` has the best hand together with `k` others."""


@dataclass(frozen=True)
class Equity:
    """What each hand wins, in the order of the hands."""

    hands: tuple[str, ...]
    shares: tuple[Estimate, ...]
    """The share of the pot, 0 to 1, with its 95 % interval; tied hands share evenly."""
    wins: tuple[float, ...]
    """The share of the deals that each hand wins alone."""
    ties: tuple[float, ...]
    """The share of the deals in which each hand ties for the best."""
    deals: int
    """The number of deals."""
    exact: bool
    """Whether these are all possible deals. The intervals then have no length."""

    def __str__(self) -> str:
        rows = zip(self.hands, self.shares, self.wins, self.ties, strict=True)
        lines = [
            f"{hand or 'five new cards'}: {share.in_percent().plus_minus()} % of the pot; alone {percent(win, 2)}, "
            f"tied {percent(tie, 2)}"
            for hand, share, win, tie in rows
        ]
        return "\n".join([*lines, f"{'all' if self.exact else 'a sample of'} {self.deals:,} deals"])

    def as_dict(self) -> dict[str, Any]:
        """The result as a document for JSON."""
        rows = zip(self.hands, self.shares, self.wins, self.ties, strict=True)
        hands = [{"hand": hand, "equity": share.as_dict(), "win": win, "tie": tie} for hand, share, win, tie in rows]
        return {"hands": hands, "deals": self.deals, "exact": self.exact}


def equity(
    hands: Sequence[str | Sequence[Any]],
    *,
    board: str | Sequence[Any] = "",
    dead: str | Sequence[Any] = "",
    game: str = "holdem",
    exact: bool | None = None,
    error: float = 0.0005,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    progress: Progress | None = None,
) -> Equity:
    """Each hand's share of the pot at a showdown.

    Parameters
    ----------
    hands
        A text or a list of cards per player. In hold'em a range such as ``"AsKs"`` or ``"AKs, TT+"`` (see
        `parse_range`): all deals of the ranges without a common card are equally likely. In five-card draw the cards
        that the player keeps, none to five; the player draws the rest.
    board
        The known cards of the board, none to five, in hold'em: a text or a list of cards.
    dead
        Cards out of play, such as discards, likewise.
    game
        ``"holdem"`` or ``"draw"``.
    exact
        True to play all deals, False to sample them, None to play all of them if that takes less than a second.
    error
        The standard error of each share at which a sample ends, at least 1e-6.
    seed
        Seed of a sample, 0 to 2**64 - 1. The same seed gives the same result, with any number of threads.
    threads
        All cores if None.
    progress
        Called from time to time with the number of deals and the total.

    Returns
    -------
    Equity
        A sample has Wilson intervals.

    Raises
    ------
    ArgumentError
        If an argument is out of range, a range is empty, the hands cannot be dealt from one deck, or nearly all random
        deals of the ranges have a card twice.
    CardError
        If a text is not a card or a range, a card occurs twice, or there are too many cards.

    Examples
    --------
    >>> result = equity(["AsAh", "KdKc"], board="2s 3s 4d")
    >>> result.exact, result.deals, round(result.shares[0].value, 4)
    (True, 990, 0.9197)
    >>> equity(["Ks Kh Kd", "2c 3c 4c 5c"], game="draw", dead="9h 9d Th").deals
    34440
    """
    names = texts_of(hands)
    situation = situation_of(names, text_of("board", board), text_of("dead", dead), game)
    key = whole("seed", seed, 0, 2**64 - 1)
    workers = worker_count(threads)
    check_progress(progress)
    goal = positive("error", error)
    if goal < SMALLEST_ERROR:
        raise ArgumentError(f"error is {error!r}: it must be at least {SMALLEST_ERROR:g}")
    if exact is not None and not is_boolean(exact):
        raise ArgumentError(f"exact is {exact!r}: it must be True, False or None")
    exact = None if exact is None else bool(exact)
    starts = None if exact is False else _starts(situation, exact is True)
    if starts is None:
        totals = _sample(situation, goal, key, workers, progress)
    else:
        totals = _enumerate(situation, starts, workers, progress)
    deals = _deals(totals)
    shares = (_pots(totals) / deals).tolist()
    estimates = [
        wilson(min(share, 1.0) * deals, deals) if starts is None else Estimate(share, share, share) for share in shares
    ]
    ties = totals[:, 1:].sum(axis=1) / deals
    wins = totals[:, 0] / deals
    return Equity(names, tuple(estimates), tuple(wins.tolist()), tuple(ties.tolist()), deals, starts is not None)


def _pots(totals: Totals) -> NDArray[np.float64]:
    """The pots that each player wins, of one per deal."""
    pots: NDArray[np.float64] = (totals / np.arange(1, len(totals) + 1)).sum(axis=1)
    return pots


def _deals(totals: Totals) -> int:
    """The number of showdowns. One with k tied winners is counted k times in column k - 1."""
    return int((totals.sum(axis=0) // np.arange(1, len(totals) + 1)).sum())


def _starts(situation: Situation, forced: bool) -> Starts | None:
    """The starts of all deals, or None if a sample is to be taken."""
    most, ranks = count_starts(situation), count_deals(situation) * len(situation.draws)
    if forced:
        if most > MOST_FORCED_STARTS:
            raise ArgumentError(
                f"exact is True, but the hands can be dealt in up to {most:,} ways: sample them instead"
            )
        return starts_of(situation)
    if most > MOST_STARTS or most * ranks > 24 * EXACT_RANKS:  # there are 24 exchanges of suits
        return None
    starts = starts_of(situation)
    return starts if len(starts.weights) * ranks <= EXACT_RANKS else None


def _hand_size(situation: Situation) -> int:
    return 7 if situation.missing or situation.board else 5


def _enumerate(situation: Situation, starts: Starts, workers: int, progress: Progress | None) -> Totals:
    players, each = len(situation.draws), count_deals(situation)
    tables, size = rank_tables(_hand_size(situation)), max(1, EXACT_RANKS // 16 // (each * players))

    def task(first: int) -> Totals:
        totals = np.zeros((players, players), np.int64)
        rows = slice(first, first + size)
        hands, weights = starts.hands[rows], starts.weights[rows]
        enumerate_deals(tables, hands, weights, starts.receives, starts.missing, situation.dead, totals)
        return totals

    sums, total = np.zeros((players, players), np.int64), int(starts.weights.sum()) * each
    for part in _in_threads(task, range(0, len(starts.weights), size), workers):
        sums += part
        if progress is not None:
            progress(_deals(sums), total)
    return sums


def _sample(situation: Situation, goal: float, seed: int, workers: int, progress: Progress | None) -> Totals:
    """Rounds of trials, each at most as long as all before it, until every share has the standard error `goal`.

    The rounds depend on the totals alone, so the result does not depend on the threads.
    """
    players, tables, drawn = len(situation.draws), rank_tables(_hand_size(situation)), sampled_situation(situation)

    def task(blocks: range) -> Totals:
        totals = np.zeros((players, players), np.int64)
        for block in blocks:
            sample_deals(tables, drawn, np.uint64(seed), np.uint64(block), totals)
        return totals

    fewest = ceil(2 / goal)  # a share that is 0 in n deals is below 3 / n (95 %), its standard error below 2 / n
    sums, played, needed = np.zeros((players, players), np.int64), 0, fewest
    while (deals := _deals(sums)) < needed:
        if played * TRIALS >= (deals + 4) * MOST_TRIALS_PER_DEAL:
            raise ArgumentError(
                f"{deals:,} of {played * TRIALS:,} random deals of the ranges have no card twice: give fewer hands, or "
                "ranges with fewer common cards"
            )
        rest = ceil((needed - deals) * played / deals) if deals else played
        blocks = range(played, played + (min(max(rest, 1), played) or FIRST_ROUND))
        tasks = [blocks[first : first + BLOCKS_PER_TASK] for first in range(0, len(blocks), BLOCKS_PER_TASK)]
        for part in _in_threads(task, tasks, workers):
            sums += part
            if progress is not None and played:
                progress(min(_deals(sums), needed), needed)
        played = blocks.stop
        shares = _pots(sums) / max(_deals(sums), 1)
        needed = max(fewest, ceil(float((shares * (1 - shares)).max()) / goal / goal))
    if progress is not None:
        progress(_deals(sums), _deals(sums))
    return sums


def _in_threads(task: Callable[[Any], Totals], arguments: Iterable[Any], workers: int) -> Iterator[Totals]:
    """The results of the tasks in order; after an error or an interruption, no further task starts."""
    pool = ThreadPoolExecutor(workers)
    try:
        yield from pool.map(task, arguments)
    finally:
        pool.shutdown(cancel_futures=True)
