"""First-move studies: what Black's first move is worth when both sides play at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.board import Board
from foogo.errors import ArgumentError
from foogo.geometry import check_size, geometry
from foogo.playouts import Interrupted, Playouts, simulate
from foogo.study.estimates import fair_komi, mean_score, win_share

USUAL_KOMIS = (0.0, 5.5, 6.5, 7.0, 7.5)
"""The komis reported unless others are asked for, in points."""

OPENING_STRIDE = 1 << 40
"""Playout numbers set aside for each opening point, so that no two openings share a random stream."""

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
    """

    size: int
    playouts: Playouts
    openings: tuple[Opening, ...] = ()

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
            "suicide": self.playouts.suicide,
            "seed": self.playouts.seed,
        }
        document |= totals_as_dict(self.playouts, komis)
        if self.openings:
            vertex = geometry(self.size).vertex
            document["openings"] = [
                {"vertex": opening.vertex, "symmetric": [vertex(point) for point in opening.points]}
                | totals_as_dict(opening.playouts, komis)
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
) -> FirstMove:
    """Black's advantage from moving first, as the totals of random games.

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

    Raises
    ------
    ArgumentError
        If a number is out of range; `SizeError` and `BackendError` likewise.
    StudyInterrupted
        On Ctrl-C, with the result so far.

    Examples
    --------
    >>> result = first_move(3, 2000, seed=1, by_point=True)
    >>> [opening.vertex for opening in result.openings]
    ['A1', 'B1', 'B2']
    >>> result.openings[2].playouts.mean_score > result.openings[0].playouts.mean_score
    True
    """
    size = check_size(size)
    if isinstance(n, bool) or not isinstance(n, (int, np.integer)) or not 1 <= n <= OPENING_STRIDE:
        raise ArgumentError(f"{n!r} playouts: a whole number from 1 to 2**40 is needed")
    orbits = geometry(size).orbits if by_point else ()
    total = int(n) * (1 + len(orbits))
    finished: list[Opening] = []
    whole: Playouts | None = None

    def played(start: Board | int, first: int, runs_done: int) -> Playouts:
        def tell(done: int, _: int) -> None:
            if progress is not None:
                progress(runs_done * int(n) + done, total)

        return simulate(
            start,
            int(n),
            seed=seed,
            first=first,
            suicide=suicide,
            threads=threads,
            backend=backend,
            progress=tell if progress is not None else None,
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
            raise StudyInterrupted(FirstMove(size, stop.playouts)) from None
        if stop.playouts.n:
            finished.append(Opening(geometry(size).vertex(orbit[0]), orbit, stop.playouts))
        raise StudyInterrupted(FirstMove(size, whole, tuple(finished))) from None
    return FirstMove(size, whole, tuple(finished))


def totals_as_dict(playouts: Playouts, komis: Sequence[float]) -> dict[str, Any]:
    """The totals of a run and the estimates made of them, for JSON.

    Parameters
    ----------
    playouts
        Totals; with no games only the counts are given.
    komis
        The komis to give Black's win share at, in points.
    """
    document: dict[str, Any] = {"playouts": playouts.n, "cut": playouts.cut}
    if playouts.n == 0:
        return document
    return document | {
        "moves_per_playout": playouts.moves / playouts.n,
        "mean_score": mean_score(playouts.scores).as_dict(),
        "fair_komi": fair_komi(playouts.scores).as_dict(),
        "win_share": [{"komi": komi, **win_share(playouts.scores, komi).as_dict()} for komi in komis],
    }
