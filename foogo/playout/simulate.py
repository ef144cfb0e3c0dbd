"""Random playouts by the million: `simulate` adds up their results.

`foogo.playout.games` returns each game separately; `foogo.playout.backends` plays them. docs/reference/playout.md
defines the playout. Playout number i under a seed is the same game on every machine, backend and number of threads.
So ranges of numbers can be played separately, and their totals added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import check_komi, check_progress, truth, whole
from foogo.core.compiling import working_clock
from foogo.core.cpu import MAX_WORKERS
from foogo.errors import ArgumentError, WithResults
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS, WHITE
from foogo.game.sized import size_for
from foogo.playout.backends import BackendRun, backend_run
from foogo.playout.number_ranges import NumberRange, intersection, union
from foogo.playout.policies import AnyPolicy, policy_name, policy_of
from foogo.playout.totals import Totals
from foogo.stats import estimates
from foogo.stats.estimates import Estimate
from foogo.tables import data_frame, html_table

if TYPE_CHECKING:
    from pandas import DataFrame

Progress = Callable[[int, int], object]


@dataclass(frozen=True, repr=False)
class Playouts:
    """Totals of the playouts number `first` to ``first + n - 1`` from one position.

    All totals are integers, so the totals of disjoint ranges of one run add up exactly.

    Attributes
    ----------
    size
        Points on a side.
    totals
        Playouts cut, stones placed, and playouts by score.
    seed, suicide
        Of the run.
    policy
        Its name, such as "uniform", or the `foogo.Policy` if it has none.
    position
        The digest of the start position, so that totals of different positions are not added.
    ranges
        The playout numbers covered, as sorted (first, end) pairs.
    """

    size: int
    totals: Totals
    seed: int
    suicide: bool
    policy: str | AnyPolicy
    position: bytes
    ranges: tuple[NumberRange, ...]

    @property
    def n(self) -> int:
        """The number of playouts."""
        return self.totals.n

    @property
    def cut(self) -> int:
        """Playouts cut at 3*size*size moves."""
        return self.totals.cut

    @property
    def moves(self) -> int:
        """Stones placed, over all playouts; passes are not counted."""
        return self.totals.moves

    @property
    def scores(self) -> NDArray[np.int64]:
        """Playouts by score, (2*size*size + 1,), read-only.

        Index = score + size*size, Black minus White, before komi.
        """
        return self.totals.scores

    @property
    def first(self) -> int:
        """The lowest playout number."""
        return self.ranges[0][0]

    @property
    def mean_score(self) -> float:
        """Black's mean lead in points, before komi; NaN if there are no playouts."""
        return estimates.mean_score(self.scores).value if self.n else float("nan")

    @property
    def se_score(self) -> float:
        """The standard error of `mean_score`, in points; NaN for fewer than two playouts."""
        return estimates.standard_error(self.scores)

    @property
    def mean_moves(self) -> float:
        """Stones placed per playout; NaN if there are no playouts."""
        return self.moves / self.n if self.n else float("nan")

    def win_share(self, komi: float = 0.0) -> float:
        """The share of playouts that Black wins when White is given `komi` points; a draw counts half.

        Examples
        --------
        >>> simulate(9, 1000, seed=1).win_share(0) > simulate(9, 1000, seed=1).win_share(7)
        True
        """
        check_komi(komi)
        return estimates.win_share(self.scores, komi).value if self.n else float("nan")

    def win_interval(self, komi: float = 0.0) -> Estimate:
        """`win_share` with its 95 % Wilson interval: `value`, `low` and `high`, from 0 to 1.

        An ArgumentError is raised if there are no playouts.

        Examples
        --------
        >>> share = simulate(9, 1000, seed=1).win_interval(7)
        >>> share.low < share.value < share.high
        True
        """
        return estimates.win_share(self.scores, komi)

    def fair_komi(self) -> Estimate:
        """The komi, in points, at which Black wins half of the playouts, with its 95 % interval.

        An ArgumentError is raised if there are no playouts. `foogo.stats.estimates.fair_komi` defines it.

        Examples
        --------
        >>> komi = simulate(9, 20_000, seed=1).fair_komi()
        >>> komi.low < komi.value < komi.high
        True
        """
        return estimates.fair_komi(self.scores)

    def to_frame(self) -> DataFrame:
        """The playouts by score as a pandas DataFrame, with the columns `score` and `playouts`.

        A MissingPackageError is raised if pandas is not installed.
        """
        return data_frame({"score": estimates.points(self.scores), "playouts": self.scores})

    def __add__(self, other: Playouts) -> Playouts:
        """The totals of both ranges.

        Raises
        ------
        ArgumentError
            If they are of different runs (position, seed, suicide, policy), or if their ranges overlap.
        """
        if not isinstance(other, Playouts):
            return NotImplemented
        run, others = ((p.size, p.seed, p.suicide, p.policy, p.position) for p in (self, other))
        if run != others:
            raise ArgumentError(
                "playouts of different runs cannot be added: position, seed, suicide and policy must be equal"
            )
        for first, end in intersection(self.ranges, other.ranges):
            raise ArgumentError(f"playouts {first} to {end - 1} are in both: add disjoint ranges only")
        ranges = tuple(union(self.ranges + other.ranges)) or self.ranges
        return replace(self, totals=self.totals + other.totals, ranges=ranges)

    def __radd__(self, other: object) -> Playouts:
        """The same totals: `sum` starts from 0."""
        return self if other == 0 else NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return "\n".join([self._title, *(f"{label + ':':20}{value}" for label, value in self._rows())])

    def _repr_html_(self) -> str:
        return html_table(self._title, [], self._rows())

    @property
    def _title(self) -> str:
        plural = "" if self.n == 1 else "s"
        return f"{self.n:,} playout{plural} on {self.size}x{self.size}, {self.policy}, seed {self.seed}"

    def _rows(self) -> list[tuple[str, str]]:
        """What to show of the playouts, with labels; nothing if there are none."""
        if not self.n:
            return []
        wins = self.win_interval().in_percent()
        return [
            ("Black's mean score", f"{estimates.mean_score(self.scores).plus_minus()} points"),
            ("Black wins", f"{wins.between()} % at komi 0"),
            ("fair komi", f"{self.fair_komi().between()} points"),
            ("moves per playout", f"{self.mean_moves:.1f}"),
        ]

    def __repr__(self) -> str:
        names = ("size", "n", "cut", "moves", "seed", "suicide", "policy", "ranges")
        return f"Playouts({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class Interrupted(WithResults, KeyboardInterrupt):
    """Ctrl-C during `simulate`.

    Attributes
    ----------
    playouts : Playouts
        The finished playouts: the first numbers of the range, without a gap. Continue from ``first + playouts.n``.
    """

    def __init__(self, playouts: Playouts, asked: int) -> None:
        super().__init__(f"interrupted after {playouts.n} of {asked} playouts")
        self.playouts = playouts


