"""Measure graphics cards: are the games the processor's, how fast, what bounds them, what other kernels would do.

One command does it all, in some minutes:

    python bench/gpu.py --json bench/results/gpu.json

It (1) compares totals and single games with the processor's to the bit; (2) measures rates by the card's own events,
warm, for several sizes of run and every policy, beside one core; (3) tries other kernels against the usual one, in
alternation, and other launches and fewer registers for the policy patterns too;
(4) leaves parts out, which makes the games wrong but shows what they cost; (5) reads the card's counters with ncu if
that is installed. Only the first card plays. The exit code is 1 if any game differs.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from foogo import BackendError, Board, play_games, simulate
from foogo.benchmark.environment import environment
from foogo.benchmark.gpu import INSTRUCTIONS
from foogo.playout.games import MOVES_PER_POINT, Starts
from foogo.playout.gpu import BLOCK, Card, Player, cards, integer_peak, use_of
from foogo.playout.policies import POLICIES, STRONGEST

if TYPE_CHECKING:
    from foogo.playout.kernels.cuda.program import Use

SEED = 1
REPEATS = 5
RUNS = [1 << bits for bits in (14, 17, 20, 23, 26)]
"""Playouts of a run, from few to many."""

COUNTERS = {
    "sm__throughput.avg.pct_of_peak_sustained_elapsed": "multiprocessors busy, %",
    "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active": "integer pipe busy, %",
    "smsp__issue_active.avg.pct_of_peak_sustained_active": "cycles that issue, %",
    "smsp__thread_inst_executed_per_inst_executed.ratio": "threads of 32 at work",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "warps there, % of the most",
    "smsp__inst_executed.sum": "instructions of warps",
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
    layout, use
        Changes to the `Strip` and to the `Use`.
    block
        Threads of a block.
    right
        Whether it plays the same games.
    """

    name: str
    layout: dict[str, Any]
    use: dict[str, Any]
    block: int = BLOCK
    right: bool = True

    def of(self, usual: Use) -> Use:
        """The changed use."""
        return replace(usual, layout=replace(usual.layout, **self.layout), **self.use)


VARIANTS = [
    *(Variant(f"{n} flood passes before the first look, not 3", {"passes": n}, {}) for n in (1, 2, 4)),
    *(Variant(f"a flood pass of {2**n - 1} points, not 3", {"levels": n}, {}) for n in (1, 3)),
    *(Variant(f"warps vote on a flood's end, from pass {n} on", {"vote": True, "passes": n}, {}) for n in (1, 2, 3, 4)),
    *(Variant(f"a new game when {n} threads of a warp want one", {}, {"wait_for": n}) for n in (2, 4, 8)),
    *(Variant(f"blocks of {n} threads, not {BLOCK}", {}, {}, n) for n in (64, 256, 512)),
    *(Variant(f"at most {n} registers", {}, {"registers": n}) for n in (32, 40, 48, 64, 80, 96, 128, 168)),
    Variant("optimised once more by the linker", {}, {"link_time": True}),
]
LAUNCHES = [variant for variant in VARIANTS if variant.block != BLOCK or "registers" in variant.use]
"""Those that matter more to a policy that takes more registers."""

LEFT_OUT = [
    *(
        Variant(f"{n} flood passes and never a look", {"passes": n, "looked": False}, {}, right=False)
        for n in (1, 2, 3, 4)
    ),
    Variant("streams not warmed up", {}, {"warm_up": 0}, right=False),
]


