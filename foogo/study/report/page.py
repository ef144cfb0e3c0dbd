"""A self-contained page with the figures, tables, configurations and commands of a study."""

from __future__ import annotations

import base64
import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from html import escape
from pathlib import Path
from typing import Any

from foogo import __version__
from foogo.arguments import probe_file, replace_file
from foogo.errors import PlotError, StoreError
from foogo.game.notation import number_text
from foogo.playout.totals import Totals
from foogo.stats.estimates import mean_score
from foogo.study.config import USUAL_KOMIS, komis_to_report
from foogo.study.report.charts import komi_chart, score_chart, size_chart, strength_chart
from foogo.study.report.exact_scores import EXACT
from foogo.study.report.heat_map import board_heat_map
from foogo.study.report.style import check_matplotlib, rendered, true_minus
from foogo.study.strengths import by_size, by_strength, share_komi, table_of_strengths
from foogo.study.summary import RunSummary, command, estimate_cells, estimate_columns, whole_board_note

PAGE = "index.html"
DIFFERENCES_SHOWN = 20

CSS = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; background: #fff; max-width: 72rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.3rem; margin-top: 2.5rem; border-top: 1px solid #ccc; padding-top: 1rem; }
h3 { font-size: 1.05rem; } nav ul { columns: 26rem; font-size: .9rem; padding-left: 1.2rem; }
figure { display: inline-block; margin: 0 1rem 1rem 0; vertical-align: top; width: 29rem;
       max-width: 100%; }
img { width: 100%; height: auto; } figcaption { font-size: .85rem; color: #555; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; font-size: .88rem; margin: .5rem 0 1.2rem;
       font-variant-numeric: tabular-nums; }