def simulate(
    board_or_size: Board | Game | SupportsIndex,
    n: SupportsIndex,
    *,
    seed: SupportsIndex = 0,
    first: SupportsIndex = 0,
    suicide: bool | None = None,
    threads: SupportsIndex | None = None,
    backend: str = "auto",
    policy: str | AnyPolicy | None = "uniform",
    progress: Progress | None = None,
) -> Playouts:
    """Totals of `n` random playouts, numbers `first` to ``first + n - 1``.

    Parameters
    ----------
    board_or_size
        The start position: its stones, player to move and ko point. A game stands for its position, and a size for the
        empty board with Black to move.
    n
        The number of playouts, 0 or more.
    seed
        0 to 2**64 - 1. With `first` it fixes every game.
    first
        The first playout number; ``first + n`` must not exceed 2**63.
    suicide
        Whether suicide of two or more stones is allowed. If None, as the rules of the game say; without a game, it is.
    threads
        Cores to use; all that the process may use if None. The backend "cuda" always uses every GPU.
    backend
        "simd", "scalar", "strings", "cuda" for GPUs, or "auto": a GPU for large runs without `threads` if there is one,
        else "simd" (see `foogo.playout.backends.resolve`). All agree to the bit.
    policy
        How moves are chosen: a name of `foogo.playout.policies.POLICIES`, a `foogo.Policy`, a policy that
        `foogo.playout_policy` made, or None for uniform. The backend "strings" plays only "uniform".
    progress
        Called from time to time with (playouts done, n).

    Returns
    -------
    Playouts

    Raises
    ------
    ArgumentError, SizeError
        If an argument is out of range.
    BackendError
        If there is no such backend, or it cannot play here.
    Interrupted
        On Ctrl-C, within a second or at the end of a compilation, with the playouts finished until then.

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
        threads = whole("threads", threads, 1, MAX_WORKERS)
    start_from, may_suicide = start_of(board_or_size, suicide)
    check_progress(progress)
    rules = key, may_suicide, policy_of(policy)
    run, position = backend_run(backend, start_from, count, threads, *rules), position_digest(start_from, policy)
    totals = Totals.of_none(run.size)

    def playouts() -> Playouts:
        numbers = ((start, start + totals.n),)
        return Playouts(run.size, totals, key, may_suicide, policy_name(policy), position, numbers)

    try:
        for part in _pieces(run, start, count, run.workers(threads)):
            totals += part
            if progress is not None:
                progress(totals.n, count)
    except KeyboardInterrupt:
        raise Interrupted(playouts(), count) from None
    return playouts()


def start_of(board_or_size: Board | Game | SupportsIndex, suicide: bool | None) -> tuple[Board | int, bool]:
    """The start position, or the size of an empty board, and whether suicide is allowed, as for `simulate`."""
    if suicide is None:
        suicide = not isinstance(board_or_size, Game) or board_or_size.rules.suicide
    start = board_or_size.board if isinstance(board_or_size, Game) else board_or_size
    return start if isinstance(start, Board) else size_for(start), truth("suicide", suicide)


def _pieces(run: BackendRun, first: int, count: int, workers: int) -> Iterator[Totals]:
    """The totals of consecutive pieces of the range, in order."""
    if workers == 1 or count <= 2 * run.first_piece:
        done, size = 0, run.first_piece
        while done < count:
            piece = min(size, count - done)
            part, seconds = _timed(run, first + done, piece)
            size = _next_size(run, size, seconds)
            done += piece
            yield part
        return
    with ThreadPoolExecutor(workers) as pool:
        yield from _parallel_pieces(run, first, count, workers, pool)


def _parallel_pieces(
    run: BackendRun, first: int, count: int, workers: int, pool: ThreadPoolExecutor
) -> Iterator[Totals]:
    waiting: list[Future[tuple[Totals, float]]] = []
    submitted, size = 0, run.first_piece
    try:
        while submitted < count or waiting:
            while submitted < count and sum(not f.done() for f in waiting) < workers:
                # smaller pieces towards the end, so that all workers finish at about the same time
                piece = max(1, min(size, -(-(count - submitted) // workers)))
                waiting.append(pool.submit(_timed, run, first + submitted, piece))
                submitted += piece
            wait([f for f in waiting if not f.done()] or waiting, return_when=FIRST_COMPLETED)
            while waiting and waiting[0].done():
                part, seconds = waiting.pop(0).result()
                size = _next_size(run, part.n, seconds) if part.n >= size // 2 else size
                yield part
    except BaseException:
        for future in waiting:
            future.cancel()
        raise


def _timed(run: BackendRun, first: int, count: int) -> tuple[Totals, float]:
    began = working_clock()
    return run.play(first, count), working_clock() - began


def _next_size(run: BackendRun, size: int, seconds: float) -> int:
    """A piece size that should take about `piece_seconds`, at most four times the last size."""
    return int(max(run.first_piece, min(4 * size, size * run.piece_seconds / max(seconds, 1e-6))))


def position_digest(board_or_size: Board | int, policy: str | AnyPolicy | None) -> bytes:
    """A digest of what playouts depend on: the stones, the player to move, the ko, and with a policy the last move.

    Examples
    --------
    >>> from foogo import Board
    >>> position_digest(Board(9), "uniform") == position_digest(9, None)
    True
    """
    board = board_or_size if isinstance(board_or_size, Board) else Board(board_or_size)
    points = [board.ko] if policy_of(policy) is None else [board.ko, board.last_move]
    sets = [board.stones(color).tobytes() for color in (BLACK, WHITE)]
    numbers = ((PASS if point is None else point).to_bytes(2, "little", signed=True) for point in points)
    return b"".join([*sets, bytes([board.to_play]), *numbers])
