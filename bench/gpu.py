"""Measure GPUs: whether their games are the processor's, how fast they are, what limits them, what might be faster.

One command does it all, in about seven minutes:

    python bench/gpu.py --json bench/results/gpu.json

It (1) compares totals and single games with the processor's to the bit; (2) measures rates by the GPU's own events and
by the wall clock, once warm: uniform in runs of several sizes, the other policies in one, and one core of the
processor; (3) tries other kernels against the usual one, in alternation, and fewer registers for the policy patterns
too; (4) reads the GPU's counters, if ncu, NVIDIA's profiler, is installed. Only the first GPU plays. The exit code is 1
if any game differs, 2 if no GPU can play.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foogo import BackendError, Board, play_games, simulate
from foogo.benchmark.environment import environment
from foogo.benchmark.gpu import INSTRUCTIONS
from foogo.core.cpu import usable_cores
from foogo.playout.games import MOVES_PER_POINT, Starts
from foogo.playout.gpu import BLOCK, Gpu, GpuPlayouts, gpus, kernel_spec
from foogo.playout.policies import POLICIES, STRONGEST

if TYPE_CHECKING:
    from foogo.playout.kernels.cuda.program import KernelSpec

SEED = 1
REPEATS = 5
MOST_PROCESSES = 8
"""Processes that compare games with the processor's; each takes some hundred MB of the GPU's memory."""

RUNS = [1 << bits for bits in (14, 17, 20, 23, 26)]
"""Playouts of a run, from few to many."""

COUNTERS = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "multiprocessors busy, %",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "integer pipe busy, %",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "cycles that issue, %",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "threads of 32 at work",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps there, % of the most",
    "smsp__inst_executed.sum": "instructions of warps",
    "smsp__inst_executed_pipe_alu.sum": "of them of the integer pipe",
}
COUNTED = 1 << 21
"""Playouts of a run whose counters are read."""


@dataclass(frozen=True)
class Variant:
    """Another kernel, or another launch, than the usual one.

    Attributes
    ----------
    name
        What is other.
    layout
        Changes to the `Strip`.
    registers
        At most so many for a thread, if given.
    link_time
        Whether the linker optimises once more.
    block
        Threads of a block.
    """

    name: str
    layout: dict[str, int] = field(default_factory=dict)
    registers: int | None = None
    link_time: bool = False
    block: int = BLOCK

    def of(self, usual: KernelSpec) -> KernelSpec:
        """The changed spec."""
        return replace(usual, layout=replace(usual.layout, **self.layout))

    def compiled(self, spec: KernelSpec) -> Any:
        """The changed kernel of a spec, always the same one."""
        return _compiled(spec, self.registers, self.link_time)


@cache
def _compiled(spec: KernelSpec, registers: int | None, link_time: bool) -> Any:
    from numba import cuda

    from foogo.playout.kernels.cuda import program

    return cuda.jit(program.python_kernel(spec), lto=link_time, max_registers=registers)


class VariantPlayouts(GpuPlayouts):
    """Playouts by a changed kernel."""

    def __init__(self, variant: Variant, gpu: Gpu, spec: KernelSpec, *position: Any, **rules: Any) -> None:
        self.variant, self.block = variant, variant.block
        super().__init__(gpu, spec, *position, **rules)

    def kernel(self) -> Any:
        """The changed kernel."""
        return self.variant.compiled(self.spec)


USUAL = Variant("as usual")
VARIANTS = [
    *(Variant(f"{n} flood passes before the first test, not 3", {"passes": n}) for n in (1, 2, 4)),
    *(Variant(f"a flood pass of {2**n - 1} points, not 3", {"levels": n}) for n in (1, 3)),
    *(Variant(f"blocks of {n} threads, not {BLOCK}", block=n) for n in (64, 256)),
    *(Variant(f"at most {n} registers", registers=n) for n in (40, 64, 96, 128)),
    Variant("optimised once more by the linker", link_time=True),
]
LAUNCHES = [variant for variant in VARIANTS if variant.registers]
"""Those that matter more to a policy that takes more registers."""


def main() -> int:
    """Read the command line, measure, print, write; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, action="append", help="may be repeated; 9, 13 and 19 by default")
    parser.add_argument("--seconds", type=float, default=0.5, help="of the GPU for each measured run")
    parser.add_argument("--no-variants", action="store_true", help="leave out parts 3 and 4")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write FILE and a .md beside it")
    parser.add_argument("--only-play", type=int, metavar="SIZE", help=argparse.SUPPRESS)  # for ncu
    options = parser.parse_args()
    try:
        gpu = gpus()[0]
        if options.only_play:
            playouts_of(gpu, spec_for(options.only_play)).totals(0, COUNTED)
            return 0
        document = measure(gpu, options.size or [9, 13, 19], options.seconds, not options.no_variants)
    except BackendError as error:
        print(f"bench/gpu.py: {error}", file=sys.stderr)
        return 2
    text = markdown(document)
    print(text)
    if options.json is not None:
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        options.json.with_suffix(".md").write_text(text, encoding="utf-8")
    return 0 if document["differing"] == [] else 1


