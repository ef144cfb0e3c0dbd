"""Charts of strength of play: Black's advantage against it, and the win share over the komi played for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from foogo.errors import PlotError
from foogo.stats.estimates import Estimate, win_share
from foogo.stats.even_komi import fitted_shares
from foogo.study.config import PLAYOUT_POLICIES, SELF_PLAY_KOMI
from foogo.study.report.exact_scores import exact_score
from foogo.study.report.style import INK, SERIES, error_bars, new_figure, style_axes, styled
from foogo.study.strengths import Setting, Strength

GAP = 0.55
"""The distance between playout policies, and to the weakest search, in powers of ten on the axis of simulations."""


def strength_chart(lines: Mapping[Setting, Sequence[Strength]], komi: float = SELF_PLAY_KOMI, title: str = "") -> Any:
    """A figure of the fair komi, Black's mean score and win share against strength of play, with a line per board.

    Parameters
    ----------
    lines
        The measured strengths of each board.
    komi
        Of the win share.
    title
        Above it.

    Returns
    -------
    matplotlib.figure.Figure
        Dashed lines are the exact values of solved boards. A hollow triangle is the known bound of a fair komi whose
        value is infinite. A fair komi without any bound is left out. Sideways shifts separate the bars of the boards.

    Raises
    ------
    PlotError
        If there is nothing to draw.
    """
    if not any(lines.values()):
        raise PlotError("there is nothing to plot: this store has only runs of policy random")
    places = _places(lines)
    with styled():
        figure = new_figure(5.6)
        fair, mean, share = figure.subplots(3, 1, sharex=True, gridspec_kw={"height_ratios": [1.2, 1, 0.9]})
        for i, (setting, line) in enumerate(lines.items()):
            at = [places[one.policy] + 0.03 * (i - (len(lines) - 1) / 2) for one in line]
            _fair_komis(fair, at, [one.fair for one in line], i, str(setting))
            error_bars(mean, at, [one.mean for one in line], i, line="-")
            known = [(x, found) for x, one in zip(at, line, strict=True) if (found := one.share(komi)) is not None]
            error_bars(share, [x for x, _ in known], [found.in_percent() for _, found in known], i, line="-")
            for axes, exact in ((fair, exact_score(setting.size)), (mean, exact_score(setting.size))):
                if exact is not None:
                    axes.axhline(exact.value, color=SERIES[i % len(SERIES)][0], linewidth=0.8, linestyle="--")
        share.axhline(50, color=INK, linewidth=0.6)
        for axes, label in (
            (fair, "fair komi (points)"), (mean, "mean score (points)"), (share, f"Black wins, komi {komi:g} (%)"),
        ):  # fmt: skip
            style_axes(axes)
            axes.set_ylabel(label)
        share.set_xticks(list(places.values()), [_tick(policy) for policy in places], rotation=25, ha="right")
        share.set_xlabel("both sides: playouts, or simulations a move")
        _legend(figure, fair, lines)
        figure.suptitle(title)
    return figure


def komi_chart(line: Sequence[Strength], title: str = "") -> Any:
    """A figure of Black's win share over the komi that both sides play for, a curve for each strength.

    Parameters
    ----------
    line
        The strengths of one board.
    title
        Above it.

    Returns
    -------
    matplotlib.figure.Figure
        Bars are Wilson's 95 % intervals at each komi played for; lines are the decreasing shares of largest likelihood.
        A playout policy ignores the komi and has only a line. The axis spans the komis played for.

    Raises
    ------
    PlotError
        If no search is among the strengths.
    """
    komis = [komi for one in line for komi in one.komis]
    if not komis:
        raise PlotError("there is nothing to plot: no run on this board is of policy search:N")
    with styled():
        figure = new_figure(3.0)
        axes = figure.add_subplot()
        axes.axhline(50, color=INK, linewidth=0.6)
        for i, one in enumerate(line):
            color = SERIES[i % len(SERIES)][0]
            if one.komis:
                fit = fitted_shares(one.wins())
                axes.plot(list(fit), [100 * value for value in fit.values()], color=color, linewidth=0.9)
                shares = [win_share(one.totals[komi].scores, komi).in_percent() for komi in one.komis]
                error_bars(axes, one.komis, shares, i, one.policy)
            else:
                halves = np.arange(np.floor(min(komis)) - 0.5, np.ceil(max(komis)) + 1)
                shown = [100 * win_share(one.totals[None].scores, float(komi)).value for komi in halves]
                axes.plot(halves, shown, color=color, linewidth=0.9, linestyle=":", label=one.policy)
        style_axes(axes)
        axes.set_ylim(-3, 103)
        axes.set_xlim(min(komis) - 1, max(komis) + 1)
        axes.set_xlabel("komi played for (points)")
        axes.set_ylabel("Black wins (%)")
        figure.legend(loc="outside lower center", ncols=3, frameon=False)
        figure.suptitle(title)
    return figure


def _places(lines: Mapping[Setting, Sequence[Strength]]) -> dict[str, float]:
    """The place of each policy: the logarithm of a search's simulations; playout policies before all searches."""
    searched = {one.policy: np.log10(one.simulations) for line in lines.values() for one in line if one.simulations}
    names = {one.policy for line in lines.values() for one in line}
    playouts = [name for name in PLAYOUT_POLICIES if name in names]
    start = min(searched.values(), default=0.0)
    places = {name: float(start - GAP * (len(playouts) - i)) for i, name in enumerate(playouts)}
    return places | {name: float(place) for name, place in sorted(searched.items(), key=lambda pair: pair[1])}


def _fair_komis(axes: Any, at: Sequence[float], fair: Sequence[Estimate], series: int, label: str) -> None:
    # Without a finite bound there is no bar, and the value would look exact.
    known = [
        (x, one)
        for x, one in zip(at, fair, strict=True)
        if np.isfinite(one.value) and np.isfinite([one.low, one.high]).any()
    ]
    error_bars(axes, [x for x, _ in known], [one for _, one in known], series, label, line="-")
    color = SERIES[series % len(SERIES)][0]
    for x, one in zip(at, fair, strict=True):
        end = one.low if one.value > 0 else one.high
        if not np.isfinite(one.value) and np.isfinite(end):
            marker = "^" if one.value > 0 else "v"
            axes.plot([x], [end], marker=marker, markersize=5, color=color, fillstyle="none", linestyle="none")


def _legend(figure: Any, axes: Any, lines: Mapping[Setting, Sequence[Strength]]) -> None:
    handles, labels = axes.get_legend_handles_labels()
    if any(exact_score(setting.size) is not None for setting in lines):
        (dashes,) = axes.plot([], [], color=INK, linewidth=0.8, linestyle="--")
        handles, labels = [*handles, dashes], [*labels, "exact"]
    figure.legend(handles, labels, loc="outside lower center", ncols=min(4, len(labels)), frameon=False)


def _tick(policy: str) -> str:
    return f"{int(policy.removeprefix('search:')):,}" if policy.startswith("search:") else policy
