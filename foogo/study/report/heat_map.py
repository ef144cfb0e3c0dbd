"""Heat maps on a Go board."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PlotError
from foogo.game.geometry import geometry
from foogo.stats.estimates import Z95
from foogo.study.first_move import FirstMove
from foogo.study.report.style import check_plot_path, new_figure, save, styled, true_minus

COLOR_MAP = "PuOr_r"
"""A diverging map, readable with any common form of colour blindness (ColorBrewer)."""

WOOD = "#f3e3c3"
LINE = "#6b5a3e"
LARGEST_WITH_VALUES = 13
"""The largest board on which the values fit into the discs."""


def plot_first_move(result: FirstMove, path: str | os.PathLike[str]) -> None:
    """Draw Black's mean score by first move as a heat map over the board, and save it.

    PlotError if the study has no openings, matplotlib is missing, or the file cannot be written.
    """
    if not result.openings:
        raise PlotError("there is nothing to plot: the study has no openings; run it with by_point=True")
    path = check_plot_path(path)
    n = min(opening.playouts.n for opening in result.openings)
    error = f" ±{Z95 * max(opening.playouts.se_score for opening in result.openings):.2g} (95 %)," if n > 1 else ""
    title = f"Black's mean score by first move, {result.size}x{result.size}"
    details = (
        f"{n:,} playouts each,{error} symmetric points pooled,\n"
        f"{result.policy} players, suicide {'allowed' if result.playouts.suicide else 'forbidden'}, "
        f"seed {result.playouts.seed}"
    )
    save(board_heat_map(result.mean_scores(), "mean score (points, Black minus White)", title, details), path)


def board_heat_map(
    values: NDArray[np.float64], unit: str, title: str = "", details: str = "", form: str = "{:.1f}"
) -> Any:
    """A matplotlib figure of a Go board with a coloured disc on each point that has a value.

    The values have the shape (size, size), row 0 at the bottom; NaN leaves a point bare. `unit` is the label of the
    colour bar. `form` is the format of a value in its disc. The colours are centred on the mean of the values, as
    the colour bar states.
    """
    from matplotlib.colors import CenteredNorm

    size = len(values)
    with styled():
        figure = new_figure(3.25)
        axes = figure.add_subplot()
        _draw_board(axes, size)
        mean = float(np.nanmean(values))
        spread = float(np.nanmax(np.abs(values - mean))) or 1.0
        norm = CenteredNorm(vcenter=mean, halfrange=spread)
        rows, cols = np.nonzero(~np.isnan(values))
        shown = values[rows, cols]
        discs = _discs(axes, size, cols, rows, shown, norm)
        if size <= LARGEST_WITH_VALUES:
            texts = [_shown(form, value) for value in shown.tolist()]
            points = min(7.5, 58 / size, 235 / size / max(map(len, texts)))
            for row, col, value, text in zip(rows.tolist(), cols.tolist(), shown.tolist(), texts, strict=True):
                color = "white" if abs(value - mean) > 0.6 * spread else "black"
                axes.text(col, row, text, fontsize=points, color=color, ha="center", va="center", zorder=4)
        label = f"{unit}\npalest: the mean of the points, {_shown(form, mean)}"
        bar = figure.colorbar(discs, ax=axes, label=label, shrink=0.8, aspect=28, pad=0.02)
        bar.ax.axhline(mean, color=LINE, linewidth=0.6)
        bar.outline.set_linewidth(0.5)
        figure.suptitle(title)
        if details:
            axes.set_title(details, fontsize=6.2, pad=4)
    return figure


def _draw_board(axes: Any, size: int) -> None:
    """Draw wood, lines, star points and coordinates."""
    geo = geometry(size)
    last = size - 1
    axes.set_facecolor(WOOD)
    axes.set_aspect("equal")
    axes.set_xlim(-0.7, last + 0.7)
    axes.set_ylim(-0.7, last + 0.7)
    axes.hlines(range(size), 0, last, color=LINE, linewidth=0.5, zorder=1)
    axes.vlines(range(size), 0, last, color=LINE, linewidth=0.5, zorder=1)
    stars = np.array(geo.star_points, dtype=np.int64)
    axes.scatter(stars % size, stars // size, s=7, color=LINE, zorder=2)
    letters = 7 if size <= 13 else 5
    axes.set_xticks(range(size), list(geo.letters), fontsize=letters)
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)], fontsize=letters)
    axes.tick_params(length=0, labeltop=True, labelright=True, pad=1.5)
    for spine in axes.spines.values():
        spine.set_visible(False)


def _discs(axes: Any, size: int, cols: Any, rows: Any, shown: Any, norm: Any) -> Any:
    """Draw a disc of radius 0.45 board units for each value, with a heavy rim on star points."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    stars, points = geometry(size).star_points, list(zip(rows, cols, strict=True))
    circles = [Circle((col, row), 0.45) for row, col in points]
    rims = [1.2 if row * size + col in stars else 0.3 for row, col in points]
    discs = PatchCollection(circles, cmap=COLOR_MAP, norm=norm, edgecolor=LINE, linewidths=rims, zorder=3)
    discs.set_array(shown)
    axes.add_collection(discs)
    return discs


def _shown(form: str, value: float) -> str:
    """The value as text, without a minus sign on zero."""
    text = form.format(value)
    return true_minus(text if text.strip("-0.") else text.lstrip("-"))
