"""The totals of every start of a configuration, and estimates from them."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foogo.game.notation import number_text
from foogo.playout.number_ranges import NumberRange, total
from foogo.playout.policies import UNIFORM
from foogo.playout.totals import Totals
from foogo.stats.comparisons import Difference, TestResult, asymmetry, differences
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.stats.percent import percent
from foogo.study.config import ANY, LABEL, USUAL_KOMIS, Config, check_komis
from foogo.study.store.runs import Run
from foogo.study.store.store import Store
from foogo.tables import data_frame

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Summary:
    """The games played of a configuration: the totals and the game numbers, by start."""

    config: Config
    played: dict[int, tuple[Totals, list[NumberRange]]]

    @property
    def whole(self) -> Totals:
        """The totals of the games without a fixed first move."""
        return self.played[ANY][0]

    @cached_property
    def points(self) -> dict[int, Totals]:
        """The totals by the point of the first move, for first moves with games."""
        return {start: totals for start, (totals, _) in self.played.items() if start != ANY and totals.n}

    @cached_property
    def openings(self) -> dict[int, Totals]:
        """The same with symmetric points pooled under the first point of their class."""
        classes = self.config.classes if self.points else ()
        groups = {group[0]: [self.points[point] for point in group if point in self.points] for group in classes}
        return {first: sum(parts[1:], parts[0]) for first, parts in groups.items() if parts}

    @property
    def games(self) -> int:
        """The number of games, over all starts."""
        return sum(total(numbers) for _, numbers in self.played.values())

    @cached_property
    def differences(self) -> list[Difference]:
        """The mover's best opening by mean score against every other, closest first; empty below two openings."""
        return self.differences_at(None)

    def differences_at(self, komi: float | None) -> list[Difference]:
        """The same by win share at a komi; by mean score if `komi` is None."""
        openings = {start: totals.scores for start, totals in self.openings.items() if totals.n > 1}
        if self.config.to_play == "white":  # to White, scores and komi have the other sign
            openings = {start: scores[::-1] for start, scores in openings.items()}
            komi = None if komi is None else -komi
        return differences(openings, komi) if len(openings) > 1 else []

    @property
    def asymmetry(self) -> TestResult | None:
        """The test that symmetric first moves agree, as in `foogo.stats.comparisons.asymmetry`."""
        points = {start: totals.scores for start, totals in self.points.items()}
        return asymmetry(points, self.config.classes) if points else None

    def verdict(self, komi: float) -> str:
        """Sentences on the best opening by mean score and by win share at a komi, and how clear its lead is."""
        by_mean, by_share = self.differences, self.differences_at(komi)
        if not by_mean:
            return ""
        name, clear = self.config.name_of, [sum(one.is_clear for one in found) for found in (by_mean, by_share)]
        return (
            f"By mean score, {name(by_mean[0].better)} is best, and clearly better than {clear[0]} of the "
            f"{len(by_mean)} other classes. By win share at komi {number_text(komi)}, "
            f"{name(by_share[0].better)} is best, and clearly better than {clear[1]}. "
            '"Clearly" means at 95 % for all pairs at once (Games and Howell).'
        )

    def mean_scores(self) -> NDArray[np.float64]:
        """Black's mean score by first move, shape (size, size), row 0 at the bottom; NaN if unknown."""
        return self._board({start: mean_score(totals.scores) for start, totals in self.openings.items()})

    def win_shares(self, komi: float) -> NDArray[np.float64]:
        """Black's win share at a komi by first move, shape (size, size), row 0 at the bottom; NaN if unknown."""
        return self._board({start: win_share(totals.scores, komi) for start, totals in self.openings.items()})

    def _board(self, estimates: dict[int, Estimate]) -> NDArray[np.float64]:
        """A board with the value of each class at all its points."""
        board = np.full(self.config.size**2, np.nan)
        for first, points in self._classes().items():
            if first in estimates:
                board[list(points)] = estimates[first].value
        return board.reshape(self.config.size, self.config.size)

    def _classes(self) -> dict[int, tuple[int, ...]]:
        return {group[0]: group for group in self.config.classes} if self.openings else {}

    def _whole_rows(self) -> list[tuple[str, Sequence[int], Totals]]:
        """A row for the games without a fixed first move, if there are any."""
        return [("any", (), self.whole)] if self.whole.n else []

    def opening_rows(self) -> list[tuple[str, Sequence[int], Totals]]:
        """The name, the points and the totals of each opening that has games."""
        classes = self._classes()
        return [(self.config.name_of(first), classes[first], totals) for first, totals in self.openings.items()]

    def rows(self) -> list[tuple[str, Sequence[int], Totals]]:
        """The same, after a row for the games without a fixed first move."""
        return [*self._whole_rows(), *self.opening_rows()]

    def to_frame(self, komis: Sequence[float] = USUAL_KOMIS) -> DataFrame:
        """A pandas DataFrame with a row for the games without a fixed first move, "any", and for each opening.

        Its columns are `first_move`, `points` (how many symmetric ones it stands for, 0 for "any"), `playouts`, `cut`,
        `moves_per_playout`; then `mean_score`, `fair_komi` and, for each komi, `win_share_KOMI`, each also with `_low`
        and `_high`, the ends of its 95 % interval. Scores and komis are in points; shares are Black's, from 0 to 1.

        A MissingPackageError is raised if pandas is not installed.
        """
        rows, komis = self.rows(), check_komis(komis)
        columns: dict[str, list[Any]] = {
            "first_move": [name for name, _, _ in rows],
            "points": [len(points) for _, points, _ in rows],
            "playouts": [totals.n for _, _, totals in rows],
            "cut": [totals.cut for _, _, totals in rows],
            "moves_per_playout": [totals.moves / totals.n for _, _, totals in rows],
        }
        found = {"mean_score": [mean_score(one.scores) for *_, one in rows]}
        found["fair_komi"] = [fair_komi(one.scores) for *_, one in rows]
        found |= {f"win_share_{number_text(komi)}": [win_share(one.scores, komi) for *_, one in rows] for komi in komis}
        for name, estimates in found.items():
            columns[name] = [one.value for one in estimates]
            columns[f"{name}_low"] = [one.low for one in estimates]
            columns[f"{name}_high"] = [one.high for one in estimates]
        return data_frame(columns)


