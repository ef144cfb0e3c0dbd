"""Threads that search together on one table: the same values, and a table that never mixes up its entries."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foogo.cli import run
from foogo.core.jit import kernel
from foogo.errors import ArgumentError
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels import proof_table
from foogo.solver.kernels.proof_table import OFFSET, Finding, bucket_of, new_table
from foogo.solver.proof import save, verify
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import Position
from foogo.solver.solution import Unsolved, solve
from tests.solver_games import random_position


@pytest.mark.parametrize("threads", [2, 5])
@pytest.mark.parametrize(
    ("rows", "cols", "rules", "value"), [(3, 4, "draw", 4), (3, 5, "migos", 15), (2, 5, "draw", 10)]
)
def test_threads_find_the_values_that_one_finds(rows: int, cols: int, rules: str, value: int, threads: int) -> None:
    solution = solve(rows, cols, rules=rules, method="force", threads=threads, table_mb=8)
    assert solution.value == value
    assert solution.best_moves[0] in solve(rows, cols, rules=rules, method="force", all_best=True).best_moves


@pytest.mark.parametrize("table_mb", [1, 64])
def test_positions_are_worth_what_the_enumeration_finds(table_mb: int) -> None:
    """What goes round is refuted by leaning on positions that another thread may prove meanwhile."""
    enumeration = Enumeration(3, 3, "draw")
    forcing = ProofNumberSearch(3, 3, "draw", table_mb=table_mb, threads=3)
    rng = random.Random(3)
    for _ in range(150):
        at = random_position(enumeration, rng.randrange(12), rng)
        assert forcing.value([at]) == enumeration.value([at]), at


def test_a_small_table_forgets_and_is_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("foogo.solver.parallel_search"), "new_table", lambda megabytes: new_table(0))
    assert solve(2, 4, rules="draw", method="force", threads=2).value == 8


def test_lessons_are_shared_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_module("foogo.solver.proof_number_search"), "FIRST_LESSON", 2000)
    forcing = ProofNumberSearch(3, 4, "draw", table_mb=4, threads=2)
    assert forcing.value([Position()]) == 4
    assert any(question.games for question in forcing.questions.values())


@kernel
def write_and_read(table, keys, state, rounds):
    """Store numbers that follow from the key, look others up; how many came out wrong, how many were found."""
    wrong = found = 0
    for _ in range(rounds):
        state = (state * 6364136223846793005 + 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
        key = keys[(state >> 33) % len(keys)]
        number = 1 + key % 1000 + (state >> 20 & 1)
        finding = Finding(number, number + 7, 1 + (state >> 40) % 5000, 0)
        proof_table.store(table, key, 5, finding, True)
        data = proof_table.contents_of(table.entries, keys[(state >> 45) % len(keys)], 5)
        if data >= 0:
            proof, disproof = proof_table.numbers_in(data)
            mine = keys[(state >> 45) % len(keys)]
            found += 1
            wrong += not (0 <= proof - 1 - mine % 1000 <= 1 and disproof == proof + 7)
    return wrong, found


def test_no_entry_is_read_that_was_half_written() -> None:
    """Few buckets and many keys: each is overwritten by another thread again and again."""
    table = new_table(0)
    keys = np.random.default_rng(1).integers(0, 1 << 60, 600)
    write_and_read(table, keys, 1, 1)
    with ThreadPoolExecutor(4) as pool:
        jobs = [pool.submit(write_and_read, table, keys, seed, 1_000_000) for seed in range(4)]
        counts = [job.result() for job in jobs]
    assert [wrong for wrong, _ in counts] == [0] * 4
    assert min(found for _, found in counts) > 50_000
    kept = [int(proof_table.key_in(*row)) for row in table.entries if row[1] >= 0]
    assert len(kept) == len(table.entries)
    assert set(kept) <= set(keys.tolist())


@kernel
def write_again(table, key, relied, rounds):
    """Store the same position again and again, once as relied on."""
    for i in range(rounds):
        finding = Finding(1 + i % 3, 1, 1, relied and i == rounds // 2)
        proof_table.store(table, key, 5, finding, True)


def test_no_note_is_lost_between_threads() -> None:
    table = new_table(1)
    write_again(table, 100, True, 1)
    for key in range(60):
        with ThreadPoolExecutor(3) as pool:
            jobs = [pool.submit(write_again, table, key, relied, 20001) for relied in (True, False, False)]
            for job in jobs:
                job.result()
        data = int(proof_table.contents_of(table.entries, key, 5))
        assert data >= 0
        assert data >> proof_table.RELIED & 1, key
    assert not table.doubts.any()


def test_what_is_decided_stays_so() -> None:
    table = new_table(0)

    def after(proof: int, disproof: int, relied: int = 0) -> tuple[tuple[int, int], bool]:
        table.doubts[:] = 0
        _, *kept = proof_table.store(table, 11, 5, Finding(proof, disproof, 1, relied), True)
        found = proof_table.numbers_in(proof_table.contents_of(table.entries, 11, 5))
        assert [int(number) for number in found] == kept
        assert table.doubts.sum() == table.doubts[5 + OFFSET]
        return (int(found[0]), int(found[1])), bool(table.doubts.any())

    infinite = proof_table.INFINITE
    assert after(3, 4) == ((3, 4), False)
    assert after(infinite, 0) == ((infinite, 0), False)
    assert after(5, 6) == ((infinite, 0), False)
    assert after(0, infinite) == ((0, infinite), True)  # refutations may have relied on it
    assert after(infinite, 0) == ((0, infinite), True)
    assert after(3, 2) == ((0, infinite), False)
    assert after(7, 8, relied=1) == ((0, infinite), True)


def test_a_lost_note_is_laid_to_its_own_question() -> None:
    table = new_table(0)
    rng = random.Random(2)
    keys = [rng.getrandbits(60) for _ in range(20)]
    for key in keys:
        proof_table.store(table, key, 3, Finding(1, 1, 1, 1), False)
    assert not table.doubts.any()
    for _ in range(5000):
        proof_table.store(table, rng.getrandbits(60), -4, Finding(1, 1, 9, 0), False)
    assert np.flatnonzero(table.doubts).tolist() == [3 + OFFSET]


@pytest.mark.parametrize("numbers", [(proof_table.INFINITE, 0), (0, proof_table.INFINITE)])
def test_a_root_that_the_table_has_decided_is_searched_all_the_same(numbers: tuple[int, int]) -> None:
    """By migos a refutation in the table may lean on a repetition; and best moves ask for the way to a proof."""
    forcing = ProofNumberSearch(3, 5, "migos", table_mb=8, threads=2)
    key = forcing.key(Position(), 1)
    proof_table.store(forcing.table, key, 15, Finding(*numbers, 9, 0), False)
    assert forcing.search(Position(), 15, 1, None, look=False)
    assert forcing.forcing(Position(), 15)


def test_all_that_refutations_rely_on_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one such position is searched for may note others, before it in the table."""
    forcing = ProofNumberSearch(2, 2, "draw", table_mb=1)
    keys = sorted(
        (forcing.key(Position(1 << i, 1 << j), 0) for i in range(4) for j in range(4) if i != j),
        key=lambda key: int(bucket_of(forcing.table.entries, key)),
    )
    earlier, later = keys[0], keys[-1]
    assert bucket_of(forcing.table.entries, earlier) < bucket_of(forcing.table.entries, later)
    searched: list[Position] = []

    def run_one(position: Position, asked: int, attacks: int, budget: int | None, teach: bool = True) -> bool:
        searched.append(position)
        key = forcing.key(position, attacks)
        proof_table.store(forcing.table, key, asked, Finding(proof_table.INFINITE, 0, 1, 0), False)
        if key == later:
            proof_table.store(forcing.table, earlier, asked, Finding(1, 1, 1, 1), False)
        return False

    proof_table.store(forcing.table, later, 2, Finding(1, 1, 1, 1), False)
    monkeypatch.setattr(forcing, "run", run_one)
    assert forcing.is_refuted(2)
    assert [forcing.key(position, 0) for position in searched] == [later, earlier]


