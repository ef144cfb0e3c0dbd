"""Graphics cards: which there are, and playing on one of them.

docs/explanation/gpu.md says how the playouts map onto a card.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import BackendError
from foogo.playout.kernels.cuda.strip import Strip

if TYPE_CHECKING:
    from foogo.playout.kernels.cuda.program import Use

OLDEST = (7, 0)
"""The compute capability that a card needs: from Volta on the threads of a warp may part and meet again at will."""

BLOCK = 128
"""Threads of a block."""

FEWEST_BLOCKS = 128
"""Fewer make numba-cuda warn. A block too many costs nothing: it finds no game left."""

PEAK_ROUNDS = 20_000
SIMULATED_THREADS = 4
INSTALL = "pip install 'foogo[cuda]'"
OTHERWISE = ", or use backend simd"
"""How every message here ends."""


@dataclass(frozen=True)
class Card:
    """A graphics card that can play.

    Attributes
    ----------
    index
        Its number among those that the driver shows.
    name
        As the driver has it.
    capability
        Its compute capability, (9, 0) for example.
    multiprocessors, threads
        How many multiprocessors it has, and how many threads stay on each at most.
    simulated
        Whether there is no card, and numba-cuda's simulator plays (NUMBA_ENABLE_CUDASIM=1).
    """

    index: int
    name: str
    capability: tuple[int, int]
    multiprocessors: int
    threads: int
    simulated: bool = False

    def __str__(self) -> str:
        return f"{self.name}, {self.multiprocessors} multiprocessors"


@cache
def cards() -> tuple[Card, ...]:
    """The cards that can play, at least one.

    Raises
    ------
    BackendError
        If there is none; the message says what is missing: numba-cuda, the driver, a card, a newer card.
    """
    if find_spec("numba_cuda") is None:
        raise BackendError(f"backend cuda needs numba-cuda, which is not installed: {INSTALL}{OTHERWISE}")
    with _failures("no card can be used"):
        from foogo.playout.kernels.cuda import source

        if source.is_simulated():
            return (Card(0, "CUDA simulator", (0, 0), 1, SIMULATED_THREADS, simulated=True),)
        return _usable(_found())


def _found() -> list[Card]:
    """The cards that the driver shows."""
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
            f"card{OTHERWISE}"
        )
    count = driver.get_device_count() if available else 0
    if count == 0:
        raise BackendError(
            f"the NVIDIA driver shows no card: look at nvidia-smi and at the variable CUDA_VISIBLE_DEVICES{OTHERWISE}"
        )
    devices = [cuda.gpus[i] for i in range(count)]
    return [
        Card(
            i,
            device.name if isinstance(device.name, str) else device.name.decode(),
            tuple(device.compute_capability),
            device.MULTIPROCESSOR_COUNT,
            device.MAX_THREADS_PER_MULTIPROCESSOR,
        )
        for i, device in enumerate(devices)
    ]


def _usable(found: list[Card]) -> tuple[Card, ...]:
    """The cards that are new enough."""
    new = tuple(card for card in found if card.capability >= OLDEST)
    if not new:
        best = max(found, key=lambda card: card.capability)
        raise BackendError(
            f"the card {best.name} is too old: it has compute capability {_dotted(best.capability)}; take one with "
            f"{_dotted(OLDEST)} or more{OTHERWISE}"
        )
    return new


def _dotted(capability: tuple[int, int]) -> str:
    return f"{capability[0]}.{capability[1]}"


class Player:
    """Plays from given positions on one card.

    Parameters
    ----------
    card
        Where.
    use
        What is wanted; see `foogo.playout.kernels.cuda.program.Use`.
    starts, turns
        (positions, parts, words) uint32 and (positions,) int64, as `foogo.playout.games.Starts` packs them.
    seed, suicide, limit
        As for `foogo.playout.kernels.batch.run`.
    block
        Threads of a block.

    Attributes
    ----------
    seconds
        How long the card itself says that it played last.

    Raises
    ------
    BackendError
        If the kernel cannot be compiled for this card, or the card is out of memory.
    """

    def __init__(
        self,
        card: Card,
        use: Use,
        starts: NDArray[np.uint32],
        turns: NDArray[np.int64],
        *,
        seed: int,
        suicide: bool,
        limit: int,
        block: int = BLOCK,
    ) -> None:
        from foogo.playout.kernels.cuda import program

        self.card, self.use, self.seconds = card, use, 0.0
        self._seed, self._rules = np.uint64(seed), (0 if suicide else 1, limit)
        self._starts, self._turns = starts, turns
        self._on_card: tuple[Any, Any] | None = None
        self._block = SIMULATED_THREADS if card.simulated else block
        self._blocks = _blocks(card, self._block)
        with _failures(f"the playouts cannot be compiled for {card.name}"):
            self._kernel = program.kernel(use)
        with _compiling:
            _announce(card, use)
            self._play(0, 0, 1, 0)  # compiles, and starts the card

    def totals(self, first: int, count: int) -> tuple[NDArray[np.int64], int, int]:
        """Games by score, stones placed and games cut, of the playouts `first` to ``first + count - 1``."""
        from foogo.playout.kernels.cuda.thread import CUT, SCORES, STONES

        tally = self._play(first, count, 1, 0)[0]
        return tally[SCORES:], int(tally[STONES]), int(tally[CUT])

    def each(self, first: int, count: int, repeats: int, skipped: int) -> list[NDArray[Any]]:
        """Scores, moves, cut, owners and first players of `count` games, in the order of their numbers.

        They are the games number `skipped` on of a batch in which each start is played `repeats` times, and `first`
        is the playout number of the first of them. The arrays are flat; the last two are of 32-bit words,
        `Strip.dense_words` for each game and player.
        """
        return self._play(first, count, repeats, skipped)[1:]

    def _play(self, first: int, count: int, repeats: int, skipped: int) -> list[NDArray[Any]]:
        """Launch the kernel; the tally, and what there is of each game."""
        from numba import cuda

        from foogo.playout.kernels.cuda.thread import SCORES

        bins = 2 * self.use.layout.size**2 + 1
        games = count if self.use.per_game else 1
        words = 2 * games * self.use.layout.dense_words if self.use.sets else 1
        shapes = ((games, np.int16), (games, np.int16), (games, np.uint8), (words, np.uint32), (words, np.uint32))
        with _failures(f"{self.card.name} could not play", 5 * games + 8 * words), cuda.gpus[self.card.index]:
            if self._on_card is None:
                self._on_card = cuda.to_device(self._starts.reshape(-1)), cuda.to_device(self._turns)
            starts, turns = self._on_card
            tally = cuda.to_device(np.zeros(SCORES + bins, np.int64))
            arrays = [cuda.device_array(max(1, length), dtype) for length, dtype in shapes]
            strict, limit = self._rules
            began, ended = cuda.event(), cuda.event()
            began.record()
            self._kernel[self._blocks, self._block](
                starts, turns, repeats, skipped, self._seed, np.uint64(first), count, strict, limit, tally, *arrays
            )
            ended.record()
            ended.synchronize()
            self.seconds = began.elapsed_time(ended) / 1000
            wanted = [tally, *arrays] if self.use.per_game else [tally]
            return [array.copy_to_host() for array in wanted]


def integer_peak(card: Card) -> float:
    """Integer instructions that a card's threads do in a second when they do nothing else, measured now.

    Raises
    ------
    BackendError
        If the card cannot be used.
    """
    from numba import cuda

    from foogo.playout.kernels.cuda import peak

    blocks = _blocks(card, BLOCK)
    rates: list[float] = []
    with _failures(f"{card.name} could not be measured"), cuda.gpus[card.index]:
        out = cuda.to_device(np.zeros(1, np.uint32))
        for rounds in (1, PEAK_ROUNDS, PEAK_ROUNDS, PEAK_ROUNDS):
            began, ended = cuda.event(), cuda.event()
            began.record()
            peak.kernel()[blocks, BLOCK](rounds, out)
            ended.record()
            ended.synchronize()
            seconds = began.elapsed_time(ended) / 1000
            rates.append(blocks * BLOCK * rounds * peak.CHAINS * peak.LINKS / seconds)
    return max(rates[1:])


def _blocks(card: Card, block: int) -> int:
    """Blocks of so many threads that fill a card."""
    return 1 if card.simulated else max(FEWEST_BLOCKS, card.multiprocessors * card.threads // block)


_compiling = threading.Lock()
_announced: set[Use] = set()


def _announce(card: Card, use: Use) -> None:
    """Say once on stderr that a compilation begins."""
    if use not in _announced and not card.simulated:
        _announced.add(use)
        size = use.layout.size
        print(f"foogo: compiling playouts for {size}x{size} for {card.name}, a few seconds", file=sys.stderr)


def use_of(size: int, shares: tuple[int | None, ...] | None, *, per_game: bool = False, sets: bool = False) -> Use:
    """The usual kernel for a board size and the shares of a policy, None for uniform.

    Raises
    ------
    BackendError
        If numba-cuda cannot be imported.
    """
    with _failures("no card can be used"):
        from foogo.playout.kernels.cuda.program import Use
    return Use(Strip(size), shares, per_game, sets)


@contextmanager
def _failures(what: str, needed: int = 0) -> Iterator[None]:
    """Turn what numba-cuda and the driver raise into one line that says what to do."""
    try:
        yield
    except BackendError:
        raise
    except Exception as error:
        if not type(error).__module__.startswith(("numba.", "cuda.")) and not isinstance(error, ImportError):
            raise
        raise BackendError(f"{what}: {_advice(error, needed)}") from error


def _advice(error: Exception, needed: int) -> str:
    text = f"{type(error).__name__} {error}"
    if "OUT_OF_MEMORY" in text:
        asked = f" ({needed / 1e6:,.0f} MB were asked for)" if needed > 1e6 else ""
        return f"the card is out of memory{asked}; play fewer games at a time, free the card{OTHERWISE}"
    if "UNSUPPORTED_PTX_VERSION" in text:
        return f"the driver is older than the compiler; update the driver, pip install 'foogo[cuda12]'{OTHERWISE}"
    if any(name in text.lower() for name in ("nvvm", "nvrtc", "nvjitlink")):
        return f"numba-cuda's compiler is missing ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    if isinstance(error, ImportError):
        return f"this numba-cuda is of a version that foogo does not know ({_lines(error)[0]}); {INSTALL}{OTHERWISE}"
    return f"{_lines(text)[0]}; try again{OTHERWISE}"


def _lines(error: object) -> list[str]:
    return [line.strip(" :") for line in str(error).splitlines() if line.strip(" :")] or [type(error).__name__]
