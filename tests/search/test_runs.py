"""Runs of a search: how they begin, are looked at, and end, whatever happens."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import json
import math
import pickle
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from foogo.errors import ArgumentError
from foogo.game.game import Game
from foogo.game.geometry import BLACK, WHITE
from foogo.playout.kernels import narrowing
from foogo.playout.written.policy import playout_policy
from foogo.search import run as engine
from foogo.search import shared_tree
from foogo.search.game_position import points_stood_on
from foogo.search.kernels import loop, tree
from foogo.search.kernels.loop import LEAVES_AT_ONCE
from foogo.search.kernels.tiles import ENTRY_BYTES, MOST_VISITS, TILE
from foogo.search.parameters import MOST_PRIOR, REMOTE_VISITS, SearchParameters
from foogo.search.restrictions import Avoid, all_but
from foogo.search.search import Search
from foogo.search.threads import Threads


def test_a_search_says_what_it_searches() -> None:
    assert repr(Search(Game(5, komi=7))).startswith("<Search of <Game 5x5, 0 moves")


# --- threads --------------------------------------------------------------------------------------------


def test_threads_end_when_one_fails() -> None:
    stopped = threading.Event()

    def fail() -> None:
        raise MemoryError("no room")

    threads = Threads([lambda: stopped.wait(60), fail], stopped.set)
    threads.start()
    assert not threads.wait(math.inf)
    threads.finish()
    assert [str(failure) for failure in threads.failures] == ["no room"]


def test_a_wait_may_have_many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows delivers Ctrl-C only when a wait has ended, so none is long there."""
    monkeypatch.setattr("foogo.search.threads.LONGEST_WAIT", 0.001)
    stopped = threading.Event()
    threads = Threads([lambda: stopped.wait(60)], stopped.set)
    threads.start()
    assert threads.wait(time.perf_counter() + 0.05)
    threading.Timer(0.05, stopped.set).start()
    assert not threads.wait(math.inf)
    threads.finish()


def test_ctrl_c_does_not_leave_threads_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    stopped = threading.Event()
    join = threading.Thread.join
    pressed: list[bool] = []

    def interrupted(thread: threading.Thread, timeout: float | None = None) -> None:
        if not pressed:
            pressed.append(True)
            raise KeyboardInterrupt
        join(thread, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    running = threading.active_count()
    threads = Threads([lambda: stopped.wait(60)] * 2, stopped.set)
    threads.start()
    assert threads.finish()
    assert pressed
    assert threading.active_count() == running


def test_of_two_threads_that_run_a_search_at_once_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    search, new_run, together, outcomes = Search(Game(5), seed=1), Search._new_run, threading.Barrier(2), []

    def slow_run(search: Search, budget: int) -> engine.SearchRun:
        time.sleep(0.1)
        return new_run(search, budget)

    def run() -> None:
        together.wait()
        try:
            outcomes.append(search.run(simulations=100).simulations)
        except ArgumentError:
            outcomes.append(0)

    monkeypatch.setattr(Search, "_new_run", slow_run)
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # the other is refused, or runs once the first has ended
    assert sorted(outcomes) in ([0, 100], [100, 100])
    assert search.run(simulations=1).moves["visits"].sum() <= sum(outcomes) + 1


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, lambda search: pickle.loads(pickle.dumps(search))])
@pytest.mark.parametrize("evaluator", [None, np.sum])
def test_a_copy_of_a_search_has_a_tree_of_its_own(duplicate: Callable[[Search], Search], evaluator: Any) -> None:
    search = Search(Game(5, komi=7), seed=1, evaluator=evaluator)
    if evaluator is None:
        search.run(simulations=200)
    other = duplicate(search)
    other.play("C3")
    assert search.game.turns == ()
    if evaluator is None:
        again = duplicate(search).run(simulations=300)
        assert search.run(simulations=300).moves["visits"].tolist() == again.moves["visits"].tolist()


def test_a_copy_holds_only_the_memory_in_use() -> None:
    search = Search(Game(5, komi=7), seed=1)
    search.run(simulations=200)
    assert len(pickle.dumps(search)) < search.tree_bytes + search.parameters.memory / 50
    other = pickle.loads(pickle.dumps(search))
    assert other.parameters.memory == search.parameters.memory
    assert other.tree_bytes == search.tree_bytes
    assert other._tree.arrays.memory.ctypes.data % 64 == 0


