"""Positions from which a GPU, or what stands in for one, and the processor play the same games."""

from __future__ import annotations

from foogo import WHITE, Board

SEED, FIRST = 2**63 + 11, 2**32 - 5
"""Both halves of the seed and of the number matter."""

KO = """
. . . . .
. X O . .
X . X O .
. X O . .
. . . . .
"""


def positions(size: int) -> list[Board]:
    """The empty board, and on 5x5 a ko and a position with White to move."""
    if size != 5:
        return [Board(size)]
    later = Board(5)
    for vertex in ("C3", "B2", "D2"):
        later.play(vertex)
    ko = Board.from_diagram(KO, to_play=WHITE)
    ko.play("B3")
    return [Board(5), later, ko]
