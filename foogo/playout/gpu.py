"""GPUs: listing them, and playing playouts on one of them.

docs/explanation/gpu.md explains how the playouts map onto a GPU.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from traceback import walk_tb
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import BackendError
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.policies import AnyPolicy, Policy, for_kernels
from foogo.playout.written.policy import PlayoutPolicy

if TYPE_CHECKING:
    from foogo.playout.kernels.cuda.program import KernelSpec

OLDEST = (7, 0)
"""The compute capability that a GPU needs: from Volta on the threads of a warp may diverge and meet again anywhere."""

BLOCK = 128
"""Threads of a block."""

FEWEST_BLOCKS = 128
"""Fewer trigger a warning of numba-cuda. Surplus blocks exit at once: no game is left for them."""

SIMULATED_THREADS = 4
INSTALL = "pip install 'foogo[cuda]'"
OTHERWISE = ", or use backend simd"
"""The end of every message here."""


@dataclass(frozen=True)
class Gpu:
    """A GPU that can play.

    Attributes
    ----------
    index
        Its number in the driver's list.
    name
        The name that the driver reports.
    capability
        Its compute capability, (9, 0) for example.
    multiprocessors, threads
        The number of multiprocessors, and the most threads that each can hold.
    simulated
        Whether this is numba-cuda's simulator instead of a real GPU (NUMBA_ENABLE_CUDASIM=1).
    """

    index: int
    name: str
    capability: tuple[int, int]
    multiprocessors: int
    threads: int
    simulated: bool = False

    def __str__(self) -> str:
        return f"{self.name}, {self.multiprocessors} multiprocessors"

    def blocks(self, threads: int) -> int:
        """The number of blocks of `threads` threads that fill the GPU."""
        return 1 if self.simulated else max(FEWEST_BLOCKS, self.multiprocessors * self.threads // threads)


@cache
def gpus() -> tuple[Gpu, ...]:
    """The GPUs that can play, at least one.

    Raises
    ------
    BackendError
        If no GPU can play. The message names what is missing: numba-cuda, the driver, a GPU, or a newer GPU.
    """
    if find_spec("numba_cuda") is None:
        raise BackendError(f"backend cuda needs numba-cuda, which is not installed: {INSTALL}{OTHERWISE}")
    with one_line_failures("no GPU can be used"):
        from foogo.playout.kernels.cuda import source

        if source.is_simulated():
            return (Gpu(0, "CUDA simulator", (0, 0), 1, SIMULATED_THREADS, simulated=True),)
        return _usable(_found())


def _found() -> list[Gpu]:
    """The GPUs in the driver's list."""
    from numba import cuda
    from numba.cuda.cudadrv.driver import driver
    from numba.cuda.cudadrv.error import CudaSupportError

    try:
        available, reason = driver.is_available, driver.initialization_error
    except CudaSupportError as error:
        available, reason = False, str(error)
    if not available and "NO_DEVICE" not in str(reason):
        if "library cannot be found" not in str(reason):
            raise BackendError(f"the NVIDIA driver does not start ({_lines(reason)[-1]}): repair it{OTHERWISE}")
        raise BackendError(
            f"backend cuda needs an NVIDIA driver, and there is none: install one, so that nvidia-smi lists a "
            f"GPU{OTHERWISE}"
        )
    count = driver.get_device_count() if available else 0
    if count == 0:
        raise BackendError(
            f"the NVIDIA driver shows no GPU: look at nvidia-smi and at the variable CUDA_VISIBLE_DEVICES{OTHERWISE}"
        )
    devices = [cuda.gpus[i] for i in range(count)]
    return [
        Gpu(
            i,
            device.name if isinstance(device.name, str) else device.name.decode(),
            tuple(device.compute_capability),
            device.MULTIPROCESSOR_COUNT,
            device.MAX_THREADS_PER_MULTIPROCESSOR,
        )
        for i, device in enumerate(devices)
    ]


