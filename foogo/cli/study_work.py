"""What the commands of `foogo study` do: open a store, play games, print runs. Each command imports it when it runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import typer

from foogo.cli.console import INTERRUPTED, folded_table, print_json, progress_bar, prose, say
from foogo.cli.estimates import SHARES_BELOW, estimates_table, komi_note
from foogo.cli.number_board import print_board_of_numbers
from foogo.errors import ArgumentError, FoogoError
from foogo.game.board import Board
from foogo.game.geometry import BLACK, WHITE
from foogo.playout.backends import GPU
from foogo.study import strengths
from foogo.study.config import LABEL, Config, komis_to_report
from foogo.study.run.komi_search import find_even_komi
from foogo.study.run.runner import Progress, run_study
from foogo.study.run.workers import LOCAL, Cluster, Workers, own_workers
from foogo.study.store.runs import Run
from foogo.study.store.store import Store
from foogo.study.summary import RunSummary, summaries, whole_board_note


@contextmanager
def open_study(
    path: Path, komis: list[float] | None, *, create: bool = False
) -> Iterator[tuple[Store, tuple[float, ...]]]:
    """A store, and the komis to report, which are validated first."""
    shown = komis_to_report(komis)
    with Store(path, create=create) as store:
        yield store, shown


def config_of(path: Path, to_play: str | None, ko: str | None, options: dict[str, Any]) -> Config:
    """The configuration that starts from the diagram in a file, by default with Black to play."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors of Windows may begin with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise ArgumentError(f"cannot read the position '{path}': {getattr(error, 'strerror', None) or error}") from None
    colors = {None: BLACK, "black": BLACK, "white": WHITE}
    if to_play not in colors:
        raise ArgumentError(f"--to-play is {to_play!r}: it must be black or white")
    return Config.of_board(Board.from_diagram(text, colors[to_play], ko), **options)


def choose_workers(threads: int | None, cluster: str | None, workers: int | None, backend: str) -> Workers:
    """The workers that the options name."""
    if backend != "auto":
        for value, option in ((threads, "--threads"), (cluster, "--cluster"), (workers, "--workers")):
            refuse_both(value, option, f"--backend {backend}")
    if cluster is None:
        if workers is not None:
            raise ArgumentError("--workers is for --cluster local: use --threads for threads of this process")
        return own_workers(backend, threads)
    refuse_both(threads, "--threads", "--cluster")
    if workers is not None and cluster != LOCAL:
        raise ArgumentError("--workers is for --cluster local: the cluster at an address has the workers it has")
    return Cluster(cluster, workers, say)


def refuse_what_workers_cannot_play(configs: Sequence[Config], cluster: str | None, backend: str) -> None:
    """Raise ArgumentError for players that GPUs, or the workers of a cluster, cannot play."""
    for one in configs:
        if backend == GPU and one.simulations:
            raise ArgumentError(f"--backend cuda plays no games of {one.policy}: leave it out for them")
        if cluster is not None and LABEL.fullmatch(one.policy):
            raise ArgumentError(
                f"--cluster plays no games of {one.policy}: its workers do not load the policy's file; "
                "foogo study run --policy FILE.py:NAME plays them on threads"
            )


def check_signature(store: Store, run: Run, *, others: bool) -> None:
    """`Store.check_signature`; if there are other runs, the error says how to choose one."""
    try:
        store.check_signature(run)
    except FoogoError as error:
        if not others:
            raise
        raise type(error)(f"{error}; --run N resumes another run") from None


def refuse_both(value: object, option: str, other: str) -> None:
    """Raise ArgumentError if an option has a value that excludes the other option."""
    if value is not None:
        raise ArgumentError(f"{option} and {other} cannot both be given: leave one out")


def play(store: Store, runs: list[Run], workers: Workers) -> bool:
    """Play the missing games of runs; returns whether Ctrl-C stopped it."""
    try:
        for run in runs:
            unit = "playouts" if not run.config.simulations else "games"
            with progress_bar(f"{run.config.size}x{run.config.size} {run.config.policy}", unit) as progress:
                run_study(store, run, workers=workers, progress=progress)
    except KeyboardInterrupt:
        return True
    return False


def find_even_komis(store: Store, configs: list[Config], n: int, workers: Workers) -> bool:
    """Find the even komi of each search; returns whether Ctrl-C stopped it."""
    for config in configs:
        with ExitStack() as bars:

            def begun(run: Run, bars: ExitStack = bars) -> Progress | None:
                bars.close()
                label = f"{run.config.size}x{run.config.size} {run.config.policy} komi {run.config.komi:g}"
                return bars.enter_context(progress_bar(label, "games"))

            try:
                find_even_komi(store, config, n, workers=workers, begun=begun)
            except KeyboardInterrupt:
                return True
    return False


def end(stopped: bool) -> None:
    """Exit with a message if Ctrl-C has stopped the games."""
    if stopped:
        say("interrupted; finished games are kept: the same command continues")
        raise typer.Exit(INTERRUPTED)


def print_runs(
    store: Store, numbers: Sequence[int] | None, komis: tuple[float, ...], as_json: bool, command: str
) -> None:
    """Print runs (by default every run in the store) as text or as one JSON document of a command."""
    found = summaries(store, numbers)
    lines = strengths.by_strength(found)
    komi = strengths.share_komi(komis)
    if as_json:
        by_policy = strengths.strengths_as_dicts(lines, komi)
        runs = [one.as_dict(komis) for one in found]
        print_json({"command": command, "store": str(store.path), "runs": runs, "strengths": by_policy})
        return
    for i, one in enumerate(found):
        if i:
            print()
        _print_run(one, komis, store.missing(one.run))
    tables = [[totals for _, _, totals in one.rows()] for one in found]
    for suicide, rule in ((True, "allowed"), (False, "forbidden")):
        sizes = strengths.by_size(found, suicide)
        if len(sizes) > 1:
            print(f"\nrandom play by board size, suicide {rule}")
            rows = [([f"{size}x{size}", f"{totals.n:,}"], totals) for size, totals in sizes.items()]
            print(estimates_table(["board", "games"], rows, komis))
            tables.append(list(sizes.values()))
    if lines:
        print("\nstrength of play; fair komi of a search: where its win share crosses 1/2")
        header, cells = strengths.table_of_strengths(lines, komi)
        print(folded_table(header, cells, keep=2, fold=header.index("mean score")))
    if note := komi_note(tables, komis):
        print(f"\n{note}")
    if not found:
        print("the store has no runs")


def _print_run(one: RunSummary, komis: tuple[float, ...], missing: int) -> None:
    more = f"; {missing:,} requested games are missing" if missing else ""
    print(prose(f"run {one.run.id}: {one.config.describe()}"))
    print(prose(f"{one.games:,} games{more}; scores and komis in points, 95 % intervals"))
    rows = [([name, str(len(points) or ""), f"{totals.n:,}"], totals) for name, points, totals in one.rows()]
    if not rows:
        return
    print(SHARES_BELOW)
    if note := whole_board_note((name, totals) for name, _, totals in one.rows()):
        print(note)
    if one.openings:
        print()
        print_board_of_numbers(one.mean_scores())
    print()
    print(estimates_table(["move", "points", "games"], rows, komis))
    if one.differences:
        print(prose(one.verdict(komis[0])))
