"""Deals, seats, strains and played cards: reading and checking them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import are_texts, quoted, whole_number
from foogo.cards.card import FULL_DECK, SUIT_NAMES, cards_in, format_card, format_cards, suit_letters
from foogo.cards.deal.pbn import SEAT_NAMES, Deals, array_of_masks, check_disjoint, hands_of, numbered
from foogo.errors import ArgumentError, DealError

STRAINS = ("C", "D", "H", "S", "NT")
"""The strains by number: the trump suits, and no trumps."""

NOTRUMP = 4


class Position(NamedTuple):
    """A position within a trick.

    Attributes
    ----------
    hands
        Masks of the four hands before the trick, shape (4,).
    leader
        The seat that leads the trick.
    on_table
        The cards of the trick, in order.
    """

    hands: Deals
    leader: int
    on_table: tuple[int, ...]

    @property
    def seat(self) -> int:
        """The seat to play."""
        return (self.leader + len(self.on_table)) % 4

    def legal(self) -> list[int]:
        """The cards that the seat to play may play, in ascending order."""
        return list(cards_in(_legal(int(self.hands[self.seat]), self.on_table)))


def strain_of(strain: str | SupportsIndex) -> int:
    """The number of a strain: "C", "D", "H", "S", "NT" (or "N") in either case, "♠", "spades" and so on, or 0 to 4.

    Examples
    --------
    >>> strain_of("S"), strain_of("nt"), strain_of(0)
    (3, 4, 0)
    >>> strain_of("X")
    Traceback (most recent call last):
    ...
    foogo.errors.ArgumentError: trump is 'X': it must be C, D, H, S or NT
    """
    letters = suit_letters(strain).upper() if isinstance(strain, str) else ""
    if letters in (*STRAINS, "N"):
        return min(NOTRUMP, "CDHSN".index(letters[0]))
    number = whole_number(strain)
    if number is None or not 0 <= number <= NOTRUMP:
        raise ArgumentError(f"trump is {quoted(strain)}: it must be C, D, H, S or NT")
    return number


def deal_of(deal: str | ArrayLike) -> Deals:
    """One deal or ending as checked masks, shape (4,).

    Parameters
    ----------
    deal
        Masks of north, east, south, west; or PBN such as ``N:AK... QJ... .32.. ..32.``, where hands may have fewer
        than 13 cards.

    Raises
    ------
    CardError, DealError
        If a hand cannot be read, a card is in two hands, or the hands are not equally long.

    Examples
    --------
    >>> deal_of("E:A... K... Q... J...").tolist() == [1 << 48, 1 << 51, 1 << 50, 1 << 49]
    True
    >>> deal_of("N:AK... QJ... .32.. ..3.")
    Traceback (most recent call last):
    ...
    foogo.errors.DealError: west has 1 card and north 2: the hands of a deal are equally long
    """
    if isinstance(deal, str):
        deals = deals_of(deal)
        if len(deals) != 1:
            raise DealError(f"the text has {len(deals)} deals: one is needed")
    else:
        masks = array_of_masks(deal)
        if masks.shape != (4,) or masks.dtype.kind not in "iu":
            raise DealError(f"a deal has four masks, shape (4,), not {masks.dtype} of shape {masks.shape}")
        deals = deals_of(masks[np.newaxis])
    only: Deals = deals[0]
    return only


def deals_of(deals: str | ArrayLike) -> Deals:
    """Several deals or endings as checked masks, shape (n, 4): masks, the text of a PBN file, or a list of texts.

    Raises
    ------
    CardError, DealError
        As `deal_of`, with the number of the first wrong deal if there are several.
    """
    given = np.atleast_1d(deals) if isinstance(deals, str) else array_of_masks(deals)
    if given.ndim == 1 and are_texts(given):
        given = hands_of(list(map(str, given)))
    if given.shape == (0,):
        given = np.empty((0, 4), np.uint64)
    if given.ndim != 2 or given.shape[1] != 4 or given.dtype.kind not in "iu":
        raise DealError(f"deals are masks of shape (n, 4), not {given.dtype} of shape {given.shape}")
    masks = given.astype(np.uint64)
    lengths = _lengths(masks)
    together = np.bitwise_or.reduce(masks, axis=1)
    wrong = (lengths != lengths[:, :1]).any(axis=1) | (together > FULL_DECK) | (lengths[:, 0] == 0)
    wrong |= _lengths(together) != lengths.sum(axis=1)
    if wrong.any():
        first = int(np.argmax(wrong))
        with numbered(first, len(masks)):
            _check([int(mask) for mask in masks[first]])
    return masks


def _lengths(masks: NDArray[np.uint64]) -> NDArray[np.int64]:
    """The number of cards of each mask."""
    bits = np.unpackbits(np.ascontiguousarray(masks).view(np.uint8).reshape(*masks.shape, 8), axis=-1)
    lengths: NDArray[np.int64] = bits.sum(axis=-1, dtype=np.int64)
    return lengths


def _check(masks: list[int]) -> None:
    """Raise what is wrong with the hands of a deal."""
    for seat, mask in enumerate(masks):
        if mask > FULL_DECK:
            raise DealError(f"the mask of {SEAT_NAMES[seat]} has bits above 51: cards are 0 (2c) to 51 (As)")
    check_disjoint(masks)
    if not any(masks):
        raise DealError("no hand has a card")
    lengths = [mask.bit_count() for mask in masks]
    for seat, length in enumerate(lengths):
        if length != lengths[0]:
            missing = FULL_DECK & ~sum(masks)
            hint = f"; in no hand: {format_cards(cards_in(missing))}" if 0 < missing.bit_count() < 4 else ""
            message = f"{SEAT_NAMES[seat]} has {length} card{'s' * (length != 1)} and north {lengths[0]}"
            raise DealError(f"{message}: the hands of a deal are equally long{hint}")


def play(hands: Deals, trump: int, leader: int, played: Sequence[int]) -> Position:
    """The position after some cards.

    Raises
    ------
    DealError
        If a seat does not have its card, does not follow suit, or no card is left.
    """
    left, trick = [int(hand) for hand in hands], list[int]()
    held = list(left)
    for card in played:
        seat = (leader + len(trick)) % 4
        name, bit = SEAT_NAMES[seat], 1 << int(card)
        if not left[seat] & bit:
            has = next((SEAT_NAMES[other] for other in range(4) if left[other] & bit), "")
            where = f"{has} has it" if has else "it was played before or is not in the deal"
            raise DealError(f"{format_card(card)} is played by {name}, but {where}")
        if not _legal(left[seat], tuple(trick)) & bit:
            raise DealError(f"{format_card(card)} is a revoke: {name} has {SUIT_NAMES[trick[0] // 13]}")
        left[seat] ^= bit
        trick.append(card)
        if len(trick) == 4:
            leader = (leader + winning_turn(trick, trump)) % 4
            trick, held = [], list(left)
    if not any(held):
        raise DealError("all cards are played: no card is left to solve")
    return Position(np.array(held, np.uint64), leader, tuple(trick))


def _legal(hand: int, on_table: tuple[int, ...]) -> int:
    """The cards of a hand that may be played, as a mask."""
    follows = hand & 0x1FFF << 13 * (on_table[0] // 13) if on_table else 0
    return follows or hand


def winning_turn(trick: Sequence[int], trump: int) -> int:
    """Which card of a trick wins it, by its place in the order of play.

    Examples
    --------
    >>> winning_turn([0, 12, 13, 5], 4), winning_turn([0, 12, 13, 5], 1)
    (1, 2)
    """
    suits = {trump, trick[0] // 13}
    best = max(trick, key=lambda card: (card // 13 == trump, card // 13 in suits, card))
    return list(trick).index(best)
