"""A store as files that other programs read: CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from foogo import __version__
from foogo.errors import StoreError
from foogo.study.estimates import fair_komi, mean_score, win_share
from foogo.study.summary import USUAL_KOMIS, Summary

SUFFIXES = (".csv", ".json", ".parquet")
TABLES = ("scores", "estimates")


def check_export_path(path: str | os.PathLike[str]) -> Path:
    """The path, after making sure that an export can be written there; nothing is left behind.

    Raises
    ------
    StoreError
        If the suffix is not one of `SUFFIXES`, pyarrow is missing for Parquet, or the file cannot be written.

    Examples
    --------
    >>> check_export_path("study.xls")
    Traceback (most recent call last):
    ...
    foogo.errors.StoreError: cannot export to 'study.xls': the name must end in .csv, .json or .parquet
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise StoreError(f"cannot export to '{path}': the name must end in .csv, .json or .parquet")
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise StoreError("Parquet needs pyarrow, which is not installed: pip install 'foogo[parquet]'")
    existed = path.exists()
    try:
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        raise _cannot_write(path, error) from None
    return path


def export(
    found: Sequence[Summary],
    path: str | os.PathLike[str],
    *,
    table: str = "scores",
    komis: Sequence[float] = USUAL_KOMIS,
) -> None:
    """Write runs to a file; its suffix chooses the format.

    Parameters
    ----------
    found
        The runs.
    path
        A .csv or .parquet file for one table, or a .json file for everything there is.
    table
        "scores": a row for each score of each start. "estimates": a row for each start.
    komis
        For the win shares of the estimates.

    Raises
    ------
    StoreError
        If there is no such format or table, or the file cannot be written.
    """
    path = check_export_path(path)
    if table not in TABLES:
        raise StoreError(f"there is no table {table!r} to export: use {' or '.join(TABLES)}")
    try:
        if path.suffix.lower() == ".json":
            document = {"foogo": __version__, "runs": [one.as_dict(komis) for one in found]}
            path.write_text(json.dumps(document, indent=1, allow_nan=False) + "\n", encoding="utf-8")
            return
        rows = list(_score_rows(found) if table == "scores" else _estimate_rows(found, komis))
        if not rows:
            raise StoreError("there is nothing to export: the runs have no games; foogo study resume plays them")
        if path.suffix.lower() == ".csv":
            _write_csv(rows, path)
        else:
            _write_parquet(rows, found, path)
    except OSError as error:
        raise _cannot_write(path, error) from None


def _start_rows(found: Sequence[Summary]) -> Iterator[tuple[dict[str, Any], Any]]:
    for summary in found:
        config = summary.config
        for name, points, tally in summary.rows():
            yield {
                "run": summary.run.id,
                "size": config.size,
                "stones": config.stones,
                "to_play": config.to_play,
                "suicide": config.suicide,
                "policy": config.policy,
                "play_komi": config.komi,
                "seed": str(config.seed),
                "signature": summary.run.signature,
                "first_move": name,
                "symmetric_points": len(points) or config.size**2,
            }, tally


def _score_rows(found: Sequence[Summary]) -> Iterator[dict[str, Any]]:
    for row, tally in _start_rows(found):
        area = len(tally.scores) // 2
        for i, games in enumerate(tally.scores.tolist()):
            if games:
                yield row | {"score": i - area, "playouts": games}


def _estimate_rows(found: Sequence[Summary], komis: Sequence[float]) -> Iterator[dict[str, Any]]:
    for row, tally in _start_rows(found):
        estimates = {"mean_score": mean_score(tally.scores), "fair_komi": fair_komi(tally.scores)}
        estimates |= {f"win_share_{komi:g}": win_share(tally.scores, komi) for komi in komis}
        columns = {"playouts": tally.n, "cut": tally.cut, "moves": tally.moves}
        for name, estimate in estimates.items():
            numbers = estimate.as_dict()
            columns |= {name: numbers["value"], f"{name}_low": numbers["low"], f"{name}_high": numbers["high"]}
        yield row | columns


def _write_csv(rows: Sequence[dict[str, Any]], path: Path) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: _plain(value) for name, value in row.items()} for row in rows)


def _plain(value: Any) -> Any:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else value


def _write_parquet(rows: Sequence[dict[str, Any]], found: Sequence[Summary], path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pylist(list(rows))
    notes = {"foogo": __version__, "foogo_runs": json.dumps([one.config.as_dict() for one in found])}
    pyarrow.parquet.write_table(table.replace_schema_metadata(notes), path, compression="zstd")


def _cannot_write(path: Path, error: OSError) -> StoreError:
    reason = (error.strerror or str(error)).lower()
    return StoreError(f"cannot write '{path}': {reason}; name a file in a folder that exists and has room")
