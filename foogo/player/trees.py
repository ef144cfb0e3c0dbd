"""The search tree of a player, kept from move to move."""

from __future__ import annotations

from foogo.game.game import Game, Turn
from foogo.game.geometry import PASS
from foogo.game.replay import compiled_game
from foogo.player.options import PlayerOptions
from foogo.search.restrictions import Avoid
from foogo.search.result import SearchResult
from foogo.search.search import Search


class Tree:
    """A search that follows a game as long as it can, and begins anew where it cannot."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the tree."""
        self._search: Search | None = None
        self._game: Game | None = None
        self._made_by: tuple[PlayerOptions, tuple[Avoid, ...], int | None] | None = None

    def search(
        self, game: Game, options: PlayerOptions, avoid: tuple[Avoid, ...] = (), must_win: int | None = None
    ) -> Search:
        """A search at the end of `game`, with what earlier searches know of it.

        Parameters
        ----------
        game
            The game, not over.
        options
            How to search.
        avoid
            Moves to leave out, counted from there.
        must_win
            As `Search` takes it.
        """
        made_by = options, avoid, must_win
        if self._made_by == made_by and self._search is not None and self._follow(game):
            return self._search
        search = _new_search(compiled_game(game), options, avoid, must_win)
        self._search, self._game, self._made_by = search, game.copy(), made_by
        return search

    def _follow(self, game: Game) -> bool:
        """Play on the search what the game has more; whether it is then where the game is."""
        search, last = self._search, self._game
        if search is None or last is None or not _is_longer(last, game):
            return False
        new = game.turns[len(last.turns) :]
        if new and self._made_by is not None and self._made_by[1]:
            return False
        for turn in new:
            now = search.game
            if now.is_over or now.to_play != turn.color or not now.is_legal(turn.move):
                self.forget()
                return False
            search.play(turn.move)
        self._game = game.copy()
        return search.game.to_play == game.to_play and not search.game.is_over


def _is_longer(last: Game, game: Game) -> bool:
    """Whether `game` goes on from where `last` was, under the same rules and komi."""
    turns: tuple[Turn, ...] = last.turns
    return (
        (last.size, last.rules, last.komi) == (game.size, game.rules, game.komi)
        and game.turns[: len(turns)] == turns
        and last.start == game.start
    )


def searched_without_pass(
    game: Game, options: PlayerOptions, simulations: int, seconds: float, avoid: tuple[Avoid, ...] = ()
) -> SearchResult:
    """What a search finds that may not pass at first, unless nothing else is left; of the position alone.

    After a pass the game could end at once, which tells nothing of the stones: this search plays on instead.

    Parameters
    ----------
    game
        The game, whose turns do not matter.
    options
        How to search.
    simulations, seconds
        When to end, whichever is first.
    avoid
        More moves to leave out.
    """
    fresh = Game(compiled_game(game).board, game.rules, game.komi)
    fresh.to_play = game.to_play
    search = _new_search(fresh, options, (Avoid(game.to_play, (PASS,), depth=1), *avoid))
    return search.run(simulations=simulations, seconds=seconds)


def _new_search(game: Game, options: PlayerOptions, avoid: tuple[Avoid, ...], must_win: int | None = None) -> Search:
    return Search(
        game,
        threads=options.threads,
        seed=options.seed,
        policy=options.policy,
        parameters=options.parameters,
        avoid=avoid,
        must_win=must_win,
    )
