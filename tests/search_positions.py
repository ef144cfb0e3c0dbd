"""Drawn 9x9 positions with the moves that a search must find, and within how many simulations.

All around the problem is settled, and komi is such that only the right move wins.
"""

from __future__ import annotations

from typing import NamedTuple

from foogo import Board, Game
from foogo.game.geometry import BLACK, WHITE

SETTLED = """
. X . X O . O . O
X X X X O O O O O
. X . X O . O . O
X X X X O O O O O"""
"""The upper four rows: 16 points of Black's, 20 of White's, all alive."""


class Problem(NamedTuple):
    """A position, given by all its rows or the lower five, and its answer."""

    name: str
    rows: str
    to_play: int
    komi: float
    answers: str
    simulations: int
    ko: str | None = None

    @property
    def diagram(self) -> str:
        """The whole board."""
        return self.rows if self.rows.count("\n") == 9 else SETTLED + self.rows

    def game(self) -> Game:
        """A new game from the position."""
        return Game(Board.from_diagram(self.diagram, self.to_play, ko=self.ko), komi=self.komi)


THREE_IN_LINE = """
X X X X X X X O O
X X X X X X X O O
X O O O O O X O .
X O . . . O X O O
X O O O O O X O O"""

PYRAMID_FOUR = """
X X X X X X X O O
X X X X X X X O O
X O O O O O X O .
X O . . . O X O O
X O O . O O X O O"""

SEKI = """
X X X X X O O O O
X X X X X X X X O
X X X X X X X X X
X O O O O O O O X
X O . X X X . O X"""

KO = """
X X X X O O O O O
X X X X O O O O O
X X X X O O . O .
X X X O . O O O O
. X X X O O . O O"""

LAST_POINT = """
X X X X O O O O O
X . X X O O O . O
X X X X . O O O O
X . X X O O O . O
X X X X O O O O O"""

CUT_OR_CONNECT = """
X X X X X O O O O
X X X X X O O O O
X O O X X X X O .
O O O . O O X O O
. O . X . O X O O"""

RACE = """
X X X X X X X O O
X O O O O O X O .
X O X X X O X O O
X O X . . O X O O
X O X . . O X O O"""

SNAPBACK = """
X X X X X X X O O
X X X X X X X O O
X . X X X X X X O
X X X X X O O X O
X . X X X . . O O"""

LADDER = """
X X X X X X X O O
X X X X X O O O O
X . . O X O . O O
X . . . . O O O O
X . . . . O . O O"""

KO_THREAT = """
. X . X O . O . O
X X X X O O O O O
X X X O . O O O O
X X X X O O O O O
X X X X X X X X O
X O O O O O O X O
X O . . . . O X O
X O O O O O O X O
X X X X X X X X O"""
"""White has just taken the ko at D7; four points in a row are two eyes as long as White answers in their middle."""

HIDDEN = """
. O X O . X . . X . . . .
. . X O O . X O O O O O O
O X X X O O O X O X X X .
O O X O O O X X X X . X X
. O O X X X . X . O O O X
. O O X . X X . X X O X X
. X X O O O . . X O O O O
X X . X O X . X X O X X X
X O O O O . X X X O X . X
O . O X . X X O X X O X X
. O O X . X X O X O O O X
. O X X X O X O O O O O X
. O O . X O O . O . O O ."""
"""White to play: N1 wins, komi 7. Its prior is high and its AMAF poor."""

OVERLOOKED = """
O O O O O X X O .
O X X O X . X X O
. O X O X X X X X
. O X O X X X . X
. O X O O X . O .
. O X . O X . X .
X X X X O O X . X
O O O O X X X X X
. O . X X . . . .
"""
"""From a game against GNU Go: Black wins by C1, whose AMAF is so poor that it may get a few playouts and no more."""

PROBLEMS = (
    Problem("kill by the middle of three", THREE_IN_LINE, BLACK, 0.0, "D2", 2_000),
    Problem("live by the middle of three", THREE_IN_LINE, WHITE, 0.0, "D2", 2_000),
    Problem("kill by the middle of four", PYRAMID_FOUR, BLACK, 0.0, "D2", 4_000),
    Problem("live by the middle of four", PYRAMID_FOUR, WHITE, 0.0, "D2", 4_000),
    Problem("leave the seki alone as White", SEKI, WHITE, 11.5, "pass", 4_000),
    Problem("leave the seki alone as Black", SEKI, BLACK, 10.5, "pass", 4_000),
    Problem("take the last point", LAST_POINT, BLACK, -8.5, "E3", 2_000),
    Problem("take the last point as White", LAST_POINT, WHITE, -8.5, "E3", 2_000),
    Problem("win the ko", KO, BLACK, -9.0, "E2", 2_000),
    Problem("end the ko", KO, WHITE, -9.0, "E2", 2_000),
    Problem("cut", CUT_OR_CONNECT, BLACK, 0.0, "D2", 2_000),
    Problem("connect", CUT_OR_CONNECT, WHITE, 0.0, "D2", 2_000),
    Problem("throw in for a snapback", SNAPBACK, BLACK, 22.0, "G1", 2_000),
    Problem("connect out of a snapback", SNAPBACK, WHITE, 22.0, "G1", 2_000),
    Problem("chase in a ladder along the edge", LADDER, BLACK, 2.0, "E2", 8_000),
    Problem("make a ko threat", KO_THREAT, BLACK, -5.0, "D3 E3", 8_000, "E7"),
    Problem("take the eye away in a race", RACE, BLACK, 0.0, "E1 E2", 4_000),
)
