"""Messages when no GPU can play, which runs "auto" gives to a GPU, and other ways to ask for one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import foogo
from foogo import BackendError, Board, play_games, simulate
from foogo.playout import backends
from foogo.playout import gpu as gpu_module
from foogo.playout.games import Starts
from foogo.playout.gpu import Gpu
from foogo.playout.kernels.cuda.strip import Strip
from foogo.study.config import ANY, Config
from foogo.study.run import workers
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import Task
from foogo.study.store.store import Store

LARGE = 2**32 // 81 + 1
"""Playouts of 9x9 that are worth a GPU."""


def gpu(name: str = "Some GPU", capability: tuple[int, int] = (9, 0)) -> Gpu:
    return Gpu(0, name, capability, multiprocessors=132, threads=2048)


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """No test finds what another one found out."""
    for cached in (gpu_module.gpus, backends._free_gpus):
        cached.cache_clear()
    backends._said.clear()
    yield
    for cached in (gpu_module.gpus, backends._free_gpus):
        cached.cache_clear()


# --- no GPU ----------------------------------------------------------------------------------------


def test_numba_cuda_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gpu_module, "find_spec", lambda name: None)
    message = r"needs numba-cuda, which is not installed: pip install 'foogo\[cuda\]', or use backend simd$"
    for call in (
        lambda: simulate(9, 10, backend="cuda"),
        lambda: play_games([Board(9)], 10, backend="cuda"),
        lambda: backends.describe_backend("cuda", 9),
        lambda: foogo.first_move(9, 10, backend="cuda"),
    ):
        with pytest.raises(BackendError, match=message):
            call()
    assert backends.available_backends() == ["simd", "scalar", "strings"]


def test_gpus_that_are_too_old() -> None:
    old, older = gpu("Old", (6, 1)), gpu("Older", (5, 2))
    with pytest.raises(BackendError, match=r"the GPU Old is too old: it has compute capability 6\.1; use one with 7"):
        gpu_module._usable([older, old])
    assert gpu_module._usable([old, gpu()]) == (gpu(),)


@pytest.mark.parametrize(
    ("available", "reason", "count", "message"),
    [
        (False, "CUDA driver library cannot be found.", 0, "needs an NVIDIA driver, and there is none: install one"),
        (False, "CUDA_ERROR_NO_DEVICE", 0, "shows no GPU: look at nvidia-smi and at the variable CUDA_VISIBLE_DEV"),
        (True, None, 0, "shows no GPU: look at nvidia-smi and at the variable CUDA_VISIBLE_DEVICES"),
        (
            False,
            "looked everywhere\n CUDA_ERROR_UNKNOWN (999)",
            0,
            r"does not start \(CUDA_ERROR_UNKNOWN \(999\)\): rep",
        ),
    ],
)
def test_what_the_driver_shows_when_there_is_no_gpu(
    monkeypatch: pytest.MonkeyPatch, available: bool, reason: str | None, count: int, message: str
) -> None:
    module = pytest.importorskip("numba.cuda.cudadrv.driver", reason="numba-cuda is not installed")
    shown = SimpleNamespace(is_available=available, initialization_error=reason, get_device_count=lambda: count)
    monkeypatch.setattr(module, "driver", shown)
    with pytest.raises(BackendError, match=message) as caught:
        gpu_module._found()
    assert str(caught.value).endswith(", or use backend simd")
    assert "\n" not in str(caught.value)


def test_gpus_are_read_off_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    module = pytest.importorskip("numba.cuda.cudadrv.driver", reason="numba-cuda is not installed")
    from numba import cuda

    device = {"compute_capability": (9, 0), "MULTIPROCESSOR_COUNT": 132, "MAX_THREADS_PER_MULTIPROCESSOR": 2048}
    devices = [SimpleNamespace(name=name, **device) for name in ("Some GPU", b"Another")]
    shown = SimpleNamespace(is_available=True, initialization_error=None, get_device_count=lambda: len(devices))
    monkeypatch.setattr(module, "driver", shown)
    monkeypatch.setattr(cuda, "gpus", devices)
    assert gpu_module._found() == [gpu(), Gpu(1, "Another", (9, 0), 132, 2048)]


class DriverError(Exception):
    """As numba-cuda raises them: known by their module."""


DriverError.__module__ = "numba.cuda.cudadrv.driver"


class DynamicLibNotFoundError(RuntimeError):
    """As cuda-bindings raises it where CUDA is not installed, when numba-cuda is imported."""


DynamicLibNotFoundError.__module__ = "cuda.pathfinder"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (DriverError("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"), "out of memory .5 MB were asked"),
        (
            DriverError("[222] CUDA_ERROR_UNSUPPORTED_PTX_VERSION"),
            r"the driver is older .* pip install 'foogo\[cuda12\]'",
        ),
        (
            DriverError("\n libNVVM cannot be found\nlook"),
            r"compiler is missing \(libNVVM cannot be found\); pip install",
        ),
        (
            DynamicLibNotFoundError('Failure finding "libcudart.so.13": No such file'),
            r"a library of CUDA is missing \(Failure finding .*\); pip install 'foogo\[cuda\]'",
        ),
        (ImportError("cannot import name 'lower_constant'"), "this version of numba-cuda is not supported"),
        (DriverError("[700] illegal address"), r"DriverError \[700\] illegal address; try again, or use backend simd"),
    ],
)
def test_what_the_driver_raises_becomes_one_line(error: Exception, message: str) -> None:
    with (
        pytest.raises(BackendError, match=f"^it failed: .*{message}") as caught,
        gpu_module.one_line_failures("it failed", 5_000_000),
    ):
        raise error
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(", or use backend simd")


def test_numba_cuda_does_not_work_with_the_numpy_installed() -> None:
    code: dict[str, Any] = {"__name__": "numba.cuda.np.arrayobj", "np": np}
    exec("def load():\n    return np.row_that_was_removed", code)
    message = r"does not work with the packages installed \(.*no attribute.*\); pip install 'foogo\[cuda\]', or use"
    with pytest.raises(BackendError, match=message), gpu_module.one_line_failures("it failed"):
        code["load"]()


def test_other_errors_stay_what_they_are() -> None:
    with pytest.raises(ZeroDivisionError), gpu_module.one_line_failures("it failed"):
        raise ZeroDivisionError
    with pytest.raises(KeyboardInterrupt), gpu_module.one_line_failures("it failed"):
        raise KeyboardInterrupt
    with pytest.raises(AttributeError), gpu_module.one_line_failures("it failed"):
        raise AttributeError
    copies: dict[str, Any] = {"__name__": "numba.cuda.cudadrv.devicearray"}
    exec("def copy():\n    raise MemoryError", copies)
    with pytest.raises(MemoryError), gpu_module.one_line_failures("it failed"):
        copies["copy"]()


def test_a_backend_that_does_not_play_single_games() -> None:
    with pytest.raises(BackendError, match="'strings' does not return single games: use simd or cuda"):
        play_games([Board(9)], backend="strings")


@pytest.mark.parametrize(
    "arguments",
    [
        ["first-move", "--size", "5", "-n", "10", "--backend", "cuda"],
        ["bench", "--size", "5", "--backend", "cuda"],
        ["bench", "--size", "5", "--backend", "cuda", "--threads", "2"],
        ["study", "run", "--size", "5", "--store", "{store}", "--backend", "cuda"],
        ["study", "run", "--size", "5", "--store", "{store}", "--backend", "cuda", "--threads", "2"],
        ["bench", "--size", "5", "--backend", "cuda", "--policy", "abacus"],
        ["study", "run", "--size", "5", "--store", "{store}", "--backend", "abacus"],
    ],
    ids=" ".join,
)
def test_without_a_gpu_the_command_line_says_so_in_one_line(tmp_path: Path, arguments: list[str]) -> None:
    store = str(tmp_path / "study.sqlite")
    run = subprocess.run(
        [sys.executable, "-c", "from foogo.cli import main; main()", *(a.format(store=store) for a in arguments)],
        env={**os.environ, "CUDA_VISIBLE_DEVICES": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert run.stderr.startswith("foogo: error: ")
    assert run.stderr.count("\n") == 1


# --- auto ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "threads", "expected"),
    [(LARGE, None, "cuda"), (LARGE - 1, None, "simd"), (LARGE, 2, "simd"), (0, None, "simd")],
)
def test_auto_gives_large_runs_to_a_gpu(
    monkeypatch: pytest.MonkeyPatch, n: int, threads: int | None, expected: str
) -> None:
    monkeypatch.setattr(backends, "gpus", lambda: (gpu(),))
    monkeypatch.setattr(backends, "gpu_expected", lambda: True)
    assert backends.resolve("auto", 9, n, threads=threads) == expected
    assert backends.resolve("cuda", 9, n, threads=threads) == "cuda"
    assert backends.resolve("scalar", 9, n, threads=threads) == "scalar"


def test_auto_plays_on_the_processor_and_says_why_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> Any:
        raise BackendError("the GPU is broken, or use backend simd")

    monkeypatch.setattr(backends, "gpus", broken)
    monkeypatch.setattr(backends, "gpu_expected", lambda: True)
    monkeypatch.setattr(backends, "GPU_WORK", 1)
    expected = simulate(5, 50, seed=1, backend="simd")
    capsys.readouterr()
    assert simulate(5, 50, seed=1) == simulate(5, 50, seed=1) == expected
    assert capsys.readouterr().err == "foogo: no GPU plays this run, the processor does: the GPU is broken\n"


def test_auto_falls_back_when_the_gpu_does_not_start(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def no_memory(*arguments: Any, **options: Any) -> Any:
        raise BackendError("Some GPU could not play: the GPU is out of memory, or use backend simd")

    monkeypatch.setattr(backends, "gpus", lambda: (gpu(),))
    monkeypatch.setattr(backends, "kernel_spec", lambda *arguments: type("KernelSpec", (), {"layout": Strip(5)}))
    monkeypatch.setattr(backends, "GpuPlayouts", no_memory)
    monkeypatch.setattr(backends, "gpu_expected", lambda: True)
    monkeypatch.setattr(backends, "GPU_WORK", 1)
    expected = simulate(5, 50, seed=1, backend="simd")
    capsys.readouterr()
    assert simulate(5, 50, seed=1) == expected
    assert capsys.readouterr().err.endswith("the processor does: Some GPU could not play: the GPU is out of memory\n")
    with pytest.raises(BackendError, match="out of memory"):
        simulate(5, 50, seed=1, backend="cuda")


def test_auto_does_not_play_on_a_simulated_gpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(backends, "gpus", lambda: (Gpu(0, "CUDA simulator", (0, 0), 1, 4, simulated=True),))
    monkeypatch.setattr(backends, "gpu_expected", lambda: True)
    assert backends.resolve("auto", 9, LARGE) == "simd"
    assert capsys.readouterr().err.endswith("numba-cuda only simulates a GPU: unset NUMBA_ENABLE_CUDASIM\n")
    assert backends.available_backends() == ["simd", "scalar", "strings"]


def test_auto_is_silent_where_nobody_waits_for_a_gpu(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    monkeypatch.setattr(backends, "find_library", lambda name: None)
    assert backends.resolve("auto", 19, 10**9) == "simd"
    assert capsys.readouterr().err == ""


# --- several GPUs ------------------------------------------------------------------------------------


@pytest.fixture
def two_gpus(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Two GPUs that are really the processor, and how much each has played; neither plays two things at a time."""
    two = (gpu("one"), Gpu(1, "two", (9, 0), 132, 2048))
    played = {"one": 0, "two": 0}
    busy: set[str] = set()
    both = threading.Barrier(2)

    class FakePlayouts:
        def __init__(self, which: Gpu, spec: Any, words: Any, turns: Any, *, seed: int, suicide: bool, **rules: Any):
            self.name, self.size, self.seed, self.suicide = which.name, spec.layout.size, seed, suicide

        def totals(self, first: int, count: int) -> tuple[Any, int, int]:
            assert self.name not in busy
            busy.add(self.name)
            if not played[self.name]:
                with suppress(threading.BrokenBarrierError):
                    both.wait(5)  # so that neither has played all before the other begins
            rules: dict[str, Any] = {"seed": self.seed, "suicide": self.suicide}
            run = simulate(self.size, count, first=first, backend="simd", threads=1, **rules)
            played[self.name] += count
            busy.remove(self.name)
            return run.scores, run.moves, run.cut

    for module in (backends, workers):
        monkeypatch.setattr(module, "gpus", lambda: two)
    monkeypatch.setattr(backends, "GpuPlayouts", FakePlayouts)
    monkeypatch.setattr(backends, "kernel_spec", lambda size, shares: type("KernelSpec", (), {"layout": Strip(size)}))
    monkeypatch.setattr(backends._GpuRun, "first_piece", 500)
    monkeypatch.setattr(backends._GpuRun, "piece_seconds", 0.001)
    return played


