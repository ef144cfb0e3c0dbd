"""`foogo bench --backend cuda`: playouts per second of the graphics cards of this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from foogo.cli.console import INTERRUPTED, print_json, progress_bar, say, text_table
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.gpu import CardMeasurement

WRONG_SIGNATURE = 1


def bench_cards(
    sizes: Sequence[int], seconds: float, suicide: bool, policies: Sequence[str] | None, as_json: bool
) -> None:
    """Measure every size and policy, all policies if None, and check that the playouts are the right ones."""
    from foogo.benchmark.gpu import measure_cards
    from foogo.benchmark.playouts import machine, signature
    from foogo.playout.gpu import cards
    from foogo.playout.policies import POLICIES, policy_of

    names = list(policies or POLICIES)
    for name in names:
        policy_of(name)
    found = cards()
    rows: list[CardMeasurement] = []
    wrong: list[str] = []
    verdicts: list[str] = []
    interrupted = False
    try:
        for size in sizes:
            one = signature(size, suicide=suicide, backend="cuda")
            verdict = "not on record" if one.expected is None else "WRONG" if one.is_wrong else "ok"
            verdicts.append(f"{size}x{size} {one.value} {verdict}")
            if one.is_wrong:
                wrong.append(f"the {size}x{size} playouts have signature {one.value}, not {one.expected}")
            for policy in names:
                with progress_bar(f"{size}x{size} {policy}", "repeats") as progress:
                    rows.append(measure_cards(size, seconds=seconds, suicide=suicide, policy=policy, progress=progress))
    except KeyboardInterrupt:
        interrupted = True
    about = machine()
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
        print("the most that the cards did in the same run; wall time, with compiling left out.")
        print(f"Signatures: {'; '.join(verdicts)}.")
    if interrupted:
        say(f"interrupted: {len(rows)} of {len(sizes) * len(names)} rows are measured")
        raise typer.Exit(INTERRUPTED)
    for line in wrong:
        say(f"error: {line}")
    if wrong:
        raise typer.Exit(WRONG_SIGNATURE)


def _row(one: CardMeasurement) -> list[str]:
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
        f"{score.value:.2f} ±{(score.high - score.low) / 2:.2f}",
    ]
