"""Hands and deals as text: one hand, and Portable Bridge Notation in and out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import array_of, quoted, whole_number
from foogo.cards.card import FULL_DECK, RANKS, SUITS, cards_in, format_cards
from foogo.errors import ArgumentError, CardError, DealError

SEATS = "NESW"
"""The seats, clockwise; their numbers are 0 to 3."""

SEAT_NAMES = ("north", "east", "south", "west")
"""The names of the seats, by number."""

VULNERABLE = "None NS EW All NS EW All None EW All None NS All None NS EW".split()
"""The sides that are vulnerable on boards 1 to 16."""

Deals = NDArray[np.uint64]
"""Masks of hands, shape (n, 4): north, east, south, west."""

_DEAL = re.compile(r"\s*([NESW]):(.*)", re.DOTALL | re.IGNORECASE)
_COMMENT_OR_TAG = re.compile(
    r"""^%.*|;.*|\{[^}]*\}|\[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\]|\\.)*)"\s*\]""", re.MULTILINE
)
_UNKNOWN = ("", "?")
"""The values of a tag that stand for an unknown deal."""


def seat_number(seat: str | SupportsIndex) -> int | None:
    """The number of a seat: "N" or "north" in either case, or 0 to 3; None for something else.

    Examples
    --------
    >>> seat_number("n"), seat_number("South"), seat_number(3), seat_number("up")
    (0, 2, 3, None)
    """
    if isinstance(seat, str):
        names = (*SEATS.lower(), *SEAT_NAMES)
        return names.index(seat.lower()) % 4 if seat.lower() in names else None
    number = whole_number(seat)
    return number if number in range(4) else None


def seat_of(seat: str | SupportsIndex, name: str = "leader") -> int:
    """As `seat_number`, but an ArgumentError that names the argument is raised if there is no such seat."""
    number = seat_number(seat)
    if number is None:
        raise ArgumentError(f"{name} is {quoted(seat)}: it must be N, E, S or W")
    return number


def parse_hand(text: str) -> int:
    """The mask of a hand in PBN: the ranks of spades, hearts, diamonds and clubs, with dots between.

    Raises
    ------
    CardError
        If the text has another form, or a rank twice in a suit.

    Examples
    --------
    >>> parse_hand("A..32.") == 1 << 51 | 1 << 14 | 1 << 13
    True
    """
    if not isinstance(text, str):
        raise CardError(f"{text!r} is not a text of a hand, such as AK2.QJ3.K432.Q32")
    suits = text.strip().upper().replace("10", "T").split(".")
    if len(suits) != 4 or any(rank not in RANKS for rank in "".join(suits)):
        raise CardError(f"{text!r} is not a hand: write the ranks of S.H.D.C, such as AK2.QJ3.K432.Q32")
    mask = 0
    for suit, ranks in enumerate(reversed(suits)):
        if len(set(ranks)) < len(ranks):
            card = next(rank for rank in ranks if ranks.count(rank) > 1) + SUITS[suit]
            raise CardError(f"{text!r} is not a hand: a rank occurs twice in {ranks!r} ({card})")
        mask |= sum(1 << 13 * suit + RANKS.index(rank) for rank in ranks)
    return mask


def holding_text(hand: int, suit: int) -> str:
    """The ranks of one suit (0 = clubs), the highest first.

    Examples
    --------
    >>> holding_text(parse_hand("A..32."), 1)
    '32'
    """
    return "".join(RANKS[rank] for rank in range(12, -1, -1) if hand >> 13 * suit + rank & 1)


def format_hand(hand: int) -> str:
    """A hand in PBN.

    Raises
    ------
    DealError
        If it is not the mask of a hand.

    Examples
    --------
    >>> format_hand(parse_hand("AK2.QJ3.K432.Q32"))
    'AK2.QJ3.K432.Q32'
    """
    masks = masks_of(hand)
    if masks.ndim:
        raise DealError(f"one hand is a single mask, not an array of shape {masks.shape}: to_pbn writes deals")
    return ".".join(holding_text(int(masks), suit) for suit in (3, 2, 1, 0))


def to_pbn(deals: ArrayLike, first: str | SupportsIndex = "N") -> str:
    """Deals in PBN.

    Parameters
    ----------
    deals
        Masks: (4,) for one deal, or (n, 4).
    first
        The seat whose hand comes first.

    Returns
    -------
    str
        One deal: ``N:`` and four hands, ``-`` for a hand without cards. Several: the text of a PBN file, with the
        dealer and the vulnerability of boards 1 to n.

    Raises
    ------
    DealError
        If the shape is another one, a number is not a mask, or there is no such seat.

    Examples
    --------
    >>> suits = [0x1FFF << 13 * suit for suit in (3, 2, 1, 0)]
    >>> to_pbn(suits)
    'N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432'
    """
    masks = masks_of(deals)
    if masks.ndim not in (1, 2) or masks.shape[-1] != 4:
        raise DealError(f"deals have the shape (4,) or (n, 4), not {masks.shape}")
    start = seat_number(first)
    if start is None:
        raise DealError(f"{first!r} is not a seat: seats are N, E, S, W")
    if masks.ndim == 2:
        boards = [
            f'[Board "{i + 1}"]\n[Dealer "{SEATS[i % 4]}"]\n[Vulnerable "{VULNERABLE[i % 16]}"]\n'
            f'[Deal "{to_pbn(deal, first)}"]\n'
            for i, deal in enumerate(masks)
        ]
        return "\n".join(boards)
    hands = [int(masks[(start + i) % 4]) for i in range(4)]
    return f"{SEATS[start]}:" + " ".join(format_hand(hand) if hand else "-" for hand in hands)


