"""`foogo match`: games between two GTP engines, and their Elo difference."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import INTERRUPTED, JsonOption, print_json, prose, say, text_table
from foogo.game.notation import counted, number_text
from foogo.game.rules import PRESET_CHOICES

if TYPE_CHECKING:
    from foogo.game.clock import TimeSettings
    from foogo.match.config import MatchConfig
    from foogo.match.results_file import GameResult
    from foogo.match.summary import Summary
    from foogo.stats.elo import Sprt

FOLDER = Path("match")  # the default folder
TIME_HELP = "Each player's time: seconds in total, or absolute, canadian, byoyomi or fischer with its numbers."


def match(
    a: Annotated[str, typer.Argument(help="The first engine: a GTP command line, quoted as one word.", metavar="A")],
    b: Annotated[str, typer.Argument(help="The second engine.", metavar="B")],
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games, including those in the folder.")] = 100,
    sizes: Annotated[list[int] | None, typer.Option("--size", help="Board size; may be repeated. [default: 9]")] = None,
    komi: Annotated[float, typer.Option(help="Points that White gets.")] = 7.0,
    rules: Annotated[str, typer.Option(help=f"{PRESET_CHOICES}.")] = "tromp-taylor",
    time: Annotated[str, typer.Option(help=TIME_HELP)] = "none",
    lag: Annotated[float, typer.Option(help="Seconds by which a move may be late.")] = 0.5,
    patience: Annotated[float, typer.Option(help="Seconds to wait for an answer that no clock limits.")] = 120.0,
    scoring: Annotated[
        str, typer.Option(help="How to score after two passes: agreement, playout or area.")
    ] = "agreement",
    opening: Annotated[int, typer.Option(help="Number of random opening moves, chosen to be balanced.")] = 4,
    seed: Annotated[int, typer.Option(help="Seed of the openings.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Restart the engines for every game.")] = False,
    jobs: Annotated[int, typer.Option("--jobs", "-j", help="Games played at a time.")] = 1,
    folder: Annotated[Path, typer.Option(help="Folder of the match; a match in it is continued.")] = FOLDER,
    transcripts: Annotated[
        bool, typer.Option("--transcripts", help="Keep the transcripts of all games, not only of failed ones.")
    ] = False,
    sprt: Annotated[
        str | None, typer.Option(help="Stop once a test decides whether A is ELO0 or ELO1 better.", metavar="ELO0,ELO1")
    ] = None,
    alpha: Annotated[
        float | None, typer.Option(help="Risk of wrongly accepting ELO1, for --sprt. [default: 0.05]")
    ] = None,
    beta: Annotated[
        float | None, typer.Option(help="Risk of wrongly accepting ELO0, for --sprt. [default: 0.05]")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Play a match between two GTP engines, with foogo as the referee."""
    from foogo.match.config import MatchConfig
    from foogo.match.tournament import Match

    config = MatchConfig(
        a, b, sizes=tuple(sizes or [9]), komi=komi, rules=rules, time=_time(time), lag=lag, patience=patience,
        scoring=scoring, opening=opening, seed=seed, fresh=fresh,
    )  # fmt: skip
    test = _sprt(sprt, alpha, beta)
    played = Match(config, folder, games=games, jobs=jobs, sprt=test, keep_transcripts=transcripts)
    _compile_for(config)
    stopped = False
    try:
        with _progress(games, played.summary) as on_game:
            played.run(on_game)
    except KeyboardInterrupt:
        stopped = True
    summary = played.summary
    if as_json:
        print_json({"command": "match", "config": config.as_dict(), "folder": str(folder), **summary.as_dict()})
    else:
        print(report(config, summary, folder))
    if stopped:
        say(f"interrupted: {len(summary.games)} of {games} games are kept; the same command continues the match")
        raise typer.Exit(INTERRUPTED)


def _compile_for(config: MatchConfig) -> None:
    """Compile what foogo's own engine needs with its default policy, so that no move is charged for it."""
    from foogo.playout.policies import STRONGEST
    from foogo.warmup import warm_search

    if any(Path(command[0]).stem == "foogo" for command in config.commands.values()):
        for size in config.sizes:
            warm_search(size, STRONGEST)


