"""The n-tuple network of the solver: its windows, what games teach it, and that a lesson changes no answer."""

from __future__ import annotations

import random
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from foogo.core.jit import kernel
from foogo.solver.enumeration import Enumeration
from foogo.solver.kernels import proof_table
from foogo.solver.kernels.life import new_life_memory
from foogo.solver.kernels.ntuple_network import GAME_POSITION, Lesson, Network, judge_of, judged, new_network, teach
from foogo.solver.kernels.positions import shape_of
from foogo.solver.kernels.symmetries import point_maps
from foogo.solver.proof_number_search import ProofNumberSearch
from foogo.solver.small_board import Position
from foogo.solver.solver import OutOfNodes
from tests.solver_games import random_position

FORCING = import_module("foogo.solver.proof_number_search")

BOARDS = [(1, 2), (1, 6), (1, 14), (2, 2), (2, 9), (3, 3), (3, 4), (4, 5), (5, 5), (5, 6)]


@kernel
def odds(network, attacker, defender, attacks):
    return judged(judge_of(network), attacker, defender, attacks)


def odds_of(network: Network, attacker: int, defender: int, attacks: int) -> float:
    return float(odds(network, attacker, defender, attacks))


def with_random_weights(rows: int, cols: int) -> Network:
    """Whole numbers, so that sums do not depend on the order."""
    network = new_network(rows, cols)
    network.weights[:] = np.random.default_rng(3).integers(-1000, 1000, len(network.weights))
    return network


def random_stones(points: int, chance: random.Random) -> tuple[int, int]:
    colors = [chance.randint(0, 2) for _ in range(points)]
    return sum(1 << i for i in range(points) if colors[i] == 1), sum(1 << i for i in range(points) if colors[i] == 2)


@pytest.mark.parametrize(("rows", "cols"), [(1, 13), (4, 5), (4, 7), (5, 5), (5, 6)])
def test_symmetric_positions_are_judged_alike(rows: int, cols: int) -> None:
    """But for windows that a symmetry takes to themselves, of which there are fewer than symmetries."""
    network, chance = with_random_weights(rows, cols), random.Random(1)
    begins, windows = np.unique(network.places[:, 0], return_counts=True)
    for begin in begins[windows < len(point_maps(rows, cols))]:
        network.weights.reshape(2, -1)[:, begin : begin + 3**12] = 0
    assert network.weights.any()
    for _ in range(20):
        own, other = random_stones(rows * cols, chance)
        for image in point_maps(rows, cols):
            mine, theirs = (sum(1 << int(image[i]) for i in range(rows * cols) if stones >> i & 1)
                            for stones in (own, other))  # fmt: skip
            for attacks in (0, 1):
                assert odds_of(network, mine, theirs, attacks) == odds_of(network, own, other, attacks)


@pytest.mark.parametrize(("rows", "cols"), BOARDS)
def test_every_point_side_and_colour_counts(rows: int, cols: int) -> None:
    network = with_random_weights(rows, cols)
    for point in range(rows * cols):
        seen = [odds_of(network, stone, other, attacks) for stone, other in ((0, 0), (1 << point, 0), (0, 1 << point))
                for attacks in (0, 1)]  # fmt: skip
        assert len(set(seen)) == 6


def test_the_windows_of_a_square_lie_both_ways_and_share_two_tables() -> None:
    network = new_network(5, 5)
    assert len(network.places) == 12
    assert len(set(network.places[:, 0])) == 2
    assert network.weights.shape == (2 * 2 * 3**12,)


def taught(games: int, seed: int = 1, *roots: tuple[int, int, int, int, int]) -> Network:
    """What games on 4x5, from the empty board if nothing else is said, teach about winning the whole board."""
    network, shape = new_network(4, 5), shape_of(4, 5)
    begin = np.array(list(roots) or [(0, 0, 0, 0, 1)], dtype=GAME_POSITION)
    teach(shape, network, new_life_memory(), begin, Lesson(20, games, seed, 0))
    return network


def test_games_teach_where_to_open() -> None:
    network = taught(5000)
    passed, corner, *centre = (odds_of(network, stones, 0, 0) for stones in (0, 1 << 0, 1 << 6, 1 << 7))
    assert passed < corner - 0.5
    assert corner < min(centre)


def test_games_teach_that_two_eyes_live() -> None:
    """Two rows with two eyes are the attacker's whole board; without them the other side may live."""
    network = taught(20000)
    eyes, wall = 0b00000_11111_10101_11111, 0b00000_11111_00000_00000
    assert odds_of(network, eyes, 0, 0) > odds_of(network, wall, 0, 0) + 0.5


def test_a_lesson_can_be_repeated() -> None:
    assert np.array_equal(taught(300).weights, taught(300).weights)
    assert not np.array_equal(taught(300).weights, taught(300, seed=2).weights)


