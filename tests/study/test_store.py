"""The study store: games counted once whatever happens, and files that are no store refused."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from foogo.errors import ArgumentError, StoreError
from foogo.game.board import Board
from foogo.game.game import Game
from foogo.game.geometry import WHITE, geometry
from foogo.playout.policies import Policy
from foogo.playout.simulate import simulate
from foogo.playout.totals import Totals
from foogo.playout.written.policy import load_policy
from foogo.study.config import ANY, Config
from foogo.study.first_move import first_move
from foogo.study.run import runner, workers
from foogo.study.run.runner import run_study
from foogo.study.run.tasks import Task, play, signature
from foogo.study.store import claims, database
from foogo.study.store.chunks import Chunk, insert_chunk
from foogo.study.store.claims import Participant
from foogo.study.store.merge import merge
from foogo.study.store.runs import Run
from foogo.study.store.store import Store
from foogo.study.summary import command
from tests.marks import posix
from tests.study_kills import killed_and_resumed

CONFIG = Config(5, seed=4)


def totals_by_start(store: Store, run: Run) -> dict[int, Totals]:
    return {start: store.totals(run, start)[0] for start in run.starts}


def played_alone(config: Config, n: int, openings: str = "none") -> dict[int, Totals]:
    """What the games are, without a store."""
    return {start: play(Task(config, start, 0, n, signature(config)))[0] for start in config.starts(openings)}


def test_the_totals_are_those_of_simulate(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(CONFIG, n=20_000), threads=2)
        assert store.totals(run, ANY) == (simulate(5, 20_000, seed=4).totals, [(0, 20_000)])
        assert store.missing(run) == 0


def test_a_store_says_where_it_is(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        assert repr(store) == f"<Store '{tmp_path / 'a.sqlite'}'>"


def test_openings_are_those_of_first_move(tmp_path: Path) -> None:
    plain = first_move(3, 3000, seed=2, by_point=True, suicide=False)
    with Store(tmp_path / "a.sqlite", create=True) as store:
        stored = first_move(3, 3000, seed=2, by_point=True, suicide=False, store=store)
        again = first_move(3, 1000, seed=2, by_point=True, suicide=False, store=store)
    assert stored.playouts == plain.playouts
    assert [one.playouts for one in stored.openings] == [one.playouts for one in plain.openings]
    assert again.playouts == plain.playouts  # everything the store has


def test_totals_are_of_a_run_and_a_start(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(CONFIG, n=100))
        small: Any = np.int64(ANY)
        assert store.totals(run, small) == store.totals(run, ANY)
        wrong: list[tuple[Any, Any]] = [(run, "E5"), (run, 25), (1, ANY)]
        for of, start in wrong:
            with pytest.raises(ArgumentError, match=r"^(start|run) is"):
                store.totals(of, start)
        with pytest.raises(ArgumentError, match=r"`Store\.run` returns the run of a number"):
            store.missing(1)  # type: ignore[arg-type]


def test_asking_for_more_plays_only_what_is_missing(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run_study(store, store.ask(CONFIG, n=3000))
        run_study(store, store.ask(CONFIG, first=5000, n=1000))
        seen: list[tuple[int, int]] = []
        run = store.ask(CONFIG, n=8000, openings="classes")
        assert store.missing(run) == 4000 + 6 * 8000
        run_study(store, run, progress=lambda done, asked: seen.append((done, asked)))
        assert seen[0][0] >= 4000
        assert seen[-1] == (56_000, 56_000)
        assert totals_by_start(store, run) == played_alone(CONFIG, 8000, "classes")
        assert len(store.runs()) == 1


def test_a_store_that_is_closed_or_of_another_thread_says_so(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=10)
        with ThreadPoolExecutor(1) as pool:
            error = pool.submit(store.runs).exception()
        assert isinstance(error, StoreError)
        assert str(error).endswith("was opened by another thread: open a Store in each thread that uses it")
    store.close()
    for use in (store.runs, lambda: store.ask(CONFIG, n=10), lambda: run_study(store, run)):
        with pytest.raises(StoreError, match="is closed: open it again with Store"):
            use()


def test_what_is_no_store_run_or_configuration(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=10)
        with pytest.raises(ArgumentError, match="config is 5: give a foogo.study.config.Config"):
            store.ask(5, n=10)  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="run is 1: give a Run; `Store.ask` returns runs"):
            run_study(store, run.id)  # type: ignore[arg-type]
        with pytest.raises(ArgumentError, match="store is 'a.sqlite': give a Store"):
            run_study("a.sqlite", run)  # type: ignore[arg-type]
        with pytest.raises(StoreError, match="run '1' is not in .*: it has 1"):
            store.run("1")  # type: ignore[arg-type]


@posix
def test_a_run_killed_at_any_moment_resumes_to_the_same_totals(tmp_path: Path) -> None:
    """Kill -9 while it plays, commits or claims; nothing may be lost or counted twice."""
    totals, n = killed_and_resumed(tmp_path / "a.sqlite", Config(9, seed=8), 150_000, 0.01, random.Random(3))
    assert totals == simulate(9, n, seed=8).totals


@posix
def test_two_processes_on_one_run_share_it(tmp_path: Path) -> None:
    path, config = tmp_path / "a.sqlite", Config(7, seed=5)
    with Store(path, create=True) as store:
        store.ask(config, n=60_000, openings="classes")
    runner_chunk = runner.CHUNK_SECONDS
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            runner.CHUNK_SECONDS = runner_chunk / 20
            played = 0

            def count(task: Task, stop: object = None) -> tuple[Totals, float]:
                nonlocal played
                played += task.count
                return play(task)

            with Store(path) as store:
                vars(workers)["play"] = count
                run_study(store, store.runs()[0], threads=1)
            (tmp_path / f"{os.getpid()}").write_text(str(played))
            os._exit(0)
        children.append(child)
    assert all(os.waitpid(child, 0)[1] == 0 for child in children)
    parts = [int((tmp_path / str(child)).read_text()) for child in children]
    assert sum(parts) == 11 * 60_000  # no game was played twice
    with Store(path) as store:
        run = store.runs()[0]
        assert totals_by_start(store, run) == played_alone(config, 60_000, "classes")


@posix
def test_claims_of_the_dead_are_played_by_the_living(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=1000)
        child = os.fork()
        if child == 0:
            with Store(tmp_path / "a.sqlite") as other:
                Participant(other, other.runs()[0]).commit_and_claim([], 1, 1000)
            os._exit(0)
        os.waitpid(child, 0)
        run_study(store, run)
        assert store.missing(run) == 0


@pytest.mark.parametrize("system", ["posix", "nt"])
def test_without_proc_a_process_must_renew_its_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    """On macOS and Windows a number may be another process's, and on Windows `os.kill` would end that."""

    def kill(pid: int, number: int) -> None:
        assert (system, pid, number) == ("posix", os.getpid(), 0)

    monkeypatch.setattr(claims, "os", SimpleNamespace(name=system, getpid=os.getpid, kill=kill))
    monkeypatch.setattr(claims, "_host", lambda: "machine")
    monkeypatch.setattr(claims, "_process", lambda pid: json.dumps({"pid": pid, "start": "", "boot": ""}))
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=1000)
        silent, fast = Participant(store, run), Participant(store, run)
        silent.commit_and_claim([], 1, 1000)
        assert fast.commit_and_claim([], 1, 1000).elsewhere == 1000
        store.connection.execute("UPDATE owner SET beat = beat - ?", (claims.LEASE_SECONDS,))
        assert len(fast.commit_and_claim([], 1, 1000).claimed) == 1