def test_a_copy_of_a_large_tree_has_the_keys_of_all_positions() -> None:
    search = Search(Game(5, komi=7), seed=1)
    search.run(simulations=20_000)
    _, (_, used) = search._tree.__reduce__()
    assert len(used.keys) > 1000
    assert len(used.keys) * TILE * ENTRY_BYTES == used.memory.nbytes == search.tree_bytes


def test_a_copy_of_a_search_calls_the_same_evaluator() -> None:
    class Counter:
        calls = 0

        def __call__(self, planes: Any) -> tuple[None, None]:
            self.calls += 1
            return None, None

    counter = Counter()
    copy.copy(Search(Game(5), seed=1, evaluator=counter)).run(simulations=100)
    assert counter.calls


def test_a_pickled_search_brings_its_policy(monkeypatch: pytest.MonkeyPatch) -> None:
    @playout_policy
    def first(see: Any, pick: Any) -> Any:
        return pick.often(0.25, see.around(see.last_move)) or see.candidates

    policies: tuple[Any, ...] = (first, "patterns")
    for policy in policies:
        data = pickle.dumps(Search(Game(3), policy=policy))
        monkeypatch.setattr(narrowing, "FUNCTIONS", {})  # as in another process
        pickle.loads(data).run(simulations=10)
        assert narrowing.FUNCTIONS
        monkeypatch.undo()


def test_a_running_search_is_not_copied() -> None:
    search = Search(Game(5), seed=1)
    with closing(search.stream(interval=0.01)) as snapshots:
        next(snapshots)
        with pytest.raises(ArgumentError, match="the search is running"):
            copy.copy(search)
    copy.copy(search).run(simulations=10)


@pytest.mark.parametrize("kernel", ["child_of", "keep"])
def test_a_move_that_ctrl_c_stops_is_not_played(monkeypatch: pytest.MonkeyPatch, kernel: str) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    search = Search(Game(5), seed=1, avoid=[Avoid(BLACK, ["A1"], 3)])
    search.run(simulations=500)
    with monkeypatch.context() as patch:
        patch.setattr(tree, kernel, interrupt)  # it compiles
        with pytest.raises(KeyboardInterrupt):
            search.play("C3")
    assert (search.game, search._avoided.max()) == (Game(5), 3)
    result = search.run(simulations=500)
    assert (result.to_play, result.moves["visits"].sum()) == (BLACK, 500)
    assert 0 not in result.moves["move"]  # A1
    search.play("C3")
    assert search.run(simulations=500).to_play == WHITE


def test_a_stream_ends_in_time_while_a_snapshot_is_kept() -> None:
    stream = Search(Game(5), seed=1).stream(seconds=1, interval=0.05)
    next(stream)
    time.sleep(6)
    *_, last = stream
    assert last.seconds < 5


def test_a_search_whose_threads_cannot_start_can_be_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search, start, started = Search(Game(5), threads=3, seed=1), threading.Thread.start, []

    def start_some(thread: threading.Thread) -> None:
        started.append(thread)
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        start(thread)

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", start_some)
        with pytest.raises(RuntimeError, match="can't start new thread"):
            search.run(simulations=1000)
    assert search.run(simulations=1000).simulations == 1000


# --- stopping and looking -------------------------------------------------------------------------------


def test_stop_is_heard_while_the_kernel_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    search, kernel = Search(Game(5), seed=1), loop.search

    def compile_and_stop(*arguments: Any) -> None:
        kernel(*arguments)
        search.stop()

    monkeypatch.setattr(engine, "search", compile_and_stop)
    assert search.run(simulations=3000).simulations < 3000
    monkeypatch.setattr(engine, "search", kernel)
    assert search.run(simulations=3000).simulations == 3000


def test_stop_is_heard_while_a_run_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    search, prepare = Search(Game(5), seed=1), points_stood_on

    def prepare_and_stop(game: Game) -> Any:
        search.stop()
        return prepare(game)

    search.stop()  # of no search
    assert search.run(simulations=3000).simulations == 3000
    monkeypatch.setattr(engine, "points_stood_on", prepare_and_stop)
    assert search.run(seconds=30).simulations <= search.parameters.playouts


@pytest.mark.parametrize("changes", [{}, {"leaves": 64, "playouts": 16}])
def test_what_is_on_its_way_is_all_that_is_played_after_a_stop(changes: dict[str, Any]) -> None:
    parameters = SearchParameters(**changes)
    search = Search(Game(19), seed=1, threads=2, parameters=parameters)
    snapshots = search.stream(interval=0.02)
    next(snapshots)
    search.stop()
    issued = int(search._tree.arrays.shared[tree.ISSUED])
    *_, last = snapshots
    assert issued - 2 * LEAVES_AT_ONCE * parameters.playouts <= last.simulations <= issued
    assert search.run(simulations=10).simulations == 10


