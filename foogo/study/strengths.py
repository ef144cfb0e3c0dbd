"""Black's advantage by board size and by strength of play, gathered from the runs of a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from foogo.playout.totals import Tally
from foogo.stats.crossing import even_komi
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.study.config import PLAYOUT_POLICIES, RANDOM, SELF_PLAY_KOMI, simulations_of
from foogo.study.run.bracket import wins_at
from foogo.study.summary import Summary

ORDER = tuple(PLAYOUT_POLICIES)


@dataclass(frozen=True)
class Setting:
    """What strengths are compared on: a board size and the rule of suicide, from the empty board."""

    size: int
    suicide: bool

    def __str__(self) -> str:
        return f"{self.size}x{self.size}" + ("" if self.suicide else ", no suicide")


@dataclass(frozen=True)
class Strength:
    """The games of one policy on one board.

    Attributes
    ----------
    policy, simulations
        How both sides play; 0 simulations are a playout policy.
    tallies
        The totals by the komi that was played for; of a playout policy one, under None. Seeds are added up.
    """

    policy: str
    simulations: int
    tallies: dict[float | None, Tally]

    @property
    def games(self) -> int:
        """Games at all komis."""
        return sum(tally.n for tally in self.tallies.values())

    @property
    def komis(self) -> list[float]:
        """The komis played for, in rising order."""
        return sorted(komi for komi in self.tallies if komi is not None)

    @cached_property
    def fair(self) -> Estimate:
        """The fair komi in points: of a playout policy read off its scores, of search where its win share crosses."""
        if None in self.tallies:
            return fair_komi(self.tallies[None].scores)
        return even_komi({komi: wins_at(self.tallies[komi], komi) for komi in self.komis})

    @property
    def mean_komi(self) -> float | None:
        """Which komi the games of `mean` were played for: the one nearest to the fair one."""
        if not self.komis:
            return None
        middle = min(max(self.fair.value, self.komis[0]), self.komis[-1])
        return min(self.komis, key=lambda komi: (abs(komi - middle), komi))

    @property
    def mean(self) -> Estimate:
        """Black's mean score in points before komi, of search in its games for `mean_komi`."""
        return mean_score(self.tallies[self.mean_komi].scores)

    def share(self, komi: float) -> Estimate | None:
        """Black's win share at a komi; of search None if it did not play for that."""
        tally = self.tallies.get(komi if self.simulations else None)
        return None if tally is None else win_share(tally.scores, komi)

    def as_dict(self, komi: float = SELF_PLAY_KOMI) -> dict[str, Any]:
        """The estimates, for JSON."""
        share = self.share(komi)
        return {
            "policy": self.policy,
            "games": self.games,
            "komis": {f"{komi:g}": self.tallies[komi].n for komi in self.komis},
            "fair_komi": self.fair.as_dict(),
            "mean_score": self.mean.as_dict() | {"play_komi": self.mean_komi},
            "win_share": None if share is None else share.as_dict() | {"komi": komi},
        }


def by_size(found: Sequence[Summary], suicide: bool = True) -> dict[int, Tally]:
    """The games of random players from the empty board, for each board size; seeds are added up."""
    out = {}
    for size in sorted({one.config.size for one in found}):
        here = [one for one in found if _counts(one, Setting(size, suicide)) and one.config.policy == RANDOM]
        if here:
            out[size] = _strength(here, RANDOM).tallies[None]
    return out


def by_strength(found: Sequence[Summary]) -> dict[Setting, list[Strength]]:
    """The strengths measured from the empty board, the weakest first, for each board with other than random players.

    Games of different signatures are different games: of each policy those count of which there are most.
    """
    settings = {Setting(one.config.size, one.config.suicide) for one in found if one.config.policy != RANDOM}
    out = {}
    for setting in sorted(settings, key=lambda one: (one.size, not one.suicide)):
        here = [one for one in found if _counts(one, setting)]
        policies = sorted({one.config.policy for one in here}, key=_place)
        out[setting] = [_strength(here, policy) for policy in policies]
    return {setting: line for setting, line in out.items() if line}


def share_komi(komis: Sequence[float]) -> float:
    """Of the komis to report the one for which win shares of different strengths are compared."""
    return SELF_PLAY_KOMI if SELF_PLAY_KOMI in komis else komis[0]


def strengths_as_dicts(lines: Mapping[Setting, Sequence[Strength]], komi: float) -> list[dict[str, Any]]:
    """The strengths of every board, for JSON."""
    return [
        {"size": setting.size, "suicide": setting.suicide} | one.as_dict(komi)
        for setting, line in lines.items()
        for one in line
    ]


def table_of_strengths(
    lines: Mapping[Setting, Sequence[Strength]], komi: float = SELF_PLAY_KOMI
) -> tuple[list[str], list[list[str]]]:
    """A header and rows of texts: the strengths of every board."""
    header = ["board", "players", "games", "komis played for", "fair komi", "mean score", f"komi {komi:g}"]
    rows = []
    for setting, line in lines.items():
        for one in line:
            share = one.share(komi)
            mean = one.mean.plus_minus() + ("" if one.mean_komi is None else f" at {one.mean_komi:g}")
            shown = "" if share is None else f"{100 * share.value:.2f} % ±{100 * share.half_width:.2f}"
            komis = " ".join(f"{komi:g}" for komi in one.komis) or "any"
            rows.append([str(setting), one.policy, f"{one.games:,}", komis, one.fair.between(), mean, shown])
    return header, rows


def table_of_sizes(sizes: Mapping[int, Tally], komis: Sequence[float]) -> tuple[list[str], list[list[str]]]:
    """A header and rows of texts: the estimates of random play on every board, and Black's win share at each komi."""
    header = ["board", "games", "mean score", "fair komi", *(f"komi {komi:g}" for komi in komis)]
    rows = []
    for size, tally in sizes.items():
        estimates = [mean_score(tally.scores).plus_minus(), fair_komi(tally.scores).plus_minus()]
        shares = [f"{100 * win_share(tally.scores, komi).value:.2f} %" for komi in komis]
        rows.append([f"{size}x{size}", f"{tally.n:,}", *estimates, *shares])
    return header, rows


def _strength(found: Sequence[Summary], policy: str) -> Strength:
    signatures: dict[str, dict[float | None, Tally]] = defaultdict(dict)
    for one in found:
        if one.config.policy == policy:
            tallies, komi = signatures[one.run.signature], one.config.komi
            tallies[komi] = tallies[komi] + one.whole if komi in tallies else one.whole
    most = max(signatures.values(), key=lambda tallies: sum(tally.n for tally in tallies.values()))
    return Strength(policy, simulations_of(policy), most)


def _place(policy: str) -> tuple[int, int]:
    """For sorting: the weakest first."""
    return ORDER.index(policy) if policy in ORDER else len(ORDER), simulations_of(policy)


def _counts(one: Summary, setting: Setting) -> bool:
    config = one.config
    return config.is_empty and one.whole.n > 1 and setting == Setting(config.size, config.suicide)