@pytest.mark.parametrize("is_locked", [False, True])
def test_claims_are_free_after_a_run_that_could_not_release_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    """After a second Ctrl-C, and of a store that could not be written, in one process as in a notebook."""
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=5000)

        def stop(*_: Any, **__: Any) -> None:
            raise KeyboardInterrupt

        def locked(self: Participant) -> None:
            claims._HERE.discard(self._owner)
            raise StoreError("locked")

        with monkeypatch.context() as patch:
            patch.setattr(runner, "wait", stop)
            if is_locked:
                patch.setattr(Participant, "leave", locked)
            with pytest.raises(KeyboardInterrupt):
                run_study(store, run, threads=1)
        assert store.connection.execute("SELECT count(*) FROM owner").fetchone() == (int(is_locked),)
        run_study(store, run, threads=1)
        assert store.missing(run) == 0


def test_a_process_of_another_container_keeps_its_claims_while_it_renews_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number may be another process's here, even if both have one host name."""
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=1000)
        other, this = Participant(store, run), Participant(store, run)
        with monkeypatch.context() as container:
            container.setattr(os, "readlink", lambda path: "pid:[1]")
            other.commit_and_claim([], 1, 1000)
        process = json.dumps({"pid": 2**22, "start": "1", "boot": "1"})
        store.connection.execute("UPDATE owner SET process = ?", (process,))
        assert this.commit_and_claim([], 1, 1000).elsewhere == 1000
        store.connection.execute("UPDATE owner SET beat = beat - ?", (claims.LEASE_SECONDS,))
        assert len(this.commit_and_claim([], 1, 1000).claimed) == 1


