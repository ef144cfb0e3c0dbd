"""The least deadwood of hands.

The tables of `runs` have the best runs of each suit for the cards that are not in sets. So a search is needed only for
ranks with cards that fit a run as well as a set: it tries every choice of cards for the sets of such a rank, unless a
bound shows that the choice cannot improve. Most hands have no such rank.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foogo.cards.rummy.kernels.runs import RANKS, VALUE_OF_JOKER, fill
from foogo.core.bits import lowest, population
from foogo.core.compiling import Compilation
from foogo.core.jit import kernel
from foogo.core.pointers import halfwords, longs, numbers

SUITS = 4
SUIT_MASK = (1 << RANKS) - 1
FIRST_RANKS = 1 | 1 << RANKS | 1 << 2 * RANKS | 1 << 3 * RANKS
"""The first rank of every suit, in a mask of cards."""

MOST_JOKERS = 4
SET = 3
"""Cards of the smallest set; the largest has one of each suit."""

MOST_OPTIONS = 2 * 3**SUITS
"""More than the options of a rank."""

LARGEST = 1 << 40
"""More than any deadwood."""


class Rules(NamedTuple):
    """What can be melded, and what the cards left over cost."""

    decks: int
    windows: NDArray[np.int8]
    """Runs of three to five ranks by a rank that they contain, shape (13, windows, 6), ended and filled up by -1."""
    joining: NDArray[np.uint16]
    """For the mask of a suit's ranks, the ranks that fit a run; shape (8192,)."""
    places: NDArray[np.int32]
    """For the mask of a suit's ranks, its number in the radix of the tables of all hands; shape (8192,)."""
    values: NDArray[np.int64]
    """Per suit, the value of each rank and of a joker, shape (4, 14)."""


class Tables(NamedTuple):
    """Pointers to the arrays of `Rules` and of `Runs`. With the arrays, Numba counts references in every hand."""

    joining: Any
    places: Any
    values: Any
    """Indexed by `value_at`."""
    left: Any
    start: Any
    size: Any
    stride: Any
    """Of a suit and a rank: index ``13 * suit + rank``."""


class Search(NamedTuple):
    """Work space for the ranks whose cards fit runs and sets (int64), or pointers to it; k counts these ranks."""

    ranks: Any
    options: Any
    """The options of the k-th rank, from ``MOST_OPTIONS * k`` on: see `option_of`."""
    counts: Any
    """The number of its options."""
    option: Any
    """The number of the option that is tried."""
    promise: Any
    """The most that sets of the k-th rank and of the later ranks can save."""
    jokers: Any
    """Jokers left for the k-th rank, for later ranks and for runs."""
    room: Any
    """Jokers that could be added to the sets of the earlier ranks."""
    place: Any
    """Per suit, the cards that are not in sets, as a number of its table."""
    least: Any
    """The least value left over so far, by the jokers that go to runs."""
    choices: Any
    """The best options, by rank."""


def new_search() -> Search:
    """Work space for one call of `least_deadwood`."""
    sizes = RANKS, RANKS * MOST_OPTIONS, RANKS, RANKS, RANKS + 1, RANKS, RANKS, SUITS, MOST_JOKERS + 1, RANKS
    return Search(*(np.zeros(size, np.int64) for size in sizes))


@kernel(inline=True)
def _pointers_to(space):
    return Search(
        longs(space.ranks), longs(space.options), longs(space.counts), longs(space.option), longs(space.promise),
        longs(space.jokers), longs(space.room), longs(space.place), longs(space.least), longs(space.choices),
    )  # fmt: skip


@kernel(inline=True)
def value_at(suit, rank):
    """The index of a value; a joker's rank is `VALUE_OF_JOKER`."""
    return (RANKS + 1) * suit + rank


@kernel(inline=True)
def option_of(sets, first, second, needed, room):
    """An option for a rank as a number.

    Its 0 to 3 sets have the cards of the suits `first`, and second cards of the suits `second` (masks of four bits).
    They need some jokers, and have room for more.
    """
    return first | second << 4 | sets << 8 | needed << 10 | room << 13


@kernel(inline=True)
def _count(suits):
    return population(np.uint64(suits))


@kernel(inline=True)
def _bits(word):
    """The lowest bits of the four bytes of `word` (uint32), as four bits.

    The product adds byte k at bit 24 + k. All of its sixteen terms are at different bits, so nothing carries.
    """
    return np.int64((word & np.uint32(0x01010101)) * np.uint32(0x01020408) >> np.uint32(24) & np.uint32(15))