def _usable(found: list[Gpu]) -> tuple[Gpu, ...]:
    """The GPUs that are new enough."""
    new = tuple(gpu for gpu in found if gpu.capability >= OLDEST)
    if not new:
        best = max(found, key=lambda gpu: gpu.capability)
        raise BackendError(
            f"the GPU {best.name} is too old: it has compute capability {_dotted(best.capability)}; use one with "
            f"{_dotted(OLDEST)} or more{OTHERWISE}"
        )
    return new


def _dotted(capability: tuple[int, int]) -> str:
    return f"{capability[0]}.{capability[1]}"


class GpuPlayouts:
    """Playouts from given positions on one GPU.

    Parameters
    ----------
    gpu
        The GPU to play on.
    spec
        What to play; see `foogo.playout.kernels.cuda.program.KernelSpec`.
    starts, turns
        (positions, parts, words) uint32 and (positions,) int64, as `foogo.playout.games.Starts` packs them.
    seed, suicide
        As for `foogo.simulate`.
    limit
        Moves after which a game is cut.
    weights
        Of a policy that a user wrote.

    Attributes
    ----------
    seconds
        Duration of the last launch, by the GPU's own clock.
    block
        Threads of a block.

    Raises
    ------
    BackendError
        If the kernel cannot be compiled for this GPU, or the GPU is out of memory.
    """

    block = BLOCK

    def __init__(
        self,
        gpu: Gpu,
        spec: KernelSpec,
        starts: NDArray[np.uint32],
        turns: NDArray[np.int64],
        *,
        seed: int,
        suicide: bool,
        limit: int,
        weights: tuple[Any, ...] = (),
    ) -> None:
        self.gpu, self.spec, self.seconds = gpu, spec, 0.0
        self._seed, self._rules = np.uint64(seed), (0 if suicide else 1, limit, weights)
        self._starts, self._turns = starts, turns
        self._on_gpu: tuple[Any, Any] | None = None
        with one_line_failures(f"the playouts cannot be compiled for {gpu.name}"):
            self._kernel = self.kernel()
        with _compiling:
            _announce(gpu, spec)
            self._play(0, 0, 1, 0)  # compiles, and starts the GPU

    def kernel(self) -> Any:
        """The kernel, which numba-cuda compiles at its first launch."""
        from foogo.playout.kernels.cuda import program

        return program.kernel(self.spec)

    def totals(self, first: int, count: int) -> tuple[NDArray[np.int64], int, int]:
        """Games by score, stones placed and games cut, of the playouts `first` to ``first + count - 1``."""
        from foogo.playout.kernels.cuda.thread import CUT, SCORES, STONES

        tally = self._play(first, count, 1, 0)[0]
        return tally[SCORES:], int(tally[STONES]), int(tally[CUT])

    def each(self, first: int, count: int, repeats: int, skipped: int) -> list[NDArray[Any]]:
        """Scores, moves, cut, owners and first players of `count` games, in the order of their numbers.

        They are part of a batch in which each start is played `repeats` times: its games from number `skipped` on.
        `first` is the playout number of the first of them. The arrays are flat. The last two are of 32-bit words,
        `Strip.dense_words` for each game and player.
        """
        return self._play(first, count, repeats, skipped)[1:]

    def _play(self, first: int, count: int, repeats: int, skipped: int) -> list[NDArray[Any]]:
        """Launch the kernel; returns the tally, and the arrays of each game if the spec wants them."""
        from numba import cuda

        from foogo.playout.kernels.cuda import thread

        spec, layout = self.spec, self.spec.layout
        bins = 2 * layout.size**2 + 1
        games = count if spec.per_game else 1
        words = 2 * games * layout.dense_words if spec.sets else 1
        shapes = ((games, np.int16), (games, np.int16), (games, np.uint8), (words, np.uint32), (words, np.uint32))
        threads = SIMULATED_THREADS if self.gpu.simulated else self.block
        with one_line_failures(f"{self.gpu.name} could not play", 5 * games + 8 * words), cuda.gpus[self.gpu.index]:
            if self._on_gpu is None:
                self._on_gpu = cuda.to_device(self._starts.reshape(-1)), cuda.to_device(self._turns)
            tally = cuda.to_device(np.zeros(thread.SCORES + bins, np.int64))
            results = thread.Results(*(cuda.device_array(max(1, length), dtype) for length, dtype in shapes))
            positions = thread.Positions(*self._on_gpu, repeats, skipped)
            numbers = thread.Numbers(self._seed, np.uint64(first), count)
            began, ended = cuda.event(), cuda.event()
            began.record()
            self._kernel[self.gpu.blocks(threads), threads](
                positions, numbers, thread.GameRules(*self._rules), tally, results
            )
            ended.record()
            ended.synchronize()
            self.seconds = began.elapsed_time(ended) / 1000
            wanted = [tally, *results] if spec.per_game else [tally]
            return [array.copy_to_host() for array in wanted]


