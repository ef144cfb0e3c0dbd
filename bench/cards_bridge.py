"""Double-dummy results beside DDS: `python bench/cards.py bridge`.

    pip install endplay

endplay calls DDS, which is C++: with one thread here, one position per call, or a table of 20 results per call. The
results of both are compared first. DDS is left out if endplay is not installed.

`python bench/cards_bridge.py` switches each technique off in turn.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.cards.bridge import STRAINS, tables, tricks
from foogo.cards.bridge.kernels import layout
from foogo.cards.bridge.kernels.solving import solve_all
from foogo.cards.bridge.solving import new_memory
from foogo.cards.deal import to_pbn
from foogo.cli.console import text_table

SIZES = {5: 2000, 8: 500, 10: 150, 13: 8}
"""Endings of each length in a turn."""

FULL_TABLES = 4

Masks = NDArray[np.uint64]


def comparisons() -> dict[str, dict[str, Callable[[], int]]]:
    """Endings and full deals with one strain and leader, and tables of full deals."""
    found: dict[str, dict[str, Callable[[], int]]] = {}
    for cards, n in SIZES.items():
        for strain in ("NT", "S"):
            deals = endings(n, cards)
            contestants: dict[str, Callable[[], int]] = {"foogo": partial(solved, deals, strain)}
            if find_spec("endplay"):
                contestants["DDS, one position per call"] = dds_solved(deals, strain)
            found[f"{cards} tricks, {strain}"] = contestants
    deals = endings(FULL_TABLES, 13)
    found["tables of 20 results"] = {"foogo": partial(tabled, deals)}
    if find_spec("endplay"):
        found["tables of 20 results"]["DDS"] = dds_tabled(deals)
    return found


def endings(n: int, cards: int) -> Masks:
    """What is left of random deals when each hand has some cards, shape (n, 4)."""
    rng = np.random.default_rng(1)
    deals = np.zeros((n, 4), np.uint64)
    for deal in deals:
        left = rng.permutation(52)[: 4 * cards].reshape(4, cards)
        deal[:] = [sum(1 << int(card) for card in hand) for hand in left]
    return deals


def solved(deals: Masks, strain: str) -> int:
    """Solve all deals on one core, with north on lead."""
    return len(tricks(deals, strain, "N", threads=1))


def tabled(deals: Masks) -> int:
    """All results of the deals on one core."""
    return len(tables(deals, threads=1))


def dds_solved(deals: Masks, strain: str) -> Callable[[], int]:
    """DDS on the same deals, once it agrees."""
    dds, types = dds_on_one_thread()
    denomination = list(types.Denom)[[3, 2, 1, 0, 4][STRAINS.index(strain)]]
    theirs = [types.Deal(to_pbn(deal), types.Player.north, denomination) for deal in deals]
    one_card = import_module("endplay.dds.solve").SolveMode.OptimalOne
    best = [max(won for _, won in dds.solve_board(deal, mode=one_card)) for deal in theirs]
    if best != tricks(deals, strain, "N").tolist():
        raise SystemExit("cards_bridge: DDS and foogo differ")

    def call() -> int:
        for deal in theirs:
            dds.solve_board(deal, mode=one_card)
        return len(theirs)

    return call


def dds_tabled(deals: Masks) -> Callable[[], int]:
    """DDS's tables of the same deals, once they agree."""
    dds, types = dds_on_one_thread()
    theirs = [types.Deal(to_pbn(deal)) for deal in deals]
    denominations = [types.Denom.clubs, types.Denom.diamonds, types.Denom.hearts, types.Denom.spades, types.Denom.nt]
    players = [types.Player.north, types.Player.east, types.Player.south, types.Player.west]

    def call() -> int:
        return len([dds.calc_dd_table(deal) for deal in theirs])

    found = [dds.calc_dd_table(deal) for deal in theirs]
    expected = [[[one[strain, seat] for seat in players] for strain in denominations] for one in found]
    if tables(deals).tolist() != expected:
        raise SystemExit("cards_bridge: DDS and foogo differ")
    return call


def dds_on_one_thread() -> tuple[Any, Any]:
    """The modules of endplay, with DDS limited to one thread."""
    import_module("endplay._dds").SetMaxThreads(1)
    return import_module("endplay.dds"), import_module("endplay.types")


def main() -> None:
    """Print nodes and time of 10-trick endings with each technique switched off in turn."""
    names = {
        "all techniques": 0,
        "quick tricks": layout.QUICK,
        "single suits": layout.SINGLE,
        "later tricks": layout.LATER,
        "winning ranks only": layout.RANKED,
        "equal cards": layout.EQUALS,
        "order of moves": layout.ORDER,
        "small cards": layout.SMALL,
        "table": layout.TABLE,
    }
    deals, memory = endings(10, 10), new_memory(64)
    rows = []
    solve_all(memory, deals[:1], np.arange(1), np.arange(1), layout.ALL, np.empty((1, 1, 1), np.int64))  # loads it
    for strain in (layout.NOTRUMP, 3):
        base = 0
        for name, technique in names.items():
            found = np.empty((len(deals), 1, 4), np.int64)
            options = (np.array([strain]), np.arange(4), layout.ALL & ~technique, found)
            memory.state[layout.NODES] = 0
            began = time.process_time()
            solve_all(memory, deals, *options)
            spent, nodes = time.process_time() - began, int(memory.state[layout.NODES])
            base = base or nodes
            label = f"{STRAINS[strain]}: {'without ' if technique else ''}{name}"
            solves = 4 * len(deals)
            rows.append([label, f"{nodes // solves:,}", f"{nodes / base:.2f}", f"{1000 * spent / solves:.2f}"])
    print(text_table(["10 tricks", "cards played", "ratio", "ms"], rows))


if __name__ == "__main__":
    main()
