"""The 3x3 patterns of docs/reference/playout.md, matched sign by sign.

A part of the oracle, which shares nothing with foogo.
"""

from __future__ import annotations

import re
from functools import cache

PATTERNS = """
X O X   X O .   X O ?   . O .   X O ?   X O ?   ? X ?   O X ?
. . .   . . .   X . .   X . .   O . o   O . X   O . O   o . O
? ? ?   ? . ?   x . ?   . . .   ? o ?   ? ? ?   o o o   ? ? ?

X . ?   O X ?   ? X ?   ? X O   ? O X
O . ?   X . O   x . O   x . x   X . O
# # #   # # #   # # #   # # #   # # #
"""
"""As docs/reference/playout.md draws them."""


MOGO_PATTERNS = {
    "enclosing hane": "XOX ... ???",
    "non-cutting hane": "XO. ... ?.?",
    "magari": "XO? X.. x.?",
    "diagonal attachment": ".O. X.. ...",
    "unprotected cut": "XO? O.o ?o?",
    "peeped cut": "XO? O.X ???",
    "de": "?X? O.O ooo",
    "cut keima": "OX? o.O ???",
    "chase at the edge": "X.? O.? ###",
    "block a cut at the edge": "OX? X.O ###",
    "block a connection at the edge": "?X? x.O ###",
    "sagari": "?XO x.x ###",
    "cut at the edge": "?OX X.O ###",
}
"""The same by name, three rows each. X and O are the two colours, either of which may be to play; x is anything but X,
o anything but O, ? anything, # beyond the edge.

References
----------
S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", 2006, as listed by
P. Baudis in Michi, 2015.
"""


@cache
def every_pattern() -> frozenset[str]:
    """The patterns in all ways."""
    found: set[str] = set()
    for band in PATTERNS.strip().split("\n\n"):
        rows = [line.split() for line in band.splitlines()]
        for left in range(0, len(rows[0]), 3):
            found |= in_all_ways("".join(sign for row in rows for sign in row[left : left + 3]))
    return frozenset(found)


def in_all_ways(pattern: str) -> set[str]:
    """Nine signs row by row, turned and mirrored in all ways, with the colours as drawn and exchanged."""
    square = [list(pattern[:3]), list(pattern[3:6]), list(pattern[6:])]
    found = set()
    for _ in range(4):
        square = [list(row) for row in zip(*reversed(square), strict=True)]
        for rows in (square, [row[::-1] for row in square]):
            text = "".join(sign for row in rows for sign in row)
            found |= {text, text.translate(str.maketrans("XOxo", "OXox"))}
    return found


@cache
def expression() -> re.Pattern[str]:
    """The regular expression that nine points match if one of the patterns fits on them."""
    means = {".": "[.]", "X": "X", "O": "O", "x": "[.O#]", "o": "[.X#]", "?": "[.XO#]", "#": "#"}
    return re.compile("|".join("".join(means[want] for want in pattern) for pattern in every_pattern()))


def some_pattern_fits(signs: str) -> bool:
    """Whether one of the patterns fits on nine points."""
    return expression().fullmatch(signs) is not None
