"""Exact values of small boards under perfect play, to compare with measurements."""

from __future__ import annotations

from dataclasses import dataclass

SOLVED_HERE = "foogo solve --rules positional"
SOLVED_MIGOS = "foogo solve --rules migos"
VAN_DER_WERF = "van der Werf, van den Herik and Uiterwijk 2003"
"""E. C. D. van der Werf, H. J. van den Herik and J. W. H. M. Uiterwijk, "Solving Go on small boards", ICGA
Journal 26 (2003), pages 92-107: area scoring, without suicide and without superko."""


@dataclass(frozen=True)
class Exact:
    """Black's lead in points under perfect play by area scoring, komi 0, and its source."""

    value: int
    source: str


FOUND_BY_SUPERKO = {(1, 2): 0, (1, 3): 3, (1, 4): 4, (1, 5): 0, (1, 6): 1, (2, 2): 1, (2, 3): 0, (2, 4): 8, (3, 3): 9}

EXACT = {board: Exact(value, SOLVED_HERE) for board, value in FOUND_BY_SUPERKO.items()} | {
    (4, 4): Exact(2, SOLVED_MIGOS),
    (5, 5): Exact(25, f"{SOLVED_MIGOS}; {VAN_DER_WERF}"),
}
"""Values by rows and columns. Tests solve all but 4x4 and 5x5 again, under the rules of studies."""


def exact_score(size: int) -> Exact | None:
    """The value of a square board; None if it is unknown."""
    return EXACT.get((size, size))
