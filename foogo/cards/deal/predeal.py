"""Cards that seats have before the deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from foogo.arguments import whole
from foogo.cards.card import FULL_DECK, mask_of, parse_cards
from foogo.cards.deal.pbn import SEAT_NAMES, check_disjoint, from_pbn, parse_hand
from foogo.errors import ArgumentError, DealError


def masks_of_predeal(predeal: Mapping[str, str | int] | ArrayLike | None) -> NDArray[np.uint64]:
    """The masks of the four seats.

    Parameters
    ----------
    predeal
        Text or masks by the names of the seats, a deal with unknown hands in PBN, four masks, or None.

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
        for name in predeal:
            if name not in SEAT_NAMES:
                raise ArgumentError(f"predeal has the seat {name!r}: seats are {', '.join(SEAT_NAMES)}")
        masks = [_mask(name, predeal.get(name, 0)) for name in SEAT_NAMES]
    else:
        given = np.asarray(predeal, object)
        masks = [_mask(*pair) for pair in zip(SEAT_NAMES, given.tolist(), strict=True)] if given.shape == (4,) else []
    if len(masks) != 4:
        raise ArgumentError("predeal must be cards by seat, one deal in PBN, or four masks")
    for name, mask in zip(SEAT_NAMES, masks, strict=True):
        if mask.bit_count() > 13:
            raise DealError(f"predeal gives {name} {mask.bit_count()} cards: a hand has 13")
    check_disjoint(masks)
    return np.array(masks, np.uint64)


def _mask(name: str, cards: Any) -> int:
    if isinstance(cards, str):
        return parse_hand(cards) if "." in cards else mask_of(parse_cards(cards))
    return whole(f"predeal of {name}", cards, 0, FULL_DECK)
