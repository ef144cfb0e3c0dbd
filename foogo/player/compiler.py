"""Compiles the search in the background, so that a program can answer meanwhile.

Numba holds a lock while it compiles a function: a thread that calls another kernel for the first time blocks until the
function is compiled. So nothing may call kernels before `SearchCompiler.wait` returns True.
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
"""Bytes of the tree of the search that triggers the compilation."""

Key = tuple[int, tuple[bool, ...] | None]
"""A board size, and which shares of the policy are None; None for uniform playouts."""


class SearchCompiler:
    """A thread that compiles the kernels for a board size and a policy, or loads them from disk.

    Parameters
    ----------
    compile_for
        Compiles for a size and a policy; by default `try_search`.

    Examples
    --------
    >>> compiler = SearchCompiler(lambda size, policy: None)
    >>> compiler.request(9, "uniform")
    >>> compiler.wait(9, "uniform", seconds=10)
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
        """Whether a compilation is running or pending."""
        return self._thread is not None

    def request(self, size: int, policy: str | Policy) -> None:
        """Compile for this size and policy next, unless it is done. Returns at once."""
        with self._changed:
            if _key(size, policy) in self._done:
                return
            self._wanted.append((size, policy))
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="foogo-compiler", daemon=True)
                self._thread.start()

    def wait(self, size: int, policy: str | Policy, seconds: float | None = None) -> bool:
        """Whether a search of this size can begin, after waiting up to `seconds` for it; None waits without limit.

        Raises
        ------
        BaseException
            The exception that ended the compilation.
        """
        self.request(size, policy)
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
    """Call every kernel that a player uses, in a short search from an empty board."""
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
    """What distinguishes compiled kernels: uniform playouts have no shares, and a share of None is compiled away."""
    chosen = policy_of(policy)
    return size, None if chosen is None else tuple(share is None for share in chosen.shares)


COMPILER = SearchCompiler()
"""Process-wide instance."""
