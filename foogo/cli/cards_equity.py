"""`foogo cards equity`: each hand's share of the pot."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING, Annotated

import typer

from foogo.cli.console import JsonOption, print_json, progress_bar, text_table, width_of_output

if TYPE_CHECKING:
    from foogo.cards.poker import Equity

NUMBERS = 38
"""The columns of a table beside the hands."""


def equity(
    hands: Annotated[
        list[str],
        typer.Argument(help="One per player: a range such as AsKs or 'AKs, TT+'; in draw, the cards kept."),
    ],
    board: Annotated[str, typer.Option(help="The known cards of the board.")] = "",
    dead: Annotated[str, typer.Option(help="Cards out of play, such as discards.")] = "",
    game: Annotated[str, typer.Option(help="holdem, or draw for five-card draw.")] = "holdem",
    exact: Annotated[
        bool | None,
        typer.Option("--exact/--sample", help="Play all deals, or a sample. [default: all if that takes under 1 s]"),
    ] = None,
    error: Annotated[float, typer.Option(help="The standard error of each share at which a sample ends.")] = 0.0005,
    seed: Annotated[int, typer.Option(help="Seed of a sample.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads. [default: all cores]")] = None,
    as_json: JsonOption = False,
) -> None:
    """Compute each hand's share of the pot when all unknown cards are dealt at random."""
    from foogo.cards import poker

    with progress_bar("equity", unit="deals") as progress:
        result = poker.equity(
            hands, board=board, dead=dead, game=game, exact=exact, error=error, seed=seed, threads=threads,
            progress=progress,
        )  # fmt: skip
    if as_json:
        known = {"game": game, "board": board, "dead": dead, "seed": seed}
        print_json({"command": "cards equity", **known, **result.as_dict()})
    else:
        print(_report(result))


def _report(result: Equity) -> str:
    columns = zip(result.hands, result.shares, result.wins, result.ties, strict=True)
    rows = []
    for hand, share, win, tie in columns:
        half = 100 * share.half_width
        digits = max(2, -floor(log10(half))) if half else 2
        row = [_shortened(hand) or "(five new cards)", f"{100 * share.value:.{digits}f} %", f"±{half:.{digits}f}"]
        rows.append(row + [f"{100 * part:.{digits}f} %" for part in (win, tie)])
    if result.exact:
        rows = [[*row[:2], *row[3:]] for row in rows]
        return f"{text_table(['hand', 'equity', 'win', 'tie'], rows)}\n\nall {result.deals:,} deals"
    return f"{text_table(['hand', 'equity', '95 %', 'win', 'tie'], rows)}\n\na sample of {result.deals:,} deals"


def _shortened(hand: str) -> str:
    """A range without the terms for which the output is too narrow."""
    most = width_of_output() - NUMBERS
    return hand if len(hand) <= most else f"{hand[: most - 4].rpartition(',')[0]}, ..."
