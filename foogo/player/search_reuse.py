"""One search tree, kept from move to move."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from foogo.game.game import Game
from foogo.game.geometry import PASS
from foogo.player.options import PlayerOptions
from foogo.search.restrictions import Avoid
from foogo.search.result import SearchResult
from foogo.search.search import Search


class _Made(NamedTuple):
    """A search, and what it was made for."""

    search: Search
    options: PlayerOptions
    avoid: tuple[Avoid, ...]
    must_win: int | None


class ReusableSearch:
    """A search that follows a game while it can, and is replaced by a new one otherwise."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the tree."""
        self._made: _Made | None = None
        self._game: Game | None = None

    def at(
        self, game: Game, options: PlayerOptions, avoid: tuple[Avoid, ...] = (), must_win: int | None = None
    ) -> Search:
        """A search at the end of `game`, which is not over, with the tree of earlier searches if they led there.

        The moves to avoid are counted from the end of the game.
        """
        made = self._made
        if made is not None and made[1:] == (options, avoid, must_win) and self._follow(game, made):
            return made.search
        search = _new_search(game, options, avoid, must_win)
        self._made, self._game = _Made(search, options, avoid, must_win), game.copy()
        return search

    def _follow(self, game: Game, made: _Made) -> bool:
        """Play the new turns of `game` on the search; False if it cannot follow."""
        search, last = made.search, self._game
        if last is None or not _is_continued(last, game):
            return False
        new = game.turns[len(last.turns) :]
        if new and made.avoid:
            return False
        for turn in new:
            now = search.game
            if now.is_over or now.to_play != turn.color or not now.is_legal(turn.move):
                self.forget()
                return False
            search.play(turn.move)
        self._game = game.copy()
        return search.game.to_play == game.to_play and not search.game.is_over


def _is_continued(last: Game, game: Game) -> bool:
    """Whether `game` continues `last` under the same rules and komi."""
    return (
        (last.size, last.rules, last.komi) == (game.size, game.rules, game.komi)
        and game.turns[: len(last.turns)] == last.turns
        and last.start == game.start
    )


def search_without_pass(
    game: Game, options: PlayerOptions, seconds: float, avoid: tuple[Avoid, ...], interrupted: Callable[[], bool]
) -> SearchResult:
    """The result of a search of `status_simulations` whose first move is not a pass, unless no other move is left.

    It ends early after `seconds`, or once `interrupted` is true. After a pass the game could end at once, which would
    say nothing about the stones. The result depends on the position alone, not on the turns that led there.
    """
    fresh = Game(game.board, game.rules, game.komi)
    fresh.to_play = game.to_play
    search = _new_search(fresh, options, (Avoid(game.to_play, (PASS,), depth=1), *avoid))
    return search.run(options.status_simulations, seconds, until=lambda _: interrupted())


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
