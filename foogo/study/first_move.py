"""First-move studies: the value of Black's first move when both sides play at random or by a playout policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import check_progress, truth, whole, whole_number
from foogo.errors import ArgumentError, WithResults
from foogo.game.geometry import check_size
from foogo.playout.number_ranges import union
from foogo.playout.policies import POLICY_CHOICES, UNIFORM, AnyPolicy, Policy, policy_name
from foogo.playout.simulate import Interrupted, Playouts, position_digest
from foogo.playout.written.policy import PlayoutPolicy
from foogo.stats.estimates import mean_score
from foogo.study.config import ANY, OPENING_STRIDE, USUAL_KOMIS, Config, check_komis
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import playouts
from foogo.study.run.workers import Workers, own_workers
from foogo.study.store.store import Store
from foogo.study.summary import Summary, estimate_cells, estimate_columns, totals_as_dict
from foogo.tables import html_table

if TYPE_CHECKING:
    from pandas import DataFrame

HTML_KOMIS = (0.0, 7.0)
"""The komis of the table in a notebook, in points."""

Progress = Callable[[int, int], object]


@dataclass(frozen=True)
class Opening:
    """The playouts after one first move of Black, `vertex`, which stands for all `points` that are symmetric to it."""

    vertex: str
    points: tuple[int, ...]
    playouts: Playouts


@dataclass(frozen=True, repr=False)
class FirstMove:
    """Playouts from the empty board, and after each first move if requested."""

    summary: Summary

    @property
    def size(self) -> int:
        """Points on a side."""
        return self.summary.config.size

    @property
    def policy(self) -> str:
        """The policy of both sides, such as "uniform"."""
        return self.summary.config.policy

    @cached_property
    def playouts(self) -> Playouts:
        """Games from the empty board, with the first move chosen by the policy too."""
        return self._playouts(ANY)

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        """One opening per class of symmetric points, in order of the first point; empty unless requested."""
        rows = self.summary.opening_rows()
        return tuple(Opening(vertex, tuple(points), self._playouts(points[0])) for vertex, points, _ in rows)

    def _playouts(self, start: int) -> Playouts:
        config = self.summary.config
        (totals, ranges), first = self.summary.played[start], config.first_number(start)
        policy = policy_name(config.policy)
        digest = position_digest(config.playout_start(start), policy)
        numbers = tuple((first + low, first + end) for low, end in ranges) or ((first, first),)
        return Playouts(config.size, totals, config.seed, config.suicide, policy, digest, numbers)

    def mean_scores(self) -> NDArray[np.float64]:
        """Black's mean score by first move, shape (size, size), row 0 at the bottom; NaN if not played out."""
        return self.summary.mean_scores()

    def as_dict(self, komis: Sequence[float] = USUAL_KOMIS) -> dict[str, Any]:
        """All totals and estimates as plain numbers, texts, lists and dicts, for JSON.

        Scores and komis are in points, shares are Black's, intervals are 95 %.
        """
        config, rows, komis = self.summary.config, self.summary.opening_rows(), check_komis(komis)
        document: dict[str, Any] = {name: getattr(config, name) for name in ("size", "policy", "suicide", "seed")}
        document |= totals_as_dict(self.summary.whole, komis)
        if rows:
            document["openings"] = [
                {"vertex": vertex, "symmetric": [config.name_of(point) for point in points]}
                | totals_as_dict(totals, komis)
                for vertex, points, totals in rows
            ]
        return document

    def to_frame(self, komis: Sequence[float] = USUAL_KOMIS) -> DataFrame:
        """A pandas DataFrame with a row for the games without a fixed first move and for each opening.

        The columns are as for `foogo.study.summary.Summary.to_frame`.
        """
        return self.summary.to_frame(komis)

    def __str__(self) -> str:
        lines = [self.summary.config.describe()]
        if self.summary.whole.n:
            score, komi = estimate_cells(self.summary.whole, ())
            lines.append(f"any first move: {score} points for Black, fair komi {komi}")
        ranked = sorted(self.summary.opening_rows(), key=lambda row: -mean_score(row[2].scores).value)
        for label, rows in ("best", ranked[:1]), ("worst", ranked[1:][-1:]):
            lines += [
                f"{label} first move: {name}, {mean_score(row.scores).plus_minus()} points" for name, _, row in rows
            ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(name, f"{row.n:,}", *estimate_cells(row, HTML_KOMIS)) for name, _, row in self.summary.rows()]
        header = ("first move", "playouts", *estimate_columns(HTML_KOMIS))
        return html_table(self.summary.config.describe(), header, rows)

    def __repr__(self) -> str:
        openings = f", {len(self.summary.opening_rows())} openings" if self.summary.opening_rows() else ""
        return f"<FirstMove {self.summary.config.describe()}: {self.summary.whole.n:,} playouts{openings}>"


