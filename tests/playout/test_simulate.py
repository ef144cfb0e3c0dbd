"""Playouts: every backend against the oracle to the bit, ranges, threads, statistics, errors."""

from __future__ import annotations

import pickle
import threading
import time
from dataclasses import replace
from functools import cache
from random import Random

import numpy as np
import pytest

import foogo
from foogo import BLACK, WHITE, ArgumentError, Board, first_move
from foogo.playout.backends import BACKENDS
from foogo.playout.games import MOVES_PER_POINT, Games, Starts, play_games
from foogo.playout.kernels.layout import Layout, scalar_layout, simd_layout
from foogo.playout.simulate import Interrupted, Playouts, simulate
from tests import oracle, oracle_playouts
from tests.marks import slow

GAMES = {2: 60, 3: 60, 5: 60, 9: 24, 13: 8, 19: 2}
"""Oracle playouts per size and rule: it takes 20 ms for one on 9x9, 0.3 s on 19x19."""


def board_of(position: oracle.Position) -> Board:
    return Board.from_diagram(str(position), to_play=position.to_play, ko=position.ko)


@cache
def start_positions(size: int) -> tuple[oracle.Position, ...]:
    """The empty board, a mid-game position, one where White moves and, where there can be one, a ko."""
    random = Random(size)
    empty = oracle.Position(size)
    middle = oracle.random_position(random, size, size * size // 2)
    white = replace(oracle.random_position(random, size, size * size // 3), to_play=WHITE, ko=None)
    return empty, middle, white, *([oracle.random_ko_position(random, size)] if size > 2 else [])


@cache
def records(
    starts: tuple[oracle.Position, ...], repeats: int, seed: int, first: int, suicide: bool
) -> list[oracle_playouts.Record]:
    """What the oracle makes of `play_games` on the same arguments."""
    return [
        oracle_playouts.playout(p.black, p.white, p.size, p.to_play, p.ko, seed, first + j, suicide)
        for j, p in enumerate(p for p in starts for _ in range(repeats))
    ]


def sets_of(games: Games) -> tuple[np.ndarray, np.ndarray]:
    """The owners and first players that were asked for."""
    assert games.owners is not None
    assert games.first_players is not None
    return games.owners, games.first_players


def colors_of(sets: np.ndarray, area: int) -> tuple[int, ...]:
    """One game's Black and White bitsets as a colour per point."""
    bits = np.unpackbits(sets.view(np.uint8), axis=-1, bitorder="little")[:, :area]
    assert not (bits[0] & bits[1]).any()
    return tuple((bits[0] * BLACK + bits[1] * WHITE).tolist())


@pytest.mark.parametrize("layout_of", [simd_layout, scalar_layout])
@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("size", GAMES)
def test_each_game_is_the_oracles(layout_of, size, suicide):
    starts = start_positions(size)
    repeats = max(1, GAMES[size] // len(starts))
    seed, first = 2**63 + 11, 2**32 - 5  # both halves of seed and number matter
    games = play_games(
        Starts([board_of(p) for p in starts], layout_of(size)),
        repeats * len(starts),
        seed=seed,
        first=first,
        suicide=suicide,
        sets=True,
    )
    owners, firsts = sets_of(games)
    for j, record in enumerate(records(starts, repeats, seed, first, suicide)):
        assert (games.scores[j], games.moves[j], games.cut[j]) == (record.score, record.move_count, record.cut), j
        assert colors_of(owners[j], size * size) == record.ownership, j
        assert colors_of(firsts[j], size * size) == record.first_player, j


@pytest.mark.parametrize("layout_of", [simd_layout, scalar_layout])
@pytest.mark.parametrize("size", [3, 5, 9])
def test_every_prefix_is_the_oracles(monkeypatch, layout_of, size):
    """The same game cut after 1, 2, 3... moves: score, area and first players agree at every move."""
    record = oracle_playouts.playout(set(), set(), size, seed=3, number=7)
    position, first_player, count = oracle.Position(size), [0] * (size * size), 0
    starts = Starts([Board(size)], layout_of(size))
    for turn in record.turns:
        position = oracle.after(position, turn.move)
        if turn.move == oracle.PASS:
            continue
        count += 1
        first_player[turn.move] = first_player[turn.move] or turn.color
        starts.move_limit = count
        games = play_games(starts, 1, seed=3, first=7, sets=True)
        area_owners, firsts = sets_of(games)
        owners = oracle.playout_ownership(position)
        assert games.moves[0] == count
        assert colors_of(area_owners[0], size * size) == owners
        assert colors_of(firsts[0], size * size) == tuple(first_player)
        assert games.scores[0] == owners.count(BLACK) - owners.count(WHITE)


@pytest.mark.parametrize("suicide", [True, False])
@pytest.mark.parametrize("size", [2, 3, 5, 9, 13, 19])
def test_backends_agree(size, suicide):
    for position in start_positions(size)[1:]:
        board, n = board_of(position), 300 if size < 19 else 60
        runs = [simulate(board, n, seed=size, suicide=suicide, backend=b, threads=1) for b in BACKENDS]
        assert runs[0] == runs[1] == runs[2]


@pytest.mark.parametrize("size", [2, 3, 4, 5, 8, 9, 13, 16, 17, 19, *map(slow, (6, 7, 10, 11, 12, 14, 15, 18))])
def test_every_size_plays(size):
    run = simulate(size, 40, seed=1, threads=1)
    assert run.scores.sum() == run.n == 40
    assert run.size <= run.mean_moves <= MOVES_PER_POINT * size * size
    if size in (4, 8, 16, 17):  # where the words change; the other sizes are compared elsewhere
        assert run == simulate(size, 40, seed=1, backend="strings", threads=1)


@pytest.mark.parametrize(
    "layout",
    [
        slow(Layout(9, 16, 1, 8)),
        *(Layout(9, 16, 1, lanes) for lanes in (16, 32)),
        Layout(9, 32, 3, 16),
        *(slow(Layout(9, 64, 6, lanes)) for lanes in (2, 8)),
        Layout(9, 64, 6, 4),
        slow(simd_layout(7, 256)),
        *(simd_layout(size, 256) for size in (9, 13)),
        simd_layout(13, 128),
    ],
    ids=str,
)
def test_lane_count_and_word_do_not_matter(layout):
    board = board_of(start_positions(layout.size)[1])
    games = play_games(Starts([board], layout), 200, seed=4, first=1)
    expected = play_games(Starts([board], scalar_layout(layout.size)), 200, seed=4, first=1)
    np.testing.assert_array_equal(games.scores, expected.scores)
    np.testing.assert_array_equal(games.moves, expected.moves)


def test_a_batch_is_each_start_by_itself():
    boards = [board_of(p) for p in start_positions(9)]
    together = play_games(boards, 12 * len(boards), seed=2, first=100)
    for i, board in enumerate(boards):
        alone = play_games([board], 12, seed=2, first=100 + 12 * i)
        np.testing.assert_array_equal(together.scores[12 * i : 12 * i + 12], alone.scores)


def test_ranges_add_up_in_any_order_and_on_any_number_of_threads():
    whole = simulate(9, 5000, seed=9, threads=1)
    cuts = [0, 1, 33, 34, 1023, 2500, 4999, 5000]
    parts = [
        simulate(9, b - a, seed=9, first=a, threads=1 + i % 2)
        for i, (a, b) in enumerate(zip(cuts, cuts[1:], strict=False))
    ]
    Random(1).shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total += part
    assert total == whole
    assert whole == simulate(9, 5000, seed=9, threads=2) == simulate(9, 5000, seed=9, threads=3)
    assert total.ranges == ((0, 5000),)


def test_totals_are_those_of_the_games():
    run, games = simulate(9, 3000, seed=5, first=17), play_games([Board(9)], 3000, seed=5, first=17)
    assert run.moves == games.moves.sum(dtype=int)
    assert run.mean_score == pytest.approx(games.scores.mean())
    assert run.se_score == pytest.approx(games.scores.std(ddof=1) / 3000**0.5)
    assert run.win_share(6.5) == pytest.approx((games.scores > 6.5).mean())
    assert run.win_share(7) == pytest.approx((games.scores > 7).mean() + (games.scores == 7).mean() / 2)


# Published values: moves per playout and Black's area on the empty board, suicide allowed, with standard errors,
# pooled from independent implementations.
REFERENCE = {
    9: (1_000_000, 112.285, 0.005, 41.807, 0.006),
    13: (200_000, 225.245, 0.007, 85.758, 0.010),
    19: (40_000, 471.451, 0.014, 181.745, 0.018),
}


@pytest.mark.parametrize("size", REFERENCE)
def test_reference_statistics(size):
    n, moves, moves_error, area, area_error = REFERENCE[size]
    run = simulate(size, n, seed=2026)
    black = (run.mean_score + size * size) / 2
    # the spread of moves per playout, from games of the same run
    spread = play_games([Board(size)], 4000, seed=2026).moves.std(ddof=1)
    assert abs(run.mean_moves - moves) < 4 * (spread**2 / n + moves_error**2) ** 0.5
    assert abs(black - area) < 4 * (run.se_score**2 / 4 + area_error**2) ** 0.5
    assert run.cut == 0


def test_cut_games_are_counted():
    """On 2x2 with suicide a game may go round until it is cut after 12 moves."""
    run = simulate(2, 2000, seed=1)
    games = play_games([Board(2)], 2000, seed=1)
    assert run.cut == (games.moves == 12).sum() > 0
    assert games.moves.max() == 12


def test_nothing_to_play_and_one():
    none = simulate(9, 0)
    assert (none.n, none.moves, none.scores.sum()) == (0, 0, 0)
    assert np.isnan(none.mean_score)
    assert np.isnan(none.se_score)
    assert np.isnan(none.win_share(0))
    assert none + simulate(9, 5) == simulate(9, 5)
    assert simulate(9, 1).n == 1
    assert np.isnan(simulate(9, 1).se_score)


def test_the_board_is_not_changed():
    board = Board(9)
    board.play("E5")
    before = str(board)
    for backend in BACKENDS:
        simulate(board, 10, backend=backend)
    assert str(board) == before


def test_progress_counts_up_to_the_end():
    seen: list[tuple[int, int]] = []
    simulate(9, 3000, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (3000, 3000)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_keeps_the_finished_range(threads):
    calls = 0

    def interrupt(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="interrupted after") as caught:
        simulate(9, 10**9, seed=6, threads=threads, progress=interrupt)
    copied = pickle.loads(pickle.dumps(caught.value))  # as a pool of processes does
    assert (str(copied), vars(copied)) == (str(caught.value), vars(caught.value))
    part = caught.value.playouts
    assert 0 < part.n < 10**9
    assert part == simulate(9, part.n, seed=6)


def test_other_threads_run_meanwhile():
    """The GIL is released: a Python thread goes on counting while playouts run."""
    simulate(9, 100)
    stop, count = threading.Event(), 0

    def counter() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1
            time.sleep(0)

    thread = threading.Thread(target=counter)
    thread.start()
    try:
        play_games([Board(19)], 4000)
    finally:
        stop.set()
        thread.join()
    assert count > 100


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": -1}, r"n is -1: it must be a whole number from 0"),
        ({"n": 1.5}, r"n is 1.5"),
        ({"n": True}, r"n is True"),
        ({"n": 1, "seed": -1}, r"seed is -1: it must be a whole number from 0 to 18446744073709551615"),
        ({"n": 1, "seed": "x"}, r"seed is 'x'"),
        ({"n": 2, "first": 2**63 - 1}, r"first \+ n"),
        ({"n": 1, "threads": 0}, r"threads is 0: it must be a whole number from 1"),
        ({"n": 1, "progress": 3}, r"progress is 3: it must be a function"),
    ],
)
def test_bad_arguments(arguments, message):
    with pytest.raises(foogo.ArgumentError, match=message):
        simulate(9, **arguments)


@pytest.mark.parametrize("name", ["seed", "first", "n"])
@pytest.mark.parametrize("value", [-1, 2**64, 1.5, True, "1"])
def test_bad_arguments_of_single_games(name, value):
    with pytest.raises(foogo.ArgumentError, match=rf"{name} is {value!r}: it must be a whole number from 0 to"):
        play_games([Board(9)], **{"n": 1, name: value})


def test_single_games_end_with_the_playout_numbers():
    with pytest.raises(foogo.ArgumentError, match=rf"first \+ n is {2**63 + 1}: playout numbers end at {2**63 - 1}"):
        play_games([Board(9)], 2, first=2**63 - 1)
    last = play_games([Board(9)], 1, seed=2**64 - 1, first=2**63 - 1)
    assert last.scores[0] == play_games([Board(9)], 2, seed=2**64 - 1, first=2**63 - 2).scores[1]


def test_unknown_backend_and_size():
    with pytest.raises(foogo.BackendError, match="'gpu' is unknown: use auto, simd, scalar, strings"):
        simulate(9, 1, backend="gpu")
    with pytest.raises(foogo.BackendError, match="'strings' plays only the policy uniform"):
        simulate(9, 1, backend="strings", policy="knowledge")
    with pytest.raises(foogo.SizeError, match="20"):
        simulate(20, 1)


@pytest.mark.parametrize("whole", [np.int8, np.uint8, np.uint64])
def test_numbers_of_numpy_are_numbers(whole):
    assert simulate(whole(19), whole(10), seed=whole(3)) == simulate(19, 10, seed=3)


def test_the_totals_of_a_result_cannot_be_changed():
    run = simulate(5, 10)
    for scores in (run.scores, (run + simulate(5, 10, first=10)).scores, pickle.loads(pickle.dumps(run)).scores):
        with pytest.raises(ValueError, match="read-only"):
            scores[0] = 3


def test_overlapping_or_foreign_ranges_do_not_add():
    one = simulate(9, 100, seed=1)
    with pytest.raises(foogo.ArgumentError, match="playouts 50 to 99 are in both"):
        one + simulate(9, 100, seed=1, first=50)
    for other in (
        simulate(9, 10, seed=2, first=100),
        simulate(9, 10, seed=1, first=100, suicide=False),
        simulate(9, 10, seed=1, first=100, policy="knowledge"),
        simulate(5, 10, seed=1, first=100),
    ):
        with pytest.raises(foogo.ArgumentError, match="different runs cannot be added"):
            one + other


def test_runs_with_a_policy_are_of_one_last_move():
    boards = [Board(5) for _ in range(2)]
    for board, moves in zip(boards, ("A1 E5 C3", "C3 E5 A1"), strict=True):
        for move in moves.split():
            board.play(move)
    one, other = (simulate(board, 10, policy="knowledge") for board in boards)
    with pytest.raises(ArgumentError, match="different runs cannot be added"):
        one + simulate(boards[1], 10, first=10, policy="knowledge")
    assert one.position != other.position
    assert simulate(boards[0], 10) + simulate(boards[1], 10, first=10) == simulate(boards[0], 20)


def test_batches_must_fit():
    with pytest.raises(foogo.ArgumentError, match="a start position is a foogo.Board, not int"):
        play_games([9])  # type: ignore[list-item]
    with pytest.raises(foogo.ArgumentError, match="a start position is a foogo.Board, not Game"):
        play_games(foogo.Game(9), 2)  # type: ignore[call-overload]
    with pytest.raises(foogo.ArgumentError, match="not the class Game"):
        play_games(foogo.Game, 2)  # type: ignore[call-overload]
    with pytest.raises(foogo.ArgumentError, match="multiple of the 2 start positions"):
        play_games([Board(9), Board(9)], 3)
    with pytest.raises(foogo.ArgumentError, match="5x5, 9x9"):
        play_games([Board(9), Board(5)])
    with pytest.raises(foogo.ArgumentError, match="none"):
        play_games([])


def test_memory_of_a_result_does_not_depend_on_n():
    run: Playouts = simulate(9, 5000)
    assert run.scores.nbytes == (2 * 81 + 1) * 8


@pytest.mark.parametrize("most", [1, 5, 8, 24, 100])
def test_single_games_in_pieces_are_the_same_games(monkeypatch, most):
    boards = [Board(5) for _ in range(3)]
    boards[1].play("C3")
    boards[2].play("B2")
    whole = play_games(boards, 24, seed=1, first=7, sets=True)
    monkeypatch.setattr("foogo.playout.games.PIECE", most * 25)
    assert play_games(boards, 24, seed=1, first=7, sets=True) == whole


def test_ctrl_c_ends_single_games_after_a_piece(monkeypatch):
    calls = []

    def interrupted(*_):
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr("foogo.playout.games.run", interrupted)
    with pytest.raises(KeyboardInterrupt):
        play_games(9, 10**6)
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("play", "name"),
    [
        (simulate, "suicide"),
        (play_games, "suicide"),
        (first_move, "suicide"),
        (play_games, "sets"),
        (first_move, "by_point"),
    ],
)
def test_switches_are_true_or_false(play, name):
    with pytest.raises(ArgumentError, match=f"{name} is 'no'"):
        play(5, n=10, **{name: "no"})
    play(5, n=10, **{name: np.False_})


def test_any_iterable_of_boards_is_a_batch():
    boards = {"one": foogo.Board(5), "other": foogo.Board(5)}
    boards["other"].play("C3")
    assert play_games(boards.values(), 4) == play_games(iter(boards.values()), 4) == play_games([*boards.values()], 4)


def test_starts_are_boards_of_the_size_of_the_layout():
    with pytest.raises(ArgumentError, match="the layout is for 5x5: the boards are 9x9"):
        Starts([Board(9)], simd_layout(5))
    with pytest.raises(ArgumentError, match="a start position is a foogo.Board, not NoneType"):
        Starts(None)  # type: ignore[arg-type]
    assert len(Starts(Board(5) for _ in range(2))) == 2
