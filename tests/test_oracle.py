"""The oracle itself, on boards small enough to check by eye."""

from __future__ import annotations

from random import Random

import pytest

from tests.oracle import (
    BLACK,
    EMPTY,
    PASS,
    WHITE,
    Illegal,
    Position,
    after,
    area_score,
    candidates,
    eyes,
    from_diagram,
    legal,
    perft,
    playable,
    playout_ownership,
    random_ko_position,
)
from tests.oracle_playouts import Stream, playout

KO = """
    . X O .
    X . X O
    . X O .
    . . . .
"""


def test_a_diagram_is_read_from_the_top() -> None:
    position = from_diagram("O . \n . X")
    assert position.black == {1}
    assert position.white == {2}
    assert str(position) == "O .\n. X"
    assert position.string(1) == {1}
    assert position.liberties(1) == {0, 3}


def test_a_ko_may_not_be_retaken_at_once() -> None:
    taken = after(from_diagram(KO, to_play=WHITE), 9)
    assert taken.color_at(10) == EMPTY
    assert taken.ko == 10
    with pytest.raises(Illegal, match="ko"):
        after(taken, 10)
    assert after(after(taken, PASS), PASS).ko is None


def test_suicide_is_for_strings_of_two_or_more() -> None:
    position = from_diagram("""
        . O . .
        O . . O
        X O O .
        . X O .
    """)
    with pytest.raises(Illegal, match="one stone"):
        after(position, 12)
    string = from_diagram("""
        . X O .
        O O . .
        . . . .
        . . . .
    """)
    assert after(string, 12).black == set()
    assert legal(string) - legal(string, suicide=False) == {12}


def test_eyes_candidates_and_playable() -> None:
    position = from_diagram("""
        . X . O .
        X X X O O
        . X . X .
        X . X X X
        O X . X .
    """)
    assert eyes(position, BLACK) == {2, 4, 6, 10, 12, 20}
    assert candidates(position) == {14, 22, 24}
    assert playable(position) <= candidates(position)


def test_two_ways_to_count() -> None:
    position = from_diagram("""
        . . X .
        X X X O
        . . O .
        . . O .
    """)
    assert area_score(position) == 4 + 2 - 3 - 2
    assert playout_ownership(position)[12] == EMPTY


def test_the_stream_is_sfc32() -> None:
    stream = Stream(0, 0)
    assert [stream.draw() for _ in range(3)] == [808754475, 4216505632, 947923937]


@pytest.mark.parametrize("suicide", [True, False])
def test_a_playout_can_be_followed_move_by_move(suicide: bool) -> None:
    record = playout(set(), set(), 5, seed=3, number=7, suicide=suicide)
    position = Position(5)
    for turn in record.turns:
        assert turn.color == position.to_play
        assert turn.refused == tuple(dict.fromkeys(turn.refused))
        assert not set(turn.refused) & legal(position, suicide)
        position = after(position, turn.move, suicide)
    assert position == record.final
    assert record.moves[-2:] == [PASS, PASS]
    assert record.move_count == sum(move != PASS for move in record.moves)
    assert record.score == sum({BLACK: 1, WHITE: -1, EMPTY: 0}[owner] for owner in record.ownership)


def test_a_playout_that_ends_by_itself_is_scored_as_the_rules_do() -> None:
    records = [
        playout(set(), set(), size, number=number, suicide=suicide)
        for size in (2, 3, 4, 5)
        for number in range(25)
        for suicide in (True, False)
    ]
    assert all(record.score == area_score(record.final) for record in records if not record.cut)


def test_a_playout_is_cut() -> None:
    records = [playout(set(), set(), 2, number=number) for number in range(20)]
    assert {record.cut for record in records} == {True, False}
    assert all(record.move_count == 12 for record in records if record.cut)


def test_random_ko_positions_have_a_ko() -> None:
    position = random_ko_position(Random(5), 5)
    assert position.ko in position.empty
    assert position.ko not in legal(position)


@pytest.mark.parametrize(
    ("size", "passes", "superko", "counts"),
    [
        (5, False, "simple", [25, 600, 13800]),
        (3, True, "simple", [10, 91, 738]),
        (2, True, "positional", [5, 21, 68, 156, 316, 604, 1088]),
    ],
)
def test_perft_gives_the_published_counts(size: int, passes: bool, superko: str, counts: list[int]) -> None:
    depths = range(1, len(counts) + 1)
    assert [perft(size, depth, passes, superko) for depth in depths] == counts