def measure(gpu: Gpu, sizes: list[int], seconds: float, variants: bool) -> dict[str, Any]:
    """Everything, as a document for JSON."""
    say("comparing games with the processor's")
    document: dict[str, Any] = {"machine": environment(), "gpu": about(gpu), "differing": differing()}
    document["rates"] = [row for size in sizes for row in rates(gpu, size, seconds)]
    if variants:
        document["variants"] = [row for size in sizes for row in compared(gpu, size, seconds, VARIANTS)]
        document["variants"] += [row for size in sizes for row in compared(gpu, size, seconds, LAUNCHES, STRONGEST)]
        document["counted_playouts"] = COUNTED
        document["counters"] = {f"{size}x{size}": counters(size) for size in sizes}
        document["differing"] += [
            f"{row['board']}, {row['policy']}, {row['name']}" for row in document["variants"] if not row["same"]
        ]
    return document


def about(gpu: Gpu) -> dict[str, Any]:
    """The GPU, the driver and the compiler."""
    import numba_cuda
    from numba.cuda.cudadrv import driver

    from foogo.benchmark.gpu_peak import integer_peak

    return {
        "name": gpu.name,
        "capability": gpu.capability,
        "multiprocessors": gpu.multiprocessors,
        "driver": ".".join(map(str, driver.get_version())),
        "numba_cuda": numba_cuda.__version__,
        "integer_peak_per_second": integer_peak(gpu),
    }


# --- the same games --------------------------------------------------------------------------------


def differing() -> list[str]:
    """The runs in which GPU and processor disagree, of all sizes, in as many processes as there are cores."""
    spawn = multiprocessing.get_context("spawn")  # a forked process cannot use the GPU
    with ProcessPoolExecutor(min(MOST_PROCESSES, usable_cores()), spawn) as pool:
        return [wrong for found in pool.map(differing_at, range(19, 1, -1)) for wrong in found]