def test_a_stopped_crew_has_bounds_and_can_go_on() -> None:
    with pytest.raises(Unsolved) as stopped:
        solve(4, 5, method="force", threads=2, table_mb=16, max_nodes=300_000)
    assert -20 <= stopped.value.lower < stopped.value.upper <= 20


def test_ctrl_c_waits_for_all_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = []

    def stop(*arguments: Any) -> bool:
        if arguments[3].control["thread"][0] == 0:
            raise KeyboardInterrupt
        ended.append(True)
        return False

    monkeypatch.setattr("foogo.solver.kernels.proof_search.search", stop)
    with pytest.raises(Unsolved):
        solve(3, 5, method="force", threads=3)
    assert len(ended) == 2


def test_a_proof_by_threads_is_replayed(tmp_path: Path) -> None:
    file = tmp_path / "proof.json"
    solution = solve(2, 5, method="force", threads=2)
    assert save(solution, file, threads=2) > 0
    assert verify(file)["value"] == 10


@pytest.mark.parametrize("threads", [0, -1, 1.5, 2000])
def test_wrong_threads(threads: float) -> None:
    with pytest.raises(ArgumentError, match="threads"):
        solve(2, 2, threads=threads)  # type: ignore[arg-type]


def test_the_command_takes_threads(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "2x5", "--method", "force", "--threads", "2"]) == 0
    assert capfd.readouterr().out.startswith("2x5, migos: B+10\n")
