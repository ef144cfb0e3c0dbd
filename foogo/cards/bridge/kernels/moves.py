"""The moves of a hand in the order in which the search tries them: the likeliest to decide first."""

from __future__ import annotations

from typing import NamedTuple

from foogo.cards.bridge.kernels.layout import (
    CARDS,
    COUNT,
    EQUALS,
    HINT,
    LEVEL_WORDS,
    MOST_MOVES,
    NODE_WORDS,
    NOTRUMP,
    ORDER,
    SHAPE,
    SUITS,
    bottom,
    count,
    length,
    suit_of,
    top,
)
from foogo.core.jit import kernel

WEIGHT_SHIFT, MIDDLE = 12, 1 << 10
"""A move is ``weight + MIDDLE << WEIGHT_SHIFT | lowest equal card << 6 | card``."""


HINT_BONUS = 40
"""The bonus of the lead that was best for the same shape."""


class Table(NamedTuple):
    """What the hand to play sees: who plays, which cards are on the table, and what the next hands hold."""

    seat: int
    turn: int
    """Cards that are on the table."""
    led: int
    """The suit led."""
    best: int
    """The card that wins so far."""
    winner: int
    """The turn in which it was played."""
    level: int


@kernel(inline=True)
def beats(card, other, trump):
    """Whether a card, played later, beats another one."""
    if card >> 4 == other >> 4:
        return card > other
    return card >> 4 == trump


@kernel(inline=True)
def _lead_weight(memory, table, suit, trump, tricks):
    """The weight of the best card of a suit, for the leader: its rank is subtracted unless it is to win.

    References
    ----------
    B. Haglund, Search algorithms for a bridge double dummy solver (2010), section 5, has the ideas.
    """
    base, seat = 4 * table.level, table.seat
    shape = memory.levels[LEVEL_WORDS * table.level + SHAPE]
    left, partner, right = seat + 1 & 3, seat ^ 2, seat + 3 & 3
    mine, hers = suit_of(memory.hands[base + seat], suit), suit_of(memory.hands[base + partner], suit)
    before, behind = suit_of(memory.hands[base + left], suit), suit_of(memory.hands[base + right], suit)
    ruffs_left = ruffs_right = False
    if trump != NOTRUMP and suit != trump:
        ruffs_left = before == 0 and length(shape, left, trump) > 0
        ruffs_right = behind == 0 and length(shape, right, trump) > 0
    many = 4 * tricks + 4
    choices = (4 * length(shape, left, suit) if before else many) + (4 * length(shape, right, suit) if behind else many)
    weight = -choices * 32 // 15
    if ruffs_left or ruffs_right:
        weight -= 10
    every = mine | hers | before | behind
    first = 1 << top(every)
    second = 1 << top(every ^ first) if every != first else 0
    if behind & (first | second):
        weight -= 18
    if trump != NOTRUMP and suit != trump and mine & mine - 1 == 0 and hers & first and hers != first:
        if length(shape, seat, trump) > 0:
            weight += 16
    wins = max(mine, hers) > max(before, behind) and not ruffs_left and not ruffs_right
    if not wins and hers == 0 and trump != NOTRUMP and suit != trump and not ruffs_left and not ruffs_right:
        wins = length(shape, partner, trump) > 0
    lone = before == first or behind == first
    exact = 0
    if wins:
        if lone:
            value = 40
        elif mine & first:
            value, exact = (50, 0) if hers & second else (31, 1)
        elif hers & first:
            value = 50 if mine & second else 35
        else:
            value = 30
    elif lone:
        value = 29
    elif mine & first:
        value, exact = (44, 0) if hers & second else (25, 1)
    elif hers & first:
        value = 44 if mine & second else 29
    elif mine & second:
        value, exact = 29, 1
    else:
        value = 13
    return weight + value, exact


@kernel(inline=True)
def _strongest(hand, led, trump):
    """The best card that a hand may play to a trick; -1 if all its cards are discards."""
    follows = suit_of(hand, led)
    if follows:
        return led << 4 | top(follows)
    trumps = suit_of(hand, trump) if trump != NOTRUMP else 0
    return trump << 4 | top(trumps) if trumps else -1