def main() -> int:
    """Read the command line, measure, print, write; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", type=int, action="append", help="may be repeated; 9, 13 and 19 by default")
    parser.add_argument("--seconds", type=float, default=0.5, help="of the card for each measured run")
    parser.add_argument("--no-variants", action="store_true", help="leave out parts 3, 4 and 5")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write FILE and a .md beside it")
    parser.add_argument("--only-play", type=int, metavar="SIZE", help=argparse.SUPPRESS)  # for ncu
    options = parser.parse_args()
    try:
        card = cards()[0]
        if options.only_play:
            player_of(card, use_for(options.only_play)).totals(0, COUNTED)
            return 0
        document = measure(card, options.size or [9, 13, 19], options.seconds, not options.no_variants)
    except BackendError as error:
        print(f"bench/gpu.py: {error}", file=sys.stderr)
        return 2
    text = markdown(document)
    print(text)
    if options.json is not None:
        options.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
        options.json.with_suffix(".md").write_text(text, encoding="utf-8")
    return 0 if document["differing"] == [] else 1


def measure(card: Card, sizes: list[int], seconds: float, variants: bool) -> dict[str, Any]:
    """Everything, as a document for JSON."""
    say("comparing games with the processor's")
    document: dict[str, Any] = {"machine": environment(), "card": about(card), "differing": differing()}
    document["rates"] = [row for size in sizes for row in rates(card, size, seconds)]
    if variants:
        document["variants"] = [row for size in sizes for row in compared(card, size, seconds, VARIANTS)]
        document["variants"] += [row for size in sizes for row in compared(card, size, seconds, LAUNCHES, STRONGEST)]
        document["left_out"] = [row for size in sizes for row in compared(card, size, seconds, LEFT_OUT)]
        document["counters"] = {f"{size}x{size}": counters(size) for size in sizes}
        document["differing"] += [
            f"{row['board']}, {row['policy']}, {row['name']}" for row in document["variants"] if not row["same"]
        ]
    return document


def about(card: Card) -> dict[str, Any]:
    """The card, the driver and the compiler."""
    import numba_cuda
    from numba.cuda.cudadrv import driver

    return {
        "name": card.name,
        "capability": card.capability,
        "multiprocessors": card.multiprocessors,
        "driver": ".".join(map(str, driver.get_version())),
        "numba_cuda": numba_cuda.__version__,
        "integer_peak_per_second": integer_peak(card),
    }


# --- the same games --------------------------------------------------------------------------------


def differing() -> list[str]:
    """The runs in which card and processor disagree; none if all is well."""
    wrong = []
    for size in range(2, 20):
        board = Board(size)
        board.play(0)
        n = 2_000_000 // size**2
        for start in (size, board):
            for suicide in (True, False):
                run: dict[str, Any] = {"seed": SEED, "first": 2**32 - n // 2, "suicide": suicide}
                if simulate(start, n, backend="cuda", **run) != simulate(start, n, backend="simd", **run):
                    wrong.append(f"totals, {size}x{size}, suicide {suicide}")
    for size in range(2, 20):
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


def use_for(size: int, policy: str = "uniform") -> Use:
    """The usual kernel of a policy by name."""
    chosen = POLICIES[policy]
    return use_of(size, None if chosen is None else chosen.shares)


def player_of(card: Card, use: Use, block: int = BLOCK) -> Player:
    """A player from the empty board."""
    starts, limit = Starts.empty(use.layout), MOVES_PER_POINT * use.layout.size**2
    return Player(card, use, starts.words, starts.turns, seed=SEED, suicide=True, limit=limit, block=block)


def rates(card: Card, size: int, seconds: float) -> list[dict[str, Any]]:
    """Rates for every policy of the card and size of run, by the card's events and by the wall, and of one core."""
    rows = []
    for policy in POLICIES:
        say(f"{size}x{size}, {policy}")
        player = player_of(card, use_for(size, policy))
        core = core_rate(size, policy)
        for n in [*RUNS, enough(player, seconds)]:
            if policy != "uniform" and n in RUNS:
                continue
            events, walls = [], []
            for repeat in range(REPEATS + 1):
                began = time.perf_counter()
                player.totals(0, n)
                if repeat:  # the first is not warm
                    events.append(n / player.seconds)
                    walls.append(n / (time.perf_counter() - began))
            row = {"board": f"{size}x{size}", "policy": policy, "playouts": n, "rate": median(events)}
            rows.append({**row, "rates": events, "wall_rate": median(walls), "core_rate": core})
            if events and max(n / rate for rate in events) > 4 * seconds:
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


