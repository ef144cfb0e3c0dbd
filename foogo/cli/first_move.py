"""`foogo first-move`: Black's advantage from moving first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import INTERRUPTED, WIDTH, JsonOption, TableStream, print_json, progress_bar, prose, say
from foogo.cli.estimates import SHARES_BELOW, estimates_table, komi_note, shares_table
from foogo.cli.number_board import print_board_of_numbers
from foogo.cli.policy_option import FROM_FILE, chosen_policy

if TYPE_CHECKING:
    from foogo.study.config import Config
    from foogo.study.first_move import FirstMove


SIZES = [9, 13, 19]
PLAYOUTS = 500_000
PLAYOUTS_BY_POINT = 20_000


def first_move(
    sizes: Annotated[
        list[int] | None, typer.Option("--size", help="Points on a side; may be repeated. [default: 9 13 19]")
    ] = None,
    playouts: Annotated[
        int | None,
        typer.Option(
            "--playouts",
            "-n",
            help=f"Playouts per start. [default: {PLAYOUTS}, or {PLAYOUTS_BY_POINT} with --by-point]",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    threads: Annotated[
        int | None, typer.Option(help="Threads; the result does not depend on it. [default: all cores]")
    ] = None,
    komis: Annotated[
        list[float] | None, typer.Option("--komi", help="Report Black's win share at this komi; may be repeated.")
    ] = None,
    by_point: Annotated[bool, typer.Option("--by-point", help="Play out each first move as well.")] = False,
    suicide: Annotated[bool, typer.Option(help="Allow suicide of two or more stones.")] = True,
    policy: Annotated[
        str, typer.Option(help=f"How both sides play: uniform, knowledge, patterns, {FROM_FILE}.")
    ] = "uniform",
    backend: Annotated[str, typer.Option(help="auto, simd, scalar, strings or cuda.")] = "auto",
    plot: Annotated[
        Path | None, typer.Option(help="Draw the openings as a heat map: a .png, .svg or .pdf file.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep the totals in this study store, and play only the missing games.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Black's advantage from moving first when both sides play at random, or by a playout policy."""
    from contextlib import ExitStack

    from foogo.errors import ArgumentError
    from foogo.game.geometry import check_size
    from foogo.study.config import komis_to_report
    from foogo.study.first_move import StudyInterrupted, checked
    from foogo.study.first_move import first_move as study
    from foogo.study.run.workers import own_workers
    from foogo.study.store.store import Store

    sizes = [check_size(size) for size in dict.fromkeys(sizes or SIZES)]
    if backend == "cuda" and threads is not None:
        raise ArgumentError("--threads is for the processor: leave it out with --backend cuda, all GPUs play")
    plots, policy = _plot_paths(plot, sizes), chosen_policy(policy)
    by_point = by_point or plot is not None
    n = playouts if playouts is not None else PLAYOUTS_BY_POINT if by_point else PLAYOUTS
    asked = komis_to_report(komis)
    options: dict[str, Any] = {"seed": seed, "threads": threads, "suicide": suicide, "backend": backend}
    if store is not None:  # a wrong option must not leave an empty store behind
        for size in sizes:
            checked(size, n, seed, suicide, policy)
        own_workers(backend, threads).close()
    table = None if as_json else _Table(sizes, asked)
    results: list[FirstMove] = []
    interrupted = False
    with ExitStack() as closing:
        file = closing.enter_context(Store(store, create=True)) if store is not None else None
        for size in sizes:
            try:
                with progress_bar(f"{size}x{size}") as progress:
                    options |= {"by_point": by_point, "progress": progress, "store": file, "policy": policy}
                    results.append(study(size, n, **options))
            except StudyInterrupted as stop:
                results.append(stop.result)
                interrupted = True
            if table is not None:
                table.add(results[-1])
            if interrupted:
                break
    if as_json:
        print_json({"command": "first-move", "studies": [result.as_dict(asked) for result in results]})
    else:
        _report_rest(results, asked)
    if interrupted:
        last = results[-1]
        total = n * len(last.summary.config.starts("classes" if by_point else "none"))
        wanted = f" of {total:,}" if store is None else ""  # a store may have more, of earlier commands
        say(f"interrupted: {last.summary.games:,}{wanted} playouts on {last.size}x{last.size}; the result is of these")
        raise typer.Exit(INTERRUPTED)
    for result in results:
        if path := plots.get(result.size):
            from foogo.study.report.heat_map import plot_first_move

            plot_first_move(result, path)
            say(f"wrote {path}")


