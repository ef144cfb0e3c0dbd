"""`foogo bench --backend cuda`: playouts per second of the GPUs of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from foogo.cli.bench import finish
from foogo.cli.console import print_json, progress_bar, text_table
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.gpu import GpuMeasurement
    from foogo.benchmark.playouts import Signature


def bench_gpus(
    sizes: Sequence[int], seconds: float, suicide: bool, policies: Sequence[str] | None, as_json: bool
) -> None:
    """Measure every size and policy, all policies if None, and check that the playouts are the right ones."""
    from foogo.benchmark.environment import environment
    from foogo.benchmark.gpu import measure_gpus
    from foogo.benchmark.playouts import signature
    from foogo.playout.gpu import gpus
    from foogo.playout.policies import POLICIES, policy_of

    names = list(policies or POLICIES)
    for name in names:
        policy_of(name)
    found = gpus()
    rows: list[GpuMeasurement] = []
    signatures: list[Signature] = []
    interrupted = False
    try:
        for size in sizes:
            signatures.append(signature(size, suicide=suicide, backend="cuda"))
            for policy in names:
                with progress_bar(f"{size}x{size} {policy}", "repeats") as progress:
                    rows.append(measure_gpus(size, seconds=seconds, suicide=suicide, policy=policy, progress=progress))
    except KeyboardInterrupt:
        interrupted = True
    about, verdicts = environment(), [str(one) for one in signatures]
    if as_json:
        document: dict[str, Any] = {"command": "bench --backend cuda", "machine": about, "seconds": seconds}
        print_json({**document, "measurements": [row.as_dict() for row in rows], "signatures": verdicts})
    else:
        print(f"foogo {about['foogo']} on {', '.join(map(str, found))}; {about['cpu']}; {about['date']}")
        print(f"suicide {'allowed' if suicide else 'forbidden'}; score: Black's mean in points, 95 % interval")
        print()
        header = ["board", "policy", "playouts/s", "one core/s", "x core", "of peak", "moves", "score"]
        print(text_table(header, [_row(row) for row in rows]))
        print()
        print("one core: backend simd in the same run; of peak: integer instructions (counted in PTX) as a share of")
        print("the most that the GPUs did in the same run; wall time, with compiling left out.")
        print(f"Signatures: {'; '.join(verdicts)}.")
    finish(len(rows), len(sizes) * len(names), interrupted, signatures)


def _row(one: GpuMeasurement) -> list[str]:
    from statistics import median

    score, share = one.mean_score, one.share_of_peak
    return [
        f"{one.size}x{one.size}",
        one.policy,
        f"{one.rate:,.0f}",
        f"{median(one.core_rates):,.0f}",
        f"{one.over_core:,.1f}x",
        "-" if share is None else percent(share, 0),
        f"{one.playouts.mean_moves:.2f}",
        f"{score.value:.2f} ±{score.half_width:.2f}",
    ]
