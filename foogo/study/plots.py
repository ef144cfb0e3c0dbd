"""Heat maps over a Go board. matplotlib is optional and only imported here."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PlotError
from foogo.geometry import geometry
from foogo.study.first_move import FirstMove

SUFFIXES = (".png", ".svg", ".pdf")
COLOR_MAP = "PuOr_r"
"""Diverging, and told apart by people with any of the common forms of colour blindness (ColorBrewer)."""

WOOD = "#f3e3c3"
LINE = "#6b5a3e"
LARGEST_WITH_VALUES = 13
"""The largest board on which the values fit inside the discs."""


def check_plot_path(path: str | os.PathLike[str]) -> Path:
    """The path, after making sure that a plot can be written there; nothing is left behind.

    Called before a run, so that nobody waits for a picture that cannot be saved.

    Raises
    ------
    PlotError
        If matplotlib is missing, the suffix is not one of `SUFFIXES`, or the file cannot be written.

    Examples
    --------
    >>> check_plot_path("heat.gif")
    Traceback (most recent call last):
    ...
    foogo.errors.PlotError: cannot plot to 'heat.gif': the name must end in .png, .svg or .pdf
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise PlotError(f"cannot plot to '{path}': the name must end in .png, .svg or .pdf")
    if find_spec("matplotlib") is None:
        raise PlotError("plots need matplotlib, which is not installed: pip install 'foogo[plot]'")
    existed = path.exists()
    try:
        with path.open("ab"):
            pass
        if not existed:
            path.unlink()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise PlotError(f"cannot write '{path}': {reason}; name a file in a folder that exists") from None
    return path


def plot_first_move(result: FirstMove, path: str | os.PathLike[str]) -> None:
    """Draw Black's mean score by first move as a heat map over the board, and save it.

    Parameters
    ----------
    result
        A study made with ``by_point=True``.
    path
        The file to write; its suffix chooses the format, PNG, SVG or PDF.

    Raises
    ------
    PlotError
        If the study has no openings, matplotlib is missing, or the file cannot be written.
    """
    if not result.openings:
        raise PlotError("there is nothing to plot: the study has no openings; run it with by_point=True")
    path = check_plot_path(path)
    n = result.openings[0].playouts.n
    error = max(opening.playouts.se_score for opening in result.openings)
    title = f"Black's mean score by first move, {result.size}x{result.size}"
    details = (
        f"{n:,} playouts a point, symmetric points pooled, ±{1.96 * error:.2g} points (95 %), "
        f"suicide {'allowed' if result.playouts.suicide else 'forbidden'}"
    )
    figure = board_heat_map(result.mean_scores(), "mean score (points, Black minus White)", title, details)
    try:
        figure.savefig(path, dpi=150)
    except OSError as failure:
        raise PlotError(f"cannot write '{path}': {failure}") from None


def board_heat_map(values: NDArray[np.float64], unit: str, title: str = "", details: str = "") -> Any:
    """A matplotlib figure of a Go board with one coloured disc for each point that has a value.

    Parameters
    ----------
    values
        Shape (size, size), row 0 at the bottom; NaN leaves a point bare.
    unit
        The label of the colour bar: what the values are, and their unit.
    title, details
        Two lines above the board.

    Returns
    -------
    matplotlib.figure.Figure
        The colours are centred on the mean of the values.
    """
    from matplotlib.colors import CenteredNorm
    from matplotlib.figure import Figure

    size = len(values)
    figure = Figure(figsize=(8.4, 7.4), layout="constrained")
    axes = figure.add_subplot()
    _draw_board(axes, size)
    mean = float(np.nanmean(values))
    spread = float(np.nanmax(np.abs(values - mean))) or 1.0
    norm = CenteredNorm(vcenter=mean, halfrange=spread)
    rows, cols = np.nonzero(~np.isnan(values))
    shown = values[rows, cols]
    discs = _discs(axes, size, cols, rows, shown, norm)
    if size <= LARGEST_WITH_VALUES:
        for row, col, value in zip(rows.tolist(), cols.tolist(), shown, strict=True):
            strong = abs(value - mean) > 0.6 * spread
            axes.text(
                col,
                row,
                f"{value:.1f}",
                ha="center",
                va="center",
                fontsize=min(13, 92 / size),
                color="white" if strong else "black",
                zorder=4,
            )
    figure.colorbar(discs, ax=axes, label=unit, shrink=0.86)
    figure.suptitle(title, fontsize=14)
    axes.set_title(details, fontsize=9, pad=8)
    return figure


def _draw_board(axes: Any, size: int) -> None:
    """Wood, lines, star points and coordinates."""
    geo = geometry(size)
    last = size - 1
    axes.set_facecolor(WOOD)
    axes.set_aspect("equal")
    axes.set_xlim(-0.7, last + 0.7)
    axes.set_ylim(-0.7, last + 0.7)
    axes.hlines(range(size), 0, last, color=LINE, linewidth=0.8, zorder=1)
    axes.vlines(range(size), 0, last, color=LINE, linewidth=0.8, zorder=1)
    stars = np.array(geo.star_points, dtype=np.int64)
    axes.scatter(stars % size, stars // size, s=22, color=LINE, zorder=2)
    axes.set_xticks(range(size), list(geo.letters))
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(length=0, labeltop=True, labelright=True)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _discs(axes: Any, size: int, cols: Any, rows: Any, shown: Any, norm: Any) -> Any:
    """One disc of 0.45 board units radius for each value, with a heavy rim on star points."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    stars = geometry(size).star_points
    discs = PatchCollection(
        [Circle((col, row), 0.45) for row, col in zip(rows, cols, strict=True)],
        cmap=COLOR_MAP,
        norm=norm,
        edgecolor=LINE,
        linewidths=[2.2 if row * size + col in stars else 0.5 for row, col in zip(rows, cols, strict=True)],
        zorder=3,
    )
    discs.set_array(shown)
    axes.add_collection(discs)
    return discs
