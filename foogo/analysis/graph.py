"""A plot of the win share and the lead over a game."""

from __future__ import annotations

from typing import Any

from foogo.analysis.analyzer import Analysis
from foogo.errors import PlotError
from foogo.game.geometry import BLACK, WHITE, geometry
from foogo.study.report.style import BLACK_AHEAD, INK, WHITE_AHEAD, halo, new_figure, style_axes, styled

SHORT, LONG = 3.5, 7.0  # width of the figure in inches for a short and a long game
MOVES_OF_SHORT = 60  # the most moves of a short game


def win_share_graph(analysis: Analysis, *, swings: int = 5, title: str = "") -> Any:
    """A figure of Black's win share and lead over the moves of a game, with the largest swings marked.

    Raises PlotError if no position was searched.
    """
    if not analysis.positions:
        raise PlotError("nothing to draw: no position was searched")
    turns = [position.turns for position in analysis.positions]
    shares = [100 * position.win_share for position in analysis.positions]
    leads = [position.score for position in analysis.positions]
    with styled():
        figure = new_figure(3.9, SHORT if len(turns) <= MOVES_OF_SHORT else LONG)
        top, bottom = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [3, 2]})
        for axes, values, middle in ((top, shares, 50), (bottom, leads, 0)):
            style_axes(axes)
            above = [value >= middle for value in values]
            below = [value <= middle for value in values]
            axes.fill_between(turns, values, middle, where=above, color=BLACK_AHEAD, alpha=0.3, lw=0, interpolate=True)
            axes.fill_between(turns, values, middle, where=below, color=WHITE_AHEAD, alpha=0.4, lw=0, interpolate=True)
            axes.axhline(middle, color=INK, linewidth=0.6)
            axes.plot(turns, values, color=INK)
        top.set_ylim(0, 100)
        top.set_yticks([0, 25, 50, 75, 100])
        top.set_ylabel("Black's win share (%)")
        bottom.set_ylabel("Black's lead (points)")
        bottom.set_xlabel("move")
        bottom.set_xlim(0, max(1, turns[-1]))
        bottom.xaxis.get_major_locator().set_params(integer=True)
        _mark_swings(top, analysis, swings)
        _legend(figure, analysis, swings)
        if title:
            figure.suptitle(title)
    return figure


STONE: dict[str, Any] = {
    "linestyle": "none",
    "marker": "o",
    "markersize": 5,
    "markeredgecolor": INK,
    "markeredgewidth": 0.8,
}


def _legend(figure: Any, analysis: Analysis, count: int) -> None:
    """Explain the colours and the marks under the figure."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Any] = [
        Patch(color=BLACK_AHEAD, alpha=0.3, lw=0, label="Black ahead"),
        Patch(color=WHITE_AHEAD, alpha=0.4, lw=0, label="White ahead"),
    ]
    colors = {move.color for move in analysis.swings(count)}
    for color, name, face in ((BLACK, "Black", INK), (WHITE, "White", "white")):
        if color in colors:
            handles.append(Line2D([], [], markerfacecolor=face, label=f"{name}'s largest losses", **STONE))
    figure.legend(handles=handles, loc="outside lower center", ncols=2, frameon=False)


def _mark_swings(axes: Any, analysis: Analysis, count: int) -> None:
    """Mark each swing with a stone of its colour, labelled on the side of the curve that is free."""
    vertex = geometry(analysis.game.size).vertex
    for move in analysis.swings(count):
        share = 100 * move.after.win_share
        by_black = move.color == BLACK
        face = INK if by_black else "white"
        axes.plot(move.number, share, markerfacecolor=face, zorder=3, clip_on=False, **STONE)
        axes.annotate(
            f"{move.number} {vertex(move.move)}", (move.number, share), xytext=(0, -6 if by_black else 6),
            textcoords="offset points", ha="center", va="top" if by_black else "bottom", fontsize=6.5, rotation=90,
            annotation_clip=False, path_effects=halo(),
        )  # fmt: skip
