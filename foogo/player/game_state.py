"""`GameState`: a game, its rule set and two clocks."""

from __future__ import annotations

from typing import SupportsFloat, SupportsIndex

from foogo.arguments import whole_number
from foogo.errors import ArgumentError
from foogo.game.board import Board
from foogo.game.clock import LAG, Clock, TimeSettings
from foogo.game.game import Game, Turn
from foogo.game.geometry import BLACK, PASS, WHITE, check_color
from foogo.game.notation import counted
from foogo.game.replay import replay
from foogo.game.rules import Rules
from foogo.player.ruleset import Ruleset


class GameState:
    """A game with its rule set and clocks, which may be followed by another game.

    A move after two passes resumes the game. `komi` is what White gets before any compensation for handicap; `lag` the
    seconds of each move that the clocks reserve for transmission.

    Examples
    --------
    >>> state = GameState(9, "chinese", 7.5)
    >>> for vertex in ("pass", "pass", "E5"):
    ...     state.play(vertex)
    >>> state.undo(2).color == WHITE, state.game.is_over
    (True, False)
    """

    clocks: dict[int, Clock]

    def __init__(
        self,
        size: SupportsIndex = 9,
        rules: Ruleset | Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        lag: float = LAG,
    ) -> None:
        self._ruleset = Ruleset.of(rules)
        self.game = Game(size, self._ruleset.rules, komi)  # changed only by the methods below
        self.settings = TimeSettings()  # of the clocks when they start
        self._lag = lag
        self._reset_clocks()
        self._on_new_game()

    def _on_new_game(self) -> None:
        """Called when a new game begins."""

    def _before_change(self) -> None:
        """Called before the game, its rules or its komi change."""

    @property
    def size(self) -> int:
        """Points on a side."""
        return self.game.size

    @property
    def komi(self) -> float:
        """Points that White gets; may be set, and is kept from game to game."""
        return self.game.komi

    @komi.setter
    def komi(self, komi: SupportsFloat) -> None:
        self._before_change()
        self.game.komi = komi

    @property
    def ruleset(self) -> Ruleset:
        """The rule set; setting it raises IllegalMoveError if a move of the game so far is illegal under it."""
        return self._ruleset

    @ruleset.setter
    def ruleset(self, value: Ruleset | Rules | str) -> None:
        ruleset = Ruleset.of(value)
        self._before_change()
        self.game = replay(self.game, ruleset.rules)
        self._ruleset = ruleset

    @property
    def compensation(self) -> int:
        """Points that White gets for handicap under the rule set."""
        return self._ruleset.compensation(self.game)

    @property
    def total_komi(self) -> float:
        """Komi plus the compensation for handicap."""
        return self.game.komi + self.compensation

    def new_game(self, size: SupportsIndex | None = None) -> None:
        """Start a new game on an empty board, of the same size by default; keep komi, rules and time settings."""
        self.load(Game(self.size if size is None else size, self._ruleset.rules, self.komi))

    def set_position(self, board: Board) -> None:
        """Start a new game from a position. If only Black has stones, they are its handicap."""
        self.load(Game(board, self._ruleset.rules, self.komi))

    def load(self, game: Game, preset: str | None = None) -> None:
        """Continue another game under its komi and rules.

        The rule set stays if it has the same rules. Otherwise it is the `preset` that has them, if it is given. Nothing
        changes if `game` is no Game, an ArgumentError, or there is no such preset, a RulesError.
        """
        if not isinstance(game, Game):
            raise ArgumentError(f"a Game is loaded, not {type(game).__name__}: set_position takes a board")
        ruleset = self._ruleset
        if game.rules != ruleset.rules:
            ruleset = Ruleset.of(game.rules if preset is None else preset)
        self._before_change()
        self.game, self._ruleset = game.copy(), ruleset
        self._reset_clocks()
        self._on_new_game()

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None) -> None:
        """Play a move, as `Game.play`; a move after two passes resumes the game."""
        self._before_change()
        game = self.open_game()
        game.play(move, color)
        self.game = game

    def undo(self, turns: int = 1) -> Turn:
        """Undo turns and return the earliest; raises ArgumentError, and changes nothing, if fewer were played.

        A game that two passes ended, and the first turn undone resumed, is over again.
        """
        number = whole_number(turns)
        if number is None or not 1 <= number <= len(self.game.turns):
            wanted = f"{turns!r} moves" if number is None else counted(number, "move")
            raise ArgumentError(f"cannot undo {wanted}: {len(self.game.turns)} were played")
        self._before_change()
        for _ in range(number):
            turn = self.game.undo()
        self.game = _ended_again(self.game)
        return turn

    def set_turn(self, color: int) -> None:
        """Set the player to move."""
        self._before_change()
        self.game.to_play = check_color(color)

    def set_time(self, settings: TimeSettings) -> None:
        """Give both players a new clock with these settings; an ArgumentError if they are not `TimeSettings`."""
        if not isinstance(settings, TimeSettings):
            raise ArgumentError(f"time is {settings!r}: give TimeSettings, such as TimeSettings.parse('absolute 60')")
        self._before_change()
        if settings == self.settings:  # as controllers send them again before every move
            self.clocks = {color: clock.renewed(settings) for color, clock in self.clocks.items()}
            return
        self.settings = settings
        self._reset_clocks()

    def time_left(self, color: int, seconds: float, count: int = 0) -> None:
        """Set a player's clock to what the controller reports, as `Clock.report`."""
        self.clocks[check_color(color)].report(seconds, count)

    def open_game(self) -> Game:
        """The game, or a resumed copy if two passes ended it."""
        game = self.game
        if game.is_over:
            game = game.copy()
            game.resume()
        return game

    def _reset_clocks(self) -> None:
        self.clocks = {color: Clock(self.settings, lag=self._lag) for color in (BLACK, WHITE)}


def _ended_again(game: Game) -> Game:
    """The game, or a copy that is over if its last turns are two passes after which play was resumed."""
    last = game.turns[-2:]
    if game.is_over or [turn.move for turn in last] != [PASS, PASS]:
        return game
    ended = game.copy()
    for _ in last:
        ended.undo()  # which takes the resumption back too
    for turn in last:
        if ended.is_over:  # two passes came before the last one
            ended.resume()
        ended.play(turn.move, turn.color)
    ended.to_play = game.to_play
    return ended