def differing_at(size: int) -> list[str]:
    """The runs of one size in which GPU and processor disagree."""
    wrong = []
    n, board = 2_000_000 // size**2, Board(size)
    board.play(0)
    for start in (size, board):
        for suicide in (True, False):
            run: dict[str, Any] = {"seed": SEED, "first": 2**32 - n // 2, "suicide": suicide}
            if simulate(start, n, backend="cuda", **run) != simulate(start, n, backend="simd", **run):
                wrong.append(f"totals, {size}x{size}, suicide {suicide}")
    boards = [Board(size), Board(size)]
    boards[1].play(size // 2)
    for policy in POLICIES:
        games = [
            play_games(boards, 400_000 // size**2 * 2, seed=SEED, sets=True, policy=policy, backend=backend)
            for backend in ("cuda", "simd")
        ]
        if not all(np.array_equal(a, b) for a, b in zip(*games, strict=True)):
            wrong.append(f"single games by {policy}, {size}x{size}")
    return wrong


# --- rates -------------------------------------------------------------------------------------------


def spec_for(size: int, policy: str = "uniform") -> KernelSpec:
    """The usual kernel of a policy by name."""
    return kernel_spec(size, POLICIES[policy])


def playouts_of(gpu: Gpu, usual: KernelSpec, variant: Variant = USUAL) -> VariantPlayouts:
    """Playouts from the empty board."""
    spec = variant.of(usual)
    starts, limit = Starts.empty(spec.layout), MOVES_PER_POINT * spec.layout.size**2
    words = starts.packed(spec.layout)
    return VariantPlayouts(variant, gpu, spec, words, starts.turns, seed=SEED, suicide=True, limit=limit)


def rates(gpu: Gpu, size: int, seconds: float) -> list[dict[str, Any]]:
    """Rates for every policy and size of run, by the GPU's events and by the wall, and of one core."""
    rows = []
    for policy in POLICIES:
        say(f"{size}x{size}, {policy}")
        playouts = playouts_of(gpu, spec_for(size, policy))
        core = core_rate(size, policy)
        for n in RUNS if policy == "uniform" else [enough(playouts, seconds)]:
            events, walls = [], []
            for repeat in range(REPEATS + 1):
                began = time.perf_counter()
                playouts.totals(0, n)
                if repeat:  # the first is not warm
                    events.append(n / playouts.seconds)
                    walls.append(n / (time.perf_counter() - began))
            row = {"board": f"{size}x{size}", "policy": policy, "playouts": n, "rate": median(events)}
            rows.append({**row, "rates": events, "wall_rate": median(walls), "core_rate": core})
            if n / median(events) > seconds / 2:  # the next would take eight times as long
                break
    return rows


def core_rate(size: int, policy: str) -> float:
    """Playouts per second of one core of the processor, backend simd."""
    n = max(2_000, 20_000_000 // size**3)
    simulate(size, 100, threads=1, policy=policy)
    found = []
    for _ in range(REPEATS):
        began = time.perf_counter()
        simulate(size, n, threads=1, policy=policy)
        found.append(n / (time.perf_counter() - began))
    return median(found)


def enough(playouts: GpuPlayouts, seconds: float) -> int:
    """How many playouts take the GPU so long."""
    n = 1 << 12
    while n < 1 << 31:
        playouts.totals(0, n)
        if playouts.seconds > seconds / 8:
            break
        n *= 4
    return max(1, round(n * seconds / playouts.seconds))


def compared(
    gpu: Gpu, size: int, seconds: float, variants: list[Variant], policy: str = "uniform"
) -> list[dict[str, Any]]:
    """The rate of each variant over that of the policy's usual kernel, measured in alternation."""
    usual = spec_for(size, policy)
    playouts = playouts_of(gpu, usual)
    n = enough(playouts, seconds)
    expected, rows, taken = playouts.totals(0, n), [], resources(playouts)
    for variant in variants:
        if variant.registers and variant.registers >= taken["registers"]:
            continue
        say(f"{size}x{size}, {policy}, {variant.name}")
        row: dict[str, Any] = {"board": f"{size}x{size}", "policy": policy, "name": variant.name}
        try:
            other = playouts_of(gpu, usual, variant)
            found = other.totals(0, n)
        except BackendError as error:
            rows.append({**row, "failed": str(error), "same": True})
            continue
        ratios, own = [], []
        for _ in range(REPEATS):
            playouts.totals(0, n)
            other.totals(0, n)
            ratios.append(playouts.seconds / other.seconds)
            own.append(n / other.seconds)
        same = np.array_equal(found[0], expected[0]) and found[1:] == expected[1:]
        row |= {"ratio": median(ratios), "rate": median(own), "same": bool(same)}
        rows.append({**row, **resources(other)})
    return rows


def resources(playouts: GpuPlayouts) -> dict[str, int]:
    """Registers and bytes of local memory of a thread, as the driver tells."""
    from numba import cuda

    with cuda.gpus[playouts.gpu.index]:
        compiled = playouts.kernel()
        registers, local = compiled.get_regs_per_thread(), compiled.get_local_mem_per_thread()
    assert len(registers) == 1, "all launches have arguments of the same types"
    return {"registers": next(iter(registers.values())), "local_bytes": next(iter(local.values()))}


# --- counters ------------------------------------------------------------------------------------------


def counters(size: int) -> dict[str, float] | str:
    """The GPU's own counters during a run, or why there are none."""
    if shutil.which("ncu") is None:
        return "ncu, NVIDIA's profiler, is not installed"
    say(f"{size}x{size}, counters")
    command = ["ncu", "--csv", "--print-units", "base", "--kernel-name", "regex:play", "--launch-skip", "1"]
    command += ["--clock-control", "none", "--metrics", ",".join(COUNTERS)]
    run = subprocess.run(
        [*command, sys.executable, __file__, "--only-play", str(size)], capture_output=True, text=True, check=False
    )
    found = {
        name: float(match[1].replace(",", ""))
        for name in COUNTERS
        if (match := re.search(rf'"{re.escape(name)}","[^"]*","([\d.,]+)"', run.stdout))
    }
    return found or f"ncu read nothing: {(run.stderr or run.stdout).strip()[-300:]}"


# --- the page --------------------------------------------------------------------------------------------


def markdown(document: dict[str, Any]) -> str:
    """The result as a page of tables."""
    gpu, here = document["gpu"], document["machine"]
    peak = gpu["integer_peak_per_second"]
    lines = [
        "# Playouts on a GPU",
        "",
        f"{gpu['name']}, {gpu['multiprocessors']} multiprocessors, compute capability "
        f"{'.'.join(map(str, gpu['capability']))}, CUDA driver {gpu['driver']}, numba-cuda {gpu['numba_cuda']}; "
        f"{here['cpu']}; {here['date']}; foogo {here['foogo']}, Python {here['python']}.",
        f"Measured peak of the integer pipe: {peak / 1e12:.2f} trillion instructions a second.",
        "",
        f"Games that differ from the processor's: {', '.join(document['differing']) or 'none'}.",
        "",
        "Rates by the GPU's own events, warm, medians; one core is backend simd. The shares of the peak are up to two",
        "points too high: the instructions were counted in shorter runs, at whose end some threads had no game left.",
        "",
        "| board | policy | playouts in a run | playouts/s | by the wall | over one core | of the integer peak |",
        "|---|---|---|---|---|---|---|",
    ]
    for row in document["rates"]:
        size = int(row["board"].partition("x")[0])
        share = "-"
        if row["policy"] == "uniform" and size in INSTRUCTIONS:
            share = f"{100 * row['rate'] * INSTRUCTIONS[size] / peak:.0f} %"
        lines.append(
            f"| {row['board']} | {row['policy']} | {row['playouts']:,} | {row['rate']:,.0f} | {row['wall_rate']:,.0f} "
            f"| {row['rate'] / row['core_rate']:,.0f}x | {share} |"
        )
    if "variants" in document:
        lines += ["", "Other kernels, in alternation with the usual one:", ""]
        lines += [
            "| board | policy | what | ratio | playouts/s | registers | local bytes |",
            "|---|---|---|---|---|---|---|",
        ]
        lines += [_variant_line(row) for row in document["variants"]]
    for board, found in document.get("counters", {}).items():
        if isinstance(found, str):
            lines += ["", f"Counters, {board}: {found}."]
        else:
            named = (f"{COUNTERS[name]}: {value:,.1f}" for name, value in found.items())
            lines += ["", f"Counters, {board}, {document['counted_playouts']:,} playouts: {'; '.join(named)}."]
    return "\n".join([*lines, ""])


def _variant_line(row: dict[str, Any]) -> str:
    if "failed" in row:
        return f"| {row['board']} | {row['policy']} | {row['name']} | {row['failed']} | | | |"
    wrong = "" if row["same"] else ", GAMES DIFFER"
    return (
        f"| {row['board']} | {row['policy']} | {row['name']}{wrong} | {row['ratio']:.3f} | {row['rate']:,.0f} "
        f"| {row['registers']} | {row['local_bytes']} |"
    )


def say(message: str) -> None:
    """Write a line to stderr."""
    print(f"bench/gpu.py: {message}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
