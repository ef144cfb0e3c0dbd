"""One game between two GTP engines, under our rules and our clock.

The referee plays every move on a `foogo.game.game.Game` of its own. Who breaks a rule, answers late or not at all,
crashes, or speaks no GTP loses the game, and the record says why.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from foogo.errors import IllegalMoveError, VertexError
from foogo.game.clock import Clock, TimeSettings
from foogo.game.game import Game
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, geometry, opponent
from foogo.game.rules import Rules
from foogo.match.engine import Answer, Engine, EngineFailure

SCORINGS = ("agreement", "playout", "area")
"""What decides a game that ends by passes; docs/reference/match.md defines them."""

CLEANUP = "kgs-genmove_cleanup"

AGREED, PLAYED_OUT, AREA = "agreement", "played out", "area"
ROUNDING = 1e-9
"""Seconds that keep a sum of times from being a hair more than it was made of."""

RESIGNED, LIMIT = "resignation", "move limit"
FORFEITS = ("illegal", "time", "timeout", "crash", "garbage", "refused")
"""How a game can be lost without playing it to the end."""

_RESULT = re.compile(r"(?P<color>[BW])\+(?P<points>\d+(\.\d+)?)|(?P<draw>0|draw|jigo)", re.IGNORECASE)


@dataclass(frozen=True)
class Terms:
    """What both sides of a game agree on.

    Attributes
    ----------
    size, rules, komi
        Of the game; the rules as text that `Rules.parse` reads.
    time
        The time of each player.
    lag
        Seconds by which a move may be late without being forfeited.
    patience
        Seconds to wait for an answer that no clock limits.
    scoring
        One of `SCORINGS`.
    move_limit
        Turns after which a game is given up without a result.
    """

    size: int = 9
    rules: str = "tromp-taylor"
    komi: float = 7.0
    time: TimeSettings = field(default_factory=TimeSettings)
    lag: float = 0.5
    patience: float = 120.0
    scoring: str = AGREED
    move_limit: int = 324


@dataclass
class Outcome:
    """A game that was played.

    Attributes
    ----------
    game
        Its moves; an illegal one is not in it.
    winner
        BLACK, WHITE, EMPTY for a draw, or None if the game has no result.
    result
        As in an SGF file.
    reason
        How it was decided: one of `FORFEITS` or of the other reasons above.
    detail
        What went wrong, or "".
    seconds
        The time of each turn, in turn order; 0 for the moves of the opening.
    scores
        What each colour's engine and the referee's area count say about the final position, as far as they do.
    """

    game: Game
    winner: int | None = None
    result: str = "Void"
    reason: str = LIMIT
    detail: str = ""
    seconds: list[float] = field(default_factory=list)
    scores: dict[str, str] = field(default_factory=dict)


class _Forfeit(Exception):
    """Someone has lost without playing the game to its end."""

    def __init__(self, color: int, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.color, self.reason = color, reason


def play_game(black: Engine, white: Engine, terms: Terms, opening: Sequence[int] = ()) -> Outcome:
    """Play a game.

    Parameters
    ----------
    black, white
        The engines; one that fails is closed.
    terms
        Board, rules, komi, time, and how the end is decided.
    opening
        Moves (points) that are played before the engines are asked.

    Returns
    -------
    Outcome
        Also of a game that was forfeited.
    """
    return _Referee({BLACK: black, WHITE: white}, terms).play(opening)


def set_up(engine: Engine, terms: Terms) -> None:
    """Tell an engine about a new game.

    Raises
    ------
    EngineFailure
        If it does not take the board size, the komi or the time settings.
    """
    engine.ask(f"boardsize {terms.size}", terms.patience)
    engine.ask("clear_board", terms.patience)
    if engine.knows("kata-set-rules", terms.patience):
        try:
            engine.ask(f"kata-set-rules {terms.rules}", terms.patience)
        except EngineFailure as failure:
            if failure.kind != "refused":
                raise
    engine.ask(f"komi {terms.komi:g}", terms.patience)
    for command in _time_commands(terms.time):
        if not engine.knows(command.split()[0], terms.patience):
            name = command.split()[0]
            raise EngineFailure("refused", f"it does not know {name}, which the time {terms.time} needs")
        engine.ask(command, terms.patience)


def parse_score(text: str) -> float | None:
    """Black's lead that a result says, in points; None if it says none.

    Examples
    --------
    >>> parse_score("W+3.5"), parse_score("0"), parse_score("B+Resign")
    (-3.5, 0.0, None)
    """
    match = _RESULT.fullmatch(text.split()[0] if text.split() else "")
    if not match:
        return None
    points = float(match["points"] or 0)
    return points if (match["color"] or "B").upper() == "B" else -points


class _Referee:
    def __init__(self, engines: dict[int, Engine], terms: Terms) -> None:
        self._engines, self._terms = engines, terms
        self._game = Game(terms.size, Rules.parse(terms.rules), terms.komi)
        self._clocks = {color: Clock(terms.time, lag=terms.lag) for color in engines}
        self._outcome = Outcome(self._game)

    def play(self, opening: Sequence[int]) -> Outcome:
        try:
            for color in (BLACK, WHITE):
                with _forfeits(color):
                    set_up(self._engines[color], self._terms)
            for move in opening:
                self._game.play(move)
                self._outcome.seconds.append(0.0)
                for color in (BLACK, WHITE):
                    self._tell(color)
            if self._play_on("genmove"):
                self._decide()
        except _Forfeit as forfeit:
            winner = opponent(forfeit.color)
            self._end(winner, f"{'BW'[winner - 1]}+{'T' if forfeit.reason == 'time' else 'F'}", forfeit.reason)
            self._outcome.detail = f"{COLOR_NAMES[forfeit.color]}: {forfeit}"
        return self._outcome

    def _play_on(self, command: str) -> bool:
        """Ask for moves until two passes (True), a resignation or the limit."""
        while not self._game.is_over:
            if len(self._game.turns) >= self._terms.move_limit:
                return False
            color = self._game.to_play
            answer = self._ask_move(command, color)
            if answer.text.lower() == "resign":
                self._end(opponent(color), f"{'BW'[opponent(color) - 1]}+R", RESIGNED)
                return False
            try:
                self._game.play(answer.text, color)
            except (IllegalMoveError, VertexError) as error:
                self._engines[color].transcript.add(f"referee: illegal: {error}")
                raise _Forfeit(color, "illegal", str(error)) from None
            self._outcome.seconds.append(answer.seconds)
            self._tell(opponent(color))
        return True

    def _ask_move(self, command: str, color: int) -> Answer:
        """What a player answers to a request for a move, in time."""
        engine, clock, terms = self._engines[color], self._clocks[color], self._terms
        timed = clock.is_limited and command == "genmove"
        with _forfeits(color):
            if timed and engine.knows("time_left", terms.patience):
                stones = clock.count if clock.in_overtime else 0
                engine.ask(f"time_left {_letter(color)} {int(clock.left)} {stones}", terms.patience)
        allowed = _seconds_left(clock) + terms.lag if timed else terms.patience
        late = f"no move within {allowed:.2f} s, which were left on the clock with {terms.lag:g} s of lag"
        try:
            answer = engine.ask(f"{command} {_letter(color)}", allowed)
        except EngineFailure as failure:
            if timed and failure.kind == "timeout":
                raise _Forfeit(color, "time", late) from None
            raise _Forfeit(color, failure.kind, str(failure)) from None
        if timed and not _charge(clock, answer.seconds, terms.lag):
            raise _Forfeit(color, "time", late)
        return answer

    def _tell(self, color: int) -> None:
        """Tell an engine the last move."""
        turn = self._game.turns[-1]
        vertex = geometry(self._game.size).vertex(turn.move)
        with _forfeits(color):
            self._engines[color].ask(f"play {_letter(turn.color)} {vertex}", self._terms.patience)

    def _decide(self) -> None:
        """Score a game that two passes have ended."""
        agreed = self._final_scores()
        if agreed is not None and self._terms.scoring == AGREED:
            self._score(agreed, AGREED)
        elif self._terms.scoring != AREA and self._can_clean_up():
            self._game.resume()
            if self._play_on(CLEANUP):
                self._final_scores()
                self._score(self._game.score(), PLAYED_OUT)
        else:
            self._score(self._game.score(), AREA)

    def _can_clean_up(self) -> bool:
        try:
            return all(
                engine.is_open and engine.knows(CLEANUP, self._terms.patience) for engine in self._engines.values()
            )
        except EngineFailure:  # it has ended while it was asked for the score
            return False

    def _final_scores(self) -> float | None:
        """Note what everyone says of the end: Black's lead if both engines say the same.

        The game is over then, so nobody loses it by failing here; the failure is noted.
        """
        scores, said = self._outcome.scores, []
        scores["referee"] = self._game.result()
        for color in (BLACK, WHITE):
            try:
                text = self._engines[color].ask("final_score", self._terms.patience).text
            except EngineFailure as failure:
                if failure.kind != "refused":
                    self._outcome.detail = f"{COLOR_NAMES[color]}: {failure}"
                continue
            scores[COLOR_NAMES[color]] = text
            said.append(parse_score(text))
        return said[0] if len(said) == 2 and said[0] == said[1] else None

    def _score(self, lead: float, reason: str) -> None:
        winner = BLACK if lead > 0 else WHITE if lead < 0 else EMPTY
        self._end(winner, f"{'BW'[winner - 1]}+{abs(lead):g}" if winner else "0", reason)

    def _end(self, winner: int, result: str, reason: str) -> None:
        self._outcome.winner, self._outcome.result, self._outcome.reason = winner, result, reason


@contextmanager
def _forfeits(color: int) -> Iterator[None]:
    """Within it, a failing engine has lost the game."""
    try:
        yield
    except EngineFailure as failure:
        raise _Forfeit(color, failure.kind, str(failure)) from None


def _letter(color: int) -> str:
    return "b" if color == BLACK else "w"


def _seconds_left(clock: Clock) -> float:
    """Seconds after which the next move is late."""
    if not clock.settings.has_overtime:
        return min(clock.left, clock.settings.longest_move)
    periods = clock.count - 1 if clock.in_overtime else clock.settings.count
    if clock.settings.system == "canadian":
        periods = 0 if clock.in_overtime else 1
    return clock.left + clock.settings.period * periods


def _charge(clock: Clock, seconds: float, lag: float) -> bool:
    """Take the time of a move off a clock, which stands at 0 after a late one; False if it was later than `lag`."""
    left = _seconds_left(clock)
    return seconds <= left + lag and clock.spend(min(seconds, max(0.0, left - ROUNDING)))


def _time_commands(time: TimeSettings) -> list[str]:
    """How an engine is told of the time: as every one understands it, where that is possible."""
    if time.system == "none":
        return []
    if time.system in ("absolute", "canadian"):
        return [f"time_settings {time.main:g} {time.period:g} {time.count}"]
    return [f"{'kgs' if time.system == 'byoyomi' else 'kata'}-time_settings {time}"]
