"""Charts of a study: the scores of a run, Black's advantage by board size and by strength of play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.errors import PlotError
from foogo.game.notation import number_text
from foogo.playout.policies import POLICIES
from foogo.stats.estimates import Estimate, fair_komi, mean_score, points, win_share
from foogo.stats.even_komi import fitted_shares
from foogo.study.config import SELF_PLAY_KOMI
from foogo.study.report.exact_scores import exact_score
from foogo.study.report.style import (
    BLACK_AHEAD,
    INK,
    SERIES,
    WHITE_AHEAD,
    error_bars,
    halo,
    legend_above,
    new_figure,
    style_axes,
    styled,
    true_minus,
)
from foogo.study.strengths import Setting, Strength

MOST_BARS = 120
"""The widest range of scores, in points, that is drawn with gaps between the bars."""

NEAR = 0.04
"""Komis nearer than this share of the axis have one label."""

GAP = 0.55
"""The distance between playout policies, and to the weakest search, in powers of ten on the axis of simulations."""


def score_chart(scores: NDArray[np.int64], komis: Sequence[float], title: str = "") -> Any:
    """A figure of the distribution of scores, and of Black's win share over komi, with `komis` marked in both.

    `scores` are games by score. All are shown but those of at most one game in 2000 on either side.
    """
    values, n = points(scores), int(scores.sum())
    cumulated = np.cumsum(scores) / n
    low, high = (int(values[np.searchsorted(cumulated, share)]) for share in (0.0005, 0.9995))
    with styled():
        figure = new_figure(3.9)
        top, bottom = figure.subplots(2, 1, gridspec_kw={"height_ratios": [1, 1]})
        colors = [BLACK_AHEAD if value > 0 else WHITE_AHEAD if value < 0 else "#999999" for value in values]
        many = high - low > MOST_BARS
        width = _step(scores) * (1.0 if many else 0.9)
        top.bar(values, 100 * scores / n, width=width, color=colors, linewidth=0, antialiased=not many)
        mean = mean_score(scores)
        top.axvline(mean.value, color=INK, linewidth=0.9, label=true_minus(f"mean {mean.plus_minus()}"))
        style_axes(top)
        top.set_xlim(low - 1.5, high + 1.5)
        _mark_komis(top, komis)
        top.set_ylabel("games (%)")
        top.set_xlabel("score (points, Black minus White, komi 0)")
        top.xaxis.get_major_locator().set_params(integer=True)
        _color_legend(top)
        _draw_shares(bottom, scores, komis)
        figure.suptitle(title)
    return figure


def size_chart(scores: Mapping[int, NDArray[np.int64]], title: str = "") -> Any:
    """A figure of Black's mean score, the fair komi and the win share by board size, with 95 % intervals.

    On tiny boards most games are won by the whole board, and the fair komi is far from the mean score. Beyond twice the
    largest mean score it is drawn as a triangle at the rim, with its value.
    """
    sizes = sorted(scores)
    means, fair = ([estimate(scores[size]) for size in sizes] for estimate in (mean_score, fair_komi))
    rim = 2 * max(abs(end) for one in means for end in (one.value, one.low, one.high) if np.isfinite(end)) or 1.0
    with styled():
        figure = new_figure(4.0)
        top, bottom = figure.subplots(2, 1, sharex=True, gridspec_kw={"height_ratios": [1.4, 1]})
        top.axhline(0, color=INK, linewidth=0.6)
        error_bars(top, [size - 0.1 for size in sizes], means, 0, "mean score")
        inside = [(size, one) for size, one in zip(sizes, fair, strict=True) if abs(one.value) <= rim]
        error_bars(top, [size + 0.1 for size, _ in inside], [one for _, one in inside], 1, "fair komi")
        for size, one in zip(sizes, fair, strict=True):
            if abs(one.value) > rim:
                _beyond(top, size + 0.1, one.value, rim)
        low = min([-0.1 * rim, *(one.low for one in means), *(one.value for _, one in inside)])
        top.set_ylim(1.1 * low if any(one.value >= -rim for one in fair) else -1.1 * rim, 1.1 * rim)
        bottom.axhline(50, color=INK, linewidth=0.6)
        error_bars(bottom, sizes, [win_share(scores[size], 0).in_percent() for size in sizes], 2)
        for axes, label in ((top, "points, Black minus White"), (bottom, "Black wins, komi 0 (%)")):
            style_axes(axes)
            axes.set_ylabel(label)
        bottom.set_xticks(sizes)
        bottom.set_xlabel("board size (points on a side)")
        legend_above(top)
        figure.suptitle(title)
    return figure


def _beyond(axes: Any, place: float, value: float, rim: float) -> None:
    """Draw a triangle at the upper or lower rim, with the value that lies beyond."""
    color, side = SERIES[1][0], 1 if value > 0 else -1
    marker = "^" if side > 0 else "v"
    axes.plot([place], [1.03 * side * rim], marker=marker, color=color, fillstyle="none", linestyle="none")
    where = {"xytext": (0, -8 * side), "textcoords": "offset points", "ha": "center", "va": "center"}
    axes.annotate(true_minus(f"{value:.1f}"), (place, 1.03 * side * rim), fontsize=5, color=color, **where)


def _draw_shares(axes: Any, scores: NDArray[np.int64], komis: Sequence[float]) -> None:
    """Draw Black's win share over komi, around the given komis and the fair one."""
    fair, area = fair_komi(scores), len(scores) // 2
    komis = [komi for komi in komis if abs(komi) <= area + 1]  # beyond, the share is 0 or 1
    marks = [*komis, fair.value]
    beside = max(1.5, np.floor((max(marks) - min(marks)) / 10) + 0.5)  # room for the label of the first
    low, high = np.floor(min(marks)) - beside, np.ceil(max(marks)) + 1.5
    halves = np.arange(low, high + 0.25, 0.5)
    shares = [100 * win_share(scores, float(komi)).value for komi in halves]
    axes.step(halves, shares, where="mid", color=BLACK_AHEAD)
    axes.axhline(50, color=INK, linewidth=0.6)
    marked = [100 * win_share(scores, komi).value for komi in komis]
    axes.plot(komis, marked, marker="o", linestyle="none", color=BLACK_AHEAD)
    middle = (min(shares) + max(shares)) / 2
    for group in _label_groups(list(zip(komis, marked, strict=True)), NEAR * (high - low)):
        (komi, share), names = group[0], [number_text(komi) for komi, _ in group]
        text = ", ".join(names) if len(names) < 4 else f"{names[0]} to {names[-1]}"
        text += ": " + " to ".join(dict.fromkeys(f"{share:.2f}" for _, share in (group[0], group[-1])))
        place: Any = {"xytext": (-1, 3)} if share < middle else {"xytext": (1, -3), "ha": "right", "va": "top"}
        look: Any = {"textcoords": "offset points", "fontsize": 5.6, "rotation": 65, "path_effects": halo()}
        axes.annotate(true_minus(text), (komi, share), **place, **look)
    if np.isfinite([fair.low, fair.high]).all():
        axes.axvspan(fair.low, fair.high, color="#d55e00", alpha=0.25, linewidth=0)
    axes.axvline(fair.value, color="#d55e00", linewidth=0.9, label=true_minus(f"fair komi {fair.plus_minus()}"))
    style_axes(axes)
    axes.set_xlim(low, high)
    room = 1 + 0.06 * (max(shares) - min(shares))
    axes.set_ylim(min(shares) - room, max(shares) + room)
    axes.set_xlabel("komi (points)")
    axes.set_ylabel("Black wins (%)")
    legend_above(axes)