@dataclass(frozen=True)
class RunSummary(Summary):
    """A run of a store and the games played of it."""

    run: Run
    store: str
    """The path of the store."""

    @classmethod
    def of(cls, store: Store, run: Run) -> RunSummary:
        """The summary of a run."""
        return cls(run.config, {start: store.totals(run, start) for start in run.starts}, run, str(store.path))

    def start_rows(self) -> list[tuple[str, Sequence[int], Totals]]:
        """As `rows`, but with a row for each point if symmetric points were played apart."""
        if self.run.openings != "all":
            return self.rows()
        apart = [(self.config.name_of(start), (start,), totals) for start, totals in self.points.items()]
        return [*self._whole_rows(), *apart]

    def as_dict(self, komis: Sequence[float] = USUAL_KOMIS) -> dict[str, Any]:
        """The run, its totals and estimates, as plain numbers and texts for JSON.

        Scores and komis are in points, Black minus White; shares are Black's; intervals are 95 %. Differences are in
        points for the player to move.
        """
        run, name = self.run, self.config.name_of
        komis = check_komis(komis)
        starts = []
        for start, points, totals in self.rows():
            starts.append(
                {"first_move": start, "symmetric": [name(point) for point in points]}
                | totals_as_dict(totals, komis)
                | {"scores": _histogram(totals)}
            )
        test = self.asymmetry
        document = {
            "run": run.id,
            "config": self.config.as_dict(),
            "openings": run.openings,
            "asked": [list(pair) for pair in run.asked],
            "until_se": run.until_se,
            "foogo": run.foogo,
            "signature": run.signature,
            "created": run.created,
            "command": command(run, self.store),
            "played": {name(start): [list(pair) for pair in numbers] for start, (_, numbers) in self.played.items()},
            "starts": starts,
            "differences": [
                {"better": name(one.better), "worse": name(one.worse), "points": one.value, "error": one.error,
                 "low": one.low, "high": one.high, "p": one.p}
                for one in self.differences
            ],
            "symmetry": test and {"chi_square": test.statistic, "freedom": float(test.freedom), "p": test.p},
        }  # fmt: skip
        if run.openings == "all":
            document["scores_by_point"] = {name(start): _histogram(totals) for start, totals in self.points.items()}
        return document


def _histogram(totals: Totals) -> dict[str, int]:
    """The games by score, for JSON."""
    area = len(totals.scores) // 2
    return {str(i - area): int(games) for i, games in enumerate(totals.scores) if games}


def summaries(store: Store, numbers: Iterable[int] | None = None) -> list[RunSummary]:
    """The runs of a store with these numbers, each once; all of them if there are no numbers."""
    wanted = [] if numbers is None else list(dict.fromkeys(numbers))
    runs = [store.run(number) for number in wanted] if wanted else store.runs()
    return [RunSummary.of(store, run) for run in runs]


def totals_as_dict(totals: Totals, komis: Sequence[float]) -> dict[str, Any]:
    """Totals and the estimates from them, for JSON; only the counts if there are no games."""
    n = totals.n
    document: dict[str, Any] = {"playouts": n, "cut": totals.cut}
    if n == 0:
        return document
    return document | {
        "moves_per_playout": totals.moves / n,
        "mean_score": mean_score(totals.scores).as_dict(),
        "fair_komi": fair_komi(totals.scores).as_dict(),
        "win_share": [{"komi": komi, **win_share(totals.scores, komi).as_dict()} for komi in komis],
    }


