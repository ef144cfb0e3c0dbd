"""`foogo bench`: playouts per second on this machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from foogo.cli.console import INTERRUPTED, JsonOption, TableStream, print_json, progress_bar, prose, say
from foogo.cli.policy_option import FROM_FILE, chosen_policy
from foogo.stats.percent import percent

if TYPE_CHECKING:
    from foogo.benchmark.playouts import Measurement, Signature

SIZES = [9, 13, 19]
WRONG_SIGNATURE = 1
NO_RECORD = "no record: foogo knows no hash of these games to compare with.\n"


class _Task(NamedTuple):
    """What to measure."""

    sizes: Sequence[int]
    threads: Sequence[int]
    seconds: float
    suicide: bool
    backend: str
    policies: Sequence[str]
    must_play: list[str]  # the policies for which it is an error if the backend does not play them
    detailed: bool  # whether the table compares policies and backends


def bench(
    sizes: Annotated[
        list[int] | None, typer.Option("--size", help="Points on a side; may be repeated. [default: 9 13 19]")
    ] = None,
    threads: Annotated[
        list[int] | None, typer.Option(help="Threads; may be repeated. [default: 1 and all cores]")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds for each row, and as long for its comparison.")] = 2.0,
    suicide: Annotated[bool, typer.Option(help="Allow suicide of two or more stones.")] = True,
    backend: Annotated[
        str, typer.Option(help="auto, simd, scalar, strings or cuda; any but auto prints the detailed table.")
    ] = "auto",
    search: Annotated[bool, typer.Option("--search", help="Measure the search instead of the playouts.")] = False,
    all_policies: Annotated[
        bool, typer.Option("--policies", help="Compare every playout policy with uniform playouts.")
    ] = False,
    policies: Annotated[
        list[str] | None,
        typer.Option("--policy", help=f"The same for one policy: a name, {FROM_FILE}; may be repeated."),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure playouts per second, and check their signatures."""
    from foogo.benchmark.timing import check_effort
    from foogo.cli.gpu_bench import bench_gpus
    from foogo.cli.search_bench import bench_search
    from foogo.core.cpu import MAX_WORKERS, usable_cores
    from foogo.errors import ArgumentError
    from foogo.game.geometry import check_size
    from foogo.playout.policies import POLICIES, STRONGEST, policy_of
    from foogo.search.parameters import MAX_THREADS

    sizes = [check_size(size) for size in sizes or SIZES]
    if search and (backend != "auto" or not suicide):
        raise ArgumentError("--backend and --no-suicide are for the playouts: leave them out with --search")
    named = [chosen_policy(text) for text in policies or []]
    chosen = list(dict.fromkeys([*(POLICIES if all_policies else ()), *named])) or [STRONGEST if search else "uniform"]
    for name in chosen:
        policy_of(name)
    if backend == "cuda":
        if threads:
            raise ArgumentError("--threads is for the processor: leave it out with --backend cuda, all GPUs play")
        check_effort(1, seconds)
        bench_gpus(sizes, seconds, suicide, chosen, as_json)
        return
    threads = threads or sorted({1, usable_cores()})
    for count in threads:
        check_effort(count, seconds, MAX_THREADS if search else MAX_WORKERS)
    if search:
        bench_search(sizes, threads, seconds, chosen, as_json)
        return
    detailed = all_policies or bool(policies) or backend != "auto"
    _bench_playouts(_Task(sizes, threads, seconds, suicide, backend, chosen, named, detailed), as_json)


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


def _bench_playouts(task: _Task, as_json: bool) -> None:
    """Measure every size, policy and number of threads; the rows are printed as they are measured."""
    from foogo.benchmark.environment import environment, peak_memory
    from foogo.benchmark.playouts import signature
    from foogo.errors import BackendError

    about = environment()
    table = None if as_json else _table(task, about)
    measurements: list[Measurement] = []
    signatures: list[Signature] = []
    interrupted = False
    try:
        for size in task.sizes:
            for policy in task.policies:
                try:
                    found = signature(size, suicide=task.suicide, backend=task.backend, policy=policy)
                except BackendError as error:
                    if policy in task.must_play or policy == "uniform":
                        raise
                    say(f"{size}x{size} {policy} is left out: {error}")
                    continue
                signatures.append(found)
                for count in task.threads:
                    if table is not None:
                        table.begin()
                    one = _measured(task, size, count, policy)
                    measurements.append(one)
                    if table is not None:
                        table.add(_detailed_row(one) if task.detailed else _row(one, found, count == task.threads[0]))
    except KeyboardInterrupt:
        interrupted = True
    if as_json:
        document: dict[str, Any] = {"command": "bench", "machine": about, "seconds": task.seconds}
        rows = {
            "measurements": [measurement.as_dict() for measurement in measurements],
            "signatures": [one.as_dict() for one in signatures],
        }
        print_json({**document, **rows, "peak_memory_bytes": peak_memory()})
    elif measurements:
        print(f"\n{_notes(task, measurements, signatures, peak_memory())}")
    finish(len(measurements), len(task.sizes) * len(task.policies) * len(task.threads), interrupted, signatures)


