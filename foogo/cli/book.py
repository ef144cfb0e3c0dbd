"""`foogo book`: an opening book, grown by long searches."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foogo.cli.console import (
    INTERRUPTED,
    JsonOption,
    Progress,
    file_errors,
    interruptible,
    losing_no_ctrl_c,
    print_json,
    progress_bar,
    prose,
    say,
    text_table,
)
from foogo.game.notation import signed

if TYPE_CHECKING:
    from foogo.book import Book
    from foogo.game.game import Game

FILE = Path("book.npz")  # the default file of `grow`

book = typer.Typer(
    help="An opening book: what long searches found at the positions of openings.",
    no_args_is_help=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)

SizeOption = Annotated[int, typer.Option(help="Points on a side, 2 to 19.")]


@book.command("grow")
@interruptible
def grow_command(
    komis: Annotated[
        list[float] | None, typer.Option("--komi", help="Points that White gets; may be repeated. [default: 7]")
    ] = None,
    size: SizeOption = 9,
    positions: Annotated[int | None, typer.Option(help="Positions to add, for each komi.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Seconds to search, for each komi.")] = None,
    simulations: Annotated[int, typer.Option(help="Simulations of each search.")] = 300_000,
    threads: Annotated[int, typer.Option(help="Search threads.")] = 1,
    seed: Annotated[int, typer.Option(help="Seed of the searches.")] = 0,
    empty: Annotated[
        bool, typer.Option("--empty", help="If the file is new, start it without the shipped book.")
    ] = False,
    output: Annotated[Path, typer.Option(help="The file; a book in it is continued.")] = FILE,
    as_json: JsonOption = False,
) -> None:
    """Search positions of the opening and add them to a book, until a limit or Ctrl-C; the file is always complete."""
    from foogo.arguments import mode_of, probe_file
    from foogo.book import SHIPPED, Book, grow
    from foogo.book.growth import check_start
    from foogo.errors import ArgumentError
    from foogo.game.game import Game

    for komi in komis or ():
        check_start(size, komi)
    if positions is None and seconds is None:
        if len(komis or ()) > 1:
            raise ArgumentError("without --positions or --seconds the first komi never ends: give one of them")
    with file_errors("read", output):
        exists = bool(mode_of(output))
    grown = Book.read(output) if exists else Book() if empty else Book.read(SHIPPED)
    with file_errors("write", output):
        probe_file(output)
    if positions is None and seconds is None:
        say("Ctrl-C ends it")
    stopped, unit = False, "seconds" if positions is None and seconds is not None else "positions"
    for komi in komis or [7.0]:
        with progress_bar(f"{size}x{size} komi {komi:g}", unit) as progress:
            began = time.monotonic()

            def added(count: int, began: float = began, progress: Progress | None = progress) -> None:
                with losing_no_ctrl_c(hold=True):
                    grown.write(output)
                if progress is not None:
                    done = int(time.monotonic() - began) if unit == "seconds" else count
                    progress(done, max(done, int(positions or seconds or 0)))

            try:
                grow(
                    grown, size, komi, positions=positions, seconds=seconds,
                    simulations=simulations, threads=threads, seed=seed, added=added,
                )  # fmt: skip
            except KeyboardInterrupt:
                stopped = True
                break
    with losing_no_ctrl_c(hold=True):
        grown.write(output)
    starts = [Game(one, komi=komi) for one, komi in grown.starts]
    if as_json:
        print_json({"command": "book grow", "file": str(output), "starts": [_as_dict(grown, one) for one in starts]})
    else:
        rows = [
            [f"{one.size}x{one.size} komi {one.komi:g}", f"{grown.positions(one):,}", f"{grown.simulations(one):,}"]
            for one in starts
        ]
        print(text_table(["start", "positions", "simulations"], rows))
    if stopped:
        say(f"interrupted: {output} has every finished position; the same command continues")
        raise typer.Exit(INTERRUPTED)


@book.command("show")
@interruptible
def show_command(
    moves: Annotated[
        list[str] | None, typer.Argument(help="Moves before the position, Black's first.", show_default=False)
    ] = None,
    komi: Annotated[float, typer.Option(help="Points that White gets.")] = 7.0,
    size: SizeOption = 9,
    file: Annotated[Path | None, typer.Option(help="The book. [default: foogo's own]")] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a book has at a position: its moves with their values, and the principal line."""
    from foogo.book import SHIPPED, Book
    from foogo.errors import ArgumentError
    from foogo.game.game import Game

    path = file or SHIPPED
    shown = Book.read(path)
    game = Game(size, komi=komi)
    for vertex in moves or []:
        game.play(vertex)
    if not shown.positions(game):
        starts = "; ".join(f"{one}x{one} komi {points:g}" for one, points in shown.starts) or "nothing"
        raise ArgumentError(f"{path} does not have this position; it begins with {starts}")
    if as_json:
        print_json({"command": "book show", "file": str(path), "moves": moves or [], **_as_dict(shown, game)})
    else:
        print(report(shown, game))


def report(shown: Book, game: Game) -> str:
    """A position, its moves as a table, and the principal line."""
    from foogo.game.geometry import COLOR_NAMES, geometry

    vertex = geometry(game.size).vertex
    known = shown.moves(game)
    rows = [
        [
            vertex(one.points[0]),
            f"{100 * one.win_share:.1f}",
            signed(one.score),
            f"{one.positions:,}" if one.positions else "",
            f"{one.simulations:,}" if one.positions else "",
        ]
        for one in known
    ]
    best = f"{vertex(known[0].points[0])}, {100 * known[0].win_share:.1f} %, {signed(known[0].score)} points"
    lines = [
        f"{game.size}x{game.size}, komi {game.komi:g}: {shown.positions(game):,} positions, "
        f"{shown.simulations(game):,} simulations",
        "",
        str(game.board),
        "",
        f"{COLOR_NAMES[game.to_play]} to play: {best}",
        "",
        text_table(["move", "win %", "points", "positions", "simulations"], rows),
        "",
        prose("principal line: " + " ".join(map(vertex, shown.line(game)))),
    ]
    if any(not one.positions for one in known):
        lines.append("a move without positions has the lower bound of the search's estimate")
    return "\n".join(lines)


def _as_dict(shown: Book, game: Game) -> dict[str, Any]:
    """What a book has at a position, for JSON."""
    from foogo.game.geometry import geometry

    vertex = geometry(game.size).vertex
    known = [
        {
            "points": [vertex(point) for point in one.points],
            "win_share": one.win_share,
            "score": one.score,
            "positions": one.positions,
            "simulations": one.simulations,
        }
        for one in shown.moves(game)
    ]
    return {
        "size": game.size,
        "komi": game.komi,
        "positions": shown.positions(game),
        "simulations": shown.simulations(game),
        "known": known,
        "line": [vertex(point) for point in shown.line(game)],
    }