class StudyInterrupted(WithResults, KeyboardInterrupt):
    """Ctrl-C during `first_move`.

    Attributes
    ----------
    result : FirstMove
        The games finished until then; its last opening may be short.
    """

    def __init__(self, result: FirstMove) -> None:
        super().__init__("the study was interrupted")
        self.result = result


def first_move(
    size: SupportsIndex,
    n: SupportsIndex,
    *,
    seed: SupportsIndex = 0,
    threads: SupportsIndex | None = None,
    suicide: bool = True,
    backend: str = "auto",
    by_point: bool = False,
    progress: Progress | None = None,
    store: Store | None = None,
    policy: str | AnyPolicy | None = UNIFORM,
) -> FirstMove:
    """Black's advantage from moving first, as the totals of playouts.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    n
        Playouts from the empty board, and after each opening.
    seed
        The seed of the run. Opening point p uses the playout numbers from (p + 1) * `OPENING_STRIDE` on.
    threads
        Threads to use; all cores by default. The result does not depend on it.
    suicide
        Whether strings of two or more stones may take their own last liberty.
    backend
        As for `simulate`. The result does not depend on it.
    by_point
        Also play out each opening point; one of each class of symmetric points stands for all.
    progress
        Called with (playouts done, playouts in all) now and then.
    store
        Keep the totals there, play only what is missing, and report all its games of this run. `backend` must be
        "auto", the processor, or "cuda".
    policy
        How both sides play: "uniform" (also as "random" or None), another playout policy such as "knowledge"
        (docs/reference/playout.md), or a policy that `foogo.playout_policy` made. For games by search, "search:N", use
        `foogo study run`.

    Raises
    ------
    ArgumentError
        If a number is out of range or the policy is not a playout policy; `SizeError` and `BackendError` likewise.
    StudyInterrupted
        On Ctrl-C, with the result so far.
    StoreError
        If the store cannot be added to.

    Examples
    --------
    >>> result = first_move(3, 2000, seed=1, by_point=True)
    >>> [opening.vertex for opening in result.openings]
    ['A1', 'B1', 'B2']
    >>> result.openings[2].playouts.mean_score > result.openings[0].playouts.mean_score
    True
    """
    config, count = checked(size, n, seed, suicide, policy)
    check_progress(progress)
    openings = "classes" if truth("by_point", by_point) else "none"
    if store is not None:
        if not isinstance(store, Store):
            raise ArgumentError(f"store is {store!r}: give a foogo.study.store.store.Store")
        return _stored(store, config, count, openings, own_workers(backend, threads), progress)
    starts = config.starts(openings)
    found: dict[int, Playouts] = {}

    def tell(done: int, _: int) -> None:
        if progress is not None:
            progress(len(found) * count + done, len(starts) * count)

    try:
        for start in starts:
            found[start] = playouts(config, start, 0, count, threads=threads, backend=backend, progress=tell)
    except Interrupted as stop:
        found[start] = stop.playouts
        raise StudyInterrupted(_result(config, found)) from None
    return _result(config, found)


def checked(
    size: SupportsIndex, n: SupportsIndex, seed: SupportsIndex, suicide: bool, policy: str | AnyPolicy | None
) -> tuple[Config, int]:
    """The configuration and the playouts of these arguments of `first_move`; errors as there."""
    size = check_size(size)
    count = whole_number(n)
    if count is None or not 1 <= count <= OPENING_STRIDE:
        raise ArgumentError(f"playouts is {n!r}: it must be a whole number from 1 to 2**40")
    config = Config(
        size, suicide=truth("suicide", suicide), policy=_name(policy), seed=whole("seed", seed, 0, 2**64 - 1)
    )
    if config.simulations:
        raise ArgumentError(
            f"policy {policy!r} plays by search: use {POLICY_CHOICES} here, and `foogo study run` for {policy}"
        )
    return config, count


def _name(policy: str | AnyPolicy | None) -> str:
    """What studies call a policy."""
    if isinstance(policy, str) and policy.startswith("search:"):
        return policy
    name = policy_name(policy)
    if isinstance(name, Policy):
        raise ArgumentError(
            f"{name} has no name, by which studies know policies: use {POLICY_CHOICES}, or one of foogo.playout_policy"
        )
    return name.label if isinstance(name, PlayoutPolicy) else name


def _result(config: Config, found: dict[int, Playouts]) -> FirstMove:
    played = {}
    for start, one in found.items():
        number = config.first_number(start)
        played[start] = one.totals, union((first - number, end - number) for first, end in one.ranges)
    return FirstMove(Summary(config, played))


def _stored(
    store: Store, config: Config, n: int, openings: str, workers: Workers, progress: Progress | None
) -> FirstMove:
    """The same with a store: play only what is missing."""
    run = store.ask(config, n=n, openings=openings)

    def result() -> FirstMove:
        return FirstMove(Summary(config, {start: store.totals(run, start) for start in config.starts(openings)}))

    try:
        with workers:
            run_study(store, run, workers=workers, progress=progress)
    except KeyboardInterrupt:
        raise StudyInterrupted(result()) from None
    return result()
