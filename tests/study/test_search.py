"""Games of search in a study, played by the real search: the same games wherever and however often they are played."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import pytest

from foogo.game.game import Game
from foogo.playout.kernels.layout import scalar_layout
from foogo.playout.totals import Totals
from foogo.search import run as engine
from foogo.search.parameters import SearchParameters
from foogo.search.search import Search
from foogo.study.config import ANY, Config
from foogo.study.run import runner, self_play
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import Abandoned, Task, play, signature
from foogo.study.run.workers import Cluster
from foogo.study.store.store import Store
from tests.marks import posix
from tests.study_kills import killed_and_resumed, one_worker_killed

CONFIG = Config(3, policy="search:100", komi=0.5, seed=3)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.sqlite", create=True) as made:
        yield made


def alone(config: Config, n: int, start: int = ANY, first: int = 0) -> Totals:
    """The games one after the other, without a store."""
    return play(Task(config, start, first, n, signature(config)))[0]


def test_a_game_is_a_search_for_every_move() -> None:
    """Replay the first game with searches of the default memory, by the seeds that self_play documents."""
    game = Game(3, komi=0.5)
    parameters = SearchParameters(refill=False)
    while not game.is_over and len(game.moves) < 27:
        seed = self_play._seed(3, 0.5, 0, len(game.moves))
        game.play(Search(game, seed=seed, parameters=parameters).run(simulations=100).best)
    totals = alone(CONFIG, 1)
    assert totals.n == 1
    assert totals.scores[9 + game.board.area_score()] == 1
    assert totals.moves == sum(move >= 0 for move in game.moves)


def test_games_are_functions_of_their_numbers(store: Store) -> None:
    config = Config(4, policy="search:20", komi=0.5, seed=3)
    run = run_study(store, store.ask(config, n=6, openings="classes"), threads=2)
    for start in run.starts:
        assert store.totals(run, start)[0] == alone(config, 3, start) + alone(config, 3, start, 3)
    others = (
        Config(4, policy="search:40", komi=0.5, seed=3),
        Config(4, policy="search:20", komi=8.5, seed=3),
        Config(4, policy="search:20", komi=0.5, seed=4),
    )
    for other in others:
        assert alone(other, 6) != store.totals(run, ANY)[0]


def test_games_for_different_komis_share_no_random_numbers() -> None:
    """On 5x5 komi 5.5 and 6.5 are won by the same scores: with the same numbers these would be the same games."""
    one, other = (alone(Config(5, policy="search:100", komi=komi), 20) for komi in (5.5, 6.5))
    assert one.scores[25 + 6] == other.scores[25 + 6] == 0
    assert one.moves != other.moves


def test_threads_processes_and_dask_workers_play_the_same_games(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    config, n = Config(5, policy="search:30", seed=9), 16
    expected = alone(config, n)
    with Store(tmp_path / "threads.sqlite", create=True) as store:
        run = run_study(store, store.ask(config, n=n), threads=3)
        assert store.totals(run, ANY)[0] == expected
    with Store(tmp_path / "pool.sqlite", create=True) as store, ThreadPoolExecutor(2) as pool:
        run = run_study(store, store.ask(config, n=n), executor=pool, executor_workers=2)
        assert store.totals(run, ANY)[0] == expected
    with (
        Store(tmp_path / "processes.sqlite", create=True) as store,
        ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes,
    ):
        run = run_study(store, store.ask(config, n=n), executor=processes, executor_workers=2)
        assert store.totals(run, ANY)[0] == expected


@posix
@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_killed_in_the_middle_of_a_search_changes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 0.2)
    config, n = Config(5, policy="search:50", seed=2), 150
    with Cluster("local", 2) as cluster, one_worker_killed(cluster) as kill_one:
        run = run_study(store, store.ask(config, n=n), workers=cluster, progress=kill_one)
    assert store.totals(run, ANY)[0] == alone(config, n)


@posix
def test_a_run_of_search_killed_at_any_moment_resumes_to_the_same_totals(tmp_path: Path) -> None:
    config = Config(3, policy="search:20", seed=8)
    totals, n = killed_and_resumed(tmp_path / "a.sqlite", config, 40, 0.02, random.Random(4))
    assert totals == alone(config, n)


def test_games_do_not_depend_on_how_many_lanes_a_vector_has(monkeypatch: pytest.MonkeyPatch) -> None:
    config = Config(3, policy="search:200", komi=8.5)
    expected, mark = alone(config, 3), signature(config)
    monkeypatch.setattr(engine, "simd_layout", scalar_layout)
    self_play.signature.cache_clear()
    assert signature(config) == mark
    assert alone(config, 3) == expected


def test_the_signature_is_that_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    marks = {signature(Config(3, policy=f"search:{n}", suicide=suicide)) for n in (5, 50) for suicide in (True, False)}
    assert len(marks) == 4
    mark = signature(Config(3, policy="search:50", komi=2.5))
    assert mark in marks  # the komi is no part of it, and neither is a limit of simulations
    assert signature(Config(3, policy="search:5000")) == signature(Config(3, policy="search:1000"))
    changed = SearchParameters(prior_weight=0.5)
    monkeypatch.setattr(self_play, "SearchParameters", lambda **options: SearchParameters(prior_weight=0.5, **options))
    self_play.signature.cache_clear()
    assert changed.prior_weight != SearchParameters().prior_weight
    assert signature(Config(3, policy="search:50")) != mark
    self_play.signature.cache_clear()


def test_knowledge_plays_its_own_playouts(store: Store) -> None:
    from foogo.playout.simulate import simulate

    config = Config(5, policy="knowledge", seed=6)
    run = run_study(store, store.ask(config, n=3000, openings="classes"), threads=2)
    assert store.totals(run, ANY)[0] == simulate(5, 3000, seed=6, policy="knowledge").totals
    board = config.board(12)
    first = config.first_number(12)
    assert store.totals(run, 12)[0] == simulate(board, 3000, seed=6, first=first, policy="knowledge").totals
    assert run.signature != signature(Config(5, seed=6))


def test_games_can_be_abandoned() -> None:
    with pytest.raises(Abandoned):
        play(Task(CONFIG, ANY, 0, 1, signature(CONFIG)), lambda: True)


def test_a_search_that_ctrl_c_cut_short_is_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Search.run` answers a Ctrl-C with what it has; such a move must not be played."""
    run = Search.run

    def short(self: Search, simulations: int | None = None) -> object:
        assert simulations is not None
        return replace(run(self, simulations=simulations - 1), interrupted=True)

    monkeypatch.setattr(Search, "run", short)
    with pytest.raises(Abandoned):
        self_play.games(CONFIG, ANY, 0, 1)


