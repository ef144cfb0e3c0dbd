"""`foogo bench --search`: simulations per second on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foogo.cli.console import print_json, text_table
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.search import SearchMeasurement


def bench_search(
    sizes: Sequence[int], threads: Sequence[int], seconds: float, policies: Sequence[str], as_json: bool
) -> None:
    """Measure simulations per second for every size, number of threads and policy."""
    from foogo.benchmark.environment import environment, peak_memory
    from foogo.benchmark.search import SearchMeasurement, compare_threads

    rows, ratios = list[SearchMeasurement](), list[float]()
    for size in sizes:
        for policy in policies:
            compared = compare_threads(size, threads, seconds, policy)
            rows += compared
            ratios += [row.rate / compared[0].rate for row in compared]
    peak = peak_memory()
    if as_json:
        document: dict[str, Any] = {"command": "bench --search", "machine": environment(), "seconds": seconds}
        measurements = [{**row.as_dict(), "ratio": ratio} for row, ratio in zip(rows, ratios, strict=True)]
        print_json({**document, "measurements": measurements, "peak_memory_bytes": peak})
        return
    about = environment()
    print(f"foogo {about['foogo']} on {about['cpu']}, cores: {about['cores']}; {about['date']}")
    print("search from the middle of a game, default parameters; shares of the threads' time")
    print()
    header = ["board", "threads", "policy", "simulations/s", "ratio", "selection", "playouts", "backup", "tree MB"]
    print(text_table(header, [_row(row, ratio) for row, ratio in zip(rows, ratios, strict=True)]))
    print("\nratio: to the first number of threads, over as many simulations, medians of searches in turns.")
    if peak is not None:
        print(f"\nPeak memory of this process: {peak / 1e6:,.0f} MB.")


def _row(one: SearchMeasurement, ratio: float) -> list[str]:
    parts = (percent(share, 0) for share in (one.selection, one.playouts, one.backup))
    board, rate = f"{one.size}x{one.size}", f"{one.rate:,.0f}"
    tree = f"{one.tree_bytes / 1e6:.0f}{', full' if one.tree_full else ''}"
    return [board, str(one.threads), one.policy, rate, f"{ratio:.2f}x", *parts, tree]
