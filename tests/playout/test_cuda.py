"""The kernel for GPUs, to the bit: on numba-cuda's simulator, as PTX on an interpreter of our own, on a GPU."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foogo import BackendError, Board, play_games, simulate
from foogo.playout.games import MOVES_PER_POINT, Starts
from foogo.playout.kernels.cuda.strip import Strip
from foogo.playout.policies import POLICIES, Policy
from tests.gpu_games import FIRST, SEED, positions
from tests.ptx_machine import Machine

pytestmark = pytest.mark.skipif(find_spec("numba_cuda") is None, reason="numba-cuda is not installed")

LOOKING: dict[str, Any] = {"knowledge": Policy(nakade=100), "patterns": POLICIES["patterns"]}
THREADS = 32


def test_the_simulated_gpu_plays_the_same_games() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.cuda_simulation"],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=True,
    )
    found = json.loads(run.stdout)
    assert found["simulated"]
    assert found["interrupted"]
    assert (len(found["totals"]), len(found["games"]), len(found["commands"])) == (16, 10, 3)
    runs = found["totals"] | found["games"] | found["commands"]
    assert [name for name, same in runs.items() if not same] == []


# --- what the compilers make of it ---------------------------------------------------------------


@pytest.fixture(scope="module")
def compiler() -> Any:
    """`tests.ptx_compiler`, if numba-cuda's compilers are installed."""
    from foogo.playout.kernels.cuda.program import KernelSpec
    from tests import ptx_compiler

    try:
        ptx_compiler.resources(ptx_compiler.ptx(KernelSpec(Strip(2))))
    except Exception as error:
        if not isinstance(error, ImportError | RuntimeError) and "not found" not in str(error).lower():
            raise
        pytest.skip(f"numba-cuda's compilers are not installed: {error}")
    return ptx_compiler


def spec(size: int, kind: str, **layout: Any) -> Any:
    """The spec of a kernel by a short name."""
    from foogo.playout.kernels.cuda.program import KernelSpec

    looking = {name: policy.for_kernels() for name, policy in LOOKING.items()}
    kinds: dict[str, dict[str, Any]] = {
        "totals": {},
        **{name: {"policy": taken.rule, "constants": taken.weights} for name, taken in looking.items()},
        "games": {"per_game": True},
        "sets": {"per_game": True, "sets": True},
    }
    return KernelSpec(Strip(size, **layout), **kinds[kind])


@pytest.mark.parametrize("kind", ["totals", "knowledge", "patterns", "games", "sets"])
@pytest.mark.parametrize("size", [9, 13, 19])
def test_a_kernel_stays_in_registers(compiler: Any, size: int, kind: str) -> None:
    text = compiler.ptx(spec(size, kind))
    found = compiler.resources(text)
    assert found.local == 0
    most = {9: 64, 13: 128, 19: 255} if kind != "patterns" else {9: 128, 13: 168, 19: 255}
    assert 20 < found.registers <= most[size]
    assert ".f32" not in text, "integers of mixed signs become floats"
    assert ".f64" not in text


def on_machine(compiler: Any, kernel: Any, board: Board, n: int, suicide: bool) -> tuple[Machine, list[Any]]:
    """A kernel run by the PTX machine on one block; its arrays after `tally` are those of each game."""
    starts, size = Starts([board]), board.size
    machine = Machine(compiler.ptx(kernel))
    words = 2 * n * kernel.layout.dense_words
    arrays: list[Any] = [
        np.zeros(2 * size * size + 4, np.int64),
        *(np.zeros(n, dtype) for dtype in (np.int16, np.int16, np.uint8)),
        *(np.zeros(words, np.uint32) for _ in range(2)),
    ]
    rules = int(not suicide), MOVES_PER_POINT * size * size
    with np.errstate(all="ignore"):
        words = starts.packed(kernel.layout).ravel()
        machine.launch(1, THREADS, [words, starts.turns, n, 0, SEED, FIRST, n, *rules, *arrays])
    return machine, arrays


@pytest.mark.parametrize(("size", "n"), [(2, 200), (5, 120), (9, 48), (15, 4)])
def test_ptx_plays_the_same_games(compiler: Any, size: int, n: int) -> None:
    for i, board in enumerate(positions(size)):
        suicide = i % 2 == 0
        _, (tally, *_) = on_machine(compiler, spec(size, "totals"), board, n, suicide)
        expected = simulate(board, n, seed=SEED, first=FIRST, suicide=suicide, backend="scalar", threads=1)
        assert tally[0] == n + THREADS, "games given, and a last question of each thread"
        assert (tally[1], tally[2]) == (expected.moves, expected.cut)
        np.testing.assert_array_equal(tally[3:], expected.scores)