def test_a_stream_that_began_too_late_says_so() -> None:
    search = Search(Game(5), seed=1)
    late = search.stream(simulations=10)
    search.play("pass")
    search.play("pass")
    with pytest.raises(ArgumentError, match="the game is over"):
        next(late)


def test_more_memory_than_there_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(capacity: int) -> None:
        raise MemoryError

    monkeypatch.setattr(shared_tree, "new_memory", refuse)
    gc.collect()
    shared_tree._spare.clear()
    with pytest.raises(ArgumentError, match=r"memory is 53687\d+: this machine does not have that much memory"):
        Search(Game(5))


def ask_some(limit: int) -> tuple[list[int], Callable[[Any], bool]]:
    asked: list[int] = []

    def until(result: Any) -> bool:
        asked.append(result.simulations)
        return len(asked) == limit

    return asked, until


def test_a_stream_shows_snapshots_and_asks_between_them() -> None:
    search = Search(Game(9), seed=1)
    asked, until = ask_some(6)
    assert len(list(search.stream(until=until, interval=0.0001))) == 6  # but for the last answer, and the result
    assert len(asked) == 6
    asked, until = ask_some(3)
    assert len(list(search.stream(until=until, interval=math.inf))) == 1
    assert len(asked) == 3
    asked, until = ask_some(3)
    assert len(list(search.stream(until=until, interval=1e10))) == 1


@pytest.mark.parametrize("seconds", [1e10, 1e300, 10**200, np.float32(1e30)])
def test_all_the_time_in_the_world(seconds: Any) -> None:
    assert Search(Game(3), seed=1).run(simulations=100, seconds=seconds).simulations == 100


# --- what bad input gets --------------------------------------------------------------------------------


def test_until_must_be_a_function() -> None:
    with pytest.raises(ArgumentError, match="until is 5: give a function"):
        Search(Game(3)).run(simulations=10, until=5)  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="seconds is 1000"):
        Search(Game(3)).run(seconds=10**400)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"avoid": 5}, r"avoid is 5: give a list of foogo.search.restrictions.Avoid\("),
        ({"avoid": Avoid(BLACK, [1])}, r"avoid is Avoid\(.*: give a list"),
        ({"parameters": {}}, r"parameters are {}: give SearchParameters\("),
        ({"parameters": 5}, "parameters are 5"),
        ({"policy": ["patterns"]}, r"policy \['patterns'\] is unknown"),
    ],
)
def test_wrong_kinds_of_arguments(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        Search(Game(5), **options)


def test_moves_to_avoid_may_be_a_set_of_points() -> None:
    game = Game(3)
    game.play("B2")
    points = game.legal()
    assert Avoid(WHITE, points) == Avoid(WHITE, [*points.search(1)])
    assert len(all_but(3, WHITE, points).moves) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("moves", [5, "E5", None, [["E5"]]])
def test_moves_to_avoid_are_several(moves: Any) -> None:
    with pytest.raises(ArgumentError, match="give vertices or points"):
        Avoid(BLACK, moves)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rave_equivalence": 1e-40}, "rave_equivalence is 1e-40: it must be 0, for no AMAF, or 0.001 or more"),
        ({"even": 3e9}, "the priors are 3e.09 visits in all: .* at most 60000"),
        ({"prior_weight": 1e5}, "the priors are"),
        ({"learnt": 10**400}, "learnt is 1000"),
        ({"exploration": math.nan}, "exploration is nan"),
        ({"exploration": "1"}, "exploration is '1'"),
        ({"ucb1_share": 1.5}, "ucb1_share is 1.5: it must be a share, from 0 to 1"),
        ({"lcb_share": 1.01}, "lcb_share is 1.01: it must be a share, from 0 to 1"),
        ({"lcb_share": float("nan")}, "lcb_share is nan: it must be a number from 0 on"),
        ({"ucb1_share": -0.1}, "ucb1_share is -0.1: it must be a number from 0 on"),
        ({"patience": 3}, "parameter 'patience' does not exist: choose selection, exploration, "),
        ({"priors": "features"}, "parameter 'priors' does not exist: choose selection, exploration, "),
        ({"save_one": 1.0}, "parameter 'save_one' does not exist: choose selection, exploration, "),
        ({"first_play_urgency": -math.inf}, "first_play_urgency is -inf"),
    ],
)
def test_numbers_that_no_tree_holds(values: dict[str, Any], message: str) -> None:
    with pytest.raises(ArgumentError, match=message):
        SearchParameters(**values)


