"""Random playouts by the million: `simulate` adds them up. `foogo.playout.games` has each game by itself.

`foogo.playout.backends` has what plays them. docs/reference/playout.md defines the playout. Playout number i under a
seed is the same game on every machine, backend and number of threads. So ranges of numbers can be played apart and
their totals added.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole
from foogo.errors import ArgumentError
from foogo.game.geometry import BLACK, WHITE
from foogo.game.position import Position
from foogo.playout.backends import Engine, engine_for
from foogo.playout.policies import Policy, policy_of

Progress = Callable[[int, int], object]


@dataclass(frozen=True, eq=False)
class Playouts:
    """Totals of the playouts number `first` to ``first + n - 1`` from one position.

    Every field is an integer total, so two disjoint ranges of one run add up to the whole to the bit.

    Attributes
    ----------
    size
        Points on a side.
    n, cut
        Playouts, and how many of them were cut at 3*size*size moves.
    moves
        Stones placed, over all playouts; passes are not counted.
    scores
        (2*size*size + 1,) int64: playouts by score; index = score + size*size, Black minus White, before komi.
    seed, suicide, policy
        Of the run; the policy is None where it is uniform.
    position
        The digest of the start position, so that totals of different positions are not added.
    ranges
        The playout numbers covered, as sorted (first, end) pairs.
    """

    size: int
    n: int
    cut: int
    moves: int
    scores: NDArray[np.int64] = field(repr=False)
    seed: int
    suicide: bool
    policy: Policy | None
    position: bytes = field(repr=False)
    ranges: tuple[tuple[int, int], ...]

    @property
    def first(self) -> int:
        """The lowest playout number."""
        return self.ranges[0][0]

    @property
    def mean_score(self) -> float:
        """Black's mean lead in points, before komi; nan of no playouts."""
        return float(self.scores @ self._score_values() / self.n) if self.n else float("nan")

    @property
    def se_score(self) -> float:
        """The standard error of `mean_score`, in points; nan below two playouts."""
        if self.n < 2:
            return float("nan")
        squares = self.scores @ (self._score_values() - self.mean_score) ** 2
        return math.sqrt(squares / (self.n - 1) / self.n)

    @property
    def mean_moves(self) -> float:
        """Stones placed per playout; nan of no playouts."""
        return self.moves / self.n if self.n else float("nan")

    def win_share(self, komi: float = 0.0) -> float:
        """The share of playouts that Black wins when White is given `komi` points; a draw counts half.

        Examples
        --------
        >>> simulate(9, 1000, seed=1).win_share(0) > simulate(9, 1000, seed=1).win_share(7)
        True
        """
        if not self.n:
            return float("nan")
        lead = self._score_values() - komi
        return float(self.scores[lead > 0].sum() + self.scores[lead == 0].sum() / 2) / self.n

    def __add__(self, other: Playouts) -> Playouts:
        """The totals of both ranges.

        Raises
        ------
        ArgumentError
            If they are of different runs (position, seed, suicide, policy), or if their ranges overlap.
        """
        if not isinstance(other, Playouts):
            return NotImplemented
        if self._run() != other._run():
            raise ArgumentError(
                "playouts of different runs cannot be added: position, seed, suicide and policy must be equal"
            )
        return Playouts(
            self.size,
            self.n + other.n,
            self.cut + other.cut,
            self.moves + other.moves,
            self.scores + other.scores,
            self.seed,
            self.suicide,
            self.policy,
            self.position,
            _joined(self.ranges + other.ranges),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Playouts):
            return NotImplemented
        mine, theirs = ((p._run(), p.ranges, p.n, p.cut, p.moves) for p in (self, other))
        return mine == theirs and np.array_equal(self.scores, other.scores)

    __hash__ = None  # type: ignore[assignment]

    def _run(self) -> tuple[object, ...]:
        return self.size, self.position, self.seed, self.suicide, self.policy

    def _score_values(self) -> NDArray[np.float64]:
        area = self.size * self.size
        return np.arange(-area, area + 1, dtype=np.float64)


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during `simulate`.

    Attributes
    ----------
    playouts : Playouts
        What was finished: the first numbers of the range, without a gap. Go on from ``first + playouts.n``.
    """

    def __init__(self, playouts: Playouts, asked: int) -> None:
        super().__init__(f"interrupted after {playouts.n} of {asked} playouts")
        self.playouts = playouts


def simulate(
    board_or_size: Position | int,
    n: int,
    *,
    seed: int = 0,
    first: int = 0,
    suicide: bool = True,
    threads: int | None = None,
    backend: str = "auto",
    policy: str | Policy = "uniform",
    progress: Progress | None = None,
) -> Playouts:
    """Totals of `n` random playouts, numbers `first` to ``first + n - 1``.

    Parameters
    ----------
    board_or_size
        The start position (stones, player to move, ko point), or the size of an empty board with Black to move.
    n
        How many playouts, 0 or more.
    seed
        0 to 2**64 - 1. With `first` it fixes every game.
    first
        The first playout number; ``first + n`` must not exceed 2**63.
    suicide
        Whether a player may end a string of two or more own stones by filling its last liberty.
    threads
        How many cores to use; all that the process may use if None. Graphics cards are all used.
    backend
        "simd", "scalar", "strings", "cuda" for graphics cards, or "auto": a card for large runs if there is one and
        `threads` is None, else "simd" (see `foogo.playout.backends.resolve`). They agree to the bit.
    policy
        How moves are chosen: a name of `foogo.playout.policies.POLICIES`, or a `foogo.Policy`. The backend "strings"
        has only "uniform".
    progress
        Called from time to time with (playouts done, n).

    Returns
    -------
    Playouts

    Raises
    ------
    ArgumentError, SizeError
        If an argument is out of range; the message says what would be right.
    BackendError
        If there is no such backend, or it cannot play here.
    Interrupted
        On Ctrl-C, within a second, with what was finished.

    Examples
    --------
    >>> run = simulate(9, 20_000, seed=1)
    >>> 1.0 < run.mean_score < 4.0 and 111 < run.mean_moves < 113.5
    True
    >>> run == simulate(9, 5_000, seed=1) + simulate(9, 15_000, seed=1, first=5_000)
    True
    """
    count, start = whole("n", n, 0, 2**62), whole("first", first, 0, 2**63 - 1)
    if start + count > 2**63:
        raise ArgumentError(f"first + n is {start + count}: playout numbers end at {2**63 - 1}")
    key = whole("seed", seed, 0, 2**64 - 1)
    if threads is not None:
        whole("threads", threads, 1, 4096)
    rules = key, bool(suicide), policy_of(policy)
    run = _Run(engine_for(backend, board_or_size, count, threads, *rules), position_digest(board_or_size))
    tally = run.nothing(start)
    try:
        for part in _pieces(run, start, count, run.engine.workers(threads)):
            tally = tally + part if tally.n else part
            if progress is not None:
                progress(tally.n, count)
    except KeyboardInterrupt:
        raise Interrupted(tally, count) from None
    return tally


class _Run:
    """One run from one position, whose ranges of numbers the engine plays."""

    def __init__(self, engine: Engine, position: bytes) -> None:
        self.engine, self.position = engine, position

    def nothing(self, first: int) -> Playouts:
        return self._tally(first, 0, 0, 0, np.zeros(2 * self.engine.size**2 + 1, np.int64))

    def timed(self, first: int, count: int) -> tuple[Playouts, float]:
        began = time.perf_counter()
        cut, moves, scores = self.engine.play(first, count)
        return self._tally(first, count, cut, moves, scores), time.perf_counter() - began

    def next_size(self, size: int, seconds: float) -> int:
        """A piece size that takes about the time it should, at most four times the last."""
        engine = self.engine
        return int(max(engine.first_piece, min(4 * size, size * engine.piece_seconds / max(seconds, 1e-6))))

    def _tally(self, first: int, n: int, cut: int, moves: int, scores: NDArray[np.int64]) -> Playouts:
        engine, ranges = self.engine, ((first, first + n),)
        rules = engine.seed, engine.suicide, engine.policy
        return Playouts(engine.size, n, cut, moves, scores, *rules, self.position, ranges)


def _pieces(run: _Run, first: int, count: int, workers: int) -> Iterator[Playouts]:
    """The totals of consecutive pieces of the range, in order."""
    if workers == 1 or count <= 2 * run.engine.first_piece:
        done, size = 0, run.engine.first_piece
        while done < count:
            part, seconds = run.timed(first + done, min(size, count - done))
            size = run.next_size(size, seconds)
            done += part.n
            yield part
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from _parallel_pieces(run, first, count, workers, pool)


def _parallel_pieces(run: _Run, first: int, count: int, workers: int, pool: ThreadPoolExecutor) -> Iterator[Playouts]:
    waiting: list[Future[tuple[Playouts, float]]] = []
    given, size = 0, run.engine.first_piece
    try:
        while given < count or waiting:
            while given < count and sum(not f.done() for f in waiting) < workers:
                # towards the end in smaller pieces, so that no worker is left waiting for another
                piece = max(1, min(size, -(-(count - given) // workers)))
                waiting.append(pool.submit(run.timed, first + given, piece))
                given += piece
            wait([f for f in waiting if not f.done()] or waiting, return_when=FIRST_COMPLETED)
            while waiting and waiting[0].done():
                part, seconds = waiting.pop(0).result()
                size = run.next_size(part.n, seconds) if part.n >= size // 2 else size
                yield part
    except BaseException:
        for future in waiting:
            future.cancel()
        raise


def position_digest(board_or_size: Position | int) -> bytes:
    """Bytes that are equal for equal positions only: stones, player to move and ko.

    Examples
    --------
    >>> from foogo import Board
    >>> position_digest(Board(9)) == position_digest(9)
    True
    """
    if not isinstance(board_or_size, Position):
        return bytes(2 * -(-(board_or_size**2) // 8)) + _last_bytes(BLACK, None)
    stones = (board_or_size.stones(color).tobytes() for color in (BLACK, WHITE))
    return b"".join(stones) + _last_bytes(board_or_size.to_play, board_or_size.ko)


def _last_bytes(to_play: int, ko: int | None) -> bytes:
    return bytes([to_play]) + (-1 if ko is None else ko).to_bytes(2, "little", signed=True)


def _joined(ranges: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Sorted, touching ranges made one; an overlap is an error."""
    out: list[tuple[int, int]] = []
    for first, end in sorted(r for r in ranges if r[0] < r[1]):
        if out and first < out[-1][1]:
            raise ArgumentError(f"playouts {first} to {min(end, out[-1][1]) - 1} are in both: add disjoint ranges only")
        if out and first == out[-1][1]:
            out[-1] = (out[-1][0], end)
        else:
            out.append((first, end))
    return tuple(out) or ranges[:1]
