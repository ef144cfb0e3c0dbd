"""What a store says, ready to be shown: the totals of every start of a run and the estimates made of them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.playout.totals import Tally
from foogo.stats.comparisons import Difference, asymmetry, differences, on_board, pooled
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.study.config import ANY, RANDOM, Config
from foogo.study.store.ranges import Range, count
from foogo.study.store.store import Run, Store

USUAL_KOMIS = (0.0, 5.5, 6.5, 7.0, 7.5)
"""The komis reported unless others are asked for, in points."""


@dataclass(frozen=True)
class Summary:
    """A run and what was played of it.

    Attributes
    ----------
    run
        The run.
    whole
        The totals of the games that fix no first move.
    openings
        The totals by the point of the first move, symmetric points pooled under the first of them.
    points
        The same before pooling.
    ranges
        The game numbers played of each start.
    """

    run: Run
    whole: Tally
    openings: dict[int, Tally]
    points: dict[int, Tally]
    ranges: dict[int, list[Range]]

    @classmethod
    def of(cls, store: Store, run: Run) -> Summary:
        """What the store has of a run."""
        totals = {start: store.totals(run, start) for start in run.starts}
        points = {start: tally for start, (tally, _) in totals.items() if start != ANY and tally.n}
        ranges = {start: played for start, (_, played) in totals.items()}
        openings = pooled(points, run.config.classes) if points else {}
        return cls(run, totals[ANY][0], openings, points, ranges)

    @property
    def config(self) -> Config:
        """What fixes the games."""
        return self.run.config

    @property
    def games(self) -> int:
        """How many games, over all starts."""
        return sum(count(played) for played in self.ranges.values())

    @property
    def mean(self) -> Estimate:
        """Black's mean score in points, before komi."""
        return mean_score(self.whole.scores)

    @property
    def fair_komi(self) -> Estimate:
        """The komi that makes the game even, in points; of search, of its games for the run's komi."""
        return fair_komi(self.whole.scores)

    @cached_property
    def differences(self) -> list[Difference]:
        """The best opening by mean score against every other, the closest first; none if there are not two."""
        return self.differences_at(None)

    def differences_at(self, komi: float | None) -> list[Difference]:
        """The same by Black's win share at a komi; by mean score if it is None."""
        openings = {start: tally for start, tally in self.openings.items() if tally.n > 1}
        return differences(openings, komi) if len(openings) > 1 else []

    @property
    def asymmetry(self) -> Estimate | None:
        """The test that symmetric first moves are equal, as `foogo.stats.comparisons.asymmetry` has it."""
        return asymmetry(self.points, self.config.classes) if self.points else None

    def verdict(self, komi: float) -> str:
        """Which opening is best by mean score, which by win share at a komi, and how clearly, in a sentence."""
        by_mean, by_share = self.differences, self.differences_at(komi)
        if not by_mean:
            return ""
        name, clear = self.config.name_of, [sum(one.is_clear for one in found) for found in (by_mean, by_share)]
        return (
            f"By mean score {name(by_mean[0].better)} is clearly better than {clear[0]} of the other {len(by_mean)} "
            f"classes, by win share at komi {komi:g} {name(by_share[0].better)} than {clear[1]} (95 % for all pairs "
            "at once, Tukey and Kramer)."
        )

    def mean_scores(self) -> NDArray[np.float64]:
        """Black's mean score by first move, shape (size, size), row 0 at the bottom; NaN where unknown."""
        means = {start: mean_score(tally.scores).value for start, tally in self.openings.items()}
        return on_board(means, self.config.classes, self.config.size)

    def win_shares(self, komi: float) -> NDArray[np.float64]:
        """Black's win share at a komi by first move, shape (size, size), row 0 at the bottom; NaN where unknown."""
        shares = {start: win_share(tally.scores, komi).value for start, tally in self.openings.items()}
        return on_board(shares, self.config.classes, self.config.size)

    def rows(self) -> list[tuple[str, Sequence[int], Tally]]:
        """The name, the points and the totals of the run as a whole and of each opening that has games."""
        groups = {group[0]: group for group in self.config.classes} if self.openings else {}
        whole = [("any", (), self.whole)] if self.whole.n else []
        return [*whole, *((self.config.name_of(p), groups[p], tally) for p, tally in self.openings.items())]

    def as_dict(self, komis: Sequence[float] = USUAL_KOMIS) -> dict[str, Any]:
        """The run, its totals and estimates, of plain numbers and texts, for JSON.

        Scores and komis are in points, Black minus White; shares are Black's; intervals are 95 %.
        """
        run, area = self.run, self.config.size**2
        starts = []
        for name, points, tally in self.rows():
            histogram = {str(i - area): int(games) for i, games in enumerate(tally.scores) if games}
            starts.append(
                {"first_move": name, "symmetric": [self.config.name_of(point) for point in points]}
                | totals_as_dict(tally, komis)
                | {"scores": histogram}
            )
        return {
            "run": run.id,
            "config": self.config.as_dict(),
            "openings": run.openings,
            "asked": [list(pair) for pair in run.asked],
            "until_se": run.until_se,
            "foogo": run.foogo,
            "signature": run.signature,
            "created": run.created,
            "command": command(run),
            "played": {self.config.name_of(start): [list(p) for p in played] for start, played in self.ranges.items()},
            "starts": starts,
            "differences": [self._difference(one) for one in self.differences],
            "symmetry": self._symmetry(),
        }

    def _difference(self, one: Difference) -> dict[str, Any]:
        name = self.config.name_of
        numbers = {"points": one.value, "error": one.error, "low": one.low, "high": one.high, "p": one.p}
        return {"better": name(one.better), "worse": name(one.worse), **numbers}

    def _symmetry(self) -> dict[str, float] | None:
        test = self.asymmetry
        return None if test is None else {"chi_square": test.low, "freedom": test.high, "p": test.value}


def summaries(store: Store, numbers: Iterable[int] | None = None) -> list[Summary]:
    """Every run of a store, or those of the numbers given."""
    runs = store.runs() if not numbers else [store.run(number) for number in numbers]
    return [Summary.of(store, run) for run in runs]


def totals_as_dict(tally: Tally, komis: Sequence[float]) -> dict[str, Any]:
    """Totals and the estimates made of them, for JSON; of no games the counts alone."""
    n = tally.n
    document: dict[str, Any] = {"playouts": n, "cut": tally.cut}
    if n == 0:
        return document
    return document | {
        "moves_per_playout": tally.moves / n,
        "mean_score": mean_score(tally.scores).as_dict(),
        "fair_komi": fair_komi(tally.scores).as_dict(),
        "win_share": [{"komi": komi, **win_share(tally.scores, komi).as_dict()} for komi in komis],
    }


def command(run: Run, store: str = "study.sqlite") -> str:
    """The commands that play a run again, from nothing, one a line; a position has to be put into a file first."""
    config = run.config
    words = ["foogo", "study", "run", "--store", store, "--size", str(config.size)]
    if not config.is_empty:
        words += ["--position", "position.txt", "--to-play", config.to_play]
        words += ["--ko", config.ko] if config.ko else []
    if config.simulations:
        words += ["--policy", config.policy, "--play-komi", f"{config.komi:g}"]
    elif config.policy != RANDOM:
        words += ["--policy", config.policy]
    words += ["--seed", str(config.seed)]
    words += ["--no-suicide"] if not config.suicide else []
    words += ["--openings", run.openings] if run.openings != "none" else []
    lines = []
    for first, end in run.asked:
        part = [*words, "--playouts", str(end - first)]
        lines.append(shlex.join([*part, "--first", str(first)] if first else part))
    return "\n".join(lines)
