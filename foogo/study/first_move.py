"""First-move studies: what Black's first move is worth when both sides play at random, or by a playout policy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.arguments import whole_number
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.geometry import check_size, geometry
from foogo.playout.policies import policy_of
from foogo.playout.simulate import Interrupted, Playouts, position_digest, simulate
from foogo.playout.totals import Tally
from foogo.study.config import ANY, OPENING_STRIDE, PLAYOUT_POLICIES, RANDOM, Config
from foogo.study.run.runner import run_study
from foogo.study.store.store import Run, Store
from foogo.study.summary import USUAL_KOMIS, totals_as_dict

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Opening:
    """The playouts after one first move of Black.

    Attributes
    ----------
    vertex
        The first move that was played out, as "E5".
    points
        Every point that is the same up to the 8 symmetries, in point order; `vertex` names the first.
    playouts
        The totals of the games that go on from there; scores are Black minus White.
    """

    vertex: str
    points: tuple[int, ...]
    playouts: Playouts


@dataclass(frozen=True)
class FirstMove:
    """Playouts from the empty board, and after each first move if that was asked for.

    Attributes
    ----------
    size
        Points on a side.
    playouts
        Games from the empty board, the first move random as well.
    openings
        One for each class of symmetric points in order of the first point; empty unless asked for.
    policy
        How both sides played, a name of `foogo.study.config.PLAYOUT_POLICIES`.
    """

    size: int
    playouts: Playouts
    openings: tuple[Opening, ...] = ()
    policy: str = RANDOM

    def mean_scores(self) -> NDArray[np.float64]:
        """Black's mean score in points by first move, shape (size, size), row 0 at the bottom.

        Points that were not played out are NaN.
        """
        values = np.full(self.size * self.size, np.nan)
        for opening in self.openings:
            values[list(opening.points)] = opening.playouts.mean_score
        return values.reshape(self.size, self.size)

    def as_dict(self, komis: Sequence[float] = USUAL_KOMIS) -> dict[str, Any]:
        """Everything measured, of plain numbers, texts, lists and dicts, for JSON.

        Scores and komis are in points, shares are Black's, intervals are 95 %.
        """
        document: dict[str, Any] = {
            "size": self.size,
            "policy": self.policy,
            "suicide": self.playouts.suicide,
            "seed": self.playouts.seed,
        }
        document |= totals_as_dict(Tally.of(self.playouts), komis)
        if self.openings:
            vertex = geometry(self.size).vertex
            document["openings"] = [
                {"vertex": opening.vertex, "symmetric": [vertex(point) for point in opening.points]}
                | totals_as_dict(Tally.of(opening.playouts), komis)
                for opening in self.openings
            ]
        return document


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C during a study; `result` is what was measured until then (its last opening may be short)."""

    def __init__(self, result: FirstMove) -> None:
        super().__init__("the study was interrupted")
        self.result = result


def first_move(
    size: int,
    n: int,
    *,
    seed: int = 0,
    threads: int | None = None,
    suicide: bool = True,
    backend: str = "auto",
    by_point: bool = False,
    progress: Progress | None = None,
    store: Store | None = None,
    policy: str = RANDOM,
) -> FirstMove:
    """Black's advantage from moving first, as the totals of playouts.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    n
        Playouts from the empty board, and as many for each opening.
    seed
        The seed of the run. Opening point p uses the playout numbers from (p + 1) * `OPENING_STRIDE` on.
    threads
        Threads to use; all cores by default. The result does not depend on it.
    suicide
        Whether strings of two and more stones may take their own last liberty.
    backend
        The playout backend. The result does not depend on it.
    by_point
        Also play out each opening point; one of each class of symmetric points stands for all.
    progress
        Called with (playouts done, playouts in all) now and then.
    store
        Keep the totals there, play only what is missing, and report all that it has of this run. The backend is
        then the fastest.
    policy
        How both sides play: "random", or another playout policy such as "knowledge" (docs/reference/playout.md). Games
        by search, "search:N", are a study's: `foogo.study.runner.run_study`.

    Raises
    ------
    ArgumentError
        If a number is out of range or the policy is none of playouts; `SizeError` and `BackendError` likewise.
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
    size = check_size(size)
    count = whole_number(n)
    if count is None or not 1 <= count <= OPENING_STRIDE:
        raise ArgumentError(f"{n!r} playouts: a whole number from 1 to 2**40 is needed")
    config = Config(size, suicide=suicide, policy=policy, seed=seed)
    if config.simulations:
        names = ", ".join(PLAYOUT_POLICIES)
        raise ArgumentError(f"policy {policy!r} plays by search: use {names} here, and `foogo study run` for {policy}")
    if store is not None:
        return _stored(store, config, count, "classes" if by_point else "none", threads, progress)
    orbits = geometry(size).orbits if by_point else ()
    total = count * (1 + len(orbits))
    finished: list[Opening] = []
    whole: Playouts | None = None

    def played(start: Board | int, first: int, runs_done: int) -> Playouts:
        def tell(done: int, _: int) -> None:
            if progress is not None:
                progress(runs_done * count + done, total)

        return simulate(
            start,
            count,
            seed=seed,
            first=first,
            suicide=suicide,
            threads=threads,
            backend=backend,
            progress=tell if progress is not None else None,
            policy=PLAYOUT_POLICIES[policy],
        )

    orbit: tuple[int, ...] = ()
    try:
        whole = played(size, 0, 0)
        for orbit in orbits:
            start = Board(size)
            start.play(orbit[0])
            playouts = played(start, (orbit[0] + 1) * OPENING_STRIDE, 1 + len(finished))
            finished.append(Opening(geometry(size).vertex(orbit[0]), orbit, playouts))
    except Interrupted as stop:
        if whole is None:
            raise StudyInterrupted(FirstMove(size, stop.playouts, policy=policy)) from None
        if stop.playouts.n:
            finished.append(Opening(geometry(size).vertex(orbit[0]), orbit, stop.playouts))
        raise StudyInterrupted(FirstMove(size, whole, tuple(finished), policy)) from None
    return FirstMove(size, whole, tuple(finished), policy)


def _stored(
    store: Store, config: Config, n: int, openings: str, threads: int | None, progress: Progress | None
) -> FirstMove:
    """The same by way of a store."""
    run = store.ask(config, n=n, openings=openings)
    try:
        run_study(store, run, threads=threads, progress=progress)
    except KeyboardInterrupt:
        raise StudyInterrupted(_result(store, run, openings)) from None
    return _result(store, run, openings)


def _result(store: Store, run: Run, openings: str) -> FirstMove:
    """What a store has of a run from the empty board."""
    config = run.config

    def playouts(start: int) -> Playouts:
        tally, ranges = store.totals(run, start)
        first = config.first_number(start)
        numbers = tuple((first + low, first + end) for low, end in ranges) or ((first, first),)
        return Playouts(
            size=config.size,
            n=tally.n,
            cut=tally.cut,
            moves=tally.moves,
            scores=tally.scores,
            seed=config.seed,
            suicide=config.suicide,
            policy=policy_of(PLAYOUT_POLICIES[config.policy]),
            position=position_digest(config.board(start)),
            ranges=numbers,
        )

    orbits = config.classes if openings == "classes" else ()
    found = (Opening(config.name_of(orbit[0]), orbit, playouts(orbit[0])) for orbit in orbits)
    played = tuple(opening for opening in found if opening.playouts.n)
    return FirstMove(config.size, playouts(ANY), played, config.policy)
