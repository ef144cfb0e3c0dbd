"""Rummy by brute force: every packing of every meld. Slow, and shares no code with foogo.

Cards are ``13 * suit + rank`` with the deuce as rank 0 and the ace as rank 12; 52 is a joker.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, product

JOKER = 52
POINTS = [*range(2, 11), 10, 10, 10, 1] * 4 + [15]
PLACES = {"low": [12, *range(12)], "high": [*range(13)], "both": [12, *range(13)], "corner": [*range(13)] * 2}
"""Ranks in the order of runs; a run is a slice of it without a rank twice."""

Meld = tuple[tuple[int, int], ...]
"""(card, copies) of each card."""


def least_deadwood(cards: list[int], ace: str = "low", values: list[int] = POINTS) -> int:
    """The least value of the cards left over."""
    held = sorted(set(cards))
    by_lowest: dict[int, list[list[tuple[int, int]]]] = {}
    for meld in all_melds([cards.count(card) for card in range(53)], ace):
        by_lowest.setdefault(held.index(meld[0][0]), []).append([(held.index(card), n) for card, n in meld])

    @cache
    def least(lowest: int, counts: tuple[int, ...]) -> int:
        while lowest < len(counts) and counts[lowest] == 0:
            lowest += 1
        if lowest == len(counts):
            return 0
        rest = list(counts)
        rest[lowest] -= 1
        best = values[held[lowest]] + least(lowest, tuple(rest))
        for meld in by_lowest.get(lowest, []):
            if all(counts[card] >= n for card, n in meld):
                rest = list(counts)
                for card, n in meld:
                    rest[card] -= n
                best = min(best, least(lowest, tuple(rest)))
        return best

    return least(0, tuple(cards.count(card) for card in held))


def packings(counts: list[int], melds: list[Meld]) -> list[tuple[Meld, ...]]:
    """Every choice of disjoint melds to which no other meld can be added."""
    found = []

    def extend(chosen: tuple[Meld, ...], counts: list[int]) -> None:
        possible = [meld for meld in melds if all(counts[card] >= n for card, n in meld)]
        if not possible:
            found.append(chosen)
        for meld in possible:
            if not chosen or meld >= chosen[-1]:
                rest = list(counts)
                for card, n in meld:
                    rest[card] -= n
                extend((*chosen, meld), rest)

    extend((), counts)
    return sorted(found)


@cache
def complete_melds(ace: str) -> list[tuple[int, list[int]]]:
    """All runs and sets, each as a mask and as a list of cards."""
    suits = [*combinations(range(4), 3), (0, 1, 2, 3)]
    melds = {frozenset(13 * suit + rank for suit in chosen) for rank in range(13) for chosen in suits}
    order = PLACES[ace]
    for suit, first, length in product(range(4), range(len(order)), range(3, 14)):
        ranks = order[first : first + length]
        if len(ranks) == length == len(set(ranks)):
            melds.add(frozenset(13 * suit + rank for rank in ranks))
    return [(sum(1 << card for card in cards), cards) for cards in sorted(map(sorted, melds))]


def all_melds(counts: list[int], ace: str) -> list[Meld]:
    """All melds that the cards allow, with jokers in any places but one."""
    melds = set()
    hand = sum(1 << card for card in range(52) if counts[card])
    for mask, cards in complete_melds(ace):
        if mask & ~hand and not counts[JOKER]:
            continue
        held = [card for card in cards if counts[card]]
        for natural in range(max(1, len(cards) - counts[JOKER]), len(held) + 1):
            jokers = len(cards) - natural
            for kept in combinations(held, natural):
                melds.add((*((card, 1) for card in kept), *(((JOKER, jokers),) if jokers else ())))
    return sorted(melds)
