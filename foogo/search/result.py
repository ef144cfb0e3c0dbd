"""`SearchResult`: what a search finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from foogo.game.diagrams import draw_svg
from foogo.game.geometry import BLACK, COLOR_NAMES, PASS, geometry
from foogo.game.notation import signed
from foogo.stats.percent import percent
from foogo.tables import data_frame

if TYPE_CHECKING:
    from pandas import DataFrame

MOVE_FIELDS = np.dtype(
    [
        ("move", np.int16), ("visits", np.int64), ("win_share", np.float64),
        ("score", np.float64), ("prior", np.float64), ("rave", np.float64),
    ]
)  # fmt: skip
"""The fields of one move of a `SearchResult`."""

TEXT = 'font-family="sans-serif" font-size="0.42" fill="#fff" text-anchor="middle" dominant-baseline="central"'

SHOWN = 8
"""The most moves that the picture marks and the text lists."""

LCB_ERRORS = 1.96
"""The distance, in standard errors, from a win share to its lower confidence bound."""


@dataclass(frozen=True, eq=False)
class SearchResult:
    """The best move, and the search's estimates for every move.

    Win shares and scores are those of the player to move, scores in points after komi; ownership is Black's. In a
    snapshot of a running search, leaves in flight count in `moves` as visits that their player lost. They do not count
    in `value` and `score`.

    Attributes
    ----------
    best
        A point or PASS: of the moves with many visits, the one with the highest lower confidence bound of its win
        share. `foogo.search.parameters.SearchParameters.lcb_share` sets how many visits are required: by default a
        fifth of the most visited move's.
    moves
        (moves,) of `MOVE_FIELDS`, the best first, then by visits: the move; its playouts; its win share, a draw being
        half a win; its mean lead in points; its prior win share; its AMAF win share. NaN if there are no playouts.
    variations
        The principal variation of each of `moves`, starting with the move itself.
    variation_visits
        The playouts of each move of each variation.
    value
        The win share of the root's playouts, 0 to 1; if it is proven, the result: 1, 0.5 or 0.
    score
        Their mean lead in points.
    ownership
        (size, size), row 0 at the bottom: over the playouts of this run, 1 where Black always owned the point at the
        end, -1 where White did. If there were no playouts, over the games that two passes ended in the tree, with
        their dead stones.
    simulations, seconds
        Of this run. `moves` also counts simulations kept from earlier runs.
    size, to_play
        Of the position.
    colors
        (size, size): its stones.
    tree_size, tree_full
        Moves in the tree, and whether its memory is used up.
    times
        The shares of the threads' time spent in selection, playouts, backup and, if there is one, the evaluator.
    proven
        Whether `value` is the result under best play. The search ends then, with at least about 1,000 simulations.
    interrupted
        Whether Ctrl-C was pressed during the search. It may have made all its simulations by then.
    """

    best: int
    moves: NDArray[Any] = field(repr=False)
    variations: tuple[tuple[int, ...], ...] = field(repr=False)
    variation_visits: tuple[tuple[int, ...], ...] = field(repr=False)
    value: float
    score: float
    ownership: NDArray[np.float64] = field(repr=False)
    simulations: int
    seconds: float
    size: int
    to_play: int
    colors: NDArray[np.int8] = field(repr=False)
    tree_size: int
    tree_full: bool
    times: dict[str, float] = field(repr=False)
    proven: bool = False
    interrupted: bool = False

    @property
    def pv(self) -> tuple[int, ...]:
        """The principal variation: the best move, then the most visited answer at each turn."""
        return self.variations[0]

    @property
    def best_vertex(self) -> str:
        """The best move as text: "E5" or "pass"."""
        return geometry(self.size).vertex(self.best)

    @property
    def lower_bounds(self) -> NDArray[np.float64]:
        """The lower confidence bound of the win share of each of `moves`, 0 to 1; 0 without playouts."""
        return lower_bounds(self.moves["win_share"], self.moves["visits"])

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each of `moves`, in their order.

        Its columns are `vertex`, `visits`, `win_share`, `lower_bound`, `score`, `prior`, `rave` and `variation`, the
        vertices of the principal variation. A MissingPackageError is raised if pandas is not installed.
        """
        vertex = geometry(self.size).vertex
        columns: dict[str, Any] = {"vertex": [vertex(move) for move in self.moves["move"]]}
        columns |= {name: self.moves[name] for name in ("visits", "win_share")} | {"lower_bound": self.lower_bounds}
        columns |= {name: self.moves[name] for name in ("score", "prior", "rave")}
        return data_frame(columns | {"variation": [" ".join(map(vertex, line)) for line in self.variations]})

    @property
    def per_second(self) -> float:
        """Simulations per second of this run."""
        return self.simulations / self.seconds if self.seconds > 0 else 0.0

    def __str__(self) -> str:
        vertex = geometry(self.size).vertex
        # The mean of the playouts may have the opposite sign.
        hides_score = self.proven and self.simulations
        value = f"{percent(self.value)}, {'proven' if hides_score else f'{signed(self.score)} points'}"
        head = f"{COLOR_NAMES[self.to_play]} to play: {vertex(self.best)}, {value}"
        lines = [head, "move   visits  win %  lower  score  prior   rave  variation"]
        bounds = self.lower_bounds
        for i in sorted(range(len(bounds)), key=lambda i: (i > 0, -bounds[i]))[:SHOWN]:
            row = self.moves[i]
            won, prior, rave = (_cell(f"{100 * row[name]:.1f}") for name in ("win_share", "prior", "rave"))
            line = " ".join(map(vertex, self.variations[i][:5]))
            start = (
                f"{vertex(row['move']):4} {row['visits']:8d} {won} {100 * bounds[i]:6.1f} {_cell(signed(row['score']))}"
            )
            lines.append(f"{start} {prior} {rave}  {line}")
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """The board, shaded by ownership, with the win shares of the best and of the most visited moves."""
        board = draw_svg(self.size, self.colors.ravel().tolist(), None).removesuffix("</svg>")
        return "".join([board, *self._shades(), *self._marks(), "</svg>"])

    def _shades(self) -> list[str]:
        """A small square on each point that is owned clearly, more opaque the clearer it is."""
        shades = []
        for (row, col), share in np.ndenumerate(self.ownership):
            if abs(share) >= 0.1:
                fill = "#000" if share > 0 else "#fff"
                x, y = col + 1.35, self.size - row + 0.35
                place = f'x="{x:.2f}" y="{y:.2f}" width="0.3" height="0.3"'
                shades.append(f'<rect {place} fill="{fill}" fill-opacity="{abs(share):.2f}"/>')
        return shades

    def _marks(self) -> list[str]:
        """A disc with the win share on the best and on the most visited moves, more opaque the more visited."""
        marks = []
        most = max(1, int(self.moves["visits"].max()))
        for row in self.moves[:SHOWN]:
            if row["move"] == PASS or not row["visits"]:
                continue
            x, y = row["move"] % self.size + 1.5, self.size - row["move"] // self.size + 0.5
            weight = 0.25 + 0.75 * row["visits"] / most
            fill = "#1c7c3c" if row["move"] == self.best else "#2456a8"
            marks.append(f'<circle cx="{x}" cy="{y}" r="0.45" fill="{fill}" fill-opacity="{weight:.2f}"/>')
            marks.append(f'<text x="{x}" y="{y}" {TEXT}>{100 * row["win_share"]:.0f}</text>')
        return marks


def _cell(text: str) -> str:
    """A number of a table, "-" for none."""
    return f"{'-' if 'nan' in text else text:>6}"


def lower_bounds(shares: NDArray[np.float64], visits: NDArray[np.int64]) -> NDArray[np.float64]:
    """The lower confidence bounds of win shares, `LCB_ERRORS` standard errors below them; 0 without visits."""
    played = np.maximum(visits, 1)
    errors = np.sqrt(np.maximum(shares * (1 - shares), 0.25 / played) / played)
    return np.where(visits > 0, np.maximum(shares - LCB_ERRORS * errors, 0.0), 0.0)


def mean_leads(leads: NDArray[np.int64], visits: NDArray[np.int64], komi: float, to_play: int) -> NDArray[np.float64]:
    """The mean leads of `to_play` after komi, from sums of Black's leads; NaN if there are no visits."""
    black = leads / np.maximum(visits, 1) - komi
    return np.where(visits > 0, black if to_play == BLACK else -black, np.nan)
