"""Cards that seats have before the deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import whole, whole_number
from foogo.cards.card import FULL_DECK, mask_of, read_cards
from foogo.cards.deal.pbn import SEAT_NAMES, check_disjoint, from_pbn, parse_hand, seat_number
from foogo.errors import ArgumentError, DealError

Predeal: TypeAlias = Mapping[Any, str | int | Sequence[Any]] | ArrayLike | None
"""What `masks_of_predeal` takes."""


def masks_of_predeal(predeal: Predeal) -> NDArray[np.uint64]:
    """The masks of the four seats.

    Parameters
    ----------
    predeal
        Text, lists of cards or masks by seat (see `seat_number`); a deal with unknown hands in PBN; four masks; or
        None.

    Raises
    ------
    ArgumentError, CardError
        If it has another form.
    DealError
        If a card is in two hands, or a seat has more than 13 cards.

    Examples
    --------
    >>> masks_of_predeal({"north": "AS KS", "east": "2C"}).tolist() == [1 << 51 | 1 << 50, 1, 0, 0]
    True
    """
    if predeal is None:
        predeal = {}
    if isinstance(predeal, str):
        masks = from_pbn(predeal).ravel().tolist()  # four, or those of several boards
    elif isinstance(predeal, Mapping):
        given = by_seat(predeal.items())
        masks = [_mask(name, given.get(seat, 0)) for seat, name in enumerate(SEAT_NAMES)]
    else:
        hands = np.asarray(predeal, object)
        masks = [_mask(*pair) for pair in zip(SEAT_NAMES, hands.tolist(), strict=True)] if hands.shape == (4,) else []
    if len(masks) != 4:
        raise ArgumentError("predeal must be cards by seat, one deal in PBN, or four masks")
    for name, mask in zip(SEAT_NAMES, masks, strict=True):
        if mask.bit_count() > 13:
            raise DealError(f"predeal gives {name} {mask.bit_count()} cards: a hand has 13")
    check_disjoint(masks)
    return np.array(masks, np.uint64)


def by_seat(predeal: Iterable[tuple[Any, Any]]) -> dict[int, Any]:
    """The cards by the number of the seat, from pairs of a seat and its cards.

    Raises
    ------
    ArgumentError
        If there is no such seat, or a seat occurs twice.
    """
    found: dict[int, Any] = {}
    for name, cards in predeal:
        seat = seat_number(name)
        if seat is None:
            raise ArgumentError(f"predeal has the seat {name!r}: seats are {', '.join(SEAT_NAMES)}")
        if seat in found:
            raise ArgumentError(f"predeal has {SEAT_NAMES[seat]} twice: write all its cards at once, such as AS KS")
        found[seat] = cards
    return found


def _mask(name: str, cards: Any) -> int:
    if isinstance(cards, str) and "." in cards:
        return parse_hand(cards)
    if whole_number(cards) is not None:
        return whole(f"predeal of {name}", cards, 0, FULL_DECK)
    return mask_of(read_cards(f"predeal of {name}", cards))