def from_pbn(text: str) -> Deals:
    """The deals of a text in PBN.

    Parameters
    ----------
    text
        The text of a file, of which the tags ``[Deal "..."]`` are read; comments, and deals that are empty or ``?``,
        are skipped. Or one deal, such as ``N:...``, in which ``-`` is an unknown hand.

    Returns
    -------
    array
        Masks: (n, 4) for a file, (4,) for one deal; 0 for unknown hands.

    Raises
    ------
    DealError, CardError
        If there is no deal, or one has an impossible hand. If there are several, the message has its number, from 0.

    Examples
    --------
    >>> from_pbn("S:AK2.QJ3.K432.Q32 - - -").tolist() == [0, 0, parse_hand("AK2.QJ3.K432.Q32"), 0]
    True
    """
    deals = hands_of([text])
    for number, masks in enumerate(deals.tolist()):
        with numbered(number, len(deals)):
            for mask in masks:
                if mask.bit_count() not in (0, 13):
                    raise DealError(
                        f"the hand {format_hand(mask)!r} has {mask.bit_count()} cards: 13 are needed, or '-' for an "
                        "unknown hand"
                    )
            check_disjoint(masks)
    only: Deals = deals[0]
    return only if _DEAL.fullmatch(text) else deals


def hands_of(texts: Sequence[str]) -> Deals:
    """The masks of the deals of several texts, shape (n, 4); hands may have any length and share cards.

    Raises
    ------
    DealError, CardError
        If a text has no deal, a deal does not have four hands, or a hand cannot be read.
    """
    deals: list[str] = []
    for text in texts:
        with numbered(len(deals), len(texts)):
            deals += _deals_in(text)
    masks = np.empty((len(deals), 4), np.uint64)
    for number, deal in enumerate(deals):
        with numbered(number, len(deals)):
            masks[number] = _masks_of_deal(deal)
    return masks


def _deals_in(text: str) -> list[str]:
    """The text itself if it is one deal; of a file, the values of the tags that have a deal."""
    if not isinstance(text, str):
        raise DealError(f"{text!r} is not a text of deals in PBN, such as N:AK2.QJ3.K432.Q32 - - -")
    if _DEAL.fullmatch(text):
        return [text]
    tags = [found for found in _COMMENT_OR_TAG.finditer(text) if found["name"] == "Deal"]
    deals = [tag["value"] for tag in tags if tag["value"].strip() not in _UNKNOWN]
    if not deals:
        raise _no_deal(text)
    return deals


def _no_deal(text: str) -> DealError:
    return DealError(f"{text[:40]!r} has no deal: write N:, E:, S: or W: and four hands, or '-' for unknown ones")


def _masks_of_deal(text: str) -> list[int]:
    """The masks of one deal."""
    found = _DEAL.fullmatch(text)
    if not found:
        raise _no_deal(text)
    hands = found[2].split()
    if len(hands) != 4:
        raise DealError(
            f"{text[:80]!r} is not one deal: it has {len(hands)} hands, and 4 are needed, '-' for unknown ones"
        )
    masks, first = [0] * 4, SEATS.index(found[1].upper())
    for turn, hand in enumerate(hands):
        seat = (first + turn) % 4
        try:
            masks[seat] = 0 if hand == "-" else parse_hand(hand)
        except CardError as error:
            raise CardError(f"{SEAT_NAMES[seat]}: {error}") from None
    return masks


@contextmanager
def numbered(number: int, deals: int) -> Iterator[None]:
    """Put the number of a deal before an error about it, if there are several deals."""
    try:
        yield
    except (CardError, DealError) as error:
        if deals == 1:
            raise
        raise type(error)(f"deal {number}: {error}") from None


def masks_of(hands: ArrayLike) -> NDArray[np.uint64]:
    """Masks of hands as an array, of any shape.

    Raises
    ------
    DealError
        If a number is not a mask, or rows differ in length.
    """
    masks = array_of_masks(hands)
    if masks.size and (masks.dtype.kind not in "iu" or masks.min() < 0 or masks.max() > FULL_DECK):
        raise DealError(
            "hands are masks here: whole numbers from 0 to 2**52 - 1, such as parse_hand('AK2.QJ3.K432.Q32')"
        )
    return masks.astype(np.uint64)


def array_of_masks(masks: ArrayLike) -> NDArray[Any]:
    """Masks as an array of any type; a DealError if its rows differ in length."""
    return array_of(masks, DealError, "the rows of an array of masks need the same length")


def check_disjoint(masks: list[int]) -> None:
    """Check that no card is in two hands.

    Raises
    ------
    DealError
        If one is.
    """
    for second, mask in enumerate(masks):
        for first in range(second):
            if both := mask & masks[first]:
                seats = f"{SEAT_NAMES[first]} and {SEAT_NAMES[second]}"
                raise DealError(f"the cards {format_cards(cards_in(both))} are in two hands, {seats}")