def _measured(task: _Task, size: int, threads: int, policy: str) -> Measurement:
    from foogo.benchmark.playouts import measure

    rules: dict[str, Any] = {"suicide": task.suicide, "backend": task.backend, "policy": policy}
    with progress_bar(f"{size}x{size} {policy}, threads: {threads}", "repeats") as progress:
        return measure(size, threads=threads, seconds=task.seconds, progress=progress, **rules)


def _table(task: _Task, about: dict[str, Any]) -> TableStream:
    versions = ", ".join(f"{name} {about[name]}" for name in ("python", "numpy", "numba"))
    title = [
        f"foogo {about['foogo']} on {about['cpu']}, cores: {about['cores']}",
        f"{versions}; {about['date']}",
        f"random games from the empty board, suicide {'allowed' if task.suicide else 'forbidden'}",
    ]
    board = max((f"{size}x{size}" for size in task.sizes), key=len)
    rate = max("99,999,999", f"{2_500_000 * max(task.threads):,}", key=len)
    if task.detailed:
        header = ["board", "policy", "threads", "playouts/s", "spread", "ns/move", "x uniform", "x scalar"]
        samples = [board, max(task.policies, key=len), "", rate, "", "", "", "100.00x"]
    else:
        header = ["board", "threads", "playouts/s", "spread", "x scalar", "moves", "signature"]
        samples = [board, "", rate, "", "100.00x", "999.99", "0123456789abcdef ok"]
    return TableStream("\n".join(title), header, samples)


def _row(one: Measurement, found: Signature, is_first: bool) -> list[str]:
    """The row of the short table; a signature is shown once."""
    return [
        f"{one.size}x{one.size}",
        str(one.threads),
        f"{one.rate:,.0f}",
        f"±{percent(one.spread, 0)}",
        _times(one.over_scalar_board),
        f"{one.playouts.mean_moves:.2f}",
        f"{found.value} {found.verdict}" if is_first else "",
    ]


def _detailed_row(one: Measurement) -> list[str]:
    return [
        f"{one.size}x{one.size}",
        one.policy,
        str(one.threads),
        f"{one.rate:,.0f}",
        f"±{percent(one.spread, 0)}",
        f"{one.ns_per_move:.2f}",
        _times(one.over_uniform),
        _times(one.over_scalar_board),
    ]


def _times(ratio: float | None) -> str:
    return f"{ratio:.2f}x" if ratio else "-"


def _notes(task: _Task, measurements: Sequence[Measurement], signatures: Sequence[Signature], peak: int | None) -> str:
    score = {f"{one.size}x{one.size}{f' {one.policy}' * task.detailed}": one.mean_score for one in measurements}
    scores = prose(f"Mean score of a game: {', '.join(f'{name} {mean.plus_minus()}' for name, mean in score.items())}.")
    if not task.detailed:
        unknown = any(one.expected is None for one in signatures)
        return (
            f"{scores}\n"
            "x scalar: over foogo's own scalar board, in the same run. moves: of a game.\n"
            "signature: a hash of the games; ok: the same as on every other machine.\n"
            f"{NO_RECORD if unknown else ''}"
            "--policies, --search and --backend measure more: see foogo bench --help."
        )
    described = {one.size: one.description for one in measurements}
    lines = [
        *(f"{size}x{size}: {description}" for size, description in described.items()),
        "ns/move: on one thread. x uniform, x scalar: over uniform playouts and over",
        "foogo's own scalar board, in the same run.",
        prose(f"Signatures: {'; '.join(map(str, signatures))}."),
        scores,
    ]
    if peak is not None:
        lines.append(f"Peak memory of this process: {peak / 1e6:,.0f} MB.")
    return "\n".join(lines)
