"""The output of `foogo study show`: every run with its estimates, then board sizes and strengths of play compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foogo.cli.console import print_json, text_table

if TYPE_CHECKING:
    from foogo.study.store.store import Store
    from foogo.study.summary import RunSummary


def print_runs(store: Store, numbers: Sequence[int] | None, komis: tuple[float, ...], as_json: bool) -> None:
    """Print runs (by default every run in the store) as text or as one JSON document."""
    from foogo.study.strengths import (
        by_size,
        by_strength,
        share_komi,
        strengths_as_dicts,
        table_of_sizes,
        table_of_strengths,
    )
    from foogo.study.summary import summaries

    found = summaries(store, numbers)
    lines = by_strength(found)
    komi = share_komi(komis)
    if as_json:
        strengths = strengths_as_dicts(lines, komi)
        runs = [one.as_dict(komis) for one in found]
        print_json({"command": "study show", "store": str(store.path), "runs": runs, "strengths": strengths})
        return
    for i, one in enumerate(found):
        if i:
            print()
        _print_run(one, komis, store.missing(one.run))
    for suicide, rule in ((True, "allowed"), (False, "forbidden")):
        sizes = by_size(found, suicide)
        if len(sizes) > 1:
            print(f"\nrandom play by board size, suicide {rule}")
            print(text_table(*table_of_sizes(sizes, komis)))
    if lines:
        print("\nstrength of play; a search's fair komi is where its win share, as a function of komi, crosses 1/2")
        print(text_table(*table_of_strengths(lines, komi)))
    if not found:
        print("the store has no runs")


def _print_run(one: RunSummary, komis: tuple[float, ...], missing: int) -> None:
    from foogo.cli.first_move import board_of_numbers
    from foogo.study.summary import estimate_cells, estimate_columns

    more = f"; {missing:,} requested games are missing" if missing else ""
    print(f"run {one.run.id}: {one.config.describe()}")
    print(f"{one.games:,} games{more}; scores and komis in points, 95 % intervals; win shares are Black's, ties half")
    if one.openings:
        print()
        print(board_of_numbers(one.mean_scores()))
    rows = [
        [name, str(len(points) or ""), f"{totals.n:,}", *estimate_cells(totals, komis)]
        for name, points, totals in one.rows()
    ]
    if rows:
        print()
        print(text_table(["first move", "points", "games", *estimate_columns(komis)], rows))
    if one.differences:
        print(one.verdict(komis[0]))
