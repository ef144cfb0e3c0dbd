"""Win share and score of every position of a game, and what each move cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np

from foogo.analysis.words import HEAD, describe, move_cells, swing_lines
from foogo.arguments import check_progress, whole
from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, COLOR_NAMES, geometry
from foogo.game.notation import counted, number_text
from foogo.playout.policies import STRONGEST, AnyPolicy
from foogo.search.parameters import SearchParameters
from foogo.search.result import SearchResult
from foogo.search.search import Search, Until
from foogo.tables import data_frame, html_table

if TYPE_CHECKING:
    from pandas import DataFrame

SMALLEST_SWING = 0.02  # the smallest loss of win share that makes a move a swing

Progress = Callable[[int, int], object]
"""Called with the number of positions searched and the total number."""


@dataclass(frozen=True)
class PositionView:
    """The value of a position, by a search; win shares and scores are Black's.

    Attributes
    ----------
    turns
        The turns played before it.
    to_play
        BLACK or WHITE.
    win_share
        Over all playouts of the search, 0 to 1, a draw counting half; if the result is proven, that result.
    score
        The mean lead over these playouts, in points after komi.
    best_share
        The win share over the playouts that began with the best move.
    variation
        The best move and its continuation: points and PASS.
    simulations
        Of the search.
    mean_share
        The win share over all playouts, proven or not.
    proven
        Whether the result is proven.
    """

    turns: int
    to_play: int
    win_share: float
    score: float
    best_share: float
    variation: tuple[int, ...]
    simulations: int
    mean_share: float
    proven: bool

    @property
    def best(self) -> int:
        """The best move: a point or PASS."""
        return self.variation[0]


@dataclass(frozen=True)
class MoveView:
    """A move of the game, and the positions before and after it.

    Attributes
    ----------
    number
        1 for the first move.
    color, move
        BLACK or WHITE, and a point or PASS.
    before, after
        The positions.
    """

    number: int
    color: int
    move: int
    before: PositionView
    after: PositionView

    @property
    def loss(self) -> float:
        """The win share that the move cost its player compared with the best move, -1 to 1.

        If both positions are proven, it is the difference of their results. Otherwise both terms are means over
        playouts with the opponent to move: the mean over a search favours the player to move slightly, and this bias
        cancels. A negative loss means that the search had underestimated the move.
        """
        if self.before.proven and self.after.proven:
            loss = self.before.win_share - self.after.win_share
        else:
            loss = self.before.best_share - self.after.mean_share
        return loss if self.color == BLACK else -loss

    @property
    def is_best(self) -> bool:
        """Whether it is the search's best move."""
        return self.move == self.before.best


@dataclass(frozen=True, repr=False)
class Analysis:
    """The values of the positions of a game.

    Attributes
    ----------
    game
        The game.
    positions
        The positions from the start: all of them, or those searched before an interruption.
    """

    game: Game
    positions: tuple[PositionView, ...]

    @property
    def is_complete(self) -> bool:
        """Whether every position was searched."""
        return len(self.positions) == len(self.game.turns) + 1

    @property
    def moves(self) -> tuple[MoveView, ...]:
        """The moves between the analyzed positions."""
        steps = zip(self.game.turns, self.positions, self.positions[1:], strict=False)
        return tuple(
            MoveView(number, turn.color, turn.move, before, after)
            for number, (turn, before, after) in enumerate(steps, 1)
        )

    def swings(self, count: SupportsIndex = 5) -> tuple[MoveView, ...]:
        """The moves with the largest losses of win share, in game order.

        The search's best moves are excluded, and losses below `SMALLEST_SWING`, which are noise. An ArgumentError is
        raised if `count` is not a whole number from 0 on.
        """
        count = whole("swings", count, 0, 2**31)
        losing = [move for move in self.moves if not move.is_best and move.loss >= SMALLEST_SWING]
        largest = sorted(losing, key=lambda move: -move.loss)[:count]
        return tuple(sorted(largest, key=lambda move: move.number))

    def as_dict(self, swings: SupportsIndex = 5) -> dict[str, Any]:
        """Everything by name, for JSON; win shares and scores are Black's."""
        vertex = geometry(self.game.size).vertex
        positions = [
            {**vars(one), "to_play": COLOR_NAMES[one.to_play], "variation": [vertex(move) for move in one.variation]}
            for one in self.positions
        ]
        return {
            "size": self.game.size, "komi": self.game.komi, "rules": str(self.game.rules),
            "complete": self.is_complete, "positions": positions, "moves": [*map(self._as_row, self.moves)],
            "swings": [one.number for one in self.swings(swings)],
        }  # fmt: skip

    def to_frame(self) -> DataFrame:
        """A pandas DataFrame with a row for each of `moves`.

        Its columns are `number`, `color`, `move`, `win_share` and `score`, Black's after the move, `loss`, and `best`,
        the search's move. A MissingPackageError is raised if pandas is not installed.
        """
        names = ("number", "color", "move", "win_share", "score", "loss", "best")
        rows = [self._as_row(one) for one in self.moves]
        return data_frame({name: [row[name] for row in rows] for name in names})

    def __str__(self) -> str:
        ends = [("start", 0), ("end", -1)] if self.positions else []
        lines = [f"at the {name}: {describe(self.positions[place])}" for name, place in ends]
        return "\n".join([self._title, *lines, *swing_lines(self.game.size, self.swings())])

    def _repr_html_(self) -> str:
        size, vertex = self.game.size, geometry(self.game.size).vertex
        rows = [[*move_cells(size, move), vertex(move.before.best)] for move in self.moves]
        return html_table(self._title, HEAD, rows)

    def __repr__(self) -> str:
        return f"<Analysis of {self._title}>"

    @property
    def _title(self) -> str:
        game, found = self.game, len(self.positions)
        wanted = "" if self.is_complete else f" of {len(game.turns) + 1}"
        return f"{game.size}x{game.size}, komi {number_text(game.komi)}, {counted(found, 'position')}{wanted}"

    def _as_row(self, one: MoveView) -> dict[str, Any]:
        """A move by name, with vertices."""
        vertex = geometry(self.game.size).vertex
        return {
            "number": one.number, "color": COLOR_NAMES[one.color], "move": vertex(one.move),
            "win_share": one.after.win_share, "score": one.after.score, "loss": one.loss,
            "best": vertex(one.before.best),
        }  # fmt: skip


