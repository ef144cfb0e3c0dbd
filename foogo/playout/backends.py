"""What plays the playouts: the backends by name, how "auto" chooses, and one run's engine of each.

Every backend gives the same totals to the bit.
"""

from __future__ import annotations

import os
import queue
import sys
from ctypes.util import find_library
from functools import cache
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.core.cpu import vector_name
from foogo.errors import BackendError
from foogo.game.board import Board
from foogo.game.geometry import check_size
from foogo.game.position import Position
from foogo.playout.games import MOVES_PER_POINT, Starts, play_games
from foogo.playout.gpu import OTHERWISE, Gpu, GpuPlayouts, gpus, kernel_spec
from foogo.playout.kernels import string_board_playouts
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.kernels.layout import scalar_layout, simd_layout
from foogo.playout.policies import Policy

BACKENDS = ("simd", "scalar", "strings")
"""Every backend of the processor, fastest first."""

CARD = "cuda"
"""The backend of graphics cards."""

CARD_WORK = 2**32
"""The work, in playouts times points of the board, from which on "auto" takes a graphics card."""


class Totals(NamedTuple):
    """The integer totals of some playouts: how many were cut, stones placed, and playouts by score."""

    cut: int
    moves: int
    scores: NDArray[np.int64]


def available_backends() -> list[str]:
    """The backends that run on this machine; those of the processor fastest first, then that of a card, if any."""
    try:
        _card_ready()
    except BackendError:
        return list(BACKENDS)
    return [*BACKENDS, CARD]


def describe_backend(backend: str, size: int) -> str:
    """One line on what a backend does at a board size; of "auto", what it takes for small runs.

    Raises
    ------
    BackendError
        If there is no such backend, or no card for it.
    """
    name = resolve(backend, size)
    if name == CARD:
        found = gpus()
        others = f", and {len(found) - 1} more" if len(found) > 1 else ""
        return f"cuda: one game a thread, in {Strip(size).words} words of 32 bits ({found[0]}{others})"
    if name == "strings":
        return "strings: one game at a time on the board with strings"
    layout = simd_layout(size) if name == "simd" else scalar_layout(size)
    if name == "scalar":
        return f"scalar: one game in {layout.words} words of {layout.bits} bits"
    return f"simd: {layout.lanes} games in {layout.words} vectors of {layout.bits}-bit words ({vector_name()})"


def resolve(backend: str, size: int, n: int = 0, *, threads: int | None = None) -> str:
    """The backend that `backend` means for a run.

    "auto" means a graphics card if the run is large, `n` times the points of the board at least `CARD_WORK`, no
    number of threads was asked for, and there is a card that can play; else the fastest of the processor. If a card is
    in sight but cannot play, a line on stderr says why, once.

    Raises
    ------
    BackendError
        If there is no such backend.
    """
    if backend in BACKENDS or backend == CARD:
        return backend
    if backend != "auto":
        raise BackendError(f"backend {backend!r} is unknown: use auto, {', '.join(BACKENDS)}, {CARD}")
    if n * size * size < CARD_WORK or threads is not None or not card_in_sight():
        return BACKENDS[0]
    try:
        _card_ready()
    except BackendError as error:
        _say_once(str(error))
        return BACKENDS[0]
    return CARD


def card_in_sight() -> bool:
    """Whether numba-cuda or an NVIDIA driver is installed: nobody without either waits for a card."""
    return find_spec("numba_cuda") is not None or find_library("cuda") is not None or find_library("nvcuda") is not None


def _card_ready() -> None:
    if gpus()[0].simulated:
        raise BackendError("numba-cuda only simulates a card: unset NUMBA_ENABLE_CUDASIM")


_said: set[str] = set()


def _say_once(reason: str) -> None:
    if reason not in _said:
        _said.add(reason)
        print(f"foogo: no card plays this run, the processor does: {reason.removesuffix(OTHERWISE)}", file=sys.stderr)


def engine_for(
    backend: str,
    board_or_size: Position | int,
    n: int,
    threads: int | None,
    seed: int,
    suicide: bool,
    policy: Policy | None,
) -> Engine:
    """What plays a run of `n` playouts from a position, ready for any range of their numbers.

    Raises
    ------
    BackendError
        If there is no such backend, or it cannot play the run. "auto" turns from a card to the processor instead.
    SizeError
        If there is no such board.
    """
    size = board_or_size.size if isinstance(board_or_size, Position) else check_size(board_or_size)
    name = resolve(backend, size, n, threads=threads)
    run = board_or_size, seed, suicide, policy
    if name == CARD:
        try:
            return _Cards(name, *run)
        except BackendError as error:
            if backend == CARD:
                raise
            _say_once(str(error))
            name = BACKENDS[0]
    return _Strings(name, *run) if name == "strings" else _Lockstep(name, *run)


