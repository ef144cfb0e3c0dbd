"""The table of single suits, against plain minimax over all cards, and its top cards by exchanging lower ones."""

from __future__ import annotations

import itertools
import random

import numpy as np
from numpy.typing import NDArray

from foogo.cards.bridge.kernels.bounds import MOST_SINGLE
from foogo.cards.bridge.solving import new_memory

Layout = tuple[int, ...]


def tricks_in_a_row(layout: Layout, lead: int, end: int | None) -> int:
    """Tricks of seats 0 and 2 while one of them leads, until `end` is on lead (None: either); -1 if it never is.

    The owners stand in the order of the ranks, the highest first.
    """

    def play(trick: list[int]) -> int:
        seat = (lead + len(trick)) % 4
        if len(trick) == 4:
            winner = layout[min(trick)]
            if winner % 2:
                return 0 if end is None else -1
            left = tuple(owner for i, owner in enumerate(layout) if i not in trick)
            more = tricks_in_a_row(left, winner, end)
            return more if more < 0 else more + 1
        cards = [i for i, owner in enumerate(layout) if owner == seat] or [len(layout)]
        return (min if seat % 2 else max)(play([*trick, card]) for card in cards)

    stop = 0 if end in (None, lead) else -1
    return max(stop, play([])) if lead in layout else stop


def table() -> NDArray[np.uint16]:
    return new_memory(1).single_suits


def entry(layout: Layout) -> tuple[int, int, int, int]:
    """Tricks in a row and their top cards, the same with the leader on lead."""
    about = int(table()[int("1" + "".join(f"{owner:02b}" for owner in layout), 2)])
    return about & 15, about >> 4 & 15, about >> 8 & 15, about >> 12


def test_tricks_in_a_row_by_minimax() -> None:
    rng = random.Random(1)
    layouts = [layout for size in range(4) for layout in itertools.product(range(4), repeat=size)]
    layouts += [tuple(rng.choices(range(4), k=size)) for size in (4, 5, 6, 7) for _ in range(60)]
    for layout in layouts:
        sure, _, kept, _ = entry(layout)
        assert (sure, kept) == (tricks_in_a_row(layout, 0, None), tricks_in_a_row(layout, 0, 0)), layout


def test_a_finesse() -> None:
    """The partner holds ace and queen, the king is before it: two tricks, and the lead stays with the partner."""
    assert entry((2, 1, 2, 0, 0, 1))[0] == 2
    assert entry((2, 3, 2, 0, 0, 3))[0] == 1


def test_cards_below_the_top_cards_may_be_exchanged() -> None:
    rng = random.Random(2)
    for _ in range(3000):
        layout = tuple(rng.choices(range(4), k=rng.randint(1, MOST_SINGLE)))
        sure, sure_tops, kept, kept_tops = entry(layout)
        for tops, value, place in ((sure_tops, sure, 0), (kept_tops, kept, 2)):
            lower = list(layout[tops:])
            rng.shuffle(lower)
            assert entry((*layout[:tops], *lower))[place] >= value, layout
