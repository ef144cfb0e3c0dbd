"""A double-dummy solver by plain minimax, which shares no code with foogo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

Card = tuple[int, int]
"""A suit (0 to 3, clubs first) and a rank."""


def leaders_tricks(hands: Sequence[Sequence[Card]], trump: int, leader: int) -> int:
    """The tricks of the leader's side: no technique but a memory of positions between tricks."""

    @cache
    def most(held: tuple[frozenset[Card], ...], leader: int) -> int:
        """Tricks of the side of `leader`."""
        return play(held, leader, ()) if held[leader] else 0

    def play(held: tuple[frozenset[Card], ...], leader: int, trick: tuple[Card, ...]) -> int:
        """Tricks of the side of `leader`, with cards on the table."""
        if len(trick) == 4:
            winner = leader + trick.index(max(trick, key=lambda card: strength(card, trick[0])))
            rest = most(held, winner % 4)
            return rest + 1 if (winner - leader) % 2 == 0 else len(held[leader]) - rest
        seat = (leader + len(trick)) % 4
        own = held[seat]
        follows = {card for card in own if trick and card[0] == trick[0][0]}
        values = []
        for card in follows or own:
            left = (*held[:seat], own - {card}, *held[seat + 1 :])
            values.append(play(left, leader, (*trick, card)))
        return max(values) if len(trick) % 2 == 0 else min(values)

    def strength(card: Card, led: Card) -> tuple[bool, bool, int]:
        return card[0] == trump, card[0] == led[0], card[1]

    return most(tuple(map(frozenset, hands)), leader)
