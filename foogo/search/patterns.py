"""The 3x3 patterns of MoGo, as a table over the colours of a point's eight neighbours."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from foogo.game.geometry import BLACK, EMPTY, WHITE
from foogo.game.kernels.strings import BORDER

PATTERNS = {
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
"""Three rows each. X and O are the two colours, either of which may be to play; x is anything but X, o anything but O,
? anything, # beyond the edge.

References
----------
S. Gelly, Y. Wang, R. Munos, O. Teytaud, "Modification of UCT with Patterns in Monte-Carlo Go", 2006, as listed by
P. Baudis in Michi, 2015.
"""

_MEANS = {
    ".": (EMPTY,),
    "X": (BLACK,),
    "O": (WHITE,),
    "x": (EMPTY, WHITE, BORDER),
    "o": (EMPTY, BLACK, BORDER),
    "?": (EMPTY, BLACK, WHITE, BORDER),
    "#": (BORDER,),
}
_SWAPPED = str.maketrans("XOxo", "OXox")


@cache
def pattern_table() -> NDArray[np.uint64]:
    """One bit for each neighbourhood that matches a pattern.

    Returns
    -------
    ndarray, shape (1024,), uint64
        Bit ``i % 64`` of word ``i // 64`` for the neighbourhood i of `foogo.search.kernels.priors._neighborhood`.

    Examples
    --------
    >>> int(np.unpackbits(pattern_table().view(np.uint8)).sum())
    15828
    """
    matching = {
        sum(color << (2 * place) for place, color in enumerate(colors))
        for pattern in PATTERNS.values()
        for square in _orientations(np.array([list(row) for row in pattern.split()]))
        for colors in product(*(_MEANS[sign] for sign in square))
    }
    bits = np.zeros(1 << 16, np.uint8)
    bits[sorted(matching)] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def _orientations(square: NDArray[np.str_]) -> list[str]:
    """The eight neighbours row by row, in every orientation and with the colours swapped."""
    texts = []
    for turns in range(4):
        for turned in (np.rot90(square, turns), np.rot90(square, turns).T):
            text = "".join(turned.ravel())
            around = text[:4] + text[5:]
            texts += [around, around.translate(_SWAPPED)]
    return texts
