"""Tables of estimates: mean scores, fair komis, and Black's win share at komis."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from foogo.cli.console import fits, folded_table, text_table
from foogo.game.notation import number_text

if TYPE_CHECKING:
    from foogo.playout.totals import Totals

SHARES_BELOW = "under a komi: Black's win share there in %, ties half"
"""Explains the columns of komis."""


def estimates_table(header: Sequence[str], rows: Sequence[tuple[Sequence[str], Totals]], komis: Sequence[float]) -> str:
    """A table of estimates. A row is given by its first cells, which stand under `header`, and its games.

    Komis at which all rows are alike share a column. If the table does not fit, the shares have no "%"; if it still
    does not, it is folded: first the scores, then the shares.
    """
    from foogo.study.summary import alike_komis, estimate_cells, estimate_columns

    groups = alike_komis([totals for _, totals in rows], komis)
    names = [*header, *estimate_columns([]), *map(_name, groups)]
    cells = [[*first, *estimate_cells(totals, [group[0] for group in groups])] for first, totals in rows]
    shares = len(header) + len(estimate_columns([]))
    if not fits(names, cells):
        short = [*names[: shares + 1], *(name.removeprefix("komi ").replace(", ", "/") for name in names[shares + 1 :])]
        bare = [[*row[:shares], *(cell.removesuffix(" %") for cell in row[shares:])] for row in cells]
        if fits(short, bare):
            return text_table(short, bare)
    return folded_table(names, cells, fold=shares)


def shares_table(name: str, rows: Sequence[tuple[str, Totals]], komis: Sequence[float]) -> str:
    """Black's win share at each komi; the rows have names, under `name`."""
    from foogo.study.summary import alike_komis, estimate_cells

    groups = alike_komis([totals for _, totals in rows], komis)
    cells = [[first, *estimate_cells(totals, [group[0] for group in groups])[-len(groups) :]] for first, totals in rows]
    return folded_table([name, *map(_name, groups)], cells)


def komi_note(tables: Iterable[Sequence[Totals]], komis: Sequence[float]) -> str:
    """Why komis share a column, if they do in one of the tables with these games; else ""."""
    from foogo.study.summary import KOMI_NOTE, alike_komis

    return KOMI_NOTE if any(len(alike_komis(games, komis)) < len(komis) for games in tables if games) else ""


def _name(komis: Sequence[float]) -> str:
    return f"komi {', '.join(map(number_text, komis))}"
