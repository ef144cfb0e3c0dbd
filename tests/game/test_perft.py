"""Counts of legal sequences: published numbers, the oracle's, and wrong arguments."""

from __future__ import annotations

import _thread
from threading import Timer

import pytest

from foogo.errors import ArgumentError, FoogoError, RulesError, SizeError
from foogo.game.perft import perft
from tests import oracle


@pytest.mark.parametrize(
    ("size", "counts"),
    [
        (9, [1, 81, 6480, 511920, 39929136]),
        (5, [1, 25, 600, 13800, 303424, 6368416]),
    ],
)
def test_published_counts_without_passes(size: int, counts: list[int]) -> None:
    assert [perft(size, depth) for depth in range(len(counts))] == counts


def test_published_counts_with_passes_and_simple_ko() -> None:
    counts = [10, 91, 738, 5281, 33384, 179712]
    assert [perft(3, depth, passes=True) for depth in range(1, 7)] == counts


def test_published_counts_with_passes_and_positional_superko() -> None:
    counts = [1088, 2184, 4184, 8024, 13800]
    assert [perft(2, depth, passes=True, superko="positional") for depth in range(7, 12)] == counts


@pytest.mark.parametrize("passes", [True, False])
@pytest.mark.parametrize("superko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize(("size", "depth"), [(2, 6), (3, 4)])
def test_the_oracle_counts_the_same(size: int, depth: int, passes: bool, superko: str, suicide: bool) -> None:
    expected = oracle.perft(size, depth, passes, superko, suicide)
    assert perft(size, depth, passes=passes, superko=superko, suicide=suicide) == expected


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("superko", ["positional", "situational"])
def test_games_under_superko_end(superko: str, suicide: bool) -> None:
    counts = [perft(2, depth, superko=superko, suicide=suicide) for depth in range(26)]
    assert counts[:15] == [oracle.perft(2, depth, False, superko, suicide) for depth in range(15)]
    assert counts[-2:] == [128, 0]


def test_a_count_does_not_depend_on_how_often_it_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = perft(3, 5, passes=True, superko="situational")
    monkeypatch.setitem(perft.__globals__, "MOVES_PER_CALL", 7)
    assert perft(3, 5, passes=True, superko="situational") == whole


def test_it_can_be_interrupted() -> None:
    perft(5, 2)
    timer = Timer(0.2, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        perft(19, 9)
    timer.join()


@pytest.mark.parametrize("size", [2, 13, 19])
def test_the_first_moves_of_any_size(size: int) -> None:
    area = size * size
    assert perft(size, 1) == area
    assert perft(size, 1, passes=True) == area + 1
    assert perft(size, 2, passes=True) == perft(size, 2) + 2 * area + 1


@pytest.mark.parametrize(
    ("size", "depth", "choices", "error", "message"),
    [
        (1, 2, {}, SizeError, "board size 1 is not possible"),
        (20, 2, {}, SizeError, "board size 20 is not possible"),
        (9.0, 2, {}, SizeError, "board size 9.0 is not possible"),
        (9, -1, {}, ArgumentError, "depth -1 is not possible: give a whole number from 0 to 1000"),
        (9, 1001, {}, ArgumentError, "depth 1001 is not possible"),
        (9, 2.0, {}, ArgumentError, "depth 2.0 is not possible"),
        (9, True, {}, ArgumentError, "depth True is not possible"),
        (9, 2, {"superko": "triple"}, RulesError, "superko 'triple' does not exist"),
        (9, 2, {"suicide": 1}, RulesError, "suicide is 1: give True or False"),
        (9, 2, {"passes": "yes"}, ArgumentError, "passes is 'yes': give True or False"),
    ],
)
def test_wrong_arguments_are_told_what_would_be_right(
    size: object, depth: object, choices: dict[str, object], error: type[FoogoError], message: str
) -> None:
    with pytest.raises(error, match=message):
        perft(size, depth, **choices)  # type: ignore[arg-type]
