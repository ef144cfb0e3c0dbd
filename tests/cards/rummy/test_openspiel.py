"""Gin rummy of OpenSpiel, on a million hands of ten cards.

Skipped unless OpenSpiel is installed: `pip install open_spiel`, then `pytest tests/cards/rummy/test_openspiel.py`.
"""

from __future__ import annotations

import numpy as np
import pytest

from foogo.cards.card import CARDS
from foogo.cards.rummy import best_meldings, grid

HANDS = 1_000_000


def test_a_million_hands() -> None:
    pyspiel = pytest.importorskip("pyspiel", reason="needs OpenSpiel: pip install open_spiel")
    gin = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10)
    hands = np.random.default_rng(1).random((HANDS, CARDS)).argpartition(10, axis=1)[:, :10]
    suits, ranks = np.divmod(hands, 13)
    theirs = 13 * suits + (ranks + 1) % 13  # its ace is rank 0; the order of suits changes nothing
    deadwood = best_meldings(grid(hands)).deadwood.tolist()
    assert deadwood == [gin.min_deadwood(hand) for hand in theirs.tolist()]
