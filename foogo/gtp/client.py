"""`Client`: drives any GTP engine from Python, with a time limit for every answer."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Sequence
from typing import SupportsIndex

from foogo.arguments import is_number, positive, quoted
from foogo.errors import ArgumentError, VertexError
from foogo.game.clock import TimeSettings
from foogo.game.game import Game
from foogo.game.geometry import BLACK, check_color, check_size, geometry
from foogo.game.notation import number_text
from foogo.game.rules import Rules
from foogo.gtp.engine_process import Answer, EngineFailure, EngineProcess
from foogo.gtp.katago_rules import rules_argument

_RESULT = re.compile(r"(?P<color>[BW])\+(?P<points>\d+(\.\d+)?)|(?P<draw>0|draw|jigo)", re.IGNORECASE)

STANDARD_COMMAND, STANDARD_SYSTEMS = "time_settings", ("absolute", "canadian")
"""The standard's command for the time, which takes whole seconds, and its time systems."""

NO_LIMIT = f"{STANDARD_COMMAND} 0 1 0"  # a period without stones


class Client(EngineProcess):
    """A running GTP engine and its commands. As a context manager, it sends `quit` at the end.

    Every method sends a command and waits for its answer, at most `timeout` seconds. If there is no valid answer in
    time, the engine and its child processes are stopped. So they are after Ctrl-C. `send` sends any other command.
    Threads may share a client: a command waits until the one before it is answered.

    Parameters
    ----------
    command
        The program and its arguments, as a list or as one line, such as ``"gnugo --mode gtp"``.
    label
        The engine's name in messages and in the transcript; the program's name by default.
    timeout
        Seconds to wait for an answer; may be set at any time.

    Attributes
    ----------
    transcript : Transcript
        ``str(client.transcript)`` is the whole conversation, stderr included, with times.

    Raises
    ------
    MatchError
        If the program does not start, and on Windows.
    EngineFailure
        By every method, if the engine exits, answers late, violates GTP or refuses the command: see its `kind`.

    References
    ----------
    Farneback, Specification of the Go Text Protocol, version 2, draft 2 (2002).

    Examples
    --------
    >>> import sys
    >>> with Client([sys.executable, "-m", "foogo", "gtp"]) as engine:
    ...     engine.new_game(9, komi=7)
    ...     engine.play(BLACK, "E5")
    ...     engine.name(), engine.knows("final_score")
    ('foogo', True)
    """

    def __init__(self, command: Sequence[str] | str, *, label: str = "", timeout: float = 60.0) -> None:
        try:
            words = shlex.split(command) if isinstance(command, str) else [os.fsdecode(word) for word in command]
        except ValueError as error:
            raise ArgumentError(f"the command {command!r} cannot be read: {str(error).lower()}") from None
        except TypeError:
            raise ArgumentError(f"the command is {command!r}: give a program and its arguments, as texts") from None
        if not words:
            raise ArgumentError("an engine needs a command: give the program and its arguments")
        self.timeout, self._size = positive("timeout", timeout), 19  # the size before any is set
        self._is_timed = False
        super().__init__(label or words[0], words)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(polite=kind is None)

    def send(self, command: str, timeout: float | None = None) -> str:
        """The text of the answer to any command, without "=" and number."""
        return self.ask(command, timeout).text

    def ask(self, command: str, timeout: float | None = None) -> Answer:
        """The answer to any command, with the seconds that it took."""
        limit = self.timeout if timeout is None else timeout
        if not is_number(limit) or limit <= 0:
            raise ArgumentError(f"timeout is {quoted(limit)}: it must be a number of seconds above 0")
        return super().ask(command, limit)

    def knows(self, command: str, timeout: float | None = None) -> bool:
        """Whether the engine lists a command; the list is requested once."""
        return super().knows(command, self.timeout if timeout is None else timeout)

    def name(self) -> str:
        """The engine's name."""
        return self.send("name")

    def version(self) -> str:
        """The engine's version, which may be empty."""
        return self.send("version")

    def new_game(self, size: SupportsIndex, *, komi: float = 7.0, rules: Rules | str | None = None) -> None:
        """Empty the board and set its size and the komi.

        `rules` are sent to an engine that knows the command kata-set-rules; if it refuses them, it keeps its own. A
        name that foogo does not have is sent as it is, for the engine may know it. `Rules`, a text such as
        ``"superko=simple"``, and a preset whose name means other rules in KataGo, are sent as a JSON object; a
        RulesError is raised if the text names no rules.
        """
        wanted = "" if rules is None else rules_argument(rules)
        points, board_size = Game(2, komi=komi).komi, check_size(size)
        self.send(f"boardsize {board_size}")
        self._size = board_size
        self.send("clear_board")
        if wanted and self.knows("kata-set-rules"):
            try:
                self.send(f"kata-set-rules {wanted}")
            except EngineFailure as failure:
                if failure.kind != "refused":
                    raise
        self.send(f"komi {number_text(points)}")

    def set_up(self, game: Game) -> None:
        """Bring the engine to the position of a game, by playing the stones of its start and then its moves."""
        if not isinstance(game, Game):
            raise ArgumentError(f"a Game is set up, not {type(game).__name__}: Game(board) makes one of a board")
        self.new_game(game.size, komi=game.komi, rules=game.rules)
        start = game.start
        for color in (1, 2):
            for point in start.stones(color).search(1):
                self.play(color, point)
        for turn in game.turns:
            self.play(turn.color, turn.move)

    def set_time(self, time: TimeSettings) -> None:
        """Set both players' time; an EngineFailure if the engine does not list the command that can express it.

        The time system "none" lifts a limit that was set before. Without one, nothing is sent.
        """
        if not isinstance(time, TimeSettings):
            raise ArgumentError(f"time is {time!r}: give TimeSettings, such as TimeSettings.parse('absolute 60')")
        for command in time_commands(time) or [NO_LIMIT] * self._is_timed:
            name = command.split()[0]
            if not self.knows(name):
                is_fraction = time.system in STANDARD_SYSTEMS and name != STANDARD_COMMAND
                hint = "; give whole seconds" if is_fraction else ""
                raise EngineFailure("refused", f"it does not know {name}, which the time settings {time} need{hint}")
            self.send(command)
        self._is_timed = time.system != "none"

    def play(self, color: SupportsIndex, move: str | SupportsIndex) -> None:
        """Play a move: a point, PASS or a vertex. The engine judges whether it is legal."""
        mine = geometry(self._size)
        self.send(f"play {color_letter(color)} {mine.vertex(mine.check_move(move))}")

    def genmove(self, color: SupportsIndex, timeout: float | None = None) -> int | None:
        """The move that the engine plays: a point or PASS, or None if it resigns."""
        text = self.send(f"genmove {color_letter(color)}", timeout)
        if text.lower() == "resign":
            return None
        try:
            return geometry(self._size).point(text)
        except VertexError as error:
            self.close()
            raise EngineFailure("garbage", f"it generated {text[:100]!r}: {error}") from None

    def undo(self) -> None:
        """Take back the last move."""
        self.send("undo")

    def final_score(self) -> float | None:
        """Black's lead in points after komi, as the engine scores the position; None if it gives no number."""
        return parse_score(self.send("final_score"))


def color_letter(color: SupportsIndex) -> str:
    """The colour as GTP writes it: "b" or "w"."""
    return "b" if check_color(color) == BLACK else "w"


def parse_score(text: str) -> float | None:
    """Black's lead in points, from the text of a result such as W+3.5 or 0; None for B+Resign and the like."""
    match = _RESULT.fullmatch(text.split()[0] if text.split() else "")
    if not match:
        return None
    points = float(match["points"] or 0)
    return points if (match["color"] or "B").upper() == "B" else -points


def time_commands(time: TimeSettings) -> list[str]:
    """The GTP commands that set an engine's time: a command of the standard if it can express the time."""
    if time.system == "none":
        return []
    main, period = int(time.main), int(time.period)
    if time.system in STANDARD_SYSTEMS and (main, period) == (time.main, time.period):
        return [f"{STANDARD_COMMAND} {main} {period} {time.count}"]
    return [f"{'kgs' if time.system == 'byoyomi' else 'kata'}-time_settings {time}"]
