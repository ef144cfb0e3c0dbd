"""`foogo study`: first-move studies in a store, which can be resumed, distributed, merged, exported and drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import JsonOption, folded_table, interruptible, print_json, say
from foogo.cli.policy_option import FROM_FILE, chosen_policy
from foogo.errors import ArgumentError
from foogo.game.notation import number_text

if TYPE_CHECKING:
    from foogo.study.config import Config

STORE = Path("study.sqlite")
PLAYOUTS = 100_000

study = typer.Typer(
    help="First-move studies in a file: resume them, distribute them over machines, merge, export and draw them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

StoreOption = Annotated[Path, typer.Option("--store", help="The file that keeps the study.")]
RunOption = Annotated[list[int] | None, typer.Option("--run", help="A run's number; may be repeated. [default: all]")]
KomiOption = Annotated[
    list[float] | None, typer.Option("--komi", help="Report Black's win share at this komi; may be repeated.")
]
ThreadsOption = Annotated[int | None, typer.Option(help="Threads of this process. [default: all cores]")]
ClusterOption = Annotated[
    str | None, typer.Option(help="Play on a dask cluster: its scheduler's address, or local to start one here.")
]
WorkersOption = Annotated[int | None, typer.Option(help="Processes of --cluster local. [default: one per core]")]
BackendOption = Annotated[str, typer.Option(help="auto for threads of the processor, or cuda for GPUs.")]


@study.command("run")
@interruptible
def run_command(
    sizes: Annotated[
        list[int] | None, typer.Option("--size", help="Points on a side; may be repeated. [default: 9]")
    ] = None,
    playouts: Annotated[
        int | None, typer.Option("--playouts", "-n", help=f"Games per start. [default: {PLAYOUTS}]")
    ] = None,
    first: Annotated[int, typer.Option(help="The number of the first game, to share a run among machines.")] = 0,
    until_se: Annotated[
        float | None, typer.Option(help="Play until each start's mean score has this standard error, in points.")
    ] = None,
    openings: Annotated[
        str, typer.Option(help="First moves to fix: none, classes (one per class of symmetric points) or all.")
    ] = "none",
    by_point: Annotated[bool, typer.Option("--by-point", help="The same as --openings classes.")] = False,
    policies: Annotated[
        list[str] | None,
        typer.Option(
            "--policy",
            help=f"uniform, knowledge, patterns, search:N, {FROM_FILE}; may be repeated. [default: uniform]",
        ),
    ] = None,
    play_komis: Annotated[
        list[float] | None, typer.Option("--play-komi", help="The komi of search:N; may be repeated. [default: 7]")
    ] = None,
    find_fair: Annotated[
        bool, typer.Option("--fair-komi", help="Play search:N at one komi after another to enclose the fair komi.")
    ] = False,
    position: Annotated[Path | None, typer.Option(help="A file with the start position as a diagram.")] = None,
    to_play: Annotated[str | None, typer.Option(help="Who moves first in --position. [default: black]")] = None,
    ko: Annotated[str | None, typer.Option(help="The point that ko forbids in --position.")] = None,
    suicide: Annotated[bool, typer.Option(help="Allow suicide of two or more stones.")] = True,
    seed: Annotated[int, typer.Option(help="Seed of the run.")] = 0,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    komis: KomiOption = None,
    store: StoreOption = STORE,
    as_json: JsonOption = False,
) -> None:
    """Start or extend runs, and play the missing games."""
    from foogo.cli import study_work as work
    from foogo.study.config import Config
    from foogo.study.store.runs import check_asked

    if find_fair:
        _refuse_with_fair_komi(first, until_se, by_point or openings != "none", play_komis)
    if position is None:
        _refuse_without_position(to_play, ko)
    configs: list[Config] = []
    for policy in map(chosen_policy, policies or ["uniform"]):
        options: dict[str, Any] = {"suicide": suicide, "policy": policy, "seed": seed}
        playing: list[float | None] = [*play_komis] if play_komis and policy.startswith("search:") else [None]
        for komi in playing:
            if position is not None:
                work.refuse_both(sizes, "--size", "--position")
                configs.append(work.config_of(position, to_play, ko, options | {"komi": komi}))
            else:
                configs += [Config(size, **options, komi=komi) for size in dict.fromkeys(sizes or [9])]
    if first and until_se is not None and playouts is None:
        raise ArgumentError("--first is for --playouts: --until-se plays the games from number 0 on")
    n = playouts if playouts is not None else 0 if until_se is not None else PLAYOUTS
    asked = "classes" if by_point and openings == "none" else openings
    if playouts is not None and playouts < 1:
        raise ArgumentError(f"playouts is {playouts!r}: it must be a whole number from 1 to 2**40")
    check_asked(n, first, asked, until_se)
    if find_fair and not any(one.simulations for one in configs):
        raise ArgumentError("--fair-komi is for --policy search:N: other players ignore komi, and any run yields it")
    if play_komis and not any(one.simulations for one in configs):
        raise ArgumentError("--play-komi is for --policy search:N: other players ignore komi")
    work.refuse_what_workers_cannot_play(configs, cluster, backend)
    pool = work.choose_workers(threads, cluster, workers, backend)
    with pool, work.open_study(store, komis, create=True) as (file, shown):
        searches = [one for one in configs if find_fair and one.simulations]
        others = [one for one in configs if one not in searches]
        runs = [file.ask(one, n=n, first=first, openings=asked, until_se=until_se) for one in others]
        stopped = work.play(file, runs, pool) or work.find_even_komis(file, searches, n, pool)
        played = {run.id for run in runs} | {
            run.id for run in file.runs() for one in searches if run.config.equal_but_komi(one)
        }
        if played:  # for an empty list `print_runs` prints every run
            work.print_runs(file, sorted(played), shown, as_json, "study run")
    work.end(stopped)


@study.command("resume")
@interruptible
def resume_command(
    numbers: RunOption = None,
    threads: ThreadsOption = None,
    cluster: ClusterOption = None,
    workers: WorkersOption = None,
    backend: BackendOption = "auto",
    komis: KomiOption = None,
    store: StoreOption = STORE,
    as_json: JsonOption = False,
) -> None:
    """Play the missing games after a run was stopped or stores were merged."""
    from foogo.cli import study_work as work
    from foogo.study.run.runner import is_finished

    with (
        work.open_study(store, komis) as (file, shown),
        work.choose_workers(threads, cluster, workers, backend) as pool,
    ):
        runs = [file.run(number) for number in dict.fromkeys(numbers)] if numbers else file.runs()
        unfinished = [run for run in runs if not is_finished(file, run)]
        work.refuse_what_workers_cannot_play([run.config for run in unfinished], cluster, backend)
        for run in unfinished:
            work.check_signature(file, run, others=len(unfinished) > 1)
        stopped = work.play(file, unfinished, pool)
        work.print_runs(file, [run.id for run in runs], shown, as_json, "study resume")
    work.end(stopped)


@study.command("show")
@interruptible
def show_command(
    numbers: RunOption = None, komis: KomiOption = None, store: StoreOption = STORE, as_json: JsonOption = False
) -> None:
    """Print the estimates of runs."""
    from foogo.cli import study_work as work

    with work.open_study(store, komis) as (file, shown):
        work.print_runs(file, numbers, shown, as_json, "study show")


@study.command("list")
@interruptible
def list_command(store: StoreOption = STORE, as_json: JsonOption = False) -> None:
    """Print the runs of a store and their progress."""
    from foogo.study.store.store import Store
    from foogo.study.summary import summaries

    with Store(store) as file:
        found = summaries(file)
        missing = {one.run.id: file.missing(one.run) for one in found}
    if as_json:
        runs = [
            {"run": one.run.id, "config": one.config.as_dict(), "openings": one.run.openings, "games": one.games,
             "missing": missing[one.run.id], "signature": one.run.signature, "created": one.run.created}
            for one in found
        ]  # fmt: skip
        print_json({"command": "study list", "store": str(store), "runs": runs})
        return
    rows = [
        [str(one.run.id), *_places(one.config), one.run.openings, f"{one.games:,}", f"{missing[one.run.id]:,}"]
        for one in found
    ]
    header = ["run", "board", "players", "komi", "seed", "openings", "games", "missing"]
    print(folded_table(header, rows, fold=5) if rows else "the store has no runs")


@study.command("export")
@interruptible
def export_command(
    path: Annotated[Path, typer.Argument(help="A .csv, .json or .parquet file.", metavar="FILE")],
    table: Annotated[str, typer.Option(help="For CSV and Parquet: scores, estimates or strengths.")] = "scores",
    numbers: RunOption = None,
    komis: KomiOption = None,
    store: StoreOption = STORE,
) -> None:
    """Write the totals to a file that other programs read."""
    from foogo.cli.study_work import open_study
    from foogo.study.store.export import check_export_path, export
    from foogo.study.summary import summaries

    check_export_path(path)
    with open_study(store, komis) as (file, shown):
        if path.exists() and path.samefile(file.path):
            raise ArgumentError(f"'{path}' is the store itself: export to another file")
        export(summaries(file, numbers), path, table=table, komis=shown)
    say(f"wrote {path}")


@study.command("merge")
@interruptible
def merge_command(
    sources: Annotated[list[Path], typer.Argument(help="Stores to add, from other machines.", metavar="OTHER...")],
    store: StoreOption = STORE,
) -> None:
    """Add the games of other stores to a store, each game once."""
    from foogo.study.store.merge import merge
    from foogo.study.store.store import Store

    for source in sources:
        Store(source).close()
    with Store(store, create=True) as file:
        for source in sources:
            with Store(source) as other:
                done = merge(file, other)
            note = f"; {done.left:,} left out: foogo study resume plays them" if done.left else ""
            print(f"{source}: {done.added:,} games added, {done.known:,} were here already{note}")


@study.command("report")
@interruptible
def report_command(
    folder: Annotated[Path, typer.Argument(help="The folder to write to; created if necessary.", metavar="DIR")],
    numbers: RunOption = None,
    komis: KomiOption = None,
    store: StoreOption = STORE,
) -> None:
    """Write a self-contained page with figures, tables, configurations and commands."""
    from foogo.cli.study_work import open_study
    from foogo.study.report.page import write_report
    from foogo.study.summary import summaries

    with open_study(store, komis) as (file, shown):
        page = write_report(summaries(file, numbers), folder, komis=shown)
    say(f"wrote {page}")


def _places(config: Config) -> list[str]:
    """The board, the players, the komi and the seed of a run, in few words."""
    board = f"{config.size}x{config.size}{'' if config.suicide else ', no suicide'}"
    start = "" if config.is_empty else ", from a position"
    return [board + start, config.policy, "" if config.komi is None else number_text(config.komi), str(config.seed)]


def _refuse_without_position(to_play: str | None, ko: str | None) -> None:
    for value, option in ((to_play, "--to-play"), (ko, "--ko")):
        if value is not None:
            raise ArgumentError(f"{option} is for a start position: give its diagram with --position")


def _refuse_with_fair_komi(first: int, until_se: float | None, by_point: bool, play_komis: list[float] | None) -> None:
    for given, option in ((first, "--first"), (until_se is not None, "--until-se"), (by_point, "first moves to fix")):
        if given:
            raise ArgumentError(f"--fair-komi and {option} cannot both be given: it plays --playouts games per komi")
    if play_komis is not None and len(play_komis) > 1:
        raise ArgumentError(f"--fair-komi begins at one --play-komi and finds the others: {len(play_komis)} were given")
