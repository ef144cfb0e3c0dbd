"""Time settings, clocks, and how long to think about a move.

Nothing here reads the time or sleeps. The caller reports to a `Clock` how much time was spent.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass

from foogo.arguments import is_number, quoted, whole
from foogo.errors import ArgumentError
from foogo.game.lags import Lags
from foogo.game.notation import number_text

LAG = 0.25
"""Seconds reserved, by default, for the delay between an answer and the controller's clock."""

QUICK_MOVES = 100
QUICK_SHARE = 0.4
"""Main time is reserved for quick answers to this many moves beyond the expected ones, but at most this share of it."""

QUICKEST = 0.005
"""The shortest assumed time of an answer, in seconds."""

STRETCH = 2.5
"""The most time for an unclear move, as a multiple of the usual time."""

MOST_CUT = 0.75
"""The share of a move's time, at most, that is left unused in case the next move takes longer than planned again."""

MEMORY = 0.8
"""The weight of earlier moves in the running mean of the overhead."""

FORMS = {
    "none": "none",
    "absolute": "absolute MAIN",
    "byoyomi": "byoyomi MAIN PERIOD PERIODS",
    "canadian": "canadian MAIN PERIOD STONES",
    "fischer": "fischer MAIN INCREMENT",
    "fischer-capped": "fischer-capped MAIN INCREMENT LONGEST_MAIN LONGEST_MOVE",
}
"""The time systems, each in the form that `TimeSettings.parse` reads."""


@dataclass(frozen=True)
class TimeSettings:
    """How much time a player has. All times are in seconds.

    Attributes
    ----------
    system
        One of `FORMS`.
    main
        Time at the start.
    period
        The length of a Canadian or Japanese period, or what a Fischer clock adds after each move.
    count
        Stones per Canadian period, or the number of Japanese periods.
    longest_main, longest_move
        The most that a Fischer clock holds, and the most that a move may take.

    Raises
    ------
    ArgumentError
        If there is no such system, a time is negative or no number, or overtime has no count.

    Examples
    --------
    >>> TimeSettings.parse("byoyomi 300 30 5")
    TimeSettings(system='byoyomi', main=300.0, period=30.0, count=5, longest_main=inf, longest_move=inf)
    >>> str(TimeSettings.parse("fischer 60 1"))
    'fischer 60 1'
    """

    system: str = "none"
    main: float = 0.0
    period: float = 0.0
    count: int = 0
    longest_main: float = math.inf
    longest_move: float = math.inf

    def __post_init__(self) -> None:
        if not isinstance(self.system, str) or self.system not in FORMS:
            raise ArgumentError(f"time system {self.system!r} is unknown: give {', '.join(FORMS)}")
        for name in ("main", "period", "longest_main", "longest_move"):
            seconds = getattr(self, name)
            is_endless = name.startswith("longest") and seconds == math.inf
            if not is_endless and not (is_number(seconds) and seconds >= 0):
                raise ArgumentError(f"{name} is {quoted(seconds)}: it must be a number of seconds from 0 on")
            object.__setattr__(self, name, float(seconds))  # JSON has no numbers of NumPy
        object.__setattr__(self, "count", whole("count", self.count, 0, 2**40))
        if self.has_overtime and not self.count:
            raise ArgumentError(f"count is 0: {self.system} needs one or more")

    @classmethod
    def parse(cls, text: str | Sequence[str]) -> TimeSettings:
        """The settings in a text: a system and its numbers, as in GTP's ``kata-time_settings``.

        One of the `FORMS`, as one string or as words. A negative cap of ``fischer-capped`` means no limit. An
        ArgumentError is raised if there is no such system, or its numbers do not fit it.
        """
        if not isinstance(text, (str, Sequence)) or not all(isinstance(word, str) for word in text):
            raise ArgumentError(f"time settings are {text!r}: give a text, such as 'absolute 60'")
        system, *words = (text.split() if isinstance(text, str) else text) or [""]
        system = {"byo-yomi": "byoyomi", "japanese": "byoyomi"}.get(system.lower(), system.lower())
        if system not in FORMS:
            raise ArgumentError(f"time system {system[:40]!r} is unknown: give {'; '.join(FORMS.values())}")
        form = FORMS[system].split()[1:]
        if len(words) != len(form):
            raise ArgumentError(f"{system} has {len(words)} numbers: give {FORMS[system]}")
        numbers = [_number(name, word) for name, word in zip(form, words, strict=True)]
        if system == "none":
            return cls()
        if system == "absolute":
            return cls(system, numbers[0])
        if system.startswith("fischer"):
            caps = [math.inf if cap < 0 else cap for cap in numbers[2:]] or [math.inf, math.inf]
            return cls(system, numbers[0], numbers[1], 0, *caps)
        main, period, count = numbers
        if not count:
            return cls("absolute", main)
        if not period:
            raise ArgumentError(f"{system} has periods of 0 seconds: give more, or absolute MAIN")
        return cls(system, main, period, int(count))

    @classmethod
    def from_gtp(cls, main: float, period: float, stones: int) -> TimeSettings:
        """The settings for the three numbers of GTP's ``time_settings``.

        Without a period, time is absolute. A period without stones means no limit (Farneback, Specification of the
        Go Text Protocol, version 2, draft 2, 4.2). An ArgumentError is raised if something is not a number.
        """
        for name, value in (("main", main), ("period", period), ("stones", stones)):
            if not is_number(value):
                raise ArgumentError(f"{name} is {value!r}: it must be a number; `parse` reads a text")
        if period > 0:
            return cls("canadian", main, period, stones) if stones > 0 else cls()
        return cls("absolute", main)

    @property
    def has_overtime(self) -> bool:
        """Whether periods follow the main time."""
        return self.system in ("canadian", "byoyomi")

    def __str__(self) -> str:
        numbers = {
            "none": (),
            "absolute": (self.main,),
            "fischer": (self.main, self.period),
            "fischer-capped": (self.main, self.period, self.longest_main, self.longest_move),
        }.get(self.system, (self.main, self.period, self.count))
        shown = (-1 if number == math.inf else number for number in numbers)
        return " ".join([self.system, *map(number_text, shown)])


