"""Export of a store to CSV, JSON and Parquet."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from foogo import __version__
from foogo.arguments import file_path, probe_file, replace_file
from foogo.errors import StoreError
from foogo.game.notation import number_text
from foogo.playout.totals import Totals
from foogo.stats.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.study.config import USUAL_KOMIS, check_komis
from foogo.study.strengths import by_strength, share_komi, strengths_as_dicts
from foogo.study.summary import RunSummary

SUFFIXES = (".csv", ".json", ".parquet")
TABLES = ("scores", "estimates", "strengths")


def check_export_path(path: str | os.PathLike[str]) -> Path:
    """Validate, before the work, that an export can be written to a path; leaves nothing behind."""
    path = file_path("path", path)
    if path.suffix.lower() not in SUFFIXES:
        raise StoreError(f"cannot export to '{path}': the name must end in .csv, .json or .parquet")
    if path.suffix.lower() == ".parquet" and find_spec("pyarrow") is None:
        raise StoreError("Parquet needs pyarrow, which is not installed: pip install 'foogo[parquet]'")
    try:
        probe_file(path)
    except OSError as error:
        raise _cannot_write(path, error) from None
    return path


def export(
    found: Sequence[RunSummary],
    path: str | os.PathLike[str],
    *,
    table: str = "scores",
    komis: Sequence[float] = USUAL_KOMIS,
) -> None:
    """Write runs to a .csv or .parquet file for one table, or to a .json file for everything.

    The table "scores" has a row per start and score, "estimates" a row per start. "strengths" has a row per board and
    policy, with the fair komi estimated from all komis that the policy played for.
    """
    path = check_export_path(path)
    if table not in TABLES:
        raise StoreError(f"there is no table {table!r} to export: use {', '.join(TABLES)}")
    komis = check_komis(komis)
    try:
        if path.suffix.lower() == ".json":
            strengths = strengths_as_dicts(by_strength(found), share_komi(komis))
            document = {"foogo": __version__, "runs": [one.as_dict(komis) for one in found], "strengths": strengths}
            replace_file(path, (json.dumps(document, indent=1, allow_nan=False) + "\n").encode())
            return
        rows = {"scores": _score_rows, "estimates": _estimate_rows, "strengths": _strength_rows}[table](found, komis)
        if not rows:
            if table == "strengths":
                raise StoreError(
                    'there are no strengths to export: no run from the empty board has games of a policy but "uniform"'
                )
            raise StoreError("there is nothing to export: the runs have no games; foogo study resume plays them")
        replace_file(path, _as_csv(rows) if path.suffix.lower() == ".csv" else _as_parquet(rows, found))
    except OSError as error:
        raise _cannot_write(path, error) from None


def _start_rows(found: Sequence[RunSummary], *, apart: bool) -> Iterator[tuple[dict[str, Any], Totals]]:
    """A row for each start; for symmetric points that were played apart, one each if `apart`, else one together."""
    for summary in found:
        config = summary.config
        for name, points, totals in summary.start_rows() if apart else summary.rows():
            row = {
                "run": summary.run.id,
                "size": config.size,
                "stones": config.stones,
                "to_play": config.to_play,
                "ko": config.ko,
                "suicide": config.suicide,
                "policy": config.policy,
                "play_komi": config.komi,
                "seed": str(config.seed),
                "signature": summary.run.signature,
                "first_move": name,
                "symmetric_points": len(points) or config.size**2,
            }
            yield row, totals


def _score_rows(found: Sequence[RunSummary], komis: Sequence[float]) -> list[dict[str, Any]]:
    rows = []
    for row, totals in _start_rows(found, apart=True):
        area = len(totals.scores) // 2
        played = enumerate(totals.scores.tolist())
        rows += [row | {"score": i - area, "playouts": games} for i, games in played if games]
    return rows


def _estimate_rows(found: Sequence[RunSummary], komis: Sequence[float]) -> list[dict[str, Any]]:
    rows = []
    for row, totals in _start_rows(found, apart=False):
        estimates = {"mean_score": mean_score(totals.scores), "fair_komi": fair_komi(totals.scores)}
        estimates |= {f"win_share_{number_text(komi)}": win_share(totals.scores, komi) for komi in komis}
        columns: dict[str, Any] = {"playouts": totals.n, "cut": totals.cut, "moves": totals.moves}
        for name, estimate in estimates.items():
            columns |= _columns(name, estimate)
        rows.append(row | columns)
    return rows


def _strength_rows(found: Sequence[RunSummary], komis: Sequence[float]) -> list[dict[str, Any]]:
    rows = []
    for setting, line in by_strength(found).items():
        for one in line:
            row: dict[str, Any] = {"size": setting.size, "suicide": setting.suicide, "policy": one.policy}
            row |= {"games": one.games, "play_komis": " ".join(map(number_text, one.komis))}
            row |= _columns("fair_komi", one.fair) | _columns("mean_score", one.mean)
            row["mean_play_komi"] = one.mean_komi
            for komi in komis:
                row |= _columns(f"win_share_{number_text(komi)}", one.share(komi))
            rows.append(row)
    return rows


def _columns(name: str, estimate: Estimate | None) -> dict[str, float | None]:
    numbers = estimate.as_dict() if estimate is not None else {"value": None, "low": None, "high": None}
    return {name: numbers["value"], f"{name}_low": numbers["low"], f"{name}_high": numbers["high"]}


def _as_csv(rows: Sequence[dict[str, Any]]) -> bytes:
    file = io.StringIO()
    writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        texts = {name: str(value).lower() for name, value in row.items() if isinstance(value, bool)}
        writer.writerow(row | texts)
    return file.getvalue().encode()


def _as_parquet(rows: Sequence[dict[str, Any]], found: Sequence[RunSummary]) -> bytes:
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.Table.from_pylist(list(rows))
    notes = {"foogo": __version__, "foogo_runs": json.dumps([one.config.as_dict() for one in found])}
    file = io.BytesIO()
    pyarrow.parquet.write_table(table.replace_schema_metadata(notes), file, compression="zstd")
    return file.getvalue()


def _cannot_write(path: Path, error: OSError) -> StoreError:
    reason = (error.strerror or str(error)).lower()
    return StoreError(f"cannot write '{path}': {reason}; name a file in a folder that exists and has room")
