"""Deals as PBN, as text, as pictures."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import FoogoError
from foogo.cards.deal import (
    Dealer,
    balanced,
    cards_of,
    format_hand,
    from_pbn,
    hcp,
    lengths_of,
    parse_hand,
    picture,
    svg,
    to_pbn,
)

FULL = "N:AKQJ.T98.765.432 T987.AKQ.JT9.765 6543.65.AKQ.AKQJ 2.J7432.8432.T98"


@settings(deadline=None)  # the first example loads compiled code
@given(st.integers(0, 2**64 - 1), st.sampled_from("NESW"))
def test_pbn_in_and_out(seed: int, first: str) -> None:
    deals = Dealer(seed=seed).deals(3)
    assert (from_pbn(to_pbn(deals, first)) == deals).all()
    assert (from_pbn(to_pbn(deals[0], first)) == deals[0]).all()
    assert [parse_hand(format_hand(hand)) for hand in deals[0]] == deals[0].tolist()
    assert (np.sort(cards_of(deals).reshape(3, 52)) == np.arange(52)).all()


def test_a_file_has_the_boards_of_a_tournament() -> None:
    boards = to_pbn(Dealer().deals(18)).split("\n\n")
    assert boards[0].startswith('[Board "1"]\n[Dealer "N"]\n[Vulnerable "None"]\n[Deal "N:')
    assert boards[12].startswith('[Board "13"]\n[Dealer "N"]\n[Vulnerable "All"]\n')
    assert boards[17].startswith('[Board "18"]\n[Dealer "E"]\n[Vulnerable "NS"]\n')


def test_unknown_hands() -> None:
    deal = from_pbn("e:- - 765.432.AKQ.JT98 -")
    assert deal.tolist() == [0, 0, 0, parse_hand("765.432.AKQ.JT98")]
    assert to_pbn(deal) == "N:- - - 765.432.AKQ.JT98"


def test_a_file_may_have_comments_blanks_and_unknown_deals() -> None:
    file = f"""% [Deal "N:AKQX"]
[ Deal  "{FULL}" ] ; [Deal "N:AKQX"]
{{ several lines: [Deal "N:AKQX"]
[Deal "N:AKQX"] }}
[Event "a ; b {{ c \\" d"][Deal"E:- - - -"]
[Deal ""]
[Deal "?"]
"""
    assert from_pbn(file).tolist() == [from_pbn(FULL).tolist(), [0] * 4]
    with pytest.raises(FoogoError, match="has no deal"):
        from_pbn('[Deal "?"] ; [Deal "N:- - - -"]')


def test_the_picture_of_a_deal_has_every_card() -> None:
    drawing = ElementTree.fromstring(svg(from_pbn(FULL)))
    lines = ["".join(text.itertext()) for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert lines[:8] == ["N", "E", "S", "W", "♠AKQJ".replace("♠", "♠ "), "♥ T98", "♦ 765", "♣ 432"]
    for suit in "♠♥♦♣":
        assert sum(len(line) - 2 for line in lines if line[0] == suit) == 13
    text = picture(from_pbn("N:AKQJT98765432... .AKQJT98765432.. ..AKQJT98765432. ...AKQJT98765432"))
    assert text.splitlines()[4:8] == [
        "♠ -                          ♠ -",
        "♥ -                N         ♥ AKQJT98765432",
        "♦ -              W   E       ♦ -",
        "♣ AKQJT98765432    S         ♣ -",
    ]


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (lambda: from_pbn(None), "None is not a text of deals in PBN"),  # type: ignore[arg-type]
        (lambda: parse_hand(5), "5 is not a text of a hand"),  # type: ignore[arg-type]
        (lambda: from_pbn("AKQ"), "has no deal"),
        (lambda: from_pbn("N:AKQJ.T98.765.432 - -"), "has 3 hands"),
        (lambda: from_pbn("N:AKQJ.T98.765.43 - - -"), "has 12 cards"),
        (lambda: from_pbn("N:AKQJ.T98.765.432 AKQJ.T98.765.432 - -"), "are in two hands"),
        (lambda: from_pbn("N:AKQX.T98.765.432 - - -"), "is not a hand"),
        (lambda: from_pbn(f'[Deal "{FULL}"][Deal "N:AK... - - -"]'), "^deal 1: the hand 'AK...' has 2 cards"),
        (lambda: from_pbn(f'[Deal "{FULL}"][Deal "#"]'), "^deal 1: '#' has no deal"),
        (lambda: parse_hand("AKK..."), "occurs twice in 'AKK'"),
        (lambda: to_pbn(np.zeros((2, 3), np.uint64)), "the shape"),
        (lambda: to_pbn([0, 0, 0, 0], "up"), "is not a seat"),
        (lambda: cards_of([3]), "13 cards"),
        (lambda: picture([1, 2, 3]), "one deal"),
        (lambda: picture([-1, 0, 0, 0]), "are masks here: whole numbers from 0"),
        (lambda: svg([1 << 60, 0, 0, 0]), "are masks"),
        (lambda: to_pbn([0.5, 1, 2, 3]), "are masks"),
        (lambda: to_pbn("N:AKQ... - - -"), "are masks"),
        (lambda: hcp.of("AK2.QJ3.K432.Q32"), r"such as parse_hand\('AK2"),
        (lambda: balanced.holds("AK2.QJ3.K432.Q32"), "are masks"),
        (lambda: cards_of([0.5]), "are masks"),
        (lambda: lengths_of(np.array([-1])), "are masks"),
        (lambda: lengths_of(1 << 60), "are masks"),
        (lambda: lengths_of(3.0), "are masks"),
        (lambda: lengths_of("AK2.QJ3.K432.Q32"), "are masks"),
        (lambda: format_hand(-1), "are masks"),
        (lambda: format_hand(1.5), "are masks"),  # type: ignore[arg-type]
        (lambda: format_hand([1, 2]), "one hand is a single mask"),  # type: ignore[arg-type]
        (lambda: to_pbn([1, 2, 4, 8], None), "None is not a seat"),  # type: ignore[arg-type]
        (lambda: to_pbn([[1], [2, 3]]), "need the same length"),
    ],
)
def test_what_is_wrong_is_said(read: object, message: str) -> None:
    assert callable(read)
    with pytest.raises(FoogoError, match=message):
        read()