def test_a_process_elsewhere_whose_clock_was_ahead_does_not_keep_its_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=1000)
        other, this = Participant(store, run), Participant(store, run)
        with monkeypatch.context() as machine:
            machine.setattr(claims, "_host", lambda: "elsewhere")
            other.commit_and_claim([], 1, 1000)
        store.connection.execute("UPDATE owner SET beat = beat + 7200")
        assert len(this.commit_and_claim([], 1, 1000).claimed) == 1


@posix
def test_the_name_that_sqlite_takes_for_no_file_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Store(":memory:", create=True) as store:
        run_study(store, store.ask(CONFIG, n=10))
    with Store(":memory:") as store:
        assert store.missing(store.run(1)) == 0


def test_a_result_that_comes_after_its_claim_was_taken_is_dropped(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(CONFIG, n=1000)
        slow, fast = Participant(store, run), Participant(store, run)
        (claim,) = slow.commit_and_claim([], 1, 1000).claimed
        slow.leave()  # as if it had been silent for too long
        (again,) = fast.commit_and_claim([], 1, 1000).claimed
        totals, _ = play(Task(CONFIG, ANY, 0, 1000, run.signature))
        assert slow.commit_and_claim([(claim, totals)], 0, 1).played == 0
        assert fast.commit_and_claim([(again, totals)], 0, 1).played == 1000
        assert store.totals(run, ANY)[0] == totals


def test_claims_are_disjoint_shrink_at_the_end_and_respect_blocks(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        block = 1 << 24
        run = store.ask(CONFIG, first=block - 100, n=1000)
        claims = Participant(store, run).commit_and_claim([], 50, 400, shares=4).claimed
        numbers = [number for claim in claims for number in range(claim.first, claim.end)]
        assert sorted(numbers) == list(range(block - 100, block + 900))
        assert (claims[0].first, claims[0].end) == (block - 100, block)
        assert min(claim.count for claim in claims) < max(claim.count for claim in claims)


def test_a_store_of_a_billion_playouts_is_small(tmp_path: Path) -> None:
    rng, path = np.random.default_rng(1), tmp_path / "a.sqlite"
    config, chunk = Config(19), 1_000_000
    shape = np.exp(-((np.arange(-361, 362) / 60.0) ** 2))
    with Store(path, create=True) as store:
        run = store.ask(config, n=10**9)
        with store.writing() as connection:
            for first in range(0, 10**9, chunk):
                end = min(first + chunk, (first // (1 << 24) + 1) * (1 << 24))
                for low, high in ((first, end), (end, first + chunk)):
                    if low < high:
                        scores = rng.multinomial(high - low, shape / shape.sum())
                        insert_chunk(connection, run, ANY, Chunk(low, high, Totals(0, 471 * (high - low), scores)))
        assert store.totals(run, ANY)[0].n == 10**9
        assert store.missing(run) == 0
    assert path.stat().st_size < 1_000_000


def test_merge_counts_each_game_once(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as one, Store(tmp_path / "b.sqlite", create=True) as two:
        run_study(one, one.ask(CONFIG, n=3000))
        run_study(two, two.ask(CONFIG, first=3000, n=2000))
        run_study(two, two.ask(Config(3), n=500))
        done = merge(one, two)
        assert (done.added, done.known, done.left) == (2500, 0, 0)
        again = merge(one, two)
        assert (again.added, again.known, again.left) == (0, 2500, 0)
        assert totals_by_start(one, one.runs()[0]) == played_alone(CONFIG, 5000)
        assert len(one.runs()) == 2


@pytest.mark.parametrize(("ours", "theirs", "then"), [(None, 3.0, 3.0), (2.0, 3.0, 2.0), (3.0, 2.0, 2.0)])
def test_merge_keeps_the_smaller_standard_error(tmp_path: Path, ours: float | None, theirs: float, then: float) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as one, Store(tmp_path / "b.sqlite", create=True) as two:
        one.ask(CONFIG, n=300, until_se=ours)
        two.ask(CONFIG, until_se=theirs)
        merge(one, two)
        assert one.runs()[0].until_se == then


def test_merge_of_overlapping_stores_leaves_what_resume_plays(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as one, Store(tmp_path / "b.sqlite", create=True) as two:
        run_study(one, one.ask(CONFIG, n=3000))
        run_study(two, two.ask(CONFIG, first=2000, n=3000))
        done = merge(one, two)
        assert (done.added, done.known, done.left) == (0, 1000, 2000)
        run = run_study(one, one.runs()[0])
        assert totals_by_start(one, run) == played_alone(CONFIG, 5000)
        whole = merge(two, one)  # a chunk that holds ours replaces it
        assert (whole.added, whole.known) == (2000, 3000)
        assert totals_by_start(two, two.runs()[0]) == played_alone(CONFIG, 5000)


def test_merge_refuses_other_games_and_itself(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as one, Store(tmp_path / "b.sqlite", create=True) as two:
        run_study(one, one.ask(CONFIG, n=300))
        run_study(two, two.ask(CONFIG, n=300))
        with pytest.raises(StoreError, match="itself"):
            merge(one, one)
        two.connection.execute("UPDATE chunk SET moves = moves + 1")
        with pytest.raises(StoreError, match="must be equal"):
            merge(one, two)
        two.connection.execute("UPDATE run SET signature = 'other'")
        with pytest.raises(StoreError, match="different games"):
            merge(one, two)


def test_a_run_of_another_signature_is_read_but_not_added_to(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run_study(store, store.ask(CONFIG, n=300))
        store.connection.execute("UPDATE run SET signature = 'other', foogo = '0.0.9'")
        run = store.runs()[0]
        assert store.totals(run, ANY)[0].n == 300
        for attempt in (lambda: store.ask(CONFIG, n=400), lambda: run_study(store, run)):
            with pytest.raises(StoreError, match=r"install foogo 0\.0\.9 to add to it, or start a new store"):
                attempt()


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    Store(tmp_path / "a.sqlite", create=True).close()
    with sqlite3.connect(tmp_path / "a.sqlite") as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    with pytest.raises(StoreError, match="schema 99.*install a newer foogo"):
        Store(tmp_path / "a.sqlite")


def test_what_is_no_store_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(path: Path, **_: Any) -> os.stat_result:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "text.txt").write_text("no database at all, but long enough to be looked at " * 20)
    with sqlite3.connect(tmp_path / "other.db") as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.close()
    for name, words in (
        ("text.txt", "not a study store"),
        ("other.db", "another program"),
        (".", "is a folder"),
        ("no/such/folder.sqlite", "no folder"),
        ("a" * 300, "cannot open"),
    ):
        with pytest.raises(StoreError, match=words):
            Store(tmp_path / name, create=True)
    with pytest.raises(StoreError, match="starts one"):
        Store(tmp_path / "missing.sqlite")
    monkeypatch.setattr(Path, "stat", forbidden)
    with pytest.raises(StoreError, match="cannot open '.*closed.a.sqlite': permission denied"):
        Store(tmp_path / "closed" / "a.sqlite")
    assert (tmp_path / "text.txt").read_text().startswith("no database")


def test_a_store_in_a_folder_without_permission_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a #1.sqlite"
    with Store(path, create=True) as store:
        run_study(store, store.ask(CONFIG, n=500))
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with Store(path) as store:
        assert store.totals(store.runs()[0], ANY)[0].n == 500
        assert list(tmp_path.iterdir()) == [path]  # SQLite could make no file beside it
        with pytest.raises(StoreError, match="cannot be written: it, or its folder, is read-only"):
            store.ask(CONFIG, n=600)


def test_a_locked_store_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_SECONDS", 0.1)
    Store(tmp_path / "a.sqlite", create=True).close()
    holder = sqlite3.connect(tmp_path / "a.sqlite", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with Store(tmp_path / "a.sqlite") as store, pytest.raises(StoreError, match="locked by another program"):
        store.ask(CONFIG, n=10)
    holder.close()


def test_a_full_disk_keeps_what_was_committed(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run_study(store, store.ask(CONFIG, n=500))
        pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
        store.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(StoreError, match="disk is full.*what was committed is kept"):
            fill(store)
        assert store.totals(store.runs()[0], ANY)[0].n == 500


def fill(store: Store) -> None:
    for size in range(2, 20):
        run_study(store, store.ask(Config(size), n=600, openings="classes"), threads=1)


def test_a_damaged_histogram_is_found(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(CONFIG, n=500))
        store.connection.execute("UPDATE chunk SET scores = x'00'")
        with pytest.raises(StoreError, match="damaged"):
            store.totals(run, ANY)


def test_until_se_ends_at_the_error_and_at_the_same_number(tmp_path: Path) -> None:
    ends = []
    for name, chunk in (("a", 1.0), ("b", 0.02)):
        with Store(tmp_path / f"{name}.sqlite", create=True) as store, pytest.MonkeyPatch.context() as patch:
            patch.setattr(runner, "CHUNK_SECONDS", chunk)
            run = run_study(store, store.ask(CONFIG, until_se=0.08))
            totals, ranges = store.totals(run, ANY)
            values = np.arange(-25, 26)
            error = np.sqrt(
                np.average((values - np.average(values, weights=totals.scores)) ** 2, weights=totals.scores)
            )
            assert error / np.sqrt(totals.n) < 0.0801
            ends.append(ranges)
    assert ends[0] == ends[1]
    assert 10_000 < ends[0][0][1] < 200_000


@pytest.mark.parametrize("error", [0, -1, float("nan"), float("inf"), 1e-9, True])
def test_an_error_that_cannot_be_reached_is_refused(tmp_path: Path, error: float) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        with pytest.raises(ArgumentError, match="cannot be reached"):
            store.ask(CONFIG, until_se=error)
        assert store.runs() == []


def test_an_error_beyond_all_games_is_refused_after_the_pilot(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        with pytest.raises(ArgumentError, match="ask for .* or more"):
            run_study(store, store.ask(CONFIG, until_se=2e-6))
        (run,) = store.runs()
        assert store.totals(run, ANY)[0].n == runner.PILOT
        assert run.until_se is None
        assert runner.is_finished(store, run)
        assert run_study(store, store.ask(CONFIG, until_se=1.0)).until_se == 1.0


def test_an_error_beyond_all_games_of_an_earlier_version_does_not_stop_other_runs(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(CONFIG, n=runner.PILOT))
        store.connection.execute("UPDATE run SET until_se = 2e-6")
        assert not runner.is_finished(store, store.run(run.id))


@posix
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    timers: list[threading.Timer] = []

    def interrupt_soon(done: int, asked: int) -> None:
        if done and not timers:
            timers.append(threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)))
            timers[0].start()

    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(Config(9), n=10**7)
        with pytest.raises(KeyboardInterrupt):
            run_study(store, run, threads=1, progress=interrupt_soon)
        totals, ranges = store.totals(run, ANY)
        assert 0 < totals.n < 10**7
        assert store.connection.execute("SELECT count(*) FROM claim").fetchone()[0] == 0


def test_a_study_of_a_position_pools_by_its_own_symmetries(tmp_path: Path) -> None:
    board = Board(3)
    board.play("B1")
    config = Config.of_board(board, seed=1)
    assert config.board().to_play == WHITE
    groups = {tuple(geometry(3).vertex(p) for p in group) for group in config.classes}
    assert groups == {("A1", "C1"), ("A2", "C2"), ("B2",), ("A3", "C3"), ("B3",)}
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(config, n=300, openings="classes"))
        assert simulate(board, 300, seed=1).totals == store.totals(run, ANY)[0]


def test_signature_is_the_one_that_bench_prints() -> None:
    from foogo.benchmark import playouts

    for suicide in (True, False):
        assert signature(Config(9, suicide=suicide)) == playouts.signature(9, suicide=suicide).value


def test_numbers_of_numpy_are_kept_as_numbers(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(Config(np.int8(3), policy="search:9", komi=np.float32(2.5)), n=1)
        assert store.run(run.id).config == Config(3, policy="search:9", komi=2.5)


def test_the_command_of_a_policy_with_other_weights_can_be_run(tmp_path: Path) -> None:
    head = "import foogo\n@foogo.playout_policy\ndef mine(see, pick, near=0.5):\n"
    file = tmp_path / "FILE.py"
    file.write_text(f"{head}    return pick.often(near, see.around(see.last_move)) or see.candidates\n")
    tuned = load_policy(f"{file}:mine")(near=0.25)
    with Store(tmp_path / "a.sqlite", create=True) as store:
        comment, line = command(store.ask(Config(3, policy=tuned.label), n=1), "a.sqlite").splitlines()
    with file.open("a") as written:
        written.write(comment.removeprefix("# FILE.py has the line: ") + "\n")
    assert "--policy FILE.py:tuned " in line
    assert load_policy(f"{file}:tuned").label == tuned.label


def test_a_run_without_games_is_repeated_by_its_standard_error(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(Config(3), until_se=0.25)
    assert run.asked == ()
    assert command(run, "a.sqlite") == "foogo study run --store a.sqlite --size 3 --seed 0 --until-se 0.25"


@pytest.mark.parametrize("komi", [1234567.5, 6.12345678])
def test_a_komi_of_many_digits_is_written_in_full(tmp_path: Path, komi: float) -> None:
    config = Config(3, policy="search:9", komi=komi)
    with Store(tmp_path / "a.sqlite", create=True) as store:
        assert f"--play-komi {komi} " in command(store.ask(config, n=1), "a.sqlite")
    assert f"komi {komi}," in config.describe()
    assert f"komi {komi}>" in repr(Game(3, komi=komi))
    assert str(Game(3, komi=komi)).endswith(f"komi {komi}, black to play")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"policy": "clever"}, "use uniform, knowledge, .*or search:N"),
        ({"policy": "search:0"}, "search:N"),
        ({"policy": "mine.py"}, "FILE.py:NAME"),
        ({"policy": Policy(urgent=1)}, "the label of one of foogo.playout_policy"),
        ({"komi": 6.5}, "uniform players"),
        ({"policy": "search:10", "komi": float("nan")}, "komi nan"),
        ({"policy": "search:10", "komi": 10**400}, "komi 10000"),
        ({"seed": -1}, "seed"),
        ({"stones": 5}, "stones are 5: give the rows as one text, such as '.X./.../...'"),
        ({"stones": None}, "stones are None: give the rows"),
        ({"stones": [".X", ".."], "size": 2}, "give the rows as one text"),
        ({"size": 20}, "20"),
    ],
)
def test_impossible_configurations_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(ArgumentError, match=words):
        Config(**({"size": 9} | options))  # type: ignore[arg-type]


@pytest.mark.parametrize("suicide", [0, np.False_])
def test_a_suicide_rule_of_another_type_is_the_same_run(tmp_path, suicide):
    with Store(tmp_path / "a.sqlite", create=True) as store:
        one = store.ask(Config(3, seed=1, suicide=False), n=10)
        assert store.ask(Config(3, seed=1, suicide=suicide), n=20).id == one.id
    with pytest.raises(ArgumentError, match="suicide is 'no'"):
        Config(3, suicide="no")  # type: ignore[arg-type]


KO = ".XO./XO.O/.XO./...."


@pytest.mark.parametrize(
    ("usual", "other"),
    [
        (Config(4, KO, ko="C3"), {"stones": KO.lower(), "ko": "c3"}),
        (Config(4, KO, ko="C3"), {"stones": KO.replace("/", "\n"), "ko": 10}),
        (Config(4, KO, ko="C3"), {"stones": " ".join(KO).replace("X", "#").replace(".", "+"), "ko": np.int64(10)}),
        (Config(4, KO), {"stones": f"ABCD/{KO}/ABCD"}),
        (Config(4), {"stones": "..../..../..../...."}),
        (Config(4, to_play="white"), {"to_play": "white"}),
        (Config(4, to_play="white"), {"stones": "..../..../..../....", "to_play": "white"}),
        (Config(4, policy="search:9", komi=0.0), {"policy": "search:9", "komi": -0.0}),
    ],
)
def test_all_diagrams_of_a_position_are_one_run(tmp_path: Path, usual: Config, other: dict[str, Any]) -> None:
    same = Config(4, **other)
    assert (same, same.as_json()) == (usual, usual.as_json())
    assert usual == Config.of_board(usual.board(), policy=usual.policy, komi=usual.komi)
    with Store(tmp_path / "a.sqlite", create=True) as store:
        assert store.ask(same, n=10).id == store.ask(usual, n=20).id


def test_the_last_move_of_a_board_is_kept(tmp_path: Path) -> None:
    board = Board(5)
    board.play("A1")
    config = Config.of_board(board, policy="knowledge", seed=1)
    assert config.board().last_move == 0
    assert config == Config(5, config.stones, "white", policy="knowledge", seed=1)
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = run_study(store, store.ask(config, n=300))
        assert store.totals(run, ANY)[0] == simulate(board, 300, seed=1, policy="knowledge").totals


def test_the_last_move_of_a_diagram_is_kept() -> None:
    config = Config(3, ".(x)./.../...", "white")
    assert config.stones == ".(X)./.../..."
    assert config.board().last_move == 7
    assert config != Config(3, ".X./.../...", "white")


@pytest.mark.parametrize("to_play", ["black", "white"])
def test_a_ko_needs_stones(to_play: str) -> None:
    with pytest.raises(ArgumentError, match="ko is 'C3' on an empty board"):
        Config(9, to_play=to_play, ko="C3")


def test_a_run_keeps_the_smallest_standard_error(tmp_path: Path) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        asked = [store.ask(CONFIG, until_se=error).until_se for error in (0.5, 0.2, None, 0.4)]
        assert (asked, store.runs()[0].until_se) == ([0.5, 0.2, 0.2, 0.2], 0.2)


@pytest.mark.parametrize("error", [np.float32(0.5), np.int64(1), 1])
def test_a_standard_error_is_any_number(tmp_path: Path, error: Any) -> None:
    with Store(tmp_path / "a.sqlite", create=True) as store:
        run = store.ask(Config(3, seed=1), until_se=error)
        assert type(run.until_se) is float
        assert store.runs()[0].until_se == run.until_se == error