@kernel(inline=True)
def _follow_weight(memory, table, card, trump):
    """The weight of a card for the second, third or fourth hand."""
    base, seat, turn = 4 * table.level, table.seat, table.turn
    suit, rank = card >> 4, card & 15
    follows, wins_now = suit == table.led, beats(card, table.best, trump)
    spread = 0
    if not follows:
        shape = memory.levels[LEVEL_WORDS * table.level + SHAPE]
        spread = length(shape, seat, suit) * 64 // 36
    if turn == 3:
        ahead = table.winner == 1
        if not follows:
            if ahead:
                return (14 if suit == trump else 30) - rank + spread
            return (30 if wins_now else 0 if suit == trump else 14) - rank + spread
        if ahead:
            return 30 - rank
        return (30 if wins_now else 14) - rank
    # the best that each of the hands to come could play
    next_hand = memory.hands[base + (seat + 1 & 3)]
    next_best = _strongest(next_hand, table.led, trump)
    after_us = card if wins_now else table.best
    if turn == 2:
        side_wins_now = wins_now or table.winner == 0
        safe = side_wins_now and (next_best < 0 or not beats(next_best, after_us, trump))
        if not follows:
            if table.winner == 0:
                if safe:
                    return (30 if suit == trump else 60) - rank + spread
                return (40 if wins_now else 0) - rank + spread
            if wins_now:
                return (70 if safe else 40) - rank + spread
            return (-15 if suit == trump else 0) - rank + spread
        if safe:
            return 60 - rank
        return (20 if wins_now else -10) - rank
    # second hand: the third hand and then the partner follow
    last_hand = memory.hands[base + (seat ^ 2)]
    last_best = _strongest(last_hand, table.led, trump)
    holds = wins_now and (next_best < 0 or not beats(next_best, card, trump))
    to_beat = after_us
    if next_best >= 0 and beats(next_best, to_beat, trump):
        to_beat = next_best
    rescued = last_best >= 0 and beats(last_best, to_beat, trump)
    if not follows:
        if holds or rescued:
            return (30 if suit == trump else 60) - rank + spread
        return (15 if suit == trump else 0) - rank + spread
    if rescued:
        return 60 - rank
    if holds:
        return 70 - rank
    return (20 if wins_now else 0) - rank


@kernel(inline=True)
def hint_of(held, card):
    """A card of a hand by its place in its suit: 64 and its suit, and the number of cards above it."""
    suit = card >> 4
    return 64 | suit << 4 | count(suit_of(held, suit) >> (card & 15) + 1)


@kernel(inline=True)
def list_moves(memory, table, trump, tricks, techniques):
    """List the moves of a node in order: of equal cards the highest, with the lowest of them."""
    node = 4 * table.level + table.turn
    held = memory.hands[4 * table.level + table.seat]
    present = memory.levels[LEVEL_WORDS * table.level + CARDS]
    first_suit, suits = 0, SUITS
    if table.turn > 0 and suit_of(held, table.led):
        first_suit, suits = table.led, table.led + 1
        only = suit_of(held, table.led)
        if only & only - 1 == 0:
            card = table.led << 4 | top(only)
            memory.moves[MOST_MOVES * node] = MIDDLE << WEIGHT_SHIFT | card << 6 | card
            memory.nodes[NODE_WORDS * node + COUNT] = 1
            return
    hint = memory.levels[LEVEL_WORDS * table.level + HINT]
    room, total = MOST_MOVES * node, 0
    for suit in range(first_suit, suits):
        rest = suit_of(held, suit)
        if rest == 0:
            continue
        others = suit_of(present, suit) & ~rest
        suit_weight, exact, highest_rank = 0, 0, top(rest)
        if techniques & ORDER and table.turn == 0:
            suit_weight, exact = _lead_weight(memory, table, suit, trump, tricks)
        while rest:
            rank = top(rest)
            rest ^= 1 << rank
            lowest_rank = rank
            if techniques & EQUALS:
                between = others & (1 << rank) - 1
                equal = rest & ~((2 << top(between)) - 1) if between else rest
                if equal:
                    lowest_rank = bottom(equal)
                    rest ^= equal
            card, weight = suit << 4 | rank, 0
            if techniques & ORDER:
                if table.turn == 0:
                    weight = suit_weight - rank
                    if exact:
                        weight = suit_weight if rank == highest_rank else suit_weight - 12 - rank
                    if hint == hint_of(held, card):
                        weight += HINT_BONUS
                else:
                    weight = _follow_weight(memory, table, card, trump)
            move = (weight + MIDDLE) << WEIGHT_SHIFT | (suit << 4 | lowest_rank) << 6 | card
            place = total
            while place > 0 and memory.moves[room + place - 1] < move:
                memory.moves[room + place] = memory.moves[room + place - 1]
                place -= 1
            memory.moves[room + place] = move
            total += 1
    memory.nodes[NODE_WORDS * node + COUNT] = total
