"""`foogo bench --search`: simulations per second on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foogo.cli.bench import finish
from foogo.cli.console import TableStream, print_json
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.search import SearchMeasurement


def bench_search(
    sizes: Sequence[int], threads: Sequence[int], seconds: float, policies: Sequence[str], as_json: bool
) -> None:
    """Measure simulations per second for every size, number of threads and policy."""
    from foogo.benchmark.environment import environment, peak_memory
    from foogo.benchmark.search import SearchMeasurement, compare_threads

    about = environment()
    table = None if as_json else _table(sizes, policies, about)
    rows, ratios, interrupted = list[SearchMeasurement](), list[float](), False
    try:
        for size in sizes:
            for policy in policies:
                if table is not None:
                    table.begin()
                compared = compare_threads(size, threads, seconds, policy)
                for row in compared:
                    rows.append(row)
                    ratios.append(row.rate / compared[0].rate)
                    if table is not None:
                        table.add(_row(row, ratios[-1]))
    except KeyboardInterrupt:
        interrupted = True
    peak = peak_memory()
    if as_json:
        document: dict[str, Any] = {"command": "bench --search", "machine": about, "seconds": seconds}
        measurements = [{**row.as_dict(), "ratio": ratio} for row, ratio in zip(rows, ratios, strict=True)]
        print_json({**document, "measurements": measurements, "peak_memory_bytes": peak})
    elif rows:
        print("\nsims/s: simulations per second. ratio: to the first number of threads, over as")
        print("many simulations. select, playouts, backup: shares of the threads' time. Medians")
        print("of searches in turns.")
        if peak is not None:
            print(f"Peak memory of this process: {peak / 1e6:,.0f} MB.")
    finish(len(rows), len(sizes) * len(policies) * len(threads), interrupted, ())


def _table(sizes: Sequence[int], policies: Sequence[str], about: dict[str, Any]) -> TableStream:
    title = (
        f"foogo {about['foogo']} on {about['cpu']}, cores: {about['cores']}; {about['date']}\n"
        "simulations/s from the middle of a game, default parameters"
    )
    header = ["board", "policy", "threads", "sims/s", "ratio", "select", "playouts", "backup", "tree MB"]
    board, policy = max((f"{size}x{size}" for size in sizes), key=len), max(policies, key=len)
    return TableStream(title, header, [board, policy, "", "9,999,999", "99.99x", "", "", "", "512 full"])


def _row(one: SearchMeasurement, ratio: float) -> list[str]:
    parts = (percent(share, 0) for share in (one.selection, one.playouts, one.backup))
    board, rate = f"{one.size}x{one.size}", f"{one.rate:,.0f}"
    tree = f"{one.tree_bytes / 1e6:.0f}{' full' if one.tree_full else ''}"
    return [board, one.policy, str(one.threads), rate, f"{ratio:.2f}x", *parts, tree]
