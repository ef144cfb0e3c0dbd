"""The backends by name, how "auto" chooses among them, and how each plays a run.

The totals of all backends are bit-identical.
"""

from __future__ import annotations

import queue
import sys
from ctypes.util import find_library
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from foogo.core.cpu import usable_cores, vector_name
from foogo.errors import BackendError
from foogo.game.board import Board
from foogo.game.geometry import check_size
from foogo.playout.games import MOVES_PER_POINT, Starts, play_games
from foogo.playout.gpu import OTHERWISE, Gpu, GpuPlayouts, gpus, kernel_spec, weights_of
from foogo.playout.kernels import string_board_playouts
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.kernels.layout import Layout, scalar_layout, simd_layout, strings_layout
from foogo.playout.policies import AnyPolicy
from foogo.playout.totals import Totals

BACKENDS = ("simd", "scalar", "strings")
"""The backends of the processor, fastest first."""

GPU = "cuda"
"""The backend of GPUs."""

GPU_WORK = 2**32
"""The smallest run for which "auto" takes a GPU, in playouts times points of the board."""


def available_backends() -> list[str]:
    """The backends that run on this machine: those of the processor, fastest first, then the GPU's if there is one."""
    try:
        _check_gpu()
    except BackendError:
        return list(BACKENDS)
    return [*BACKENDS, GPU]


def describe_backend(backend: str, size: int) -> str:
    """One line on what a backend does at a board size; for "auto", the backend of small runs.

    Raises
    ------
    BackendError
        If there is no such backend, or no GPU for it.
    """
    name = resolve(backend, size)
    if name == GPU:
        found = gpus()
        others = f", and {len(found) - 1} more" if len(found) > 1 else ""
        return f"cuda: one game a thread, in {Strip(size).words} words of 32 bits ({found[0]}{others})"
    if name == "strings":
        return "strings: one game at a time on the board with incremental strings"
    layout = simd_layout(size) if name == "simd" else scalar_layout(size)
    if name == "scalar":
        return f"scalar: one game in {layout.words} words of {layout.bits} bits"
    return f"simd: {layout.lanes} games in {layout.words} vectors of {layout.bits}-bit words ({vector_name()})"


def resolve(backend: str, size: int, n: int = 0, *, threads: int | None = None) -> str:
    """The backend that `backend` means for a run.

    "auto" means a GPU under three conditions: `n` times the points of the board is at least `GPU_WORK`, `threads` is
    None, and a GPU can play. Otherwise it means the fastest backend of the processor. If a GPU seems to be installed
    but cannot play, a line on stderr says why, once.

    Raises
    ------
    BackendError
        If there is no such backend.
    """
    if backend in BACKENDS or backend == GPU:
        return backend
    if backend != "auto":
        raise BackendError(f"backend {backend!r} is unknown: use auto, {', '.join(BACKENDS)}, {GPU}")
    if n * size * size < GPU_WORK or threads is not None or not gpu_expected():
        return BACKENDS[0]
    try:
        _check_gpu()
    except BackendError as error:
        _say_once(str(error))
        return BACKENDS[0]
    return GPU


def gpu_expected() -> bool:
    """Whether numba-cuda or an NVIDIA driver is installed, so that the user may expect a GPU to play."""
    return find_spec("numba_cuda") is not None or find_library("cuda") is not None or find_library("nvcuda") is not None


def _check_gpu() -> None:
    """Raise `BackendError` if no real GPU can play."""
    if gpus()[0].simulated:
        raise BackendError("numba-cuda only simulates a GPU: unset NUMBA_ENABLE_CUDASIM")


_said: set[str] = set()


def _say_once(reason: str) -> None:
    if reason not in _said:
        _said.add(reason)
        print(f"foogo: no GPU plays this run, the processor does: {reason.removesuffix(OTHERWISE)}", file=sys.stderr)


def backend_run(
    backend: str,
    board_or_size: Board | int,
    n: int,
    threads: int | None,
    seed: int,
    suicide: bool,
    policy: AnyPolicy | None,
) -> BackendRun:
    """A run of `n` playouts from a position on a backend, ready to play any range of playout numbers.

    Raises
    ------
    BackendError
        If there is no such backend, or it cannot play the run. "auto" falls back from a GPU to the processor instead.
    SizeError
        If there is no such board.
    """
    size = board_or_size.size if isinstance(board_or_size, Board) else check_size(board_or_size)
    name = resolve(backend, size, n, threads=threads)
    run = board_or_size, seed, suicide, policy
    if name == GPU:
        try:
            return _GpuRun(*run)
        except BackendError as error:
            if backend == GPU:
                raise
            _say_once(str(error))
            name = BACKENDS[0]
    if name == "strings":
        return _StringsRun(*run)
    return _LockstepRun(simd_layout(size) if name == "simd" else scalar_layout(size), *run)


