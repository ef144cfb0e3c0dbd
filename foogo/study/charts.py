"""Charts of a study: the scores of a run, and Black's advantage by board size and by strength of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PlotError
from foogo.study.estimates import Estimate, fair_komi, mean_score, win_share
from foogo.study.style import INK, SERIES, new_figure, plain_axes, styled

EXACT_SCORES = {2: 1, 3: 9, 4: 2, 5: 25}
"""Black's lead in points under perfect play by board size, area scoring.

References
----------
E. C. D. van der Werf, H. J. van den Herik and J. W. H. M. Uiterwijk, "Solving Go on small boards", ICGA Journal
26 (2003), pages 92-107.
"""

BLACK_AHEAD, WHITE_AHEAD = "#0072b2", "#e69f00"
FIRST_STRENGTH = 0.35
"""Where random players stand on the logarithmic axis of simulations, as a part of the weakest search's."""


@dataclass(frozen=True)
class Strength:
    """One point of `strength_chart`.

    Attributes
    ----------
    simulations
        Of each move; 0 is random play.
    mean, fair
        Black's mean score and the fair komi, in points.
    """

    simulations: int
    mean: Estimate
    fair: Estimate


def score_chart(scores: NDArray[np.int64], komis: Sequence[float], title: str = "") -> Any:
    """A figure of how often each score is reached, and of Black's win share over komi.

    Parameters
    ----------
    scores
        Games by score: index = score + size*size, Black minus White; at least one game.
    komis
        Marked in both parts.
    title
        Above it.

    Returns
    -------
    matplotlib.figure.Figure
        The scores shown leave out at most one game in 2000 on either side.
    """
    area, n = len(scores) // 2, int(scores.sum())
    values = np.arange(-area, area + 1)
    cumulated = np.cumsum(scores) / n
    low, high = (int(values[np.searchsorted(cumulated, share)]) for share in (0.0005, 0.9995))
    with styled():
        figure = new_figure(3.9)
        top, bottom = figure.subplots(2, 1, gridspec_kw={"height_ratios": [1, 1]})
        colors = [BLACK_AHEAD if value > 0 else WHITE_AHEAD if value < 0 else "#999999" for value in values]
        top.bar(values, 100 * scores / n, width=0.9, color=colors, linewidth=0)
        mean = mean_score(scores)
        top.axvline(mean.value, color=INK, linewidth=0.9, label=f"mean {_with_error(mean)}")
        plain_axes(top)
        top.set_xlim(low - 1.5, high + 1.5)
        _mark_komis(top, komis)
        top.set_ylabel("playouts (%)")
        top.set_xlabel("score (points, Black minus White, komi 0)")
        _color_legend(top)
        _draw_shares(bottom, scores, komis)
        figure.suptitle(title)
    return figure


def size_chart(scores: Mapping[int, NDArray[np.int64]], title: str = "") -> Any:
    """A figure of Black's mean score and the fair komi by board size, with 95 % intervals.

    Parameters
    ----------
    scores
        Games by score, for each board size.
    title
        Above it.
    """
    sizes = sorted(scores)
    with styled():
        figure = new_figure(2.5)
        axes = figure.add_subplot()
        axes.axhline(0, color=INK, linewidth=0.6)
        rows = (("mean score", mean_score, 0, -0.08), ("fair komi", fair_komi, 1, 0.08))
        for label, estimate, series, shift in rows:
            _errors(axes, [size + shift for size in sizes], [estimate(scores[size]) for size in sizes], series, label)
        plain_axes(axes)
        axes.set_xticks(range(min(sizes), max(sizes) + 1))
        axes.set_xlabel("board size (points on a side)")
        axes.set_ylabel("points, Black minus White")
        axes.legend(frameon=False)
        figure.suptitle(title)
    return figure