class Engine:
    """One run on one backend.

    Attributes
    ----------
    first_piece
        Playouts in the first piece of a run, from which the rate is learnt, and the fewest in any other but the last.
    piece_seconds
        The time that one uninterruptible piece of work should take.
    """

    first_piece = 1024
    piece_seconds = 0.1

    def __init__(
        self, backend: str, board_or_size: Position | int, seed: int, suicide: bool, policy: Policy | None
    ) -> None:
        self.board = board_or_size if isinstance(board_or_size, Position) else None
        self.size = board_or_size.size if isinstance(board_or_size, Position) else check_size(board_or_size)
        self.seed, self.suicide, self.policy = seed, suicide, policy

    def workers(self, threads: int | None) -> int:
        """How many pieces are played at a time: the threads asked for, or one for each core."""
        if threads is not None:
            return threads
        try:
            return len(os.sched_getaffinity(0))
        except AttributeError:  # macOS, Windows
            return os.cpu_count() or 1

    def play(self, first: int, count: int) -> Totals:
        """The totals of the playouts `first` to ``first + count - 1``."""
        raise NotImplementedError


class _Lockstep(Engine):
    """Many games at once in the processor's vectors, or one in its words."""

    def __init__(
        self, backend: str, board_or_size: Position | int, seed: int, suicide: bool, policy: Policy | None
    ) -> None:
        super().__init__(backend, board_or_size, seed, suicide, policy)
        layout = simd_layout(self.size) if backend == "simd" else scalar_layout(self.size)
        self._starts = Starts.empty(layout) if self.board is None else Starts([self.board], layout)

    def play(self, first: int, count: int) -> Totals:
        games = play_games(self._starts, count, seed=self.seed, first=first, suicide=self.suicide, policy=self.policy)
        area = self.size**2
        scores = np.bincount(games.scores + np.int64(area), minlength=2 * area + 1)
        return Totals(int(np.count_nonzero(games.cut)), int(games.moves.sum(dtype=np.int64)), scores)


class _Strings(Engine):
    """One game at a time on the board with strings."""

    def __init__(
        self, backend: str, board_or_size: Position | int, seed: int, suicide: bool, policy: Policy | None
    ) -> None:
        super().__init__(backend, board_or_size, seed, suicide, policy)
        if policy is not None:
            raise BackendError("backend 'strings' plays only the policy uniform: use simd or scalar for others")
        self._state = (self.board or Board(self.size)).state.copy()

    def play(self, first: int, count: int) -> Totals:
        totals, scores = np.zeros(2, np.int64), np.zeros(2 * self.size**2 + 1, np.int64)
        marks, scratch = (0,) * self.size, np.empty_like(self._state)
        numbers = string_board_playouts.Numbers(np.uint64(self.seed), np.uint64(first), count)
        string_board_playouts.playouts(marks, self._state, scratch, numbers, self.suicide, totals, scores)
        return Totals(int(totals[1]), int(totals[0]), scores)


class _Cards(Engine):
    """Graphics cards, each with the next piece when it has played one."""

    first_piece = 1 << 17
    piece_seconds = 0.4

    def __init__(
        self, backend: str, board_or_size: Position | int, seed: int, suicide: bool, policy: Policy | None
    ) -> None:
        super().__init__(backend, board_or_size, seed, suicide, policy)
        found, spec = gpus(), kernel_spec(self.size, None if policy is None else policy.shares)
        starts = Starts.empty(spec.layout) if self.board is None else Starts([self.board], spec.layout)
        limit, position = MOVES_PER_POINT * self.size**2, (starts.words, starts.turns)
        rules: dict[str, Any] = {"seed": seed, "suicide": suicide, "limit": limit}
        self._players = {gpu: GpuPlayouts(gpu, spec, *position, **rules) for gpu in found}

    def workers(self, threads: int | None) -> int:
        return len(self._players)

    def play(self, first: int, count: int) -> Totals:
        free = _free_gpus()
        card = free.get()
        try:
            scores, moves, cut = self._players[card].totals(first, count)
        finally:
            free.put(card)
        return Totals(cut, moves, scores)


@cache
def _free_gpus() -> queue.LifoQueue[Gpu]:
    """The cards that play nothing now, of all runs of this process."""
    free: queue.LifoQueue[Gpu] = queue.LifoQueue()
    for card in gpus():
        free.put(card)
    return free