def _plot_paths(plot: Path | None, sizes: Sequence[int]) -> dict[int, Path]:
    """The file for each size, every one checked to be writable; "-9x9" is inserted if there are several."""
    if plot is None:
        return {}
    from foogo.study.report.style import check_plot_path

    if len(set(sizes)) == 1 or not plot.name:
        return {sizes[0]: check_plot_path(plot)}
    return {size: check_plot_path(plot.with_stem(f"{plot.stem}-{size}x{size}")) for size in sizes}


class _Table:
    """The table of the boards, whose rows are printed as they are played; with the win shares if they fit."""

    def __init__(self, sizes: Sequence[int], komis: Sequence[float]) -> None:
        self._sizes, self._komis = sizes, komis if _have_room(komis) else ()
        self._stream: TableStream | None = None

    def add(self, result: FirstMove) -> None:
        """Print the row of a board that has games."""
        from foogo.study.summary import estimate_cells, estimate_columns

        whole = result.summary.whole
        if self._stream is None:
            header = ["board", "playouts", *estimate_columns(self._komis)]
            board = max((f"{size}x{size}" for size in self._sizes), key=len)
            cells = estimate_cells(whole, ()) if whole.n else LONGEST
            longest = [max(pair, key=len) for pair in zip(LONGEST, cells, strict=True)]
            samples = [board, f"{whole.n:,}", *longest, *["100.00 %"] * len(self._komis)]
            self._stream = TableStream(_title(result.summary.config, self._komis), header, samples)
            self._stream.begin()
        if whole.n:
            self._stream.add([f"{result.size}x{result.size}", f"{whole.n:,}", *estimate_cells(whole, self._komis)])


LONGEST = ["-0.640 ±0.095", "-0.640 [-1.170, 0.895]"]
"""A mean score and a fair komi that are as long as usual ones get."""


def _have_room(komis: Sequence[float]) -> bool:
    """Whether the win shares fit beside the scores, whatever the scores are."""
    return sum(map(len, ["19x19", "100,000,000", *LONGEST])) + 6 + 10 * len(komis) <= WIDTH


def _title(config: Config, komis: Sequence[float]) -> str:
    from foogo.playout.policies import UNIFORM

    suicide = "allowed" if config.suicide else "forbidden"
    players = "at random" if config.policy == UNIFORM else f"by the policy {config.policy}"
    lines = [
        prose(f"Black's advantage from moving first, both sides playing {players}"),
        f"suicide {suicide}, seed {config.seed}; scores and komis in points, intervals 95 %",
    ]
    return "\n".join([*lines, SHARES_BELOW] if komis else lines)


def _report_rest(results: Sequence[FirstMove], komis: Sequence[float]) -> None:
    """Print what follows the table of the boards: win shares that did not fit there, notes, and the first moves."""
    from foogo.study.summary import whole_board_note

    played = [(result.size, result.summary.whole) for result in results if result.summary.whole.n]
    if played and not _have_room(komis):
        rows = [(f"{size}x{size}", whole) for size, whole in played]
        print(f"\n{SHARES_BELOW}\n\n{shares_table('board', rows, komis)}")
    if note := whole_board_note((f"{size}x{size}", whole) for size, whole in played):
        print(f"\n{note}")
    for result in results:
        if result.summary.openings:
            print()
            _report_openings(result, komis)
    tables = [[whole for _, whole in played], *(list(result.summary.openings.values()) for result in results)]
    if note := komi_note(tables, komis):
        print(f"\n{note}")


def _report_openings(result: FirstMove, komis: Sequence[float]) -> None:
    """Print the mean scores on a board, then a table of the openings, best first."""
    from foogo.stats.estimates import mean_score
    from foogo.study.summary import whole_board_note

    ranked = sorted(result.summary.opening_rows(), key=lambda row: -mean_score(row[2].scores).value)
    counts = sorted({totals.n for _, _, totals in ranked})
    games = " to ".join(f"{count:,}" for count in dict.fromkeys((counts[0], counts[-1])))
    print(f"{result.size}x{result.size}: Black's mean score by first move, {games} playouts each,")
    print("symmetric points pooled")
    print()
    print_board_of_numbers(result.mean_scores())
    print()
    rows = [([vertex, str(len(points))], totals) for vertex, points, totals in ranked]
    print(estimates_table(["move", "points"], rows, komis))
    if note := whole_board_note((vertex, totals) for vertex, _, totals in ranked):
        print(f"\n{note}")
