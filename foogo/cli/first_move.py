"""`foogo first-move`: Black's advantage from moving first."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import INTERRUPTED, print_json, progress_bar, say, text_table
from foogo.cli.policy_option import FROM_FILE, policy_name

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

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
        str, typer.Option(help=f"How both sides play: random, knowledge, patterns, {FROM_FILE}.")
    ] = "random",
    backend: Annotated[str, typer.Option(help="auto, simd, scalar, strings or cuda.")] = "auto",
    plot: Annotated[
        Path | None, typer.Option(help="Draw the openings as a heat map: a .png, .svg or .pdf file.")
    ] = None,
    store: Annotated[
        Path | None, typer.Option(help="Keep the totals in this study store, and play only the missing games.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Black's advantage from moving first when both sides play at random, or by a playout policy."""
    from contextlib import ExitStack

    from foogo.game.geometry import check_size
    from foogo.study.config import komis_to_report
    from foogo.study.first_move import StudyInterrupted
    from foogo.study.first_move import first_move as study
    from foogo.study.store.store import Store

    sizes = [check_size(size) for size in sizes or SIZES]
    plots, policy = _plot_paths(plot, sizes), policy_name(policy)
    by_point = by_point or plot is not None
    n = playouts if playouts is not None else PLAYOUTS_BY_POINT if by_point else PLAYOUTS
    asked = komis_to_report(komis)
    options: dict[str, Any] = {"seed": seed, "threads": threads, "suicide": suicide, "backend": backend}
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
                break
    _report(results, asked, as_json)
    if interrupted:
        last = results[-1]
        done, total = last.summary.games, n * len(last.summary.config.starts("classes" if by_point else "none"))
        say(f"interrupted: {done:,} of {total:,} playouts on {last.size}x{last.size}; the result is of these")
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

    if len(set(sizes)) == 1:
        return {sizes[0]: check_plot_path(plot)}
    return {size: check_plot_path(plot.with_stem(f"{plot.stem}-{size}x{size}")) for size in sizes}


def _report(results: Sequence[FirstMove], komis: Sequence[float], as_json: bool) -> None:
    from foogo.study.config import RANDOM
    from foogo.study.summary import estimate_cells, estimate_columns

    if as_json:
        print_json({"command": "first-move", "studies": [result.as_dict(komis) for result in results]})
        return
    config = results[0].summary.config
    suicide, policy = "allowed" if config.suicide else "forbidden", config.policy
    players = "both sides playing at random" if policy == RANDOM else f"both sides playing by the policy {policy}"
    print(f"Black's advantage from moving first, {players}")
    print(f"suicide {suicide}, seed {config.seed}; scores and komis in points, intervals 95 %;")
    print("komi 5.5 and so on: Black's win share there, ties half")
    print()
    played = [(result.size, result.summary.whole) for result in results if result.summary.whole.n]
    rows = [[f"{n}x{n}", f"{whole.n:,}", *estimate_cells(whole, komis)] for n, whole in played]
    print(text_table(["board", "playouts", *estimate_columns(komis)], rows))
    for result in results:
        if result.summary.openings:
            print()
            _report_openings(result, komis)


def _report_openings(result: FirstMove, komis: Sequence[float]) -> None:
    """Print the mean scores on a board, then a table of the openings, best first."""
    from foogo.stats.estimates import mean_score
    from foogo.study.summary import estimate_cells, estimate_columns

    print(f"{result.size}x{result.size}: Black's mean score by first move, symmetric points pooled")
    print()
    print(board_of_numbers(result.mean_scores()))
    print()
    ranked = sorted(result.summary.opening_rows(), key=lambda row: -mean_score(row[2].scores).value)
    rows = [
        [vertex, str(len(points)), f"{totals.n:,}", *estimate_cells(totals, komis)] for vertex, points, totals in ranked
    ]
    print(text_table(["first move", "points", "playouts", *estimate_columns(komis)], rows))


def board_of_numbers(values: NDArray[np.float64]) -> str:
    """A board with a number on each point, one decimal, and coordinates around it.

    Row 0 is at the bottom; NaN is drawn as a dot.

    Examples
    --------
    >>> import numpy as np
    >>> print(board_of_numbers(np.array([[1.0, -2.5], [np.nan, 10.0]])))
          A    B
     2    .   10.0  2
     1   1.0  -2.5  1
          A    B
    """
    from foogo.game.geometry import geometry

    letters = geometry(len(values)).letters
    texts = [["." if value != value else f"{value:.1f}" for value in row] for row in values.tolist()]
    width = max(len(text) for row in texts for text in row) + 1
    names = "   " + "".join(letter.rjust(width) for letter in letters)
    lines = [
        f"{row + 1:>2} " + "".join(text.rjust(width) for text in texts[row]) + f"  {row + 1}"
        for row in reversed(range(len(texts)))
    ]
    return "\n".join([names, *lines, names])