def test_parameters_show_their_names_and_are_numbers_of_python() -> None:
    shown = inspect.signature(SearchParameters).parameters
    assert [*shown] == [field.name for field in dataclasses.fields(SearchParameters)]
    assert shown["learnt"].default == SearchParameters().learnt
    parameters = SearchParameters(learnt=np.float32(3), even=3, sharpness=np.int8(1))
    assert (parameters.learnt, parameters.even, parameters.sharpness) == (3.0, 3.0, 1.0)
    assert repr(parameters) == repr(SearchParameters(learnt=3.0, even=3.0, sharpness=1.0))
    assert json.loads(json.dumps(dataclasses.asdict(parameters)))["learnt"] == 3


def test_extreme_numbers_that_a_tree_holds() -> None:
    most = SearchParameters(even=MOST_PRIOR - 1000, rave_equivalence=0.001, exploration=1e300)
    search = Search(Game(5), seed=1, parameters=most)
    result = search.run(simulations=2000)
    assert result.moves["visits"].sum() <= 2000
    assert np.nanmin(result.moves["win_share"]) >= 0
    assert np.nanmax(result.moves["win_share"]) <= 1
    search.play(result.best)
    assert search.run(simulations=2000).simulations == 2000
    assert MOST_VISITS + MOST_PRIOR + REMOTE_VISITS < 2**30


@pytest.mark.parametrize("changes", [{"prior_weight": 0.02}, {"even": 0}, {"even": 1, "passing": 0.3}, {"learnt": 0}])
def test_a_prior_is_a_share(changes: dict[str, Any]) -> None:
    parameters = SearchParameters(**changes)
    shares = Search(Game(5), seed=1, parameters=parameters).run(simulations=50).moves["prior"]
    known = shares[~np.isnan(shares)]
    assert (known >= 0).all()
    assert (known <= 1).all()


def test_whole_numbers_are_the_same_parameters() -> None:
    whole = SearchParameters(first_play_urgency=1, exploration=0, rave_equivalence=300, even=1, passing=0, sharpness=1)
    chosen = whole.to_selection()
    numbers = (*chosen.usual, *chosen.sometimes, chosen.share, chosen.even, *whole.to_prior())
    assert {type(number) for number in numbers} == {float}


def test_the_memory_of_a_small_tree_is_used_again() -> None:
    def searched(seed: int) -> tuple[int, str]:
        search = Search(Game(5), seed=seed, parameters=SearchParameters(memory=1 << 22))
        moves = search.run(simulations=2000).moves
        return search._tree.arrays.memory.ctypes.data, repr(moves.tolist())

    gc.collect()  # of other tests, whose trees would come between
    one, fresh = searched(1)
    other, _ = searched(2)
    third, again = searched(1)
    assert one == other == third
    assert fresh == again


def test_the_memory_of_a_large_tree_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_tree, "KEPT_BYTES", 1 << 20)
    gc.collect()
    shared_tree._spare.clear()
    search = Search(Game(9), seed=1)
    search.run(simulations=8000)
    assert search.tree_bytes > 1 << 20
    search.play("pass")
    assert search.tree_bytes < 1 << 20
    del search
    assert not shared_tree._spare


# --- leaves on their way --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("simulations", "threads", "leaves"),
    [(1, 1, 1), (100, 1, 1), (159, 1, 1), (160, 1, 2), (400, 1, 5), (400, 2, 2), (1600, 1, 20), (10**9, 1, 20)],
)
def test_one_simulation_in_twenty_is_on_its_way(simulations: int, threads: int, leaves: int) -> None:
    assert SearchParameters().at_once(simulations, threads) == leaves
    assert SearchParameters(leaves=3, playouts=8).at_once(simulations, threads) == min(3, max(1, leaves // 2))


def visits(simulations: int, parameters: SearchParameters | None = None) -> list[int]:
    """Of the moves of a search of the empty board."""
    result = Search(Game(9), seed=5, parameters=parameters).run(simulations=simulations)
    return list(result.moves["visits"])


def test_a_short_search_has_few_leaves_on_their_way() -> None:
    one, five = SearchParameters(leaves=1), SearchParameters(leaves=5)
    assert visits(400) == visits(400, five) != visits(400, one)
    assert visits(4000) != visits(4000, five)
