"""Where the table of single suits of the double-dummy solver comes from.

    python bench/single_suits.py foogo/cards/bridge/single_suits.npz

A layout has the owner of every card of a suit, the highest first, counted from the leader on: 0 is the leader, 2 its
partner. While only this suit is led, minimax finds how many tricks in a row the leader's side wins, and how many if the
leader must be on lead after them. A hand without cards of the suit discards.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np

MOST = 9
NEVER = -99

Layout = tuple[int, ...]
Values = tuple[int, int, int]


@cache
def values(layout: Layout) -> Values:
    """Tricks in a row; the same if the leader must then be on lead; the same if the partner must, or `NEVER`."""
    if 0 not in layout:
        return 0, 0, NEVER
    best = (0, 0, NEVER)
    for lead in plays(layout, 0):
        second_hand = [
            _best([_worst([after(layout, (lead, left, hers, right)) for right in plays(layout, 3)])
                   for hers in plays(layout, 2)])
            for left in plays(layout, 1)
        ]  # fmt: skip
        best = _best([best, _worst(second_hand)])
    return best


def _best(choices: list[Values]) -> Values:
    first, second, third = zip(*choices, strict=True)
    return max(first), max(second), max(third)


def _worst(choices: list[Values]) -> Values:
    first, second, third = zip(*choices, strict=True)
    return min(first), min(second), min(third)


def plays(layout: Layout, seat: int) -> list[int]:
    """The places of a seat's cards, one of equal cards; or only a place after all cards: a discard."""
    found = [i for i, owner in enumerate(layout) if owner == seat and (i == 0 or layout[i - 1] != seat)]
    return found or [len(layout)]


def after(layout: Layout, trick: tuple[int, int, int, int]) -> Values:
    """The values after a trick, which is lost if an opponent wins it."""
    winner = layout[min(trick)]
    if winner % 2:
        return 0, NEVER, NEVER
    # counted from the winner on
    sure, kept, crossed = values(tuple(owner ^ winner for i, owner in enumerate(layout) if i not in trick))
    return (1 + sure, 1 + crossed, 1 + kept) if winner else (1 + sure, 1 + kept, 1 + crossed)


@cache
def least(which: int, tops: Layout, others: Layout) -> int:
    """The least value of all layouts with the same highest cards; `others` counts the lower cards of each owner."""
    if not any(others):
        return values(tops)[which]
    return min(
        least(which, (*tops, owner), tuple(count - (seat == owner) for seat, count in enumerate(others)))
        for owner in range(4)
        if others[owner]
    )


def tops_needed(which: int, layout: Layout) -> int:
    """How many of the highest cards the value depends on: the lower cards may be exchanged."""
    value = values(layout)[which]
    for tops in range(len(layout)):
        lower = layout[tops:]
        if least(which, layout[:tops], tuple(lower.count(seat) for seat in range(4))) >= value:
            return tops
    return len(layout)


def layouts(most: int) -> Iterator[tuple[int, Layout]]:
    """All layouts of up to `most` cards, with their index: a 1, then two bits per card."""
    for size in range(most + 1):
        for number, layout in enumerate(product(range(4), repeat=size)):
            yield 1 << 2 * size | number, layout


def entry(layout: Layout) -> int:
    """What the solver's table has for a layout: four numbers of four bits."""
    sure, kept, _ = values(layout)
    return sure | tops_needed(0, layout) << 4 | kept << 8 | tops_needed(1, layout) << 12


def main() -> None:
    """Write the table."""
    parser = argparse.ArgumentParser(description="The table of single suits.")
    parser.add_argument("path", type=Path)
    table = np.zeros(2 << 2 * MOST, np.uint16)
    path = parser.parse_args().path
    for index, layout in layouts(MOST):
        table[index] = entry(layout)
    np.savez_compressed(path, table=table)


if __name__ == "__main__":
    main()
