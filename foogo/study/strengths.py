"""Black's advantage by board size and by strength of play, from the runs of a store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from foogo.game.notation import number_text
from foogo.playout.policies import POLICIES, UNIFORM
from foogo.playout.totals import Totals
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.stats.even_komi import Wins, even_komi
from foogo.study.config import SELF_PLAY_KOMI, simulations_of
from foogo.study.summary import RunSummary

ORDER = tuple(POLICIES)


@dataclass(frozen=True)
class Setting:
    """A board size and suicide rule on which strengths are compared, from the empty board."""

    size: int
    suicide: bool

    def __str__(self) -> str:
        return f"{self.size}x{self.size}" + ("" if self.suicide else ", no suicide")


@dataclass(frozen=True)
class Strength:
    """The games of one policy on one board; a playout policy has 0 simulations."""

    policy: str
    simulations: int
    totals: dict[float | None, Totals]
    """By the komi played for, seeds added up. A playout policy has only one entry, under None."""

    @property
    def games(self) -> int:
        """The number of games, over all komis."""
        return sum(totals.n for totals in self.totals.values())

    @property
    def komis(self) -> list[float]:
        """The komis played for, in rising order."""
        return sorted(komi for komi in self.totals if komi is not None)

    @cached_property
    def fair(self) -> Estimate:
        """The fair komi in points: by the scores of a playout policy, by the win shares of a search."""
        return even_komi(self.wins()) if self.komis else fair_komi(self.totals[None].scores)

    def wins(self) -> dict[float, Wins]:
        """Black's wins at each komi played for."""
        return {komi: Wins.at(self.totals[komi].scores, komi) for komi in self.komis}

    @property
    def mean_komi(self) -> float | None:
        """The komi played for that is nearest to the fair komi; None for a playout policy."""
        if not self.komis:
            return None
        middle = min(max(self.fair.value, self.komis[0]), self.komis[-1])
        return min(self.komis, key=lambda komi: (abs(komi - middle), komi))

    @property
    def mean(self) -> Estimate:
        """Black's mean score in points before komi; for a search, in its games for `mean_komi`."""
        return mean_score(self.totals[self.mean_komi].scores)

    def share(self, komi: float) -> Estimate | None:
        """Black's win share at a komi; None if a search did not play for it."""
        totals = self.totals.get(komi if self.simulations else None)
        return None if totals is None else win_share(totals.scores, komi)

    def as_dict(self, komi: float = SELF_PLAY_KOMI) -> dict[str, Any]:
        """The estimates, for JSON."""
        share = self.share(komi)
        return {
            "policy": self.policy,
            "games": self.games,
            "komis": {number_text(komi): self.totals[komi].n for komi in self.komis},
            "fair_komi": self.fair.as_dict(),
            "mean_score": self.mean.as_dict() | {"play_komi": self.mean_komi},
            "win_share": None if share is None else share.as_dict() | {"komi": komi},
        }


def by_size(found: Sequence[RunSummary], suicide: bool = True) -> dict[int, Totals]:
    """The games of random players from the empty board, by board size, seeds added up."""
    out = {}
    for size in sorted({one.config.size for one in found}):
        here = [one for one in found if _counts(one, Setting(size, suicide)) and one.config.policy == UNIFORM]
        if here:
            out[size] = _strength(here, UNIFORM).totals[None]
    return out


def by_strength(found: Sequence[RunSummary]) -> dict[Setting, list[Strength]]:
    """The strengths from the empty board, weakest first, of each board that has non-random players.

    Games of different signatures cannot be added: of each policy, the signature with the most games counts.
    """
    settings = {
        Setting(one.config.size, one.config.suicide)
        for one in found
        if one.config.policy != UNIFORM and one.config.is_empty and one.whole.n > 1
    }
    out = {}
    for setting in sorted(settings, key=lambda one: (one.size, not one.suicide)):
        here = [one for one in found if _counts(one, setting)]
        policies = sorted({one.config.policy for one in here}, key=_place)
        out[setting] = [_strength(here, policy) for policy in policies]
    return {setting: line for setting, line in out.items() if line}


def share_komi(komis: Sequence[float]) -> float:
    """The komi, of those to report, at which the win shares of strengths are compared; 7 if there are none."""
    return SELF_PLAY_KOMI if SELF_PLAY_KOMI in komis or not komis else komis[0]


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
    """A header and rows: the strengths of every board."""
    header = ["board", "players", "games", "komis played for", "fair komi", "mean score", f"komi {number_text(komi)}"]
    rows = []
    for setting, line in lines.items():
        for one in line:
            share = one.share(komi)
            mean = one.mean.plus_minus() + ("" if one.mean_komi is None else f" at {number_text(one.mean_komi)}")
            shown = "" if share is None else f"{share.in_percent().plus_minus()} %"
            komis = _few(one.komis)
            rows.append([str(setting), one.policy, f"{one.games:,}", komis, one.fair.between(), mean, shown])
    return header, rows


def _few(komis: Sequence[float]) -> str:
    """Komis in a cell: all of them, or how many there are and from where to where."""
    if len(komis) > 4:
        return f"{len(komis)}, {number_text(komis[0])} to {number_text(komis[-1])}"
    return " ".join(map(number_text, komis)) or "any"


def _strength(found: Sequence[RunSummary], policy: str) -> Strength:
    signatures: dict[str, dict[float | None, Totals]] = defaultdict(dict)
    for one in found:
        if one.config.policy == policy:
            totals, komi = signatures[one.run.signature], one.config.komi
            totals[komi] = totals[komi] + one.whole if komi in totals else one.whole
    strengths = [Strength(policy, simulations_of(policy), totals) for totals in signatures.values()]
    return max(strengths, key=lambda one: one.games)


def _place(policy: str) -> tuple[int, int, str]:
    """A sort key: weakest first; the policies that users wrote by name, before all searches."""
    return ORDER.index(policy) if policy in ORDER else len(ORDER), simulations_of(policy), policy


def _counts(one: RunSummary, setting: Setting) -> bool:
    config = one.config
    return config.is_empty and one.whole.n > 1 and setting == Setting(config.size, config.suicide)
