"""`foogo bench --backend cuda`: playouts per second of the GPUs of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foogo.cli.bench import finish
from foogo.cli.console import TableStream, print_json, progress_bar, prose
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.gpu import GpuMeasurement
    from foogo.benchmark.playouts import Signature


def bench_gpus(sizes: Sequence[int], seconds: float, suicide: bool, policies: Sequence[str], as_json: bool) -> None:
    """Measure every size and policy, and check that the playouts are the right ones."""
    from foogo.benchmark.environment import environment
    from foogo.benchmark.gpu import measure_gpus
    from foogo.benchmark.playouts import signature
    from foogo.playout.gpu import gpus

    found, about = gpus(), environment()
    table = None if as_json else _table(sizes, policies, suicide, about, ", ".join(map(str, found)))
    rows: list[GpuMeasurement] = []
    signatures: list[Signature] = []
    interrupted = False
    try:
        for size in sizes:
            signatures.append(signature(size, suicide=suicide, backend="cuda"))
            for policy in policies:
                if table is not None:
                    table.begin()
                with progress_bar(f"{size}x{size} {policy}", "repeats") as progress:
                    rows.append(measure_gpus(size, seconds=seconds, suicide=suicide, policy=policy, progress=progress))
                if table is not None:
                    table.add(_row(rows[-1]))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        document: dict[str, Any] = {"command": "bench --backend cuda", "machine": about, "seconds": seconds}
        measured = [row.as_dict() for row in rows]
        print_json({**document, "measurements": measured, "signatures": [one.as_dict() for one in signatures]})
    elif rows:
        explanation = (
            "one core: backend simd in the same run; peak: integer instructions, as counted at compute capability "
            "9.0, as a share of the most that the GPUs did in the same run; wall time, with compiling left out."
        )
        print(f"\n{prose(explanation)}")
        print(prose(f"Signatures: {'; '.join(map(str, signatures))}."))
    finish(len(rows), len(sizes) * len(policies), interrupted, signatures)


def _table(
    sizes: Sequence[int], policies: Sequence[str], suicide: bool, about: dict[str, Any], names: str
) -> TableStream:
    title = (
        f"foogo {about['foogo']} on {names}; {about['cpu']}; {about['date']}\n"
        f"suicide {'allowed' if suicide else 'forbidden'}; score: Black's mean in points, 95 % interval"
    )
    header = ["board", "policy", "playouts/s", "one core", "x core", "peak", "moves", "score"]
    board, policy = max((f"{size}x{size}" for size in sizes), key=len), max(policies, key=len)
    return TableStream(
        title, header, [board, policy, "999,999,999", "9,999,999", "999.9x", "", "999.99", "2.57700 ±0.00035"]
    )


def _row(one: GpuMeasurement) -> list[str]:
    from statistics import median

    share = one.share_of_peak
    return [
        f"{one.size}x{one.size}",
        one.policy,
        f"{one.rate:,.0f}",
        f"{median(one.core_rates):,.0f}",
        f"{one.over_core:,.1f}x",
        "-" if share is None else percent(share, 0),
        f"{one.playouts.mean_moves:.2f}",
        one.mean_score.plus_minus(),
    ]