@dataclass(frozen=True)
class Plan:
    """How long to think about one move, in seconds from now; infinite without a clock."""

    aim: float
    """The time for an ordinary move."""
    most: float
    """The most time for an unclear move. The clock does not run out within it."""


class Clock:
    """The clock of one player, who reserves `lag` seconds for the delay until the controller's clock stops.

    Attributes
    ----------
    left : float
        Seconds left of the main time, or of the current period.
    in_overtime : bool
        Whether the main time is over.
    count : int
        Stones still to play in a Canadian period, or Japanese periods left, the current one included.

    Examples
    --------
    >>> clock = Clock(TimeSettings.parse("absolute 60"))
    >>> plan = clock.plan(moves_to_go=20)
    >>> 2 < plan.aim < 3, plan.most == 2.5 * plan.aim
    (True, True)
    >>> clock.spend(59), clock.left, clock.spend(2)
    (True, 1.0, False)
    """

    def __init__(self, settings: TimeSettings | None = None, *, lag: float = LAG) -> None:
        self.settings = settings or TimeSettings()
        self.lag = lag
        self._most_main = self.settings.main  # seconds of main time that the clock has shown
        self._overhead = self._overrun = 0.0
        self._planned = math.inf
        self._lags = Lags()
        self.left, self.in_overtime, self.count = self.settings.main, False, 0
        if self.settings.has_overtime and self.left <= 0:
            self._enter_overtime()

    def copy(self) -> Clock:
        """An independent clock that shows the same time."""
        copied = copy.copy(self)
        copied._lags = copy.copy(self._lags)
        return copied

    def renewed(self, settings: TimeSettings) -> Clock:
        """A full clock that allows for lags as this one does."""
        clock = Clock(settings, lag=self.lag)
        clock._lags = copy.copy(self._lags)  # a measurement goes on: settings may come before every report
        clock._overhead, clock._overrun = self._overhead, self._overrun
        return clock

    @property
    def is_limited(self) -> bool:
        """Whether the player can run out of time."""
        return self.settings.system != "none"

    def report(self, seconds: float, count: int = 0) -> None:
        """Set the clock to the controller's, as GTP's ``time_left`` reports it.

        Any time that the controller's clock lost beyond the time spent is lag, which later plans allow for; so is a
        Japanese period that only the controller's clock lost. Without time settings the reported time becomes the
        whole time, unless it is 0, as of a clock that does not run.

        Parameters
        ----------
        seconds
            Seconds left of the main time, or of the period.
        count
            Stones left in a Canadian period, or Japanese periods left; 0 in main time. Ignored if the settings have no
            overtime: the seconds are then for all moves.

        Raises
        ------
        ArgumentError
            If a time is not a finite number, or the count is not a whole number from 0 on.
        """
        if not is_number(seconds):
            raise ArgumentError(f"time is {quoted(seconds)}: it must be a number of seconds")
        seconds, count = max(0.0, float(seconds)), whole("count", count, 0, 2**40)
        if not self.is_limited:
            if not seconds:
                return
            system = "canadian" if count else "absolute"
            self.settings = TimeSettings(system, 0.0 if count else seconds, seconds if count else 0.0, count)
        if not self.settings.has_overtime:
            count = 0
        japanese = self.settings.period if self.settings.system == "byoyomi" else 0.0
        self._lags.report(seconds, count, japanese, self.lag)
        self.left, self.in_overtime, self.count = seconds, count > 0, count
        if not count:
            self._most_main = max(self._most_main, seconds)
        if self.settings.has_overtime and not count and seconds == 0:
            self._enter_overtime()

    def spend(self, seconds: float, thinking: float | None = None) -> bool:
        """Subtract the time of one move from the clock; returns whether the move was in time.

        A Canadian period restarts once its stones are played, a Japanese one with each move. A Fischer clock gets its
        increment. The clock of a late move goes on as if it had been made at the last moment, in a new period: not
        every controller ends the game.

        Parameters
        ----------
        seconds
            From the request to the answer.
        thinking
            The part that the player chose to spend, if known. The rest is overhead, which later plans allow for.
        """
        if thinking is not None:
            self._overhead = MEMORY * self._overhead + (1 - MEMORY) * max(0.0, seconds - thinking)
        self._overrun = max(seconds - self._planned, self._overrun * MEMORY, 0.0)
        self._planned = math.inf
        if not self.is_limited:
            return True
        in_time = seconds <= self.settings.longest_move
        self.left -= seconds
        if self.left < 0 and self.settings.has_overtime and not self.in_overtime:
            over = self.left
            self._enter_overtime()
            self.left += over
        if self.in_overtime:
            in_time &= self._end_period()
        in_time &= self.left >= 0
        self.left = max(self.left, 0.0)
        gained = self.settings.period if self.settings.system.startswith("fischer") else 0.0
        if gained and self.left + gained >= self.settings.longest_main:
            self.skip()  # a full clock does not show how late an answer arrives
        self._lags.spend(seconds - gained)
        if not self.in_overtime:
            self.left = min(self.left + gained, self.settings.longest_main)
            self._most_main = max(self._most_main, self.left)
        return in_time

    def skip(self) -> None:
        """Ignore what the controller's clock loses until the next `report`: it is not lag."""
        self._lags.begin(math.nan, 0)

    def plan(self, moves_to_go: float) -> Plan:
        """How long to think, if the player is to make `moves_to_go` moves until the game ends, this one included.

        The idea of an even share of the time left, and more if the choice is unclear, is from Baudis and Gailly,
        Pachi: State of the Art Open Source Go Program (2011).
        """
        if not self.is_limited:
            return Plan(math.inf, self.settings.longest_move)
        # The overhead of a move: its time beyond the search.
        cost = max(QUICKEST, self._lags.mean + self._overhead)
        if self.in_overtime:
            aim, most = self._overtime(cost)
        else:
            aim, most = self._main(max(1.0, moves_to_go), cost)
        longest = self.settings.longest_move - min(self._reserve, self.settings.longest_move / 2)
        self._planned = max(0.0, min(self._cut(most), longest))
        return Plan(min(max(0.0, aim), self._planned), self._planned)

    def _cut(self, seconds: float) -> float:
        """A time less the overrun, which a single stall must not make so large that nothing is left."""
        return seconds - min(self._overrun, MOST_CUT * seconds)

    @property
    def _reserve(self) -> float:
        """Seconds to stop before the end of a period or of an increment, which the answer must still reach."""
        return self.lag + self._lags.mean

    def _main(self, moves_to_go: float, cost: float) -> tuple[float, float]:
        """The aim and the maximum of a move in main time: a share of the time left, plus each move's increment."""
        bank = max(0.0, self.left - min(self.lag, self._most_main / 4))
        period = max(0.0, self.settings.period - min(self._reserve, self.settings.period / 2))
        again, available = 0.0, max(0.0, bank - self._lags.mean)
        if self.settings.system.startswith("fischer"):
            again = self._cut(max(0.0, self.settings.period - cost))
        elif self.settings.has_overtime:
            again = period / self.settings.count if self.settings.system == "canadian" else period
            available = self.left + again
        kept = 0.0 if again else min((cost + self._overrun) * QUICK_MOVES, QUICK_SHARE * self._most_main)
        share = self._cut(max(0.0, bank - cost * moves_to_go - kept) / moves_to_go)
        aim = min(share + again, available)
        return aim, min(STRETCH * aim, available)

    def _overtime(self, cost: float) -> tuple[float, float]:
        """The aim and the maximum of a move in overtime. Time left in a period after its last move is lost."""
        others = max(0, self.count - 1) if self.settings.system == "canadian" else 0
        available = max(0.0, self.left - min(self._reserve, self.settings.period / 2) - others * cost)
        aim = available / (others + 1)
        available -= others * (aim - self._cut(aim))
        aim = available / (others + 1)
        return aim, min(STRETCH * aim, available - others * aim / 2)

    def _enter_overtime(self) -> None:
        self.left, self.in_overtime, self.count = self.settings.period, True, self.settings.count

    def _end_period(self) -> bool:
        """Update the period after a move in overtime, its time already subtracted; returns whether it was in time."""
        period = self.settings.period
        if self.settings.system == "canadian":
            self.count -= 1
            in_time = self.left >= 0
            if not in_time or self.count <= 0:
                self.left, self.count = period, self.settings.count
            return in_time
        while self.left < 0 and self.count > 1:
            self.left += period
            self.count -= 1
        in_time = self.left >= 0
        self.left = period
        return in_time


def _number(name: str, word: str) -> float:
    try:
        number = float(word) if word.isascii() and "_" not in word else math.nan  # Python would read 6_0 as 60
    except ValueError:
        number = math.nan
    is_limit = name.startswith("LONGEST")
    if not math.isfinite(number) or (number < 0 and not is_limit) or number > 2**40:
        raise ArgumentError(f"{name} is {word[:40]!r}: it must be a number of seconds from 0 on")
    if name in ("PERIODS", "STONES") and number != int(number):
        raise ArgumentError(f"{name} is {word[:40]!r}: it must be a whole number")
    return number
