"""Plays one game between two GTP engines, under foogo's rules and clock.

The referee plays every move on a `foogo.game.game.Game` of its own. An engine that violates a rule, answers late or
not at all, crashes, or does not follow GTP forfeits the game, and the record says why.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from foogo.errors import IllegalMoveError, VertexError
from foogo.game.clock import Clock
from foogo.game.game import Game
from foogo.game.geometry import BLACK, COLOR_NAMES, EMPTY, WHITE, opponent
from foogo.game.notation import number_text, result_text
from foogo.game.rules import Rules
from foogo.gtp.client import Client, color_letter, parse_score
from foogo.gtp.engine_process import Answer, EngineFailure
from foogo.match.config import MatchConfig
from foogo.match.timekeeping import charge, seconds_left

TURNS_PER_POINT = 4  # the move limit of a game, in turns per point of the board
CLEANUP = "kgs-genmove_cleanup"  # the command that asks for moves until all dead stones are captured

AGREED, PLAYED_OUT, AREA = "agreement", "played out", "area"
RESIGNED, LIMIT = "resignation", "move limit"
"""With those above, the reasons for the result of a game that is not forfeited."""

FORFEITS = ("illegal", "time", "timeout", "crash", "garbage", "refused")  # the reasons for a forfeit


@dataclass
class Outcome:
    """A game that was played, and its result."""

    game: Game
    winner: int | None = None  # BLACK, WHITE, EMPTY for a draw, or None if the game has no result
    result: str = "Void"  # as in an SGF file
    reason: str = LIMIT  # one of `FORFEITS` or of the other reasons above
    detail: str = ""  # what went wrong
    seconds: list[float] = field(default_factory=list)  # of each turn; 0 for the moves of the opening
    scores: dict[str, str] = field(default_factory=dict)  # by "black", "white" and "referee", as far as they gave one


class _Forfeit(Exception):
    """A player forfeits the game."""

    def __init__(self, color: int, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.color, self.reason = color, reason


def play_game(black: Client, white: Client, config: MatchConfig, size: int, opening: Sequence[int] = ()) -> Outcome:
    """Play a game after the points of an opening; an engine that fails forfeits it and is closed."""
    return _Referee({BLACK: black, WHITE: white}, config, size).play(opening)


def set_up(engine: Client, config: MatchConfig, size: int) -> None:
    """Set an engine up for a new game; raises EngineFailure if it refuses the board size, the komi or the time."""
    engine.timeout = config.patience
    engine.new_game(size, komi=config.komi, rules=config.rules)
    engine.set_time(config.time)


class _Referee:
    def __init__(self, engines: dict[int, Client], config: MatchConfig, size: int) -> None:
        self._engines, self._config = engines, config
        self._game = Game(size, Rules.parse(config.rules), config.komi)
        self._clocks = {color: Clock(config.time, lag=config.lag) for color in engines}
        self._outcome = Outcome(self._game)

    def play(self, opening: Sequence[int]) -> Outcome:
        try:
            for color in (BLACK, WHITE):
                with _forfeits(color):
                    set_up(self._engines[color], self._config, self._game.size)
            for move in opening:
                self._game.play(move)
                self._outcome.seconds.append(0.0)
                for color in (BLACK, WHITE):
                    self._tell(color)
            if self._play_on("genmove"):
                self._decide()
        except _Forfeit as forfeit:
            self._end_early(opponent(forfeit.color), "T" if forfeit.reason == "time" else "F", forfeit.reason)
            self._outcome.detail = f"{COLOR_NAMES[forfeit.color]}: {forfeit}"
        return self._outcome

    def _play_on(self, command: str) -> bool:
        """Request moves until two passes, a resignation or the limit; True if two passes ended the game."""
        while not self._game.is_over:
            if len(self._game.turns) >= TURNS_PER_POINT * self._game.size**2:
                return False
            color = self._game.to_play
            answer = self._ask_move(command, color)
            if answer.text.lower() == "resign":
                self._end_early(opponent(color), "R", RESIGNED)
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
        """Request a move from a player and charge its clock."""
        engine, clock, config = self._engines[color], self._clocks[color], self._config
        timed = clock.is_limited and command == "genmove"
        with _forfeits(color):
            if timed and engine.knows("time_left"):
                stones = clock.count if clock.in_overtime else 0
                # GTP has whole seconds, but on a Fischer clock less than one may be left at every move.
                is_fischer = clock.settings.system == "fischer"
                left = number_text(int(100 * clock.left) / 100 if is_fischer else int(clock.left))
                engine.ask(f"time_left {color_letter(color)} {left} {stones}")
        allowed = max(0.001, seconds_left(clock) + config.lag) if timed else config.patience
        late = f"no move within {allowed:.2f} s, the time left on the clock plus {config.lag:g} s of lag"
        try:
            answer = engine.ask(f"{command} {color_letter(color)}", allowed)
        except EngineFailure as failure:
            if timed and failure.kind == "timeout":
                raise _Forfeit(color, "time", late) from None
            raise _Forfeit(color, failure.kind, str(failure)) from None
        if timed and not charge(clock, answer.seconds, config.lag):
            raise _Forfeit(color, "time", late)
        return answer

    def _tell(self, color: int) -> None:
        """Send the last move to an engine."""
        turn = self._game.turns[-1]
        with _forfeits(color):
            self._engines[color].play(turn.color, turn.move)

    def _decide(self) -> None:
        """Score a game that two passes ended."""
        agreed = self._final_scores()
        if agreed is not None and self._config.scoring == AGREED:
            self._score(agreed, AGREED)
        elif self._config.scoring != AREA and self._can_clean_up():
            self._game.resume()
            if self._play_on(CLEANUP):
                self._final_scores()
                self._score(self._game.score(), PLAYED_OUT)
        else:
            self._score(self._game.score(), AREA)

    def _can_clean_up(self) -> bool:
        try:
            return all(engine.is_open and engine.knows(CLEANUP) for engine in self._engines.values())
        except EngineFailure:  # it exited during final_score
            return False

    def _final_scores(self) -> float | None:
        """Note the scores by both engines and the referee; Black's lead if both engines agree, else None.

        The game is already over, so an engine that fails here does not forfeit it; the failure is noted.
        """
        scores, leads = self._outcome.scores, []
        scores["referee"] = self._game.result()
        for color in (BLACK, WHITE):
            try:
                text = self._engines[color].send("final_score")
            except EngineFailure as failure:
                if failure.kind != "refused":
                    self._outcome.detail = f"{COLOR_NAMES[color]}: {failure}"
                continue
            scores[COLOR_NAMES[color]] = text
            leads.append(parse_score(text))
        return leads[0] if len(leads) == 2 and leads[0] == leads[1] else None

    def _score(self, lead: float, reason: str) -> None:
        self._end(BLACK if lead > 0 else WHITE if lead < 0 else EMPTY, result_text(lead), reason)

    def _end(self, winner: int, result: str, reason: str) -> None:
        self._outcome.winner, self._outcome.result, self._outcome.reason = winner, result, reason

    def _end_early(self, winner: int, mark: str, reason: str) -> None:
        """End the game without a score; `mark` stands for it in the result."""
        self._end(winner, f"{'BW'[winner - 1]}+{mark}", reason)


@contextmanager
def _forfeits(color: int) -> Iterator[None]:
    """Turn the failure of an engine into a forfeit by `color`."""
    try:
        yield
    except EngineFailure as failure:
        raise _Forfeit(color, failure.kind, str(failure)) from None
