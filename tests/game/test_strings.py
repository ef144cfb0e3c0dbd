"""The scalar board: its incremental state against recomputation, its playouts against the oracle's."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from bitarray import frozenbitarray
from hypothesis import given, settings
from hypothesis import strategies as st

from foogo import BLACK, PASS, WHITE, Board
from foogo.core.bits import nth_set, nth_set_by_halves
from foogo.core.jit import kernel
from foogo.game.kernels import lengths, positions, strings
from foogo.playout.kernels import string_board_playouts
from foogo.playout.kernels.layout import strings_layout
from tests import oracle, oracle_playouts


def assert_equals_recomputation(board: Board, position: oracle.Position) -> None:
    """Every set of the board, for both colours, is what a look at the stones gives."""
    assert board.to_play == position.to_play
    assert board.ko == position.ko
    assert points(board.empty) == position.empty
    for color in (BLACK, WHITE):
        mover = replace(position, to_play=color, ko=position.ko if color == position.to_play else None)
        assert points(board.stones(color)) == position.stones(color)
        assert points(board.playable(color)) == oracle.playable(mover)
        for suicide in (True, False):
            assert points(board.legal(color, suicide=suicide)) == oracle.legal(mover, suicide)
        for stone in position.stones(color):
            assert points(board.string_at(stone)) == position.string(stone)
            assert points(board.liberties_at(stone)) == position.liberties(stone)
    assert board.area_score() == oracle.area_score(position)
    assert_equals_fresh_setup(board)


@pytest.mark.parametrize("size", range(2, 20))
def test_python_and_kernels_agree_on_lengths(size: int) -> None:
    assert lengths.playout_words(size) == strings.playout_words(size)
    assert lengths.state_words(size) == strings.header_at(size) + strings.HEADER


def assert_equals_fresh_setup(board: Board) -> None:
    """Counts, candidates, suicide sets and hash are those of the same stones set up on an empty board."""
    fresh = Board.from_diagram(str(board))
    span, header = strings.span_of(board.size), strings.header_at(board.size)
    shape = (strings.FIELDS, span)
    fields, expected = (b.state.view(np.uint16)[: strings.FIELDS * span].reshape(shape).copy() for b in (board, fresh))
    for field in (strings.COLOR, strings.NEIGHBORS):
        np.testing.assert_array_equal(fields[field], expected[field])
    for color in (BLACK, WHITE):
        for section in (strings.candidates_at, strings.suicides_at):
            where = slice(section(board.size, color), section(board.size, color + 1))
            np.testing.assert_array_equal(board.state[where], fresh.state[where])
    on_board = fields[strings.COLOR] != strings.BORDER
    heads, liberties = fields[strings.HEAD], fields[strings.PSEUDO_LIBERTIES]
    expected_heads, expected_liberties = expected[strings.HEAD], expected[strings.PSEUDO_LIBERTIES]
    stones = on_board & (fields[strings.COLOR] != 0)
    np.testing.assert_array_equal(liberties[heads[stones]], expected_liberties[expected_heads[stones]])
    empty = on_board & ~stones
    np.testing.assert_array_equal(heads[empty], np.flatnonzero(empty))
    np.testing.assert_array_equal(fields[strings.NEXT][empty], np.flatnonzero(empty))
    assert not fields[strings.STONES][empty].any()
    assert board.state[header + strings.HASH] == fresh.state[header + strings.HASH]


def points(bits: frozenbitarray) -> frozenset[int]:
    return frozenset(bits.search(1))


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 7), st.lists(st.integers(0, 2**16), min_size=30, max_size=120), st.integers(1, 40))
def test_incremental_state_equals_recomputation(size: int, draws: list[int], every: int) -> None:
    compare_along_a_game(size, draws, every)


@pytest.mark.parametrize(("size", "seed"), [(8, 1), (9, 2), (13, 3), (18, 4), (19, 5)])
def test_incremental_state_equals_recomputation_on_large_boards(size: int, seed: int) -> None:
    draws = np.random.default_rng(seed).integers(0, 2**16, 2 * size * size)
    compare_along_a_game(size, draws.tolist(), every=size * size // 2)


def compare_along_a_game(size: int, draws: list[int], every: int) -> None:
    """Play a move for each draw, mostly a playout's; compare after each `every`-th and after the last."""
    board, position = Board(size), oracle.Position(size)
    for turn, draw in enumerate(draws, 1):
        options = board.playable() if draw % 16 else board.legal()
        moves = np.flatnonzero(options.tolist()).tolist()
        move = moves[draw // 16 % len(moves)] if moves and draw % 127 else PASS
        board.play(move)
        position = oracle.after(position, move)
        if turn % every == 0 or turn == len(draws):
            assert_equals_recomputation(board, position)


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 4), st.lists(st.tuples(st.integers(0, 15), st.sampled_from([BLACK, WHITE])), max_size=60))
def test_small_boards_with_every_kind_of_move(size: int, draws: list[tuple[int, int]]) -> None:
    """Suicides, moves out of turn and refused moves; the state is checked after each of them."""
    board, position = Board(size), oracle.Position(size)
    for draw, color in draws:
        point = draw % (size * size)
        mover = replace(position, to_play=color, ko=position.ko if color == position.to_play else None)
        before = board.state.copy()
        if oracle.is_legal(mover, point):
            board.play(point, color)
            position = oracle.after(mover, point)
            assert_equals_recomputation(board, position)
        else:
            assert not board.is_legal(point, color)
            with pytest.raises(ValueError, match="cannot play"):
                board.play(point, color)
            np.testing.assert_array_equal(board.state, before)