@kernel(inline=True)
def _least_of_runs(search, jokers, room, tables, joker_value):
    """The least value left over when sets have `room` for jokers that runs do not need."""
    if jokers == 0:
        total = 0
        for suit in range(SUITS):
            total += np.int64(tables.left[tables.start[suit] + search.place[suit]])
        return total
    least = search.least
    for j in range(jokers + 1):
        least[j] = max(0, jokers - j - room) * joker_value
    # least[j]: what the suits so far and the jokers that were never given to runs leave over, if j go to runs
    for suit in range(SUITS):
        start, size = tables.start[suit] + search.place[suit], tables.size[suit]
        for j in range(jokers + 1):
            best = LARGEST
            for given in range(jokers + 1 - j):
                best = min(best, least[j + given] + np.int64(tables.left[start + given * size]))
            least[j] = best
    return least[0]


@kernel(inline=True)
def _list_options(have, twice, joins, jokers, options, begin):
    """Fill `options` from `begin` on with the sensible ways to lay out sets of a rank; returns their number.

    Cards that do not fit a run are always in a set if there is one. Every choice of the cards that do is an option.
    Three sets pay for all eight cards only: with seven, two sets and a run take as many jokers.
    """
    bound, twice_bound, free, count = have & ~joins, twice & ~joins, have & joins, 0
    first = free
    while True:  # all subsets of `free`, the largest first
        second = first & twice
        while True:
            ones, twos = bound | first, twice_bound | second
            cards = _count(ones)
            needed = max(0, SET - cards)
            if second == 0 and cards > 0 and needed <= jokers:
                options[begin + count] = option_of(1, ones, 0, needed, SUITS - cards - needed)
                count += 1
            cards += _count(twos)
            needed = max(0, 2 * SET - cards)
            if cards > 1 and needed <= jokers:
                options[begin + count] = option_of(2, ones, twos, needed, 2 * SUITS - cards - needed)
                count += 1
            if second == 0:
                break
            second = second - 1 & first & twice
        if first == 0:
            break
        first = first - 1 & free
    if jokers > 0 or _count(bound) < SET:
        options[begin + count] = 0
        count += 1
    if jokers > 0 and twice == (1 << SUITS) - 1:
        options[begin + count] = option_of(3, have, twice, 3 * SET - 2 * SUITS, 3 * SUITS - 3 * SET)
        count += 1
    return count


@kernel(inline=True)
def _take(option, rank, sign, search, tables):
    for suit in range(SUITS):
        cards = (option >> suit & 1) + (option >> suit + 4 & 1)
        search.place[suit] -= sign * cards * tables.stride[RANKS * suit + rank]


@kernel(inline=True)
def _search(levels, search, tables):
    """Try all options of the first `levels` ranks depth first; returns the least deadwood and notes the choices."""
    joker_value, best, k = tables.values[value_at(0, VALUE_OF_JOKER)], LARGEST, 0
    search.room[0], search.option[0] = 0, -1
    while k >= 0:
        rank, tried = search.ranks[k], search.option[k]
        if tried >= 0:
            _take(search.options[MOST_OPTIONS * k + tried], rank, -1, search, tables)
        search.option[k] = tried + 1
        if tried + 1 == search.counts[k]:
            k -= 1
            continue
        option = search.options[MOST_OPTIONS * k + tried + 1]
        _take(option, rank, 1, search, tables)
        jokers, room = search.jokers[k] - (option >> 10 & 7), search.room[k] + (option >> 13)
        if jokers < 0:
            continue
        if k + 1 < levels:
            bound = -search.promise[k + 1] - SUITS * jokers * joker_value
            for suit in range(SUITS):
                place = tables.start[suit] + jokers * tables.size[suit] + search.place[suit]
                bound += np.int64(tables.left[place])
            if max(bound, 0) < best:
                k += 1
                search.option[k], search.jokers[k], search.room[k] = -1, jokers, room
            continue
        least = _least_of_runs(search, jokers, room, tables, joker_value)
        if least < best:
            best = least
            for level in range(levels):
                chosen = search.options[MOST_OPTIONS * level + search.option[level]]
                search.choices[search.ranks[level]] = chosen
    return best


@kernel(inline=True)
def _suits_of(cards, rank):
    """The suits of the cards of a rank, as four bits.

    The product adds the bit of suit s at bit 39 + s. All of its sixteen terms are at different bits.
    """
    suits = np.uint64(cards >> rank & FIRST_RANKS) * np.uint64(1 << 39 | 1 << 27 | 1 << 15 | 1 << 3)
    return np.int64(suits >> np.uint64(39) & np.uint64(15))


