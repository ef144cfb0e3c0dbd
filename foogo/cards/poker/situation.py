"""The known cards of an all-in, checked: what each player may hold, the board, and the cards that are out of play."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from foogo.cards.card import CARDS, cards_in, format_cards, mask_of, parse_cards, read_cards
from foogo.cards.poker.kernels.showdowns import Situation
from foogo.cards.poker.ranges import parse_range
from foogo.errors import ArgumentError, CardError

GAMES = ("holdem", "draw")
"""Texas hold'em, and five-card draw with one draw."""

PLAYERS = 23
"""The most hands: one deck has no more holdings beside a board."""

MOST_REJECTED = 9
"""The most players for whom a sample also draws random holdings independently; with more, few deals would be left."""

Masks = NDArray[np.uint64]


def texts_of(hands: Sequence[str | Sequence[Any]]) -> tuple[str, ...]:
    """The hands of the players as texts; a list of cards becomes the text of these cards.

    Raises
    ------
    ArgumentError
        If these are not 2 to 23 texts or lists.
    CardError
        If something in a list is not a card, or a card occurs twice.
    """
    if (
        isinstance(hands, str)
        or not hasattr(hands, "__len__")
        or not 2 <= len(hands) <= PLAYERS
        or not all(isinstance(hand, (str, Iterable)) for hand in hands)
    ):
        raise ArgumentError(f"hands is {hands!r}: 2 to {PLAYERS} texts are needed, or lists of cards")
    return tuple(text_of("hand", hand) for hand in hands)


def text_of(name: str, cards: str | Iterable[Any]) -> str:
    """The text of an argument that is a text or a list of cards; a CardError if it is something else."""
    return str(cards) if isinstance(cards, str) else format_cards(read_cards(name, cards))


def situation_of(hands: Sequence[str], board: str, dead: str, game: str) -> Situation:
    """The situation that texts describe: see `equity`.

    Raises
    ------
    ArgumentError
        If the game is unknown, a range is empty, or the hands cannot be dealt from one deck.
    CardError
        If a text is not a card or a range, if a card occurs twice, or if there are too many cards.
    """
    if game not in GAMES:
        raise ArgumentError(f"game is {game!r}: it must be one of {', '.join(GAMES)}")
    known = parse_cards(board)
    out = mask_of(parse_cards(f"{board} {dead}"))
    if len(known) > 5 or (known and game == "draw"):
        raise CardError(f"board is {board!r}: {'draw has none' if game == 'draw' else 'it has at most 5 cards'}")
    if game == "holdem":
        return _holdem(hands, mask_of(known), out)
    return _draw(hands, dead, out)


def sampled_situation(situation: Situation) -> Situation:
    """The situation from which a sample draws: at a very full table, random holdings are dealt last, as draws.

    The other cards leave the same number of random holdings, whatever they are. So all deals stay equally likely.
    """
    if len(situation.draws) <= MOST_REJECTED:
        return situation
    free = CARDS - int(situation.board | situation.dead).bit_count()
    holdings = np.split(situation.holdings, situation.first[1:-1])
    is_random = [len(masks) == comb(free, 2) for masks in holdings]
    kept = [np.zeros(1, np.uint64) if any_two else masks for any_two, masks in zip(is_random, holdings, strict=True)]
    draws = np.where(is_random, 2, situation.draws).tolist()
    return _situation(kept, draws, int(situation.board), int(situation.dead), situation.missing)


def _holdem(hands: Sequence[str], board: int, out: int) -> Situation:
    missing = 5 - board.bit_count()
    holdings = [_range(text, out) for text in hands]
    seen = 0
    for text, masks in zip(hands, holdings, strict=True):
        if len(masks) == 1:
            if shared := int(masks[0]) & seen:
                raise CardError(f"{format_cards(cards_in(shared))} of {text!r} is in another hand too")
            seen |= int(masks[0])
    if 2 * len(hands) + missing + out.bit_count() > CARDS or not _can_be_dealt(sorted(holdings, key=len)):
        beside = " beside the known cards" if out else ""
        raise ArgumentError(f"one deck cannot deal {', '.join(map(repr, hands))}{beside}")
    return _situation(holdings, [0] * len(hands), board, out & ~board, missing)


def _range(text: str, out: int) -> Masks:
    """The holdings of a range without the known cards."""
    holdings = np.array([holding for holding in parse_range(text) if not holding & out], np.uint64)
    if not len(holdings):
        raise ArgumentError(f"range {text!r} is empty: each of its holdings has one of {format_cards(cards_in(out))}")
    return holdings


def _can_be_dealt(holdings: list[Masks]) -> bool:
    """Whether all players can have holdings without a common card: by a quick attempt, else by an integer program."""
    seen = np.uint64(0)
    for masks in holdings:
        possible = masks[masks & seen == 0]
        if not len(possible):
            return _is_feasible(holdings)
        seen |= possible[0]
    return True


def _is_feasible(holdings: list[Masks]) -> bool:
    """Whether one holding per player can be chosen so that each card is chosen at most once."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import coo_array

    masks = np.concatenate(holdings)
    players = np.repeat(np.arange(len(holdings)), [len(one) for one in holdings])
    chosen, card = np.nonzero(masks[:, np.newaxis] >> np.arange(CARDS, dtype=np.uint64) & np.uint64(1))
    rows = np.concatenate((players, len(holdings) + card))
    columns = np.concatenate((np.arange(len(masks)), chosen))
    shape = len(holdings) + CARDS, len(masks)
    least = np.repeat([1, 0], [len(holdings), CARDS])
    once = LinearConstraint(coo_array((np.ones(len(rows)), (rows, columns)), shape=shape), least, 1)
    return bool(milp(np.zeros(len(masks)), integrality=1, bounds=Bounds(0, 1), constraints=once).success)


def _draw(hands: Sequence[str], dead: str, out: int) -> Situation:
    kept = [parse_cards(text) for text in hands]
    for text, cards in zip(hands, kept, strict=True):
        if len(cards) > 5:
            raise CardError(f"hand {text!r} has {len(cards)} cards: at most 5 can be kept")
    parse_cards(" ".join([*hands, dead]))  # raises an error if two texts share a card
    if 5 * len(hands) + out.bit_count() > CARDS:
        raise ArgumentError(f"one deck cannot deal {len(hands)} hands of 5 cards beside {out.bit_count()} dead cards")
    holdings = [np.array([mask_of(cards)], np.uint64) for cards in kept]
    return _situation(holdings, [5 - len(cards) for cards in kept], 0, out, 0)


def _situation(holdings: Sequence[Masks], draws: Sequence[int], board: int, dead: int, missing: int) -> Situation:
    first = np.cumsum([0, *map(len, holdings)])
    return Situation(np.concatenate(holdings), first, np.array(draws), np.uint64(board), np.uint64(dead), missing)