def test_several_gpus_share_a_range(two_gpus: dict[str, int]) -> None:
    run = simulate(5, 20_000, seed=3, first=7, backend="cuda")
    assert run == simulate(5, 20_000, seed=3, first=7, backend="simd")
    assert sum(two_gpus.values()) == 20_000
    assert min(two_gpus.values()) > 0


def test_a_study_is_played_by_the_gpus(two_gpus: dict[str, int], tmp_path: Path) -> None:
    with Store(tmp_path / "study.sqlite", create=True) as store, workers.Gpus() as hands:
        assert hands.count == 2
        run = run_study(store, store.ask(Config(3, seed=1), n=9000), workers=hands)
        assert store.totals(run, ANY)[0] == simulate(3, 9000, seed=1, backend="simd").totals
    assert sum(two_gpus.values()) == 9000


def test_gpus_play_no_search(two_gpus: dict[str, int]) -> None:
    config = Config(3, policy="search:10", komi=7.0)
    with workers.Gpus() as hands, pytest.raises(BackendError, match="no games of search: leave it out"):
        hands.submit(Task(config, ANY, 0, 1, "of no matter"))


# --- positions for a GPU -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", [2, 9, 15, 19])
def test_positions_are_repacked(size: int) -> None:
    boards = [Board(size), Board(size)]
    for point in range(0, size * size, 3):
        if boards[1].playable(boards[1].to_play)[point]:
            boards[1].play(point)
    words, strip = Starts(boards).packed(Strip(size)), Strip(size)
    assert words.dtype == np.uint32
    for board, sets in zip(boards, words, strict=True):
        for color, part in zip((board.to_play, 3 - board.to_play), sets, strict=False):
            assert part.tolist() == strip.pack(board.stones(color).search(1))
