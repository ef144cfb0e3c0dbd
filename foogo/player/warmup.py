"""Compiling the search in the background, so that a program answers meanwhile.

Numba compiles one function at a time and holds a lock while it does: a thread that calls a kernel for the first time
waits until the kernel that is being compiled is done. So nothing else may call kernels before `Warmup.wait` says so.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import PASS
from foogo.playout.policies import Policy, policy_of
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search

SMALL_TREE = 1 << 21
"""Bytes of the tree that a search is tried with."""

Key = tuple[int, tuple[bool, ...] | None]
"""A board size, and which shares of a policy there are; None for uniform playouts."""


class Warmup:
    """A thread that compiles what the search of a board size needs, or loads it from disk.

    Parameters
    ----------
    compile_for
        What to do for a size and a policy; by default a short search, which uses every kernel that play uses.

    Examples
    --------
    >>> warmup = Warmup(lambda size, policy: None)
    >>> warmup.want(9, "uniform")
    >>> warmup.wait(9, "uniform", seconds=10)
    True
    """

    def __init__(self, compile_for: Callable[[int, str | Policy], None] | None = None) -> None:
        self._compile = compile_for or try_search
        self._changed = threading.Condition()
        self._done: dict[Key, BaseException | None] = {}
        self._wanted: list[tuple[int, str | Policy]] = []
        self._thread: threading.Thread | None = None

    @property
    def is_busy(self) -> bool:
        """Whether something is being compiled, or waits to be."""
        return self._thread is not None

    def want(self, size: int, policy: str | Policy) -> None:
        """Compile for that size next, if that is still to be done."""
        with self._changed:
            if _key(size, policy) in self._done:
                return
            self._wanted.append((size, policy))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="foogo-warmup", daemon=True)
                self._thread.start()

    def wait(self, size: int, policy: str | Policy, seconds: float | None = None) -> bool:
        """Wait until a search of that size can begin, or that long; whether it can.

        Raises
        ------
        BaseException
            What its compilation raised.
        """
        self.want(size, policy)
        key, deadline = _key(size, policy), None if seconds is None else time.monotonic() + seconds
        with self._changed:
            while key not in self._done:
                left = None if deadline is None else deadline - time.monotonic()
                if left is not None and left <= 0:
                    return False
                self._changed.wait(left)
            failure = self._done[key]
        if failure is not None:
            raise failure
        return True

    def _work(self) -> None:
        while True:
            with self._changed:
                self._wanted = [one for one in self._wanted if _key(*one) not in self._done]
                if not self._wanted:
                    self._thread = None
                    return
                size, policy = self._wanted[-1]
            failure = None
            try:
                self._compile(size, policy)
            except BaseException as error:
                failure = error
            with self._changed:
                self._done[_key(size, policy)] = failure
                self._changed.notify_all()


def try_search(size: int, policy: str | Policy) -> None:
    """Do once, on an empty board, everything that a player's search does."""
    game = Game(Board(size))
    game.play(0)
    game.legal()
    game.undo()
    game.score()
    search = Search(game, policy=policy, parameters=SearchParameters(memory=SMALL_TREE))
    search.play(search.run(simulations=512).best)
    search.run(simulations=256)
    search.play(PASS)


def _key(size: int, policy: str | Policy) -> Key:
    """What kernels are compiled for: uniform playouts have no shares, and a share of None is left out."""
    chosen = policy_of(policy)
    return size, None if chosen is None else tuple(share is None for share in chosen.shares)


WARMUP = Warmup()
"""The one of this process."""
