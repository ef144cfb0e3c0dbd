"""The state of a match: wins, Elo, forfeits and the sequential test, from the finished games."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any

from foogo.game.notation import counted, signed
from foogo.gtp.client import parse_score
from foogo.match.config import LABELS
from foogo.match.referee import FORFEITS
from foogo.match.results_file import GameResult
from foogo.stats.elo import Sprt, elo_estimate, pair_counts
from foogo.stats.estimates import Estimate, wilson
from foogo.stats.percent import percent


class Summary:
    """Statistics of the finished games of a match.

    With random moves at the start of a game, the test takes the two games from one opening as a pair.
    """

    def __init__(
        self, games: Mapping[int, GameResult], names: Mapping[str, str], sprt: Sprt | None, opening: int
    ) -> None:
        self.games = [games[number] for number in sorted(games)]
        self.names, self.sprt, self._opening = dict(names), sprt, opening

    def __repr__(self) -> str:
        games, (wins, draws, losses) = len(self.games), self.counts
        return f"<Summary of {counted(games, 'game')}: A won {wins}, drew {draws}, lost {losses}>"

    def __str__(self) -> str:
        return "\n".join([*(f"{label}: {name}" for label, name in self.names.items()), *self.strength()])

    @property
    def counts(self) -> tuple[int, int, int]:
        """A's wins, the draws, and A's losses."""
        winners = Counter(game.winner for game in self.games)
        return winners["A"], winners["draw"], winners["B"]

    @property
    def void(self) -> int:
        """Games without a result."""
        return sum(game.winner is None for game in self.games)

    @property
    def share(self) -> Estimate | None:
        """A's share of the points, a draw counting half, with Wilson's interval; None if no game has a result."""
        wins, draws, losses = self.counts
        return wilson(wins + draws / 2, wins + draws + losses) if wins + draws + losses else None

    @property
    def elo(self) -> Estimate | None:
        """A's Elo difference to B; None if no game has a result."""
        return elo_estimate(*self.counts) if any(self.counts) else None

    @property
    def duplicates(self) -> list[list[int]]:
        """Groups of games with identical moves, without forfeited games; numbers count from 0."""
        groups: dict[tuple[int, tuple[str, ...]], list[int]] = defaultdict(list)
        for game in self.games:
            if game.reason not in FORFEITS:
                groups[game.size, game.moves].append(game.number)
        return [numbers for numbers in groups.values() if len(numbers) > 1]

    @property
    def repeated(self) -> int:
        """Games whose moves an earlier game already had."""
        return sum(len(numbers) - 1 for numbers in self.duplicates)

    @property
    def forfeits(self) -> dict[str, dict[str, int]]:
        """The forfeits of each engine, counted by reason."""
        return {
            label: dict(Counter(game.reason for game in self.games if game.reason in FORFEITS and game.winner == other))
            for label, other in zip(LABELS, LABELS[::-1], strict=True)
        }

    @property
    def disagreements(self) -> dict[str, int]:
        """Games that both engines scored; among them, games in which they differ, or one differs from the referee."""
        counts = Counter(scored=0, engines=0, referee=0)
        for game in self.games:
            said = {who: parse_score(score) for who, score in game.scores.items()}
            if {"A", "B"} <= said.keys():
                counts["scored"] += 1
                counts["engines"] += said["A"] != said["B"]
                counts["referee"] += any(said[label] != said["referee"] for label in LABELS)
        return dict(counts)

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of the test; 0 without a test."""
        return 0.0 if self.sprt is None else self.sprt.ratio(self._observed())

    @property
    def verdict(self) -> str:
        """The hypothesis that the test accepts; "" while it is undecided."""
        return "" if self.sprt is None else self.sprt.verdict(self.ratio)

    def strength(self) -> list[str]:
        """Points, Elo difference and sequential test, in lines."""
        if self.share is None or self.elo is None:
            return ["no game has a result"]
        wins, draws, losses = self.counts
        share, elo = self.share, self.elo
        lines = [
            f"A won {wins}, drew {draws}, lost {losses}: "
            f"{percent(share.value)} of the points [{100 * share.low:.1f}, {100 * share.high:.1f}]",
            f"Elo of A over B: {signed(elo.value, 0)} [{signed(elo.low, 0)}, {signed(elo.high, 0)}], 95 % interval",
        ]
        if self.sprt is not None:
            low, high = self.sprt.bounds
            test, verdict = self.sprt, self.verdict
            said = {"H0": f"{test.elo0:g} is accepted", "H1": f"{test.elo1:g} is accepted", "": "not decided"}[verdict]
            lines.append(
                f"test of {test.elo0:g} against {test.elo1:g} Elo: {said}; "
                f"LLR {self.ratio:.2f}, bounds {low:.2f} and {high:.2f}"
            )
        return lines

    def _observed(self) -> dict[float, int]:
        if not self._opening:
            return dict(Counter(game.points for game in self.games if game.points is not None))
        pairs: dict[int, list[float]] = defaultdict(list)
        for game in self.games:
            if game.points is not None:
                pairs[game.opening].append(game.points)
        return pair_counts([(points[0], points[1]) for points in pairs.values() if len(points) == 2])

    def as_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON; games are numbered from 1, like their files."""
        wins, draws, losses = self.counts
        document: dict[str, Any] = {
            "engines": self.names,
            "games": len(self.games),
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "void": self.void,
            "share": self.share.as_dict() if self.share else None,
            "elo": self.elo.as_dict() if self.elo else None,
            "colors": {color: self._of(lambda game: game.black, label) for color, label in _COLORS.items()},
            "sizes": {str(size): self._of(lambda game: game.size, size) for size in self._sizes()},
            "reasons": dict(Counter(game.reason for game in self.games)),
            "forfeits": self.forfeits,
            "disagreements": self.disagreements,
            "repeated": self.repeated,
            "duplicates": [[number + 1 for number in group] for group in self.duplicates],
            "seconds": {label: round(sum(game.seconds.get(label, 0.0) for game in self.games), 3) for label in LABELS},
            "longest": {
                label: max((game.longest.get(label, 0.0) for game in self.games), default=0.0) for label in LABELS
            },
        }
        if self.sprt is not None:
            low, high = self.sprt.bounds
            document["sprt"] = {
                "elo0": self.sprt.elo0, "elo1": self.sprt.elo1, "alpha": self.sprt.alpha, "beta": self.sprt.beta,
                "unit": "pair" if self._opening else "game", "ratio": self.ratio, "low": low, "high": high,
                "accepted": self.verdict or None,
            }  # fmt: skip
        return document

    def _sizes(self) -> list[int]:
        return sorted({game.size for game in self.games})

    def _of(self, key: Any, value: object) -> dict[str, int]:
        """A's wins, draws and losses in the games whose `key` is `value`."""
        winners = Counter(game.winner for game in self.games if key(game) == value)
        return {"wins": winners["A"], "draws": winners["draw"], "losses": winners["B"]}


_COLORS = {"black": "A", "white": "B"}
"""The engine that has Black in the games in which A has this colour."""