def report(config: MatchConfig, summary: Summary, folder: Path) -> str:
    """The report of a match as text."""
    sizes = ", ".join(f"{size}x{size}" for size in config.sizes)
    clock = "no clock" if config.time.system == "none" else f"time {config.time}"
    played = counted(len(summary.games), "game")
    lines = [
        *(f"{label}: {summary.names[label]}, {' '.join(config.commands[label])}" for label in summary.names),
        f"{played} on {sizes}, komi {number_text(config.komi)}, {config.rules}, {clock}; kept in {folder}",
        "",
        *summary.strength(),
    ]
    if summary.games:
        lines += ["", _tables(summary), "", *map(prose, _endings(summary))]
    return "\n".join(lines)


def _time(text: str) -> TimeSettings:
    from foogo.game.clock import TimeSettings

    try:
        float(text)
    except ValueError:
        return TimeSettings.parse(text)
    return TimeSettings.parse(["absolute", text])


def _sprt(text: str | None, alpha: float | None, beta: float | None) -> Sprt | None:
    from foogo.errors import ArgumentError
    from foogo.stats.elo import Sprt

    risks = {name: risk for name, risk in (("alpha", alpha), ("beta", beta)) if risk is not None}
    if text is None:
        if risks:
            raise ArgumentError(f"--{next(iter(risks))} is a risk of the test --sprt ELO0,ELO1: give that, too")
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ArgumentError(f"--sprt is {text!r}: write two Elo differences, such as 0,20") from None
    return Sprt(low, high, **risks)


@contextmanager
def _progress(games: int, before: Summary) -> Iterator[Callable[[GameResult, Summary], None]]:
    """A function to call after each game: it moves a bar on a terminal, and prints a line elsewhere.

    Games in which something went wrong get a line on a terminal, too.
    """
    if not sys.stderr.isatty():
        yield lambda result, summary: say(f"game {result.number + 1}: {_line(result)}; {_state(summary)}")
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("match"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[state]}"),
        TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("match", total=games, completed=len(before.games), state=_state(before))

        def tell(result: GameResult, summary: Summary) -> None:
            if result.transcript:
                bar.console.print(f"foogo: game {result.number + 1}: {_line(result)}", markup=False, highlight=False)
            bar.update(task, completed=len(summary.games), state=_state(summary))

        yield tell


def _line(result: GameResult) -> str:
    """A game in one line."""
    who = {"A": "A won", "B": "B won", "draw": "draw", None: "no result"}[result.winner]
    detail = f" ({result.detail})" if result.detail else ""
    color = "Black" if result.black == "A" else "White"
    return f"{who}, {result.result} by {result.reason}, A was {color}, {len(result.moves)} moves{detail}"


def _state(summary: Summary) -> str:
    wins, draws, losses = summary.counts
    ratio = f", LLR {summary.ratio:.2f}" if summary.sprt is not None else ""
    return f"A won {wins}, drew {draws}, lost {losses}{ratio}"


def _tables(summary: Summary) -> str:
    document = summary.as_dict()
    groups = {f"A as {color}": counts for color, counts in document["colors"].items()}
    if len(document["sizes"]) > 1:
        groups |= {f"on {size}x{size}": counts for size, counts in document["sizes"].items()}
    rows = [[name, *(str(counts[key]) for key in ("wins", "draws", "losses"))] for name, counts in groups.items()]
    return text_table(["", "won", "drew", "lost"], rows)


def _endings(summary: Summary) -> list[str]:
    """How the games ended, and what went wrong."""
    document = summary.as_dict()
    reasons = sorted(document["reasons"].items(), key=lambda item: -item[1])
    lines = ["ended by " + ", ".join(f"{reason} {count}" for reason, count in reasons)]
    for label, counts in summary.forfeits.items():
        if counts:
            said = ", ".join(f"{reason} {count}" for reason, count in counts.items())
            lines.append(f"{label} forfeited: {said}; see transcripts/")
    if summary.void:
        have, do = ("1 game has", "does") if summary.void == 1 else (f"{summary.void} games have", "do")
        lines.append(f"{have} no result and {do} not count")
    scores = document["disagreements"]
    if scores["scored"]:
        lines.append(
            f"final scores: the engines differ in {scores['engines']} of {scores['scored']} games, "
            f"one of them and the area count in {scores['referee']}"
        )
    if summary.repeated:
        repeated = "1 game repeats another" if summary.repeated == 1 else f"{summary.repeated} games repeat others"
        lines.append(
            f"{repeated} move for move: the interval assumes that games are independent; "
            "more opening moves would make them differ"
        )
    slowest = document["longest"]
    lines.append("slowest move: " + ", ".join(f"{label} {seconds:.2f} s" for label, seconds in slowest.items()))
    return lines