def test_play_is_try_play_without_the_checks() -> None:
    checked, hot = Board(9), Board(9)
    for point in (40, 41, 31, PASS, 49):
        checked.play(point)
        cell = strings.PASSED if point == PASS else strings.cell_of(9, point)
        positions.play(hot.state, 9, hot.to_play, cell)
    np.testing.assert_array_equal(checked.state, hot.state)


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize(("size", "count"), [(2, 20), (3, 15), (5, 5), (8, 1), (9, 1)])
def test_playouts_equal_the_oracle(size: int, count: int, suicide: bool) -> None:
    for number in range(count):
        assert_same_playout(oracle.Position(size), 2**63 + 5, number, suicide)


@pytest.mark.parametrize("suicide", [True, False])
def test_playouts_from_positions_with_ko_equal_the_oracle(suicide: bool) -> None:
    random = Random(7)
    for number in range(20):
        assert_same_playout(oracle.random_ko_position(random, 5, suicide), 1, 2**32 + number, suicide)


def assert_same_playout(position: oracle.Position, seed: int, number: int, suicide: bool) -> None:
    size, to_play, ko = position.size, position.to_play, position.ko
    expected = oracle_playouts.playout(position.black, position.white, size, to_play, ko, seed, number, suicide)
    begin = Board.from_diagram(str(position), to_play=to_play, ko=ko).state
    totals, scores = np.zeros(2, np.int64), np.zeros(2 * size * size + 1, np.int64)
    numbers = string_board_playouts.Numbers(np.uint64(seed), np.uint64(number), 1)
    before = begin.copy()
    board = (0,) * size, strings_layout(size), begin, begin.copy()
    string_board_playouts.playouts(*board, numbers, suicide, totals, scores)
    np.testing.assert_array_equal(begin, before)
    assert totals.tolist() == [expected.move_count, expected.cut]
    assert np.flatnonzero(scores).tolist() == [expected.score + size * size]


@kernel
def nth_by_deposit_or_halves(word: Any, k: Any) -> Any:
    return nth_set(word, k)


@kernel
def nth_by_halves(word: Any, k: Any) -> Any:
    return nth_set_by_halves(word, k)


@pytest.mark.parametrize("seed", range(3))
def test_nth_set_bit(seed: int) -> None:
    random = Random(seed)
    many, few = random.getrandbits(64), random.getrandbits(64) & random.getrandbits(64)
    for word in (1, 1 << 63, 2**64 - 1, many, few):
        places = [place for place in range(64) if word >> place & 1]
        for search in (nth_by_deposit_or_halves, nth_by_halves):
            assert [search(np.uint64(word), k) for k in range(len(places))] == places