_compiling = threading.Lock()
_announced: set[KernelSpec] = set()


def _announce(gpu: Gpu, spec: KernelSpec) -> None:
    """Print once on stderr that a compilation begins."""
    if spec not in _announced and not gpu.simulated:
        _announced.add(spec)
        size = spec.layout.size
        print(f"foogo: compiling playouts for {size}x{size} for {gpu.name}, a few seconds", file=sys.stderr)


def kernel_spec(size: int, policy: AnyPolicy | None, *, per_game: bool = False, sets: bool = False) -> KernelSpec:
    """The kernel for a board size and a policy; None is uniform.

    The weights of a `Policy` are part of its kernel, those of one that a user wrote are arguments.

    Raises
    ------
    BackendError
        If numba-cuda cannot be imported.
    """
    with one_line_failures("no GPU can be used"):
        from foogo.playout.kernels.cuda.program import KernelSpec
    taken = for_kernels(policy)
    rule, constants = (None, None) if taken is None else (taken.rule, taken.weights)
    if not isinstance(policy, Policy):
        constants = None
    return KernelSpec(Strip(size), rule, constants, per_game, sets)


def weights_of(policy: AnyPolicy | None) -> tuple[Any, ...]:
    """The weights of a policy that a user wrote; empty with any other."""
    return policy.for_kernels().weights if isinstance(policy, PlayoutPolicy) else ()


@contextmanager
def one_line_failures(what: str, needed: int = 0) -> Iterator[None]:
    """Turn errors of numba-cuda and the driver into a one-line `BackendError` that suggests a remedy.

    `what` starts the line; `needed` is how many bytes of GPU memory the block allocates.
    """
    try:
        yield
    except BackendError:
        raise
    except Exception as error:
        if not _is_of_numba_cuda(error):
            raise
        raise BackendError(f"{what}: {_advice(error, needed)}") from error


def _is_of_numba_cuda(error: Exception) -> bool:
    """Whether numba-cuda or the driver raised an error, or something that numba-cuda needs is not there."""
    if isinstance(error, AttributeError):
        modules = (str(frame.f_globals.get("__name__")) for frame, _ in walk_tb(error.__traceback__))
        return any(name.startswith("numba.cuda") for name in modules)
    return isinstance(error, ImportError) or type(error).__module__.startswith(("numba.", "cuda."))


def _advice(error: Exception, needed: int) -> str:
    text = f"{type(error).__name__} {error}"
    if "OUT_OF_MEMORY" in text:
        asked = f" ({needed / 1e6:,.0f} MB were asked for)" if needed > 1e6 else ""
        return f"the GPU is out of memory{asked}; play fewer games at a time, free GPU memory{OTHERWISE}"
    if "UNSUPPORTED_PTX_VERSION" in text:
        return f"the driver is older than the compiler; update the driver, pip install 'foogo[cuda12]'{OTHERWISE}"
    if any(name in text.lower() for name in ("nvvm", "nvrtc", "nvjitlink")):
        return f"numba-cuda's compiler is missing ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    if "DynamicLibNotFoundError" in text:
        return f"a library of CUDA is missing ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    if isinstance(error, ImportError):
        return f"this version of numba-cuda is not supported ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    if isinstance(error, AttributeError):
        return f"numba-cuda does not work with the packages installed ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    return f"{_lines(text)[0]}; try again{OTHERWISE}"


def _lines(error: object) -> list[str]:
    return [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")] or [type(error).__name__]
