"""A study spread over executors and a real dask cluster, whose workers and scheduler may die."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from foogo.errors import ArgumentError, ClusterError
from foogo.playout.simulate import simulate
from foogo.study.config import ANY, Config
from foogo.study.run import runner, workers
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import Task, play
from foogo.study.run.workers import Cluster, ExecutorWorkers, Threads
from foogo.study.store.store import Store
from tests.marks import posix
from tests.study_kills import one_worker_killed

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
    assert store.totals(run, ANY)[0] == simulate(5, 9000, seed=6).totals
    with pytest.raises(ArgumentError, match="not an executor"):
        ExecutorWorkers("pool", 1)  # type: ignore[arg-type]


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
    assert store.totals(run, ANY)[0] == simulate(5, 5000, seed=6).totals


def test_games_that_kill_every_worker_are_given_up(store: Store) -> None:
    with pytest.raises(ClusterError, match="workers died on the same"):
        run_study(store, store.ask(CONFIG, n=5000), executor=Dying(10**9))


def test_threads_play_on_after_an_error(store: Store) -> None:
    config = Config(3, policy="search:10")

    def failing(done: int, asked: int) -> None:
        if done:
            raise OSError("the disk is full")

    with Threads(1) as threads:
        run = store.ask(config, n=4)
        with pytest.raises(OSError, match="the disk is full"):
            run_study(store, run, workers=threads, progress=failing)
        run_study(store, run, workers=threads)
    assert store.totals(run, ANY)[0].n == 4


def test_a_worker_with_other_games_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    run = store.ask(CONFIG, n=100)
    with pytest.raises(ClusterError, match="install the same version of foogo"):
        play(Task(CONFIG, ANY, 0, 10, "other"))
    assert run.signature != "other"


@posix
@pytest.mark.filterwarnings("ignore")
def test_a_dask_worker_killed_in_the_middle_changes_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 0.2)
    config, n = Config(9, seed=11), 400_000
    said: list[str] = []
    with Cluster("local", 2, said.append) as cluster, one_worker_killed(cluster) as kill_one:
        run = run_study(store, store.ask(config, n=n), workers=cluster, progress=kill_one)
    assert said[0] == "2 dask workers"
    with Store(store.path.with_name("b.sqlite"), create=True) as single:
        alone = run_study(single, single.ask(config, n=n), threads=1)
        assert store.totals(run, ANY) == single.totals(alone, ANY)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A real dask scheduler with one worker, each a process: the scheduler's, and its address."""
    pytest.importorskip("distributed")
    file, log = tmp_path / "scheduler.json", (tmp_path / "dask.log").open("wb")
    dask = [sys.executable, "-m", "dask"]
    at_home = ["--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    options: dict[str, Any] = {"stdout": log, "stderr": log, "env": environment, "cwd": tmp_path}
    first = subprocess.Popen([*dask, "scheduler", "--port", "0", *at_home], **options)
    second = subprocess.Popen([*dask, "worker", "--nthreads", "1", "--death-timeout", "60", *at_home], **options)
    try:
        deadline = time.monotonic() + 60
        while not file.exists() or not file.read_text():
            assert time.monotonic() < deadline, (tmp_path / "dask.log").read_text()
            time.sleep(0.1)
        yield first, json.loads(file.read_text())["address"]
    finally:
        for process in (second, first):
            process.terminate()
            process.wait()
        log.close()


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_lost_in_the_middle_is_said_and_what_was_committed_stays(
    store: Store,
    scheduler: tuple[subprocess.Popen[bytes], str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    process, address = scheduler
    monkeypatch.setattr(runner, "CHUNK_SECONDS", 0.1)
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 5.0)
    config, n = Config(9, seed=12), 10_000_000
    lost: list[int] = []

    def lose(done: int, asked: int) -> None:
        if done > 20_000 and not lost:
            process.kill()
            lost.append(done)

    with Cluster(address) as cluster:
        run = store.ask(config, n=n)
        with pytest.raises(ClusterError, match="the dask scheduler is lost .*resume the study"):
            run_study(store, run, workers=cluster, progress=lose)
    assert "Traceback" not in capfd.readouterr().err
    done = store.totals(run, ANY)[0].n
    assert lost[0] <= done < n
    store.connection.execute('UPDATE asked SET "end" = ?', (done + 50_000,))
    (run,) = store.runs()
    run_study(store, run, threads=1)
    assert store.totals(run, ANY)[0] == simulate(9, done + 50_000, seed=12).totals


@pytest.mark.parametrize(
    ("address", "words"), [("nowhere", "not a scheduler address"), ("tcp://127.0.0.1:9", "no dask scheduler answers")]
)
def test_a_scheduler_that_cannot_be_reached_is_said(monkeypatch: pytest.MonkeyPatch, address: str, words: str) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(workers, "CONNECT_SECONDS", 0.5)
    with pytest.raises(ClusterError, match=words):
        Cluster(address)


def test_a_cluster_that_does_not_end_in_time_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that was played is committed by then: on a busy machine dask's parts may take long to end."""
    closed: list[str] = []

    class Slow:
        def __init__(self, *args: object, **options: object) -> None: ...

        def get_executor(self, **options: object) -> None: ...

        def close(self, timeout: float) -> None:
            closed.append(type(self).__name__)
            raise TimeoutError(f"timed out after {timeout} s.")

    class Client(Slow): ...

    class LocalCluster(Slow): ...

    fake = SimpleNamespace(TimeoutError=TimeoutError, Client=Client, LocalCluster=LocalCluster)
    monkeypatch.setattr(workers, "find_spec", lambda name: True)
    monkeypatch.setattr(workers, "import_module", lambda name: fake)
    with Cluster("local", 1):
        pass
    assert closed == ["Client", "LocalCluster"]


def test_without_dask_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "find_spec", lambda name: None)
    with pytest.raises(ClusterError, match=r"pip install 'foogo\[cluster\]'"):
        Cluster("local")
