"""The style of every figure, and how it is saved. matplotlib is optional and only imported to draw."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from foogo.arguments import probe_file, replace_file
from foogo.errors import PlotError
from foogo.stats.estimates import Estimate

SUFFIXES = (".png", ".svg", ".pdf")
COLUMN_INCHES = 3.5
"""The width of every figure: a column of a paper."""

DOTS_PER_INCH = 300

SERIES = (
    ("#0072b2", "o"), ("#d55e00", "s"), ("#009e73", "^"), ("#cc79a7", "D"),
    ("#e69f00", "v"), ("#56b4e9", "P"), ("#000000", "X"), ("#999999", "*"),
)  # fmt: skip
"""Colours that are distinct with any common form of colour blindness (Okabe and Ito), each with a marker."""

INK = "#222222"
GRID = "#d9d9d9"
BLACK_AHEAD, WHITE_AHEAD = "#0072b2", "#e69f00"

STYLE = {
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.labelsize": 7.5,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7,
    "legend.fontsize": 7,
    "figure.titlesize": 8.5,
    "axes.linewidth": 0.6,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.0,
    "lines.markersize": 3.6,
    "svg.hashsalt": "foogo",
}


def check_plot_path(path: str | os.PathLike[str]) -> Path:
    """Validate, before a long run, that a plot can be written to a path; leaves nothing behind."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise PlotError(f"cannot plot to '{path}': the name must end in .png, .svg or .pdf")
    check_matplotlib()
    try:
        probe_file(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PlotError(f"cannot write '{path}': {reason}; name a file in a folder that exists") from None
    return path


def check_matplotlib() -> None:
    """Raise `PlotError` if matplotlib is not installed."""
    try:
        found = find_spec("matplotlib") is not None
    except ValueError:  # it was imported, and then removed from sys.modules
        found = False
    if not found:
        raise PlotError("plots need matplotlib, which is not installed: pip install 'foogo[plot]'")


def halo() -> list[Any]:
    """Path effects that keep a text readable where it crosses lines."""
    from matplotlib.patheffects import withStroke

    return [withStroke(linewidth=1.6, foreground="white")]


@contextmanager
def styled() -> Iterator[None]:
    """A context in which figures are made and saved in this style."""
    import matplotlib

    with matplotlib.rc_context(STYLE):
        yield


def new_figure(height: float, width: float = COLUMN_INCHES) -> Any:
    """An empty matplotlib figure, sizes in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Write a figure; the suffix chooses PNG, SVG or PDF. Equal figures are equal files."""
    path = Path(path)
    try:
        replace_file(path, rendered(figure, path.suffix.lower().lstrip(".")))
    except OSError as failure:
        raise PlotError(f"cannot write '{path}': {failure.strerror or failure}") from None


def rendered(figure: Any, form: str) -> bytes:
    """A figure as the content of a file: "png", "svg" or "pdf"."""
    buffer = io.BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form)
    with styled():
        if figure.get_layout_engine() is not None:  # laid out once for all forms
            figure.draw_without_rendering()
            figure.set_layout_engine("none")
            for axes in figure.axes:  # rounded, as the last bits of a layout vary, and equal figures give equal files
                axes.set_position(np.round(axes.get_position(original=True).bounds, 6))
        figure.savefig(buffer, format=form, dpi=DOTS_PER_INCH, metadata=metadata)
    return buffer.getvalue()


def true_minus(text: str) -> str:
    """A text whose negative numbers have the minus sign that matplotlib writes on its axes.

    Examples
    --------
    >>> true_minus("-1.17 [-24.64, 24.57], search-1")
    '−1.17 [−24.64, 24.57], search-1'
    """
    return re.sub(r"(?<![\w.])-(?=[\d.])", "\N{MINUS SIGN}", text)


def legend_above(axes: Any, *handles: Sequence[Any], columns: int = 2, side: str = "left") -> None:
    """Put the legend above the axes, clear of the data."""
    axes.legend(
        *handles, loc=f"lower {side}", bbox_to_anchor=(0 if side == "left" else 1, 1), ncols=columns, frameon=False,
        borderaxespad=0.1, handlelength=1.2, columnspacing=1.2, fontsize=6,
    )  # fmt: skip


def style_axes(axes: Any) -> None:
    """Draw light grid lines under the data, and no frame above and to the right."""
    axes.set_axisbelow(True)
    axes.grid(color=GRID, linewidth=0.5)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def error_bars(
    axes: Any, places: Sequence[float], estimates: Sequence[Estimate], series: int, label: str = "", line: str = "none"
) -> None:
    """Draw points with error bars in a series' colour, without a bar where an interval is infinite."""
    color, marker = SERIES[series % len(SERIES)]
    values = np.array([one.value for one in estimates])
    below = values - np.array([one.low for one in estimates])
    above = np.array([one.high for one in estimates]) - values
    sides = np.where(np.isfinite([below, above]), [below, above], 0.0)
    axes.errorbar(
        places, values, yerr=np.maximum(sides, 0), color=color, marker=marker, linestyle=line, linewidth=0.9,
        elinewidth=0.9, capsize=1.8, label=label or "_nolegend_",
    )  # fmt: skip
