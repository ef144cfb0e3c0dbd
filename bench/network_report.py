"""How good a fit of the network is: its losses as it goes on, and its values against the results of games."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.stats.estimates import Estimate, wilson
from foogo.study.report.style import INK, SERIES, error_bars, legend_above, new_figure, save, style_axes, styled


class Moment(NamedTuple):
    """A fit at some moment: the losses of moves, values and owners."""

    epochs: float
    fitted: NDArray[np.float32]
    """At positions of the fit."""
    apart: NDArray[np.float32]
    """At positions held out."""

    def __str__(self) -> str:
        named = "moves {:.4f}, value {:.4f}, owner {:.4f}"
        return f"{self.epochs:.1f} epochs: held out {named.format(*self.apart)}; fitted {named.format(*self.fitted)}"


class Tenth(NamedTuple):
    """The positions whose values lie in a tenth of the range."""

    value: float
    """The mean value, as a win share."""
    positions: int
    won: Estimate
    """The share won. Positions of a game have one result, so that the interval is that of the number of games."""

    def __str__(self) -> str:
        return f"value {self.value:.3f}: {self.positions} positions, won {self.won.between()}"


def calibration(values: NDArray[Any], won: NDArray[Any], game: NDArray[Any]) -> list[Tenth]:
    """The share won of positions by their value, given the result and the number of the game of each position."""
    tenths = []
    for tenth in range(10):
        here = np.minimum(values * 10, 9).astype(int) == tenth
        if here.any():
            games = len(np.unique(game[here]))
            tenths.append(Tenth(float(values[here].mean()), int(here.sum()), wilson(won[here].mean() * games, games)))
    return tenths


def draw(moments: list[Moment], tenths: list[Tenth], path: Path) -> None:
    """Draw the losses of moves and of values by epoch, and the calibration."""
    with styled():
        figure = new_figure(2.2, 7.0)
        panels = figure.subplots(1, 3)
        for axes in panels:
            style_axes(axes)
        epochs = [moment.epochs for moment in moments]
        for number, (axes, name) in enumerate(zip(panels, ("moves", "values"), strict=False)):
            for series, (field, label) in enumerate((("apart", "held out"), ("fitted", "fitted"))):
                color, marker = SERIES[series]
                losses = [getattr(moment, field)[number] for moment in moments]
                axes.plot(epochs, losses, color=color, marker=marker, label=label)
            axes.set_xlabel("passes over the positions")
            axes.set_ylabel(f"cross entropy of the {name} (nats)")
            legend_above(axes)
        axes = panels[2]
        axes.plot([0, 1], [0, 1], color=INK, linewidth=0.6)
        error_bars(axes, [tenth.value for tenth in tenths], [tenth.won for tenth in tenths], 0)
        axes.set_xlabel("value (win share)")
        axes.set_ylabel("share won")
    save(figure, path)
