"""`foogo analyze`: analyze a game move by move."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import INTERRUPTED, JsonOption, file_errors, print_json, progress_bar, say, text_table
from foogo.cli.policy_option import FROM_FILE, chosen_policy
from foogo.game.notation import number_text
from foogo.playout.policies import POLICY_CHOICES, STRONGEST

if TYPE_CHECKING:
    from foogo.analysis import Analysis
    from foogo.game.game import Game

SIMULATIONS = 10_000
"""Simulations per position if no limit is given."""


LEGEND = (
    "black %, points: Black's win share and lead after the move, komi included",
    "loss: the win share in % that the move cost its player; best: the search's move",
)


def analyze(
    path: Annotated[Path, typer.Argument(help="An SGF file; its main line is analyzed.", metavar="FILE")],
    simulations: Annotated[
        int | None, typer.Option(help=f"Simulations per position. [default: {SIMULATIONS} without --seconds]")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds per position.")] = None,
    threads: Annotated[int, typer.Option(help="Search threads.")] = 1,
    policy: Annotated[str, typer.Option(help=f"Playout policy: {POLICY_CHOICES}, {FROM_FILE}.")] = STRONGEST,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 0,
    komi: Annotated[float | None, typer.Option(help="Komi. [default: the file's]")] = None,
    rules: Annotated[str | None, typer.Option(help="Rules. [default: the file's, if known]")] = None,
    swings: Annotated[int, typer.Option(help="Number of largest swings to mark.")] = 5,
    sgf: Annotated[
        Path | None, typer.Option(help="Write the game with comments and better variations to this file.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(help="Plot the win share and the lead to this .png, .svg or .pdf file.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Search every position of a game: who was ahead, and which moves changed that."""
    from foogo.analysis import analyze_game
    from foogo.analysis.annotated_sgf import annotated_sgf
    from foogo.analysis.graph import win_share_graph
    from foogo.arguments import probe_file, replace_file, whole
    from foogo.game.sgf import player_names, read_game
    from foogo.study.report.style import check_plot_path, save

    whole("swings", swings, 0, 1000)
    with file_errors("read", path):
        data = path.read_bytes()
    game, names = read_game(data, rules=rules), player_names(data)
    if komi is not None:
        game.komi = komi
    if plot is not None:
        check_plot_path(plot)
    if sgf is not None:
        with file_errors("write", sgf):
            probe_file(sgf)
    limit = SIMULATIONS if simulations is None and seconds is None else simulations
    with progress_bar("analyze", "positions") as progress:
        analysis = analyze_game(
            game,
            simulations=limit,
            seconds=seconds,
            threads=threads,
            seed=seed,
            policy=chosen_policy(policy),
            progress=progress,
        )
    if as_json:
        document = {"command": "analyze", "file": str(path), "black": names[0], "white": names[1]}
        print_json({**document, **analysis.as_dict(swings)})
    elif analysis.positions:
        print(report(game, analysis, names, swings))
    if not analysis.is_complete:
        done, wanted = len(analysis.positions), len(game.turns) + 1
        say(f"interrupted: {done} of {wanted} positions are analyzed; nothing is written")
        raise typer.Exit(INTERRUPTED)
    if sgf is not None:
        with file_errors("write", sgf):
            replace_file(sgf, annotated_sgf(data, analysis, swings=swings, rules=rules))
        say(f"wrote {sgf}")
    if plot is not None:
        title = " against ".join(_players(names)) if any(names) else ""
        save(win_share_graph(analysis, swings=swings, title=title), plot)
        say(f"wrote {plot}")


def report(game: Game, analysis: Analysis, names: tuple[str, str], swings: int) -> str:
    """A table of the moves, and the largest swings in words."""
    from foogo.analysis.words import HEAD, describe, move_cells, swing_lines
    from foogo.game.geometry import geometry

    vertex = geometry(game.size).vertex
    largest = analysis.swings(swings)
    rows = [
        [
            *move_cells(game.size, move),
            "" if move.is_best else vertex(move.before.best),
            "swing" if move in largest else "",
        ]
        for move in analysis.moves
    ]
    lines = [
        f"{' against '.join(_players(names))}, {game.size}x{game.size}, komi {number_text(game.komi)}",
        f"at the start: {describe(analysis.positions[0])}",
        "",
        text_table([*HEAD, ""], rows),
        "",
        *LEGEND,
    ]
    if largest:
        lines += ["", *swing_lines(game.size, largest)]
    return "\n".join(lines)


def _players(names: tuple[str, str]) -> list[str]:
    """Each player's name and colour; the colour alone if there is no name."""
    return [f"{name} ({color})" if name else color for name, color in zip(names, ("Black", "White"), strict=True)]