class BackendRun:
    """One run on one backend.

    Attributes
    ----------
    first_piece
        Playouts in the first piece of a run, from which the rate is measured. Only the last piece may be smaller.
    piece_seconds
        The time that one uninterruptible piece of work should take.
    """

    first_piece = 1024
    piece_seconds = 0.1

    def __init__(self, board_or_size: Board | int, seed: int, suicide: bool, policy: AnyPolicy | None) -> None:
        self.board = board_or_size if isinstance(board_or_size, Board) else None
        self.size = board_or_size.size if isinstance(board_or_size, Board) else check_size(board_or_size)
        self.seed, self.suicide, self.policy = seed, suicide, policy

    def workers(self, threads: int | None) -> int:
        """The number of pieces to play at a time: `threads`, or one per core."""
        return usable_cores() if threads is None else threads

    def play(self, first: int, count: int) -> Totals:
        """The totals of the playouts `first` to ``first + count - 1``."""
        raise NotImplementedError


class _LockstepRun(BackendRun):
    """Many games at once in the processor's vectors, or one game in its words."""

    def __init__(
        self, layout: Layout, board_or_size: Board | int, seed: int, suicide: bool, policy: AnyPolicy | None
    ) -> None:
        super().__init__(board_or_size, seed, suicide, policy)
        self._starts = Starts.empty(layout) if self.board is None else Starts([self.board], layout)

    def play(self, first: int, count: int) -> Totals:
        games = play_games(self._starts, count, seed=self.seed, first=first, suicide=self.suicide, policy=self.policy)
        area = self.size**2
        scores = np.bincount(games.scores + np.int64(area), minlength=2 * area + 1)
        return Totals(int(np.count_nonzero(games.cut)), int(games.moves.sum(dtype=np.int64)), scores)


class _StringsRun(BackendRun):
    """One game at a time on the board that tracks strings."""

    def __init__(self, board_or_size: Board | int, seed: int, suicide: bool, policy: AnyPolicy | None) -> None:
        super().__init__(board_or_size, seed, suicide, policy)
        if policy is not None:
            raise BackendError("backend 'strings' plays only the policy uniform: use simd or scalar for others")
        self._state = (self.board or Board(self.size)).state.copy()

    def play(self, first: int, count: int) -> Totals:
        totals, scores = np.zeros(2, np.int64), np.zeros(2 * self.size**2 + 1, np.int64)
        size = (0,) * self.size, strings_layout(self.size)
        scratch = np.empty_like(self._state)
        numbers = string_board_playouts.Numbers(np.uint64(self.seed), np.uint64(first), count)
        string_board_playouts.playouts(*size, self._state, scratch, numbers, self.suicide, totals, scores)
        return Totals(int(totals[1]), int(totals[0]), scores)


class _GpuRun(BackendRun):
    """Every GPU, each with the next piece when it has finished one."""

    first_piece = 1 << 17
    piece_seconds = 0.4

    def __init__(self, board_or_size: Board | int, seed: int, suicide: bool, policy: AnyPolicy | None) -> None:
        super().__init__(board_or_size, seed, suicide, policy)
        found, spec = gpus(), kernel_spec(self.size, policy)
        starts = Starts.empty(spec.layout) if self.board is None else Starts([self.board])
        limit, position = MOVES_PER_POINT * self.size**2, (starts.packed(spec.layout), starts.turns)
        rules: dict[str, Any] = {"seed": seed, "suicide": suicide, "limit": limit, "weights": weights_of(policy)}
        self._players = {gpu: GpuPlayouts(gpu, spec, *position, **rules) for gpu in found}

    def workers(self, threads: int | None) -> int:
        return len(self._players)

    def play(self, first: int, count: int) -> Totals:
        free = _free_gpus()
        gpu = free.get()
        try:
            scores, moves, cut = self._players[gpu].totals(first, count)
        finally:
            free.put(gpu)
        return Totals(cut, moves, scores)


@cache
def _free_gpus() -> queue.LifoQueue[Gpu]:
    """The GPUs that are idle now, across all runs of this process."""
    free: queue.LifoQueue[Gpu] = queue.LifoQueue()
    for gpu in gpus():
        free.put(gpu)
    return free