def estimate_columns(komis: Sequence[float]) -> list[str]:
    """The headers of `estimate_cells`."""
    return ["mean score", "fair komi", *(f"komi {number_text(komi)}" for komi in komis)]


def estimate_cells(totals: Totals, komis: Sequence[float]) -> list[str]:
    """The mean score, the fair komi, and Black's win share at each komi, as the cells of a table."""
    shares = [percent(win_share(totals.scores, komi).value, 2) for komi in komis]
    return [mean_score(totals.scores).plus_minus(), fair_komi(totals.scores).plus_minus(), *shares]


def alike_komis(games: Sequence[Totals], komis: Sequence[float]) -> list[tuple[float, ...]]:
    """The komis, in order; neighbours at which Black's win share is the same in all of `games` are one group.

    Examples
    --------
    >>> scores = np.zeros(9, np.int64)
    >>> scores[4 + 1] = scores[4 + 3] = 50
    >>> alike_komis([Totals(0, 100, scores)], (0.0, 1.5, 2.5, 3.0))
    [(0.0,), (1.5, 2.5), (3.0,)]
    """
    groups: list[tuple[float, ...]] = []
    shares: list[float] = []
    for komi in komis:
        here = [win_share(totals.scores, komi).value for totals in games]
        if groups and here == shares:
            groups[-1] = (*groups[-1], komi)
        else:
            groups.append((komi,))
        shares = here
    return groups


WHOLE_BOARD = 0.75
"""A fair komi beyond this share of the board's points is near the whole board."""

MANY = 0.5
"""The share of games in which one side owns it all, from which on they are why."""


def whole_board_note(games: Iterable[tuple[str, Totals]]) -> str:
    """Why fair komis are near the whole board, in two lines that name the games; "" if none of them is.

    Games are left out if fewer than `MANY` of them end with one side owning it all: then that is not why.

    Examples
    --------
    >>> scores = np.zeros(19, np.int64)
    >>> scores[0], scores[9 + 2], scores[-1] = 45, 3, 52
    >>> print(whole_board_note([("3x3", Totals(0, 100, scores))]))
    Fair komi near the whole board: 3x3.
    There one side owns it all in 97 % of games; komi changes few results.
    """
    names, shares = [], []
    for name, totals in games:
        scores, area = totals.scores, len(totals.scores) // 2
        share = float(scores[0] + scores[-1]) / max(1, totals.n)
        if share >= MANY and WHOLE_BOARD * area < abs(fair_komi(scores).value) < area + 1:
            names.append(name)
            shares.append(share)
    if not names:
        return ""
    low, high = percent(min(shares), 0), percent(max(shares), 0)
    said = high if low == high else f"{low} to {high}"
    return (
        f"Fair komi near the whole board: {' '.join(names)}.\n"
        f"There one side owns it all in {said} of games; komi changes few results."
    )


KOMI_NOTE = """\
Komis share a column if no game ended with a score between them. On odd boards
nearly all scores are odd, since the two areas add up to an odd number; on even
boards, nearly all are even."""
"""Why some komis have the same win share."""


def command(run: Run, store: str) -> str:
    """The commands of a shell that repeat a run, one per line.

    If the run is from a position, the first command writes its diagram to a file. A policy that a user wrote is named
    by its file and its name. For other weights than the defaults, a comment says what line the file needs.
    """
    config = run.config
    words, lines = ["foogo", "study", "run", "--store", store], []
    if config.is_empty:
        words += ["--size", str(config.size)]
    else:
        file = f"run{run.id}-position.txt"
        rows = config.stones.split("/") if config.stones else ["." * config.size] * config.size
        lines += [f"cat > {file} << END", *rows, "END"]
        words += ["--position", file, "--to-play", config.to_play]
        words += ["--ko", config.ko] if config.ko else []
    if config.komi is not None:
        words += ["--policy", config.policy, "--play-komi", number_text(config.komi)]
    elif config.policy != UNIFORM:
        policy = config.policy
        if LABEL.fullmatch(policy):
            made = policy.rpartition("@")[0]
            lines += [] if made.isidentifier() else [f"# FILE.py has the line: tuned = {made}"]
            policy = f"FILE.py:{made if made.isidentifier() else 'tuned'}"
        words += ["--policy", policy]
    words += ["--seed", str(config.seed)]
    words += ["--no-suicide"] if not config.suicide else []
    words += ["--openings", run.openings] if run.openings != "none" else []
    for first, end in run.asked:
        part = [*words, "--playouts", str(end - first)]
        lines.append(shlex.join([*part, "--first", str(first)] if first else part))
    if not run.asked and run.until_se is not None:  # the run stopped before its first game
        lines.append(shlex.join([*words, "--until-se", number_text(run.until_se)]))
    return "\n".join(lines)
