"""All meldings, and why they are what they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo.cards.card import format_cards
from foogo.cards.rummy import FLAGS, JOKER, ControlPoint, combos, control_points, flags, islands, melds
from foogo.cards.rummy import meldings as meldings_module
from foogo.cards.rummy.rules import ACES
from foogo.errors import ArgumentError
from tests.cards.rummy import oracle

CONFLICT = "2H3H4H5H4H5H6H3C3C3D3D4D"


def test_one_control_point_seven_melds_six_combos() -> None:
    assert control_points(CONFLICT) == [ControlPoint(27, 1, ("run", "set"))]
    assert [str(meld) for meld in melds(CONFLICT, 2)] == [
        "3c 3d 3h",
        "2h 3h 4h",
        "2h 3h 4h 5h",
        "2h 3h 4h 5h 6h",
        "3h 4h 5h",
        "3h 4h 5h 6h",
        "4h 5h 6h",
    ]
    assert [melding.deadwood for melding in combos(CONFLICT, 2)] == [16, 18, 21, 21, 25, 27]


def test_a_hand_with_too_many_meldings_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meldings_module, "MOST_MELDINGS", 6)
    assert len(combos(CONFLICT, 2)) == 6
    with pytest.raises(ArgumentError, match="more than 6 maximal meldings"):
        combos(range(52))


def test_three_islands() -> None:
    hand = "11C 3H 4H 11D 3D 5H 9D 2H 6H 3C 4H 3D 4D 5H 12D 3C"
    assert [format_cards(island) for island in islands(hand)] == [
        "3c 3c 3d 3d 4d 2h 3h 4h 4h 5h 5h 6h",
        "Jc Jd Qd",
        "9d",
    ]


def test_six_placements_of_two_cards_with_four_uses() -> None:
    hand = "3H 4H 5H 5H 6H 7H 5C 5C 5D 5D"
    assert flags(hand)[2, 3].all()
    (point,) = (point for point in control_points(hand) if point.card == 29)
    assert (point.copies, point.uses) == (2, FLAGS)
    assert len(point.placements) == 6


@pytest.mark.parametrize(("ace", "sizes"), [("low", [2, 2]), ("high", [3, 1]), ("both", [4]), ("corner", [4])])
def test_the_ace_joins_islands(ace: str, sizes: list[int]) -> None:
    assert sorted(map(len, islands("QC KC AC 2C", ace=ace)), reverse=True) == sizes
    joining_runs = {"low": 0, "high": 3, "both": 3, "corner": 4}
    assert flags("QC KC AC 2C", ace=ace)[:, :, 0].sum() == joining_runs[ace]


@pytest.mark.parametrize("find", [flags, islands, control_points, melds, combos])
@pytest.mark.parametrize("ace", [[], "middle", None, np.array(["low", "high"])])
def test_where_the_ace_goes_is_checked(find: Any, ace: Any) -> None:
    with pytest.raises(ArgumentError, match=r"^ace is .*: it must be one of low, high, both, corner$"):
        find("2C 3C 4C", ace=ace)


@st.composite
def hands(draw: st.DrawFn) -> tuple[list[int], int, str]:
    decks = draw(st.integers(1, 2))
    card = st.builds(lambda suit, rank: 13 * suit + rank, st.integers(0, 3), st.sampled_from([11, 12, 0, 1, 2]))
    cards = draw(st.lists(card, min_size=1, max_size=11))
    return [card for i, card in enumerate(cards) if cards[:i].count(card) < decks], decks, draw(st.sampled_from(ACES))


@settings(max_examples=200, deadline=None)
@given(hands())
def test_all_melds_and_meldings(drawn: tuple[list[int], int, str]) -> None:
    cards, decks, ace = drawn
    counts = [cards.count(card) for card in range(53)]
    possible = oracle.all_melds(counts, ace)
    assert sorted(tuple((card, 1) for card in sorted(meld.cards)) for meld in melds(cards, decks, ace=ace)) == possible
    found = [
        sorted(tuple((card, 1) for card in sorted(meld.cards)) for meld in melding.melds)
        for melding in combos(cards, decks, ace=ace)
    ]
    assert sorted(found) == sorted(map(list, oracle.packings(counts, possible)))


@settings(max_examples=200, deadline=None)
@given(hands())
def test_islands_share_no_meld(drawn: tuple[list[int], int, str]) -> None:
    cards, decks, ace = drawn
    groups = islands(cards, decks, ace=ace)
    assert sorted(card for group in groups for card in group) == sorted(cards)
    for meld in melds(cards, decks, ace=ace):
        assert sum(not set(meld.cards).isdisjoint(group) for group in groups) == 1


@settings(max_examples=200, deadline=None)
@given(hands())
def test_uses_are_what_packings_show(drawn: tuple[list[int], int, str]) -> None:
    """A card has a use if some melds that fit the hand together give it."""
    cards, decks, ace = drawn
    found, together = flags(cards, decks, ace=ace), melds(cards, decks, ace=ace)
    for card in set(cards):
        uses = {"run": 0, "set": 0}
        through = [meld for meld in together if card in meld.cards]
        for meld in through:
            uses[meld.kind] = max(uses[meld.kind], 1)
            for other in through:
                both = [*meld.cards, *other.cards]
                if other.kind == meld.kind and all(cards.count(one) >= both.count(one) for one in both):
                    uses[meld.kind] = 2
        expected = [uses["run"] > 0, uses["run"] > 1, uses["set"] > 0, uses["set"] > 1]
        assert found[divmod(card, 13)].tolist() == expected


@pytest.mark.parametrize("hand", ["2C 3C JK", "2C 2D 5H JK JK"])
def test_melds_and_meldings_with_jokers(hand: str) -> None:
    cards = [0, 1, JOKER] if hand == "2C 3C JK" else [0, 13, 29, JOKER, JOKER]
    counts = [cards.count(card) for card in range(53)]
    found = {tuple((card, meld.cards.count(card)) for card in sorted(set(meld.cards))) for meld in melds(hand)}
    assert sorted(found) == oracle.all_melds(counts, "low")
    assert combos(hand)[0].deadwood == oracle.least_deadwood(cards)


def test_a_hand_without_melds() -> None:
    assert melds("2C 9D") == []
    assert [str(melding) for melding in combos("2C 9D")] == ["no melds | deadwood 11 2c 9d"]
    assert not flags("2C 9D").any()
    assert np.array_equal(control_points("2C 9D"), [])
