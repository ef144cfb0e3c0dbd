"""The configuration of a match."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field, fields
from typing import Any

from foogo.arguments import is_number, truth, whole
from foogo.errors import ArgumentError, RulesError
from foogo.game.clock import TimeSettings
from foogo.game.game import Game
from foogo.game.geometry import check_size
from foogo.game.rules import Rules
from foogo.match.openings import check_plies

LABELS = ("A", "B")  # the two players

SCORINGS = ("agreement", "playout", "area")
"""What decides a game that ends by passes; docs/reference/match.md defines them."""


@dataclass(frozen=True)
class MatchConfig:
    """Two engines, and the games they play.

    Attributes
    ----------
    a, b
        The command lines of the engines.
    sizes
        Points on a side; successive openings cycle through the sizes.
    komi, rules
        Komi and rules of every game, the rules as text for `Rules.parse`.
    time
        Each player's time; by default engines play at the speed their command lines set.
    lag
        Seconds by which a move may be late without a loss on time.
    patience
        Seconds to wait for an answer that no clock limits.
    scoring
        What decides a game that ends by passes: "agreement", "playout" or "area".
    opening
        Number of random moves at the start of a game.
    seed
        Seed of the openings.
    fresh
        Whether the engines are restarted for every game.

    Raises
    ------
    ArgumentError
        If a value is invalid.

    Examples
    --------
    >>> config = MatchConfig("foogo gtp", "gnugo --mode gtp", sizes=(9, 13))
    >>> config.commands["B"]
    ('gnugo', '--mode', 'gtp')
    >>> [config.size_of(opening) for opening in range(3)]
    [9, 13, 9]
    """

    a: str
    b: str
    sizes: tuple[int, ...] = (9,)
    komi: float = 7.0
    rules: str = "tromp-taylor"
    time: TimeSettings = field(default_factory=TimeSettings)
    lag: float = 0.5
    patience: float = 120.0
    scoring: str = "agreement"
    opening: int = 4
    seed: int = 0
    fresh: bool = False

    def __post_init__(self) -> None:
        for label, command in self.commands.items():
            if not command:
                raise ArgumentError(f"engine {label} has no command: give the program and its arguments in one word")
        if not isinstance(self.sizes, (tuple, list)):
            raise ArgumentError(f"sizes are {self.sizes!r}: give one or more in a tuple, such as (9, 13)")
        sizes = tuple(map(check_size, self.sizes))
        if not sizes or len(set(sizes)) < len(sizes):
            raise ArgumentError(f"sizes are {self.sizes}: give one or more, each once")
        for size in sizes:
            check_plies("opening", self.opening, size)
        if not isinstance(self.rules, str):
            raise RulesError(f"rules are {self.rules!r}: give them as text, such as chinese or str(rules)")
        Rules.parse(self.rules)
        if not isinstance(self.time, TimeSettings):
            raise ArgumentError(f"time is {self.time!r}: give TimeSettings, such as TimeSettings.parse('absolute 60')")
        komi = Game(2, komi=self.komi).komi
        if self.scoring not in SCORINGS:
            raise ArgumentError(f"scoring {self.scoring!r} does not exist: choose {', '.join(SCORINGS)}")
        for name, low in (("lag", 0.0), ("patience", 0.001)):
            value = getattr(self, name)
            if not is_number(value) or value < low:
                raise ArgumentError(f"{name} is {value!r}: it must be a number of seconds, at least {low:g}")
        checked: dict[str, Any] = {
            "sizes": sizes,
            "komi": komi,
            "lag": float(self.lag),
            "patience": float(self.patience),
        }
        checked |= {"opening": int(self.opening), "seed": whole("seed", self.seed, 0, 2**64 - 1)}
        checked |= {"fresh": truth("fresh", self.fresh)}
        for name, value in checked.items():  # as Python's numbers, which JSON can have
            object.__setattr__(self, name, value)

    @property
    def commands(self) -> dict[str, tuple[str, ...]]:
        """The words of both command lines, by "A" and "B"."""
        words = {}
        for label, command in zip(LABELS, (self.a, self.b), strict=True):
            if not isinstance(command, str):  # shlex would read None from stdin
                raise ArgumentError(f"engine {label} is {command!r}: give its command line as one text")
            try:
                words[label] = tuple(shlex.split(command))
            except ValueError as error:
                raise ArgumentError(f"engine {label} is {command!r}: {str(error).lower()}") from None
        return words

    def size_of(self, opening: int) -> int:
        """The board size of an opening, from which two games are played."""
        return self.sizes[opening % len(self.sizes)]

    def as_dict(self) -> dict[str, Any]:
        """Everything by name, for JSON."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {**values, "sizes": list(self.sizes), "time": str(self.time)}
