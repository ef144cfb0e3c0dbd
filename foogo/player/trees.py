"""The search tree of a player: kept from move to move, looked into, and restricted to some moves.

The only place outside `foogo.search` that knows how a tree lies in memory, as `foogo.kernels.tree` tells.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from foogo.game import Game, Turn
from foogo.geometry import PASS
from foogo.kernels import tree
from foogo.plain import compiled_game
from foogo.player.options import PlayerOptions
from foogo.search.engine import Search
from foogo.search.result import SearchResult


class Tree:
    """A search that follows a game as long as it can, and begins anew where it cannot."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Drop the tree."""
        self._search: Search | None = None
        self._game: Game | None = None
        self._made_by: tuple[PlayerOptions, frozenset[int] | None] | None = None

    def search(self, game: Game, options: PlayerOptions, points: Iterable[int] | None = None) -> Search:
        """A search at the end of `game`, with what earlier searches know of it.

        Parameters
        ----------
        game
            The game, not over.
        options
            How to search.
        points
            Look only at these points and PASS.
        """
        wanted = None if points is None else frozenset(points)
        if self._made_by == (options, wanted) and self._search is not None and self._follow(game):
            return self._search
        search = _new_search(compiled_game(game), options)
        if wanted is not None:
            _restrict(search, wanted | {PASS})
        self._search, self._game, self._made_by = search, game.copy(), (options, wanted)
        return search

    def visits(self, variations: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
        """The visits of each move of each variation; those that are not in the tree have 0."""
        if self._search is None:
            return tuple(tuple(0 for _ in moves) for moves in variations)
        return tuple(_visits_along(self._search, moves) for moves in variations)

    def _follow(self, game: Game) -> bool:
        """Play on the search what the game has more; whether it is then where the game is."""
        search, last = self._search, self._game
        if search is None or last is None or not _is_longer(last, game):
            return False
        new = game.turns[len(last.turns) :]
        if new and self._made_by is not None and self._made_by[1] is not None:
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


def searched_without_pass(game: Game, options: PlayerOptions, simulations: int, seconds: float) -> SearchResult:
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
    """
    fresh = Game(compiled_game(game).board, game.rules, game.komi)
    fresh.to_play = game.to_play
    search = _new_search(fresh, options)
    _restrict(search, range(game.size**2))
    return search.run(simulations=simulations, seconds=seconds)


def _new_search(game: Game, options: PlayerOptions) -> Search:
    return Search(
        game,
        threads=options.threads,
        seed=options.seed,
        policy=options.policy,
        parameters=options.parameters,
    )


def _restrict(search: Search, moves: Collection[int]) -> None:
    """Leave only those moves at the root of a new search; none of them there, PASS."""
    search.run(simulations=1)
    memory, capacity = search._memory, search._capacity
    fields = memory.view(np.int32).reshape(tree.FIELDS, capacity)
    first, count = int(fields[tree.FIRST, tree.ROOT]), int(fields[tree.COUNT, tree.ROOT])
    found = fields[tree.MOVE, first : first + count].tolist()
    kept = [first + i for i, move in enumerate(found) if move in moves]
    kept = kept or [first + i for i, move in enumerate(found) if move == PASS]
    # LEAD is as wide as two fields, so it is no row of them.
    leads = memory[kept]
    others = fields[tree.VISITS :, kept]
    memory[first : first + len(kept)] = leads
    fields[tree.VISITS :, first : first + len(kept)] = others
    fields[tree.COUNT, tree.ROOT] = len(kept)


def _visits_along(search: Search, moves: Sequence[int]) -> tuple[int, ...]:
    memory, capacity = search._memory, search._capacity
    fields = memory.view(np.int32).reshape(tree.FIELDS, capacity)
    entry, found = tree.ROOT, list[int]()
    for move in moves:
        entry = int(tree.child_of(memory, capacity, entry, move)) if entry != tree.LEAF or not found else tree.LEAF
        found.append(int(fields[tree.VISITS, entry] - fields[tree.PRIOR_VISITS, entry]) if entry != tree.LEAF else 0)
    return tuple(found)
