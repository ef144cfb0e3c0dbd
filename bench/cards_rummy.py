"""`best_meldings` beside OpenSpiel's gin rummy: `python bench/cards.py rummy`.

    pip install open_spiel

OpenSpiel's `min_deadwood` is C++, called from Python for one hand at a time. It has one deck only, so the rows for two
decks have foogo alone. The deadwood of both is compared first. OpenSpiel is left out if it is not installed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.cards.card import CARDS
from foogo.cards.rummy import best_meldings, grid

HANDS, CALLS = 1_000_000, 100_000


def comparisons() -> dict[str, dict[str, Callable[[], int]]]:
    """Gin rummy, and hands of two decks."""
    gin = dealt(10, 1)
    found: dict[str, Callable[[], int]] = {"foogo": partial(melded, grid(gin), 1)}
    if find_spec("pyspiel"):
        found["OpenSpiel, Python calls"] = openspiel(gin[:CALLS])
    doubles = {size: partial(melded, grid(dealt(size, 2)), 2) for size in (14, 16)}
    return {"10 cards of one deck": found} | {
        f"{size} cards of two decks": {"foogo": doubles[size]} for size in doubles
    }


def dealt(size: int, decks: int) -> NDArray[np.intp]:
    """Random hands as cards, shape (HANDS, size)."""
    shuffled = np.random.default_rng(1).random((HANDS, decks * CARDS), np.float32).argpartition(size, axis=1)
    return shuffled[:, :size] % CARDS


def melded(hands: NDArray[np.uint8], decks: int) -> int:
    """Meld all hands on one core."""
    return len(best_meldings(hands, decks, threads=1))


def openspiel(hands: NDArray[np.intp]) -> Callable[[], int]:
    """OpenSpiel's `min_deadwood`, once it agrees with foogo; its ace is rank 0."""
    least: Callable[[Any], int] = import_module("pyspiel").gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood
    theirs = (hands // 13 * 13 + (hands % 13 + 1) % 13).tolist()
    if [least(hand) for hand in theirs] != best_meldings(grid(hands)).deadwood.tolist():
        raise SystemExit("cards_rummy: OpenSpiel and foogo differ")

    def call() -> int:
        for hand in theirs:
            least(hand)
        return len(theirs)

    return call
