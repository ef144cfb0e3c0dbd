"""`foogo bench`: playouts per second on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import INTERRUPTED, print_json, progress_bar, say, text_table
from foogo.cli.policy_option import FROM_FILE, policy_name
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.playouts import Measurement, Signature

SIZES = [9, 13, 19]
WRONG_SIGNATURE = 1


def bench(
    sizes: Annotated[
        list[int] | None, typer.Option("--size", help="Points on a side; may be repeated. [default: 9 13 19]")
    ] = None,
    threads: Annotated[
        list[int] | None, typer.Option(help="Threads; may be repeated. [default: 1 and all cores]")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each row, and the same for its comparison.")] = 2.0,
    suicide: Annotated[bool, typer.Option(help="Allow suicide of two or more stones.")] = True,
    backend: Annotated[str, typer.Option(help="auto, simd, scalar, strings or cuda.")] = "auto",
    search: Annotated[bool, typer.Option("--search", help="Measure the search instead of the playouts.")] = False,
    policies: Annotated[
        list[str] | None,
        typer.Option("--policy", help=f"How playouts choose: a name, {FROM_FILE}; may be repeated. [default: all]"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Measure playouts per second, and check their signatures."""
    from foogo.benchmark.environment import environment, peak_memory
    from foogo.benchmark.playouts import signature
    from foogo.benchmark.timing import check_effort
    from foogo.cli.gpu_bench import bench_gpus
    from foogo.cli.search_bench import bench_search
    from foogo.core.cpu import usable_cores
    from foogo.errors import ArgumentError, BackendError
    from foogo.game.geometry import check_size
    from foogo.playout.policies import POLICIES, policy_of

    sizes = [check_size(size) for size in sizes or SIZES]
    if search and (backend != "auto" or not suicide):
        raise ArgumentError("--backend and --no-suicide are for the playouts: leave them out with --search")
    policies = [policy_name(text) for text in policies or []]
    chosen = {name: policy_of(name) for name in policies or POLICIES}
    if backend == "cuda":
        if threads:
            raise ArgumentError("--threads is for the processor: leave it out with --backend cuda, all GPUs play")
        bench_gpus(sizes, seconds, suicide, policies, as_json)
        return
    threads = threads or sorted({1, usable_cores()})
    for count in threads:
        check_effort(count, seconds)
    if search:
        bench_search(sizes, threads, seconds, list(chosen), as_json)
        return
    measurements: list[Measurement] = []
    signatures: list[Signature] = []
    interrupted = False
    try:
        for size, policy in product(sizes, chosen):
            try:
                signatures.append(signature(size, suicide=suicide, backend=backend, policy=policy))
            except BackendError as error:
                if policies or chosen[policy] is None:
                    raise
                say(f"{size}x{size} {policy} is left out: {error}")
                continue
            for count in threads:
                measurements.append(_measured(size, count, seconds, suicide, backend, policy))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        document: dict[str, Any] = {"command": "bench", "machine": environment(), "seconds": seconds}
        rows = {
            "measurements": [measurement.as_dict() for measurement in measurements],
            "signatures": [one.as_dict() for one in signatures],
        }
        print_json({**document, **rows, "peak_memory_bytes": peak_memory()})
    else:
        _report(environment(), measurements, signatures, peak_memory())
    finish(len(measurements), len(sizes) * len(chosen) * len(threads), interrupted, signatures)


def finish(measured: int, wanted: int, interrupted: bool, signatures: Sequence[Signature]) -> None:
    """End the command: with an exit code if it was interrupted or a signature is wrong."""
    if interrupted:
        say(f"interrupted: {measured} of {wanted} rows are measured")
        raise typer.Exit(INTERRUPTED)
    wrong = [one for one in signatures if one.is_wrong]
    for one in wrong:
        say(f"error: {one.error}")
    if wrong:
        raise typer.Exit(WRONG_SIGNATURE)


def _measured(size: int, threads: int, seconds: float, suicide: bool, backend: str, policy: str) -> Measurement:
    from foogo.benchmark.playouts import measure

    rules: dict[str, Any] = {"suicide": suicide, "backend": backend, "policy": policy}
    with progress_bar(f"{size}x{size} {policy}, threads: {threads}", "repeats") as progress:
        return measure(size, threads=threads, seconds=seconds, progress=progress, **rules)


def _report(
    about: dict[str, Any], measurements: Sequence[Measurement], signatures: Sequence[Signature], peak: int | None
) -> None:
    print(f"foogo {about['foogo']} on {about['cpu']}, cores: {about['cores']}")
    versions = ", ".join(f"{name} {about[name]}" for name in ("python", "numpy", "numba"))
    print(f"{versions}; {about['date']}")
    if not measurements:
        return
    for size in dict.fromkeys(one.size for one in measurements):
        print(f"{size}x{size}: {next(one.description for one in measurements if one.size == size)}")
    suicide = "allowed" if measurements[0].suicide else "forbidden"
    print(f"suicide {suicide}; score: Black's mean in points, 95 % interval")
    print()
    header = ["board", "policy", "threads", "playouts/s", "spread", "ns/move", "moves", "score"]
    print(text_table([*header, "x uniform", "x scalar"], [_row(one) for one in measurements]))
    print()
    print("ns/move: on one thread. x uniform, x scalar: over uniform playouts and over foogo's own scalar board,")
    print("in the same run.")
    print(f"Signatures: {'; '.join(map(str, signatures))}.")
    if peak is not None:
        print(f"Peak memory of this process: {peak / 1e6:,.0f} MB.")


def _row(one: Measurement) -> list[str]:
    score, scalar = one.mean_score, one.over_scalar_board
    return [
        f"{one.size}x{one.size}",
        one.policy,
        str(one.threads),
        f"{one.rate:,.0f}",
        f"±{percent(one.spread, 0)}",
        f"{one.ns_per_move:.2f}",
        f"{one.playouts.mean_moves:.2f}",
        f"{score.value:.2f} ±{score.half_width:.2f}",
        f"{one.over_uniform:.2f}x",
        f"{scalar:.2f}x" if scalar else "-",
    ]
