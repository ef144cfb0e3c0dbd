"""A study spread over executors and a real dask cluster, whose workers may die; and games of search."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from foogo.errors import ArgumentError, BackendError, ClusterError
from foogo.game import Game
from foogo.playouts import simulate
from foogo.study import players, runner, workers
from foogo.study.config import ANY, Config
from foogo.study.players import Task, play
from foogo.study.runner import run_study
from foogo.study.store import Store
from foogo.study.tally import Tally
from foogo.study.workers import Cluster, OnExecutor

CONFIG = Config(5, seed=6)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "a.sqlite", create=True) as made:
        yield made


def test_any_executor_gives_the_same_totals(store: Store) -> None:
    with ThreadPoolExecutor(2) as threads:
        run = run_study(store, store.ask(CONFIG, n=5000), executor=threads, executor_workers=2)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        run = run_study(store, store.ask(CONFIG, n=9000), executor=processes)
    assert store.totals(run, ANY)[0] == Tally.of(simulate(5, 9000, seed=6))
    with pytest.raises(ArgumentError, match="no executor"):
        OnExecutor("pool", 1)  # type: ignore[arg-type]


class Dying(Executor):
    """An executor that loses the first `deaths` tasks."""

    def __init__(self, deaths: int) -> None:
        self.deaths = deaths

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.deaths -= 1
        if self.deaths >= 0:
            future.set_exception(BrokenExecutor("a worker died"))
        else:
            future.set_result(fn(*args, **kwargs))
        return future


def test_chunks_of_dead_workers_are_run_again(store: Store) -> None:
    run = run_study(store, store.ask(CONFIG, n=5000), executor=Dying(5))
    assert store.totals(run, ANY)[0] == Tally.of(simulate(5, 5000, seed=6))


def test_games_that_kill_every_worker_are_given_up(store: Store) -> None:
    with pytest.raises(ClusterError, match="workers died on the same"):
        run_study(store, store.ask(CONFIG, n=5000), executor=Dying(10**9))


def test_a_worker_with_other_games_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = store.ask(CONFIG, n=100)
    with pytest.raises(ClusterError, match="install the same version of foogo"):
        play(Task(CONFIG, ANY, 0, 10, "other"))
    assert run.signature != "other"


@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_killed_in_the_middle_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 0.2)
    config, n = Config(9, seed=11), 400_000
    killed: list[int] = []
    said: list[str] = []
    with Cluster("local", 2, said.append) as cluster:
        pids = list(cluster.client.run(os.getpid).values())

        def kill_one(done: int, asked: int) -> None:
            if not killed and done > asked // 4:
                os.kill(pids[0], signal.SIGKILL)
                killed.append(done)

        run = run_study(store, store.ask(config, n=n), workers=cluster, progress=kill_one)
        after = list(cluster.client.run(os.getpid).values())
    assert killed
    assert pids[0] not in after
    assert said[0] == "2 dask workers"
    with Store(store.path.with_name("b.sqlite"), create=True) as single:
        alone = run_study(single, single.ask(config, n=n), threads=1)
        assert store.totals(run, ANY) == single.totals(alone, ANY)


@pytest.mark.parametrize(
    ("address", "words"), [("nowhere", "no scheduler address"), ("tcp://127.0.0.1:9", "no dask scheduler answers")]
)
def test_a_scheduler_that_cannot_be_reached_is_said(
    monkeypatch: pytest.MonkeyPatch, address: str, words: str
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=words):
        Cluster(address)


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    with pytest.raises(ClusterError, match=r"pip install 'foogo\[cluster\]'"):
        Cluster("local")


class _Result:
    def __init__(self, best: int) -> None:
        self.best = best


class StandIn:
    """A search that picks a playable point by its seed: enough to test how games of search are played."""

    def __init__(self, game: Game, *, threads: int, seed: int) -> None:
        assert threads == 1
        self.game, self.seed = game, seed

    def run(self, *, simulations: int) -> _Result:
        playable = self.game.board.playable(self.game.to_play).search(1)
        legal = [point for point in playable if self.game.is_legal(point)]
        return _Result(legal[(self.seed + simulations) % len(legal)] if legal else -1)


@pytest.fixture
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("foogo.search")
    module.Search = StandIn  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "foogo.search", module)
    players._search_signature.cache_clear()


@pytest.mark.usefixtures("stand_in")
def test_games_of_search_are_functions_of_their_numbers(store: Store) -> None:
    config = Config(3, policy="search:20", komi=0.5, seed=3)
    run = run_study(store, store.ask(config, n=12, openings="classes"), threads=2)
    for start in run.starts:
        halves = [play(Task(config, start, first, 6, run.signature))[0] for first in (0, 6)]
        assert store.totals(run, start)[0] == halves[0] + halves[1]
    assert store.totals(run, ANY)[0].n == 12
    other = Config(3, policy="search:21", komi=0.5, seed=3)
    assert play(Task(other, ANY, 0, 12, players.signature(other)))[0] != store.totals(run, ANY)[0]


@pytest.mark.usefixtures("stand_in")
def test_games_of_search_can_be_abandoned() -> None:
    config = Config(3, policy="search:20")
    with pytest.raises(players.Abandoned):
        play(Task(config, ANY, 0, 1, players.signature(config)), lambda: True)


def test_without_a_search_layer_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "foogo.search", ModuleType("foogo.search"))
    players._search_signature.cache_clear()
    with pytest.raises(BackendError, match="use policy random"):
        players.signature(Config(3, policy="search:5"))
