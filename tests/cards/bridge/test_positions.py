"""What `foogo.cards.bridge` takes and refuses; scores, par and leads."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from foogo.cards.bridge import STRAINS, Par, leads, par, score, solve, table, tables, tricks
from foogo.cards.bridge.positions import play, strain_of, winning_turn
from foogo.cards.card import parse_cards
from foogo.cards.deal import Dealer, to_pbn
from foogo.cards.deal.pbn import seat_of
from foogo.errors import ArgumentError, CardError, DealError, FoogoError

ENDING = "N:AQ... .32.. K2... .54.."


@pytest.mark.parametrize(
    ("deal", "options", "error", "message"),
    [
        ("N:AQ... .32.. K2... .5..", {}, DealError, "west has 1 card and north 2: the hands of a deal are equally"),
        ("N:AQ... A2... K2... .54..", {}, DealError, "the cards As are in two hands, north and east"),
        ("N:AQ... .32.. K2...", {}, DealError, "is not one deal"),
        ("N:AQ... - K2... .54..", {}, DealError, "east has 0 cards and north 2"),
        ("AQ... .32.. K2... .54..", {}, DealError, "write N:, E:, S: or W: and four hands"),
        (f'[Deal "{ENDING}"]\n[Deal "{ENDING}"]', {}, DealError, "the text has 2 deals: one is needed"),
        ("N:AX... .32.. K2... .54..", {}, CardError, "north: 'AX...' is not a hand"),
        ("N:AA... K2... Q3... J4...", {}, CardError, "north: 'AA...' is not a hand: a rank occurs twice in 'AA' (As)"),
        ([0, 0, 0, 0], {}, DealError, "no hand has a card"),
        ([1, 2, 4, 1 << 52], {}, DealError, "the mask of west has bits above 51"),
        ([[1, 2, 4, 8]], {}, DealError, "a deal has four masks, shape (4,), not int64 of shape (1, 4)"),
        ([1.5, 2, 4, 8], {}, DealError, "a deal has four masks"),
        ([[1], 2, 4, 8], {}, DealError, "the rows of an array of masks need the same length"),
        (ENDING, {"trump": "Z"}, ArgumentError, "trump is 'Z': it must be C, D, H, S or NT"),
        (ENDING, {"trump": 5}, ArgumentError, "trump is 5"),
        (ENDING, {"leader": "Q"}, ArgumentError, "leader is 'Q': it must be N, E, S or W"),
        (ENDING, {"leader": 4}, ArgumentError, "leader is 4"),
        (ENDING, {"table_mb": 0}, ArgumentError, "table_mb is 0"),
        (ENDING, {"played": 5}, CardError, "played is 5: it must be a text or a list of cards"),
        (ENDING, {"played": "As"}, DealError, "As is played by south, but north has it"),
        (ENDING, {"played": "2s 5h Tc"}, DealError, "Tc is played by north, but it was played before or is not"),
        (ENDING, {"played": "2s 2s"}, DealError, "2s is played by west, but it was played before"),
        (ENDING, {"played": "2s 4h Qs 3h Ks"}, DealError, "Ks is played by north, but south has it"),
        (
            ENDING,
            {"played": ["2s", "4h", "Qs", "3h", "Qs"]},
            DealError,
            "Qs is played by north, but it was played before",
        ),
        (ENDING, {"played": "2s 4h Qs 3h As 2h Ks 5h"}, DealError, "all cards are played"),
        (ENDING, {"played": "2s 4h Xs"}, CardError, "'Xs' is not a card"),
        (ENDING, {"played": ["2s 4h"]}, CardError, "'2s 4h' is 2 cards: one card is needed"),
        (ENDING, {"played": [""]}, CardError, "'' is 0 cards"),
        (ENDING, {"played": [-1]}, CardError, "-1 is not a card: cards are 0 (2c) to 51 (As)"),
        (ENDING, {"played": [52]}, CardError, "52 is not a card"),
        (ENDING, {"played": [39.0]}, CardError, "39.0 is not a card"),
        (ENDING, {"played": [None]}, CardError, "None is not a card"),
        ("N:A2... K..3. QJ... .54..", {"leader": "N", "played": "As 3d"}, DealError, "3d is a revoke: east has spades"),
    ],
)
def test_errors_name_what_is_wrong(deal: Any, options: dict[str, Any], error: type[FoogoError], message: str) -> None:
    arguments = {"trump": "NT", "leader": "S", **options}
    with pytest.raises(error, match=re.escape(message)):
        solve(deal, arguments.pop("trump"), arguments.pop("leader"), **arguments)


def test_errors_of_many_deals_have_its_number() -> None:
    deals = Dealer(seed=1).deals(3)
    deals[1, 2] = deals[1, 3]
    with pytest.raises(DealError, match=r"^deal 1: the cards .* are in two hands, south and west$"):
        tables(deals)
    with pytest.raises(DealError, match="deals are masks"):
        tables(deals[0])
    with pytest.raises(ArgumentError, match="threads is 0"):
        tricks(Dealer(seed=1).deals(1), "S", "N", threads=0)
    with pytest.raises(ArgumentError, match="progress is 3: it must be a function"):
        tricks(Dealer(seed=1).deals(1), "S", "N", progress=3)  # type: ignore[arg-type]


def test_names_of_seats_and_strains() -> None:
    assert [strain_of(name) for name in STRAINS] == [strain_of(name.lower()) for name in STRAINS] == list(range(5))
    assert [strain_of(name) for name in ("♣", "♦️", "Hearts", "♠")] == list(range(4))
    assert [seat_of(name) for name in ("N", "east", "SOUTH", "w", 3)] == [0, 1, 2, 3, 3]


def test_pbn_and_masks_are_the_same() -> None:
    deals = Dealer(seed=2).deals(2)
    assert np.array_equal(tricks(to_pbn(deals), 4, 0), tricks(deals, "NT", "N"))
    assert tricks(np.empty((0, 4), np.uint64), "S", "N").shape == (0,)
    assert tables(np.empty((0, 4), np.uint64)).shape == (0, 5, 4)


def test_text_may_have_short_hands() -> None:
    file = f'[Deal "{ENDING}"]\n[Deal "E:.32.. K2... .54.. AQ..."]\n'
    assert tricks(ENDING, "NT", "N").tolist() == [solve(ENDING, "NT", "N").tricks] == [2]
    assert tricks(file, "NT", "N").tolist() == [2, 2]
    assert np.array_equal(tables(file)[0], table(ENDING))
    assert np.array_equal(table(f'[Deal "{ENDING}"]'), table(ENDING))
    with pytest.raises(DealError, match="deal 1: west has 1 card and north 2"):
        tables(file.replace("54.. AQ", "5.. AQ"))


def test_deals_may_be_a_list_of_texts() -> None:
    other = "E:.32.. K2... .54.. AQ..."
    file = f'[Deal "{ENDING}"]\n[Deal "{other}"]\n'
    for texts in ([ENDING, other], (ENDING, other), np.array([ENDING, other]), np.array([ENDING, other], object)):
        assert tricks(texts, "NT", "N").tolist() == [2, 2]
    assert tables([ENDING, ENDING]).tolist() == [table(ENDING).tolist()] * 2
    with pytest.raises(DealError, match="deal 1: west has 1 card and north 2"):
        tables([ENDING, ENDING.replace("54", "5")])
    wrong: Any
    for wrong, message in (
        ([ENDING, "X"], "^deal 1: 'X' has no deal"),
        ([file, "N:A... K... Q..."], "^deal 2: .* it has 3 hands"),
        ([file, file.replace("K2", "KK")], r"^deal 2: south: .* \(Ks\)$"),
        (file.replace(".54.. AQ", ".54.. AX"), "^deal 1: north: 'AX...' is not a hand"),
        ("X", "^'X' has no deal"),
    ):
        with pytest.raises(FoogoError, match=message):
            tables(wrong)


def test_no_deals() -> None:
    assert tricks([], "S", "N").shape == tricks(np.array([], "U5"), "S", "N").shape == (0,)
    assert tables([]).shape == (0, 5, 4)


def test_play() -> None:
    hands = np.array([parse_mask("As Qs"), parse_mask("3h 2h"), parse_mask("Ks 2s"), parse_mask("5h 4h")], np.uint64)
    position = play(hands, 4, 2, parse_cards("2s 5h Qs 2h As"))
    assert (position.leader, position.seat, position.on_table) == (0, 1, tuple(parse_cards("As")))
    assert position.legal() == parse_cards("3h")
    assert winning_turn(parse_cards("2s 5h Qs 2h"), 2) == 1


def parse_mask(text: str) -> int:
    return sum(1 << card for card in parse_cards(text))


def test_a_card_in_the_wrong_hand() -> None:
    masks = [0x1FFF << 13 * suit for suit in range(4)]
    masks[2] |= 1 << 39
    masks[3] &= ~(1 << 39)
    with pytest.raises(DealError, match=r"south has 14 cards and north 13: the hands of a deal are equally long$"):
        table(masks)


def test_a_wrong_deal_is_a_wrong_value() -> None:
    with pytest.raises(ValueError, match="no hand has a card"):
        solve([0, 0, 0, 0], "NT", "S")


def test_a_table_larger_than_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = np.empty

    def small(shape: Any, *rest: Any) -> Any:
        if np.prod(shape) > 10**6:
            raise MemoryError
        return empty(shape, *rest)

    monkeypatch.setattr(np, "empty", small)
    with pytest.raises(ArgumentError, match="table_mb is 64: this machine does not have that much memory"):
        solve(ENDING, "NT", "S")


def test_a_short_deal_in_front_does_not_make_one_piece_of_all() -> None:
    deals = np.tile(np.array([0x1FFF << 13 * suit for suit in range(4)], np.uint64), (61, 1))
    deals[0] = [1, 2, 4, 8]
    seen: list[int] = []
    tricks(deals, "C", "S", progress=lambda done, total: seen.append(done))
    assert len(seen) > 1


def test_progress_counts_deals() -> None:
    seen: list[tuple[int, int]] = []
    short = np.tile(np.array([0x1FF << 13 * suit for suit in range(4)], np.uint64), (60, 1))
    tricks(short, "C", "S", progress=lambda done, total: seen.append((done, total)))
    assert len(seen) > 1
    assert seen[-1] == (60, 60)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("contract", "expected"),
    [
        ((1, "C", 7), 70),
        ((2, "H", 9), 140),
        ((1, "NT", 7), 90),
        ((3, "NT", 9), 400),
        ((3, "NT", 10, True), 630),
        ((5, "D", 11), 400),
        ((6, "S", 12, True), 1430),
        ((7, "NT", 13), 1520),
        ((4, "S", 7), -150),
        ((4, "S", 7, True), -300),
        ((4, "S", 7, False, 1), -500),
        ((4, "S", 6, False, 1), -800),
        ((4, "S", 7, True, 1), -800),
        ((4, "S", 9, True, 2), -400),
        ((2, "C", 9, False, 1), 280),
        ((1, "NT", 9, True, 2), 1560),
        ((7, "S", 13, True, 2), 2940),
    ],
)
def test_scores(contract: tuple[Any, ...], expected: int) -> None:
    level, trump, won, *rest = contract
    vulnerable, doubled = (*rest, False, 0)[:2] if len(rest) != 1 else (rest[0], 0)
    assert score(level, trump, won, vulnerable=vulnerable, doubled=doubled) == expected


def test_par_of_dds() -> None:
    endplay: Any = pytest.importorskip("endplay.dds", reason="needs DDS: pip install endplay")
    types: Any = pytest.importorskip("endplay.types")
    deals = Dealer(seed=9).deals(2)
    for deal, won in zip(deals, tables(deals), strict=True):
        theirs = endplay.calc_dd_table(types.Deal(to_pbn(deal)))
        for name in ("none", "ns", "ew", "both"):
            for seat in ("north", "east"):
                expected = endplay.par(theirs, types.Vul[name], types.Player[seat])
                assert par(won, name, dealer=seat).score == expected.score


def test_par_without_a_contract_and_with_bad_arguments() -> None:
    nothing = np.full((5, 4), 6)
    assert par(nothing) == Par(0, ("pass",))
    with pytest.raises(ArgumentError, match="vulnerability is 'us'"):
        par(nothing, "us")
    with pytest.raises(ArgumentError, match="numbers of tricks from 0 to 13"):
        par(nothing + 8)
    with pytest.raises(ArgumentError, match="whole numbers of tricks from 0 to 13"):
        par(np.full((5, 4), 6.9))
    with pytest.raises(DealError, match="a hand has 2 cards: par is that of a full deal, 13 cards per hand"):
        par(ENDING)
    with pytest.raises(ArgumentError, match="dealer is 'X'"):
        par(nothing, dealer="X")


def test_leads() -> None:
    dealer = Dealer(predeal={"west": "KQJT9.432.432.32"}, seed=1)
    found = leads(dealer, "NT", "W", n=4)
    assert len(found) == 13
    assert found[0].tricks.value >= found[-1].tricks.value
    deals = dealer.deals(4)
    values = [max(lead.each[i] for lead in found) for i in range(4)]
    assert values == tricks(deals, "NT", "W").tolist()
    assert found[0].at_least(0).value == 1
    with pytest.raises(ArgumentError, match="goal is 'x': it must be a whole number from 0 to 13"):
        found[0].at_least("x")  # type: ignore[arg-type]
    assert "array" not in repr(found[0])
    assert {str(lead).split()[0] for lead in found} == set("Ks Qs Js Ts 9s 4h 3h 2h 4d 3d 2d 3c 2c".split())
    with pytest.raises(DealError, match="the hand of north, who leads, differs between deals"):
        leads(dealer, "NT", "N", n=5)


def test_table_of_one_ending() -> None:
    assert table(ENDING).tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [0, 2, 0, 2], [2, 0, 2, 0], [0, 0, 0, 0]]
    assert str(solve(ENDING, "NT", "E")) == "E to play, 2 tricks: 2h 2, 3h 2"
    assert str(solve("N:A.K.. K.A.. Q.Q.. J.J..", "NT", "N")) == "N to play, 1 trick: Kh 1, As 1"


def test_vulnerable_is_true_or_false() -> None:
    with pytest.raises(ArgumentError, match="vulnerable is 'none'"):
        score(4, "S", 10, vulnerable="none")  # type: ignore[arg-type]
    assert score(4, "S", 10, vulnerable=np.True_) == 620  # type: ignore[arg-type]
    small = np.array([5, 11], np.int8)
    assert score(small[0], "S", small[1]) == 450


def test_leads_of_a_known_deal_point_to_solve() -> None:
    with pytest.raises(ArgumentError, match="solve"):
        leads("N:AQ... .32.. K2... .54..", "NT", "S")  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [tables, par])
def test_the_rows_of_an_array_are_equally_long(function: Any) -> None:
    with pytest.raises(DealError, match="the rows of an array of masks need the same length"):
        function([[1, 2, 4, 8], [1, 2]])