@pytest.mark.parametrize(("kind", "size", "n"), [("knowledge", 5, 60), ("patterns", 5, 60), ("patterns", 9, 32)])
def test_ptx_plays_the_policies(compiler: Any, kind: str, size: int, n: int) -> None:
    board = positions(size)[-1]
    rules: dict[str, Any] = {"suicide": size == 5, "policy": LOOKING[kind], "backend": "scalar", "threads": 1}
    _, (tally, *_) = on_machine(compiler, spec(size, kind), board, n, size == 5)
    expected = simulate(board, n, seed=SEED, first=FIRST, **rules)
    np.testing.assert_array_equal(tally[3:], expected.scores)
    assert tally[1] == expected.moves


def test_ptx_gives_each_game(compiler: Any) -> None:
    board = positions(5)[1]
    _, (_, scores, moves, cut, owners, firsts) = on_machine(compiler, spec(5, "sets"), board, 60, True)
    games = play_games([board], 60, seed=SEED, first=FIRST, sets=True)
    assert games.owners is not None
    assert games.first_players is not None
    np.testing.assert_array_equal(scores, games.scores)
    np.testing.assert_array_equal(moves, games.moves)
    np.testing.assert_array_equal(cut, games.cut)
    np.testing.assert_array_equal(owners.view(np.uint64), games.owners.ravel())
    np.testing.assert_array_equal(firsts.view(np.uint64), games.first_players.ravel())


@pytest.mark.parametrize("layout", [{"levels": 1, "passes": 1}, {"levels": 3}])
def test_what_the_bench_tries_plays_the_same_games(compiler: Any, layout: dict[str, Any]) -> None:
    _, (tally, *_) = on_machine(compiler, spec(5, "totals", **layout), Board(5), 100, True)
    np.testing.assert_array_equal(tally[3:], simulate(5, 100, seed=SEED, first=FIRST).scores)


def test_the_instructions_of_a_playout_are_as_counted(compiler: Any) -> None:
    """19,000 of PTX are 10,100 of a GPU's integer pipe: the assembler joins some, and others go to other pipes."""
    from foogo.benchmark.gpu import INSTRUCTIONS

    n = 640
    machine, _ = on_machine(compiler, spec(5, "totals"), Board(5), n, True)
    assert machine.executed * THREADS / n == pytest.approx(1.88 * INSTRUCTIONS[5], rel=0.15)


# --- a real GPU ------------------------------------------------------------------------------------


@pytest.fixture
def gpu() -> Any:
    """The first GPU, if there is one."""
    from foogo.playout.gpu import gpus

    try:
        found = gpus()[0]
    except BackendError as error:
        pytest.skip(str(error))
    if found.simulated:
        pytest.skip("the GPU is simulated")
    return found


@pytest.mark.gpu
@pytest.mark.parametrize("size", range(2, 20))
def test_the_gpu_plays_the_same_games(gpu: Any, size: int) -> None:
    for board in positions(size):
        for suicide in (True, False):
            run: dict[str, Any] = {"seed": SEED, "first": FIRST, "suicide": suicide}
            n = 200_000 if size < 10 else 20_000
            assert simulate(board, n, backend="cuda", **run) == simulate(board, n, backend="simd", **run)


@pytest.mark.gpu
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("size", [5, 9, 19])
def test_the_gpu_gives_each_game(gpu: Any, size: int, policy: str) -> None:
    boards = positions(size)
    found, expected = (
        play_games(boards, 999 * len(boards), seed=SEED, first=FIRST, sets=True, policy=policy, backend=backend)
        for backend in ("cuda", "simd")
    )
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.gpu
@pytest.mark.parametrize("size", [2, 5, 9, 13, 19])
@pytest.mark.parametrize("policy", ["knowledge", "patterns"])
def test_the_gpu_plays_the_policies(gpu: Any, policy: str, size: int) -> None:
    run: dict[str, Any] = {"seed": 3, "policy": policy}
    n = 100_000 if size < 10 else 10_000
    assert simulate(size, n, backend="cuda", **run) == simulate(size, n, backend="simd", **run)


@pytest.mark.gpu
def test_the_gpu_plays_many_pieces(gpu: Any) -> None:
    seen: list[int] = []
    whole = simulate(5, 20_000_000, seed=3, backend="cuda", progress=lambda done, _: seen.append(done))
    assert len(seen) > 1
    assert seen[-1] == whole.n == whole.scores.sum()
    assert whole == simulate(5, 20_000_000, seed=3, backend="simd")