def strength_chart(series: Mapping[int, Sequence[Strength]], title: str = "") -> Any:
    """A figure of Black's mean score and the fair komi against strength of play, a line for each board size.

    Parameters
    ----------
    series
        The measured strengths of each board size.
    title
        Above it.

    Returns
    -------
    matplotlib.figure.Figure
        Dashed lines are the exact values of the boards that are solved.

    Raises
    ------
    PlotError
        If there is nothing to draw.
    """
    searched = sorted({one.simulations for line in series.values() for one in line if one.simulations})
    if not searched:
        raise PlotError("there is nothing to plot: no run of this store is of policy search:N")
    random_at = searched[0] * FIRST_STRENGTH
    with styled():
        figure = new_figure(4.2)
        top, bottom = figure.subplots(2, 1, sharex=True)
        for i, (size, line) in enumerate(sorted(series.items())):
            ordered = sorted(line, key=lambda one: one.simulations)
            places = [one.simulations or random_at for one in ordered]
            for axes, estimates in ((top, [one.mean for one in ordered]), (bottom, [one.fair for one in ordered])):
                _errors(axes, places, estimates, i, f"{size}x{size}", line="-")
                if size in EXACT_SCORES:
                    axes.axhline(EXACT_SCORES[size], color=SERIES[i % len(SERIES)][0], linewidth=0.8, linestyle="--")
        for axes, label in ((top, "mean score (points)"), (bottom, "fair komi (points)")):
            axes.set_xscale("log")
            plain_axes(axes)
            axes.set_ylabel(label)
            axes.minorticks_off()
        bottom.set_xticks([random_at, *searched], ["random", *(f"{n:,}" for n in searched)])
        bottom.set_xlabel("simulations a move, both sides")
        handles, labels = top.get_legend_handles_labels()
        if any(size in EXACT_SCORES for size in series):
            (dashes,) = top.plot([], [], color=INK, linewidth=0.8, linestyle="--")
            handles, labels = [*handles, dashes], [*labels, "exact"]
        figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)
        figure.suptitle(title)
    return figure


def _draw_shares(axes: Any, scores: NDArray[np.int64], komis: Sequence[float]) -> None:
    """Black's win share over komi, around the komis asked for and the fair one."""
    fair = fair_komi(scores)
    marks = [*komis, fair.value]
    low, high = np.floor(min(marks)) - 1.5, np.ceil(max(marks)) + 1.5
    halves = np.arange(low, high + 0.25, 0.5)
    shares = [100 * win_share(scores, float(komi)).value for komi in halves]
    axes.step(halves, shares, where="mid", color=BLACK_AHEAD)
    axes.axhline(50, color=INK, linewidth=0.6)
    for komi in komis:
        share = 100 * win_share(scores, komi).value
        axes.plot([komi], [share], marker="o", color=BLACK_AHEAD)
        axes.annotate(
            f"{komi:g}: {share:.2f}", (komi, share), (-1, 3), textcoords="offset points", fontsize=5.6, rotation=65
        )
    if np.isfinite([fair.low, fair.high]).all():
        axes.axvspan(fair.low, fair.high, color="#d55e00", alpha=0.25, linewidth=0)
    axes.axvline(fair.value, color="#d55e00", linewidth=0.9, label=f"fair komi {_with_error(fair)}")
    plain_axes(axes)
    axes.set_xlim(low, high)
    axes.set_ylim(min(shares) - 1, max(shares) + 0.3 * (max(shares) - min(shares)) + 1)
    axes.set_xlabel("komi (points)")
    axes.set_ylabel("Black wins (%)")
    axes.legend(loc="lower left", borderaxespad=0.2, framealpha=1, edgecolor="none")


def _mark_komis(axes: Any, komis: Sequence[float]) -> None:
    """A small triangle under the upper rim at each komi."""
    low, high = axes.get_xlim()
    inside = [komi for komi in komis if low < komi < high]
    axes.margins(y=0.12)
    axes.plot(
        inside, [0.965] * len(inside), transform=axes.get_xaxis_transform(), linestyle="none", marker="v",
        markersize=3, color="#d55e00", label="komi " + ", ".join(f"{komi:g}" for komi in inside),
    )  # fmt: skip


def _color_legend(axes: Any) -> None:
    from matplotlib.patches import Patch

    handles, labels = axes.get_legend_handles_labels()
    patches = [Patch(color=BLACK_AHEAD), Patch(color=WHITE_AHEAD)]
    axes.legend([*patches, *handles], ["Black ahead", "White ahead", *labels], frameon=False, loc="upper left",
                fontsize=5.8, borderaxespad=0.1, handlelength=1.2)  # fmt: skip


def _errors(
    axes: Any, places: Sequence[float], estimates: Sequence[Estimate], series: int, label: str, line: str = "none"
) -> None:
    """Points with error bars; an interval without end is left out."""
    color, marker = SERIES[series % len(SERIES)]
    values = np.array([one.value for one in estimates])
    below = values - np.array([one.low for one in estimates])
    above = np.array([one.high for one in estimates]) - values
    sides = np.where(np.isfinite([below, above]), [below, above], 0.0)
    axes.errorbar(
        places, values, yerr=np.maximum(sides, 0), color=color, marker=marker, linestyle=line, linewidth=0.9,
        elinewidth=0.9, capsize=1.8, label=label,
    )  # fmt: skip


def _with_error(estimate: Estimate) -> str:
    half = estimate.half_width
    digits = 1 if not 0 < half < float("inf") else int(np.clip(1 - np.floor(np.log10(half)), 0, 5))
    return f"{estimate.value:.{digits}f} ± {half:.{digits}f}"


