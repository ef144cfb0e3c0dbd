"""The double-dummy search: how many tricks north and south win from a position between two tricks.

`can_take` answers whether they win a number of tricks, depth first, with an explicit stack: level t is the position
after t tricks, and node ``4 * t + i`` has i cards on the table. `solving.search_tricks` asks it until both bounds meet.

Every answer comes with its *winners*: the cards that won a trick by their rank. Only these and higher cards of their
suits matter to the answer, so the table keeps it for all positions that agree in them. If a card below them did not
help, no other such card of its suit and hand does.

References
----------
M. L. Ginsberg, Partition Search, AAAI-96. M.-S. Chang, Building a fast double-dummy bridge solver (1996). B. Haglund,
Search algorithms for a bridge double dummy solver (2010).
"""

from __future__ import annotations

from foogo.cards.bridge.kernels.bounds import Level, later_tricks, quick_tricks, single_suit_tricks
from foogo.cards.bridge.kernels.layout import (
    BEST,
    BY_RANK,
    CARDS,
    COUNT,
    EQUAL,
    HIGH_PATTERN,
    HINT,
    LANE,
    LATER,
    LEADER,
    LEVEL_WORDS,
    LOW_PATTERN,
    MOST_MOVES,
    NEEDED,
    NEXT,
    NODE_WORDS,
    NODES,
    NOTRUMP,
    PATTERN_BITS,
    PLAYED,
    QUICK,
    RANKED,
    SEATS,
    SHAPE,
    SINGLE,
    SKIPPED,
    SMALL,
    SUITS,
    TABLE,
    TRICK_NODES,
    WINNERS,
    bottom,
    count,
    length,
    pattern_of,
    suit_of,
    top,
    tops_of,
    winners_of,
)
from foogo.cards.bridge.kernels.moves import Table, beats, hint_of, list_moves
from foogo.cards.bridge.kernels.table import (
    HINT_SHIFT,
    LOWER_SHIFT,
    UPPER_SHIFT,
    fetch,
    find_slot,
    key_of,
    look_up,
    store,
)
from foogo.core.jit import kernel


@kernel(inline=True)
def set_shape(memory, level):
    """Fill in what follows from the hands of a level: its cards, shape and patterns."""
    cards, shape = 0, 0
    for seat in range(SEATS):
        hand = memory.hands[4 * level + seat]
        cards |= hand
        for suit in range(SUITS):
            shape |= count(suit_of(hand, suit)) << 16 * seat + 4 * suit
    place = LEVEL_WORDS * level
    memory.levels[place + CARDS], memory.levels[place + SHAPE] = cards, shape
    set_patterns(memory, level)


@kernel(inline=True)
def set_patterns(memory, level):
    """Set the patterns of a level, from its cards."""
    place = LEVEL_WORDS * level
    cards = memory.levels[place + CARDS]
    memory.levels[place + LOW_PATTERN] = pattern_of(memory, cards, 0) | pattern_of(memory, cards, 1) << PATTERN_BITS
    memory.levels[place + HIGH_PATTERN] = pattern_of(memory, cards, 2) | pattern_of(memory, cards, 3) << PATTERN_BITS


@kernel(inline=True)
def _last_trick(memory, level, leader, trump):
    """Who wins the last trick, and the card that wins it by its rank."""
    best, winner = bottom(memory.hands[4 * level + leader]), leader
    suits = 0
    for turn in range(SEATS):
        seat = leader + turn & 3
        card = bottom(memory.hands[4 * level + seat])
        suits += 1 << 4 * (card >> 4)
        if turn > 0 and beats(card, best, trump):
            best, winner = card, seat
    return winner, (1 << best if (suits >> 4 * (best >> 4) & 15) > 1 else 0)


