"""Playing cards as numbers, as text and as bits of a mask.

A card is the number ``13 * suit + rank``: suits clubs, diamonds, hearts, spades are 0 to 3, ranks deuce to ace 0 to 12.
A set of cards is a mask of 64 bits: bit `card` is set if the card is in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from operator import index
from typing import Any, SupportsIndex

from foogo.arguments import quoted, whole_number
from foogo.errors import CardError

RANKS = "23456789TJQKA"
"""The ranks in ascending order."""

SUITS = "cdhs"
"""The suits in ascending order: clubs, diamonds, hearts, spades."""

SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
"""The names of the suits, by number."""

CARDS = 52
"""The cards of a deck."""

FULL_DECK = (1 << CARDS) - 1
"""The mask of all cards."""

_RANK_OF = {rank: number for number, rank in enumerate(RANKS)}
_RANK_OF |= {"10": 8, "11": 9, "12": 10, "13": 11, "1": 12}
_SUIT_OF = {suit: number for number, suit in enumerate(SUITS)} | {"♣": 0, "♦": 1, "♥": 2, "♠": 3}
_LETTERS = str.maketrans("♣♦♥♠", SUITS, "\ufe0e\ufe0f")  # a selector may say how to draw the symbol
_CARD = re.compile(" ?(1[0-3]|[1-9TJQKAtjqka])([CDHScdhs♣♦♥♠])[\ufe0e\ufe0f]?")


def parse_card(text: str) -> int:
    """The card that a text names.

    Parameters
    ----------
    text
        A rank and a suit, in either case: 2 to 9, T, J, Q, K, A, or by numbers 1 (ace) to 13 (king); then c, d, h, s
        or ♣, ♦, ♥, ♠.

    Raises
    ------
    CardError
        If the text is not one card.

    Examples
    --------
    >>> parse_card("2c"), parse_card("10h"), parse_card("A♠")
    (0, 34, 51)
    """
    cards = parse_cards(text)
    if len(cards) != 1:
        raise CardError(f"{text!r} is {len(cards)} cards: one card is needed, such as 9c")
    return cards[0]


def parse_cards(text: str, copies: int = 1) -> list[int]:
    """The cards that a text names, in its order.

    Parameters
    ----------
    text
        Cards as in `parse_card`, with or without spaces or commas between them.
    copies
        How often one card may occur: the number of decks.

    Raises
    ------
    CardError
        If it is not a text, a part of it is not a card, or a card occurs more often.

    Examples
    --------
    >>> parse_cards("9c Tc, 6c")
    [7, 8, 4]
    >>> parse_cards("9cTx")
    Traceback (most recent call last):
    ...
    foogo.errors.CardError: 'Tx' is not a card: write a rank and a suit, such as 9c, Th or As
    >>> parse_cards("9c 9c")
    Traceback (most recent call last):
    ...
    foogo.errors.CardError: 9c occurs 2 times in '9c 9c': at most 1 is allowed
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not a text of cards, such as '9c Th As'")
    cards, place, spaced = [], 0, re.sub(r"[\s,]+", " ", text).strip()
    while place < len(spaced):
        found = _CARD.match(spaced, place)
        if found is None:
            wrong = spaced[place:].split()[0]
            raise CardError(f"{wrong!r} is not a card: write a rank and a suit, such as 9c, Th or As")
        cards.append(13 * _SUIT_OF[found[2].lower()] + _RANK_OF[found[1].upper()])
        place = found.end()
    for card in cards:
        if cards.count(card) > copies:
            times = cards.count(card)
            raise CardError(f"{format_card(card)} occurs {times} times in {text!r}: at most {copies} is allowed")
    return cards


def read_cards(name: str, cards: str | Iterable[Any], copies: int = 1) -> list[int]:
    """The cards of an argument: a text as in `parse_cards`, or a list of cards, each a number or a text.

    Raises
    ------
    CardError
        If it is something else, a part of it is not a card, or a card occurs more often than `copies`.

    Examples
    --------
    >>> read_cards("board", "9c Tc"), read_cards("board", [7, "Tc"])
    ([7, 8], [7, 8])
    """
    if isinstance(cards, str):
        return parse_cards(cards, copies)
    try:
        given = list(cards)
    except TypeError:
        raise CardError(f"{name} is {cards!r}: it must be a text or a list of cards, such as '4s Ks 2s'") from None
    numbers = [parse_card(card if isinstance(card, str) else format_card(card)) for card in given]
    return parse_cards(format_cards(numbers), copies)


def suit_letters(text: str) -> str:
    """The letters of the suits in a text: symbols become letters, and the name of a suit becomes its letter.

    Examples
    --------
    >>> suit_letters("♠♥"), suit_letters("Spades"), suit_letters("SH")
    ('sh', 's', 'SH')
    """
    name = text.lower()
    return name[0] if name in SUIT_NAMES else text.translate(_LETTERS)


def format_card(card: SupportsIndex) -> str:
    """The rank and the suit of a card.

    Raises
    ------
    CardError
        If `card` is not a number from 0 to 51.

    Examples
    --------
    >>> format_card(7), format_card(51)
    ('9c', 'As')
    """
    number = whole_number(card)
    if number is None or not 0 <= number < CARDS:
        raise CardError(f"{quoted(card)} is not a card: cards are 0 (2c) to 51 (As)")
    suit, rank = divmod(number, 13)
    return RANKS[rank] + SUITS[suit]


def format_cards(cards: Iterable[SupportsIndex]) -> str:
    """Cards as text, separated by spaces; a CardError if they are not a list of cards.

    Examples
    --------
    >>> format_cards([7, 8, 4])
    '9c Tc 6c'
    """
    if not isinstance(cards, Iterable):
        raise CardError(f"{cards!r} is not a list of cards: cards_in(mask) lists those of a mask")
    return " ".join(map(format_card, cards))


def mask_of(cards: Iterable[SupportsIndex]) -> int:
    """The mask of a set of cards.

    Raises
    ------
    CardError
        If something is not a number from 0 to 51.

    Examples
    --------
    >>> mask_of([0, 1, 3])
    11
    """
    mask = 0
    try:
        for card in map(index, cards):
            mask |= 1 << card if card < CARDS else -1
    except (TypeError, ValueError):  # no whole number, or a negative one
        mask = -1
    if mask < 0:
        raise CardError("the cards of a mask are whole numbers from 0 (2c) to 51 (As)")
    return mask


def cards_in(mask: SupportsIndex) -> Iterator[int]:
    """The cards of a mask in ascending order.

    Raises
    ------
    CardError
        If `mask` is not a number from 0 to 2**52 - 1.

    Examples
    --------
    >>> list(cards_in(11))
    [0, 1, 3]
    """
    number = whole_number(mask)
    if number is None or not 0 <= number <= FULL_DECK:
        raise CardError(f"{quoted(mask)} is not a mask of cards: masks are 0 to 2**52 - 1")
    return _bits(number)


def _bits(rest: int) -> Iterator[int]:
    while rest:
        yield (rest & -rest).bit_length() - 1
        rest &= rest - 1
