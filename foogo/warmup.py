"""The kernels of foogo in groups, and how to have each group compiled before it is needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import BLACK, PASS
from foogo.game.perft import perft
from foogo.playout.games import play_games
from foogo.playout.policies import POLICIES, AnyPolicy
from foogo.playout.simulate import simulate
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search

USUAL_SIZES = (9, 13, 19)

SMALL_TREE = 1 << 21
"""Bytes of the tree of a search that only has to be compiled."""


def groups(sizes: Iterable[int], policies: Iterable[str] = tuple(POLICIES)) -> dict[str, Callable[[], object]]:
    """A function for each group of kernels that compiles it, or loads it from disk, by the group's name.

    Parameters
    ----------
    sizes
        The board sizes of the playouts and the search. All other kernels are the same for every size.
    policies
        Their playout policies.

    Examples
    --------
    >>> list(groups([9], ["uniform"]))
    ['board', 'perft', 'solver', '9x9 playouts, uniform', '9x9 search, uniform']
    """
    found: dict[str, Callable[[], object]] = {"board": _board, "perft": partial(perft, 3, 2), "solver": _solver}
    for size in sizes:
        for policy in policies:
            found[f"{size}x{size} playouts, {policy}"] = partial(_playouts, size, policy)
            found[f"{size}x{size} search, {policy}"] = partial(warm_search, size, policy)
    return found


def warm_search(size: int, policy: str | AnyPolicy | None) -> None:
    """Call every kernel that a player uses, in a short search from an empty board."""
    _board()
    search = Search(Game(size), policy=policy, parameters=SearchParameters(memory=SMALL_TREE))
    search.play(search.run(simulations=512).best)
    search.run(simulations=256)
    search.play(PASS)


def _board() -> None:
    game = Game(Board.from_diagram("X . .\n. O .\n. . ."), "chinese")
    game.play("C1")
    game.board.string_at("C1")
    game.board.playable(BLACK)
    game.legal()
    game.undo()
    game.score()


def _solver() -> None:
    from foogo.solver import solve  # a player does without it

    solve(3, 3)
    solve(2, 2, rules="draw", method="force", table_mb=1)
    solve(2, 2, rules="positional")


def _playouts(size: int, policy: str) -> None:
    simulate(size, 64, threads=1, policy=policy)
    play_games([Board(size)], 1, policy=policy, sets=True)