@kernel(inline=True)
def _known(memory, level, trump, tricks, techniques):
    """1 or 0 if the answer at a level is known without a search, else -1; and its winners."""
    place = LEVEL_WORDS * level
    needed, leader = memory.levels[place + NEEDED], memory.levels[place + LEADER]
    if needed <= 0 or needed > tricks:
        return 1 if needed <= 0 else 0, 0
    if tricks == 1:
        winner, by_rank = _last_trick(memory, level, leader, trump)
        return 1 - (winner & 1), by_rank
    cards, shape = memory.levels[place + CARDS], memory.levels[place + SHAPE]
    key = key_of(shape, leader)
    fetch(memory, key)
    set_patterns(memory, level)
    low, high = memory.levels[place + LOW_PATTERN], memory.levels[place + HIGH_PATTERN]
    side, about = 1 - (leader & 1), Level(leader, shape, low, high)
    if techniques & QUICK:
        goal = needed if side else tricks - needed + 1
        sure, tops = quick_tricks(about, trump, tricks, goal)
        if sure >= goal:
            return side, winners_of(cards, tops)
        if techniques & SINGLE and trump == NOTRUMP:
            sure, tops = single_suit_tricks(memory, about, tricks, goal)
            if sure >= goal:
                return side, winners_of(cards, tops)
    if techniques & LATER:
        sure, tops = later_tricks(about, trump, tricks)
        if (side == 0 and sure >= needed) or (side == 1 and tricks - sure < needed):
            return 1 - side, winners_of(cards, tops)
    if techniques & TABLE:
        slot, found = find_slot(memory, key)
        memory.levels[place + HINT] = 0
        if found:
            memory.levels[place + HINT] = memory.slots[slot + 1] >> HINT_SHIFT & 127
            value, tops = look_up(memory, slot, low, high, needed)
            if value >= 0:
                return value, winners_of(cards, tops)
    return -1, 0


@kernel(inline=True)
def _second_hand_decides(memory, level, led, trump, tricks):
    """1 or 0 if the side of the second hand needs one trick and surely wins this one, else -1; and its winners.

    It wins with the highest card of the suit led, or by a ruff, if the third hand cannot ruff.
    """
    place = LEVEL_WORDS * level
    needed, leader, shape = memory.levels[place + NEEDED], memory.levels[place + LEADER], memory.levels[place + SHAPE]
    side = leader & 1
    if needed != (1 if side else tricks):
        return -1, 0
    second, third, fourth = leader + 1 & 3, leader + 2 & 3, leader + 3 & 3
    can_ruff = trump != NOTRUMP and led != trump
    if can_ruff and length(shape, third, led) == 0 and length(shape, third, trump) > 0:
        return -1, 0
    ours = suit_of(memory.hands[4 * level + second] | memory.hands[4 * level + fourth], led)
    theirs = suit_of(memory.hands[4 * level + leader] | memory.hands[4 * level + third], led)
    if ours > theirs:
        return side, 1 << 16 * led + top(ours)
    if can_ruff:
        for seat in (second, fourth):
            if length(shape, seat, led) == 0 and length(shape, seat, trump) > 0:
                return side, 0
    return -1, 0


@kernel(inline=True)
def _note(memory, level, value, winners, tricks, decided):
    """Store an answer of the search in the table."""
    place = LEVEL_WORDS * level
    cards, needed = memory.levels[place + CARDS], memory.levels[place + NEEDED]
    lower, upper = (needed, tricks) if value else (0, needed - 1)
    hint = 0
    if decided:
        card = memory.nodes[4 * NODE_WORDS * level + PLAYED]
        hint = hint_of(memory.hands[4 * level + memory.levels[place + LEADER]], card)
    key = key_of(memory.levels[place + SHAPE], memory.levels[place + LEADER])
    low, high = memory.levels[place + LOW_PATTERN], memory.levels[place + HIGH_PATTERN]
    bounds = lower << LOWER_SHIFT | upper << UPPER_SHIFT
    store(memory, key, low, high, tops_of(cards, winners) | bounds, hint)


@kernel(inline=True)
def put_on_table(memory, node, card, lowest_equal, trump):
    """Play a card at a node."""
    turn, place = node & 3, NODE_WORDS * node
    memory.nodes[place + PLAYED], memory.nodes[place + EQUAL] = card, lowest_equal
    memory.nodes[place + BEST] = turn
    if turn > 0:
        best = memory.nodes[place - NODE_WORDS + BEST]
        if not beats(card, memory.nodes[NODE_WORDS * (node - turn + best) + PLAYED], trump):
            memory.nodes[place + BEST] = best