@posix
def test_ctrl_c_keeps_the_games_that_are_finished(store: Store) -> None:
    import threading

    run = store.ask(Config(3, policy="search:20"), n=10**6)
    timers: list[threading.Timer] = []

    def interrupt_soon(done: int, asked: int) -> None:
        if done and not timers:
            timers.append(threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)))
            timers[0].start()

    with pytest.raises(KeyboardInterrupt):
        run_study(store, run, threads=2, progress=interrupt_soon)
    totals, ranges = store.totals(run, ANY)
    assert 0 < totals.n < 10**6
    assert all(alone(run.config, end - first, first=first).n == end - first for first, end in ranges)
    assert sum((alone(run.config, end - first, first=first) for first, end in ranges), Totals.of_none(3)) == totals


def test_memory_is_that_of_the_simulations() -> None:
    assert self_play._memory(9, 10) < 100_000
    assert self_play._memory(9, 10**8) == SearchParameters().memory
    large = SearchParameters(refill=False)
    small = SearchParameters(refill=False, memory=self_play._memory(5, 300))
    results = [Search(Game(5), seed=4, parameters=one).run(simulations=300) for one in (large, small)]
    assert results[0].moves["visits"].tolist() == results[1].moves["visits"].tolist()
    assert not results[1].tree_full
