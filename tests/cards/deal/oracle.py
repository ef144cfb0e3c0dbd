"""Slow twins of the values of hands, written from the rules of bridge; they share no code with foogo/."""

from __future__ import annotations

from collections import Counter

RANKS, SUITS = "23456789TJQKA", "CDHS"


def cards(mask: int) -> list[tuple[str, str]]:
    """The (rank, suit) pairs of a mask."""
    return [(RANKS[i % 13], SUITS[i // 13]) for i in range(52) if mask >> i & 1]


def suits(mask: int) -> dict[str, str]:
    """The ranks of each suit."""
    return {suit: "".join(rank for rank, own in cards(mask) if own == suit) for suit in SUITS}


def hcp(mask: int) -> int:
    return sum({"A": 4, "K": 3, "Q": 2, "J": 1}.get(rank, 0) for rank, _ in cards(mask))


def controls(mask: int) -> int:
    return sum({"A": 2, "K": 1}.get(rank, 0) for rank, _ in cards(mask))


def losers(mask: int) -> int:
    count = 0
    for ranks in suits(mask).values():
        count += sum(honour not in ranks for honour in "AKQ"[: len(ranks)])
    return count


def quick_tricks(mask: int) -> float:
    total = 0.0
    for ranks in suits(mask).values():
        ace, king, queen = ("A" in ranks, "K" in ranks, "Q" in ranks)
        if ace and king:
            total += 2
        elif ace and queen:
            total += 1.5
        elif ace or (king and queen):
            total += 1
        elif king and len(ranks) > 1:
            total += 0.5
    return total


def shape(mask: int) -> tuple[int, ...]:
    """The numbers of spades, hearts, diamonds, clubs."""
    count = Counter(suit for _, suit in cards(mask))
    return tuple(count[suit] for suit in "SHDC")


def is_balanced(mask: int) -> bool:
    return sorted(shape(mask)) in ([3, 3, 3, 4], [2, 3, 4, 4], [2, 3, 3, 5])
