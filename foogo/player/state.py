"""`GameState`: a game in plain Python, what was agreed on, and two clocks."""

from __future__ import annotations

from typing import SupportsFloat, SupportsIndex

from foogo.errors import ArgumentError
from foogo.game.clock import LAG, Clock, TimeSettings
from foogo.game.game import Game, Turn
from foogo.game.geometry import BLACK, WHITE, check_color
from foogo.game.interpreted import InterpretedBoard
from foogo.game.position import Position
from foogo.game.replay import interpreted_game
from foogo.game.rules import Rules
from foogo.player.conventions import Conventions


class GameState:
    """A game that goes on, from one position to the next and from one game to the next.

    The game is kept in plain Python, so that it is there before anything is compiled. After two passes it goes on if
    somebody plays on.

    Parameters
    ----------
    size
        Points on a side, 2 to 19.
    rules
        `Conventions`, `Rules`, or the name of a preset.
    komi
        Points that White gets, before any compensation for handicap.
    lag
        Seconds that the clocks keep back.

    Attributes
    ----------
    game : Game
        The game so far; play on it by `play` only.
    clocks : dict
        The `Clock` of each colour.
    settings : TimeSettings
        What each of them started with.

    Examples
    --------
    >>> state = GameState(9, "chinese", 7.5)
    >>> for vertex in ("pass", "pass", "E5"):
    ...     state.play(vertex)
    >>> state.undo(2).color == WHITE, state.game.is_over
    (True, False)
    """

    def __init__(
        self,
        size: SupportsIndex = 9,
        rules: Conventions | Rules | str = "tromp-taylor",
        komi: SupportsFloat = 7.0,
        lag: float = LAG,
    ) -> None:
        self._conventions = Conventions.of(rules)
        self.game = Game(InterpretedBoard(size), self._conventions.rules, komi)
        self.settings = TimeSettings()
        self._lag = lag
        self._begin()

    def _begin(self) -> None:
        """What every new game starts with."""
        self.clocks = {color: Clock(self.settings, lag=self._lag) for color in (BLACK, WHITE)}

    def _before_change(self) -> None:
        """Called before the game, its rules or its komi change."""

    @property
    def size(self) -> int:
        """Points on a side."""
        return self.game.size

    @property
    def komi(self) -> float:
        """Points that White gets; kept from game to game; may be set."""
        return self.game.komi

    @komi.setter
    def komi(self, komi: SupportsFloat) -> None:
        self._before_change()
        self.game.komi = komi

    @property
    def conventions(self) -> Conventions:
        """The rules and what goes with them; may be set within a game that they allow.

        Raises
        ------
        IllegalMoveError
            If a move of the game would not have been legal; nothing is changed then.
        """
        return self._conventions

    @conventions.setter
    def conventions(self, value: Conventions | Rules | str) -> None:
        conventions = Conventions.of(value)
        self._before_change()
        self.game = interpreted_game(self.game, rules=conventions.rules)
        self._conventions = conventions

    @property
    def compensation(self) -> int:
        """Points that White gets for handicap, as the conventions have it."""
        return self._conventions.compensation(self.game)

    @property
    def total_komi(self) -> float:
        """Komi and the compensation for handicap."""
        return self.game.komi + self.compensation

    def new_game(self, size: SupportsIndex | None = None) -> None:
        """Begin again from an empty board, of another size if one is given. Komi, rules and time settings stay.

        Raises
        ------
        SizeError
            If there is no board of that size.
        """
        self.load(Game(InterpretedBoard(self.size if size is None else size), self._conventions.rules, self.komi))

    def set_position(self, board: Position) -> None:
        """Begin again from a position; its handicap is what stands there of Black's alone."""
        self.load(Game(InterpretedBoard.of(board), self._conventions.rules, self.komi))

    def load(self, game: Game) -> None:
        """Go on from another game, its komi and rules. A preset of the same rules stays in force."""
        self._before_change()
        self.game = interpreted_game(game)
        if game.rules != self._conventions.rules:
            self._conventions = Conventions.of(game.rules)
        self._begin()

    def play(self, move: str | SupportsIndex, color: SupportsIndex | None = None) -> None:
        """Play a move, as `Game.play`; after two passes the game goes on.

        Raises
        ------
        IllegalMoveError, VertexError
            As `Game.play`; nothing is changed then.
        """
        self._before_change()
        if self.game.is_over:
            resumed = self.game.copy()
            resumed.resume()
            resumed.play(move, color)
            self.game = resumed
        else:
            self.game.play(move, color)

    def undo(self, turns: int = 1) -> Turn:
        """Take turns back; the one taken back last.

        Raises
        ------
        ArgumentError
            If fewer were played; nothing is changed then.
        """
        if not 1 <= turns <= len(self.game.turns):
            raise ArgumentError(f"cannot undo {turns} moves: {len(self.game.turns)} were played")
        self._before_change()
        for _ in range(turns):
            turn = self.game.undo()
        return turn

    def set_turn(self, color: int) -> None:
        """Hand the turn to a colour without a move."""
        self._before_change()
        self.game.to_play = check_color(color)

    def set_time(self, settings: TimeSettings) -> None:
        """Give both players that much time."""
        self._before_change()
        self.settings = settings
        self.clocks = {color: Clock(settings, lag=self._lag) for color in (BLACK, WHITE)}

    def time_left(self, color: int, seconds: float, count: int = 0) -> None:
        """Set a player's clock by the controller's, as `Clock.report`."""
        self.clocks[check_color(color)].report(seconds, count)

    def open_game(self) -> Game:
        """The game, on which play goes on even after two passes."""
        game = self.game
        if game.is_over:
            game = game.copy()
            game.resume()
        return game