def test_a_lesson_begins_where_it_is_told() -> None:
    stone, empty = (1 << 7, 0, 0, 0, 0), (0, 0, 0, 0, 1)
    at_first, later, half, quarter = (
        taught(300, 1, *roots) for roots in ((empty,), (stone,), (empty, stone), (stone, empty))
    )
    assert odds_of(later, stone[0], 0, 0) != 0
    place = len(later.weights) // 2  # of the attacker, with a window's first pattern: of the empty board
    assert later.errors[place, 1] < at_first.errors[place, 1] / 1000  # hardly ever met again
    assert later.errors[place, 1] < quarter.errors[place, 1] / 100
    assert odds_of(quarter, stone[0], 0, 0) != 0
    assert odds_of(half, stone[0], 0, 0) != odds_of(at_first, stone[0], 0, 0)


@pytest.fixture
def _early_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FORCING, "FIRST_LESSON", 50)
    monkeypatch.setattr(FORCING, "BETWEEN_LESSONS", 3)


@pytest.mark.usefixtures("_early_lessons")
@pytest.mark.parametrize("rule", ["draw", "migos"])
@pytest.mark.parametrize(("rows", "cols", "most"), [(3, 3, 8), (3, 4, 9)])
def test_answers_are_the_same_with_lessons(rule: str, rows: int, cols: int, most: int) -> None:
    """Questions on positions of random games, each to a solver of its own, against the enumeration."""
    chance, enumeration = random.Random(9), Enumeration(rows, cols, rule)
    learnt = decided = 0
    for _ in range(60):
        at = random_position(enumeration, chance.randint(0, most), chance)
        asked = chance.randint(1 - rows * cols, rows * cols)
        forcing = ProofNumberSearch(rows, cols, rule, table_mb=1, max_nodes=100_000)
        try:
            answer = forcing.at_least([at], asked)
        except OutOfNodes:
            assert rule == "migos"
            continue
        decided += 1
        learnt += any(question.games > 0 for question in forcing.questions.values())
        assert answer == (enumeration.value([at]) >= asked), (at, asked)
    assert decided > 40
    assert learnt > 5


@pytest.mark.usefixtures("_early_lessons")
def test_the_number_of_nodes_can_be_repeated() -> None:
    counts = set()
    for _ in range(2):
        forcing = ProofNumberSearch(3, 4, "draw", table_mb=4)
        assert forcing.value([Position()]) == 4
        counts.add(forcing.nodes)
    assert len(counts) == 1


def test_open_positions_are_those_of_the_table() -> None:
    forcing = ProofNumberSearch(3, 4, "draw", table_mb=1, max_nodes=1000)
    with pytest.raises(OutOfNodes):
        forcing.at_least([Position()], 12)
    entered = [row for row in forcing.table.entries if row[1] >= 0 and not proof_table.is_decided(row[1])]
    rows = np.zeros(len(entered) + 5, dtype=GAME_POSITION)
    assert proof_table.open_positions(forcing.table.entries, 12, rows) == len(entered) > 100
    for (attacker, defender, ko, passed, attacks), entry in zip(rows.tolist(), entered, strict=False):
        own, other = (attacker, defender) if attacks else (defender, attacker)
        assert forcing.key(Position(own, other, ko, passed), attacks) == int(proof_table.key_in(*entry))
    assert proof_table.open_positions(forcing.table.entries, 12, rows[:7]) == 7
    assert proof_table.open_positions(forcing.table.entries, 11, rows) == 0


def test_only_proofs_are_kept_for_a_lesson() -> None:
    forcing = ProofNumberSearch(3, 4, "draw", table_mb=4)
    assert forcing.at_least([Position()], 4)
    table, load = forcing.table.entries, forcing.parallel.load
    used = [(int(proof_table.key_in(*row)), int(row[1])) for row in table if row[1] >= 0]
    assert load * len(table) == len(used)
    proven = {key for key, data in used if int(proof_table.numbers_in(data)[0]) == 0}
    freed = int(proof_table.keep_proofs(table, 4))
    assert {int(proof_table.key_in(*row)) for row in table if row[1] >= 0} == proven < {key for key, _ in used}
    assert len(used) - freed == len(proven)
    again = ProofNumberSearch(3, 4, "draw", table_mb=4)
    again.table.entries[:] = table
    assert again.at_least([Position()], 4)
    assert again.nodes < forcing.nodes


def test_progress_tells_of_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FORCING, "FIRST_LESSON", 1000)
    stages: list[str] = []

    def note(progress: Any) -> None:
        stages.append(progress.stage)

    ProofNumberSearch(3, 5, "draw", table_mb=4, report=note).value([Position()])
    assert "learning" in stages
    assert stages[-1] == "forcing"