th, td { text-align: right; padding: .2rem .6rem; border-bottom: 1px solid #ddd; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; white-space: normal; min-width: 9rem; }
th { border-bottom: 2px solid #888; }
table.facts td { text-align: left; white-space: normal; }
pre { background: #f5f5f2; padding: .7rem; overflow-x: auto; font-size: .85rem; }
"""


def check_report_folder(folder: str | os.PathLike[str]) -> Path:
    """Validate that a report can be written to a folder, which is created if necessary; PlotError if not."""
    check_matplotlib()
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        probe_file(path / f".foogo-{os.getpid()}")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PlotError(f"cannot write a report to '{path}': {reason}; name a folder that can be made") from None
    return path


def write_report(
    found: Sequence[RunSummary],
    folder: str | os.PathLike[str],
    *,
    komis: Sequence[float] = USUAL_KOMIS,
) -> Path:
    """Write the page, which is self-contained, and beside it each figure as PNG and SVG; returns the page.

    Runs without games are left out: StoreError if all are. PlotError if the folder cannot be written to. Without
    `komis`, the usual ones are shown.
    """
    komis = komis_to_report(komis)
    shown = [one for one in found if one.games]
    if not shown:
        raise StoreError("there is nothing to report: the store has no games; foogo study run or resume plays them")
    path = check_report_folder(folder)
    parts = [_contents(shown), _overview(shown, komis, path), *(_section(one, komis, path) for one in shown)]
    parts.append(f'<h2 id="notes">How the numbers are made</h2>{NOTES}')
    now = datetime.now(timezone.utc).date().isoformat()
    runs = f"{len(shown)} run{'s' if len(shown) > 1 else ''}"
    body = (
        f"<h1>First-move advantage</h1><p>{runs} of <code>{escape(shown[0].store)}</code>, "
        f"{sum(one.games for one in shown):,} games; made by foogo {__version__} on {now}.</p>" + "\n".join(parts)
    )
    page = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<link rel="icon" href="data:,"><title>First-move advantage</title><style>{CSS}</style></head>'
        f"<body>{body}</body></html>\n"
    )
    try:
        replace_file(path / PAGE, page.encode(errors="replace"))  # a path may have bytes that are not UTF-8
    except OSError as error:
        raise PlotError(f"cannot write '{path / PAGE}': {error.strerror or error}") from None
    return path / PAGE


def _contents(found: Sequence[RunSummary]) -> str:
    """A list of links to the sections of the page."""
    sections = {"overview": "Overview"}
    if by_strength(found):
        sections["strength"] = "Strength of play"
    sections |= {f"run{one.run.id}": f"Run {one.run.id}: {one.config.describe()}" for one in found}
    sections["notes"] = "How the numbers are made"
    items = "".join(f'<li><a href="#{name}">{escape(title)}</a></li>' for name, title in sections.items())
    return f"<nav><ul>{items}</ul></nav>"


def _run_figures(one: RunSummary, komis: Sequence[float], folder: Path) -> str:
    config, size = one.config, f"{one.config.size}x{one.config.size}"
    players = config.players
    html = ""
    if one.whole.n:
        title = f"{size}, {players}, {one.whole.n:,} games"
        caption = (
            "How often each score is reached, and Black's win share over komi, which falls only at scores reached."
        )
        html += _figure(folder, f"run{one.run.id}-scores", caption, score_chart(one.whole.scores, komis, title))
    if one.openings:
        least = min(totals.n for totals in one.openings.values())
        details = f"at least {least:,} games each, symmetric points pooled,\n{players}, seed {config.seed}"
        error = max(mean_score(totals.scores).half_width for totals in one.openings.values())
        form = "{:.2f}" if error < 0.05 else "{:.1f}"
        title, unit = f"Mean score by first move, {size}", "mean score (points, Black minus White)"
        drawing = board_heat_map(one.mean_scores(), unit, title, details, form)
        caption = "Black's mean score by first move, symmetric points pooled."
        html += _figure(folder, f"run{one.run.id}-means", caption, drawing)
        komi = config.komi if config.komi is not None else 6.5 if 6.5 in komis else komis[0]
        title = f"Win share by first move, {size}, komi {number_text(komi)}"
        drawing = board_heat_map(100 * one.win_shares(komi), "Black wins (%)", title, details)
        caption = f"Black's win share by first move at komi {number_text(komi)}, symmetric points pooled."
        html += _figure(folder, f"run{one.run.id}-shares", caption, drawing)
    return html


def _overview(found: Sequence[RunSummary], komis: Sequence[float], folder: Path) -> str:
    header = ["run", "games", "moves", *estimate_columns(komis)]
    rows = [[f"{one.run.id}: {one.config.describe()}", *_cells(one.whole, komis)] for one in found if one.whole.n]
    html = '<h2 id="overview">Overview</h2>' + _table(header, rows)
    for suicide, rule in ((True, "allowed"), (False, "forbidden")):
        sizes = by_size(found, suicide)
        if len(sizes) > 1:
            drawing = size_chart({size: totals.scores for size, totals in sizes.items()}, "Random play, by board size")
            name = "by-size" if suicide else "by-size-no-suicide"
            caption = f"Black's advantage by board size, random play, suicide {rule}, 95 %."
            html += _figure(folder, name, caption, drawing)
            note = whole_board_note((f"{size}x{size}", totals) for size, totals in sizes.items())
            html += f"<p>{escape(note)}</p>" if note else ""
    return html + _strengths(found, komis, folder)


def _strengths(found: Sequence[RunSummary], komis: Sequence[float], folder: Path) -> str:
    """Black's advantage by strength of play; empty if all players are random."""
    lines = by_strength(found)
    if not lines:
        return ""
    komi = share_komi(komis)
    drawing = strength_chart(lines, komi, "Black's advantage by strength of play")
    html = '<h2 id="strength">Strength of play</h2>'
    html += _figure(folder, "by-strength", "Black's advantage by strength of play, 95 %.", drawing)
    for setting, line in lines.items():
        if any(one.komis for one in line):
            name = f"komis-{setting.size}x{setting.size}" + ("" if setting.suicide else "-no-suicide")
            caption = f"Black's win share over the komi played for, {setting}, 95 %."
            html += _figure(folder, name, caption, komi_chart(line, f"Win share by komi, {setting}"))
    header, rows = table_of_strengths(lines, komi)
    html += _table(header, rows) + STRENGTH_NOTES
    solved = [[f"{rows}x{cols}", f"{one.value:+d}", one.source] for (rows, cols), one in EXACT.items()]
    return html + "<h3>Exact values</h3>" + _table(["board", "Black's lead", "source"], solved)


def _section(one: RunSummary, komis: Sequence[float], folder: Path) -> str:
    run = one.run
    title = f'<h2 id="run{run.id}">Run {run.id}: {escape(one.config.describe())}</h2>'
    note = whole_board_note((name, totals) for name, _, totals in one.rows())
    parts = [title, f"<p>{escape(note)}</p>" if note else "", _run_figures(one, komis, folder)]
    header = ["first move", "points", "games", "moves", *estimate_columns(komis)]
    rows = [[name, str(len(points) or ""), *_cells(totals, komis)] for name, points, totals in one.rows()]
    parts.append(_table(header, rows))
    parts.append(_differences(one, komis[0]))
    facts = one.config.as_dict() | {
        "openings": run.openings,
        "games asked for, of each start": ", ".join(f"{first:,} to {end - 1:,}" for first, end in run.asked),
        "games played": f"{one.games:,}",
        "cut": f"{sum(totals.cut for totals, _ in one.played.values()):,}",
        "foogo": run.foogo,
        "signature": run.signature,
        "begun": run.created,
    }
    parts.append("<h3>Configuration</h3>" + _facts(facts))
    parts.append(f"<h3>To play it again</h3><pre>{escape(command(run, one.store))}</pre>")
    return "\n".join(parts)


def _differences(one: RunSummary, komi: float) -> str:
    found = one.differences
    if not found:
        return ""
    name = one.config.name_of
    rows = [
        [f"{name(d.better)} − {name(d.worse)}", f"{d.value:.4f}", f"{d.error:.4f}", f"{d.low:.4f} to {d.high:.4f}",
         "< 0.0001" if d.p < 1e-4 else f"{d.p:.4f}", "yes" if d.is_clear else "no"]
        for d in found[:DIFFERENCES_SHOWN]
    ]  # fmt: skip
    html = f"<h3>Is {name(found[0].better)} the best first move?</h3><p>{escape(one.verdict(komi))} "
    html += "Standard errors are pooled from independent games. The intervals hold for all pairs at once, so the best "
    html += "move may be picked from the same games.</p>"
    points = f"points for {one.config.to_play.title()}"
    html += _table(["difference", points, "error", "95 %, simultaneous", "p", "clear"], rows)
    test = one.asymmetry
    if test is not None:
        verb = "agree" if test.p >= 0.001 else "do not agree"
        html += f"<p>Symmetric first moves {verb}: chi-square {test.statistic:.1f} on {test.freedom} degrees of "
        html += f"freedom, p = {test.p:.3f}.</p>"
    return html


def _cells(totals: Totals, komis: Sequence[float]) -> list[str]:
    return [f"{totals.n:,}", f"{totals.moves / totals.n:.2f}", *estimate_cells(totals, komis)]


def _figure(folder: Path, name: str, caption: str, drawing: Any) -> str:
    """Write the files of a matplotlib figure, and show it."""
    files = {form: rendered(drawing, form) for form in ("png", "svg")}
    for form, content in files.items():
        try:
            replace_file(folder / f"{name}.{form}", content)
        except OSError as error:
            raise PlotError(f"cannot write to '{folder}': {error.strerror or error}") from None
    source = "data:image/png;base64," + base64.b64encode(files["png"]).decode()
    image = f'<img src="{source}" alt="{escape(caption)}">'
    return f"<figure>{image}<figcaption>{escape(caption)} Also as {name}.png and .svg.</figcaption></figure>"


def _facts(facts: Mapping[str, object]) -> str:
    shown = {name: "" if value is None else str(value) for name, value in facts.items()}
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{escape(value)}</td></tr>" for name, value in shown.items())
    return f'<table class="facts"><tbody>{rows}</tbody></table>'


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    head = "".join(f"<th>{escape(cell)}</th>" for cell in header)
    body = "".join("<tr>" + "".join(f"<td>{escape(true_minus(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


STRENGTH_NOTES = """ <p>A search plays for a komi, so its games at one komi do not determine its results at another. Its
fair komi is where its win share, as a function of the komi, crosses one half, by isotonic regression. The interval
inverts the likelihood-ratio test against all decreasing shares (Banerjee and Wellner 2001). Playouts ignore the komi;
their fair komi follows from their scores. The mean score of a search is that of its games at the komi nearest to the
fair one.</p>
"""

NOTES = """
<p>A score is Black's area minus White's at the end of a game, in points, before komi. Intervals are 95 %: normal for
the mean score, Wilson's for a win share. The fair komi is where Black's win share, ties half, crosses one half. Scores
are whole, so the share is a staircase over komi. On odd boards nearly all scores are odd, since the areas of both sides
add up to an odd number of points: komi 5.5 and 6.5 then decide nearly every game alike. On even boards nearly all are
even, and 6.5 and 7.5 are alike. The interval of the fair komi holds the komis whose share is within 1.96 standard
errors of one half. Symmetric first moves are pooled. A search plays for the komi of its run: its scores,
and the fair komi based on them, are of games at that komi.</p>
"""