def enough(player: Player, seconds: float) -> int:
    """Playouts that take the card so long."""
    n = 1 << 12
    while n < 1 << 31:
        player.totals(0, n)
        if player.seconds > seconds / 8:
            break
        n *= 4
    return max(1, round(n * seconds / player.seconds))


def compared(
    card: Card, size: int, seconds: float, variants: list[Variant], policy: str = "uniform"
) -> list[dict[str, Any]]:
    """The rate of each variant over that of the policy's usual kernel, measured in alternation."""
    usual = use_for(size, policy)
    player = player_of(card, usual)
    n = enough(player, seconds)
    expected, rows, taken = player.totals(0, n), [], resources(card, usual)
    for variant in variants:
        if variant.use.get("registers", 0) >= taken["registers"]:
            continue
        say(f"{size}x{size}, {policy}, {variant.name}")
        row: dict[str, Any] = {"board": f"{size}x{size}", "policy": policy, "name": variant.name}
        try:
            other = player_of(card, variant.of(usual), variant.block)
            found = other.totals(0, n)
        except BackendError as error:
            rows.append({**row, "failed": str(error), "same": True})
            continue
        ratios, own = [], []
        for _ in range(REPEATS):
            player.totals(0, n)
            other.totals(0, n)
            ratios.append(player.seconds / other.seconds)
            own.append(n / other.seconds)
        same = np.array_equal(found[0], expected[0]) and found[1:] == expected[1:]
        row |= {"ratio": median(ratios), "rate": median(own), "same": bool(same) or not variant.right}
        rows.append({**row, **resources(card, variant.of(usual))})
    return rows


def resources(card: Card, use: Use) -> dict[str, int]:
    """Registers and bytes of local memory of a thread, as the driver tells."""
    from numba import cuda

    from foogo.playout.kernels.cuda.program import kernel

    with cuda.gpus[card.index]:
        compiled = kernel(use)
        registers, local = compiled.get_regs_per_thread(), compiled.get_local_mem_per_thread()
    assert len(registers) == 1, "all launches have arguments of the same types"
    return {"registers": next(iter(registers.values())), "local_bytes": next(iter(local.values()))}


# --- counters ------------------------------------------------------------------------------------------


def counters(size: int) -> dict[str, float] | str:
    """The card's own counters during a run, or why there are none."""
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
    card, here = document["card"], document["machine"]
    peak = card["integer_peak_per_second"]
    lines = [
        "# Playouts on a graphics card",
        "",
        f"{card['name']}, {card['multiprocessors']} multiprocessors, compute capability "
        f"{'.'.join(map(str, card['capability']))}, CUDA driver {card['driver']}, numba-cuda {card['numba_cuda']}; "
        f"{here['cpu']}; {here['date']}; foogo {here['foogo']}, Python {here['python']}.",
        f"At most {peak / 1e12:.2f} T integer instructions a second, measured.",
        "",
        f"Games that differ from the processor's: {', '.join(document['differing']) or 'none'}.",
        "",
        "Rates by the card's own events, warm, medians; one core is backend simd. The share of the integer peak counts",
        "instructions of PTX, of which the assembler joins some.",
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
    for key, title in (
        ("variants", "Other kernels, in alternation with the usual one"),
        ("left_out", "Parts left out: other games, to see what they cost"),
    ):
        if key in document:
            lines += ["", f"{title}:", "", "| board | policy | what | ratio | playouts/s | registers | local bytes |"]
            lines += ["|---|---|---|---|---|---|---|", *(_variant_line(row) for row in document[key])]
    for board, found in document.get("counters", {}).items():
        if isinstance(found, str):
            lines += ["", f"Counters, {board}: {found}."]
        else:
            named = (f"{COUNTERS[name]}: {value:,.1f}" for name, value in found.items())
            lines += ["", f"Counters, {board}: {'; '.join(named)}."]
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