@kernel(inline=True)
def finish_trick(memory, level):
    """The position after a full trick, at the next level; returns the card that won it by its rank, as a set."""
    place, after = LEVEL_WORDS * level, LEVEL_WORDS * (level + 1)
    leader, cards, shape = memory.levels[place + LEADER], memory.levels[place + CARDS], memory.levels[place + SHAPE]
    suits = 0
    for turn in range(SEATS):
        seat = leader + turn & 3
        card = memory.nodes[NODE_WORDS * (4 * level + turn) + PLAYED]
        suits += 1 << 4 * (card >> 4)
        memory.hands[4 * level + 4 + seat] = memory.hands[4 * level + seat] ^ 1 << card
        cards ^= 1 << card
        shape -= 1 << 16 * seat + 4 * (card >> 4)
    turn = memory.nodes[NODE_WORDS * (4 * level + 3) + BEST]
    winner = leader + turn & 3
    memory.levels[after + CARDS], memory.levels[after + SHAPE] = cards, shape
    memory.levels[after + LEADER] = winner
    memory.levels[after + NEEDED] = memory.levels[place + NEEDED] - 1 + (winner & 1)
    best = NODE_WORDS * (4 * level + turn)
    suit = memory.nodes[best + PLAYED] >> 4
    return 1 << memory.nodes[best + EQUAL] if suits >> 4 * suit & 15 > 1 else 0


@kernel
def can_take(memory, trump, tricks, start, needed, techniques):
    """Whether north and south win at least `needed` tricks from node `start` on.

    Level 0 has `tricks` tricks. The hands, cards, shape and leader of the first node's level must be set, and so must
    the cards on the table.
    """
    level, turn = start >> 2, start & 3
    memory.levels[LEVEL_WORDS * level + NEEDED] = needed
    value, winners = -1, 0
    descending, decided = True, False
    while True:
        node = 4 * level + turn
        place = NODE_WORDS * node
        if descending:
            memory.state[NODES] += 1
            leader = memory.levels[LEVEL_WORDS * level + LEADER]
            led, best, winner = 0, 0, 0
            if turn == 0:
                memory.state[TRICK_NODES] += 1
                value, winners = _known(memory, level, trump, tricks - level, techniques)
                if value >= 0:
                    if node == start:
                        return value
                    level, turn, descending = level - 1, 3, False
                    continue
            else:
                led = memory.nodes[4 * NODE_WORDS * level + PLAYED] >> 4
                winner = memory.nodes[place - NODE_WORDS + BEST]
                best = memory.nodes[NODE_WORDS * (4 * level + winner) + PLAYED]
                if turn == 1 and techniques & QUICK:
                    value, winners = _second_hand_decides(memory, level, led, trump, tricks - level)
                    if value >= 0:
                        if node == start:
                            return value
                        turn, descending = 0, False
                        continue
            table = Table(leader + turn & 3, turn, led, best, winner, level)
            list_moves(memory, table, trump, tricks - level, techniques)
            memory.nodes[place + NEXT] = 0
            memory.nodes[place + WINNERS] = 0
            memory.nodes[place + SKIPPED] = 0
            decided = False
        else:
            # the move before led to `value`, by `winners`
            side = 1 - (memory.levels[LEVEL_WORDS * level + LEADER] + turn & 1)
            if turn == 3:
                winners |= memory.nodes[place + BY_RANK]
            card = memory.nodes[place + PLAYED]
            decided = value == side
            if not decided:
                lane = LANE << 16 * (card >> 4)
                ranks = winners & lane
                below = (ranks & -ranks) - 1 & lane
                if techniques & SMALL and below >> card & 1:
                    memory.nodes[place + SKIPPED] |= below
                winners |= memory.nodes[place + WINNERS]
                memory.nodes[place + WINNERS] = winners
        # the next move that is not skipped
        move = -1
        if not decided:
            total, skipped = memory.nodes[place + COUNT], memory.nodes[place + SKIPPED]
            number = memory.nodes[place + NEXT]
            while number < total:
                candidate = memory.moves[MOST_MOVES * node + number]
                number += 1
                if not skipped >> (candidate & 63) & 1:
                    move = candidate
                    break
            memory.nodes[place + NEXT] = number
        if move < 0:
            # every move failed, or the last one decided: the answer goes up
            if turn == 0 and techniques & TABLE:
                if not techniques & RANKED:
                    winners = memory.levels[LEVEL_WORDS * level + CARDS]
                _note(memory, level, value, winners, tricks - level, decided)
            if node == start:
                return value
            level, turn = node - 1 >> 2, node - 1 & 3
            descending = False
            continue
        put_on_table(memory, node, move & 63, move >> 6 & 63, trump)
        descending = True
        if turn == 3:
            memory.nodes[place + BY_RANK] = finish_trick(memory, level)
            level, turn = level + 1, 0
        else:
            turn += 1