@kernel(inline=True)
def _least(once, twice, ranks, jokers, search, tables):
    """The least deadwood of a hand with possible sets in `ranks` (a mask)."""
    levels, joining = 0, np.int64(0)
    for suit in range(SUITS):
        joining |= np.int64(tables.joining[once >> RANKS * suit & SUIT_MASK]) << RANKS * suit
    for rank in range(RANKS):
        search.choices[rank] = 0
    while ranks:
        rank = lowest(np.uint64(ranks))
        ranks &= ranks - 1
        have, doubled, joins = _suits_of(once, rank), _suits_of(twice, rank), _suits_of(joining, rank)
        if joins == 0 and jokers == 0:
            sets = 2 if _count(have) + _count(doubled) >= 2 * SET else 1
            option = option_of(sets, have, doubled if sets == 2 else 0, 0, 0)
            search.choices[rank] = option
            _take(option, rank, 1, search, tables)
            continue
        if jokers > 0:
            joins = have
        search.ranks[levels] = rank
        search.counts[levels] = _list_options(have, doubled, joins, jokers, search.options, MOST_OPTIONS * levels)
        search.promise[levels] = 0
        for suit in range(SUITS):
            cards = (have >> suit & 1) + (doubled >> suit & 1)
            search.promise[levels] += cards * tables.values[value_at(suit, rank)]
        levels += 1
    if levels == 0:
        return _least_of_runs(search, jokers, 0, tables, tables.values[value_at(0, VALUE_OF_JOKER)])
    search.promise[levels] = 0
    for k in range(levels - 1, -1, -1):
        search.promise[k] += search.promise[k + 1]
    search.jokers[0] = jokers
    return _search(levels, search, tables)


@kernel(allocates=True, announce=Compilation("rummy melds", 12, 6))
def least_deadwood(hands, jokers, rules, runs, space, own_tables, deadwood):
    """The least value left over of each hand.

    Parameters
    ----------
    hands
        Counts of the 52 cards, four per word: uint32, shape (n, 13).
    jokers
        Of each hand, shape (n,).
    rules, runs
        The rules, and the tables of runs.
    space
        Work space, see `new_search`. `choices` takes the option of each rank for the last hand that could have a set.
    own_tables
        Whether `runs` is only memory, to be filled for each hand. Otherwise it has the tables of all hands, and no
        hand has jokers.
    deadwood
        Takes the result, shape (n,).

    Returns
    -------
    int
        The number of the first hand that is empty or has a card too often; n if all hands are valid.
    """
    search = _pointers_to(space)
    tables = Tables(
        halfwords(rules.joining), numbers(rules.places), longs(rules.values), halfwords(runs.left), longs(runs.start),
        longs(runs.size), longs(runs.stride),
    )  # fmt: skip
    counts = np.empty(RANKS, np.int64)
    for i in range(hands.shape[0]):
        once, twice, seen = np.int64(0), np.int64(0), np.uint32(0)
        for word in range(RANKS):
            seen |= hands[i, word]
            once |= _bits(hands[i, word]) << 4 * word
        if seen & np.uint32(0x02020202):
            for word in range(RANKS):
                twice |= _bits(hands[i, word] >> np.uint32(1)) << 4 * word
        too_many = (rules.decks == 1 and twice != 0) or once & twice or seen & np.uint32(0xFCFCFCFC)
        once |= twice
        if too_many or (once == 0 and jokers[i] == 0):
            return i
        if own_tables:
            start = 0
            for suit in range(SUITS):
                for rank in range(RANKS):
                    card = RANKS * suit + rank
                    counts[rank] = (once >> card & 1) + (twice >> card & 1)
                runs.start[suit] = start
                fill(runs, suit, counts, jokers[i], rules.values, rules.windows)
                search.place[suit] = runs.size[suit] - 1
                start += (jokers[i] + 1) * runs.size[suit]
        else:
            for suit in range(SUITS):
                search.place[suit] = np.int64(tables.places[once >> RANKS * suit & SUIT_MASK])
            if twice:
                for suit in range(SUITS):
                    search.place[suit] += np.int64(tables.places[twice >> RANKS * suit & SUIT_MASK])
        a, b = once & SUIT_MASK, once >> RANKS & SUIT_MASK
        c, d = once >> 2 * RANKS & SUIT_MASK, once >> 3 * RANKS
        if jokers[i] == 0:
            sets = a & b & (c | d) | c & d & (a | b)
        elif jokers[i] == 1:
            sets = (a | b) & (c | d) | a & b | c & d
        else:
            sets = a | b | c | d
        if sets or own_tables:
            deadwood[i] = _least(once, twice, sets, jokers[i], search, tables)
        else:
            deadwood[i] = _least_of_runs(search, 0, 0, tables, 0)
    return hands.shape[0]
