"""The same game on the other kind of board."""

from __future__ import annotations

from foogo.game.game import Game
from foogo.game.interpreted import InterpretedBoard
from foogo.game.position import Position
from foogo.game.rules import Rules


def interpreted_game(game: Game, rules: Rules | None = None) -> Game:
    """The same game on interpreted boards, with its turns, under its own or other rules.

    Raises
    ------
    IllegalMoveError
        If a turn is illegal under the other rules.

    Examples
    --------
    >>> game = Game(9)
    >>> game.play("E5")
    >>> interpreted_game(game).board == game.board
    True
    """
    return _replay(game, InterpretedBoard.of(game.start), game.rules if rules is None else rules)


def compiled_game(game: Game) -> Game:
    """The same game on compiled boards, with its turns.

    Examples
    --------
    >>> type(compiled_game(Game(InterpretedBoard(9))).board).__name__
    'Board[9]'
    """
    start = game.start
    return _replay(game, start.compiled() if isinstance(start, InterpretedBoard) else start, game.rules)


def _replay(game: Game, start: Position, rules: Rules) -> Game:
    replayed = Game(start, rules, game.komi)
    for turn in game.turns:
        if replayed.is_over:
            replayed.resume()
        replayed.play(turn.move, turn.color)
    if replayed.is_over and not game.is_over:
        replayed.resume()
    if game.to_play != replayed.to_play:
        replayed.to_play = game.to_play
    return replayed