def _mark_komis(axes: Any, komis: Sequence[float]) -> None:
    """Draw a small triangle under the upper rim at each komi."""
    low, high = axes.get_xlim()
    inside = [komi for komi in komis if low < komi < high]
    axes.margins(y=0.12)
    axes.plot(
        inside, [0.965] * len(inside), transform=axes.get_xaxis_transform(), linestyle="none", marker="v",
        markersize=3, color="#d55e00", label=true_minus("komi " + ", ".join(map(number_text, inside))),
    )  # fmt: skip


def _color_legend(axes: Any) -> None:
    from matplotlib.patches import Patch

    handles, labels = axes.get_legend_handles_labels()
    patches = [Patch(color=BLACK_AHEAD), Patch(color=WHITE_AHEAD)]
    legend_above(axes, [*patches, *handles], ["Black ahead", "White ahead", *labels])


def _step(scores: NDArray[np.int64]) -> int:
    """2 if nearly all scores are odd or nearly all even, as two areas share out the points of a board; else 1."""
    odd = int(scores[np.abs(points(scores)) % 2 == 1].sum())
    return 2 if min(odd, int(scores.sum()) - odd) <= scores.sum() / 100 else 1


def _label_groups(marks: Sequence[tuple[float, float]], near: float) -> list[list[tuple[float, float]]]:
    """Neighbours in one group if their shares are equal or their komis nearer than `near`."""
    groups: list[list[tuple[float, float]]] = []
    for mark in sorted(marks):
        last = groups[-1][-1] if groups else None
        if last is not None and (mark[1] == last[1] or mark[0] - last[0] < near):
            groups[-1].append(mark)
        else:
            groups.append([mark])
    return groups


def strength_chart(lines: Mapping[Setting, Sequence[Strength]], komi: float = SELF_PLAY_KOMI, title: str = "") -> Any:
    """A figure of the fair komi, Black's mean score and win share against strength of play, with a line per board.

    Dashed lines are the exact values of solved boards. A hollow triangle is the known bound of a fair komi whose value
    is infinite. A fair komi without any bound is left out. Sideways shifts separate the bars of the boards.
    """
    if not any(lines.values()):
        raise PlotError("there is nothing to plot: this store has only runs of policy uniform")
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
            (fair, "fair komi (points)"), (mean, "mean score (points)"),
            (share, f"Black wins, komi {number_text(komi)} (%)"),
        ):  # fmt: skip
            style_axes(axes)
            axes.set_ylabel(label)
        share.set_xticks(list(places.values()), [_tick(policy) for policy in places], rotation=25, ha="right")
        share.set_xlabel("both sides: playouts, or simulations per move")
        _legend(figure, fair, lines)
        figure.suptitle(title)
    return figure


def komi_chart(line: Sequence[Strength], title: str = "") -> Any:
    """A figure of Black's win share over the komi that both sides play for, a curve for each strength of one board.

    Bars are Wilson's 95 % intervals at each komi played for; lines are the decreasing shares of largest likelihood. A
    playout policy ignores the komi and has only a line. The axis spans the komis played for.
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
    written = names - searched.keys() - POLICIES.keys()
    playouts = [*(name for name in POLICIES if name in names), *sorted(written)]
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