def analyze_game(
    game: Game,
    *,
    simulations: SupportsIndex | None = None,
    seconds: float | None = None,
    threads: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    policy: str | AnyPolicy | None = STRONGEST,
    parameters: SearchParameters | None = None,
    progress: Progress | None = None,
) -> Analysis:
    """Search every position of a game.

    Each position gets a new tree. A position after two passes is searched as if the game were resumed.

    Parameters
    ----------
    game
        The game.
    simulations, seconds
        The limits per position: one of them, or both, whichever is reached first.
    threads, seed, policy, parameters
        As for `foogo.Search`. One thread limited by simulations alone always gives the same analysis.
    progress
        Called after each position.

    Returns
    -------
    Analysis
        After Ctrl-C, of the positions searched so far.

    Raises
    ------
    ArgumentError
        If there is no limit, or a number is out of range.

    Examples
    --------
    >>> game = Game(3, komi=7)
    >>> for vertex in ("B2", "A1", "B3"):
    ...     game.play(vertex)
    >>> analysis = analyze_game(game, simulations=2000)
    >>> len(analysis.positions), analysis.positions[1].win_share > 0.8
    (4, True)
    """
    check_progress(progress)
    views = []
    for view in analyze_positions(
        game, simulations=simulations, seconds=seconds, threads=threads, seed=seed, policy=policy, parameters=parameters
    ):
        views.append(view)
        if progress is not None:
            progress(len(views), len(game.turns) + 1)
    return Analysis(game.copy(), tuple(views))


def analyze_positions(
    game: Game,
    *,
    simulations: SupportsIndex | None = None,
    seconds: float | None = None,
    threads: SupportsIndex = 1,
    seed: SupportsIndex = 0,
    policy: str | AnyPolicy | None = STRONGEST,
    parameters: SearchParameters | None = None,
    until: Until | None = None,
) -> Iterator[PositionView]:
    """The positions of a game in turn, each when its search ends; the arguments and errors are as for `analyze_game`.

    Ctrl-C during a search ends the iteration, without its position. So does a true result of `until`, which is called
    with a snapshot of the search from time to time.
    """
    if not isinstance(game, Game):
        raise ArgumentError(f"an analysis needs a Game, not {type(game).__name__}: Game(board) makes one of a board")
    if simulations is None and seconds is None:
        raise ArgumentError("no limit for the search: give simulations or seconds for each position")
    replayed = Game(game.start, game.rules, game.komi)
    turns = game.turns
    for number in range(len(turns) + 1):
        if number:
            replayed.play(turns[number - 1].move, turns[number - 1].color)
        if replayed.is_over:
            replayed.resume()
        position = replayed.copy()  # a changed turn must not stay in the history, which superko looks at
        position.to_play = turns[number].color if number < len(turns) else game.to_play
        search = Search(position, threads=threads, seed=seed, policy=policy, parameters=parameters)
        try:
            result = search.run(simulations=simulations, seconds=seconds, until=until)
        except KeyboardInterrupt:
            return
        if result.interrupted or (until is not None and until(result)):
            return
        yield _view(number, result)


def _view(turns: int, result: SearchResult) -> PositionView:
    rows, share, score = result.moves, result.value, result.score
    best = float(np.nan_to_num(rows["win_share"][0], nan=share))  # the best move may have no playouts
    mean = share
    if result.proven:  # then `value` is the result
        mean = float(np.nan_to_num(rows["win_share"]) @ rows["visits"] / max(1, rows["visits"].sum()))
    if result.to_play != BLACK:
        share, score, best, mean = 1 - share, -score, 1 - best, 1 - mean
    return PositionView(turns, result.to_play, share, score, best, result.pv, result.simulations, mean, result.proven)
