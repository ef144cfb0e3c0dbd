"""The same game under other rules."""

from __future__ import annotations

from foogo.game.game import Game
from foogo.game.rules import Rules


def replay(game: Game, rules: Rules) -> Game:
    """The same game, with its turns, under other rules.

    Raises
    ------
    IllegalMoveError
        If a turn is illegal under them.

    Examples
    --------
    >>> game = Game(9)
    >>> game.play("E5")
    >>> replay(game, Game(9, "chinese").rules).turns == game.turns
    True
    """
    replayed = Game(game.start, rules, game.komi)
    for turn in game.turns:
        if replayed.is_over:
            replayed.resume()
        replayed.play(turn.move, turn.color)
    if replayed.is_over and not game.is_over:
        replayed.resume()
    if game.to_play != replayed.to_play:
        replayed.to_play = game.to_play
    return replayed
